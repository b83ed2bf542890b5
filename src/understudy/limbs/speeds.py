"""How fast a limb may turn: by its clip or by recorded people, as the judge says; and how fast it is planned to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from weakref import WeakKeyDictionary

import numpy as np

from understudy import rotations as rot
from understudy.core.everyday import LimbPace, usual_pace
from understudy.core.fast_lengths import fast_length
from understudy.core.humanoid import LIMB_ROLES
from understudy.core.motion import Motion
from understudy.limbs.space import LimbSpace
from understudy.typing import FloatArray

#: How many times what is usual a limb may turn.
FACTOR = 1.5
#: [rad/s] fastest turn of an arm that reaches for a mug, low-passed. Limbs are planned to be as calm; this is no bar.
CALM_RAD_S = 2.2
_CUTOFF_HZ = 6.0
#: [s] how far the filter looks.
_REMEMBERED_S = 0.5
_PERCENTILE = 99.9

#: A limb's angular speed [rad/s], acceleration [rad/s^2] and jerk [rad/s^3] over time, low-passed.
Turns = tuple[FloatArray, FloatArray, FloatArray]

#: Paces of limbs by the clip they come from; motions never change.
_KNOWN: WeakKeyDictionary[Motion, dict[tuple[str, tuple[int, ...]], dict[str, Pace]]] = WeakKeyDictionary()
#: How fast joints of motions turn.
_TURNS: WeakKeyDictionary[Motion, dict[tuple[int, ...], Turns]] = WeakKeyDictionary()


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How fast a limb is planned to turn, and how fast it may.

    Attributes:
        speed: [rad/s] bar of the angular velocity of any of its joints, low-passed.
        acceleration: [rad/s^2] the same of angular acceleration.
        jerk: [rad/s^3] the same of angular jerk.
        calm: [rad/s] how fast offsets are planned to turn. It is slower than the bar, so that nobody looks hurried.
    """

    speed: float
    acceleration: float
    jerk: float
    calm: float


@lru_cache(maxsize=64)
def judged_limbs(space: LimbSpace) -> Mapping[str, tuple[int, ...]]:
    """Limbs as the judge groups them that a plan for this limb changes: name -> joints."""
    skeleton, moved = space.body.skeleton, set(space.joints)
    groups = {name: skeleton.limb(name) for name in LIMB_ROLES}
    return MappingProxyType({name: joints for name, joints in groups.items() if moved & set(joints)})


def pace(sources: Sequence[Motion], space: LimbSpace) -> dict[str, Pace]:
    """Paces of every judged limb, from the clips a motion was made from; what one clip says is remembered with it."""
    if len(sources) != 1:
        return _pace(sources, space)
    known, key = _KNOWN.setdefault(sources[0], {}), (space.name, space.joints)
    if key not in known:
        known[key] = _pace(sources, space)
    return dict(known[key])


def _pace(sources: Sequence[Motion], space: LimbSpace) -> dict[str, Pace]:
    paces = {}
    for name, joints in judged_limbs(space).items():
        speed, acceleration, jerk = (FACTOR * one for one in usual_turns(sources, name))
        calm = FACTOR * max(_percentile(sources, joints, 0), CALM_RAD_S)
        paces[name] = Pace(speed=speed, acceleration=acceleration, jerk=jerk, calm=calm)
    return paces


def usual_turns(sources: Sequence[Motion], limb: str, activity: str = "everyday") -> LimbPace:
    """What is usual for a limb: the larger of its clips' 99.9th percentile and what recorded people do.

    Args:
        sources: The clips, all of one skeleton.
        limb: A name in ``LIMB_ROLES``.
        activity: Which people: ``everyday`` or ``sport``.

    Returns:
        Speed [rad/s], acceleration [rad/s^2] and jerk [rad/s^3].
    """
    table = usual_pace(limb, activity)
    if not sources:
        return table
    joints = sources[0].skeleton.limb(limb)
    speed, acceleration, jerk = (max(_percentile(sources, joints, k), table[k]) for k in range(3))
    return speed, acceleration, jerk


