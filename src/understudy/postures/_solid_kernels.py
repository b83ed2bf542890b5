"""The distance of a capsule's axis from a solid, in two versions chosen when a kernel is compiled.

Worlds of boxes, balls, capsules and ground need a fraction of the code that meshes, hulls and cylinders need, and
kernels that hold only that fraction compile in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import overload

from understudy.collision._box_kernels import box_signed
from understudy.collision._segment_kernels import Signed, half_space_signed, segments_signed
from understudy.collision._shape_kernels import into_solid, solid_signed
from understudy.collision.tables import BOX, HALF_SPACE, SIZE, TURN
from understudy.postures.tables import PlainSolids, Solids
from understudy.typing import FloatArray


def axis_distance(solids: Solids, i: int, a: FloatArray) -> Signed:
    """Signed distance of solid ``i`` from the axis in a capsule's row ``a``, as ``collision._segment_kernels`` says."""
    raise NotImplementedError("compiled kernels alone can ask for this distance")


def _any_solid(solids: Any, i: int, a: FloatArray) -> Signed:
    return solid_signed(solids, solids.rows, i, a[0], a[1], a[2], a[3], a[4], a[5])


def _plain_solid(solids: Any, i: int, a: FloatArray) -> Signed:
    rows, kind = solids.rows, solids.kinds[i, 0]
    ax, ay, az = into_solid(rows, i, a[0], a[1], a[2])
    bx, by, bz = into_solid(rows, i, a[3], a[4], a[5])
    if kind == BOX:
        d, s, x, y, z = box_signed(ax, ay, az, bx, by, bz, rows[i, SIZE], rows[i, SIZE + 1], rows[i, SIZE + 2])
    elif kind == HALF_SPACE:
        d, s, x, y, z = half_space_signed(ax, ay, az, bx, by, bz)
    else:
        half = rows[i, SIZE + 1]
        d, s, x, y, z = segments_signed(ax, ay, az, bx, by, bz, 0.0, -half, 0.0, 0.0, half, 0.0)
        d -= rows[i, SIZE]
    return (
        d,
        s,
        rows[i, TURN] * x + rows[i, TURN + 1] * y + rows[i, TURN + 2] * z,
        rows[i, TURN + 3] * x + rows[i, TURN + 4] * y + rows[i, TURN + 5] * z,
        rows[i, TURN + 6] * x + rows[i, TURN + 7] * y + rows[i, TURN + 8] * z,
    )


@overload(axis_distance, strict=False)
def _axis_distance(solids: types.NamedTuple, i: types.Type, a: types.Type) -> Callable[..., Signed]:
    return _plain_solid if getattr(solids, "instance_class", None) is PlainSolids else _any_solid
