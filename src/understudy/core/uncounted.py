"""Names for kernels that are meant to make no arrays, so that nobody has to count who holds one.

The compiler finds out by itself which kernels these are (:mod:`understudy.compiling.counts`). What room they need is on
the stack (``stack_arrays``) or handed to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from understudy.compiling.kernel import njit

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])


def uncounted(kernel: _Kernel) -> _Kernel:
    """Compile a kernel that allocates nothing."""
    compiled: _Kernel = njit(kernel)
    return compiled


def uncounted_inline(kernel: _Kernel) -> _Kernel:
    """Compile a small kernel that allocates nothing into those that call it."""
    compiled: _Kernel = njit(kernel, forceinline=True)
    return compiled
