"""What compiling and loading kernels has cost this process: deadlines do not count it, and people are told."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from understudy import timing

#: Called with a kernel's name when it begins to be compiled; not when it is only loaded.
Listener = Callable[[str], None]

_listeners: list[Listener] = []
_spent = {"wall_s": 0.0, "cpu_s": 0.0, "compiled": 0}
_began: list[tuple[float, float]] = []


def wall_s() -> float:
    """Seconds that compiling and loading took so far, the kernel under way included."""
    return _spent["wall_s"] + (time.perf_counter() - _began[0][0] if _began else 0.0)


def cpu_s() -> float:
    """The same in processor time."""
    return _spent["cpu_s"] + (time.process_time() - _began[0][1] if _began else 0.0)


def counts() -> dict[str, float]:
    """Kernels compiled, and seconds spent on that and on loading others."""
    return dict(_spent)


@contextmanager
def counted() -> Iterator[None]:
    """Count what happens meanwhile as compiling. Only for the one thread that holds numba's compiler lock."""
    began = time.perf_counter(), time.process_time()
    _began.append(began)
    thresholds = gc.get_threshold()
    gc.set_threshold(100_000, *thresholds[1:])  # a compiler makes millions of objects, and few cycles
    try:
        with timing.stage("load"):
            yield
    finally:
        gc.set_threshold(*thresholds)
        _began.remove(began)
        if not _began:
            _spent["wall_s"] += time.perf_counter() - began[0]
            _spent["cpu_s"] += time.process_time() - began[1]


def compiling(name: str) -> None:
    """Note that a kernel begins to be compiled, and tell whoever listens."""
    _spent["compiled"] += 1
    for listener in _listeners:
        listener(name)


@contextmanager
def told(listener: Listener) -> Iterator[None]:
    """Tell a listener of every kernel that is compiled meanwhile."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
