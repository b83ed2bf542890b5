"""Things that move: compiled checks against plain NumPy, footprints along tracks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy.core.planar import PlanarTransform
from understudy.errors import PlanningInputError
from understudy.locomotion import Walker
from understudy.locomotion._moving_kernels import clip_meets, last_change, standing_meets, touches
from understudy.locomotion.moving import (
    TrackMover,
    packed_movers,
    performing,
    standing,
    thing_mover,
)
from understudy.locomotion.tables import At
from understudy.scene import Box, Scene
from understudy.scene.placements import Hinge, Track


def placed_discs(walker: Walker, node: int, at: np.ndarray, sample: int) -> np.ndarray:
    """Discs ``(n, 3)`` of one sampled frame in the world, by plain arithmetic."""
    shadows = walker.shadows
    frame = shadows.first[node] + sample
    discs = shadows.discs[shadows.frame_first[frame] : shadows.frame_first[frame + 1]].copy()
    discs[:, :2] = PlanarTransform(x_m=at[0], z_m=at[1], yaw_rad=at[2]).floor_points(discs[:, :2])
    return discs


def line_gap(discs: np.ndarray, row: np.ndarray) -> float:
    """Smallest gap of discs ``(n, 3)`` and a thick line ``(5,)``."""
    first, along = row[:2], row[2:4] - row[:2]
    share = np.clip((discs[:, :2] - first) @ along / max(along @ along, 1e-12), 0.0, 1.0)
    apart = np.linalg.norm(discs[:, :2] - first - share[:, None] * along, axis=1)
    return float((apart - discs[:, 2]).min() - row[4])


def plain_meets(walker: Walker, node: int, at: np.ndarray, time: float, mover: TrackMover, margin: float) -> bool:
    """Every sampled frame against the other's samples before and after that time."""
    pace, last = walker.pace, len(mover.shapes) - 1
    for k in range(walker.shadows.first[node + 1] - walker.shadows.first[node]):
        now = time + min(k * pace.step_s, pace.seconds[node])
        first = min(max(int(np.floor((now - mover.start_s) / mover.step_s + 1e-9)), 0), last)
        for sample in range(first, min(first + 1, last) + 1):
            discs = placed_discs(walker, node, at, k)
            if min(line_gap(discs, row) for row in mover.shapes[sample]) < margin:
                return True
    return False


def test_a_walker_and_a_motion_against_plain_loops(walker: Walker) -> None:
    rng = np.random.default_rng(0)
    pace, met = walker.pace, 0
    for _ in range(40):
        node, mate = rng.integers(len(walker.library), size=2).tolist()
        at = rng.uniform(-0.8, 0.8, 3) * [1.0, 1.0, 4.0]
        clip = walker.library.clip(mate)
        shift = rng.uniform(-0.5, 0.5, 3) * [1.0, 0.0, 1.0] - clip.root_positions[0] * [1.0, 0.0, 1.0]
        moved = replace(clip, root_positions=clip.root_positions + shift)
        mover = performing("b", moved, walker.body, start_s=float(rng.uniform(0.0, 2.0)))
        found = clip_meets(walker.shadows, pace, packed_movers([mover]), node, At(*at), 1.0, 0.05)
        assert found == plain_meets(walker, node, at, 1.0, mover, 0.05)
        met += found
    assert 3 < met < 37


def test_whoever_has_left_is_not_met(walker: Walker) -> None:
    pace, here = walker.pace, At(0.0, 0.0, 0.0)
    for until, expected in ((0.5, False), (np.inf, True)):
        movers = packed_movers([standing("b", np.zeros(2), 0.3, until_s=until)])
        assert clip_meets(walker.shadows, pace, movers, 0, here, 5.0, 0.0) == expected


