"""A segment against a triangle mesh in its box tree, and against a convex hull.

``boxes``, ``links`` and ``triangles`` hold all meshes of a world one after the other; a mesh is the nodes
``first .. last - 1``. See ``_segment_kernels`` for what signed kernels return.

The depth of a mesh is sampled: where a segment is inside, the deepest of five points on it counts (a lower bound of the
true depth). Whether it touches, and every distance from outside, is exact.
"""

from __future__ import annotations

import math

from understudy.collision._segment_kernels import TOUCHING, Signed, any_normal
from understudy.collision._tree_kernels import apart, gap_squared, segment_misses_box
from understudy.collision._triangle_kernels import beyond_plane, triangle_nearest, triangle_normal, triangle_turns
from understudy.compiling.kernel import njit
from understudy.core.stack_arrays import stack_floats, stack_ints
from understudy.typing import FloatArray, IntArray

_DEPTH_SAMPLES = 5


@njit(cache=True, error_model="numpy")
def mesh_touches(
    boxes: FloatArray,
    links: IntArray,
    triangles: FloatArray,
    first: int,
    last: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    reach: float,
) -> bool:
    """Whether any triangle comes nearer than ``reach`` to the segment."""
    mx, my, mz = 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz)
    ux, uy, uz = 0.5 * (bx - ax), 0.5 * (by - ay), 0.5 * (bz - az)
    near = reach * reach
    node = first
    while node < last:
        if segment_misses_box(boxes, node, mx, my, mz, ux, uy, uz, reach):
            node = links[node, 0]
            continue
        for i in range(links[node, 1], links[node, 1] + links[node, 2]):
            if beyond_plane(triangles, i, ax, ay, az, bx, by, bz, near):
                continue
            d2, _, _, _, _ = triangle_nearest(triangles, i, ax, ay, az, bx, by, bz)
            if d2 < near:
                return True
        node += 1
    return False


@njit(cache=True, error_model="numpy")
def _ball_apart(
    boxes: FloatArray, node: int, ax: float, ay: float, az: float, ux: float, uy: float, uz: float
) -> tuple[float, float]:
    """Squared distances from the segment ``a .. a + 2 u`` of the middle of a node's box and of the ball around it."""
    x = 0.5 * (boxes[node, 0] + boxes[node, 3]) - ax
    y = 0.5 * (boxes[node, 1] + boxes[node, 4]) - ay
    z = 0.5 * (boxes[node, 2] + boxes[node, 5]) - az
    size = 4.0 * (ux * ux + uy * uy + uz * uz)
    share = min(max(2.0 * (x * ux + y * uy + z * uz) / size, 0.0), 1.0) if size > 0.0 else 0.0
    x, y, z = x - 2.0 * share * ux, y - 2.0 * share * uy, z - 2.0 * share * uz
    middle = x * x + y * y + z * z
    x, y, z = boxes[node, 3] - boxes[node, 0], boxes[node, 4] - boxes[node, 1], boxes[node, 5] - boxes[node, 2]
    radius2 = 0.25 * (x * x + y * y + z * z)
    if middle <= radius2:
        return middle, 0.0
    away = math.sqrt(middle) - math.sqrt(radius2)
    return middle, away * away


@njit(cache=True, error_model="numpy")
def _push_children(
    boxes: FloatArray,
    links: IntArray,
    node: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    stack: IntArray,
    bounds: FloatArray,
    waiting: int,
) -> None:
    """Put both children of a node on the stack with how near they may be, the nearer one to be looked at first."""
    lx, ly, lz = min(ax, bx), min(ay, by), min(az, bz)
    hx, hy, hz = max(ax, bx), max(ay, by), max(az, bz)
    ux, uy, uz = 0.5 * (bx - ax), 0.5 * (by - ay), 0.5 * (bz - az)
    left = node + 1
    right = links[left, 0]
    # Boxes around a slanting segment overlap most nodes: how near these are is told by the balls around them.
    m_left, b_left = _ball_apart(boxes, left, ax, ay, az, ux, uy, uz)
    m_right, b_right = _ball_apart(boxes, right, ax, ay, az, ux, uy, uz)
    g_left = max(b_left, gap_squared(boxes, left, lx, ly, lz, hx, hy, hz))
    g_right = max(b_right, gap_squared(boxes, right, lx, ly, lz, hx, hy, hz))
    if m_left > m_right:
        left, right, g_left, g_right = right, left, g_right, g_left
    stack[waiting], bounds[waiting] = right, g_right
    stack[waiting + 1], bounds[waiting + 1] = left, g_left


@njit(cache=True, error_model="numpy")
def mesh_nearest(
    boxes: FloatArray,
    links: IntArray,
    triangles: FloatArray,
    first: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    bound2: float,
) -> tuple[float, float, float, float, float, int]:
    """Nearest triangle closer than ``sqrt(bound2)``: squared distance, ``s``, point ``q`` of it, its index (or -1)."""
    lx, ly, lz = min(ax, bx), min(ay, by), min(az, bz)
    hx, hy, hz = max(ax, bx), max(ay, by), max(az, bz)
    mx, my, mz = 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz)
    ux, uy, uz = 0.5 * (bx - ax), 0.5 * (by - ay), 0.5 * (bz - az)
    best, s, qx, qy, qz, found = bound2, 0.0, 0.0, 0.0, 0.0, -1
    stack, bounds = stack_ints(), stack_floats()
    stack[0], bounds[0] = first, gap_squared(boxes, first, lx, ly, lz, hx, hy, hz)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if bounds[waiting] >= best or segment_misses_box(boxes, node, mx, my, mz, ux, uy, uz, math.sqrt(best)):
            continue
        if links[node, 2] > 0:
            for i in range(links[node, 1], links[node, 1] + links[node, 2]):
                d2, at, x, y, z = triangle_nearest(triangles, i, ax, ay, az, bx, by, bz)
                if d2 < best:
                    best, s, qx, qy, qz, found = d2, at, x, y, z, i
            continue
        _push_children(boxes, links, node, ax, ay, az, bx, by, bz, stack, bounds, waiting)
        waiting += 2
    return best, s, qx, qy, qz, found


