"""Footfalls: where the feet of somebody who goes from rest to rest come down, and when, before any body is put on them.

Parts follow each other: steps on the spot, a walk, steps again. A body is put on all of them at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.locomotion.footsteps.footing import BEHIND, Footing, ahead_of
from understudy.locomotion.footsteps.pathing import TimedPath
from understudy.performer.gait import perform
from understudy.performer.model import gait_model
from understudy.performer.stances import Stances, find_stances
from understudy.performer.style import Style
from understudy.performer.track import Track, track_along
from understudy.typing import FloatArray

#: [s] of standing that is planned before and after and cut off.
MARGIN_S = 1.2
#: [s] both feet stand for at least this long in the end: what comes next begins with them on the floor.
_LANDED_S = 0.1
#: [s] before its end in which the body comes to be over its feet.
_OVER_S = 0.8
#: Which foot goes first, by the phase of the gait.
PHASES = (0.0, 0.5, 0.25, 0.75)


@dataclass(frozen=True, eq=False, kw_only=True)
class Footfalls:
    """Steps from one stand to another.

    Attributes:
        skeleton: Who goes.
        style: The manner.
        track: Path and phase; at rest at both ends.
        stances: Side -> where the foot stands, and when.
    """

    skeleton: Skeleton
    style: Style
    track: Track
    stances: dict[str, Stances]

    @property
    def duration_s(self) -> float:
        """How long it takes [s]."""
        return float(self.track.times_s[-1])

    @property
    def footing(self) -> Footing:
        """How one stands in the end."""
        feet = {}
        for side, one in self.stances.items():
            last = _standing_at(one, self.duration_s)
            feet[side] = (one.place[last], float(one.yaw[last]))
        heading = float(self.track.heading[-1])
        return Footing(place=_between(self.skeleton, feet, heading), heading_rad=heading, feet=feet)

    def then(self, other: Footfalls) -> Footfalls:
        """These steps and other ones that begin where they end."""
        turns = _whole_turns(float(self.track.heading[-1] - other.track.heading[0]))
        ends_s = self.duration_s
        after = replace(other.track, times_s=ends_s + other.track.times_s, heading=other.track.heading + turns)
        stances = {side: _followed(one, other.stances[side], ends_s) for side, one in self.stances.items()}
        return replace(self, track=_appended(self.track, after), stances=stances)

    def performed(self, seed: int) -> Motion:
        """Somebody who goes so; the seed is of the differences from step to step."""
        fps = self.track.fps
        pad = round(MARGIN_S * fps)
        stances = {
            side: replace(one, touch_s=one.touch_s + pad / fps, lift_s=one.lift_s + pad / fps)
            for side, one in self.stances.items()
        }
        made = perform(
            _padded(self.track, pad),
            self.skeleton,
            model=gait_model(),
            style=self.style,
            rng=np.random.default_rng([seed, 12]),
            name="walk",
            stances=stances,
        )
        return made.motion.frames(pad, pad + len(self.track.times_s))


def walking(
    path: TimedPath, skeleton: Skeleton, style: Style, *, footing: Footing, seed: int = 0, phase: float = PHASES[0]
) -> Footfalls:
    """The footfalls of a walk.

    Args:
        path: Path and heading, at rest at both ends.
        skeleton: Who walks.
        style: The manner.
        footing: Where the feet stand at first.
        seed: Of the differences from step to step.
        phase: Of the gait at first.
    """
    fps, leg, model = path.fps, skeleton.leg_length_m(), gait_model()
    pad = round(MARGIN_S * fps)
    place = np.pad(path.place, ((pad, pad), (0, 0)), mode="edge")
    heading = np.pad(path.heading, pad, mode="edge")
    rng = np.random.default_rng([seed, 11])
    track = track_along(place, heading, fps=fps, leg_m=leg, model=model, style=style, start_phase=phase, rng=rng)
    stances = {side: find_stances(track, side, model, style, leg_m=leg, rng=rng) for side in ("left", "right")}
    if footing.feet:
        stances = {side: _from(stances[side], track, *footing.feet[side]) for side in stances}
    # The last foot may come down after the body has come to rest.
    landed = max(float(one.touch_s[_standing_at(one, float(track.times_s[-1]))]) for one in stances.values())
    stop = min(max(pad + len(path.place), round((landed + _LANDED_S) * fps) + 1), len(place))
    made = Footfalls(
        skeleton=skeleton,
        style=style,
        track=_cut(track, pad, stop),
        stances={
            side: replace(one, touch_s=one.touch_s - pad / fps, lift_s=one.lift_s - pad / fps)
            for side, one in stances.items()
        },
    )
    short = made.footing.place - made.track.place[-1]
    share = smoothstep((made.track.times_s - made.duration_s) / _OVER_S + 1.0)
    return replace(made, track=replace(made.track, place=made.track.place + share[:, None] * short))


def _between(skeleton: Skeleton, feet: dict[str, tuple[FloatArray, float]], heading_rad: float) -> FloatArray:
    """``(2,)`` (x, z) of the path that feet stand beside [m]; see :func:`footing.footing_of`."""
    middle = 0.5 * (feet["left"][0] + feet["right"][0])
    return np.asarray(middle + BEHIND * skeleton.leg_length_m() * ahead_of(heading_rad))


def _standing_at(stances: Stances, time_s: float) -> int:
    """The stance that has begun last at a time."""
    return max(int(np.searchsorted(stances.touch_s, time_s, side="right")) - 1, 0)


def _followed(one: Stances, other: Stances, ends_s: float) -> Stances:
    """One foot's stances until a time, and others that count from then on; it stands on one of both in between."""
    last, first = _standing_at(one, ends_s), _standing_at(other, 0.0)
    lift = np.append(one.lift_s[:last], ends_s + other.lift_s[first:])
    return Stances(
        touch_s=np.append(one.touch_s[: last + 1], ends_s + other.touch_s[first + 1 :]),
        lift_s=lift,
        place=np.concatenate([one.place[: last + 1], other.place[first + 1 :]]),
        yaw=np.append(one.yaw[: last + 1], other.yaw[first + 1 :]),
    )


