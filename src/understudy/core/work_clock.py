"""A clock that counts work: neither compiling kernels nor waiting for a busy machine."""

from __future__ import annotations

import time

from understudy.compiling import spent


class WorkClock:
    """Seconds of work since it was made.

    The lesser of wall-clock time and this process's processor time, both without what compiling and loading kernels
    took. On an idle machine that is wall-clock time, on a busy one what an idle one would have taken.
    """

    def __init__(self) -> None:
        self._wall_s = time.perf_counter() - spent.wall_s()
        self._cpu_s = time.process_time() - spent.cpu_s()

    def seconds(self) -> float:
        """Work so far [s]; never runs backwards by more than rounding."""
        wall = time.perf_counter() - spent.wall_s() - self._wall_s
        cpu = time.process_time() - spent.cpu_s() - self._cpu_s
        return max(min(wall, cpu), 0.0)
