"""Contacts nobody asked for: balls inside bodies or things, and balls inside balls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

import numpy as np

from understudy.core.motion import Motion
from understudy.core.segments import segments_apart
from understudy.interaction._guard_kernels import ball_gaps
from understudy.interaction.actor import Part, part_ends
from understudy.interaction.play import Ball, Hold, Start, Touch
from understudy.interaction.showing import shown
from understudy.interaction.surfaces import surface_of
from understudy.interaction.system import System
from understudy.interaction.tracks import ball_axes, ball_states, stretches
from understudy.kinematics import forward
from understudy.typing import BoolArray, FloatArray

#: [1/s] how often it is looked.
SCAN_HZ = 120.0
#: [1/s] how often within this many seconds of a strike.
_FINE_HZ, _AROUND_S = 480.0, 0.15
#: [m] deeper than this is a clash; [s] next to a contact with a part, that part is not looked at.
DEPTH_M, _NEXT_S = 0.002, 0.06
#: Places along a capsule that are looked at for still things.
_ALONG = 9

#: Both ends of everything's axis over time [m].
Ends: TypeAlias = tuple[FloatArray, FloatArray]
#: Ball, other thing, gaps over time as they are shown, and without planted feet [m].
Gaps: TypeAlias = tuple[str, str, FloatArray, FloatArray]


@dataclass(frozen=True, kw_only=True)
class Clash:
    """A ball where it cannot be.

    Attributes:
        ball: Its name.
        other: The body part, object or ball it is in.
        time_s: When it is deepest [s].
        depth_m: How deep [m].
    """

    ball: str
    other: str
    time_s: float
    depth_m: float

    def __str__(self) -> str:
        """For messages."""
        return f"{self.ball} is {1000 * self.depth_m:.0f} mm inside {self.other} at {self.time_s:.2f} s"


def clashes(system: System) -> tuple[Clash, ...]:
    """All clashes of a loaded system, deepest first; one per ball and other thing."""
    found = []
    times = looked_at_s(system.play.duration_s, strikes(system))
    for ball, other, gaps, _ in gap_tracks(system, times):
        deepest = int(gaps.argmin())
        if gaps[deepest] < -DEPTH_M:
            time, depth = float(times[deepest]), float(-gaps[deepest])
            found.append(Clash(ball=ball, other=other, time_s=time, depth_m=depth))
    return tuple(sorted(found, key=lambda clash: -clash.depth_m))


def gap_tracks(system: System, times: FloatArray) -> Iterator[Gaps]:
    """Gaps ``(n,)`` [m] of all pairs that come near, but for contacts that are meant."""
    places = {way.ball.name: _ends(system, way.ball, times) for way in system.play.ways}
    yield from _with_bodies(system, times, places)
    yield from _with_things(system, times, places)
    for one, two in combinations(system.play.ways, 2):
        apart = segments_apart(*places[one.ball.name], *places[two.ball.name])
        gaps = apart - one.ball.radius_m - two.ball.radius_m
        yield one.ball.name, two.ball.name, gaps, gaps


def strikes(system: System) -> tuple[float, ...]:
    """When balls bounce off bodies and implements [s], to a tenth of a second."""
    touched = [n for n, node in enumerate(system.layout.nodes) if node.player >= 0 and not node.ends]
    return tuple(sorted({round(float(system.nodes.time[n]), 1) for n in touched}))


@lru_cache(maxsize=64)
def looked_at_s(duration_s: float, struck_s: tuple[float, ...]) -> FloatArray:
    """Times to look at [s]: an even grid, and a finer one around strikes, when things move fast."""
    grid = np.arange(int(duration_s * SCAN_HZ))
    if not struck_s:
        return grid / SCAN_HZ
    fine = np.concatenate([np.arange(round((t - _AROUND_S) * _FINE_HZ), (t + _AROUND_S) * _FINE_HZ) for t in struck_s])
    steps = np.unique(np.concatenate([grid * round(_FINE_HZ / SCAN_HZ), fine.astype(np.int64)]))
    return steps[(steps >= 0) & (steps < duration_s * _FINE_HZ - 1)] / _FINE_HZ


def _ends(system: System, ball: Ball, times: FloatArray) -> Ends:
    """Both ends ``(n, 3)`` of a capsule's axis; of a ball, its centre twice."""
    centres = ball_states(system, ball.name, times)[0]
    if ball.length_m == 0.0:
        return centres, centres
    arm = 0.5 * ball.length_m * ball_axes(system, ball.name, times)
    return centres - arm, centres + arm


