"""Plans: ways through the graph that a search hands out, their clips put down in space and time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from understudy.floor import FloorPath
from understudy.locomotion.published.maps.tables import Followed
from understudy.locomotion.tables import SETTLED, PathTable, Tree, World
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Settled:
    """The clip a plan goes on from.

    Attributes:
        node: The clip.
        at: ``(3,)`` its frame in the world (x, z, yaw).
        start_s: When it begins [s].
    """

    node: int
    at: FloatArray
    start_s: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """Clips that may come next.

    Attributes:
        nodes: ``(clips,)``.
        turns_rad: ``(clips,)`` extra turn at the transition into each of them; the very first of a walk has none.
        placements: ``(clips, 3)`` their frames in the world (x, z, yaw).
        starts_s: ``(clips,)`` when each of them begins [s].
        arrives: Whether it ends at the goal; a search that finds no such plan gives the one that came nearest.
        error_m: Distance from the goal [m].
        error_rad: Heading error at the goal [rad].
        path: The path it follows; ``None`` where it follows none.
        tree: The search that found it.
        followed: Motion maps that were asked; ``None`` for other methods.
    """

    nodes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    turns_rad: FloatArray = field(default_factory=lambda: np.zeros(0))
    placements: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    starts_s: FloatArray = field(default_factory=lambda: np.zeros(0))
    arrives: bool = False
    error_m: float = np.inf
    error_rad: float = np.inf
    path: FloorPath | None = None
    tree: Tree | None = None
    followed: Followed | None = None

    @staticmethod
    def single(node: int, at: FloatArray, start_s: float) -> Plan:
        """One clip, put somewhere ``(3,)`` (x, z, yaw), that begins at a time [s]."""
        return Plan(
            nodes=np.array([node], dtype=np.int64),
            turns_rad=np.zeros(1),
            placements=np.asarray(at, dtype=np.float64).reshape(1, 3),
            starts_s=np.array([start_s]),
        )

    def __len__(self) -> int:
        """Number of clips."""
        return len(self.nodes)

    def then(self, other: Plan) -> Plan:
        """This plan and what follows it."""
        return replace(
            other,
            nodes=np.concatenate([self.nodes, other.nodes]),
            turns_rad=np.concatenate([self.turns_rad, other.turns_rad]),
            placements=np.concatenate([self.placements, other.placements]),
            starts_s=np.concatenate([self.starts_s, other.starts_s]),
        )

    @property
    def last(self) -> Settled:
        """Its last clip."""
        return Settled(node=int(self.nodes[-1]), at=self.placements[-1], start_s=float(self.starts_s[-1]))

    @property
    def seams(self) -> list[tuple[int, int]]:
        """Clips before and after every transition."""
        return list(pairwise(self.nodes.tolist()))

    def first(self, count: int) -> Plan:
        """Its first clips alone."""
        return replace(self._part(slice(None, count)), arrives=self.arrives and count >= len(self))

    def after(self, count: int) -> Plan:
        """What is left when ``count`` clips have been handed out."""
        return self._part(slice(count, None))

    def _part(self, clips: slice) -> Plan:
        return replace(
            self,
            nodes=self.nodes[clips],
            turns_rad=self.turns_rad[clips],
            placements=self.placements[clips],
            starts_s=self.starts_s[clips],
        )


def planned(
    world: World, tree: Tree, root: int, nodes: IntArray, turns_rad: FloatArray, placements: FloatArray
) -> Plan:
    """A branch that begins with a tree's root as a plan; a root that was settled before is not part of it."""
    seconds = world.pace.seconds[nodes]
    plan = Plan(
        nodes=nodes,
        turns_rad=np.concatenate([[0.0], turns_rad]),
        placements=placements,
        starts_s=tree.places[root, 10] + np.concatenate([[0.0], np.cumsum(seconds[:-1])]),
        tree=tree,
    )
    return plan.after(1) if tree.links[root, 2] == SETTLED else plan


def nearest(world: World, path: FloorPath, table: PathTable, tree: Tree) -> Plan:
    """The branch that got farthest along the path without anything in its way."""
    from understudy.locomotion._branch_kernels import branch_of

    if len(tree.places) == 0:
        return Plan(path=path, tree=tree)
    away = np.hypot(tree.places[:, 3] - table.goal[0], tree.places[:, 4] - table.goal[1])
    blocked = np.zeros(len(away), dtype=bool)
    blocked[tree.candidates] = True
    if not blocked.all():
        away[blocked] = np.inf
    best = int(np.argmin(away - 0.5 * np.maximum(tree.places[:, 6], 0.0)))
    nodes, _, turns, root = branch_of(tree, best)
    states = [best]
    while tree.links[states[-1], 1] >= 0:
        states.append(int(tree.links[states[-1], 1]))
    return replace(
        planned(world, tree, root, nodes, turns, tree.places[states[::-1], :3].copy()),
        error_m=float(np.hypot(*(tree.places[best, 3:5] - table.goal[:2]))),
        error_rad=float(abs(np.angle(np.exp(1j * (tree.places[best, 5] - table.goal[2]))))),
        path=path,
    )
