"""What a person would like to see of a path followed with motion maps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.library.motion_maps import CELL_M
from understudy.library.planar_arrays import shifts, turns
from understudy.locomotion.published.maps.tables import Followed
from understudy.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class MapTrace:
    """Maps that were put on the floor, cells that were asked for, and branches that came of it.

    Attributes:
        stages: ``(stages, 3)`` frame (x, z, yaw) at which a map was put down.
        parents: ``(stages,)`` stage before it; -1 for none.
        cells: ``(cells, 4, 2)`` corners (x, z) of every cell that was asked for [m].
        ways: ``(cells,)`` how many of the ways that came into question end in it.
        clips: ``(clips, 2, 2)`` ends (x, z) of every clip that was put down [m].
        chosen: ``(clips,)`` whether it is part of a branch that reaches the goal.
        backtracks: How often a stage was given up.
    """

    stages: FloatArray
    parents: IntArray
    cells: FloatArray
    ways: IntArray
    clips: FloatArray
    chosen: BoolArray
    backtracks: int


def map_trace(followed: Followed) -> MapTrace:
    """What following did, in the axes of the world."""
    tree, consulted = followed.tree, followed.consulted
    stages = tree.places[followed.stages[:, 0], :3]
    corners = CELL_M * (consulted[:, None, 1:3] + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]))
    at = stages[consulted[:, 0]]
    placed = shifts(at)[:, None] + turns(at)[:, None] * (corners[..., 1] + 1j * corners[..., 0])
    chosen = np.zeros(len(tree.links), dtype=bool)
    for state in tree.candidates.tolist():
        while state >= 0 and not chosen[state]:
            chosen[state] = True
            state = int(tree.links[state, 1])
    return MapTrace(
        stages=stages.copy(),
        parents=followed.stages[:, 1].copy(),
        cells=np.stack([placed.imag, placed.real], axis=-1),
        ways=consulted[:, 4].copy(),
        clips=np.stack([tree.places[:, 0:2], tree.places[:, 3:5]], axis=1),
        chosen=chosen,
        backtracks=int(followed.backtracks),
    )
