"""Reaching for a place with one hand, and pointing at a far one."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.kinematics import WorldTransforms
from understudy.performer.actions.balance import bent, settle
from understudy.performer.actions.example import Example
from understudy.performer.actions.figure import Figure, hand_turn
from understudy.performer.actions.paths import on_frame, there_and_back
from understudy.performer.actions.take import TRUNK_LEAD_S, Take, grip_offset, natural
from understudy.performer.actions.tracks import HandTrack
from understudy.typing import FloatArray

_START_S = 0.5


def reach_target(figure: Figure, rng: np.random.Generator) -> FloatArray:
    """A place somewhere ahead or beside, from knee to overhead [m]."""
    side = rng.choice([-1.0, 1.0])
    around = side * np.radians(rng.uniform(-20.0, 62.0))
    height = rng.uniform(0.34, 1.02)
    # The farther from the shoulder's height, the nearer.
    far = rng.uniform(0.26, 0.40) * (1.0 - 0.35 * abs(height - 0.75))
    return figure.stature_m * np.array([np.sin(around) * far + side * 0.05, height, np.cos(around) * far + 0.03])


def reach(figure: Figure, target: FloatArray, *, fps: float, rng: np.random.Generator) -> Example:
    """Reach for ``target`` with the hand of its side, hold, and come back."""
    side = "left" if target[0] > 0 else "right"
    goal_turn = _grasping_turn(figure, side, target)
    wrist = target - rot.rotate(goal_turn, grip_offset(figure, side))
    numbers = settle(figure, {side: wrist})
    distance = float(np.linalg.norm(wrist - _hanging_wrist(figure, side)))
    move = (0.55 + 0.45 * distance / figure.stature_m * 1.7) * rng.uniform(0.9, 1.15)
    there = on_frame(_START_S + move, fps)
    leave = there + rng.uniform(0.25, 0.5)
    back = leave + 1.05 * move
    take = Take.lasting(figure, back + 0.5, fps, rng)
    t = take.times_s
    share = there_and_back(t, _START_S, there, leave, back)
    early = there_and_back(t, _START_S - TRUNK_LEAD_S, there - TRUNK_LEAD_S, leave + 0.04, back + 0.1)
    track = take.bent(take.standing(), numbers, early)
    track = take.grounded(take.looking(track, target, _START_S, leave))
    _, _, world = figure.trunk_world(track)
    rest = figure.rest_hand(world, side)
    path = _arched(figure, side, rest.wrist, wrist, share)
    opening = there_and_back(t, _START_S, there - 0.12 * move, leave, back)
    turn = rot.slerp(rest.facing, np.broadcast_to(goal_turn, rest.facing.shape), opening)
    hand = natural(figure, world, side, path, turn)
    event = take.event("reach", there, side, grip_offset(figure, side), target)
    return take.example("reach", track, {side: hand, **_other(figure, world, side)}, target=target, events=[event])


def point_target(figure: Figure, rng: np.random.Generator) -> FloatArray:
    """Something 1.5 to 6 m away, ahead or beside [m]."""
    side = rng.choice([-1.0, 1.0])
    around = side * np.radians(rng.uniform(-20.0, 75.0))
    up = np.radians(rng.uniform(-22.0, 35.0))
    far = rng.uniform(1.5, 6.0)
    away = far * np.array([np.sin(around) * np.cos(up), np.sin(up), np.cos(around) * np.cos(up)])
    return away + np.array([0.0, 0.8 * figure.stature_m, 0.0])


def point(figure: Figure, target: FloatArray, *, fps: float, rng: np.random.Generator) -> Example:
    """Point at ``target`` with the hand of its side: hand and forearm end on a line to it."""
    side = "left" if target[0] > 0 else "right"
    wrist, numbers = _pointing_wrist(figure, side, target)
    move = rng.uniform(0.65, 0.85)
    there = on_frame(_START_S + move, fps)
    leave = there + rng.uniform(0.6, 0.9)
    back = leave + 1.1 * move
    take = Take.lasting(figure, back + 0.5, fps, rng)
    t = take.times_s
    share = there_and_back(t, _START_S, there, leave, back)
    early = there_and_back(t, _START_S - TRUNK_LEAD_S, there - TRUNK_LEAD_S, leave + 0.04, back + 0.1)
    track = take.bent(take.standing(), numbers, early)
    track = take.grounded(take.looking(track, target, _START_S, leave))
    _, _, world = figure.trunk_world(track)
    rest = figure.rest_hand(world, side)
    path = _arched(figure, side, rest.wrist, wrist, share)
    aim = hand_turn(side, target - wrist, np.array([0.0, -1.0, 0.0]) + 0.4 * _medial(side))
    turn = rot.slerp(rest.facing, np.broadcast_to(aim, rest.facing.shape), share)
    sign = 1.0 if side == "left" else -1.0
    tip = np.array([sign * 0.105 * figure.stature_m, 0.0, 0.0])
    event = take.event("point", there, side, tip, wrist + rot.rotate(aim, tip))
    hand = natural(figure, world, side, path, turn)
    return take.example("point", track, {side: hand, **_other(figure, world, side)}, target=target, events=[event])


def _pointing_wrist(figure: Figure, side: str, target: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where the wrist of a pointing arm is, and the bending of the body."""
    numbers = np.zeros(10)
    numbers[0] = 0.4 * np.arctan2(target[0], target[2])
    wrist = np.zeros(3)
    for _ in range(3):
        _, _, world = figure.trunk_world(bent(figure, figure.standing(1), numbers[None]))
        shoulder = world.positions[0, figure.skeleton.humanoid[f"{side}UpperArm"]]
        away = (target - shoulder) / np.linalg.norm(target - shoulder)
        wrist = shoulder + 0.978 * figure.arm_m * away
        numbers = 0.5 * numbers + 0.5 * settle(figure, {side: wrist})
        numbers[0] = 0.4 * np.arctan2(target[0], target[2])
    return wrist, numbers


def _other(figure: Figure, world: WorldTransforms, side: str) -> dict[str, HandTrack]:
    """The idle hand hangs by IK as well, so that both arms look alike."""
    other = "right" if side == "left" else "left"
    return {other: figure.rest_hand(world, other)}


def _medial(side: str) -> FloatArray:
    return np.array([-1.0 if side == "left" else 1.0, 0.0, 0.0])


def _grasping_turn(figure: Figure, side: str, target: FloatArray) -> FloatArray:
    """Fingers away from the body, palm inwards and a little down."""
    shoulder = figure.stature_m * np.array([-0.1 * _medial(side)[0], 0.82, 0.0])
    away = target - shoulder
    away[1] *= 0.6
    flat = np.arctan2(away[0], away[2])
    palm = rot.rotate(rot.from_yaw(0.6 * flat), _medial(side) + np.array([0.0, -0.5, 0.0]))
    return hand_turn(side, away, palm)


def _hanging_wrist(figure: Figure, side: str) -> FloatArray:
    _, _, world = figure.trunk_world(figure.standing(1))
    return np.asarray(world.positions[0, figure.skeleton.humanoid[f"{side}Hand"]])


def _arched(figure: Figure, side: str, rest: FloatArray, goal: FloatArray, share: FloatArray) -> FloatArray:
    """From the hanging hand to the goal, a little outwards and ahead on the way, so that it clears the thigh."""
    out = figure.stature_m * (np.array([0.0, 0.0, 0.045]) - 0.03 * _medial(side))
    hump = (4.0 * share * (1.0 - share)) ** 1.5
    return rest + share[:, None] * (goal - rest) + hump[:, None] * out
