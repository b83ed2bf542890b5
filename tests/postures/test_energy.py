"""The energy: against a plain sum over pairs, its gradient against finite differences, gaps against coal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from understudy.collision import World
from understudy.core.flesh import flesh_pairs
from understudy.core.segments import segment_distance
from understudy.performer import posture
from understudy.postures._closing_kernels import closing_share
from understudy.postures._energy_kernels import FAR_M, GROUND_M
from understudy.postures.stage import Stage

StageOf = Callable[..., Stage]
Grow = Callable[[int, int], list[np.ndarray]]


def _segments(stage: Stage, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    positions, rotations = stage.space.pose(q).world()
    return stage.space.body.capsule_segments(positions, rotations)


def _plain_gaps(stage: Stage, q: np.ndarray) -> np.ndarray:
    body = stage.space.body
    starts, ends = _segments(stage, q)
    apart = [
        segment_distance(starts[i], ends[i], starts[j], ends[j]) - body.capsule_radii[[i, j]].sum()
        for i, j in body.self_pairs
    ]
    return np.array(apart) + _give_way(stage)


def _give_way(stage: Stage) -> np.ndarray:
    """How deep thighs may press into each other in plans: four fifths of what the judge lets them."""
    body, depths = stage.space.body, {(a, b): depth for a, b, depth in flesh_pairs(stage.space.body)}
    return np.array([0.8 * depths.get((body.capsule_names[i], body.capsule_names[j]), 0.0) for i, j in body.self_pairs])


@pytest.mark.parametrize("falloff", [2, 3, 5])
def test_energy_is_the_plain_sum_over_pairs(stage_of: StageOf, some_postures: Grow, falloff: int) -> None:
    stage = stage_of(root_moves=False)
    for q in some_postures(5, 4):
        gaps = _plain_gaps(stage, q)
        value, least = stage.energy(q, falloff)
        assert np.abs(stage.gaps(q) - gaps).max() < 1e-12
        assert value == pytest.approx((1.0 / gaps**falloff).sum(), rel=1e-9)
        assert least == pytest.approx(gaps.min(), abs=1e-12)


def test_gaps_are_coals(stage_of: StageOf, some_postures: Grow) -> None:
    coal = pytest.importorskip("coal")
    stage = stage_of()
    body = stage.space.body
    for q in [*some_postures(6, 3), stage.space.coordinates(posture("contortion", person=body.skeleton))]:
        starts, ends = _segments(stage, q)
        gaps, give = stage.gaps(q), _give_way(stage)
        for k in np.argsort(gaps)[:25]:
            i, j = body.self_pairs[k]
            placed = []
            for c in (i, j):
                along = ends[c] - starts[c]
                length = float(np.linalg.norm(along))
                # coal's capsules lie along Z.
                z = along / max(length, 1e-12)
                x = np.cross([0.3, 0.9, 0.2], z)
                x /= np.linalg.norm(x)
                turn = np.stack([x, np.cross(z, x), z], axis=1)
                shape = coal.Capsule(float(body.capsule_radii[c]), length)
                placed += [shape, coal.Transform3s(turn, 0.5 * (starts[c] + ends[c]))]
            request, result = coal.DistanceRequest(), coal.DistanceResult()
            request.gjk_tolerance, request.gjk_max_iterations = 1e-9, 1000
            assert coal.distance(*placed, request, result) == pytest.approx(gaps[k] - give[k], abs=2e-6)


@pytest.mark.parametrize("grounded", [False, True])
@pytest.mark.parametrize("around", [False, True])
@pytest.mark.parametrize("falloff", [2, 5])
def test_gradient_equals_finite_differences(
    stage_of: StageOf, some_postures: Grow, obstacles: World, falloff: int, around: bool, grounded: bool
) -> None:
    world = World(obstacles.obstacles[1:] if grounded else obstacles.obstacles) if around else None
    stage = stage_of(world, grounded=grounded)
    for q in some_postures(7, 2):
        q[1] = 0.01 if grounded else 1.6
        height = stage.energy(q, falloff)[0]
        if not np.isfinite(height):
            continue
        gradient = stage.gradient(q, falloff)
        step = 1e-6
        numeric = np.array(
            [
                (stage.energy(q + step * unit, falloff)[0] - stage.energy(q - step * unit, falloff)[0]) / (2 * step)
                for unit in np.eye(len(q))
            ]
        )
        assert np.abs(numeric - gradient).max() < 1e-5 * np.abs(gradient).max()


def test_a_body_alone_does_not_push_its_root(stage_of: StageOf, some_postures: Grow) -> None:
    stage = stage_of()
    gradient = stage.gradient(some_postures(8, 1)[0], 3)
    assert np.abs(gradient[:6]).max() < 1e-9 * np.abs(gradient).max()


def test_touching_costs_infinitely_much(stage_of: StageOf) -> None:
    stage = stage_of()
    q = np.zeros(stage.space.size)
    arm = stage.space.skeleton.index("leftUpperArm")
    q[3 + 3 * arm] = -1.6
    q[3 + 3 * stage.space.skeleton.index("leftLowerArm")] = 2.4
    crossed = next(c for c in np.linspace(0.0, 2.0, 40) if stage.gaps(_swung(q, arm, c)).min() < -0.005)
    value, least = stage.energy(_swung(q, arm, crossed), 3)
    assert np.isinf(value)
    assert least < 0.0


def _swung(q: np.ndarray, joint: int, angle: float) -> np.ndarray:
    out = q.copy()
    out[4 + 3 * joint] = angle
    return out


def test_obstacles_count_up_to_a_distance_and_the_ground_from_farther(stage_of: StageOf, obstacles: World) -> None:
    ground = stage_of(World(obstacles.obstacles[:1]))
    q = ground.space.coordinates(posture("t", person=ground.space.skeleton))
    alone = stage_of().energy(q, 2)[0]
    gaps = ground.gaps(q)[len(ground.arrays.pairs) :] + GROUND_M
    near = gaps[gaps < FAR_M]
    assert ground.energy(q, 2)[0] - alone == pytest.approx((1.0 / near**2 - 1.0 / FAR_M**2).sum(), rel=1e-9)


@pytest.mark.parametrize("grounded", [False, True])
def test_closing_share_is_when_the_first_gap_would_close(
    stage_of: StageOf, some_postures: Grow, obstacles: World, grounded: bool
) -> None:
    stage = stage_of(World(obstacles.obstacles[1:]), grounded=grounded)
    rng = np.random.default_rng(4)
    for q in some_postures(9, 3):
        q[1] = 0.02 if grounded else 1.6
        step = rng.normal(size=len(q))
        small = 1e-6
        before, after = stage.gaps(q - small * step), stage.gaps(q + small * step)
        if stage.gaps(q).min() <= 0.0:
            continue
        with np.errstate(invalid="ignore"):
            rates = np.nan_to_num((after - before) / (2 * small), nan=0.0)
        closing = rates < -1e-9
        wanted = (stage.gaps(q)[closing] / -rates[closing]).min()
        stage.energy(q, 3)
        assert closing_share(stage.arrays, stage.keep, stage.room, step) == pytest.approx(wanted, rel=1e-4)
