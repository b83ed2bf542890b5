"""Clips recorded over a floor that was not level: calibration leaves some halls tilted by a degree or two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.inspection.contacts import SIDES, ContactOptions, foot_tracks
from understudy.inspection.intervals import runs
from understudy.typing import FloatArray

_UP = np.array([0.0, 1.0, 0.0])
#: [rad] a floor steeper than this is a ramp that was recorded, not an error of calibration.
STEEPEST = np.radians(3.0)
#: [m] stances have to be this far apart to tell a slope in that direction.
_APART_M = 1.0
#: [m] and the slope has to raise the floor by this much over the clip: soles are not known better.
_RISE_M = 0.015
#: A slope explains the heights if less than this share of their spread is left.
_LEFT = 0.5


def floor_normal(*clips: Motion) -> FloatArray:
    """What is up ``(3,)`` on the floor of humanoid clips recorded in one hall, from where their feet stand.

    It is the vertical where that floor is level, where it is steeper than an error of calibration, and where the
    stances do not tell.
    """
    stances = [_stance_places(clip) for clip in clips]
    away = np.concatenate([places - places.mean(axis=0) for places in stances if len(places)] or [np.zeros((0, 3))])
    if len(away) < 3:
        return _UP
    level, heights = away[:, [0, 2]], away[:, 1]
    _, _, ways = np.linalg.svd(level, full_matrices=False)
    along = level @ ways.T
    known = np.ptp(along, axis=0) >= _APART_M
    # Heights of clips and slopes are found from as many stances; one more tells whether they hold.
    if not known.any() or len(away) <= sum(len(places) > 0 for places in stances) + known.sum():
        return _UP
    gradient = np.linalg.lstsq(along[:, known], heights, rcond=None)[0] @ ways[known]
    rise = level @ gradient
    left = np.linalg.norm(heights - rise) / max(float(np.linalg.norm(heights)), 1e-9)
    if np.ptp(rise) < _RISE_M or left > _LEFT or np.linalg.norm(gradient) > np.tan(STEEPEST):
        return _UP
    normal = np.array([-gradient[0], 1.0, -gradient[1]])
    return np.asarray(normal / np.linalg.norm(normal))


def tilt_rad(normal: FloatArray) -> float:
    """How steep a floor with such a normal is [rad]."""
    return float(np.arctan2(np.hypot(normal[0], normal[2]), normal[1]))


def levelled(motion: Motion, normal: FloatArray) -> Motion:
    """The motion turned so that a floor with such a normal is level; the motion itself where it is level already."""
    if tilt_rad(normal) == 0.0:
        return motion
    turn = rot.shortest_arc(normal, _UP)
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.multiply(turn, rotations[:, 0])
    centre = motion.root_positions.mean(axis=0)
    roots = centre + rot.rotate(turn, motion.root_positions - centre)
    note = f"the floor was tilted by {np.degrees(tilt_rad(normal)):.1f} degrees; levelled"
    return replace(motion, root_positions=roots, rotations=rotations, origin=motion.origin.noting(note))


def _stance_places(motion: Motion) -> FloatArray:
    """``(stances, 3)`` [m] where feet stand, at any height: joints that are slow for long enough."""
    options, found = ContactOptions(), []
    tracks = foot_tracks(motion, options)
    for side in SIDES:
        track = tracks[side]
        for first, stop in runs(track.speeds < options.speed_mps):
            if stop - first > options.min_stance_s * motion.fps:
                found.append(np.median(track.points[first:stop], axis=0))
    return np.array(found).reshape(-1, 3)
