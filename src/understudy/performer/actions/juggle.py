"""Throwing and catching: a toss to oneself, and the three-ball cascade.

Nothing is held; hands are where a ball would leave and arrive. At a release the palm moves with the ball's velocity.
The cascade keeps Shannon's theorem ``(F + D) H = (V + D) N`` for N = 3 balls and H = 2 hands: with the hand's period
``P = V + D`` (vacant and dwell) the flight lasts ``F = 3 P / 2 - D``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.kinematics import WorldTransforms
from understudy.performer.actions.balance import settle
from understudy.performer.actions.example import Event, Example
from understudy.performer.actions.figure import SIDES, Figure, hand_turn
from understudy.performer.actions.paths import GRAVITY, chained, min_jerk, on_frame, there_and_back, through, thrown
from understudy.performer.actions.take import TRUNK_LEAD_S, Take, grip_offset, natural
from understudy.performer.actions.tracks import HandTrack
from understudy.typing import FloatArray

#: Share of a caught ball's speed that the hand goes along with.
_GIVE = 0.35
#: Share of its period a juggling hand holds a ball.
_DWELL = 0.62
#: [s] a hand that is empty longer than this waits.
_LONG_S = 0.65


def toss_target(figure: Figure, rng: np.random.Generator) -> FloatArray:
    """Where a tossed ball is caught [m]."""
    side = rng.choice([-1.0, 1.0])
    share = np.array([side * rng.uniform(0.05, 0.17), rng.uniform(0.64, 0.74), rng.uniform(0.18, 0.25)])
    return figure.stature_m * share


def throw_catch(figure: Figure, target: FloatArray, *, fps: float, rng: np.random.Generator) -> Example:
    """Toss a ball up with the hand of the target's side and catch it at ``target``."""
    side = "left" if target[0] > 0 else "right"
    sign = 1.0 if side == "left" else -1.0
    tall = figure.stature_m
    begin, ready, release = 0.4, 1.15, on_frame(1.65, fps)
    flight = on_frame(rng.uniform(0.45, 0.70), fps)
    catch = release + flight
    settled, back = catch + 0.45, catch + 1.3
    take = Take.lasting(figure, back + 0.45, fps, rng)
    t = take.times_s
    leaves = tall * np.array([sign * 0.115, 0.69, 0.205])
    out, arriving = thrown(leaves, target, flight)
    still, hold, dip = np.zeros(3), leaves + tall * np.array([0.0, -0.05, 0.0]), 0.10 * tall
    palm = chained(
        t,
        [
            (begin, hold, still),
            (ready, hold, still),
            (release - 2.0 * dip / float(out[1]), leaves - np.array([0.0, dip, 0.0]), None),
            (release, leaves, out),
            (release + 0.4 * flight, 0.5 * (leaves + target) + tall * np.array([0.0, 0.05, 0.0]), None),
            (catch, target, _GIVE * arriving),
            (settled, target + tall * np.array([0.0, -0.075, -0.01]), still),
            (back, target + tall * np.array([0.0, -0.075, -0.01]), still),
        ],
    )
    held = there_and_back(t, begin, ready, settled + 0.1, back)
    lean = there_and_back(t, begin - TRUNK_LEAD_S, ready, settled + 0.15, back)
    turn = _palm_up(side)
    numbers = settle(figure, {side: target - rot.rotate(turn, grip_offset(figure, side))})
    track = take.bent(take.standing(), numbers, lean)
    # Knees give a little before the toss and under the catch.
    dips = there_and_back(t, ready - 0.1, release - 0.2, release - 0.18, release + 0.08)
    dips = dips + 0.7 * there_and_back(t, catch - 0.1, catch + 0.16, catch + 0.2, settled + 0.25)
    track = replace(track, centre=track.centre - np.outer(0.010 * tall * dips, [0.0, 1.0, 0.0]))
    # Eyes turn down to a ball in the hand; the head follows it but half, from further away.
    ball = _ball_path(t, palm, release, catch, leaves, out) + tall * np.array([0.0, 0.06, 0.30])
    track = take.grounded(take.looking(track, ball, ready - 0.3, settled))
    _, _, world = figure.trunk_world(track)
    hands = {one: figure.rest_hand(world, one) for one in SIDES}
    hands[side] = _carried(figure, world, side, hands[side], palm, held)
    events = [
        take.event("release", release, side, grip_offset(figure, side), leaves, velocity=out),
        take.event("catch", catch, side, grip_offset(figure, side), target, velocity=arriving),
    ]
    return take.example("throw_catch", track, hands, target=target, events=events)


