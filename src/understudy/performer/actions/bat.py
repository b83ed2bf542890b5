"""Swinging a bat: wide stance, load, stride-less turn of hips then shoulders, contact, follow through.

The bat is a line in both hands: its grip and direction are authored beside the turning chest, except at the contact,
where its sweet spot is exactly at the target.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.kinematics import WorldTransforms, forward
from understudy.performer.actions.example import Example
from understudy.performer.actions.figure import SIDES, Figure
from understudy.performer.actions.paths import flow, min_jerk, on_frame
from understudy.performer.actions.take import Take, grip_offset, rolled_foot
from understudy.performer.actions.tracks import BodyTrack, HandTrack
from understudy.typing import FloatArray

#: Sweet spot from the middle of the grip, and each hand's place on the grip, over the stature.
SWEET, _LOWER, _UPPER = 0.36, -0.028, 0.034
#: Middle of the grip from the middle of the shoulders, over the stature, and the way of the bat, after the swing.
_LOWERED_GRIP, _LOWERED_WAY = (0.05, -0.10, 0.20), (0.35, 0.75, 0.45)
#: [rad] how far a bat lies from the thumb towards the fingers: it runs slantwise through the hand.
_SLANT = np.radians(40.0)


def bat_target(figure: Figure, rng: np.random.Generator) -> FloatArray:
    """Where the ball is met: over the plate ahead of the batter [m]."""
    share = np.array([rng.uniform(-0.02, 0.10), rng.uniform(0.44, 0.56), rng.uniform(0.55, 0.60)])
    return figure.stature_m * share


def bat_swing(figure: Figure, target: FloatArray, *, fps: float, rng: np.random.Generator) -> Example:
    """Meet a ball at ``target``, right-handed: the ball comes from the left (+X), the plate lies ahead."""
    take = Take.lasting(figure, 3.7, fps, rng)
    t = take.times_s
    contact = on_frame(1.55 + rng.uniform(-0.05, 0.05), fps)
    keys = [0.55, 1.05, contact - 0.17, contact, contact + 0.16, contact + 0.42]
    track = _body(figure, take, keys)
    coming = target + np.array([9.0, 0.4, 0.0]) * (1.0 - min_jerk(t, contact - 0.75, contact))[:, None]
    track = take.grounded(take.looking(track, coming, 0.3, contact + 0.25))
    _, _, world = figure.trunk_world(track)
    frame = round(contact * fps)
    grip, along = _bat(figure, t, world, keys, frame, target)
    hands = _gripping(figure, track, world, grip, along)
    bat = (SWEET - _UPPER) * figure.stature_m * np.array([-np.sin(_SLANT), 0.0, np.cos(_SLANT)])
    offset = grip_offset(figure, "right") + bat
    event = take.event("contact", contact, "right", offset, target)
    return take.example("bat_swing", track, hands, target=target, events=[event])


def _body(figure: Figure, take: Take, keys: list[float]) -> BodyTrack:
    t, tall = take.times_s, figure.stature_m
    track = take.standing()
    wide = np.array([0.115 * tall, 0.0, 0.0])
    feet = {
        side: replace(track.feet[side], ankle=track.feet[side].ankle + sign * wide)
        for side, sign in zip(SIDES, (1.0, -1.0), strict=True)
    }
    heel = min_jerk(t, keys[2], keys[4] + 0.1) - _unwound(t, keys)
    feet["right"] = rolled_foot(figure, feet["right"], 0.65 * heel)
    hips = _swung(t, keys, [-0.10, -0.22, 0.22, 0.62, 0.80, 0.80], 0.30)
    shoulders = _swung(t, keys, [-0.22, -0.42, -0.28, 0.22, 0.62, 0.66], 0.18)
    across = tall * _swung(t, keys, [-0.02, -0.04, 0.0, 0.02, 0.025, 0.025], 0.0)
    sink = -0.055 * tall * (1.0 - 0.45 * _unwound(t, keys))
    lean = _swung(t, keys, [0.24, 0.26, 0.26, 0.20, 0.12, 0.10], 0.09)
    zero = np.zeros(len(t))
    return replace(
        track,
        feet=feet,
        centre=track.centre + np.stack([across, sink, zero - 0.015 * tall], axis=1),
        pelvis=track.pelvis + np.stack([0.5 * lean, hips, zero], axis=1),
        trunk=track.trunk + np.stack([0.5 * lean, shoulders, zero], axis=1),
    )


def _unwound(t: FloatArray, keys: list[float]) -> FloatArray:
    """``(n,)`` how much of the swing's end is undone: afterwards a batter unwinds, rises and lets the bat sink."""
    return min_jerk(t, keys[-1] + 0.05, keys[-1] + 1.6)


