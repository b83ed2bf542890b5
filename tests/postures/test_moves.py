"""Certified moves: nothing they pass touches, and nothing tunnels through them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from understudy.collision import Checker, CollisionBody, Obstacle, World
from understudy.core import Pose
from understudy.core.flesh import flesh_pairs
from understudy.performer import posture
from understudy.postures._gap_kernels import gap_rows, opened
from understudy.postures.shortcut import in_pieces, path_length, shortened
from understudy.postures.stage import Stage
from understudy.scene import Box

StageOf = Callable[..., Stage]
Grow = Callable[[int, int], list[np.ndarray]]


def _least_by_collision(stage: Stage, world: World, a: np.ndarray, b: np.ndarray, count: int) -> float:
    """Least distance of densely sampled postures by the collision room's own kernels."""
    path = a + np.linspace(0.0, 1.0, count)[:, None] * (b - a)
    roots, rotations = stage.space.poses(path)
    checker = Checker(CollisionBody(stage.space.body), world)
    return float(checker.distances_many(rotations, roots)[:, :, 0].min())


@pytest.mark.parametrize("around", [False, True])
def test_certified_moves_are_free_where_sampled(
    stage_of: StageOf, some_postures: Grow, obstacles: World, around: bool
) -> None:
    world = obstacles if around else World([])
    stage = stage_of(obstacles if around else None)
    named = [posture(name, person=stage.space.skeleton) for name in ("eagle", "contortion", "arms_folded")]
    postures = [*some_postures(11, 10), *(stage.space.coordinates(pose) for pose in named)]
    for q in postures:
        q[:3] = 0.0, 1.6, 0.0
    # Soft parts give way, in plans by four fifths of what the judge lets them.
    flesh = 0.8 * max(depth for _, _, depth in flesh_pairs(stage.space.body)) + 1e-12
    free = refused = 0
    for a, b in pairwise(postures):
        least = _least_by_collision(stage, world, a, b, 400)
        if stage.free(a, b):
            assert least > -flesh
            free += 1
        else:
            # What is refused comes near contact; between samples it may be nearer than they show.
            assert least < 0.003
            refused += 1
    assert free > 0
    assert refused > 0


def test_nothing_tunnels_through_a_sheet(stage_of: StageOf) -> None:
    sheet = World([Obstacle(name="sheet", shape=Box(size_m=(1.0, 1.0, 0.002)), position=(1.0, 1.4, 0.0))])
    stage = stage_of(sheet)
    a = stage.space.coordinates(posture("a", person=stage.space.skeleton))
    arm = stage.space.skeleton.index("leftUpperArm")
    a[3 + 3 * arm : 6 + 3 * arm] = 0.2, -0.6, 0.0
    b = a.copy()
    b[4 + 3 * arm] = 0.9
    assert stage.keeps(a)
    assert stage.keeps(b)
    assert not stage.free(a, b)
    share = stage.advanced(a, b)
    assert 0.05 < share < 0.6
    assert stage.keeps(a + share * (b - a))


def test_advancing_stops_just_before_contact(stage_of: StageOf, some_postures: Grow) -> None:
    stage = stage_of()
    postures = some_postures(12, 10)
    for a, b in pairwise(postures):
        share = stage.advanced(a, b)
        assert stage.free(a, a + share * (b - a))
        if share < 1.0:
            further = a + np.linspace(share, 1.0, 300)[:, None] * (b - a)
            assert min(stage.gaps(q).min() for q in further) < 0.01


def test_opened_steps_close_no_gap_they_were_given(stage_of: StageOf, some_postures: Grow) -> None:
    stage = stage_of()
    q = some_postures(13, 2)[1]
    wanted = np.full_like(stage.keep, np.sort(stage.gaps(q))[3])
    rows, missing = np.empty((8, len(q))), np.empty(8)
    count = gap_rows(stage.arrays, None, wanted, q, stage.room, rows, missing)
    assert count == 3
    small = 1e-6
    for n in range(count):
        pair = np.argsort(stage.gaps(q))[:3]
        rates = [
            (stage.gaps(q + small * unit)[pair] - stage.gaps(q - small * unit)[pair]) / (2 * small)
            for unit in np.eye(len(q))
        ]
        assert np.abs(np.array(rates).T - rows[n]).max(axis=1).min() < 1e-6
    step = -rows[:count].sum(axis=0)
    opened(rows, count, step)
    assert (rows[:count] @ step > -1e-3 * np.linalg.norm(step) - 1e-9).all()


def test_shortened_paths_keep_their_ends_and_are_no_longer(stage_of: StageOf, some_postures: Grow) -> None:
    stage = stage_of()
    a, b = some_postures(14, 2)
    detour = stage.space.coordinates(posture("t", person=stage.space.skeleton))
    path = in_pieces(
        np.stack([a, a + stage.advanced(a, detour) * (detour - a), a, a + 0.5 * stage.advanced(a, b) * (b - a)]), 0.2
    )
    assert path_length(in_pieces(path, 0.05)) == pytest.approx(path_length(path))
    short = shortened(stage, path)
    assert np.array_equal(short[0], path[0])
    assert np.array_equal(short[-1], path[-1])
    assert path_length(short) < 0.7 * path_length(path)
    assert all(stage.free(one, two) for one, two in pairwise(short))


def test_poses_of_another_person_are_still_checked(stage_of: StageOf, some_postures: Grow) -> None:
    stage = stage_of()
    pose: Pose = stage.space.pose(some_postures(15, 1)[0])
    assert stage.gaps(stage.space.coordinates(pose)).min() == pytest.approx(
        stage.gaps(some_postures(15, 1)[0]).min(), abs=1e-9
    )
