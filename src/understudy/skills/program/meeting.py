"""People keep out of each other's way: regions are reserved for a time, and whoever comes later waits."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from understudy.limbs.handling.play import Play, Region
from understudy.scene.characters import Character
from understudy.skills.program.doing import Doing
from understudy.typing import FloatArray

#: [m] least distance of two bodies' middles; [s] how often they are looked at, and steps and length of waits.
_APART_M, _STEP_S, _WAIT_STEP_S, _LONGEST_S = 0.72, 0.1, 0.5, 60.0
#: [s] a region is kept free before somebody comes and after they have left.
_BEFORE_S, _AFTER_S = 0.3, 0.3


class Meetings:
    """Whether somebody would meet others who are planned already.

    Args:
        play: Everybody's motion so far.
        name: Who is planned now.
        regions: What others have reserved.
    """

    def __init__(self, play: Play, name: str, regions: Iterable[Region]) -> None:
        self.play, self.name, self.said = play, name, ""
        self.regions = [one for one in regions if one.name != name]
        self.others = [one for one in play.scene.characters if one.name != name and one.motion is not None]

    def wait_s(self, doing: Doing, start_s: float) -> float | None:
        """How long to wait before a task so that nobody is met [s]; nothing when waiting does not help."""
        if not self.others:
            return 0.0
        path = self._path(doing)
        for wait in np.arange(0.0, _LONGEST_S, _WAIT_STEP_S).tolist():
            fault = self._fault(path, start_s, wait)
            if not fault:
                return float(wait)
            self.said = fault
        return None

    def regions_of(self, doing: Doing, start_s: float) -> tuple[Region, ...]:
        """What a task reserves in everybody's time: its region while somebody is in it."""
        if doing.region is None:
            return ()
        x, z, radius = doing.region
        inside = np.flatnonzero(np.hypot(*(self._path(doing) - np.array([x, z])).T) < radius)
        if not len(inside):
            return ()
        first, last = float(inside[0]) * _STEP_S, float(inside[-1] + 1) * _STEP_S
        begin, end = start_s + first - _BEFORE_S, start_s + last + _AFTER_S
        return (Region(name=self.name, x=x, z=z, radius_m=radius, start_s=begin, end_s=end),)

    def _path(self, doing: Doing) -> FloatArray:
        """``(n, 2)`` where the body is, every tenth of a second."""
        motion = doing.piece.play.motion(self.name)
        times = np.arange(0.0, doing.piece.end_s + 1e-9, _STEP_S)
        return np.asarray(motion.sample(np.minimum(times, motion.duration_s))[0][:, [0, 2]])

    def _fault(self, path: FloatArray, start_s: float, wait_s: float) -> str:
        """Whom one would meet, standing first and then on the way."""
        count = round(wait_s / _STEP_S)
        own = np.concatenate([np.repeat(path[:1], count, axis=0), path])
        times = np.asarray(start_s + np.arange(len(own)) * _STEP_S, dtype=np.float64)
        for other in self.others:
            away = np.hypot(*(own - _track(other, times)).T)
            # Who already stands close to somebody is not blamed for it.
            near = away < min(_APART_M, float(away[0]) - 1e-3)
            if near.any():
                when = float(times[int(np.argmax(near))])
                return f'{self.name} would meet "{other.name}" at {when:.1f} s, however long one waits'
        for region in self.regions:
            inside = np.hypot(*(own - np.array([region.x, region.z])).T) < region.radius_m
            taken = (times >= region.start_s) & (times <= region.end_s)
            if (inside & taken).any():
                return f'the way of {self.name} is taken by "{region.name}" until {region.end_s:.1f} s'
        return ""


def _track(person: Character, times: FloatArray) -> FloatArray:
    motion = person.world_motion
    local = np.clip(times - person.start_s, 0.0, motion.duration_s)
    return np.asarray(motion.sample(local)[0][:, [0, 2]])
