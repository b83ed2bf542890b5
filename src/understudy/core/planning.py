"""The vocabulary every planner speaks: options, deadline, cancel, progress, status and result."""

from __future__ import annotations

import dataclasses
import html
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, Self, TypeVar

import numpy as np

from understudy.core.motion import Motion
from understudy.core.notebook_views import VIEWS
from understudy.core.work_clock import WorkClock
from understudy.errors import OptionError, nearest_name

Trace = TypeVar("Trace")

#: Called with the share done in [0, 1] and a word on the current stage.
Progress = Callable[[float, str], None]


class Status(Enum):
    """How a planning run ended."""

    SOLVED = "solved"
    INFEASIBLE_START = "infeasible_start"
    INFEASIBLE_GOAL = "infeasible_goal"
    EXHAUSTED = "exhausted"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"

    def __bool__(self) -> bool:
        """Only ``SOLVED`` is true."""
        return self is Status.SOLVED


def limited(default: Any, *, low: float = -np.inf, high: float = np.inf, unit: str = "") -> Any:
    """A numeric option field with the range its value must lie in."""
    return field(default=default, metadata={"low": low, "high": high, "unit": unit})


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of every planner's options: checks ranges, carries seed, deadline, cancel and progress.

    Attributes:
        seed: The same problem, options and seed give the same bytes.
        deadline_s: Safety stop after this much work [s], see :class:`~understudy.core.work_clock.WorkClock`; ``None``
            for none. Reported as ``TIMED_OUT``.
        cancel: Set it from another thread to stop soon with ``CANCELLED``.
        progress: Called now and then while working.
    """

    seed: int = 0
    deadline_s: float | None = None
    cancel: threading.Event | None = field(default=None, repr=False, compare=False)
    progress: Progress | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Reject every value outside its field's range; whole numbers become floats where floats are meant.

        Kernels would be compiled again for whole numbers.
        """
        for item in dataclasses.fields(self):
            if item.type in ("float", "float | None") and type(getattr(self, item.name)) is int:
                object.__setattr__(self, item.name, float(getattr(self, item.name)))
        if self.deadline_s is not None and not self.deadline_s > 0:
            raise OptionError(f"deadline_s is {self.deadline_s}; it must be positive or None")
        for item in dataclasses.fields(self):
            if "low" not in item.metadata:
                continue
            value, low, high = getattr(self, item.name), item.metadata["low"], item.metadata["high"]
            if not (isinstance(value, int | float) and low <= value <= high):
                unit = f" {item.metadata['unit']}" if item.metadata["unit"] else ""
                raise OptionError(f"{type(self).__name__}.{item.name} is {value!r}; allowed: {low:g}..{high:g}{unit}")

    @classmethod
    def make(cls, values: Mapping[str, Any]) -> Self:
        """Options from names and values, as a scene file or command line gives them.

        Raises:
            OptionError: A name is unknown (the nearest is named) or a value is out of range.
        """
        known = [item.name for item in dataclasses.fields(cls)]
        for name in values:
            if name not in known:
                raise OptionError(f'unknown option "{name}" of {cls.__name__}; {nearest_name(name, known)}')
        return cls(**values)

    def watch(self) -> Watch:
        """A running clock for this run's deadline and cancel."""
        return Watch(deadline_s=self.deadline_s, cancel=self.cancel, progress=self.progress)


class Watch:
    """Deadline, cancel and seconds per stage of one run.

    Planners ask :meth:`interrupted` in their outer loop and pass the stages they go through to :meth:`stage`.
    """

    def __init__(
        self,
        *,
        deadline_s: float | None = None,
        cancel: threading.Event | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._clock = WorkClock()
        self._deadline_s = deadline_s
        self._cancel = cancel
        self._progress = progress
        self._stage: tuple[str, float] | None = None
        self._seconds: dict[str, float] = {}

    def interrupted(self) -> Status | None:
        """``CANCELLED`` or ``TIMED_OUT`` once either holds, else ``None``."""
        if self._cancel is not None and self._cancel.is_set():
            return Status.CANCELLED
        if self._deadline_s is not None and self._clock.seconds() >= self._deadline_s:
            return Status.TIMED_OUT
        return None

    def left_s(self) -> float | None:
        """Seconds to the deadline, a thousandth at least, for planners that are called in turn; ``None`` for none."""
        return None if self._deadline_s is None else max(self._deadline_s - self._clock.seconds(), 1e-3)

    def stage(self, name: str) -> None:
        """Begin a stage; the one before it ends here."""
        now = self._clock.seconds()
        if self._stage is not None:
            previous, since = self._stage
            self._seconds[previous] = self._seconds.get(previous, 0.0) + now - since
        self._stage = (name, now)

    def report(self, share: float) -> None:
        """Pass the share done on to the caller's progress callback."""
        if self._progress is not None:
            self._progress(min(max(share, 0.0), 1.0), self._stage[0] if self._stage else "")

    def stats(self, **counts: float) -> Stats:
        """Seconds per stage so far, the total, and the given counts."""
        if self._stage is not None:
            self.stage(self._stage[0])
        return Stats(
            seconds=self._clock.seconds(),
            stage_seconds=dict(self._seconds),
            counts=dict(counts),
        )


@dataclass(frozen=True, kw_only=True)
class Stats:
    """What a run cost.

    Attributes:
        seconds: Work of the whole run [s]; neither compiling nor waiting for a busy machine counts.
        stage_seconds: The same per stage [s].
        counts: Iterations, collision checks and the like.
    """

    seconds: float = 0.0
    stage_seconds: Mapping[str, float] = field(default_factory=dict)
    counts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Result(Generic[Trace]):
    """What a planner gives back.

    Attributes:
        status: How it ended; only ``SOLVED`` motions have passed the judge.
        motion: The motion found, or the best so far; ``None`` when there is none.
        stats: What it cost.
        trace: What a person would like to see of the search.
        reason: One sentence on why it is not solved, naming the object or joint at fault.
        claim: What the judge has passed, a :class:`understudy.verify.Claim`; hand it to ``save`` and anybody can judge
            the file again. ``None`` where nothing was solved.
    """

    status: Status
    motion: Motion | None = None
    stats: Stats = field(default_factory=Stats)
    trace: Trace | None = None
    reason: str = ""
    claim: Any = field(default=None, repr=False)

    def _repr_html_(self) -> str:
        """For notebooks: status, reason and a page that plays the motion where there is one."""
        if "result" in VIEWS:
            return VIEWS["result"](self)
        return f"<pre>{html.escape(repr(self))}</pre>"

    def __post_init__(self) -> None:
        """A solved result has a motion."""
        if self.status is Status.SOLVED and self.motion is None:
            raise OptionError("a solved result needs a motion")
