"""Several walks at once, each planned to its end: whoever comes later keeps out of the way of those before.

Who goes first matters. When somebody finds no way, it is tried again with that one first and everybody keeping to the
right; when that has been tried, it sets out a little later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.errors import PlanningInputError
from understudy.locomotion.moving import ChainMover, TrackMover, performing, standing
from understudy.locomotion.query import Spot
from understudy.locomotion.stage import Stage
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.stream_result import StreamJudge
from understudy.locomotion.stream_search import Searcher
from understudy.locomotion.streaming import Gate, WalkStream
from understudy.locomotion.walker import Walker
from understudy.typing import FloatArray

#: [m] room kept about somebody who has not been planned yet, and [s] for how long.
_STANDING_M, _STANDING_S = 0.35, 1.0
#: [m] how far from the middle of their path people keep to the right when they met before.
_ASIDE_M = 0.35
#: [s] how much later somebody sets out who found no way at once.
_LATER_S = 0.8


@dataclass(frozen=True, eq=False, kw_only=True)
class Errand:
    """Who walks where.

    Attributes:
        name: Who.
        walker: Its clips and body.
        start: Where it begins.
        goal: Where it goes.
        via: Points (x, z) it passes [m].
    """

    name: str
    walker: Walker
    start: Spot
    goal: Spot
    via: tuple[FloatArray, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Walked:
    """How it went.

    Attributes:
        streams: Everybody's walk, in the order they were planned.
        rounds: How many orders were tried.
    """

    streams: Mapping[str, WalkStream] = field(default_factory=dict)
    rounds: int = 0

    @property
    def arrived(self) -> int:
        """How many arrived."""
        return sum(bool(stream.status) for stream in self.streams.values())


#: Makes the checks of one walker: of its pieces, and of its whole walk; ``None`` for no check.
Checks = Callable[[str], tuple[Gate | None, StreamJudge | None]]


def walk_in_turn(
    errands: Sequence[Errand],
    stage: Callable[[Walker], Stage],
    *,
    options: StreamOptions,
    checks: Checks,
    rounds: int = 6,
) -> Walked:
    """Plan everybody's walk.

    Args:
        errands: Who walks where; the first ones have the right of way.
        stage: Makes a walker's stage.
        options: How to search.
        checks: Makes everybody's checks.
        rounds: How many orders are tried at most.

    Returns:
        Everybody's walk if everybody arrives, else the round in which most did.
    """
    names = [one.name for one in errands]
    if len(set(names)) != len(names):
        raise PlanningInputError("two walkers have the same name")
    by_name = {one.name: one for one in errands}
    order, later = tuple(names), dict.fromkeys(names, 0.0)
    seen: set[tuple[str, ...]] = set()
    best = Walked()
    for number in range(1, rounds + 1):
        # Those who meet in a narrow place pass if everybody keeps to the right.
        kept = options if number == 1 else replace(options, aside_m=max(options.aside_m, _ASIDE_M))
        streams = _round([by_name[name] for name in order], stage, later, kept, checks)
        found = Walked(streams=streams, rounds=number)
        best = found if found.arrived > best.arrived or not best.streams else best
        missed = next((name for name in order if not streams[name].status), None)
        if missed is None or (options.cancel is not None and options.cancel.is_set()):
            return found
        seen.add(order)
        order = (missed, *(name for name in order if name != missed))
        if order in seen:
            later[missed] += _LATER_S
    return best


def _round(
    errands: Sequence[Errand],
    stage: Callable[[Walker], Stage],
    later: Mapping[str, float],
    options: StreamOptions,
    checks: Checks,
) -> dict[str, WalkStream]:
    """Everybody in one order; those behind one who does not arrive are planned as well."""
    streams: dict[str, WalkStream] = {}
    for errand in errands:
        waiting = [one for one in errands if one.name not in streams and one is not errand]
        known = [*_movers(streams, errands), *(_not_yet(one, later[one.name]) for one in waiting)]
        searcher = Searcher(
            walker=errand.walker,
            stage=stage(errand.walker),
            start=errand.start,
            goal=errand.goal,
            options=options,
            via=list(errand.via),
            others=lambda known=known: known,  # type: ignore[misc]
            start_s=later[errand.name],
        )
        gate, judge = checks(errand.name)
        stream = WalkStream(searcher, judge=judge, gate=gate, name=errand.name)
        for _ in stream:
            pass
        streams[errand.name] = stream
    return streams


def _movers(streams: Mapping[str, WalkStream], errands: Sequence[Errand]) -> list[ChainMover | TrackMover]:
    """Those who have been planned, as they will really move."""
    body = {one.name: one.walker.body for one in errands}
    return [
        performing(name, stream.motion, body[name], start_s=stream.start_s)
        for name, stream in streams.items()
        if stream.motion is not None
    ]


def _not_yet(errand: Errand, later_s: float) -> TrackMover:
    return standing(errand.name, np.array(errand.start.position), _STANDING_M, until_s=later_s + _STANDING_S)
