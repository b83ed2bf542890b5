"""The same body and room in Pinocchio and coal, with coal's dynamic AABB tree as broad phase."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy import rotations as rot
from understudy.collision import Obstacle
from understudy.core.body import Body
from understudy.scene.shapes import Box, Capsule, Mesh


class CoalPeer:
    """Forward kinematics and collision of a body in a room, stopping at the first hit."""

    def __init__(self, body: Body, obstacles: Sequence[Obstacle]) -> None:
        import coal
        import pinocchio as pin

        self._pin = pin
        self.model, skeleton, ids = pin.Model(), body.skeleton, []
        for j, parent in enumerate(skeleton.parents):
            kind = pin.JointModelFreeFlyer() if parent < 0 else pin.JointModelSpherical()
            place = pin.SE3(np.eye(3), np.zeros(3) if parent < 0 else np.array(skeleton.offsets[j]))
            ids.append(self.model.addJoint(0 if parent < 0 else ids[parent], kind, place, f"joint{j}"))
        self.geometry = pin.GeometryModel()
        parts = []
        for c, name in enumerate(body.capsule_names):
            start, end = body.capsule_starts[c], body.capsule_ends[c]
            length = float(np.linalg.norm(end - start))
            turn = _z_onto((end - start) / length) if length > 0 else np.eye(3)
            shape = coal.Capsule(float(body.capsule_radii[c]), length)
            place = pin.SE3(turn, 0.5 * (start + end))
            parts.append(
                self.geometry.addGeometryObject(pin.GeometryObject(name, ids[body.capsule_joints[c]], place, shape))
            )
        things = []
        for obstacle in obstacles:
            shape, turn = coal_shape(obstacle.shape)
            q = np.asarray(obstacle.rotation) / np.linalg.norm(obstacle.rotation)
            place = pin.SE3(rot.to_matrix(q) @ turn, np.asarray(obstacle.position))
            things.append(self.geometry.addGeometryObject(pin.GeometryObject(obstacle.name, 0, place, shape)))
        for i, j in body.self_pairs:
            self.geometry.addCollisionPair(pin.CollisionPair(parts[i], parts[j]))
        for part in parts:
            for thing in things:
                self.geometry.addCollisionPair(pin.CollisionPair(part, thing))
        self.data, self.geometry_data = self.model.createData(), pin.GeometryData(self.geometry)
        self.broad = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager(
            self.model, self.geometry, self.geometry_data
        )

    def configurations(self, rotations: np.ndarray, roots: np.ndarray) -> np.ndarray:
        """``(n, 7 + 4 joints)`` Pinocchio's q: root position, then quaternions xyzw."""
        xyzw = np.roll(rotations, -1, axis=-1).reshape(len(rotations), -1)
        return np.hstack([roots, xyzw])

    def collides(self, q: np.ndarray) -> np.ndarray:
        """Whether each configuration collides, by the broad phase."""
        pin, model, data, broad = self._pin, self.model, self.data, self.broad
        return np.array([pin.computeCollisions(model, data, broad, row, True) for row in q])

    def collides_plainly(self, q: np.ndarray) -> np.ndarray:
        """The same pair by pair, without a broad phase."""
        pin = self._pin
        return np.array(
            [pin.computeCollisions(self.model, self.data, self.geometry, self.geometry_data, row, True) for row in q]
        )


def coal_shape(shape: object) -> tuple[object, np.ndarray]:
    """A shape in coal, and the rotation that turns coal's axes (capsules along Z) into ours."""
    import coal

    if isinstance(shape, Box):
        return coal.Box(*shape.size_m), np.eye(3)
    if isinstance(shape, Capsule):
        return coal.Capsule(shape.radius_m, shape.length_m), _z_onto(np.array([0.0, 1.0, 0.0]))
    assert isinstance(shape, Mesh)
    tree = coal.BVHModelOBBRSS()
    tree.beginModel(len(shape.faces), len(shape.vertices))
    tree.addVertices(np.array(shape.vertices))
    triangles = coal.StdVec_Triangle()
    for a, b, c in shape.faces:
        triangles.append(coal.Triangle(int(a), int(b), int(c)))
    points = coal.StdVec_Vec3s()
    for vertex in shape.vertices:
        points.append(np.array(vertex))
    tree.addSubModel(points, triangles)
    tree.endModel()
    return tree, np.eye(3)


def _z_onto(axis: np.ndarray) -> np.ndarray:
    """A rotation matrix whose third column is ``axis``."""
    helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = np.cross(helper, axis)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(axis, x), axis], axis=1)