def juggle_target(figure: Figure, rng: np.random.Generator) -> FloatArray:
    """Where the thrown balls turn: between the hands, at or above the face [m]."""
    return figure.stature_m * np.array([rng.uniform(-0.02, 0.02), rng.uniform(0.86, 1.02), rng.uniform(0.20, 0.23)])


def juggle(figure: Figure, target: FloatArray, *, fps: float, rng: np.random.Generator) -> Example:
    """Three balls in a cascade whose flights turn at ``target``'s height."""
    tall = figure.stature_m
    inner, outer, level = 0.075 * tall, 0.16 * tall, 0.67 * tall
    rise = max(float(target[1]) - level, 0.1 * tall)
    half = max(2, round(0.5 * fps * 2.0 * np.sqrt(2.0 * rise / 9.81) / (1.5 - _DWELL)))
    period = 2 * half / fps
    dwell = on_frame(_DWELL * period, fps)
    flight = 1.5 * period - dwell
    throws = 12 + 2 * int(rng.integers(0, 3))
    first = on_frame(1.5, fps)
    times = [first + n * half / fps for n in range(throws)]
    end = times[-1] + flight + 0.35
    take = Take.lasting(figure, end + 1.4, fps, rng)
    jitter = 0.006 * tall * rng.standard_normal((throws, 2, 3))
    centre = np.array([target[0], level, target[2]])
    signs = {"left": 1.0, "right": -1.0}
    order = [SIDES[n % 2] for n in range(throws)]
    leaves = [centre + np.array([signs[order[n]] * inner, 0.0, 0.0]) + jitter[n, 0] for n in range(throws)]
    meets = [centre + np.array([-signs[order[n]] * outer, 0.0, 0.0]) + jitter[n, 1] for n in range(throws)]
    events: list[Event] = []
    moves: dict[str, list[tuple[float, FloatArray, FloatArray]]] = {side: [] for side in SIDES}
    for n in range(throws):
        away, arriving = thrown(leaves[n], meets[n], flight)
        side, other = order[n], SIDES[(n + 1) % 2]
        moves[side].append((times[n], leaves[n], away))
        moves[other].append((times[n] + flight, meets[n], _GIVE * arriving))
        grip = {one: grip_offset(figure, one) for one in SIDES}
        events.append(take.event("release", times[n], side, grip[side], leaves[n], velocity=away, thing=n % 3))
        events.append(
            take.event("catch", times[n] + flight, other, grip[other], meets[n], velocity=arriving, thing=n % 3)
        )
    return _juggled(figure, take, target, events, moves, (0.45, 1.25, end - 0.05, end + 0.9), centre, (inner, outer))


def _juggled(
    figure: Figure,
    take: Take,
    target: FloatArray,
    events: list[Event],
    moves: dict[str, list[tuple[float, FloatArray, FloatArray]]],
    span: tuple[float, float, float, float],
    centre: FloatArray,
    reach: tuple[float, float],
) -> Example:
    """Bring hands through their throws and catches."""
    t = take.times_s
    begin, ready, done, back = span
    held = there_and_back(t, begin, ready, done, back)
    wrists = {}
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        wait = centre + np.array([sign * 0.5 * sum(reach), -0.02 * figure.stature_m, 0.0])
        wrists[side] = wait - rot.rotate(_palm_up(side), grip_offset(figure, side))
    numbers = settle(figure, wrists)
    track = take.bent(take.standing(), numbers, there_and_back(t, begin - TRUNK_LEAD_S, ready, done, back))
    beat = np.sin(2.0 * np.pi * (t - moves["left"][0][0]) / max(moves["left"][1][0] - moves["left"][0][0], 0.1))
    rhythm = np.stack([0 * t, 0.02 * beat, 0.012 * beat], axis=1) * held[:, None]
    track = replace(track, trunk=track.trunk + rhythm)
    track = take.grounded(take.looking(track, target + np.array([0.0, 0.0, 0.05]), ready, done - 0.2))
    _, _, world = figure.trunk_world(track)
    hands = {}
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        palm = _hand_path(t, sorted(moves[side], key=lambda key: key[0]), centre, sign, reach, figure.stature_m, span)
        hands[side] = _carried(figure, world, side, figure.rest_hand(world, side), palm, held)
    return take.example("juggle", track, hands, target=target, events=events)


