"""What balls and capsules can touch: capsules of bodies and of the scene, boxes and the floor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from understudy import rotations as rot
from understudy.core.segments import segments_apart
from understudy.interaction._law_kernels import FLAT, ROUND
from understudy.interaction.play import FLOOR, Play, solid
from understudy.scene.shapes import Box, Capsule, Sphere
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Surface:
    """A surface in its own frame.

    Attributes:
        ends: ``(2, 3)`` of a capsule's axis [m]; unused for others.
        radius_m: Of that capsule.
        half: ``(3,)`` half the edges of a box [m]; ``None`` for others.
        flat: Whether it is the floor.
        place: ``(3,)`` of the frame, when it moves with nobody [m].
        turn: ``(3, 3)`` of the frame.
    """

    ends: FloatArray
    radius_m: float = 0.0
    half: FloatArray | None = None
    flat: bool = False
    place: FloatArray
    turn: FloatArray

    def off(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How far points ``(..., 3)`` of its frame are off it ``(...)`` [m], and the ways out ``(..., 3)``."""
        if self.flat:
            return at[..., 1], np.broadcast_to(np.array([0.0, 1.0, 0.0]), at.shape)
        if self.half is None:
            way = self.ends[1] - self.ends[0]
            share = np.clip((at - self.ends[0]) @ way / max(float(way @ way), 1e-18), 0.0, 1.0)
            away = at - self.ends[0] - share[..., None] * way
            far = np.maximum(np.linalg.norm(away, axis=-1), 1e-12)
            return far - self.radius_m, away / far[..., None]
        away, over = at - np.clip(at, -self.half, self.half), np.abs(at) - self.half
        far = np.linalg.norm(away, axis=-1)
        face = np.eye(3)[over.argmax(axis=-1)] * np.where(at >= 0.0, 1.0, -1.0)
        inside = far < 1e-10
        normal = np.where(inside[..., None], face, away / np.maximum(far, 1e-12)[..., None])
        return np.where(inside, over.max(axis=-1), far), normal

    @cached_property
    def edges(self) -> FloatArray:
        """The twelve edges ``(12, 2, 3)`` of a box."""
        assert self.half is not None
        return _edges(self.half)


@dataclass(frozen=True, eq=False, kw_only=True)
class Feature:
    """The piece of a surface that is nearest to a capsule: a plane met by one end, or a rounded segment.

    Attributes:
        kind: :data:`FLAT` or :data:`ROUND`.
        ends: ``(2, 3)`` of the segment in the surface's frame [m].
        radius_m: Around it.
        normal: ``(3,)`` of the plane in the world.
        level_m: Its distance from the origin.
        end: Which end of the capsule meets the plane, 1 or -1.
    """

    kind: int
    ends: FloatArray
    radius_m: float = 0.0
    normal: FloatArray
    level_m: float = 0.0
    end: float = 1.0


def surface_of(play: Play, part: str) -> Surface:
    """The surface of a body part, an implement, an object or the floor."""
    player, _, piece = play.surface_of(part)
    nowhere, upright, none = np.zeros(3), np.eye(3), np.zeros((2, 3))
    if player >= 0:
        _, start, end, thick = play.actors[player].part(piece)
        return Surface(ends=np.stack([start, end]), radius_m=float(thick), place=nowhere, turn=upright)
    if part == FLOOR:
        return Surface(ends=none, flat=True, place=nowhere, turn=upright)
    thing = play.scene.object(part)
    place, quaternion = solid(thing)
    turn = rot.to_matrix(quaternion)
    if isinstance(thing.shape, Box):
        return Surface(ends=none, half=0.5 * np.array(thing.shape.size_m), place=place, turn=turn)
    assert isinstance(thing.shape, Capsule | Sphere)
    up = np.array([0.0, 0.5 * thing.shape.length_m if isinstance(thing.shape, Capsule) else 0.0, 0.0])
    return Surface(ends=np.stack([-up, up]), radius_m=thing.shape.radius_m, place=place, turn=turn)


def nearest_feature(surface: Surface, centre: FloatArray, arm: FloatArray) -> Feature:
    """The feature of a surface nearest to the segment ``centre +- arm`` (of the world, where a box or floor is)."""
    up = np.array([0.0, 1.0, 0.0])
    if surface.flat:
        return Feature(kind=FLAT, ends=surface.ends, normal=up, end=-1.0 if arm[1] > 0.0 else 1.0)
    if surface.half is None:
        return Feature(kind=ROUND, ends=surface.ends, radius_m=surface.radius_m, normal=up)
    inside, side = surface.turn.T @ (centre - surface.place), surface.turn.T @ arm
    best = (np.inf, Feature(kind=ROUND, ends=surface.ends, normal=up))
    for end in (1.0, -1.0):
        at = inside + end * side
        over = np.abs(at) - surface.half
        face = int(over.argmax())
        others = np.delete(over, face)
        if others.max() <= 0.0 and over[face] < best[0]:
            normal = surface.turn[:, face] * (1.0 if at[face] >= 0.0 else -1.0)
            level = float(normal @ surface.place) + float(surface.half[face])
            best = (float(over[face]), Feature(kind=FLAT, ends=surface.ends, normal=normal, level_m=level, end=end))
    edges = surface.edges
    apart = segments_apart(inside - side, inside + side, edges[:, 0], edges[:, 1])
    k = int(apart.argmin())
    # An edge is taken only when no face is as near: at a corner both are the same distance.
    if apart[k] < best[0] - 1e-12:
        return Feature(kind=ROUND, ends=edges[k], normal=up)
    return best[1]


def _edges(half: FloatArray) -> FloatArray:
    """The twelve edges ``(12, 2, 3)`` of a box."""
    found = []
    for axis in range(3):
        rest = [k for k in range(3) if k != axis]
        for signs in product((1.0, -1.0), repeat=2):
            corner = np.zeros(3)
            corner[rest] = np.array(signs) * half[rest]
            along = np.eye(3)[axis] * half[axis]
            found.append([corner - along, corner + along])
    return np.array(found)