def test_disc_against_lines_and_areas() -> None:
    rng = np.random.default_rng(1)
    square = np.array([[0, 0, 1, 0], [1, 0, 1, 1], [1, 1, 0, 1], [0, 1, 0, 0]], dtype=float)
    lines = np.column_stack([square, np.full(4, 0.05)])
    for filled in (False, True):
        movers = packed_movers([TrackMover(name="block", shapes=(lines,), filled=filled)])
        for x, z in rng.uniform(-0.5, 1.5, (200, 2)):
            along = np.linspace(0.0, 1.0, 2001)[:, None]
            points = np.concatenate([row[:2] + along * (row[2:] - row[:2]) for row in square])
            near = np.hypot(*(points - [x, z]).T).min() - 0.05 - 0.1
            inside = 0 < x < 1 and 0 < z < 1
            if abs(near) > 1e-3:
                assert touches(movers, 0, filled, x, z, 0.1) == (near < 0 or (filled and inside))


def test_somebody_who_stands_is_walked_into_later(walker: Walker) -> None:
    pace = walker.pace
    here = At(0.0, 0.0, 0.0)
    end = walker.graph.moves[0, :2]
    coming = [np.column_stack([end[None] + [4.0 - 0.1 * k, 0.0]] * 2 + [[[0.2]]]) for k in range(80)]
    movers = packed_movers([TrackMover(name="cart", shapes=tuple(coming))])
    assert last_change(movers) == pytest.approx(79 * 0.05)
    assert standing_meets(walker.shadows, pace, movers, 0, here, 0.5, 0.05)
    assert not standing_meets(walker.shadows, pace, packed_movers(()), 0, here, 0.5, 0.05)
    passed = packed_movers([TrackMover(name="cart", shapes=tuple(coming[::-1]))])
    assert not standing_meets(walker.shadows, pace, passed, 0, here, 3.9, 0.05)


@pytest.mark.parametrize("level", [True, False])
def test_footprints_follow_a_track(level: bool) -> None:
    half = np.sqrt(0.5)
    turned = [[1.0, 0, 0, 0], [half, 0, half, 0]] if level else [[1.0, 0, 0, 0], [half, half, 0, 0]]
    track = Track(times_s=[0.0, 2.0], positions=[[0, 0.5, 0], [4, 0.5, 2]], rotations=turned)
    scene = Scene().with_object("cart", Box(size_m=(1.0, 1.0, 0.4)), placement=track)
    mover = thing_mover(scene, "cart", heights_m=(0.001, 1.9), until_s=3.0)
    assert len(mover.shapes) == 61
    first, last = mover.shapes[0][:, :4].reshape(-1, 2), mover.shapes[-1][:, :4].reshape(-1, 2)
    np.testing.assert_allclose([first.min(axis=0), first.max(axis=0)], [[-0.5, -0.2], [0.5, 0.2]], atol=1e-9)
    size = (0.2, 0.5) if level else (0.5, 0.5)
    np.testing.assert_allclose(
        [last.min(axis=0), last.max(axis=0)], [[4 - size[0], 2 - size[1]], [4 + size[0], 2 + size[1]]], atol=1e-9
    )
    with pytest.raises(PlanningInputError, match="looked up"):
        thing_mover(scene, "cart", heights_m=(0.001, 1.9), until_s=-1.0)


def test_a_door_that_swings_is_followed() -> None:
    hinge = Hinge(
        axis_at=(0, 0, 0), range_rad=(0.0, 2.0), closed_position=(0.5, 1, 0), times_s=(0.0, 1.0), angles_rad=(0.0, 1.5)
    )
    scene = Scene().with_object("door", Box(size_m=(1.0, 2.0, 0.04)), placement=hinge)
    mover = thing_mover(scene, "door", heights_m=(0.001, 1.9), until_s=1.0)
    end = mover.shapes[-1][:, :4].reshape(-1, 2)
    assert np.abs(end[:, 1]).max() > 0.9
    assert end[:, 0].max() < 0.2


def test_capsules_of_a_motion_cover_it(walker: Walker) -> None:
    clip = walker.library.clip(3)
    mover = performing("ann", clip, walker.body, start_s=2.0)
    assert mover.start_s == 2.0
    assert len(mover.shapes) >= clip.duration_s / 0.05
    root = clip.root_positions[0, [0, 2]]
    middle = mover.shapes[0][:, :2].mean(axis=0)
    assert np.hypot(*(middle - root)) < 0.3
    still = standing("bob", np.array([1.0, 2.0]), 0.3)
    np.testing.assert_array_equal(still.shapes[0], [[1.0, 2.0, 1.0, 2.0, 0.3]])
