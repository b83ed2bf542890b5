"""What happens to a ball, leg by leg, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from understudy.errors import PlanningInputError
from understudy.interaction.balls import Ball
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Start:
    """The ball flies from here on.

    Attributes:
        time_s: When [s].
        position: ``(3,)`` [m].
        velocity: ``(3,)`` [m/s]; kept unless ``free``.
        spin: ``(3,)`` [rad/s].
        free: Whether place and velocity (and a capsule's axis and spin) may change.
        axis: ``(3,)`` direction of a capsule.
    """

    time_s: float
    position: FloatArray
    velocity: FloatArray
    spin: FloatArray = field(default_factory=lambda: np.zeros(3))
    free: bool = False
    axis: FloatArray = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))


@dataclass(frozen=True, eq=False, kw_only=True)
class Hold:
    """A body part holds the ball.

    Attributes:
        part: ``"anna.right_hand"``; for a last leg also the floor or an object the ball comes to rest on.
        catch_s: From when [s]; ``None`` when it holds it from the beginning.
        release_s: Until when [s]; ``None`` when it holds it to the end.
        grip: ``(3,)`` the ball's centre in the joint's frame [m]; ``None`` for the middle of the part's palm side.
        loose: Whether the grip is found on the part's surface by the edit (a catch anywhere on the hand).
        fixed: Whether its times are kept.
        axis: ``(3,)`` direction of a capsule in the joint's frame; ``None`` for across the palm.
    """

    part: str
    catch_s: float | None = None
    release_s: float | None = None
    grip: FloatArray | None = None
    loose: bool = False
    fixed: bool = False
    axis: FloatArray | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Touch:
    """The ball bounces off a body part, an implement, an object of the scene or the floor.

    Attributes:
        part: ``"anna.left_foot"``, ``"anna.bat"``, the name of an object, or ``"floor"``.
        time_s: When [s].
        point: ``(3,)`` the ball's centre in the part's frame [m] (the world's for objects); ``None`` for a guess.
        restitution: Instead of the ball's own.
        fixed: Whether the time is kept.
        tune: Whether the restitution may change.
        axis: ``(3,)`` direction of a capsule in the part's frame; ``None`` for as it arrives.
    """

    part: str
    time_s: float
    point: FloatArray | None = None
    restitution: float | None = None
    fixed: bool = False
    tune: bool = False
    axis: FloatArray | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Knock:
    """Two balls meet in the air; both ways say so, at the same time.

    Attributes:
        other: The other ball's name.
        time_s: When [s].
        position: ``(3,)`` this ball's centre then [m].
        axis: ``(3,)`` direction of a capsule; ``None`` for as it arrives.
    """

    other: str
    time_s: float
    position: FloatArray
    axis: FloatArray | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class End:
    """The ball is still in the air when the play ends.

    Attributes:
        time_s: When [s].
        position: ``(3,)`` about where [m].
        axis: ``(3,)`` about how a capsule lies; ``None`` for as it flies.
    """

    time_s: float
    position: FloatArray
    axis: FloatArray | None = None


Leg: TypeAlias = Start | Hold | Touch | Knock | End


@dataclass(frozen=True, eq=False, kw_only=True)
class Way:
    """One ball and what happens to it, in order."""

    ball: Ball
    legs: tuple[Leg, ...]

    def __post_init__(self) -> None:
        """Check the order of times and what may follow what."""
        object.__setattr__(self, "legs", tuple(self.legs))
        name = self.ball.name
        if not self.legs:
            raise PlanningInputError(f'ball "{name}": nothing happens to it; give at least one leg')
        for k, leg in enumerate(self.legs):
            _check_leg(name, leg, first=k == 0, last=k == len(self.legs) - 1)
        times = [time for leg in self.legs for time in leg_times(leg)]
        for before, after in pairwise(times):
            if not after > before:
                raise PlanningInputError(
                    f'ball "{name}": its contacts at {before:.3f} s and {after:.3f} s do not follow'
                )


def leg_times(leg: Leg) -> tuple[float, ...]:
    """The times of a leg, in order [s]."""
    if isinstance(leg, Hold):
        return tuple(time for time in (leg.catch_s, leg.release_s) if time is not None)
    return (leg.time_s,)


def _check_leg(ball: str, leg: Leg, *, first: bool, last: bool) -> None:
    if isinstance(leg, Start) != first and not (isinstance(leg, Hold) and first and leg.catch_s is None):
        raise PlanningInputError(f'ball "{ball}": a way begins with a Start or a Hold without catch, and only there')
    if isinstance(leg, End) and not last:
        raise PlanningInputError(f'ball "{ball}": nothing can follow its End')
    if isinstance(leg, Hold):
        if (leg.catch_s is None) != first:
            raise PlanningInputError(f'ball "{ball}": a Hold has no catch exactly when it is the first leg')
        if (leg.release_s is None) and not last:
            raise PlanningInputError(f'ball "{ball}": a Hold without release must be its last leg')
        if last and leg.release_s is not None:
            raise PlanningInputError(
                f'ball "{ball}": it is let go and never arrives; end its way with a Hold or an End'
            )
        return
    if last and not isinstance(leg, End):
        raise PlanningInputError(f'ball "{ball}": its way must end with a Hold without release, or with an End')
