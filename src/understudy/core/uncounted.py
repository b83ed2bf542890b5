"""Compiling kernels without reference counts.

numba counts who holds an array, also while arrays are only handed on, by atomic instructions. Kernels that read dozens
of arrays in named tuples, as those of searches do, spend most of their time on that. Only for kernels that allocate
nothing and hand no arrays back; their caller holds all arrays while they run. What they call must not allocate either:
the compiler refuses both. What room they need is on the stack (``stack_arrays``) or handed to them. Divisions by zero
are infinite, as in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from understudy.compiling.kernel import njit

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])


def uncounted(kernel: _Kernel) -> _Kernel:
    """Compile a kernel that allocates nothing."""
    compiled: _Kernel = njit(kernel, counted=False)
    return compiled


def uncounted_inline(kernel: _Kernel) -> _Kernel:
    """Compile a small kernel that allocates nothing into those that call it."""
    compiled: _Kernel = njit(kernel, forceinline=True, counted=False)
    return compiled
