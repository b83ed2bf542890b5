"""Guards: joints within their limits and arms outside the trunk, wherever an edit would break that.

A finished edit is looked at frame by frame. Where a joint is beyond its limit, or two parts of one body are in each
other, further than in the source, a guard is posted at that moment; the edit is then solved again with it.
"""

from __future__ import annotations

import numpy as np

from understudy.core.segments import segments_apart
from understudy.interaction.actor import Actor, sampled
from understudy.interaction.clashes import gap_tracks
from understudy.interaction.guard_rows import (
    APART_M,
    BallGuard,
    GapGuard,
    Guard,
    ReachGuard,
    TurnGuard,
    flying,
    leg_m,
    margins,
)
from understudy.interaction.system import System
from understudy.kinematics import forward
from understudy.typing import BoolArray, FloatArray

#: [1/s] how often it is looked; [rad, m] by how much more than the source something must break to be guarded.
_LOOK_HZ, _TURN_RAD, _GAP_M = 120.0, 0.01, 5e-4


def needed_guards(system: System) -> list[Guard]:
    """Guards for everything a loaded system breaks that its sources do not."""
    found: list[Guard] = []
    for number, actor in enumerate(system.play.actors):
        times = np.arange(int(actor.motion.duration_s * _LOOK_HZ)) / _LOOK_HZ
        ours = sampled(system.players[number], actor.motion, times)
        theirs = actor.motion.sample(times)
        found += _turn_guards(number, actor, times, ours[1], theirs[1])
        found += _gap_guards(number, actor, times, ours, theirs)
        found += _reach_guards(number, actor, times, ours, theirs)
    return [*found, *ball_guards(system)]


def ball_guards(system: System) -> list[Guard]:
    """Guards for flying balls in bodies or in each other, but for what a ball is held by or bounces off."""
    found: list[Guard] = []
    parts = {
        f"{actor.name}.{name}": (number, k)
        for number, actor in enumerate(system.play.actors)
        for k, name in enumerate(actor.fitted_body.capsule_names)
    }
    balls = [way.ball.name for way in system.play.ways if way.ball.length_m == 0.0]
    for ball, other, times, gaps in gap_tracks(system):
        if ball not in balls:
            continue
        for k in _worst(gaps, -_GAP_M):
            if other in parts:
                number, part = parts[other]
                found.append(BallGuard(ball=ball, time_s=float(times[k]), actor=number, part=part))
            elif other in balls:
                found.append(BallGuard(ball=ball, time_s=float(times[k]), other=other))
    return [guard for guard in found if isinstance(guard, BallGuard) and flying(system, guard.ball, guard.time_s)]


def _reach_guards(
    number: int,
    actor: Actor,
    times: FloatArray,
    ours: tuple[FloatArray, FloatArray],
    theirs: tuple[FloatArray, FloatArray],
) -> list[Guard]:
    found: list[Guard] = []
    skeleton = actor.motion.skeleton
    here, there = forward(skeleton, *ours).positions, forward(skeleton, *theirs).positions
    held = actor.stances
    for side in ("left", "right"):
        hip, foot = skeleton.humanoid[f"{side}UpperLeg"], skeleton.humanoid[f"{side}Foot"]
        weight = np.interp(times, actor.motion.times_s, held[side])[:, None]
        goal = here[:, foot] + weight * (there[:, foot] - here[:, foot])
        own = np.linalg.norm(there[:, hip] - there[:, foot], axis=1)
        room = np.maximum(leg_m(actor, side), own) - np.linalg.norm(here[:, hip] - goal, axis=1)
        room[weight[:, 0] < 0.5] = 1.0
        for k in _worst(room, -1e-4):
            x, y, z = (float(value) for value in goal[k])
            found.append(ReachGuard(actor=number, side=side, time_s=float(times[k]), ankle=(x, y, z)))
    return found


def _turn_guards(number: int, actor: Actor, times: FloatArray, ours: FloatArray, theirs: FloatArray) -> list[Guard]:
    found: list[Guard] = []
    starts = actor.freedoms.starts
    for joint in np.flatnonzero(np.diff(starts[:-1])):
        room, source = margins(actor, ours, int(joint)), margins(actor, theirs, int(joint))
        allowed = max(0.0, float(-source.min()))
        for k in _worst(room + allowed, -_TURN_RAD):
            found.append(TurnGuard(actor=number, joint=int(joint), time_s=float(times[k]), allowed_rad=allowed))
    return found


def _gap_guards(
    number: int,
    actor: Actor,
    times: FloatArray,
    ours: tuple[FloatArray, FloatArray],
    theirs: tuple[FloatArray, FloatArray],
) -> list[Guard]:
    found: list[Guard] = []
    body, skeleton = actor.fitted_body, actor.motion.skeleton
    gaps = []
    for pose in (ours, theirs):
        starts, ends = body.capsule_segments(*forward(skeleton, *pose))
        one, two = body.self_pairs[:, 0], body.self_pairs[:, 1]
        apart = segments_apart(starts[:, one], ends[:, one], starts[:, two], ends[:, two])
        gaps.append(apart - body.capsule_radii[one] - body.capsule_radii[two])
    allowed = np.minimum(gaps[1], 0.0)
    for pair in np.flatnonzero((gaps[0] - allowed).min(axis=0) < -_GAP_M):
        for k in _worst(gaps[0][:, pair] - allowed[:, pair], -_GAP_M):
            first, second = (int(part) for part in body.self_pairs[pair])
            least = float(allowed[k, pair]) + APART_M
            found.append(GapGuard(actor=number, first=first, second=second, time_s=float(times[k]), least_m=least))
    return found


def _worst(values: FloatArray, bound: float) -> list[int]:
    """The lowest place of every run below a bound, and for long runs one every tenth of a second."""
    below: BoolArray = values < bound
    edges = np.flatnonzero(np.diff(np.concatenate([[0], below.astype(np.int64), [0]])))
    found = []
    step = max(1, round(0.1 * _LOOK_HZ))
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        pieces = max(1, round((stop - start) / step))
        for part in np.array_split(np.arange(start, stop), pieces):
            found.append(int(part[values[part].argmin()]))
    return found
