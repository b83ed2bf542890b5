"""The holding hand of somebody at a door: exactly on the lever, and postures a little off it before and after."""

from __future__ import annotations

import numpy as np

from understudy.kinematics import WorldTransforms, forward
from understudy.limbs.space import limb_space
from understudy.skills.arm_route import Bound, Moving
from understudy.skills.door.grip import Grip, Lever
from understudy.skills.door.timing import Timeline
from understudy.typing import FloatArray

#: [s] how long a reach may take, and how long before and after the hold a hand may touch the lever.
REACH_S, TOUCH_S = 1.3, 0.15
#: [s] how long before and after the hold postures off the lever are offered.
_OFFERED_S = 0.5
#: [m] off the leaf, up and towards its edge: where a hand may be that comes to a lever or leaves it.
_OFFSETS = np.array(
    [
        [0.03, 0.01, 0.0],
        [0.06, 0.03, 0.0],
        [0.10, 0.04, 0.0],
        [0.15, 0.05, 0.0],
        [0.08, -0.03, 0.0],
        [0.05, 0.08, 0.0],
        [0.02, 0.02, 0.07],
        [0.03, 0.03, 0.14],
        [0.02, 0.04, 0.22],
        [0.08, 0.04, 0.14],
        [-0.03, 0.04, 0.28],
    ]
)
#: Share of its length to which an arm may be stretched off the lever.
_STRETCHED = 0.93


def bound_on(moving: Moving, when: Timeline, grip: Grip, lever: Lever) -> Bound:
    """The arm while the hand holds, comes to the lever and leaves it."""
    figure = moving.figure
    first, last = _span(when, grip)
    frames = np.arange(first, last + 1)
    local = moving.local[frames].copy()
    world = forward(figure.skeleton, moving.root[frames], local)
    hand = grip.hand(figure, world, when.hand, lever.at(frames))
    figure.put_arm(local, world, when.hand, hand)
    space = limb_space(figure.body, f"{when.hand}_arm")
    return Bound(first=first, last=last, coordinates=np.unwrap(space.coordinates(local), axis=0))


def _span(when: Timeline, grip: Grip) -> tuple[int, int]:
    """First and last frame of a grip, in which the hand comes to the lever, holds it and leaves it."""
    first, last = round(when.grab_s * when.fps), round(when.release_s * when.fps)
    near = (len(grip.yaw) - 1 - (last - first)) // 2
    return first - near, last + near


def offered(moving: Moving, when: Timeline, grip: Grip, lever: Lever) -> FloatArray:
    """``(frames, postures, 9)`` postures off the lever [rad] around the hold; not a number elsewhere."""
    fps, figure = moving.fps, moving.figure
    space = limb_space(figure.body, f"{when.hand}_arm")
    first, last = _span(when, grip)
    near = round(_OFFERED_S * fps)
    frames = np.concatenate([np.arange(first - near, first), np.arange(last + 1, last + near + 1)])
    frames = frames[(frames >= 0) & (frames < len(moving.local))]
    out = np.full((len(moving.local), len(_OFFSETS), 3 * len(space.joints)), np.nan)
    local = moving.local[frames]
    world = forward(figure.skeleton, moving.root[frames], local)
    sitting = grip.at(frames - first)
    shoulder = world.positions[:, figure.skeleton.humanoid[f"{when.hand}UpperArm"]]
    for n, (off, up, aside) in enumerate(_OFFSETS):
        where = lever.grips[frames] - off * lever.into[frames] + aside * lever.edge[frames]
        where[:, 1] += up
        hand = sitting.hand(figure, WorldTransforms(*world), when.hand, lever.at(frames)._replace(grips=where))
        placed = local.copy()
        figure.put_arm(placed, world, when.hand, hand)
        fits = np.linalg.norm(hand.wrist - shoulder, axis=1) < _STRETCHED * figure.arm_m
        out[frames, n] = np.where(fits[:, None], space.coordinates(placed), np.nan)
    return out
