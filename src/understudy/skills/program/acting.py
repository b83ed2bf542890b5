"""Actions in a program: pour, point and kick, blended for where the target is, from a place that suits the examples.

The target seen from the actor is the parameter of the blend. Where one stands decides it, so places to stand compete:
those from which the target lies well inside the examples' span come first, and where an arm would meet something
another place, and with it another blend, is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.planar import PlanarTransform
from understudy.core.planning import Status
from understudy.kinematics import motion_world
from understudy.kinematics.hold import hold_end
from understudy.limbs.handling import Deed, Play, Refusal
from understudy.locomotion.footsteps.footing import SIDES, ahead_of, footing_of
from understudy.locomotion.footsteps.joining import continued, joined, leg_of
from understudy.scene.contacts import ContactRule
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.action import Blend, Family, family_of
from understudy.skills.engine import deed_of
from understudy.skills.program.approach import Places, searched
from understudy.skills.program.bringing import meets
from understudy.skills.program.doing import Doer, Doing, Means
from understudy.skills.program.here import Here
from understudy.skills.program.history import Piece
from understudy.skills.program.legs import Leg
from understudy.skills.program.outlook import Outlook
from understudy.skills.program.spots import STANDING_M, Spot
from understudy.typing import FloatArray

#: Headings from which a target is looked at.
_DIRECTIONS = 24
#: [s] before an action that somebody stands, and in which an arm goes over into it.
_BEFORE_S, _FADE_S = 0.15, 0.8
#: [s] of the leg before it that is judged again with an act.
_AGAIN_S = 0.5
#: [m] above the floor that a kicking foot is the examples' own.
_IN_THE_AIR_M = 0.15
#: [m] overlaps of covers that are real ones.
_PLAINLY_M = 0.006


@dataclass(frozen=True, eq=False, kw_only=True)
class Act:
    """One kind of action in one scene.

    Attributes:
        family: The examples.
        target: ``(3,)`` what to aim at in the world [m].
        blend: Target seen from the actor, how much higher than usual [m] -> the blend, or why there is none.
        first_s: From when the blend is played [s].
        last_s: Until when.
        moment: Which event is the deed's time.
        kicks: Whether a foot leaves the floor.
        higher_m: By how much the act is done higher, in turn, where the judge refuses it [m].
        after: The snapshot's scene once it is done, and contacts that are meant: scene, start [s] -> both.
    """

    family: Family
    target: FloatArray
    blend: Callable[[FloatArray, float], Blend | str]
    first_s: float
    last_s: float
    moment: str
    after: Callable[[Scene, float], tuple[Scene, tuple[ContactRule, ...]]]
    kicks: bool = False
    higher_m: tuple[float, ...] = (0.0,)


def acted(here: Here, task: Task, means: Means, act: Act, near: list[Spot], stays: Spot | None) -> Iterator[Doing]:
    """Ways of acting, from the places given."""

    def on(leg: Leg, spot: Spot) -> Iterator[Deed]:
        return _on(leg, here, task, means, act)

    floor = here.floor(act.target[[0, 2]])
    free = [one for one in near if floor.free(one.place[None], STANDING_M)[0]]
    if not free and stays is None:
        said = "there is no free place to stand from which the examples of it would fit"
        here.notes.add(Refusal(status=Status.INFEASIBLE_GOAL, reason=said))
    places, seed = Places(floor, free, stays), means.options.seed
    glance = partial(_foreseen, here, means, act)
    for found in searched(here, places, means.legs, on, means.watch, seed=seed, glance=glance):
        state = found.path[-1].state
        if state.deed is not None:
            motion = state.deed.play.motion(here.name)
            yield Doing(piece=Piece(play=state.deed.play, base=motion, end_s=motion.duration_s), deed=state.deed)


def _on(leg: Leg, here: Here, task: Task, means: Means, act: Act) -> Iterator[Deed]:
    """The action after a leg, judged; done higher where something is in the way."""
    end = min(round((leg.arrive_s + _BEFORE_S) * leg.motion.fps) + 1, len(leg.motion))
    before = leg.motion.frames(0, max(end, 2))
    stand = actor_of(before)
    for higher_m in act.higher_m:
        blend = act.blend(seen_by(stand, act.target), higher_m)
        if isinstance(blend, str):
            here.notes.add(Refusal(status=Status.EXHAUSTED, reason=blend))
            return
        made = _made(leg, before, stand, (here, act), blend)
        met = _met(made.play, here, act)
        if met:
            here.notes.add(Refusal(status=Status.EXHAUSTED, reason=met))
            continue
        deed = _judged(leg, made, (here, task, means, act), blend)
        if isinstance(deed, Deed):
            yield deed
            return
        here.notes.add(Refusal(status=Status.EXHAUSTED, reason=f"the judge did not pass it: {deed}"))


class _Made(NamedTuple):
    """A blend after a leg: the play with it, contacts that are meant, and when the blend would have begun [s]."""

    play: Play
    rules: tuple[ContactRule, ...]
    begin_s: float


def _made(leg: Leg, before: Motion, stand: PlanarTransform, asked: tuple[Here, Act], blend: Blend) -> _Made:
    """A blend after what somebody did before, on their own feet."""
    here, act = asked
    fps = blend.motion.fps
    cut = blend.motion.frames(round(act.first_s * fps), round(act.last_s * fps) + 1).placed(stand)
    own = continued(before, _on_feet(cut, before, kicks=act.kicks), fade_s=_FADE_S)
    motion = joined(before, own).renamed(here.name)
    begin = before.duration_s - act.first_s
    scene, rules = act.after(leg.play.scene.with_motion(here.name, motion), begin)
    play = replace(leg.play, scene=scene, sources={here.name: motion}, allow=(*leg.play.allow, *rules))
    return _Made(play, rules, begin)


def _met(play: Play, here: Here, act: Act) -> str:
    """What the arm that acts, with what it holds, plainly comes upon."""
    return "" if act.kicks else meets(play, here.name, act.family.side, limits=False, deep_m=_PLAINLY_M)


def _foreseen(here: Here, means: Means, act: Act, spot: Spot) -> Outlook:
    """Why an act would fail at a place, or how something is carried there for it to go well."""
    if act.kicks:
        return Outlook()
    fault = "there is no room for the arm"
    for arms, leg in means.legs.foreseen(here, spot.place, spot.heading_rad):
        if isinstance(leg, str):
            continue
        stand = actor_of(leg.motion)
        for higher_m in act.higher_m:
            blend = act.blend(seen_by(stand, act.target), higher_m)
            if isinstance(blend, str):
                return Outlook(fault=blend)
            met = _met(_made(leg, leg.motion, stand, (here, act), blend).play, here, act)
            if not met:
                return Outlook(arms=arms)
            fault = met
    return Outlook(fault=fault)


def _judged(leg: Leg, made: _Made, asked: tuple[Here, Task, Means, Act], blend: Blend) -> Deed | str:
    """A blend after a leg; why the judge refuses it."""
    here, task, means, act = asked
    means.watch.stage("judge")
    # The leg was judged before; its end is looked at again, as the act goes on from there.
    motion = made.play.motion(here.name)
    first = max(round((made.begin_s + act.first_s - _AGAIN_S) * motion.fps), 0)
    scene = made.play.scene.with_motion(here.name, motion.frames(first, len(motion)), start_s=first / motion.fps)
    fault = means.legs.judge(replace(made.play, scene=scene), here.name)
    if fault:
        return fault
    deed = deed_of(task, made.play, made.begin_s + blend.events[act.moment])
    return replace(deed, hands=() if act.kicks else (act.family.side,), rules=made.rules)


def actor_of(motion: Motion) -> PlanarTransform:
    """Where an actor of the examples stands who stands as somebody does in the last frame."""
    footing = footing_of(motion)
    middle = 0.5 * (footing.feet["left"][0] + footing.feet["right"][0])
    return PlanarTransform(x_m=float(middle[0]), z_m=float(middle[1]), yaw_rad=footing.heading_rad)


def seen_by(stand: PlanarTransform, point: FloatArray) -> FloatArray:
    """A point ``(3,)`` of the world, seen from an actor [m]."""
    return stand.inverse().points(point[None])[0]


def _on_feet(action: Motion, before: Motion, *, kicks: bool) -> Motion:
    """The action on the feet somebody stands on; a kicking foot is moved along by as much."""
    world, now = motion_world(action), motion_world(before.frames(len(before) - 1, len(before)))
    for side in SIDES:
        chain = leg_of(action.skeleton, side)
        end = chain[2]
        own, turns = world.positions[:, end], world.rotations[:, end]
        away = now.positions[0, end] - own[0]
        turn = rot.multiply(now.rotations[0, end], rot.conjugate(turns[0]))
        # Feet of some skeletons differ; the examples' stand alike. In the air that does not matter.
        low = 1.0 - smoothstep((own[:, 1] - own[0, 1]) / _IN_THE_AIR_M)
        places = own + np.stack([np.full_like(low, away[0]), low * away[1], np.full_like(low, away[2])], axis=1)
        fixed = not kicks or float(np.ptp(own[:, 1])) < 0.02
        target = np.repeat(now.positions[:1, end], len(own), axis=0) if fixed else places
        facing = np.repeat(now.rotations[:1, end], len(own), axis=0) if fixed else rot.multiply(turn, turns)
        action = hold_end(action, chain, target, facing).motion
    return action


def stands(target: FloatArray, family: Family, leg_m: float, *, inner: int | None = None) -> list[Spot]:
    """Places from which a target is where some examples' targets are, those in their middle first."""
    middle = family.targets.mean(axis=0)
    order = np.argsort(np.linalg.norm((family.targets - middle)[:, [0, 2]], axis=1))
    found = []
    for rank, seen in enumerate([middle, *family.targets[order[:inner]]]):
        for k in range(_DIRECTIONS):
            heading = 2.0 * np.pi * k / _DIRECTIONS
            ahead = ahead_of(heading)
            left = np.array([ahead[1], -ahead[0]])
            place = target[[0, 2]] - seen[0] * left - (seen[2] - 0.05 * leg_m) * ahead
            found.append(Spot(place=place, heading_rad=heading, hand=family.side, point=target, beyond_m=0.02 * rank))
    return found


def doer(make: Callable[[Here, Task, Means], tuple[Act, list[Spot], Spot | None] | str]) -> Doer:
    """A skill out of what makes its act."""

    def run(here: Here, task: Task, means: Means) -> Iterator[Doing]:
        means.watch.stage("examples")
        made = make(here, task, means)
        if isinstance(made, str):
            here.notes.add(Refusal(status=Status.INFEASIBLE_GOAL, reason=made, hopeless=True))
            return
        yield from acted(here, task, means, *made)

    return run


def family_for(here: Here, means: Means, action: str, side: str) -> Family:
    """The examples of an action on somebody's own body."""
    return family_of(action, side, here.skeleton, means.legs.fps)


def unchanged(scene: Scene, start_s: float) -> tuple[Scene, tuple[ContactRule, ...]]:
    """An action that moves nothing and touches nothing."""
    return scene, ()
