"""One smooth skin over a capsule body.

The skin is the zero level of the capsules' distances joined by a smooth minimum. It shows the body that collision
checks use, with three liberties: creases between capsules are filled, by at most a quarter of the blend width; limbs
taper towards the next bone, inside their capsule; vertices near a joint follow both of its bones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.segments import segment_distance
from understudy.core.skin.capsule_mesh import SkinMesh, capsule_mesh
from understudy.core.skin.surface_nets import surface_nets
from understudy.typing import BoolArray, FloatArray

#: Grid spacing as a share of the body's height (1.6 cm for a person of 1.75 m).
_SPACING = 0.009
#: Blend width of two capsules as a share of the later one's radius; the trunk has one outline, limbs have joints.
_BLEND = 0.45
_TRUNK_BLEND = 0.9
_TRUNK = ("pelvis", "abdomen", "ribs", "chest")
#: Capsules whose far end narrows towards the capsule that follows.
_TAPERED = {"thigh": "shank", "shank": "foot", "upper_arm": "forearm", "forearm": "hand"}
#: Distance over which weights of neighbouring bones fade, as a share of the bone's radius.
_FADE = 0.22


def body_mesh(body: Body) -> SkinMesh:
    """A smooth skin where the rest pose allows it; separate capsules for thin bones and limbs that touch at rest."""
    if not body.skeleton.is_humanoid or _touches_itself(body):
        return capsule_mesh(body)
    field = _Field.of(body)
    spacing = _SPACING * body.stature_m
    vertices, faces = field.grid_surface(spacing)
    for _ in range(4):
        distance, gradient = field.at(vertices)
        vertices = vertices - np.clip(distance, -spacing, spacing)[:, None] * gradient
    _, normals = field.at(vertices)
    joints, weights = _weights(body, field, vertices)
    return SkinMesh(vertices=vertices, normals=normals, faces=faces, joints=joints, weights=weights)


def _touches_itself(body: Body) -> bool:
    """Whether parts that should come apart would grow together: both self-colliding and far apart in the tree."""
    starts, ends = _rest_axes(body)
    near = _neighbours(body)
    near = near @ near
    for a, b in body.self_pairs:
        apart = segment_distance(starts[a], ends[a], starts[b], ends[b])
        grown = body.capsule_radii[a] + body.capsule_radii[b] + 0.5 * _BLEND * body.capsule_radii[[a, b]].max()
        if not near[a, b] and apart < grown:
            return True
    return False


def _rest_axes(body: Body) -> tuple[FloatArray, FloatArray]:
    positions, rotations = body.skeleton.rest_world
    at, turn = positions[body.capsule_joints], rotations[body.capsule_joints]
    return at + rot.rotate(turn, body.capsule_starts), at + rot.rotate(turn, body.capsule_ends)


def _end_radii(body: Body) -> FloatArray:
    radii = dict(zip(body.capsule_names, body.capsule_radii, strict=True))
    ends = body.capsule_radii.copy()
    for index, name in enumerate(body.capsule_names):
        side, _, part = name.partition("_")
        following = radii.get(f"{side}_{_TAPERED.get(part)}")
        if following is not None:
            ends[index] = min(ends[index], 0.5 * (ends[index] + following))
    return ends


@dataclass(frozen=True, eq=False, kw_only=True)
class _Field:
    """Signed distance to the smooth union of capsules, approximately."""

    starts: FloatArray
    ends: FloatArray
    radii: FloatArray
    end_radii: FloatArray
    blends: FloatArray

    @classmethod
    def of(cls, body: Body) -> _Field:
        starts, ends = _rest_axes(body)
        shares = np.array([_TRUNK_BLEND if name in _TRUNK else _BLEND for name in body.capsule_names])
        return cls(
            starts=starts,
            ends=ends,
            radii=body.capsule_radii,
            end_radii=_end_radii(body),
            blends=shares * body.capsule_radii,
        )

    def capsule(self, index: int, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Distance ``(...)`` to one capsule and its unit gradient ``(..., 3)``."""
        axis = self.ends[index] - self.starts[index]
        away = points - self.starts[index]
        share = np.clip(away @ axis / max(float(axis @ axis), 1e-18), 0.0, 1.0)
        away = away - share[..., None] * axis
        length = np.linalg.norm(away, axis=-1)
        radius = self.radii[index] + share * (self.end_radii[index] - self.radii[index])
        return length - radius, away / np.maximum(length, 1e-12)[..., None]

    def at(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Distance and unit gradient at ``(n, 3)`` points."""
        distance, gradient = self.capsule(0, points)
        for index in range(1, len(self.radii)):
            other, slope = self.capsule(index, points)
            width = self.blends[index]
            mix = np.maximum(width - np.abs(distance - other), 0.0) / width
            nearer = np.where(other < distance, 1.0 - 0.5 * mix, 0.5 * mix)[:, None]
            distance = np.minimum(distance, other) - 0.25 * width * mix**2
            gradient = (1.0 - nearer) * gradient + nearer * slope
        return distance, gradient / np.maximum(np.linalg.norm(gradient, axis=1), 1e-12)[:, None]

    def grid_surface(self, spacing: float) -> tuple[FloatArray, np.ndarray]:
        """The surface at grid precision."""
        margin = 3.0 * spacing
        low = np.minimum(self.starts, self.ends) - self.radii[:, None] - margin
        high = np.maximum(self.starts, self.ends) + self.radii[:, None] + margin
        origin = low.min(axis=0)
        shape = np.ceil((high.max(axis=0) - origin) / spacing).astype(np.int64) + 1
        grid = np.full(shape, 10.0 * margin)
        for index in range(len(self.radii)):
            # Only the neighbourhood of a capsule can change: far from it the minimum is another's.
            first = np.maximum(np.floor((low[index] - origin) / spacing).astype(np.int64), 0)
            last = np.minimum(np.ceil((high[index] - origin) / spacing).astype(np.int64) + 1, shape)
            block = tuple(slice(a, b) for a, b in zip(first, last, strict=True))
            axes = [origin[k] + spacing * np.arange(first[k], last[k]) for k in range(3)]
            other, _ = self.capsule(index, np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1))
            width = self.blends[index]
            mix = np.maximum(width - np.abs(grid[block] - other), 0.0) / width
            grid[block] = np.minimum(grid[block], other) - 0.25 * width * mix**2
        vertices, faces = surface_nets(grid)
        return origin + spacing * vertices, faces


def _weights(body: Body, field: _Field, vertices: FloatArray) -> tuple[np.ndarray, FloatArray]:
    """Up to four joints per vertex: that of the nearest capsule and those of the bones it is attached to."""
    distances = np.stack([field.capsule(index, vertices)[0] for index in range(len(field.radii))], axis=1)
    nearest = distances.argmin(axis=1)
    beyond = distances - distances.min(axis=1, keepdims=True)
    closeness = np.exp(-beyond / (_FADE * field.radii[nearest])[:, None]) * _neighbours(body)[nearest]
    owners = np.unique(body.capsule_joints)
    shares = np.stack([closeness[:, body.capsule_joints == joint].max(axis=1) for joint in owners], axis=1)
    shares[shares < 0.01] = 0.0
    order = np.argsort(-shares, axis=1, kind="stable")[:, :4]
    if order.shape[1] < 4:
        order = np.pad(order, ((0, 0), (0, 4 - order.shape[1])))
    weights = np.take_along_axis(shares, order, axis=1)
    weights[:, len(owners) :] = 0.0
    weights /= weights.sum(axis=1, keepdims=True)
    return np.where(weights > 0.0, owners[order], 0), weights


def _neighbours(body: Body) -> BoolArray:
    """Which capsules are on the same joint, or on joints with no other capsule's joint between them."""
    carriers = set(body.capsule_joints.tolist())
    above = {}
    for joint in carriers:
        parent = int(body.skeleton.parents[joint])
        while parent >= 0 and parent not in carriers:
            parent = int(body.skeleton.parents[parent])
        above[joint] = parent
    joints = body.capsule_joints.tolist()
    return np.array([[a == b or above[a] == b or above[b] == a for b in joints] for a in joints])
