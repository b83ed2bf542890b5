"""Random skeletons, poses and segments; a humanoid; the same skeleton as a Pinocchio model."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton


class Samples:
    """What the tests of this room draw at random, by seed."""

    @staticmethod
    def skeleton(seed: int, joints: int = 12) -> Skeleton:
        rng = np.random.default_rng(seed)
        # Half the joints continue a chain: pure random trees are too shallow to be bodies.
        parents = [-1] + [i - 1 if rng.random() < 0.5 else int(rng.integers(0, i)) for i in range(1, joints)]
        tips = rng.integers(0, joints, size=3)
        return Skeleton(
            names=tuple(f"j{i}" for i in range(joints)),
            parents=np.array(parents),
            offsets=rng.normal(scale=0.3, size=(joints, 3)),
            rest_rotations=rot.normalize(rng.normal(size=(joints, 4))),
            tip_joints=tips,
            tip_offsets=rng.normal(scale=0.2, size=(3, 3)),
        )

    @staticmethod
    def pose(skeleton: Skeleton, seed: int) -> Pose:
        rng = np.random.default_rng(seed)
        return Pose(
            skeleton=skeleton,
            root_position=rng.normal(size=3),
            rotations=rot.normalize(rng.normal(size=(len(skeleton), 4))),
        )

    @staticmethod
    def segments(joints: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rng = np.random.default_rng(seed)
        masses = rng.uniform(0.2, 6.0, joints)
        coms = rng.normal(scale=0.1, size=(joints, 3))
        # Inertias of point clouds: every one of them is physically possible.
        clouds = rng.normal(scale=0.1, size=(joints, 8, 3))
        squares = np.einsum("jni,jni->j", clouds, clouds)
        inertias = squares[:, None, None] * np.eye(3) - np.einsum("jni,jnk->jik", clouds, clouds)
        return masses, coms, masses[:, None, None] * inertias / 8.0


@pytest.fixture(scope="session")
def samples() -> type[Samples]:
    return Samples


@pytest.fixture(scope="session")
def humanoid() -> Skeleton:
    """A 1.7 m stick figure at rest in a T-pose, arms and legs exactly straight."""
    table = [
        ("hips", None, (0.0, 0.95, 0.0)),
        ("spine", "hips", (0.0, 0.15, 0.0)),
        ("chest", "spine", (0.0, 0.2, 0.0)),
        ("head", "chest", (0.0, 0.25, 0.0)),
    ]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        table += [
            (f"{side}UpperArm", "chest", (sign * 0.18, 0.1, 0.0)),
            (f"{side}LowerArm", f"{side}UpperArm", (sign * 0.28, 0.0, 0.0)),
            (f"{side}Hand", f"{side}LowerArm", (sign * 0.25, 0.0, 0.0)),
            (f"{side}UpperLeg", "hips", (sign * 0.1, -0.05, 0.0)),
            (f"{side}LowerLeg", f"{side}UpperLeg", (0.0, -0.42, 0.0)),
            (f"{side}Foot", f"{side}LowerLeg", (0.0, -0.42, 0.0)),
        ]
    names = tuple(row[0] for row in table)
    return Skeleton(
        names=names,
        parents=np.array([-1 if row[1] is None else names.index(row[1]) for row in table]),
        offsets=np.array([row[2] for row in table]),
        humanoid={name: i for i, name in enumerate(names)},
    )


class PinTwin:
    """A skeleton as a Pinocchio model: a free-flyer and spherical joints."""

    def __init__(self, pin: ModuleType, skeleton: Skeleton, segments: tuple | None = None) -> None:
        self.pin, self.skeleton = pin, skeleton
        self.model = pin.Model()
        self.ids: list[int] = []
        for j, parent in enumerate(skeleton.parents):
            kind = pin.JointModelFreeFlyer() if parent < 0 else pin.JointModelSpherical()
            place = pin.SE3.Identity() if parent < 0 else pin.SE3(np.eye(3), np.array(skeleton.offsets[j]))
            self.ids.append(self.model.addJoint(0 if parent < 0 else self.ids[parent], kind, place, f"j{j}"))
            if segments is not None:
                mass, com, inertia = (array[j] for array in segments)
                body = pin.Inertia(float(mass), np.array(com), np.array(inertia))
                self.model.appendBodyToJoint(self.ids[j], body, pin.SE3.Identity())
        self.data = self.model.createData()

    def configuration(self, pose: Pose) -> np.ndarray:
        q = np.zeros(self.model.nq)
        q[:3] = pose.root_position
        for j, joint in enumerate(self.ids):
            start = self.model.joints[joint].idx_q + (3 if j == 0 else 0)
            q[start : start + 4] = pose.rotations[j][[1, 2, 3, 0]]
        return q

    def in_our_tangent(self, pose: Pose, jacobian: np.ndarray) -> np.ndarray:
        """A Pinocchio Jacobian with our columns: its free-flyer's velocity is in the root's axes, ours not."""
        ours = np.zeros((jacobian.shape[0], 3 + 3 * len(self.skeleton)))
        ours[:, :3] = jacobian[:, :3] @ rot.to_matrix(pose.rotations[0]).T
        for j, joint in enumerate(self.ids):
            start = self.model.joints[joint].idx_v + (3 if j == 0 else 0)
            ours[:, 3 + 3 * j : 6 + 3 * j] = jacobian[:, start : start + 3]
        return ours


@pytest.fixture(scope="session")
def pin_twin() -> type[PinTwin]:
    pin = pytest.importorskip("pinocchio")
    return lambda *arguments: PinTwin(pin, *arguments)  # type: ignore[return-value]
