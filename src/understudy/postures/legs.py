"""Ways from posture to posture within one stance."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.postures.options import BetweenOptions
from understudy.postures.planner import Way, way_between
from understudy.postures.problem import Problem, unwrapped
from understudy.postures.sequence import stopover
from understudy.postures.shortcut import path_length, shortened
from understudy.postures.trace import Leg
from understudy.typing import FloatArray

#: Share of a posture's own gaps that the way from it keeps.
_SHARE = 0.8
#: [s] between two postures of a recorded way.
_EVERY_S = 1.0 / 12.0


def legs_through(problem: Problem, options: BetweenOptions, watch: Watch) -> list[Leg]:
    """The ways from key to key, up to the first that is not found."""
    legs: list[Leg] = []
    for a, b in pairwise(problem.keys):
        leg = _leg(problem, a, b, options, watch)
        if leg is None:
            break
        legs.append(leg)
    return legs


def played_leg(problem: Problem, piece: Motion, how: str) -> Leg:
    """The way through a motion that is there."""
    stride = max(round(_EVERY_S * piece.fps), 1)
    frames = [*range(0, len(piece) - 1, stride), len(piece) - 1]
    path = unwrapped(np.stack([problem.stage.space.coordinates(piece.pose(frame)) for frame in frames]))
    length = path_length(path)
    return Leg(
        how=how,
        steps=0,
        raw=path,
        path=path,
        straight_rad=float(np.linalg.norm(path[-1] - path[0])),
        raw_rad=length,
        length_rad=length,
    )


def _leg(problem: Problem, a: FloatArray, b: FloatArray, options: BetweenOptions, watch: Watch) -> Leg | None:
    """Plan and shorten the way between two keys."""
    plan = problem.between(a, b, options.clearance_m, _SHARE)
    short = problem.between(a, b, options.smooth_clearance_m, _SHARE)
    middle = stopover(plan, a, b) if options.legs_first else None
    stops = [a, b] if middle is None else [a, middle, b]
    ways: list[Way] = []
    paths: list[FloatArray] = []
    for one, two in pairwise(stops):
        watch.stage("plan")
        way = way_between(plan, one, two, options, watch)
        if way.path is None:
            return None
        watch.stage("shorten")
        ways.append(way)
        paths.append(shortened(short, way.path))
    raw = np.concatenate([ways[0].path, *(way.path[1:] for way in ways[1:])])  # type: ignore[index]
    path = np.concatenate([paths[0], *(path[1:] for path in paths[1:])])
    return Leg(
        how=ways[-1].how,
        steps=sum(way.steps for way in ways),
        raw=raw,
        path=path,
        straight_rad=float(np.linalg.norm(b - a)),
        raw_rad=path_length(raw),
        length_rad=path_length(path),
    )
