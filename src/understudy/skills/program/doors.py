"""Doors in a program: turn towards the way, open, pass, stop on the other side; an open door is walked through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Status
from understudy.kinematics import motion_world
from understudy.limbs.handling import Refusal
from understudy.locomotion.footsteps.bearing import borne
from understudy.locomotion.footsteps.footing import SIDES, footing_of
from understudy.locomotion.footsteps.joining import continued, joined
from understudy.locomotion.footsteps.pathing import wrapped
from understudy.locomotion.footsteps.planting import planted
from understudy.locomotion.footsteps.ways import CORNER_RAD, Way, turning_place
from understudy.scene.placements import Hinge
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.door.layout import Door, door_of
from understudy.skills.door.making import Opened
from understudy.skills.door.options import DoorOptions
from understudy.skills.door.planning import Judge, Wish, open_door
from understudy.skills.engine import deed_of
from understudy.skills.program.carrying import BEARINGS, upright_turn
from understudy.skills.program.doing import Doer, Doing, Means
from understudy.skills.program.here import Here
from understudy.skills.program.history import Piece
from understudy.skills.program.legs import Leg, Ready, arms_of
from understudy.skills.program.snapshot import shifted_rule
from understudy.skills.program.walks import walk
from understudy.typing import FloatArray

#: [m] how far beyond a door somebody stops who has nowhere to go; [m] around a doorway that is kept for one at a time.
_BEYOND_M, _DOORWAY_M = 1.7, 1.3
#: [rad] a door that is open as wide as this is walked through.
_OPEN_RAD = 0.9
#: [m] a goal farther from the door than this is walked to afterwards.
_FAR_M = 3.0

#: Makes the judge of opened doors for a task.
DoorJudge = Callable[[Task], Judge]


def door_doer(judge: DoorJudge) -> Doer:
    """The skill that opens doors, with its judge."""

    def run(here: Here, task: Task, means: Means) -> Iterator[Doing]:
        door = door_of(here.scene, task.object, here.footing.place, handle=task.handle)
        goal = _goal(door, means)
        region = (float(door.middle[0]), float(door.middle[1]), _DOORWAY_M)
        if _opening(here.scene, task.object) > _OPEN_RAD:
            through = replace(task, do="walk_to", object="", handle="", goal=tuple(goal.tolist()), hand=None)
            for doing in walk(here, through, means):
                yield replace(doing, deed=replace(doing.deed, kind=task.do, object=task.object), region=region)
            return
        back = _stepped_back(here, means, door)
        made = _opened(back or here, task, means, goal, judge)
        if isinstance(made, Doing):
            made = made if back is None or back.before is None else _after(back.before, here.name, made)
            yield replace(made, region=region)

    return run


def _stepped_back(here: Here, means: Means, door: Door) -> Here | None:
    """Somebody a step farther back, where something is close; their motion so far is the step."""
    if here.before is None:
        return None
    away, heading = door.middle - here.footing.place, here.footing.heading_rad
    if abs(wrapped(float(np.arctan2(*away)) - heading)) < CORNER_RAD:
        return None
    place = turning_place(here.floor(door.middle), here.footing.place)
    if place is None:
        return None
    way = Way(points=np.stack([here.footing.place, place]))
    # A hand that would come down upon what it has just put there stays up meanwhile.
    for ready in (None, *(Ready(hand=hand, bearing=BEARINGS[-1]) for hand in _raised(here.before))):
        leg = means.legs.along(here, way, end_rad=heading, stand_s=0.2, arms=arms_of(here, ready))
        if isinstance(leg, Leg):
            return replace(here, before=leg.motion, footing=footing_of(leg.motion))
    return None


def _raised(before: Motion) -> list[str]:
    """Hands that are above the hips in the end, the higher one first."""
    places = motion_world(before.frames(len(before) - 1, len(before))).positions[0]
    humanoid = before.skeleton.humanoid
    high = {side: float(places[humanoid[f"{side}Hand"], 1]) for side in SIDES}
    hips = float(places[humanoid["hips"], 1])
    return sorted((side for side in SIDES if high[side] > hips), key=lambda side: -high[side])


def _after(first: Motion, name: str, doing: Doing) -> Doing:
    """What was done, after another motion."""
    late, play = first.duration_s, doing.piece.play
    motion = joined(first, play.motion(name)).renamed(name)
    things = tuple(
        replace(one, placement=_later(one.placement, late)) if isinstance(one.placement, Hinge) else one
        for one in play.scene.objects
    )
    scene = replace(play.scene, objects=things).with_motion(name, motion)
    allow = tuple(shifted_rule(rule, late) for rule in play.allow)
    play = replace(play, scene=scene, sources={name: motion}, allow=allow)
    rules = tuple(shifted_rule(rule, late) for rule in doing.deed.rules)
    deed = replace(doing.deed, time_s=doing.deed.time_s + late, rules=rules, play=play)
    return Doing(piece=Piece(play=play, base=motion, end_s=motion.duration_s), deed=deed)


def _later(hinge: Hinge, late_s: float) -> Hinge:
    """A hinge that moves later."""
    if not hinge.moves:
        return hinge
    return replace(hinge, times_s=tuple(time + late_s for time in hinge.times_s))


def _opening(scene: Scene, name: str) -> float:
    placement = scene.object(name).placement
    return abs(float(placement.angles([0.0])[0])) if isinstance(placement, Hinge) else 0.0


def _goal(door: Door, means: Means) -> FloatArray:
    """Where one stops: at the next goal, where it is near, or a little beyond the door."""
    beyond = np.asarray(door.middle + _BEYOND_M * door.through)
    for later in means.later[:1]:
        if later.do == "walk_to" and later.goal is not None:
            goal = np.array(later.goal)
            ahead = float((goal - door.middle) @ door.through)
            if ahead > 1.0 and float(np.hypot(*(goal - door.middle))) < _FAR_M:
                return goal
    return beyond


def _opened(here: Here, task: Task, means: Means, goal: FloatArray, judge: DoorJudge) -> Doing | str:
    """The door opened from where one stands."""
    means.watch.stage("door")
    full = [one.hand for one in here.held()]
    hands = tuple(hand for hand in ("left", "right") if hand not in full and task.hand in (None, hand))
    if not hands:
        return _refused(here, f'no hand is free to open "{task.object}"')
    wish = Wish(
        scene=here.around().with_character(here.name),
        door=task.object,
        skeleton=here.skeleton,
        start=here.footing.place,
        goal=goal,
        character=here.name,
        handle=task.handle,
        angle_rad=task.angle_rad,
        at_rest=True,
    )
    options = DoorOptions(
        seed=means.options.seed,
        fps=means.legs.fps,
        hands=hands,
        deadline_s=means.watch.left_s(),
        cancel=means.options.cancel,
    )
    result = open_door(wish, judge=judge(task), options=options)
    trace = result.trace
    if not result.status or trace is None or trace.opened is None:
        here.notes.add(Refusal(status=result.status, reason=result.reason))
        return result.reason
    return _joined(here, task, means, trace.opened)


def _joined(here: Here, task: Task, means: Means, opened: Opened) -> Doing | str:
    """The opened door after a turn towards its way, judged as a whole."""
    turned = _turned(here, means, float(opened.timeline.heading[0]))
    if isinstance(turned, str):
        return _refused(here, turned)
    motion, walked, late = opened.motion, opened.walk, 0.0
    if turned is not None:
        late = turned.duration_s
    for held in here.held():
        upright = here.scene.object(held.object).placement.poses(np.array([-1e3]))[1][0]
        turn = upright_turn(motion, held.hand, held.grip, upright, BEARINGS[1])
        motion = borne(motion, held.hand, turn, BEARINGS[1])
    before = turned if turned is not None else here.before
    if before is not None:
        motion = continued(before, planted(before, motion))
        walked = continued(before, planted(before, walked))
    if turned is not None:
        motion, walked = joined(turned, motion), joined(turned, walked)
    motion = motion.renamed(here.name)
    hinge = replace(opened.hinge, times_s=tuple(time + late for time in opened.hinge.times_s))
    rules = tuple(shifted_rule(rule, late) for rule in opened.rules)
    scene = here.scene.placed(task.object, hinge).with_motion(here.name, motion)
    play = replace(here.play, scene=scene, sources={here.name: motion}, allow=(*here.play.allow, *rules))
    fault = means.legs.judge(play, here.name)
    if fault:
        return _refused(here, f"the judge did not pass it: {fault}")
    piece = Piece(play=play, base=motion, end_s=motion.duration_s)
    deed = replace(deed_of(task, play, opened.timeline.grab_s + late), hands=(opened.timeline.hand,), rules=rules)
    return Doing(piece=piece, deed=deed)


def _turned(here: Here, means: Means, heading_rad: float) -> Motion | str | None:
    """Steps on the spot towards the door's way; nothing for who begins there and may face anywhere."""
    if not here.faces:
        return None
    stand = Way(points=np.stack([here.footing.place] * 2))
    leg = means.legs.along(here, stand, end_rad=heading_rad, stand_s=0.2)
    if isinstance(leg, Leg):
        return leg.motion
    return leg


def _refused(here: Here, reason: str) -> str:
    here.notes.add(Refusal(status=Status.EXHAUSTED, reason=reason))
    return reason
