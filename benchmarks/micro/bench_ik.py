"""Analytic limb IK and least-squares IK; scipy's general solvers on the same problems as the peer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import least_squares

from benchmarks.timing import measure
from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.kinematics import (
    FreeJoints,
    LeastSquaresOptions,
    OrientationTask,
    PointTask,
    forward,
    hold_end,
    integrate,
    limb_of,
    motion_world,
    pose_world,
    solve_limbs,
    solve_tasks,
)

FRAMES = 5_000
ARM = ("shoulder", "elbow", "wrist")


def _skeleton() -> Skeleton:
    return Skeleton(
        names=("root", "torso", *ARM),
        parents=np.array([-1, 0, 1, 2, 3]),
        offsets=np.array([[0, 1, 0], [0, 0.4, 0], [0.18, 0, 0], [0.29, 0, 0], [0.26, 0, 0]]),
    )


def _waving(skeleton: Skeleton) -> Motion:
    t = np.linspace(0.0, 40.0, FRAMES)
    rotations = np.tile(rot.identity(), (FRAMES, len(skeleton), 1))
    rotations[:, 2] = rot.exp(np.stack([np.sin(t), 0.5 * np.cos(2 * t), 0.3 * t / 40], axis=1))
    rotations[:, 3] = rot.exp((0.9 + 0.7 * np.sin(3 * t))[:, None] * [0.0, -1.0, 0.0])
    roots = np.tile(skeleton.offsets[0], (FRAMES, 1))
    return Motion(skeleton=skeleton, fps=120, root_positions=roots, rotations=rotations)


def _scipy_problem(skeleton: Skeleton, target: np.ndarray, turn: np.ndarray) -> Callable[[], object]:
    """Shoulder rotation vector, elbow angle and wrist rotation vector: the same seven freedoms."""
    rest = Pose.rest(skeleton)

    def error(x: np.ndarray) -> np.ndarray:
        rotations = rest.rotations.copy()
        rotations[2:] = rot.exp(np.stack([x[:3], [0.0, -x[3], 0.0], x[4:]]))
        # Our compiled forward kinematics, so that only the solvers differ.
        world = forward(skeleton, rest.root_position[None], rotations[None])
        missing = rot.log(rot.multiply(world.rotations[0, -1], rot.conjugate(turn)))
        return np.concatenate([world.positions[0, -1] - target, missing])

    start = np.array([0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0])
    return lambda: least_squares(error, start, xtol=1e-12, ftol=1e-12, gtol=1e-12)


def _cases() -> list[tuple[str, str, int, Callable[[], object]]]:
    skeleton = _skeleton()
    limb = limb_of(skeleton, *ARM, flexes_toward=[0.0, 0.0, 1.0])
    motion = _waving(skeleton)
    world = motion_world(motion)
    parents = np.ascontiguousarray(world.positions[:, 1]), np.ascontiguousarray(world.rotations[:, 1])
    targets = np.ascontiguousarray(world.positions[:, 4]), np.ascontiguousarray(world.rotations[:, 4])
    swivels = np.linspace(-1.0, 1.0, FRAMES)
    near = targets[0] + np.array([-0.01, 0.02, 0.01])
    free = FreeJoints.of(skeleton, ARM)
    start = integrate(Pose.rest(skeleton), free.expand(np.tile([0.0, -0.3, 0.0], 3)))
    goal = pose_world(motion.pose(100))
    tasks = [
        PointTask(joint="wrist", target=goal.positions[4]),
        OrientationTask(joint="wrist", target=goal.rotations[4]),
    ]
    tight = LeastSquaresOptions(tolerance_m=1e-9, tolerance_rad=1e-9)
    return [
        (
            "7-DOF limb, 5,000 targets",
            "understudy analytic",
            FRAMES,
            lambda: solve_limbs(limb, *parents, *targets, swivel_rad=swivels),
        ),
        (
            "7-DOF limb, one target",
            "understudy analytic",
            1,
            lambda: solve_limbs(limb, parents[0][9], parents[1][9], targets[0][9], targets[1][9]),
        ),
        (
            "7-DOF limb, one target",
            "understudy least squares",
            1,
            lambda: solve_tasks(start, tasks, free=free, options=tight),
        ),
        (
            "7-DOF limb, one target",
            "scipy least_squares",
            1,
            _scipy_problem(skeleton, goal.positions[4], goal.rotations[4]),
        ),
        ("hold the end of a motion", "understudy hold_end", FRAMES, lambda: hold_end(motion, ARM, near)),
    ]


def rows(quick: bool) -> list[dict[str, object]]:
    """Time of one call, and of one target in it."""
    table: list[dict[str, object]] = []
    for case, method, n, call in _cases():
        number = 10 if method == "understudy analytic" and n == 1 else 1
        timing = measure(call, repeat=5 if quick else 30, number=number)
        table.append({"case": case, "method": method, "n": n, **timing, "each_us": timing["median_us"] / n})
    return table
