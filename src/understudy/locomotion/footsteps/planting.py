"""Feet that stand where they stood: the first stance of a motion moved onto the footprints of the one before."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.kinematics import motion_world
from understudy.kinematics.hold import hold_end
from understudy.locomotion.footsteps.footing import SIDES
from understudy.locomotion.footsteps.joining import leg_of
from understudy.typing import FloatArray

#: [m/s] a foot that moves faster has left the floor; [s] in which it goes over to where the motion has it.
_LIFTED_MPS, _OVER_S = 0.25, 0.32


def planted(before: Motion, motion: Motion) -> Motion:
    """The motion with each foot where it stood at the end of ``before``, until it is lifted."""
    now = motion_world(before.frames(len(before) - 1, len(before)))
    world = motion_world(motion)
    for side in SIDES:
        chain = leg_of(motion.skeleton, side)
        end = chain[2]
        places, turns = world.positions[:, end], world.rotations[:, end]
        lift = _lift(places, motion.fps)
        times = np.arange(len(motion)) / motion.fps
        share = 1.0 - smoothstep((times - lift) / _OVER_S)
        away = (now.positions[0, end] - places[0]) * np.array([1.0, 0.0, 1.0])
        yaw = float(rot.yaw(rot.multiply(now.rotations[0, end], rot.conjugate(turns[0]))))
        turned = rot.multiply(rot.from_yaw(share * yaw), turns)
        motion = hold_end(motion, chain, places + share[:, None] * away, turned).motion
    return motion


def _lift(places: FloatArray, fps: float) -> float:
    """When a foot leaves the floor for the first time [s]."""
    speed = np.linalg.norm(np.diff(places, axis=0), axis=1) * fps
    moving = np.flatnonzero(speed > _LIFTED_MPS)
    return float(moving[0] / fps) if len(moving) else len(places) / fps
