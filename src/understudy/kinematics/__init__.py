"""Forward kinematics, Jacobians, momentum and inverse kinematics.

Importing this room does not import numba: kernels are loaded, and compiled, at their first use.
"""

from understudy.kinematics.forward import (
    WorldTransforms,
    forward,
    motion_world,
    point_positions,
    pose_world,
    tip_positions,
)
from understudy.kinematics.hold import HeldEnd, estimated_hinge, hold_end
from understudy.kinematics.ik_tasks import GazeTask, OrientationTask, PointTask, StayTask, Task
from understudy.kinematics.jacobian import (
    FreeJoints,
    angular_jacobian,
    difference,
    integrate,
    jacobians,
    point_jacobian,
    tangent_size,
)
from understudy.kinematics.least_squares_ik import (
    LeastSquaresOptions,
    LeastSquaresResult,
    Limit,
    solve_tasks,
)
from understudy.kinematics.limb import Limb, limb_joints, limb_of
from understudy.kinematics.limb_ik import LimbSolution, limb_direction, solve_limbs, swivel_angle
from understudy.kinematics.momentum import (
    MomentumSeries,
    centre_of_mass,
    centroidal_momentum_matrix,
    com_jacobian,
    momentum_over_time,
)

__all__ = [
    "FreeJoints",
    "GazeTask",
    "HeldEnd",
    "LeastSquaresOptions",
    "LeastSquaresResult",
    "Limb",
    "LimbSolution",
    "Limit",
    "MomentumSeries",
    "OrientationTask",
    "PointTask",
    "StayTask",
    "Task",
    "WorldTransforms",
    "angular_jacobian",
    "centre_of_mass",
    "centroidal_momentum_matrix",
    "com_jacobian",
    "difference",
    "estimated_hinge",
    "forward",
    "hold_end",
    "integrate",
    "jacobians",
    "limb_direction",
    "limb_joints",
    "limb_of",
    "momentum_over_time",
    "motion_world",
    "point_jacobian",
    "point_positions",
    "pose_world",
    "solve_limbs",
    "solve_tasks",
    "swivel_angle",
    "tangent_size",
    "tip_positions",
]
