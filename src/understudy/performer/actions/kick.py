"""Kicking: weight onto one leg, back swing, strike, follow through, foot back to where it stood."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.kinematics import WorldTransforms
from understudy.performer.actions.example import Example
from understudy.performer.actions.figure import SIDES, Figure
from understudy.performer.actions.paths import chained, flow, min_jerk, on_frame
from understudy.performer.actions.take import Take, natural
from understudy.performer.actions.tracks import BodyTrack, FootPath, HandTrack
from understudy.typing import FloatArray

#: [m/s] speed of the foot at the strike, over the leg's length.
_SPEED = 5.0
#: [rad] toes down at the strike.
_STRIKE_PITCH = 0.42


def kick_target(figure: Figure, rng: np.random.Generator) -> FloatArray:
    """A ball before the feet, lying or in the air up to knee height [m]."""
    side = rng.choice([-1.0, 1.0])
    return figure.stature_m * np.array(
        [side * rng.uniform(0.03, 0.16), rng.uniform(0.085, 0.27), rng.uniform(0.2, 0.3)]
    )


def kick(figure: Figure, target: FloatArray, *, fps: float, rng: np.random.Generator) -> Example:
    """Strike ``target`` with the instep of its side's foot."""
    side, other = ("left", "right") if target[0] > 0 else ("right", "left")
    lift, back, strike, through, plant = (on_frame(time, fps) for time in (0.75, 1.12, 1.36, 1.56, 2.45))
    take = Take.lasting(figure, 3.3, fps, rng)
    t = take.times_s
    foot, velocity = _kicking_foot(figure, take, side, target, (lift, back, strike, through, plant))
    busy = min_jerk(t, lift - 0.5, lift) - min_jerk(t, plant, plant + 0.6)
    track = take.standing(busy=busy)
    feet = {side: foot, other: track.feet[other]}
    swing = flow(t, [lift, back, strike, through, plant], [0.0, -1.0, 0.35, 1.0, 0.0])
    track = _torso(figure, replace(track, feet=feet), side, t, swing, (lift, plant))
    track = take.looking(track, target, 0.45, through)
    loaded = 1.0 - (min_jerk(t, 0.15, lift - 0.05) - min_jerk(t, plant + 0.03, plant + 0.65))
    weights = {side: loaded, other: np.ones(len(take))}
    stands = (t <= lift + 1e-9) | (t >= plant - 1e-9)
    swings = {side: -swing, other: swing}
    track = take.grounded(take.rebalanced(track, {}, weights), {side: stands})
    track = take.held_back(take.grounded(take.rebalanced(track, {}, weights), {side: stands}), side)
    _, _, world = figure.trunk_world(track)
    hands = {one: _swinging_arm(figure, world, one, swings[one], busy) for one in SIDES}
    event = take.event("strike", strike, side, _instep(figure), target, velocity=velocity, bone="Foot")
    return take.example(
        "kick",
        track,
        hands,
        target=target,
        events=[event],
        standing={side: stands, other: np.ones(len(take), dtype=bool)},
    )


def _instep(figure: Figure) -> FloatArray:
    """Middle of the instep from the ankle, in the T-pose's axes [m]."""
    return np.array([0.0, -0.25 * figure.foot.ankle_m, 0.55 * figure.foot.ball_ahead_m])


