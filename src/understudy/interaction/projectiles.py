"""Balls while they are simulated: what they are told, how they fly, what became of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from understudy import rotations as rot
from understudy.interaction._law_kernels import GRAVITY
from understudy.interaction.contact_places import Node
from understudy.interaction.play import Ball, Hold, Leg, Play, Start
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Cue:
    """A ball, how it begins, and what its catchers do.

    Attributes:
        ball: The ball.
        first: A start in the air, or a hold with a release.
        catches: Holds without catch times, in order: the next of them takes the ball when it meets that part.
    """

    ball: Ball
    first: Start | Hold
    catches: tuple[Hold, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Simulated:
    """What happened.

    Attributes:
        play: The same actors with every ball's way.
        unknowns: Controls and contacts as the system of that play orders them.
        notes: What a person should know: balls that came to rest, catches that never happened.
    """

    play: Play
    unknowns: FloatArray
    notes: tuple[str, ...]


@dataclass(eq=False)
class Projectile:
    """A ball on its way."""

    cue: Cue
    legs: list[Leg]
    time: float
    place: FloatArray
    velocity: FloatArray
    spin: FloatArray  # of a capsule its angular momentum over the moment of inertia across its axis
    catches: list[Hold]
    hit: tuple[float, str, Node] | None = None
    done: bool = False
    axis: FloatArray = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))

    @property
    def rod(self) -> bool:
        """Whether it is a capsule."""
        return self.cue.ball.length_m > 0.0


def fallen(projectile: Projectile, time: float) -> tuple[FloatArray, FloatArray]:
    """Place and velocity of a flying ball at a time."""
    since = time - projectile.time
    place = projectile.place + since * projectile.velocity
    velocity = projectile.velocity.copy()
    place[1] += 0.5 * GRAVITY * since * since
    velocity[1] += GRAVITY * since
    return place, velocity


def pointing(projectile: Projectile, times: FloatArray) -> FloatArray:
    """Axes ``(n, 3)`` of a flying capsule at times ``(n,)``."""
    turns = rot.exp((times - projectile.time)[:, None] * projectile.spin)
    return np.asarray(rot.rotate(turns, np.broadcast_to(projectile.axis, (len(times), 3))))


def momentum(ball: Ball, spin: FloatArray, axis: FloatArray) -> FloatArray:
    """Angular momentum over the moment of inertia across the axis, from the angular velocity [rad/s]."""
    across, along = ball.moments
    return np.asarray(spin + (along / across - 1.0) * (spin @ axis) * axis)
