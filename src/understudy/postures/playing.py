"""Stances played one after the other: each is planned with its supports pinned, and begins where the last one ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.core.pose import Pose
from understudy.errors import PlanningInputError
from understudy.postures.bearing import bearing_of
from understudy.postures.faults import faults_of
from understudy.postures.gait import stepped
from understudy.postures.gentling import gentler
from understudy.postures.grounding import Shift
from understudy.postures.legs import legs_through, played_leg
from understudy.postures.making import Made, motion_through, played_back
from understudy.postures.moves import NoMoveError
from understudy.postures.options import BetweenOptions
from understudy.postures.pins import Pin
from understudy.postures.problem import Problem, problem_of
from understudy.postures.recalling import eased
from understudy.postures.relaxing import relaxed
from understudy.postures.spacetime import Refined
from understudy.postures.stances import STATION, Stance
from understudy.postures.stations import standing_ahead
from understudy.postures.strides import strides_between
from understudy.postures.trace import RECORDED, STEPPED, Borne, Leg
from understudy.scene.scene import Scene
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Planned:
    """A stance with the ways between its postures.

    Attributes:
        stance: The stance.
        problem: It in coordinates.
        legs: The ways found, up to the first that was not.
    """

    stance: Stance
    problem: Problem
    legs: tuple[Leg, ...]

    @property
    def whole(self) -> bool:
        """Whether every way was found."""
        return len(self.legs) == len(self.problem.keys) - 1

    @property
    def parts(self) -> list[Planned]:
        """Every way by itself."""
        return [
            Planned(
                stance=replace(self.stance, poses=self.stance.poses[n : n + 2], given=self.stance.given[n : n + 2]),
                problem=replace(self.problem, keys=self.problem.keys[n : n + 2]),
                legs=(leg,),
            )
            for n, leg in enumerate(self.legs)
        ]


@dataclass(frozen=True, eq=False, kw_only=True)
class Played:
    """A motion through stances.

    Attributes:
        motion: The motion.
        key_times_s: ``(keys,)`` when it is at the key postures [s].
        stances: What bears the body when.
        least_gap_m: Least gap of its frames [m].
        refined: What the spacetime stage did, stance by stance.
    """

    motion: Motion
    key_times_s: FloatArray
    stances: tuple[Borne, ...]
    least_gap_m: float
    refined: tuple[Refined, ...]


def planned(
    stances: Sequence[Stance],
    scene: Scene | None,
    body: Body,
    options: BetweenOptions,
    watch: Watch,
    *,
    upright: bool = False,
    rests: Sequence[str] = (),
) -> list[Planned]:
    """Ways through all stances, up to the first one that is not found or that there is no time for.

    Who steps is ``upright`` meanwhile, or goes straight from posture to posture. ``rests`` are parts that recorded
    postures have in the floor.

    Raises:
        NoMoveError: A station touches something.
    """
    out: list[Planned] = []
    begin: Pose | None = None
    for n, stance in enumerate(stances):
        if watch.interrupted() is not None:
            break
        after = stances[n + 1].pins if n + 1 < len(stances) else ()
        stance = _with_stations(stance, begin, after, scene, body, options, rests)
        begin = stance.poses[-1]
        problem = problem_of(stance.poses, scene, stance.pins, body, relax=True, rolling=stance.rolling, rests=rests)
        problem = replace(problem, balanced=stance.balanced)
        if stance.stops is not None:
            stance = _in_steps(stance, body, options, upright=upright)
        piece, how = stance.recorded, RECORDED if stance.stops is None else STEPPED
        legs = legs_through(problem, options, watch) if piece is None else [played_leg(problem, piece, how)]
        out.append(Planned(stance=stance, problem=problem, legs=tuple(legs)))
        if not out[-1].whole:
            break
        watch.report(0.7 * (n + 1) / len(stances))
    return out


def played(plans: Sequence[Planned], options: BetweenOptions, watch: Watch, *, loose: bool) -> Played:
    """The motion through planned stances; each begins and ends at rest."""
    watch.stage("smooth")
    pieces = [piece for plan in plans for piece in _made(plan, options, loose=loose)]
    if options.duration_s is not None:
        stretch = options.duration_s / sum(made.motion.duration_s for _, made in pieces)
        pieces = [piece for plan in plans for piece in _made(plan, options, loose=loose, stretch=stretch)]
    motions, borne, refined = [], [], []
    times, shift, clock = {0: 0.0}, np.zeros(3), 0.0
    for plan, made in pieces:
        motion = made.motion
        if options.spacetime and plan.stance.recorded is None:
            watch.stage("spacetime")
            refined.append(gentler(plan.problem, made))
            motion = refined[-1].motion
        moved = replace(motion, root_positions=motion.root_positions + shift)
        shift = shift + (motion.root_positions[-1] - plan.stance.poses[-1].root_position) * np.array([1.0, 0.0, 1.0])
        times |= _key_times(plan.stance, made, clock)
        borne += _borne(plan.stance, clock, moved.duration_s)
        clock += moved.duration_s
        motions.append(moved)
    return Played(
        motion=_joined(motions),
        key_times_s=np.array([times[n] for n in sorted(times)]),
        stances=tuple(borne),
        least_gap_m=min(made.least_gap_m for _, made in pieces),
        refined=tuple(refined),
    )


def _made(plan: Planned, options: BetweenOptions, *, loose: bool, stretch: float = 1.0) -> list[tuple[Planned, Made]]:
    """The motion of a stance, or of its ways one by one: too near to something to go round a corner, it stops there."""
    piece = plan.stance.recorded
    if piece is not None:
        if plan.stance.stops is None:
            piece = eased(plan.problem.body, piece, options.fps, stretch)
        elif stretch != 1.0:
            count = max(round(stretch * piece.duration_s * piece.fps), 2)
            piece = piece.sampled(np.linspace(0.0, piece.duration_s, count + 1), fps=piece.fps)
        return [(plan, played_back(plan.problem, piece))]
    # Among solids everything stays where it was planned.
    end: Shift = "none" if plan.problem.things else "free" if loose else "ends"
    made = motion_through(plan.problem, plan.problem.keys, plan.legs, options, shift=end, stretch=stretch)
    if not made.smooth and len(plan.legs) > 1:
        return [one for part in plan.parts for one in _made(part, options, loose=loose, stretch=stretch)]
    return [(plan, made)]


def _in_steps(stance: Stance, body: Body, options: BetweenOptions, *, upright: bool) -> Stance:
    """The stance with the motion of somebody who steps."""
    a, b = stance.poses
    way = [bearing_of(body, a).feet, *(stance.stops or ()), bearing_of(body, b).feet]
    strides = strides_between(body, a, b, way)
    if strides is None:
        raise NoMoveError("two feet would have to be moved at once")
    meanwhile = standing_ahead(body, way) if upright else None
    motion = stepped(body, a, b, strides, fps=options.fps, upright=meanwhile)
    return replace(stance, recorded=motion, strides=strides)


def _with_stations(
    stance: Stance,
    begin: Pose | None,
    after: Sequence[Pin],
    scene: Scene | None,
    body: Body,
    options: BetweenOptions,
    rests: Sequence[str],
) -> Stance:
    """The stance with stations that touch nothing; it begins where the one before ended."""
    poses = list(stance.poses)
    if begin is not None:
        poses[0] = begin
    kept = [0]
    for n in range(1, len(poses)):
        if stance.given[n] == STATION:
            more = after if n == len(poses) - 1 else ()
            held = {pin.joint: pin for pin in (*stance.pins, *more)}
            try:
                poses[n] = _settled(poses[n], list(held.values()), scene, body, options, rests)
            except NoMoveError:
                if not stance.free:
                    raise
                continue
        kept.append(n)
    return replace(stance, poses=tuple(poses[n] for n in kept), given=tuple(stance.given[n] for n in kept))


def _settled(
    pose: Pose, pins: Sequence[Pin], scene: Scene | None, body: Body, options: BetweenOptions, rests: Sequence[str]
) -> Pose:
    """The nearest posture on the same supports that touches nothing."""
    problem = problem_of([pose, pose], scene, pins, body, relax=True, rests=rests)
    stage = problem.stage
    q, _ = stage.held(stage.clamped(problem.keys[0]))
    faults = faults_of(0, stage.space.pose(q), body, stage, q, problem.solids)
    if not faults:
        return stage.space.pose(q)
    try:
        near = relaxed(stage, q, gap_m=options.clearance_m)
    except PlanningInputError:
        near = None
    if near is None:
        parts = ", ".join(f"{one.a} in {one.b}" for one in faults.overlaps[:3])
        raise NoMoveError(f"no posture on the way that touches nothing was found: {parts}")
    return stage.space.pose(near)


def _borne(stance: Stance, clock_s: float, lasts_s: float) -> list[Borne]:
    """What bears the body in a stance that begins at some time [s] and lasts so long."""
    if stance.strides is None:
        return [Borne(supports=stance.supports, start_s=clock_s, end_s=clock_s + lasts_s)]
    pace = lasts_s / stance.strides.duration_s
    return [
        Borne(supports=supports, start_s=clock_s + pace * start, end_s=clock_s + pace * end)
        for supports, start, end in stance.strides.supports()
    ]


def _key_times(stance: Stance, made: Made, clock: float) -> dict[int, float]:
    """Key posture -> when the motion is there [s]."""
    return {
        given: clock + float(time)
        for given, time in zip(stance.given[1:], made.key_times_s[1:], strict=True)
        if given >= 0
    }


def _joined(motions: Sequence[Motion]) -> Motion:
    """Motions one after the other; each begins with the frame the one before ends with."""
    first = motions[0]
    roots = [first.root_positions, *(motion.root_positions[1:] for motion in motions[1:])]
    turns = [first.rotations, *(motion.rotations[1:] for motion in motions[1:])]
    from understudy import rotations as rot

    return replace(first, root_positions=np.concatenate(roots), rotations=rot.continuous(np.concatenate(turns)))
