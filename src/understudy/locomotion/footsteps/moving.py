"""From one stand to another: step back, turn, walk, turn, stand; each part from where the last one leaves the feet.

Footfalls of all parts are planned first; then one body walks them. Only a recorded walk in between is joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.locomotion.footsteps.footfalls import PHASES, Footfalls, walking
from understudy.locomotion.footsteps.footing import THERE_M, THERE_RAD, Footing, footing_of
from understudy.locomotion.footsteps.joining import joined
from understudy.locomotion.footsteps.pathing import TimedPath, aside, headings, resting, rounded, timed, wrapped
from understudy.locomotion.footsteps.shuffling import shuffled, standing
from understudy.locomotion.footsteps.ways import Way
from understudy.performer.legs_apart import leg_overlap_m
from understudy.performer.style import Style
from understudy.typing import FloatArray

#: [m] how near to its goal a walk ends, and how often it is aimed anew for that.
_NEAR_M, _AIMS = 0.004, 4
#: [rad] smaller differences are turned while walking; [m] shorter ways are stepped.
_AT_ONCE_RAD, _STEPS_M = 0.55, 0.55
#: A way that is longer than this many times the distance of its ends is not straight.
_STRAIGHT = 1.05
#: [rad] sharper corners are turned on the spot.
_CORNER_RAD = 1.6
#: [m] overlap of the legs that is good enough; recorded walkers who turn reach 0.03.
_GOOD_M = 0.02


def _sharp(route: FloatArray) -> int:
    """The first corner of a route ``(n, 2)`` at which it turns back; 0 where there is none."""
    steps = np.diff(route, axis=0)
    before, after = steps[:-1], steps[1:]
    across = np.hypot(*before.T) * np.hypot(*after.T)
    sharp = np.sum(before * after, axis=1) < np.cos(_CORNER_RAD) * across - 1e-12
    return int(sharp.argmax()) + 1 if sharp.any() else 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Going:
    """Where to go.

    Attributes:
        way: The way; its first point is where one turns towards it.
        end_rad: Where to face in the end; along the way unless given.
        wait_s: Standing first [s].
        stand_s: Standing in the end [s].
        recorded: A walk of recorded clips, from rest to rest, in place of the gait along the way.
    """

    way: Way
    end_rad: float | None = None
    wait_s: float = 0.0
    stand_s: float = 0.5
    recorded: Motion | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Mover:
    """Makes motions of somebody.

    Attributes:
        skeleton: Who.
        style: The manner.
        fps: Frames per second.
        seed: Of the differences from step to step.
    """

    skeleton: Skeleton
    style: Style
    fps: float
    seed: int

    def go(self, footing: Footing, going: Going) -> tuple[Motion, float]:
        """The motion, and when somebody has arrived [s]; in the first phase of the gait in which legs stay apart."""
        best: tuple[float, Motion, float] | None = None
        for phase in PHASES:
            parts = list(self._all_parts(footing, going, phase))
            arrive = sum(part.duration_s for part in parts)
            there = parts[-1].footing if parts and isinstance(parts[-1], Footfalls) else footing
            if going.stand_s > 0.0 or not parts:
                parts.append(self._stand(there, max(going.stand_s, 0.2)))
            made = self._made(parts)
            overlap = leg_overlap_m(made)
            if best is None or overlap < best[0]:
                best = overlap, made, arrive
            if overlap <= _GOOD_M:
                break
        assert best is not None
        return best[1:]

    def _made(self, parts: Sequence[Footfalls | Motion]) -> Motion:
        """One motion of all parts; a body is put on footfalls that follow each other at once."""
        motions = list[Motion]()
        steps: Footfalls | None = None
        for part in [*parts, None]:
            if isinstance(part, Footfalls):
                steps = part if steps is None else steps.then(part)
                continue
            motions += [steps.performed(self.seed)] if steps is not None else []
            motions += [part] if part is not None else []
            steps = None
        return reduce(joined, motions)

    def _all_parts(self, footing: Footing, going: Going, phase: float) -> Iterator[Footfalls | Motion]:
        """The parts, and a step to where one stands in the end if that is beyond them."""
        beyond = going.way.stand
        for part in self._parts(footing, going if beyond is None else replace(going, end_rad=None), phase):
            footing = part.footing if isinstance(part, Footfalls) else footing_of(part)
            yield part
        if beyond is not None:
            end = footing.heading_rad if going.end_rad is None else going.end_rad
            yield from self._steps(footing, beyond, end)

    def _parts(self, footing: Footing, going: Going, phase: float) -> Iterator[Footfalls | Motion]:
        """The parts in order; every one begins where the last one ended."""
        route, now = going.way.points, footing
        if going.wait_s > 0.0:
            yield self._stand(now, going.wait_s)
        corner = _sharp(route)
        if corner and going.recorded is None:
            # Nobody walks round it: up to it, a turn on the spot, and on.
            facing = float(np.arctan2(*(route[corner + 1] - route[corner])))
            up_to, on = (
                replace(going.way, points=part, aside_rad=None) for part in (route[: corner + 1], route[corner:])
            )
            yield from self._parts(now, Going(way=up_to, end_rad=facing), phase)
            there = Footing(place=route[corner], heading_rad=facing, feet=self._rest(route[corner], facing))
            yield from self._parts(there, replace(going, way=on, wait_s=0.0), phase)
            return
        way = rounded(route, going.way.rounded_m)
        length = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum())
        end = now.heading_rad if going.end_rad is None else going.end_rad
        straight = length < _STRAIGHT * float(np.hypot(*(route[-1] - route[0])))
        beside = straight and going.end_rad is not None and aside(now.place, now.heading_rad, route[-1], end)
        if length < _STEPS_M or beside:
            yield from self._steps(now, route[-1], end)
            return
        along = headings(way)
        aim = float(along[min(10, len(along) - 1)])
        back = float(np.hypot(*(route[0] - now.place))) > THERE_M
        if back:
            # Back first, facing what is in front; only then the turn.
            yield from self._steps(now, route[0], now.heading_rad)
            now = Footing(place=route[0], heading_rad=now.heading_rad, feet=self._rest(route[0], now.heading_rad))
        if abs(wrapped(aim - now.heading_rad)) > _AT_ONCE_RAD:
            yield from self._steps(now, now.place, aim)
            now = Footing(place=now.place, heading_rad=aim, feet=self._rest(now.place, aim))
        if going.recorded is not None:
            yield from self._recorded(now, going, going.recorded)
            return
        last = float(along[-1])
        turns = going.end_rad is not None and abs(wrapped(going.end_rad - last)) > _AT_ONCE_RAD
        points = np.concatenate([now.place[None], route[1:]])
        walked = self._walk(now, points, None if turns else going.end_rad, going.way, phase)
        yield walked
        there = walked.footing
        if turns and going.end_rad is not None:
            yield from self._steps(there, route[-1], going.end_rad)
        elif float(np.hypot(*(route[-1] - there.place))) > _NEAR_M:
            # A little step more.
            yield shuffled(self.skeleton, there, route[-1], there.heading_rad, self.style, fps=self.fps)

    def _walk(self, now: Footing, points: FloatArray, end_rad: float | None, way: Way, phase: float) -> Footfalls:
        """A walk along points ``(n, 2)`` [m].

        The last step falls a little short or long: who aims by as much beyond stands where the points end.
        """

        def aimed(beyond: FloatArray) -> Footfalls:
            path = self._timed(now, points, beyond, end_rad, way)
            return walking(path, self.skeleton, self.style, footing=now, seed=self.seed, phase=phase)

        beyond = np.zeros(2)
        made = aimed(beyond)
        for _ in range(_AIMS):
            missing = points[-1] - made.footing.place
            if float(np.hypot(*missing)) < _NEAR_M:
                break
            beyond += missing
            made = aimed(beyond)
        return made

    def _timed(
        self, now: Footing, points: FloatArray, beyond: FloatArray, end_rad: float | None, way: Way
    ) -> TimedPath:
        """A path along points ``(n, 2)`` whose last one lies some way beyond."""
        aimed = np.concatenate([points[:-1], (points[-1] + beyond)[None]])
        return timed(
            aimed,
            start_rad=now.heading_rad,
            end_rad=end_rad,
            fps=self.fps,
            speed=self.style.speed,
            rounded_m=way.rounded_m,
            slow=way.slow,
            aside_rad=way.aside_rad,
        )

    def _recorded(self, now: Footing, going: Going, walk: Motion) -> Iterator[Footfalls | Motion]:
        """Onto the footprints a recorded walk begins on, the walk, and to where it was to lead."""
        begin = footing_of(walk, 0)
        if now.feet:
            yield shuffled(
                self.skeleton,
                now,
                begin.place,
                begin.heading_rad,
                self.style,
                fps=self.fps,
                feet=begin.feet,
            )
        yield walk
        there = footing_of(walk)
        end = there.heading_rad if going.end_rad is None else going.end_rad
        yield from self._steps(there, going.way.points[-1], end)

    def _steps(self, footing: Footing, place: FloatArray, heading_rad: float) -> Iterator[Footfalls]:
        turn, move = abs(wrapped(heading_rad - footing.heading_rad)), float(np.hypot(*(place - footing.place)))
        if turn > THERE_RAD or move > THERE_M:
            yield shuffled(self.skeleton, footing, place, heading_rad, self.style, fps=self.fps)

    def _stand(self, footing: Footing, stand_s: float) -> Footfalls:
        path = resting(footing.place, footing.heading_rad, fps=self.fps, stand_s=stand_s)
        return walking(path, self.skeleton, self.style, footing=footing, seed=self.seed)

    def _rest(self, place: FloatArray, heading_rad: float) -> dict[str, tuple[FloatArray, float]]:
        return standing(self.skeleton, place, heading_rad, self.style).feet
