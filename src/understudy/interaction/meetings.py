"""Where flying balls and capsules meet bodies, the scene and each other, and what that does to them.

A ball is a capsule of no length.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from understudy.core.segments import segments_apart
from understudy.interaction import _law_kernels as law
from understudy.interaction._law_kernels import GRAVITY
from understudy.interaction.projectiles import Projectile, fallen, pointing
from understudy.interaction.simulated_scene import SimulatedScene
from understudy.interaction.surfaces import Surface, nearest_feature, surface_of
from understudy.typing import FloatArray

#: Parts of the first interval after a contact: the other end may strike at once.
_FINE = 16
#: [m] a capsule is clear of something beyond this.
_CLEAR_M = 1e-7


class Meetings:
    """Contacts in a scene; two bodies rub only where ``rubs``, as they do where anything has an axis."""

    def __init__(self, scene: SimulatedScene, *, rubs: bool) -> None:
        self._of, self._rubs = scene, rubs
        self._surfaces = {part: surface_of(scene.play, part) for part in (*scene.parts, *scene.still)}

    def gap(self, projectile: Projectile, part: str, time: float) -> float:
        """Gap between a flying body and a surface [m]."""
        numbers, facts = self._numbers(projectile, part, time)
        gap, _, _ = law.touch(numbers.astype(np.complex128), facts)
        return float(gap.real)

    def struck(self, projectile: Projectile, part: str, time: float) -> tuple[FloatArray, FloatArray]:
        """Velocity and spin after an impact on a surface."""
        numbers, facts = self._numbers(projectile, part, time)
        return _struck(numbers, facts)

    def rate(self, projectile: Projectile, part: str, time: float) -> float:
        """How fast the gap to a surface opens [m/s]."""
        return (self.gap(projectile, part, time) - self.gap(projectile, part, time - 1e-6)) / 1e-6

    def next_hit(self, projectile: Projectile) -> tuple[float, str] | None:
        """The first surface a body meets, and when."""
        times = self._times(projectile.time)
        if len(times) == 0:
            return None
        found: list[tuple[float, str]] = []
        ends = _ends(projectile, times)
        # After the first interval the times are those of the grid, at which the scene knows all capsules.
        later = len(times) - _FINE
        last = int(np.searchsorted(self._of.grid, times[-1])) + 1
        tracks = np.concatenate([self._of.tracks_at(times[:_FINE]), self._of.track[last - later : last]])
        apart = segments_apart(ends[0][:, None], ends[1][:, None], tracks[:, :, 0], tracks[:, :, 1])
        gaps = apart - self._of.radii - projectile.cue.ball.radius_m
        columns = [*zip(self._of.parts, gaps.T, strict=True), *((part, None) for part in self._of.still)]
        for part, own in columns:
            values = self._still_gaps(projectile, part, times, ends) if own is None else own
            k = _first_entry(values)
            if k >= 0:
                found.append((_root(partial(self.gap, projectile, part), times[k - 1], times[k]), part))
        return min(found, default=None)

    def knock_time(self, one: Projectile, two: Projectile) -> float | None:
        """When two bodies, at least one of them a capsule, first meet in the air."""
        times = self._times(max(one.time, two.time))
        if len(times) == 0:
            return None
        a, b = _ends(one, times), _ends(two, times)
        k = _first_entry(segments_apart(*a, *b) - one.cue.ball.radius_m - two.cue.ball.radius_m)
        if k < 0:
            return None

        def gap(time: float) -> float:
            at = np.array([time])
            far = segments_apart(*_ends(one, at), *_ends(two, at))[0]
            return float(far) - one.cue.ball.radius_m - two.cue.ball.radius_m

        return _root(gap, times[k - 1], times[k])

    def knocked(self, one: Projectile, two: Projectile, time: float) -> tuple[FloatArray, FloatArray]:
        """Velocity and spin of the first of two bodies after they met."""
        numbers, facts = _body(one, time)
        other, theirs = _body(two, time)
        facts[law.KIND], facts[law.THICK], facts[law.HALF2] = law.BODY, theirs[law.RADIUS], theirs[law.HALF]
        facts[law.MASSES] = one.cue.ball.mass_kg / two.cue.ball.mass_kg
        facts[law.ACROSS2_M2], facts[law.SHARE2] = theirs[law.ACROSS_M2], theirs[law.SHARE]
        facts[law.FRICTION] = min(facts[law.FRICTION], theirs[law.FRICTION]) if self._rubs else 0.0
        numbers[law.BOUNCE] = min(numbers[law.BOUNCE], other[law.BOUNCE])
        numbers[law.BEFORE2] = other[law.BEFORE]
        for ours, its in ((law.FROM2, law.FROM), (law.AT2, law.AT), (law.SPIN2, law.SPIN_IN), (law.AXIS2, law.AXIS)):
            numbers[ours : ours + 3] = other[its : its + 3]
        return _struck(numbers, facts)

    # Inside.

    def _numbers(self, projectile: Projectile, part: str, time: float) -> tuple[FloatArray, FloatArray]:
        numbers, facts = _body(projectile, time)
        surface: Surface = self._surfaces[part]
        origin, turn, moving, spin = self._of.frame(self._of.node(part), time)
        place = numbers[law.AT : law.AT + 3]
        feature = nearest_feature(surface, place, facts[law.HALF] * numbers[law.AXIS : law.AXIS + 3])
        facts[law.KIND], facts[law.THICK], facts[law.END] = feature.kind, feature.radius_m, feature.end
        facts[law.NORMAL : law.NORMAL + 3], facts[law.LEVEL] = feature.normal, feature.level_m
        for first, end in zip((law.NEAR, law.FAR), feature.ends, strict=True):
            numbers[first : first + 3] = origin + turn @ end
        numbers[law.MOVING : law.MOVING + 3] = moving + np.cross(spin, place - origin)
        numbers[law.SPINNING : law.SPINNING + 3] = spin
        return numbers, facts

    def _times(self, start: float) -> FloatArray:
        grid = self._of.grid
        later = grid[(grid > start) & (grid <= self._of.until)]
        first = float(later[0]) if len(later) else self._of.until
        if first <= start:
            return np.zeros(0)
        return np.concatenate([np.linspace(start, first, _FINE + 1)[:-1], later])

    def _still_gaps(
        self, projectile: Projectile, part: str, times: FloatArray, ends: tuple[FloatArray, FloatArray]
    ) -> FloatArray:
        surface = self._surfaces[part]
        if surface.flat:
            return np.minimum(ends[0][:, 1], ends[1][:, 1]) - projectile.cue.ball.radius_m
        if surface.half is None:
            start, end = (surface.place + surface.turn @ one for one in surface.ends)
            return segments_apart(*ends, start, end) - surface.radius_m - projectile.cue.ball.radius_m
        # Far from a box a sphere around both says enough.
        reach = float(np.linalg.norm(surface.half)) + 0.5 * projectile.cue.ball.length_m + projectile.cue.ball.radius_m
        gaps = np.linalg.norm(0.5 * (ends[0] + ends[1]) - surface.place, axis=1) - reach
        for k in np.flatnonzero(gaps <= 0.0):
            gaps[k] = self.gap(projectile, part, float(times[k]))
        return gaps


def _ends(projectile: Projectile, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Both ends ``(n, 3)`` of a flying capsule's axis."""
    since = (times - projectile.time)[:, None]
    places = projectile.place + since * projectile.velocity + 0.5 * since**2 * np.array([0.0, GRAVITY, 0.0])
    arm = 0.5 * projectile.cue.ball.length_m * pointing(projectile, times)
    return places - arm, places + arm


