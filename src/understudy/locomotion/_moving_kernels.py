"""Compiled questions about what stands and what moves: does a placed clip, walked from some time on, meet any of it?

A walker's silhouettes are compared with a mover's last sample before and first sample after their time, so that nothing
is missed that both of them pass between samples.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted_inline
from understudy.locomotion._chain_kernels import clip_is_free, placed
from understudy.locomotion.tables import At, Movers, Pace, Silhouettes, World
from understudy.typing import FloatArray, IntArray

#: [s] how closely somebody who stands is compared with those who still move.
_STAND_STEP_S = 0.1
#: Samples before a clip's end at which somebody may come to stand: where the next transition would have begun.
_STOPS_EARLY = 3


@uncounted_inline
def line_gap2(x: float, z: float, ax: float, az: float, bx: float, bz: float) -> float:
    """Squared distance [m2] of a point from a line between two points."""
    dx, dz = bx - ax, bz - az
    length2 = dx * dx + dz * dz
    share = 0.0
    if length2 > 0.0:
        share = min(max(((x - ax) * dx + (z - az) * dz) / length2, 0.0), 1.0)
    return (x - ax - share * dx) ** 2 + (z - az - share * dz) ** 2


@uncounted_inline
def touches(movers: Movers, sample: int, filled: bool, x: float, z: float, radius: float) -> bool:
    """Whether a disc touches the shapes of one sample of a track."""
    inside = False
    for k in range(movers.shape_first[sample], movers.shape_first[sample + 1]):
        ax, az, bx, bz = movers.shapes[k, 0], movers.shapes[k, 1], movers.shapes[k, 2], movers.shapes[k, 3]
        reach = radius + movers.shapes[k, 4]
        if line_gap2(x, z, ax, az, bx, bz) < reach * reach:
            return True
        if filled and (az > z) != (bz > z) and x < ax + (z - az) / (bz - az) * (bx - ax):
            inside = not inside
    return inside


@uncounted_inline
def frame_touches(
    shadows: Silhouettes, movers: Movers, track: int, sample: int, frame: int, at: At, margin: float
) -> bool:
    """Whether one frame's silhouette, placed, touches one sample of a track."""
    ax, az, around = movers.around[sample, 0], movers.around[sample, 1], movers.around[sample, 2] + margin
    px, pz = placed(at.x, at.z, at.yaw, shadows.frames[frame, 0], shadows.frames[frame, 1])
    if (px - ax) ** 2 + (pz - az) ** 2 > (shadows.frames[frame, 2] + around) ** 2:
        return False
    filled = movers.filled[track] > 0
    for k in range(shadows.frame_first[frame], shadows.frame_first[frame + 1]):
        px, pz = placed(at.x, at.z, at.yaw, shadows.discs[k, 0], shadows.discs[k, 1])
        if (px - ax) ** 2 + (pz - az) ** 2 > (shadows.discs[k, 2] + around) ** 2:
            continue
        if touches(movers, sample, filled, px, pz, shadows.discs[k, 2] + margin):
            return True
    return False


@uncounted_inline
def frame_meets_track(
    shadows: Silhouettes, movers: Movers, track: int, time: float, frame: int, at: At, margin: float
) -> bool:
    """Whether one frame's silhouette, placed, touches a track at a time."""
    begin, count = movers.track_first[track], movers.track_first[track + 1] - movers.track_first[track]
    elapsed = (time - movers.track_times[track, 0]) / movers.track_times[track, 1]
    first = int(min(max(math.floor(elapsed + 1e-9), 0), count - 1))
    for sample in range(first, min(first + 1, count - 1) + 1):
        if frame_touches(shadows, movers, track, begin + sample, frame, at, margin):
            return True
    return False


@njit(cache=True, nogil=True)
def clip_meets(shadows: Silhouettes, pace: Pace, movers: Movers, node: int, at: At, time: float, margin: float) -> bool:
    """Whether a placed clip that begins at a time touches anything that moves."""
    begin, end = shadows.first[node], shadows.first[node + 1]
    for track in range(len(movers.filled)):
        for frame in range(begin, end):
            now = time + min((frame - begin) * pace.step_s, pace.seconds[node])
            if now > movers.track_times[track, 2]:
                break
            if frame_meets_track(shadows, movers, track, now, frame, at, margin):
                return True
    return False


@njit(cache=True, nogil=True)
def something_moves(movers: Movers) -> bool:
    """Whether there is anything at all."""
    return len(movers.filled) > 0


@njit(cache=True, nogil=True)
def last_change(movers: Movers) -> float:
    """When the last mover has come to rest [s]."""
    end = -np.inf
    for track in range(len(movers.filled)):
        count = movers.track_first[track + 1] - movers.track_first[track]
        end = max(end, movers.track_times[track, 0] + (count - 1) * movers.track_times[track, 1])
    return end


@njit(cache=True, nogil=True)
def standing_meets(
    shadows: Silhouettes, pace: Pace, movers: Movers, node: int, at: At, time: float, margin: float
) -> bool:
    """Whether somebody who stands still at the end of a placed clip, from a time on, is walked into later."""
    last = int(shadows.first[node + 1] - 1)
    early = max(last - _STOPS_EARLY, shadows.first[node])
    steps = int(max(math.ceil((last_change(movers) - time) / _STAND_STEP_S), 0.0)) + 1
    for k in range(steps):
        now = time + k * _STAND_STEP_S
        for frame in range(early, last + 1):
            for track in range(len(movers.filled)):
                if now <= movers.track_times[track, 2] and frame_meets_track(
                    shadows, movers, track, now, frame, at, margin
                ):
                    return True
    return False


@uncounted_inline
def clip_is_clear(world: World, node: int, at: At, time: float, margins: tuple[float, float], timed: bool) -> bool:
    """Whether a placed clip that begins at a time keeps its margins from what stands and, where timed, what moves."""
    if not clip_is_free(world.shadows, world.near, world.grid, node, at.x, at.z, at.yaw, margins[0]):
        return False
    return not (timed and clip_meets(world.shadows, world.pace, world.movers, node, at, time, margins[1]))


@njit(cache=True, nogil=True)
def chain_is_clear(
    world: World, nodes: IntArray, at: FloatArray, time: float, margins: tuple[float, float], first: int, stays: bool
) -> bool:
    """Whether placed clips from ``first`` on, the very first of which begins at a time, meet nothing.

    Args:
        world: What they might meet.
        nodes: ``(clips,)``.
        at: ``(clips, 3)`` their frames.
        time: When clip 0 begins [s].
        margins: Distances kept from what stands and from what moves [m].
        first: The first clip that is looked at.
        stays: Whether the walker stands still after the last one.
    """
    timed = something_moves(world.movers)
    for k in range(len(nodes)):
        here = At(at[k, 0], at[k, 1], at[k, 2])
        if k >= first and not clip_is_clear(world, nodes[k], here, time, margins, timed):
            return False
        time += world.pace.seconds[nodes[k]]
    if stays and timed:
        k = len(nodes) - 1
        here = At(at[k, 0], at[k, 1], at[k, 2])
        return not standing_meets(world.shadows, world.pace, world.movers, nodes[k], here, time, margins[1])
    return True
