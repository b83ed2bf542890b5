"""What an arm does with what it has taken: goes back to the clip, or stays lifted where the load would touch something.

A constant offset from the clip keeps the clip's own swing. Once the hand is empty again the offset is taken back, and
later frames are the clip's own, bit for bit.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.motion import Motion
from understudy.limbs.options import LimbOptions
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.limbs.window import Window, window_of
from understudy.typing import FloatArray

#: Postures that are tried for carrying, and times as far as it is usual that the last of them are.
_TRIED, _FARTHEST = 1200, 2.5
#: Moments at which they are looked at first.
_MOMENTS = 9
#: [m] room they should have.
_ROOM_M = 0.012
#: [rad] offsets that differ by less are the same.
_SAME_RAD = 1e-6
#: Spread of the parameters tried [rad]: shoulders a little, elbows more and only bent further.
_SPREAD = {"shoulder_raise": 0.45, "shoulder_forward": 0.45, "shoulder_twist": 0.5, "elbow_flexion": 0.8}


def carried(
    stage: Stage, space: LimbSpace, frame: int, options: LimbOptions, lifted: FloatArray | None = None
) -> tuple[Window, FloatArray] | None:
    """How to carry on from a frame to the end of the motion with what the limb holds.

    Args:
        stage: Who, and what they hold.
        space: The limb.
        frame: From when on.
        options: How to search.
        lifted: ``(n, parameters)`` [rad] offsets of an arm on its way up, of which the last free one is kept.

    Returns:
        The window from there to the end, and the offset ``(parameters,)`` [rad] to keep in it, zero where the clip
        itself will do; nothing where no offset is free all the time.
    """
    last = len(stage.motion) - 1
    window = window_of(stage, space, frame, last)
    none, times = np.zeros((last - frame + 1, len(space))), window.frame_times_s
    if lifted is None and window.first_touch(none, times, options.kept_m) is None:
        return window, none[0]
    moments = np.linspace(window.start_s, window.end_s, _MOMENTS)
    for offset in _offsets(space, options.seed) if lifted is None else lifted[::-1]:
        if any(window.nearest(offset, float(when), within_m=_ROOM_M)[0] < _ROOM_M for when in moments):
            continue
        if any(window.limits_broken(offset, float(when)) for when in moments):
            continue
        if window.first_touch(none + offset, times, options.kept_m) is None:
            return window, offset
    return None


def _offsets(space: LimbSpace, seed: int) -> FloatArray:
    """``(n, parameters)`` offsets to try, small ones first."""
    random = np.random.default_rng(seed)
    spread = np.array([_SPREAD.get(name, 0.0) for name in space.names])
    found = random.normal(0.0, 1.0, size=(_TRIED, len(space))) * spread
    found *= np.linspace(1.0, _FARTHEST, _TRIED)[:, None]
    if "elbow_flexion" in space.names:
        k = space.index("elbow_flexion")
        found[:, k] = np.abs(found[:, k])
    return found[np.argsort(np.linalg.norm(found, axis=1), kind="stable")]


def home_offset(stage: Stage, space: LimbSpace, frame: int) -> FloatArray | None:
    """The offset ``(parameters,)`` [rad] that takes a limb back to its source from a frame on.

    Nothing where it is not the same at all later frames, as while an earlier plan is still under way.
    """
    motion, source = stage.motion.rotations[frame:], stage.source.rotations[frame:]
    chain = list(space.joints)
    if np.array_equal(motion[:, chain], source[:, chain]):
        return np.zeros(len(space))
    away = (space.parameters(source) - space.parameters(motion) + np.pi) % (2.0 * np.pi) - np.pi
    return None if np.abs(away - away[0]).max() > _SAME_RAD else np.asarray(away[0])


def gone_home(motion: Motion, source: Motion, space: LimbSpace, frame: int) -> Motion:
    """A motion whose limb is the source's from a frame on, bit for bit."""
    rotations, chain = np.array(motion.rotations), list(space.joints)
    rotations[frame:, chain] = source.rotations[frame:, chain]
    return replace(motion, rotations=rotations)
