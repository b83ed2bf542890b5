"""Objects of a scene: a shape, where it is over time, and where a hand may take hold of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from understudy import rotations as rot
from understudy.errors import SceneError, nearest_name
from understudy.scene.placements import Placement, Static
from understudy.scene.shapes import Shape
from understudy.scene.transforms import direction, quaternion, vector
from understudy.typing import FloatArray

#: Linear red, green, blue of objects that name none.
GREY: tuple[float, float, float] = (0.6, 0.6, 0.62)


@dataclass(frozen=True, kw_only=True)
class Handle:
    """A place to take hold of an object.

    Attributes:
        name: Unique within the object.
        at: The middle of the grip in the object's frame [m].
        approach: Unit direction in the object's frame, away from the object; a hand comes from that side.
        rotation: The grip's frame in the object's frame; without one its +Z is ``approach`` by the smallest turn.
    """

    name: str
    at: tuple[float, float, float]
    approach: tuple[float, float, float] = (0.0, 0.0, 1.0)
    rotation: tuple[float, float, float, float] | None = None

    def __post_init__(self) -> None:
        """Check the values and scale the directions."""
        checked_name(self.name, "handle")
        what = f'handle "{self.name}"'
        object.__setattr__(self, "at", vector(self.at, f"{what}: at"))
        object.__setattr__(self, "approach", direction(self.approach, f"{what}: approach"))
        if self.rotation is not None:
            object.__setattr__(self, "rotation", quaternion(self.rotation, f"{what}: rotation"))

    @property
    def frame(self) -> FloatArray:
        """The grip's rotation ``(4,)`` in the object's frame."""
        if self.rotation is not None:
            return np.array(self.rotation)
        return rot.shortest_arc(np.array([0.0, 0.0, 1.0]), np.array(self.approach))


@dataclass(frozen=True, kw_only=True)
class SceneObject:
    """One thing on the stage. Its frame is its shape's frame.

    Attributes:
        name: Unique among objects and characters, without dots.
        shape: What it occupies.
        placement: Where it is while nobody holds it.
        handles: Where to take hold of it.
        color: Linear red, green, blue in [0, 1], for pictures and exports.
    """

    name: str
    shape: Shape
    placement: Placement = field(default_factory=Static)
    handles: tuple[Handle, ...] = ()
    color: tuple[float, float, float] = GREY

    def __post_init__(self) -> None:
        """Check name, handles and colour."""
        checked_name(self.name, "object")
        what = f'object "{self.name}"'
        object.__setattr__(self, "handles", tuple(self.handles))
        twice = first_twice(handle.name for handle in self.handles)
        if twice is not None:
            raise SceneError(f'{what}: two handles are called "{twice}"')
        color = vector(self.color, f"{what}: color")
        if not all(0.0 <= part <= 1.0 for part in color):
            raise SceneError(f"{what}: color is {list(color)}; each part must be in 0..1")
        object.__setattr__(self, "color", color)

    def handle(self, name: str) -> Handle:
        """The handle of a name.

        Raises:
            SceneError: There is none; the nearest is named.
        """
        for handle in self.handles:
            if handle.name == name:
                return handle
        names = [handle.name for handle in self.handles]
        hint = nearest_name(name, names) or "it has no handles"
        raise SceneError(f'object "{self.name}" has no handle "{name}"; {hint}')


def checked_name(name: str, what: str) -> str:
    """A name that can be referred to.

    Raises:
        SceneError: It is empty, holds a dot, or begins or ends with a blank.
    """
    if not name or name != name.strip() or "." in name:
        raise SceneError(f"{what} name {name!r}: a name must not be empty, contain a dot, or begin or end with a space")
    return name


def first_twice(names: Iterable[str]) -> str | None:
    """The first name that occurs a second time."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def named(things: Sequence[SceneObject], name: str) -> SceneObject:
    """The object of a name.

    Raises:
        SceneError: There is none; the nearest is named.
    """
    for thing in things:
        if thing.name == name:
            return thing
    hint = nearest_name(name, [thing.name for thing in things]) or "the scene has no objects"
    raise SceneError(f'no object "{name}"; {hint}')
