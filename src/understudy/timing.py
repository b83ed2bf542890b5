"""Where a command's time goes. Functions say what they do; it costs nothing unless somebody has asked."""

from __future__ import annotations

import builtins
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

Stage = Literal["import", "load", "plan", "judge", "write"]
STAGES: tuple[Stage, ...] = ("import", "load", "plan", "judge", "write")
_P = ParamSpec("_P")
_R = TypeVar("_R")

#: When this process began, as near as can be told: what it has worked before it came here was importing.
_BEGAN_S = time.perf_counter() - time.process_time()


class Watch:
    """Seconds by the clock since the process began, each counted once, for what was going on innermost."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = dict.fromkeys(STAGES, 0.0)
        self._open: list[Stage] = ["import"]
        self._since_s = _BEGAN_S
        self._thread = threading.get_ident()
        self._switched()
        self._open = ["plan"]

    def seconds(self) -> dict[str, float]:
        """What every stage took so far, and all of them."""
        self._switched()
        return {**self._seconds, "total": sum(self._seconds.values())}

    @contextmanager
    def during(self, stage: Stage) -> Iterator[None]:
        """Count what happens meanwhile as this stage. Other threads work for one that is counted."""
        if threading.get_ident() != self._thread:
            yield
            return
        self._switched()
        self._open.append(stage)
        try:
            yield
        finally:
            self._switched()
            self._open.pop()

    def _switched(self) -> None:
        now = time.perf_counter()
        self._seconds[self._open[-1]] += now - self._since_s
        self._since_s = now


_watches: list[Watch] = []


@contextmanager
def watched() -> Iterator[Watch]:
    """Watch where time goes, imports included."""
    watch, own = Watch(), builtins.__import__

    def importing(*args: Any, **kwargs: Any) -> Any:
        with watch.during("import"):
            return own(*args, **kwargs)

    _watches.append(watch)
    builtins.__import__ = importing
    try:
        yield watch
    finally:
        builtins.__import__ = own
        _watches.remove(watch)


@contextmanager
def stage(name: Stage) -> Iterator[None]:
    """Count what happens meanwhile as a stage, if anybody watches."""
    if not _watches:
        yield
        return
    with _watches[-1].during(name):
        yield


def timed(name: Stage) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Count all calls of a function as a stage, if anybody watches."""

    def decorated(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @wraps(function)
        def counted(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            if not _watches:
                return function(*args, **kwargs)
            with _watches[-1].during(name):
                return function(*args, **kwargs)

        return counted

    return decorated
