"""Two hands on one object: where they take it, how it is carried in front of the body, and where it is put down.

The object's path is chosen first; both arms follow it by inverse kinematics at every frame, so that the chain of both
arms and the object stays closed. The scene has the object in the right hand; the left keeps its place on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, product

import numpy as np

from understudy import rotations as rot
from understudy.core.planning import Status, Watch
from understudy.errors import PlanningInputError
from understudy.limbs.following import tracked
from understudy.limbs.handling.foresight import without
from understudy.limbs.handling.fronting import LIFT_M, MOVE_S, carried_path, eased, front
from understudy.limbs.handling.jobs import Job, guarded, put
from understudy.limbs.handling.joining import joined
from understudy.limbs.handling.moments import chances
from understudy.limbs.handling.neighbours import neighbour_rules
from understudy.limbs.handling.options import HandlingOptions
from understudy.limbs.handling.play import Deed, Mark, Play, Span
from understudy.limbs.handling.two_holds import TwoHold, two_holds
from understudy.limbs.ik import goal_postures
from understudy.limbs.legs import changed_rotations
from understudy.limbs.parting import contact_s
from understudy.limbs.refusals import Refusal
from understudy.limbs.seeds import EndTarget
from understudy.limbs.stage import Stage
from understudy.limbs.targets import hand_point
from understudy.limbs.trace import Change
from understudy.limbs.window import Window, window_of
from understudy.scene.contacts import ContactRule
from understudy.scene.resting import NoRestError, Rest, rests
from understudy.scene.scene import Scene
from understudy.scene.taking import held_by, holder_at, put_down, taken
from understudy.scene.tessellation import triangles_of
from understudy.scene.transforms import Pose, compose, seen_from
from understudy.typing import FloatArray, IntArray

SIDES = ("right", "left")
#: [m] in front of the chest, from what is carried, and below it where things are carried; tried in this order.
_CARRIED_M = ((0.3, -0.2), (0.36, -0.2), (0.3, -0.1), (0.38, -0.05), (0.26, -0.28))
#: [m] room around arms that carry.
_ROOM_M = 0.012
#: [s] to get there.
_REACH_S = (1.6, 2.4)
#: Moments that are tried, and places at each.
_MOMENTS, _RESTS = 4, 8
#: Places and turns of which those are chosen, and [rad] steps in which turns count.
_MOST_RESTS, _TURNS_RAD = 120, 0.35


def both_hands(play: Play, job: Job, options: HandlingOptions, watch: Watch) -> Iterator[Deed | Refusal]:
    """Ways to take an object with both hands, or to put down what both hold.

    Raises:
        PlanningInputError: The object is held already, or not by both hands; or both hands cannot do such a task.
    """
    if job.task.do == "grab":
        return _grabs(play, job, options, watch)
    if job.task.do == "place":
        return _places(play, job, options, watch)
    raise PlanningInputError(f'{job.task.label}: both hands can grab and place, not "{job.task.do}"')


def _grabs(play: Play, job: Job, options: HandlingOptions, watch: Watch) -> Iterator[Deed | Refusal]:
    task = job.task
    asked = job.times.earliest_s if job.times.at_s is None else job.times.at_s
    hold = holder_at(play.scene, task.object, asked)
    full = [
        f'the {side} hand already holds "{name}"'
        for side in SIDES
        for name in held_by(play.scene, task.character, side, asked)
    ]
    if full or (hold is not None and "." in hold.to):
        why = full[0] if full else f'"{task.object}" is already held by "{hold.to}"'  # type: ignore[union-attr]
        raise PlanningInputError(f"{task.label}: {why} at {asked:.2f} s")

    def target_at(times: FloatArray) -> FloatArray:
        return play.scene.object_track(task.object, times)[0]

    for chance in chances(play, task.character, ("right",), target_at, job.times)[:_MOMENTS]:
        positions, rotations = play.scene.object_track(task.object, [chance.time_s])
        pose = (positions[0], rotations[0])
        deep_m = float(np.ptp(triangles_of(play.scene.object(task.object).shape)[0], axis=0)[[0, 2]].min())
        chest_m = float(front(play.stage(task.character), np.array([chance.time_s]), (0.0, 0.0))[0][0, 1])
        for held in two_holds(play, task.object, task.character, chance.time_s, pose):
            for (ahead_m, above_m), reach_s in product(_CARRIED_M, _REACH_S):
                if watch.interrupted() is not None:
                    return
                watch.stage("chain")
                # It is carried clear of what it stood on.
                carry = (ahead_m + 0.5 * deep_m, max(above_m, float(pose[0][1]) + LIFT_M - chest_m))
                how = (chance.time_s, pose, held, carry, reach_s, options)
                made = next(guarded(partial(_grab, play, job, *how)))
                yield made
                if isinstance(made, Refusal) and made.status is Status.INFEASIBLE_GOAL:
                    break  # hands cannot be there, however it is carried


def _grab(
    play: Play,
    job: Job,
    time_s: float,
    pose: Pose,
    held: TwoHold,
    carry: tuple[float, float],
    reach_s: float,
    options: HandlingOptions,
) -> Deed | Refusal:
    """Both arms on an object from a moment to the end of the motion."""
    task = job.task
    near, planning = neighbour_rules(play.scene, task.object, pose, time_s, owner=task.character)
    begins = contact_s(time_s, np.inf)["start_s"]
    rules = (*near, *_touching(task.character, task.object, begins, np.inf))
    stage = play.stage(task.character, (*rules, *planning))
    fps, last = stage.motion.fps, len(stage.motion) - 1
    here = round((time_s - stage.start_s) * fps)
    frames = np.arange(here, last + 1)
    path = carried_path(stage, frames, pose, carry)
    start = here - round(reach_s * fps)
    if start < 0:
        return Refusal(
            status=Status.INFEASIBLE_START, reason=f"{time_s:.2f} s are too short for both hands to get there"
        )
    # While the arms are planned the object moves by itself along its path.
    moving = put_down(stage.scene, task.object, (stage.start_s + frames / fps, *path))
    moved = replace(stage, scene=moving, _shared={})
    marks = []
    for side in SIDES:
        made = _arm_onto(moved, side, held, start, frames, path, task.object, (*play.allow, *near), options)
        if isinstance(made, Refusal):
            return made
        moved = made
        marks.append(_mark(stage, side, time_s, compose(*pose, *held.grips[side])))
    span = Span(character=task.character, hands=SIDES, start_s=time_s, end_s=np.inf, object=task.object)
    grip = seen_from(*held.grips["right"], np.zeros(3), rot.identity(()))
    scene = taken(stage.scene, task.object, f"{task.character}.right_hand", time_s, grip)
    ended = replace(stage, scene=scene, _shared={}).with_motion(moved.motion)
    return _deed(play, job, ended, time_s, tuple(marks), rules, (start, last), spans=(span,))


def _arm_onto(
    stage: Stage,
    side: str,
    held: TwoHold,
    start: int,
    frames: IntArray,
    path: tuple[FloatArray, FloatArray],
    name: str,
    elsewhere: tuple[ContactRule, ...],
    options: HandlingOptions,
) -> Stage | Refusal:
    """The stage with one arm brought to its grip and kept there; certified where it can be."""
    space = stage.space(f"{side}_arm")
    here, last = int(frames[0]), int(frames[-1])
    window = window_of(stage, space, start, last)
    time_s = stage.start_s + here / stage.motion.fps
    joints = compose(*path, *held.grips[side])
    end = EndTarget(position=joints[0][0], rotations=joints[1][:1], point=np.zeros(3))
    postures = goal_postures(window, time_s, end, clear_m=options.kept_m)
    if not postures.found:
        return Refusal(
            status=Status.INFEASIBLE_GOAL,
            reason=f"the {side} hand cannot be on its side of it at {time_s:.2f} s: of its postures {postures.missed} "
            f"do not reach, {postures.outside} break limits and {postures.touching} touch something",
        )
    why = f"the {side} arm cannot follow"
    for posture in postures.found[:3]:
        offsets = tracked(window, posture.offset, range(here, last + 1), joints)
        if offsets is None:
            continue
        before = joined(stage, space, offsets, (here, start), name, elsewhere, options)
        if isinstance(before, str):
            why = f"the {side} arm: {before}"
            continue
        rows = np.concatenate([before, offsets])
        touch = window.first_touch(rows, window.frame_times_s, options.kept_m)
        carried = min(here + round(MOVE_S * stage.motion.fps), last - 1)
        if touch is None:
            # Whoever walks with it sways: upper arms are not right beside the ribs then.
            alone = replace(stage, scene=without(stage.scene, name), _shared={})
            after = window_of(alone, space, carried, last)
            touch = after.first_touch(rows[carried - last - 1 :], after.frame_times_s, _ROOM_M)
        if touch is None:
            return with_arm(stage, window, rows)
        why = f"the {side} arm: {touch[1][0]} meets {touch[1][1]} at {window.frame_times_s[touch[0]]:.2f} s"
    return Refusal(status=Status.EXHAUSTED, reason=why)


def with_arm(stage: Stage, window: Window, rows: FloatArray) -> Stage:
    """The stage with an arm's offsets ``(frames, parameters)`` [rad] added in a window."""
    motion = replace(stage.motion, rotations=changed_rotations(stage.motion, window.space, window.first, rows))
    return stage.with_motion(motion)


