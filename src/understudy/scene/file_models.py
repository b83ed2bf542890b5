"""The scene file's vocabulary as pydantic models: what keys there are and what they hold.

Files say degrees where keys end in ``_deg``; everything else is in metres and seconds. References between entries
are checked after these models, by ``checks.py``.
"""

from __future__ import annotations

import functools
from typing import Annotated, Any, Literal, Union

from pydantic import Field, create_model, model_validator

from understudy.scene.file_entry import (
    Entry,
    Flag,
    FloorPoint,
    Hand,
    Hands,
    Index,
    Name,
    NotNegative,
    Number,
    PerformedEntry,
    Point,
    Positive,
    Quaternion,
    Share,
    Text,
)
from understudy.scene.tasks import BUILT_IN, KINDS


class SphereShape(Entry):
    """A ball about its origin."""

    kind: Literal["sphere"]
    radius: Positive = Field(description="[m]")


class BoxShape(Entry):
    """A box about its origin."""

    kind: Literal["box"]
    size: tuple[Positive, Positive, Positive] = Field(description="full edge lengths along x, y, z [m]")


class CapsuleShape(Entry):
    """All points within a radius of an upright segment about its origin."""

    kind: Literal["capsule"]
    radius: Positive = Field(description="[m]")
    length: NotNegative = Field(description="length of the segment, without the round ends [m]")


class CylinderShape(Entry):
    """An upright cylinder about its origin."""

    kind: Literal["cylinder"]
    radius: Positive = Field(description="[m]")
    height: Positive = Field(description="full height [m]")


class HalfspaceShape(Entry):
    """Everything below the plane through its origin whose normal is its own +Y."""

    kind: Literal["halfspace"]


class HullShape(Entry):
    """The convex hull of points, or of a mesh file's vertices."""

    kind: Literal["hull"]
    points: list[Point] | None = Field(default=None, min_length=4, description="[m]")
    file: Name | None = Field(default=None, description="mesh file, relative to the scene file")
    scale: Positive = Field(default=1.0, description="metres per unit of the file")

    @model_validator(mode="after")
    def _one_source(self) -> HullShape:
        if (self.points is None) == (self.file is None):
            raise ValueError("a hull needs either points or a file")
        return self


class MeshShape(Entry):
    """A triangle mesh from a file, or given directly."""

    kind: Literal["mesh"]
    file: Name | None = Field(default=None, description="GLB, glTF, OBJ, STL or PLY, relative to the scene file")
    scale: Positive = Field(default=1.0, description="metres per unit of the file")
    vertices: list[Point] | None = Field(default=None, description="[m]")
    faces: list[tuple[Index, Index, Index]] | None = Field(
        default=None, description="vertices of each triangle, counter-clockwise from outside"
    )

    @model_validator(mode="after")
    def _one_source(self) -> MeshShape:
        inline = self.vertices is not None and self.faces is not None
        if (self.file is None) != inline or (self.vertices is None) != (self.faces is None):
            raise ValueError("a mesh needs either a file, or vertices and faces")
        return self


ShapeEntry = Annotated[
    SphereShape | BoxShape | CapsuleShape | CylinderShape | HalfspaceShape | HullShape | MeshShape,
    Field(discriminator="kind"),
]


class TrackEntry(Entry):
    """Keyed poses, interpolated linearly and by slerp; constant before the first and after the last."""

    times: list[Number] = Field(min_length=1, description="increasing [s]")
    positions: list[Point] = Field(min_length=1, description="[m]")
    rotations: list[Quaternion] | None = Field(default=None, description="quaternions w, x, y, z")
    yaws_deg: list[Number] | None = Field(default=None, description="turns about +Y, instead of rotations")
    loop: Flag = Field(default=False, description="start again after the last key, for ever")

    @model_validator(mode="after")
    def _one_turn(self) -> TrackEntry:
        if self.rotations is not None and self.yaws_deg is not None:
            raise ValueError("a track has rotations or yaws_deg, not both")
        return self


