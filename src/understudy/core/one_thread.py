"""Linear algebra on one thread: our matrices are small, and threads that wait for each other cost a hundredfold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    # NumPy and SciPy may each bring their own library; both have to be loaded to be found.
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep NumPy's and SciPy's linear algebra on the calling thread for a while."""
    with _controller().limit(limits=1, user_api="blas"):
        yield
