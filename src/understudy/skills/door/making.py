"""A crossing as a motion: a walk along its path, the trunk that helps, the hand on the lever, eyes and free arm."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.kinematics import forward
from understudy.limbs.space import limb_space
from understudy.performer.actions.figure import Figure
from understudy.performer.smoothing import gaussian
from understudy.performer.style import Style
from understudy.scene.contacts import ContactRule
from understudy.scene.placements import Hinge
from understudy.scene.scene import Scene
from understudy.skills.arm_route import Bound, Gap, routed
from understudy.skills.door.grip import Grip, Lever, Room, grip_of
from understudy.skills.door.hand import CLOSE_S, LEAVE_S, OFF_S, REACH_S, hand_on_lever, within_reach
from understudy.skills.door.lattice import Crossing
from understudy.skills.door.layout import Door
from understudy.skills.door.reach import trunk_share
from understudy.skills.door.timing import Timeline, halting_timeline, timeline
from understudy.skills.door.walking import outside_m, walk_through
from understudy.skills.upper_body import bend_trunk, look_at, move_collar
from understudy.typing import FloatArray, IntArray

#: [rad] lean into a push and back in a pull at a door speed of 1 rad/s; [m] the hips' share of it.
_PUSH_RAD, _PULL_RAD, _HIPS_M = 0.11, -0.12, 0.025
#: [m] how far beside the middle an arm hangs.
_SIDE_M = 0.25
#: [s] of walking that is made beyond both ends and cut off.
_MARGIN_S = 1.2
#: [s] before the last part of a reach that fingers may already touch.
_EARLY_S = 0.12
#: [m] above and below a lever in which an arm keeps away from it: an arm is long, and looked at in a few points.
_BAND_M = 0.10


@dataclass(frozen=True, eq=False, kw_only=True)
class Opened:
    """A door opened and passed.

    Attributes:
        motion: What the character does.
        hinge: The door over the same time.
        rules: Contacts that are meant.
        timeline: Path, opening and times, frame by frame.
        grip: How the hand sat.
        way: The crossing it was made from.
        walk: The walk alone, as the performer does it.
    """

    motion: Motion
    hinge: Hinge
    rules: tuple[ContactRule, ...]
    timeline: Timeline
    grip: Grip
    way: Crossing
    walk: Motion

    def scene(self, scene: Scene, door: str) -> Scene:
        """The scene with the door in motion."""
        things = tuple(replace(one, placement=self.hinge) if one.name == door else one for one in scene.objects)
        return replace(scene, objects=things, allowed_contacts=(*scene.allowed_contacts, *self.rules))


def opened(
    door: Door,
    way: Crossing,
    skeleton: Skeleton,
    *,
    fps: float = 60.0,
    seed: int = 0,
    style: Style | None = None,
    room: Room,
    start_heading: float | None = None,
    character: str = "performer",
) -> Opened:
    """Make the motion of a crossing."""
    style = style or Style(width_m=0.05, knees_m=0.01)
    timed = timeline if door.pushed else halting_timeline
    when = timed(door, way, fps=fps, start_heading=start_heading, margin_s=_MARGIN_S)
    effort = _effort(door, when)
    figure = Figure(skeleton)
    cut = round(_MARGIN_S * fps)
    sign = 1.0 if door.pushed else -1.0
    ahead = np.stack([np.sin(when.heading), np.cos(when.heading)], axis=1)
    when = replace(when, place=when.place + sign * _HIPS_M * effort[:, None] * ahead)
    last = len(when.place) - cut - 1
    walked, when = walk_through(figure, door, when, style, goal=way.after[-1], last=last, seed=seed)
    root, local = np.array(walked.motion.root_positions), np.array(walked.motion.rotations)
    grips = door.grips(when.opening)
    flat = door.directed(door.towards, when.opening)
    into = np.stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]], axis=1)
    _help(figure, door, when, effort, local, grips)
    _gaze(figure, when, root, local, grips)
    body = replace(walked.motion, rotations=local)
    frames = (round(when.grab_s * fps), round(when.release_s * fps))
    lever = Lever(grips=grips, into=into, room=room)
    grip = grip_of(figure, body, frames, when.hand, lever)
    _arms(figure, door, when, root, local, grip, lever)
    motion = replace(
        walked.motion,
        root_positions=root,
        rotations=rot.continuous(rot.normalize(local)),
        name=character,
    ).frames(cut, len(root) - cut)
    shown = Timeline(
        fps=fps,
        place=when.place[cut:-cut],
        heading=when.heading[cut:-cut],
        opening=when.opening[cut:-cut],
        grab_s=when.grab_s - cut / fps,
        release_s=when.release_s - cut / fps,
        hand=when.hand,
        halt_s=None if when.halt_s is None else when.halt_s - cut / fps,
        go_s=None if when.go_s is None else when.go_s - cut / fps,
    )
    return Opened(
        motion=motion,
        hinge=door.keyed(shown.times_s, shown.opening),
        rules=_rules(door, shown, character),
        timeline=shown,
        grip=grip,
        way=way,
        walk=walked.motion.frames(cut, len(root) - cut),
    )


def _effort(door: Door, when: Timeline) -> FloatArray:
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


def _help(figure: Figure, door: Door, when: Timeline, effort: FloatArray, local: FloatArray, grips: FloatArray) -> None:
    """The trunk's part: towards the handle, into the push or back in the pull."""
    ahead, left = _seen(when, grips)
    share = trunk_share(ahead, left, float(door.grip[1]), when.hand, figure.stature_m)
    part = _part(when, REACH_S + 0.1, 0.75)
    lean = part * share.lean + (_PUSH_RAD if door.pushed else _PULL_RAD) * effort
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


