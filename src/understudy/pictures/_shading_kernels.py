"""Light on what a ray met: a soft key light, sky and bounce, contact darkening, a ruled floor, fog.

``look`` is the array :meth:`understudy.pictures.raycaster.Look.rows` makes; the rows used here are named below.
"""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.pictures._floor_kernels import floor_color
from understudy.pictures._kernels import CAPSULE, FLOOR, SKY
from understudy.pictures._occlusion_kernels import clamped, floor_openness, lit_share, nearest_on_capsule, openness

TO_LIGHT, KEY, SKY_LIGHT, BOUNCE, HORIZON, ZENITH = range(6)
FIGURES, FOG = 9, 10

#: [m] how far the light on one capsule blends into that on the next.
_ROUNDING_M = 0.025


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
def shade(rays, hits, n, wide, widening, drawing, look, stack, albedo, out):  # type: ignore[no-untyped-def]
    """Linear colour of what ray ``n`` met into ``out``.

    ``rays[n]``: origin, direction, distance; ``hits[n]``: kind, index, prop; the ray is ``wide`` and ``widening`` per
    metre of distance. Rows are not sliced: counting references to views costs more than the light.
    """
    ox, oy, oz = rays[n, 0], rays[n, 1], rays[n, 2]
    dx, dy, dz, t = rays[n, 3], rays[n, 4], rays[n, 5], rays[n, 6]
    kind, index, prop = hits[n, 0], hits[n, 1], hits[n, 2]
    if kind == SKY:
        _sky(dy, look, out)
        return
    px, py, pz = ox + t * dx, oy + t * dy, oz + t * dz
    nx, ny, nz, skip, closed, gloss = 0.0, 1.0, 0.0, -1, 1.0, 0.0
    if kind == FLOOR:
        flat = max(math.sqrt(dx * dx + dz * dz), 1e-9)
        wide += widening * t
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
    sky, key, shine, rim = _lit(px, py, pz, nx, ny, nz, dx, dy, dz, skip, closed, gloss, drawing, look, stack)
    up = 0.5 + 0.5 * ny
    for c in range(3):
        ambient = look[BOUNCE, c] + up * (look[SKY_LIGHT, c] - look[BOUNCE, c])
        light = sky * ambient + key * look[KEY, c]
        out[c] = albedo[c] * light + shine * look[KEY, c] + rim * look[SKY_LIGHT, c]
    if kind == CAPSULE:
        fade = drawing.group_fades[_group_of(index, drawing)]
        for c in range(3):
            out[c] += fade * (look[HORIZON, c] - out[c])
    fog = 1.0 - math.exp(-((max(t - look[FOG, 0], 0.0) / look[FOG, 1]) ** 2))
    for c in range(3):
        out[c] += fog * (look[HORIZON, c] - out[c])


@njit(cache=True, error_model="numpy")
def _lit(px, py, pz, nx, ny, nz, dx, dy, dz, skip, closed, gloss, drawing, look, stack):  # type: ignore[no-untyped-def]
    """Shares of the sky and of the key light that reach a point, and how much it shines in both."""
    lx, ly, lz = look[TO_LIGHT, 0], look[TO_LIGHT, 1], look[TO_LIGHT, 2]
    facing = nx * lx + ny * ly + nz * lz
    lit = 0.0
    if facing > 0.0:
        lit = lit_share(px, py, pz, lx, ly, lz, drawing, skip, look[FIGURES, 0], stack)
    sky = closed * openness(px, py, pz, nx, ny, nz, drawing, skip)
    shine, rim = 0.0, 0.0
    if gloss > 0.0:
        hx, hy, hz = lx - dx, ly - dy, lz - dz
        size = math.sqrt(hx * hx + hy * hy + hz * hz)
        shine = gloss * lit * max((nx * hx + ny * hy + nz * hz) / max(size, 1e-9), 0.0) ** 40
        rim = 0.9 * gloss * (1.0 - abs(nx * dx + ny * dy + nz * dz)) ** 3 * sky
    return sky, max(facing, 0.0) * lit, shine, rim
