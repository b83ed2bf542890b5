"""How fast a limb may turn: by its clip, or by a person reaching without haste (quality.md, smoothness)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from weakref import WeakKeyDictionary

import numpy as np

from understudy.core.humanoid import LIMB_ROLES
from understudy.core.motion import Motion
from understudy.kinematics._inputs import frozen
from understudy.limbs.space import LimbSpace
from understudy.typing import FloatArray

#: [rad/s], [rad/s^2] 99.9th percentiles of a person reaching for a mug, low-passed.
UNHURRIED = (2.2, 26.0)
#: A limb that stays below these in its clip stands still, which is no measure of how fast it may reach.
STILL = (0.8, 10.0)
#: How many times its source's 99.9th percentile a limb may turn.
FACTOR = 1.5
_CUTOFF_HZ = 6.0
#: [s] how far the filter looks.
_REMEMBERED_S = 0.5
_PERCENTILE = 99.9


#: Bars of limbs by the clip they come from; motions never change.
_KNOWN: WeakKeyDictionary[Motion, dict[tuple[str, tuple[int, ...], bool], dict[str, Pace]]] = WeakKeyDictionary()
#: How fast joints of motions turn.
_TURNS: WeakKeyDictionary[Motion, dict[tuple[int, ...], tuple[FloatArray, FloatArray]]] = WeakKeyDictionary()


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Bars for a limb's turns.

    Attributes:
        speed: [rad/s] largest angular velocity of any of its joints, low-passed.
        acceleration: [rad/s^2] the same of angular acceleration.
    """

    speed: float
    acceleration: float


@lru_cache(maxsize=64)
def judged_limbs(space: LimbSpace) -> Mapping[str, tuple[int, ...]]:
    """Limbs as the judge groups them that a plan for this limb changes: name -> joints."""
    skeleton, moved = space.body.skeleton, set(space.joints)
    groups = {name: skeleton.limb(name) for name in LIMB_ROLES}
    return MappingProxyType({name: joints for name, joints in groups.items() if moved & set(joints)})


def pace(sources: Sequence[Motion], space: LimbSpace, *, reaching: bool = False) -> dict[str, Pace]:
    """Bars of every judged limb, from the clips a motion was made from; what one clip says is remembered with it.

    Args:
        sources: The clips.
        space: The limb.
        reaching: Whether the limb reaches for something, which is not slower than an unhurried reach anywhere.
    """
    if len(sources) == 1:
        known = _KNOWN.setdefault(sources[0], {})
        key = (space.name, space.joints, reaching)
        if key not in known:
            known[key] = _pace(sources, space, reaching=reaching)
        return dict(known[key])
    return _pace(sources, space, reaching=reaching)


def _pace(sources: Sequence[Motion], space: LimbSpace, *, reaching: bool) -> dict[str, Pace]:
    bars = {}
    for name, joints in judged_limbs(space).items():
        speed, acceleration = usual_turns(sources, joints, reaching=reaching)
        bars[name] = Pace(speed=FACTOR * speed, acceleration=FACTOR * acceleration)
    return bars


def usual_turns(sources: Sequence[Motion], joints: Sequence[int], *, reaching: bool = False) -> tuple[float, float]:
    """The 99.9th percentiles of a limb's speed [rad/s] and acceleration in its clips.

    An unhurried reach's if the limb stands still in them; where it reaches, at least an unhurried reach's.
    """
    turns = [limb_turns(source, joints) for source in sources]
    usual = [float(np.percentile(np.concatenate([one[k] for one in turns]), _PERCENTILE)) for k in (0, 1)]
    if usual[0] < STILL[0]:
        return UNHURRIED
    if reaching:
        return max(usual[0], UNHURRIED[0]), max(usual[1], UNHURRIED[1])
    return usual[0], max(usual[1], STILL[1])


def limb_turns(motion: Motion, joints: Sequence[int]) -> tuple[FloatArray, FloatArray]:
    """Angular speed ``(frames - 1,)`` [rad/s] and acceleration ``(frames - 2,)`` of the fastest joint, low-passed."""
    known, key = _TURNS.setdefault(motion, {}), tuple(joints)
    if key not in known:
        known[key] = turns_of(motion.rotations[:, list(joints)], motion.fps)
    return known[key]


def turns_of(rotations: FloatArray, fps: float) -> tuple[FloatArray, FloatArray]:
    """The same of local rotations ``(frames, joints, 4)``."""
    from understudy.limbs._rate_kernels import fastest_turns, turn_rates

    frames, joints = rotations.shape[:2]
    if frames < 3:
        return np.zeros(1), np.zeros(1)
    rates = np.empty((joints, 3, frames - 1))
    turn_rates(frozen(rotations), fps, rates)
    smooth = _low_passed_rows(rates.reshape(3 * joints, frames - 1), fps).reshape(rates.shape)
    speeds, accelerations = np.empty(frames - 1), np.empty(frames - 2)
    fastest_turns(smooth, fps, speeds, accelerations)
    return speeds, accelerations


def low_passed(values: FloatArray, fps: float) -> FloatArray:
    """Values ``(frames, ...)`` through a second-order 6 Hz Butterworth filter run both ways."""
    rows = np.ascontiguousarray(values.reshape(len(values), -1).T)
    return np.asarray(_low_passed_rows(rows, fps).T.reshape(values.shape))


def _low_passed_rows(rows: FloatArray, fps: float) -> FloatArray:
    """The same of rows ``(n, frames)``."""
    from understudy.limbs._rate_kernels import levelled

    count = rows.shape[1]
    if fps <= 2.1 * _CUTOFF_HZ or count < 4:
        return rows
    pad = _padding(count, fps)
    ramp, gain = _filter(count + 2 * pad, fps)
    level, trend = np.empty((len(rows), count + 2 * pad)), np.empty(rows.shape)
    levelled(rows, ramp, level, trend)
    trend += np.fft.irfft(np.fft.rfft(level) * gain, n=count + 2 * pad)[:, pad : pad + count]
    return trend


@lru_cache(maxsize=256)
def _padding(count: int, fps: float) -> int:
    """Values added at each end of ``count``: as long as the filter remembers, and a few more if that is quicker."""
    from scipy.fft import next_fast_len

    least = round(_REMEMBERED_S * fps)
    longer = (pad for pad in range(least, count) if next_fast_len(count + 2 * pad, real=True) == count + 2 * pad)
    return min(count - 1, next(longer, least))


@lru_cache(maxsize=64)
def _filter(count: int, fps: float) -> tuple[FloatArray, FloatArray]:
    """From 0 to 1 in ``count`` steps, and the gain of every frequency of as many values."""
    warped = np.tan(np.pi * np.clip(np.fft.rfftfreq(count), 0, 0.4999)) / np.tan(np.pi * _CUTOFF_HZ / fps)
    return np.linspace(0.0, 1.0, count), 1.0 / (1.0 + warped**4)


def joint_limits_rad_s(space: LimbSpace, bars: dict[str, Pace], share: float) -> FloatArray:
    """``(joints,)`` [rad/s] how fast the offset of each chain joint may turn: a share of its limb's bar."""
    limits = np.full(len(space.joints), np.inf)
    for name, joints in judged_limbs(space).items():
        for k, joint in enumerate(space.joints):
            if joint in joints:
                limits[k] = min(limits[k], share * bars[name].speed)
    return np.where(np.isfinite(limits), limits, share * FACTOR * UNHURRIED[0])
