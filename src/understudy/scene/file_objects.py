"""Objects of a scene file: their shapes, and the three ways to place them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.errors import SceneError
from understudy.scene import file_models as models
from understudy.scene.checks import Fault, Where
from understudy.scene.file_entry import PerformedEntry
from understudy.scene.meshes import load_mesh
from understudy.scene.objects import GREY, Handle, SceneObject
from understudy.scene.performed import Performed
from understudy.scene.placements import Hinge, Placement, Static, Track
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Shape, Sphere
from understudy.scene.transforms import IDENTITY, quaternion
from understudy.typing import FloatArray


@dataclass
class MeshShelf:
    """Mesh files of one scene, each read once.

    Attributes:
        folder: Where the scene file lies.
    """

    folder: Path
    _meshes: dict[tuple[str, float], Mesh] = field(default_factory=dict)

    def mesh(self, file: str, scale: float) -> Mesh:
        """The mesh in a file named relative to the folder.

        Raises:
            SceneError: It cannot be read.
        """
        key = (file, scale)
        if key not in self._meshes:
            try:
                self._meshes[key] = load_mesh(self.folder / file, scale=scale)
            except (OSError, ValueError) as error:  # a name too long, or with a null character
                raise SceneError(f'mesh "{file}": cannot be read: {error}') from error
        return self._meshes[key]


def scene_object(entry: models.ObjectEntry, shelf: MeshShelf, where: Where) -> tuple[SceneObject | None, list[Fault]]:
    """The object of an entry, or what is wrong with it."""
    faults: list[Fault] = []
    shape: Shape | None = None
    try:
        shape = _shape(entry.shape, shelf)
    except SceneError as error:
        faults.append(Fault(str(error), (*where, "shape")))
    placement, shift = _placement(entry, shape, where, faults)
    handles = []
    for k, one in enumerate(entry.handles):
        try:
            at = tuple(float(a - b) for a, b in zip(one.at, shift, strict=True))
            handles.append(Handle(name=one.name, at=at, approach=one.approach, rotation=one.rotation))  # type: ignore[arg-type]
        except SceneError as error:
            faults.append(Fault(str(error), (*where, "handles", k)))
    if faults or shape is None or placement is None:
        return None, faults
    color = GREY if entry.color is None else entry.color
    try:
        thing = SceneObject(name=entry.name, shape=shape, placement=placement, handles=tuple(handles), color=color)
    except SceneError as error:
        return None, [Fault(str(error), where)]
    return thing, faults


def _shape(entry: models.ShapeEntry, shelf: MeshShelf) -> Shape:
    match entry:
        case models.SphereShape():
            return Sphere(radius_m=entry.radius)
        case models.BoxShape():
            return Box(size_m=entry.size)
        case models.CapsuleShape():
            return Capsule(radius_m=entry.radius, length_m=entry.length)
        case models.CylinderShape():
            return Cylinder(radius_m=entry.radius, height_m=entry.height)
        case models.HalfspaceShape():
            return HalfSpace()
        case models.HullShape():
            if entry.file is not None:
                return ConvexHull(points=shelf.mesh(entry.file, entry.scale).vertices)
            return ConvexHull(points=np.array(entry.points))
        case models.MeshShape():
            if entry.file is not None:
                return shelf.mesh(entry.file, entry.scale)
            return Mesh(vertices=np.array(entry.vertices), faces=np.array(entry.faces, dtype=np.int64))
    raise SceneError("unknown shape")


def _placement(
    entry: models.ObjectEntry, shape: Shape | None, where: Where, faults: list[Fault]
) -> tuple[Placement | None, tuple[float, float, float]]:
    """Where the object is, and where its origin lies in the frame its handles are written in."""
    none = (0.0, 0.0, 0.0)
    key = "rotation" if entry.rotation is not None else "at"
    try:
        turn = _turn(entry)
        if entry.track is not None:
            key = "track"
            return _track(entry.track), none
        if entry.hinge is None:
            return Static(position=entry.at or none, rotation=turn), none
        key = "hinge"
        shift = none if entry.at is not None or shape is None else _hung(shape, entry.hinge)
        return _hinge(entry, entry.hinge, turn, shift), shift
    except SceneError as error:
        faults.append(Fault(str(error), (*where, key)))
        return None, none


def _turn(entry: models.ObjectEntry) -> tuple[float, float, float, float]:
    if entry.rotation is not None:
        return quaternion(entry.rotation, "rotation")
    return IDENTITY if entry.yaw_deg is None else yaw_turn(entry.yaw_deg)


def yaw_turn(yaw_deg: float) -> tuple[float, float, float, float]:
    """The rotation a file's ``yaw_deg`` stands for."""
    w, x, y, z = rot.from_yaw(math.radians(yaw_deg)).tolist()
    return w, x, y, z


