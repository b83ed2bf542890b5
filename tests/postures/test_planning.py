"""Ways between postures: found, certified, short, the same every time; ways out when the energy leads nowhere."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.api.postures import at_pins
from understudy.core import Body
from understudy.performer import posture
from understudy.postures import Pin, planner
from understudy.postures.faults import faults_of
from understudy.postures.linking import SAFE_ZONE
from understudy.postures.meeting import meet
from understudy.postures.options import BetweenOptions
from understudy.postures.planner import canonical, way_between
from understudy.postures.problem import problem_of
from understudy.postures.relaxing import parted, relaxed
from understudy.postures.rrt import connected
from understudy.postures.sequence import stopover
from understudy.postures.space import PostureSpace
from understudy.postures.stage import Stage
from understudy.postures.tables import Walk
from understudy.postures.world import kept, no_gaps

Grow = Callable[[int, int], list[np.ndarray]]


def _leg(body: Body, first: str, second: str, wanted_m: float = 0.002) -> tuple[Stage, np.ndarray, np.ndarray]:
    poses = [posture(name, person=body.skeleton) for name in (first, second)]
    space = PostureSpace(body=body, reference=rot.slerp(poses[0].rotations[0], poses[1].rotations[0], 0.5))
    a, b = (space.coordinates(pose) for pose in poses)
    stage = Stage(space=space, keep=no_gaps(space.arrays))
    return stage.keeping(kept([stage.gaps(a), stage.gaps(b)], wanted_m, 0.8, stage.keep)), a, b


@pytest.mark.parametrize("falloff", [2, 3, 5])
@pytest.mark.parametrize(
    "pair",
    [
        ("arms_folded", "arms_folded_mirror"),
        ("legs_crossed", "legs_crossed_mirror"),
        ("eagle", "eagle_mirror"),
        ("lying", "contortion"),
        ("contortion", "eagle"),
    ],
)
def test_energy_alone_unties_the_published_cases(body: Body, pair: tuple[str, str], falloff: int) -> None:
    stage, a, b = _leg(body, *pair)
    assert stage.bridge(a, b) is None
    options = BetweenOptions(falloff=falloff)
    way = way_between(stage, a, b, options, options.watch())
    assert way.how == "energy"
    assert way.path is not None
    assert np.array_equal(way.path[0], a)
    assert np.array_equal(way.path[-1], b)
    assert all(stage.free(one, two) for one, two in pairwise(way.path))


def test_walking_never_climbs_and_never_comes_too_near(body: Body) -> None:
    stage, a, b = _leg(body, "eagle", "hug_knees")
    met = meet(stage, a, b, walk=Walk(falloff=3, beta=0.2, step=0.2), steps=500)
    assert met.met
    # The connection in the end is free, but may climb.
    last = int(np.abs(met.first - met.second[-1]).max(axis=1).argmin())
    for way in (met.first[:last], met.second):
        heights = [stage.energy(q, 3)[0] for q in way]
        assert all(two <= one for one, two in pairwise(heights))
        assert all(stage.keeps(q) for q in way)
        assert all(body.limits.excess(stage.space.pose(q).rotations).max() < 1e-6 for q in way)


def test_limbs_that_both_postures_share_stay(body: Body) -> None:
    stage, a, b = _leg(body, "arms_folded", "arms_folded_mirror")
    options = BetweenOptions()
    way = way_between(stage, a, b, options, options.watch())
    legs = np.concatenate([np.arange(3 + 3 * j, 6 + 3 * j) for j in body.skeleton.limb("left_leg")])
    assert way.path is not None
    assert np.abs(way.path[:, legs] - a[legs]).max() < 1e-9


def test_the_safe_zone_is_checked(body: Body) -> None:
    stage, a, b = _leg(body, "legs_crossed", "legs_crossed_mirror")
    met = meet(stage, a, b, walk=Walk(falloff=5, beta=0.2, step=0.2), steps=1500, zone=SAFE_ZONE)
    assert met.met
    assert all(stage.free(one, two) for one, two in pairwise(met.path))


@pytest.mark.parametrize("escape", list(planner._ESCAPES))
def test_every_escape_leads_somewhere(body: Body, escape: str) -> None:
    stage, a, b = _leg(body, "relaxed", "arms_folded")
    options = BetweenOptions()
    search = planner._Search(stage=stage, options=options, watch=options.watch())
    path, _ = planner._ESCAPES[escape](search, a, b, np.random.default_rng(0))
    assert path is not None
    whole = np.concatenate([a[None], path, b[None]])
    assert all(stage.free(one, two) for one, two in pairwise(whole))


def test_a_stuck_walk_is_not_the_end(body: Body, monkeypatch: pytest.MonkeyPatch) -> None:
    stage, a, b = _leg(body, "relaxed", "arms_folded")
    monkeypatch.setattr(Stage, "step", lambda self, q, goal, walk: None)
    options = BetweenOptions()
    way = way_between(stage, a, b, options, options.watch())
    assert way.how in ("canonical", "trees")
    assert way.path is not None
    assert all(stage.free(one, two) for one, two in pairwise(way.path))


def test_trees_are_the_same_for_the_same_seed(body: Body) -> None:
    stage, a, b = _leg(body, "relaxed", "arms_folded")
    one, two = (connected(stage, a, b, nodes=2000, rng=np.random.default_rng(3)) for _ in range(2))
    assert one is not None
    assert two is not None
    assert np.array_equal(one, two)


def test_trees_give_up_when_they_are_full(body: Body) -> None:
    stage, a, b = _leg(body, "eagle", "eagle_mirror")
    assert connected(stage, a, b, nodes=3, rng=np.random.default_rng(0)) is None


def test_the_canonical_posture_has_low_energy(body: Body) -> None:
    stage, a, _ = _leg(body, "eagle", "eagle_mirror")
    assert stage.energy(canonical(stage, a), 3)[0] < 0.1 * stage.energy(a, 3)[0]


def test_a_stopover_has_the_legs_of_one_and_the_arms_of_the_other(body: Body) -> None:
    stage, a, b = _leg(body, "relaxed", "eagle")
    middle = stopover(stage, a, b)
    assert middle is not None
    assert stage.keeps(middle)
    skeleton = body.skeleton
    for limb, source in (("left_arm", a), ("right_leg", b)):
        own = np.concatenate([np.arange(3 + 3 * j, 6 + 3 * j) for j in skeleton.limb(limb)])
        assert np.abs(middle[own] - source[own]).max() < 0.3


def test_relaxing_opens_what_touches_and_moves_little(body: Body, some_postures: Grow) -> None:
    space = PostureSpace(body=body, reference=np.array([1.0, 0.0, 0.0, 0.0]))
    stage = Stage(space=space, keep=no_gaps(space.arrays))
    rng = np.random.default_rng(5)
    found = 0
    for q in some_postures(21, 8):
        wrong = q + 0.25 * rng.normal(size=len(q))
        if stage.gaps(wrong).min() > 0.0:
            continue
        near = relaxed(stage, wrong, gap_m=0.002)
        assert near is not None
        assert stage.gaps(near).min() >= 0.002 - 1e-9
        assert body.limits.excess(space.pose(near).rotations).max() < 1e-6
        # No farther than the valid posture it was made from.
        assert np.linalg.norm(near - stage.clamped(wrong)) < np.linalg.norm(q - wrong)
        found += 1
    assert found >= 3


def test_relaxing_leaves_valid_postures_alone(body: Body, some_postures: Grow) -> None:
    space = PostureSpace(body=body, reference=np.array([1.0, 0.0, 0.0, 0.0]))
    stage = Stage(space=space, keep=no_gaps(space.arrays))
    q = some_postures(22, 1)[0]
    near = relaxed(stage, q, gap_m=0.5 * float(stage.gaps(q).min()))
    assert near is not None
    assert np.abs(near - q).max() < 1e-9


def test_relaxing_turns_a_pinned_foot_flat_instead_of_moving_it(body: Body) -> None:
    pins = [Pin(joint="rightFoot")]
    eagle, other = (posture(name, person=body.skeleton) for name in ("eagle", "hug_knees"))
    keys = [eagle, at_pins(other, eagle, pins)]
    problem = problem_of(keys, None, pins, body, relax=True)
    q = problem.keys[1]
    faults = faults_of(1, keys[1], body, problem.stage, q, problem.solids)
    assert faults.overlaps, "the pin pulls a foot that stands on its heel into the floor"
    near = relaxed(problem.stage, q, gap_m=0.006)
    assert near is not None
    foot = body.skeleton.index("rightFoot")
    goal = eagle.world()[0][foot]
    assert np.linalg.norm(problem.stage.space.pose(near).world()[0][foot] - goal) < 5e-4
    assert not faults_of(1, problem.stage.space.pose(near), body, problem.stage, near, problem.solids).overlaps
    assert np.abs(near - q).max() < 0.2


def test_parting_displaces_less_than_relaxing(body: Body) -> None:
    pins = [Pin(joint="rightFoot")]
    eagle, other = (posture(name, person=body.skeleton) for name in ("eagle", "hug_knees"))
    problem = problem_of([eagle, at_pins(other, eagle, pins)], None, pins, body, relax=True)
    stage, q = problem.stage, problem.keys[1]
    moved = []
    for brought_apart in (parted, relaxed):
        near = brought_apart(stage, q, gap_m=0.006)
        assert near is not None
        moved.append(float(np.linalg.norm(stage.space.pose(near).world()[0] - stage.space.pose(q).world()[0])))
    assert moved[0] < 0.5 * moved[1]
