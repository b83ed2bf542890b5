"""Guards: joints within their limits and arms outside the trunk, wherever an edit would break that.

A finished edit is looked at frame by frame. Where a joint is beyond its limit, or two parts of one body are in each
other, further than in the source, a guard is posted at that moment; the edit is then solved again with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from understudy.core.motion import Motion
from understudy.interaction._guard_kernels import margins, pair_gaps
from understudy.interaction.actor import Actor
from understudy.interaction.balancing import balance_guards
from understudy.interaction.clashes import SCAN_HZ, gap_tracks, looked_at_s, strikes
from understudy.interaction.guard_rows import (
    APART_M,
    BallGuard,
    GapGuard,
    Guard,
    ReachGuard,
    TurnGuard,
    flying,
    leg_m,
)
from understudy.interaction.planting import held_share
from understudy.interaction.showing import shown
from understudy.interaction.system import System
from understudy.interaction.tracks import leg_strikes, stretches
from understudy.interaction.turn_guards import fences_of
from understudy.kinematics import forward
from understudy.typing import BoolArray, FloatArray, IntArray

_SIDES = ("left", "right")
#: [m] how much deeper than in the source parts must be in each other to be guarded.
_GAP_M = 5e-4


def needed_guards(system: System) -> list[Guard]:
    """Guards for everything a loaded system breaks that its sources do not, as it is shown."""
    times = looked_at_s(system.play.duration_s, strikes(system))
    found: list[Guard] = []
    for number, actor in enumerate(system.play.actors):
        inside = times[times <= actor.motion.duration_s]
        theirs = _source_looks(actor, strikes(system), system.play.duration_s)
        planted, free = (shown(system, number, plant=plant) for plant in (True, False))
        ours, plain = (_looks(actor, motion, inside) for motion in (planted, free))
        found += balance_guards(number, actor, planted, free)
        found += _turn_guards(number, actor, plain, theirs)
        found += _gap_guards(actor, ours, plain, theirs)
        found += _reach_guards(number, actor, leg_strikes(system, number), plain, theirs)
    return [*found, *ball_guards(system, times)]


@dataclass(frozen=True, eq=False)
class _Looks:
    """A motion at many times: its joints' turns, capsules ``(n, C, 2, 3)``, and hips and feet ``(n, 4, 3)``."""

    actor: Actor
    times: FloatArray
    turns: FloatArray
    track: FloatArray
    legs: FloatArray

    @cached_property
    def room(self) -> FloatArray:
        """``(n, J)`` what joints have left to their limits [rad]."""
        room = np.empty(self.turns.shape[:2])
        margins(fences_of(self.actor.fitted_body), self.turns, room)
        return room

    @cached_property
    def gaps(self) -> FloatArray:
        """``(n, P)`` of all pairs of parts [m]."""
        return self.gaps_of(np.arange(len(self.actor.fitted_body.self_pairs)))

    def gaps_of(self, pairs: IntArray) -> FloatArray:
        """``(n, k)`` of some pairs of parts [m]."""
        body = self.actor.fitted_body
        gaps = np.empty((len(self.times), len(pairs)))
        chosen = np.ascontiguousarray(body.self_pairs[pairs], dtype=np.int64)
        pair_gaps(self.track, chosen, np.array(body.capsule_radii), gaps)
        return gaps


@lru_cache(maxsize=16)
def _source_looks(actor: Actor, struck_s: tuple[float, ...], duration_s: float) -> _Looks:
    """An actor's source, with a closer look around strikes."""
    times = looked_at_s(duration_s, struck_s)
    return _looks(actor, actor.motion, times[times <= actor.motion.duration_s])


def _looks(actor: Actor, motion: Motion, times: FloatArray) -> _Looks:
    roots, turns = motion.sample(times)
    world = forward(motion.skeleton, roots, turns)
    track = np.ascontiguousarray(np.stack(actor.fitted_body.capsule_segments(*world), axis=2))
    return _Looks(actor, times, np.ascontiguousarray(turns), track, world.positions[:, _leg_joints(actor)])


def _leg_joints(actor: Actor) -> IntArray:
    """Left hip and foot, right hip and foot."""
    roles = actor.motion.skeleton.humanoid
    return np.array([roles[f"{side}{bone}"] for side in _SIDES for bone in ("UpperLeg", "Foot")], dtype=np.int64)


