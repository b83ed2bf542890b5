"""Feet leave the floor and come back to it without sliding.

The way between two postures moves all joints together, so a foot that is lifted is also dragged along the floor before
it is in the air. Here it is raised as soon as it moves over the floor: it goes where it went, only higher where it was
low, and the leg follows by inverse kinematics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.kinematics import WorldTransforms, motion_world
from understudy.kinematics.hold import hold_end
from understudy.typing import FloatArray, IntArray

_SIDES = ("left", "right")
#: [m] soles that are no higher in a key posture stand; feet that are somewhere higher than this leave the floor.
_STANDS_M, _LEAVES_M = 0.01, 0.04
#: [m] how high a foot is lifted at most, how many times as far as it has moved, and [m] from where on.
_LIFT_M, _SLOPE, _REST_M = 0.045, 20.0, 0.0015
#: [m] a leg that is farther from where its foot should be cannot follow.
_MISS_M = 0.001


def without_dragging(body: Body, motion: Motion, key_frames: Sequence[int], *, held: Sequence[int] = ()) -> Motion:
    """The motion with feet that are lifted off the floor and put down on it.

    Args:
        body: Whose soles.
        motion: On the floor.
        key_frames: The first frame, those of the key postures in between, and the last.
        held: Joints that are pinned; their feet are left alone.
    """
    out, roles = motion, body.skeleton.humanoid
    for side in _SIDES:
        hip, knee, ankle = (roles[f"{side}{part}"] for part in ("UpperLeg", "LowerLeg", "Foot"))
        ball = roles.get(f"{side}Toes", ankle)
        if {hip, knee, ankle, ball} & set(held):
            continue
        world = motion_world(out)
        low = _sole_heights(body, side, world)
        places = world.positions[:, ankle].copy()
        for frames in _lifted(low, key_frames):
            moved = world.positions[frames][:, [ankle, ball]] - world.positions[frames[0], [ankle, ball]]
            away = np.sqrt((moved[..., [0, 2]] ** 2).sum(axis=(1, 2)))
            # At rest a foot rests: the first millimetre hardly lifts it.
            wanted = _LIFT_M * -np.expm1(-_SLOPE * away**2 / (away + _REST_M) / _LIFT_M)
            places[frames, 1] += wanted * np.exp(-np.maximum(low[frames] - low[frames[0]], 0.0) / _LIFT_M)
        answer = hold_end(out, (hip, knee, ankle), places, world.rotations[:, ankle])
        if answer.error_m.max() <= _MISS_M:
            out = answer.motion
    return out


def _lifted(low: FloatArray, key_frames: Sequence[int]) -> Iterator[IntArray]:
    """Frames from every key in which a foot stands up to the next one, forwards and backwards, if it is lifted there.

    Where it stands in both, each has the frames on its own side of the highest one.
    """
    for first, last in pairwise(key_frames):
        top = first + int(low[first : last + 1].argmax())
        if low[top] < _LEAVES_M:
            continue
        stands = [low[key] <= _STANDS_M for key in (first, last)]
        if stands[0]:
            yield np.arange(first, (top if stands[1] else last) + 1)
        if stands[1]:
            yield np.arange(last, (top if stands[0] else first - 1), -1)


def _sole_heights(body: Body, side: str, world: WorldTransforms) -> FloatArray:
    """``(frames,)`` height of a sole's lowest point [m]."""
    parts = [k for k, name in enumerate(body.capsule_names) if name in (f"{side}_foot", f"{side}_toes")]
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    bottoms = np.minimum(starts[..., 1], ends[..., 1]) - body.capsule_radii
    return np.asarray(bottoms[:, parts].min(axis=1))
