"""All ways of doing one task, judged one by one as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from understudy.core.planning import Status, Watch
from understudy.core.violations import Violation, described
from understudy.errors import PlanningInputError
from understudy.limbs.draws import DRAWS
from understudy.limbs.handling.falling import fall
from understudy.limbs.handling.gaze import with_gaze
from understudy.limbs.handling.jobs import Job, aims
from understudy.limbs.handling.lasting import lasting
from understudy.limbs.handling.one_hand import HandSearch
from understudy.limbs.handling.options import HandlingOptions
from understudy.limbs.handling.play import Deed, Play
from understudy.limbs.handling.two_hands import both_hands
from understudy.limbs.refusals import Notes, Refusal
from understudy.scene.contacts import ContactRule
from understudy.scene.taking import held_by, holder_at, put_down

#: What is wrong with a deed, given the play before it; nothing when it will do.
Judge = Callable[[Play, Deed], Sequence[Violation]]
#: Kinds of tasks that hands do here.
KINDS = ("grab", "drop", "place", "carry", "touch", "reach", "press")
#: Draws for one aim where the moment is free, one time after the other.
_GLANCES = (4, 10, 24, 48)
#: [s] an object that was let go may still touch the hand.
_LEAVING_S = 0.6


def ways(
    play: Play,
    job: Job,
    judge: Judge,
    options: HandlingOptions,
    watch: Watch,
    notes: Notes,
    *,
    glance: bool = False,
    calm: bool = False,
) -> Iterator[Deed]:
    """Judged ways of doing a task, preferred ones first; what failed is noted.

    Args:
        play: Everything so far.
        job: What is to be done.
        judge: Says why a way will not do.
        options: How to search.
        watch: Deadline and stages.
        notes: Where refusals are kept.
        glance: Whether each moment is looked at once and briefly only, where the moment is free.
        calm: Whether the body stands still, so that one moment is like another.

    Raises:
        PlanningInputError: What is asked for makes no sense.
    """
    for search, results in _results(play, job, options, watch, glance, calm):
        kept = 0
        for result in results:
            stopped = watch.interrupted()
            if stopped is not None:
                notes.add(Refusal(status=stopped, reason="the deadline passed or it was cancelled"))
                return
            if isinstance(result, Refusal):
                notes.add(result)
                continue
            judged, violations = _judged(play, result, judge, options, watch)
            if judged is None:
                said = f"the judge did not pass it: {described(violations)}"
                notes.add(Refusal(status=Status.EXHAUSTED, reason=said))
            else:
                yield judged
                kept += 1
                if judged.kind == "grab" and search is not None:
                    # Whoever asks again could do nothing with this grip.
                    joint = judged.play.scene.character(judged.character).joint
                    places, turns = joint(f"{judged.hands[0]}_hand", [judged.time_s])
                    search.known.done.append((places[0], turns[0]))
            if search is not None:
                search.learn(violations)
            if kept >= options.ways:
                break


def _results(
    play: Play, job: Job, options: HandlingOptions, watch: Watch, glance: bool, calm: bool
) -> Iterator[tuple[HandSearch | None, Iterator[Deed | Refusal]]]:
    """The search for each aim, where it is one that learns, and what it comes to."""
    if job.task.do == "drop":
        yield None, iter([dropped(play, job)])
    elif job.task.hand == "both" or _in_both(play, job):
        yield None, both_hands(play, job, options, watch)
    else:
        # Where the moment is free every one of them is looked at briefly before any is looked at thoroughly.
        brief = options.attempts == 1
        some: tuple[int, ...] = DRAWS[:1] if brief else DRAWS[1:]
        if not job.fixed:
            some = _GLANCES[: 1 if glance else 2 if brief else None]
        found = list[HandSearch]()
        for aim in aims(play, job):
            if isinstance(aim, Refusal):
                yield None, iter([aim])
            else:
                then = None
                if job.soon is not None and job.later is not None:
                    then = (play.frame_s(aim.character, job.soon), partial(aims, job=job.later))
                found.append(HandSearch(play=play, aim=aim, options=options, watch=watch, later=then, calm=calm))
                yield found[-1], found[-1].deeds(some[0])
        for most in some[1:]:
            for search in found:
                yield search, search.deeds(most)


def _in_both(play: Play, job: Job) -> bool:
    """Whether a task is about an object that two hands hold."""
    when = job.times.earliest_s if job.times.at_s is None else job.times.at_s
    return any(
        span.object == job.task.object and span.character == job.task.character and span.start_s <= when < span.end_s
        for span in play.spans
        if span.object
    )


def _judged(
    play: Play, deed: Deed, judge: Judge, options: HandlingOptions, watch: Watch
) -> tuple[Deed | None, Sequence[Violation]]:
    """The deed with the head following if the judge passes that, else without; or what is wrong with either."""
    watch.stage("gaze")
    looking = with_gaze(deed) if options.gaze else None
    violations: Sequence[Violation] = ()
    for one in (looking, deed):
        if one is None:
            continue
        watch.stage("judge")
        violations = judge(play, one)
        if not violations:
            return one, ()
        if not _may_be_the_head(violations):
            break
    return None, violations


def _may_be_the_head(violations: Sequence[Violation]) -> bool:
    """Whether a head that does not follow could do better: it is part of everything that overlaps."""
    return all(
        any(part in where for part in ("head", "neck") for where in (one.part, one.other))
        for one in violations
        if one.kind == "penetration"
    )


def dropped(play: Play, job: Job) -> Deed:
    """Let go of what a hand holds; it falls.

    Raises:
        PlanningInputError: Nothing is held.
    """
    task = job.task
    asked = job.times.earliest_s if job.times.at_s is None else job.times.at_s
    when = play.frame_s(task.character, asked)
    hands = ("left", "right") if task.hand in (None, "both") else (str(task.hand),)
    held = [(hand, name) for hand in hands for name in held_by(play.scene, task.character, hand, when)]
    if task.object:
        held = [(hand, name) for hand, name in held if name == task.object]
    if not held:
        hold = holder_at(play.scene, task.object, when) if task.object else None
        what = f'"{task.object}"' if task.object else "anything"
        who = f'; "{task.object}" is held by "{hold.to}"' if hold is not None else ""
        raise PlanningInputError(f"{task.label}: {task.character} does not hold {what} at {when:.2f} s{who}")
    hand, name = held[0]
    scene = put_down(play.scene, name, fall(play.scene, name, when))
    rule = ContactRule(
        a=f"{task.character}.{hand}_hand",
        b=name,
        start_s=when - 0.01,
        end_s=when + _LEAVING_S,
        why=f"lets go of {name}",
    )
    rule = lasting(scene, rule)
    after = play.done(scene, limbs=(), character=task.character, allow=(rule,))
    spans = tuple(
        replace(one, end_s=min(one.end_s, when)) if one.object == name and one.end_s > when else one
        for one in after.spans
    )
    return Deed(
        kind="drop",
        character=task.character,
        hands=(hand,),
        object=name,
        time_s=when,
        marks=(),
        limbs=(),
        changes=(),
        rules=(rule,),
        play=replace(after, spans=spans),
    )
