"""Forward kinematics, Jacobians and momentum of a 25-joint humanoid-like tree; Pinocchio and NumPy as peers."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from benchmarks.timing import measure
from understudy import rotations as rot
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.kinematics import (
    FreeJoints,
    WorldTransforms,
    centroidal_momentum_matrix,
    forward,
    jacobians,
    pose_world,
)

POSES = 10_000
# Torso 0-6, two arms and two legs of four or five joints each: the depth of a CMU skeleton.
PARENTS = [-1, 0, 1, 2, 3, 4, 5, 3, 7, 8, 9, 3, 11, 12, 13, 0, 15, 16, 17, 18, 0, 20, 21, 22, 23]

Case = tuple[str, str, int, Callable[[], object]]


def _skeleton() -> Skeleton:
    rng = np.random.default_rng(0)
    return Skeleton(
        names=tuple(f"joint{i}" for i in range(len(PARENTS))),
        parents=np.array(PARENTS),
        offsets=rng.normal(scale=0.2, size=(len(PARENTS), 3)),
    )


def _numpy_forward(skeleton: Skeleton, roots: np.ndarray, rotations: np.ndarray) -> WorldTransforms:
    """The usual vectorised way: over frames in NumPy, over joints in Python."""
    positions, world = np.empty((*rotations.shape[:2], 3)), np.empty(rotations.shape)
    positions[:, 0], world[:, 0] = roots, rotations[:, 0]
    for j in range(1, len(skeleton)):
        p = skeleton.parents[j]
        positions[:, j] = positions[:, p] + rot.rotate(world[:, p], skeleton.offsets[j])
        world[:, j] = rot.multiply(world[:, p], rotations[:, j])
    return WorldTransforms(positions, world)


def _pin_cases(skeleton: Skeleton, pose: Pose, segments: tuple[np.ndarray, ...]) -> list[Case]:
    if find_spec("pinocchio") is None:
        return []
    import pinocchio as pin

    model, ids = pin.Model(), []
    for j, parent in enumerate(skeleton.parents):
        kind = pin.JointModelFreeFlyer() if parent < 0 else pin.JointModelSpherical()
        place = pin.SE3(np.eye(3), np.array(skeleton.offsets[j]))
        ids.append(model.addJoint(0 if parent < 0 else ids[parent], kind, place, f"joint{j}"))
        mass, com, inertia = (array[j] for array in segments)
        model.appendBodyToJoint(ids[j], pin.Inertia(mass, com, inertia), pin.SE3.Identity())
    data = model.createData()
    q = pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq))

    def all_jacobians() -> None:
        pin.computeJointJacobians(model, data, q)
        for joint in ids:
            pin.getJointJacobian(model, data, joint, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)

    return [
        ("forward, one pose", "pinocchio (C++)", 1, lambda: pin.forwardKinematics(model, data, q)),
        ("jacobians of 25 points", "pinocchio (C++)", 25, all_jacobians),
        ("momentum matrix", "pinocchio (C++)", 1, lambda: pin.computeCentroidalMap(model, data, q)),
    ]


def _numpy_jacobians(skeleton: Skeleton, world: WorldTransforms) -> np.ndarray:
    turns = rot.to_matrix(world.rotations)
    out = np.zeros((len(skeleton), 3, 3 + 3 * len(skeleton)))
    for i in range(len(skeleton)):
        out[i, :, :3] = np.eye(3)
        j = i
        while j >= 0:
            arm = world.positions[i] - world.positions[j]
            out[i, :, 3 + 3 * j : 6 + 3 * j] = np.cross(turns[j].T, arm).T
            j = int(skeleton.parents[j])
    return out


def _cases() -> list[Case]:
    skeleton, rng = _skeleton(), np.random.default_rng(1)
    count = len(skeleton)
    rotations, roots = rot.normalize(rng.normal(size=(POSES, count, 4))), rng.normal(size=(POSES, 3))
    pose = Pose(skeleton=skeleton, root_position=roots[0], rotations=rotations[0])
    world, free = pose_world(pose), FreeJoints.everything(skeleton)
    segments = (
        rng.uniform(0.5, 5.0, count),
        rng.normal(scale=0.1, size=(count, 3)),
        np.tile(0.01 * np.eye(3), (count, 1, 1)),
    )
    every, origins = np.arange(count), np.zeros((count, 3))
    return [
        ("forward, 10,000 poses", "understudy", POSES, lambda: forward(skeleton, roots, rotations)),
        ("forward, 10,000 poses", "numpy", POSES, lambda: _numpy_forward(skeleton, roots, rotations)),
        ("forward, one pose", "understudy", 1, lambda: pose_world(pose)),
        ("forward, one pose", "numpy", 1, lambda: pose.world()),
        ("jacobians of 25 points", "understudy", 25, lambda: jacobians(world, every, origins, free=free)),
        ("jacobians of 25 points", "numpy", 25, lambda: _numpy_jacobians(skeleton, world)),
        (
            "momentum matrix",
            "understudy",
            1,
            lambda: centroidal_momentum_matrix(skeleton, world, *segments),
        ),
        *_pin_cases(skeleton, pose, segments),
    ]


def rows(quick: bool) -> list[dict[str, object]]:
    """Time of one call, and of one pose or point in it."""
    table: list[dict[str, object]] = []
    for case, method, n, call in _cases():
        number = 1 if n >= POSES else 50
        timing = measure(call, repeat=5 if quick else 30, number=number)
        table.append({"case": case, "method": method, "n": n, **timing, "each_us": timing["median_us"] / n})
    return sorted(table, key=lambda row: str(row["case"]))
