"""Bent clips: the same steps along a curve, for graphs poor in turns ([Maps]; thesis ch. 5).

The body is turned at a constant rate. Deviation from the thesis, which turns about the root: we turn about the foot
that carries, so its middle stays where it is; what its ends would still drift decides whether the bent clip is kept,
and is then taken out by leg IK.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.kinematics import motion_world
from understudy.library.footage import Footage, foot_ends, spliced
from understudy.library.foothold import FootOffsets, foot_targets, stance_offsets, with_feet_at
from understudy.library.options import LibraryOptions
from understudy.library.planar_arrays import floor_points
from understudy.library.segmentation import Cuts, segments_of
from understudy.typing import BoolArray, FloatArray


def bent_footage(footage: Footage, cuts: Cuts, options: LibraryOptions, *, half: int) -> tuple[Footage, Cuts]:
    """Bent variants of every clip that bears it, each a take of its own with room for its windows."""
    takes, motions, planted, frames, labels, carriers = [], [], [], [], [], []
    segments = segments_of(footage, cuts)
    offset = 0
    for start, end in zip(segments.starts, segments.ends, strict=True):
        first, stop = int(cuts.frames[start]) - half, int(cuts.frames[end]) + half + 1
        take = footage.takes[int(footage.take_of(first))]
        clip, stands = footage.motion(first, stop), footage.planted[first:stop]
        for bend in options.bends_degps:
            bent, drift = bent_clip(clip, stands, np.radians(bend))
            if drift > options.bend_drift_m:
                continue
            takes.append(replace(take, bend_radps=float(np.radians(bend))))
            motions.append(bent)
            planted.append(stands)
            frames += [offset + half, offset + len(clip) - half - 1]
            labels += [cuts.labels[start], cuts.labels[end]]
            carriers += [int(cuts.carriers[start]), int(cuts.carriers[end])]
            offset += len(clip)
    if not motions:
        return _nothing(footage), Cuts(frames=np.empty(0, np.int64), labels=(), carriers=np.empty(0, np.int64))
    bent_cuts = Cuts(
        frames=np.array(frames, dtype=np.int64), labels=tuple(labels), carriers=np.array(carriers, dtype=np.int64)
    )
    return spliced(footage.skeleton, footage.fps, takes, motions, planted), bent_cuts


def bent_clip(motion: Motion, planted: BoolArray, rate_radps: float) -> tuple[Motion, float]:
    """One clip bent at a constant rate about its carrying feet.

    Args:
        motion: The clip.
        planted: ``(frames, 2)`` when its feet stand.
        rate_radps: How fast it turns; positive takes +Z towards +X, which is to the left [rad/s].

    Returns:
        The bent clip with its feet held, and how far planted ankles or balls would drift without the hold [m].
    """
    ends = floor_points(foot_ends(motion.skeleton, motion_world(motion).positions))
    feet = ends.mean(axis=2)
    share = planted.astype(np.float64)
    share[share.sum(axis=1) == 0] = 0.5
    pivots = (feet * share).sum(axis=1) / share.sum(axis=1)
    step = np.exp(1j * rate_radps / motion.fps)
    turns = step ** np.arange(len(motion))
    # Every frame turns what follows about the foot that carries now: B' = B o turn(pivot).
    shifts = np.concatenate([[0.0], np.cumsum(turns[:-1] * (1.0 - step) * pivots[:-1])])
    angles = np.asarray(rate_radps * motion.times_s)
    offsets = [stance_offsets(planted[:, side], angles, shifts, feet[:, side]) for side in range(2)]
    drift = max(_end_drift_m(offsets[side], planted[:, side], ends[:, side] - feet[:, side, None]) for side in range(2))
    bent = moved(motion, shifts, angles)
    bent, missed = with_feet_at(bent, [foot_targets(bent, side, offsets[side]) for side in range(2)])
    return bent, max(drift, missed)


def _end_drift_m(offsets: FootOffsets, planted: BoolArray, arms: np.ndarray) -> float:
    """How far a planted ankle or ball would be from where the hold puts it [m]; ``arms`` reach from the middle."""
    gaps = offsets.shifts[:, None] + (np.exp(1j * offsets.yaws[:, None]) - 1.0) * arms
    return float(np.abs(gaps[planted]).max()) if planted.any() else 0.0


def moved(motion: Motion, shifts: np.ndarray, angles: FloatArray) -> Motion:
    """The motion with every frame turned about +Y by its own angle, then moved by its own ``z + i x``."""
    points = np.exp(1j * angles) * floor_points(motion.root_positions) + shifts
    roots = np.stack([points.imag, motion.root_positions[:, 1], points.real], axis=-1)
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.multiply(rot.from_yaw(angles), rotations[:, 0])
    return replace(motion, root_positions=roots, rotations=rotations)


def _nothing(footage: Footage) -> Footage:
    joints = len(footage.skeleton)
    return Footage(
        skeleton=footage.skeleton,
        fps=footage.fps,
        takes=(),
        starts=np.zeros(1, dtype=np.int64),
        root_positions=np.empty((0, 3), dtype=np.float32),
        rotations=np.empty((0, joints, 4), dtype=np.float32),
        planted=np.empty((0, 2), dtype=bool),
    )
