"""Seams: velocities that jump for one frame, as they do where clips are joined badly or a joint pops.

A jump counts when it stands alone (its neighbours do not accelerate likewise) and the source does nothing like it in
the same posture. Recorded clips jump too, by centimetres within one frame; that is theirs to keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.typing import BoolArray, FloatArray, IntArray
from understudy.verify.allowances import Jumps
from understudy.verify.forward import Performer, capsule_ends, frozen, joint_frames
from understudy.verify.source_facts import fact

#: [m/s] a jump above the source's own by this much is seen.
LEAST_JUMP_MPS = 0.2
#: Over the source's own jump near that posture.
SOURCE_FACTOR = 1.5
#: A jump stands alone when it is this many times the typical jump on either side.
ALONE_FACTOR = 3.0
#: Without a source: [m/s], and times the 90th percentile of the surrounding half second.
RAW_JUMP_MPS = 9.0
RAW_FACTOR = 8.0
#: [m/s] at 60 frames a second; without a source, but made by a planner: limbs, and trunk and head. In the built-in
#: performer's clips heels and thighs, which strike hardest, jump by 1.7, and nothing of the trunk by more than 0.33.
MADE_JUMP_MPS, MADE_TRUNK_JUMP_MPS = 2.0, 0.5
_TRUNK = ("pelvis", "abdomen", "ribs", "chest", "neck", "head", "left_shoulder", "right_shoulder")
_MADE_FPS = 60.0
#: [m/s] no limb of a recorded person changes its velocity by this much within one frame.
RAW_MOST_MPS = 18.0
#: Three to eight frames before and after a jump, in jumps with eight more at both ends.
_BEFORE, _AFTER = np.arange(6), np.arange(11, 17)


@dataclass(frozen=True, kw_only=True)
class Seam:
    """A velocity that jumps within one frame.

    Attributes:
        time_s: Time of the frame at which it jumps [s].
        part: The capsule that jumps most.
        jump_mps: Change of velocity [m/s].
        allowed_mps: Change that would have been accepted there [m/s].
    """

    time_s: float
    part: str
    jump_mps: float
    allowed_mps: float


def find_seams(
    performer: Performer,
    sources: Sequence[Performer] = (),
    *,
    aligned: bool = False,
    allowed: Jumps | None = None,
    recorded: bool = True,
) -> tuple[Seam, ...]:
    """Velocity jumps, worst first; of neighbouring frames only the worst.

    Args:
        performer: Who is judged.
        sources: The clips its motion was made from, on bodies with the same capsules.
        aligned: Whether the only source has the same frames.
        allowed: The sources' own jumps, where these are known without the clips.
        recorded: Whether it may be as noisy as recordings are, where there is no source.
    """
    points = _points(performer)
    if len(points) < 3:
        return ()
    jumps = _jumps(points, performer.motion.fps)
    alike = [source for source in sources if source.body.capsule_names == performer.body.capsule_names]
    if alike or allowed is not None:
        alone = _alone(jumps, jumps > LEAST_JUMP_MPS)
        usual = _usual(performer, alike, aligned, alone) if allowed is None else allowed.usual(jumps.shape)
        accepted = SOURCE_FACTOR * usual + LEAST_JUMP_MPS
        found = (jumps > accepted) & alone
    elif not recorded:
        # The same curve sampled more coarsely changes its velocity by more at each frame.
        by_part = [MADE_TRUNK_JUMP_MPS if one in _TRUNK else MADE_JUMP_MPS for one in performer.body.capsule_names]
        accepted = np.broadcast_to(np.repeat(by_part, 2) * max(1.0, _MADE_FPS / performer.motion.fps), jumps.shape)
        found = jumps > accepted
    else:
        usual = RAW_FACTOR * _local_high(jumps, performer.motion.fps)
        accepted = np.clip(usual, RAW_JUMP_MPS, RAW_MOST_MPS)
        found = jumps > accepted
    return _listed(performer, jumps, accepted, found)


def source_jumps(performer: Performer, sources: Sequence[Performer], *, aligned: bool) -> Jumps | None:
    """What the sources say about those jumps of a motion that stand alone; ``None`` without such a body."""
    alike = [source for source in sources if source.body.capsule_names == performer.body.capsule_names]
    points = _points(performer)
    if not alike or len(points) < 3:
        return None
    jumps = _jumps(points, performer.motion.fps)
    alone = _alone(jumps, jumps > LEAST_JUMP_MPS)
    usual = _usual(performer, alike, aligned, alone)
    frames, ends = np.nonzero(alone & (usual > 0.0))
    return Jumps(frames=frames, points=ends, usual_mps=usual[frames, ends])


def _usual(performer: Performer, alike: Sequence[Performer], aligned: bool, alone: BoolArray) -> FloatArray:
    """``(frames - 2, points)`` the sources' own jumps where jumps stand alone [m/s]."""
    return _aligned_jumps(alike[0]) if aligned else _posture_jumps(performer, alike, np.any(alone, axis=1))


