"""OMPL's planners between postures: the same coordinates, limits, gaps and certified moves as ours.

Every planner moves in the coordinates in which limits are convex and is asked about whole motions through our compiled
certificate, so nobody loses to a slower or coarser check. ``length_ratio`` is of the shortened path (theirs by OMPL's
simplifier, ours by ours) over the straight line. Times and limits are of the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.case_ledger import Ledger
from benchmarks.suites import Row
from benchmarks.suites.ompl_peer import PLANNERS, ArrayProblem, asked, available
from benchmarks.suites.posture_problems import PUBLISHED, PostureProblem, named
from understudy.errors import UnderstudyError
from understudy.kinematics import forward
from understudy.postures import BetweenOptions
from understudy.postures.planner import way_between
from understudy.postures.problem import problem_of
from understudy.postures.shortcut import path_length, shortened
from understudy.postures.smoothing import smoothed
from understudy.postures.stage import Stage
from understudy.postures.timing import timed
from understudy.typing import FloatArray

#: Share of a key posture's own gaps that paths keep.
SHARE = 0.8
#: [s] what every path takes when its jerk is measured.
_DURATION_S = 3.0
#: The peer that is asked as often as we are, and how often the others are, most of which use up all their time.
_STRONGEST, _TRIES = "RRTConnect", 3
#: How far beyond both postures the root may go [m or rad].
_ROOM = 0.05


def stages(problem: PostureProblem, options: BetweenOptions) -> tuple[Stage, Stage, FloatArray]:
    """Where ways are planned and where they are shortened, and both postures ``(2, size)``."""
    whole = problem_of(problem.keys, problem.scene, problem.pins, problem.body, relax=True)
    keys = whole.keys[:2]
    plan = whole.stage.keeping(whole.keep(list(keys), options.clearance_m, SHARE))
    short = whole.stage.keeping(whole.keep(list(keys), options.smooth_clearance_m, SHARE))
    return plan, short, keys


def array_problem(stage: Stage, keys: FloatArray) -> tuple[ArrayProblem, Callable[[FloatArray], FloatArray]]:
    """The same problem over the coordinates that can move or differ, and what makes whole postures of them."""
    arrays, limits = stage.arrays, stage.space.body.limits
    low, high = np.full(stage.space.size, -np.inf), np.full(stage.space.size, np.inf)
    low[3:], high[3:] = limits.low.ravel(), limits.high.ravel()
    low[:6], high[:6] = keys[:, :6].min(axis=0) - _ROOM, keys[:, :6].max(axis=0) + _ROOM
    own = np.flatnonzero(((arrays.movable > 0.0) | (keys[0] != keys[1])) & np.isfinite(low + high))
    base = keys[0].copy()

    def whole(values: FloatArray) -> FloatArray:
        q = base.copy()
        q[own] = values
        return q

    def valid(values: FloatArray) -> bool:
        q = whole(values)
        return bool(np.abs(stage.clamped(q) - q).max() < 1e-9) and stage.keeps(q)

    # Key postures may lie a rounding error outside their own limits.
    ends = [np.clip(key[own], low[own], high[own]) for key in keys]
    problem = ArrayProblem(
        low=low[own],
        high=high[own],
        start=ends[0],
        goal=ends[1],
        valid=valid,
        joins=lambda a, b: stage.free(whole(a), whole(b)),
    )
    return problem, whole


def jerk(stage: Stage, keys: FloatArray, path: FloatArray) -> float | None:
    """Mean jerk of all joints [m/s^3] of a path timed and smoothed by us; ``None`` where nothing smooth is certified.

    All paths take the same time.
    """
    options = BetweenOptions()
    postures, _ = timed(path, duration_s=_DURATION_S, fps=options.fps)
    frames = np.array([0.0, len(postures) - 1.0])
    curve = smoothed(stage, postures, keys, frames, fps=options.fps)
    if curve is None:
        return None
    roots, rotations = stage.space.poses(curve)
    places = forward(stage.space.skeleton, roots, rotations).positions
    return float(np.linalg.norm(np.diff(places, n=3, axis=0) * options.fps**3, axis=-1).mean())


def peer_rows(problem: PostureProblem, ledger: Ledger, *, runs: int, limit_s: float) -> Iterator[Row]:
    """Ours and OMPL's planners on one problem."""
    options = BetweenOptions(relax=True)
    plan, short, keys = stages(problem, options)
    ours = f"{problem.case} / ours / {runs}"
    yield ledger.measured(ours, lambda: _ours(problem.case, plan, short, keys, options, runs))
    for planner in PLANNERS:
        tries = runs if planner == _STRONGEST else min(runs, _TRIES)
        key = f"{problem.case} / {planner} / {tries} of {limit_s} s"
        yield ledger.measured(key, partial(_theirs, problem.case, plan, keys, planner, runs=tries, limit_s=limit_s))


def _theirs(case: str, plan: Stage, keys: FloatArray, planner: str, *, runs: int, limit_s: float) -> Row:
    straight = float(np.linalg.norm(keys[1] - keys[0]))
    theirs, whole = array_problem(plan, keys)
    found = [asked(theirs, planner, limit_s=limit_s, seed=seed) for seed in range(runs)]
    solved = [one for one in found if one.path is not None]
    seconds = [one.plan_s + one.shorten_s for one in found]
    paths = [one.path for one in solved if one.path is not None]
    jerks = [jerk(plan, keys, np.stack([keys[0], *map(whole, path[1:-1]), keys[1]])) for path in paths]
    return {
        "case": case,
        "method": f"OMPL {planner}",
        "solved": len(solved),
        "total": runs,
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.percentile(seconds, 95)),
        "limit_s": limit_s,
        "raw_ratio": _median([path_length(one.raw) / straight for one in solved if one.raw is not None]),
        "length_ratio": _median([path_length(path) / straight for path in paths]),
        "jerk_m_s3": _median([value for value in jerks if value is not None]),
    }


def _ours(case: str, plan: Stage, short: Stage, keys: FloatArray, options: BetweenOptions, runs: int) -> Row:
    straight = float(np.linalg.norm(keys[1] - keys[0]))
    seconds, raw, path = [], None, None
    for _ in range(runs + 1):
        began = process_time()
        way = way_between(plan, keys[0], keys[1], options, options.watch())
        raw = way.path
        path = None if raw is None else shortened(short, raw)
        seconds.append(process_time() - began)
    return {
        "case": case,
        "method": "ours, d = 3",
        "solved": runs if path is not None else 0,
        "total": runs,
        # The first run may compile.
        "median_s": float(np.median(seconds[1:])),
        "p95_s": float(np.percentile(seconds[1:], 95)),
        "limit_s": None,
        "raw_ratio": None if raw is None else path_length(raw) / straight,
        "length_ratio": None if path is None else path_length(path) / straight,
        "jerk_m_s3": None if path is None else jerk(plan, keys, path),
    }


def _median(values: list[float]) -> float | None:
    return float(np.median(values)) if values else None


def bench(motion: Path | None, *, quick: bool, full: bool = False, store: Path | None = None) -> list[Row]:
    """The published cases; three to ten runs of at most ten seconds, as a whole half an hour, or of five minutes."""
    if not available():
        raise UnderstudyError("this suite compares with OMPL: pip install '.[bench]'")
    runs, limit_s = (1, 2.0) if quick else (10, 300.0 if full else 10.0)
    ledger = Ledger(store)
    problems = named({**PUBLISHED, "flare, front to rear": ("flare_front", "flare_rear")})
    return [row for problem in problems for row in peer_rows(problem, ledger, runs=runs, limit_s=limit_s)]
