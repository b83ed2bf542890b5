"""Tasks for hands: taking, putting down, touching, from where one stands or from a place one walks to first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.planning import Status
from understudy.limbs.handling import Deed, HandlingOptions, Orientation, Refusal, Times
from understudy.limbs.handling.doing import ways
from understudy.limbs.handling.fronting import MOVE_S
from understudy.limbs.handling.jobs import Job
from understudy.limbs.handling.manners import MANNERS
from understudy.limbs.handling.moments import LEAD_S
from understudy.limbs.handling.two_holds import by_both
from understudy.limbs.hands import hand_axes
from understudy.limbs.window import window_of
from understudy.locomotion.footsteps.footing import SIDES, footing_of
from understudy.scene.resting import NoRestError, rests
from understudy.scene.tasks import Task
from understudy.scene.tessellation import triangles_of
from understudy.scene.transforms import Pose
from understudy.skills.program.approach import STAND_S, approached
from understudy.skills.program.doing import Doing, Means
from understudy.skills.program.here import Here
from understudy.skills.program.history import LEFT_S, Piece
from understudy.skills.program.legs import Leg
from understudy.skills.program.outlook import Outlook, arms_for, no_posture
from understudy.skills.program.spots import HELD_M, Spot, points_of, shoulder_of
from understudy.skills.program.stooping import Stoop, runs_into, stoops_for

#: [s] after somebody stands in which moments are looked at: who stands still does not get nearer by waiting.
_MOMENTS_S = 0.15
#: [s] after somebody stands that both hands are on something at the soonest.
_BOTH_S = 0.9
#: [rad] how far fingers may point aside of an arm.
_WRIST_RAD = 0.9
#: What a hand costs that is lower than what it holds, over by how much.
_UNDER = 20.0
#: [s] after a hand is back.
_AFTER_S = 0.1
#: [s] after something else was done that a hand may be somewhere again.
_BACK_S = 1.3
#: How far fingers about a bottle point inwards and down, in turn: trunks that lean back for want of it look odd.
_FINGERS = ((0.35, 0.0), (0.35, 0.16), (0.1, 0.2), (0.0, 0.16), (0.0, 0.2), (-0.1, 0.22), (-0.2, 0.25))
#: Places at which hands only glance; [s] of standing before and after the moment that is foreseen.
_GLANCED, _FORESEEN_S = 3, 1.6


def handle(here: Here, task: Task, means: Means) -> Iterator[Doing]:
    """Ways of doing a hand's task."""
    task = by_both(task, here.scene, here.body)
    tried: list[Spot] = []

    def on_top(leg: Leg, spot: Spot | None = None) -> Iterator[Deed]:
        # Another place is sooner tried than the first ones thoroughly.
        tried.extend([] if spot is None else [spot])
        return _on(leg, here, task, means, spot, glance=spot is not None and len(tried) <= _GLANCED)

    def glance(spot: Spot) -> Outlook:
        found = Outlook(fault=f"it is out of reach, however one bends: {spot.point[1]:.2f} m high")
        for stoop in _stoops(here, task, spot):
            found = _outlook(here, task, means, spot, stoop, thorough=bool(tried))
            if not found.fault or means.watch.interrupted() is not None:
                break
        return found

    if task.do == "drop":
        leg = means.legs.standing(here, 1.5)
        if not isinstance(leg, str):
            for deed in on_top(leg):
                yield _doing(leg, deed, means)
        return
    unfit = _unfit(here, task)
    if unfit:
        here.notes.add(Refusal(status=Status.INFEASIBLE_GOAL, reason=unfit, hopeless=True))
        return
    if task.at_s is not None:
        yield from _timed(here, task, means)
        return
    for found in approached(here, task, means.legs, on_top, means.watch, seed=means.options.seed, glance=glance):
        state = found.path[-1].state
        if state.leg is not None and state.deed is not None:
            yield _doing(state.leg, state.deed, means)


def _unfit(here: Here, task: Task) -> str:
    """Why something cannot be put down where it is to go, wherever one stands; empty where it can."""
    if task.do != "place" or task.target is None:
        return ""
    if isinstance(task.target, str) and task.target not in [one.name for one in here.scene.objects]:
        return ""
    try:
        next(rests(here.scene, task.object, task.target, 0.0, np.zeros(3), task.heading_rad, here.upright(task.object)))
    except NoRestError as error:
        return str(error)
    return ""


def _timed(here: Here, task: Task, means: Means) -> Iterator[Doing]:
    """A task at a given moment: stand until then; who is too early waits."""
    assert task.at_s is not None
    local = replace(task, at_s=max(task.at_s - means.start_s, LEAD_S), by_s=None)
    leg = means.legs.standing(here, (local.at_s or 0.0) + STAND_S)
    if isinstance(leg, str):
        return
    for deed in _on(leg, here, local, means, None):
        yield _doing(leg, deed, means)


