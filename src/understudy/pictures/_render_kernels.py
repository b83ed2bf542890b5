"""From a camera to a picture: four rays a pixel, in tiles that know which capsules they can meet."""

from __future__ import annotations

import math

import numpy as np
from numba import prange

from understudy.compiling.kernel import njit
from understudy.pictures._kernels import FLOOR, nearest_among, or_prop
from understudy.pictures._occlusion_kernels import ray_axis_gap
from understudy.pictures._shading_kernels import shade
from understudy.pictures.drawing import Drawing
from understudy.typing import FloatArray, IntArray

#: 2 x 2 sub-pixels.
_SUBPIXELS = ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))

#: Pixels along a tile's side.
TILE = 8


@njit(cache=True, parallel=True, error_model="numpy")
def render(camera: FloatArray, drawing: Drawing, look: FloatArray, image: FloatArray) -> None:
    """Fill ``image (rows, columns, 3)`` with linear colours.

    ``camera (5, 3)``: position, right and up scaled to the half picture at distance one (or to the half picture
    itself when parallel), forward, and (1 when parallel, unused, unused).
    """
    rows, columns = image.shape[0], image.shape[1]
    half_height = math.sqrt(camera[2, 0] ** 2 + camera[2, 1] ** 2 + camera[2, 2] ** 2)
    # Width of a sub-pixel and of a pixel: constant part, and per metre of distance.
    spreads = np.zeros((2, 2))
    spreads[0, 0 if camera[4, 0] > 0.5 else 1] = half_height / rows
    spreads[1] = 2.0 * spreads[0]
    for band in prange((rows + TILE - 1) // TILE):
        stack, chosen = np.empty(64, np.int64), np.empty(len(drawing.capsules), np.int64)
        rays, hits = np.empty((5, 7)), np.empty((5, 3), np.int64)
        albedo, color = np.empty(3), np.empty(3)
        for left in range(0, columns, TILE):
            count = capsules_in_tile(camera, band * TILE, left, rows, columns, drawing, chosen, rays)
            for row in range(band * TILE, min(band * TILE + TILE, rows)):
                for column in range(left, min(left + TILE, columns)):
                    same = _look_through(row, column, rows, columns, camera, chosen, count, drawing, stack, rays, hits)
                    _color(same, spreads, drawing, look, albedo, color, stack, rays, hits, image, row, column)


@njit(cache=True, error_model="numpy")
def capsules_in_tile(
    camera: FloatArray,
    top: int,
    left: int,
    rows: int,
    columns: int,
    drawing: Drawing,
    chosen: IntArray,
    rays: FloatArray,
) -> int:
    """List in ``chosen`` every capsule a ray of the tile might meet; how many there are.

    A ray of the tile stays within ``wide + t tan(angle)`` of the tile's middle ray, so a capsule whose axis keeps
    farther from that ray than this (at the capsule's far end) plus its radius cannot be met.
    """
    u, v = 2.0 * (left + 0.5 * TILE) / columns - 1.0, 1.0 - 2.0 * (top + 0.5 * TILE) / rows
    camera_ray(camera, u, v, rays, 0)
    o = rays[0]
    slope, wide = 0.0, 0.0
    for corner in range(4):
        du, dv = TILE / columns * (2 * (corner % 2) - 1), TILE / rows * (2 * (corner // 2) - 1)
        camera_ray(camera, u + du, v + dv, rays, 1)
        cosine, shift2 = 0.0, 0.0
        for c in range(3):
            cosine += rays[0, 3 + c] * rays[1, 3 + c]
            shift2 += (rays[0, c] - rays[1, c]) ** 2
        slope = max(slope, math.sqrt(max(1.0 - cosine * cosine, 0.0)) / max(cosine, 1e-6))
        wide = max(wide, math.sqrt(shift2))
    count = 0
    for i in range(len(drawing.capsules)):
        _, gap = ray_axis_gap(o[0], o[1], o[2], o[3], o[4], o[5], drawing.capsules, i)
        if gap <= drawing.capsules[i, 6] + wide + slope * _farthest(o, drawing.capsules, i) + 1e-9:
            chosen[count] = i
            count += 1
    return count


@njit(cache=True, error_model="numpy")
def _farthest(ray, capsules, i):  # type: ignore[no-untyped-def]
    """Distance from a ray's origin to the far side of capsule ``i``."""
    to_start, to_end = 0.0, 0.0
    for c in range(3):
        to_start += (capsules[i, c] - ray[c]) ** 2
        to_end += (capsules[i, 3 + c] - ray[c]) ** 2
    return math.sqrt(max(to_start, to_end)) + capsules[i, 6]


@njit(cache=True, error_model="numpy")
def _look_through(row, column, rows, columns, camera, chosen, count, drawing, stack, rays, hits):  # type: ignore[no-untyped-def]
    """Cast a pixel's four rays; whether they meet the same thing, whose middle then stands in ``rays[4]``."""
    same, capsules, with_props = True, drawing.capsules, len(drawing.prop_roots) > 0
    for sub in range(4):
        u = 2.0 * (column + _SUBPIXELS[sub][0]) / columns - 1.0
        v = 1.0 - 2.0 * (row + _SUBPIXELS[sub][1]) / rows
        camera_ray(camera, u, v, rays, sub)
        ox, oy, oz = rays[sub, 0], rays[sub, 1], rays[sub, 2]
        dx, dy, dz = rays[sub, 3], rays[sub, 4], rays[sub, 5]
        t, kind, index = nearest_among(ox, oy, oz, dx, dy, dz, capsules, chosen, count)
        prop = -1
        if with_props:
            t, kind, index, prop = or_prop(ox, oy, oz, dx, dy, dz, t, kind, index, drawing, stack)
        rays[sub, 6] = t
        hits[sub, 0], hits[sub, 1], hits[sub, 2] = kind, index, prop
        same = same and kind == hits[0, 0] and index == hits[0, 1] and prop == hits[0, 2]
    if same:
        camera_ray(camera, 2.0 * (column + 0.5) / columns - 1.0, 1.0 - 2.0 * (row + 0.5) / rows, rays, 4)
        rays[4, 6] = 0.25 * (rays[0, 6] + rays[1, 6] + rays[2, 6] + rays[3, 6])
        if hits[0, 0] == FLOOR:
            rays[4, 6] = -rays[4, 1] / rays[4, 4]
        for c in range(3):
            hits[4, c] = hits[0, c]
    return same


@njit(cache=True, error_model="numpy")
def _color(same, spreads, drawing, look, albedo, color, stack, rays, hits, image, row, column):  # type: ignore[no-untyped-def]
    """Mean light of a pixel's rays, shaded one by one only where they see different things."""
    if same:
        shade(rays, hits, 4, spreads[1, 0], spreads[1, 1], drawing, look, stack, albedo, color)
        for c in range(3):
            image[row, column, c] = min(color[c], 1.0)
        return
    for c in range(3):
        image[row, column, c] = 0.0
    for sub in range(4):
        shade(rays, hits, sub, spreads[0, 0], spreads[0, 1], drawing, look, stack, albedo, color)
        for c in range(3):
            image[row, column, c] += 0.25 * min(color[c], 1.0)


@njit(cache=True, error_model="numpy")
def camera_ray(camera, u, v, rays, n):  # type: ignore[no-untyped-def]
    """Origin and unit direction through picture coordinates in [-1, 1] into ``rays[n, :6]``."""
    parallel = camera[4, 0] > 0.5
    size2 = 0.0
    for c in range(3):
        shift = u * camera[1, c] + v * camera[2, c]
        rays[n, c] = camera[0, c] + shift if parallel else camera[0, c]
        rays[n, 3 + c] = camera[3, c] if parallel else camera[3, c] + shift
        size2 += rays[n, 3 + c] * rays[n, 3 + c]
    size = math.sqrt(size2)
    for c in range(3, 6):
        rays[n, c] /= size