def _body(projectile: Projectile, time: float) -> tuple[FloatArray, FloatArray]:
    """Numbers and facts of a body that arrives at a time."""
    ball = projectile.cue.ball
    numbers, facts = np.zeros(law.NUMBERS), np.zeros(law.FACTS)
    facts[law.RADIUS], facts[law.HALF], facts[law.FRICTION] = ball.radius_m, 0.5 * ball.length_m, ball.friction
    facts[law.ACROSS_M2], along = ball.moments
    facts[law.SHARE] = along / facts[law.ACROSS_M2]
    numbers[law.BEFORE], numbers[law.BOUNCE] = time - projectile.time, ball.restitution
    numbers[law.FROM : law.FROM + 3] = projectile.place
    numbers[law.AT : law.AT + 3] = fallen(projectile, time)[0]
    numbers[law.SPIN_IN : law.SPIN_IN + 3] = projectile.spin
    numbers[law.AXIS : law.AXIS + 3] = pointing(projectile, np.array([time]))[0]
    return numbers, facts


def _struck(numbers: FloatArray, facts: FloatArray) -> tuple[FloatArray, FloatArray]:
    velocity, spin = law.struck(numbers.astype(np.complex128), facts)
    return np.real(velocity), np.real(spin)


def _first_entry(gaps: FloatArray) -> int:
    """First place below zero that comes after a clear one; -1 for none."""
    clear = np.concatenate([[False], np.maximum.accumulate(gaps > _CLEAR_M)[:-1]])
    entries = np.flatnonzero(clear & (gaps < 0.0))
    return int(entries[0]) if len(entries) else -1


def _root(gap: Callable[[float], float], low: float, high: float) -> float:
    """When a gap closes, to rounding."""
    from scipy.optimize import brentq

    if gap(float(low)) <= 0.0:
        return float(low)
    return float(brentq(gap, float(low), float(high), xtol=1e-15, rtol=8.9e-16, maxiter=200))
