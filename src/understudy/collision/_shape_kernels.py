"""One segment of the world against one solid of any kind, at its pose."""

from __future__ import annotations

import math

from understudy.collision._box_kernels import box_nearest, box_signed
from understudy.collision._cylinder_kernels import cylinder_nearest, cylinder_signed
from understudy.collision._hull_kernels import hull_inside, hull_meets
from understudy.collision._mesh_kernels import inside_mesh, mesh_nearest, mesh_signed, mesh_touches
from understudy.collision._segment_kernels import (
    TOUCHING,
    Signed,
    half_space_signed,
    segments_nearest,
    segments_signed,
)
from understudy.collision.tables import (
    BOX,
    CAPSULE,
    CLOSED,
    CYLINDER,
    EDGE_END,
    EDGE_START,
    HALF_SPACE,
    HULL,
    NODE_END,
    NODE_START,
    PLACE,
    PLANE_END,
    PLANE_START,
    SIZE,
    SPHERE,
    TURN,
    SolidArrays,
)
from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


@njit(cache=True, error_model="numpy")
def into_solid(rows: FloatArray, i: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a world point in the frame of solid ``i``."""
    x, y, z = x - rows[i, PLACE], y - rows[i, PLACE + 1], z - rows[i, PLACE + 2]
    return (
        rows[i, TURN] * x + rows[i, TURN + 3] * y + rows[i, TURN + 6] * z,
        rows[i, TURN + 1] * x + rows[i, TURN + 4] * y + rows[i, TURN + 7] * z,
        rows[i, TURN + 2] * x + rows[i, TURN + 5] * y + rows[i, TURN + 8] * z,
    )


@njit(cache=True, error_model="numpy")
def solid_touches(
    solids: SolidArrays,
    rows: FloatArray,
    i: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    reach: float,
) -> bool:
    """Whether solid ``i`` comes nearer than ``reach`` to the segment ``a -> b``."""
    kind = solids.kinds[i, 0]
    ax, ay, az = into_solid(rows, i, ax, ay, az)
    bx, by, bz = into_solid(rows, i, bx, by, bz)
    if kind == BOX:
        d2, _ = box_nearest(ax, ay, az, bx, by, bz, rows[i, SIZE], rows[i, SIZE + 1], rows[i, SIZE + 2])
        return d2 < reach * reach
    if kind in (CAPSULE, SPHERE):
        half = rows[i, SIZE + 1]
        reach += rows[i, SIZE]
        d2, _, _ = segments_nearest(ax, ay, az, bx, by, bz, 0.0, -half, 0.0, 0.0, half, 0.0)
        return d2 < reach * reach
    if kind == HALF_SPACE:
        return min(ay, by) < reach
    if kind == CYLINDER:
        d2, _ = cylinder_nearest(ax, ay, az, bx, by, bz, rows[i, SIZE], rows[i, SIZE + 1])
        return d2 < reach * reach
    where = solids.meshes[solids.kinds[i, 1]]
    if kind == HULL and hull_meets(solids.planes, where[PLANE_START], where[PLANE_END], ax, ay, az, bx, by, bz):
        return True
    first, last = where[NODE_START], where[NODE_END]
    if mesh_touches(solids.boxes, solids.links, solids.triangles, first, last, ax, ay, az, bx, by, bz, reach):
        return True
    if kind == HULL or where[CLOSED] == 0:
        return False
    return inside_mesh(solids.boxes, solids.links, solids.triangles, first, last, ax, ay, az)


@njit(cache=True, error_model="numpy")
def _hull_signed(
    solids: SolidArrays, i: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float
) -> Signed:
    where = solids.meshes[solids.kinds[i, 1]]
    planes = where[PLANE_START], where[PLANE_END]
    if not hull_meets(solids.planes, planes[0], planes[1], ax, ay, az, bx, by, bz):
        d2, s, qx, qy, qz, _ = mesh_nearest(
            solids.boxes, solids.links, solids.triangles, where[NODE_START], ax, ay, az, bx, by, bz, math.inf
        )
        d = math.sqrt(d2)
        if d > TOUCHING:
            px, py, pz = ax + s * (bx - ax), ay + s * (by - ay), az + s * (bz - az)
            return d, s, (px - qx) / d, (py - qy) / d, (pz - qz) / d
    edges = where[EDGE_START], where[EDGE_END]
    return hull_inside(solids.planes, planes[0], planes[1], solids.edges, edges[0], edges[1], ax, ay, az, bx, by, bz)


@njit(cache=True, error_model="numpy")
def solid_signed(
    solids: SolidArrays,
    rows: FloatArray,
    i: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
) -> Signed:
    """Signed distance of solid ``i`` from the segment ``a -> b``, as ``_segment_kernels`` says, in the world."""
    kind = solids.kinds[i, 0]
    ax, ay, az = into_solid(rows, i, ax, ay, az)
    bx, by, bz = into_solid(rows, i, bx, by, bz)
    if kind == BOX:
        d, s, x, y, z = box_signed(ax, ay, az, bx, by, bz, rows[i, SIZE], rows[i, SIZE + 1], rows[i, SIZE + 2])
    elif kind in (CAPSULE, SPHERE):
        half = rows[i, SIZE + 1]
        d, s, x, y, z = segments_signed(ax, ay, az, bx, by, bz, 0.0, -half, 0.0, 0.0, half, 0.0)
        d -= rows[i, SIZE]
    elif kind == HALF_SPACE:
        d, s, x, y, z = half_space_signed(ax, ay, az, bx, by, bz)
    elif kind == CYLINDER:
        d, s, x, y, z = cylinder_signed(ax, ay, az, bx, by, bz, rows[i, SIZE], rows[i, SIZE + 1])
    elif kind == HULL:
        d, s, x, y, z = _hull_signed(solids, i, ax, ay, az, bx, by, bz)
    else:
        where = solids.meshes[solids.kinds[i, 1]]
        first, last, closed = where[NODE_START], where[NODE_END], where[CLOSED] == 1
        d, s, x, y, z = mesh_signed(
            solids.boxes, solids.links, solids.triangles, first, last, closed, ax, ay, az, bx, by, bz
        )
    return (
        d,
        s,
        rows[i, TURN] * x + rows[i, TURN + 1] * y + rows[i, TURN + 2] * z,
        rows[i, TURN + 3] * x + rows[i, TURN + 4] * y + rows[i, TURN + 5] * z,
        rows[i, TURN + 6] * x + rows[i, TURN + 7] * y + rows[i, TURN + 8] * z,
    )
