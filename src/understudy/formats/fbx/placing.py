"""Where an FBX model stands in its parent.

The format multiplies ``T Roff Rp Rpre R Rpost⁻¹ Rp⁻¹ Soff Sp S Sp⁻¹``: translation, rotation offset and pivot,
pre-rotation, rotation, post-rotation, scaling offset and pivot, scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.formats.fbx.scene import FbxObject
from understudy.typing import FloatArray

#: Rotation orders as numbered in the format; the letters say which axis turns first, about fixed axes.
_ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")

TRANSLATION, ROTATION, SCALING = "Lcl Translation", "Lcl Rotation", "Lcl Scaling"
DEFAULTS = {TRANSLATION: (0.0, 0.0, 0.0), ROTATION: (0.0, 0.0, 0.0), SCALING: (1.0, 1.0, 1.0)}


@dataclass(frozen=True, eq=False)
class Placing:
    """Local transforms; all fields may carry a leading time axis.

    Attributes:
        translation: ``(..., 3)``.
        rotation: ``(..., 4)``.
        scale: ``(..., 3)``.
    """

    translation: FloatArray
    rotation: FloatArray
    scale: FloatArray

    @property
    def matrix(self) -> FloatArray:
        """``(..., 4, 4)``."""
        made = np.zeros((*self.translation.shape[:-1], 4, 4))
        made[..., :3, :3] = rot.to_matrix(self.rotation) * self.scale[..., None, :]
        made[..., :3, 3] = self.translation
        made[..., 3, 3] = 1.0
        return made


def rotation_order(model: FbxObject) -> str:
    """In which order its angles turn it: intrinsic, first letter outermost."""
    order = int(model.number("RotationOrder"))
    return _ORDERS[order if turns_in_own_space(model) and 0 <= order < 6 else 0][::-1]


def turns_in_own_space(model: FbxObject) -> bool:
    """Whether pre- and post-rotation and rotation order count."""
    return bool(model.number("RotationActive", 1.0)) and not model.number("RotationSpaceForLimitOnly")


def turned(angles_deg: FloatArray, order: str = "ZYX") -> FloatArray:
    """Rotations from angles about x, y, z in degrees."""
    return rot.from_euler(np.deg2rad(angles_deg)[..., ["XYZ".index(letter) for letter in order]], order)


def placed(model: FbxObject, translation: FloatArray, rotation: FloatArray, scale: FloatArray) -> Placing:
    """A model's local transform.

    Args:
        model: With its pivots and offsets.
        translation: ``(..., 3)`` in file units.
        rotation: ``(..., 4)`` what its angles mean (:func:`turned`), before and after any constant turn.
        scale: ``(..., 3)``.
    """
    if turns_in_own_space(model):
        before, after = turned(model.vector("PreRotation")), turned(model.vector("PostRotation"))
        rotation = rot.multiply(rot.multiply(before, rotation), rot.conjugate(after))
    pivot, scale_pivot = model.vector("RotationPivot"), model.vector("ScalingPivot")
    inner = model.vector("ScalingOffset") + scale_pivot - scale * scale_pivot - pivot
    outer = translation + model.vector("RotationOffset") + pivot
    return Placing(outer + rot.rotate(rotation, inner), rotation, scale)


def at_rest(model: FbxObject) -> Placing:
    """A model's local transform without animation."""
    values = {name: model.vector(name, default) for name, default in DEFAULTS.items()}
    angles = turned(values[ROTATION], rotation_order(model))
    return placed(model, values[TRANSLATION], angles, values[SCALING])


def geometric(model: FbxObject) -> FloatArray:
    """``(4, 4)`` from a model's geometry to the model; models below it do not follow."""
    turn = turned(model.vector("GeometricRotation"))
    scale = model.vector("GeometricScaling", (1.0, 1.0, 1.0))
    return Placing(model.vector("GeometricTranslation"), turn, scale).matrix


def without_reflection(matrix: FloatArray) -> FloatArray:
    """A ``(4, 4)`` transform, turned inside out through its origin if it mirrors."""
    return matrix if np.linalg.det(matrix[:3, :3]) > 0 else matrix @ np.diag([-1.0, -1.0, -1.0, 1.0])