def _stoops(here: Here, task: Task, spot: Spot) -> Iterator[Stoop | None]:
    """How the body may bend at a place for what is low, in turn; nothing where an arm will do."""
    if spot.beyond_m <= 0.0 or spot.point[1] > shoulder_of(here.skeleton)[0][1]:
        return iter([None])
    return stoops_for(here.skeleton, spot, _wrist_m(here, task, spot))


def _wrist_m(here: Here, task: Task, spot: Spot) -> tuple[float, float] | None:
    """How far beside and above where something is put the wrist is, as it is held; nothing where it is not [m]."""
    held = next((one for one in here.held() if one.object == task.object and one.hand == spot.hand), None)
    if held is None:
        return None
    away = rot.rotate(rot.multiply(here.upright(task.object), rot.conjugate(held.grip)), -held.at)
    tall = float(np.ptp(triangles_of(here.scene.object(task.object).shape)[0][:, 1]))
    higher = 0.5 * tall - (HELD_M if isinstance(task.target, str) else 0.0)
    return round(float(np.hypot(away[0], away[2])), 3), round(float(away[1]) + higher, 3)


def _outlook(here: Here, task: Task, means: Means, spot: Spot, stoop: Stoop | None, *, thorough: bool) -> Outlook:
    """What is known of a place for who bends there: whether body, arms and hand have room for it."""
    outlook = Outlook(arms=arms_for(here, task, spot, stoop), stoop=stoop)
    stands = (leg for _, leg in means.legs.foreseen(here, spot.place, spot.heading_rad) if isinstance(leg, Leg))
    stand = None if stoop is None else next(stands, None)
    if stoop is not None and stand is not None:
        outlook = outlook._replace(fault=runs_into(here.scene, here.name, stand.motion, stoop))
    # Most hands manage at the first place, unless the body has to bend for it.
    if outlook.fault or spot.hand == "both" or not (thorough or stoop):
        return outlook
    return _foreseen(here, task, means, spot, outlook)


def _foreseen(here: Here, task: Task, means: Means, spot: Spot, outlook: Outlook) -> Outlook:
    """How arms are held at a place where a hand has a posture for its task; or why there is none."""
    times = Times(at_s=_FORESEEN_S, earliest_s=_FORESEEN_S, latest_s=_FORESEEN_S)
    job = Job(task=replace(task, hand=spot.hand), times=times)  # type: ignore[arg-type]
    fault = ""
    for arms, leg in means.legs.foreseen(
        here, spot.place, spot.heading_rad, arms=outlook.arms, stand_s=2.0 * _FORESEEN_S, stoop=outlook.stoop
    ):
        if isinstance(leg, Leg):
            return outlook._replace(fault=no_posture(leg.play, job, means.options), arms=arms)
        fault = fault or leg
    return outlook._replace(fault=fault)


def _on(leg: Leg, here: Here, task: Task, means: Means, spot: Spot | None, *, glance: bool = False) -> Iterator[Deed]:
    latest = leg.motion.duration_s - 1.0
    if task.by_s is not None:
        latest = min(latest, task.by_s - means.start_s)
    # Who has just done something else lets that arm come back first.
    earliest = max(LEAD_S if here.before is None else _BACK_S, leg.arrive_s)
    if spot is not None and spot.hand == "both":
        earliest = max(earliest, leg.stands_s + _BOTH_S)
    if spot is not None:
        latest = min(latest, earliest + (0.0 if glance else _MOMENTS_S))
    times = Times(at_s=task.at_s, earliest_s=earliest, latest_s=max(latest, earliest))
    if spot is not None and task.hand is None and spot.hand != "both":
        # The other hand has places of its own.
        task = replace(task, hand=spot.hand)  # type: ignore[arg-type]
    options: HandlingOptions = replace(
        means.options,
        style={**means.options.style, **MANNERS.get(task.style, {})},
        ways=1,
    )
    for orientation, spine in _manners(leg, task, means, spot, glance=glance):
        # What has to be held just so is held up where an arm has no free way back; other things are taken otherwise.
        up = orientation is not None
        job = Job(task=task, times=times, orientation=orientation, holds_up=up, later_m=_later_m(here, task, means))
        now = replace(options, spine=options.spine and spine)
        yield from ways(leg.play, job, means.judge, now, means.watch, here.notes, glance=glance, calm=True)


