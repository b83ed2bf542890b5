"""From one posture to another: the energy walk first, then ways out of its local minima, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy.core.planning import Watch
from understudy.postures.linking import SAFE_ZONE
from understudy.postures.meeting import Meeting, meet
from understudy.postures.options import BetweenOptions
from understudy.postures.rrt import connected
from understudy.postures.stage import Stage
from understudy.postures.tables import Walk
from understudy.typing import FloatArray

#: [rad] longest step, and how many times a stuck walk is shaken.
_STEP, _SHAKES = 0.2, 3
#: [rad] size of a shake; [deg] how far the canonical posture's legs are apart.
_SHAKE, _LEGS_DEG = 0.5, 20.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Way:
    """A path between two postures and how it was found.

    Attributes:
        path: ``(n, size)``; ``None`` when none was found.
        how: ``"straight"``, ``"energy"``, or an escape: ``"shaken"``, ``"other fall-off"``, ``"canonical"``,
            ``"trees"``; ``"none"`` when nothing helped.
        steps: Energy steps made.
    """

    path: FloatArray | None
    how: str
    steps: int


def way_between(stage: Stage, a: FloatArray, b: FloatArray, options: BetweenOptions, watch: Watch) -> Way:
    """A path that keeps every gap and pin.

    First limbs that both postures share stay as they are; where that leads nowhere everything moves.

    Args:
        stage: Where.
        a: Start; keeps every gap and pin.
        b: Goal; the same.
        options: Fall-off, safe zone, budget.
        watch: Deadline and cancel.
    """
    joined = stage.bridge(a, b)
    if joined is not None:
        return Way(path=np.concatenate([a[None], joined]), how="straight", steps=0)
    search = _Search(stage=stage, options=options, watch=watch)
    spared = stage.sparing(a, b)
    steps = 0
    if spared is not None:
        found = replace(search, stage=spared).walked(a, b)
        if found.met:
            return Way(path=found.path, how="energy", steps=found.steps)
        steps = found.steps
    first = search.walked(a, b)
    steps += first.steps
    if first.met:
        return Way(path=first.path, how="energy", steps=steps)
    rng = np.random.default_rng(options.seed)
    for how, escape in _ESCAPES.items():
        if watch.interrupted() is not None:
            break
        middle, more = escape(search, first.first[-1], first.second[-1], rng)
        steps += more
        if middle is not None:
            return Way(path=np.concatenate([first.first, middle, first.second[::-1]]), how=how, steps=steps)
    return Way(path=None, how="none", steps=steps)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Search:
    """What all walks of one search share."""

    stage: Stage
    options: BetweenOptions
    watch: Watch

    def walked(self, a: FloatArray, b: FloatArray, falloff: int | None = None) -> Meeting:
        walk = Walk(falloff=falloff or self.options.falloff, beta=self.options.beta, step=_STEP)
        zone = SAFE_ZONE if self.options.safe_zone else 0.0
        return meet(self.stage, a, b, walk=walk, steps=self.options.steps, zone=zone, watch=self.watch)


#: Postures between two stuck ends, and the steps made; ``None`` when the escape failed.
_Escaped = tuple[FloatArray | None, int]


def _shaken_walk(search: _Search, a: FloatArray, b: FloatArray, rng: np.random.Generator) -> _Escaped:
    steps = 0
    for _ in range(_SHAKES):
        found = search.walked(_shaken(search.stage, a, rng), _shaken(search.stage, b, rng))
        steps += found.steps
        if found.met:
            return found.path, steps
    return None, steps


def _other_falloffs(search: _Search, a: FloatArray, b: FloatArray, rng: np.random.Generator) -> _Escaped:
    steps = 0
    for falloff in (5, 2, 3, 4):
        if falloff != search.options.falloff:
            found = search.walked(a, b, falloff)
            steps += found.steps
            if found.met:
                return found.path, steps
    return None, steps


def _by_canonical(search: _Search, a: FloatArray, b: FloatArray, rng: np.random.Generator) -> _Escaped:
    if search.stage.pins is not None:
        return None, 0
    halves = [search.walked(end, canonical(search.stage, end)) for end in (a, b)]
    steps = sum(half.steps for half in halves)
    if not all(half.met for half in halves):
        return None, steps
    turn = search.stage.bridge(halves[0].path[-1], halves[1].path[-1])
    return (None if turn is None else np.concatenate([halves[0].path, turn, halves[1].path[::-1]])), steps


def _by_trees(search: _Search, a: FloatArray, b: FloatArray, rng: np.random.Generator) -> _Escaped:
    return connected(search.stage, a, b, nodes=search.options.nodes, rng=rng, watch=search.watch), 0


_ESCAPES = {
    "shaken": _shaken_walk,
    "other fall-off": _other_falloffs,
    "canonical": _by_canonical,
    "trees": _by_trees,
}


def canonical(stage: Stage, q: FloatArray) -> FloatArray:
    """The stretched posture everything unfolds to: arms out, legs a little apart; the root as in ``q``."""
    out = np.zeros_like(q)
    out[:6] = q[:6]
    skeleton = stage.space.skeleton
    for role in ("leftUpperLeg", "rightUpperLeg"):
        if role in skeleton.humanoid:
            # Adduction is the second turn of a hip (``core.human_limits``).
            out[3 + 3 * skeleton.humanoid[role] + 1] = -np.radians(_LEGS_DEG)
    still = np.repeat(stage.arrays.movable[6:].reshape(-1, 3).max(axis=1) == 0.0, 3)
    out[6:][still] = q[6:][still]
    return stage.clamped(out)


def _shaken(stage: Stage, q: FloatArray, rng: np.random.Generator) -> FloatArray:
    goal = stage.clamped(q + _SHAKE * rng.normal(size=len(q)) * stage.arrays.movable / np.sqrt(len(q)) * 4.0)
    if stage.pins is None:
        return q + 0.95 * stage.advanced(q, goal) * (goal - q)
    near = stage.held(q + 0.1 * (goal - q))[0]
    found = stage.bridge(q, near)
    return q if found is None else found[-1]
