"""Legs of one hand from knot to knot: to something, on with it to where it is put, and back to the clip.

At a knot the scene changes: something is taken or put down, or only touched. Before the first knot and after the last
the hand follows its clip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.limbs.following import tracked
from understudy.limbs.handling.aims import DWELL_S, Aim
from understudy.limbs.handling.carrying import carried
from understudy.limbs.handling.choices import Choice
from understudy.limbs.hands import hand_pose
from understudy.limbs.legs import Leg
from understudy.limbs.options import LimbOptions
from understudy.limbs.parting import NEAR_M, parted
from understudy.limbs.refusals import Refusal
from understudy.limbs.retreat import retreat
from understudy.limbs.seeds import EndTarget
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import Pace, needed_s
from understudy.limbs.stage import Stage
from understudy.limbs.targets import outward
from understudy.limbs.window import Window, window_of
from understudy.scene.contacts import ContactRule
from understudy.scene.transforms import Pose
from understudy.typing import FloatArray

#: [s] least time to get there, and back.
LEAST_S = 0.25
#: [s] between moments at which a hand that stays is exactly on its target.
_MET_S = 0.1
#: [m] room kept while something is lifted: a forearm is near it.
_HELD_UP_M = 0.006


@dataclass(frozen=True, eq=False, kw_only=True)
class Knot:
    """A hand on its aim.

    Attributes:
        aim: What the hand does there.
        choice: Its posture.
        joint: Where the hand joint is then.
        frame: When.
        before: The stage until then.
        after: The stage from then on.
        window: The limb from the knot before, or where the plan begins, to this one.
        stay: ``(n, parameters + 1)`` offsets [rad] and times [s] of a hand that stays on its target for a while.
    """

    aim: Aim
    choice: Choice
    joint: Pose
    frame: int
    before: Stage
    after: Stage
    window: Window
    stay: FloatArray | None = None

    @property
    def offset(self) -> FloatArray:
        """``(parameters,)`` [rad] of its posture."""
        return self.choice.posture.offset


@dataclass(frozen=True, eq=False)
class Frames:
    """A window about knots: first frame, last, and room at its ends for smoothing [s]; and where the limb ends."""

    first: int
    last: int
    room_s: float
    home: FloatArray


@dataclass(frozen=True, eq=False)
class Means:
    """How a limb is planned: its pace, speeds of its joints, options, deadline, random numbers."""

    bars: dict[str, Pace]
    speeds: FloatArray
    options: LimbOptions
    watch: Watch
    seed: int


@dataclass(frozen=True, eq=False)
class _End:
    """One end of a leg: the offset there, when [s], the way straight out of the contact, and the stay at the knot."""

    offset: FloatArray
    time_s: float
    rows: FloatArray | None
    stay: tuple[Leg, ...] = ()


def knot_of(aim: Aim, choice: Choice, frame: int, window: Window) -> Knot | Refusal:
    """A hand on its aim, and the scene from then on; or what it would be in then."""
    stage, space, offset = window.stage, window.space, choice.posture.offset
    joint = hand_pose(stage, space, aim.hand, aim.time_s, offset)
    after = replace(stage, scene=aim.after(stage.scene, joint, choice.way), _shared={})
    if frame < len(stage.motion) - 1:
        slack, pair = window_of(after, space, frame, frame + 1).nearest(offset, aim.time_s)
        if slack < 0.0 and pair[1]:
            said = f"with {aim.object or 'it'} in hand {pair[0]} is in {pair[1]} at {aim.time_s:.2f} s"
            return Refusal(status=Status.INFEASIBLE_GOAL, reason=said)
    stay = None
    if aim.hold_s > 0.0:
        stay = _followed(aim, after, space, offset, joint, frame)
        if stay is None:
            until_s = aim.time_s + aim.hold_s
            said = f"the {aim.hand} arm cannot follow {aim.name} from {aim.time_s:.2f} to {until_s:.2f} s"
            return Refusal(status=Status.EXHAUSTED, reason=said)
    return Knot(aim=aim, choice=choice, joint=joint, frame=frame, before=stage, after=after, window=window, stay=stay)


def _followed(
    aim: Aim, stage: Stage, space: LimbSpace, offset: FloatArray, joint: Pose, frame: int
) -> FloatArray | None:
    """Offsets and times ``(n, parameters + 1)`` that keep a hand on its target; nothing where the arm cannot."""
    fps = stage.motion.fps
    frames = range(frame, frame + max(round(aim.hold_s * fps), 1) + 1)
    times = stage.start_s + np.array(frames) / fps
    moved = np.array([aim.target_at(float(time)) for time in times]) - aim.target_at(aim.time_s)
    window = window_of(stage, space, frame, frames[-1])
    poses = joint[0] + moved, np.repeat(joint[1][None], len(frames), axis=0)
    found = tracked(window, offset, frames, poses)
    return None if found is None else np.hstack([found, times[:, None]])


def legs_of(knots: Sequence[Knot], elsewhere: tuple[ContactRule, ...], frames: Frames, means: Means) -> list[Leg]:
    """Legs from the clip past knots, in the order of time, and back to the clip.

    Args:
        knots: Where the hand has to be.
        elsewhere: Contacts that are meant anyway.
        frames: From when to when.
        means: How.
    """
    first, last = knots[0], knots[-1]
    none, starts = np.zeros(len(first.offset)), first.window.start_s + frames.room_s
    end = _arrival(first, starts, means)
    legs = parted([*_leg(first.window, _End(none, starts, None), end)], _strict(first.before, elsewhere, first), -1)
    for one, two in pairwise(knots):
        middle = 0.5 * (one.aim.time_s + two.aim.time_s)
        start, end = _departure(one, two.window, middle, means), _arrival(two, middle, means)
        strict = _strict(two.before, elsewhere, one, two)
        leg, *near = parted([replace(_leg(two.window, start, end)[0], leaving=None)], strict, -1)
        # Where something is put down nothing is strict: the far part is only where the near one is a part of its own.
        leg = replace(leg, leaving=start.rows)
        legs += [*start.stay, *(parted([leg], strict, 1) if near else [leg]), *near, *end.stay]
    if frames.last > last.frame:
        after = window_of(last.after, last.window.space, last.frame, frames.last)
        legs += parted(_onward(last, after, frames, means), _strict(last.after, elsewhere, last), 1)
    return legs


def _strict(stage: Stage, elsewhere: tuple[ContactRule, ...], *knots: Knot) -> Stage:
    """The stage on which nothing is lenient but what is meant."""
    return replace(stage, allow=(*elsewhere, *(rule for one in knots for rule in one.aim.resting)))


def _leg(window: Window, start: _End, end: _End) -> list[Leg]:
    """A leg between two ends, and the stay after it."""
    leg = Leg(
        window=window,
        start_s=start.time_s,
        end_s=end.time_s,
        start=start.offset,
        end=end.offset,
        leaving=start.rows,
        arriving=end.rows,
        soft=bool(end.stay),
    )
    return [leg, *end.stay]


def _arrival(knot: Knot, since_s: float, means: Means) -> _End:
    """How a hand comes to a knot; where something rests and there is time, it is there a moment early."""
    aim, window, stage = knot.aim, knot.window, knot.before
    offset, time_s, stay = knot.offset, aim.time_s, tuple[Leg, ...]()
    frame = knot.frame - round(DWELL_S * stage.motion.fps)
    early_s = stage.start_s + frame / stage.motion.fps
    early = _kept(knot, stage, window, frame, means) if aim.rests and early_s - since_s > LEAST_S else None
    if early is not None:
        hold = Leg(window=window, start_s=early_s, end_s=time_s, start=early, end=offset, margin_m=NEAR_M)
        offset, time_s, stay = early, early_s, (hold,)
    return _End(offset, time_s, _plant(knot, window, offset, means, time_s, -1), stay)


def _departure(knot: Knot, window: Window, until_s: float, means: Means) -> _End:
    """How a hand leaves a knot; where something rests and there is time, it stays a moment longer."""
    aim, stage = knot.aim, knot.after
    if knot.stay is not None:
        return _leaving(knot, window, knot.stay, means)
    offset, time_s, stay = knot.offset, aim.time_s, tuple[Leg, ...]()
    frame = knot.frame + round(DWELL_S * stage.motion.fps)
    late_s = stage.start_s + frame / stage.motion.fps
    late = _kept(knot, stage, window, frame, means) if aim.rests and until_s - late_s > LEAST_S else None
    if late is not None:
        hold = Leg(window=window, start_s=time_s, end_s=late_s, start=offset, end=late, soft=True, margin_m=NEAR_M)
        offset, time_s, stay = late, late_s, (hold,)
    return _End(offset, time_s, _plant(knot, window, offset, means, time_s, 1), stay)


def _leaving(knot: Knot, window: Window, stay: FloatArray, means: Means) -> _End:
    """How a hand leaves a target on which it has stayed."""
    count = max(round(knot.aim.hold_s / _MET_S), 1)
    rows = stay[np.unique(np.linspace(0, len(stay) - 1, count + 1).astype(int))]
    legs = tuple(
        Leg(window=window, start_s=a[-1], end_s=b[-1], start=a[:-1], end=b[:-1], path=np.stack([a, b]))
        for a, b in pairwise(rows)
    )
    offset, time_s = rows[-1, :-1], float(rows[-1, -1])
    return _End(offset, time_s, _plant(knot, window, offset, means, time_s, 1), legs)


def _onward(knot: Knot, after: Window, frames: Frames, means: Means) -> list[Leg]:
    """Back to the clip, or to where a load can be carried; where there is no time left, the hand stays."""
    aim, stage, offset = knot.aim, knot.after, knot.offset
    back_s, ends = after.end_s - frames.room_s, frames.last == len(stage.motion) - 1
    if ends and back_s - aim.time_s - aim.hold_s < 2.0 * LEAST_S:
        stays = _End(offset, aim.time_s, None) if knot.stay is None else _leaving(knot, after, knot.stay, means)
        if after.end_s - stays.time_s < LEAST_S and stays.stay:
            return list(stays.stay)
        end = Leg(window=after, start_s=stays.time_s, end_s=after.end_s, start=stays.offset, end=stays.offset)
        return [*stays.stay, end]
    home, onward = frames.home, []
    near = _HELD_UP_M if aim.holds_up else None
    if aim.fills:
        up = _plant(knot, after, offset, means, aim.time_s, 1)[:, :-1] if aim.holds_up else None
        # At the end of the motion, too, what is held has to be somewhere.
        frame = frames.last - (max(round(frames.room_s * stage.motion.fps), 2) if ends else 0)
        found = carried(stage, after.space, frame, means.options, up)
        if found is not None and np.any(found[1]):
            home, back_s = found[1], found[0].start_s
            onward = [Leg(window=found[0], start_s=back_s, end_s=found[0].end_s, start=home, end=home, margin_m=near)]
    start = _departure(knot, after, back_s, means)
    back = replace(_leg(after, start, _End(home, back_s, None))[0], margin_m=near)
    return [*start.stay, back, *onward]


def _kept(knot: Knot, stage: Stage, window: Window, frame: int, means: Means) -> FloatArray | None:
    """The offset that has the hand, at another frame, where it is at the moment itself; with its target before that.

    Nothing where the arm would be too fast for that: whoever walks past takes things without stopping.
    """
    aim, time_s = knot.aim, stage.start_s + frame / stage.motion.fps
    moved = aim.target_at(time_s) - aim.target_at(aim.time_s) if time_s < aim.time_s else np.zeros(3)
    clip = window.parameters(np.array([aim.time_s, time_s]))
    start = clip[0] + knot.offset - clip[1]
    poses = (knot.joint[0] + moved)[None], knot.joint[1][None]
    found = tracked(window, start, range(frame, frame + 1), poses)
    if found is None:
        return None
    needed = needed_s(window.space, found - knot.offset, means.speeds)[0]
    return found[0] if needed < 0.9 * abs(time_s - aim.time_s) else None


def _plant(knot: Knot, window: Window, offset: FloatArray, means: Means, time_s: float, sign: int) -> FloatArray:
    """The way straight out from the aim, to plant in a tree; the hand is not turned on it.

    What is lifted or lowered goes straight up or down; an empty hand leaves what it lies on as soon as it can.
    """
    aim, way, joint = knot.aim, knot.choice.way, knot.joint
    there, loaded = way.end.position, (aim.lifts and sign > 0) or (aim.empties and sign < 0)
    touched = [rule.b for rule in aim.touching]
    lying = None if loaded else outward(window.stage, aim.hand, joint, touched, aim.time_s)
    out = np.array([0.0, 1.0, 0.0]) if sign > 0 and aim.lifts else way.out
    moved = aim.target_at if sign < 0 or aim.hold_s > 0.0 else (lambda _: aim.target_at(aim.time_s))
    shift = there - aim.target_at(aim.time_s)
    return retreat(
        window,
        offset,
        time_s,
        lambda when: moved(when) + shift,
        out if lying is None else lying,
        EndTarget(position=there, point=way.end.point),
        means.speeds,
        sign,
        joint[1],
        straight=loaded,
    )
