"""The spacetime stage: derivatives, the banded solution, and what it makes of motions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from understudy import rotations as rot
from understudy.core import Body, Motion
from understudy.errors import PlanningInputError
from understudy.kinematics import motion_world
from understudy.performer import posture
from understudy.postures import BetweenOptions
from understudy.postures.bearing import bearing_of
from understudy.postures.space import PostureSpace
from understudy.postures.spacetime import Part, Pinned, SpacetimeOptions, looped, refined
from understudy.postures.spacetime.banded import Blocks, allowed, minimiser
from understudy.postures.spacetime.chart import MovingChart
from understudy.postures.spacetime.frames import knot_at
from understudy.postures.spacetime.laplacian import laplacian_matrix
from understudy.postures.spacetime.objective import momenta
from understudy.postures.spacetime.refining import Refined
from understudy.postures.spacetime.supports import supports_of
from understudy.postures.stage import Stage
from understudy.postures.stations import squatting

FPS = 60.0


@pytest.fixture(scope="module")
def stage(body: Body) -> Stage:
    space = PostureSpace(body=body, reference=rot.identity(), root_moves=True)
    return Stage(space=space, keep=np.full(len(space.arrays.pairs), 0.0005))


@pytest.fixture(scope="module")
def planned(body: Body) -> Motion:
    """Somebody who squats over feet that stay."""
    stand = posture("relaxed", person=body.skeleton)
    squat = squatting(body, bearing_of(body, stand).feet)
    assert squat is not None
    result = us.between(stand, squat, options=BetweenOptions(fps=FPS))
    assert result.status, result.reason
    assert result.motion is not None
    return result.motion


@pytest.fixture(scope="module")
def gentle(planned: Motion, body: Body, stage: Stage) -> Refined:
    return refined(planned, body, stage)


def _lurching(motion: Motion) -> Motion:
    """The same path at an uneven pace."""
    clock = np.linspace(0.0, 1.0, len(motion))
    times = motion.duration_s * np.clip(clock + 0.03 * np.sin(6.0 * np.pi * clock), 0.0, 1.0)
    roots, rotations = motion.sample(times)
    return replace(motion, root_positions=roots, rotations=rotations)


def _change(rows: np.ndarray) -> float:
    return float((np.diff(rows, axis=0) ** 2).sum())


def test_rows_are_derivatives(planned: Motion, body: Body) -> None:
    chart = MovingChart(planned, body)
    supports = supports_of(chart, [Pinned(joint=5, point=np.array([0.02, 0.1, -0.03]))], floor=True)
    frame, rng = 10, np.random.default_rng(3)
    # Limits are no matter here; folded arms bring pairs near each other.
    q = chart.origin[frame] + rng.normal(scale=0.05, size=chart.space.size)
    knot = knot_at(chart, supports, frame, q)
    direction = rng.normal(size=chart.space.size)
    small = 1e-6
    ahead = knot_at(chart, supports, frame, q + small * direction)
    behind = knot_at(chart, supports, frame, q - small * direction)
    for rows, name in (("joint_rows", "positions"), ("support_rows", "support_errors")):
        slope = (getattr(ahead, name) - getattr(behind, name)) / (2.0 * small)
        np.testing.assert_allclose(getattr(knot, rows) @ direction, slope, atol=1e-6)
    heights = (ahead.heights - behind.heights)[knot.low] / (2.0 * small)
    np.testing.assert_allclose(knot.low_rows @ direction, heights, atol=1e-6)
    shared = [pair for pair in knot.pairs if np.isfinite(ahead.gap_of(pair) + behind.gap_of(pair))]
    assert len(shared) > 0
    for pair in shared:
        slope = (ahead.gap_of(pair) - behind.gap_of(pair)) / (2.0 * small)
        row = knot.gap_rows[np.flatnonzero(knot.pairs == pair)[0]]
        assert row @ direction == pytest.approx(slope, abs=1e-5)
    flow = momenta(body, [behind, ahead], 2.0 * small)[0]
    np.testing.assert_allclose(knot.momentum @ direction, flow, rtol=1e-5, atol=1e-5)


def test_momenta_agree_with_central_differences(planned: Motion, body: Body) -> None:
    from understudy.kinematics import momentum_over_time

    chart = MovingChart(planned, body)
    supports = supports_of(chart, [], floor=False)
    knots = [knot_at(chart, supports, frame, chart.origin[frame]) for frame in range(len(planned))]
    ours = momenta(body, knots, 1.0 / planned.fps)
    theirs = momentum_over_time(planned, body.masses, body.coms, body.inertias)
    mean = 0.5 * (ours[1:] + ours[:-1])
    scale = np.abs(theirs.linear).max(), np.abs(theirs.angular).max()
    assert np.abs(mean[:, :3] - theirs.linear[1:-1]).max() < 0.02 * scale[0]
    assert np.abs(mean[:, 3:] - theirs.angular[1:-1]).max() < 0.05 * scale[1]


def test_laplacian_coordinates_do_not_see_where_a_body_is() -> None:
    places = np.random.default_rng(0).normal(size=(20, 3))
    matrix = laplacian_matrix(places)
    np.testing.assert_allclose(matrix.sum(axis=1), 0.0, atol=1e-12)
    np.testing.assert_allclose(matrix @ (places + np.array([3.0, -1.0, 2.0])), matrix @ places, atol=1e-9)
    assert np.isfinite(laplacian_matrix(np.outer(np.arange(6.0), [0.1, 0.0, 0.0]))).all()


@pytest.mark.parametrize("knots", [3, 4, 7])
def test_minimiser_is_the_dense_solution(knots: int) -> None:
    size, rng = 5, np.random.default_rng(knots)
    blocks = Blocks.zeros(knots, size)
    dense, side = np.zeros((knots * size, knots * size)), np.zeros(knots * size)
    for first in range(knots):
        count = min(3, knots - first)
        rows = [rng.normal(size=(6, size)) for _ in range(count)]
        values = rng.normal(size=6)
        blocks.add(first, rows, values, 0.7)
        wide = np.zeros((6, knots * size))
        for k, row in enumerate(rows):
            wide[:, (first + k) * size : (first + k + 1) * size] = row
        dense += 0.7 * wide.T @ wide
        side += 0.7 * wide.T @ values
    hard = [(rng.normal(size=(k % 3, size)), rng.normal(size=k % 3)) for k in range(knots)]
    hard[0] = (np.eye(size), np.arange(float(size)))
    # A row twice says nothing new.
    hard[-1] = (np.vstack([hard[-1][0], hard[-1][0]]), np.concatenate([hard[-1][1], hard[-1][1]]))
    found = minimiser(blocks, [allowed(*rows) for rows in hard])
    wide = np.zeros((sum(len(rows) for rows, _ in hard), knots * size))
    at = 0
    for k, (rows, _) in enumerate(hard):
        wide[at : at + len(rows), k * size : (k + 1) * size] = rows
        at += len(rows)
    wanted = np.concatenate([values for _, values in hard])
    np.testing.assert_allclose(wide @ found.ravel(), wanted, atol=1e-9)
    kkt = np.block([[dense, wide.T], [wide, np.zeros((len(wide), len(wide)))]])
    exact = np.linalg.lstsq(kkt, np.concatenate([-side, wanted]), rcond=None)[0][: knots * size]
    np.testing.assert_allclose(found.ravel(), exact, atol=1e-7)


def test_momentum_changes_less_and_nothing_breaks(planned: Motion, gentle: Refined) -> None:
    assert gentle.kept > 0.5
    assert _change(gentle.after[:, 3:]) < 0.7 * _change(gentle.before[:, 3:])
    assert _change(gentle.after[:, :3]) < 0.9 * _change(gentle.before[:, :3])
    assert all(later < earlier for earlier, later in zip(gentle.energies, gentle.energies[1:], strict=False))
    assert us.verify(gentle.motion, floor=True).ok
    for frame in (0, -1):
        np.testing.assert_allclose(gentle.motion.root_positions[frame], planned.root_positions[frame], atol=1e-9)
        turned = rot.log(rot.relative(gentle.motion.rotations[frame], planned.rotations[frame]))
        assert np.abs(turned).max() < 1e-6


def test_feet_stay_where_they_stand(planned: Motion, gentle: Refined, body: Body) -> None:
    chart = MovingChart(planned, body)
    supports = supports_of(chart, [], floor=True)
    assert supports.held.any()
    world = motion_world(gentle.motion)
    for n, (joint, point) in enumerate(zip(supports.carriers, supports.points, strict=True)):
        places = world.positions[:, joint] + rot.rotate(world.rotations[:, joint], point)
        off = np.linalg.norm(places - supports.places[:, n], axis=1)[supports.held[:, n]]
        assert off.max() < 0.001


def test_a_pin_is_held(body: Body, stage: Stage) -> None:
    planned = us.between("relaxed", "a", options=BetweenOptions(fps=FPS)).motion
    assert planned is not None
    hand = body.skeleton.index("leftHand")
    free = refined(_lurching(planned), body, stage, floor=False, options=SpacetimeOptions(stay=0.005))
    held = refined(
        _lurching(planned),
        body,
        stage,
        pinned=[Pinned(joint=hand, point=np.zeros(3))],
        floor=False,
        options=SpacetimeOptions(stay=0.005),
    )
    was = motion_world(_lurching(planned)).positions[:, hand]
    assert np.linalg.norm(motion_world(free.motion).positions[:, hand] - was, axis=1).max() > 0.01
    assert np.linalg.norm(motion_world(held.motion).positions[:, hand] - was, axis=1).max() < 0.001


def test_a_change_into_an_obstacle_is_taken_back(planned: Motion, body: Body, stage: Stage) -> None:
    # Gaps that not even the motion given keeps: nothing may change.
    strict = stage.keeping(np.full_like(stage.keep, 1.0))
    out = refined(planned, body, strict)
    assert out.kept == 0.0
    turned = rot.log(rot.relative(out.motion.rotations, planned.rotations))
    assert np.abs(turned).max() < 1e-6


def test_a_cycle_ends_as_it_begins(planned: Motion, body: Body, stage: Stage) -> None:
    there = planned
    back = replace(planned, root_positions=planned.root_positions[::-1], rotations=planned.rotations[::-1])
    out = looped([Part(motion=there), Part(motion=back)], body, stage, duration_s=2.0)
    first, last = out.motion.pose(0), out.motion.pose(len(out.motion) - 1)
    np.testing.assert_allclose(first.root_position, last.root_position, atol=1e-6)
    assert np.abs(rot.log(rot.relative(first.rotations, last.rotations))).max() < 1e-6
    assert _change(out.after) < _change(out.before)


def test_parts_that_do_not_meet_are_refused(planned: Motion, body: Body, stage: Stage) -> None:
    with pytest.raises(PlanningInputError, match="part 0 of the cycle ends"):
        looped([Part(motion=planned), Part(motion=planned)], body, stage, duration_s=2.0)
    with pytest.raises(PlanningInputError, match="at least one"):
        looped([], body, stage, duration_s=2.0)


def test_between_refines_when_asked() -> None:
    options = BetweenOptions(fps=FPS, spacetime=True)
    result = us.between(posture("relaxed"), posture("arms_folded"), options=options)
    assert result.status, result.reason
    assert result.trace is not None and len(result.trace.refined) == len(result.trace.stances)
    for refined_one in result.trace.refined:
        assert _change(refined_one.after[:, 3:]) <= _change(refined_one.before[:, 3:])
