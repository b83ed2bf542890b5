"""Keeping a limb's end on moving poses: frame by frame, or a little farther from something at every step."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.kinematics._inputs import frozen
from understudy.limbs.window import Window
from understudy.typing import FloatArray


def followed(
    window: Window,
    start: FloatArray,
    times_s: FloatArray,
    places: FloatArray,
    turns: FloatArray | None,
    *,
    point: FloatArray | None = None,
    lenient: bool = False,
) -> FloatArray:
    """Offsets ``(n, parameters)`` that keep a limb's end on poses, each found from the one before; until one is missed.

    Args:
        window: The limb.
        start: ``(parameters,)`` [rad] of the posture to begin with, not as an offset.
        times_s: ``(n,)`` moments within the window [s].
        places: ``(n, 3)`` [m] where the end has to be.
        turns: ``(n, 4)`` how the end joint is turned in the world; free unless given.
        point: ``(3,)`` [m] what has to be there, in the end joint's frame; the joint itself unless given.
        lenient: Whether the end may turn as it likes where it cannot be turned as asked.
    """
    from understudy.limbs._ik_kernels import follow

    at, turned = window.parents(times_s)
    goals, found = np.zeros((len(times_s), 10)), np.empty((len(times_s), len(window.space)))
    goals[:, :3] = rot.rotate(rot.conjugate(turned), places - at)
    goals[:, 3:7] = rot.conjugate(turned) if turns is None else rot.multiply(rot.conjugate(turned), turns)
    goals[:, 7:] = 0.0 if point is None else point
    clips, wanted = frozen(window.parameters(times_s)), turns is not None
    asked = frozen(start), frozen(times_s), frozen(goals), wanted, lenient
    return found[: int(follow(window.setting, window.scratch, clips, *asked, found))]


def tracked(
    window: Window, start: FloatArray, frames: range, poses: tuple[FloatArray, FloatArray]
) -> FloatArray | None:
    """Offsets ``(frames, parameters)`` that keep a hand joint on poses at frames, or nothing where one is missed.

    Args:
        window: The limb; its frames hold all of ``frames``.
        start: ``(parameters,)`` [rad] offset at the first of them, or nearly.
        frames: Which frames.
        poses: World positions ``(frames, 3)`` and rotations ``(frames, 4)`` of the hand joint.
    """
    times = window.frame_times_s[[frame - window.first for frame in frames]]
    found = followed(window, window.parameters(times[:1])[0] + start, times, *poses)
    return found if len(found) == len(frames) else None
