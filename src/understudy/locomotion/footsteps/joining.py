"""One motion after another without a jump: what differs where they meet fades away, and the feet stay where they are.

The second motion begins where the first ends. The difference in place, turns and their rates at the seam is added to
the second and fades within half a second by a polynomial that has no jump in place, speed or acceleration; legs
are then solved so that feet are where the second motion has them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.kinematics import motion_world
from understudy.kinematics.hold import hold_end
from understudy.locomotion.footsteps.footing import SIDES
from understudy.typing import FloatArray

#: [s] within which a difference fades: of arms at least, and of the body, before a foot is lifted.
FADE_S, _BODY_S = 0.6, 0.32


def joined(first: Motion, second: Motion, *, fade_s: float = FADE_S, with_arms: bool = True) -> Motion:
    """The first motion, then the second without its first frame, which stands for the first one's last.

    Args:
        first: Ends at rest, or nearly so.
        second: Begins there, with the same feet on the floor.
        fade_s: How long a difference takes to fade [s].
        with_arms: Whether arms continue too: those that carry something together do already.
    """
    if len(second) < 2:
        return first
    if len(first) < 2:
        return second
    eased = continued(first, second, fade_s=fade_s, with_arms=with_arms)
    return replace(
        first,
        root_positions=np.concatenate([first.root_positions, eased.root_positions[1:]]),
        rotations=rot.continuous(np.concatenate([first.rotations, eased.rotations[1:]])),
    )


def continued(first: Motion, second: Motion, *, fade_s: float = FADE_S, with_arms: bool = True) -> Motion:
    """The second motion, changed at its beginning so that it continues the first.

    Args:
        first: What was done before.
        second: What is done next.
        fade_s: How long a difference in the arms takes to fade [s].
        with_arms: Whether arms continue too, and not only the body.
    """
    dt = 1.0 / second.fps
    local, root = second.rotations.copy(), second.root_positions.copy()
    away = rot.log(_nearest(rot.multiply(rot.conjugate(local[0]), first.rotations[-1])))
    turning = _rates(first.rotations[-2], first.rotations[-1], dt) - _rates(local[0], local[1], dt)
    gap = first.root_positions[-1] - root[0]
    pace = (first.root_positions[-1] - first.root_positions[-2] - root[1] + root[0]) / dt
    arms = arm_joints(second.skeleton)
    body = [joint for joint in range(len(second.skeleton)) if joint not in arms]
    frames = _frames(second, _BODY_S)
    spans = [(body, frames)]
    if with_arms:
        spans.append((arms, _frames(second, max(fade_s, _BODY_S))))
    for joints, lasts in spans:
        at, rate = fading(np.arange(lasts) / (lasts - 1), (lasts - 1) * dt)
        vectors = at[:, None, None] * away[joints] + rate[:, None, None] * turning[joints]
        local[:lasts, joints] = rot.multiply(local[:lasts, joints], rot.exp(vectors))
    at, rate = fading(np.arange(frames) / (frames - 1), (frames - 1) * dt)
    root[:frames] += at[:, None] * gap + rate[:, None] * pace
    moved = replace(second, root_positions=root, rotations=rot.normalize(local))
    return _with_feet_of(first, second, moved, at)


def _frames(motion: Motion, lasts_s: float) -> int:
    return min(len(motion), max(2, round(lasts_s * motion.fps) + 1))


def arm_joints(skeleton: Skeleton) -> list[int]:
    """Every joint from the collar bones on."""
    roots = {skeleton.humanoid[role] for side in SIDES for role in (f"{side}Shoulder",) if role in skeleton.humanoid}
    roots |= {skeleton.humanoid[f"{side}UpperArm"] for side in SIDES}
    found: list[int] = []
    for joint in range(len(skeleton)):
        if joint in roots or int(skeleton.parents[joint]) in found:
            found.append(joint)
    return found


def fading(share: FloatArray, lasts_s: float) -> tuple[FloatArray, FloatArray]:
    """What is left of a difference and of a difference in speed [s]: quintics, at rest at the end."""
    s = share
    gap = 1.0 - 10.0 * s**3 + 15.0 * s**4 - 6.0 * s**5
    pace = lasts_s * (s - 6.0 * s**3 + 8.0 * s**4 - 3.0 * s**5)
    return gap, pace


def _rates(before: FloatArray, after: FloatArray, dt: float) -> FloatArray:
    """``(joints, 3)`` [rad/s] in each joint's own frame."""
    return np.asarray(rot.log(_nearest(rot.multiply(rot.conjugate(before), after))) / dt)


def _nearest(turns: FloatArray) -> FloatArray:
    """Quaternions with a positive real part: the shorter way round."""
    return np.asarray(turns * np.where(turns[..., :1] < 0.0, -1.0, 1.0))


def _with_feet_of(first: Motion, given: Motion, moved: Motion, left: FloatArray) -> Motion:
    """The moved motion with the feet of the given one, in its first frames.

    What a foot is away from there at the seam, such as one that has not come down yet, fades as ``left`` ``(frames,)``
    says: a foot never jumps.
    """
    frames = len(left)
    head = moved.frames(0, frames)
    world = motion_world(given.frames(0, frames))
    before = motion_world(first.frames(len(first) - 1, len(first)))
    for side in SIDES:
        chain = leg_of(given.skeleton, side)
        end = chain[2]
        gap = before.positions[0, end] - world.positions[0, end]
        turn = rot.log(_nearest(rot.multiply(rot.conjugate(world.rotations[0, end]), before.rotations[0, end])))
        turns = rot.multiply(world.rotations[:, end], rot.exp(left[:, None] * turn))
        head = hold_end(head, chain, world.positions[:, end] + left[:, None] * gap, turns).motion
    rotations = moved.rotations.copy()
    rotations[:frames] = head.rotations
    return replace(moved, rotations=rotations)


def leg_of(skeleton: Skeleton, side: str) -> tuple[int, int, int]:
    """Hip, knee and ankle joints of a leg."""
    roles = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
    return tuple(skeleton.humanoid[role] for role in roles)  # type: ignore[return-value]