class HingeEntry(Entry):
    """A fixed axis the object swings about; angle 0 is closed."""

    axis_at: Point = Field(description="a point on the axis [m]")
    axis: Point = Field(default=(0.0, 1.0, 0.0), description="positive angles follow the right-hand rule")
    range_deg: tuple[Number, Number] = Field(description="smallest and largest angle")
    angle_deg: Number | None = Field(default=None, description="the angle it rests at; default: the one nearest to 0")
    times: list[Number] | None = Field(default=None, min_length=1, description="key times of angles_deg [s]")
    angles_deg: list[Number] | None = Field(default=None, min_length=1, description="keyed angles, instead of one")
    self_closing: Flag = Field(default=False, description="closes by itself when nobody holds it")

    @model_validator(mode="after")
    def _one_angle(self) -> HingeEntry:
        if (self.times is None) != (self.angles_deg is None):
            raise ValueError("times and angles_deg go together")
        if self.angle_deg is not None and self.angles_deg is not None:
            raise ValueError("a hinge has angle_deg or angles_deg, not both")
        return self


class HandleEntry(Entry):
    """A place where a hand can take hold."""

    name: Name
    at: Point = Field(description="in the object's frame [m]; a hinged object without `at` has its frame on the hinge")
    approach: Point = Field(
        default=(0.0, 0.0, 1.0), description="direction away from the object, from which a hand comes"
    )
    rotation: Quaternion | None = Field(default=None, description="grip frame in the object's frame, w, x, y, z")


class ObjectEntry(Entry):
    """One object: a shape that stands (`at`), moves (`track`) or swings (`hinge`)."""

    name: Name = Field(description="unique, without dots")
    shape: ShapeEntry
    at: Point | None = Field(default=None, description="position of its origin, for a hinge when closed [m]")
    yaw_deg: Number | None = Field(default=None, description="turn about +Y, +Z towards +X")
    rotation: Quaternion | None = Field(default=None, description="w, x, y, z, instead of yaw_deg")
    track: TrackEntry | None = None
    hinge: HingeEntry | None = None
    handles: list[HandleEntry] = Field(default_factory=list)
    color: tuple[Share, Share, Share] | None = Field(default=None, description="linear red, green, blue in 0..1")

    @model_validator(mode="after")
    def _one_placement(self) -> ObjectEntry:
        if self.yaw_deg is not None and self.rotation is not None:
            raise ValueError("an object has yaw_deg or rotation, not both")
        if self.track is not None and self.hinge is not None:
            raise ValueError("an object has a track or a hinge, not both")
        if self.track is not None and (self.at or self.rotation or self.yaw_deg is not None):
            raise ValueError("a track says where the object is; leave out at, yaw_deg and rotation")
        return self


class GripEntry(Entry):
    """The object's pose in its holder's frame."""

    at: Point = Field(default=(0.0, 0.0, 0.0), description="[m]")
    rotation: Quaternion = Field(default=(1.0, 0.0, 0.0, 0.0), description="w, x, y, z")


class CarryEntry(Entry):
    """An object held from the start."""

    object: Name
    hand: Hand = "right"
    until: Number | None = Field(default=None, description="time at which it is released [s]; default: never")
    grip: GripEntry | Literal["as_is", "in_hand"] = "in_hand"


class CharacterEntry(Entry):
    """A person; without library and motion, the built-in performer."""

    name: Name = Field(description="unique, without dots")
    library: Name | None = Field(default=None, description="motion library, relative to the scene file")
    motion: PerformedEntry | Name | None = Field(
        default=None, description="motion file, relative to the scene file, or a clip of the built-in performer"
    )
    start: FloorPoint | None = Field(default=None, description="x, z [m]; default: a motion stays where it is")
    heading_deg: Number | None = Field(default=None, description="0 faces +Z, 90 faces +X")
    from_: Number = Field(default=0.0, alias="from", description="when its motion begins [s]")
    carry: list[CarryEntry] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_source(self) -> CharacterEntry:
        if self.library is not None and self.motion is not None:
            raise ValueError("a character has a library or a motion, not both")
        return self


