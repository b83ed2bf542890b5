"""Light on what a ray met: a soft key light, sky and bounce, contact darkening, a ruled floor, fog.

``look`` is the array :meth:`understudy.pictures.raycaster.Look.rows` makes; the rows used here are named below.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

from understudy.pictures._floor_kernels import floor_color
from understudy.pictures._kernels import CAPSULE, FLOOR, SKY, nearest
from understudy.pictures._occlusion_kernels import clamped, floor_openness, lit_share, nearest_on_capsule, openness
from understudy.pictures.drawing import Drawing
from understudy.typing import FloatArray

TO_LIGHT, KEY, SKY_LIGHT, BOUNCE, HORIZON, ZENITH = range(6)
FIGURES, FOG = 9, 10

#: [m] how far the light on one capsule blends into that on the next.
_ROUNDING_M = 0.025

#: 2 x 2 sub-pixels.
_SUBPIXELS = ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))


@njit(cache=True, error_model="numpy")
def _sky(dy, look, out):  # type: ignore[no-untyped-def]
    up = math.sqrt(clamped(dy))
    for c in range(3):
        out[c] = look[HORIZON, c] + up * (look[ZENITH, c] - look[HORIZON, c])


@njit(cache=True, error_model="numpy")
def _group_of(capsule, drawing):  # type: ignore[no-untyped-def]
    g = 0
    while not drawing.group_ranges[g, 0] <= capsule < drawing.group_ranges[g, 1]:
        g += 1
    return g


@njit(cache=True, error_model="numpy")
def rounded_normal(px, py, pz, index, drawing):  # type: ignore[no-untyped-def]
    """Normal at ``p`` on a capsule, blended into capsules of the same colour that meet there.

    Outlines stay those of the capsules; only the light runs smoothly over their joins.
    """
    g = _group_of(index, drawing)
    sx, sy, sz = 0.0, 0.0, 0.0
    own = drawing.capsule_colors[index]
    for i in range(drawing.group_ranges[g, 0], drawing.group_ranges[g, 1]):
        color = drawing.capsule_colors[i]
        if color[0] != own[0] or color[1] != own[1] or color[2] != own[2]:
            continue
        qx, qy, qz = nearest_on_capsule(px, py, pz, drawing.capsules, i)
        vx, vy, vz = px - qx, py - qy, pz - qz
        away = math.sqrt(vx * vx + vy * vy + vz * vz)
        if away < 1e-9:
            continue
        weight = math.exp(-max(away - drawing.capsules[i, 6], 0.0) / _ROUNDING_M) / away
        sx, sy, sz = sx + weight * vx, sy + weight * vy, sz + weight * vz
    size = max(math.sqrt(sx * sx + sy * sy + sz * sz), 1e-9)
    return sx / size, sy / size, sz / size


@njit(cache=True, error_model="numpy")
def _surface(px, py, pz, kind, index, prop, drawing, albedo):  # type: ignore[no-untyped-def]
    """Outward normal of a capsule or triangle at ``p``; its colour goes into ``albedo``."""
    if kind == CAPSULE:
        albedo[:] = drawing.capsule_colors[index]
        return rounded_normal(px, py, pz, index, drawing)
    t, m = drawing.triangles[index], drawing.prop_poses[prop]
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = max(math.sqrt(x * x + y * y + z * z), 1e-300)
    x, y, z = x / size, y / size, z / size
    albedo[:] = drawing.prop_colors[prop]
    return m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z


@njit(cache=True, error_model="numpy")
def shade(ox, oy, oz, dx, dy, dz, t, kind, index, prop, spread, drawing, look, stack, albedo, out):  # type: ignore[no-untyped-def]
    """Linear colour of a hit into ``out``; ``spread`` is the sample's width: constant, and per metre of distance."""
    if kind == SKY:
        _sky(dy, look, out)
        return
    px, py, pz = ox + t * dx, oy + t * dy, oz + t * dz
    nx, ny, nz, skip, closed, gloss = 0.0, 1.0, 0.0, -1, 1.0, 0.0
    if kind == FLOOR:
        flat = max(math.sqrt(dx * dx + dz * dz), 1e-9)
        wide = spread[0] + spread[1] * t
        slant = 1.0 / max(-dy, 1e-3)
        floor_color(
            px,
            pz,
            wide * (abs(dz) + abs(dx) * slant) / flat if flat > 1e-6 else wide,
            wide * (abs(dx) + abs(dz) * slant) / flat if flat > 1e-6 else wide,
            look,
            albedo,
        )
        closed = floor_openness(px, pz, drawing)
    else:
        nx, ny, nz = _surface(px, py, pz, kind, index, prop, drawing, albedo)
        away = nx * dx + ny * dy + nz * dz
        if away > 0.0 and kind == CAPSULE:
            # Blended normals may turn past the outline: keep them on it.
            nx, ny, nz = nx - away * dx, ny - away * dy, nz - away * dz
        elif away > 0.0:
            nx, ny, nz = -nx, -ny, -nz
        skip = index if kind == CAPSULE else -1
        gloss = 0.10 if kind == CAPSULE else 0.03
        # Off the surface, so that a triangle does not shade itself.
        px, py, pz = px + 1e-5 * nx, py + 1e-5 * ny, pz + 1e-5 * nz
    _lit(px, py, pz, nx, ny, nz, dx, dy, dz, skip, closed, gloss, drawing, look, stack, albedo, out)
    if kind == CAPSULE:
        fade = drawing.group_fades[_group_of(index, drawing)]
        for c in range(3):
            out[c] += fade * (look[HORIZON, c] - out[c])
    fog = 1.0 - math.exp(-((max(t - look[FOG, 0], 0.0) / look[FOG, 1]) ** 2))
    for c in range(3):
        out[c] += fog * (look[HORIZON, c] - out[c])