def _percentile(sources: Sequence[Motion], joints: Sequence[int], kind: int) -> float:
    return float(np.percentile(np.concatenate([limb_turns(one, joints)[kind] for one in sources]), _PERCENTILE))


def limb_turns(motion: Motion, joints: Sequence[int]) -> Turns:
    """Speed ``(frames - 1,)``, acceleration ``(frames - 2,)`` and jerk ``(frames - 3,)`` of the fastest joint."""
    known, key = _TURNS.setdefault(motion, {}), tuple(joints)
    if key not in known:
        known[key] = turns_of(motion.rotations[:, list(joints)], motion.fps)
    return known[key]


def turns_of(rotations: FloatArray, fps: float) -> Turns:
    """The same of local rotations ``(frames, joints, 4)``; zeros where there are too few frames."""
    if len(rotations) < 4:
        return np.zeros(1), np.zeros(1), np.zeros(1)
    turned = rot.log(rot.multiply(rotations[1:], rot.conjugate(rotations[:-1]))) * fps
    smooth = low_passed(turned, fps)
    speed, acceleration, jerk = (
        np.linalg.norm(np.diff(smooth, n=order, axis=0), axis=2).max(axis=1, initial=0.0) * fps**order
        for order in range(3)
    )
    return speed, acceleration, jerk


def low_passed(values: FloatArray, fps: float) -> FloatArray:
    """Values ``(frames, ...)`` through a second-order 6 Hz Butterworth filter run both ways."""
    count = len(values)
    if fps <= 2.1 * _CUTOFF_HZ or count < 4:
        return values
    pad = _padding(count, fps)
    rows = values.reshape(count, -1)
    # Longer at both ends by its point reflection, and level: what is periodic has no seam.
    longer = np.concatenate([2.0 * rows[0] - rows[pad:0:-1], rows, 2.0 * rows[-1] - rows[-2 : -2 - pad : -1]])
    ramp, gain = _filter(len(longer), fps)
    trend = longer[0] + ramp[:, None] * (longer[-1] - longer[0])
    smooth = np.fft.irfft(np.fft.rfft(longer - trend, axis=0) * gain[:, None], n=len(longer), axis=0) + trend
    return np.asarray(smooth[pad : pad + count].reshape(values.shape))


@lru_cache(maxsize=256)
def _padding(count: int, fps: float) -> int:
    """Values added at each end of ``count``: as long as the filter remembers, and a few more if that is quicker."""
    least = round(_REMEMBERED_S * fps)
    longer = (pad for pad in range(least, count) if fast_length(count + 2 * pad) == count + 2 * pad)
    return min(count - 1, next(longer, least))


@lru_cache(maxsize=64)
def _filter(count: int, fps: float) -> tuple[FloatArray, FloatArray]:
    """From 0 to 1 in ``count`` steps, and the gain of every frequency of as many values."""
    warped = np.tan(np.pi * np.clip(np.fft.rfftfreq(count), 0, 0.4999)) / np.tan(np.pi * _CUTOFF_HZ / fps)
    return np.linspace(0.0, 1.0, count), 1.0 / (1.0 + warped**4)


def joint_limits_rad_s(space: LimbSpace, paces: Mapping[str, Pace], share: float) -> FloatArray:
    """``(joints,)`` [rad/s] how fast the offset of each chain joint may turn: a share of its limb's calm pace."""
    limits = np.full(len(space.joints), np.inf)
    for name, joints in judged_limbs(space).items():
        for k, joint in enumerate(space.joints):
            if joint in joints:
                limits[k] = min(limits[k], share * paces[name].calm)
    return np.where(np.isfinite(limits), limits, share * FACTOR * CALM_RAD_S)


def needed_s(space: LimbSpace, offsets: FloatArray, speeds: FloatArray) -> FloatArray:
    """How long changes of the offset ``(n, parameters)`` [rad] take at least [s], at joint speeds [rad/s]."""
    turns = np.linalg.norm((offsets @ space.spread.T).reshape(len(offsets), len(speeds), 3), axis=2)
    return np.asarray((turns / speeds).max(axis=1, initial=0.0))
