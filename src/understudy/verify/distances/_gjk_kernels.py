"""The judge's compiled distance of convex solids that are known by their farthest points (Gilbert, Johnson, Keerthi).

The point of a simplex nearest the origin is found by trying all of its faces, 15 for a tetrahedron, and keeping the
nearest valid one: slower than the usual case analysis, and it cannot take a wrong turn.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.typing import BoolArray, FloatArray, IntArray

#: Kinds of solids: the hull of points, a box, a cylinder along Y, and a triangle per pair.
HULL, BOX, CYLINDER, TRIANGLES = range(4)
_MOST_STEPS = 100
#: Corners of all faces of a tetrahedron, small ones first, then -1.
_FACES = np.array(
    [
        [0, -1, -1, -1],
        [1, -1, -1, -1],
        [2, -1, -1, -1],
        [3, -1, -1, -1],
        [0, 1, -1, -1],
        [0, 2, -1, -1],
        [0, 3, -1, -1],
        [1, 2, -1, -1],
        [1, 3, -1, -1],
        [2, 3, -1, -1],
        [0, 1, 2, -1],
        [0, 1, 3, -1],
        [0, 2, 3, -1],
        [1, 2, 3, -1],
        [0, 1, 2, 3],
    ]
)


class Convex(NamedTuple):
    """A convex solid.

    Attributes:
        kind: ``HULL``, ``BOX``, ``CYLINDER`` or ``TRIANGLES``.
        size: ``(3,)`` half sizes of a box, or radius and half height of a cylinder [m].
        points: ``(m, 3)`` of a hull, or ``(3 pairs, 3)`` of triangles [m].
    """

    kind: int
    size: FloatArray
    points: FloatArray


class Room(NamedTuple):
    """Room for one pair.

    Attributes:
        simplex: ``(4, 3)`` points of the difference of both solids.
        used: ``(4,)`` which of them there are.
        kept: ``(4,)`` the same after a step.
        nearest: ``(3,)`` the point of the simplex nearest the origin.
        fresh: ``(3,)`` one more point.
        at: ``(3,)`` the point of a face.
        gram: ``(3, 3)`` products of a face's edges.
        edges: ``(3, 3)``.
        right: ``(3,)``.
        shares: ``(3,)``.
        local: ``(2, 3)`` a direction in a solid's frame, and the solid's farthest point.
    """

    simplex: FloatArray
    used: BoolArray
    kept: BoolArray
    nearest: FloatArray
    fresh: FloatArray
    at: FloatArray
    gram: FloatArray
    edges: FloatArray
    right: FloatArray
    shares: FloatArray
    local: FloatArray


@uncounted
def _farthest(solid: Convex, row: int, way: FloatArray, out: FloatArray) -> None:
    """Write a solid's farthest point along ``way`` in its own frame."""
    if solid.kind == BOX:
        for i in range(3):
            out[i] = solid.size[i] if way[i] >= 0.0 else -solid.size[i]
        return
    if solid.kind == CYLINDER:
        flat = math.hypot(way[0], way[2])
        scale = solid.size[0] / (flat if flat > 1e-12 else 1.0)
        out[0], out[2] = way[0] * scale, way[2] * scale
        out[1] = solid.size[1] if way[1] >= 0.0 else -solid.size[1]
        return
    first, stop = (3 * row, 3 * row + 3) if solid.kind == TRIANGLES else (0, len(solid.points))
    most, best = -math.inf, first
    for k in range(first, stop):
        along = solid.points[k, 0] * way[0] + solid.points[k, 1] * way[1] + solid.points[k, 2] * way[2]
        if along > most:
            most, best = along, k
    for i in range(3):
        out[i] = solid.points[best, i]


@uncounted
def _difference(
    solids: tuple[Convex, Convex],
    offset: FloatArray,
    turn: FloatArray,
    row: int,
    sign: float,
    way: FloatArray,
    room: Room,
) -> None:
    """Write into ``room.fresh`` the farthest point of the first solid less the second, along ``sign`` times ``way``."""
    local, point = room.local[0], room.local[1]
    for i in range(3):
        local[i] = sign * (turn[0, i] * way[0] + turn[1, i] * way[1] + turn[2, i] * way[2])
    _farthest(solids[0], row, local, point)
    for i in range(3):
        room.fresh[i] = offset[i] + turn[i, 0] * point[0] + turn[i, 1] * point[1] + turn[i, 2] * point[2]
    for i in range(3):
        local[i] = -sign * way[i]
    _farthest(solids[1], row, local, point)
    for i in range(3):
        room.fresh[i] -= point[i]


@uncounted
def _solved(size: int, room: Room) -> bool:
    """Solve ``gram shares = right`` for one to three edges; whether these are far enough from being fewer."""
    gram, shares, volume, scale = room.gram, room.shares, 1.0, 1e-300
    for a in range(size):
        scale += gram[a, a]
    # Elimination; the product of the pivots is the determinant.
    for a in range(size):
        shares[a] = room.right[a]
        for b in range(a):
            part = gram[a, b] / gram[b, b]
            for c in range(b, size):
                gram[a, c] -= part * gram[b, c]
            shares[a] -= part * shares[b]
        volume *= gram[a, a] / scale
        if not (gram[a, a] > 0.0 and volume > 1e-13):
            return False
    for a in range(size - 1, -1, -1):
        for b in range(a + 1, size):
            shares[a] -= gram[a, b] * shares[b]
        shares[a] /= gram[a, a]
    return True


