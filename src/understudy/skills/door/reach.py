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
from understudy.scene.contacts import HAND_DEPTH_M
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
#: [rad] how far hips and spine are bent for a handle at the height of a hanging hand.
_BOW_RAD, _STOOP_RAD = 0.36, 0.20
#: [m] distance of a lever's middle from the leaf, and room that fingers keep from it.
LEVER_OFF_M, _FREE_M = 0.055, 0.010
#: [m] how deep a palm is pressed by what it holds: a part of what contacts allow.
PRESSED_M = 0.2 * HAND_DEPTH_M
#: [m] radius of the trunk that elbow and wrist keep out of.
_TRUNK_M = 0.15


class TrunkShare(NamedTuple):
    """The trunk's part in a reach, arrays of one shape [rad].

    Attributes:
        bow: Bend at the hips.
        lean: Bend of the spine ahead.
        twist: Turn to the left.
        collar: Collar bone ahead.
    """

    bow: FloatArray
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
    return TrunkShare(bow=_BOW_RAD * low, lean=0.20 * stretch + _STOOP_RAD * low, twist=twist, collar=0.28 * stretch)


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
    from understudy.skills.door._reach_kernels import held_costs

    figure = Figure(skeleton)
    a, b = (grid.ravel() for grid in np.meshgrid(ahead, left, indexing="ij"))
    share = trunk_share(a, b, height_m, side, figure.stature_m)
    track = leaning(figure, share, side)
    _, _, world = figure.trunk_world(track)
    root = track.centre[0] * np.array([1.0, 0.0, 1.0])
    shoulder = world.positions[:, skeleton.humanoid[f"{side}UpperArm"]] - root
    bone = skeleton.bone_length_m
    yaw, pitch = (grid.ravel() for grid in np.meshgrid(YAWS, PITCHES, indexing="ij"))
    held = held_m(skeleton, yaw, pitch)
    hands = np.stack([yaw, pitch, held, 0.15 * (yaw / 0.8) ** 2], axis=1)
    grips = np.stack([b, np.full(len(a), height_m), a], axis=1)
    arm = np.array([bone(f"{side}UpperArm", f"{side}LowerArm"), bone(f"{side}LowerArm", f"{side}Hand")])
    limits = np.array([_FAR, _NEAR, _EASY_RAD, _MOST_RAD, _TRUNK_M])
    out = held_costs(shoulder, figure.pole(world, side, None), grips, normals, hands, arm, limits)
    return np.asarray(out.reshape(len(ahead), len(left), len(normals)))


@lru_cache(maxsize=64)
def forward_m(skeleton: Skeleton, height_m: float) -> float:
    """How far ahead of the pelvis the middle of the head is when a hand is on a handle at a height [m]."""
    figure = Figure(skeleton)
    share = trunk_share(np.array([0.45]), np.array([-0.1]), height_m, "right", figure.stature_m)
    track = leaning(figure, share, "right")
    _, _, world = figure.trunk_world(track)
    return float(world.positions[0, skeleton.humanoid["head"], 2] - track.centre[0, 2])


def held_m(skeleton: Skeleton, yaw: FloatArray | float, pitch: FloatArray | float) -> FloatArray:
    """How far from the wrist a lever lies along the hand [m], so that the fingers do not reach into the leaf.

    Args:
        skeleton: Whose hand.
        yaw: The fingers' turn from the leaf's direction [rad].
        pitch: Their rise [rad].
    """
    _, long, radius = hand_axis(skeleton, "left")
    free = LEVER_OFF_M - radius - _FREE_M
    into = np.maximum(np.cos(np.asarray(yaw)) * np.cos(np.asarray(pitch)), 0.02)
    return np.clip(long - max(free, 0.005) / into, 0.5 * long, long)


def leaning(figure: Figure, share: TrunkShare, side: str) -> BodyTrack:
    """Standing bodies ``(n,)`` with the trunk's part in a reach."""
    count = len(share.lean)
    track = figure.standing(count)
    trunk = track.trunk + np.stack([share.lean, share.twist, np.zeros(count)], axis=1)
    pelvis = track.pelvis + np.stack([share.bow, np.zeros(count), np.zeros(count)], axis=1)
    collars = dict(track.clavicles)
    collars[side] = collars[side] + np.stack([np.zeros(count), share.collar], axis=1)
    return BodyTrack(
        centre=track.centre,
        pelvis=pelvis,
        trunk=trunk,
        clavicles=collars,
        gaze=track.gaze,
        feet=track.feet,
    )


@lru_cache(maxsize=32)
def hand_axis(skeleton: Skeleton, side: str) -> tuple[FloatArray, float, float]:
    """Start and direction ``(2, 3)`` of a hand's axis in axes of the T-pose, its length and radius [m]."""
    from understudy.core.reference_pose import t_pose_world

    body = fit_body(skeleton)
    capsule = body.capsule(f"{side}_hand")
    start, end = body.capsule_starts[capsule], body.capsule_ends[capsule]
    long = float(np.linalg.norm(end - start))
    turn = t_pose_world(skeleton)[1][body.capsule_joints[capsule]]
    axis = rot.rotate(turn, np.stack([start, (end - start) / long]))
    return np.asarray(axis), long, float(body.capsule_radii[capsule])


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
