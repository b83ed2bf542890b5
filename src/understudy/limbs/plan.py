"""Planning a limb over one window or several in a row: search, smooth, certify, keep the pace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.planning import Status, Watch
from understudy.limbs.options import LimbOptions
from understudy.limbs.search import Found, Query, search
from understudy.limbs.smoothing import Pin, on_frames, pinned, smoothed, widest
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import Pace, joint_limits_rad_s, judged_limbs, turns_of
from understudy.limbs.stage import Stage
from understudy.limbs.trace import Change
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: Share of a window at each end that is left to smoothing, and its bounds [s].
_SHRUNK, _SHRUNK_LEAST_S, _SHRUNK_MOST_S = 0.16, 0.06, 0.3
#: Shares of the clip's own swing that are taken out of a plan, in the order in which they are tried: a limb that
#: reaches while it swings may be too fast.
CALMS = (0.0, 0.5, 1.0)
#: [s] how far the low-pass filter of speeds looks.
_REMEMBERED_S = 0.6
#: [s] legs shorter than this get this many samples at most.
_SHORT_S, _FEW = 0.3, 120
#: Widths of the bumps that put a limb back exactly where it has to be, over the smoothing kernel's; endless first.
_BUMPS = (np.inf, 2.2)
#: [m] part of the room at a start or goal that is not used.
_ROUNDING_M = 2e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class Leg:
    """One stretch of a plan, from a knot to the next.

    Attributes:
        window: The limb and its world there; its frames hold both knots.
        start_s: When it begins [s].
        end_s: When it ends [s].
        start: ``(parameters,)`` [rad] offset from the clip there.
        end: The same at its end.
        leaving: ``(n, parameters + 1)`` offsets and times to leave the start by, if free; none unless given.
        arriving: The same to arrive at the end by, from the end backwards in time.
        soft: Whether the end is only on the way and may be smoothed over.
        hints: ``(n, parameters + 1)`` offsets and times that a way may well lead past.
        margin_m: Distance kept while searching [m], where it is less than the options': beside what is touched.
    """

    window: Window
    start_s: float
    end_s: float
    start: FloatArray
    end: FloatArray
    leaving: FloatArray | None = None
    arriving: FloatArray | None = None
    soft: bool = False
    hints: FloatArray | None = None
    margin_m: float | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """What planning came to.

    Attributes:
        status: ``SOLVED`` when the offsets are certified and keep the pace.
        space: The limb.
        first: First frame of ``offsets``.
        offsets: ``(frames, parameters)`` [rad] to add to the clip; empty without a solution.
        reason: Why there is none.
        blame: What stood in the way: two names, or nothing.
        found: What the searches found, leg by leg.
        width_s: Width of the smoothing kernel [s].
        hasty: Whether all that is wrong with it is that the limb would be too fast.
    """

    status: Status
    space: LimbSpace
    first: int = 0
    offsets: FloatArray
    reason: str = ""
    blame: tuple[str, str] | None = None
    hasty: bool = False
    found: tuple[Found, ...] = ()
    width_s: float = 0.0

    def applied(self, motion: Motion) -> Motion:
        """The motion with the plan's offsets; frames without an offset are untouched bit for bit."""
        return replace(motion, rotations=changed_rotations(motion, self.space, self.first, self.offsets))

    def change(self, window: Window) -> Change:
        """What the plan changes in its window, for traces."""
        return Change(
            limb=self.space.name,
            start_s=window.start_s,
            end_s=window.end_s,
            status=self.status,
            path=np.concatenate([one.path for one in self.found]),
            nodes=np.concatenate([one.nodes for one in self.found]),
            width_s=self.width_s,
        )


def changed_rotations(motion: Motion, space: LimbSpace, first: int, offsets: FloatArray) -> FloatArray:
    """Rotations of a motion with offsets added to a limb from frame ``first`` on."""
    rotations = np.array(motion.rotations)
    frames = first + np.flatnonzero(np.any(offsets != 0.0, axis=1))
    if len(frames):
        chain = np.array(space.joints, dtype=np.int64)
        moved = space.with_offsets(rotations[frames], offsets[frames - first])
        rotations[frames[:, None], chain] = moved[:, chain]
    return rotations


