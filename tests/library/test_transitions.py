from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from understudy.core import Motion
from understudy.library.distance import windows
from understudy.library.options import LibraryOptions
from understudy.library.planar_arrays import floor_points, transform
from understudy.library.preparation import joint_weights, prepared
from understudy.library.segmentation import LEFT, Cuts, feature_cuts
from understudy.library.transitions import CENTROID, cut_pairs, turn_within

HALF = 6


@pytest.fixture(scope="module")
def compared(walks: list[Motion]):
    options = LibraryOptions(weights={"hips": 2.0, "head": 1.0, "leftFoot": 1.0, "rightHand": 0.5, "leftLowerLeg": 1.0})
    footage, _ = prepared(walks, options, options.watch())
    joints, weights = joint_weights(footage.skeleton, options)
    points = windows(footage.world.positions[:, joints], weights, half=HALF, starts=footage.starts)
    cuts = feature_cuts(footage, options.detectors, least=18, margin=HALF)
    return footage, footage.world.positions[:, joints], weights, points, cuts


def mean_square(a: np.ndarray, b: np.ndarray, weights: np.ndarray) -> float:
    return float((weights[:, None] * (a - b) ** 2).sum() / (len(a) * weights.sum()))


def window(positions: np.ndarray, frame: int) -> np.ndarray:
    return positions[frame - HALF : frame + HALF + 1]


def placed(positions: np.ndarray, pivot_in: complex, pivot_out: complex, yaw: float) -> np.ndarray:
    """Points turned by ``yaw`` about their own pivot, which is put onto the other's."""
    c, s = np.cos(yaw), np.sin(yaw)
    x, z = positions[..., 0] - pivot_in.imag, positions[..., 2] - pivot_in.real
    return np.stack([c * x + s * z + pivot_out.imag, positions[..., 1], -s * x + c * z + pivot_out.real], axis=-1)


def test_pairs_equal_a_search_over_turns_about_the_foot(compared) -> None:
    footage, positions, weights, points, cuts = compared
    pairs = cut_pairs(footage, points, cuts, foot_slack_m=1.0)
    feet = floor_points(footage.feet)
    seen = 0
    for i, j in np.argwhere(np.isfinite(pairs.rms_m))[::7]:
        side = int(pairs.pivots[i, j]) - 1
        assert cuts.carriers[i] == cuts.carriers[j] == side + 1
        out_foot, in_foot = feet[cuts.frames[i], side], feet[cuts.frames[j], side]
        a, b = window(positions, cuts.frames[i]), window(positions, cuts.frames[j])

        def cost(yaw: float, a=a, b=b, pivots=(in_foot, out_foot)) -> float:
            return mean_square(a, placed(b, *pivots, yaw), weights)

        best = min(
            (minimize_scalar(cost, bounds=(low, low + 2.2), method="bounded", options={"xatol": 1e-9}).fun)
            for low in (-3.2, -1.1, 1.0)
        )
        assert pairs.rms_m[i, j] ** 2 == pytest.approx(best, abs=1e-8)
        assert cost(pairs.yaws_rad[i, j]) == pytest.approx(best, abs=1e-8)
        # Put down by its transform, the next clip's foot is on this clip's foot.
        rows = pairs.transforms(np.array([i]), np.array([j]))
        moved = transform(rows[0]).floor_points(np.array([in_foot.imag, in_foot.real]))
        assert moved == pytest.approx([out_foot.imag, out_foot.real], abs=1e-9)
        # At the ends of the range the cost is the threshold, just beyond it is above.
        threshold = pairs.rms_m[i, j] + 0.02
        reach = float(pairs.half_ranges_rad(np.array([i]), np.array([j]), threshold)[0])
        for sign in (-1.0, 1.0):
            assert cost(pairs.yaws_rad[i, j] + sign * reach) == pytest.approx(threshold**2, rel=1e-6)
            assert cost(pairs.yaws_rad[i, j] + sign * (reach + 0.01)) > threshold**2
        seen += 1
    assert seen > 20


