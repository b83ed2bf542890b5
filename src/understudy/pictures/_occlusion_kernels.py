"""Occlusion between a point and the light: soft shadows and darkening near contacts."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.pictures._kernels import ray_prop, sphere_in_way


@njit(cache=True, error_model="numpy")
def clamped(x):  # type: ignore[no-untyped-def]
    return min(max(x, 0.0), 1.0)


@njit(cache=True, error_model="numpy")
def nearest_on_capsule(px, py, pz, capsules, i):  # type: ignore[no-untyped-def]
    """Point of capsule ``i``'s axis nearest to ``p``."""
    ax, ay, az = capsules[i, 0], capsules[i, 1], capsules[i, 2]
    bx, by, bz = capsules[i, 3] - ax, capsules[i, 4] - ay, capsules[i, 5] - az
    length2 = bx * bx + by * by + bz * bz
    s = 0.0
    if length2 > 1e-18:
        s = clamped(((px - ax) * bx + (py - ay) * by + (pz - az) * bz) / length2)
    return ax + s * bx, ay + s * by, az + s * bz


@njit(cache=True, error_model="numpy")
def ray_axis_gap(ox, oy, oz, dx, dy, dz, capsules, i):  # type: ignore[no-untyped-def]
    """Closest approach of a ray to capsule ``i``'s axis: distance along the ray, distance between them."""
    ax, ay, az = capsules[i, 0], capsules[i, 1], capsules[i, 2]
    bx, by, bz = capsules[i, 3] - ax, capsules[i, 4] - ay, capsules[i, 5] - az
    px, py, pz = ox - ax, oy - ay, oz - az
    length2 = bx * bx + by * by + bz * bz
    bd = bx * dx + by * dy + bz * dz
    bp = bx * px + by * py + bz * pz
    dp = dx * px + dy * py + dz * pz
    across = length2 - bd * bd
    s = 0.0
    if across > 1e-12 * length2 and length2 > 1e-18:
        s = clamped((bp - bd * dp) / across)
    t = s * bd - dp
    if t < 0.0:
        t = 0.0
        if length2 > 1e-18:
            s = clamped(bp / length2)
    qx, qy, qz = px + t * dx - s * bx, py + t * dy - s * by, pz + t * dz - s * bz
    return t, math.sqrt(qx * qx + qy * qy + qz * qz)


@njit(cache=True, error_model="numpy")
def lit_share(px, py, pz, lx, ly, lz, drawing, skip, softness, stack):  # type: ignore[no-untyped-def]
    """Share of the key light that reaches ``p``: soft edges, since the light has a size.

    ``skip`` is the capsule ``p`` lies on; ``softness`` the tangent of the light disc's half angle.
    """
    lit = 1.0
    for g in range(len(drawing.group_spheres)):
        if drawing.group_casts[g] <= 0.0:
            continue
        cx, cy, cz = (
            drawing.group_spheres[g, 0] - px,
            drawing.group_spheres[g, 1] - py,
            drawing.group_spheres[g, 2] - pz,
        )
        along = cx * lx + cy * ly + cz * lz
        r = drawing.group_spheres[g, 3]
        reach = r + softness * max(along + r, 0.0)
        if along < -r or cx * cx + cy * cy + cz * cz - along * along > reach * reach:
            continue
        passed = 1.0
        for i in range(drawing.group_ranges[g, 0], drawing.group_ranges[g, 1]):
            if i == skip:
                continue
            t, gap = ray_axis_gap(px, py, pz, lx, ly, lz, drawing.capsules, i)
            if t > 1e-6:
                x = clamped(0.5 + 0.5 * (gap - drawing.capsules[i, 6]) / (softness * t))
                passed = min(passed, x * x * (3.0 - 2.0 * x))
        lit = min(lit, 1.0 - drawing.group_casts[g] * (1.0 - passed))
        if lit <= 0.0:
            return 0.0
    if len(drawing.prop_roots) > 0:
        lit = min(lit, _lit_past_props(px, py, pz, lx, ly, lz, drawing, softness, stack))
    return lit


