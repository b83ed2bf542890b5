"""Synthetic people for tests: one human shape on rigs with different rest poses and joint frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core import Motion, Skeleton

# Role -> (parent role, offset in the T-pose [m]); left side, mirrored below.
_MIDDLE = {
    "hips": (None, (0.0, 0.95, 0.0)),
    "spine": ("hips", (0.0, 0.08, 0.0)),
    "chest": ("spine", (0.0, 0.14, 0.0)),
    "upperChest": ("chest", (0.0, 0.12, 0.0)),
    "neck": ("upperChest", (0.0, 0.14, 0.0)),
    "head": ("neck", (0.0, 0.09, 0.02)),
}
_LEFT = {
    "Shoulder": ("upperChest", (0.03, 0.10, 0.0)),
    "UpperArm": ("Shoulder", (0.14, 0.0, 0.0)),
    "LowerArm": ("UpperArm", (0.28, 0.0, 0.0)),
    "Hand": ("LowerArm", (0.25, 0.0, 0.0)),
    "UpperLeg": ("hips", (0.09, -0.06, 0.0)),
    "LowerLeg": ("UpperLeg", (0.0, -0.41, 0.0)),
    "Foot": ("LowerLeg", (0.0, -0.41, 0.0)),
    "Toes": ("Foot", (0.0, -0.05, 0.13)),
}
_TIPS = {
    "head": (0.0, 0.2, 0.0),
    "leftToes": (0.0, 0.0, 0.06),
    "rightToes": (0.0, 0.0, 0.06),
    "leftHand": (0.17, 0.0, 0.0),
    "rightHand": (-0.17, 0.0, 0.0),
}


def person(scale: float = 1.0, *, leg_scale: float = 1.0) -> Skeleton:
    """A symmetric person in the T-pose with world-aligned joint frames, facing +Z."""
    rows: list[tuple[str, str | None, tuple[float, float, float]]] = [(n, p, o) for n, (p, o) in _MIDDLE.items()]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for bone, (parent, (x, y, z)) in _LEFT.items():
            above = parent if parent in _MIDDLE else f"{side}{parent}"
            stretch = leg_scale if bone in ("LowerLeg", "Foot") else 1.0
            rows.append((f"{side}{bone}", above, (sign * x, stretch * y, z)))
    names = [row[0] for row in rows]
    return Skeleton(
        names=tuple(names),
        parents=np.array([-1 if parent is None else names.index(parent) for _, parent, _ in rows]),
        offsets=scale * np.array([offset for _, _, offset in rows]),
        tip_joints=np.array([names.index(name) for name in _TIPS]),
        tip_offsets=scale * np.array(list(_TIPS.values())),
        humanoid={name: index for index, name in enumerate(names)},
    )


def with_rest_pose(skeleton: Skeleton, turns: dict[str, np.ndarray], root_turn: np.ndarray | None = None) -> Skeleton:
    """The same person whose rig rests with joints turned (world axes) away from the T-pose, frames world-aligned."""
    local = rot.identity((len(skeleton),))
    for name, turn in turns.items():
        local[skeleton.index(name)] = turn
    if root_turn is not None:
        local[0] = root_turn
    positions, world = skeleton.placed_joints(skeleton.offsets[0], local)
    offsets = positions.copy()
    offsets[1:] = positions[1:] - positions[skeleton.parents[1:]]
    tips = rot.rotate(world[skeleton.tip_joints], skeleton.tip_offsets)
    return replace(skeleton, offsets=offsets, rest_rotations=rot.identity((len(skeleton),)), tip_offsets=tips)


def with_joint_frames(skeleton: Skeleton, frames: np.ndarray) -> Skeleton:
    """The same person and rest pose whose joints have other local axes (``frames``: rest world rotations)."""
    parents = skeleton.parents
    above = np.concatenate([rot.identity((1,)), frames[parents[1:]]])
    _, rest = skeleton.rest_world
    rest_above = np.concatenate([rot.identity((1,)), rest[parents[1:]]])
    return replace(
        skeleton,
        offsets=rot.rotate(rot.multiply(rot.conjugate(above), rest_above), skeleton.offsets),
        rest_rotations=rot.multiply(rot.conjugate(above), frames),
        tip_offsets=rot.rotate(rot.multiply(rot.conjugate(frames), rest)[skeleton.tip_joints], skeleton.tip_offsets),
    )


def random_frames(skeleton: Skeleton, seed: int) -> np.ndarray:
    """Random rest world rotations, one per joint."""
    return rot.normalize(np.random.default_rng(seed).normal(size=(len(skeleton), 4)))


def wander(skeleton: Skeleton, *, frames: int = 60, fps: float = 30.0, seed: int = 0, size_rad: float = 0.4) -> Motion:
    """A smooth motion that turns every joint and moves the root."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 1.0, frames)[:, None, None]
    phase, speed = rng.uniform(0, 6.28, (2, 1, len(skeleton), 3))
    vectors = size_rad * np.sin(speed * t + phase)
    rotations = rot.multiply(skeleton.rest_rotations, rot.exp(vectors))
    line = np.linspace(0.0, 1.0, frames)[:, None] * rng.normal(size=3) * np.array([1.0, 0.05, 1.0])
    return Motion(
        skeleton=skeleton, fps=fps, root_positions=skeleton.offsets[0] + line, rotations=rotations, name="wander"
    )


def world_positions(motion: Motion) -> np.ndarray:
    """World joint positions ``(frames, joints, 3)`` by the plain definition."""
    return np.stack(
        [motion.skeleton.placed_joints(p, q)[0] for p, q in zip(motion.root_positions, motion.rotations, strict=True)]
    )
