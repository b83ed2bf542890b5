"""Joint pops: rotations that jump within a frame or a few, alone or there and back.

A pop differs from a kick or a pitch by its acceleration, not its speed: a fast limb takes many frames to become
fast. The *snap* of a joint in a frame is therefore ``cbrt(a^2 s)`` with ``a`` the change of its rotation per frame
and ``s`` the larger of both rotations [rad]: 1.59 times its angle for a single wrong frame, the angle itself for a
jump, and for a baseball pitch at 120 frames per second less than half of its 35 degrees per frame.

Feet that hit a ball do snap: joints faster than any step may snap more. Below 120 frames per second real motion
snaps too, so that a joint has to stand out from its own neighbouring frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.humanoid import FINGER_ROLES
from understudy.core.motion import Motion
from understudy.inspection.problem import Problem, frames_text
from understudy.kinematics.forward import motion_world
from understudy.typing import BoolArray, FloatArray

#: [rad] snap from which a joint has popped.
SNAP_RAD = float(np.radians(28.0))
#: Share of it that is enough for a joint which snaps together with one that has popped.
ACCOMPLICE_SHARE = 0.4
#: [rad] smaller snaps are invisible.
LEAST_SNAP_RAD = float(np.radians(4.0))
#: A joint calmer than this share of the snap around it has popped at any frame rate.
CALM_SHARE = 1.0 / 8.0
#: [fps] rate from which real motion no longer reaches ``SNAP_RAD``, and how fast the bar rises below it.
FULL_RATE_FPS, RATE_EXPONENT = 120.0, 0.85
#: [m/s] speed beyond which a limb may strike something, and [rad s/m] the snap a strike adds.
STRIKE_MPS, STRIKE_RAD_PER_MPS = 4.5, float(np.radians(6.0))
#: [s] half of the time over which that speed is taken.
STRIKE_WINDOW_S = 0.07
#: Flagged frames this close belong to one pop.
MERGE_FRAMES = 4


@dataclass(frozen=True, kw_only=True)
class Pop:
    """A joint that popped.

    Attributes:
        joint: Index of the joint.
        first: First frame that snaps.
        last: Last frame that snaps, included.
        peak: The frame that snaps most.
        snap_rad: Its snap [rad].
    """

    joint: int
    first: int
    last: int
    peak: int
    snap_rad: float


def snaps(rotations: FloatArray) -> FloatArray:
    """``(frames, joints)`` snap [rad] of rotations ``(frames, joints, 4)``; 0 in the first and last frame."""
    result = np.zeros(rotations.shape[:2])
    if len(rotations) < 3:
        return result
    turns = rot.log(rot.multiply(rot.conjugate(rotations[:-1]), rotations[1:]))
    size = np.sqrt(np.einsum("fji,fji->fj", turns, turns))
    change = np.diff(turns, axis=0)
    squared = np.einsum("fji,fji->fj", change, change)
    result[1:-1] = np.cbrt(squared * np.maximum(size[1:], size[:-1]))
    return result


def find_pops(motion: Motion) -> list[Pop]:
    """Every pop, by joint and time.

    Toes, fingers and unnamed joints beside and below hands and feet are left out: few markers carry them, and they
    flicker in recordings that are otherwise sound.
    """
    score = snaps(motion.rotations)
    score[:, ~_inspected(motion)] = 0.0
    strong = _strong(motion, score)
    if not strong.any():
        return []
    popped: BoolArray = np.asarray(strong.any(axis=1))
    near = popped.copy()
    near[1:] |= popped[:-1]
    near[:-1] |= popped[1:]
    flagged = strong | (near[:, None] & ((score > ACCOMPLICE_SHARE * SNAP_RAD) | _stands_out(score, near)))
    return [pop for joint in np.flatnonzero(flagged.any(axis=0)) for pop in _joint_pops(score, flagged, int(joint))]


def _stands_out(score: FloatArray, frames: BoolArray) -> BoolArray:
    """``(frames, joints)`` where joints that are calm otherwise make up for another one, in frames ``(frames,)``."""
    found = np.zeros(score.shape, dtype=bool)
    for frame in np.flatnonzero(frames):
        usual = np.maximum(_around(score, int(frame)).max(axis=0, initial=0.0) / CALM_SHARE, LEAST_SNAP_RAD)
        found[frame] = score[frame] > usual
    return found


def _around(score: FloatArray, frame: int) -> FloatArray:
    """Snaps ``(n, ...)`` of the frames before and after a frame, without those beside it."""
    return np.concatenate([score[max(frame - 8, 0) : max(frame - 2, 0)], score[frame + 3 : frame + 9]])


def pop_problems(motion: Motion) -> list[Problem]:
    """Pops as problems."""
    names = motion.skeleton.names
    return [
        Problem(
            kind="joint_pop",
            message=f"{names[pop.joint]} snaps by {np.degrees(pop.snap_rad):.0f} degrees at frame {pop.peak} "
            f"({frames_text(pop.first, pop.last)})",
            joint=names[pop.joint],
            first_frame=pop.first,
            last_frame=pop.last,
            severity="fault",
        )
        for pop in find_pops(motion)
    ]


def _inspected(motion: Motion) -> BoolArray:
    """``(joints,)`` which joints are held to be recorded well enough to inspect."""
    skeleton = motion.skeleton
    keep = np.ones(len(skeleton), dtype=bool)
    for joint, role in skeleton.roles.items():
        if role.endswith("Toes") or role in FINGER_ROLES:
            keep[list(skeleton.descendants(joint))] = False
        elif role.endswith(("LowerArm", "LowerLeg")):
            end = skeleton.humanoid.get(role.replace("LowerArm", "Hand").replace("LowerLeg", "Foot"), joint)
            keep[list(set(skeleton.descendants(joint)) - set(skeleton.chain(joint, end)))] = False
    return keep


def _strong(motion: Motion, score: FloatArray) -> BoolArray:
    """``(frames, joints)`` where the snap is beyond what this joint's speed and surroundings explain."""
    strong: BoolArray = score > SNAP_RAD
    if not strong.any():
        return strong
    positions = motion_world(motion).positions
    for joint in np.flatnonzero(strong.any(axis=0)):
        excused: list[int] = []
        frames = np.flatnonzero(strong[:, joint])
        # A strike swings out for a frame or two: what explains its peak explains the frames beside it.
        for frame in frames[np.argsort(-score[frames, joint], kind="stable")]:
            beside = any(abs(int(frame) - other) <= 2 for other in excused)
            if beside or score[frame, joint] <= _allowed_rad(
                score[:, joint], positions[:, joint], int(frame), motion.fps
            ):
                excused.append(int(frame))
        strong[excused, joint] = False
    return strong


