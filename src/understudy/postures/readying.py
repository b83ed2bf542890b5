"""Key postures made ready to be planned between: relaxed where that is wanted, or left by a recorded way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from understudy.core.motion import Motion, from_poses
from understudy.core.pose import Pose
from understudy.core.violations import Violation
from understudy.postures.bearing import bearing_of
from understudy.postures.faults import PostureFaults, faults_of
from understudy.postures.grounding import floor_depths
from understudy.postures.keys import widened
from understudy.postures.options import BetweenOptions
from understudy.postures.problem import Problem, problem_of
from understudy.postures.recalling import eased, held, joined, moment_of, turned_round, ways_free
from understudy.postures.relaxing import parted, relaxed
from understudy.postures.stances import FREE, Stance, parting_stance, recorded_stance
from understudy.postures.trace import Relaxed
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: Says what is wrong with a motion.
Said = Callable[[Motion], Sequence[Violation]]
#: What it says of parts in each other, and how often a second postures are given that part (it looks in between).
_OVERLAP, _PARTS_HZ = "penetration", 2.0
#: [m] joints that moved less are not told of.
_MOVED_M = 0.001


@dataclass(eq=False, kw_only=True)
class Readied:
    """Key postures as they are planned between.

    Attributes:
        met: Postures that the motion is at: as given, or relaxed.
        free: Postures that ways are planned between; nothing touches in them.
        ways: Key posture -> the stances from it to the free one.
        joined: Key posture -> the recording from it to the next one.
        faults: What is wrong with the postures given.
        relaxed: How far postures were moved.
        refused: Posture -> why it cannot be mended.
    """

    met: list[Pose] = field(default_factory=list)
    free: list[Pose] = field(default_factory=list)
    ways: dict[int, list[Stance]] = field(default_factory=dict)
    joined: dict[int, Motion] = field(default_factory=dict)
    faults: list[PostureFaults] = field(default_factory=list)
    relaxed: list[Relaxed] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)


def readied(problem: Problem, scene: Scene | None, options: BetweenOptions, said: Said) -> Readied:
    """Look at the key postures of a problem and mend what can be mended.

    Args:
        problem: What is to be planned.
        scene: What stands around.
        options: How to plan.
        said: Tells what is wrong with a motion.
    """
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
        elif not pose.evidence or any(one.b in problem.solids for one in faults.overlaps):
            out.refused[n] = f"{faults}. Relaxing finds the nearest valid posture"
    if problem.has_floor and not problem.pins and problem.body.skeleton.is_humanoid:
        _recall(out, problem, scene, options, said)
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


def _recall(out: Readied, problem: Problem, scene: Scene | None, options: BetweenOptions, said: Said) -> None:
    """Find the recorded ways from and between key postures."""

    def passes(motion: Motion) -> bool:
        # What is said of a motion as a whole, such as a mean, says little of a piece of it.
        return all(one.time_s is None for one in said(motion))

    def freed(pose: Pose) -> Pose | None:
        """The posture, or one near it, that can be held, if its parts come apart on the way there."""
        apart = _apart(problem, scene, pose, options)
        if apart is None or not passes(held(apart, options.fps)):
            return None
        if apart is pose:
            return pose
        parting = from_poses([pose, replace(apart, skeleton=pose.skeleton)], fps=_PARTS_HZ)
        return None if any(one.kind == _OVERLAP for one in said(parting)) else apart

    body, stage, last = problem.body, problem.stage, len(out.met) - 1
    keys = [replace(met, evidence=pose.evidence) for met, pose in zip(out.met, problem.poses, strict=True)]
    moments = [moment_of(key) for key in keys]
    for n, (one, two) in enumerate(pairwise(moments)):
        piece = None if one is None or two is None else joined(body, one, two, passes)
        if piece is not None:
            out.joined[n] = piece
    for n, moment in enumerate(moments):
        ways: list[Stance] = []
        for piece in () if moment is None else ways_free(body, stage, moment):
            plays = [piece] * (n < last) + [turned_round(piece)] * (n > 0)
            pose = piece.pose(-1)
            apart = freed(pose)
            if apart is None or not all(len(one) == 1 or passes(eased(body, one, one.fps)) for one in plays):
                continue
            ways = [recorded_stance(piece, (n, FREE))] if len(piece) > 1 else []
            out.free[n] = pose
            break
        else:
            apart = None if moment is None else _apart(problem, scene, out.free[n], options)
        if apart is not None and apart is not out.free[n]:
            ways.append(replace(parting_stance(body, out.free[n], apart), given=(FREE if ways else n, FREE)))
            out.free[n] = apart
        if ways:
            out.ways[n] = ways


def _apart(problem: Problem, scene: Scene | None, pose: Pose, options: BetweenOptions) -> Pose | None:
    """The nearest posture on the same feet in which parts do not touch, be it this one; ``None`` for none."""
    pairs = len(problem.stage.space.arrays.pairs)
    if (problem.stage.gaps(problem.stage.space.coordinates(pose))[:pairs] > 0.0).all():
        return pose
    if bearing_of(problem.body, pose).kind != "feet":
        return None
    pins = parting_stance(problem.body, pose, pose).pins
    stage = problem_of([pose, pose], scene, pins, widened(problem.body, [pose]), relax=True).stage
    near = parted(stage, stage.space.coordinates(pose), gap_m=options.clearance_m)
    return None if near is None else stage.space.pose(near)


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
