"""Compiled analytic limb IK. See ``limb_ik.py`` for the method; every step here has a NumPy twin in its tests.

Row functions take one limb's arrays, so that planners can call them inside their own loops.
"""

from __future__ import annotations

import math

from numba import njit

from understudy.rotations._kernels import qconj_rot, qmul, qrot
from understudy.typing import FloatArray

# Vectors shorter than this share of the limb's length have no direction.
_NO_DIRECTION = 1e-10


@njit(cache=True)
def _cross(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> tuple[float, float, float]:
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@njit(cache=True)
def _perpendicular(x: float, y: float, z: float) -> tuple[float, float, float]:
    """A unit vector perpendicular to unit ``(x, y, z)``, always the same one."""
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        px, py, pz = 0.0, -z, y
    elif abs(y) <= abs(z):
        px, py, pz = z, 0.0, -x
    else:
        px, py, pz = -y, x, 0.0
    length = math.sqrt(px * px + py * py + pz * pz)
    return px / length, py / length, pz / length


@njit(cache=True)
def _across(x: float, y: float, z: float, vx: float, vy: float, vz: float) -> tuple[float, float, float]:
    """Unit part of ``v`` perpendicular to unit ``(x, y, z)``; any perpendicular when there is none."""
    along = x * vx + y * vy + z * vz
    px, py, pz = vx - along * x, vy - along * y, vz - along * z
    length = math.sqrt(px * px + py * py + pz * pz)
    if length <= 1e-9 * math.sqrt(vx * vx + vy * vy + vz * vz):
        return _perpendicular(x, y, z)
    return px / length, py / length, pz / length


@njit(cache=True)
def frame_quaternion(
    xx: float, xy: float, xz: float, yx: float, yy: float, yz: float
) -> tuple[float, float, float, float]:
    """Quaternion of the rotation whose matrix has the orthonormal columns ``x``, ``y``, ``x cross y``."""
    zx, zy, zz = _cross(xx, xy, xz, yx, yy, yz)
    # Shepperd: start from the largest component, so that nothing is divided by a small one.
    trace = xx + yy + zz
    if trace >= max(xx, yy, zz):
        s = 2.0 * math.sqrt(1.0 + trace)
        w, x, y, z = 0.25 * s, (yz - zy) / s, (zx - xz) / s, (xy - yx) / s
    elif xx >= yy and xx >= zz:
        s = 2.0 * math.sqrt(1.0 + xx - yy - zz)
        w, x, y, z = (yz - zy) / s, 0.25 * s, (yx + xy) / s, (zx + xz) / s
    elif yy >= zz:
        s = 2.0 * math.sqrt(1.0 + yy - xx - zz)
        w, x, y, z = (zx - xz) / s, (yx + xy) / s, 0.25 * s, (zy + yz) / s
    else:
        s = 2.0 * math.sqrt(1.0 + zz - xx - yy)
        w, x, y, z = (xy - yx) / s, (zx + xz) / s, (zy + yz) / s, 0.25 * s
    length = math.sqrt(w * w + x * x + y * y + z * z)
    return w / length, x / length, y / length, z / length


@njit(cache=True)
def carried_direction(
    ax: float, ay: float, az: float, rx: float, ry: float, rz: float, tx: float, ty: float, tz: float
) -> tuple[float, float, float]:
    """Direction ``r`` (perpendicular to unit ``a``) carried along by the shortest arc from ``a`` to unit ``t``.

    Opposite ``a`` and ``t`` turn half a turn about ``r``, which then stays.
    """
    sx, sy, sz = ax + tx, ay + ty, az + tz
    one_plus_cosine = 0.5 * (sx * sx + sy * sy + sz * sz)
    if one_plus_cosine > 1e-24:
        share = (tx * rx + ty * ry + tz * rz) / one_plus_cosine
        rx, ry, rz = rx - share * sx, ry - share * sy, rz - share * sz
    return _across(tx, ty, tz, rx, ry, rz)


@njit(cache=True)
def hinge_turn(
    ux: float,
    uy: float,
    uz: float,
    cx: float,
    cy: float,
    cz: float,
    hx: float,
    hy: float,
    hz: float,
    distance: float,
) -> tuple[float, float]:
    """Hinge angle and flexion [rad] that bring ``|u + turn(c)|`` to ``distance``, or as near as they can.

    ``u`` and ``c`` are the upper and lower bone in the hinge's frame at angle 0, ``h`` its unit axis. Flexion
    is in [0, pi]: 0 at the farthest reach. With ``p`` and ``s`` the parts of ``u`` and ``c`` across the axis,
    tan^2(flexion / 2) = (far^2 - d^2) / (d^2 - near^2), which keeps its digits at both ends.
    """
    uh, ch = ux * hx + uy * hy + uz * hz, cx * hx + cy * hy + cz * hz
    px, py, pz = ux - uh * hx, uy - uh * hy, uz - uh * hz
    sx, sy, sz = cx - ch * hx, cy - ch * hy, cz - ch * hz
    upper, lower = math.sqrt(px * px + py * py + pz * pz), math.sqrt(sx * sx + sy * sy + sz * sz)
    far = math.sqrt((upper + lower) ** 2 + (uh + ch) ** 2)
    near = math.sqrt((upper - lower) ** 2 + (uh + ch) ** 2)
    beyond = max((far - distance) * (far + distance), 0.0)
    inside = max((distance - near) * (distance + near), 0.0)
    flexion = 2.0 * math.atan2(math.sqrt(beyond), math.sqrt(inside))
    nx, ny, nz = _cross(sx, sy, sz, px, py, pz)
    straight = math.atan2(hx * nx + hy * ny + hz * nz, sx * px + sy * py + sz * pz)
    return straight + flexion, flexion


@njit(cache=True)
def solve_limb_row(
    target: FloatArray,
    target_rotation: FloatArray,
    swivel: float,
    upper_offset: FloatArray,
    upper_rotation: FloatArray,
    mid_zero: FloatArray,
    hinge: FloatArray,
    lower_offset: FloatArray,
    lower_rotation: FloatArray,
    axis: FloatArray,
    bend: FloatArray,
    out_base: FloatArray,
    out_mid: FloatArray,
    out_end: FloatArray,
) -> tuple[float, float]:
    """Solve one limb in the frame of its parent, whose origin is moved to the base joint.

    Returns:
        Distance left between end joint and target [m], and flexion [rad].
    """
    hx, hy, hz = hinge[0], hinge[1], hinge[2]
    # g: rotation from the middle joint's frame at hinge angle 0 to the base joint's frame.
    gw, gx, gy, gz = qmul(
        upper_rotation[0], upper_rotation[1], upper_rotation[2], upper_rotation[3],
        mid_zero[0], mid_zero[1], mid_zero[2], mid_zero[3],
    )  # fmt: skip
    ax, ay, az = upper_offset[0], upper_offset[1], upper_offset[2]
    ux, uy, uz = qconj_rot(gw, gx, gy, gz, ax, ay, az)
    cx, cy, cz = lower_offset[0], lower_offset[1], lower_offset[2]
    distance = math.sqrt(target[0] ** 2 + target[1] ** 2 + target[2] ** 2)
    angle, flexion = hinge_turn(ux, uy, uz, cx, cy, cz, hx, hy, hz, distance)
    sine = math.sin(0.5 * angle)
    mw, mx, my, mz = qmul(
        mid_zero[0], mid_zero[1], mid_zero[2], mid_zero[3],
        math.cos(0.5 * angle), sine * hx, sine * hy, sine * hz,
    )  # fmt: skip
    # m: rotation from the middle joint's frame to the base joint's frame; w: the end joint, seen from the base.
    rw, rx, ry, rz = qmul(
        upper_rotation[0], upper_rotation[1], upper_rotation[2], upper_rotation[3], mw, mx, my, mz
    )  # fmt: skip
    dx, dy, dz = qrot(rw, rx, ry, rz, cx, cy, cz)
    wx, wy, wz = ax + dx, ay + dy, az + dz
    reach = math.sqrt(wx * wx + wy * wy + wz * wz)
    length = math.sqrt(ax * ax + ay * ay + az * az) + math.sqrt(cx * cx + cy * cy + cz * cz)
    kx, ky, kz = qrot(gw, gx, gy, gz, hx, hy, hz)
    if reach > _NO_DIRECTION * length:
        wx, wy, wz = wx / reach, wy / reach, wz / reach
    else:
        # Folded onto its own base: a quarter turn of flexion from the upper bone is where the end came from.
        ix, iy, iz = _cross(kx, ky, kz, ax, ay, az)
        wx, wy, wz = _across(kx, ky, kz, ix, iy, iz)
    tx, ty, tz = axis[0], axis[1], axis[2]
    if distance > _NO_DIRECTION * length:
        tx, ty, tz = target[0] / distance, target[1] / distance, target[2] / distance
    # Bend direction: the side to which the middle joint goes when the limb flexes.
    bx, by, bz = _cross(wx, wy, wz, kx, ky, kz)
    bx, by, bz = _across(wx, wy, wz, bx, by, bz)
    ex, ey, ez = carried_direction(axis[0], axis[1], axis[2], bend[0], bend[1], bend[2], tx, ty, tz)
    nx, ny, nz = _cross(tx, ty, tz, ex, ey, ez)
    cosine, sine = math.cos(swivel), math.sin(swivel)
    ex, ey, ez = cosine * ex + sine * nx, cosine * ey + sine * ny, cosine * ez + sine * nz
    ex, ey, ez = _across(tx, ty, tz, ex, ey, ez)
    fw, fx, fy, fz = frame_quaternion(wx, wy, wz, bx, by, bz)
    ow, ox, oy, oz = frame_quaternion(tx, ty, tz, ex, ey, ez)
    qw, qx, qy, qz = qmul(ow, ox, oy, oz, fw, -fx, -fy, -fz)
    out_base[0], out_base[1], out_base[2], out_base[3] = qw, qx, qy, qz
    out_mid[0], out_mid[1], out_mid[2], out_mid[3] = mw, mx, my, mz
    # The end joint takes what its parent's orientation leaves over.
    rw, rx, ry, rz = qmul(qw, qx, qy, qz, rw, rx, ry, rz)
    rw, rx, ry, rz = qmul(
        rw, rx, ry, rz, lower_rotation[0], lower_rotation[1], lower_rotation[2], lower_rotation[3]
    )  # fmt: skip
    out_end[0], out_end[1], out_end[2], out_end[3] = qmul(
        rw, -rx, -ry, -rz, target_rotation[0], target_rotation[1], target_rotation[2], target_rotation[3]
    )  # fmt: skip
    return abs(reach - distance), flexion


@njit(cache=True)
def solve_limb_rows(
    targets: FloatArray,
    target_rotations: FloatArray,
    swivels: FloatArray,
    upper_offset: FloatArray,
    upper_rotation: FloatArray,
    mid_zero: FloatArray,
    hinge: FloatArray,
    lower_offset: FloatArray,
    lower_rotation: FloatArray,
    axis: FloatArray,
    bend: FloatArray,
    out_base: FloatArray,
    out_mid: FloatArray,
    out_end: FloatArray,
    out_error: FloatArray,
    out_flexion: FloatArray,
) -> None:
    """:func:`solve_limb_row` for every row; limb arrays with one row serve all."""
    for i in range(targets.shape[0]):
        error, flexion = solve_limb_row(
            targets[i],
            target_rotations[i],
            swivels[i],
            upper_offset[min(i, upper_offset.shape[0] - 1)],
            upper_rotation[min(i, upper_rotation.shape[0] - 1)],
            mid_zero[min(i, mid_zero.shape[0] - 1)],
            hinge[min(i, hinge.shape[0] - 1)],
            lower_offset[min(i, lower_offset.shape[0] - 1)],
            lower_rotation[min(i, lower_rotation.shape[0] - 1)],
            axis[min(i, axis.shape[0] - 1)],
            bend[min(i, bend.shape[0] - 1)],
            out_base[i],
            out_mid[i],
            out_end[i],
        )
        out_error[i] = error
        out_flexion[i] = flexion
