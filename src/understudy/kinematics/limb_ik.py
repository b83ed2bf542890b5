"""Analytic inverse kinematics of a two-bone limb (Tolani and Badler 1996, [Limbs]).

Three steps, all closed form:

1. The distance base - target fixes the hinge angle of the middle joint.
2. The end joint then lies at a known place in the base joint's frame. The base joint turns that place onto the
   target; one freedom is left, a turn about the line base - target: the *swivel*.
3. The end joint takes the orientation that is left over.

Swivel is the angle about the line base - target from a zero direction to the limb's bend direction (see
:class:`Limb`). The zero direction is the reference pose's bend direction, carried along by the shortest arc from
the reference pose's limb direction to the present one, in the frame of the limb's parent. So it is continuous
everywhere but where the limb points opposite to its reference (an arm through the neck); no choice does better
on a sphere. Because the bend direction comes from the hinge axis, swivel is continuous through a straight limb.

Deviation from the paper: bones and hinge may point anywhere, so the hinge angle comes from the parts of the
bones across the hinge and not from the law of cosines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.errors import OptionError
from understudy.kinematics._inputs import frozen
from understudy.kinematics.limb import Limb
from understudy.typing import BoolArray, FloatArray

# [m] An end joint this near its target has reached it.
REACHED_M = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class LimbSolution:
    """Local rotations that bring a limb's end to its target, or as near as it can come.

    Attributes:
        base: ``(..., 4)`` local rotation of the base joint.
        mid: ``(..., 4)`` local rotation of the middle joint.
        end: ``(..., 4)`` local rotation of the end joint; its world orientation is met even out of reach.
        reached: ``(...)`` whether the end joint is on its target.
        error_m: ``(...)`` distance left [m]. A target too far (too near) is approached on the line from the
            base, the limb straight (fully folded).
        flexion_rad: ``(...)`` hinge angle from the farthest reach, 0..pi [rad].
    """

    base: FloatArray
    mid: FloatArray
    end: FloatArray
    reached: BoolArray
    error_m: FloatArray
    flexion_rad: FloatArray


def solve_limbs(
    limb: Limb,
    parent_positions: npt.ArrayLike,
    parent_rotations: npt.ArrayLike,
    target_positions: npt.ArrayLike,
    target_rotations: npt.ArrayLike,
    *,
    swivel_rad: npt.ArrayLike = 0.0,
) -> LimbSolution:
    """Solve a limb for one target or many; leading axes broadcast.

    Args:
        limb: The limb; its arrays may differ per target.
        parent_positions: World position ``(..., 3)`` of the base joint's parent [m].
        parent_rotations: World rotation ``(..., 4)`` of the base joint's parent.
        target_positions: World position ``(..., 3)`` for the end joint [m].
        target_rotations: World rotation ``(..., 4)`` for the end joint.
        swivel_rad: Swivel ``(...)`` [rad].

    Returns:
        Rotations of the three joints. Signs of quaternions are not matched between targets.

    Raises:
        OptionError: Shapes that do not broadcast, or values that are not finite.
    """
    from understudy.kinematics._limb_kernels import Bones, solve_limb_rows

    parent, turn = _finite(parent_positions, 3, "parent_positions"), _turns(parent_rotations, "parent_rotations")
    goal, goal_turn = _finite(target_positions, 3, "target_positions"), _turns(target_rotations, "target_rotations")
    swivel = _finite(np.asarray(swivel_rad, dtype=np.float64)[..., None], 1, "swivel_rad")
    fields = [getattr(limb, name) for name in Bones._fields]
    lead = _common_lead(parent, turn, goal, goal_turn, swivel, *fields)
    back = rot.conjugate(turn)
    # Coordinates near the largest float overflow here, and are refused like any that are not finite.
    with np.errstate(over="ignore", invalid="ignore"):
        local = _finite(rot.rotate(back, goal - parent) - limb.base_offset, 3, "target_positions")
    rows = int(np.prod(lead))
    base, mid, end = np.empty((rows, 4)), np.empty((rows, 4)), np.empty((rows, 4))
    error_m, flexion = np.empty(rows), np.empty(rows)
    solve_limb_rows(
        _rows(np.broadcast_to(local, (*lead, 3)), lead),
        _rows(np.broadcast_to(rot.multiply(back, goal_turn), (*lead, 4)), lead),
        frozen(np.broadcast_to(swivel[..., 0], lead).reshape(-1)),
        Bones(*(_rows(array, lead) for array in fields)),
        base,
        mid,
        end,
        error_m,
        flexion,
    )
    return LimbSolution(
        base=base.reshape(*lead, 4),
        mid=mid.reshape(*lead, 4),
        end=end.reshape(*lead, 4),
        reached=(error_m <= REACHED_M).reshape(lead),
        error_m=error_m.reshape(lead),
        flexion_rad=flexion.reshape(lead),
    )


def swivel_angle(limb: Limb, base_rotations: npt.ArrayLike, mid_rotations: npt.ArrayLike) -> FloatArray:
    """Swivel ``(...)`` [rad, -pi..pi] of limbs as they are.

    Args:
        limb: The limb.
        base_rotations: Local rotations ``(..., 4)`` of the base joint.
        mid_rotations: Local rotations ``(..., 4)`` of the middle joint; need not be pure hinge turns.

    Returns:
        The swivel; 0 where the end joint lies on the base joint.
    """
    axis, bend = limb_direction(limb, base_rotations, mid_rotations)
    reference = carried(limb.reference_axis, limb.reference_bend, axis)
    sine = np.sum(axis * np.cross(reference, bend), axis=-1)
    return np.arctan2(sine, np.sum(reference * bend, axis=-1))


def limb_direction(
    limb: Limb, base_rotations: npt.ArrayLike, mid_rotations: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Unit direction base - end and unit bend direction, ``(..., 3)`` each, in the parent's frame.

    A limb whose end lies on its base has the direction of its reference.
    """
    base = _turns(base_rotations, "base_rotations")
    to_base = rot.multiply(limb.upper_rotation, _turns(mid_rotations, "mid_rotations"))
    end = rot.rotate(base, limb.upper_offset + rot.rotate(to_base, limb.lower_offset))
    length = np.linalg.norm(end, axis=-1, keepdims=True)
    axis = np.where(length > REACHED_M, end / np.maximum(length, REACHED_M), limb.reference_axis)
    hinge = rot.rotate(rot.multiply(base, to_base), limb.hinge)
    bend = np.cross(axis, hinge)
    length = np.linalg.norm(bend, axis=-1, keepdims=True)
    fallback = carried(limb.reference_axis, limb.reference_bend, axis)
    return axis, np.where(length > 1e-9, bend / np.maximum(length, 1e-9), fallback)