def _kicking_foot(
    figure: Figure, take: Take, side: str, target: FloatArray, times: tuple[float, float, float, float, float]
) -> tuple[FootPath, FloatArray]:
    """The foot's way, and its velocity at the strike."""
    lift, back, strike, through, plant = times
    t, tall = take.times_s, figure.stature_m
    sign = 1.0 if side == "left" else -1.0
    rest = figure.standing_foot(side, 1)
    home, yaw = rest.ankle[0], float(rot.yaw(rest.turn[0]))
    pitch = flow(
        t, [lift, back, strike, through, 0.5 * (through + plant), plant], [0.0, 1.2, _STRIKE_PITCH, -0.45, 0.25, 0.0]
    )
    pitch = np.where((t < lift) | (t > plant), 0.0, pitch)
    turn = rot.from_euler(np.stack([np.full(len(t), yaw), pitch, 0 * t], axis=1), "YXZ")
    at_strike = rot.from_euler(np.array([yaw, _STRIKE_PITCH, 0.0]), "YXZ")
    ankle = target - rot.rotate(at_strike, _instep(figure))
    leg = figure.skeleton.leg_length_m()
    velocity = _SPEED * leg * np.array([-0.12 * sign, 0.22, 1.0]) / np.linalg.norm([0.12, 0.22, 1.0])
    behind = np.array([home[0] + 0.015 * sign * tall, 0.19 * tall, -0.23 * tall])
    ahead = np.array([0.6 * ankle[0] + 0.2 * home[0], max(ankle[1] + 0.14 * tall, 0.30 * tall), ankle[2] + 0.20 * tall])
    falling = np.array([home[0], 0.16 * tall, 0.16 * tall])
    down = home + np.array([0.0, 0.04 * tall, 0.03 * tall])
    still = np.zeros(3)
    path = chained(
        t,
        [
            (lift, home, still),
            (back, behind, None),
            (strike, ankle, velocity),
            (through, ahead, None),
            (0.5 * (through + plant) - 0.05, falling, None),
            (plant - 0.17, down, None),
            (plant, home, still),
        ],
    )
    # The foot's turn adds to the speed of its instep; the strike is that of the instep.
    spin = np.gradient(pitch, 1.0 / take.fps)[round(strike * take.fps)]
    lever = rot.rotate(at_strike, _instep(figure))
    axis = rot.rotate(rot.from_yaw(yaw), np.array([1.0, 0.0, 0.0]))
    return FootPath(ankle=path, turn=turn, toes=np.zeros(len(t))), velocity + np.cross(spin * axis, lever)


def _torso(
    figure: Figure, track: BodyTrack, side: str, t: FloatArray, swing: FloatArray, span: tuple[float, float]
) -> BodyTrack:
    """Trunk and pelvis: the hip comes forward with the leg, shoulders turn against it, knees give."""
    sign = 1.0 if side == "left" else -1.0
    busy = min_jerk(t, span[0] - 0.5, span[0] + 0.1) - min_jerk(t, span[1] - 0.2, span[1] + 0.5)
    zero = np.zeros(len(t))
    pelvis = np.stack([-0.10 * np.maximum(swing, 0.0) ** 2, -0.22 * sign * swing, 0.05 * sign * busy], axis=1)
    trunk = np.stack([0.10 * busy - 0.12 * np.maximum(swing, 0.0), 0.38 * sign * swing, -0.06 * sign * busy], axis=1)
    drop = np.stack([zero, -0.022 * figure.stature_m * busy, zero], axis=1)
    return replace(track, centre=track.centre + drop, pelvis=track.pelvis + pelvis, trunk=track.trunk + trunk)


def _swinging_arm(figure: Figure, world: WorldTransforms, side: str, swing: FloatArray, busy: FloatArray) -> HandTrack:
    """An arm that swings against the leg, ahead when ``swing`` is positive, a little away from the body when busy."""
    rest = figure.rest_hand(world, side)
    sign = 1.0 if side == "left" else -1.0
    # The square root's rounding keeps the turn of the swing smooth.
    size = (np.sqrt(swing**2 + 0.05) - np.sqrt(0.05))[:, None]
    across = np.array([0.21 * sign, 0.13, 0.0])
    along, aside = np.array([0.0, 0.03, 0.15]), np.array([0.05 * sign, 0.02, 0.0])
    move = figure.stature_m * (size * across + swing[:, None] * along + busy[:, None] * aside)
    return natural(figure, world, side, rest.wrist + move, rest.turn)
