"""The judge: hand in a motion, get a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from understudy.core import Motion
from understudy.errors import OptionError, nearest_name
from understudy.scene.scene import Scene
from understudy.timing import timed
from understudy.typing import BoolArray
from understudy.verify.allowances import Allowances
from understudy.verify.allowing import allowances_of
from understudy.verify.ballistics import ballistics
from understudy.verify.cast import Cast, Judged, assembled
from understudy.verify.claim import About, Claim, Motions, Planned, claim_of, claim_violations
from understudy.verify.feet import feet_of
from understudy.verify.foot_skate import FootSkate, foot_skate
from understudy.verify.forward import Performer
from understudy.verify.goals import Goal, GoalError, HingeGoal, goal_error, hinge_error, route
from understudy.verify.joint_limits import joint_limits
from understudy.verify.overlaps import all_traces, clock_s
from understudy.verify.penetration import penetration
from understudy.verify.report import CharacterReport, Report
from understudy.verify.resting import RestGoal, grips, rests
from understudy.verify.smoothness import smoothness
from understudy.verify.source_facts import fact
from understudy.verify.stances import added_by
from understudy.verify.standing import Standing, carriers, standing
from understudy.verify.stillness import still_sources, stillness
from understudy.verify.touching import Touches, touches_of
from understudy.verify.tremor import tremor
from understudy.verify.windows import contact_violations


def verify(motion: Motions | Claim, scene: Scene | None = None, **about: Unpack[About]) -> Report:
    """Judge a claim, or a motion, independently of whatever made it.

    A :class:`Claim` says everything itself; the other arguments are a short way to write one.

    Args:
        motion: A claim; or a motion, or several with their characters' names as ``[(name, motion), ...]``.
        scene: The stage; the motion stands where it belongs in the world. Contacts it declares are allowed.
        **about: What else is known, by name:

            - ``source``: The evidence: the clip or clips the motion was made from (by name for several characters).
              They set the bars for foot skate and pace and allow the overlaps and limit excesses they show themselves.
              Unless given, a motion that a planner made brings its own evidence, and any other is judged as a
              stranger's recording: see :class:`Bars` and ``docs/verification.md``.
            - ``goals``, ``bars``: What should have been reached; bars to clear, quality's own unless given.
            - ``body``: The character's body, or bodies by name; fitted to the skeleton unless given.
            - ``allow``: Further contacts that are meant.
            - ``planned``: Limbs, roles or joints that were planned, whose limits forgive nothing.
            - ``floor``: Whether ``y = 0`` is solid ground; unless given, what the scene says, and without a scene the
              height the clip's own feet rest at.
            - ``shortest_m``: Length of the shortest path with clearance, for the route's naturalness [m].
            - ``flights``, ``bounces``: Free objects between contacts, and contacts between them, by flight.

    Returns:
        The report; ``report.ok`` says whether every bar is cleared.
    """
    claim = motion if isinstance(motion, Claim) else claim_of(motion, scene, **about)
    return report_on(assembled(claim), claim)


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


@timed("judge")
def report_on(cast: Cast, claim: Claim) -> Report:
    """The report on a claim whose motions stand in their scene."""
    bars = claim.bars
    people = [one.performer.name for one in cast.judged]
    traces = all_traces(cast, bars, claim.contacts, floor=claim.floor, flights=claim.flights)
    return Report(
        penetration=penetration(traces),
        characters=tuple(_character(one, cast, claim) for one in cast.judged),
        goals=tuple(_goal(goal, cast) for goal in claim.goals if not isinstance(goal, RestGoal)),
        rests=() if cast.scene is None else rests(cast.scene, _rest_goals(claim)),
        ballistics=ballistics(claim.flights, claim.bounces) if claim.flights else None,
        bars=bars,
        claimed=(
            *claim_violations(claim),
            *contact_violations(claim, traces, people, clock_s(cast)),
            *grips(cast, bars.rest_m),
        ),
        notes=_notes(cast, claim.floor),
    )


def _character(judged: Judged, cast: Cast, claim: Claim) -> CharacterReport:
    performer, sources, numbers = judged.performer, judged.sources, judged.allowances
    motion = performer.motion
    clips = [one.motion for one in sources]
    planned = _planned(motion, claim.planned.get(judged.given, ()))
    humanoid = motion.skeleton.is_humanoid
    carrying = carriers(cast, judged, claim) if humanoid else []
    touched = touches_of(performer, carrying, carry_m=judged.carry_m) if humanoid else None
    stands = None if touched is None else standing(judged, touched, carrying)
    return CharacterReport(
        name=performer.name,
        frames=len(motion),
        fps=motion.fps,
        has_source=bool(sources) or numbers is not None,
        recorded=judged.recorded,
        foot_skate=None if touched is None else _feet(judged, touched),
        source_skate=_worst_skate(sources, stands) if numbers is None else numbers.skate,
        joint_limits=joint_limits(
            motion,
            performer.body,
            sources=clips,
            in_step=judged.in_step,
            planned=planned,
            allowed_rad=None if numbers is None else numbers.limits_of(motion.skeleton, len(motion)),
        ),
        smoothness=smoothness(
            performer,
            sources,
            aligned=judged.in_step,
            activity=claim.activity,
            recorded=judged.recorded,
            numbers=numbers,
        ),
        tremor=tremor(motion, sources, activity=claim.activity, known=None if numbers is None else numbers.tremor),
        stillness=stillness(
            motion, still_sources(sources, in_step=judged.in_step) if numbers is None else numbers.still
        ),
        standing=stands,
        route=None if claim.shortest_m is None else route(motion, shortest_m=claim.shortest_m),
    )


def _feet(judged: Judged, touched: Touches) -> FootSkate:
    motion, beside = judged.performer.motion, judged.beside
    now = feet_of(motion)
    added = None if beside is None else added_by(now, beside[0], scale=beside[1])
    return foot_skate(motion, feet=now, touches=touched, added=added)


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
    gmd, kimodo = max(one.gmd for one in found), max(one.kimodo for one in found)
    return replace(drifting, gmd=gmd, kimodo=kimodo, contact_slide_mm=max(slides))


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
    unseen = "a planner made this motion, and the claim does not hold it: it is not judged here"
    notes = [f"{one.name}: {unseen}" for one in cast.others if one.motion.origin.made]
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
