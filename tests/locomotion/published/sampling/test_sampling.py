"""Sampled motions: they arrive, keep clear, obey constraints, are the same every time, and say why when they cannot."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import understudy as us
from understudy.collision import Checker, CollisionBody, World, world_of
from understudy.core import Motion, Status
from understudy.errors import OptionError, PlanningInputError
from understudy.library import Library
from understudy.library.features import headings_rad
from understudy.locomotion.published.sampling import Constraint, SampleOptions, Sampler, SampleTrace, sample
from understudy.scene import Box, Scene

START, GOAL = Constraint(position=(0.0, 0.0), heading_rad=0.0), Constraint(position=(1.2, 5.0))


def pass_all(motion: Motion, trace: SampleTrace) -> str:
    return ""


def least_distance(sampler: Sampler, scene: Scene, motion: Motion) -> float:
    world = World([one for one in world_of(scene).obstacles if one.name != "floor"])
    checker = Checker(CollisionBody(sampler.walker.body), world)
    return float(checker.distances_many(motion.rotations, motion.root_positions)[:, 0, 0].min())


@pytest.mark.parametrize("method", ["tight", "sample", "decoupled"])
def test_motions_arrive_and_touch_nothing(sampler: Sampler, scene: Scene, method: str) -> None:
    options = SampleOptions(method=method, threads=1)  # type: ignore[arg-type]
    result = sample(sampler.library, scene, constraints=[START, GOAL], judge=pass_all, options=options)
    assert result.status is Status.SOLVED, result.reason
    motion, trace = result.motion, result.trace
    assert motion is not None
    assert trace is not None
    roots = motion.root_positions[:, [0, 2]]
    np.testing.assert_allclose(roots[0], (0.0, 0.0), atol=1e-6)
    assert abs(headings_rad(motion)[0]) < 1e-3
    assert np.hypot(*(roots[-1] - GOAL.position)) <= 0.01
    assert trace.goal_error_m <= 0.01
    assert least_distance(sampler, scene, motion) > 0.0
    assert trace.transitions == len(trace.stretches) - 1
    assert len(motion) == np.diff(trace.stretches, axis=1).sum() + 1
    assert trace.length_m < 1.6 * trace.expected_m
    if method != "tight":
        assert (np.diff(trace.curve[:, 2]) <= 0.0).all()
        assert np.isfinite(trace.curve[-1, 3])


def test_threads_and_repeats_change_nothing(sampler: Sampler, scene: Scene) -> None:
    for method in ("tight", "sample"):
        first, second = (
            sample(
                sampler.library,
                scene,
                constraints=[START, GOAL],
                judge=pass_all,
                options=SampleOptions(method=method, seed=3, threads=threads),  # type: ignore[arg-type]
            ).motion
            for threads in (1, 2)
        )
        assert first is not None
        assert second is not None
        np.testing.assert_array_equal(first.rotations, second.rotations)
        np.testing.assert_array_equal(first.root_positions, second.root_positions)


def test_a_planted_box_is_gone_round(sampler: Sampler, scene: Scene) -> None:
    before = sample(sampler.library, scene, constraints=[START, GOAL], judge=pass_all)
    assert before.motion is not None
    x, _, z = before.motion.root_positions[len(before.motion) * 2 // 3]
    planted = scene.with_object("planted", Box(size_m=(0.3, 1.0, 0.3)), position=(float(x), 0.5, float(z)))
    assert least_distance(sampler, planted, before.motion) < 0.0
    after = sample(sampler.library, planted, constraints=[START, GOAL], judge=pass_all)
    assert after.status is Status.SOLVED, after.reason
    assert after.motion is not None
    assert least_distance(sampler, planted, after.motion) > 0.0


def test_what_the_judge_refuses_is_not_solved(sampler: Sampler, scene: Scene) -> None:
    asked: list[SampleTrace] = []

    def refuse(motion: Motion, trace: SampleTrace) -> str:
        asked.append(trace)
        return "it looks wrong"

    options = SampleOptions(tries=4, rounds=3, threads=1)
    result = sample(sampler.library, scene, constraints=[START, GOAL], judge=refuse, options=options)
    assert result.status is Status.EXHAUSTED
    assert "it looks wrong" in result.reason
    assert len(asked) == 4
    assert result.motion is not None
    # The second round goes round what the first one's motions did.
    assert asked[0].stretches.tolist() != asked[3].stretches.tolist()


def test_a_start_too_close_for_the_margin_is_searched_without_it(sampler: Sampler) -> None:
    # Nothing keeps so large a margin beside these boxes; what is found is measured with exact distances all the same.
    stage = Scene(name="close").with_object("left", Box(size_m=(0.3, 1.0, 0.6)), position=(0.7, 0.5, 0.6))
    stage = stage.with_object("right", Box(size_m=(0.3, 1.0, 0.6)), position=(-0.7, 0.5, 0.6))
    options = SampleOptions(margin_m=0.4, threads=1, rounds=4)
    result = sample(
        sampler.library, stage, constraints=[START, Constraint(position=(0.0, 4.0))], judge=pass_all, options=options
    )
    assert result.status is Status.SOLVED, result.reason
    assert result.motion is not None
    assert 0.0 < least_distance(sampler, stage, result.motion) < 0.4


def test_one_refused_jump_does_not_rule_out_the_rest_of_the_way(sampler: Sampler, scene: Scene) -> None:
    graph = sampler.graph
    refused: list[SampleTrace] = []

    def once(motion: Motion, trace: SampleTrace) -> str:
        refused.append(trace)
        return "it looks wrong" if len(refused) < 3 else ""

    result = sample(sampler.library, scene, constraints=[START, GOAL], judge=once, options=SampleOptions(threads=1))
    assert result.status is Status.SOLVED, result.reason
    ways = [tuple(map(tuple, trace.stretches.tolist())) for trace in refused]
    assert len(set(ways)) == len(ways)
    assert all(0 <= first <= last < len(graph.onward) for way in ways for first, last in way)


def test_actions_happen_where_they_are_asked_for(sampler: Sampler, clips: list[Motion]) -> None:
    name = sampler.library.footage.takes[1].name
    asked = Constraint(position=(0.2, 2.5), action=name)
    options = SampleOptions(method="sample", threads=1)
    ends = [Constraint(position=(0.0, 0.0), heading_rad=0.0), asked, Constraint(position=(1.0, 5.0))]
    result = sample(sampler.library, None, constraints=ends, judge=pass_all, options=options)
    assert result.status is Status.SOLVED, result.reason
    assert result.trace is not None
    assert result.motion is not None
    footage = sampler.library.footage
    shows = footage.take_of(result.trace.stretches[:, 0]) == 1
    assert shows.any()
    lengths = np.diff(result.trace.stretches, axis=1).ravel()
    playing = np.repeat(shows, lengths)
    roots = result.motion.root_positions[: len(playing), [0, 2]][playing]
    assert np.linalg.norm(roots - asked.position, axis=1).min() < 1.0


def test_a_start_within_a_clip_begins_with_its_frame(sampler: Sampler) -> None:
    frame = int(sampler.beginnings()[40])
    begin = Constraint(position=(1.0, 2.0), heading_rad=0.5, action=frame)
    result = sample(sampler.library, None, constraints=[begin, Constraint(position=(1.5, 6.5))], judge=pass_all)
    assert result.status is Status.SOLVED, result.reason
    assert result.trace is not None
    assert result.motion is not None
    assert result.trace.stretches[0, 0] == frame
    own = sampler.library.footage.rotations[frame].astype(np.float64)
    np.testing.assert_allclose(np.abs(np.sum(result.motion.rotations[0, 1:] * own[1:], axis=-1)), 1.0, atol=1e-6)


def test_points_on_the_way_are_passed(sampler: Sampler) -> None:
    via = Constraint(position=(1.2, 2.5))
    ends = [START, via, Constraint(position=(0.0, 5.5))]
    result = sample(sampler.library, None, constraints=ends, judge=pass_all)
    assert result.status is Status.SOLVED, result.reason
    assert result.motion is not None
    away = np.linalg.norm(result.motion.root_positions[:, [0, 2]] - via.position, axis=1)
    assert away.min() < 0.35


def test_no_way_and_no_place_are_said(sampler: Sampler, scene: Scene) -> None:
    inside = sample(sampler.library, scene, constraints=[START, Constraint(position=(0.0, 2.2))], judge=pass_all)
    assert inside.status is Status.INFEASIBLE_GOAL
    assert '"pillar"' in inside.reason
    assert inside.trace is not None
    assert inside.trace.obstacle == "pillar"
    assert inside.trace.nearest_free is not None
    beside = np.array(inside.trace.nearest_free)
    assert inside.trace.floor.free(beside[None], 0.0)[0]
    assert 0.5 < np.hypot(*(beside - (0.0, 2.2))) < 0.7
    room = scene
    for k, (x, z, w, d) in enumerate(((0, 3.6, 2, 0.1), (0, 5.4, 2, 0.1), (-1, 4.5, 0.1, 2), (1, 4.5, 0.1, 2))):
        room = room.with_object(f"side {k}", Box(size_m=(w, 2.0, d)), position=(x, 1.0, z))
    closed = sample(sampler.library, room, constraints=[START, Constraint(position=(0.0, 4.5))], judge=pass_all)
    assert closed.status is Status.EXHAUSTED
    assert "no way" in closed.reason


def test_bad_input_is_refused_in_words(library: Library, scene: Scene) -> None:
    with pytest.raises(PlanningInputError, match="start and a goal"):
        sample(library, scene, constraints=[START], judge=pass_all)
    with pytest.raises(PlanningInputError, match="needs a position"):
        sample(library, scene, constraints=[START, Constraint(heading_rad=1.0)], judge=pass_all)
    with pytest.raises(PlanningInputError, match="walk_slow"):
        wrong = Constraint(position=(0.0, 0.0), action="walk_slwo")
        sample(library, scene, constraints=[wrong, GOAL], judge=pass_all)
    with pytest.raises(PlanningInputError, match="a position, a heading or an action"):
        Constraint()
    with pytest.raises(OptionError, match="growths_m"):
        SampleOptions(growths_m=(-1.0,))
    with pytest.raises(OptionError, match="tight"):
        SampleOptions(method="tihgt")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="sample"):
        turned = Constraint(position=(0.5, 1.0), heading_rad=0.0)
        sample(library, None, constraints=[START, turned, GOAL], judge=pass_all)


def test_cancelling_stops_it(sampler: Sampler, scene: Scene) -> None:
    cancel = threading.Event()
    cancel.set()
    options = SampleOptions(cancel=cancel)
    result = sample(sampler.library, scene, constraints=[START, GOAL], judge=pass_all, options=options)
    assert result.status is Status.CANCELLED


def test_what_cannot_begin_standing_still_says_so(library: Library, scene: Scene) -> None:
    with pytest.raises(OptionError, match="standing still"):
        us.walk(
            library,
            scene,
            start=us.Spot(position=(0.0, 0.0), still=True),
            goal=(1.2, 5.0),
            options=us.WalkOptions(method="tight"),
        )
