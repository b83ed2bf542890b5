"""Pouring: take a bottle, bring its mouth over a glass, tip it, put it back."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.kinematics import WorldTransforms
from understudy.performer.actions.balance import bent, settle
from understudy.performer.actions.example import Example
from understudy.performer.actions.figure import SIDES, Figure, hand_turn
from understudy.performer.actions.paths import min_jerk, on_frame
from understudy.performer.actions.take import TRUNK_LEAD_S, Take, grip_offset, natural
from understudy.performer.actions.tracks import HandTrack
from understudy.typing import FloatArray

#: [m] palm's middle to the bottle's mouth.
BOTTLE_M = 0.15
_TIPPED_RAD = np.radians(100.0)


def pour_target(figure: Figure, rng: np.random.Generator) -> FloatArray:
    """Where the bottle's mouth is while it pours: over a glass on a table ahead [m]."""
    side = rng.choice([-1.0, 1.0])
    share = np.array([side * rng.uniform(0.0, 0.12), rng.uniform(0.58, 0.68), rng.uniform(0.22, 0.30)])
    return figure.stature_m * share


def pour(figure: Figure, target: FloatArray, *, fps: float, rng: np.random.Generator) -> Example:
    """Pour into a glass below ``target`` with the hand of its side."""
    side = "left" if target[0] > 0 else "right"
    sign = 1.0 if side == "left" else -1.0
    tall = figure.stature_m
    bottle = np.array([sign * 0.20 * tall, target[1] - 0.06 * tall, target[2] + rng.uniform(-0.03, 0.03) * tall])
    times = np.cumsum([0.5, 0.75, 0.2, 0.85, rng.uniform(0.9, 1.3), 0.85, 0.2, 0.8])
    begin, grasp, lift, over, done, down, let_go, back = (on_frame(float(time), fps) for time in times)
    take = Take.lasting(figure, back + 0.5, fps, rng)
    t = take.times_s
    tip = _TIPPED_RAD * (min_jerk(t, lift + 0.3, over + 0.25) - min_jerk(t, done, down - 0.25))
    turns = _bottle_turn(side, tip)
    mouth = _mouth_offset(figure, side)
    standing_mouth = bottle + rot.rotate(_bottle_turn(side, np.zeros(1))[0], mouth - grip_offset(figure, side))
    high = standing_mouth + np.array([0.0, 0.03 * tall, 0.0])
    # The mouth stays over the glass while the bottle tips: the wrist goes round it.
    share = min_jerk(t, lift, over) - min_jerk(t, done + 0.1, down)
    path = high + share[:, None] * (target - high)
    path[:, 1] -= 0.03 * tall * (1.0 - min_jerk(t, grasp, lift + 0.25) + min_jerk(t, down - 0.25, let_go))
    wrist = path - rot.rotate(turns, mouth)
    hold = min_jerk(t, begin, grasp) - min_jerk(t, let_go, back)
    numbers = [settle(figure, {side: wrist[int(np.argmin(np.abs(t - time)))]}) for time in (grasp, 0.5 * (over + done))]
    # The trunk rests while one pours: it would sway with a smooth path through all of these.
    lead = t + TRUNK_LEAD_S
    at_bottle = min_jerk(lead, begin, grasp) - min_jerk(lead, down, back)
    at_glass = min_jerk(lead, grasp, over) - min_jerk(lead, done, down)
    lean = np.outer(at_bottle - at_glass, numbers[0]) + np.outer(at_glass, numbers[1])
    track = bent(figure, take.standing(), lean)
    track = take.grounded(take.looking(track, bottle + share[:, None] * (target - bottle), begin, let_go))
    _, _, world = figure.trunk_world(track)
    hands = {other: figure.rest_hand(world, other) for other in SIDES}
    hands[side] = _held(figure, world, side, hands[side], wrist, turns, hold)
    events = [
        take.event("grasp", grasp, side, grip_offset(figure, side), bottle),
        take.event("pour", on_frame(over + 0.25, fps), side, mouth, target),
        take.event("stop", done, side, mouth, target),
    ]
    return take.example("pour", track, hands, target=target, events=events)


def _held(
    figure: Figure,
    world: WorldTransforms,
    side: str,
    rest: HandTrack,
    wrist: FloatArray,
    turns: FloatArray,
    hold: FloatArray,
) -> HandTrack:
    place = rest.wrist + hold[:, None] * (wrist - rest.wrist)
    hump = (4.0 * hold * (1.0 - hold))[:, None] * figure.stature_m * np.array([0.0, 0.0, 0.03])
    return natural(figure, world, side, place + hump, rot.slerp(rest.facing, turns, hold))


def _bottle_turn(side: str, tip_rad: FloatArray) -> FloatArray:
    """Hand about an upright bottle, tipped inwards about the forearm's line by ``tip_rad`` ``(n,)``."""
    sign = 1.0 if side == "left" else -1.0
    fingers = np.array([-0.35 * sign, 0.0, 1.0]) / np.hypot(0.35, 1.0)
    inward = np.array([-1.0 * sign, 0.0, -0.35]) / np.hypot(0.35, 1.0)
    palm = np.cos(tip_rad)[:, None] * inward + np.sin(tip_rad)[:, None] * np.array([0.0, -1.0, 0.0])
    return hand_turn(side, np.broadcast_to(fingers, palm.shape), palm)


def _mouth_offset(figure: Figure, side: str) -> FloatArray:
    """The bottle's mouth from the wrist, in the T-pose's axes: on the thumb's side of the palm [m]."""
    return grip_offset(figure, side) + np.array([0.0, 0.0, BOTTLE_M * figure.stature_m / 1.72])
