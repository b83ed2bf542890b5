"""Compiled planar transforms, silhouettes against the floor, and chains of clips.

Kernels that allocate nothing are compiled without reference counts (see :mod:`understudy.core.uncounted`): counting the
arrays of the tables takes longer than most of these do.

A turn about +Y by ``yaw`` takes (x, z) to ``(c x + s z, -s x + c z)``.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.floor._distance_kernels import disc_is_free
from understudy.floor.tables import DistanceGrid, SegmentGrid
from understudy.locomotion.tables import GraphTable, Silhouettes
from understudy.typing import FloatArray, IntArray


@uncounted_inline
def wrapped(angle: float) -> float:
    """An angle in [-pi, pi)."""
    if -math.pi <= angle < math.pi:
        return angle
    return angle - 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))


@uncounted_inline
def placed(x: float, z: float, yaw: float, px: float, pz: float) -> tuple[float, float]:
    """A point of a placed clip's frame, in the world."""
    c, s = math.cos(yaw), math.sin(yaw)
    return x + c * px + s * pz, z - s * px + c * pz


@uncounted_inline
def following(graph: GraphTable, edge: int, turn: float, x: float, z: float, yaw: float) -> tuple[float, float, float]:
    """Where the next clip's frame is put: this clip's frame, turned about the edge's pivot, then the transform."""
    tx, tz, tyaw = graph.transforms[edge, 0], graph.transforms[edge, 1], graph.transforms[edge, 2]
    if turn != 0.0:
        px, pz = graph.pivots[edge, 0], graph.pivots[edge, 1]
        dx, dz = placed(px, pz, turn, tx - px, tz - pz)
        tx, tz = dx, dz
    nx, nz = placed(x, z, yaw, tx, tz)
    return nx, nz, wrapped(yaw + turn + tyaw)


@uncounted_inline
def clip_is_free(
    shadows: Silhouettes,
    near: DistanceGrid,
    edges: SegmentGrid,
    node: int,
    x: float,
    z: float,
    yaw: float,
    margin: float,
) -> bool:
    """Whether a placed clip's shadow keeps a margin from every obstacle."""
    c, s = math.cos(yaw), math.sin(yaw)
    px, pz, radius = shadows.clips[node, 0], shadows.clips[node, 1], shadows.clips[node, 2]
    px, pz = x + c * px + s * pz, z - s * px + c * pz
    room = disc_room(near, px, pz)
    if room >= radius + margin:
        return True
    for patch in range(shadows.patch_first[node], shadows.patch_first[node + 1]):
        if shadows.patches[patch, 3] + margin <= room:
            return True
        px, pz, radius = shadows.patches[patch, 0], shadows.patches[patch, 1], shadows.patches[patch, 2]
        px, pz = x + c * px + s * pz, z - s * px + c * pz
        if disc_room(near, px, pz) >= radius + margin:
            continue
        for k in range(shadows.swept_first[patch], shadows.swept_first[patch + 1]):
            px, pz, radius = shadows.swept[k, 0], shadows.swept[k, 1], shadows.swept[k, 2]
            px, pz = x + c * px + s * pz, z - s * px + c * pz
            # Most discs are decided by one cell; a call costs more than the sum.
            if disc_room(near, px, pz) < radius + margin and not disc_is_free(near, edges, px, pz, radius + margin):
                return False
    return True


@uncounted_inline
def disc_room(near: DistanceGrid, x: float, z: float) -> float:
    """Room that is sure to be around a point [m]; 0 where the distance grid does not know."""
    width, values = near.frame[2], near.values
    ix, iz = math.floor((x - near.frame[0]) / width), math.floor((z - near.frame[1]) / width)
    if ix < 0 or iz < 0 or ix >= values.shape[1] or iz >= values.shape[0]:
        return 0.0
    # 0.7072 is a cell's half diagonal.
    return max(values[iz, ix] - 0.7072 * width, 0.0)


@njit(cache=True)
def chain_placements(graph: GraphTable, edges: IntArray, turns: FloatArray, start: FloatArray) -> FloatArray:
    """``(clips, 3)`` every clip's frame in the world, from the first one's."""
    out = np.empty((len(edges) + 1, 3))
    put_chain(graph, edges, turns, start, out)
    return out


@uncounted
def put_chain(graph: GraphTable, edges: IntArray, turns: FloatArray, start: FloatArray, out: FloatArray) -> None:
    """The same, into an array ``(clips, 3)``."""
    for i in range(3):
        out[0, i] = start[i]
    for k in range(len(edges)):
        x, z, yaw = following(graph, edges[k], turns[k], out[k, 0], out[k, 1], out[k, 2])
        out[k + 1, 0], out[k + 1, 1], out[k + 1, 2] = x, z, yaw