def carried(axis: FloatArray, across: FloatArray, to_axis: FloatArray) -> FloatArray:
    """Direction ``across`` (unit, perpendicular to ``axis``) carried by the shortest arc to ``to_axis``.

    Opposite axes turn half a turn about ``across``, which then stays. All are ``(..., 3)``.
    """
    middle = axis + to_axis
    one_plus_cosine = 0.5 * np.sum(middle * middle, axis=-1, keepdims=True)
    share = np.sum(to_axis * across, axis=-1, keepdims=True) / np.maximum(one_plus_cosine, 1e-24)
    moved = np.where(one_plus_cosine > 1e-24, across - share * middle, across)
    moved = moved - np.sum(moved * to_axis, axis=-1, keepdims=True) * to_axis
    return np.asarray(moved / np.linalg.norm(moved, axis=-1, keepdims=True))


def _common_lead(*arrays: FloatArray) -> tuple[int, ...]:
    """The shape all leading axes broadcast to."""
    try:
        return np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    except ValueError as error:
        raise OptionError(f"the leading axes of limb, parents, targets and swivels do not fit: {error}") from None


def _rows(array: FloatArray, lead: tuple[int, ...]) -> FloatArray:
    """The array as kernel rows: one row when it serves all targets, else one per target."""
    if array.ndim == 1:
        return frozen(array[None])
    return frozen(np.broadcast_to(array, (*lead, array.shape[-1])).reshape(-1, array.shape[-1]))


def _finite(values: npt.ArrayLike, width: int, what: str) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != width:
        raise OptionError(f"{what} has shape {array.shape}; the last axis must hold {width} numbers")
    if not np.isfinite(array).all():
        raise OptionError(f"{what} holds values that are not finite")
    return array


def _turns(values: npt.ArrayLike, what: str) -> FloatArray:
    array = _finite(values, 4, what)
    if array.size and np.min(np.linalg.norm(array, axis=-1)) < 1e-9:
        raise OptionError(f"{what} holds a zero quaternion")
    return rot.normalize(array)