def _allowed_rad(score: FloatArray, positions: FloatArray, frame: int, fps: float) -> float:
    """The snap that a joint may have in a frame [rad], from its ``(frames,)`` snaps and ``(frames, 3)`` positions."""
    usual = float(_around(score, frame).max(initial=0.0)) / CALM_SHARE
    highest = SNAP_RAD * max(1.0, FULL_RATE_FPS / fps) ** RATE_EXPONENT
    strike = STRIKE_RAD_PER_MPS * max(0.0, _usual_speed_mps(positions, frame, fps) - STRIKE_MPS)
    return min(highest, max(SNAP_RAD, usual)) + strike


def _usual_speed_mps(positions: FloatArray, frame: int, fps: float) -> float:
    """Upper quartile of a joint's speed around a frame: unmoved by the few frames of a pop further up the body."""
    half = max(3, round(STRIKE_WINDOW_S * fps))
    part = positions[max(frame - half, 0) : frame + half + 1]
    return float(np.percentile(np.linalg.norm(np.diff(part, axis=0), axis=1), 75) * fps)


def _joint_pops(score: FloatArray, flagged: BoolArray, joint: int) -> list[Pop]:
    frames = np.flatnonzero(flagged[:, joint])
    groups = np.split(frames, np.flatnonzero(np.diff(frames) > MERGE_FRAMES) + 1)
    pops = []
    for group in groups:
        peak = int(group[score[group, joint].argmax()])
        pops.append(
            Pop(
                joint=joint,
                first=int(group[0]),
                last=int(group[-1]),
                peak=peak,
                snap_rad=float(score[peak, joint]),
            )
        )
    return pops