def _swung(t: FloatArray, keys: list[float], values: npt.ArrayLike, rest: npt.ArrayLike) -> FloatArray:
    """``(n, ...)`` values through the keys of the swing, and from its end to ``rest``."""
    swing = np.asarray(values, dtype=np.float64)
    change = np.asarray(rest, dtype=np.float64) - swing[-1]
    return np.asarray(flow(t, keys, swing) + np.multiply.outer(_unwound(t, keys), change))


def _bat(
    figure: Figure, t: FloatArray, world: WorldTransforms, keys: list[float], frame: int, target: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Middle of the grip ``(n, 3)`` [m] and unit direction ``(n, 3)`` of the bat in the world."""
    tall = figure.stature_m
    chest = figure.chest_turn(world)
    joints = [figure.skeleton.humanoid[f"{side}UpperArm"] for side in SIDES]
    middle = world.positions[:, joints].mean(axis=1)
    line = np.array([0.10, -0.22, 1.0])
    line /= np.linalg.norm(line)
    back = rot.conjugate(chest[frame])
    met = rot.rotate(back, target - SWEET * tall * line - middle[frame]) / tall
    grips = [
        (-0.10, -0.03, 0.165),
        (-0.115, -0.005, 0.155),
        (-0.075, -0.075, 0.19),
        met,
        (0.075, -0.03, 0.215),
        (0.105, 0.0, 0.175),
    ]
    ways: list[npt.ArrayLike] = [
        (-0.30, 0.90, -0.10),
        (-0.25, 0.85, -0.35),
        (-0.62, 0.62, 0.10),
        rot.rotate(back, line),
        (0.80, 0.35, 0.45),
        (0.40, 0.80, -0.25),
    ]
    grip = middle + rot.rotate(chest, tall * _swung(t, keys, np.array(grips), _LOWERED_GRIP))
    way = rot.rotate(chest, _swung(t, keys, np.array([_unit(way) for way in ways]), _unit(_LOWERED_WAY)))
    return grip, way / np.linalg.norm(way, axis=1, keepdims=True)


def _elbows(figure: Figure, world: WorldTransforms, grip: FloatArray) -> dict[str, FloatArray]:
    """Which way the elbows go: the arm that crosses the chest goes before it, the other one out and down."""
    chest = figure.chest_turn(world)
    joints = [figure.skeleton.humanoid[f"{side}UpperArm"] for side in SIDES]
    seen = rot.rotate(rot.conjugate(chest), grip - world.positions[:, joints].mean(axis=1)) / figure.stature_m
    poles = {}
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        u = np.clip((0.08 - sign * seen[:, 0]) / 0.16, 0.0, 1.0)[:, None]
        crossing = u * u * (3.0 - 2.0 * u)
        open_way, cross_way = np.array([0.9 * sign, -0.7, -0.25]), np.array([0.55 * sign, -0.75, 0.75])
        poles[side] = rot.rotate(chest, open_way + crossing * (cross_way - open_way))
    return poles


def _gripping(
    figure: Figure, track: BodyTrack, world: WorldTransforms, grip: FloatArray, along: FloatArray
) -> dict[str, HandTrack]:
    """Both hands about the bat: thumbs towards its far end, fingers in the forearm's line as far as that allows.

    The forearm's line depends on the hand's turn and the other way round; a few rounds settle both.
    """
    places = {"left": _LOWER, "right": _UPPER}
    held = {side: grip + place * figure.stature_m * along for side, place in places.items()}
    elbows = {side: world.positions[:, figure.skeleton.humanoid[f"{side}UpperArm"]] for side in SIDES}
    hands: dict[str, HandTrack] = {}
    poles = _elbows(figure, world, grip)
    for _ in range(6):
        for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
            forearm = held[side] - elbows[side]
            across = forearm - np.sum(forearm * along, axis=1, keepdims=True) * along
            across /= np.linalg.norm(across, axis=1, keepdims=True)
            x = sign * (np.sin(_SLANT) * along + np.cos(_SLANT) * across)
            thumb = np.cos(_SLANT) * along - np.sin(_SLANT) * across
            turn = rot.from_matrix(np.stack([x, np.cross(thumb, x), thumb], axis=-1))
            wrist = held[side] - rot.rotate(turn, grip_offset(figure, side))
            hands[side] = HandTrack(wrist=wrist, turn=turn, pole=poles[side])
        built = forward(figure.skeleton, *figure.build(track, hands))
        for side in SIDES:
            seen = built.positions[:, figure.skeleton.humanoid[f"{side}LowerArm"]]
            elbows[side] = 0.5 * (elbows[side] + seen)
    return hands


def _unit(direction: npt.ArrayLike) -> FloatArray:
    vector = np.asarray(direction, dtype=np.float64)
    return np.asarray(vector / np.linalg.norm(vector))
