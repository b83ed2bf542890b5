"""How a call is timed: compile apart, then many batches, so that one slow batch shows as p95 or max."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import perf_counter

import numpy as np


def measure(fn: Callable[[], object], *, repeat: int = 30, number: int = 1) -> dict[str, float]:
    """Time ``fn()`` after one warming call.

    Args:
        fn: What to time; called ``1 + repeat * number`` times.
        repeat: Batches timed, >= 1.
        number: Calls in one batch, >= 1; raise it for calls shorter than about 10 us.

    Returns:
        ``median_us``, ``p95_us``, ``max_us``: time of one call over the batches [us];
        ``first_call_s``: the warming call, compile or cache load included [s].
    """
    if repeat < 1 or number < 1:
        raise ValueError(f"repeat and number must be at least 1, got {repeat} and {number}")
    start = perf_counter()
    fn()
    first_call_s = perf_counter() - start
    batches_us = np.empty(repeat)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for batch in range(repeat):
            start = perf_counter()
            for _ in range(number):
                fn()
            batches_us[batch] = (perf_counter() - start) / number * 1e6
    finally:
        if collecting:
            gc.enable()
    return {
        "median_us": float(np.median(batches_us)),
        "p95_us": float(np.percentile(batches_us, 95)),
        "max_us": float(batches_us.max()),
        "first_call_s": first_call_s,
    }
