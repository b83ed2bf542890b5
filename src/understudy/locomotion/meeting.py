"""Searches from both ends of a path, and what they share."""

from __future__ import annotations

import numpy as np

from understudy.locomotion.tables import PathTable, Tree

#: Share of the path that is searched from either end, and [m] beyond it.
_HALF, _BEYOND_M = 0.5, 1.5


def parts_of(path: PathTable, back: PathTable) -> tuple[PathTable, PathTable]:
    """The first half of a path and of the same path backwards, each with some more."""
    whole = len(path.points)
    count = min(int(_HALF * whole + _BEYOND_M / path.step_m) + 1, whole)
    return _beginning(path, count), _beginning(back, count)


def _beginning(path: PathTable, count: int) -> PathTable:
    """The first samples of a path; where it ends then, anything goes."""
    if count == len(path.points):
        return path
    end = np.array([*path.points[count - 1], 0.0, 0.0])
    return path._replace(points=path.points[:count], headings=path.headings[:count], goal=end)


def both_trees(one: Tree, other: Tree) -> Tree:
    """Two trees as one, to be shown."""
    more = other.links.copy()
    more[:, 1] = np.where(more[:, 1] >= 0, more[:, 1] + len(one.places), -1)
    return Tree(
        np.concatenate([one.places, other.places]),
        np.concatenate([one.links, more]),
        np.concatenate([one.candidates, other.candidates + len(one.places)]),
        one.expanded + other.expanded,
    )
