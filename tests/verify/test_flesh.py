"""Soft parts that press on each other: what the table lets through, and what is still found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tools.self_overlap import MODULE, module_text, people, table

from understudy import rotations as rot
from understudy.core import Motion, Pose, fit_body
from understudy.core.flesh import FLESH_MM, SOFT_PARTS, flesh_pairs
from understudy.core.motion import from_poses
from understudy.performer import posture
from understudy.verify import verify
from understudy.verify._kernels import gaps_of_rows
from understudy.verify.claim import Claim
from understudy.verify.forward import Performer


def turned(pose: Pose, turns: dict[str, tuple[float, float, float]]) -> Pose:
    """A posture with joints turned further about the world's axes [rad]."""
    rotations, world = pose.rotations.copy(), pose.world()[1]
    for role, turn in turns.items():
        joint = pose.skeleton.humanoid[role]
        own = rot.rotate(rot.conjugate(world[joint]), np.array(turn))
        rotations[joint] = rot.multiply(rotations[joint], rot.exp(own))
    return replace(pose, rotations=rotations)


def depths(pose: Pose) -> dict[frozenset[str], float]:
    """Pair of capsules -> how deep they overlap [m]."""
    body, motion = fit_body(pose.skeleton), from_poses([pose, pose], fps=60.0)
    capsules = Performer(name="", motion=motion, body=body).capsules(motion.times_s)[0]
    pairs = np.ascontiguousarray(body.self_pairs, dtype=np.int64)
    gaps = gaps_of_rows(capsules[pairs[:, 0]], capsules[pairs[:, 1]]) - body.capsule_radii[pairs].sum(axis=1)
    return {
        frozenset((body.capsule_names[a], body.capsule_names[b])): -float(gap)
        for (a, b), gap in zip(pairs.tolist(), gaps, strict=True)
    }


def found(pose: Pose) -> set[frozenset[str]]:
    """Pairs of parts that the judge finds in each other."""
    motion: Motion = from_poses([pose] * 13, fps=60.0)
    report = verify(Claim(motions=(("", motion),), floor=True))
    return {frozenset((one.part, one.other)) for one in report.violations if one.kind == "penetration"}


def pressed(pair: tuple[str, str], turns: dict[str, tuple[float, float, float]], depth_m: float) -> Pose:
    """A standing person with joints turned as far as two parts overlap by a depth."""
    low, high, both = 0.0, 1.0, frozenset(pair)
    stand = posture("arms_folded" if "chest" in pair else "relaxed")
    for _ in range(40):
        share = 0.5 * (low + high)
        pose = turned(stand, {role: tuple(share * x for x in turn) for role, turn in turns.items()})  # type: ignore[misc]
        low, high = (share, high) if depths(pose)[both] < depth_m else (low, share)
    assert depths(pose)[both] == pytest.approx(depth_m, abs=1e-4)
    return pose


THIGHS = {"leftUpperLeg": (0.0, 0.0, -0.4), "leftLowerLeg": (0.0, 0.0, 0.8)}
FAULTS = {
    ("left_thigh", "right_thigh"): (THIGHS, 0.035),
    ("left_hand", "left_thigh"): ({"leftUpperArm": (0.0, 0.0, -0.7)}, 0.03),
    ("left_forearm", "chest"): ({"leftUpperArm": (0.0, -0.9, 0.0)}, 0.03),
    ("left_foot", "right_foot"): ({"leftUpperLeg": (0.0, 0.0, -0.5)}, 0.02),
    ("left_shank", "right_shank"): ({"leftUpperLeg": (0.0, 0.0, -0.5)}, 0.03),
}


def test_thighs_may_press_on_each_other_a_little() -> None:
    pose = pressed(("left_thigh", "right_thigh"), THIGHS, 0.025)
    assert frozenset(("left_thigh", "right_thigh")) not in found(pose)


@pytest.mark.parametrize("pair", FAULTS, ids=" in ".join)
def test_deeper_ones_and_other_parts_are_found(pair: tuple[str, str]) -> None:
    turns, depth_m = FAULTS[pair]
    assert frozenset(pair) in found(pressed(pair, turns, depth_m))


def test_the_table_has_soft_parts_only_and_grows_with_stature() -> None:
    body = fit_body(posture("relaxed").skeleton)
    for a, b in FLESH_MM:
        assert {a, b} <= SOFT_PARTS
    ((a, b, depth),) = flesh_pairs(body)
    assert {a, b} == {"left_thigh", "right_thigh"}
    assert depth == pytest.approx(1e-3 * FLESH_MM["thigh", "thigh"] * body.stature_m / 1.75)
    # Less than half as deep as a thigh is thick from its bone: nothing passes through.
    assert depth < 0.5 * body.capsule_radii[body.capsule("left_thigh")]


def test_the_script_makes_the_table_from_recordings(shared_motion: Path) -> None:
    if not (shared_motion / "INDEX-more.csv").is_file():
        pytest.skip("not all recordings are there")
    assert table(people(shared_motion)) == FLESH_MM


def test_the_script_writes_what_it_read() -> None:
    text = MODULE.read_text(encoding="utf-8")
    assert module_text(text, FLESH_MM) == text
