"""Clips put onto the floor: recorders, exporters and retargeters leave feet centimetres below or above it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.inspection.contacts import SIDES, foot_contacts
from understudy.inspection.floor import BELOW_M
from understudy.kinematics.forward import motion_world
from understudy.typing import BoolArray, FloatArray

#: [m] feet that rest this high may stand on something that was not recorded: no curb or step is lower.
_STEP_M = 0.1
#: [m] standing feet whose heights differ by more do not stand on one floor.
_SPREAD_M = 0.06


def grounded(motion: Motion) -> Motion:
    """The motion on the floor at ``y = 0``; the motion itself where it stands there, or its feet do not tell.

    Feet tell when they stand at one height, below the floor by more than soles are thick, or above it by that much
    and less than a step.
    """
    if not motion.skeleton.is_humanoid:
        return motion
    contacts = foot_contacts(motion)
    soles = sole_heights_m(motion, {side: contacts.planted(side) for side in SIDES})
    if len(soles) == 0 or np.ptp(np.percentile(soles, [5, 95])) > _SPREAD_M:
        return motion
    height = float(np.median(soles))
    if -BELOW_M <= height <= BELOW_M or height > _STEP_M:
        return motion
    where = "below" if height < 0.0 else "above"
    note = f"the feet stood {100 * abs(height):.1f} cm {where} the floor; the clip was put onto it"
    roots = motion.root_positions - np.array([0.0, height, 0.0])
    return replace(motion, root_positions=roots, origin=motion.origin.noting(note))


def sole_heights_m(
    motion: Motion, planted: Mapping[str, BoolArray], *, of: Sequence[str] = ("foot", "toes")
) -> FloatArray:
    """Heights ``(n,)`` [m] of the lower of some parts of both feet in the frames in which they stand."""
    body, world = fit_body(motion.skeleton), motion_world(motion)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    bottoms = np.minimum(starts[..., 1], ends[..., 1]) - body.capsule_radii
    found = []
    for side in SIDES:
        parts = [k for k, part in enumerate(body.capsule_names) if part in {f"{side}_{name}" for name in of}]
        found.append(bottoms[planted[side]][:, parts].min(axis=1, initial=np.inf))
    every = np.concatenate(found)
    return np.asarray(every[np.isfinite(every)])
