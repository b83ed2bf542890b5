"""The pelvis over planted feet: footprints differ a little from the gait's own feet, and the pelvis goes along.

What the planted feet have in common with each other moves the pelvis over the floor, so that hips keep their angles;
how far a standing leg reaches in the gait decides the pelvis' height, so that knees keep theirs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.core.editing import smoothstep
from understudy.core.skeleton import Skeleton
from understudy.performer import curves
from understudy.performer.feet import FootTrack, model_ankle
from understudy.performer.foot_shape import FootShape
from understudy.performer.legs import bones_m, hip_places
from understudy.performer.smoothing import gaussian
from understudy.performer.style import Style
from understudy.performer.track import Track
from understudy.typing import FloatArray

#: [s] smoothing of the pelvis' way over the floor, in a walk and in a run, and of its height.
_SHIFT_S, _RUN_SHIFT_S, _RISE_S = 0.08, 0.25, 0.06
#: How much a foot in the air counts, and how much more one that stands.
_AIR, _STANDS = 1.5, 1.0
#: Sine of half the bend below which a straighter knee counts no more.
_STRAIGHT = 0.06


class Pelvis(NamedTuple):
    """Middle of the hip joints ``(frames, 3)`` [m] and turn of the pelvis ``(frames, 4)``."""

    centre: FloatArray
    turn: FloatArray


def settled(
    track: Track,
    rows: FloatArray,
    skeleton: Skeleton,
    pelvis: Pelvis,
    feet: dict[str, FootTrack],
    shapes: dict[str, FootShape],
    style: Style,
) -> FloatArray:
    """Middle of the hip joints ``(frames, 3)`` [m] that gives the planted legs the angles the gait's own legs have."""
    leg_m = skeleton.leg_length_m()
    own = {side: model_ankle(track, rows, side, shapes[side], style, leg_m) for side in curves.SIDES}
    centre = pelvis.centre.copy()
    centre[:, [0, 2]] += _shift(track, feet, own)[:, [0, 2]]
    before, now = (hip_places(skeleton, at, pelvis.turn) for at in (pelvis.centre, centre))
    rise, weight = np.zeros(len(centre)), np.ones(len(centre))
    for n, side in enumerate(curves.SIDES):
        upper, lower = bones_m(skeleton, side)
        # Longer than the leg, at times: shortened here, the pelvis would sink with every step instead of walking lower.
        far = np.linalg.norm(before[n] - own[side], axis=1)
        beside = np.linalg.norm((now[n] - feet[side].ankle)[:, [0, 2]], axis=1)
        high = feet[side].ankle[:, 1] + np.sqrt(np.maximum(far**2 - beside**2, (0.3 * far) ** 2))
        bend = np.arccos(np.clip((far**2 - upper**2 - lower**2) / (2.0 * upper * lower), -1.0, 1.0))
        # The straighter a knee, the more a wrong height bends it.
        counts = gaussian(feet[side].contact.astype(np.float64), _RISE_S * track.fps)
        counts = counts / np.maximum(np.sin(0.5 * bend), _STRAIGHT) ** 2
        rise += counts * (high - now[n][:, 1])
        weight += counts
    # Runners fly between steps; their legs do not carry the pelvis at a height of their own.
    centre[:, 1] += walking(track) * track.activity * gaussian(rise / weight, _RISE_S * track.fps)
    return centre


def _shift(track: Track, feet: dict[str, FootTrack], own: dict[str, FloatArray]) -> FloatArray:
    """``(frames, 3)`` how far planted feet lie beside the gait's own ones, standing ones above all [m]."""
    total, weight = np.zeros((len(track.times_s), 3)), np.zeros(len(track.times_s))
    for side in curves.SIDES:
        counts = _AIR + _STANDS * gaussian(feet[side].contact.astype(np.float64), 0.05 * track.fps)
        total += counts[:, None] * (feet[side].ankle - own[side])
        weight += counts
    shift = total / weight[:, None]
    walk, run = (gaussian(shift, width * track.fps) for width in (_SHIFT_S, _RUN_SHIFT_S))
    # Who starts or stops shifts the weight instead.
    going = smoothstep(np.hypot(track.context[:, 0], track.context[:, 1]) / 0.7)
    return np.asarray(going[:, None] * (run + walking(track)[:, None] * (walk - run)))


def walking(track: Track) -> FloatArray:
    """``(frames,)`` 1 while walking, 0 while running."""
    return 1.0 - smoothstep((track.context[:, 0] - 1.8) / 0.3)
