"""Crude mimes to start from: somebody who only pretends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, nearest_name
from understudy.interaction.actor import Actor, Implement
from understudy.interaction.contact_places import grip_on
from understudy.interaction.gripping import SNUG_M
from understudy.kinematics import hold_end, motion_world
from understudy.performer import performance
from understudy.performer.actions import Example
from understudy.typing import FloatArray

_SIDES = (("left", 1.0), ("right", -1.0))


def circling_hands(
    motion: Motion, *, span_s: tuple[float, float], period_s: float, radius_m: float = 0.09, turn_s: float = 0.3
) -> Motion:
    """Somebody whose hands go round in circles, as people pretend to juggle who cannot.

    Args:
        motion: A standing motion with the hands before the body during ``span_s``, such as the performer's juggling.
        span_s: When the hands circle [s].
        period_s: Of one round; the hands are half a round apart.
        radius_m: Of the circles.
        turn_s: Time to get into the circle and out of it [s].
    """
    t = motion.times_s
    inside = (t >= span_s[0]) & (t <= span_s[1])
    ease = np.clip(np.minimum(t - span_s[0], span_s[1] - t) / turn_s, 0.0, 1.0)
    share = ease**3 * (10.0 - 15.0 * ease + 6.0 * ease**2)
    for side, sign in _SIDES:
        world = motion_world(motion)
        joints = (f"{side}UpperArm", f"{side}LowerArm", f"{side}Hand")
        hand = motion.skeleton.humanoid[joints[2]]
        own, turn = world.positions[:, hand], world.rotations[:, hand]
        middle = own[inside].mean(axis=0)
        steady = rot.normalize(rot.mean(turn[inside]))
        phase = 2.0 * np.pi * (t - span_s[0]) / period_s + (0.0 if sign > 0 else np.pi)
        circle = middle + radius_m * _round(phase, sign)
        goal = own + share[:, None] * (circle - own)
        motion = hold_end(motion, joints, goal, rot.slerp(turn, np.broadcast_to(steady, turn.shape), share)).motion
    return motion.renamed("crude juggling")


def _round(phase: FloatArray, sign: float) -> FloatArray:
    """Unit circle before the body: up on the inner side, down on the outer."""
    return np.stack([sign * -np.cos(phase), np.sin(phase), np.zeros(len(phase))], axis=1)


@dataclass(frozen=True, kw_only=True)
class Strike:
    """A moment at which somebody pretends to strike a ball.

    Attributes:
        part: ``"left_foot"``, ``"right_foot"``, ``"left_thigh"``, ``"right_thigh"`` or ``"head"``.
        time_s: When [s].
    """

    part: str
    time_s: float


def soccer_mime(
    strikes: Sequence[Strike], *, duration_s: float, fps: float = 60.0, skeleton: Skeleton | None = None
) -> Motion:
    """Somebody who stands and lifts feet, knees and head as if there were a ball to juggle.

    Args:
        strikes: When which part is used, half a second apart or more.
        duration_s: How long it lasts [s].
        fps: Frames per second.
        skeleton: A humanoid; the performer's average adult unless given.
    """
    motion = performance("idle", duration_s=max(4.0, duration_s), fps=fps, person=skeleton).motion
    motion = motion.frames(0, round(duration_s * fps) + 1)
    tall = motion.skeleton.height_m
    low = np.array([0.0, -0.035 * tall, 0.0])
    t = motion.times_s
    world = motion_world(motion)
    sway, goals, turns, nod = np.zeros((len(t), 3)), {}, {}, np.zeros(len(t))
    for side, _ in _SIDES:
        foot = motion.skeleton.humanoid[f"{side}Foot"]
        goals[side], turns[side] = world.positions[:, foot].copy(), world.rotations[:, foot].copy()
    for strike in strikes:
        if strike.part not in STRIKERS:
            raise OptionError(f'nobody strikes with "{strike.part}"; {nearest_name(strike.part, STRIKERS)}')
        # The part is at its highest a little after the strike, so that it meets the ball on its way up.
        share = _bump(t, strike.time_s + 0.09, 0.36)
        if strike.part == "head":
            nod += 1.6 * _bump(t, strike.time_s, 0.45)
            dip = _bump(t, strike.time_s - 0.22, 0.32) - 0.7 * _bump(t, strike.time_s + 0.1, 0.3)
            sway += dip[:, None] * tall * np.array([0.0, -0.04, 0.0])
            continue
        side, _, piece = strike.part.partition("_")
        sign = 1.0 if side == "left" else -1.0
        # Up before ahead, so that no foot slides over the floor.
        ahead = _bump(t, strike.time_s + 0.09, 0.29)[:, None] * np.array([0.0, 0.0, 0.26 if piece == "foot" else 0.07])
        up = share[:, None] * np.array([0.0, 0.13 if piece == "foot" else 0.27, 0.0])
        goals[side] += tall * (up + ahead)
        pitch = -0.35 if piece == "foot" else 0.5
        turns[side] = rot.multiply(rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), pitch * share), turns[side])
        sway += share[:, None] * tall * np.array([-0.045 * sign, -0.01, -0.01])
    motion = replace(motion, root_positions=motion.root_positions + sway + low)
    motion = _nodding(motion, nod)
    for side, _ in _SIDES:
        joints = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
        motion = hold_end(motion, joints, goals[side], turns[side]).motion
    return motion.renamed("soccer mime")


STRIKERS = ("left_foot", "right_foot", "left_thigh", "right_thigh", "head")


def _nodding(motion: Motion, nod: FloatArray) -> Motion:
    """The trunk a little back, then the head forward."""
    turns = motion.rotations.copy()
    for role, share in (("spine", 0.05), ("chest", 0.06), ("neck", 0.12)):
        if role in motion.skeleton.humanoid:
            joint = motion.skeleton.humanoid[role]
            across = rot.rotate(rot.conjugate(t_pose_world(motion.skeleton)[1][joint]), np.array([1.0, 0.0, 0.0]))
            turns[:, joint] = rot.multiply(turns[:, joint], rot.from_axis_angle(across, -share * nod))
    return replace(motion, rotations=turns)


def delayed(motion: Motion, seconds: float) -> Motion:
    """The same motion after standing still in its first pose for a while."""
    count = round(seconds * motion.fps)
    return replace(
        motion,
        root_positions=np.concatenate([np.repeat(motion.root_positions[:1], count, axis=0), motion.root_positions]),
        rotations=np.concatenate([np.repeat(motion.rotations[:1], count, axis=0), motion.rotations]),
    )


def bat_of(example: Example, *, radius_m: float = 0.025) -> Implement:
    """The bat that the performer's swing is made for: in the right hand, with the left hand below it."""
    actor = Actor(name="batter", motion=example.motion)
    palm, beyond = (grip_on(actor, "right_hand", radius_m + more - SNUG_M) for more in (0.0, 1.0))
    # Across the palm, where the swing has its sweet spot.
    sweet = np.asarray(example.event("contact").point) - palm
    sweet = sweet - sweet @ (beyond - palm) * (beyond - palm)
    along = sweet / np.linalg.norm(sweet)
    return Implement(
        name="bat",
        joint="rightHand",
        start=palm - 0.16 * along,
        end=palm + sweet + 0.13 * along,
        radius_m=radius_m,
        second="leftHand",
        second_deg=50.0,
    )


def _bump(times: FloatArray, at: float, half: float) -> FloatArray:
    """1 at a time, 0 farther than ``half`` from it, smooth."""
    u = np.clip(1.0 - np.abs(times - at) / half, 0.0, 1.0)
    return np.asarray(u**3 * (10.0 - 15.0 * u + 6.0 * u * u))
