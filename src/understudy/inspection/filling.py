"""Filling gaps in rotation and position tracks from the good frames on both sides."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.typing import FloatArray

#: [rad] a curved bridge may lean out this far at its ends; beyond, the straight one is safer.
MAX_LEAN_RAD = 1.0


def fill_rotations(track: FloatArray, first: int, last: int, *, curved: bool = True) -> FloatArray:
    """Rotations ``(last - first + 1, ..., 4)`` that bridge a gap in ``(frames, ..., 4)``.

    A gap at either end of the track is filled with the nearest good frame. Curved bridges also keep the angular
    velocity on both sides (a cubic in the tangent space of the last good frame), straight ones turn evenly.
    """
    before, after = first - 1, last + 1
    count = last - first + 1
    if before < 0 or after >= len(track):
        good = track[after] if before < 0 else track[before]
        return np.repeat(good[None], count, axis=0)
    share = np.arange(1, count + 1) / (count + 1)
    share = share.reshape((-1,) + (1,) * (track.ndim - 2))
    straight = rot.slerp(track[before][None], track[after][None], share)
    if not curved or before < 1 or after + 1 >= len(track):
        return straight
    leave, arrive = (
        (count + 1) * rot.log(rot.multiply(rot.conjugate(track[i]), track[i + 1])) for i in (before - 1, after)
    )
    turn = rot.log(rot.multiply(rot.conjugate(track[before]), track[after]))
    bridge = rot.multiply(track[before][None], rot.exp(_cubic(turn, leave, arrive, share[..., None])))
    lean = np.maximum(np.linalg.norm(leave - turn, axis=-1), np.linalg.norm(arrive - turn, axis=-1))
    chosen = np.where((lean < MAX_LEAN_RAD)[None, ..., None], bridge, straight)
    return rot.aligned(chosen, track[before][None])


def fill_positions(track: FloatArray, first: int, last: int) -> FloatArray:
    """Positions ``(last - first + 1, 3)`` that bridge a gap in ``(frames, 3)``; ends as in :func:`fill_rotations`."""
    before, after = first - 1, last + 1
    count = last - first + 1
    if before < 0 or after >= len(track):
        return np.repeat((track[after] if before < 0 else track[before])[None], count, axis=0)
    share = (np.arange(1, count + 1) / (count + 1))[:, None]
    travel = track[after] - track[before]
    if before < 1 or after + 1 >= len(track):
        return np.asarray(track[before] + share * travel)
    leave, arrive = ((count + 1) * (track[i + 1] - track[i]) for i in (before - 1, after))
    return np.asarray(track[before] + _cubic(travel, leave, arrive, share))


def _cubic(way: FloatArray, leave: FloatArray, arrive: FloatArray, share: FloatArray) -> FloatArray:
    """Hermite curve from 0 to ``way`` with the given end velocities (per whole gap)."""
    s = share
    return np.asarray(s * (1 - s) ** 2 * leave[None] + s**2 * (3 - 2 * s) * way[None] + s**2 * (s - 1) * arrive[None])
