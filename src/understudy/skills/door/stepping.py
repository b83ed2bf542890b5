"""A walk that stops, takes a step or two while the hand holds, and walks on: explicit footsteps between two gaits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.core.editing import smoothstep
from understudy.core.skeleton import Skeleton
from understudy.performer.foot_shape import foot_shape
from understudy.performer.gait import Performance, perform
from understudy.performer.legs_apart import passing_m
from understudy.performer.model import gait_model
from understudy.performer.stances import Stances, find_stances, side_by_side, wrapped
from understudy.performer.style import Style
from understudy.performer.track import Track, track_along
from understudy.typing import FloatArray

SIDES = ("left", "right")
#: [s] a step's time in the air, and both feet on the floor between two steps.
_SWING_S, _BOTH_S = 0.46, 0.08
#: [m], [rad] a foot that would move less than this stays.
_IDLE_M, _IDLE_RAD = 0.05, 0.15
#: [s] after the stop before a foot may step, and how long a foot stands at least; [m] farthest foot of a stance.
_BEGIN_S, _STAND_S, _ASTRIDE_M = 0.12, 0.2, 0.55


_Feet = tuple[Stances, int, Stances, int]


class Stop(NamedTuple):
    """A path that stops and goes on.

    Attributes:
        place: ``(frames, 2)`` (x, z) [m].
        heading: ``(frames,)`` [rad].
        fps: Frames per second.
        stop_s: When it has stopped [s].
        go_s: When it goes on [s].
    """

    place: FloatArray
    heading: FloatArray
    fps: float
    stop_s: float
    go_s: float


def stepped(stop: Stop, skeleton: Skeleton, style: Style, *, phase: float, seed: int) -> Performance:
    """Walk up, step while standing, walk on."""
    fps, leg = stop.fps, skeleton.leg_length_m()
    times = np.arange(len(stop.place)) / fps
    halt, go = round(stop.stop_s * fps), round(stop.go_s * fps)
    middle = (halt + go) // 2
    until, since = stop.place.copy(), stop.place.copy()
    turn_until, turn_since = stop.heading.copy(), stop.heading.copy()
    until[halt:], turn_until[halt:] = until[halt], turn_until[halt]
    since[:go], turn_since[:go] = since[go], turn_since[go]
    tracks = []
    for place, heading in ((until, turn_until), (since, turn_since)):
        rng = np.random.default_rng([seed, 5])
        tracks.append(
            track_along(
                place,
                heading,
                fps=fps,
                leg_m=leg,
                model=gait_model(),
                style=style,
                start_phase=phase,
                rng=rng,
            )
        )
    first, second = tracks
    stances = {}
    for side in SIDES:
        rng = np.random.default_rng([seed, 6])
        stances[side] = tuple(
            find_stances(track, side, gait_model(), style, leg_m=leg, rng=rng) for track in (first, second)
        )
    foot_m = foot_shape(skeleton, "left").length_m
    joined = side_by_side(_joined(stances, times[middle], stop), passing_m(skeleton), foot_m)
    track = Track(
        times_s=times,
        place=stop.place,
        heading=stop.heading,
        phase=_phase(first, second, middle),
        # What the little steps between would look like to the gait does not matter: nobody walks there.
        context=np.where((np.arange(len(times)) < middle)[:, None], first.context, second.context),
        activity=np.where(np.arange(len(times)) < middle, first.activity, second.activity),
    )
    rng = np.random.default_rng([seed, 7])
    return perform(track, skeleton, model=gait_model(), style=style, rng=rng, name="door", stances=joined)


def _phase(first: Track, second: Track, middle: int) -> FloatArray:
    """One phase that never falls: the second's, whole strides later, reached while somebody stands."""
    later = np.ceil(first.phase[middle] - second.phase[middle])
    share = smoothstep((np.arange(len(first.phase)) - middle) / (0.2 * first.fps) + 0.5)
    return np.asarray(first.phase + share * (second.phase + later - first.phase))


def _joined(stances: dict[str, tuple[Stances, ...]], middle_s: float, stop: Stop) -> dict[str, Stances]:
    """Both gaits' stances, with steps from where the first leaves the feet to where the second finds them."""
    kept = {}
    for side, (before, after) in stances.items():
        last = int(np.flatnonzero(before.touch_s < middle_s)[-1])
        first = int(np.flatnonzero(after.lift_s > stop.go_s)[0])
        kept[side] = (before, last, after, first)
    kept, order = _without_closing(kept, stop)
    at = stop.stop_s + _BEGIN_S
    out = {}
    for side in order:
        before, last, after, first = kept[side]
        far, turn = _change(before, last, after, first)
        if far < _IDLE_M and abs(turn) < _IDLE_RAD:
            merged = _cut(before, last + 1, after, first + 1)
            merged.lift_s[last] = after.lift_s[first]
        else:
            merged = _cut(before, last + 1, after, first)
            at = max(at, float(before.touch_s[last]) + _STAND_S)
            land = at + _SWING_S + 0.22 * max(far - 0.2, 0.0)
            merged.lift_s[last], merged.touch_s[last + 1] = at, land
            merged.lift_s[last + 1] = max(merged.lift_s[last + 1], land + _BOTH_S)
            at = land + _BOTH_S
        out[side] = merged
    return out


def _without_closing(kept: dict[str, _Feet], stop: Stop) -> tuple[dict[str, _Feet], list[str]]:
    """Leave out the step that would bring the feet together: who goes on to step back stands astride."""
    late = max(SIDES, key=lambda side: float(kept[side][0].touch_s[kept[side][1]]))
    before, last, after, first = kept[late]
    body = stop.place[round(stop.stop_s * stop.fps)]
    moves = _change(before, last, after, first)[0] > _IDLE_M
    closing = moves and last > 0 and before.touch_s[last] > stop.stop_s - 0.25
    if closing and float(np.hypot(*(before.place[last - 1] - body))) < _ASTRIDE_M:
        kept = {**kept, late: (before, last - 1, after, first)}
    other = "left" if late == "right" else "right"
    return kept, [other, late]


def _change(before: Stances, last: int, after: Stances, first: int) -> tuple[float, float]:
    move = after.place[first] - before.place[last]
    return float(np.hypot(*move)), float(wrapped(after.yaw[first] - before.yaw[last]))


def _cut(before: Stances, stop: int, after: Stances, start: int) -> Stances:
    return Stances(
        touch_s=np.concatenate([before.touch_s[:stop], after.touch_s[start:]]),
        lift_s=np.concatenate([before.lift_s[:stop], after.lift_s[start:]]),
        place=np.concatenate([before.place[:stop], after.place[start:]]),
        yaw=np.concatenate([before.yaw[:stop], after.yaw[start:]]),
    )
