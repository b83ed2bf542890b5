"""Where feet belong around the seams of an unrolled motion.

A foot that stands at a seam in both clips stays where the earlier clip had put it. The later clip's foot gets a
constant offset from there on; the offset fades while that foot swings, so the next foothold is the clip's own again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.kinematics import motion_world
from understudy.library.footage import foot_ends
from understudy.library.foothold import FootOffsets, with_foot_offsets
from understudy.library.planar_arrays import ComplexArray, floor_points
from understudy.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.library.unroll import Timeline

#: [s] an offset fades within this time when its foot never lands again.
_FADE_S = 0.4


class _Feet(NamedTuple):
    """One foot over time: its middle on the floor ``z + i x``, where it points [rad], its middle's height [m]."""

    places: ComplexArray
    headings: FloatArray
    heights: FloatArray


@dataclass(frozen=True)
class _Offset:
    """An offset of one foot that holds until frame ``lift`` and is gone at frame ``land``."""

    shift: complex = 0.0
    yaw: float = 0.0
    rise: float = 0.0
    lift: int = 0
    land: int = 1

    def share(self, frames: IntArray) -> FloatArray:
        return 1.0 - smoothstep((frames - self.lift) / max(self.land - self.lift, 1))


def held_over_seams(mixed: Motion, earlier: Motion, later: Motion, time: Timeline) -> tuple[Motion, float]:
    """Bring both feet to their places.

    Args:
        mixed: The blended motion.
        earlier: What plays before every seam.
        later: What plays after it.
        time: Where the seams are.

    Returns:
        The motion, and the largest distance at which an ankle misses its place [m].
    """
    ends = [foot_ends(motion.skeleton, motion_world(motion).positions) for motion in (mixed, earlier, later)]
    offsets = []
    for side in range(2):
        here, before, after = (_feet(end[:, side]) for end in ends)
        offsets.append(_foot_offsets(here, before, after, time, side, mixed.fps))
    return with_foot_offsets(mixed, offsets)


def _feet(ends: FloatArray) -> _Feet:
    """One foot from its ankle and ball ``(frames, 2, 3)`` [m]."""
    heel, toe = floor_points(ends[:, 0]), floor_points(ends[:, 1])
    return _Feet(0.5 * (heel + toe), np.angle(toe - heel), ends[..., 1].mean(axis=1))


def _foot_offsets(here: _Feet, before: _Feet, after: _Feet, time: Timeline, side: int, fps: float) -> FootOffsets:
    """Offsets of one foot against the blended motion.

    The foot belongs at the mix of the earlier clip's foot with its offset and the later clip's with its own; where
    blended legs put it elsewhere, that difference is part of the offset.
    """
    frames = np.arange(len(time))
    clips, stands, share = _clip_offsets(before, after, time, side, fps)
    old, new = _gathered(clips, time.earlier_clip, frames), _gathered(clips, time.later_clip, frames)
    first, second = before.places + old.places, after.places + new.places
    low, high = before.heights + old.heights, after.heights + new.heights
    yaws = old.headings + share * (new.headings - old.headings)
    # The heading of a foot in the air can be anything, so only standing feet are turned to it.
    wanted = before.headings + old.headings
    wanted = wanted + share * _wrapped(after.headings + new.headings - wanted)
    yaws = np.where(stands, _wrapped(wanted - here.headings), yaws)
    return FootOffsets(
        shifts=first + share * (second - first) - here.places,
        yaws=yaws,
        rises=low + share * (high - low) - here.heights,
    )


def _clip_offsets(
    before: _Feet, after: _Feet, time: Timeline, side: int, fps: float
) -> tuple[list[_Offset], BoolArray, FloatArray]:
    """The offset of every clip's foot, windows of the seams at which the foot stands, and the later foot's share."""
    clips, stands, shares = [_Offset()], np.zeros(len(time), dtype=bool), time.weights.copy()
    carries = (time.carriers & (side + 1)) > 0
    for seam, half, carrier in zip(time.seams.tolist(), time.halves.tolist(), carries.tolist(), strict=True):
        current = clips[-1]
        window = slice(seam - half, seam + half + 1)
        lifted, landed = _swing(time.earlier_planted[window, side], time.later_planted[window, side], half)
        # A foot that would have to change places within a few frames had better stay.
        if not carrier and landed - lifted >= half:
            shares[window] = smoothstep((np.arange(2 * half + 1) - lifted) / max(landed - lifted, 1))
            clips.append(current)
            continue
        stands[window] = True
        share = float(current.share(np.array(seam)))
        lift, land = _swing_after(time.planted[:, side], seam, round(_FADE_S * fps))
        turn = before.headings[seam] + share * current.yaw - after.headings[seam]
        clips.append(
            _Offset(
                shift=complex(before.places[seam] + share * current.shift - after.places[seam]),
                yaw=float(_wrapped(turn)),
                rise=float(before.heights[seam] + share * current.rise - after.heights[seam]),
                lift=lift,
                land=land,
            )
        )
    return clips, stands, shares


def _swing(leaving: BoolArray, landing: BoolArray, half: int) -> tuple[int, int]:
    """When the earlier clip's foot last stands up to a seam, and the later clip's first from it on.

    Args:
        leaving: ``(2 half + 1,)`` whether the earlier clip's foot stands.
        landing: ``(2 half + 1,)`` whether the later clip's foot does.
        half: Frames on both sides of the seam.

    Returns:
        Two frames of the window; its ends for a foot that swings throughout.
    """
    stood, lands = np.flatnonzero(leaving[: half + 1]), np.flatnonzero(landing[half:])
    return int(stood[-1]) if len(stood) else 0, half + int(lands[0]) if len(lands) else 2 * half


def _swing_after(planted: BoolArray, frame: int, usual: int) -> tuple[int, int]:
    """When a foot that stands at ``frame`` lifts off and lands again; past the end when it does not."""
    lifts = np.flatnonzero(~planted[frame:])
    if len(lifts) == 0:
        return len(planted), len(planted) + usual
    lift = frame + int(lifts[0])
    lands = np.flatnonzero(planted[lift:])
    return lift, lift + int(lands[0]) if len(lands) else lift + usual


def _gathered(clips: list[_Offset], which: IntArray, frames: IntArray) -> _Feet:
    """Every frame's offset, each by its own clip."""
    lift, land = (np.array([getattr(clip, name) for clip in clips])[which] for name in ("lift", "land"))
    share = 1.0 - smoothstep((frames - lift) / np.maximum(land - lift, 1))
    shift = np.array([clip.shift for clip in clips], dtype=np.complex128)[which]
    yaw, rise = (np.array([getattr(clip, name) for clip in clips])[which] for name in ("yaw", "rise"))
    return _Feet(share * shift, share * yaw, share * rise)


def _wrapped(angle: FloatArray) -> FloatArray:
    return np.angle(np.exp(1j * np.asarray(angle)))