class AttachmentEntry(Entry):
    """An object that follows another object or a joint for a while."""

    object: Name
    to: Name = Field(description='another object, or a joint as "anna.right_hand"')
    from_: Number = Field(default=0.0, alias="from", description="[s]")
    until: Number | None = Field(default=None, description="[s]; default: for ever")
    grip: GripEntry | Literal["as_is", "in_hand"] = "as_is"
    release: Literal["stay", "resume"] = Field(default="stay", description="resume its own placement, or stay")


class ContactEntry(Entry):
    """Two things that may touch each other."""

    a: Name = Field(description='object, character, part as "anna.right_hand", or "floor"')
    b: Name
    from_: Number | None = Field(default=None, alias="from", description="[s]; default: always")
    until: Number | None = Field(default=None, description="[s]; default: always")
    depth: NotNegative | None = Field(
        default=None, description="how deep they may overlap [m]; default: 5 mm for a hand, 2 mm for anything else"
    )


#: Task parameter -> its key in files and its type there.
PARAMETERS: dict[str, tuple[str, Any]] = {
    "goal": ("goal", FloorPoint),
    "heading_rad": ("heading_deg", Number),
    "via": ("via", list[FloorPoint]),
    "path": ("path", Annotated[list[FloorPoint], Field(min_length=2)]),
    "object": ("object", Name),
    "handle": ("handle", Name),
    "hand": ("hand", Hands),
    "fingers": ("fingers", Point),
    "palm": ("palm", Point),
    "target": ("target", Name | Point),
    "angle_rad": ("angle_deg", Number),
    "hold_s": ("hold", NotNegative),
    "style": ("style", Name),
    "from_pose": ("from", Name),
    "to_pose": ("to", Name),
    "pin": ("pin", list[Name]),
    "falloff_m": ("falloff", Positive),
    "limbs": ("limbs", list[Name]),
}
#: Times and names every task may have, with their keys in files.
TASK_KEYS: dict[str, str] = {"name": "name", "at_s": "at", "by_s": "by", "until_s": "until", "after": "after"}


class TaskEntry(Entry):
    """What every task may say."""

    character: Name
    name: Name | None = Field(default=None, description="name that other tasks can use in `after`")
    at: Number | None = Field(default=None, description="when it happens [s]")
    by: Number | None = Field(default=None, description="latest time at which it is done [s]")
    until: Number | None = Field(default=None, description="time until which it lasts [s]")
    after: Name | None = Field(default=None, description="name of a task, of any character, that must be done first")


@functools.cache
def task_model(do: str) -> type[TaskEntry]:
    """The model of a kind of task, also of one that was added."""
    kind = KINDS[do]
    fields: dict[str, Any] = {"do": (Literal[do], ...)}
    for parameter in kind.allowed:
        key, of_type = PARAMETERS[parameter]
        if parameter in kind.needs:
            fields[parameter] = (of_type, Field(alias=key))
        else:
            fields[parameter] = (of_type | None, Field(default=None, alias=key))
    title = "".join(word.capitalize() for word in do.split("_"))
    return create_model(f"{title}Task", __base__=TaskEntry, __doc__=f"{kind.about.capitalize()}.", **fields)


AnyTask: Any = Annotated[Union[tuple(map(task_model, BUILT_IN))], Field(discriminator="do")]  # noqa: UP007 - made of a table


class SceneFile(Entry):
    """A scene: objects, characters and what they are to do. Metres, seconds, Y up."""

    name: Text = ""
    floor: Flag = Field(default=True, description="whether the plane y = 0 is solid ground")
    object: list[ObjectEntry] = Field(default_factory=list)
    character: list[CharacterEntry] = Field(default_factory=list)
    task: list[AnyTask] = Field(default_factory=list, description="run in order per character")
    attachment: list[AttachmentEntry] = Field(default_factory=list)
    contact: list[ContactEntry] = Field(default_factory=list, description="intended contacts")
    version: int = Field(default=1, ge=1, description="version of the file format; older files are upgraded")
