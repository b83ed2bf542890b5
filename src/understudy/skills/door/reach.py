"""Which places of a handle an arm reaches in comfort, as a table around the body; no scene is needed for it.

The trunk's part in a reach (twist, lean, collar bone) follows from where the handle is, by one rule that the table and
the motion share. Costs are infinite out of reach, 0 at ease.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.editing import smoothstep
from understudy.core.skeleton import Skeleton
from understudy.performer.actions.figure import Figure, hand_turn
from understudy.performer.actions.tracks import BodyTrack
from understudy.typing import FloatArray

HANDS = ("left", "right")
#: [m] cells of the table and how far it goes ahead, back and aside of the body's middle.
CELL_M, AHEAD_M, BACK_M, ASIDE_M = 0.05, 0.95, 0.35, 0.85
#: Directions of the leaf in a full turn.
NORMALS = 24
#: Yaws of the hand about the grip [rad] and of the fingers above level [rad].
YAWS = np.radians([-75.0, -50.0, -25.0, 0.0, 25.0, 50.0, 75.0])
PITCHES = np.radians([-85.0, -60.0, -30.0, 0.0, 30.0, 60.0])
#: Share of the arm's length that may be used, at most and at least.
_FAR, _NEAR = 0.95, 0.36
#: [rad] bend of the wrist that is not at ease any more, and the most there is.
_EASY_RAD, _MOST_RAD = np.radians(35.0), np.radians(68.0)
#: [m] radius of the trunk that elbow and wrist keep out of.
_TRUNK_M = 0.15


class TrunkShare(NamedTuple):
    """The trunk's part in a reach, arrays of one shape [rad]: lean ahead, turn to the left, collar bone ahead."""

    lean: FloatArray
    twist: FloatArray
    collar: FloatArray


def trunk_share(ahead: FloatArray, left: FloatArray, height_m: float, side: str, stature_m: float) -> TrunkShare:
    """How the trunk helps a hand to a place ahead, to the left and high above the floor [m], seen from the pelvis."""
    sign = 1.0 if side == "left" else -1.0
    scale = 1.72 / stature_m
    beside = left * scale - sign * 0.18
    far = np.hypot(ahead * scale, beside)
    stretch = smoothstep((far - 0.08) / 0.40)
    # The reaching shoulder comes ahead; a handle aside turns the chest towards it.
    around = np.arctan2(left, np.maximum(ahead, 0.15))
    twist = np.clip(-sign * 0.30 * stretch + 0.42 * around, -0.6, 0.6)
    # Low handles are bent down to.
    low = float(smoothstep(np.array((1.0 - height_m * scale) / 0.25))) * (0.35 + 0.65 * stretch)
    return TrunkShare(lean=0.24 * stretch + 0.32 * low, twist=twist, collar=0.28 * stretch)


@dataclass(frozen=True, eq=False)
class ReachTable:
    """Comfort of reaching around one body for one handle height.

    Attributes:
        costs: ``(2, ahead, left, normals)`` by hand; place of the handle and direction from the grip to the leaf, as
            an angle from ahead to the left, all seen from the pelvis.
    """

    costs: FloatArray


@lru_cache(maxsize=32)
def reach_table(skeleton: Skeleton, height_m: float) -> ReachTable:
    """The table of a skeleton for handles at a height [m]."""
    ahead = np.arange(-BACK_M, AHEAD_M + 1e-9, CELL_M)
    left = np.arange(-ASIDE_M, ASIDE_M + 1e-9, CELL_M)
    normals = np.asarray(np.arange(NORMALS) * (2.0 * np.pi / NORMALS), dtype=np.float64)
    right = _costs(skeleton, "right", height_m, ahead, left, normals)
    # The left hand is the right one in a mirror.
    mirrored = right[:, ::-1][:, :, (-np.arange(NORMALS)) % NORMALS]
    return ReachTable(np.ascontiguousarray(np.stack([mirrored, right])))


def _costs(
    skeleton: Skeleton, side: str, height_m: float, ahead: FloatArray, left: FloatArray, normals: FloatArray
) -> FloatArray:
    figure = Figure(skeleton)
    a, b = (grid.ravel() for grid in np.meshgrid(ahead, left, indexing="ij"))
    share = trunk_share(a, b, height_m, side, figure.stature_m)
    track = leaning(figure, share, side)
    _, _, world = figure.trunk_world(track)
    root = track.centre[0] * np.array([1.0, 0.0, 1.0])
    shoulder = world.positions[:, skeleton.humanoid[f"{side}UpperArm"]] - root
    pole = figure.pole(world, side, None)
    palm = palm_point(skeleton, side)
    bone = skeleton.bone_length_m
    upper, lower = bone(f"{side}UpperArm", f"{side}LowerArm"), bone(f"{side}LowerArm", f"{side}Hand")
    out = np.full((len(a), len(normals)), np.inf)
    grip = np.stack([b, np.full(len(a), height_m), a], axis=1)
    for n, normal in enumerate(normals):
        into = np.array([np.sin(normal), 0.0, np.cos(normal)])
        for yaw in YAWS:
            for pitch in PITCHES:
                turn = grip_turn(side, into, yaw, pitch)
                wrist = grip - rot.rotate(turn, palm)
                cost = _arm_cost(shoulder, wrist, pole, upper, lower, turn, side) + 0.15 * (yaw / 0.8) ** 2
                cost = cost + _around(shoulder, grip, into)
                out[:, n] = np.minimum(out[:, n], cost)
    return out.reshape(len(ahead), len(left), len(normals))


