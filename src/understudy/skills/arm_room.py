"""How near an arm is to things and to its own body in many postures at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy.collision import CollisionBody
from understudy.collision.tables import PartArrays
from understudy.collision.world import World
from understudy.core.body import Body
from understudy.typing import BoolArray, FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class ArmRoom:
    """The world around one arm.

    Attributes:
        body: Whose arm.
        world: What is around, over time.
        side: Which arm.
        held: What the hand may touch while it holds.
    """

    body: Body
    world: World
    side: str
    held: Sequence[str] = ()

    @cached_property
    def shape(self) -> CollisionBody:
        """The body's capsules."""
        return CollisionBody(self.body)

    @cached_property
    def part(self) -> PartArrays:
        """The arm."""
        first = self.body.skeleton.humanoid[f"{self.side}UpperArm"]
        return self.shape.part(self.body.skeleton.descendants(first))

    @cached_property
    def _touchable(self) -> BoolArray:
        """``(2, capsules, solids)`` free, and holding."""
        out = np.ones((2, len(self.shape.names), len(self.world)), dtype=np.bool_)
        hand = self.shape.names.index(f"{self.side}_hand")
        for name in self.held:
            out[1, hand, self.world.index(name)] = False
        return out

    def gaps(
        self,
        roots: FloatArray,
        local: FloatArray,
        times_s: FloatArray,
        postures: FloatArray,
        *,
        holding: bool = False,
    ) -> FloatArray:
        """``(keys, postures, 2)`` distance to things and to the own body [m].

        Args:
            roots: ``(keys, 3)`` [m].
            local: ``(keys, joints, 4)``.
            times_s: ``(keys,)``.
            postures: ``(keys, postures, joints, 4)`` local rotations of the whole body; only the arm's are read.
            holding: Whether the hand may touch what it holds.
        """
        from understudy.skills._arm_kernels import postures_near

        out = np.empty((*postures.shape[:2], 2))
        postures_near(
            self.shape.arrays,
            self.shape.whole,
            self.part,
            self.world.solids,
            self.world.tracks,
            np.ascontiguousarray(roots),
            np.ascontiguousarray(local),
            np.ascontiguousarray(times_s, dtype=np.float64),
            np.ascontiguousarray(postures[:, :, self.part.joints]),
            self._touchable,
            np.full(len(local), int(holding)),
            out,
        )
        return out
