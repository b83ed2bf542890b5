"""An overarm throw at a far target: turn away, step, turn back, release, follow through.

The hand's way is authored beside the turning chest. Where it is at the release is where the ball leaves; the hand's
velocity there is then bent to exactly the one that takes a ball to the target.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.kinematics import WorldTransforms, forward
from understudy.performer.actions.example import Example, in_joint
from understudy.performer.actions.figure import Figure
from understudy.performer.actions.paths import chained, flow, min_jerk, on_frame, through, thrown
from understudy.performer.actions.take import Take, grip_offset, natural, rolled_foot
from understudy.performer.actions.tracks import BodyTrack, FootPath, HandTrack
from understudy.typing import BoolArray, FloatArray

#: [m/s] mean speed of the ball.
_SPEED_MPS = 8.0
#: [s] window about the release within which the hand's velocity is bent.
_BEND_S = 0.12
#: Wrist from the shoulder over the arm's length: outward, up, ahead of the chest; at rest before and after.
_THROWING = (
    (-0.20, -0.45, 0.56),
    (-0.12, -0.42, 0.60),
    (0.42, -0.72, -0.20),
    (0.72, 0.20, -0.42),
    (0.42, 0.66, -0.20),
    (0.10, 0.05, 0.70),
    (0.02, -0.58, 0.64),
)
_GUIDING = (
    (-0.06, -0.48, 0.56),
    (0.02, -0.44, 0.60),
    (0.25, -0.20, 0.80),
    (0.30, -0.15, 0.78),
    (0.58, -0.42, 0.44),
    (0.62, -0.55, 0.25),
    (0.45, -0.75, 0.16),
)


def pitch_target(figure: Figure, rng: np.random.Generator) -> FloatArray:
    """A place 3.5 to 6 m ahead, between knee and shoulder height [m]."""
    share = np.array([rng.uniform(-0.5, 0.5), 0.0, rng.uniform(3.5, 6.0)])
    return share + np.array([0.0, figure.stature_m * rng.uniform(0.3, 0.75), 0.0])


def pitch(figure: Figure, target: FloatArray, *, fps: float, rng: np.random.Generator) -> Example:
    """Throw at ``target``, mostly right-handed, from a step of the other leg."""
    side, other = ("right", "left") if rng.uniform() < 0.75 else ("left", "right")
    take = Take.lasting(figure, 4.0, fps, rng)
    t = take.times_s
    release = on_frame(2.0, fps)
    times = [0.45, 1.0, 1.45, release - 0.15, release, release + 0.22, release + 0.7]
    track = _body(figure, take, side, other, release)
    track = take.looking(track, target, 0.5, 3.7)
    _, _, world = figure.trunk_world(track)
    frame = round(release * fps)
    hands = {other: _beside_chest(figure, take, world, other, times, _GUIDING)}
    hands[side] = _beside_chest(figure, take, world, side, times, _THROWING)
    leaves, _ = _grip_at(figure, track, hands, side, frame, fps)
    wanted, _ = thrown(leaves, target, float(np.linalg.norm(target - leaves)) / _SPEED_MPS)
    base = _beside_chest(figure, take, world, side, times, _THROWING, going=(4, frame, wanted))
    hands[side], bend = base, np.zeros(3)
    for _ in range(6):
        # What is left comes from the palm's lever about the wrist.
        bend += wanted - _grip_at(figure, track, hands, side, frame, fps)[1]
        wrist = base.wrist + _window(t - release)[:, None] * bend
        hands[side] = natural(figure, world, side, wrist, None)
    event = take.event("release", release, side, grip_offset(figure, side), leaves, velocity=wanted)
    return take.example(
        "pitch",
        track,
        hands,
        target=target,
        events=[event],
        standing=_standing(take, side, other, release),
        balanced=t < 0.8,
    )


def _step_times(fps: float) -> tuple[float, float]:
    """When the leading foot leaves the floor and lands [s]."""
    return on_frame(1.1, fps), on_frame(1.78, fps)


def _follow_times(release: float, fps: float) -> tuple[float, float]:
    """When the trailing foot is brought after the leading one [s]."""
    return on_frame(release + 0.34, fps), on_frame(release + 0.98, fps)


def _standing(take: Take, side: str, other: str, release: float) -> dict[str, BoolArray]:
    """``(frames,)`` per foot whether it stands."""
    t = take.times_s
    steps = {other: _step_times(take.fps), side: _follow_times(release, take.fps)}
    return {one: ~((t > lift + 1e-9) & (t < plant - 1e-9)) for one, (lift, plant) in steps.items()}


def _body(figure: Figure, take: Take, side: str, other: str, release: float) -> BodyTrack:
    """Feet, pelvis and trunk of the throw."""
    t, tall = take.times_s, figure.stature_m
    sign = 1.0 if other == "left" else -1.0
    lift, plant = _step_times(take.fps)
    track = take.standing()
    stride = np.array([0.03 * sign, 0.0, 0.40]) * tall
    home = track.feet[other].ankle[0]
    up = home + np.array([0.0, 0.17 * tall, 0.05 * tall])
    ahead = home + stride
    path = chained(
        t,
        [
            (lift, home, np.zeros(3)),
            (lift + 0.33, up, None),
            (plant - 0.12, ahead + np.array([0.0, 0.035, -0.03]) * tall, None),
            (plant, ahead, np.zeros(3)),
            (take.times_s[-1] + 1.0, ahead, np.zeros(3)),
        ],
    )
    toes_down = 0.4 * flow(t, [lift, lift + 0.3, plant - 0.1, plant], [0.0, 1.0, 0.1, 0.0])
    dangling = rot.multiply(track.feet[other].turn, rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), toes_down))
    feet = {
        other: replace(track.feet[other], ankle=path, turn=dangling),
        side: _trailing(figure, take, track.feet[side], release, stride[2]),
    }
    keys = [0.4, 1.05, 1.5, 1.80, release, release + 0.25, release + 0.7, release + 1.4]
    away = flow(t, keys, [0.0, -0.75, -0.85, -0.25, 0.40, 0.50, 0.38, 0.0])
    shoulders = flow(t, keys, [0.0, -0.25, -0.45, -0.50, 0.15, 0.38, 0.28, 0.0])
    lean = flow(t, keys, [0.0, -0.06, -0.08, -0.06, 0.42, 0.62, 0.38, 0.0])
    tilt = flow(t, keys, [0.0, 0.02, 0.05, 0.10, 0.24, 0.12, 0.0, 0.0])
    onward = tall * flow(t, keys, [0.0, -0.015, 0.09, 0.19, 0.255, 0.29, 0.36, 0.40])
    beside = -sign * tall * flow(t, keys, [0.0, 0.045, 0.035, 0.0, -0.01, -0.03, -0.04, -0.01])
    sink = -tall * flow(t, keys, [0.0, 0.010, 0.035, 0.070, 0.066, 0.062, 0.035, 0.0])
    track = replace(
        track,
        feet=feet,
        centre=track.centre + np.stack([beside, sink, onward], axis=1),
        pelvis=track.pelvis + np.stack([0.25 * lean, sign * away, -sign * 0.2 * tilt], axis=1),
        trunk=track.trunk + np.stack([0.75 * lean, sign * shoulders, -sign * 0.8 * tilt], axis=1),
    )
    return take.grounded(track, _standing(take, side, other, release))


def _trailing(figure: Figure, take: Take, foot: FootPath, release: float, stride_m: float) -> FootPath:
    """The foot the throw pushes off: its heel rises, then it follows beside the leading one."""
    t, tall = take.times_s, figure.stature_m
    lift, plant = _follow_times(release, take.fps)
    pitch = 0.8 * (min_jerk(t, release - 0.62, release + 0.25) - min_jerk(t, lift + 0.1, plant))
    rolled = rolled_foot(figure, foot, pitch)
    left = rolled.ankle[round(lift * take.fps)]
    ahead = foot.ankle[0] + np.array([0.0, 0.0, stride_m])
    still = np.zeros(3)
    path = chained(
        t,
        [
            (lift, left, still),
            (lift + 0.5 * (plant - lift), 0.5 * (left + ahead) + np.array([0.0, 0.045, 0.0]) * tall, None),
            (plant, ahead, still),
            (t[-1] + 1.0, ahead, still),
        ],
    )
    toes = pitch * (1.0 - min_jerk(t, lift, lift + 0.15))
    return FootPath(ankle=np.where((t > lift)[:, None], path, rolled.ankle), turn=rolled.turn, toes=toes)


def _beside_chest(
    figure: Figure,
    take: Take,
    world: WorldTransforms,
    side: str,
    times: list[float],
    places: tuple[tuple[float, ...], ...],
    *,
    going: tuple[int, int, FloatArray] | None = None,
) -> HandTrack:
    """A hand that follows places beside the chest and hangs at ease before and after.

    ``going``: key, frame and world velocity [m/s] the wrist has there.
    """
    t, sign = take.times_s, 1.0 if side == "left" else -1.0
    seen = np.array(places) * np.array([sign, 1.0, 1.0]) * figure.arm_m
    shoulder = world.positions[:, figure.skeleton.humanoid[f"{side}UpperArm"]]
    chest = figure.chest_turn(world)
    rates = {}
    if going is not None:
        key, frame, velocity = going
        carried = shoulder + rot.rotate(chest, seen[key])
        own = velocity - (carried[frame + 1] - carried[frame - 1]) * 0.5 * take.fps
        rates[key] = rot.rotate(rot.conjugate(chest[frame]), own)
    path = through(t, times, seen, rates)
    goal = shoulder + rot.rotate(chest, path)
    rest = figure.rest_hand(world, side)
    held = min_jerk(t, times[0] - 0.15, times[1] - 0.1) - min_jerk(t, times[-1], times[-1] + 0.75)
    hump = figure.stature_m * np.array([0.03 * sign, 0.0, 0.05])
    wrist = rest.wrist + held[:, None] * (goal - rest.wrist) + (4.0 * held * (1.0 - held))[:, None] * hump
    return natural(figure, world, side, wrist, None)


def _grip_at(
    figure: Figure, track: BodyTrack, hands: dict[str, HandTrack], side: str, frame: int, fps: float
) -> tuple[FloatArray, FloatArray]:
    """Place and velocity of the palm in one frame, the velocity by central difference."""
    near = slice(frame - 1, frame + 2)
    cut = replace(
        track,
        centre=track.centre[near],
        pelvis=track.pelvis[near],
        trunk=track.trunk[near],
        clavicles={one: values[near] for one, values in track.clavicles.items()},
        arms={one: values[near] for one, values in track.arms.items()},
        gaze=track.gaze[near],
        feet={
            one: FootPath(ankle=foot.ankle[near], turn=foot.turn[near], toes=foot.toes[near])
            for one, foot in track.feet.items()
        },
    )
    some = {
        one: HandTrack(
            wrist=hand.wrist[near], turn=None if hand.turn is None else hand.turn[near], pole=hand.pole[near]
        )
        for one, hand in hands.items()
    }
    world = forward(figure.skeleton, *figure.build(cut, some))
    joint = figure.skeleton.humanoid[f"{side}Hand"]
    point = in_joint(figure.skeleton, f"{side}Hand", grip_offset(figure, side))
    places = world.positions[:, joint] + rot.rotate(world.rotations[:, joint], point)
    return places[1], (places[2] - places[0]) * 0.5 * fps


def _window(time_s: FloatArray) -> FloatArray:
    """A displacement of unit velocity and no size at time 0, gone outside the window [s]."""
    u = np.clip(np.abs(time_s) / _BEND_S, 0.0, 1.0)
    return np.asarray(time_s * (1.0 - u**3) ** 3)
