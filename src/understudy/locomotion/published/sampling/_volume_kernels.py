"""Compiled distance volume: filled block by block around solids, read between its corners."""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._shape_kernels import into_solid, solid_signed
from understudy.collision.tables import BOX, SIZE, SolidArrays
from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.locomotion.published.sampling.tables import BodyTable, Float32Array, Volume
from understudy.typing import FloatArray, IntArray

#: Corners a side of a block that is left out, or filled, at once.
BLOCK = 8


@njit(cache=True)
def _point_distance(solids: SolidArrays, rows: FloatArray, i: int, x: float, y: float, z: float) -> float:
    """Signed distance of a point from a solid [m]; boxes, the most frequent solids, by their short formula."""
    if solids.kinds[i, 0] == BOX:
        x, y, z = into_solid(rows, i, x, y, z)
        x, y, z = abs(x) - rows[i, SIZE], abs(y) - rows[i, SIZE + 1], abs(z) - rows[i, SIZE + 2]
        outside = math.sqrt(max(x, 0.0) ** 2 + max(y, 0.0) ** 2 + max(z, 0.0) ** 2)
        return outside + min(max(x, y, z), 0.0)
    return float(solid_signed(solids, rows, i, x, y, z, x, y, z)[0])


@njit(cache=True, nogil=True)
def fill(
    solids: SolidArrays, rows: FloatArray, which: IntArray, boxes: FloatArray, low: FloatArray, cell: float,
    values: Float32Array,
) -> None:  # fmt: skip
    """Lower every corner's value to the distance of the nearest of some solids.

    Args:
        solids: The solids' shapes.
        rows: And where they are.
        which: ``(n,)`` solids that count.
        boxes: ``(n, 6)`` low and high corner of what is around each [m].
        low: ``(3,)`` x, y, z of the first corner [m].
        cell: Distance of corners [m].
        values: ``(nz, nx, ny)`` distances so far; what is beyond the largest of them does not matter [m].
    """
    nz, nx, ny = values.shape
    limit = float(values.max()) if values.size else 0.0
    far = limit + 0.5 * math.sqrt(3.0) * (BLOCK - 1) * cell
    for k in range(len(which)):
        first = np.empty(3, dtype=np.int64)
        last = np.empty(3, dtype=np.int64)
        sizes = (nx, ny, nz)
        for axis in range(3):
            begin = math.floor((max(boxes[k, axis] - limit, -1e6) - low[axis]) / cell)
            end = math.ceil((min(boxes[k, 3 + axis] + limit, 1e6) - low[axis]) / cell)
            first[axis] = min(max(begin, 0), sizes[axis])
            last[axis] = min(max(end + 1, 0), sizes[axis])
        for bz in range(first[2], last[2], BLOCK):
            for bx in range(first[0], last[0], BLOCK):
                for by in range(first[1], last[1], BLOCK):
                    half = 0.5 * (BLOCK - 1) * cell
                    d = _point_distance(
                        solids, rows, which[k],
                        low[0] + bx * cell + half, low[1] + by * cell + half, low[2] + bz * cell + half,
                    )  # fmt: skip
                    if d > far:
                        continue
                    for iz in range(bz, min(bz + BLOCK, last[2])):
                        for ix in range(bx, min(bx + BLOCK, last[0])):
                            for iy in range(by, min(by + BLOCK, last[1])):
                                d = _point_distance(
                                    solids, rows, which[k],
                                    low[0] + ix * cell, low[1] + iy * cell, low[2] + iz * cell,
                                )  # fmt: skip
                                if d < values[iz, ix, iy]:
                                    values[iz, ix, iy] = d


