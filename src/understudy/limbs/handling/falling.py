"""Letting go in mid-air: an object keeps its velocity, falls, and stays where it first touches something."""

from __future__ import annotations

import numpy as np

from understudy.collision import ShapePose, shape_distance
from understudy.scene.scene import Scene
from understudy.scene.shapes import HalfSpace
from understudy.typing import FloatArray

#: [m/s^2]
GRAVITY = 9.81
#: [Hz] keys of a fall, and [s] how long one may last.
_KEYS_HZ, _LONGEST_S = 60.0, 3.0
#: [m] gap at which an object counts as landed.
_LANDED_M = 5e-4


def fall(scene: Scene, name: str, time_s: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Times, positions and rotations of an object that is let go at a time, until it lies."""
    step = 1.0 / 240.0
    places, turns = scene.object_track(name, [time_s - step, time_s])
    velocity = (places[1] - places[0]) / step
    start, turn = places[1], turns[1]
    times, positions = [time_s], [start]
    for k in range(1, round(_LONGEST_S * _KEYS_HZ) + 1):
        after = k / _KEYS_HZ
        here = start + velocity * after - np.array([0.0, 0.5 * GRAVITY * after**2, 0.0])
        gap = _gap(scene, name, (here, turn), time_s + after)
        if gap <= _LANDED_M:
            share = _landing(scene, name, positions[-1], here, turn, time_s + after)
            times.append(times[-1] + max(share, 1e-3) / _KEYS_HZ)
            positions.append(positions[-1] + share * (here - positions[-1]))
            break
        times.append(time_s + after)
        positions.append(here)
    return np.array(times), np.array(positions), np.repeat(turn[None], len(times), axis=0)


def _landing(scene: Scene, name: str, free: FloatArray, hit: FloatArray, turn: FloatArray, time_s: float) -> float:
    """Share of the way between two places after which the object touches."""
    low, high = 0.0, 1.0
    for _ in range(24):
        middle = 0.5 * (low + high)
        if _gap(scene, name, (free + middle * (hit - free), turn), time_s) <= _LANDED_M:
            high = middle
        else:
            low = middle
    return low


def _gap(scene: Scene, name: str, pose: tuple[FloatArray, FloatArray], time_s: float) -> float:
    """Distance to the nearest thing or the floor [m]."""
    shape, at = scene.object(name).shape, ShapePose(*pose)
    gaps = [np.inf]
    if scene.floor:
        gaps.append(shape_distance(shape, at, HalfSpace(), ShapePose(np.zeros(3))).distance_m)
    for thing in scene.objects:
        if thing.name != name:
            positions, rotations = scene.object_track(thing.name, [time_s])
            gaps.append(shape_distance(shape, at, thing.shape, ShapePose(positions[0], rotations[0])).distance_m)
    return float(min(gaps))