def _places(play: Play, job: Job, options: HandlingOptions, watch: Watch) -> Iterator[Deed | Refusal]:
    task = job.task
    asked = job.times.earliest_s if job.times.at_s is None else job.times.at_s
    span = next((one for one in play.spans if one.object == task.object and one.start_s <= asked < one.end_s), None)
    if span is None or span.character != task.character:
        raise PlanningInputError(
            f'{task.label}: "{task.object}" is not in both hands of {task.character} at {asked:.2f} s'
        )
    upright = play.scene.object(task.object).placement.poses(np.array([-1e3]))[1][0]
    assert task.target is not None
    earliest = replace(job.times, earliest_s=max(job.times.earliest_s, span.start_s + 2.0 * MOVE_S))

    def rest_at(time_s: float) -> Iterator[Rest]:
        stage = play.stage(task.character)
        near = front(stage, np.array([time_s]), _CARRIED_M[0])[0][0]
        return rests(play.scene, task.object, task.target, time_s, near, task.heading_rad, upright)  # type: ignore[arg-type]

    def some_at(time_s: float) -> list[Rest] | str:
        turn = play.scene.object_track(task.object, [time_s])[1][0]
        try:
            # Arms that hold it together turn it little.
            found = sorted(islice(rest_at(time_s), _MOST_RESTS), key=lambda one: _turned(one, turn))
            return found[:_RESTS]
        except NoRestError as error:
            return str(error)

    def target_at(times: FloatArray) -> FloatArray:
        found = [some_at(float(time)) for time in times]
        return np.array([np.full(3, np.inf) if isinstance(one, str) else one[0].pose[0] for one in found])

    for chance in chances(play, task.character, ("right",), target_at, earliest)[:_MOMENTS]:
        some = some_at(chance.time_s)
        if isinstance(some, str):
            yield Refusal(status=Status.INFEASIBLE_GOAL, reason=some)
            continue
        for rest in some:
            if watch.interrupted() is not None:
                return
            watch.stage("chain")
            yield from guarded(partial(_put_down, play, job, chance.time_s, rest, span, options))


