"""The property that turns a bone or an object, which its rotation mode decides; the mode is the person's choice."""

from __future__ import annotations

import numpy as np
from mathutils import Matrix

from .turning import to_quaternions

TURNS = ("rotation_quaternion", "rotation_euler", "rotation_axis_angle")


def turn_property(mode: str) -> str:
    """The name of the property."""
    return {"QUATERNION": TURNS[0], "AXIS_ANGLE": TURNS[2]}.get(mode, TURNS[1])


def turn_values(mode: str, rotations: np.ndarray) -> np.ndarray:
    """Values ``(frames, 3 or 4)`` of the property for rotations ``(frames, 3, 3)``, without needless jumps."""
    if mode == "QUATERNION":
        return to_quaternions(rotations)
    if mode == "AXIS_ANGLE":
        quaternions = to_quaternions(rotations)
        sines = np.linalg.norm(quaternions[:, 1:], axis=1)
        angles = 2.0 * np.arctan2(sines, quaternions[:, 0])
        axes = np.where(sines[:, None] > 1e-12, quaternions[:, 1:] / np.maximum(sines, 1e-12)[:, None], (0.0, 1.0, 0.0))
        return np.concatenate([angles[:, None], axes], axis=1)
    rows, last = [], None
    for rotation in rotations:
        matrix = Matrix(rotation.tolist())
        last = matrix.to_euler(mode) if last is None else matrix.to_euler(mode, last)
        rows.append(tuple(last))
    return np.array(rows)
