"""The judge: hand in a motion, get a report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.core import Motion
from understudy.errors import OptionError, nearest_name
from understudy.scene.contacts import ContactRule
from understudy.scene.scene import Scene
from understudy.typing import BoolArray
from understudy.verify.allowances import Allowances
from understudy.verify.allowing import allowances_of, with_allowances
from understudy.verify.ballistics import Bounce, Flight, ballistics
from understudy.verify.bars import Bars
from understudy.verify.cast import Cast, Judged, assembled
from understudy.verify.claim import Bodies, Claim, Motions, Planned, Sources, claim_of, claim_violations
from understudy.verify.feet import feet_of
from understudy.verify.foot_skate import FootSkate, foot_skate
from understudy.verify.forward import Performer
from understudy.verify.goals import Goal, GoalError, HingeGoal, goal_error, hinge_error
from understudy.verify.joint_limits import joint_limits
from understudy.verify.overlaps import all_traces
from understudy.verify.penetration import penetration
from understudy.verify.report import CharacterReport, Report
from understudy.verify.resting import RestGoal, leaps, rests
from understudy.verify.route import route
from understudy.verify.smoothness import smoothness
from understudy.verify.source_facts import fact
from understudy.verify.stances import added_by
from understudy.verify.standing import Standing, carriers, standing
from understudy.verify.touching import Touches, touches_of
from understudy.verify.tremor import tremor
from understudy.verify.windows import contact_violations

#: Where feet are measured.
_FEET = ("leftFoot", "rightFoot", "leftToes", "rightToes")


def verify(
    motion: Motions | Claim,
    scene: Scene | None = None,
    *,
    source: Sources = None,
    goals: Sequence[Goal] = (),
    bars: Bars | None = None,
    body: Bodies = None,
    allow: Sequence[ContactRule] = (),
    planned: Sequence[str] = (),
    floor: bool | None = None,
    shortest_m: float | None = None,
    flights: Sequence[Flight] = (),
    bounces: Sequence[Bounce] = (),
    changes_only: bool = False,
) -> Report:
    """Judge a claim, or a motion, independently of whatever made it.

    A :class:`Claim` says everything itself; the other arguments are a short way to write one.

    Args:
        motion: A claim; or a motion, or several with their characters' names as ``[(name, motion), ...]``.
        scene: The stage; the motion stands where it belongs in the world. Contacts it declares are allowed.
        source: The evidence: the clip or clips the motion was made from (by name for several characters). They set the
            bars for foot skate and pace and allow the overlaps and limit excesses they show themselves. Unless given,
            a motion that a planner made brings its own evidence, and any other is judged as a stranger's recording:
            see :class:`Bars` and ``docs/verification.md``.
        goals: What should have been reached.
        bars: Bars to clear; quality's own unless given.
        body: The character's body, or bodies by name; fitted to the skeleton unless given.
        allow: Further contacts that are meant.
        planned: Limbs, roles or joints that were planned, whose limits forgive nothing.
        floor: Whether ``y = 0`` is solid ground; unless given, what the scene says, and without a scene the height
            the clip's own feet rest at.
        shortest_m: Length of the shortest path with clearance, for the route's naturalness [m].
        flights: Free objects between contacts.
        bounces: Contacts between free objects, by flight.
        changes_only: Whether to look for overlaps only where the motion differs from its evidence, bit for bit. This
            is a first look for planners: it finds less than a whole look, never more. Motions without one clip of the
            same frames as evidence are looked at as a whole.

    Returns:
        The report; ``report.ok`` says whether every bar is cleared.
    """
    claim = motion
    if not isinstance(claim, Claim):
        claim = claim_of(
            motion,  # type: ignore[arg-type]
            scene,
            source=source,
            goals=goals,
            bars=bars,
            body=body,
            allow=allow,
            planned=planned,
            floor=floor,
            shortest_m=shortest_m,
            flights=flights,
            bounces=bounces,
        )
    return _judged(claim, changes_only=changes_only)


def _judged(claim: Claim, *, changes_only: bool) -> Report:
    return report_on(assembled(claim, changes_only=changes_only), claim, changes_only=changes_only)


def certified(claim: Claim) -> tuple[Report, dict[str, Allowances]]:
    """The report on a claim, and what the evidence of each motion contributed to it, as numbers."""
    cast = assembled(claim, listening=True)
    report = report_on(cast, claim)
    found = {
        one.given: allowances_of(one, part)
        for one, part in zip(cast.judged, report.characters, strict=True)
        if one.sources
    }
    return report, {**claim.allowances, **found}


def report_on(cast: Cast, claim: Claim, *, changes_only: bool = False) -> Report:
    """The report on a claim whose motions stand in their scene."""
    bars = claim.bars
    traces = all_traces(cast, bars, claim.contacts, floor=claim.floor, flights=claim.flights)
    return Report(
        penetration=penetration(traces),
        characters=tuple(_character(one, cast, claim) for one in cast.judged),
        goals=tuple(_goal(goal, cast) for goal in claim.goals if not isinstance(goal, RestGoal)),
        rests=() if cast.scene is None or changes_only else rests(cast.scene, _rest_goals(claim)),
        ballistics=ballistics(claim.flights, claim.bounces) if claim.flights else None,
        bars=bars,
        claimed=(
            *claim_violations(claim),
            *contact_violations(claim, traces),
            *(
                ()
                if cast.scene is None or changes_only
                else leaps(cast.scene, [one.performer.name for one in cast.judged])
            ),
        ),
        notes=_notes(cast, claim.floor),
    )


def _character(judged: Judged, cast: Cast, claim: Claim) -> CharacterReport:
    performer, sources, shortest_m = judged.performer, judged.sources, claim.shortest_m
    motion = performer.motion
    clips = [one.motion for one in sources]
    planned = _planned(motion, claim.planned.get(judged.given, ()))
    humanoid = motion.skeleton.is_humanoid
    # A first look at what was changed does not ask what carries the body; the whole look does.
    carrying = carriers(cast, judged, claim) if humanoid and judged.changed is None else None
    touched = None if carrying is None else touches_of(performer, carrying, carry_m=judged.carry_m)
    feet = _feet(judged, touched) if humanoid else None
    stands = None if touched is None or carrying is None else standing(judged, touched, carrying)
    found = CharacterReport(
        name=performer.name,
        frames=len(motion),
        fps=motion.fps,
        has_source=bool(sources),
        recorded=judged.recorded,
        foot_skate=feet,
        source_skate=_worst_skate(sources, stands) if humanoid else None,
        joint_limits=joint_limits(
            motion,
            performer.body,
            sources=clips,
            in_step=judged.in_step,
            planned=planned,
            changed=judged.changed,
        ),
        smoothness=smoothness(
            performer,
            sources,
            aligned=judged.in_step,
            moves=judged.moves,
            activity=claim.activity,
            recorded=judged.recorded,
        ),
        tremor=None if judged.changed is not None else tremor(motion, sources, activity=claim.activity),
        standing=stands,
        route=None if shortest_m is None else route(motion, shortest_m=shortest_m),
    )
    return with_allowances(found, judged, planned, activity=claim.activity)


def _feet(judged: Judged, touched: Touches | None) -> FootSkate:
    """Skating of a performer's feet; feet that are where the source's are skate as those do."""
    motion, changed, beside = judged.performer.motion, judged.changed, judged.beside
    feet = [motion.skeleton.humanoid[role] for role in _FEET if role in motion.skeleton.humanoid]
    if changed is not None and not changed.moved[feet].any():
        return fact(judged.sources[0], "own foot skate", _own_skate, of_body=False)
    now = feet_of(motion, None if judged.moves is None else judged.moves.positions)
    added = None if beside is None else added_by(now, beside[0], scale=beside[1])
    return foot_skate(motion, feet=now, touches=touched, added=added)


def _own_skate(source: Performer) -> FootSkate:
    feet = feet_of(source.motion)
    return foot_skate(source.motion, feet=feet, added=added_by(feet, feet))


def _worst_skate(sources: Sequence[Performer], stands: Standing | None) -> FootSkate | None:
    """The largest of each number over the source clips, on their own ground and on what they share with the motion."""
    found = [
        fact(source, "foot skate", lambda one: foot_skate(one.motion), of_body=False)
        for source in sources
        if source.motion.skeleton.is_humanoid
    ]
    if not found:
        return None
    drifting = max(found, key=lambda one: one.stance_drift_mm)
    slides = [one.contact_slide_mm for one in found] + ([] if stands is None else [stands.evidence_slide_mm])
    return FootSkate(
        gmd=max(one.gmd for one in found),
        kimodo=max(one.kimodo for one in found),
        stance_drift_mm=drifting.stance_drift_mm,
        drift_time_s=drifting.drift_time_s,
        drift_foot=drifting.drift_foot,
        ground_m=drifting.ground_m,
        fps=drifting.fps,
        contact_slide_mm=max(slides),
    )


def _planned(motion: Motion, spans: Sequence[Planned]) -> BoolArray | None:
    """``(frames, joints)`` when joints were planned, as a claim says; ``None`` for never."""
    if not spans:
        return None
    mask, times = np.zeros((len(motion), len(motion.skeleton)), dtype=np.bool_), motion.times_s
    for one in spans:
        # Half a frame more on either side: a frame within rounding of a span's end is in it.
        within = (times >= one.start_s - 0.5 / motion.fps) & (times <= one.end_s + 0.5 / motion.fps)
        mask[:, _joints(motion, one.joints)] |= within[:, None]
    return mask


def _joints(motion: Motion, planned: Sequence[str]) -> list[int]:
    from understudy.core.humanoid import LIMB_ROLES

    joints: list[int] = []
    for name in planned:
        if name in LIMB_ROLES:
            joints += motion.skeleton.limb(name)
        else:
            joints.append(motion.skeleton.index(name))
    return joints


def _rest_goals(claim: Claim) -> tuple[RestGoal, ...]:
    return tuple(goal for goal in claim.goals if isinstance(goal, RestGoal))


def _goal(goal: Goal, cast: Cast) -> GoalError:
    if isinstance(goal, HingeGoal):
        return hinge_error(cast.scene, goal)
    by_name = {one.performer.name: one.performer.motion for one in cast.judged}
    if not goal.character and len(by_name) == 1:
        return goal_error(next(iter(by_name.values())), goal)
    if goal.character not in by_name:
        raise OptionError(f'a goal names the character "{goal.character}"; {nearest_name(goal.character, by_name)}')
    return goal_error(by_name[goal.character], goal)


def _notes(cast: Cast, floor: bool | None) -> tuple[str, ...]:
    notes = []
    for one in cast.judged:
        motion, who = one.performer.motion, f"{one.performer.name}: " if one.performer.name else ""
        if one.recorded:
            notes.append(
                f"{who}no claim: judged as a stranger's recording; foot skate and limb speeds are measured, not "
                "judged, and a body may overlap itself a little"
            )
        elif not one.sources and one.allowances is None and motion.origin.made:
            notes.append(f"{who}a planner made it, and there is no evidence: absolute bars hold")
        if not motion.skeleton.is_humanoid:
            notes.append(f"{who}no humanoid roles known: feet are not judged")
        elif cast.scene is None and floor is None:
            notes.append(f"{who}no scene: the floor is the clip's own ground, at {feet_of(motion).sole_m:.3f} m")
        if motion.fps < 12.6:
            notes.append(f"{who}{motion.fps:g} fps cannot hold 6 Hz: speeds are compared unfiltered")
    return tuple(notes)
