"""One accepted claim of every engine, to plant faults in. All are made with the built-in performer's clips."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

import understudy as us
from understudy import rotations as rot
from understudy.api.clips import clip_result
from understudy.api.performing_result import PerformResult
from understudy.api.verdict import marked
from understudy.core.motion import Motion
from understudy.interaction.edits import done
from understudy.library import Library
from understudy.locomotion.published.sampling import Constraint
from understudy.performer import performance
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Cylinder
from understudy.skills.door.room import door_room
from understudy.verify.claim import Claim

_EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@lru_cache(maxsize=2)
def _library(graph: str = "standard") -> Library:
    return us.build_library(us.builtin_clips("walk"), options=us.LibraryOptions(graph=graph))  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def _standing() -> Motion:
    return performance("idle", duration_s=4.0, fps=60.0).motion


def _room() -> Scene:
    return Scene(name="room").with_object("box", Box(size_m=(0.4, 0.8, 0.4)), position=(0.9, 0.4, 2.0))


def _claim(result: object) -> Claim:
    claim = getattr(result, "claim", None)
    assert isinstance(claim, Claim), getattr(result, "reason", "nothing was claimed")
    return claim


def walk() -> Claim:
    return _claim(us.walk(_library(), _room(), start=(0, 0), goal=(0.0, 4.0, 0.0)))


def sample() -> Claim:
    ends = [Constraint(position=(0.0, 0.0)), Constraint(position=(0.0, 4.0))]
    return _claim(us.sample_walk(_library(), _room(), constraints=ends))


def together() -> Claim:
    return _claim(us.walk_together(_library(), _room(), {"ann": ((0, 0), (0.3, 5)), "bob": ((-3, 2.5), (3, 1.0))}))


def stream() -> Claim:
    walked = us.stream_walk(_library(), _room(), start=(0, 0), goal=(0.3, 5.0))
    list(walked)
    return _claim(walked.result)


def crowd() -> Claim:
    people = us.crowd(_library("hybrid"), _room())
    people.add("ann", start=(-1.5, 0.0), goal=(-1.5, 4.0))
    people.add("bob", start=(-4.0, 2.0), goal=(0.0, 2.0))
    while not people.done and people.time_s < 60.0:
        people.step()
    return _claim(people.result())


def correct() -> Claim:
    source = performance("walk", duration_s=6.0).motion
    post = us.Scene().with_object("post", Box(size_m=(0.12, 1.6, 0.12)), position=(0.42, 0.8, 3.0))
    return _claim(us.correct(source, post, limbs=["left_arm", "right_arm"]))


def reach() -> Claim:
    return _claim(us.reach(_standing(), _room(), hand="right", target=(-0.3, 1.2, 0.4), at=2.0))


def handling() -> Claim:
    scene = (
        us.Scene()
        .with_object("table", Box(size_m=(0.34, 1.0, 0.14)), position=(-0.3, 0.5, 0.45))
        .with_object("cup", Cylinder(radius_m=0.035, height_m=0.1), position=(-0.22, 1.05, 0.44))
        .with_character("anna", motion=performance("idle", duration_s=8.0, fps=30.0).motion)
    )
    return _claim(us.grab(scene.character("anna").world_motion, scene, "cup", character="anna", hand="right", at=3.0))


def door() -> Claim:
    return _claim(us.open_door(door_room(), "door", start=(-0.3, -2.6), goal=(0.2, 2.4)))


def program() -> Claim:
    scene = (
        us.Scene()
        .with_object("box", Cylinder(radius_m=0.3, height_m=0.8), position=(0.3, 0.4, 1.8))
        .with_object("cup", Cylinder(radius_m=0.035, height_m=0.1), position=(0.25, 0.8505, 1.65))
        .with_character("anna", start=(0.0, 0.0), heading_rad=0.0)
        .with_task("anna", "grab", object="cup")
        .with_task("anna", "place", object="cup", target="box")
        .with_task("anna", "walk_to", goal=(-0.8, 0.6))
    )
    result = us.perform(scene)
    assert isinstance(result, PerformResult)
    return _claim(result)


def between() -> Claim:
    return _claim(us.between("relaxed", "arms_folded", options=us.BetweenOptions(fps=60.0)))


def sitting() -> Claim:
    return _claim(us.between("relaxed", "sit", options=us.BetweenOptions(fps=60.0)))


def interaction() -> Claim:
    project = us.load_project(_EXAMPLES / "projects" / "passing.toml")
    session = us.Interaction(project.play, options=project.options)
    for edit in project.edits:
        done(session, edit)
    return session.claim()


def retarget() -> Claim:
    return _claim(us.retarget(_standing(), _standing().skeleton.scaled(0.8)))


def performer() -> Claim:
    return _claim(clip_result(performance("walk_slow", duration_s=5.0).motion))


def repair() -> Claim:
    motion = performance("walk_slow", duration_s=5.0).motion
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid["rightLowerArm"]
    rotations[80, joint] = rot.multiply(rotations[80, joint], rot.exp(np.array([0.5, 0.0, 0.0])))
    return _claim(us.clean(replace(motion, rotations=rotations)))


ENGINES: dict[str, Callable[[], Claim]] = {
    one.__name__: one
    for one in (
        walk,
        sample,
        together,
        stream,
        crowd,
        correct,
        reach,
        handling,
        door,
        program,
        between,
        sitting,
        interaction,
        retarget,
        performer,
        repair,
    )
}


@lru_cache(maxsize=32)
def accepted(engine: str) -> Claim:
    """The claim of an engine; the judge passes it.

    Raises:
        AssertionError: It does not, or nothing was solved.
    """
    claim = ENGINES[engine]()
    if engine != "performer":
        claim = marked(claim)
    report = us.verify(claim)
    assert report.ok, f"{engine}: {report.reason}"
    return claim
