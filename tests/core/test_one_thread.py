"""Linear algebra stays on one thread inside, and is as it was outside."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_info

from understudy.core.one_thread import one_thread


def _threads() -> list[int]:
    return [entry["num_threads"] for entry in threadpool_info() if entry["user_api"] == "blas"]


def test_one_thread_inside_and_as_before_outside() -> None:
    np.linalg.solve(np.eye(3), np.ones(3))
    with one_thread():
        inside = _threads()
    before = _threads()
    with one_thread(), one_thread():
        assert set(_threads()) == {1}
    assert inside and set(inside) == {1}
    assert _threads() == before
