"""The words of an interaction: balls, what happens to them in which order, and the play they make with the actors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError, PlanningInputError, nearest_name
from understudy.interaction.actor import Actor
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Static
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Capsule, Sphere
from understudy.typing import FloatArray

FLOOR = "floor"


@dataclass(frozen=True, kw_only=True)
class Ball:
    """A rigid sphere.

    Attributes:
        name: Unique in a play, without dots.
        radius_m: Its radius.
        mass_kg: For impacts with other balls and for reactions of bodies.
        restitution: Share of the normal speed it keeps in an impact.
        friction: Coulomb's coefficient; 0 leaves its spin alone.
        hollow: Whether it is a shell (a soccer ball) rather than solid.
        color: Linear red, green, blue, for pictures and exports.
    """

    name: str
    radius_m: float = 0.035
    mass_kg: float = 0.13
    restitution: float = 0.7
    friction: float = 0.0
    hollow: bool = False
    color: tuple[float, float, float] = (0.80, 0.16, 0.10)

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not self.name or "." in self.name:
            raise PlanningInputError(f"ball name {self.name!r}: names are not empty and hold no dot")
        for key, low, high in (
            ("radius_m", 1e-3, 5.0),
            ("mass_kg", 1e-4, 1e3),
            ("restitution", 0.0, 1.0),
            ("friction", 0.0, 5.0),
        ):
            if not low <= getattr(self, key) <= high:
                raise OptionError(f'ball "{self.name}": {key} is {getattr(self, key)}; allowed: {low:g}..{high:g}')

    @property
    def inertia(self) -> float:
        """Moment of inertia over ``m r^2``."""
        return 2.0 / 3.0 if self.hollow else 0.4


@dataclass(frozen=True, eq=False, kw_only=True)
class Start:
    """The ball flies from here on.

    Attributes:
        time_s: When [s].
        position: ``(3,)`` [m].
        velocity: ``(3,)`` [m/s]; kept unless ``free``.
        spin: ``(3,)`` [rad/s].
        free: Whether place and velocity may change.
    """

    time_s: float
    position: FloatArray
    velocity: FloatArray
    spin: FloatArray = field(default_factory=lambda: np.zeros(3))
    free: bool = False


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
    """

    part: str
    catch_s: float | None = None
    release_s: float | None = None
    grip: FloatArray | None = None
    loose: bool = False
    fixed: bool = False


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
    """

    part: str
    time_s: float
    point: FloatArray | None = None
    restitution: float | None = None
    fixed: bool = False
    tune: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Knock:
    """Two balls meet in the air; both ways say so, at the same time.

    Attributes:
        other: The other ball's name.
        time_s: When [s].
        position: ``(3,)`` this ball's centre then [m].
    """

    other: str
    time_s: float
    position: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class End:
    """The ball is still in the air when the play ends.

    Attributes:
        time_s: When [s].
        position: ``(3,)`` about where [m].
    """

    time_s: float
    position: FloatArray


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Play:
    """Actors, balls on their ways, and the scene they move in.

    Attributes:
        actors: The characters.
        ways: The balls.
        scene: Objects that balls may bounce off: boxes, spheres and capsules that stand still, and the floor.
    """

    actors: tuple[Actor, ...]
    ways: tuple[Way, ...]
    scene: Scene = field(default_factory=Scene)

    def __post_init__(self) -> None:
        """Check names."""
        object.__setattr__(self, "actors", tuple(self.actors))
        object.__setattr__(self, "ways", tuple(self.ways))
        if not self.actors:
            raise PlanningInputError("a play needs at least one actor")
        names = [actor.name for actor in self.actors] + [way.ball.name for way in self.ways]
        names += [thing.name for thing in self.scene.objects]
        for k, name in enumerate(names):
            if name in names[:k]:
                raise PlanningInputError(f'two actors, balls or objects are called "{name}"')
        for way in self.ways:
            for leg in way.legs:
                if isinstance(leg, Hold | Touch):
                    self.surface_of(leg.part)

    @property
    def duration_s(self) -> float:
        """The shortest of the actors' motions [s]."""
        return min(actor.motion.duration_s for actor in self.actors)

    def way(self, ball: str) -> Way:
        """The way of a ball by name."""
        for way in self.ways:
            if way.ball.name == ball:
                return way
        raise PlanningInputError(f'no ball "{ball}"; {nearest_name(ball, [way.ball.name for way in self.ways])}')

    def actor_number(self, name: str) -> int:
        """Number of an actor by name."""
        for number, actor in enumerate(self.actors):
            if actor.name == name:
                return number
        raise PlanningInputError(f'no actor "{name}"; {nearest_name(name, [one.name for one in self.actors])}')

    def surface_of(self, part: str) -> tuple[int, int, str]:
        """Actor, joint and the name of what is touched; actor -1 for the floor and objects."""
        owner, dot, piece = part.partition(".")
        if dot:
            number = self.actor_number(owner)
            return number, self.actors[number].part(piece)[0], piece
        if part == FLOOR:
            if not self.scene.floor:
                raise PlanningInputError("the scene's floor is not solid")
            return -1, -1, part
        names = [thing.name for thing in self.scene.objects]
        if part not in names:
            hint = nearest_name(part, [FLOOR, *names, *(f"{actor.name}.right_hand" for actor in self.actors)])
            raise PlanningInputError(f'nothing is called "{part}"; {hint}')
        solid(self.scene.object(part))
        return -1, -1, part

    def with_legs(self, ball: str, legs: Sequence[Leg]) -> Play:
        """The same play with another way of one ball."""
        old = self.way(ball)
        ways = tuple(Way(ball=way.ball, legs=tuple(legs)) if way is old else way for way in self.ways)
        return replace(self, ways=ways)


def solid(thing: SceneObject) -> tuple[FloatArray, FloatArray]:
    """Place and rotation of an object that balls can bounce off.

    Raises:
        PlanningInputError: It moves, or balls do not bounce off its shape.
    """
    if not isinstance(thing.shape, Box | Sphere | Capsule) or not isinstance(thing.placement, Static):
        raise PlanningInputError(
            f'object "{thing.name}": balls bounce off boxes, spheres and capsules that stand still, and off the floor'
        )
    return np.array(thing.placement.position), np.array(thing.placement.rotation)


def vector(values: npt.ArrayLike, what: str) -> FloatArray:
    """A finite ``(3,)`` array.

    Raises:
        PlanningInputError: It is none.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (3,) or not np.isfinite(array).all():
        raise PlanningInputError(f"{what} must be three finite numbers; got {values!r}")
    return array