def _listed(performer: Performer, jumps: FloatArray, allowed: FloatArray, found: BoolArray) -> tuple[Seam, ...]:
    score = np.where(found, jumps / allowed, 0.0)
    seams: list[Seam] = []
    for frame in np.argsort(-score.max(axis=1)):
        point = int(score[frame].argmax())
        if score[frame, point] <= 0.0:
            break
        seam = Seam(
            time_s=float((frame + 1) / performer.motion.fps),
            part=performer.part_name(point // 2),
            jump_mps=float(jumps[frame, point]),
            allowed_mps=float(allowed[frame, point]),
        )
        if all(abs(seam.time_s - other.time_s) * performer.motion.fps > 3.5 for other in seams):
            seams.append(seam)
    return tuple(seams)


def _points(performer: Performer) -> FloatArray:
    """``(frames, 2 capsules, 3)`` [m] ends of all capsules at the motion's own frames."""
    ends = capsule_ends(performer.body, *joint_frames(performer.motion, performer.motion.times_s))
    return ends.reshape(len(ends), -1, 3)


def _jumps(points: FloatArray, fps: float) -> FloatArray:
    """``(frames - 2, points)`` change of velocity at each inner frame [m/s]."""
    from understudy.verify._measure_kernels import velocity_changes

    out = np.empty((max(len(points) - 2, 0), points.shape[1]))
    velocity_changes(frozen(points), fps, out)
    return out


def _alone(jumps: FloatArray, asked: BoolArray) -> BoolArray:
    """Which jumps that are asked for are large against the typical jump three to eight frames before and after."""
    alone = np.zeros(jumps.shape, dtype=np.bool_)
    frames, points = np.nonzero(asked)
    if len(frames):
        padded = np.pad(jumps, ((8, 8), (0, 0)), mode="reflect" if len(jumps) > 8 else "edge")
        around = np.stack([padded[frames[:, None] + shifts, points[:, None]] for shifts in (_BEFORE, _AFTER)])
        # The median of six is the mean of the middle two.
        typical = np.sort(around, axis=2)[..., 2:4].mean(axis=2).max(axis=0)
        alone[frames, points] = jumps[frames, points] > ALONE_FACTOR * typical
    return alone


def _local_high(jumps: FloatArray, fps: float) -> FloatArray:
    from scipy.ndimage import percentile_filter

    return np.asarray(percentile_filter(jumps, 90, size=(2 * round(0.25 * fps) + 1, 1), mode="nearest"))


def _aligned_jumps(source: Performer) -> FloatArray:
    """``(frames - 2, points)`` the largest of a clip's own jumps within two frames [m/s]."""
    return _widened(_jumps(_points(source), source.motion.fps))


def _widened(jumps: FloatArray) -> FloatArray:
    """The largest jump within two frames."""
    padded = np.pad(jumps, ((2, 2), (0, 0)), mode="edge")
    return np.asarray(np.max([padded[shift : shift + len(jumps)] for shift in range(5)], axis=0))


def _posture_jumps(performer: Performer, sources: Sequence[Performer], asked: BoolArray) -> FloatArray:
    """``(frames - 2, points)`` jumps of the sources where they are in the most similar posture; 0 in other frames."""
    long = [source for source in sources if len(source.motion) > 2]
    if not asked.any():
        return np.zeros((len(asked), 2 * len(performer.body.capsule_radii)))
    postures = np.concatenate([fact(source, "postures", _postures)[1:-1] for source in long])
    # The same curve sampled more coarsely changes its velocity by more at each frame.
    usual = np.concatenate(
        [fact(source, "jumps", _aligned_jumps) * max(1.0, source.motion.fps / performer.motion.fps) for source in long]
    )
    found = np.zeros((len(asked), usual.shape[1]))
    found[asked] = usual[_nearest(_postures(performer)[1:-1][asked], postures)]
    return found


def _postures(performer: Performer) -> FloatArray:
    """``(frames, numbers)`` capsule ends seen from the root."""
    local = performer.seen_from_root(performer.start_s + performer.motion.times_s)
    return local.reshape(len(local), -1)


def _nearest(queries: FloatArray, stored: FloatArray) -> IntArray:
    """``(n,)`` index of the nearest stored row."""
    norms = (stored**2).sum(axis=1)
    rows = [
        np.argmin(norms - 2.0 * part @ stored.T, axis=1) for part in np.array_split(queries, len(queries) // 500 + 1)
    ]
    return np.concatenate(rows)
