"""Heels that rise when a leg left behind would be too long: as people do it, before the pelvis sinks.

A planted foot lies a little elsewhere than the gait's own one, and the leg to it is longer or shorter. Near the end of
a stance the heel makes up for that: it rises as far as gives the leg the length it has in the gait, and so early that
the knee does not bend all at once when the foot leaves the floor.
"""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.skeleton import Skeleton
from understudy.performer import curves
from understudy.performer.feet import FootTrack, model_ankle
from understudy.performer.foot_shape import FootShape
from understudy.performer.legs import REACH, bones_m, flexion_rad, hip_places, length_m
from understudy.performer.rolling import rolling_ankle
from understudy.performer.settling import Pelvis
from understudy.performer.smooth_way import CUTOFF_HZ
from understudy.performer.smoothing import gaussian
from understudy.performer.stances import Stances
from understudy.performer.style import Style
from understudy.performer.track import Track
from understudy.typing import FloatArray

#: [rad] a heel rises at most by this much more than in the gait.
_MOST_RAD = 0.45
#: Parts of a stance between which a heel comes to be free to rise.
_FREE = (0.42, 0.62)
#: [s] what a heel rose more is gone this long after the foot has left the floor.
_GONE_S = 0.22
_STEPS = 12
#: [s] smoothing that halves what legs do not do, as in :mod:`understudy.performer.smooth_way`.
_CALM_S = float(np.sqrt(0.5 * np.log(2.0))) / (np.pi * CUTOFF_HZ)


def heel_rise(
    track: Track,
    rows: FloatArray,
    skeleton: Skeleton,
    side: str,
    stances: Stances,
    foot: FootTrack,
    pelvis: tuple[Pelvis, Pelvis],
    shape: FootShape,
    style: Style,
) -> FloatArray:
    """``(frames,)`` how much more a foot is pitched near the end of its stances [rad].

    Args:
        track: Where the walker goes.
        rows: The gait's curves.
        skeleton: Who walks.
        side: Which foot.
        stances: Its stances.
        foot: The foot as planted so far.
        pelvis: The gait's own pelvis, and the one over the planted feet.
        shape: The foot's rolling points.
        style: Manner of moving.
    """
    n = curves.SIDES.index(side)
    own_hip, hip = (hip_places(skeleton, one.centre, one.turn)[n] for one in pelvis)
    own_ankle = model_ankle(track, rows, side, shape, style, skeleton.leg_length_m())
    upper, lower = bones_m(skeleton, side)
    far = np.linalg.norm(hip - foot.ankle, axis=1)
    gait = np.minimum(np.linalg.norm(own_hip - own_ankle, axis=1), REACH * (upper + lower))
    bend = flexion_rad(np.where(foot.contact, np.minimum(gait, far), far), upper, lower)
    wanted = length_m(np.maximum(bend, gaussian(bend, _CALM_S * track.fps)), upper, lower)
    index = np.clip(np.searchsorted(stances.touch_s, track.times_s, side="right") - 1, 0, len(stances.touch_s) - 1)
    yaw, place = stances.yaw[index], stances.place[index]
    low, high = np.zeros(len(hip)), np.full(len(hip), _MOST_RAD)
    for _ in range(_STEPS):
        middle = 0.5 * (low + high)
        turn = pitched(foot.turn, yaw, middle)
        far = np.linalg.norm(hip - rolling_ankle(place, yaw, turn, foot.pitch + middle, shape), axis=1)
        low, high = np.where(far > wanted, middle, low), np.where(far > wanted, high, middle)
    lasts = np.maximum(stances.lift_s - stances.touch_s, 1e-3)[index]
    free = smoothstep(((track.times_s - stances.touch_s[index]) / lasts - _FREE[0]) / (_FREE[1] - _FREE[0]))
    rise = np.where(foot.contact, free * low, 0.0)
    left = np.maximum.accumulate(np.where(foot.contact, np.arange(len(rise)), 0))
    since_s = (np.arange(len(rise)) - left) / track.fps
    return gaussian(rise[left] * smoothstep(1.0 - since_s / _GONE_S), 0.025 * track.fps)


def pitched(turn: FloatArray, yaw: FloatArray, more_rad: FloatArray) -> FloatArray:
    """Feet ``(n, 4)`` pitched further by ``more_rad`` about the axis across footprints with yaws ``yaw``."""
    axis = np.stack([np.cos(yaw), np.zeros_like(yaw), -np.sin(yaw)], axis=1)
    return rot.multiply(rot.exp(axis * more_rad[:, None]), turn)
