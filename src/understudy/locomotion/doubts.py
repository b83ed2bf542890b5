"""Doubts: walks the judge would most likely refuse are shown to it last.

A walk is in doubt when its rehearsal went wrong, when it has a transition with which a rehearsal went wrong, or when it
shares most of its clips with one the judge has refused: what was refused once is refused in a near copy, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, pairwise

from understudy.floor import FloorPath
from understudy.locomotion.branch import Branch
from understudy.locomotion.walker import Walker

#: Walks that share more of their clips than this are alike.
_ALIKE = 0.6
#: Walks in doubt after which the search begins anew without their bad seams, and how often it may.
_MANY, _ROUNDS = 3, 6


class Doubts:
    """Walks put aside, and why."""

    def __init__(self) -> None:
        self.listed: list[Branch] = []
        self.bad_seams: set[tuple[int, int]] = set()
        self._refused: list[set[int]] = []
        self._asked = False

    def later(self) -> Iterator[Branch]:
        """What was put aside, once everything else has been seen; from then on nothing is put aside any more."""
        self._asked = True
        yield from tuple(self.listed)

    def about(self, branch: Branch) -> bool:
        """Whether there are doubts about a walk that arrives; it is put aside then."""
        if self._asked or not branch.arrives:
            return False
        clips = branch.nodes.tolist()
        bad = not self.bad_seams.isdisjoint(pairwise(clips))
        own = set(clips)
        alike = any(len(own & other) > _ALIKE * len(own) for other in self._refused)
        if bad or alike:
            self.listed.append(branch)
        return bad or alike

    def raised(self, branch: Branch, fault: str, seam: int) -> bool:
        """Whether a rehearsal raises doubts; the walk is put aside then, and its bad seam remembered."""
        if self._asked or not fault:
            return False
        if seam >= 0:
            self.bad_seams.add((int(branch.nodes[seam]), int(branch.nodes[seam + 1])))
        self.listed.append(branch)
        return True

    def refused(self, branch: Branch, seam: int = -1) -> None:
        """Remember what the judge has refused, and the seam that is the likeliest cause (-1 for none)."""
        self._refused.append(set(branch.nodes.tolist()))
        if seam >= 0:
            self.bad_seams.add((int(branch.nodes[seam]), int(branch.nodes[seam + 1])))


def list_as_asked(ways: Iterator[FloorPath]) -> Callable[[], Iterator[FloorPath]]:
    """The same paths again and again, each found when it is first asked for."""
    known: list[FloorPath] = []

    def listed() -> Iterator[FloorPath]:
        yield from tuple(known)
        for way in ways:
            known.append(way)
            yield way

    return listed


def rounds(
    walker: Walker,
    ways: Callable[[], Iterator[FloorPath]],
    search: Callable[[Walker, FloorPath], Iterator[Branch]],
    doubts: Doubts,
) -> Iterator[Branch]:
    """What searches find, path after path; once a few walks are in doubt, anew without the seams that went wrong."""
    for attempt in range(_ROUNDS):
        seams, listed = len(doubts.bad_seams), len(doubts.listed)
        by = walker.without(doubts.bad_seams) if doubts.bad_seams else walker
        for branch in chain.from_iterable(search(by, way) for way in ways()):
            yield branch
            anew = len(doubts.bad_seams) > seams and attempt < _ROUNDS - 1
            if anew and len(doubts.listed) >= listed + _MANY:
                break
        else:
            return
