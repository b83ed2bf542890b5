"""Bodies are whole, symmetric and as tall as their person, and mirror images are upright, on rigs of any shape."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.suites.rig_properties import faults, sole_spread_m

from people import person, wander
from understudy.core import Motion
from understudy.errors import UnderstudyError
from understudy.formats import load_motions


def stretched(joint: str, by: tuple[float, float, float]) -> Motion:
    """Somebody whose joint lies elsewhere; what hangs on it keeps its place in the world."""
    skeleton = person()
    offsets, at = skeleton.offsets.copy(), skeleton.index(joint)
    for side in ("left", "right") if joint.startswith("left") else ("",):
        moved = skeleton.index(joint.replace("left", side)) if side else at
        offsets[moved] += by
        for child in np.flatnonzero(skeleton.parents == moved):
            offsets[child] -= by
    return wander(replace(skeleton, offsets=offsets))


@pytest.mark.parametrize(
    ("joint", "by"),
    [
        ("leftFoot", (0.0, 0.0, 0.0)),
        ("leftFoot", (0.0, 0.08, 0.0)),
        ("leftFoot", (0.0, -0.03, 0.0)),
        ("neck", (0.0, 0.08, 0.0)),
        ("neck", (0.0, -0.05, 0.0)),
        ("leftUpperLeg", (0.0, -0.06, 0.0)),
    ],
)
def test_bodies_are_whole_wherever_a_rig_puts_its_joints(joint: str, by: tuple[float, float, float]) -> None:
    assert faults(stretched(joint, by)) == []


def test_a_body_in_two_pieces_is_found() -> None:
    motion = stretched("leftFoot", (0.0, 0.0, 0.0))
    offsets = motion.skeleton.offsets.copy()
    offsets[motion.skeleton.index("spine")] += [0.0, 0.6, 0.0]
    assert faults(wander(replace(motion.skeleton, offsets=offsets)))


@pytest.mark.long
def test_every_recorded_person_is_understood(shared_motion: Path) -> None:
    looked_at, spreads = 0, []
    for path in sorted(shared_motion.glob("*/*.*")):
        if path.suffix not in (".bvh", ".amc", ".npz"):
            continue
        try:
            (motion, *_) = load_motions(path)
        except UnderstudyError:
            continue
        if motion.skeleton.is_humanoid and len(motion) > 3:
            looked_at += 1
            assert faults(motion) == [], path.name
            spread = sole_spread_m(motion)
            spreads += [] if spread is None else [spread]
    assert looked_at > 100
    assert np.median(spreads) < 0.05
