"""Guards: joints within their limits and arms outside the trunk, wherever an edit would break that.

A finished edit is looked at frame by frame. Where a joint is beyond its limit, or two parts of one body are in each
other, further than in the source, a guard is posted at that moment; the edit is then solved again with it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from understudy.interaction._curve_kernels import Player
from understudy.interaction._guard_kernels import margins, pair_gaps
from understudy.interaction._scan_kernels import capsule_track
from understudy.interaction.actor import Actor, sampled
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
from understudy.interaction.system import System
from understudy.interaction.tracks import leg_strikes
from understudy.interaction.turn_guards import fences_of
from understudy.kinematics import forward
from understudy.typing import BoolArray, FloatArray, IntArray

_SIDES = ("left", "right")
#: [m] how much deeper than in the source parts must be in each other to be guarded.
_GAP_M = 5e-4


def needed_guards(system: System) -> list[Guard]:
    """Guards for everything a loaded system breaks that its sources do not."""
    found: list[Guard] = []
    for number, actor in enumerate(system.play.actors):
        theirs = _looked_at(actor, strikes(system))
        ours = _looks(actor, system.players[number], theirs.times)
        found += _turn_guards(number, actor, ours, theirs)
        found += _gap_guards(number, actor, ours, theirs)
        found += _reach_guards(number, actor, leg_strikes(system, number), ours, theirs)
    return [*found, *ball_guards(system)]


class _Looks(NamedTuple):
    """A motion at many times: room of joints ``(n, J)``, gaps of pairs ``(n, P)``, hips and feet ``(n, 4, 3)``."""

    times: FloatArray
    room: FloatArray
    gaps: FloatArray
    legs: FloatArray


@lru_cache(maxsize=16)
def _looked_at(actor: Actor, struck_s: tuple[float, ...]) -> _Looks:
    """An actor's source, with a closer look around strikes."""
    times = looked_at_s(actor.motion.duration_s, struck_s)
    roots, turns = actor.motion.sample(times)
    world = forward(actor.motion.skeleton, roots, turns)
    track = np.ascontiguousarray(np.stack(actor.fitted_body.capsule_segments(*world), axis=2))
    return _Looks(times, *_measured(actor, turns, track), world.positions[:, _leg_joints(actor)])


def _looks(actor: Actor, player: Player, times: FloatArray) -> _Looks:
    """An actor under edit."""
    body, legs = actor.fitted_body, _leg_joints(actor)
    _, turns = sampled(player, actor.motion, times)
    joints = np.concatenate([body.capsule_joints, legs]).astype(np.int64)
    none = np.zeros((4, 3))
    track = np.empty((len(times), len(joints), 2, 3))
    starts, ends = np.concatenate([body.capsule_starts, none]), np.concatenate([body.capsule_ends, none])
    capsule_track(player, times, joints, starts, ends, track)
    return _Looks(times, *_measured(actor, turns, track), track[:, -4:, 0])


def _measured(actor: Actor, turns: FloatArray, track: FloatArray) -> tuple[FloatArray, FloatArray]:
    body = actor.fitted_body
    room, gaps = np.empty(turns.shape[:2]), np.empty((len(turns), len(body.self_pairs)))
    margins(fences_of(body), np.ascontiguousarray(turns), room)
    pair_gaps(track, np.ascontiguousarray(body.self_pairs, dtype=np.int64), np.array(body.capsule_radii), gaps)
    return room, gaps


def _leg_joints(actor: Actor) -> IntArray:
    """Left hip and foot, right hip and foot."""
    roles = actor.motion.skeleton.humanoid
    return np.array([roles[f"{side}{bone}"] for side in _SIDES for bone in ("UpperLeg", "Foot")], dtype=np.int64)


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
                flies = flying(system, ball, float(times[k])) is not None
                one, two = (ball, other) if flies else (other, ball)
                found.append(BallGuard(ball=one, time_s=float(times[k]), other=two))
            elif "." not in other:
                found.append(BallGuard(ball=ball, time_s=float(times[k]), thing=other))
    return [guard for guard in found if isinstance(guard, BallGuard) and flying(system, guard.ball, guard.time_s)]


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
        allowed = max(0.0, float(-theirs.room[:, joint].min()))
        for k in _worst(ours.room[:, joint] + allowed, 0.0):
            found.append(TurnGuard(actor=number, joint=int(joint), time_s=float(ours.times[k]), allowed_rad=allowed))
    return found


def _gap_guards(number: int, actor: Actor, ours: _Looks, theirs: _Looks) -> list[Guard]:
    found: list[Guard] = []
    pairs = actor.fitted_body.self_pairs
    allowed = np.minimum(theirs.gaps, 0.0)
    for pair in np.flatnonzero((ours.gaps - allowed).min(axis=0) < -_GAP_M):
        for k in _worst(ours.gaps[:, pair] - allowed[:, pair], -_GAP_M):
            first, second = (int(part) for part in pairs[pair])
            least, time = float(allowed[k, pair]) + APART_M, float(ours.times[k])
            found.append(GapGuard(actor=number, first=first, second=second, time_s=time, least_m=least))
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
