"""Key postures made ready to be planned between: relaxed where that is wanted, or left by a recorded way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from understudy.core.pose import Pose
from understudy.postures.faults import PostureFaults, faults_of
from understudy.postures.grounding import floor_depths
from understudy.postures.keys import way_out
from understudy.postures.options import BetweenOptions
from understudy.postures.problem import Problem, problem_of
from understudy.postures.relaxing import relaxed
from understudy.postures.stances import Stance, over_one_foot, still_stance
from understudy.postures.trace import Relaxed
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: [m] joints that moved less are not told of.
_MOVED_M = 0.001


@dataclass(eq=False, kw_only=True)
class Readied:
    """Key postures as they are planned between.

    Attributes:
        met: Postures that the motion is at: as given, or relaxed.
        free: Postures that ways are planned between; nothing touches in them.
        ways: Key posture -> the recorded way from it to the free one.
        faults: What is wrong with the postures given.
        relaxed: How far postures were moved.
        refused: Posture -> why it cannot be mended.
    """

    met: list[Pose] = field(default_factory=list)
    free: list[Pose] = field(default_factory=list)
    ways: dict[int, Stance] = field(default_factory=dict)
    faults: list[PostureFaults] = field(default_factory=list)
    relaxed: list[Relaxed] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)


def readied(problem: Problem, scene: Scene | None, options: BetweenOptions) -> Readied:
    """Look at the key postures of a problem and mend what can be mended."""
    out = Readied()
    for n, (pose, q) in enumerate(zip(problem.poses, problem.keys, strict=True)):
        faults = faults_of(n, pose, problem.body, problem.stage, q, problem.solids)
        out.met.append(problem.stage.space.pose(q))
        out.free.append(out.met[n])
        if not faults:
            continue
        out.faults.append(faults)
        if options.relax:
            _relax(out, problem, n, q, options)
        elif pose.evidence:
            way = _recorded_way(problem, out.met[n], pose, scene, options)
            if way is None:
                out.refused[n] = f"{faults}. No posture near it was found in which nothing touches"
            elif way.way:
                out.ways[n], out.free[n] = way, way.poses[-1]
        else:
            out.refused[n] = f"{faults}. Relaxing finds the nearest valid posture"
    return out


def _relax(out: Readied, problem: Problem, n: int, q: FloatArray, options: BetweenOptions) -> None:
    faults = out.faults[-1]
    better = relaxed(problem.stage, q, gap_m=options.clearance_m)
    if better is None:
        out.refused[n] = f"{faults}. No valid posture was found near"
        return
    out.met[n] = out.free[n] = problem.stage.space.pose(lifted(problem, better))
    moved = _moved(n, problem.poses[n], out.met[n])
    out.relaxed.append(moved)
    if moved.moved_m > options.relax_m:
        out.refused[n] = f"{faults}. {moved}, more than the {1000.0 * options.relax_m:.0f} mm allowed"


def _recorded_way(
    problem: Problem, met: Pose, pose: Pose, scene: Scene | None, options: BetweenOptions
) -> Stance | None:
    """The way from a recorded posture to one in which nothing touches, on what bears it; ``None`` where none is found.

    Its ``way`` is empty where only the floor is touched.
    """
    stances = [still_stance(problem.body, met), *over_one_foot(problem.body, met)]
    if problem.pins:
        stances = [replace(stances[0], pins=problem.pins, rolling=False, supports=())]
    found: list[tuple[float, int, Stance]] = []
    for stance in stances:
        own = problem_of([met, met], scene, stance.pins, problem.body, relax=True, rolling=stance.rolling)
        stage, pairs = own.stage, len(own.stage.space.arrays.pairs)
        gaps = stage.gaps(own.keys[0])
        if (gaps[:pairs] >= 0.0).all():
            return stance
        # Who lies deep in the ground of a recording may go on lying there.
        sunk = (np.arange(len(gaps)) >= pairs) & (gaps < 0.0) & (scene is None)
        stage = stage.keeping(np.where(sunk, -np.inf, stage.keep))
        gap, way = way_out(stage, replace(met, evidence=pose.evidence), options.clearance_m)
        if gap < 0.0:
            apart = relaxed(stage, stage.space.coordinates(way[-1]), gap_m=options.clearance_m)
            if apart is None:
                continue
            way.append(stage.space.pose(apart))
        done = replace(stance, poses=(way[0], way[-1]), way=tuple(way[1:-1] or [way[0]]))
        found.append((-gap, len(way), done))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _moved(number: int, given: Pose, found: Pose) -> Relaxed:
    """How far joints of a posture were moved."""
    away = np.linalg.norm(given.world()[0] - found.world()[0], axis=1)
    names = [given.skeleton.roles.get(j, given.skeleton.names[j]) for j in range(len(away))]
    worst = int(away.argmax())
    far = {names[j]: float(away[j]) for j in np.argsort(-away) if away[j] >= _MOVED_M}
    return Relaxed(posture=number, joint=names[worst], moved_m=float(away[worst]), joints_m=far)


def lifted(problem: Problem, q: FloatArray) -> FloatArray:
    """A posture raised out of the floor, where it has one to stand on."""
    out = q.copy()
    if problem.stage.space.grounded:
        out[1] += float(floor_depths(problem.body, problem.stage.space.pose(q)).max())
    return out
