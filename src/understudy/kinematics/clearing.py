"""Limbs of a gait that pass beside the body and each other.

On some proportions a forearm swings into the hip, and where the pelvis turns over the standing foot a knee passes
through the other one. The upper arm is then held a little further away from the body, and the knees are turned a little
outwards about the lines from hips to ankles, all through the swing. Hands follow; feet stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.editing import raised
from understudy.core.reference_pose import t_pose_world
from understudy.core.segments import segments_apart
from understudy.core.skeleton import Skeleton
from understudy.kinematics.forward import forward
from understudy.typing import FloatArray, IntArray

#: [rad] the step by which it is tried how much turning helps; [m/rad] least gain that is counted on.
_STEP_RAD, _LEAST_GAIN = 0.02, 0.05
_PASSES = 3
#: [m] smaller shortfalls of room are ignored.
_ROUNDING_M = 1e-6
_ARM, _LEG = ("upper_arm", "forearm", "hand"), ("thigh", "shank", "foot", "toes")
_TRUNK = ("pelvis", "abdomen")
_AHEAD = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, kw_only=True)
class _Limb:
    """What is turned, what it has to pass, and how.

    Attributes:
        one: Capsules that move.
        two: Capsules they pass.
        turned: Rotations with the limb turned away by angles ``(frames,)``.
        room_m: The distance left between them [m].
        most_rad: It is turned by no more than this.
        swing_s: It is turned this long before and after it would touch: as long as a swing.
    """

    one: tuple[str, ...]
    two: tuple[str, ...]
    turned: Callable[[Skeleton, FloatArray, FloatArray, FloatArray], FloatArray]
    room_m: float
    most_rad: float
    swing_s: float


def clear_of_body(skeleton: Skeleton, root: FloatArray, local: FloatArray, *, fps: float) -> FloatArray:
    """Local rotations ``(frames, joints, 4)`` with knees apart and arms away from the body, as far as they need to be.

    Args:
        skeleton: Who moves.
        root: ``(frames, 3)`` root places [m].
        local: ``(frames, joints, 4)`` local rotations.
        fps: Frames per second.
    """
    for limb in _limbs():
        local = _cleared(limb, skeleton, root, local, fps)
    return local


def _cleared(limb: _Limb, skeleton: Skeleton, root: FloatArray, local: FloatArray, fps: float) -> FloatArray:
    pairs, half = _pairs(skeleton, limb.one, limb.two), max(1, round(limb.swing_s * fps))
    away, gaps = np.zeros(len(root)), _gaps_m(skeleton, root, local, pairs)

    def turned_gaps_m(frames: IntArray, turned_rad: FloatArray) -> FloatArray:
        part = limb.turned(skeleton, root[frames], local[frames], turned_rad)
        return _gaps_m(skeleton, root[frames], part, pairs)

    for _ in range(_PASSES):
        missing = limb.room_m - gaps
        if not (missing > _ROUNDING_M).any():
            break
        lacks = np.flatnonzero((missing > 0.0).any(axis=1))
        short = missing[lacks]
        gain = (turned_gaps_m(lacks, away[lacks] + _STEP_RAD) - gaps[lacks]) / _STEP_RAD
        more = np.where(short > 0.0, short / np.maximum(gain, _LEAST_GAIN), 0.0).max(axis=1)
        # Where turning brings the limb deeper into something else, it is left alone.
        more[((short > 0.0) & (gain < 0.0)).any(axis=1)] = 0.0
        wanted = away.copy()
        wanted[lacks] += more
        before, away = away, np.minimum(raised(wanted, half), limb.most_rad)
        changed = np.flatnonzero(away != before)
        gaps[changed] = turned_gaps_m(changed, away[changed])
    return limb.turned(skeleton, root, local, away)


def _arm(side: str) -> _Limb:
    def held(skeleton: Skeleton, root: FloatArray, local: FloatArray, away_rad: FloatArray) -> FloatArray:
        """Rotations with an upper arm turned outwards about where the chest faces."""
        if not away_rad.any():
            return local
        joint = skeleton.humanoid[f"{side}UpperArm"]
        above = int(skeleton.parents[joint])
        world = forward(skeleton, root, local).rotations
        chest = skeleton.humanoid.get("chest", skeleton.humanoid["spine"])
        ahead = rot.rotate(rot.multiply(world[:, chest], rot.conjugate(t_pose_world(skeleton)[1][chest])), _AHEAD)
        turn = rot.exp(ahead * (sign * away_rad)[:, None])
        out = local.copy()
        out[:, joint] = rot.multiply(rot.conjugate(world[:, above]), rot.multiply(turn, world[:, joint]))
        return out

    sign = 1.0 if side == "left" else -1.0
    arm = tuple(f"{side}_{part}" for part in _ARM)
    return _Limb(one=arm, two=(*_TRUNK, f"{side}_thigh"), turned=held, room_m=0.004, most_rad=0.4, swing_s=0.4)


def _spread(skeleton: Skeleton, root: FloatArray, local: FloatArray, out_rad: FloatArray) -> FloatArray:
    """Rotations with both knees turned outwards, hips and feet as they were."""
    if not out_rad.any():
        return local
    world, found = forward(skeleton, root, local), local.copy()
    for side, sign in (("left", -1.0), ("right", 1.0)):
        thigh, foot = (skeleton.humanoid[f"{side}{bone}"] for bone in ("UpperLeg", "Foot"))
        line = world.positions[:, foot] - world.positions[:, thigh]
        line /= np.maximum(np.linalg.norm(line, axis=1, keepdims=True), 1e-9)
        turn = rot.exp(line * (sign * out_rad)[:, None])
        above = world.rotations[:, int(skeleton.parents[thigh])]
        found[:, thigh] = rot.multiply(rot.conjugate(above), rot.multiply(turn, world.rotations[:, thigh]))
        before = rot.multiply(turn, world.rotations[:, int(skeleton.parents[foot])])
        found[:, foot] = rot.multiply(rot.conjugate(before), world.rotations[:, foot])
    return found


@lru_cache(maxsize=1)
def _limbs() -> tuple[_Limb, ...]:
    """Knees first: arms swing past the thighs."""
    left, right = (tuple(f"{side}_{part}" for part in _LEG) for side in ("left", "right"))
    knees = _Limb(one=left, two=right, turned=_spread, room_m=0.001, most_rad=0.3, swing_s=0.35)
    return knees, _arm("left"), _arm("right")


def _gaps_m(skeleton: Skeleton, root: FloatArray, local: FloatArray, pairs: IntArray) -> FloatArray:
    """``(frames, n)`` distance between each of the pairs ``(n, 2)`` of capsules [m]; below zero where they overlap."""
    body, world = _body(skeleton), forward(skeleton, root, local)
    used, which = np.unique(pairs, return_inverse=True)
    starts, ends = body.capsule_segments(world.positions, world.rotations, used)
    one, two = which.reshape(pairs.shape).T
    apart = segments_apart(starts[:, one], ends[:, one], starts[:, two], ends[:, two])
    return np.asarray(apart - body.capsule_radii[used[one]] - body.capsule_radii[used[two]])


@lru_cache(maxsize=64)
def _pairs(skeleton: Skeleton, one: tuple[str, ...], two: tuple[str, ...]) -> IntArray:
    """``(n, 2)`` capsules of both kinds, of those that must not overlap; the same order for every humanoid body."""
    body = _body(skeleton)
    apart = {frozenset(pair) for pair in body.self_pairs.tolist()}
    both = [(body.capsule(first), body.capsule(second)) for first in one for second in two]
    return np.array([pair for pair in both if frozenset(pair) in apart], dtype=np.int64).reshape(-1, 2)


@lru_cache(maxsize=8)
def _body(skeleton: Skeleton) -> Body:
    return fit_body(skeleton)
