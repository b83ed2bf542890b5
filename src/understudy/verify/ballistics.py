"""Ballistics: free objects fly exact parabolas between contacts, and contacts keep momentum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.errors import OptionError
from understudy.typing import FloatArray

GRAVITY: tuple[float, float, float] = (0.0, -9.81, 0.0)

#: Share of a flight, from its start, that its parabola is taken from.
_LAUNCH_SHARE = 0.25


@dataclass(frozen=True, eq=False, kw_only=True)
class Flight:
    """A free object between two contacts.

    Attributes:
        object: Its name.
        times_s: ``(n,)`` rising, at least three [s].
        positions: ``(n, 3)`` of its centre of mass [m].
        mass_kg: For momentum at contacts.
    """

    object: str
    times_s: FloatArray
    positions: FloatArray
    mass_kg: float = 1.0

    def __post_init__(self) -> None:
        """Check shapes and order."""
        times = np.asarray(self.times_s, dtype=np.float64)
        positions = np.asarray(self.positions, dtype=np.float64)
        if times.ndim != 1 or len(times) < 3 or positions.shape != (len(times), 3):
            raise OptionError(
                f'flight of "{self.object}": needs at least three times (n,) and positions (n, 3); '
                f"got {times.shape} and {positions.shape}"
            )
        if not (np.isfinite(times).all() and np.isfinite(positions).all() and (np.diff(times) > 0).all()):
            raise OptionError(f'flight of "{self.object}": times must rise and all values be finite')
        object.__setattr__(self, "times_s", times)
        object.__setattr__(self, "positions", positions)


@dataclass(frozen=True, kw_only=True)
class Bounce:
    """Two free objects that meet: the flights that end there and those that begin there.

    Attributes:
        before: Indices of the flights that end at the contact.
        after: Indices of the flights that begin at it.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Ballistics:
    """How well free objects obey.

    Attributes:
        max_residual_mm: Largest distance of a free object from its exact parabola [mm].
        object: Which object; empty when none flies.
        time_s: When.
        momentum_error: Largest change of momentum at a contact of free objects [kg m/s].
    """

    max_residual_mm: float
    object: str
    time_s: float
    momentum_error: float


def ballistics(
    flights: Sequence[Flight],
    bounces: Sequence[Bounce] = (),
    *,
    gravity: tuple[float, float, float] = GRAVITY,
) -> Ballistics:
    """Measure flights against the parabolas their launches set."""
    worst = (0.0, "", 0.0)
    for flight in flights:
        residual = residuals_m(flight, gravity=gravity)
        index = int(residual.argmax())
        if 1000.0 * residual[index] >= worst[0]:
            worst = (1000.0 * float(residual[index]), flight.object, float(flight.times_s[index]))
    errors = [_momentum_error(flights, bounce, gravity) for bounce in bounces]
    return Ballistics(max_residual_mm=worst[0], object=worst[1], time_s=worst[2], momentum_error=max([0.0, *errors]))


def residuals_m(flight: Flight, *, gravity: tuple[float, float, float] = GRAVITY) -> FloatArray:
    """Distance ``(n,)`` [m] of each sample from the parabola of the flight's launch."""
    place, velocity = launch(flight, gravity)
    since = (flight.times_s - flight.times_s[0])[:, None]
    exact = place + velocity * since + 0.5 * np.array(gravity) * since**2
    return np.asarray(np.linalg.norm(flight.positions - exact, axis=1))


def launch(
    flight: Flight, gravity: tuple[float, float, float], *, from_end: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Position [m] and velocity [m/s] at the start of a flight (or its end), fitted to its first (last) quarter."""
    count = max(3, int(np.ceil(_LAUNCH_SHARE * len(flight.times_s))))
    part = slice(-count, None) if from_end else slice(0, count)
    origin = flight.times_s[-1] if from_end else flight.times_s[0]
    since = flight.times_s[part] - origin
    straight = flight.positions[part] - 0.5 * np.array(gravity) * since[:, None] ** 2
    fit, *_ = np.linalg.lstsq(np.stack([np.ones(count), since], axis=1), straight, rcond=None)
    return fit[0], fit[1]


def _momentum_error(flights: Sequence[Flight], bounce: Bounce, gravity: tuple[float, float, float]) -> float:
    for index in (*bounce.before, *bounce.after):
        if not 0 <= index < len(flights):
            raise OptionError(f"a bounce names flight {index}; there are {len(flights)}")
    into = sum(flights[i].mass_kg * launch(flights[i], gravity, from_end=True)[1] for i in bounce.before)
    out = sum(flights[i].mass_kg * launch(flights[i], gravity)[1] for i in bounce.after)
    return float(np.linalg.norm(np.asarray(out) - np.asarray(into)))