def leaning(figure: Figure, share: TrunkShare, side: str) -> BodyTrack:
    """Standing bodies ``(n,)`` with the trunk's part in a reach."""
    count = len(share.lean)
    track = figure.standing(count)
    trunk = track.trunk + np.stack([share.lean, share.twist, np.zeros(count)], axis=1)
    collars = dict(track.clavicles)
    collars[side] = collars[side] + np.stack([np.zeros(count), share.collar], axis=1)
    return BodyTrack(
        centre=track.centre,
        pelvis=track.pelvis,
        trunk=trunk,
        clavicles=collars,
        gaze=track.gaze,
        feet=track.feet,
    )


def palm_point(skeleton: Skeleton, side: str) -> FloatArray:
    """``(3,)`` the middle of the palm, from the hand's joint in axes of the T-pose [m]."""
    from understudy.core.reference_pose import t_pose_world

    body = fit_body(skeleton)
    capsule = body.capsule(f"{side}_hand")
    middle = 0.5 * (body.capsule_starts[capsule] + body.capsule_ends[capsule])
    return np.asarray(rot.rotate(t_pose_world(skeleton)[1][body.capsule_joints[capsule]], middle))


def grip_turn(side: str, into: FloatArray, yaw: FloatArray | float, pitch: FloatArray | float) -> FloatArray:
    """Turn ``(..., 4)`` of a hand on a lever, away from the T-pose.

    Args:
        side: Which hand.
        into: ``(..., 3)`` level unit direction from the grip to the leaf.
        yaw: The fingers' turn from there about the upright axis [rad].
        pitch: The fingers' rise above level [rad]; the palm looks down at 0 and at the leaf at a right angle.
    """
    yaw, pitch = np.broadcast_arrays(np.asarray(yaw, float), np.asarray(pitch, float))
    level = rot.rotate(rot.from_yaw(yaw), np.broadcast_to(into, (*yaw.shape, 3)))
    up = np.array([0.0, 1.0, 0.0])
    c, s = np.cos(pitch)[..., None], np.sin(pitch)[..., None]
    return hand_turn(side, c * level + s * up, s * level - c * up)


def _around(shoulder: FloatArray, grip: FloatArray, into: FloatArray) -> FloatArray:
    """``(n,)`` cost of reaching around a leaf's edge: the leaf should lie beyond the grip, not before it."""
    away = (grip - shoulder)[:, [0, 2]]
    beyond = away @ into[[0, 2]] / np.maximum(np.linalg.norm(away, axis=1), 0.05)
    return np.where(beyond < 0.15, np.inf, 2.0 * np.maximum(0.5 - beyond, 0.0) / 0.3)


def _arm_cost(
    shoulder: FloatArray,
    wrist: FloatArray,
    pole: FloatArray,
    upper: float,
    lower: float,
    turn: FloatArray,
    side: str,
) -> FloatArray:
    axis = wrist - shoulder
    far = np.linalg.norm(axis, axis=1)
    axis = axis / np.maximum(far, 1e-6)[:, None]
    reach = far / (upper + lower)
    bend = pole - np.sum(pole * axis, axis=1, keepdims=True) * axis
    bend /= np.maximum(np.linalg.norm(bend, axis=1, keepdims=True), 1e-6)
    inside = np.clip(far, abs(upper - lower) + 1e-3, upper + lower - 1e-3)
    along = (upper**2 - lower**2 + inside**2) / (2.0 * inside)
    elbow = shoulder + along[:, None] * axis + np.sqrt(np.maximum(upper**2 - along**2, 0.0))[:, None] * bend
    forearm = (wrist - elbow) / lower
    sign = 1.0 if side == "left" else -1.0
    fingers = rot.rotate(turn, np.array([sign, 0.0, 0.0]))
    wrist_rad = np.arccos(np.clip(forearm @ fingers, -1.0, 1.0))
    cost = 1.2 * np.maximum(wrist_rad / _EASY_RAD - 0.6, 0.0) ** 2
    cost += 6.0 * np.maximum(reach - 0.86, 0.0) / 0.1 + 3.0 * np.maximum(0.5 - reach, 0.0) / 0.1
    cost += 1.5 * np.maximum(-axis[:, 2] - 0.1, 0.0) / 0.2 + 2.5 * np.maximum(-sign * wrist[:, 0] - 0.02, 0.0) / 0.1
    middle = np.array([0.0, 0.0])
    trunk = np.minimum(
        np.linalg.norm(wrist[:, [0, 2]] - middle, axis=1), np.linalg.norm(elbow[:, [0, 2]] - middle, axis=1) + 0.03
    )
    bad = (reach > _FAR) | (reach < _NEAR) | (wrist_rad > _MOST_RAD) | (trunk < _TRUNK_M) | (axis[:, 2] < -0.55)
    return np.where(bad, np.inf, cost)
