"""Arms beside furniture: where a swinging arm would touch something, it is drawn in before and let go after.

Distances of each arm from the scene are known for the walk as it is and for the same walk with the arm held in each of
a few ways. Around every moment at which the arm would touch, the first way that is free goes over the swing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from understudy import rotations as rot
from understudy.collision import Checker, CollisionBody, World, world_of
from understudy.core.body import Body
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.kinematics.clearing import clear_of_body
from understudy.locomotion.footsteps.bearing import Bearing, borne
from understudy.locomotion.footsteps.footing import SIDES
from understudy.scene.contacts import FLOOR
from understudy.scene.scene import Scene
from understudy.typing import BoolArray, FloatArray

#: How an arm is drawn in, the most natural first.
DRAWN_IN: tuple[Bearing, ...] = (
    Bearing(name="at the hip", ahead=0.12, below=0.72, aside=0.06, swing=0.0, in_line=True),
    Bearing(name="beside the hip", ahead=0.2, below=0.66, aside=0.16, swing=0.0, in_line=True),
    Bearing(name="before the belly", ahead=0.40, below=0.50, aside=-0.10, swing=0.0, in_line=True),
    Bearing(name="before the chest", ahead=0.34, below=0.2, aside=-0.04, swing=0.0, in_line=True),
    Bearing(name="before the shoulders", ahead=0.46, below=0.12, aside=0.04, swing=0.0, in_line=True),
)
#: [m] distance an arm keeps; [1/s] how often it is looked at.
_KEPT_M, _LOOKS_HZ = 0.015, 30.0
#: [rad/s] how fast an arm is drawn in, [s] how long that takes at least, and is held around what it passes.
_FASTEST_RADPS, _LEAST_S, _HELD_S = 2.5, 0.45, 0.1
#: Largest slope of a smooth step.
_PEAK = 1.875
#: [m] overlap with the own body that is none.
_TOUCH_M = 5e-4
#: How often what an arm meets on its way in or out makes it set off earlier.
_PASSES = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class ArmRoom:
    """The room that arms have in a scene.

    Attributes:
        body: Who walks.
        scene: What stands around; the floor and the walker do not count.
    """

    body: Body
    scene: Scene

    @cached_property
    def checker(self) -> Checker | None:
        """The body in the scene; ``None`` where nothing stands."""
        obstacles = [one for one in world_of(self.scene).obstacles if one.name != FLOOR]
        return Checker(CollisionBody(self.body), World(obstacles)) if obstacles else None

    def cleared(self, motion: Motion) -> Motion:
        """The motion with arms drawn in where they would touch something; they touch where nothing helps."""
        if self.checker is None:
            return motion
        for side in SIDES:
            motion = self._drawn_in(motion, side)
        return motion

    def gaps_m(self, motion: Motion, side: str) -> tuple[FloatArray, FloatArray]:
        """Distance of an arm from everything around, and from the own body, ``(frames,)`` each [m]."""
        from understudy.collision._distance_kernels import poses_nearest

        checker = self.checker
        assert checker is not None
        arrays, whole = checker.body.arrays, checker.body.whole
        mine = whole.capsules[np.isin(arrays.joints[whole.capsules], self.body.skeleton.limb(f"{side}_arm"))]
        other = np.isin(whole.pairs, mine).sum(axis=1) == 1
        part = whole._replace(
            capsules=mine, pairs=whole.pairs[other], gaps=whole.gaps[other], shared=whole.shared[other]
        )
        out = np.zeros((len(motion), 3, 14))
        times = np.arange(len(motion)) / motion.fps
        roots = np.ascontiguousarray(motion.root_positions, dtype=np.float64)
        local = np.ascontiguousarray(motion.rotations, dtype=np.float64)
        world = checker.world
        room = checker.room()
        at = (world.solids, world.tracks, room, roots, local, times, checker.touchable, out)
        # Pairs of the own body need the places of all its capsules.
        poses_nearest(arrays, whole._replace(pairs=part.pairs, gaps=part.gaps, shared=part.shared), *at)
        own = out[:, 2, 0].copy()
        poses_nearest(arrays, part, *at)
        return np.asarray(out[:, :2, 0].min(axis=1)), own

    def _drawn_in(self, motion: Motion, side: str) -> Motion:
        """The motion with one arm drawn in where it would touch something."""
        step = max(1, round(motion.fps / _LOOKS_HZ))
        few = replace(motion, rotations=motion.rotations[::step], root_positions=motion.root_positions[::step])
        few = replace(few, fps=motion.fps / step)
        room, apart = self.gaps_m(few, side)
        near = room < _KEPT_M
        if not near.any():
            return motion
        ways = [borne(few, side, None, bearing) for bearing in DRAWN_IN]
        # An arm may touch the own body where it does so anyway.
        least = np.minimum(apart, 0.0)
        gaps = np.stack([_joint_gap(*self.gaps_m(way, side), least) for way in ways])
        arm = list(motion.skeleton.limb(f"{side}_arm"))
        away_rad = [float(rot.angle_between(way.rotations[:, arm], few.rotations[:, arm]).max()) for way in ways]
        ramps_s = [max(_LEAST_S, _PEAK * angle / _FASTEST_RADPS) for angle in away_rad]
        times = np.arange(len(few)) / few.fps
        spans = _spans(near, room, gaps, ramps_s, few.fps)
        for _ in range(_PASSES):
            mixed = _mixed(few, ways, spans, times, ramps_s)
            met = (_joint_gap(*self.gaps_m(mixed, side), least) < _KEPT_M) & ~near
            if not met.any():
                break
            near |= met
            spans = _spans(near, room, gaps, ramps_s, few.fps)
        used = sorted({span.way for span in spans})
        full = {way: borne(motion, side, None, DRAWN_IN[way]) for way in used}
        made = _mixed(motion, full, spans, np.arange(len(motion)) / motion.fps, ramps_s)
        apart = self.gaps_m(made, side)[1]
        if apart.min() >= least.min() - _TOUCH_M:
            return made
        # On its way in, an arm passes beside the hip.
        local = clear_of_body(made.skeleton, made.root_positions, made.rotations, fps=made.fps)
        return replace(made, rotations=rot.continuous(local))


def _joint_gap(room: FloatArray, apart: FloatArray, least: FloatArray) -> FloatArray:
    """Distance from things [m], less than nothing by as much as an arm is deeper in the own body than it need be."""
    return np.minimum(room, np.where(apart < least - _TOUCH_M, apart - least, np.inf))


@dataclass(frozen=True, kw_only=True)
class _Span:
    """An arm that is drawn in from one time to another [s], in one of the ways."""

    way: int
    start_s: float
    end_s: float


def _spans(near: BoolArray, own: FloatArray, gaps: FloatArray, ramps_s: list[float], fps: float) -> list[_Span]:
    """Spans around frames ``(frames,)`` in which an arm is too near; the first way that is free, or the freest.

    Where no way leaves an arm more room than it has of its own it swings on.
    """
    frames = np.flatnonzero(near)
    apart = np.flatnonzero(np.diff(frames) > min(ramps_s) * fps) + 1
    spans = []
    for run in np.split(frames, apart):
        room = gaps[:, run[0] : run[-1] + 1].min(axis=1)
        free = np.flatnonzero(room >= _KEPT_M)
        way = int(free[0]) if len(free) else int(room.argmax())
        if room[way] <= own[run].min():
            continue
        spans.append(_Span(way=way, start_s=run[0] / fps - _HELD_S, end_s=run[-1] / fps + _HELD_S))
    return spans


def _mixed(
    motion: Motion,
    ways: dict[int, Motion] | list[Motion],
    spans: list[_Span],
    times: FloatArray,
    ramps_s: list[float],
) -> Motion:
    """The motion, going over into the ways and back."""
    turns = motion.rotations
    for way in sorted({span.way for span in spans}):
        left = np.ones(len(times))
        for span in (one for one in spans if one.way == way):
            outside = np.maximum(np.maximum(span.start_s - times, times - span.end_s), 0.0)
            left *= 1.0 - smoothstep(1.0 - outside / ramps_s[way])
        turns = rot.slerp(turns, ways[way].rotations, 1.0 - left[:, None])
    return replace(motion, rotations=rot.continuous(turns))
