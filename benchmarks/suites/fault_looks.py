"""Faults that anybody sees who looks at a motion: heads turned backwards, time that runs backwards, tilted people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.suites.fault_planting import Rng, bump, floor_vector, put, shifted, somebody, stretch, turned
from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.kinematics import motion_world
from understudy.typing import FloatArray, IntArray
from understudy.verify.claim import Claim

#: [m/s] somebody this fast walks: whoever hardly moves looks the same when time runs backwards.
_WALKS_MPS = 0.6


def looks_backwards(motion: Motion, rng: Rng) -> Motion:
    """Neck and head turn by 65 degrees each, slowly: either may, both together may not."""
    frames, side = stretch(motion, rng, 2.0), float(rng.choice([-1.0, 1.0]))
    turn = side * np.radians(65.0) * _plateau(frames)[:, None] * [0.0, 1.0, 0.0]
    for role in ("neck", "head"):
        if role in motion.skeleton.humanoid:
            motion = turned(motion, role, turn, frames)
    return motion


def knee_forward(motion: Motion, rng: Rng) -> Motion:
    """A knee bends forward by 15 degrees."""
    frames, limits = stretch(motion, rng, 1.0), fit_body(motion.skeleton).limits
    joint = motion.skeleton.humanoid[str(rng.choice(["leftLowerLeg", "rightLowerLeg"]))]
    coordinates, rotations = np.array(limits.coordinates(motion.rotations)), motion.rotations.copy()
    share = bump(frames.stop - frames.start)
    coordinates[frames, joint, 0] += share * (np.radians(-15.0) - coordinates[frames, joint, 0])
    rotations[frames, joint] = limits.rotations(coordinates)[frames, joint]
    return replace(motion, rotations=rotations)


def foot_twisted(motion: Motion, rng: Rng) -> Motion:
    frames, role = stretch(motion, rng, 1.2), str(rng.choice(["leftFoot", "rightFoot"]))
    return turned(motion, role, np.radians(80.0) * _plateau(frames)[:, None] * [0.0, 1.0, 0.0], frames)


def leg_through_leg(motion: Motion, rng: Rng) -> Motion:
    """One leg swings inwards through the other."""
    frames = stretch(motion, rng, 1.0)
    side, inwards = ("left", -0.5) if rng.integers(2) else ("right", 0.5)
    return turned(motion, f"{side}UpperLeg", bump(frames.stop - frames.start)[:, None] * [0.0, 0.0, inwards], frames)


def limb_flips(motion: Motion, rng: Rng) -> Motion:
    first = stretch(motion, rng, 0.0).start
    role = str(rng.choice(["leftHand", "rightHand", "leftLowerArm", "rightUpperArm"]))
    return turned(motion, role, np.array([[2.5, 0.0, 0.0]]), slice(first, first + 5))


def tilts(motion: Motion, rng: Rng) -> Motion:
    """The whole body is tilted about the ground below it, for a while."""
    frames = stretch(motion, rng, 1.6)
    angles = np.zeros(len(motion))
    angles[frames] = np.radians(15.0) * _plateau(frames)
    return _turned_whole(motion, angles[:, None] * floor_vector(rng, 1.0), motion.root_positions * [1.0, 0.0, 1.0])


def on_a_turntable(motion: Motion, rng: Rng) -> Motion:
    """The whole body turns by 25 degrees on the spot within a second, feet and all."""
    frames = stretch(motion, rng, 1.0)
    share = np.clip((np.arange(len(motion)) - frames.start) / (frames.stop - frames.start), 0.0, 1.0)
    angles = float(rng.choice([-1.0, 1.0])) * np.radians(25.0) * (0.5 - 0.5 * np.cos(np.pi * share))
    return _turned_whole(motion, angles[:, None] * [0.0, 1.0, 0.0], motion.root_positions[frames.start] * [1, 0, 1])


def sinks_a_little(claim: Claim, rng: Rng) -> Claim | None:
    """Somebody is 2 cm deeper for a moment; who was recorded on a floor may be."""
    clips = [clip for clips in claim.evidence.values() for clip in clips]
    if any(clip.origin.kind == "recorded" for clip in clips):
        return None
    name, motion = somebody(claim, rng)
    frames, down = stretch(motion, rng, 1.5), np.zeros((len(motion), 3))
    down[frames, 1] = -0.02 * _plateau(frames)
    return put(claim, name, shifted(motion, down))


def elsewhere(motion: Motion, rng: Rng) -> Motion:
    """From some frame on everything is 10 cm farther, as where two pieces do not fit together."""
    later = np.arange(len(motion)) >= stretch(motion, rng, 0.0).start
    return shifted(motion, later[:, None] * floor_vector(rng, 0.1))


def mirrored(motion: Motion, rng: Rng) -> Motion | None:
    """Left and right change places for some frames; nobody sees that where somebody is the same on both sides."""
    frames, roles = stretch(motion, rng, 0.2), motion.skeleton.humanoid
    partner = np.arange(len(motion.skeleton))
    for role, joint in roles.items():
        other = role.replace("left", "right") if role.startswith("left") else role.replace("right", "left")
        partner[joint] = roles.get(other, joint)
    rotations = motion.rotations.copy()
    rotations[frames] = rotations[frames][:, partner] * [1.0, 1.0, -1.0, -1.0]
    spoilt = replace(motion, rotations=rotations)
    ends = [roles[role] for role in ("leftHand", "rightHand", "leftFoot", "rightFoot")]
    away = motion_world(spoilt).positions[frames][:, ends] - motion_world(motion).positions[frames][:, ends]
    return spoilt if np.linalg.norm(away, axis=-1).max(axis=1).min() > 0.1 else None


def backwards(motion: Motion, rng: Rng) -> Motion | None:
    """A walker's time runs backwards for half a second, and then forwards again."""
    frames = stretch(motion, rng, 0.5)
    back = np.arange(frames.stop - 2, frames.start, -1)
    order = np.concatenate([np.arange(frames.stop), back, np.arange(frames.start, len(motion))])
    return _in_order(motion, order) if _walks(motion, frames) else None


