"""Linear algebra on one thread: our matrices are small, and threads that wait for each other cost a hundredfold."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@cache
def _controller(scipy: bool) -> ThreadpoolController:
    # NumPy and SciPy may each bring their own library; only what is loaded is found.
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep NumPy's linear algebra on the calling thread for a while, and SciPy's if it is loaded."""
    with _controller("scipy.linalg" in sys.modules).limit(limits=1, user_api="blas"):
        yield
