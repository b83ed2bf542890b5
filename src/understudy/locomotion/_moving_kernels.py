"""Compiled questions about things that move: does a placed clip, walked from some time on, meet any of them?

A walker's silhouettes are compared with a mover's last sample before and first sample after their time, so that nothing
is missed that both of them pass between samples.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted_inline
from understudy.locomotion._chain_kernels import placed
from understudy.locomotion.stream_tables import At, Movers, Pace
from understudy.locomotion.tables import Silhouettes

#: [m/s] nobody walks faster out of one clip's disc into the next one's.
_FASTEST_MPS = 3.0
#: [s] how closely somebody who stands is compared with those who still move.
_STAND_STEP_S = 0.1
#: Samples before a clip's end at which somebody may come to stand: where the next transition would have begun.
STOPS_EARLY = 3


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
def frames_touch(shadows: Silhouettes, one: int, at: At, other: int, there: At, margin: float) -> bool:
    """Whether two frames' silhouettes, each placed by its clip's frame, come closer than a margin."""
    ax, az = placed(at.x, at.z, at.yaw, shadows.frames[one, 0], shadows.frames[one, 1])
    bx, bz = placed(there.x, there.z, there.yaw, shadows.frames[other, 0], shadows.frames[other, 1])
    reach = shadows.frames[one, 2] + shadows.frames[other, 2] + margin
    if (ax - bx) ** 2 + (az - bz) ** 2 > reach * reach:
        return False
    # Discs of the one are compared with the other's where those were recorded: one turn for each, not for each pair.
    c, s, cc, ss = math.cos(at.yaw), math.sin(at.yaw), math.cos(there.yaw), math.sin(there.yaw)
    for k in range(shadows.frame_first[one], shadows.frame_first[one + 1]):
        px, pz, radius = shadows.discs[k, 0], shadows.discs[k, 1], shadows.discs[k, 2] + margin
        wx, wz = at.x + c * px + s * pz, at.z - s * px + c * pz
        if (wx - bx) ** 2 + (wz - bz) ** 2 > (radius + shadows.frames[other, 2]) ** 2:
            continue
        px, pz = cc * (wx - there.x) - ss * (wz - there.z), ss * (wx - there.x) + cc * (wz - there.z)
        for j in range(shadows.frame_first[other], shadows.frame_first[other + 1]):
            dx, dz, reach = px - shadows.discs[j, 0], pz - shadows.discs[j, 1], radius + shadows.discs[j, 2]
            if dx * dx + dz * dz < reach * reach:
                return True
    return False


@uncounted_inline
def clip_at(movers: Movers, chain: int, time: float) -> int:
    """Row of the clip a walker is in at a time; the first one before it begins."""
    row = movers.chain_first[chain]
    for k in range(row + 1, movers.chain_first[chain + 1]):
        if movers.chains[k, 4] > time:
            break
        row = k
    return row


@uncounted_inline
def frame_in(shadows: Silhouettes, pace: Pace, node: int, elapsed: float) -> int:
    """The last sampled frame of a clip at or before a time since its beginning."""
    first, count = shadows.first[node], shadows.first[node + 1] - shadows.first[node]
    if elapsed >= pace.seconds[node] - 1e-9:
        return int(first + count - 1)
    return int(first + min(max(int(elapsed / pace.step_s + 1e-9), 0), count - 1))


@uncounted_inline
def frame_meets_chain(
    shadows: Silhouettes, pace: Pace, movers: Movers, chain: int, time: float, frame: int, at: At, margin: float
) -> bool:
    """Whether one frame's silhouette, placed, touches another walker at a time."""
    row = clip_at(movers, chain, time)
    clip = movers.chains[row]
    node = int(clip[0])
    first = frame_in(shadows, pace, node, time - clip[4])
    if time - clip[4] >= pace.seconds[node]:
        first = max(first - STOPS_EARLY, shadows.first[node])
    last = first + STOPS_EARLY if time - clip[4] >= pace.seconds[node] else first + 1
    for other in range(first, min(last, shadows.first[node + 1] - 1) + 1):
        if frames_touch(shadows, frame, at, other, At(clip[1], clip[2], clip[3]), margin):
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
    x, z = placed(at.x, at.z, at.yaw, shadows.clips[node, 0], shadows.clips[node, 1])
    half = 0.5 * pace.seconds[node]
    for chain in range(len(movers.chain_until)):
        if time > movers.chain_until[chain]:
            continue
        clip = clip_at(movers, chain, time + half)
        reach = shadows.clips[node, 2] + shadows.clips[int(movers.chains[clip, 0]), 2] + margin + _FASTEST_MPS * half
        if (x - movers.chains[clip, 5]) ** 2 + (z - movers.chains[clip, 6]) ** 2 > reach * reach:
            continue
        for frame in range(begin, end):
            now = time + min((frame - begin) * pace.step_s, pace.seconds[node])
            if now > movers.chain_until[chain]:
                break
            if frame_meets_chain(shadows, pace, movers, chain, now, frame, at, margin):
                return True
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
    return len(movers.chain_until) + len(movers.filled) > 0


@njit(cache=True, nogil=True)
def last_change(pace: Pace, movers: Movers) -> float:
    """When the last mover has come to rest [s]."""
    end = -np.inf
    for chain in range(len(movers.chain_until)):
        row = movers.chain_first[chain + 1] - 1
        rest = movers.chains[row, 4] + pace.seconds[int(movers.chains[row, 0])]
        end = max(end, min(rest, movers.chain_until[chain]))
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
    early = max(last - STOPS_EARLY, shadows.first[node])
    steps = int(max(math.ceil((last_change(pace, movers) - time) / _STAND_STEP_S), 0.0)) + 1
    for k in range(steps):
        now = time + k * _STAND_STEP_S
        for frame in range(early, last + 1):
            for chain in range(len(movers.chain_until)):
                if now <= movers.chain_until[chain] and frame_meets_chain(
                    shadows, pace, movers, chain, now, frame, at, margin
                ):
                    return True
            for track in range(len(movers.filled)):
                if now <= movers.track_times[track, 2] and frame_meets_track(
                    shadows, movers, track, now, frame, at, margin
                ):
                    return True
    return False
