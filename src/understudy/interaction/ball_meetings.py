"""Where flying balls meet bodies and the scene."""

from __future__ import annotations

import numpy as np

from understudy.interaction._scan_kernels import first_meeting, still_meeting
from understudy.interaction._surface_kernels import surface
from understudy.interaction.contact_places import Node
from understudy.interaction.flyers import Flyer, fallen
from understudy.interaction.stage import SCAN_HZ, Stage
from understudy.typing import FloatArray


class BallMeetings:
    """Contacts of balls on a stage."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def gap(self, flyer: Flyer, node: Node, time: float) -> tuple[float, float, FloatArray, FloatArray, FloatArray]:
        """Gap to a surface [m], its rate [m/s], the ball's centre in the surface's frame, world normal, velocity."""
        place, velocity = fallen(flyer, time)
        origin, turn, moving, spin = self._stage.frame(node, time)
        inside = turn.T @ (place - origin)
        normal, bend = np.empty(3), np.empty((3, 3))
        gap = surface(node.surface, node.shape, inside, normal, bend)
        world = turn @ normal
        at = moving + np.cross(spin, place - origin)
        return gap, float(world @ (velocity - at)), inside, world, at

    def next_hit(self, flyer: Flyer) -> tuple[float, str] | None:
        """The first surface a ball meets, and when."""
        radii = self._stage.radii + flyer.cue.ball.radius_m
        interval, capsule = first_meeting(
            self._stage.grid, self._stage.track, radii, flyer.place, flyer.velocity, flyer.time
        )
        found: list[tuple[float, str]] = []
        if capsule >= 0:
            node = self._stage.node(self._stage.parts[capsule], flyer.cue.ball)
            low, high = (
                max(flyer.time, float(self._stage.grid[max(interval, 0)])),
                float(self._stage.grid[interval + 1]),
            )
            found.append((self._root(flyer, node, low, high), self._stage.parts[capsule]))
        limit = found[0][0] if found else self._stage.until
        for part in self._stage.still:
            hit = self._still_hit(flyer, part, limit)
            if hit is not None:
                found.append(hit)
        best = min(found, default=None)
        return None if best is None or best[0] > self._stage.until else best

    def _still_hit(self, flyer: Flyer, part: str, limit: float) -> tuple[float, str] | None:
        node = self._stage.node(part, flyer.cue.ball)
        step = 1.0 / SCAN_HZ
        flight = np.stack([flyer.place, flyer.velocity])
        time = still_meeting(
            node.surface, node.shape, node.still_place, node.still_turn, flight, flyer.time, limit, step
        )
        if time < 0.0:
            return None
        return self._root(flyer, node, max(flyer.time, time - step), time), part

    def _root(self, flyer: Flyer, node: Node, low: float, high: float) -> float:
        """The time of contact, by Newton's method kept within its bracket."""
        time = high
        for _ in range(60):
            gap, rate, *_ = self.gap(flyer, node, time)
            if gap > 0.0:
                low = time
            else:
                high = time
            newton = time - gap / rate if rate < -1e-9 else low - 1.0
            following = newton if low < newton < high else 0.5 * (low + high)
            if abs(following - time) < 1e-15 * max(1.0, time):
                break
            time = following
        return time
