"""Joints that stay within their limits at chosen moments, all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.reference_pose import anatomical_frames
from understudy.interaction._curve_kernels import Player
from understudy.interaction._guard_kernels import Fences, turn_rooms
from understudy.interaction._small_kernels import bspline
from understudy.interaction.guard_rows import Guard, TurnGuard
from understudy.interaction.system import System
from understudy.typing import FloatArray, IntArray

#: [rad] kept from limits.
_SPARE_RAD = 0.02


@lru_cache(maxsize=32)
def fences_of(body: Body) -> Fences:
    """Limits of a body's joints for kernels."""
    limits = body.limits
    parents, own = anatomical_frames(limits.skeleton)
    frame = limits.frames
    return Fences(
        before=np.ascontiguousarray(rot.multiply(rot.conjugate(frame), parents)),
        after=np.ascontiguousarray(rot.multiply(rot.conjugate(own), frame)),
        kinds=np.array([int(kind) for kind in limits.kinds], dtype=np.int64),
        low=np.array(limits.low),
        high=np.array(limits.high),
    )


class _Group(NamedTuple):
    """The guards of one actor.

    Attributes:
        guards: They.
        player: The actor's arrays.
        fences: Its limits.
        joints: ``(n,)``.
        times: ``(n,)`` [s].
        allowed: ``(n,)`` [rad].
        owners: ``(m,)`` guard that each freedom of a guarded joint belongs to.
        axes: ``(m, 3)`` axes of these freedoms.
        columns: ``(m, 4)`` control points of these freedoms at the guard's time.
        weights: ``(m, 4)`` what they count there.
    """

    guards: list[TurnGuard]
    player: Player
    fences: Fences
    joints: IntArray
    times: FloatArray
    allowed: FloatArray
    owners: IntArray
    axes: FloatArray
    columns: IntArray
    weights: FloatArray

    def rooms(self) -> tuple[FloatArray, FloatArray]:
        """The room of each [rad] and its derivatives ``(n, 3)`` by the joint's displacement."""
        rooms, slopes = np.empty(len(self.joints)), np.empty((len(self.joints), 3))
        turn_rooms(self.player, self.fences, self.joints, self.times, rooms, slopes)
        return rooms + self.allowed - _SPARE_RAD, slopes


class TurnGuards:
    """Turn guards of a system."""

    def __init__(self, system: System, guards: Sequence[TurnGuard]) -> None:
        owned = [[guard for guard in guards if guard.actor == number] for number in range(len(system.players))]
        self._groups = [_group(system, number, own) for number, own in enumerate(owned) if own]

    def rows(self, jacobian: FloatArray, first: int) -> list[float]:
        """Fill a row for every guard, zero before; returns the room of each [rad]."""
        room: list[float] = []
        for group in self._groups:
            rooms, slopes = group.rooms()
            along = np.sum(slopes[group.owners] * group.axes, axis=1)
            jacobian[first + len(room) + group.owners[:, None], group.columns] = group.weights * along[:, None]
            room += rooms.tolist()
        return room

    def left(self) -> list[tuple[Guard, float]]:
        """The room of every guard [rad]."""
        return [pair for group in self._groups for pair in zip(group.guards, group.rooms()[0].tolist(), strict=True)]


def _group(system: System, number: int, guards: list[TurnGuard]) -> _Group:
    player, first = system.players[number], int(system.actor_columns[number])
    owners, axes, columns, weights = [], [], [], []
    for k, guard in enumerate(guards):
        own, dull = np.empty(4), np.empty(4)
        knot = bspline(guard.time_s / player.spacing_s, player.spans, own, dull, dull.copy())
        for d in range(int(player.dof_starts[guard.joint]), int(player.dof_starts[guard.joint + 1])):
            owners.append(k)
            axes.append(player.dof_axes[d])
            columns.append(first + d * player.knots.shape[1] + knot + np.arange(4))
            weights.append(own)
    return _Group(
        guards=guards,
        player=player,
        fences=fences_of(system.play.actors[number].fitted_body),
        joints=np.array([guard.joint for guard in guards], dtype=np.int64),
        times=np.array([guard.time_s for guard in guards]),
        allowed=np.array([guard.allowed_rad for guard in guards]),
        owners=np.array(owners, dtype=np.int64),
        axes=np.array(axes).reshape(-1, 3),
        columns=np.array(columns, dtype=np.int64).reshape(-1, 4),
        weights=np.array(weights).reshape(-1, 4),
    )
