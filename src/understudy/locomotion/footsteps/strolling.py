"""Walking from rest to rest along a timed path, beginning with the feet where they stand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.locomotion.footsteps.footing import BEHIND, SIDES, Footing, ahead_of
from understudy.locomotion.footsteps.pathing import TimedPath
from understudy.performer.gait import Performance, perform
from understudy.performer.legs_apart import leg_overlap_m
from understudy.performer.model import gait_model
from understudy.performer.stances import Stances, find_stances
from understudy.performer.style import Style
from understudy.performer.track import Track, track_along
from understudy.typing import FloatArray

#: [s] of standing that is made before and after and cut off.
_MARGIN_S = 1.2
#: [s] both feet stand for at least this long in the end: what comes next begins with them on the floor.
_LANDED_S = 0.1
#: [m] overlap of the legs that is good enough; recorded walkers who turn reach 0.03.
_GOOD_M = 0.02
#: Phases of the gait that are tried: which foot goes first.
_PHASES = (0.0, 0.5, 0.25, 0.75)


def strolled(path: TimedPath, skeleton: Skeleton, style: Style, *, footing: Footing, seed: int = 0) -> Motion:
    """Walk along a path; of several phases of the gait the first whose legs stay apart.

    Args:
        path: Path and heading, at rest at both ends.
        skeleton: Who walks.
        style: The manner.
        footing: Where the feet stand at first.
        seed: Of the differences from step to step.
    """
    best: tuple[float, Motion] | None = None
    for phase in _PHASES:
        made = _walked(path, Planned.of(path, skeleton, style, footing, seed=seed, phase=phase), skeleton, style, seed)
        overlap = leg_overlap_m(made)
        if best is None or overlap < best[0]:
            best = (overlap, made)
        if overlap <= _GOOD_M:
            break
    assert best is not None
    return best[1]


@dataclass(frozen=True, eq=False, kw_only=True)
class Planned:
    """The footprints of a walk, before any body is put on them.

    Attributes:
        track: Path and phase, with some standing before and after.
        stances: Where each foot stands, and when.
    """

    track: Track
    stances: dict[str, Stances]

    @staticmethod
    def of(
        path: TimedPath, skeleton: Skeleton, style: Style, footing: Footing, *, seed: int = 0, phase: float = _PHASES[0]
    ) -> Planned:
        """The footprints along a path that begin where the feet stand."""
        fps, leg, model = path.fps, skeleton.leg_length_m(), gait_model()
        pad = round(_MARGIN_S * fps)
        place = np.pad(path.place, ((pad, pad), (0, 0)), mode="edge")
        heading = np.pad(path.heading, pad, mode="edge")
        rng = np.random.default_rng([seed, 11])
        track = track_along(place, heading, fps=fps, leg_m=leg, model=model, style=style, start_phase=phase, rng=rng)
        stances = {side: find_stances(track, side, model, style, leg_m=leg, rng=rng) for side in SIDES}
        if footing.feet:
            stances = {side: _from(stances[side], track, *footing.feet[side]) for side in SIDES}
        return Planned(track=track, stances=stances)

    def ends_at(self, leg_m: float) -> FloatArray:
        """``(2,)`` (x, z) of the path that the feet end beside [m]; see :func:`footing.footing_of`."""
        last = [int(np.flatnonzero(one.touch_s <= self.track.times_s[-1])[-1]) for one in self.stances.values()]
        feet = [one.place[k] for one, k in zip(self.stances.values(), last, strict=True)]
        return np.asarray(0.5 * (feet[0] + feet[1]) + BEHIND * leg_m * ahead_of(float(self.track.heading[-1])))


def _walked(path: TimedPath, planned: Planned, skeleton: Skeleton, style: Style, seed: int) -> Motion:
    pad = round(_MARGIN_S * path.fps)
    rng = np.random.default_rng([seed, 12])
    model = gait_model()
    made = perform(planned.track, skeleton, model=model, style=style, rng=rng, name="walk", stances=planned.stances)
    return made.motion.frames(pad, max(pad + len(path.place), _stood(made, path.fps)))


def _stood(made: Performance, fps: float) -> int:
    """The frame after which both feet stand: the last one may come down after the body has come to rest."""
    in_the_air = np.flatnonzero(~(made.left_contact & made.right_contact))
    landed = int(in_the_air[-1]) + 1 + round(_LANDED_S * fps) if len(in_the_air) else 0
    return min(landed, len(made.motion))


def _from(stances: Stances, track: Track, place: FloatArray, yaw: float) -> Stances:
    """The same stances, the first of them where the foot stands already."""
    now = int(np.flatnonzero(stances.touch_s <= track.times_s[0])[-1])
    same = now
    while same + 1 < len(stances.yaw) and np.array_equal(stances.place[same + 1], stances.place[now]):
        same += 1
    places, yaws = stances.place.copy(), stances.yaw.copy()
    places[: same + 1], yaws[: same + 1] = place, yaw + _turns(yaws[now] - yaw)
    return replace(stances, place=places, yaw=yaws)


def _turns(angle: float) -> float:
    """Whole turns in an angle [rad]."""
    return float(2.0 * np.pi * np.round(angle / (2.0 * np.pi)))
