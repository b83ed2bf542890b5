"""A passage as a motion: a walk along its path, the trunk that helps, the hand on the lever, eyes and free arm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from understudy import rotations as rot
from understudy.collision import World, world_of
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.performer.actions.figure import Figure
from understudy.performer.gait import Performance
from understudy.performer.smoothing import gaussian
from understudy.performer.style import Style
from understudy.scene.contacts import ContactRule
from understudy.scene.placements import Hinge
from understudy.scene.scene import Scene
from understudy.skills.arm_room import ArmRoom
from understudy.skills.arm_route import Moving, routed
from understudy.skills.door.grip import Grip, Lever, grip_of
from understudy.skills.door.hand import REACH_S, TOUCH_S, bound_on, offered
from understudy.skills.door.layout import Door
from understudy.skills.door.passing import Passage
from understudy.skills.door.reach import trunk_share
from understudy.skills.door.resting import at_rest
from understudy.skills.door.timing import Timeline, cropped, timeline
from understudy.skills.door.walking import walks_through
from understudy.skills.upper_body import bend_trunk, bow, look_at, move_collar
from understudy.typing import FloatArray

#: [rad] lean into a push and back in a pull at a door speed of 1 rad/s; [m] the hips' share of it.
_PUSH_RAD, _PULL_RAD, _HIPS_M = 0.11, -0.12, 0.025
#: [s] of walking that is made beyond both ends and cut off.
_MARGIN_S = 1.2
#: [s] in which somebody who has stopped comes to rest on both feet.
_SETTLES_S = 0.25
#: [s] before and after the hold in which arms may leave the walk.
_BEFORE_S, _AFTER_S = REACH_S + 0.2, 2.2


@dataclass(frozen=True, eq=False, kw_only=True)
class Opened:
    """A door opened and passed.

    Attributes:
        motion: What the character does.
        hinge: The door over the same time.
        rules: Contacts that are meant.
        timeline: Path, opening and times, frame by frame.
        grip: How the hand sat.
        way: The passage it was made from.
        walk: The walk alone, as the performer does it.
    """

    motion: Motion
    hinge: Hinge
    rules: tuple[ContactRule, ...]
    timeline: Timeline
    grip: Grip
    way: Passage
    walk: Motion

    def scene(self, scene: Scene, door: str) -> Scene:
        """The scene with the door in motion."""
        moved = with_hinge(scene, door, self.hinge)
        return replace(moved, allowed_contacts=(*scene.allowed_contacts, *self.rules))


def with_hinge(scene: Scene, door: str, hinge: Hinge) -> Scene:
    """The scene with a door in motion."""
    things = tuple(replace(one, placement=hinge) if one.name == door else one for one in scene.objects)
    return replace(scene, objects=things)


@dataclass(frozen=True, eq=False, kw_only=True)
class Order:
    """What is to be made.

    Attributes:
        scene: The scene with its closed door and the character.
        door: The door.
        skeleton: Who.
        character: The character's name.
        fps: Frames per second.
        seed: Of the differences from step to step.
        start_heading: Where it faces at first [rad]; ``None`` for anywhere.
        at_rest: Whether it stands at first and in the end.
        style: The manner of walking.
    """

    scene: Scene
    door: Door
    skeleton: Skeleton
    character: str = "performer"
    fps: float = 60.0
    seed: int = 0
    start_heading: float | None = None
    at_rest: bool = False
    style: Style = field(default_factory=lambda: Style(width_m=0.05, knees_m=0.015))


def opened(order: Order, way: Passage) -> Iterator[Opened | str]:
    """Motions of a passage, one for each phase of the gait, the best first; a sentence when the hand cannot hold."""
    door, fps, figure = order.door, order.fps, Figure(order.skeleton)
    when = timeline(door, way, fps=fps, start_heading=order.start_heading, margin_s=_MARGIN_S)
    cut = round(_MARGIN_S * fps)
    if order.at_rest:
        when = at_rest(when, cut)
    effort = _effort(when)
    sign = 1.0 if door.pushed else -1.0
    ahead = np.stack([np.sin(when.heading), np.cos(when.heading)], axis=1)
    when = replace(when, place=when.place + sign * _HIPS_M * effort[:, None] * ahead)
    last = len(when.place) - cut - 1
    walks = walks_through(
        figure, door, when, order.style, goal=way.after[-1], last=last, seed=order.seed, standing=order.at_rest
    )
    for walked, timed in walks:
        yield _opened(order, way, walked, timed, effort)


def _opened(order: Order, way: Passage, walked: Performance, when: Timeline, effort: FloatArray) -> Opened | str:
    """A walk with what trunk, eyes and arms do about the door; a sentence when the hand cannot hold."""
    door, fps, figure, cut = order.door, order.fps, Figure(order.skeleton), round(_MARGIN_S * order.fps)
    root, local = np.array(walked.motion.root_positions), np.array(walked.motion.rotations)
    lever = _lever(door, when)
    _help(figure, door, when, effort, root, local, lever.grips)
    _gaze(figure, when, root, local, lever.grips)
    scene = with_hinge(order.scene, door.name, door.keyed(when.times_s, when.opening))
    world = world_of(scene, character=order.character, end_s=float(when.times_s[-1]))
    made = _arms(Moving(figure=figure, root=root, local=local, fps=fps), door, when, lever, world)
    if isinstance(made, str):
        return made
    grip, local = made
    motion = replace(
        walked.motion,
        root_positions=root,
        rotations=rot.continuous(rot.normalize(local)),
        name=order.character,
    )
    stop = _standing_from(walked) if order.at_rest else len(root) - cut
    shown = cropped(when, cut, stop)
    return Opened(
        motion=motion.frames(cut, stop),
        hinge=door.keyed(shown.times_s, shown.opening),
        rules=(_rule(door, shown, order.character),),
        timeline=shown,
        grip=grip,
        way=way,
        walk=walked.motion.frames(cut, stop),
    )


def _standing_from(walked: Performance) -> int:
    """The frame from which both feet have stood for a moment, until the end."""
    steps = np.flatnonzero(~(walked.left_contact & walked.right_contact))
    last = int(steps[-1]) if len(steps) else 0
    return min(last + 1 + round(_SETTLES_S * walked.motion.fps), len(walked.motion))


def _lever(door: Door, when: Timeline) -> Lever:
    into, edge = (door.directed(way, when.opening) for way in (door.towards, door.latch_side))
    level = np.zeros(len(into))
    return Lever(
        grips=door.grips(when.opening),
        into=np.stack([into[:, 0], level, into[:, 1]], axis=1),
        edge=np.stack([edge[:, 0], level, edge[:, 1]], axis=1),
        thick_m=door.thick_m,
    )


def _effort(when: Timeline) -> FloatArray:
    """``(frames,)`` how hard somebody pushes or pulls: the door's speed, a little ahead of it."""
    fps = when.fps
    held = (when.times_s > when.grab_s - 0.1) & (when.times_s < when.release_s + 0.05)
    rate = np.gradient(when.opening) * fps * held
    early = np.interp(when.times_s + 0.12, when.times_s, rate)
    return np.clip(gaussian(early, 0.14 * fps), 0.0, 1.3)