def _arms(
    figure: Figure, door: Door, when: Timeline, root: FloatArray, local: FloatArray, grip: Grip, lever: Lever
) -> None:
    """Both arms: the holding one from the walk to the lever and back, the other one clear of door and frame."""
    fps, space = when.fps, limb_space(figure.body, f"{when.hand}_arm")
    first, last = round((when.grab_s - CLOSE_S) * fps), round((when.release_s + LEAVE_S) * fps)
    held = local[first : last + 1].copy()
    world = forward(figure.skeleton, root[first : last + 1], held)
    hand = hand_on_lever(figure, when, world, grip, lever, (first, last))
    figure.put_arm(held, world, when.hand, hand)
    grabbed = (round(when.grab_s * fps) - first, round(when.release_s * fps) - first)
    part = within_reach(figure, world, when.hand, hand, grabbed)
    given = np.unwrap(space.coordinates(held[part]), axis=0)
    bound = Bound(first=first + part.start, last=first + part.stop - 1, coordinates=given)
    touching = (round((when.grab_s - CLOSE_S) * fps), round((when.release_s + OFF_S) * fps))
    span = (round((when.grab_s - REACH_S - 0.3) * fps), round((when.release_s + 2.4) * fps))
    for side in ("left", "right"):
        holds = side == when.hand
        gap = door_gap(door, when, lever.room, touching if holds else None)
        routed(figure, root, local, side, gap, span=span, fps=fps, bound=bound if holds else None)


def door_gap(door: Door, when: Timeline, room: Room, grip: tuple[int, int] | None) -> Gap:
    """How near points come to the door as it is then, and to what stands; a gripping hand may touch the door."""

    def gap(points: FloatArray, radii: FloatArray, frames: IntArray) -> FloatArray:
        flat = points[..., [0, 2]]
        near = room(flat)
        back = -when.opening[frames][:, None]
        closed = door.turned(flat, np.broadcast_to(back, flat.shape[:-1]))
        for k, corners in enumerate(door.corners):
            apart = outside_m(corners, closed.reshape(-1, 2)).reshape(closed.shape[:-1])
            if k > 0:
                # A lever is as high as the grip; arms pass well above and below it.
                apart = np.hypot(
                    np.maximum(apart, 0.0), np.maximum(np.abs(points[..., 1] - door.grip[1]) - _BAND_M, 0.0)
                )
            if grip is not None:
                touching = ((frames >= grip[0]) & (frames <= grip[1]))[:, None] & (np.arange(points.shape[1]) >= 3)
                apart = np.where(touching, np.inf, apart)
            near = np.minimum(near, apart)
        return np.asarray(near - radii)

    return gap


def door_room_m(door: Door, when: Timeline, points: FloatArray) -> FloatArray:
    """``(frames,)`` distance of floor points ``(frames, 2)`` from the door as it is then [m]."""
    flat = door.turned(points, -when.opening)
    return np.min([outside_m(corners, flat) for corners in door.corners], axis=0)


def _rules(door: Door, when: Timeline, character: str) -> tuple[ContactRule, ...]:
    return tuple(
        ContactRule(
            a=f"{character}.{when.hand}_hand",
            b=part,
            start_s=when.grab_s - CLOSE_S - _EARLY_S,
            end_s=when.release_s + OFF_S,
            why=f"opens {door.name}",
        )
        for part in door.parts
    )
