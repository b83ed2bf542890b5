"""A door as a planner sees it from above: a leaf that turns about its pivot, its levers, and which side somebody is on.

Floor points are (x, z) and angles are counted in the plane from +X towards +Z, so a turn about +Y makes them smaller.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy.errors import PlanningInputError
from understudy.scene.objects import Handle, SceneObject
from understudy.scene.placements import Hinge
from understudy.scene.scene import Scene
from understudy.scene.tessellation import triangles_of
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Door:
    """A hinged leaf seen from above by somebody on one side of it.

    Attributes:
        name: The hinged object.
        hinge: Its hinge.
        sign: Angle of the hinge per opening: +1 or -1.
        most_rad: How far it opens.
        parts: Names of the leaf and of everything fixed to it.
        corners: ``(parts, 4, 2)`` rectangles around the parts when closed (x, z) [m].
        handle: The handle on this side.
        grip: ``(3,)`` the middle of the grip when closed [m].
        lever: Name of the part that a hand holds.
        thick_m: How thick that is [m].
        towards: ``(2,)`` unit, from the grip to the leaf when closed (x, z).
        pushed: Whether the leaf goes away from whoever opens it.
        through: ``(2,)`` unit, from this side to the other (x, z).
        middle: ``(2,)`` the middle of the doorway (x, z) [m].
        width_m: Pivot to the far edge of the leaf [m].
    """

    name: str
    hinge: Hinge
    sign: float
    most_rad: float
    parts: tuple[str, ...]
    corners: FloatArray
    handle: Handle
    grip: FloatArray
    lever: str
    thick_m: float
    towards: FloatArray
    pushed: bool
    through: FloatArray
    middle: FloatArray
    width_m: float

    @property
    def pivot(self) -> FloatArray:
        """``(2,)`` (x, z) [m]."""
        return np.array(self.hinge.axis_at)[[0, 2]]

    @property
    def latch_side(self) -> FloatArray:
        """``(2,)`` unit, from the pivot to the latch when closed (x, z)."""
        away = self.middle - self.pivot
        return np.asarray(away / np.linalg.norm(away))

    @property
    def spin(self) -> float:
        """Plane angle per opening angle: +1 or -1."""
        return -self.sign * float(np.sign(self.hinge.axis[1]))

    def turned(self, points: FloatArray, opening_rad: FloatArray | float) -> FloatArray:
        """Floor points ``(..., 2)`` fixed to the leaf, at an opening."""
        return self.pivot + self.directed(points - self.pivot, opening_rad)

    def directed(self, directions: FloatArray, opening_rad: FloatArray | float) -> FloatArray:
        """Floor directions ``(..., 2)`` fixed to the leaf, at an opening."""
        angle = self.spin * np.asarray(opening_rad)
        c, s = np.cos(angle), np.sin(angle)
        x, z = directions[..., 0], directions[..., 1]
        return np.stack([c * x - s * z, s * x + c * z], axis=-1)

    def grips(self, opening_rad: FloatArray) -> FloatArray:
        """``(n, 3)`` middle of the grip at openings ``(n,)`` [m]."""
        flat = self.turned(self.grip[[0, 2]], opening_rad)
        return np.stack([flat[:, 0], np.full(len(flat), self.grip[1]), flat[:, 1]], axis=1)

    def keyed(self, times_s: FloatArray, opening_rad: FloatArray) -> Hinge:
        """The hinge with openings at times."""
        low, high = self.hinge.range_rad
        return self.hinge.turned(np.clip(self.sign * opening_rad, low, high), times_s=times_s)


def door_of(scene: Scene, name: str, start: FloatArray, *, handle: str = "") -> Door:
    """The door of a name for somebody who comes from ``start`` (x, z) [m].

    Raises:
        PlanningInputError: The object is no door, or has no handle on this side.
    """
    thing = scene.object(name)
    hinge = thing.placement
    if not isinstance(hinge, Hinge) or abs(hinge.axis[1]) < 0.999:
        raise PlanningInputError(f'"{name}" does not swing about an upright axis: give it a hinge with axis (0, 1, 0)')
    if not thing.handles:
        raise PlanningInputError(f'"{name}" has no handle to take hold of')
    low, high = hinge.range_rad
    sign = 1.0 if high >= -low else -1.0
    parts = (name, *_fixed_to(scene, name))
    corners = np.stack([_rectangle(scene, part) for part in parts])
    pivot = np.array(hinge.axis_at)[[0, 2]]
    far = corners[0][np.argsort(np.linalg.norm(corners[0] - pivot, axis=1))[-2:]].mean(axis=0)
    along = far - pivot
    width = float(np.linalg.norm(along))
    across = np.array([-along[1], along[0]]) / width
    side = 1.0 if across @ (start - pivot) >= 0.0 else -1.0
    through = -side * across
    chosen = _handle_on_side(thing, hinge, -through, handle)
    base = _closed(hinge, np.array(chosen.at), point=True)
    beside = [float(np.linalg.norm(one.mean(axis=0) - base[[0, 2]])) for one in corners[1:]]
    lever = parts[1 + int(np.argmin(beside))] if beside else name
    approach = _closed(hinge, np.array(chosen.approach), point=False)[[0, 2]]
    door = Door(
        name=name,
        hinge=hinge,
        sign=sign,
        most_rad=float(max(abs(low), abs(high))),
        parts=parts,
        corners=corners,
        handle=chosen,
        grip=base,
        lever=lever,
        thick_m=float(np.ptp(triangles_of(scene.object(lever).shape, around=8)[0], axis=0).min()),
        towards=-approach / max(float(np.linalg.norm(approach)), 1e-9),
        pushed=True,
        through=through,
        middle=pivot + 0.5 * along,
        width_m=width,
    )
    swings = door.turned(far, 0.2) - far
    return replace(door, pushed=bool(swings @ through > 0.0))


def _closed(hinge: Hinge, local: FloatArray, *, point: bool) -> FloatArray:
    from understudy import rotations as rot

    turned = rot.rotate(np.array(hinge.closed_rotation), local)
    return np.asarray(turned + np.array(hinge.closed_position) if point else turned)


def _handle_on_side(thing: SceneObject, hinge: Hinge, outward: FloatArray, name: str) -> Handle:
    """The named handle, or the one whose approach looks to this side."""
    if name:
        return thing.handle(name)
    sides = [float(_closed(hinge, np.array(one.approach), point=False)[[0, 2]] @ outward) for one in thing.handles]
    best = int(np.argmax(sides))
    if sides[best] < 0.3:
        raise PlanningInputError(
            f'"{thing.name}" has no handle on the side it is approached from; its handles are '
            + ", ".join(one.name for one in thing.handles)
        )
    return thing.handles[best]


def _fixed_to(scene: Scene, name: str) -> tuple[str, ...]:
    return tuple(one.object for one in scene.attachments if one.to == name and not np.isfinite(one.end_s))


def _rectangle(scene: Scene, name: str) -> FloatArray:
    """``(4, 2)`` the smallest box around an object's shadow, along its own axes, as it stands when closed."""
    from understudy import rotations as rot

    thing = scene.object(name)
    points, _ = triangles_of(thing.shape, around=8)
    positions, rotations = scene.object_track(name, [-1e9])
    if isinstance(thing.placement, Hinge):
        positions, rotations = thing.placement.poses_at_angles([0.0])
    low, high = points.min(axis=0), points.max(axis=0)
    flat = np.array([[low[0], 0, low[2]], [high[0], 0, low[2]], [high[0], 0, high[2]], [low[0], 0, high[2]]])
    return np.asarray((positions[0] + rot.rotate(rotations[0], flat))[:, [0, 2]])
