"""Feet in the air, moved a little so that knees bend smoothly and legs reach.

The way of a swinging foot is a fitted curve bent to the footprints. Where the knee would be nearly straight a few
millimetres of it are many degrees; taking them off the foot's way costs nothing, taking them off the pelvis' height
would bend both knees all through the step.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.editing import smoothstep
from understudy.core.skeleton import Skeleton
from understudy.performer import curves
from understudy.performer.feet import FootTrack
from understudy.performer.legs import REACH, bones_m, flexion_rad, hip_places, length_m
from understudy.performer.settling import Pelvis
from understudy.performer.smooth_way import KNOWN, smooth_way_above
from understudy.typing import BoolArray, FloatArray

#: [m] a foot is brought nearer to the floor by no more than this; [s] and by nothing where it leaves or lands.
_LOWER_M, _NEAR_S = 0.012, 0.1


def calmed(skeleton: Skeleton, pelvis: Pelvis, feet: dict[str, FootTrack], *, fps: float) -> dict[str, FootTrack]:
    """Both feet, in the air moved along the line from the hip so that knees bend smoothly and legs are long enough.

    Args:
        skeleton: Who walks.
        pelvis: Where the hips are.
        feet: Both feet; standing ones stay exactly where they are.
        fps: Frames per second.
    """
    hips = dict(zip(curves.SIDES, hip_places(skeleton, pelvis.centre, pelvis.turn), strict=True))
    return {
        side: replace(foot, ankle=_calmed_ankle(skeleton, side, hips[side], foot, fps)) for side, foot in feet.items()
    }


def _calmed_ankle(skeleton: Skeleton, side: str, hip: FloatArray, foot: FootTrack, fps: float) -> FloatArray:
    """Ankle ``(frames, 3)`` [m] of one foot."""
    upper, lower = bones_m(skeleton, side)
    line = foot.ankle - hip
    far = np.linalg.norm(line, axis=1)
    bend = flexion_rad(far, upper, lower)
    longest = REACH * (upper + lower)
    out = foot.ankle.copy()
    for first, stop in _flights(foot.contact):
        if first < KNOWN or stop > len(far) - KNOWN:
            continue
        air = np.arange(first, stop)
        near = smoothstep((np.minimum(air - first, stop - 1 - air) + 1) / (_NEAR_S * fps))
        least = flexion_rad(np.minimum(far[air] + _LOWER_M * near, longest), upper, lower)
        before, after = bend[first - KNOWN : first], bend[stop : stop + KNOWN]
        gentle = smooth_way_above(bend[air], least, before, after, fps=fps)
        length = length_m(gentle, upper, lower)
        out[air] = hip[air] + line[air] * (length / np.maximum(far[air], 1e-9))[:, None]
    return out


def _flights(contact: BoolArray) -> list[tuple[int, int]]:
    """``(first, stop)`` frames of every way through the air."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], contact, [True]]).astype(np.int8)))
    return [(int(first), int(stop)) for first, stop in zip(edges[::2], edges[1::2], strict=True)]
