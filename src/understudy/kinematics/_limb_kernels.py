"""Compiled analytic limb IK. See ``limb_ik.py`` for the method; every step here has a NumPy twin in its tests.

Row functions take one limb's arrays, so that planners can call them inside their own loops.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from understudy.compiling.kernel import njit
from understudy.rotations._kernels import qconj_rot, qmul, qrot
from understudy.typing import FloatArray

# Vectors shorter than this share of the limb's length have no direction.
_NO_DIRECTION = 1e-10


class Bones(NamedTuple):
    """What the kernels know of a limb; see :class:`understudy.kinematics.limb.Limb`."""

    upper_offset: FloatArray
    upper_rotation: FloatArray
    mid_zero: FloatArray
    hinge: FloatArray
    lower_offset: FloatArray
    lower_rotation: FloatArray
    reference_axis: FloatArray
    reference_bend: FloatArray


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
def base_turn(
    w: tuple[float, float, float],
    k: tuple[float, float, float],
    t: tuple[float, float, float],
    axis: FloatArray,
    bend: FloatArray,
    swivel: float,
) -> tuple[float, float, float, float]:
    """Rotation that takes unit ``w`` to unit ``t`` and the limb's bend direction to the given swivel.

    ``w`` is the direction base - end and ``k`` the hinge in the base joint's frame; ``t`` is the direction to
    the target in the parent's frame; ``axis`` and ``bend`` are the limb's reference there.
    """
    bx, by, bz = _cross(w[0], w[1], w[2], k[0], k[1], k[2])
    bx, by, bz = _across(w[0], w[1], w[2], bx, by, bz)
    ex, ey, ez = carried_direction(axis[0], axis[1], axis[2], bend[0], bend[1], bend[2], t[0], t[1], t[2])
    nx, ny, nz = _cross(t[0], t[1], t[2], ex, ey, ez)
    cosine, sine = math.cos(swivel), math.sin(swivel)
    ex, ey, ez = cosine * ex + sine * nx, cosine * ey + sine * ny, cosine * ez + sine * nz
    ex, ey, ez = _across(t[0], t[1], t[2], ex, ey, ez)
    fw, fx, fy, fz = frame_quaternion(w[0], w[1], w[2], bx, by, bz)
    ow, ox, oy, oz = frame_quaternion(t[0], t[1], t[2], ex, ey, ez)
    return qmul(ow, ox, oy, oz, fw, -fx, -fy, -fz)


@njit(cache=True)
def _product(a: FloatArray, b: FloatArray) -> tuple[float, float, float, float]:
    return qmul(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])


@njit(cache=True)
def bent_limb(
    distance: float, bones: Bones, out_mid: FloatArray
) -> tuple[tuple[float, float, float], tuple[float, float, float], float, float]:
    """Flex the middle joint so that the end joint is ``distance`` away from the base joint, or nearly.

    Writes the middle joint's local rotation.

    Returns:
        Unit direction base - end and hinge axis, both in the base joint's frame; the distance reached [m];
        the flexion [rad].
    """
    upper_offset, upper_rotation, mid_zero = bones.upper_offset, bones.upper_rotation, bones.mid_zero
    hinge, lower_offset = bones.hinge, bones.lower_offset
    h0, h1, h2 = hinge[0], hinge[1], hinge[2]
    c0, c1, c2 = lower_offset[0], lower_offset[1], lower_offset[2]
    a0, a1, a2 = upper_offset[0], upper_offset[1], upper_offset[2]
    gw, gx, gy, gz = _product(upper_rotation, mid_zero)
    u0, u1, u2 = qconj_rot(gw, gx, gy, gz, a0, a1, a2)
    angle, flexion = hinge_turn(u0, u1, u2, c0, c1, c2, h0, h1, h2, distance)
    cosine, sine = math.cos(0.5 * angle), math.sin(0.5 * angle)
    out_mid[0], out_mid[1], out_mid[2], out_mid[3] = qmul(
        mid_zero[0], mid_zero[1], mid_zero[2], mid_zero[3], cosine, sine * h0, sine * h1, sine * h2
    )
    mw, mx, my, mz = _product(upper_rotation, out_mid)
    d0, d1, d2 = qrot(mw, mx, my, mz, c0, c1, c2)
    w0, w1, w2 = a0 + d0, a1 + d1, a2 + d2
    reach = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    k0, k1, k2 = qrot(gw, gx, gy, gz, h0, h1, h2)
    if reach > _NO_DIRECTION * _length(upper_offset, lower_offset):
        return (w0 / reach, w1 / reach, w2 / reach), (k0, k1, k2), reach, flexion
    # Folded onto its own base: a quarter turn of flexion from the upper bone is where the end came from.
    w0, w1, w2 = _cross(k0, k1, k2, a0, a1, a2)
    return _across(k0, k1, k2, w0, w1, w2), (k0, k1, k2), reach, flexion


@njit(cache=True)
def _length(a: FloatArray, b: FloatArray) -> float:
    """Length of ``a`` and ``b`` laid end to end."""
    return math.sqrt(a[0] ** 2 + a[1] ** 2 + a[2] ** 2) + math.sqrt(b[0] ** 2 + b[1] ** 2 + b[2] ** 2)


@njit(cache=True)
def solve_limb_row(
    target: FloatArray,
    target_rotation: FloatArray,
    swivel: float,
    bones: Bones,
    out_base: FloatArray,
    out_mid: FloatArray,
    out_end: FloatArray,
) -> tuple[float, float]:
    """Solve one limb in the axes of its parent, with the base joint as origin.

    Returns:
        Distance left between end joint and target [m], and flexion [rad].
    """
    # hypot does not overflow for targets absurdly far away.
    distance = math.hypot(math.hypot(target[0], target[1]), target[2])
    w, k, reach, flexion = bent_limb(distance, bones, out_mid)
    axis, bend, lower = bones.reference_axis, bones.reference_bend, bones.lower_rotation
    t = (axis[0], axis[1], axis[2])
    if distance > _NO_DIRECTION * _length(bones.upper_offset, bones.lower_offset):
        t = (target[0] / distance, target[1] / distance, target[2] / distance)
    out_base[0], out_base[1], out_base[2], out_base[3] = base_turn(w, k, t, axis, bend, swivel)
    # The end joint takes what the orientation of its parent leaves over.
    qw, qx, qy, qz = _product(out_base, bones.upper_rotation)
    qw, qx, qy, qz = qmul(qw, qx, qy, qz, out_mid[0], out_mid[1], out_mid[2], out_mid[3])
    qw, qx, qy, qz = qmul(qw, qx, qy, qz, lower[0], lower[1], lower[2], lower[3])
    out_end[0], out_end[1], out_end[2], out_end[3] = qmul(
        qw, -qx, -qy, -qz, target_rotation[0], target_rotation[1], target_rotation[2], target_rotation[3]
    )
    return abs(reach - distance), flexion


@njit(cache=True)
def solve_limb_rows(
    targets: FloatArray,
    target_rotations: FloatArray,
    swivels: FloatArray,
    bones: Bones,
    out_base: FloatArray,
    out_mid: FloatArray,
    out_end: FloatArray,
    out_error: FloatArray,
    out_flexion: FloatArray,
) -> None:
    """:func:`solve_limb_row` for every row; arrays of bones with one row serve all."""
    for i in range(targets.shape[0]):
        own = Bones(
            bones.upper_offset[min(i, bones.upper_offset.shape[0] - 1)],
            bones.upper_rotation[min(i, bones.upper_rotation.shape[0] - 1)],
            bones.mid_zero[min(i, bones.mid_zero.shape[0] - 1)],
            bones.hinge[min(i, bones.hinge.shape[0] - 1)],
            bones.lower_offset[min(i, bones.lower_offset.shape[0] - 1)],
            bones.lower_rotation[min(i, bones.lower_rotation.shape[0] - 1)],
            bones.reference_axis[min(i, bones.reference_axis.shape[0] - 1)],
            bones.reference_bend[min(i, bones.reference_bend.shape[0] - 1)],
        )
        out_error[i], out_flexion[i] = solve_limb_row(
            targets[i], target_rotations[i], swivels[i], own, out_base[i], out_mid[i], out_end[i]
        )
