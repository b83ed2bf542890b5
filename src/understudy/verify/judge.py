"""The judge: hand in a motion, get a report."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.core import Motion
from understudy.errors import OptionError, nearest_name
from understudy.scene.contacts import ContactRule
from understudy.scene.scene import Scene
from understudy.verify.ballistics import Bounce, Flight, ballistics
from understudy.verify.bars import Bars
from understudy.verify.cast import Bodies, Cast, Judged, Motions, Sources, assembled
from understudy.verify.feet import feet_of
from understudy.verify.foot_skate import FootSkate, foot_skate
from understudy.verify.forward import Performer
from understudy.verify.goals import Goal, GoalError, goal_error
from understudy.verify.joint_limits import joint_limits
from understudy.verify.overlaps import all_traces
from understudy.verify.penetration import penetration
from understudy.verify.report import CharacterReport, Report
from understudy.verify.route import route
from understudy.verify.smoothness import smoothness
from understudy.verify.source_facts import fact

#: Where feet are measured.
_FEET = ("leftFoot", "rightFoot", "leftToes", "rightToes")


def verify(
    motion: Motions,
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
    """Judge a motion, independently of whatever made it.

    Args:
        motion: A motion, or several with their characters' names as ``[(name, motion), ...]``.
        scene: The stage; the motion stands where it belongs in the world. Contacts it declares are allowed.
        source: The clip or clips the motion was made from (by name for several characters). They set the bars for
            foot skate and smoothness and allow the overlaps and limit excesses they show themselves. Without a
            source a motion is judged as a recording: see :class:`Bars` and ``docs/verification.md``.
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
        changes_only: Whether to look for overlaps only where the motion differs from its source, bit for bit; what
            is the same there is not looked at again, nor blamed for overlaps the source has. The other measures are
            the same, and sooner known. Motions without one source of the same frames are looked at as a whole.

    Returns:
        The report; ``report.ok`` says whether every bar is cleared.
    """
    bars = bars or Bars()
    cast = assembled(motion, scene, source, body, changes_only=changes_only)
    if floor and cast.scene is not None and not cast.scene.floor:
        raise OptionError("floor=True contradicts a scene whose floor is not solid")
    characters = tuple(_character(one, planned, shortest_m) for one in cast.judged)
    return Report(
        penetration=penetration(all_traces(cast, bars, allow, floor=floor)),
        characters=characters,
        goals=tuple(_goal(goal, cast) for goal in goals),
        ballistics=ballistics(flights, bounces) if flights else None,
        bars=bars,
        notes=_notes(cast, floor),
    )


def _character(judged: Judged, planned: Sequence[str], shortest_m: float | None) -> CharacterReport:
    performer, sources = judged.performer, judged.sources
    motion = performer.motion
    clips = [one.motion for one in sources]
    humanoid = motion.skeleton.is_humanoid
    feet = _feet(judged) if humanoid else None
    return CharacterReport(
        name=performer.name,
        frames=len(motion),
        fps=motion.fps,
        has_source=bool(sources),
        foot_skate=feet,
        source_skate=_worst_skate(sources) if humanoid else None,
        joint_limits=joint_limits(
            motion, performer.body, sources=clips, planned=_joints(motion, planned), changed=judged.changed
        ),
        smoothness=smoothness(performer, sources, aligned=judged.aligned, moves=judged.moves),
        route=None if shortest_m is None else route(motion, shortest_m=shortest_m),
    )


def _feet(judged: Judged) -> FootSkate:
    """Skating of a performer's feet; feet that are where the source's are skate as those do."""
    motion, changed = judged.performer.motion, judged.changed
    feet = [motion.skeleton.humanoid[role] for role in _FEET if role in motion.skeleton.humanoid]
    if changed is not None and not changed.moved[feet].any():
        source = judged.sources[0]
        return fact(
            source, "own foot skate", lambda one: foot_skate(one.motion, aligned_source=one.motion), of_body=False
        )
    if not judged.aligned:
        return foot_skate(motion)
    source = judged.sources[0]
    before = fact(source, "feet", lambda one: feet_of(one.motion), of_body=False)
    now = None if judged.moves is None else feet_of(motion, judged.moves.positions)
    return foot_skate(motion, aligned_source=source.motion, feet=now, source_feet=before)


def _worst_skate(sources: Sequence[Performer]) -> FootSkate | None:
    """The largest of each number over the source clips."""
    found = [
        fact(source, "foot skate", lambda one: foot_skate(one.motion), of_body=False)
        for source in sources
        if source.motion.skeleton.is_humanoid
    ]
    if not found:
        return None
    drifting = max(found, key=lambda one: one.stance_drift_mm)
    return FootSkate(
        gmd=max(one.gmd for one in found),
        kimodo=max(one.kimodo for one in found),
        stance_drift_mm=drifting.stance_drift_mm,
        drift_time_s=drifting.drift_time_s,
        drift_foot=drifting.drift_foot,
        added_slide_mm=None,
        slide_time_s=0.0,
        slide_foot="",
        ground_m=drifting.ground_m,
        fps=drifting.fps,
    )


def _joints(motion: Motion, planned: Sequence[str]) -> list[int]:
    from understudy.core.humanoid import LIMB_ROLES

    joints: list[int] = []
    for name in planned:
        if name in LIMB_ROLES:
            joints += motion.skeleton.limb(name)
        else:
            joints.append(motion.skeleton.index(name))
    return joints


def _goal(goal: Goal, cast: Cast) -> GoalError:
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
        if not one.sources:
            notes.append(
                f"{who}no source clip: judged as a recording; foot skate and limb speeds are measured, not judged, "
                "and a body may overlap itself a little"
            )
        if not motion.skeleton.is_humanoid:
            notes.append(f"{who}no humanoid roles known: feet are not judged")
        elif cast.scene is None and floor is None:
            notes.append(f"{who}no scene: the floor is the clip's own ground, at {feet_of(motion).sole_m:.3f} m")
        if motion.fps < 12.6:
            notes.append(f"{who}{motion.fps:g} fps cannot hold 6 Hz: speeds are compared unfiltered")
    return tuple(notes)
