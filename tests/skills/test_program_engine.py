"""Whole programs with a small skill: caching by content, hierarchy, repeatability; and inverse blending."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from understudy.limbs.handling import HandlingOptions, Play
from understudy.performer.person import Person
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.skills.action import blended, family_of, inverse_blend, point_at
from understudy.skills.engine import Engine, Outcome
from understudy.skills.program.caching import Cache
from understudy.skills.program.compiling import compiled
from understudy.skills.program.doing import Means
from understudy.skills.program.legs import Legs
from understudy.skills.program.program import Program
from understudy.skills.program.walks import walk

SKELETON = Person().skeleton()


class Counting:
    """The walking skill, counting how often it is asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, here, task, means):
        self.calls += 1
        yield from walk(here, task, means)


def program(goals: dict[str, list[tuple[float, float]]]) -> tuple[Scene, tuple[Task, ...]]:
    scene, tasks = Scene(), []
    for k, (name, places) in enumerate(goals.items()):
        scene = scene.with_character(Character(name=name, start=(6.0 * k, 0.0), heading_rad=0.0))
        tasks += [Task(character=name, do="walk_to", goal=(6.0 * k + x, z)) for x, z in places]
    return scene, tuple(tasks)


def performed(goals: dict[str, list[tuple[float, float]]], cache: Cache) -> tuple[Outcome, int]:
    scene, tasks = program(goals)
    options, skill = HandlingOptions(), Counting()
    watch = options.watch()
    means = Means(
        legs=Legs(judge=lambda play, name: "", fps=30.0), judge=lambda play, deed: (), options=options, watch=watch
    )
    done = Program(means=means, skeleton=SKELETON, cache=cache).skill(skill)
    engine = Engine(tasks=tasks, first=Play(scene=scene, sources={}), skill_of=lambda task: done, watch=watch)
    return engine.run(), skill.calls


def test_only_what_depends_on_a_changed_task_is_planned_again(tmp_path: Path) -> None:
    goals = {"anna": [(0.0, 1.5), (0.8, 2.5)], "bob": [(0.2, 1.6), (-0.8, 2.4)]}
    first, calls = performed(goals, Cache(tmp_path))
    assert first.status and calls == 4
    again, calls = performed(goals, Cache(tmp_path))
    assert again.status and calls == 0
    for name in goals:
        assert np.array_equal(again.play.motion(name).rotations, first.play.motion(name).rotations)
    changed = {**goals, "anna": [(0.0, 1.5), (0.6, 2.7)]}
    assert performed(changed, Cache(tmp_path))[1] == 1
    earlier = {**goals, "anna": [(0.3, 1.4), (0.8, 2.5)]}
    assert performed(earlier, Cache(tmp_path))[1] == 2


def test_a_cache_keeps_to_its_size_and_survives_broken_files(tmp_path: Path) -> None:
    goals = {"anna": [(0.0, 1.5), (0.8, 2.5), (0.0, 3.5)]}
    performed(goals, Cache(tmp_path))
    size = max(one.stat().st_size for one in tmp_path.glob("*.task"))
    performed({"anna": [(0.1, 1.5), (0.8, 2.5), (0.0, 3.5)]}, Cache(tmp_path, most_bytes=2 * size))
    assert sum(one.stat().st_size for one in tmp_path.glob("*.task")) <= 2 * size
    for one in tmp_path.glob("*.task"):
        one.write_bytes(b"broken")
    assert performed(goals, Cache(tmp_path))[0].status


def test_a_higher_task_becomes_steps_of_one_task() -> None:
    tasks = [
        Task(character="anna", do="displace", object="book", target=(0.0, 1.0, 2.0), name="tidy"),
        Task(character="anna", do="walk_to", goal=(0.0, 0.0)),
    ]
    made = compiled(tasks)
    assert [step.do for step in made.steps] == ["grab", "place", "walk_to"]
    assert made.of == (0, 0, 1)
    assert made.steps[1].target == (0.0, 1.0, 2.0)


@pytest.fixture(scope="module")
def kicks():
    return family_of("kick", "right", SKELETON, 30.0)


def test_an_inverse_blend_strikes_where_it_was_asked(kicks) -> None:
    strike = kicks.examples[0].event("strike")
    rng = np.random.default_rng(1)
    for _ in range(6):
        target = rng.dirichlet(np.ones(len(kicks.targets))) @ kicks.targets

        def misses(motion, events, target=target):
            return target - point_at(motion, strike.joint, strike.point, events["strike"])

        made = inverse_blend(kicks, target, misses)
        assert not isinstance(made, str), made
        assert np.linalg.norm(misses(made.motion, made.events)) < 0.03
        assert made.weights.sum() == pytest.approx(1.0) and (made.weights >= 0.0).all()


def test_examples_are_registered_and_blend_to_themselves(kicks) -> None:
    assert len({len(one) for one in kicks.motions}) == 1
    weights = np.zeros(len(kicks.motions))
    weights[2] = 1.0
    assert np.allclose(blended(kicks, weights).rotations, kicks.motions[2].rotations)
    for one, example in zip(kicks.motions, kicks.examples, strict=True):
        event = example.event("strike")
        assert np.linalg.norm(point_at(one, event.joint, event.point, kicks.events["strike"]) - event.position) < 0.03


def test_a_target_outside_the_examples_is_refused_with_their_span(kicks) -> None:
    far = replace(kicks).targets.max(axis=0) + 0.6
    said = inverse_blend(kicks, far, lambda motion, events: np.full(3, 0.6))
    assert isinstance(said, str) and "outside their span" in said


def test_what_was_kept_is_read_back_with_the_same_skeleton(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    performed({"anna": [(0.0, 1.5)]}, cache)
    (key,) = [one.stem for one in tmp_path.glob("*.task")]
    doing, back = cache.get(key, SKELETON), Cache(tmp_path).get(key, SKELETON)
    assert back.piece.base.skeleton is SKELETON
    assert np.array_equal(back.piece.base.rotations, doing.piece.base.rotations)
    assert back.deed.play.scene.objects == doing.deed.play.scene.objects
    assert (back.piece.play is back.deed.play) == (doing.piece.play is doing.deed.play)


def test_damage_of_a_kept_task_is_found_whatever_it_is(tmp_path: Path) -> None:
    performed({"anna": [(0.0, 1.5)]}, Cache(tmp_path))
    (file,) = tmp_path.glob("*.task")
    whole, rng = file.read_bytes(), np.random.default_rng(0)
    doing = Cache(tmp_path).get(file.stem, SKELETON)
    found = 0
    for _ in range(200):
        data = bytearray(whole[: rng.integers(len(whole))] if rng.random() < 0.2 else whole)
        for at in rng.integers(len(data), size=rng.integers(1, 4)) if data else ():
            data[at] ^= 1 << rng.integers(8)
        file.write_bytes(data)
        back = Cache(tmp_path).get(file.stem, SKELETON)
        found += back is None
        # Damage in padding and in names of members that nobody reads changes nothing.
        assert back is None or np.array_equal(back.piece.base.rotations, doing.piece.base.rotations)
    assert found > 150


def test_nothing_of_a_kept_task_is_run(tmp_path: Path) -> None:
    key = "a" * 64

    class Evil:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "ran",))

    (tmp_path / f"{key}.task").write_bytes(pickle.dumps((2, Evil())))
    assert Cache(tmp_path).get(key, SKELETON) is None
    assert not (tmp_path / "ran").exists()
