"""Feet that flip over: solvers that lose a marker turn a foot backwards or toes upside down for some frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.inspection.filling import fill_rotations
from understudy.inspection.intervals import runs
from understudy.inspection.pops import ACCOMPLICE_SHARE, SNAP_RAD, snaps
from understudy.inspection.problem import Problem, frames_text
from understudy.typing import FloatArray

#: Roles that flip. Hips and shoulders of dancers go beyond their limits too, and fingers stand for hands.
_ROLES = ("leftFoot", "rightFoot", "leftToes", "rightToes")
#: [rad] how far feet of sound recordings stray beyond their limits; what is farther away and got there at once flipped.
STRAY_RAD = float(np.radians(20.0))
#: [s] a joint that stays flipped for longer cannot be bridged.
LONGEST_S = 0.5
#: [s] how far a bridge may reach beyond the frames that are flipped, into those in which the joint turns over.
_REACH_S = 0.1


@dataclass(frozen=True, kw_only=True)
class Flip:
    """A joint that is where no joint can be.

    Attributes:
        joint: Index of the joint.
        first: First frame beyond the limits.
        last: Last frame, included.
        excess_rad: How far it is beyond them at most [rad].
    """

    joint: int
    first: int
    last: int
    excess_rad: float


def find_flips(motion: Motion) -> list[Flip]:
    """Every stretch of frames in which a foot or toes of a humanoid are where they cannot be, by joint and time."""
    if not motion.skeleton.is_humanoid or motion.skeleton.leg_length_m() < 1e-6:
        return []
    excess = fit_body(motion.skeleton).limits.excess(motion.rotations)
    reach = max(1, round(_REACH_S * motion.fps))
    found = []
    for joint in sorted(motion.skeleton.humanoid[role] for role in _ROLES if role in motion.skeleton.humanoid):
        if excess[:, joint].max() <= STRAY_RAD:
            continue
        score = snaps(motion.rotations[:, [joint]])[:, 0]
        for first, stop in runs(excess[:, joint] > 0.0):
            worst = float(excess[first:stop, joint].max())
            snap = float(score[max(first - reach, 0) : stop + reach].max())
            if worst > STRAY_RAD and snap > ACCOMPLICE_SHARE * SNAP_RAD:
                found.append(Flip(joint=joint, first=first, last=stop - 1, excess_rad=worst))
    return found


def flip_problems(motion: Motion) -> list[Problem]:
    """Joints that flip, as one problem each: such a joint mostly does so in every step."""
    flips = find_flips(motion)
    problems = []
    for joint in sorted({flip.joint for flip in flips}):
        own = [flip for flip in flips if flip.joint == joint]
        worst = max(own, key=lambda flip: flip.excess_rad)
        name, times = motion.skeleton.names[joint], f" ({len(own)} times)" if len(own) > 1 else ""
        problems.append(
            Problem(
                kind="joint_flip",
                message=f"{name} is {np.degrees(worst.excess_rad):.0f} degrees beyond what joints can do in "
                f"{frames_text(worst.first, worst.last)}{times}",
                joint=name,
                first_frame=min(flip.first for flip in own),
                last_frame=max(flip.last for flip in own),
                severity="fault",
            )
        )
    return problems


def unflipped(motion: Motion, flip: Flip) -> tuple[int, int, FloatArray] | None:
    """What to put in place of a flip: first and last frame, and rotations ``(n, 4)``; ``None`` where nothing will do.

    A joint at the end of a limb may be turned over about its own bone: then half a turn brings it back as it was
    recorded. Others are bridged from the frames around, as calmly as possible.
    """
    track = motion.rotations[:, flip.joint]
    back = _turned_back(motion, flip)
    if back is not None:
        return flip.first, flip.last, back
    if flip.last - flip.first + 1 > LONGEST_S * motion.fps:
        return None
    reach = max(1, round(_REACH_S * motion.fps))
    best: tuple[float, int, int] | None = None
    for before in range(reach + 1):
        for after in range(reach + 1):
            first, last = max(flip.first - before, 0), min(flip.last + after, len(track) - 1)
            if last - first + 1 >= len(track):
                continue
            score = _worst_snap(track, first, last)
            if best is None or score < best[0]:
                best = score, first, last
    return None if best is None else (best[1], best[2], fill_rotations(track, best[1], best[2], curved=False))


def _worst_snap(track: FloatArray, first: int, last: int) -> float:
    """What is left of a flip around a bridge [rad]."""
    start, stop = max(first - 3, 0), min(last + 4, len(track))
    part = track[start:stop].copy()
    part[first - start : last + 1 - start] = fill_rotations(track, first, last, curved=False)
    return float(snaps(part[:, None]).max())


def _turned_back(motion: Motion, flip: Flip) -> FloatArray | None:
    """The frames of a flip after half a turn about the joint's bone, if the joint is within its limits then."""
    bone = _end_bone(motion.skeleton, flip.joint)
    if bone is None:
        return None
    rotations = motion.rotations[flip.first : flip.last + 1].copy()
    half = rot.from_axis_angle(bone, np.pi)
    rotations[:, flip.joint] = rot.multiply(rotations[:, flip.joint], half)
    excess = fit_body(motion.skeleton).limits.excess(rotations)[:, flip.joint]
    return rotations[:, flip.joint] if excess.max() <= STRAY_RAD else None


def _end_bone(skeleton: Skeleton, joint: int) -> FloatArray | None:
    """Direction ``(3,)`` of the bone of a joint without children, in its frame."""
    if (skeleton.parents == joint).any() or joint not in skeleton.tip_joints:
        return None
    tip = skeleton.tip_offsets[skeleton.tip_joints == joint][0]
    length = np.linalg.norm(tip)
    return np.asarray(tip / length) if length > 1e-6 else None