def shrink_s(duration_s: float) -> float:
    """How far inside a window a path begins and ends, so that its smoothed offset ends within it [s]."""
    return float(np.clip(_SHRUNK * duration_s, _SHRUNK_LEAST_S, _SHRUNK_MOST_S))


def plan_legs(
    legs: Sequence[Leg],
    pace: Mapping[str, Pace],
    options: LimbOptions,
    watch: Watch,
    *,
    widest_s: float,
    seed: int = 0,
) -> Plan:
    """Plan a chain of legs that meet at knots; inner knots are met exactly.

    Args:
        legs: In the order of time, of one limb, each beginning where the one before ends.
        pace: Bars of the limb's turns (``speeds.pace``).
        options: How to search.
        watch: Deadline and stages.
        widest_s: Widest kernel to smooth with: twice the room that windows leave before the first and after the last
            knot [s].
        seed: Of the random numbers.
    """
    space = legs[0].window.space
    speeds = joint_limits_rad_s(space, dict(pace), options.speed_share)
    found: list[Found] = []
    for k, leg in enumerate(legs):
        watch.stage("search")
        now = _beside(leg, options)
        reaching = bool(np.any(leg.start) or np.any(leg.end))
        one = search(leg.window, _query(leg, now), speeds, now, seed=seed * 8 + k, reaching=reaching)
        found.append(one)
        if not one:
            return _failed(space, found, f"no free way found from {leg.start_s:.2f} s to {leg.end_s:.2f} s")
    watch.stage("smooth")
    return _smoothest(legs, found, pace, options, widest_s)


def _beside(leg: Leg, options: LimbOptions) -> LimbOptions:
    """Options for one leg: near what is touched there is less room, and what is short is found soon or never."""
    room = options.margin_m if leg.margin_m is None else min(leg.margin_m, options.margin_m)
    samples = options.iterations if leg.end_s - leg.start_s > _SHORT_S else min(options.iterations, _FEW)
    return replace(options, margin_m=room, iterations=samples)


def _query(leg: Leg, options: LimbOptions) -> Query:
    """A search between a leg's knots; where they have less room than the margin, their own room is kept."""
    room = []
    for offset, when in ((leg.start, leg.start_s), (leg.end, leg.end_s)):
        slack, _ = leg.window.nearest(offset, when, within_m=options.margin_m + 0.01)
        room.append(max(min(slack - _ROUNDING_M, options.margin_m), 0.0))
    none = np.empty((0, len(leg.start) + 1))
    return Query(
        start=leg.start,
        start_s=leg.start_s,
        goal=leg.end,
        goal_s=leg.end_s,
        leaving=none if leg.leaving is None else leg.leaving,
        arriving=none if leg.arriving is None else leg.arriving,
        hints=none if leg.hints is None else leg.hints,
        start_m=room[0],
        goal_m=room[1],
    )


def _failed(space: LimbSpace, found: Sequence[Found], reason: str, blame: tuple[str, str] | None = None) -> Plan:
    return Plan(
        status=Status.EXHAUSTED,
        space=space,
        offsets=np.empty((0, len(space))),
        reason=reason,
        blame=blame,
        found=tuple(found),
    )


def _smoothest(
    legs: Sequence[Leg], found: Sequence[Found], pace: Mapping[str, Pace], options: LimbOptions, widest_s: float
) -> Plan:
    """The widest smoothing that certifies and keeps the pace, with as much of the clip's own swing as that allows."""
    stage, space = legs[0].window.stage, legs[0].window.space
    first, last = legs[0].window.first, legs[-1].window.last
    times = stage.start_s + np.arange(first, last + 1) / stage.motion.fps
    rough = on_frames(np.concatenate([one.path for one in found]), times)
    stills = _stilled(legs, times)
    exact = [leg for leg in legs if not leg.soft and (leg is not legs[-1] or np.any(leg.end))]
    pins = [Pin(time_s=leg.end_s, offset=leg.end) for leg in exact]
    failed: list[Plan] = []
    for calm, bump in ((calm, bump) for calm in CALMS for bump in (_BUMPS if pins else _BUMPS[:1])):
        swing = rough + calm * stills
        chosen, why = widest(
            lambda width_s, swing=swing, bump=bump: _exact(  # type: ignore[misc]
                stage, space, first, smoothed(swing, times, width_s), times, pins, bump * width_s
            ),
            lambda offsets: _first_touch(legs, offsets, first, options.kept_m),
            widest_s,
        )
        slow = "" if chosen is None else too_fast(stage, space, first, chosen[1], pace)
        if chosen is None:
            failed.append(_failed(space, found, f"the way found cannot be smoothed: {why[0]} meets {why[1]}", why))
        elif slow:
            failed.append(replace(_failed(space, found, slow), hasty=True))
        else:
            return Plan(
                status=Status.SOLVED, space=space, first=first, offsets=chosen[1], found=tuple(found), width_s=chosen[0]
            )
    return failed[0]


