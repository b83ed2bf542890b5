"""Rigid transforms, one or many at a time: where something is and how it is turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.errors import SceneError
from understudy.typing import FloatArray

IDENTITY: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
ORIGIN: tuple[float, float, float] = (0.0, 0.0, 0.0)
#: A position ``(3,)`` [m] and a rotation ``(4,)``, or many of both.
Pose: TypeAlias = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, kw_only=True)
class Transform:
    """Turn by ``rotation`` (wxyz), then move by ``position`` [m]."""

    position: tuple[float, float, float] = ORIGIN
    rotation: tuple[float, float, float, float] = IDENTITY

    def __post_init__(self) -> None:
        """Reject values that are not finite; scale the quaternion to unit length."""
        object.__setattr__(self, "position", vector(self.position, "position"))
        object.__setattr__(self, "rotation", quaternion(self.rotation, "rotation"))


def compose(
    outer_positions: npt.ArrayLike,
    outer_rotations: npt.ArrayLike,
    inner_positions: npt.ArrayLike,
    inner_rotations: npt.ArrayLike,
) -> tuple[FloatArray, FloatArray]:
    """Positions ``(..., 3)`` and rotations ``(..., 4)`` of ``T_outer T_inner``."""
    positions = np.asarray(outer_positions) + rot.rotate(outer_rotations, inner_positions)
    return positions, rot.multiply(outer_rotations, inner_rotations)


def seen_from(
    outer_positions: npt.ArrayLike, outer_rotations: npt.ArrayLike, positions: npt.ArrayLike, rotations: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """World poses written in an outer frame: ``T_outer^-1 T``."""
    back = rot.conjugate(outer_rotations)
    moved = np.asarray(positions, dtype=np.float64) - np.asarray(outer_positions, dtype=np.float64)
    return rot.rotate(back, moved), rot.multiply(back, rotations)


def vector(values: Sequence[float], what: str) -> tuple[float, float, float]:
    """Three finite numbers.

    Raises:
        SceneError: There are not three, or one is not finite.
    """
    x, y, z = _numbers(values, what, 3)
    return x, y, z


def direction(values: Sequence[float], what: str) -> tuple[float, float, float]:
    """Three finite numbers, scaled to unit length.

    Raises:
        SceneError: They are all zero, or not three finite numbers.
    """
    x, y, z = _unit(vector(values, what), what)
    return x, y, z


def quaternion(values: Sequence[float], what: str) -> tuple[float, float, float, float]:
    """A unit quaternion wxyz.

    Raises:
        SceneError: It is zero, or not four finite numbers.
    """
    w, x, y, z = _unit(_numbers(values, what, 4), what)
    return w, x, y, z


def finite(value: float, what: str) -> float:
    """One finite number.

    Raises:
        SceneError: It is not.
    """
    return _numbers((value,), what, 1)[0]


def _unit(values: tuple[float, ...], what: str) -> tuple[float, ...]:
    # The largest first: squares of huge or tiny numbers leave the range of floats.
    largest = max(abs(value) for value in values)
    if largest == 0.0:
        raise SceneError(f"{what} is all zero; it needs a direction")
    length = largest * float(np.linalg.norm(np.array(values) / largest))
    # Already unit: kept bit for bit, so that saving and loading changes nothing.
    if abs(length - 1.0) < 1e-12:
        return values
    scaled = np.array(values) / largest
    return tuple(float(value) for value in scaled / np.linalg.norm(scaled))


def _numbers(values: Sequence[float], what: str, count: int) -> tuple[float, ...]:
    try:
        numbers = tuple(float(value) for value in values)
    except (TypeError, ValueError, OverflowError):
        raise SceneError(f"{what} is {values!r}; it needs {count} number{'s' * (count > 1)}") from None
    if len(numbers) != count:
        raise SceneError(f"{what} has {len(numbers)} numbers; it needs {count}")
    if not np.isfinite(numbers).all():
        raise SceneError(f"{what} is {list(numbers)}; it must be finite")
    return numbers
