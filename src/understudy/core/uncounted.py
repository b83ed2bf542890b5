"""Compiling kernels without reference counts.

numba counts who holds an array, also while arrays are only handed on, by atomic instructions. Kernels that read dozens
of arrays in named tuples, as the walking search's do, spend most of their time on that. Only for kernels that allocate
nothing and hand no arrays back; their caller holds all arrays while they run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])


def uncounted(kernel: _Kernel) -> _Kernel:
    """Compile a kernel that allocates nothing."""
    options: dict[str, Any] = {"cache": True, "_nrt": False}
    compiled: _Kernel = njit(**options)(kernel)
    return compiled