def _stilled(legs: Sequence[Leg], times: FloatArray) -> FloatArray:
    """Offsets ``(frames, parameters)`` that put a straight line in place of the clip's own swing in every leg."""
    offsets = np.zeros((len(times), len(legs[0].start)))
    for leg in legs:
        inside = (times > leg.start_s) & (times < leg.end_s)
        clip = leg.window.parameters(times[inside])
        ends = leg.window.parameters(np.array([leg.start_s, leg.end_s]))
        share = ((times[inside] - leg.start_s) / (leg.end_s - leg.start_s))[:, None]
        offsets[inside] = ends[0] + share * (ends[1] - ends[0]) - clip
    return offsets


def _exact(
    stage: Stage,
    space: LimbSpace,
    first: int,
    offsets: FloatArray,
    times: FloatArray,
    pins: Sequence[Pin],
    widest_s: float,
) -> FloatArray:
    """Offsets that meet every pin, also between two frames, where the pose is interpolated by slerp."""
    met = pinned(offsets, times, pins, widest_s)
    moved = []
    for pin in pins:
        place = min((pin.time_s - times[0]) * stage.motion.fps, len(times) - 1 - 1e-9)
        f, share = int(place), place - int(place)
        clip = stage.motion.rotations[first + f : first + f + 2]
        between = rot.slerp(clip[0], clip[1], share)
        made = space.with_offsets(clip, met[f : f + 2])
        now = space.parameters(rot.slerp(made[0], made[1], share)) - space.parameters(between)
        missing = (pin.offset - now + np.pi) % (2.0 * np.pi) - np.pi
        moved.append(Pin(time_s=pin.time_s, offset=pin.offset + missing))
    return pinned(offsets, times, moved, widest_s)


def _first_touch(legs: Sequence[Leg], offsets: FloatArray, first: int, kept_m: float) -> tuple[str, str] | None:
    """What the limb meets first when it follows offsets; ``None`` when every leg is certified free."""
    for leg in legs:
        window = leg.window
        found = window.first_touch(
            offsets[window.first - first : window.last - first + 1], window.frame_times_s, kept_m
        )
        if found is not None:
            return found[1]
    return None


def too_fast(stage: Stage, space: LimbSpace, first: int, offsets: FloatArray, pace: Mapping[str, Pace]) -> str:
    """Which limb turns faster than its pace allows; empty when none does."""
    # What lies farther away than the filter remembers is as fast as it was.
    around = round(_REMEMBERED_S * stage.motion.fps)
    begin, stop = max(first - around, 0), min(first + len(offsets) + around, len(stage.motion))
    part = stage.motion.frames(begin, stop)
    rotations = changed_rotations(part, space, first - begin, offsets)
    for name, joints in judged_limbs(space).items():
        speeds, accelerations = turns_of(rotations[:, list(joints)], stage.motion.fps)
        if speeds.max() > pace[name].speed:
            return f"{name} would turn at {speeds.max():.1f} rad/s; {pace[name].speed:.1f} is the most its pace allows"
        if accelerations.max() > pace[name].acceleration:
            return (
                f"{name} would accelerate at {accelerations.max():.0f} rad/s^2; "
                f"{pace[name].acceleration:.0f} is the most its pace allows"
            )
    return ""