def ball_guards(system: System, times: FloatArray) -> list[Guard]:
    """Guards for balls in bodies, in things or in each other, but for what a ball is held by or bounces off."""
    found: list[Guard] = []
    parts = {
        f"{actor.name}.{name}": (number, k)
        for number, actor in enumerate(system.play.actors)
        for k, name in enumerate(actor.fitted_body.capsule_names)
    }
    balls = [way.ball.name for way in system.play.ways if way.ball.length_m == 0.0]
    for ball, other, gaps, plain in gap_tracks(system, times):
        if ball not in balls:
            continue
        end = stretches(system, ball)[-1]
        for k in _worst(gaps, -_GAP_M):
            # A ball that is still in the air in the end is looked at there for the last time.
            time = min(float(times[k]), end.end_s - 1e-6) if end.arc >= 0 else float(times[k])
            flies, more = flying(system, ball, time) is not None, float(plain[k] - gaps[k])
            if other in parts and flies:
                number, part = parts[other]
                found.append(BallGuard(ball=ball, time_s=time, actor=number, part=part, more_m=more))
            elif other in parts:
                found.append(GapGuard(first=ball, second=other, time_s=time, least_m=APART_M + more))
            elif other in balls and (flies or flying(system, other, time)):
                one, two = (ball, other) if flies else (other, ball)
                found.append(BallGuard(ball=one, time_s=time, other=two))
            elif "." not in other and flies:
                found.append(BallGuard(ball=ball, time_s=time, thing=other))
    return found


def _reach_guards(
    number: int, actor: Actor, struck: list[tuple[str, float]], ours: _Looks, theirs: _Looks
) -> list[Guard]:
    found: list[Guard] = []
    for k, side in enumerate(_SIDES):
        share = held_share(actor.stances[side], actor.motion.fps, [time for which, time in struck if which == side])
        weight = np.interp(ours.times, actor.motion.times_s, share)[:, None]
        hip, foot = ours.legs[:, 2 * k], ours.legs[:, 2 * k + 1]
        goal = foot + weight * (theirs.legs[:, 2 * k + 1] - foot)
        own = np.linalg.norm(theirs.legs[:, 2 * k] - theirs.legs[:, 2 * k + 1], axis=1)
        room = np.maximum(leg_m(actor, side), own) - np.linalg.norm(hip - goal, axis=1)
        room[weight[:, 0] < 0.5] = 1.0
        for frame in _worst(room, -1e-4):
            x, y, z = (float(value) for value in goal[frame])
            found.append(ReachGuard(actor=number, side=side, time_s=float(ours.times[frame]), ankle=(x, y, z)))
    return found


def _turn_guards(number: int, actor: Actor, ours: _Looks, theirs: _Looks) -> list[Guard]:
    found: list[Guard] = []
    for joint in np.flatnonzero(np.diff(actor.freedoms.starts[:-1])):
        # A joint may be as far beyond its limit as the recording has it at that moment.
        allowed = np.maximum(-theirs.room[:, joint], 0.0)
        for k in _worst(ours.room[:, joint] + allowed, 0.0):
            time_s, more = float(ours.times[k]), float(allowed[k])
            found.append(TurnGuard(actor=number, joint=int(joint), time_s=time_s, allowed_rad=more))
    return found


def _gap_guards(actor: Actor, ours: _Looks, plain: _Looks, theirs: _Looks) -> list[Guard]:
    found: list[Guard] = []
    names, pairs = actor.fitted_body.capsule_names, actor.fitted_body.self_pairs
    allowed = np.minimum(theirs.gaps, 0.0)
    broken = np.flatnonzero((ours.gaps - allowed).min(axis=0) < -_GAP_M)
    unplanted = plain.gaps_of(broken)
    for column, pair in enumerate(broken):
        for k in _worst(ours.gaps[:, pair] - allowed[:, pair], -_GAP_M):
            first, second = (f"{actor.name}.{names[part]}" for part in pairs[pair])
            # Edits move bodies before their feet are planted.
            least = float(allowed[k, pair] + unplanted[k, column] - ours.gaps[k, pair]) + APART_M
            found.append(GapGuard(first=first, second=second, time_s=float(ours.times[k]), least_m=least))
    return found


def _worst(values: FloatArray, bound: float) -> list[int]:
    """The lowest place of every run below a bound, and for long runs one every tenth of a second."""
    below: BoolArray = values < bound
    edges = np.flatnonzero(np.diff(np.concatenate([[0], below.astype(np.int64), [0]])))
    found = []
    step = max(1, round(0.1 * SCAN_HZ))
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        pieces = max(1, round((stop - start) / step))
        for part in np.array_split(np.arange(start, stop), pieces):
            found.append(int(part[values[part].argmin()]))
    return found
