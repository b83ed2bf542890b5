"""Checked inputs of this room.

Kernels only ever see C-contiguous, read-only float64 arrays: a writable and a read-only array are two types
to numba, and every combination of them would be compiled apart.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, SkeletonError
from understudy.typing import FloatArray, IntArray


def frozen(values: npt.ArrayLike) -> FloatArray:
    """A C-contiguous, read-only float64 view (or copy, where one is needed) of ``values``."""
    view = np.ascontiguousarray(values, dtype=np.float64).view()
    view.flags.writeable = False
    return view


def frozen_indices(values: npt.ArrayLike) -> IntArray:
    """A C-contiguous, read-only int64 view (or copy) of ``values``."""
    view = np.ascontiguousarray(values, dtype=np.int64).view()
    view.flags.writeable = False
    return view


def checked(values: npt.ArrayLike, shape: tuple[int | None, ...], what: str) -> FloatArray:
    """``values`` as :func:`frozen` gives them, if they are finite and have ``shape`` (``None``: any length).

    Raises:
        OptionError: Another shape, or values that are not finite.
    """
    try:
        array = frozen(values)
    except (TypeError, ValueError) as error:
        raise OptionError(f"{what} must be an array of numbers: {error}") from None
    if array.ndim != len(shape) or any(
        want is not None and have != want for have, want in zip(array.shape, shape, strict=True)
    ):
        expected = "(" + ", ".join("n" if want is None else str(want) for want in shape) + ")"
        raise OptionError(f"{what} have shape {array.shape}; expected {expected}")
    if not np.isfinite(array).all():
        raise OptionError(f"{what} hold values that are not finite")
    return array


def joint_index(skeleton: Skeleton, joint: int | str) -> int:
    """Index of a joint given by index, role or name.

    Raises:
        SkeletonError: No such joint.
    """
    if isinstance(joint, str):
        return skeleton.index(joint)
    index = int(joint)
    if not 0 <= index < len(skeleton):
        raise SkeletonError(f"no joint {joint}; joints are 0..{len(skeleton) - 1}")
    return index
