"""Skills the demo adds to task lists: walks of a motion library, yoga between postures, and a tossed ball.

A skill is a function from somebody at a moment and a task to judged ways of doing it, best first (docs/programs.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

import understudy as us
from understudy import rotations as rot
from understudy.core.planning import Status
from understudy.interaction import Actor, Apex, Ball, Hold, Play, Way
from understudy.kinematics import motion_world
from understudy.kinematics.hold import hold_end
from understudy.limbs.handling import Refusal
from understudy.performer import action_examples
from understudy.scene import ContactRule, Task, Track
from understudy.skills.program.acting import actor_of
from understudy.skills.program.doing import Doing, Means
from understudy.skills.program.here import Here
from understudy.skills.program.joining import continued, leg_of
from understudy.skills.program.legs import Leg
from understudy.skills.program.walks import walk, walked

#: [s] after a throw and before a catch within which the ball may touch the hand, and [m] how deep it may.
_LEAVING_S, _LEAVING_M = 0.15, 0.012
#: [s] before a throw that the arm gets ready, and after a catch in which it comes to rest.
_BEFORE_S, _REST_S = 0.9, 0.8


@dataclass(frozen=True)
class LibraryWalk:
    """First walks are made of a library's clips, in style "tight" with the whole body; later ones by the performer."""

    library: us.Library

    def __call__(self, here: Here, task: Task, means: Means) -> Iterator[Doing]:
        if here.before is not None or task.goal is None:
            yield from walk(here, task, means)
            return
        result = self._sampled(here, task) if task.style == "tight" else self._planned(here, task)
        if result.motion is not None:
            result = replace(result, motion=_trimmed(result.motion))
        yield from _found(here, task, means, result)

    def _planned(self, here: Here, task: Task) -> us.Result:
        goal = us.Spot(position=task.goal, heading_rad=task.heading_rad)
        start = us.Spot(position=tuple(here.footing.place), still=True)
        return us.walk(self.library, here.scene, start=start, goal=goal, options=us.WalkOptions(stop=True))

    def _sampled(self, here: Here, task: Task) -> us.Result:
        footage = self.library.footage
        takes = {take.name: bounds for take, bounds in zip(footage.takes, footage.bounds(), strict=True)}
        asked = [
            us.Constraint(position=tuple(here.footing.place), action=takes["start"][0]),
            us.Constraint(position=task.goal, heading_rad=task.heading_rad, action=takes["stop"][1] - 1),
        ]
        return us.sample_walk(self.library, here.scene, constraints=asked, options=us.SampleOptions(method="tight"))


def _trimmed(motion: us.Motion, stands_s: float = 0.4) -> us.Motion:
    """A walk without most of the standing before its first step and after its last."""
    gone, left = (np.linalg.norm(motion.root_positions - motion.root_positions[end], axis=1) > 0.04 for end in (0, -1))
    stands = round(stands_s * motion.fps)
    first, last = int(np.argmax(gone)) - stands, len(left) - int(np.argmax(left[::-1])) + stands
    return motion.frames(max(first, 0), min(last, len(motion)))


def strike_posture(here: Here, task: Task, means: Means) -> Iterator[Doing]:
    """From how one stands to a posture and back, on one foot that stays."""
    stand = _arms_off(here.before.pose(len(here.before) - 1), here.footing.heading_rad)
    options = us.BetweenOptions(fps=here.before.fps)
    pins = list(task.pin) or ["rightFoot"]
    result = us.between(stand, task.to_pose, stand, scene=here.scene.without(here.name), pins=pins, options=options)
    if result.motion is not None:
        result = replace(result, motion=continued(here.before, result.motion))
    yield from _found(here, task, means, result)


def _arms_off(pose: us.Pose, heading_rad: float, by_rad: float = 0.06) -> us.Pose:
    """A pose whose arms hang a little off the body: postures are planned for bodies that touch nothing."""
    turns = pose.world()[1]
    ahead = np.array([np.sin(heading_rad), 0.0, np.cos(heading_rad)])
    for side, sign in (("left", 1.0), ("right", -1.0)):
        joint = pose.skeleton.humanoid[f"{side}UpperArm"]
        parent = turns[pose.skeleton.parents[joint]]
        away = rot.multiply(rot.exp(sign * by_rad * ahead), turns[joint])
        pose = pose.with_rotation(pose.skeleton.names[joint], rot.multiply(rot.conjugate(parent), away))
    return pose


