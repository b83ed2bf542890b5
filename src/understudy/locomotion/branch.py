"""Branches: ways through the graph that a search hands out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.floor import FloorPath
from understudy.locomotion.published.maps.tables import Followed
from understudy.locomotion.tables import PathTable, Tree
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Branch:
    """A way through the graph; see :class:`WalkTrace` for the names.

    Attributes:
        arrives: Whether it ends at the goal; otherwise it is the one that came nearest.
        followed: What motion maps were asked; ``None`` for other methods.
    """

    arrives: bool
    nodes: IntArray
    turns_rad: FloatArray
    placements: FloatArray
    error_m: float
    error_rad: float
    path: FloorPath
    tree: Tree
    followed: Followed | None = None


def nearest(path: FloorPath, table: PathTable, tree: Tree) -> Branch:
    """The branch that got farthest along the path without anything in its way."""
    from understudy.locomotion._branch_kernels import branch_of, turns_of

    if len(tree.places) == 0:
        return _nothing(path, tree)
    away = np.hypot(tree.places[:, 3] - table.goal[0], tree.places[:, 4] - table.goal[1])
    blocked = np.zeros(len(away), dtype=bool)
    blocked[tree.candidates] = True
    if not blocked.all():
        away[blocked] = np.inf
    best = int(np.argmin(away - 0.5 * np.maximum(tree.places[:, 6], 0.0)))
    nodes, _, _ = branch_of(tree.links, best)
    states = [best]
    while tree.links[states[-1], 1] >= 0:
        states.append(int(tree.links[states[-1], 1]))
    return Branch(
        arrives=False,
        nodes=nodes,
        turns_rad=turns_of(tree, best, len(nodes) - 1),
        placements=tree.places[states[::-1], :3].copy(),
        error_m=float(np.hypot(*(tree.places[best, 3:5] - table.goal[:2]))),
        error_rad=float(abs(np.angle(np.exp(1j * (tree.places[best, 5] - table.goal[2]))))),
        path=path,
        tree=tree,
    )


def _nothing(path: FloorPath, tree: Tree) -> Branch:
    return Branch(
        arrives=False,
        nodes=np.zeros(0, dtype=np.int64),
        turns_rad=np.zeros(0),
        placements=np.zeros((0, 3)),
        error_m=np.inf,
        error_rad=np.inf,
        path=path,
        tree=tree,
    )
