"""The shadow a mesh casts on the floor, of the part between two heights."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray, IntArray

#: [m] the shadow is grown and thinned out by this much, so that a scanned chair has tens of corners, not thousands.
MESH_M = 0.005


def mesh_shadow(
    vertices: FloatArray, faces: IntArray, *, closed: bool, low_m: float, high_m: float
) -> tuple[FloatArray, ...]:
    """Outlines of the shadow: rings ``(n, 2)``, holes among them.

    Args:
        vertices: ``(n, 3)`` in the world [m].
        faces: ``(m, 3)``.
        closed: Whether it is solid: then its inside counts throughout the band, although no face is there.
        low_m: Lower height [m].
        high_m: Upper height [m].
    """
    import shapely

    corners = vertices[faces]
    lowest, highest = corners[..., 1].min(axis=1), corners[..., 1].max(axis=1)
    reach = (highest > low_m) & (lowest < high_m)
    whole = (lowest >= low_m) & (highest <= high_m)
    cut = [_clipped(_clipped(triangle, low_m, 1.0), high_m, -1.0)[:, [0, 2]] for triangle in corners[reach & ~whole]]
    parts = [shapely.multipoints(corners[reach & whole][..., [0, 2]])]
    parts.append(np.array([shapely.multipoints(points) for points in cut if len(points) > 1], dtype=object))
    # Faces that stand upright are but lines from above; growing gives them an area.
    shapes = shapely.buffer(shapely.convex_hull(np.concatenate(parts)), MESH_M, quad_segs=2)
    if closed:
        shapes = np.append(shapes, shapely.buffer(_section(corners, low_m + 1e-6), MESH_M, quad_segs=2))
    if len(shapes) == 0:
        return ()
    shadow = shapely.union_all(shapes)
    # Thinning moves the outline by at most half of the growth, so it still covers the shadow.
    shadow = shadow.simplify(0.5 * MESH_M)
    rings = []
    for polygon in shapely.get_parts(shadow):
        if polygon.is_empty:
            continue
        holes = [hole for hole in polygon.interiors if shapely.Polygon(hole).area > MESH_M**2]
        rings += [np.asarray(ring.coords)[:-1] for ring in (polygon.exterior, *holes)]
    return tuple(rings)


def _clipped(points: FloatArray, height: float, sign: float) -> FloatArray:
    """A convex polygon's part above (sign 1) or below (sign -1) a height."""
    kept = []
    for k in range(len(points)):
        p, q = points[k], points[(k + 1) % len(points)]
        a, b = sign * (p[1] - height), sign * (q[1] - height)
        if a >= 0.0:
            kept.append(p)
        if a * b < 0.0:
            kept.append(p + a / (a - b) * (q - p))
    return np.array(kept).reshape(-1, 3)


def _section(corners: FloatArray, height: float):  # type: ignore[no-untyped-def]
    """What a solid fills at a height: where its faces cross it, closed to areas."""
    import shapely

    lines = []
    for triangle in corners[(corners[..., 1].max(axis=1) > height) & (corners[..., 1].min(axis=1) < height)]:
        ends = []
        for k in range(3):
            p, q = triangle[k], triangle[(k + 1) % 3]
            # Always from the lower end up, so that neighbours compute the same point to the last bit.
            if p[1] > q[1] or (p[1] == q[1] and tuple(p) > tuple(q)):
                p, q = q, p
            if p[1] <= height < q[1]:
                ends.append((p + (height - p[1]) / (q[1] - p[1]) * (q - p))[[0, 2]])
        if len(ends) == 2 and not np.array_equal(ends[0], ends[1]):
            lines.append(shapely.LineString(ends))
    areas = shapely.get_parts(shapely.polygonize(lines))
    rings = sorted((shapely.Polygon(area.exterior) for area in areas), key=lambda area: -area.area)
    solid = shapely.Polygon()
    for ring in rings:
        solid = solid.symmetric_difference(ring)
    return solid