def _later_m(here: Here, task: Task, means: Means) -> Callable[[Pose], float] | None:
    """What grips cost of something that is put down next [m]; nothing where it is not.

    A hand that is lower than what it holds would be in what that is put on. An arm that hangs down to put something low
    has its fingers point down.
    """
    put = next((one for one in means.later if one.object == task.object), None)
    if task.do != "grab" or task.hand not in SIDES or put is None or put.do != "place" or put.target is None:
        return None
    body, hand = here.body, here.body.capsule(f"{task.hand}_hand")
    (at,), (turn,) = here.scene.object_track(task.object, [0.0])
    lowest = at[1] + rot.rotate(turn, triangles_of(here.scene.object(task.object).shape)[0])[:, 1].min()
    shoulder, arm = shoulder_of(here.skeleton)
    low = points_of(here.scene, put)[:, 1].max() < shoulder[1] - arm
    fingers = hand_axes(body, task.hand)[0]
    ends = np.stack([body.capsule_starts[hand], body.capsule_ends[hand]])

    def later_m(joint: Pose) -> float:
        under = lowest - (joint[0] + rot.rotate(joint[1], ends))[:, 1].min() + body.capsule_radii[hand]
        steep = np.arccos(np.clip(-rot.rotate(joint[1], fingers)[1], -1.0, 1.0)) - _WRIST_RAD
        return _UNDER * max(float(under), 0.0) + (max(float(steep), 0.0) if low else 0.0)

    return later_m


def _manners(
    leg: Leg, task: Task, means: Means, spot: Spot | None, *, glance: bool
) -> list[tuple[Orientation | None, bool]]:
    """How a hand is turned, and whether the trunk may help, in turn."""
    if task.fingers is not None or task.palm is not None:
        return [(Orientation(fingers=task.fingers, palm=task.palm), True)]
    if spot is None or not _to_pour(task, means):
        return [(None, True)]
    heading = footing_of(leg.motion).heading_rad
    turns = [_for_pouring(heading, spot.hand, *fingers) for fingers in _FINGERS]
    return [*((one, False) for one in turns), *(() if glance else ((turns[0], True),))]


def _to_pour(task: Task, means: Means) -> bool:
    """Whether what is taken will be poured from next."""
    return task.do == "grab" and any(one.do == "pour" and one.object in ("", task.object) for one in means.later[:3])


def _for_pouring(heading_rad: float, hand: str, inwards: float, down: float) -> Orientation:
    """A hand about an upright bottle, as the examples of pouring have it or nearly so."""
    sign = 1.0 if hand == "left" else -1.0
    turn = rot.from_yaw(heading_rad)
    fingers = rot.rotate(turn, np.array([-inwards * sign, -down, 1.0]))
    palm = rot.rotate(turn, np.array([-1.0 * sign, 0.0, -inwards]))
    return Orientation(fingers=tuple(fingers.tolist()), palm=tuple(palm.tolist()))


def _doing(leg: Leg, deed: Deed, means: Means) -> Doing:
    """The deed, cut off where the hand is back and nothing of the next stand is needed."""
    back = max([deed.time_s, *(change.end_s for change in deed.changes)])
    if len(deed.hands) > 1:
        # What both hands take is before the chest by then; what they put down is left by both.
        return Doing(piece=Piece(play=deed.play, base=leg.motion, end_s=_both_back_s(leg, deed, back)), deed=deed)
    if deed.kind in ("grab", "place", "carry") and means.later:
        # What is taken is brought up by the next leg; nobody waits for the arm to hang down.
        back = min(back, deed.time_s + LEFT_S)
    end = min(max(back + _AFTER_S, leg.arrive_s, leg.up_s), leg.motion.duration_s)
    if deed.kind == "grab":
        end = _clear_s(deed, end)
    return Doing(piece=Piece(play=deed.play, base=leg.motion, end_s=end), deed=deed)


def _both_back_s(leg: Leg, deed: Deed, back_s: float) -> float:
    """When both hands have done something [s]."""
    done_s = deed.time_s + MOVE_S + _AFTER_S if deed.kind == "grab" else back_s + _AFTER_S
    return min(max(done_s, leg.arrive_s, leg.up_s), leg.motion.duration_s)


def _clear_s(deed: Deed, end_s: float) -> float:
    """When what was taken is clear of what it stood on or beside, from a time on [s]."""
    stage = deed.play.stage(deed.character)
    motion = stage.motion
    first = min(round(end_s * motion.fps), len(motion) - 1)
    if first >= len(motion) - 2:
        return end_s
    slack = window_of(stage, stage.space(f"{deed.hands[0]}_arm"), first, len(motion) - 1).insides()[:, 0]
    free = np.flatnonzero(slack >= 0.0)
    return end_s if len(free) == 0 else (first + int(free[0])) / motion.fps
