"""Feet that stand where they stood: leg IK after the edit, because trunk and root carry the legs along.

A foot is held where its source has it while that stands, and let go smoothly around it; legs that an edit uses to
strike a ball are free there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.inspection.contacts import foot_contacts
from understudy.kinematics import hold_end, motion_world
from understudy.typing import BoolArray, FloatArray

#: [s] within which a foot is let go or taken back; [m] below which it is held even while it moves.
EASE_S, LOW_M = 0.18, 0.05
#: [s] around a contact with a leg within which that leg is not touched.
_STRIKE_S = 0.03


def stance_weights(motion: Motion) -> dict[str, FloatArray]:
    """How much each foot is held ``(frames,)``: 1 while it stands or is low, 0 elsewhere, smooth between."""
    contacts, world = foot_contacts(motion), motion_world(motion)
    weights = {}
    for side in ("left", "right"):
        toe = motion.skeleton.humanoid.get(f"{side}Toes", motion.skeleton.humanoid[f"{side}Foot"])
        low = world.positions[:, toe, 1] < contacts.ground_m + LOW_M
        weights[side] = _eased(contacts.planted(side) | low, motion.fps)
    return weights


def planted(motion: Motion, source: Motion, strikes: Sequence[tuple[str, float]] = ()) -> Motion:
    """The motion with feet where its source has them while they stand there.

    ``strikes``: side and time [s] of contacts with a leg, which is left alone around them.
    """
    source = source.resampled(motion.fps)
    if len(source) != len(motion):
        source = source.frames(0, min(len(source), len(motion)))
    held = stance_weights(source)
    for side, time in strikes:
        away = np.clip((np.abs(source.times_s - time) - _STRIKE_S) / EASE_S, 0.0, 1.0)
        held[side] = held[side] * smoothstep(away)
    world = motion_world(source)
    for side in ("left", "right"):
        joints = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
        end = source.skeleton.humanoid[joints[2]]
        here = motion_world(motion)
        weight = held[side][:, None]
        goal = here.positions[:, end] + weight * (world.positions[:, end] - here.positions[:, end])
        turn = rot.slerp(here.rotations[:, end], world.rotations[:, end], held[side])
        if float(np.abs(weight).max()) > 0.0:
            motion = hold_end(motion, joints, goal, turn).motion
    return motion


def _eased(stands: BoolArray, fps: float) -> FloatArray:
    """1 while standing, falling smoothly to 0 within :data:`EASE_S` on either side."""
    frames = np.arange(len(stands))
    if not stands.any():
        return np.zeros(len(stands))
    where = np.flatnonzero(stands)
    after = np.searchsorted(where, frames)
    left = np.abs(frames - where[np.clip(after - 1, 0, len(where) - 1)])
    right = np.abs(frames - where[np.clip(after, 0, len(where) - 1)])
    away = np.minimum(left, right) / fps
    share = np.clip(1.0 - away / EASE_S, 0.0, 1.0)
    return np.asarray(smoothstep(share))
