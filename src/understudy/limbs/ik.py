"""Goal postures: a limb's end on its target, within limits and touching nothing ([Limbs], paper §5).

The analytic solution (Tolani and Badler) leaves the swivel free: the turn of elbow or knee about the line from shoulder
to wrist. Postures at many swivels, and where the end's orientation is free at several turns of it, are brought into the
limb's own parameters, met exactly there, and kept when valid; the nearest to the clip's own pose comes first.

Deviation from the paper: swivels are not tried one after the other until one is valid; all are, because the first valid
one is often out of the search's reach.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.limbs.proofs import room_for
from understudy.limbs.seeds import EndTarget, leanings, limb_at, posed, seeds_on, triple
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: [m] room a posture should have, and what a metre less of it costs [m].
_ROOMY_M, _TIGHT = 0.015, 10.0
#: What a radian less than a posture should have before its limits costs [m].
_AT_LIMIT = 2.0
#: [m] how much nearer a shoulder may come between two leanings that were looked at.
BETWEEN_M = 0.08
#: Postures that are looked for.
_ENOUGH = 24


@dataclass(frozen=True, eq=False, kw_only=True)
class Posture:
    """A valid posture of a limb.

    Attributes:
        offset: ``(parameters,)`` [rad] from the clip.
        slack_m: Room before something touches [m], at most 0.05.
        cost_m: How far it is from the clip's own posture, by how far the limb's parts move [m].
    """

    offset: FloatArray
    slack_m: float
    cost_m: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Postures:
    """What the search for postures came to.

    Attributes:
        found: Valid ones, nearest to the clip first.
        missing_m: Least distance left to the target [m].
        missed: How many beginnings did not meet the target.
        outside: How many met it outside the limits.
        touching: How many met it touching something.
        blame: What the one of these that is least in the way would be in: part and object; empty without any.
        blame_m: And its room [m]: less than none.
    """

    found: tuple[Posture, ...]
    missing_m: float
    missed: int
    outside: int
    touching: int
    blame: tuple[str, str] = ("", "")
    blame_m: float = -np.inf


def reach_m(window: Window, point: FloatArray, time_s: float) -> tuple[float, FloatArray]:
    """How far from shoulder or hip the end can be [m], and where that is in the world ``(3,)`` at a time."""
    return reach_on(window.stage, window.space, point, time_s)


def reach_on(stage: Stage, space: LimbSpace, point: FloatArray, time_s: float) -> tuple[float, FloatArray]:
    """The same without a window."""
    length, at = stage.remembered(("reach", space.name, time_s), lambda: _reach(stage, space, time_s))
    return length + float(np.linalg.norm(point)), at


def _reach(stage: Stage, space: LimbSpace, time_s: float) -> tuple[float, FloatArray]:
    """The same of wrist or ankle."""
    return float(limb_at(stage, space, time_s).reach_m[1]), posed(stage, time_s).places[triple(space)[0]]


def goal_postures(window: Window, time_s: float, target: EndTarget, *, clear_m: float = 0.001) -> Postures:
    """Valid postures of a limb with its end on a target at a time.

    Args:
        window: The limb in its window; ``time_s`` must lie within.
        time_s: When [s].
        target: Where.
        clear_m: Room every posture must have [m].
    """
    from understudy.limbs._ik_kernels import valid_postures

    space, pose = window.space, posed(window.stage, time_s)
    seeds, turns = seeds_on(window.stage, space, time_s, target)
    base_at, base_turn = pose.places[space.parent], pose.turns[space.parent]
    targets = np.zeros((len(seeds), 10))
    targets[:, :3] = rot.rotate(rot.conjugate(base_turn), target.position - base_at)
    targets[:, 3:7] = rot.multiply(rot.conjugate(base_turn), turns)
    targets[:, 7:] = target.point
    weights = np.abs(window.setting.window.reach).max(axis=1) @ space.spread
    order = np.argsort(np.linalg.norm(seeds * weights, axis=1), kind="stable")
    out = np.zeros((len(seeds), len(space) + 1))
    count, why = valid_postures(
        window.setting,
        window.scratch,
        np.ascontiguousarray(seeds[order]),
        np.ascontiguousarray(targets[order]),
        target.rotations is not None,
        float(time_s),
        float(clear_m),
        _ENOUGH,
        out,
    )
    costs = np.linalg.norm(out[:count, :-1] * weights, axis=1)
    # A posture that all but touches something is a poor place to end a search.
    tight = np.maximum(_ROOMY_M - out[:count, -1], 0.0) * _TIGHT
    # So is one at the limits: what is smoothed there leaves them.
    tight += space.nearly_outside(space.coordinates(pose.local) + out[:count, :-1] @ space.spread.T) * _AT_LIMIT
    found = tuple(
        Posture(offset=out[k, :-1].copy(), slack_m=float(out[k, -1]), cost_m=float(costs[k]))
        for k in np.argsort(costs + tight, kind="stable").tolist()
    )
    return Postures(
        found=found,
        missing_m=float(why[3]),
        missed=int(why[0]),
        outside=int(why[1]),
        touching=int(why[2]),
        blame=window.pair_names(int(why[5]), int(why[6]), int(why[7])) if why[2] else ("", ""),
        blame_m=float(why[4]),
    )


def reachable_postures(window: Window, time_s: float, target: EndTarget, *, clear_m: float = 0.001) -> Postures:
    """The same; nothing is looked for where the target is plainly too far away or the end has no room there."""
    length, base = reach_m(window, target.point, time_s)
    beyond = float(np.linalg.norm(target.position - base)) - length
    if beyond > 0.0 and window.space.name.endswith("_spine"):
        places, _ = leanings(window.stage, window.space, time_s)
        beyond = float(np.linalg.norm(target.position - places, axis=1).min()) - length - BETWEEN_M
    if beyond > 0.0:
        return Postures(found=(), missing_m=beyond, missed=0, outside=0, touching=0)
    left, blame = room_for(window, time_s, target, clear_m)
    if left is None:
        return Postures(found=(), missing_m=0.0, missed=0, outside=0, touching=1, blame=blame)
    return goal_postures(window, time_s, left, clear_m=clear_m)
