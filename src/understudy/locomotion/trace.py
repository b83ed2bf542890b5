"""What a person would like to see of a walk's search."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from understudy.floor import Channel, Floor, FloorPath
from understudy.locomotion.published.maps.tables import Followed
from understudy.locomotion.query import Spot
from understudy.locomotion.tables import Tree
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class WalkTrace:
    """How a walk was found.

    Attributes:
        floor: The floor it was planned on.
        start: Where it begins.
        goal: Where it ends.
        path: The shortest path with the clearance; ``None`` when there is none.
        tree: All states of the last search; ``None`` when there was none.
        followed: Motion maps that were asked in the last search, and what for; ``None`` for other methods.
        nodes: ``(clips,)`` the clips of the walk, in order.
        turns_rad: ``(clips - 1,)`` extra turn at every transition [rad].
        placements: ``(clips, 3)`` every clip's frame in the world (x, z, yaw).
        length_m: How far the root travels [m].
        goal_error_m: Distance from the goal [m].
        goal_error_rad: Heading error [rad]; ``None`` when any heading will do.
        rejected: Why motions that were made are not the answer, in the order they were tried.
        nearest_free: The free point (x, z) nearest to a start or goal that is not free.
        obstacle: What is in the way there.
        synthesised: From when to when steps were made from the gait model, not taken from clips [s].
    """

    floor: Floor
    start: Spot
    goal: Spot
    path: FloorPath | None = None
    tree: Tree | None = None
    followed: Followed | None = None
    nodes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    turns_rad: FloatArray = field(default_factory=lambda: np.zeros(0))
    placements: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    length_m: float = 0.0
    goal_error_m: float = np.inf
    goal_error_rad: float | None = None
    rejected: tuple[str, ...] = ()
    nearest_free: tuple[float, float] | None = None
    obstacle: str = ""
    synthesised: tuple[tuple[float, float], ...] = ()

    @property
    def synthesised_s(self) -> float:
        """How long steps were made from the gait model [s]."""
        return sum(end - start for start, end in self.synthesised)

    @property
    def path_length_m(self) -> float:
        """Length of the shortest path [m]; 0 when there is none."""
        return 0.0 if self.path is None else self.path.length_m

    @property
    def transitions(self) -> int:
        """How often one clip goes over into another."""
        return max(len(self.nodes) - 1, 0)

    @cached_property
    def channel(self) -> Channel | None:
        """The triangles the path runs through."""
        return None if self.path is None else self.floor.channel(self.path)

    @cached_property
    def branches(self) -> FloatArray:
        """``(states, 2, 2)`` ends (x, z) of every clip the search put down [m]."""
        if self.tree is None:
            return np.zeros((0, 2, 2))
        places = self.tree.places
        return np.stack([places[:, 0:2], places[:, 3:5]], axis=1)
