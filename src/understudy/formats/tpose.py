"""A T-pose that an exporter put in front of a recording."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from understudy import rotations as rot
from understudy.formats.raw_clip import RawClip
from understudy.typing import FloatArray

_LEAST_FRAMES = 4
#: [rad] The least mean jump of a joint, and how often larger than the clip's fast frames it has to be.
_LEAST_JUMP = np.deg2rad(3.0)
_JUMP_RATIO = 3.0
#: [rad] A joint within this of the identity is at rest.
_AT_REST = np.deg2rad(1.0)
_RESTING_SHARE = 0.7
_LEVEL = 0.26  # sine of 15 degrees
_FRAMES_LOOKED_AT = 400


def tpose_frames(clip: RawClip, roles: Mapping[str, int]) -> int:
    """How many frames at the beginning clearly are an added T-pose and no part of the performance.

    Most exporters add one frame; before some takes they repeat it until the recording begins.
    """
    rotations, roots = clip.rotations[:_FRAMES_LOOKED_AT], clip.root_positions[:_FRAMES_LOOKED_AT]
    same = (rotations == rotations[0]).all(axis=(1, 2)) & (roots == roots[0]).all(axis=1)
    count = len(same) if same.all() else int(np.argmin(same))
    return count if _starts_with_tpose(clip.without_frames(count - 1), roles) else 0


def _starts_with_tpose(clip: RawClip, roles: Mapping[str, int]) -> bool:
    """Whether frame 0 is an added T-pose.

    All of: the jump to frame 1 is far larger than any usual step of the clip; most joints that move at all
    stand at rest in frame 0, or the arms are stretched out level; the root is where frame 1 has it, or at the
    origin of the floor.
    """
    if len(clip.root_positions) < _LEAST_FRAMES:
        return False
    rotations = clip.rotations[:_FRAMES_LOOKED_AT]
    steps = rot.angle_between(rotations[:-1], rotations[1:])
    moving = steps[1:].max(axis=0) > 1e-4
    if not moving.any():
        return False
    jumps = steps[:, moving].mean(axis=1)
    if jumps[0] < max(_LEAST_JUMP, _JUMP_RATIO * float(np.percentile(jumps[1:], 95)), jumps[1:].max()):
        return False
    if not _root_stands(clip):
        return False
    at_rest = _angles(rotations[0]) < _AT_REST
    was_at_rest = float((at_rest & moving)[1:].sum()) / max(int(moving[1:].sum()), 1)
    return was_at_rest >= _RESTING_SHARE or _arms_are_level(clip, roles)


def _angles(rotations: FloatArray) -> FloatArray:
    return 2.0 * np.arccos(np.clip(np.abs(rotations[..., 0]), 0.0, 1.0))


def _root_stands(clip: RawClip) -> bool:
    positions = clip.root_positions
    size = float(np.linalg.norm(clip.offsets[1:], axis=1).max(initial=0.0)) + 1e-12
    moved = np.abs(positions[1] - positions[0]).max()
    usual = np.abs(np.diff(positions[1:], axis=0)).max(axis=1).max()
    at_origin = np.sort(np.abs(positions[0]))[1] <= 1e-6 * size
    return bool(moved <= max(0.05 * size, 1.5 * usual) or at_origin)


def _arms_are_level(clip: RawClip, roles: Mapping[str, int]) -> bool:
    wanted = [f"{side}{bone}" for side in ("left", "right") for bone in ("UpperArm", "LowerArm", "Hand")]
    if any(role not in roles for role in (*wanted, "hips", "head")):
        return False
    world = clip.world_positions(np.array([0]))[0]
    up = world[roles["head"]] - world[roles["hips"]]
    up /= np.linalg.norm(up) + 1e-12
    arms = [world[roles[f"{side}Hand"]] - world[roles[f"{side}UpperArm"]] for side in ("left", "right")]
    reach = [np.linalg.norm(arm) + 1e-12 for arm in arms]
    level = all(abs(arm @ up) / length < _LEVEL for arm, length in zip(arms, reach, strict=True))
    opposite = float(arms[0] @ arms[1]) / float(reach[0] * reach[1]) < -0.9
    return level and opposite