@uncounted
def _on_face(face: IntArray, room: Room) -> bool:
    """Write into ``room.at`` the point nearest the origin on the flat through a face; whether it lies on the face."""
    base, size = room.simplex[face[0]], 0
    while size < 3 and face[size + 1] >= 0:
        for i in range(3):
            room.edges[size, i] = room.simplex[face[size + 1], i] - base[i]
        size += 1
    for i in range(3):
        room.at[i] = base[i]
    if size == 0:
        return True
    for a in range(size):
        room.right[a] = 0.0
        for i in range(3):
            room.right[a] -= room.edges[a, i] * base[i]
        for b in range(size):
            room.gram[a, b] = 0.0
            for i in range(3):
                room.gram[a, b] += room.edges[a, i] * room.edges[b, i]
    if not _solved(size, room):
        return False
    total = 0.0
    for a in range(size):
        if not room.shares[a] >= 0.0:
            return False
        total += room.shares[a]
        for i in range(3):
            room.at[i] += room.shares[a] * room.edges[a, i]
    return total <= 1.0


@uncounted
def _step(room: Room, faces: IntArray) -> None:
    """Move ``room.nearest`` to the point of the simplex nearest the origin; keep the corners of the face it is on."""
    best = math.inf
    for c in range(4):
        room.kept[c] = room.used[c]
    for k in range(len(faces)):
        there = True
        for c in range(4):
            there = there and (faces[k, c] < 0 or room.used[faces[k, c]])
        if not (there and _on_face(faces[k], room)):
            continue
        size = room.at[0] ** 2 + room.at[1] ** 2 + room.at[2] ** 2
        # Faces are tried small to large; a larger one must be clearly nearer, which keeps simplices small.
        if size < best * (1.0 - 1e-12):
            best = size
            for i in range(3):
                room.nearest[i] = room.at[i]
            for c in range(4):
                room.kept[c] = False
            for c in range(4):
                if faces[k, c] >= 0:
                    room.kept[faces[k, c]] = True
    for c in range(4):
        room.used[c] = room.kept[c]


@uncounted
def _open_slot(room: Room) -> int:
    """Where a fresh point goes; -1 where it brings nothing new, or the simplex is full and holds the origin."""
    square, gain = 0.0, 0.0
    for i in range(3):
        square += room.nearest[i] ** 2
        gain += room.nearest[i] * (room.nearest[i] - room.fresh[i])
    size, slot = math.sqrt(square), -1
    # The distance lies between (nearest . fresh) / |nearest| and |nearest|.
    if not (size > 1e-10 and gain > 1e-13 * max(size, 1e-4) and gain > 1e-10 * size * size):
        return -1
    for c in range(3, -1, -1):
        if not room.used[c]:
            slot = c
            continue
        away = 0.0
        for i in range(3):
            away += (room.simplex[c, i] - room.fresh[i]) ** 2
        if math.sqrt(away) < 1e-14:
            return -1
    return slot


@uncounted
def _fill_gaps(
    solids: tuple[Convex, Convex],
    placed: tuple[FloatArray, FloatArray],
    room: Room,
    far: FloatArray,
    faces: IntArray,
    out: FloatArray,
) -> None:
    for n in range(len(out)):
        offset, turn = placed[0][n], placed[1][n]
        _difference(solids, offset, turn, n, 1.0, far, room)
        for c in range(4):
            room.used[c] = c == 0
        for i in range(3):
            room.nearest[i] = room.simplex[0, i] = room.fresh[i]
        for _ in range(_MOST_STEPS):
            _difference(solids, offset, turn, n, -1.0, room.nearest, room)
            slot = _open_slot(room)
            if slot < 0:
                break
            room.used[slot] = True
            for i in range(3):
                room.simplex[slot, i] = room.fresh[i]
            _step(room, faces)
        distance = math.sqrt(room.nearest[0] ** 2 + room.nearest[1] ** 2 + room.nearest[2] ** 2)
        full = room.used[0] and room.used[1] and room.used[2] and room.used[3]
        out[n] = 0.0 if full or distance < 1e-9 else distance


@njit(cache=True, error_model="numpy")
def convex_gaps(first: Convex, second: Convex, offset: FloatArray, turn: FloatArray) -> FloatArray:
    """Distance ``(n,)`` [m] of pairs of solids; 0 where they overlap.

    Args:
        first: Placed in the second's frame.
        second: The other; triangles only here.
        offset: ``(n, 3)`` where the first is [m].
        turn: ``(n, 3, 3)`` how it is turned.
    """
    out, far = np.empty(len(offset)), np.array([1.0, 0.0, 0.0])
    flags = np.zeros(4, dtype=np.bool_), np.zeros(4, dtype=np.bool_)
    points = np.empty(3), np.empty(3), np.empty(3)
    flat = np.empty((3, 3)), np.empty((3, 3)), np.empty(3), np.empty(3)
    room = Room(np.zeros((4, 3)), flags[0], flags[1], *points, *flat, np.empty((2, 3)))
    _fill_gaps((first, second), (offset, turn), room, far, _FACES, out)
    return out
