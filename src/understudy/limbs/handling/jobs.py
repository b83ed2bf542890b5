"""From tasks to aims: which hand could do it when, and where exactly that hand would have to be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np

from understudy import rotations as rot
from understudy.core.planning import Status
from understudy.errors import PlanningInputError, UnderstudyError
from understudy.limbs.handling.aims import DWELL_S, Aim, Way
from understudy.limbs.handling.foresight import Foresight
from understudy.limbs.handling.grips import Grasp, Orientation, grasp_of, reach_for
from understudy.limbs.handling.moments import LEAD_S, Chance, Times, chances, shoulder_at
from understudy.limbs.handling.neighbours import neighbour_rules
from understudy.limbs.handling.play import Play
from understudy.limbs.parting import contact_s
from understudy.limbs.refusals import Refusal
from understudy.limbs.seeds import EndTarget
from understudy.limbs.targets import followed, place_of
from understudy.scene.contacts import ContactRule
from understudy.scene.placements import Hinge
from understudy.scene.resting import NoRestError, Rest, rests
from understudy.scene.scene import Scene
from understudy.scene.taking import held_by, holder_at, put_down, taken
from understudy.scene.tasks import Task
from understudy.scene.transforms import Pose, compose, seen_from
from understudy.typing import FloatArray

_Made = TypeVar("_Made")
#: Ways to put something down that are tried at one moment.
_RESTS = 60
#: [s] between moments at which a thing could be put down later.
_COARSE_S = 0.25
#: [s] a hand that takes something and puts it down within this time does so in one movement.
_SOON_S = 4.0
#: [m] in front of the shoulder and below it: where it is easy to put things.
_EASY_M = (0.42, -0.35)


@dataclass(frozen=True, eq=False, kw_only=True)
class Job:
    """A task and when it may happen.

    Attributes:
        task: The task.
        times: When.
        orientation: How the hand is turned; free unless given.
        holds_up: Whether a hand that has taken something may stay lifted.
        later: What is done next with the thing, where that is known: it is taken so that this can be done.
        at_once: Whether nothing else is done in between.
        later_m: What grips cost later [m], by the hand joint's pose, where no moment is known for that yet.
    """

    task: Task
    times: Times
    orientation: Orientation | None = None
    holds_up: bool = False
    later: Job | None = None
    at_once: bool = False
    later_m: Callable[[Pose], float] | None = None

    @property
    def fixed(self) -> bool:
        """Whether the moment is given."""
        return self.times.at_s is not None

    @property
    def soon(self) -> float | None:
        """When that is [s], where it is so soon that the hand does not go back to its clip before it."""
        if not self.at_once or self.later is None or self.times.at_s is None or self.later.times.at_s is None:
            return None
        return self.later.times.at_s if self.later.times.at_s - self.times.at_s < _SOON_S else None


def aims(play: Play, job: Job) -> Iterator[Aim | Refusal]:
    """Ways to do a task with one hand, in the order in which they should be tried.

    Args:
        play: Everything so far.
        job: What is to be done.

    Raises:
        PlanningInputError: What is asked for makes no sense: an unknown name, an object held already.
    """
    if job.task.do in ("place", "carry"):
        return _place(play, job)
    return (_grab if job.task.do == "grab" else _touch)(play, job)


def _hands(play: Play, job: Job, time_s: float, *, empty: bool) -> tuple[str, ...]:
    """Hands that may be used; for grabs only empty ones.

    Raises:
        PlanningInputError: The hand asked for is not empty, or none is.
    """
    task = job.task
    asked = ("left", "right") if task.hand is None else (str(task.hand),)
    if not empty:
        return asked
    full = {hand: held_by(play.scene, task.character, hand, time_s) for hand in asked}
    free = tuple(hand for hand in asked if not full[hand])
    if not free:
        said = ", ".join(f'the {hand} hand already holds "{full[hand][0]}"' for hand in asked)
        raise PlanningInputError(f"{task.label}: {said} at {time_s:.2f} s")
    return free


def _when(job: Job) -> float:
    return job.times.earliest_s if job.times.at_s is None else job.times.at_s


def _grab(play: Play, job: Job) -> Iterator[Aim | Refusal]:
    task, scene = job.task, play.scene
    thing = scene.object(task.object)
    if isinstance(thing.placement, Hinge):
        raise PlanningInputError(f'{task.label}: "{task.object}" hangs on a hinge; it cannot be taken away')
    _check_free(play, job)
    hands = _hands(play, job, _when(job), empty=True)
    grips = [thing.handle(task.handle)] if task.handle else list(thing.handles)
    points = np.array([grip.at for grip in grips] or [(0.0, 0.0, 0.0)])

    def target_at(times: FloatArray) -> FloatArray:
        at, turn = scene.object_track(task.object, times)
        places = at[:, None] + rot.rotate(turn[:, None], points)
        away = np.linalg.norm(places - shoulder_at(play, task.character, hands[0], times)[:, None], axis=2)
        return np.asarray(places[np.arange(len(times)), away.argmin(axis=1)])

    for chance in chances(play, task.character, hands, target_at, job.times):
        yield from guarded(lambda chance=chance: _grab_aim(play, job, chance))  # type: ignore[misc]


def _check_free(play: Play, job: Job) -> None:
    task, when = job.task, _when(job)
    for time_s in {when, job.times.latest_s if job.times.at_s is None else when}:
        hold = holder_at(play.scene, task.object, time_s)
        if hold is None:
            continue
        owner, _, part = hold.to.partition(".")
        in_hand = part.endswith(("_hand", "Hand"))
        if in_hand and (owner != task.character or task.hand is None or part.startswith(str(task.hand))):
            raise PlanningInputError(f'{task.label}: "{task.object}" is already held by "{hold.to}" at {when:.2f} s')


def _grab_aim(play: Play, job: Job, chance: Chance) -> Aim:
    task, scene, when = job.task, play.scene, chance.time_s
    stage = play.stage(task.character)
    shoulder = shoulder_at(play, task.character, chance.hand, np.array([when]))[0]
    grasp = grasp_of(stage, task.object, task.handle, when, chance.hand, shoulder, job.orientation)
    positions, rotations = scene.object_track(task.object, [when])
    pose = (positions[0], rotations[0])
    near, planning = neighbour_rules(scene, task.object, pose, when, owner=task.character)
    inside = rot.rotate(rot.conjugate(pose[1]), grasp.position - pose[0])

    def target_at(time_s: float) -> FloatArray:
        return compose(*scene.object_track(task.object, [time_s]), inside, rot.identity(()))[0][0]

    def after(now: Scene, joint: Pose, way: Way) -> Scene:
        return taken(now, task.object, f"{task.character}.{chance.hand}_hand", when, seen_from(*joint, *pose))

    return Aim(
        kind=task.do,
        character=task.character,
        hand=chance.hand,
        time_s=when,
        name=grasp.name,
        object=task.object,
        tiers=grasp.tiers,
        target_at=target_at,
        after=after,
        resting=near,
        touching=touching(play, task, chance.hand, grasp.touched, when, rests=True),
        planning=planning,
        lifts=bool(near),
        rests=bool(near),
        fills=True,
        holds_up=job.holds_up,
        later_m=job.later_m or _foreseen(play, job, chance, pose),
    )


def _foreseen(play: Play, job: Job, chance: Chance, pose: Pose) -> Callable[[Pose], float] | None:
    """What grips cost where the thing is put later [m]; found out when it is asked for."""
    later = job.later
    if later is None or later.task.target is None:
        return None
    name, who, times = job.task.object, job.task.character, later.times
    upright = play.scene.object(name).placement.poses(np.array([-1e3]))[1][0]

    def foresight() -> Foresight:
        when = times.at_s
        if when is None:
            # Where the moment is free, the one at which the shoulder is nearest.
            moments = np.arange(min(chance.time_s + LEAD_S, times.latest_s), times.latest_s + 1e-9, _COARSE_S)
            there = _resting_at(play, later, float(moments[0]), chance.hand, upright)
            away = np.linalg.norm(shoulder_at(play, who, chance.hand, moments) - there, axis=1)
            when = float(moments[int(away.argmin())])
        when = play.frame_s(who, when)
        key = ("foresight", who, chance.hand, name, when, *(part.tobytes() for part in pose))
        if key not in play.known:
            resting = [rest.pose for rest in islice(_rests(play, later, when, chance.hand, upright), _RESTS)]
            fixed = times.at_s is not None
            play.known[key] = Foresight(play, who, chance.hand, name, pose, when, resting, fixed)
        return play.known[key]  # type: ignore[return-value]

    found = list[Foresight]()

    def later_m(joint: Pose) -> float:
        try:
            found.extend([] if found else [foresight()])
        except NoRestError:
            # No grip helps; whoever puts it down says why.
            return 0.0
        return found[0].cost_m(joint)

    return later_m


def _touch(play: Play, job: Job) -> Iterator[Aim | Refusal]:
    task = job.task
    target = _target(task)
    stage = play.stage(task.character)
    hands = _hands(play, job, _when(job), empty=False)

    def target_at(times: FloatArray) -> FloatArray:
        shoulders = shoulder_at(play, task.character, hands[0], times)
        return np.array([place_of(stage, target, t, s) for t, s in zip(times.tolist(), shoulders, strict=True)])

    for chance in chances(play, task.character, hands, target_at, job.times):
        yield from guarded(lambda chance=chance: _touch_aim(play, job, chance))  # type: ignore[misc]


def _target(task: Task) -> str | tuple[float, float, float]:
    if task.object:
        return f"{task.object}.{task.handle}" if task.handle else task.object
    assert task.target is not None
    return task.target


def _touch_aim(play: Play, job: Job, chance: Chance) -> Aim:
    task, when, hand = job.task, chance.time_s, chance.hand
    stage, target = play.stage(task.character), _target(task)
    shoulder = shoulder_at(play, task.character, hand, np.array([when]))[0]
    grasp: Grasp = reach_for(stage, target, when, hand, shoulder, job.orientation)
    carried = held_by(play.scene, task.character, hand, when)
    return Aim(
        kind=task.do,
        character=task.character,
        hand=hand,
        time_s=when,
        name=grasp.name,
        object=task.object,
        tiers=grasp.tiers,
        target_at=followed(stage, target, grasp.position, when),
        after=lambda scene, joint, way: scene,
        touching=touching(play, task, hand, (*grasp.touched, *carried), when),
        hold_s=task.hold_s or 0.0,
    )


def _place(play: Play, job: Job) -> Iterator[Aim | Refusal]:
    task, scene = job.task, play.scene
    hold = holder_at(scene, task.object, _when(job))
    hands = tuple(hand for hand in ("left", "right") if hold is not None and hold.to == f"{task.character}.{hand}_hand")
    if not hands:
        who = f'held by "{hold.to}"' if hold is not None else "not held by anybody"
        raise PlanningInputError(
            f'{task.label}: "{task.object}" is {who} at {_when(job):.2f} s, so it cannot be put down'
        )
    if task.hand not in (None, hands[0]):
        raise PlanningInputError(f'{task.label}: the {hands[0]} hand holds "{task.object}", not the {task.hand} one')
    upright = scene.object(task.object).placement.poses(np.array([-1e3]))[1][0]
    character = task.character

    def target_at(times: FloatArray) -> FloatArray:
        return np.array([_resting_at(play, job, float(t), hands[0], upright) for t in times])

    for chance in chances(play, character, hands, target_at, job.times):
        yield from guarded(lambda chance=chance: _place_aim(play, job, chance, upright))  # type: ignore[misc]


def _resting_at(play: Play, job: Job, time_s: float, hand: str, upright: FloatArray) -> FloatArray:
    """Where something would be put at a time ``(3,)`` [m]; infinitely far where it cannot stand then."""
    try:
        return next(_rests(play, job, time_s, hand, upright)).pose[0]
    except NoRestError:
        return np.full(3, np.inf)


def _rests(play: Play, job: Job, time_s: float, hand: str, upright: FloatArray) -> Iterator[Rest]:
    task = job.task
    assert task.target is not None
    shoulder = shoulder_at(play, task.character, hand, np.array([time_s]))[0]
    facing = play.scene.character(task.character).facing_rad(time_s)
    ahead = np.array([np.sin(facing), 0.0, np.cos(facing)])
    near = shoulder + _EASY_M[0] * ahead + np.array([0.0, _EASY_M[1], 0.0])
    return rests(
        play.scene, task.object, task.target, time_s, near, task.heading_rad, upright, let_go=task.do == "place"
    )


def _place_aim(play: Play, job: Job, chance: Chance, upright: FloatArray) -> Aim:
    task, scene, when, hand = job.task, play.scene, chance.time_s, chance.hand
    holder = scene.character(task.character).joint(f"{hand}_hand", [when])
    grip = seen_from(*holder, *scene.object_track(task.object, [when]))
    back = seen_from(grip[0][0], grip[1][0], np.zeros(3), rot.identity(()))
    point = scene.character(task.character).palm(f"{hand}_hand")
    found = list(islice(_rests(play, job, when, hand, upright), _RESTS))
    ways, by_way = [], {}
    for rest in found:
        at, turn = compose(*rest.pose, *back)
        up = np.array([0.0, 1.0, 0.0])
        palm = at + rot.rotate(turn, point)
        way = Way(end=EndTarget(position=palm, rotations=turn[None], point=point), out=up)
        ways.append(way)
        by_way[id(way)] = rest
    on = (task.target,) if isinstance(task.target, str) else ()
    near, planning = neighbour_rules(scene, task.object, found[0].pose, when, owner=task.character, also=on)

    def after(now: Scene, joint: Pose, way: Way) -> Scene:
        if task.do == "carry":
            return now
        return put(now, task.object, by_way[id(way)], when)

    start = ways[0].end.position
    assert task.target is not None
    return Aim(
        kind=task.do,
        character=task.character,
        hand=hand,
        time_s=when,
        name=f"{task.object} at {task.target if isinstance(task.target, str) else _point(task.target)}",
        object=task.object,
        tiers=(tuple(ways),),
        target_at=lambda time_s: start,
        after=after,
        resting=near,
        touching=touching(play, task, hand, (task.object,), when, rests=True),
        planning=planning,
        lifts=task.do == "carry",
        rests=task.do == "place",
        empties=task.do == "place",
        hold_s=task.hold_s or 0.0,
    )


def put(scene: Scene, name: str, rest: Rest, time_s: float) -> Scene:
    """The scene in which an object rests somewhere from a time on."""
    if rest.to and rest.grip is not None:
        return taken(scene, name, rest.to, time_s, rest.grip)
    return put_down(scene, name, (np.array([time_s]), rest.pose[0][None], rest.pose[1][None]))


def touching(
    play: Play, task: Task, hand: str, names: tuple[str, ...], time_s: float, *, rests: bool = False
) -> tuple[ContactRule, ...]:
    """Contacts of a hand that is at something at a moment, or from then on for as long as the task says."""
    held, dwell = task.hold_s or 0.0, DWELL_S if rests else 0.0
    when = contact_s(time_s, play.scene.character(task.character).end_s, dwell)
    if held > 0.0:
        when["end_s"] = contact_s(time_s + held, play.scene.character(task.character).end_s)["end_s"]
    a = f"{task.character}.{hand}_hand"
    return tuple(ContactRule(a=a, b=name, why=f"handles {name}", **when) for name in names)


def _point(target: tuple[float, ...]) -> str:
    return f"({', '.join(f'{value:.2f}' for value in target)})"


def guarded(make: Callable[[], _Made]) -> Iterator[_Made | Refusal]:
    """What is made, or why there is none at this moment: an object around the shoulder is no reason to give up."""
    try:
        yield make()
    except UnderstudyError as error:
        yield Refusal(status=Status.INFEASIBLE_GOAL, reason=str(error))