def stutters(motion: Motion, rng: Rng) -> Motion | None:
    """One frame in four of a walk is shown four times instead of the next three, for a second."""
    frames, order = stretch(motion, rng, 1.0), np.arange(len(motion))
    order[frames] -= (order[frames] - frames.start) % 4
    return _in_order(motion, order) if _walks(motion, frames) else None


def twice_as_fast(motion: Motion, rng: Rng) -> Motion | None:
    """A whole walk is twice as fast as it was; a slow one would be a quick one."""
    del rng
    steps = np.linalg.norm(np.diff(motion.root_positions[:, [0, 2]], axis=0), axis=1)
    return replace(motion, fps=2.0 * motion.fps) if steps.sum() > 1.5 * _WALKS_MPS * motion.duration_s else None


def _plateau(frames: slice) -> FloatArray:
    """Up, some time there, and down again, smoothly."""
    return np.minimum(1.0, 2.0 * bump(frames.stop - frames.start))


def _turned_whole(motion: Motion, vectors: FloatArray, pivots: FloatArray) -> Motion:
    """Everybody turned about points on the floor."""
    turns, rotations = rot.exp(vectors), motion.rotations.copy()
    rotations[:, 0] = rot.multiply(turns, rotations[:, 0])
    roots = pivots + rot.rotate(turns, motion.root_positions - pivots)
    return replace(motion, rotations=rotations, root_positions=roots)


def _walks(motion: Motion, frames: slice) -> bool:
    """Whether somebody walks all the while."""
    steps = np.linalg.norm(np.diff(motion.root_positions[frames][:, [0, 2]], axis=0), axis=1)
    return bool(steps.min() * motion.fps > _WALKS_MPS)


def _in_order(motion: Motion, order: IntArray) -> Motion:
    return replace(motion, root_positions=motion.root_positions[order], rotations=motion.rotations[order])