def test_without_feet_the_centroids_coincide(compared) -> None:
    footage, positions, weights, points, cuts = compared
    from walkers import brute_distance

    pairs = cut_pairs(footage, points, cuts, foot_slack_m=1.0, by_feet=False)
    assert (pairs.pivots == CENTROID).all() and np.isfinite(pairs.rms_m).all()
    for i, j in ((0, 1), (2, 9), (5, 3)):
        a, b = window(positions, cuts.frames[i]), window(positions, cuts.frames[j])
        rms, yaw, x, z = brute_distance(a, b, weights)
        assert pairs.rms_m[i, j] == pytest.approx(rms, abs=1e-7)
        assert pairs.transforms(np.array([i]), np.array([j]))[0] == pytest.approx([x, z, yaw], abs=1e-6)


def test_a_cut_follows_itself_for_nothing(compared) -> None:
    footage, _, _, points, cuts = compared
    pairs = cut_pairs(footage, points, cuts, foot_slack_m=0.05)
    same = np.arange(len(cuts))
    assert (pairs.rms_m[same, same] == 0.0).all()
    assert pairs.transforms(same, same) == pytest.approx(0.0, abs=1e-9)


def test_feet_that_would_be_off_are_refused(compared) -> None:
    footage, _, _, points, cuts = compared
    both = Cuts(frames=cuts.frames, labels=cuts.labels, carriers=np.full(len(cuts), 3))
    loose = cut_pairs(footage, points, both, foot_slack_m=10.0)
    tight = cut_pairs(footage, points, both, foot_slack_m=0.02)
    refused = np.isfinite(loose.rms_m) & np.isinf(tight.rms_m)
    assert refused.any()
    ends = footage.foot_ends[cuts.frames]
    for i, j in np.argwhere(np.isfinite(loose.rms_m)):
        at = transform(loose.transforms(np.array([i]), np.array([j]))[0])
        gaps = np.linalg.norm((ends[i] - at.points(ends[j]))[..., [0, 2]], axis=-1)
        assert bool(refused[i, j]) == bool(gaps.max() > 0.02)


def test_feet_that_would_stand_askew_are_refused(compared) -> None:
    footage, _, _, points, cuts = compared
    loose = cut_pairs(footage, points, cuts, foot_slack_m=10.0)
    ends = floor_points(footage.foot_ends[cuts.frames])
    gaps = {}
    for i, j in np.argwhere(np.isfinite(loose.rms_m)).tolist():
        side = int(loose.pivots[i, j]) - 1
        headings = np.angle(ends[:, side, 1] - ends[:, side, 0])
        gaps[i, j] = abs(np.angle(np.exp(1j * (headings[i] - headings[j] - loose.yaws_rad[i, j]))))
    # Between two of the gaps, so that rounding cannot decide.
    ordered = np.unique(np.round(list(gaps.values()), 6))
    limit = float(ordered[len(ordered) // 2 - 1 : len(ordered) // 2 + 1].mean())
    tight = cut_pairs(footage, points, cuts, foot_slack_m=10.0, foot_turn_rad=limit)
    refused = {pair for pair in gaps if np.isinf(tight.rms_m[pair])}
    assert refused == {pair for pair, gap in gaps.items() if gap > limit}
    assert 0 < len(refused) < len(gaps)


def test_other_feet_never_meet(compared) -> None:
    footage, _, _, points, cuts = compared
    pairs = cut_pairs(footage, points, cuts, foot_slack_m=1.0)
    left = cuts.carriers == LEFT
    assert np.isinf(pairs.rms_m[np.ix_(left, ~left)]).all()


@given(room=st.floats(0.0, 0.1), swing=st.floats(1e-6, 10.0))
def test_closed_range_solves_its_equation(room: float, swing: float) -> None:
    turn = float(turn_within(np.array(room), np.array(swing)))
    raised = 2.0 * swing * (1.0 - np.cos(turn))
    assert raised == pytest.approx(min(room, 4.0 * swing), rel=1e-6, abs=1e-12)
