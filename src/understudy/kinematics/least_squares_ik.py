"""Damped least-squares IK for any joints and several tasks at once (Levenberg - Marquardt on the pose's tangent).

Joint limits: after every step the moved joints go through ``limit``. What the limit took away tells which
direction is blocked; the step is then solved again with that direction held, so that the rest of the chain makes
up for it instead of pushing into the limit for ever (projected Levenberg - Marquardt).

A local method: it can end in a local minimum, mostly where a limb starts exactly straight and may bend either
way. Start from a slightly bent limb, or use the analytic ``limb_ik`` where the limb has two bones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.one_thread import one_thread
from understudy.core.pose import Pose
from understudy.errors import OptionError
from understudy.kinematics.forward import WorldTransforms, pose_world
from understudy.kinematics.ik_tasks import Task
from understudy.kinematics.jacobian import FreeJoints, integrate
from understudy.typing import FloatArray

#: Local rotations ``(joints, 4)`` in, the nearest allowed ones out, such as ``body.limits.clamped``.
Limit = Callable[[FloatArray], FloatArray]

# [rad] Limits that move a joint less than this are not pushed against.
_TOUCHED_RAD = 1e-9
# Rounds in which more blocked directions are found before the step is taken as it is.
_BLOCKED_ROUNDS = 4
_LARGEST_DAMPING = 1e8
# A step that changes the weighted sum of squares by a smaller part of it is the last, as in SciPy's least squares.
_STALLED = 1e-8


@dataclass(frozen=True, kw_only=True)
class LeastSquaresOptions:
    """When to stop and how boldly to step."""

    max_iterations: int = 100  # [1, 100_000]
    tolerance_m: float = 1e-6  # [m] > 0
    tolerance_rad: float = 1e-6  # [rad] > 0
    max_turn_rad: float = 0.5  # [rad] > 0, largest turn of one joint in one step
    start_damping: float = 1e-3  # > 0

    def __post_init__(self) -> None:
        """Check ranges."""
        if not 1 <= self.max_iterations <= 100_000:
            raise OptionError(f"max_iterations is {self.max_iterations}; it must be 1..100000")
        for name in ("tolerance_m", "tolerance_rad", "max_turn_rad", "start_damping"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0.0):
                raise OptionError(f"{name} is {value}; it must be a positive number")


@dataclass(frozen=True, eq=False, kw_only=True)
class LeastSquaresResult:
    """The best pose found.

    Attributes:
        pose: The pose; joints that were not free are untouched.
        residuals: Length of every task's error, in the task's own unit and order [m or rad].
        converged: Whether every task is met within tolerance.
        iterations: Steps tried.
    """

    pose: Pose
    residuals: tuple[float, ...]
    converged: bool
    iterations: int


@dataclass(frozen=True, eq=False, kw_only=True)
class _Trial:
    """A pose, where its joints are, how far each task is from being met, and the weighted sum of squares."""

    pose: Pose
    world: WorldTransforms
    errors: tuple[FloatArray, ...]
    cost: float

    @classmethod
    def of(cls, pose: Pose, tasks: Sequence[Task]) -> _Trial:
        world = pose_world(pose)
        errors = tuple(task.error(pose.skeleton, world) for task in tasks)
        cost = sum(float(np.square(task.weight * error).sum()) for task, error in zip(tasks, errors, strict=True))
        return cls(pose=pose, world=world, errors=errors, cost=cost)

    def met(self, tasks: Sequence[Task], options: LeastSquaresOptions) -> bool:
        tolerance = {"m": options.tolerance_m, "rad": options.tolerance_rad}
        return all(np.linalg.norm(one) <= tolerance[task.unit] for task, one in zip(tasks, self.errors, strict=True))


@one_thread()
def solve_tasks(
    pose: Pose,
    tasks: Sequence[Task],
    *,
    free: FreeJoints,
    limit: Limit | None = None,
    options: LeastSquaresOptions | None = None,
) -> LeastSquaresResult:
    """Move the free joints of a pose so that all tasks are met as well as they can be together.

    Deterministic; from a pose that meets the tasks nothing moves. Tasks that cannot be met give the pose with
    the least weighted sum of squares found, and ``converged=False``.

    Args:
        pose: Where to start; the result stays near it as far as the tasks allow.
        tasks: What to reach, with weights.
        free: Which joints may turn and whether the root may move.
        limit: Brings local rotations within limits (``body.limits.clamped``); only free joints are taken from
            it. ``None`` for no limits.
        options: See :class:`LeastSquaresOptions`.

    Raises:
        OptionError: No tasks, no free coordinates, or a pose of another skeleton.
    """
    chosen = options or LeastSquaresOptions()
    if not tasks or free.size == 0:
        raise OptionError("inverse kinematics needs at least one task and one free joint")
    if not pose.skeleton.same_joints(free.skeleton):
        raise OptionError("free joints and pose have skeletons with different joints")
    current = _Trial.of(_limited(pose, free, limit)[0], tasks)
    damping = chosen.start_damping
    iterations = 0
    while iterations < chosen.max_iterations and not current.met(tasks, chosen) and damping < _LARGEST_DAMPING:
        iterations += 1
        trial = _Trial.of(_step(current, tasks, free, limit, damping, chosen), tasks)
        stalled = abs(trial.cost - current.cost) <= _STALLED * current.cost
        if trial.cost < current.cost:
            current, damping = trial, max(0.3 * damping, 1e-9)
        else:
            damping *= 4.0
        if stalled:
            break
    residuals = tuple(float(np.linalg.norm(error)) for error in current.errors)
    return LeastSquaresResult(
        pose=current.pose, residuals=residuals, converged=current.met(tasks, chosen), iterations=iterations
    )


def _step(
    start: _Trial,
    tasks: Sequence[Task],
    free: FreeJoints,
    limit: Limit | None,
    damping: float,
    options: LeastSquaresOptions,
) -> Pose:
    """One damped Gauss - Newton step, with directions blocked by limits held."""
    weights = np.concatenate(
        [np.broadcast_to(task.weight, len(e)) for task, e in zip(tasks, start.errors, strict=True)]
    )
    stacked = weights[:, None] * np.concatenate([task.jacobian(start.world, free) for task in tasks])
    target = -weights * np.concatenate(start.errors)
    held = np.zeros((free.size, 0))
    trial = start.pose
    for _ in range(_BLOCKED_ROUNDS):
        allowed = stacked - (stacked @ held) @ held.T
        # The dual form of (J^T J + damping 1) dq = J^T e: tasks are few, joints are many.
        gram = allowed @ allowed.T
        gram[np.diag_indices_from(gram)] += damping
        step = allowed.T @ np.linalg.solve(gram, target)
        trial, blocked = _limited(integrate(start.pose, free.expand(_shortened(step, free, options))), free, limit)
        fresh = _orthonormal(blocked, held)
        if fresh.shape[1] == held.shape[1]:
            break
        held = fresh
    return trial


def _limited(pose: Pose, free: FreeJoints, limit: Limit | None) -> tuple[Pose, FloatArray]:
    """The pose within its limits, and the tangent directions ``(size, n)`` the limits pushed back against."""
    blocked: list[FloatArray] = []
    if limit is None:
        return pose, np.zeros((free.size, 0))
    allowed = np.asarray(limit(pose.rotations), dtype=np.float64)
    if allowed.shape != pose.rotations.shape or not np.isfinite(allowed).all():
        raise OptionError(f"the joint limit must give finite rotations {pose.rotations.shape}")
    rotations = pose.rotations.copy()
    moving = list(free.joints)
    rotations[moving] = rot.normalize(allowed[moving])
    pushed = rot.log(rot.relative(rotations[moving], pose.rotations[moving]))
    for joint, push in zip(free.joints, pushed, strict=True):
        length = np.linalg.norm(push)
        if length > _TOUCHED_RAD:
            direction = np.zeros(free.size)
            column = free.columns[joint]
            direction[column : column + 3] = push / length
            blocked.append(direction)
    directions = np.stack(blocked, axis=1) if blocked else np.zeros((free.size, 0))
    return replace(pose, rotations=rotations), directions


def _orthonormal(directions: FloatArray, held: FloatArray) -> FloatArray:
    """``held`` with the directions it does not span yet added, columns orthonormal."""
    for direction in directions.T:
        rest = direction - held @ (held.T @ direction)
        length = np.linalg.norm(rest)
        if length > 1e-3:
            held = np.column_stack([held, rest / length])
    return held


def _shortened(step: FloatArray, free: FreeJoints, options: LeastSquaresOptions) -> FloatArray:
    """The step, scaled so that no joint turns by more than ``max_turn_rad``."""
    turns = step[3 * free.root_translation :].reshape(-1, 3)
    largest = float(np.sqrt((turns**2).sum(axis=1).max())) if len(turns) else 0.0
    return step * min(1.0, options.max_turn_rad / largest) if largest > 0.0 else step