def _turned(rest: Rest, turn: FloatArray) -> int:
    """How far something has to be turned to rest, in steps."""
    return int(rot.angle_between(rest.pose[1], turn) / _TURNS_RAD)


def _put_down(play: Play, job: Job, time_s: float, rest: Rest, span: Span, options: HandlingOptions) -> Deed | Refusal:
    """Both arms take the object to its rest, let go, and go back into the clip."""
    task = job.task
    near, planning = neighbour_rules(play.scene, task.object, rest.pose, time_s, owner=task.character)
    begins, ends = (
        contact_s(span.start_s, np.inf)["start_s"],
        contact_s(time_s, play.scene.character(task.character).end_s)["end_s"],
    )
    touching = _touching(task.character, task.object, begins, ends)
    # Until now nobody knew when the hands would let go.
    declared, others = (_others(rules, touching) for rules in (play.scene.allowed_contacts, play.allow))
    play = replace(play, scene=replace(play.scene, allowed_contacts=declared), allow=others)
    rules = (*near, *touching)
    stage = play.stage(task.character, (*rules, *planning))
    fps = stage.motion.fps
    here = round((time_s - stage.start_s) * fps)
    start = here - round(MOVE_S * fps)
    frames = np.arange(start, here + 1)
    times = stage.start_s + frames / fps
    now = stage.scene.object_track(task.object, times)
    grips = {}
    for side in SIDES:
        joint = stage.scene.character(task.character).joint(f"{side}_hand", [time_s])
        at = stage.scene.object_track(task.object, [time_s])
        grip = seen_from(at[0][0], at[1][0], joint[0][0], joint[1][0])
        grips[side] = grip
    share = eased((times - times[0]) / MOVE_S)
    positions = now[0] + share[:, None] * (rest.pose[0] - now[0])
    positions[:, 1] += LIFT_M * np.sin(np.pi * (times - times[0]) / MOVE_S) ** 2
    turns = rot.slerp(now[1], np.broadcast_to(rest.pose[1], now[1].shape), share)
    end = min(here + round(_REACH_S[0] * fps), len(stage.motion) - 1)
    # While the arms are planned the object moves by itself along its path.
    moving = put_down(stage.scene, task.object, (times, positions, turns))
    moved, marks = replace(stage, scene=moving, _shared={}), []
    for side in SIDES:
        joints = compose(positions, turns, *grips[side])
        made = _arm_off(moved, side, frames, joints, end, task.object, (*others, *near), options)
        if isinstance(made, Refusal):
            return made
        moved = made
        marks.append(_mark(stage, side, time_s, (joints[0][-1], joints[1][-1])))
    scene: Scene = put(stage.scene, task.object, rest, time_s)
    ended = replace(stage, scene=scene, _shared={}).with_motion(moved.motion)
    deed = _deed(play, job, ended, time_s, tuple(marks), rules, (start, end))
    spans = tuple(replace(one, end_s=time_s) if one is span else one for one in play.spans)
    return replace(deed, play=replace(deed.play, spans=spans))