def _from(stances: Stances, track: Track, place: FloatArray, yaw: float) -> Stances:
    """The same stances, the first of them where the foot stands already."""
    now = _standing_at(stances, float(track.times_s[0]))
    same = now
    while same + 1 < len(stances.yaw) and np.array_equal(stances.place[same + 1], stances.place[now]):
        same += 1
    places, yaws = stances.place.copy(), stances.yaw.copy()
    places[: same + 1], yaws[: same + 1] = place, yaw + _whole_turns(float(yaws[now] - yaw))
    return replace(stances, place=places, yaw=yaws)


def _whole_turns(angle: float) -> float:
    """Whole turns in an angle [rad]."""
    return float(2.0 * np.pi * np.round(angle / (2.0 * np.pi)))


def _cut(track: Track, first: int, stop: int) -> Track:
    """Frames of a track, from time zero on."""
    part = slice(first, stop)
    return Track(
        times_s=track.times_s[part] - track.times_s[first],
        place=track.place[part],
        heading=track.heading[part],
        phase=track.phase[part],
        context=track.context[part],
        activity=track.activity[part],
    )


def _appended(one: Track, other: Track) -> Track:
    """One track after another without its first frame, which stands for the last one's."""
    return Track(
        times_s=np.append(one.times_s, other.times_s[1:]),
        place=np.concatenate([one.place, other.place[1:]]),
        heading=np.append(one.heading, other.heading[1:]),
        # Phases never fall; where nobody walks they do not matter.
        phase=np.append(one.phase, other.phase[1:] + max(np.ceil(one.phase[-1] - other.phase[0]), 0.0)),
        context=np.concatenate([one.context, other.context[1:]]),
        activity=np.append(one.activity, other.activity[1:]),
    )


def _padded(track: Track, pad: int) -> Track:
    """A track with some standing before and after."""
    return Track(
        times_s=np.arange(len(track.times_s) + 2 * pad) / track.fps,
        place=np.pad(track.place, ((pad, pad), (0, 0)), mode="edge"),
        heading=np.pad(track.heading, pad, mode="edge"),
        phase=np.pad(track.phase, pad, mode="edge"),
        context=np.pad(track.context, ((pad, pad), (0, 0)), mode="edge"),
        activity=np.pad(track.activity, pad, mode="edge"),
    )