@njit(cache=True, error_model="numpy")
def _lit(px, py, pz, nx, ny, nz, dx, dy, dz, skip, closed, gloss, drawing, look, stack, albedo, out):  # type: ignore[no-untyped-def]
    lx, ly, lz = look[TO_LIGHT, 0], look[TO_LIGHT, 1], look[TO_LIGHT, 2]
    facing = nx * lx + ny * ly + nz * lz
    lit = 0.0
    if facing > 0.0:
        lit = lit_share(px, py, pz, lx, ly, lz, drawing, skip, look[FIGURES, 0], stack)
    sky = closed * openness(px, py, pz, nx, ny, nz, drawing, skip)
    up = 0.5 + 0.5 * ny
    hx, hy, hz = lx - dx, ly - dy, lz - dz
    size = math.sqrt(hx * hx + hy * hy + hz * hz)
    shine = gloss * lit * max((nx * hx + ny * hy + nz * hz) / max(size, 1e-9), 0.0) ** 40
    rim = 0.9 * gloss * (1.0 - abs(nx * dx + ny * dy + nz * dz)) ** 3 * sky
    for c in range(3):
        ambient = look[BOUNCE, c] + up * (look[SKY_LIGHT, c] - look[BOUNCE, c])
        light = sky * ambient + max(facing, 0.0) * lit * look[KEY, c]
        out[c] = albedo[c] * light + shine * look[KEY, c] + rim * look[SKY_LIGHT, c]


@njit(cache=True, error_model="numpy")
def _pixel(row, column, rows, columns, camera, drawing, look, spread, work, stack, rays, hits, out):  # type: ignore[no-untyped-def]
    """Mean light of one pixel: four rays, shaded one by one only where they see different things."""
    same = True
    for sub in range(4):
        u = 2.0 * (column + _SUBPIXELS[sub][0]) / columns - 1.0
        v = 1.0 - 2.0 * (row + _SUBPIXELS[sub][1]) / rows
        _camera_ray(camera, u, v, rays[sub])
        o = rays[sub]
        t, kind, index, prop = nearest(o[0], o[1], o[2], o[3], o[4], o[5], drawing, stack)
        rays[sub, 6] = t
        hits[sub, 0], hits[sub, 1], hits[sub, 2] = kind, index, prop
        same = same and kind == hits[0, 0] and index == hits[0, 1] and prop == hits[0, 2]
    albedo, color = work[0], work[1]
    if same:
        _camera_ray(camera, 2.0 * (column + 0.5) / columns - 1.0, 1.0 - 2.0 * (row + 0.5) / rows, rays[4])
        o, t = rays[4], 0.25 * (rays[0, 6] + rays[1, 6] + rays[2, 6] + rays[3, 6])
        kind, index, prop = hits[0, 0], hits[0, 1], hits[0, 2]
        if kind == FLOOR:
            t = -o[1] / o[4]
        shade(
            o[0], o[1], o[2], o[3], o[4], o[5], t, kind, index, prop, 2.0 * spread, drawing, look, stack, albedo, color
        )
        for c in range(3):
            out[c] = min(color[c], 1.0)
        return
    for c in range(3):
        out[c] = 0.0
    for sub in range(4):
        o = rays[sub]
        shade(
            o[0],
            o[1],
            o[2],
            o[3],
            o[4],
            o[5],
            o[6],
            hits[sub, 0],
            hits[sub, 1],
            hits[sub, 2],
            spread,
            drawing,
            look,
            stack,
            albedo,
            color,
        )
        for c in range(3):
            out[c] += 0.25 * min(color[c], 1.0)


@njit(cache=True, parallel=True, error_model="numpy")
def render(camera: FloatArray, drawing: Drawing, look: FloatArray, image: FloatArray) -> None:
    """Fill ``image (rows, columns, 3)`` with linear colours.

    ``camera (5, 3)``: position, right and up scaled to the half picture at distance one (or to the half picture
    itself when parallel), forward, and (1 when parallel, unused, unused).
    """
    rows, columns = image.shape[0], image.shape[1]
    half_height = math.sqrt(camera[2, 0] ** 2 + camera[2, 1] ** 2 + camera[2, 2] ** 2)
    spread = np.zeros(2)
    spread[0 if camera[4, 0] > 0.5 else 1] = half_height / rows
    for row in prange(rows):
        stack = np.empty(64, np.int64)
        work, rays, hits = np.empty((2, 3)), np.empty((5, 7)), np.empty((4, 3), np.int64)
        for column in range(columns):
            _pixel(
                row, column, rows, columns, camera, drawing, look, spread, work, stack, rays, hits, image[row, column]
            )


@njit(cache=True, error_model="numpy")
def _camera_ray(camera, u, v, ray):  # type: ignore[no-untyped-def]
    """Origin and unit direction through picture coordinates in [-1, 1] into ``ray[:6]``."""
    parallel = camera[4, 0] > 0.5
    size2 = 0.0
    for c in range(3):
        shift = u * camera[1, c] + v * camera[2, c]
        ray[c] = camera[0, c] + shift if parallel else camera[0, c]
        ray[3 + c] = camera[3, c] if parallel else camera[3, c] + shift
        size2 += ray[3 + c] * ray[3 + c]
    for c in range(3, 6):
        ray[c] /= math.sqrt(size2)
