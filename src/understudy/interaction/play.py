"""The play: actors, balls with what happens to them in which order, and the scene they move in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from understudy.errors import PlanningInputError, nearest_name
from understudy.interaction.actor import Actor
from understudy.interaction.balls import Ball
from understudy.interaction.events import End, Hold, Knock, Leg, Start, Touch, Way, leg_times
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Static
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Capsule, Sphere
from understudy.typing import FloatArray

__all__ = [
    "FLOOR",
    "Ball",
    "End",
    "Hold",
    "Knock",
    "Leg",
    "Play",
    "Start",
    "Touch",
    "Way",
    "leg_times",
    "solid",
    "vector",
]

FLOOR = "floor"


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
