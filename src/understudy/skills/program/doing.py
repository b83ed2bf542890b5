"""What skills of a program are: given somebody at a moment and a task, ways of doing it, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from understudy.core.planning import Watch
from understudy.limbs.handling import Deed, HandlingOptions, Judge
from understudy.scene.tasks import Task
from understudy.skills.program.here import Here
from understudy.skills.program.history import Piece
from understudy.skills.program.legs import Legs


@dataclass(frozen=True, eq=False, kw_only=True)
class Means:
    """What skills work with.

    Attributes:
        legs: Makes walks and stands.
        judge: Says why a hand's deed will not do.
        options: How to search.
        watch: Deadline, cancel and progress.
        later: The same character's tasks after this one.
        start_s: When the task begins in the scene's time [s].
    """

    legs: Legs
    judge: Judge
    options: HandlingOptions
    watch: Watch
    later: Sequence[Task] = ()
    start_s: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Doing:
    """A task done in a snapshot.

    Attributes:
        piece: What the play grows by.
        deed: How it was done, in the snapshot's time.
        region: A floor region (x, z, radius) [m] in which nobody else may be meanwhile, such as a doorway.
    """

    piece: Piece
    deed: Deed
    region: tuple[float, float, float] | None = None


#: Ways of doing one task, judged, best first.
Doer = Callable[[Here, Task, Means], Iterator[Doing]]
