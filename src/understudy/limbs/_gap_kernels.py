"""Distances of segments from each other, and from a solid no farther than asked for."""

from __future__ import annotations

import math

from understudy.collision._hull_kernels import hull_meets
from understudy.collision._mesh_kernels import inside_mesh, mesh_apart, mesh_nearest
from understudy.collision._segment_kernels import segments_nearest
from understudy.collision._shape_kernels import into_solid, solid_signed
from understudy.collision.tables import (
    BOUND,
    CENTRE,
    CLOSED,
    HULL,
    MESH,
    NODE_END,
    NODE_START,
    PLANE_END,
    PLANE_START,
    SolidArrays,
)
from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted_inline
from understudy.limbs.tables import PAIR_KIND, PAIR_OTHER, PAIR_OWN, WITH_REST, Scratch, WindowArrays
from understudy.typing import FloatArray

#: Share of the room beside a mesh that certificates do without: shorter steps, far fewer triangles.
_LOOSE = 0.2


@njit(cache=True, forceinline=True, error_model="numpy")
def axes_apart(first: FloatArray, i: int, second: FloatArray, j: int) -> float:
    """Distance [m] of segment ``i`` of one table of ends from segment ``j`` of another."""
    squared, _, _ = segments_nearest(
        first[i, 0],
        first[i, 1],
        first[i, 2],
        first[i, 3],
        first[i, 4],
        first[i, 5],
        second[j, 0],
        second[j, 1],
        second[j, 2],
        second[j, 3],
        second[j, 4],
        second[j, 5],
    )
    return math.sqrt(squared)


@uncounted_inline
def pair_apart(window: WindowArrays, scratch: Scratch, k: int, within: float) -> float:
    """Distance [m] of both axes of a pair of the body's placed parts; infinite where balls say that it is more."""
    m, b, with_rest = window.pairs[k, PAIR_OWN], window.pairs[k, PAIR_OTHER], window.pairs[k, PAIR_KIND] == WITH_REST
    own, other = scratch.own, scratch.rest if with_rest else scratch.own
    most = within + window.own_halves[m] + (window.rest_halves[b] if with_rest else window.own_halves[b])
    x, y, z = own[m, 6] - other[b, 6], own[m, 7] - other[b, 7], own[m, 8] - other[b, 8]
    return math.inf if most > 0.0 and x * x + y * y + z * z > most * most else axes_apart(own, m, other, b)


@uncounted_inline
def ball_apart(segments: FloatArray, c: int, half: float, rows: FloatArray, i: int) -> float:
    """Distance [m] of the balls around segment ``c``, which is twice ``half`` long, and around solid ``i``."""
    x = segments[c, 6] - rows[i, CENTRE]
    y = segments[c, 7] - rows[i, CENTRE + 1]
    z = segments[c, 8] - rows[i, CENTRE + 2]
    return math.sqrt(x * x + y * y + z * z) - half - rows[i, BOUND]


@njit(cache=True, error_model="numpy")
def solid_gap(solids: SolidArrays, rows: FloatArray, i: int, segments: FloatArray, c: int, within: float) -> float:
    """Distance of segment ``c`` from solid ``i`` [m]; ``within`` when it is at least that.

    Segments in a closed mesh that do not touch its surface are not noticed: whoever moves into one crosses the surface
    first. Depths are those of ``solid_signed`` but for hulls and meshes, which are 0 where they touch.
    """
    ax, ay, az = segments[c, 0], segments[c, 1], segments[c, 2]
    bx, by, bz = segments[c, 3], segments[c, 4], segments[c, 5]
    kind = solids.kinds[i, 0]
    if kind not in (HULL, MESH):
        d, _, _, _, _ = solid_signed(solids, rows, i, ax, ay, az, bx, by, bz)
        return d
    ax, ay, az = into_solid(rows, i, ax, ay, az)
    bx, by, bz = into_solid(rows, i, bx, by, bz)
    where = solids.meshes[solids.kinds[i, 1]]
    if kind == HULL and hull_meets(solids.planes, where[PLANE_START], where[PLANE_END], ax, ay, az, bx, by, bz):
        return 0.0
    d2, _, _, _, _, _ = mesh_nearest(
        solids.boxes, solids.links, solids.triangles, where[NODE_START], ax, ay, az, bx, by, bz, within * within
    )
    return math.sqrt(d2)


@njit(cache=True, error_model="numpy")
def solid_clear(
    solids: SolidArrays, rows: FloatArray, i: int, segments: FloatArray, c: int, within: float, need: float
) -> float:
    """A distance [m], ``within`` at most, that segment ``c`` certainly keeps from solid ``i``.

    :func:`solid_gap`, but of the room that a hull or mesh leaves beyond ``need`` a part may be missing.
    """
    kind = solids.kinds[i, 0]
    if kind not in (HULL, MESH):
        return solid_gap(solids, rows, i, segments, c, within)
    ax, ay, az = into_solid(rows, i, segments[c, 0], segments[c, 1], segments[c, 2])
    bx, by, bz = into_solid(rows, i, segments[c, 3], segments[c, 4], segments[c, 5])
    where = solids.meshes[solids.kinds[i, 1]]
    if kind == HULL and hull_meets(solids.planes, where[PLANE_START], where[PLANE_END], ax, ay, az, bx, by, bz):
        return 0.0
    boxes, links, triangles, first = solids.boxes, solids.links, solids.triangles, where[NODE_START]
    return mesh_apart(boxes, links, triangles, first, ax, ay, az, bx, by, bz, within, need, _LOOSE)


@njit(cache=True, error_model="numpy")
def solid_within(solids: SolidArrays, rows: FloatArray, i: int, segments: FloatArray, c: int, within: float) -> float:
    """:func:`solid_gap`, negative for segments inside a closed mesh too: less the way to its surface."""
    d = solid_gap(solids, rows, i, segments, c, within)
    if solids.kinds[i, 0] != MESH or d <= 0.0:
        return d
    where = solids.meshes[solids.kinds[i, 1]]
    if not where[CLOSED]:
        return d
    x, y, z = into_solid(rows, i, segments[c, 0], segments[c, 1], segments[c, 2])
    first, last = where[NODE_START], where[NODE_END]
    return -d if inside_mesh(solids.boxes, solids.links, solids.triangles, first, last, x, y, z) else d