def _arm_off(
    stage: Stage,
    side: str,
    frames: IntArray,
    joints: tuple[FloatArray, FloatArray],
    end: int,
    name: str,
    elsewhere: tuple[ContactRule, ...],
    options: HandlingOptions,
) -> Stage | Refusal:
    """One arm on the object until its last frame, then back into the clip."""
    space = stage.space(f"{side}_arm")
    chain, start, here = list(space.joints), int(frames[0]), int(frames[-1])
    carried = space.parameters(stage.motion.rotations[start])
    rotations = np.array(stage.motion.rotations)
    rotations[start:, chain] = stage.source.rotations[start:, chain]
    base = stage.with_motion(replace(stage.motion, rotations=rotations))
    window = window_of(base, space, start, end)
    first = carried - space.parameters(base.motion.rotations[start])
    offsets = tracked(window, (first + np.pi) % (2.0 * np.pi) - np.pi, range(start, here + 1), joints)
    if offsets is None:
        return Refusal(status=Status.EXHAUSTED, reason=f"the {side} arm cannot follow")
    rows = [offsets]
    if end > here:
        back = joined(base, space, offsets, (here, end), name, elsewhere, options)
        if isinstance(back, str):
            return Refusal(status=Status.EXHAUSTED, reason=f"the {side} arm: {back}")
        rows.append(back)
    return with_arm(base, window, np.concatenate(rows))


def _mark(stage: Stage, side: str, time_s: float, joint: Pose) -> Mark:
    """The palm of a hand whose joint is at a pose at a moment."""
    palm = hand_point(stage, side, fingers=False)
    return Mark(
        character=stage.character,
        hand=side,
        time_s=time_s,
        position=joint[0] + rot.rotate(joint[1], palm),
        point=palm,
        rotation=joint[1],
    )


def _others(rules: Sequence[ContactRule], touching: Sequence[ContactRule]) -> tuple[ContactRule, ...]:
    """Contact rules but those of the same parts that begin at some moment: they end otherwise now."""
    return tuple(
        rule for rule in rules if not (np.isfinite(rule.start_s) and any(rule.covers(one.a, one.b) for one in touching))
    )


def _touching(character: str, name: str, start_s: float, end_s: float) -> tuple[ContactRule, ...]:
    return tuple(
        ContactRule(a=f"{character}.{side}_hand", b=name, start_s=start_s, end_s=end_s, why=f"holds {name}")
        for side in SIDES
    )


def _deed(
    play: Play,
    job: Job,
    stage: Stage,
    time_s: float,
    marks: tuple[Mark, ...],
    rules: tuple[ContactRule, ...],
    frames: tuple[int, int],
    *,
    spans: tuple[Span, ...] = (),
) -> Deed:
    limbs = tuple(f"{side}_arm" for side in SIDES)
    start_s, end_s = (stage.start_s + frame / stage.motion.fps for frame in frames)
    changes = tuple(Change(limb=limb, start_s=start_s, end_s=end_s, status=Status.SOLVED) for limb in limbs)
    after = play.done(stage.scene, limbs=limbs, character=stage.character, marks=marks, allow=rules, spans=spans)
    return Deed(
        kind=job.task.do,
        character=stage.character,
        hands=SIDES,
        object=job.task.object,
        time_s=time_s,
        marks=marks,
        limbs=limbs,
        changes=changes,
        rules=rules,
        play=after,
    )
