"""Joining and mixing motions of one skeleton."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.planar import PlanarTransform, aligning
from understudy.errors import MotionError
from understudy.typing import FloatArray


def blend(first: Motion, second: Motion, weight: npt.ArrayLike) -> Motion:
    """Mix two motions frame by frame.

    Args:
        first: Seen alone where the weight is 0.
        second: Seen alone where the weight is 1; same joints, frame rate and length.
        weight: One number, or one per frame, in [0, 1].
    """
    _check_mixable(first, second)
    if len(first) != len(second):
        raise MotionError(f"blending needs equal lengths; got {len(first)} and {len(second)} frames")
    weights = np.broadcast_to(np.asarray(weight, dtype=np.float64), (len(first),))
    if not ((weights >= 0).all() and (weights <= 1).all()):
        raise MotionError("blend weights must lie in [0, 1]")
    positions = first.root_positions + weights[:, None] * (second.root_positions - first.root_positions)
    return replace(
        first,
        root_positions=positions,
        rotations=rot.slerp(first.rotations, second.rotations, weights[:, None]),
    )


def splice(first: Motion, second: Motion, *, blend_s: float = 0.25, align: bool = True) -> Motion:
    """Play ``second`` after ``first``, cross-fading over ``blend_s``.

    The last ``blend_s`` of the first motion overlap the first ``blend_s`` of the second, so the result lasts
    ``first + second - blend_s``. With ``align`` the second motion is put down on the floor so that root place
    and heading agree where the overlap begins; otherwise it stays where it is.

    Args:
        first: Played first.
        second: Played second; same joints and frame rate.
        blend_s: Length of the overlap, rounded to whole frames; at most the shorter motion.
        align: Move the second motion to the first one's end.
    """
    _check_mixable(first, second)
    overlap = round(blend_s * first.fps) + 1
    if blend_s < 0 or overlap > min(len(first), len(second)):
        raise MotionError(f"blend_s is {blend_s:g} s; it must lie in 0..{min(first.duration_s, second.duration_s):g} s")
    if align:
        second = second.placed(transform_onto_end(first, second, overlap_frames=overlap))
    cut = len(first) - overlap
    weight = smoothstep(np.linspace(0.0, 1.0, overlap)) if overlap > 1 else np.ones(1)
    fade = blend(first.frames(cut, len(first)), second.frames(0, overlap), weight)
    return replace(
        first,
        root_positions=np.concatenate(
            [first.root_positions[:cut], fade.root_positions, second.root_positions[overlap:]]
        ),
        rotations=rot.continuous(np.concatenate([first.rotations[:cut], fade.rotations, second.rotations[overlap:]])),
    )


def transform_onto_end(first: Motion, second: Motion, *, overlap_frames: int = 1) -> PlanarTransform:
    """Where to put ``second`` so that its first frame meets ``first`` where their overlap begins."""
    frame = len(first) - overlap_frames
    return aligning(
        from_position=second.root_positions[0],
        from_rotation=second.rotations[0, 0],
        to_position=first.root_positions[frame],
        to_rotation=first.rotations[frame, 0],
    )


def raised(values: FloatArray, half_frames: int) -> FloatArray:
    """A smooth series that is nowhere below ``values``: running maximum, then a cosine window no wider than it."""
    if half_frames < 1:
        return np.array(values)
    padded = np.pad(values, half_frames, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half_frames + 1)
    highest = windows.max(axis=1)
    kernel = 0.5 + 0.5 * np.cos(np.pi * np.arange(-half_frames, half_frames + 1) / (half_frames + 1))
    return np.convolve(np.pad(highest, half_frames, mode="edge"), kernel / kernel.sum(), mode="valid")


def smoothstep(x: FloatArray) -> FloatArray:
    """Quintic ease from 0 to 1 with zero velocity and acceleration at both ends; clamped outside [0, 1]."""
    t = np.clip(x, 0.0, 1.0)
    return t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)


def _check_mixable(first: Motion, second: Motion) -> None:
    if not first.skeleton.same_joints(second.skeleton):
        raise MotionError("the two motions have different joints; retarget one onto the other's skeleton first")
    if abs(first.fps - second.fps) > 1e-9 * first.fps:
        raise MotionError(f"frame rates differ ({first.fps:g} and {second.fps:g} fps); resample one of them")
