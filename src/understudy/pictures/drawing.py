"""What one picture shows, as flat arrays a kernel can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from understudy.typing import FloatArray, IntArray


class Drawing(NamedTuple):
    """Capsules in groups and triangle meshes in trees; all in the world except ``triangles`` and ``node_boxes``.

    Attributes:
        capsules: ``(capsules, 7)`` start, end, radius [m].
        capsule_colors: ``(capsules, 3)`` linear.
        group_ranges: ``(groups, 2)`` first capsule and one past the last.
        group_spheres: ``(groups, 4)`` centre and radius around the group [m].
        group_casts: ``(groups,)`` strength of the group's shadows, 0..1.
        group_fades: ``(groups,)`` how far the group fades into the haze, 0..1.
        triangles: ``(triangles, 9)`` corners in the prop's own frame, in tree order [m].
        node_boxes: ``(nodes, 6)`` lowest and highest corner in the prop's own frame [m].
        node_links: ``(nodes, 2)`` two children, or first triangle and minus the count in a leaf.
        prop_roots: ``(props,)`` root node of each prop's tree.
        prop_poses: ``(props, 12)`` rotation matrix by rows, then position.
        prop_spheres: ``(props, 4)`` centre and radius around the prop [m].
        prop_colors: ``(props, 3)`` linear.
    """

    capsules: FloatArray
    capsule_colors: FloatArray
    group_ranges: IntArray
    group_spheres: FloatArray
    group_casts: FloatArray
    group_fades: FloatArray
    triangles: FloatArray
    node_boxes: FloatArray
    node_links: IntArray
    prop_roots: IntArray
    prop_poses: FloatArray
    prop_spheres: FloatArray
    prop_colors: FloatArray


@dataclass(frozen=True, eq=False)
class CapsuleGroup:
    """Capsules that lie close together, such as one character in one pose.

    Attributes:
        capsules: ``(n, 7)`` start, end, radius [m].
        colors: ``(n, 3)`` linear.
        casts: Strength of their shadows, 0..1.
        fade: How far they fade into the haze, 0..1.
    """

    capsules: FloatArray
    colors: FloatArray
    casts: float = 1.0
    fade: float = 0.0

    def sphere(self) -> FloatArray:
        """``(4,)`` centre and radius of a ball around the group [m]."""
        ends = np.concatenate([self.capsules[:, 0:3], self.capsules[:, 3:6]])
        centre = 0.5 * (ends.min(axis=0) + ends.max(axis=0))
        reach = np.linalg.norm(ends - centre, axis=1) + np.tile(self.capsules[:, 6], 2)
        return np.array([*centre, reach.max()])


@dataclass(frozen=True, eq=False)
class PlacedProps:
    """Prop meshes with their trees, placed in the world; see :class:`Drawing` for the arrays."""

    triangles: FloatArray
    node_boxes: FloatArray
    node_links: IntArray
    roots: IntArray
    poses: FloatArray
    spheres: FloatArray
    colors: FloatArray

    @classmethod
    def none(cls) -> PlacedProps:
        """No props at all."""
        return cls(
            np.zeros((0, 9)),
            np.zeros((0, 6)),
            np.zeros((0, 2), dtype=np.int64),
            np.zeros(0, dtype=np.int64),
            np.zeros((0, 12)),
            np.zeros((0, 4)),
            np.zeros((0, 3)),
        )


def assembled(groups: Sequence[CapsuleGroup], props: PlacedProps | None = None) -> Drawing:
    """One drawing of all capsule groups and props."""
    filled = [group for group in groups if len(group.capsules)]
    placed = props or PlacedProps.none()
    counts = np.array([len(group.capsules) for group in filled], dtype=np.int64)
    lasts = np.cumsum(counts)
    empty = np.zeros((0, 7))
    return Drawing(
        capsules=np.concatenate([empty, *(group.capsules for group in filled)]),
        capsule_colors=np.concatenate([empty[:, :3], *(group.colors for group in filled)]),
        group_ranges=np.ascontiguousarray(np.stack([lasts - counts, lasts], axis=1)),
        group_spheres=np.array([group.sphere() for group in filled]).reshape(-1, 4),
        group_casts=np.array([group.casts for group in filled], dtype=np.float64),
        group_fades=np.array([group.fade for group in filled], dtype=np.float64),
        triangles=placed.triangles,
        node_boxes=placed.node_boxes,
        node_links=placed.node_links,
        prop_roots=placed.roots,
        prop_poses=placed.poses,
        prop_spheres=placed.spheres,
        prop_colors=placed.colors,
    )


def ribbon(points: FloatArray, *, radius_m: float, color: FloatArray, chunk: int = 8) -> list[CapsuleGroup]:
    """A line drawn as thin capsules that cast no shadow, cut into short groups so that rays can skip them.

    Args:
        points: ``(n, 3)`` [m].
        radius_m: Half the line's width [m].
        color: ``(3,)`` linear.
        chunk: Capsules in one group.
    """
    if len(points) < 2:
        return []
    rows = np.concatenate([points[:-1], points[1:], np.full((len(points) - 1, 1), radius_m)], axis=1)
    return [
        CapsuleGroup(rows[at : at + chunk], np.tile(color, (len(rows[at : at + chunk]), 1)), casts=0.0)
        for at in range(0, len(rows), chunk)
    ]