@njit(cache=True, error_model="numpy")
def _lit_past_props(px, py, pz, lx, ly, lz, drawing, softness, stack):  # type: ignore[no-untyped-def]
    """Share of a square light that props leave: its corners first, all of it only where they disagree."""
    reached = 0
    for corner in range(4):
        reached += _reaches_light(px, py, pz, lx, ly, lz, 3 * (corner % 2), 3 * (corner // 2), drawing, softness, stack)
    if reached in (0, 4):
        return 0.25 * reached
    for cell in range(16):
        row, column = cell // 4, cell % 4
        if row % 3 != 0 or column % 3 != 0:
            reached += _reaches_light(px, py, pz, lx, ly, lz, column, row, drawing, softness, stack)
    return reached / 16.0


@njit(cache=True, error_model="numpy")
def _reaches_light(px, py, pz, lx, ly, lz, column, row, drawing, softness, stack):  # type: ignore[no-untyped-def]
    """1 when no prop stands between ``p`` and one of 4 x 4 places on the light."""
    x = lx + softness * (column - 1.5) / 1.5
    z = lz + softness * (row - 1.5) / 1.5
    size = math.sqrt(x * x + ly * ly + z * z)
    x, y, z = x / size, ly / size, z / size
    for k in range(len(drawing.prop_roots)):
        if sphere_in_way(px, py, pz, x, y, z, drawing.prop_spheres, k, math.inf):
            _, hit = ray_prop(px, py, pz, x, y, z, drawing, k, math.inf, stack)
            if hit >= 0:
                return 0
    return 1


@njit(cache=True, error_model="numpy")
def openness(px, py, pz, nx, ny, nz, drawing, skip):  # type: ignore[no-untyped-def]
    """Share of the sky a point still sees past nearby capsules: each taken as the ball nearest to the point."""
    share = 1.0
    for g in range(len(drawing.group_spheres)):
        if drawing.group_casts[g] <= 0.0:
            continue
        cx, cy, cz = (
            drawing.group_spheres[g, 0] - px,
            drawing.group_spheres[g, 1] - py,
            drawing.group_spheres[g, 2] - pz,
        )
        reach = drawing.group_spheres[g, 3] + 0.6
        if cx * cx + cy * cy + cz * cz > reach * reach:
            continue
        for i in range(drawing.group_ranges[g, 0], drawing.group_ranges[g, 1]):
            if i == skip:
                continue
            qx, qy, qz = nearest_on_capsule(px, py, pz, drawing.capsules, i)
            vx, vy, vz = qx - px, qy - py, qz - pz
            gap2 = max(vx * vx + vy * vy + vz * vz, 1e-12)
            facing = (nx * vx + ny * vy + nz * vz) / math.sqrt(gap2)
            r = drawing.capsules[i, 6]
            blocked = clamped((facing + 0.25) / 1.25) * min(r * r / gap2, 1.0)
            share *= 1.0 - 0.75 * drawing.group_casts[g] * blocked
    return share


@njit(cache=True, error_model="numpy")
def floor_openness(px, pz, drawing):  # type: ignore[no-untyped-def]
    """Darkening of the floor below and around props, by distance to their boxes."""
    share = 1.0
    for k in range(len(drawing.prop_roots)):
        cx, cz = drawing.prop_spheres[k, 0] - px, drawing.prop_spheres[k, 2] - pz
        reach = drawing.prop_spheres[k, 3] + 0.6
        if cx * cx + cz * cz > reach * reach:
            continue
        m = drawing.prop_poses[k]
        wx, wy, wz = px - m[9], -m[10], pz - m[11]
        box = drawing.node_boxes[drawing.prop_roots[k]]
        apart2 = 0.0
        for axis in range(3):
            x = m[axis] * wx + m[3 + axis] * wy + m[6 + axis] * wz
            out = max(box[axis] - x, x - box[axis + 3], 0.0)
            apart2 += out * out
        share *= 1.0 - 0.45 * math.exp(-math.sqrt(apart2) / 0.12)
    return share
