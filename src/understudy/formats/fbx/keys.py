"""Keys of animation curves as version 6 and version 7 files spell them."""

from __future__ import annotations

from typing import Any

import numpy as np

from understudy.formats.fbx.curves import Curve
from understudy.formats.fbx.records import MalformedError, Record
from understudy.typing import FloatArray, IntArray

_CONSTANT, _LINEAR, _CUBIC = 0x2, 0x4, 0x8
_NEXT, _USER, _AUTOMATIC = 0x100, 0x400, 0x2000 | 0x4000
_WEIGHTED, _WEIGHTED_NEXT = 0x1000000, 0x2000000
#: Key times beyond this many seconds are damage.
_LATEST_S = 1e6
#: Slope letter of version 6 -> numbers that follow it.
_PARAMETERS = {"s": 2, "b": 2, "a": 0, "p": 2, "q": 2, "t": 3, "d": 1}
_WEIGHTS = {"n": 0, "a": 2, "l": 1, "r": 1, "c": 0}


def curve_of_record(record: Record, ticks: int) -> Curve | None:
    """The curve in an ``AnimationCurve`` record of version 7; ``None`` when it has no keys."""
    times, values = record.child("KeyTime").numbers(), record.child("KeyValueFloat").reals()
    count = min(len(times), len(values))
    if count == 0:
        return None
    flags = record.child("KeyAttrFlags").integers()
    data = record.child("KeyAttrDataFloat").numbers()
    repeats = np.clip(record.child("KeyAttrRefCount").integers(), 0, count)
    kinds = min(len(flags), len(data) // 4, len(repeats))
    which = np.repeat(np.arange(kinds), repeats[:kinds])[:count]
    if kinds == 0 or len(which) < count:
        flags, data, which = np.array([_LINEAR]), np.zeros(4, dtype="<f4"), np.zeros(count, dtype=np.int64)
    attributes = data[: len(data) // 4 * 4].reshape(-1, 4)
    # Text files write the bits of a number as a whole number.
    bits = attributes.astype("<i4") if attributes.dtype.kind == "i" else attributes.astype("<f4").view("<i4")
    reals = np.nan_to_num(np.ascontiguousarray(bits).view("<f4").astype(np.float64), posinf=0.0, neginf=0.0)
    packed = np.ascontiguousarray(bits[:, 2]).view("<u4")
    weights = np.stack([packed & 0xFFFF, packed >> 16], axis=1) * 1e-4
    tcb = ((flags[: len(reals)] & 0x200) > 0)[: len(weights)]
    weights[: len(tcb), 0] = np.where(tcb, np.clip(reals[: len(tcb), 2], -1e3, 1e3), weights[: len(tcb), 0])
    return _curve(times, ticks, values, flags[which], reals[which, :2], weights[which], record)


def curve_of_channel(record: Record, ticks: int) -> Curve | None:
    """The curve in a ``Channel`` record of version 6; ``None`` when it has no keys."""
    listed = record.child("Key").values
    version = int(record.child("KeyVer").number(0, 4005))
    rows, at = [], 0
    while at + 2 < len(listed):
        row, at = _key(listed, at, version)
        rows.append(row)
    if not rows:
        return None
    try:
        table = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise MalformedError("a key of an animation is not made of numbers") from error
    flags = table[:, 2].astype(np.int64)
    return _curve(table[:, 0], ticks, table[:, 1], flags, table[:, 3:5], table[:, 5:7], record)


def _key(listed: list[Any], at: int, version: int) -> tuple[list[Any], int]:
    """One key as time, value, flags, two slopes, two weights; and where the next begins."""
    mode, at, row = _letter(listed, at + 2), at + 3, [*listed[at : at + 2], _LINEAR, 0.0, 0.0, 0.0, 0.0]
    if mode == "C":
        row[2] = _CONSTANT
        if version >= 4004:
            row[2] |= _NEXT if _letter(listed, at) == "n" else 0
            at += 1
    elif mode == "U":
        slope = _letter(listed, at)
        if slope not in _PARAMETERS:
            raise MalformedError(f'a key has slopes of an unknown kind "{slope[:20]}"')
        row[2] = _CUBIC | (_USER if slope in "sb" else _AUTOMATIC)
        if slope in "sb":
            row[3:5] = listed[at + 1 : at + 3]
        at += 1 + _PARAMETERS[slope]
        late = version > 4004
        count = {"s": version != 4003, "b": version != 4003, "a": late, "t": 0, "d": 1}.get(slope, 1 + late)
        for _ in range(int(count)):
            weight = _letter(listed, at)
            if weight not in _WEIGHTS:
                raise MalformedError(f'a key has weights of an unknown kind "{weight[:20]}"')
            given = listed[at + 1 : at + 1 + _WEIGHTS[weight]]
            at += 1 + _WEIGHTS[weight]
            if weight in ("a", "r") and given:
                row[2], row[5] = row[2] | _WEIGHTED, given[0]
            if weight in ("a", "l") and given:
                row[2], row[6] = row[2] | _WEIGHTED_NEXT, given[-1]
    elif mode != "L":
        raise MalformedError(f'a key is of an unknown kind "{mode[:20]}"')
    if len(row) != 7:
        raise MalformedError("the keys of an animation are cut short")
    return row, at


def _letter(listed: list[Any], at: int) -> str:
    value = listed[at] if at < len(listed) else ""
    return chr(value) if isinstance(value, int) and 0 < value < 128 else str(value)


def _curve(
    ticks_at: Any,
    ticks: int,
    values: FloatArray,
    flags: IntArray,
    slopes: FloatArray,
    weights: FloatArray,
    record: Record,
) -> Curve:
    times = np.asarray(ticks_at, dtype=np.float64)[: len(values)] / ticks
    values = values[: len(times)]
    table = (times, values, slopes, weights)
    if not all(np.isfinite(one).all() and np.abs(one).max(initial=0.0) < 1e30 for one in table):
        raise MalformedError("a key of an animation is not a finite number")
    if np.abs(times).max() > _LATEST_S:
        raise MalformedError(
            f"a key of an animation lies at {times[np.abs(times).argmax()]:g} s; allowed: up to {_LATEST_S:g}"
        )
    order = np.argsort(times, kind="stable")
    beyond = [
        _letter(record.child(name).child("Type").values, 0) for name in ("Pre-Extrapolation", "Post-Extrapolation")
    ]
    return Curve(times[order], values[order], flags[order], slopes[order], np.clip(weights[order], -1e3, 1e3), *beyond)
