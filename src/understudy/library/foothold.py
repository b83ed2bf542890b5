"""True foot hold: feet moved by small planar offsets that are constant while they stand and fade while they swing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.inspection.intervals import runs
from understudy.kinematics import WorldTransforms, hold_end, motion_world
from understudy.library.footage import SIDES, foot_ends, foot_joints
from understudy.library.planar_arrays import ComplexArray, floor_points
from understudy.typing import BoolArray, FloatArray

#: Share of the full leg the hold may use beyond what was recorded; a locked knee pops.
_REACH_SHARE = 0.998
#: [s] half of the time over which the root is lowered ahead of a stretch and raised after it.
_LOWERING_S = 0.2


@dataclass(frozen=True, eq=False, kw_only=True)
class FootOffsets:
    """How far one foot is to be moved from where it is, frame by frame.

    Attributes:
        shifts: ``(frames,)`` move over the floor, ``z + i x`` [m].
        yaws: ``(frames,)`` turn about +Y through the foot's middle [rad].
        rises: ``(frames,)`` move upwards [m].
    """

    shifts: ComplexArray
    yaws: FloatArray
    rises: FloatArray


class FootTargets(NamedTuple):
    """Where one ankle belongs ``(frames, 3)`` [m], and how it is turned in the world ``(frames, 4)``."""

    positions: FloatArray
    rotations: FloatArray


def foot_targets(motion: Motion, side: int, offsets: FootOffsets) -> FootTargets:
    """A motion's own foot (0 left, 1 right), moved by its offsets."""
    world = motion_world(motion)
    ankle = foot_joints(motion.skeleton)[side][0]
    middles = floor_points(foot_ends(motion.skeleton, world.positions)[:, side].mean(axis=1))
    own = floor_points(world.positions[:, ankle])
    placed = middles + offsets.shifts + np.exp(1j * offsets.yaws) * (own - middles)
    positions = np.stack([placed.imag, world.positions[:, ankle, 1] + offsets.rises, placed.real], axis=-1)
    return FootTargets(positions, rot.multiply(rot.from_yaw(offsets.yaws), world.rotations[:, ankle]))


def with_feet_at(motion: Motion, targets: Sequence[FootTargets]) -> tuple[Motion, float]:
    """Bring both feet to their places by leg IK; where a leg is too short, the root is lowered smoothly first.

    Args:
        motion: The motion.
        targets: Where the left and the right foot belong.

    Returns:
        The motion, and the largest distance at which an ankle misses its place [m].
    """
    motion = _within_reach(motion, motion_world(motion), [target.positions for target in targets])
    worst = 0.0
    for name, target in zip(SIDES, targets, strict=True):
        held = hold_end(motion, _leg(name), target.positions, target.rotations)
        motion, worst = held.motion, max(worst, float(held.error_m.max()))
    return motion, worst


def _within_reach(motion: Motion, world: WorldTransforms, targets: Sequence[FloatArray]) -> Motion:
    """The motion with its root lowered by what the more stretched leg lacks, not counting what was recorded."""
    need = np.zeros(len(motion))
    for name, ankles in zip(SIDES, targets, strict=True):
        hip, knee, ankle = (world.positions[:, motion.skeleton.humanoid[role]] for role in _leg(name))
        own = np.linalg.norm(ankle - hip, axis=1)
        bones = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
        farthest = np.maximum(_REACH_SHARE * bones, own)
        gap = hip - ankles
        level = np.minimum(np.hypot(gap[:, 0], gap[:, 2]), farthest)
        need = np.maximum(need, gap[:, 1] - np.sqrt(farthest**2 - level**2))
    if not (need > 0.0).any():
        return motion
    half = max(1, round(_LOWERING_S * motion.fps))
    padded = np.pad(np.maximum(need, 0.0), 2 * half, mode="edge")
    cover = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1).max(axis=1)
    kernel = np.hanning(2 * half + 3)[1:-1]
    drop = np.convolve(cover, kernel / kernel.sum(), mode="valid")
    return replace(motion, root_positions=motion.root_positions - drop[:, None] * np.array([0.0, 1.0, 0.0]))


def _leg(side: str) -> tuple[str, str, str]:
    return f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot"


def stance_offsets(planted: BoolArray, angles: FloatArray, shifts: ComplexArray, middles: ComplexArray) -> FootOffsets:
    """Offsets that undo, over each stance of one foot, what a motion was bent by since the stance's middle.

    Args:
        planted: ``(frames,)`` when the foot stands.
        angles: ``(frames,)`` turn of every frame about the origin [rad].
        shifts: ``(frames,)`` and its move ``z + i x`` [m].
        middles: ``(frames,)`` the foot before bending, ``z + i x`` [m].
    """
    now = np.exp(1j * angles) * middles + shifts
    yaws, moves = np.full(len(planted), np.nan), np.full(len(planted), np.nan + 0j)
    for first, stop in runs(planted):
        at = (first + stop) // 2
        yaws[first:stop] = angles[at] - angles[first:stop]
        moves[first:stop] = np.exp(1j * angles[at]) * middles[first:stop] + shifts[at] - now[first:stop]
    return FootOffsets(
        shifts=eased(moves.real, planted) + 1j * eased(moves.imag, planted),
        yaws=eased(yaws, planted),
        rises=np.zeros(len(planted)),
    )


def eased(values: FloatArray, known: BoolArray) -> FloatArray:
    """Values where known; smooth ways between them elsewhere; at the ends the nearest known one."""
    if not known.any():
        return np.zeros(len(values))
    out = np.where(known, values, 0.0)
    for first, stop in runs(~known):
        before = values[first - 1] if first > 0 else values[stop]
        after = values[stop] if stop < len(values) else values[first - 1]
        share = smoothstep((np.arange(first, stop) - first + 1) / (stop - first + 1))
        out[first:stop] = before + share * (after - before)
    return np.asarray(out)
