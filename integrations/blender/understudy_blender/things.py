"""Things that stand or move in the scene, as Understudy wants them: triangles about an origin, metres, Y up."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .axes import Y_UP, pure_rotation, to_y_up
from .turning import to_quaternions

#: [m] what is no higher than this lies on the floor: the floor itself, a rug.
_FLOOR_M = 0.02
#: Of 1: a triangle whose normal has this much of up in it faces up.
_FACES_UP = 0.9
#: [m], [rad] a thing that moves less stands still.
_STILL = 1e-5


@dataclass(frozen=True, eq=False)
class Thing:
    """One object.

    Attributes:
        name: In the scene file.
        vertices: ``(n, 3)`` about its origin, turned as it is in the first frame [m].
        faces: ``(m, 3)`` counter-clockwise from outside.
        positions: ``(frames, 3)`` of its origin [m]; one row when it stands still.
        rotations: ``(frames, 4)`` away from the first frame, (w, x, y, z).
        resized: Whether its size changes, which cannot be sent.
    """

    name: str
    vertices: np.ndarray
    faces: np.ndarray
    positions: np.ndarray
    rotations: np.ndarray
    resized: bool = False

    @property
    def moves(self) -> bool:
        """Whether it is in other places at other times."""
        return len(self.positions) > 1

    def scaled(self, factor: float) -> Thing:
        """The same in a world of another size."""
        return replace(self, vertices=factor * self.vertices, positions=factor * self.positions)


def thing(name: str, vertices: np.ndarray, faces: np.ndarray, places: np.ndarray, unit_m: float) -> Thing:
    """A thing out of a mesh and its places in Blender.

    Args:
        name: In the scene file.
        vertices: ``(n, 3)`` in the object's own space.
        faces: ``(m, 3)``.
        places: ``(frames, 4, 4)`` the object in Blender's world.
        unit_m: Metres per Blender unit.
    """
    linear = places[:, :3, :3]
    first = to_y_up(vertices @ linear[0].T, unit_m)
    if np.linalg.det(linear[0]) < 0.0:
        faces = faces[:, ::-1]
    positions = to_y_up(places[:, :3, 3], unit_m)
    turned = pure_rotation(linear)
    away = Y_UP @ turned @ turned[0].T @ Y_UP.T
    sizes = np.linalg.norm(linear, axis=(1, 2))
    still = np.ptp(positions, axis=0).max() < _STILL and np.abs(away - np.eye(3)).max() < _STILL
    keep = slice(0, 1 if still else None)
    resized = bool(np.ptp(sizes) > 1e-3 * sizes[0])
    return Thing(name, first, faces, positions[keep], to_quaternions(away)[keep], resized)


def without_floor(one: Thing) -> Thing | None:
    """The thing without what Understudy's own floor stands for; ``None`` when nothing is left of it.

    Soles rest on the floor at height 0. The same floor a second time, as a plane or as part of a room, would be
    something in their way.
    """
    if one.moves:
        return one
    corners = one.vertices[one.faces] + one.positions[0]
    if not len(corners) or corners[..., 1].max() <= _FLOOR_M:
        return None
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    up = normals[:, 1] > _FACES_UP * np.linalg.norm(normals, axis=1)
    on_floor = up & (np.abs(corners[..., 1]).max(axis=1) <= _FLOOR_M)
    return replace(one, faces=one.faces[~on_floor])


def obj_text(one: Thing) -> str:
    """The text of an OBJ file."""
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in one.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in one.faces + 1]
    return "\n".join(lines) + "\n"
