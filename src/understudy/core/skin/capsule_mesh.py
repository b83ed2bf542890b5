"""A triangle mesh of a capsule body, each capsule bound to the joint that carries it.

The mesh is the very body that collision checks use: what touches in a viewer touches in a plan.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.typing import FloatArray, IntArray

_AROUND = 20
_RINGS = 6


@dataclass(frozen=True, eq=False, kw_only=True)
class SkinMesh:
    """A closed triangle mesh in a skeleton's rest pose.

    Attributes:
        vertices: ``(vertices, 3)`` [m] in the world.
        normals: ``(vertices, 3)`` unit, outward.
        faces: ``(triangles, 3)`` counter-clockwise from outside.
        joints: ``(vertices, 4)`` joints each vertex follows; 0 where the weight is 0.
        weights: ``(vertices, 4)`` how much it follows them, adding up to 1.
    """

    vertices: FloatArray
    normals: FloatArray
    faces: IntArray
    joints: IntArray
    weights: FloatArray


def capsule_mesh(body: Body) -> SkinMesh:
    """The body's capsules as one mesh."""
    directions, is_end, faces = _template()
    positions, rotations = body.skeleton.rest_world
    at, turn = positions[body.capsule_joints], rotations[body.capsule_joints]
    starts = at + rot.rotate(turn, body.capsule_starts)
    ends = at + rot.rotate(turn, body.capsule_ends)
    frames = _frames(ends - starts)
    normals = rot.rotate(frames[:, None], directions[None])
    centres = np.where(is_end[None, :, None], ends[:, None], starts[:, None])
    vertices = centres + body.capsule_radii[:, None, None] * normals
    count, each = len(starts), len(directions)
    shifts = each * np.arange(count)[:, None, None]
    return SkinMesh(
        vertices=vertices.reshape(-1, 3),
        normals=normals.reshape(-1, 3),
        faces=(faces[None] + shifts).reshape(-1, 3),
        joints=np.repeat(body.capsule_joints, each)[:, None] * np.array([1, 0, 0, 0]),
        weights=np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (count * each, 1)),
    )


def _frames(axes: FloatArray) -> FloatArray:
    """Rotations that take Y to each axis; a capsule without length is a ball and needs none."""
    lengths = np.linalg.norm(axes, axis=1, keepdims=True)
    up = np.array([0.0, 1.0, 0.0])
    return rot.shortest_arc(np.broadcast_to(up, axes.shape), np.where(lengths > 1e-9, axes, up))


def _template() -> tuple[FloatArray, np.ndarray, IntArray]:
    """A capsule along Y: outward directions, which end each belongs to, and triangles."""
    heights = np.linspace(-np.pi / 2, np.pi / 2, 2 * _RINGS + 1)
    # The equator twice: once around the start, once around the end.
    heights = np.concatenate([heights[1 : _RINGS + 1], heights[_RINGS:-1]])
    turns = np.linspace(0.0, 2 * np.pi, _AROUND, endpoint=False)
    ring = np.stack([np.sin(turns), np.zeros(_AROUND), np.cos(turns)], axis=1)
    bands = np.cos(heights)[:, None, None] * ring + np.sin(heights)[:, None, None] * np.array([0.0, 1.0, 0.0])
    poles = np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    directions = np.concatenate([bands.reshape(-1, 3), poles])
    is_end = np.concatenate([np.repeat(np.arange(len(heights)) >= _RINGS, _AROUND), [False, True]])
    here = np.arange(_AROUND)
    after = (here + 1) % _AROUND
    faces = []
    for band in range(len(heights) - 1):
        low, high = band * _AROUND, (band + 1) * _AROUND
        faces += [np.stack([low + here, low + after, high + after], axis=1)]
        faces += [np.stack([low + here, high + after, high + here], axis=1)]
    bottom, top, last = len(directions) - 2, len(directions) - 1, (len(heights) - 1) * _AROUND
    faces += [np.stack([np.full(_AROUND, bottom), after, here], axis=1)]
    faces += [np.stack([np.full(_AROUND, top), last + here, last + after], axis=1)]
    return directions, is_end, np.concatenate(faces)