def _seen(when: Timeline, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far places ``(frames, 3)`` are ahead and to the left of the path [m]."""
    away = points[:, [0, 2]] - when.place
    s, c = np.sin(when.heading), np.cos(when.heading)
    return away[:, 0] * s + away[:, 1] * c, away[:, 0] * c - away[:, 1] * s


def _part(when: Timeline, before_s: float, after_s: float) -> FloatArray:
    """``(frames,)`` from 0 to 1 before the hand holds, back to 0 after it lets go."""
    times = when.times_s
    return np.asarray(
        smoothstep((times - when.grab_s + before_s) / (before_s - 0.05))
        * smoothstep((when.release_s + after_s - times) / after_s)
    )


def _help(
    figure: Figure,
    door: Door,
    when: Timeline,
    effort: FloatArray,
    root: FloatArray,
    local: FloatArray,
    grips: FloatArray,
) -> None:
    """The trunk's part: towards the handle, down to a low one, into the push or back in the pull."""
    ahead, left = _seen(when, grips)
    share = trunk_share(ahead, left, float(door.grip[1]), when.hand, figure.stature_m)
    part = _part(when, REACH_S + 0.1, 0.75)
    bow(root, local, figure.skeleton, gaussian(part * share.bow, 0.1 * when.fps))
    # Who bows to a low handle pushes with the legs.
    lean = part * share.lean + (_PUSH_RAD if door.pushed else _PULL_RAD) * effort * (1.0 - 2.0 * share.bow)
    vectors = np.stack([lean, part * share.twist, np.zeros(len(lean))], axis=1)
    vectors = gaussian(vectors, 0.09 * when.fps)
    bend_trunk(local, figure.skeleton, vectors)
    collar = gaussian(part * share.collar, 0.07 * when.fps)
    move_collar(local, figure.skeleton, when.hand, collar, 0.0 * collar)


def _gaze(figure: Figure, when: Timeline, root: FloatArray, local: FloatArray, grips: FloatArray) -> None:
    """Eyes on the handle from a little before the reach until the door moves, then where the way leads."""
    times = when.times_s
    hold = max(when.release_s - when.grab_s, 0.3)
    handle = smoothstep((times - when.grab_s + 1.35) / 0.6) * smoothstep((when.grab_s + 0.45 * hold - times) / 0.5)
    later = np.minimum(np.arange(len(times)) + round(1.4 * when.fps), len(times) - 1)
    beyond = when.place[later] + 1.2 * np.stack([np.sin(when.heading[later]), np.cos(when.heading[later])], axis=1)
    way = np.stack([beyond[:, 0], np.full(len(times), 0.82 * figure.stature_m), beyond[:, 1]], axis=1)
    on_way = smoothstep((times - when.grab_s - 0.1 * hold) / 0.5) * smoothstep((when.release_s + 1.4 - times) / 0.8)
    weight = 1.0 - (1.0 - handle) * (1.0 - 0.7 * on_way)
    target = way + (handle / np.maximum(handle + 0.7 * on_way, 1e-6))[:, None] * (grips - way)
    look_at(figure, root, local, target, 0.9 * weight)


def _arms(moving: Moving, door: Door, when: Timeline, lever: Lever, world: World) -> tuple[Grip, FloatArray] | str:
    """Both arms: the holding one from the walk to the lever and back, the other one clear of door and frame."""
    fps, figure = moving.fps, moving.figure
    room = ArmRoom(body=figure.body, world=world, side=when.hand, held=(door.lever,))
    frames = (round(when.grab_s * fps), round(when.release_s * fps))
    body = Motion(skeleton=figure.skeleton, fps=fps, root_positions=moving.root, rotations=moving.local)
    grip = grip_of(figure, body, frames, lever, room)
    if grip.gap_m < 0.0 or grip.excess_rad > 0.02:
        return f"the {when.hand} arm cannot hold: {1000 * grip.gap_m:.0f} mm, {grip.excess_rad:.2f} rad"
    span = (round((when.grab_s - _BEFORE_S) * fps), round((when.release_s + _AFTER_S) * fps))
    bound = bound_on(moving, when, grip, lever)
    local = routed(moving, room, span=span, bound=bound, offered=offered(moving, when, grip, lever))
    other = ArmRoom(body=figure.body, world=world, side="left" if when.hand == "right" else "right")
    local = routed(replace(moving, local=local), other, span=span)
    return grip, local


def _rule(door: Door, when: Timeline, character: str) -> ContactRule:
    return ContactRule(
        a=f"{character}.{when.hand}_hand",
        b=door.lever,
        start_s=when.grab_s - TOUCH_S,
        end_s=when.release_s + TOUCH_S,
        why=f"opens {door.name}",
    )
