"""Plans: clips that may come next, put down in space and time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

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
        arrives: Whether it ends at the goal.
        error_m: Distance from the goal [m]; infinite when it does not arrive.
        error_rad: Heading error at the goal [rad].
    """

    nodes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    turns_rad: FloatArray = field(default_factory=lambda: np.zeros(0))
    placements: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    starts_s: FloatArray = field(default_factory=lambda: np.zeros(0))
    arrives: bool = False
    error_m: float = np.inf
    error_rad: float = np.inf

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

    def first(self, count: int) -> Plan:
        """Its first clips alone."""
        return replace(
            self,
            nodes=self.nodes[:count],
            turns_rad=self.turns_rad[:count],
            placements=self.placements[:count],
            starts_s=self.starts_s[:count],
            arrives=self.arrives and count >= len(self),
        )

    def after(self, count: int) -> Plan:
        """What is left when ``count`` clips have been handed out."""
        return Plan(
            nodes=self.nodes[count:],
            turns_rad=self.turns_rad[count:],
            placements=self.placements[count:],
            starts_s=self.starts_s[count:],
            arrives=self.arrives,
            error_m=self.error_m,
            error_rad=self.error_rad,
        )