@dataclass(frozen=True)
class Toss:
    """The ball in a hand is thrown up and caught; an edit sends it higher, and throw and catch follow.

    Attributes:
        higher_m: By how much the edit raises the top of the flight [m].
    """

    higher_m: float = 0.15

    def __call__(self, here: Here, task: Task, means: Means) -> Iterator[Doing]:
        hand = next(one for one in here.held() if one.object == task.object).hand
        example = next(
            one for one in action_examples("throw_catch", person=here.skeleton) if hand in one.events[0].joint
        )
        times = [event.time_s for event in example.events]
        mime = _coming_to_rest(example.motion, times[0] - _BEFORE_S, times[1]).placed(actor_of(here.before))
        mime = continued(here.before, _on_feet(mime, here.before), fade_s=_BEFORE_S)
        held = [time - times[0] + _BEFORE_S for time in times]
        session = self._edited(here, task, mime, f"{here.name}.{hand}_hand", held)
        if session is None:
            here.notes.add(Refusal(status=Status.EXHAUSTED, reason="the ball cannot be thrown so"))
            return
        leg = _leg(here, session.motions()[here.name])
        scene = _with_flight(leg.play.scene, session, task.object)
        rules = _leaving(session, task.object, f"{here.name}.{hand}_hand")
        play = replace(leg.play, scene=scene, allow=(*leg.play.allow, *rules))
        thrown_s = float(session.flights()[0].times_s[0])
        yield from _judged(here, task, means, replace(leg, play=play, arrive_s=thrown_s), [mime])

    def _edited(self, here: Here, task: Task, mime: us.Motion, part: str, times: list[float]) -> us.Interaction | None:
        """The mime with a real ball, dragged higher; nothing where that cannot be done."""
        thing = here.scene.object(task.object)
        hold = next(one for one in here.scene.holds if one.object == task.object)
        grip = np.array(hold.grip.position)
        legs = (Hold(part=part, release_s=times[0], grip=grip), Hold(part=part, catch_s=times[1], grip=grip))
        way = Way(ball=Ball(name=task.object, radius_m=thing.shape.radius_m, color=thing.color), legs=legs)
        session = us.Interaction(Play(actors=(Actor(name=here.name, motion=mime, cutoff_hz=24.0),), ways=(way,)))
        session.settle()
        top = Apex(ball=task.object, leg=0)
        done = session.drag(top, session.where(top) + np.array([0.0, self.higher_m, 0.0]))
        return session if done.status else None


def _coming_to_rest(motion: us.Motion, start_s: float, end_s: float) -> us.Motion:
    """A part of a motion, after which it slows down until it stands still."""
    lasts = np.arange(start_s, end_s + 0.1, 1.0 / motion.fps)
    left = np.arange(1, round(_REST_S * motion.fps) + 1) / motion.fps
    return motion.sampled(np.concatenate([lasts, lasts[-1] + left - left**2 / (2.0 * _REST_S)]), fps=motion.fps)


def _with_flight(scene: us.Scene, session: us.Interaction, ball: str) -> us.Scene:
    """The scene with the ball let go, in the air, and in the hand again."""
    flight = session.flights()[0]
    (hold,) = [one for one in scene.attachments if one.object == ball and one.end_s == np.inf]
    thrown = replace(hold, end_s=float(flight.times_s[0]), release="resume")
    caught = replace(hold, start_s=float(flight.times_s[-1]))
    others = [one for one in scene.attachments if one is not hold]
    flying = replace(scene.object(ball), placement=Track(times_s=flight.times_s, positions=flight.positions))
    objects = tuple(flying if one.name == ball else one for one in scene.objects)
    return replace(scene, objects=objects, attachments=(*others, thrown, caught))


def _leaving(session: us.Interaction, ball: str, hand: str) -> list[ContactRule]:
    """Contacts that are meant: the hand follows the ball it throws and meets the one it catches."""
    times = session.flights()[0].times_s
    spans = ((times[0], times[0] + _LEAVING_S), (times[-1] - _LEAVING_S, times[-1]))
    return [ContactRule(a=ball, b=hand, start_s=a, end_s=b, max_depth_m=_LEAVING_M, why="is thrown") for a, b in spans]


def _on_feet(motion: us.Motion, before: us.Motion) -> us.Motion:
    """A motion on the feet somebody stands on."""
    now = motion_world(before.frames(len(before) - 1, len(before)))
    for side in ("left", "right"):
        chain = leg_of(motion.skeleton, side)
        places = np.repeat(now.positions[:1, chain[2]], len(motion), axis=0)
        turns = np.repeat(now.rotations[:1, chain[2]], len(motion), axis=0)
        motion = hold_end(motion, chain, places, turns).motion
    return motion


def _leg(here: Here, motion: us.Motion) -> Leg:
    """A motion as what somebody does next."""
    motion = motion.renamed(here.name)
    scene = here.scene.with_motion(here.name, motion)
    play = replace(here.play, scene=scene, sources={here.name: motion})
    return Leg(motion=motion, arrive_s=motion.duration_s, play=play)


def _judged(here: Here, task: Task, means: Means, leg: Leg, made: list[us.Motion]) -> Iterator[Doing]:
    """A leg as a task that was done, if the judge passes it."""
    fault = means.legs.judge(leg.play, here.name, [leg.motion, *made])
    if fault:
        here.notes.add(Refusal(status=Status.EXHAUSTED, reason=f"the judge did not pass it: {fault}"))
    else:
        yield walked(task, leg)


def _found(here: Here, task: Task, means: Means, result: us.Result) -> Iterator[Doing]:
    """A planner's answer as a task that was done."""
    if result.status and result.motion is not None:
        yield from _judged(here, task, means, _leg(here, result.motion), [])
    else:
        here.notes.add(Refusal(status=result.status, reason=result.reason))