def _meant(system: System, ball: str, times: FloatArray) -> dict[str, BoolArray]:
    """Parts a ball is meant to touch, and when: mask per part."""
    way = system.play.ways.index(system.play.way(ball))
    meant: dict[str, BoolArray] = {}
    for stretch in stretches(system, ball):
        if stretch.node >= 0:
            hold = system.play.ways[way].legs[system.layout.nodes[stretch.node].leg[1]]
            assert isinstance(hold, Hold)
            near = (times > stretch.start_s - _NEXT_S) & (times < stretch.end_s + _NEXT_S)
            meant[hold.part] = meant.get(hold.part, np.zeros(len(times), dtype=bool)) | near
    for n, node in enumerate(system.layout.nodes):
        leg = system.play.ways[way].legs[node.leg[1]] if node.leg[0] == way else None
        if isinstance(leg, Touch):
            near = np.abs(times - system.nodes.time[n]) < _NEXT_S
            meant[leg.part] = meant.get(leg.part, np.zeros(len(times), dtype=bool)) | near
    return meant


def _with_bodies(system: System, times: FloatArray, places: dict[str, Ends]) -> Iterator[Gaps]:
    for number, actor in enumerate(system.play.actors):
        names = [*actor.fitted_body.capsule_names, *(one.name for one in actor.implements)]
        parts = [actor.part(name) for name in names]
        tracks = [track_of(shown(system, number, plant=plant), parts, times) for plant in (True, False)]
        for way in (way for way in system.play.ways if way.ball.name in places):
            radii = np.array([part[3] for part in parts]) + way.ball.radius_m
            both = [_ball_gaps(track, radii, places[way.ball.name]) for track in tracks]
            for part, mask in _meant(system, way.ball.name, times).items():
                owner, _, piece = part.partition(".")
                if owner == actor.name and piece in names:
                    both[0][mask, names.index(piece)] = 1.0
            for k in np.flatnonzero(both[0].min(axis=0) < 0.0):
                yield way.ball.name, f"{actor.name}.{names[k]}", both[0][:, k], both[1][:, k]


def _ball_gaps(track: FloatArray, radii: FloatArray, ends: Ends) -> FloatArray:
    """Gaps ``(n, parts)`` [m] between a ball or capsule and parts."""
    if ends[0] is not ends[1]:
        apart = segments_apart(ends[0][:, None], ends[1][:, None], track[:, :, 0], track[:, :, 1])
        return np.asarray(apart - radii)
    gaps = np.empty(track.shape[:2])
    ball_gaps(track, radii, ends[0], gaps)
    return gaps


def track_of(motion: Motion, parts: Sequence[Part], times: FloatArray) -> FloatArray:
    """World ends ``(n, parts, 2, 3)`` [m] of parts of a moving body at times."""
    return part_ends(forward(motion.skeleton, *motion.sample(times)), parts)


def _with_things(system: System, times: FloatArray, places: dict[str, Ends]) -> Iterator[Gaps]:
    names = [thing.name for thing in system.play.scene.objects] + (["floor"] if system.play.scene.floor else [])
    for way in (way for way in system.play.ways if way.ball.name in places):
        meant = _meant(system, way.ball.name, times)
        for name in names:
            surface = surface_of(system.play, name)
            start, end = places[way.ball.name]
            gaps = np.full(len(times), np.inf)
            for share in np.linspace(0.0, 1.0, _ALONG if way.ball.length_m > 0.0 else 1):
                inside = (start + share * (end - start) - surface.place) @ surface.turn
                gaps = np.minimum(gaps, surface.off(inside)[0] - way.ball.radius_m)
            gaps[meant.get(name, np.zeros(len(times), dtype=bool))] = 1.0
            if gaps.min() < 0.0:
                yield way.ball.name, name, gaps, gaps


def starts_inside(system: System) -> list[str]:
    """Balls that begin their flight inside a body or a thing, in words."""
    found = []
    for number, way in enumerate(system.play.ways):
        if not isinstance(way.legs[0], Start):
            continue
        n = next(n for n, node in enumerate(system.layout.nodes) if node.leg[0] == number)
        time = np.array([float(system.nodes.time[n])])
        places = {way.ball.name: _ends(system, way.ball, time)}
        for ball, other, gaps, _ in (*_with_bodies(system, time, places), *_with_things(system, time, places)):
            if gaps[0] < -DEPTH_M:
                found.append(f"{ball} begins {-1000 * gaps[0]:.0f} mm inside {other} at {time[0]:.2f} s")
    return found