def _hand_path(
    t: FloatArray,
    keys: list[tuple[float, FloatArray, FloatArray]],
    centre: FloatArray,
    sign: float,
    reach: tuple[float, float],
    tall: float,
    span: tuple[float, float, float, float],
) -> FloatArray:
    """Palm through its catches and throws: down and in while it holds a ball, over and out while it is empty."""
    wait = centre + np.array([sign * 0.5 * sum(reach), -0.03 * tall, 0.0])
    still = np.zeros(3)
    path: list[tuple[float, FloatArray, FloatArray | None]] = [(span[0], wait, still), (keys[0][0] - 0.4, wait, still)]
    for n, key in enumerate(keys):
        if n or key[2][1] > 0:
            before = keys[n - 1] if n else (span[1] - 0.05, wait, np.array([0.0, -1.0, 0.0]))
            middle = 0.5 * (before[1] + key[1])
            carries = key[2][1] > 0 > before[2][1]
            if carries:
                # A palm that gathers speed evenly over a depth d before its throw needs 2 d / v for it.
                depth = 0.075 * tall
                lowest = max(key[0] - 2.0 * depth / float(key[2][1]), 0.5 * (before[0] + key[0]))
                path.append((lowest, key[1] + np.array([0.25 * (middle - key[1])[0], -depth, 0.0]), None))
            elif key[0] - before[0] > _LONG_S:
                up = tall * np.array([0.0, 0.03, 0.0])
                path += [(before[0] + 0.3, before[1] + up, still), (key[0] - 0.3, key[1] + up, still)]
            else:
                path.append((0.5 * (before[0] + key[0]), middle + tall * np.array([0.0, 0.04, 0.0]), None))
        path.append(key)
    path += [(keys[-1][0] + 0.45, wait, still), (span[3] + 1.0, wait, still)]
    rates = {n: key[2] for n, key in enumerate(path) if key[2] is not None}
    return through(t, [key[0] for key in path], [key[1] for key in path], rates)


def _palm_up(side: str) -> FloatArray:
    sign = 1.0 if side == "left" else -1.0
    return hand_turn(side, np.array([-0.25 * sign, 0.0, 1.0]), np.array([-0.15 * sign, 1.0, -0.1]))


def _along_forearm(figure: Figure, world: WorldTransforms, side: str, palm: FloatArray) -> FloatArray:
    """Turns ``(n, 4)`` of an open hand under a ball, fingers in the forearm's line so that the wrist stays straight."""
    sign = 1.0 if side == "left" else -1.0
    shoulder = world.positions[:, figure.skeleton.humanoid[f"{side}UpperArm"]]
    elbow = shoulder + figure.stature_m * np.array([0.03 * sign, -0.165, -0.02])
    # Fingers rise and sink with the forearm but a little, so that the palm keeps looking up.
    fingers = (palm - elbow) * np.array([1.0, 0.35, 1.0])
    return hand_turn(side, fingers, np.broadcast_to(np.array([-0.15 * sign, 1.0, -0.1]), fingers.shape))


def _carried(
    figure: Figure, world: WorldTransforms, side: str, rest: HandTrack, palm: FloatArray, held: FloatArray
) -> HandTrack:
    """A hand that goes from hanging to a palm's path and back."""
    turn = _along_forearm(figure, world, side, palm)
    goal = palm - rot.rotate(turn, grip_offset(figure, side))
    wrist = rest.wrist + held[:, None] * (goal - rest.wrist)
    wrist += (4.0 * held * (1.0 - held))[:, None] * figure.stature_m * np.array([0.0, 0.0, 0.03])
    return natural(figure, world, side, wrist, rot.slerp(rest.facing, turn, held))


def _ball_path(
    t: FloatArray, palm: FloatArray, release: float, catch: float, start: FloatArray, out: FloatArray
) -> FloatArray:
    """The ball: in the palm, in the air, in the palm."""
    u = (t - release)[:, None]
    flying = start + u * out + 0.5 * u * u * GRAVITY
    in_air = (min_jerk(t, release, release + 0.12) - min_jerk(t, catch - 0.12, catch))[:, None]
    return palm + in_air * (flying - palm)
