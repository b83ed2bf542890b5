"""Compiled lines of sight on a triangulation: what a point sees, and which corners face an edge."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor.tables import Corners, Triangles
from understudy.typing import BoolArray, FloatArray, IntArray

#: Seeing a little too much costs a test later on, seeing too little costs a path.
GRAZE = 1e-10


@njit(cache=True)
def _push(stack: FloatArray, size: int, edge: int, rx: float, rz: float, lx: float, lz: float) -> None:
    """Put a window on the stack."""
    stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3], stack[size, 4] = edge, rx, rz, lx, lz


@njit(cache=True)
def _is_left(ax: float, az: float, bx: float, bz: float, slack: float) -> bool:
    """Whether direction b lies to the left of direction a, by at least minus ``slack`` [rad], roughly."""
    return ax * bz - az * bx > -slack * (abs(ax) + abs(az)) * (abs(bx) + abs(bz))


@njit(cache=True)
def look(
    mesh: Triangles, x: float, z: float, stack: FloatArray, size: int, wanted: BoolArray, seen: IntArray, count: int
) -> int:
    """Triangular expansion: add the wanted points that (x, z) sees through the windows on the stack.

    A window is an edge ``3 * triangle + i`` to be crossed into that triangle's neighbour, and the directions of its
    right and left end as far as they can be seen. Points may be added more than once.

    Returns:
        How many points are in ``seen`` then; more than it holds when it was too small.
    """
    while size > 0:
        size -= 1
        edge = int(stack[size, 0])
        rx, rz, lx, lz = stack[size, 1], stack[size, 2], stack[size, 3], stack[size, 4]
        t, i = edge // 3, edge % 3
        n = mesh.neighbours[t, i]
        if mesh.walls[t, i] or n < 0:
            continue
        j = 0
        # The neighbour runs along the same edge the other way round, and no two triangles share more than one edge.
        while mesh.corners[n, j] != mesh.corners[t, (i + 1) % 3]:
            j += 1
        apex = mesh.corners[n, (j + 2) % 3]
        ux, uz = mesh.points[apex, 0] - x, mesh.points[apex, 1] - z
        if wanted[apex] and _is_left(rx, rz, ux, uz, GRAZE) and _is_left(ux, uz, lx, lz, GRAZE):
            if count < seen.shape[0]:
                seen[count] = apex
            count += 1
        # The first corner of a crossed edge is on the right, so the edge after it leads on to the apex.
        if _is_left(rx, rz, ux, uz, -GRAZE):
            if _is_left(lx, lz, ux, uz, 0.0):
                _push(stack, size, 3 * n + (j + 1) % 3, rx, rz, lx, lz)
            else:
                _push(stack, size, 3 * n + (j + 1) % 3, rx, rz, ux, uz)
            size += 1
        if _is_left(ux, uz, lx, lz, -GRAZE):
            if _is_left(ux, uz, rx, rz, 0.0):
                _push(stack, size, 3 * n + (j + 2) % 3, rx, rz, lx, lz)
            else:
                _push(stack, size, 3 * n + (j + 2) % 3, ux, uz, lx, lz)
            size += 1
    return count


@njit(cache=True)
def look_from_point(mesh: Triangles, t: int, x: float, z: float, wanted: BoolArray) -> IntArray:
    """The wanted points that are seen from a point inside triangle ``t``."""
    stack, seen = np.empty((mesh.corners.shape[0] + 8, 5)), np.empty(256, dtype=np.int64)
    while True:
        count = 0
        for i in range(3):
            v, w = mesh.corners[t, i], mesh.corners[t, (i + 1) % 3]
            if wanted[v]:
                if count < seen.shape[0]:
                    seen[count] = v
                count += 1
            rx, rz = mesh.points[v, 0] - x, mesh.points[v, 1] - z
            lx, lz = mesh.points[w, 0] - x, mesh.points[w, 1] - z
            _push(stack, 0, 3 * t + i, rx, rz, lx, lz)
            count = look(mesh, x, z, stack, 1, wanted, seen, count)
        if count <= seen.shape[0]:
            return seen[:count]
        seen = np.empty(count, dtype=np.int64)


@njit(cache=True)
def _along_walls(mesh: Triangles, corners: Corners, v: int, w: int) -> int:
    """The next corner along the wall from ``v`` to ``w``, past points where it runs straight on; -1 for none."""
    dx, dz = mesh.points[w, 0] - mesh.points[v, 0], mesh.points[w, 1] - mesh.points[v, 1]
    while not corners.turns[w]:
        onward = -1
        for k in range(corners.first[w], corners.first[w + 1]):
            s, j = corners.leaving[k] // 3, corners.leaving[k] % 3
            if not mesh.walls[s, j]:
                continue
            u = mesh.corners[s, (j + 1) % 3]
            ex, ez = mesh.points[u, 0] - mesh.points[w, 0], mesh.points[u, 1] - mesh.points[w, 1]
            if dx * ex + dz * ez > 0.0 and abs(dx * ez - dz * ex) < 1e-8 * (dx * ex + dz * ez):
                onward = u
                break
        if onward < 0:
            return -1
        w = onward
    return w


@njit(cache=True)
def look_from_corner(mesh: Triangles, corners: Corners, v: int, stack: FloatArray) -> bool:
    """List the turning corners that corner ``v`` sees, unless that is done; whether there was room for them."""
    if corners.spans[v, 0] >= 0:
        return True
    turns, seen = corners.turns, corners.seen
    count = corners.used[0]
    x, z = mesh.points[v, 0], mesh.points[v, 1]
    for k in range(corners.first[v], corners.first[v + 1]):
        t, i = corners.leaving[k] // 3, corners.leaving[k] % 3
        w, u = mesh.corners[t, (i + 1) % 3], mesh.corners[t, (i + 2) % 3]
        end = _along_walls(mesh, corners, v, w) if mesh.walls[t, i] else w
        if end >= 0 and turns[end] and (mesh.free[t] or mesh.walls[t, i]):
            if count < seen.shape[0]:
                seen[count] = end
            count += 1
        if mesh.free[t]:
            rx, rz = mesh.points[w, 0] - x, mesh.points[w, 1] - z
            lx, lz = mesh.points[u, 0] - x, mesh.points[u, 1] - z
            _push(stack, 0, 3 * t + (i + 1) % 3, rx, rz, lx, lz)
            count = look(mesh, x, z, stack, 1, turns, seen, count)
    if count > seen.shape[0]:
        return False
    corners.spans[v, 0], corners.spans[v, 1] = corners.used[0], count
    corners.used[0] = count
    return True


@njit(cache=True)
def find_feet(mesh: Triangles, turns: BoolArray) -> tuple[IntArray, FloatArray]:
    """Where corners face walls: ``(wall edge, feet)``, edges as ``3 * triangle + i``, feet ``(n, 3)`` x, z, share.

    The foot of a corner on a wall counts when the circle that has both as its diameter holds no point: such pairs, and
    pairs of corners, are all the narrowest places there are. Looking straight out from the wall through the triangles
    finds them; only points of triangles passed on the way can lie in the circle.
    """
    where = np.empty(64, dtype=np.int64)
    feet = np.empty((64, 3))
    count = 0
    # A visit: edge crossed, visit before, and the stretch of the wall that still sees through; apex along and above.
    visits = np.empty((64, 2), dtype=np.int64)
    spans = np.empty((64, 4))
    for t0 in range(mesh.corners.shape[0]):
        for i0 in range(3):
            if not (mesh.walls[t0, i0] and mesh.free[t0]):
                continue
            a, b = mesh.points[mesh.corners[t0, i0]], mesh.points[mesh.corners[t0, (i0 + 1) % 3]]
            length = np.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2)
            ex, ez = (b[0] - a[0]) / length, (b[1] - a[1]) / length
            margin = 1e-6
            visits[0, 0], visits[0, 1] = 3 * t0 + (i0 + 2) % 3, -1
            spans[0, 0], spans[0, 1] = margin, length - margin
            size, done = 1, 0
            while done < size:
                # The visited edge starts at the apex of its triangle.
                t, i = visits[done, 0] // 3, visits[done, 0] % 3
                apex = mesh.corners[t, i]
                px, pz = mesh.points[apex, 0] - a[0], mesh.points[apex, 1] - a[1]
                along, above = px * ex + pz * ez, ex * pz - ez * px
                spans[done, 2], spans[done, 3] = along, above
                low, high = spans[done, 0], spans[done, 1]
                if low < along < high and turns[apex] and _is_empty(visits, spans, done):
                    if count == where.shape[0]:
                        where = np.concatenate((where, where))
                        feet = np.concatenate((feet, feet))
                    where[count] = 3 * t0 + i0
                    feet[count, 0], feet[count, 1] = a[0] + along * ex, a[1] + along * ez
                    feet[count, 2] = along / length
                    count += 1
                for left in range(2):
                    # From the apex on to the wall's near end (its edge i), or from the far end to the apex (i + 2).
                    j = (i + 2 * (1 - left)) % 3
                    n = mesh.neighbours[t, j]
                    new_low = low if left else max(low, along)
                    new_high = min(high, along) if left else high
                    if mesh.walls[t, j] or n < 0 or new_low >= new_high:
                        continue
                    k = 0
                    while mesh.corners[n, k] != mesh.corners[t, (j + 1) % 3]:
                        k += 1
                    if size == visits.shape[0]:
                        visits = np.concatenate((visits, visits))
                        spans = np.concatenate((spans, spans))
                    visits[size, 0], visits[size, 1] = 3 * n + (k + 2) % 3, done
                    spans[size, 0], spans[size, 1] = new_low, new_high
                    size += 1
                done += 1
    return where[:count], feet[:count]


@njit(cache=True)
def _is_empty(visits: IntArray, spans: FloatArray, visit: int) -> bool:
    """Whether the circle over a visit's apex and its foot holds none of the points passed on the way."""
    along, above = spans[visit, 2], spans[visit, 3]
    k = visits[visit, 1]
    while k >= 0:
        height = spans[k, 3]
        if (spans[k, 2] - along) ** 2 + height * (height - above) < -1e-12:
            return False
        k = visits[k, 1]
    return True
