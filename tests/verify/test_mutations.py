"""Faults planted in accepted claims of several engines: the judge finds every one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from understudy import rotations as rot
from understudy.api.performing_result import PerformResult
from understudy.core.motion import Motion
from understudy.scene.shapes import Box, Cylinder
from understudy.verify.claim import Claim
from understudy.verify.goals import FloorGoal, HandGoal
from understudy.verify.resting import RestGoal

ENGINES = ("walk", "reach", "program")
SEEDS = (0, 1, 2)


def walked() -> Claim:
    library = us.build_library(us.builtin_clips("walk"))
    scene = us.Scene().with_object("box", Box(size_m=(0.4, 0.8, 0.4)), position=(0.9, 0.4, 2.0))
    return us.walk(library, scene, start=(0, 0), goal=(0.0, 4.0, 0.0)).claim


def reached() -> Claim:
    idle = us.builtin_clips("idle")[0]
    scene = us.Scene().with_object("box", Box(size_m=(0.4, 0.8, 0.4)), position=(0.9, 0.4, 0.6))
    return us.reach(idle, scene, hand="right", target=(-0.3, 1.2, 0.4), at=0.5 * idle.duration_s).claim


def programmed() -> Claim:
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
    assert isinstance(result, PerformResult) and result.status, result.reason
    assert result.claim is not None
    return result.claim


@pytest.fixture(scope="module")
def claims() -> dict[str, Claim]:
    found = {"walk": walked(), "reach": reached(), "program": programmed()}
    for name, claim in found.items():
        assert us.verify(claim).ok, f"{name}: {us.verify(claim).reason}"
    return found


def with_motion(claim: Claim, motion: Motion) -> Claim:
    name = claim.motions[0][0]
    scene = claim.scene
    if scene is not None and name in {one.name for one in scene.characters}:
        scene = scene.with_motion(name, motion, start_s=scene.character(name).start_s)
    return replace(claim, motions=((name, motion), *claim.motions[1:]), scene=scene)


def turned(claim: Claim, role: str, vector: tuple[float, float, float], frames: slice, ramp: bool = False) -> Claim:
    motion = claim.motions[0][1]
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid[role]
    count = len(rotations[frames])
    shape = np.hanning(count + 2)[1:-1] if ramp else np.ones(count)
    turn = rot.exp(shape[:, None] * np.array(vector))
    rotations[frames, joint] = rot.multiply(rotations[frames, joint], turn)
    return with_motion(claim, replace(motion, rotations=rotations))


def shifted(claim: Claim, by: tuple[float, float, float], frames: slice) -> Claim:
    motion = claim.motions[0][1]
    roots = motion.root_positions.copy()
    roots[frames] += np.array(by)
    return with_motion(claim, replace(motion, root_positions=roots))


def moment(claim: Claim, rng: np.random.Generator, lasts: int = 1) -> slice:
    count = len(claim.motions[0][1])
    first = int(rng.integers(12, count - lasts - 12))
    return slice(first, first + lasts)


def lifted(claim: Claim, rng: np.random.Generator) -> Claim:
    return shifted(claim, (0.0, 0.12, 0.0), moment(claim, rng, round(0.4 * claim.motions[0][1].fps)))


def sunk(claim: Claim, rng: np.random.Generator) -> Claim:
    return shifted(claim, (0.0, -0.08, 0.0), moment(claim, rng, round(0.4 * claim.motions[0][1].fps)))


def popped(claim: Claim, rng: np.random.Generator) -> Claim:
    return shifted(claim, (0.05, 0.0, 0.0), moment(claim, rng))


def twitched(claim: Claim, rng: np.random.Generator) -> Claim:
    role = str(rng.choice(["leftLowerArm", "rightUpperLeg", "leftUpperArm", "head"]))
    return turned(claim, role, (0.15, 0.15, 0.0), moment(claim, rng))


def hyperextended(claim: Claim, rng: np.random.Generator) -> Claim:
    return turned(claim, "leftLowerLeg", (-1.2, 0.0, 0.0), moment(claim, rng, 40), ramp=True)


def glided(claim: Claim, rng: np.random.Generator) -> Claim:
    motion = claim.motions[0][1]
    along = np.linspace(0.0, 1.2, len(motion))[:, None] * np.array([1.0, 0.0, 0.0])
    return with_motion(claim, replace(motion, root_positions=motion.root_positions + along))


def leaned(claim: Claim, rng: np.random.Generator) -> Claim:
    motion = claim.motions[0][1]
    still = motion.frames(len(motion) - 1, len(motion))
    frames = 120
    roots, rotations = np.repeat(still.root_positions, frames, 0), np.repeat(still.rotations, frames, 0)
    lean = rot.exp(np.array([0.5, 0.0, 0.0]))
    rotations[:, 0] = rot.multiply(lean, rotations[:, 0])
    roots[:, 2] += 0.45
    return replace(with_motion(claim, replace(motion, root_positions=roots, rotations=rotations)), goals=())


def itself_as_evidence(claim: Claim, rng: np.random.Generator) -> Claim:
    name, motion = claim.motions[0]
    return replace(claim, evidence={**claim.evidence, name: (motion,)})


def deep_contact(claim: Claim, rng: np.random.Generator) -> Claim:
    from understudy.scene.contacts import ContactRule

    return replace(claim, contacts=(*claim.contacts, ContactRule(a="box", b="floor", max_depth_m=0.2)))


def missed_goal(claim: Claim, rng: np.random.Generator) -> Claim:
    def off(goal: object) -> object:
        if isinstance(goal, FloorGoal):
            return replace(goal, position=(goal.position[0] + 0.012, goal.position[1]))
        if isinstance(goal, HandGoal):
            return replace(goal, position=(goal.position[0] + 0.002, *goal.position[1:]))
        return goal

    return replace(claim, goals=tuple(off(goal) for goal in claim.goals))  # type: ignore[arg-type]


def moved_box(claim: Claim, rng: np.random.Generator) -> Claim:
    motion = claim.motions[0][1]
    x, _, z = motion.root_positions[moment(claim, rng).start]
    assert claim.scene is not None
    return replace(claim, scene=claim.scene.moved("box", position=(x, 0.4, z)))


def arm_into_trunk(claim: Claim, rng: np.random.Generator) -> Claim:
    return turned(claim, "leftUpperArm", (0.0, 0.0, -0.9), moment(claim, rng, 50), ramp=True)


def thing_in_the_air(claim: Claim, rng: np.random.Generator) -> Claim:
    assert claim.scene is not None
    return replace(claim, goals=(*claim.goals, RestGoal(object="box", on="floor")), scene=_raised(claim.scene))


def _raised(scene: us.Scene) -> us.Scene:
    at = scene.object_track("box", [0.0])[0][0]
    return scene.moved("box", position=(float(at[0]) + 3.0, float(at[1]) + 0.05, float(at[2])))


#: Kind of fault -> what plants it, and what the judge may call it.
FAULTS: dict[str, tuple[Callable[[Claim, np.random.Generator], Claim], set[str]]] = {
    "lifted": (lifted, {"support", "seams"}),
    "sunk": (sunk, {"penetration", "seams"}),
    "popped": (popped, {"seams"}),
    "twitched": (twitched, {"seams"}),
    "hyperextended": (hyperextended, {"joint_limits"}),
    "glided": (glided, {"contact_slide", "foot_skate_kimodo", "stance_drift", "foot_slide"}),
    "leaned": (leaned, {"balance", "support"}),
    "itself as evidence": (itself_as_evidence, {"claim"}),
    "deep contact": (deep_contact, {"claim"}),
    "missed goal": (missed_goal, {"goals"}),
    "moved box": (moved_box, {"penetration"}),
    "arm into trunk": (arm_into_trunk, {"penetration", "joint_limits"}),
    "thing in the air": (thing_in_the_air, {"rest"}),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(claims: dict[str, Claim], engine: str, fault: str) -> None:
    plant, kinds = FAULTS[fault]
    for seed in SEEDS:
        report = us.verify(plant(claims[engine], np.random.default_rng(seed)))
        assert not report.ok, f"{fault} in {engine}, seed {seed}"
        assert kinds & set(report.broken), f"{fault} in {engine}, seed {seed}: {report.broken}"
