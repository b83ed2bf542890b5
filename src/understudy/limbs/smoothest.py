"""The smoothest way along what a search found: certified again, and within the limb's pace ([Limbs])."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from understudy.core.planning import Status
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs.jitter import quieted
from understudy.limbs.legs import Found, Leg, Plan, failed_plan, offset_chain, windows_of
from understudy.limbs.options import LimbOptions
from understudy.limbs.smoothing import Pin, narrowed, on_frames, pinned, smoothed
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import Pace, judged_limbs, turns_of
from understudy.limbs.stage import Stage
from understudy.limbs.tables import FREE
from understudy.typing import BoolArray, FloatArray, IntArray

#: Of a limb's velocity, acceleration and jerk.
_UNITS = ("rad/s", "rad/s^2", "rad/s^3")
#: [s] how far the low-pass filter of speeds looks.
_REMEMBERED_S = 0.6
#: Width of the bumps that put a limb back exactly where it has to be, over the smoothing kernel's there.
_BUMP = 2.2
#: Times a smoothing is tried, each narrower where something was in the way: what is narrower mostly jumps. More
#: where the search itself kept little room [m].
_NARROWINGS, _MORE_NARROWINGS, _LITTLE_ROOM_M = 4, 6, 0.005


def smoothest(
    legs: Sequence[Leg], found: Sequence[Found], pace: Mapping[str, Pace], options: LimbOptions, widest_s: float
) -> Plan:
    """The widest smoothing that certifies and keeps the pace.

    The kernel is narrowed only where something is in the way, until the way found itself is followed there.
    """
    stage, space = legs[0].window.stage, legs[0].window.space
    first, last = legs[0].window.first, legs[-1].window.last
    times = stage.start_s + np.arange(first, last + 1) / stage.motion.fps
    rough = on_frames(np.concatenate([one.path for one in found]), times)
    exact = [leg for leg in legs if not leg.soft and (leg is not legs[-1] or np.any(leg.end))]
    pins = [Pin(time_s=leg.end_s, offset=leg.end) for leg in exact]
    made = _narrowest(legs, rough, times, pins, options, pace, widest_s)
    if made.met is not None:
        said = f"the way found cannot be smoothed: {made.met[0]} meets {made.met[1]}"
        return failed_plan(space, found, said)
    if made.slow:
        return replace(failed_plan(space, found, made.slow), hasty=True)
    return Plan(
        status=Status.SOLVED,
        space=space,
        first=first,
        offsets=made.offsets,
        found=tuple(found),
        width_s=float(made.widths.min()),
    )


class _Smoothed(NamedTuple):
    """Offsets ``(frames, parameters)`` [rad], widths ``(frames,)`` of their smoothing [s], and what is wrong with them.

    Nothing, what the limb meets, or that it is too fast.
    """

    offsets: FloatArray
    widths: FloatArray
    met: tuple[str, str] | None = None
    slow: str = ""


def _narrowest(
    legs: Sequence[Leg],
    rough: FloatArray,
    times: FloatArray,
    pins: Sequence[Pin],
    options: LimbOptions,
    pace: Mapping[str, Pace],
    widest_s: float,
) -> _Smoothed:
    """Offsets smoothed as widely as they meet nothing: narrower where something is in the way."""
    stage, space, first = legs[0].window.stage, legs[0].window.space, legs[0].window.first
    # The first bump is endless: mostly it does, and it is the gentlest.
    widths, bump = np.full(len(times), widest_s), np.inf
    offsets, met = rough, None
    for narrowings in range(_NARROWINGS if options.margin_m > _LITTLE_ROOM_M else _MORE_NARROWINGS):
        offsets = quieted(legs, smoothed(rough, times, widths), times)
        if pins:
            offsets = _exact(stage, space, first, offsets, times, pins, bump)
        slow = "" if narrowings else too_fast(stage, space, first, offsets, pace)
        if slow:
            return _Smoothed(offsets, widths, slow=slow)  # narrower kernels only make it faster
        touched, met = _touched(legs, offsets, first, options.kept_m)
        if met is None:
            return _Smoothed(offsets, widths, slow=too_fast(stage, space, first, offsets, pace) if narrowings else "")
        for pin in pins:
            # A bump that takes the limb into something is smaller where the kernel is narrower at its pin.
            if np.any(touched & (np.abs(times - pin.time_s) < bump)):
                touched |= np.abs(times - pin.time_s) <= times[1] - times[0]
        widths = narrowed(widths, times, touched)
        bump = _BUMP * min([widest_s, *(float(np.interp(pin.time_s, times, widths)) for pin in pins)])
    return _Smoothed(offsets, widths, met=met)


def _exact(
    stage: Stage,
    space: LimbSpace,
    first: int,
    offsets: FloatArray,
    times: FloatArray,
    pins: Sequence[Pin],
    widest_s: float,
) -> FloatArray:
    """Offsets that meet every pin, also between two frames, where the pose is interpolated by slerp."""
    from understudy.limbs._offset_kernels import change_between

    met = pinned(offsets, times, pins, widest_s)
    joints, now = frozen_indices(space.joints), np.empty(3 * len(space.joints))
    moved = []
    for pin in pins:
        place = min((pin.time_s - times[0]) * stage.motion.fps, len(times) - 1 - 1e-9)
        f, share = int(place), place - int(place)
        clip = stage.motion.rotations[first + f : first + f + 2]
        change_between(space.arrays, joints, frozen(clip), met[f : f + 2], share, now)
        missing = (pin.offset - space.driven @ now + np.pi) % (2.0 * np.pi) - np.pi
        moved.append(Pin(time_s=pin.time_s, offset=pin.offset + missing))
    return pinned(offsets, times, moved, widest_s)


def _touched(
    legs: Sequence[Leg], offsets: FloatArray, first: int, kept_m: float
) -> tuple[BoolArray, tuple[str, str] | None]:
    """``(frames,)`` where the limb would meet something when it follows offsets, and what it meets first or nothing."""
    touched, met = np.zeros(len(offsets), dtype=np.bool_), None
    for window in windows_of(legs):
        begin, stop = window.first - first, window.last - first + 1
        faults = np.zeros((stop - begin - 1, 3), dtype=np.int64)
        found = window.faults(offsets[begin:stop], window.frame_times_s, window.margin(kept_m), faults, all_frames=True)
        bad = np.flatnonzero(faults[:, 0] != FREE)
        if found >= 0 and met is None:
            met = window.pair_names(*faults[found].tolist())
        touched[begin + bad] = True
        touched[begin + bad + 1] = True
    return touched, met


def too_fast(stage: Stage, space: LimbSpace, first: int, offsets: FloatArray, pace: Mapping[str, Pace]) -> str:
    """Which limb turns faster than its pace allows; empty when none does."""
    # What lies farther away than the filter remembers is as fast as it was.
    around = round(_REMEMBERED_S * stage.motion.fps)
    begin, stop = max(first - around, 0), min(first + len(offsets) + around, len(stage.motion))
    joints, chain, limbs = _looked_at(space)
    rotations = np.take(stage.motion.rotations[begin:stop], joints, axis=1)
    offset_chain(rotations, chain, space, first - begin, offsets)
    for name, places in limbs.items():
        bar = pace[name]
        turns = turns_of(np.take(rotations, places, axis=1), stage.motion.fps)
        for series, most, unit in zip(turns, (bar.speed, bar.acceleration, bar.jerk), _UNITS, strict=True):
            if series.max() > most:
                return f"{name} would turn at {series.max():.4g} {unit}; {most:.4g} is the most its pace allows"
    return ""


@lru_cache(maxsize=64)
def _looked_at(space: LimbSpace) -> tuple[IntArray, IntArray, dict[str, IntArray]]:
    """Joints whose pace a plan may change, and at which places of them the chain is and every limb that is judged."""
    limbs = judged_limbs(space)
    joints = np.array(sorted({*space.joints, *(joint for one in limbs.values() for joint in one)}), dtype=np.int64)
    return (
        joints,
        np.searchsorted(joints, space.joints),
        {name: np.searchsorted(joints, own) for name, own in limbs.items()},
    )
