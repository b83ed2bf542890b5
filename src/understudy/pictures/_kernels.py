"""Ray kernels: capsules in closed form, triangle meshes through a box tree. All lengths in metres.

Directions are unit vectors; a miss is ``inf``. Every hit is at a distance greater than zero.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.pictures.drawing import Drawing
from understudy.typing import FloatArray, IntArray

#: What a ray met.
SKY, FLOOR, CAPSULE, TRIANGLE = 0, 1, 2, 3

_LEAF_TRIANGLES = 4
_STACK = 64


@njit(cache=True, error_model="numpy")
def ray_sphere(ox, oy, oz, dx, dy, dz, cx, cy, cz, r):  # type: ignore[no-untyped-def]
    """Distance to a sphere seen from outside."""
    px, py, pz = ox - cx, oy - cy, oz - cz
    along = px * dx + py * dy + pz * dz
    # The foot of the perpendicular keeps precision far away, where b^2 - c would not.
    qx, qy, qz = px - along * dx, py - along * dy, pz - along * dz
    h = r * r - (qx * qx + qy * qy + qz * qz)
    if h < 0.0:
        return math.inf
    t = -along - math.sqrt(h)
    return t if t > 0.0 else math.inf


@njit(cache=True, error_model="numpy")
def sphere_in_way(ox, oy, oz, dx, dy, dz, spheres, i, limit):  # type: ignore[no-untyped-def]
    """Whether a ray passes through ball ``i`` (or starts in it) before ``limit``."""
    px, py, pz = spheres[i, 0] - ox, spheres[i, 1] - oy, spheres[i, 2] - oz
    r = spheres[i, 3]
    along = px * dx + py * dy + pz * dz
    apart = px * px + py * py + pz * pz
    if apart <= r * r:
        return True
    return along > 0.0 and along - r < limit and apart - along * along <= r * r


@njit(cache=True, error_model="numpy")
def ray_capsule(ox, oy, oz, dx, dy, dz, capsules, i):  # type: ignore[no-untyped-def]
    """Distance to capsule ``i`` seen from outside."""
    ax, ay, az = capsules[i, 0], capsules[i, 1], capsules[i, 2]
    bx, by, bz = capsules[i, 3] - ax, capsules[i, 4] - ay, capsules[i, 5] - az
    r = capsules[i, 6]
    length2 = bx * bx + by * by + bz * bz
    if length2 < 1e-18:
        return ray_sphere(ox, oy, oz, dx, dy, dz, ax, ay, az, r)
    px, py, pz = ox - ax, oy - ay, oz - az
    bd = bx * dx + by * dy + bz * dz
    bp = bx * px + by * py + bz * pz
    across = length2 - bd * bd
    at_start = bd > 0.0
    if across > 1e-12 * length2:
        dp = dx * px + dy * py + dz * pz
        half = length2 * dp - bp * bd
        rest = length2 * (px * px + py * py + pz * pz) - bp * bp - r * r * length2
        h = half * half - across * rest
        if h < 0.0:
            return math.inf
        t = (-half - math.sqrt(h)) / across
        along = bp + t * bd
        if 0.0 < along < length2:
            return t if t > 0.0 else math.inf
        at_start = along <= 0.0
    if at_start:
        return ray_sphere(ox, oy, oz, dx, dy, dz, ax, ay, az, r)
    return ray_sphere(ox, oy, oz, dx, dy, dz, ax + bx, ay + by, az + bz, r)


@njit(cache=True, error_model="numpy")
def ray_triangle(ox, oy, oz, dx, dy, dz, triangles, i):  # type: ignore[no-untyped-def]
    """Distance to triangle ``i`` seen from either side (Moeller and Trumbore)."""
    ax, ay, az = triangles[i, 0], triangles[i, 1], triangles[i, 2]
    ux, uy, uz = triangles[i, 3] - ax, triangles[i, 4] - ay, triangles[i, 5] - az
    vx, vy, vz = triangles[i, 6] - ax, triangles[i, 7] - ay, triangles[i, 8] - az
    px, py, pz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
    det = ux * px + uy * py + uz * pz
    if det == 0.0:
        return math.inf
    sx, sy, sz = ox - ax, oy - ay, oz - az
    b1 = (sx * px + sy * py + sz * pz) / det
    if b1 < 0.0 or b1 > 1.0:
        return math.inf
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    b2 = (dx * qx + dy * qy + dz * qz) / det
    if b2 < 0.0 or b1 + b2 > 1.0:
        return math.inf
    t = (vx * qx + vy * qy + vz * qz) / det
    return t if t > 1e-9 else math.inf


@njit(cache=True, error_model="numpy")
def _slab(o, inverse, low, high, near, far):  # type: ignore[no-untyped-def]
    if math.isinf(inverse):
        if o < low or o > high:
            return 1.0, 0.0
        return near, far
    t1, t2 = (low - o) * inverse, (high - o) * inverse
    return max(near, min(t1, t2)), min(far, max(t1, t2))


@njit(cache=True, error_model="numpy")
def _inverse(x):  # type: ignore[no-untyped-def]
    return 1.0 / x if x != 0.0 else math.inf


@njit(cache=True, error_model="numpy")
def ray_tree(ox, oy, oz, dx, dy, dz, root, boxes, links, triangles, limit, stack):  # type: ignore[no-untyped-def]
    """Nearest triangle before ``limit`` in one tree: distance and index, or ``limit`` and -1."""
    ix, iy, iz = _inverse(dx), _inverse(dy), _inverse(dz)
    best, hit = limit, -1
    stack[0] = root
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        near, far = _slab(ox, ix, boxes[node, 0], boxes[node, 3], 0.0, best)
        near, far = _slab(oy, iy, boxes[node, 1], boxes[node, 4], near, far)
        near, far = _slab(oz, iz, boxes[node, 2], boxes[node, 5], near, far)
        if near > far:
            continue
        if links[node, 1] >= 0:
            stack[depth], stack[depth + 1] = links[node, 0], links[node, 1]
            depth += 2
            continue
        for i in range(links[node, 0], links[node, 0] - links[node, 1]):
            t = ray_triangle(ox, oy, oz, dx, dy, dz, triangles, i)
            if t < best:
                best, hit = t, i
    return best, hit


@njit(cache=True, error_model="numpy")
def ray_prop(ox, oy, oz, dx, dy, dz, drawing, k, limit, stack):  # type: ignore[no-untyped-def]
    """Nearest triangle of prop ``k`` before ``limit``: distance and index, or ``limit`` and -1."""
    m = drawing.prop_poses[k]
    px, py, pz = ox - m[9], oy - m[10], oz - m[11]
    return ray_tree(
        m[0] * px + m[3] * py + m[6] * pz,
        m[1] * px + m[4] * py + m[7] * pz,
        m[2] * px + m[5] * py + m[8] * pz,
        m[0] * dx + m[3] * dy + m[6] * dz,
        m[1] * dx + m[4] * dy + m[7] * dz,
        m[2] * dx + m[5] * dy + m[8] * dz,
        drawing.prop_roots[k],
        drawing.node_boxes,
        drawing.node_links,
        drawing.triangles,
        limit,
        stack,
    )


@njit(cache=True, error_model="numpy")
def nearest(ox, oy, oz, dx, dy, dz, drawing, stack):  # type: ignore[no-untyped-def]
    """What a ray meets first: distance, kind, capsule or triangle index, prop index."""
    best, kind, index = _floor(oy, dy)
    for g in range(len(drawing.group_spheres)):
        if sphere_in_way(ox, oy, oz, dx, dy, dz, drawing.group_spheres, g, best):
            for i in range(drawing.group_ranges[g, 0], drawing.group_ranges[g, 1]):
                t = ray_capsule(ox, oy, oz, dx, dy, dz, drawing.capsules, i)
                if t < best:
                    best, kind, index = t, CAPSULE, i
    return or_prop(ox, oy, oz, dx, dy, dz, best, kind, index, drawing, stack)


@njit(cache=True, error_model="numpy")
def nearest_among(ox, oy, oz, dx, dy, dz, capsules, chosen, count):  # type: ignore[no-untyped-def]
    """The same for the floor and the capsules ``chosen[:count]`` only: distance, kind, index.

    Takes one array instead of a drawing: handing over a dozen arrays costs more than a ray.
    """
    best, kind, index = _floor(oy, dy)
    for n in range(count):
        t = ray_capsule(ox, oy, oz, dx, dy, dz, capsules, chosen[n])
        if t < best:
            best, kind, index = t, CAPSULE, chosen[n]
    return best, kind, index


@njit(cache=True, error_model="numpy")
def _floor(oy, dy):  # type: ignore[no-untyped-def]
    if dy < -1e-12 and oy > 0.0:
        return -oy / dy, FLOOR, -1
    return math.inf, SKY, -1


@njit(cache=True, error_model="numpy")
def or_prop(ox, oy, oz, dx, dy, dz, best, kind, index, drawing, stack):  # type: ignore[no-untyped-def]
    """A hit, or that of a nearer prop: distance, kind, index, prop index."""
    prop = -1
    for k in range(len(drawing.prop_roots)):
        if sphere_in_way(ox, oy, oz, dx, dy, dz, drawing.prop_spheres, k, best):
            t, hit = ray_prop(ox, oy, oz, dx, dy, dz, drawing, k, best, stack)
            if hit >= 0:
                best, kind, index, prop = t, TRIANGLE, hit, k
    return best, kind, index, prop


@njit(cache=True, error_model="numpy")
def trace(origins: FloatArray, directions: FloatArray, drawing: Drawing, distances: FloatArray, hits: IntArray) -> None:
    """Fill ``distances (n,)`` and ``hits (n, 3)`` (kind, index, prop) for rays ``(n, 3)``."""
    stack = np.empty(_STACK, np.int64)
    for n in range(len(origins)):
        o, d = origins[n], directions[n]
        t, kind, index, prop = nearest(o[0], o[1], o[2], d[0], d[1], d[2], drawing, stack)
        distances[n] = t
        hits[n, 0], hits[n, 1], hits[n, 2] = kind, index, prop


@njit(cache=True, error_model="numpy")
def build_tree(corners: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Box tree over triangles ``(n, 9)``, split at the median of the longest axis.

    Returns:
        Boxes ``(nodes, 6)``, links ``(nodes, 2)`` as in :class:`Drawing`, and the triangles' order ``(n,)``.
    """
    count = len(corners)
    order = np.arange(count)
    boxes = np.empty((2 * count, 6))
    links = np.empty((2 * count, 2), np.int64)
    middles = (corners[:, 0:3] + corners[:, 3:6] + corners[:, 6:9]) / 3.0
    todo = np.empty((_STACK, 3), np.int64)
    todo[0] = np.array([0, 0, count])
    depth, nodes = 1, 1
    while depth > 0:
        depth -= 1
        node, first, last = todo[depth]
        mine = order[first:last]
        for axis in range(3):
            low, high = math.inf, -math.inf
            for i in mine:
                low = min(low, corners[i, axis], corners[i, axis + 3], corners[i, axis + 6])
                high = max(high, corners[i, axis], corners[i, axis + 3], corners[i, axis + 6])
            boxes[node, axis], boxes[node, axis + 3] = low, high
        if last - first <= _LEAF_TRIANGLES:
            links[node, 0], links[node, 1] = first, first - last
            continue
        longest = np.argmax(boxes[node, 3:6] - boxes[node, 0:3])
        order[first:last] = mine[np.argsort(middles[mine, longest], kind="mergesort")]
        half = (first + last) // 2
        links[node, 0], links[node, 1] = nodes, nodes + 1
        todo[depth] = np.array([nodes, first, half])
        todo[depth + 1] = np.array([nodes + 1, half, last])
        depth += 2
        nodes += 2
    return boxes[:nodes].copy(), links[:nodes].copy(), order
