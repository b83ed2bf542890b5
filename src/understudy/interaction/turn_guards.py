"""Joints that stay within their limits at chosen moments, all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.reference_pose import anatomical_frames
from understudy.interaction._guard_kernels import Fences, turn_rooms
from understudy.interaction._small_kernels import bspline
from understudy.interaction.guard_rows import Guard, TurnGuard
from understudy.interaction.system import System
from understudy.typing import FloatArray

#: [rad] guards with more room than this are left out of a step; kept from limits.
_NEAR_RAD, _SPARE_RAD = 0.3, 0.02


@lru_cache(maxsize=32)
def fences_of(body: Body) -> Fences:
    """Limits of a body's joints for kernels."""
    limits = body.limits
    parents, own = anatomical_frames(limits.skeleton)
    frame = limits.frames()
    return Fences(
        before=np.ascontiguousarray(rot.multiply(rot.conjugate(frame), parents)),
        after=np.ascontiguousarray(rot.multiply(rot.conjugate(own), frame)),
        kinds=np.array([int(kind) for kind in limits.kinds], dtype=np.int64),
        low=np.array(limits.low),
        high=np.array(limits.high),
    )


class TurnGuards:
    """Turn guards of a system."""

    def __init__(self, system: System, guards: Sequence[TurnGuard]) -> None:
        self._system = system
        self._groups = []
        self._guards: list[TurnGuard] = []
        for number, actor in enumerate(system.play.actors):
            own = [guard for guard in guards if guard.actor == number]
            if own:
                joints = np.array([guard.joint for guard in own], dtype=np.int64)
                times = np.array([guard.time_s for guard in own])
                allowed = np.array([guard.allowed_rad for guard in own])
                self._groups.append((number, fences_of(actor.fitted_body), joints, times, allowed))
                self._guards += own

    def rooms(self) -> list[tuple[int, FloatArray, FloatArray]]:
        """For every actor with guards its number, the room of each [rad] and its derivatives ``(n, 3)``."""
        found = []
        for number, fences, joints, times, allowed in self._groups:
            rooms, slopes = np.empty(len(joints)), np.empty((len(joints), 3))
            turn_rooms(self._system.players[number], fences, joints, times, rooms, slopes)
            found.append((number, rooms + allowed - _SPARE_RAD, slopes))
        return found

    def rows(self, jacobian: FloatArray, first: int) -> list[float]:
        """Fill rows for guards that are near, zero before; returns the room of each."""
        room: list[float] = []
        for (number, rooms, slopes), (_, _, joints, times, _) in zip(self.rooms(), self._groups, strict=True):
            player = self._system.players[number]
            weights, dull = np.empty(4), np.empty(4)
            for k in np.flatnonzero(rooms <= _NEAR_RAD):
                knot = bspline(times[k] / player.spacing_s, player.spans, weights, dull, dull.copy())
                span = range(int(player.dof_starts[joints[k]]), int(player.dof_starts[joints[k] + 1]))
                for d in span:
                    column = int(self._system.actor_columns[number]) + d * player.knots.shape[1] + knot
                    jacobian[first + len(room), column : column + 4] = weights * float(slopes[k] @ player.dof_axes[d])
                room.append(float(rooms[k]))
        return room

    def left(self) -> list[tuple[Guard, float]]:
        """The room of every guard [rad]."""
        rooms = [float(room) for _, rooms, _ in self.rooms() for room in rooms]
        return list(zip(self._guards, rooms, strict=True))
