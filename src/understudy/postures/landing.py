"""Feet and hands that leave the floor, move above it and come back to it, and never pass through it.

The way between two postures moves all joints together, so a foot that is lifted is also dragged along the floor before
it is in the air, and one whose body rolls on the floor may sink into it. Here an end of a limb is raised as soon as it
moves over the floor: it goes where it went, only higher where it was low. The limb follows by inverse kinematics within
its limits; the rest of the body stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.kinematics import WorldTransforms, motion_world
from understudy.kinematics._inputs import frozen
from understudy.kinematics.hold import hold_end
from understudy.postures.space import PostureSpace
from understudy.postures.tables import PinArrays
from understudy.postures.world import new_room
from understudy.typing import FloatArray

#: [m] ends no higher in a key posture stand there.
_STANDS_M = 0.01
#: [m] how high a foot is lifted at most, how many times as far as it has moved, and [m] from where on.
_LIFT_M, _SLOPE, _REST_M = 0.08, 20.0, 0.0015
#: [m] less is no lift; length of a foot, over which its turning counts.
_LEAST_M, _FOOT_M = 1e-6, 0.1
#: [m] how softly an end that would sink into the floor is kept above it.
_SOFT_M = 0.003


@dataclass(frozen=True, kw_only=True)
class _End:
    """An end of a limb: three joints that follow it, its capsules, whether its turn is kept, whether it is a foot."""

    chain: tuple[int, int, int]
    parts: tuple[int, ...]
    turned: bool
    foot: bool


def without_dragging(
    body: Body, motion: Motion, key_frames: Sequence[int], *, held: Sequence[int] = (), rolling: bool = False
) -> Motion:
    """The motion with feet that are lifted off the floor and put down on it.

    Args:
        body: Whose feet and hands.
        motion: On the floor.
        key_frames: The first frame, those of the key postures in between, and the last.
        held: Joints that are pinned; their limbs are left alone.
        rolling: Whether the trunk carries the body, so that feet and hands may have sunk into the floor.
    """
    ends = [_end(body, side, "leg", turned=not rolling) for side in ("left", "right")]
    if rolling:
        ends += [_end(body, side, "arm", turned=False) for side in ("left", "right")]
    out = motion
    for end in ends:
        if set(end.chain) & set(held) or set(body.capsule_joints[list(end.parts)].tolist()) & set(held):
            continue
        world = motion_world(out)
        low = _heights(body, end, world)
        up = _sunk(low, key_frames) if rolling else np.zeros(len(out))
        if end.foot:
            up = np.maximum(up, _dragged(world, end, low, key_frames))
        if up.max() > 0.0:
            out = _raised(body, out, world, end, up)
    return out


def _dragged(world: WorldTransforms, end: _End, low: FloatArray, key_frames: Sequence[int]) -> FloatArray:
    """``(frames,)`` how much higher a foot has to be where it moves over the floor [m].

    It rises with how far it is from where it stands in the key postures before and after; where it stands in none of
    them, it is in the air.
    """
    ankle = end.chain[2]
    # Two points of a rigid foot tell its turning too.
    ahead = rot.rotate(world.rotations[:, ankle], np.array([0.0, 0.0, _FOOT_M]))
    points = np.stack([world.positions[:, ankle], world.positions[:, ankle] + ahead], axis=1)[..., [0, 2]]
    up = np.zeros(len(low))
    for first, last in pairwise(key_frames):
        frames = np.arange(first, last + 1)
        stands = [key for key in (first, last) if low[key] <= _STANDS_M]
        if not stands:
            continue
        wanted = np.full(len(frames), _LIFT_M)
        for key in stands:
            away = np.sqrt(((points[frames] - points[key]) ** 2).sum(axis=(1, 2)))
            # At rest a foot rests: the first millimetre hardly lifts it.
            wanted *= -np.expm1(-_SLOPE * away**2 / (away + _REST_M) / _LIFT_M)
        up[frames] = wanted * np.exp(-np.maximum(low[frames], 0.0) / _LIFT_M)
    return up


def _sunk(low: FloatArray, key_frames: Sequence[int]) -> FloatArray:
    """``(frames,)`` how much higher an end has to be not to sink into the floor [m]; nothing at keys."""
    up = _SOFT_M * np.logaddexp(0.0, -low / _SOFT_M)
    frames = np.arange(len(low))
    near = np.min([np.abs(frames - key) for key in key_frames], axis=0)
    wanted = np.maximum(-low, 0.0)
    share = np.clip(near / max(0.1 * len(low), 1.0), 0.0, 1.0)
    return np.where(low < 4.0 * _SOFT_M, wanted + share * (up - wanted), 0.0)


def _raised(body: Body, motion: Motion, world: WorldTransforms, end: _End, up: FloatArray) -> Motion:
    """The motion with an end of a limb higher by ``up (frames,)`` [m], as near as limits allow.

    A limb that ends up farther from there than it was is left as it was. One that would have to be longer turns
    instead. It is bent in closed form, which tells which way a straight one bends, and then brought within its limits.
    """
    from understudy.postures._limit_kernels import clamp
    from understudy.postures._pin_kernels import hold_pins

    tip, chain = end.chain[2], list(end.chain)
    base, before = world.positions[:, end.chain[0]], world.positions[:, tip]
    away = before + up[:, None] * np.array([0.0, 1.0, 0.0]) - base
    long, longest = (np.linalg.norm(v, axis=1, keepdims=True) for v in (away, before - base))
    places = base + away * np.minimum(longest / long, 1.0)
    bent = hold_end(motion, end.chain, places, world.rotations[:, tip])
    space = PostureSpace(body=body, reference=motion.rotations[0, 0])
    movable = np.zeros(space.size)
    for joint in chain:
        movable[3 + 3 * joint : 6 + 3 * joint] = 1.0
    arrays = space.arrays._replace(movable=frozen(movable))
    room, rotations = new_room(arrays), motion.rotations.copy()
    at = body.limits.coordinates(bent.motion.rotations)
    for n in np.flatnonzero(up > _LEAST_M):
        pins = PinArrays(
            indices=np.array([[tip, int(end.turned), 0, 1]]),
            numbers=np.concatenate([np.zeros(3), world.rotations[n, tip]])[None],
            curve=places[n][None],
        )
        q = np.concatenate([motion.root_positions[n], at[n].ravel()])
        q[3:6] = rot.log(rot.multiply(motion.rotations[n, 0], rot.conjugate(space.reference)))
        clamp(arrays.tree, arrays.joints, q)
        if hold_pins(arrays, pins, q, room) > up[n]:
            return motion
        solved = body.limits.rotations(q[3:].reshape(-1, 3))
        rotations[n, chain] = rot.aligned(solved[chain], motion.rotations[n, chain])
    return replace(motion, rotations=rotations)


def _heights(body: Body, end: _End, world: WorldTransforms) -> FloatArray:
    """``(frames,)`` height of the lowest point of an end [m]."""
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    bottoms = np.minimum(starts[..., 1], ends[..., 1]) - body.capsule_radii
    return np.asarray(bottoms[:, list(end.parts)].min(axis=1))


def _end(body: Body, side: str, limb: str, *, turned: bool) -> _End:
    roles, names = body.skeleton.humanoid, body.capsule_names
    bones = ("UpperLeg", "LowerLeg", "Foot") if limb == "leg" else ("UpperArm", "LowerArm", "Hand")
    wanted = ("foot", "toes") if limb == "leg" else ("hand", "forearm")
    upper, lower, tip = (roles[f"{side}{bone}"] for bone in bones)
    parts = tuple(k for k, name in enumerate(names) if name in {f"{side}_{part}" for part in wanted})
    return _End(chain=(upper, lower, tip), parts=parts, turned=turned, foot=limb == "leg")
