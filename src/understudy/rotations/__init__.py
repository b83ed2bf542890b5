"""Rotations as unit quaternions (wxyz, float64), vectorised over leading axes.

The scalar numba twins for inner loops live in ``understudy.rotations._kernels`` and are imported from there
by name, so that importing this room stays light.
"""

from understudy.rotations.directions import from_axis_angle, from_yaw, shortest_arc, yaw
from understudy.rotations.euler import ORDERS, from_euler, from_turns, to_euler, unwrapped
from understudy.rotations.exponential import angular_velocity, exp, log
from understudy.rotations.matrices import from_matrix, to_matrix
from understudy.rotations.quaternions import (
    aligned,
    angle_between,
    conjugate,
    continuous,
    identity,
    mean,
    multiply,
    normalize,
    relative,
    rotate,
    slerp,
)
from understudy.rotations.swing_twist import (
    from_swing_twist_coordinates,
    swing_twist,
    swing_twist_coordinates,
)

__all__ = [
    "ORDERS",
    "aligned",
    "angle_between",
    "angular_velocity",
    "conjugate",
    "continuous",
    "exp",
    "from_axis_angle",
    "from_euler",
    "from_matrix",
    "from_swing_twist_coordinates",
    "from_turns",
    "from_yaw",
    "identity",
    "log",
    "mean",
    "multiply",
    "normalize",
    "relative",
    "rotate",
    "shortest_arc",
    "slerp",
    "swing_twist",
    "swing_twist_coordinates",
    "to_euler",
    "to_matrix",
    "unwrapped",
    "yaw",
]
