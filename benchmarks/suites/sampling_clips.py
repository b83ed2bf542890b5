"""Clips of the sampling suite: ten recorded walks at 30 fps, side steps, and a walk that ducks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.core import Motion
from understudy.core.editing import smoothstep
from understudy.formats import load_motion
from understudy.kinematics import hold_end, motion_world
from understudy.library import Library, LibraryOptions, build_library
from understudy.library.features import headings_rad
from understudy.performer import builtin_clips
from understudy.typing import FloatArray

FPS = 30.0
#: Ten locomotion clips of CMU subject 69: straight walks and sharp and smooth turns, and a turn on the spot.
TEN = ("69_01", "69_03", "69_20", "69_22", "69_24", "69_25", "69_28", "69_30", "69_31", "69_13")
LATERAL = ("69_56", "69_59", "69_62", "69_65")
#: Of the last one only the beginning, so that there are about as many frames as in the paper.
_LAST_FRAMES = 600
PERFORMED = ("walk_slow", "veer_left", "veer_right", "turn_left", "turn_right", "sharp_left", "sharp_right")


def ten_clips(folder: Path) -> list[Motion]:
    """The recorded walks."""
    motions = [load_motion(folder / f"{name}.bvh") for name in TEN]
    return [*motions[:-1], motions[-1].frames(0, _LAST_FRAMES)]


def lateral_clips(folder: Path) -> list[Motion]:
    """The recorded side steps."""
    return [load_motion(folder / f"{name}.bvh") for name in LATERAL]


def performed(names: Sequence[str] = PERFORMED) -> list[Motion]:
    """Clips of the built-in performer."""
    return [motion for name in names for motion in builtin_clips(name)]


def library_of(motions: Sequence[Motion], *, threshold_m: float = 0.06) -> Library:
    """A library at the paper's frame rate."""
    return build_library(motions, options=LibraryOptions(fps=FPS, threshold_m=threshold_m))


def ducking(
    motion: Motion, *, from_s: float, to_s: float, drop_m: float = 0.25, lean_rad: float = 0.9, ease_s: float = 1.0
) -> Motion:
    """A walk whose body is lowered and bent forward for a while; its feet stay where they were.

    Args:
        motion: The walk.
        from_s: When it is down at first [s].
        to_s: And at last [s].
        drop_m: How far the hips sink [m].
        lean_rad: How far the trunk bends, spread over spine and chest [rad].
        ease_s: How long going down and coming up take [s].
    """
    times = motion.times_s
    share = smoothstep((times - from_s + ease_s) / ease_s) * (1.0 - smoothstep((times - to_s) / ease_s))
    bent = _leaning(motion, ("spine", "chest"), 0.5 * lean_rad * share)
    bent = _leaning(bent, ("head",), -0.6 * lean_rad * share)
    # Hips go back as the trunk goes ahead, or they would be off balance.
    facing = headings_rad(motion)
    back = 0.12 * share[:, None] * np.stack([np.sin(facing), np.zeros(len(motion)), np.cos(facing)], axis=1)
    lowered = bent.root_positions - back - drop_m * share[:, None] * np.array([0.0, 1.0, 0.0])
    bent = replace(bent, root_positions=lowered, name=f"{motion.name} ducking")
    feet, roles = motion_world(motion), motion.skeleton.humanoid
    for side in ("left", "right"):
        ankle = roles[f"{side}Foot"]
        leg = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
        bent = hold_end(bent, leg, feet.positions[:, ankle], feet.rotations[:, ankle]).motion
    return bent


def raising(
    motion: Motion,
    sides: Sequence[str] = ("left", "right"),
    *,
    from_s: float,
    to_s: float,
    ease_s: float = 0.8,
    below_m: float = 0.12,
) -> Motion:
    """A walk whose hands are held before the shoulders for a while, as in high grass or between shelves.

    Args:
        motion: The walk.
        sides: Which hands.
        from_s: When they are up at first [s].
        to_s: And at last [s].
        ease_s: How long raising and lowering take [s].
        below_m: How far the hands are below the shoulders [m].
    """
    times, roles = motion.times_s, motion.skeleton.humanoid
    share = smoothstep((times - from_s + ease_s) / ease_s) * (1.0 - smoothstep((times - to_s) / ease_s))
    world, facing = motion_world(motion), headings_rad(motion)
    ahead = np.stack([np.sin(facing), np.zeros(len(motion)), np.cos(facing)], axis=1)
    aside = np.stack([np.cos(facing), np.zeros(len(motion)), -np.sin(facing)], axis=1)
    raised = replace(motion, name=f"{motion.name} hands up")
    for side in sides:
        out = 1.0 if side == "left" else -1.0
        hand, shoulder = roles[f"{side}Hand"], roles[f"{side}UpperArm"]
        chest = world.positions[:, shoulder] + 0.33 * ahead + out * 0.02 * aside
        chest[:, 1] -= below_m
        # Hands go up in front of the body and not through it.
        over = np.sin(np.pi * share)[:, None] * 0.08 * ahead
        target = world.positions[:, hand] + share[:, None] * (chest - world.positions[:, hand]) + over
        raised = hold_end(raised, (f"{side}UpperArm", f"{side}LowerArm", f"{side}Hand"), target).motion
    return raised


def raisers() -> list[Motion]:
    """Straight walks of the performer with a stretch of raised hands in each."""
    out = []
    for seed, start in enumerate((1.2, 1.5, 1.8)):
        (walk,) = builtin_clips("walk_slow", seed=seed)
        out.append(raising(walk, from_s=start, to_s=start + 2.4, ease_s=0.6))
    return out


def _leaning(motion: Motion, names: Sequence[str], angles_rad: FloatArray) -> Motion:
    """Joints turned about the axis to the left of where the hips face."""
    rotations = motion.rotations.copy()
    facing = rot.from_yaw(headings_rad(motion))
    about = np.zeros((len(motion), 4))
    about[:, 0], about[:, 1] = np.cos(0.5 * angles_rad), np.sin(0.5 * angles_rad)
    lean = rot.multiply(rot.multiply(facing, about), rot.conjugate(facing))
    for name in names:
        joint = motion.skeleton.humanoid[name]
        above = motion_world(replace(motion, rotations=rotations)).rotations[:, motion.skeleton.parents[joint]]
        turned = rot.multiply(rot.multiply(rot.conjugate(above), lean), above)
        rotations[:, joint] = rot.multiply(turned, rotations[:, joint])
    return replace(motion, rotations=rotations)


def duckers() -> list[Motion]:
    """Straight walks of the performer with a stretch of ducking in each."""
    out = []
    for seed, start in enumerate((1.8, 2.1, 2.4)):
        (walk,) = builtin_clips("walk_slow", seed=seed)
        out.append(ducking(walk, from_s=start, to_s=start + 2.2))
    return out