@njit(cache=True, error_model="numpy")
def mesh_apart(
    boxes: FloatArray,
    links: IntArray,
    triangles: FloatArray,
    first: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    within: float,
    need: float,
    loose: float,
) -> float:
    """A distance [m] that no triangle is nearer than, at most ``within``: how far the segment certainly is from a mesh.

    Of what the mesh is farther away than ``need``, a share of up to ``loose`` may be missing: thousands of triangles
    that are about as near as the nearest are then not looked at. Nearer than ``need`` it is exact.
    """
    lx, ly, lz = min(ax, bx), min(ay, by), min(az, bz)
    hx, hy, hz = max(ax, bx), max(ay, by), max(az, bz)
    mx, my, mz = 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz)
    ux, uy, uz = 0.5 * (bx - ax), 0.5 * (by - ay), 0.5 * (bz - az)
    enough = within
    enough2 = enough * enough
    stack, bounds = stack_ints(), stack_floats()
    stack[0], bounds[0] = first, gap_squared(boxes, first, lx, ly, lz, hx, hy, hz)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if bounds[waiting] >= enough2 or segment_misses_box(boxes, node, mx, my, mz, ux, uy, uz, enough):
            continue
        if links[node, 2] > 0:
            for i in range(links[node, 1], links[node, 1] + links[node, 2]):
                if beyond_plane(triangles, i, ax, ay, az, bx, by, bz, enough2):
                    continue
                d2, _, _, _, _ = triangle_nearest(triangles, i, ax, ay, az, bx, by, bz)
                if d2 < enough2:
                    d = math.sqrt(d2)
                    enough = d - loose * max(d - need, 0.0)
                    enough2 = enough * enough
            continue
        _push_children(boxes, links, node, ax, ay, az, bx, by, bz, stack, bounds, waiting)
        waiting += 2
    return enough


@njit(cache=True, error_model="numpy")
def inside_mesh(
    boxes: FloatArray,
    links: IntArray,
    triangles: FloatArray,
    first: int,
    last: int,
    px: float,
    py: float,
    pz: float,
) -> bool:
    """Whether ``p`` lies inside a closed mesh: the upward ray leaves it more often than it enters."""
    turns = 0
    node = first
    while node < last:
        if apart(boxes, node, px, py, pz, px, math.inf, pz):
            node = links[node, 0]
            continue
        for i in range(links[node, 1], links[node, 1] + links[node, 2]):
            turns += triangle_turns(triangles, i, px, py, pz)
        node += 1
    return turns != 0


@njit(cache=True, error_model="numpy")
def mesh_signed(
    boxes: FloatArray,
    links: IntArray,
    triangles: FloatArray,
    first: int,
    last: int,
    closed: bool,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
) -> Signed:
    """Signed distance of the segment from the mesh."""
    d2, s, qx, qy, qz, found = mesh_nearest(boxes, links, triangles, first, ax, ay, az, bx, by, bz, math.inf)
    d = math.sqrt(d2)
    outside = not closed or not inside_mesh(boxes, links, triangles, first, last, ax, ay, az)
    if d > TOUCHING and outside:
        px, py, pz = ax + s * (bx - ax), ay + s * (by - ay), az + s * (bz - az)
        return d, s, (px - qx) / d, (py - qy) / d, (pz - qz) / d
    nx, ny, nz = triangle_normal(triangles, found)
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if length > 0.0:
        nx, ny, nz = nx / length, ny / length, nz / length
    else:
        nx, ny, nz = any_normal(bx - ax, by - ay, bz - az)
    if not closed:
        # A surface is left to the side on which more of the segment lies already.
        if nx * (0.5 * (ax + bx) - qx) + ny * (0.5 * (ay + by) - qy) + nz * (0.5 * (az + bz) - qz) < 0.0:
            nx, ny, nz = -nx, -ny, -nz
        return 0.0, s, nx, ny, nz
    deepest = 0.0
    for k in range(_DEPTH_SAMPLES):
        at = k / (_DEPTH_SAMPLES - 1.0)
        px, py, pz = ax + at * (bx - ax), ay + at * (by - ay), az + at * (bz - az)
        if not inside_mesh(boxes, links, triangles, first, last, px, py, pz):
            continue
        d2, _, qx, qy, qz, _ = mesh_nearest(boxes, links, triangles, first, px, py, pz, px, py, pz, math.inf)
        depth = math.sqrt(d2)
        if depth > deepest and depth > TOUCHING:
            deepest, s = depth, at
            nx, ny, nz = (qx - px) / depth, (qy - py) / depth, (qz - pz) / depth
    return -deepest, s, nx, ny, nz