@uncounted_inline
def distance_at(volume: Volume, x: float, y: float, z: float) -> float:
    """Distance of a point from the nearest solid [m], between corners; -1 outside of the volume's shadow."""
    nz, nx, ny = volume.values.shape
    u, v, w = (x - volume.low[0]) / volume.cell, (y - volume.low[1]) / volume.cell, (z - volume.low[2]) / volume.cell
    if u < 0.0 or w < 0.0 or u >= nx - 1 or w >= nz - 1:
        return -1.0
    v = min(max(v, 0.0), ny - 1.001)
    i, j, k = int(u), int(v), int(w)
    a, b, c = u - i, v - j, w - k
    values = volume.values
    near = (1.0 - a) * ((1.0 - b) * values[k, i, j] + b * values[k, i, j + 1]) + a * (
        (1.0 - b) * values[k, i + 1, j] + b * values[k, i + 1, j + 1]
    )
    after = (1.0 - a) * ((1.0 - b) * values[k + 1, i, j] + b * values[k + 1, i, j + 1]) + a * (
        (1.0 - b) * values[k + 1, i + 1, j] + b * values[k + 1, i + 1, j + 1]
    )
    return float((1.0 - c) * near + c * after)


@uncounted_inline
def _flat_at(volume: Volume, x: float, z: float) -> float:
    """A lower bound of the distance at any height [m]; -1 outside."""
    nz, nx = volume.flat.shape
    i, k = math.floor((x - volume.low[0]) / volume.cell), math.floor((z - volume.low[2]) / volume.cell)
    if i < 0 or k < 0 or i >= nx - 1 or k >= nz - 1:
        return -1.0
    return float(volume.flat[k, i]) - 1.4142135623730951 * volume.cell


@uncounted_inline
def _roughly_at(volume: Volume, x: float, y: float, z: float) -> float:
    """A lower bound of the distance at a point, from its nearest corner [m]; -1 outside."""
    nz, nx, ny = volume.values.shape
    i, k = int((x - volume.low[0]) / volume.cell + 0.5), int((z - volume.low[2]) / volume.cell + 0.5)
    j = min(max(int((y - volume.low[1]) / volume.cell + 0.5), 0), ny - 1)
    if i < 1 or k < 1 or i >= nx - 1 or k >= nz - 1:
        return -1.0
    return float(volume.values[k, i, j]) - 0.8660254037844386 * volume.cell


@uncounted_inline
def turned_inside(
    volume: Volume, body: BodyTable, frame: int, x: float, z: float, c: float, s: float, margin: float, most: int
) -> int:
    """How many of the body's balls are nearer than a margin [m] to a solid, counted up to ``most``.

    The frame's body is placed at ``x, z`` [m], turned by the yaw with the cosine ``c`` and the sine ``s``.
    """
    px, pz = body.discs[frame, 0], body.discs[frame, 1]
    if _flat_at(volume, x + c * px + s * pz, z - s * px + c * pz) > body.discs[frame, 2] + margin:
        return 0
    count = 0
    for k in range(len(body.bounds)):
        px, py, pz = body.middles[frame, k, 0], body.middles[frame, k, 1], body.middles[frame, k, 2]
        if _roughly_at(volume, x + c * px + s * pz, py, z - s * px + c * pz) > body.bounds[k] + margin:
            continue
        for b in range(body.ball_first[k], body.ball_first[k + 1]):
            px, py, pz = body.balls[frame, b, 0], body.balls[frame, b, 1], body.balls[frame, b, 2]
            if distance_at(volume, x + c * px + s * pz, py, z - s * px + c * pz) < body.radii[b] + margin:
                count += 1
                if count >= most:
                    return count
    return count


@uncounted
def stretch_is_free(
    volume: Volume, body: BodyTable, first: int, last: int, step: int, x: float, z: float, yaw: float, margin: float
) -> bool:
    """Whether the body keeps a margin over all frames of a placed stretch, the last one included."""
    c, s = math.cos(yaw), math.sin(yaw)
    frame = first
    while frame < last:
        if turned_inside(volume, body, frame, x, z, c, s, margin, 1) > 0:
            return False
        frame += step
    return turned_inside(volume, body, last, x, z, c, s, margin, 1) == 0


@uncounted
def free_until(
    volume: Volume, body: BodyTable, first: int, last: int, x: float, z: float, yaw: float, margin: float
) -> int:
    """Last frame up to which a placed stretch keeps a margin, frame by frame; ``first - 1`` for none."""
    c, s = math.cos(yaw), math.sin(yaw)
    for frame in range(first, last + 1):
        if turned_inside(volume, body, frame, x, z, c, s, margin, 1) > 0:
            return frame - 1
    return last