def _track(entry: models.TrackEntry) -> Track:
    rotations: FloatArray = np.empty((0, 4))
    if entry.rotations is not None:
        rotations = np.array(entry.rotations, dtype=np.float64)
    elif entry.yaws_deg is not None:
        rotations = rot.from_yaw(np.radians(entry.yaws_deg))
    if (entry.rotations is not None or entry.yaws_deg is not None) and len(rotations) != len(entry.times):
        raise SceneError(f"track: {len(entry.times)} times but {len(rotations)} rotations")
    if len(entry.positions) != len(entry.times):
        raise SceneError(f"track: {len(entry.times)} times but {len(entry.positions)} positions")
    return Track(
        times_s=np.array(entry.times), positions=np.array(entry.positions), rotations=rotations, loop=entry.loop
    )


def _hung(shape: Shape, hinge: models.HingeEntry) -> tuple[float, float, float]:
    """Where a shape's origin lies in the hinge's frame if the closed position is not given.

    A box on an upright axis is a door leaf: its edge on the axis, its bottom at ``axis_at``, reaching along +X.
    A mesh has its own origin on the axis.
    """
    if isinstance(shape, Mesh | ConvexHull):
        return (0.0, 0.0, 0.0)
    if isinstance(shape, Box) and hinge.axis[0] == hinge.axis[2] == 0.0:
        return (0.5 * shape.size_m[0], 0.5 * shape.size_m[1], 0.0)
    raise SceneError('hinge: give "at", where the object is when closed; only upright boxes and meshes have a default')


def _hinge(
    entry: models.ObjectEntry,
    hinge: models.HingeEntry,
    turn: tuple[float, float, float, float],
    shift: tuple[float, float, float],
) -> Hinge:
    closed = entry.at
    if closed is None:
        x, y, z = (np.array(hinge.axis_at) + rot.rotate(np.array(turn), np.array(shift))).tolist()
        closed = (x, y, z)
    angles = None if hinge.angle_deg is None else [hinge.angle_deg]
    angles = hinge.angles_deg if hinge.angles_deg is not None else angles
    low, high = (math.radians(angle) for angle in hinge.range_deg)
    return Hinge(
        axis_at=hinge.axis_at,
        axis=hinge.axis,
        range_rad=(low, high),
        closed_position=closed,
        closed_rotation=turn,
        times_s=(0.0,) if hinge.times is None else tuple(hinge.times),
        angles_rad=None if angles is None else tuple(math.radians(angle) for angle in angles),
        self_closing=hinge.self_closing,
    )


def performed_clip(entry: PerformedEntry | str | None) -> Performed | None:
    """The performer's clip that stands in place of a motion file."""
    if not isinstance(entry, PerformedEntry):
        return None
    return Performed(
        clip=entry.clip, duration_s=entry.duration, speed_mps=entry.speed, style=entry.style, seed=entry.seed
    )


def performed_motion(wanted: Performed) -> Motion:
    """The clip itself.

    Raises:
        OptionError: There is no such clip or style, or a number is outside its range.
    """
    from understudy.performer import performance

    made = performance(
        wanted.clip, seed=wanted.seed, style=wanted.style, speed_mps=wanted.speed_mps, duration_s=wanted.duration_s
    )
    return made.motion
