"""Checked views of inputs and the small vector products this room is built on.

They are written out because ``numpy.cross`` and ``numpy.linalg.norm`` take up to three to five times as
long on large arrays with a short last axis.
"""

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.typing import FloatArray


def as_quaternions(value: npt.ArrayLike, name: str = "quaternion") -> FloatArray:
    """Return ``value`` as a float64 array ``(..., 4)``.

    Raises:
        OptionError: If the last axis does not hold four numbers.
    """
    return _with_last_axis(value, 4, f"{name} (w, x, y, z)")


def as_vectors(value: npt.ArrayLike, name: str = "vector") -> FloatArray:
    """Return ``value`` as a float64 array ``(..., 3)``.

    Raises:
        OptionError: If the last axis does not hold three numbers.
    """
    return _with_last_axis(value, 3, name)


def _with_last_axis(value: npt.ArrayLike, size: int, name: str) -> FloatArray:
    array = np.asarray(value, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != size:
        raise OptionError(f"{name} has shape {array.shape}; the last axis must hold {size} numbers")
    return array


def dot(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the scalar product over the last axis, that axis dropped."""
    return np.asarray(np.einsum("...i,...i->...", a, b))


def norm(a: FloatArray) -> FloatArray:
    """Return the Euclidean length over the last axis, that axis dropped."""
    return np.asarray(np.sqrt(dot(a, a)))


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the vector product of ``(..., 3)`` arrays."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    out[..., 0] = ay * bz - az * by
    out[..., 1] = az * bx - ax * bz
    out[..., 2] = ax * by - ay * bx
    return out


def unit(a: FloatArray) -> FloatArray:
    """Return ``a`` scaled to length one over the last axis; zero vectors stay zero."""
    length = norm(a)[..., None]
    return np.divide(a, length, out=np.zeros_like(a), where=length != 0.0)
