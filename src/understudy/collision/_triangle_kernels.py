"""A segment against one triangle, nine numbers in row ``i`` of ``triangles``."""

from __future__ import annotations

from understudy.collision._segment_kernels import segments_nearest
from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


@njit(cache=True, error_model="numpy")
def triangle_normal(triangles: FloatArray, i: int) -> tuple[float, float, float]:
    """Return the normal, as long as twice the area."""
    ux, uy, uz = (
        triangles[i, 3] - triangles[i, 0],
        triangles[i, 4] - triangles[i, 1],
        triangles[i, 5] - triangles[i, 2],
    )
    vx, vy, vz = (
        triangles[i, 6] - triangles[i, 0],
        triangles[i, 7] - triangles[i, 1],
        triangles[i, 8] - triangles[i, 2],
    )
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


@njit(cache=True, error_model="numpy")
def _over_triangle(
    triangles: FloatArray, i: int, nx: float, ny: float, nz: float, px: float, py: float, pz: float
) -> bool:
    """Whether ``p`` projects along the normal into the triangle."""
    for k in range(3):
        f, t = 3 * k, 3 * ((k + 1) % 3)
        ex, ey, ez = (
            triangles[i, t] - triangles[i, f],
            triangles[i, t + 1] - triangles[i, f + 1],
            triangles[i, t + 2] - triangles[i, f + 2],
        )
        wx, wy, wz = px - triangles[i, f], py - triangles[i, f + 1], pz - triangles[i, f + 2]
        side = nx * (ey * wz - ez * wy) + ny * (ez * wx - ex * wz) + nz * (ex * wy - ey * wx)
        if side < 0.0:
            return False
    return True


@njit(cache=True, error_model="numpy")
def beyond_plane(
    triangles: FloatArray,
    i: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    near: float,
) -> bool:
    """Whether the segment stays on one side of the triangle's plane, at least ``sqrt(near)`` away from it."""
    nx, ny, nz = triangle_normal(triangles, i)
    x, y, z = triangles[i, 0], triangles[i, 1], triangles[i, 2]
    da = nx * (ax - x) + ny * (ay - y) + nz * (az - z)
    db = nx * (bx - x) + ny * (by - y) + nz * (bz - z)
    if da * db <= 0.0:
        return False
    least = min(abs(da), abs(db))
    return least * least >= near * (nx * nx + ny * ny + nz * nz)


@njit(cache=True, error_model="numpy")
def triangle_nearest(
    triangles: FloatArray, i: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float
) -> tuple[float, float, float, float, float]:
    """Return the squared distance, where on the segment ``s``, and the nearest point ``q`` of the triangle."""
    nx, ny, nz = triangle_normal(triangles, i)
    nn = nx * nx + ny * ny + nz * nz
    best, s, qx, qy, qz = 1e300, 0.0, 0.0, 0.0, 0.0
    if nn > 0.0:
        x, y, z = triangles[i, 0], triangles[i, 1], triangles[i, 2]
        da = nx * (ax - x) + ny * (ay - y) + nz * (az - z)
        db = nx * (bx - x) + ny * (by - y) + nz * (bz - z)
        if da * db < 0.0 or (da == 0.0) != (db == 0.0):
            cut = da / (da - db)
            px, py, pz = ax + cut * (bx - ax), ay + cut * (by - ay), az + cut * (bz - az)
            if _over_triangle(triangles, i, nx, ny, nz, px, py, pz):
                return 0.0, cut, px, py, pz
        if _over_triangle(triangles, i, nx, ny, nz, ax, ay, az):
            best, s = da * da / nn, 0.0
            qx, qy, qz = ax - nx * da / nn, ay - ny * da / nn, az - nz * da / nn
        if db * db / nn < best and _over_triangle(triangles, i, nx, ny, nz, bx, by, bz):
            best, s = db * db / nn, 1.0
            qx, qy, qz = bx - nx * db / nn, by - ny * db / nn, bz - nz * db / nn
    for k in range(3):
        f, t = 3 * k, 3 * ((k + 1) % 3)
        cx, cy, cz = triangles[i, f], triangles[i, f + 1], triangles[i, f + 2]
        dx, dy, dz = triangles[i, t], triangles[i, t + 1], triangles[i, t + 2]
        d2, at, where = segments_nearest(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz)
        if d2 < best:
            best, s = d2, at
            qx, qy, qz = cx + where * (dx - cx), cy + where * (dy - cy), cz + where * (dz - cz)
    return best, s, qx, qy, qz


@njit(cache=True, error_model="numpy")
def triangle_turns(triangles: FloatArray, i: int, px: float, py: float, pz: float) -> int:
    """How often the triangle covers the upward ray from ``p``: 1 or -1 by its orientation, 0 when it does not.

    Seen from above, edges count as crossed by half-open intervals of z and by the sign of one cross product taken from
    the lower to the upper vertex. Two triangles that share an edge therefore agree exactly, and a closed surface has no
    cracks for the ray to slip through.
    """
    turns = 0
    for k in range(3):
        f, t = 3 * k, 3 * ((k + 1) % 3)
        x0, z0, x1, z1 = triangles[i, f], triangles[i, f + 2], triangles[i, t], triangles[i, t + 2]
        if z0 <= pz < z1:
            if (x1 - x0) * (pz - z0) - (px - x0) * (z1 - z0) > 0.0:
                turns += 1
        elif z1 <= pz < z0 and (x0 - x1) * (pz - z1) - (px - x1) * (z0 - z1) > 0.0:
            turns -= 1
    if turns == 0:
        return 0
    nx, ny, nz = triangle_normal(triangles, i)
    if ny == 0.0:
        return 0
    height = (nx * (triangles[i, 0] - px) + ny * (triangles[i, 1] - py) + nz * (triangles[i, 2] - pz)) / ny
    return turns if height > 0.0 else 0
