"""Where feet belong around the seams of an unrolled motion.

A foot that stands at a seam in both clips stays where the earlier clip had put it. The later clip's foot gets a
constant offset from there on; the offset fades while that foot swings, so the next foothold is the clip's own again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.inspection.intervals import runs
from understudy.kinematics import motion_world
from understudy.library.footage import foot_ends
from understudy.library.foothold import FootOffsets, FootTargets, foot_targets, with_feet_at
from understudy.library.planar_arrays import ComplexArray, floor_points
from understudy.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.library.unroll import Timeline

#: [s] an offset fades within this time when its foot never lands again.
_FADE_S = 0.4
#: [s] a foot that does not stand for less than this has not swung.
_SWING_S = 0.15
#: A foot that lands less than so many frames before a seam lands at the seam.
_LANDING_FRAMES = 3


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
    ends = [foot_ends(motion.skeleton, motion_world(motion).positions) for motion in (earlier, later)]
    frames = np.arange(len(time))
    targets = []
    for side in range(2):
        before, after = (_feet(end[:, side]) for end in ends)
        clips, share = _clip_offsets(before, after, time, side, mixed.fps)
        old = foot_targets(earlier, side, _gathered(clips, time.earlier_clip, frames))
        new = foot_targets(later, side, _gathered(clips, time.later_clip, frames))
        targets.append(
            FootTargets(
                old.positions + share[:, None] * (new.positions - old.positions),
                rot.slerp(old.rotations, new.rotations, share),
            )
        )
    return with_feet_at(mixed, targets)


def _feet(ends: FloatArray) -> _Feet:
    """One foot from its ankle and ball ``(frames, 2, 3)`` [m]."""
    heel, toe = floor_points(ends[:, 0]), floor_points(ends[:, 1])
    return _Feet(0.5 * (heel + toe), np.angle(toe - heel), ends[..., 1].mean(axis=1))


def _clip_offsets(
    before: _Feet, after: _Feet, time: Timeline, side: int, fps: float
) -> tuple[list[_Offset], FloatArray]:
    """The offset of every clip's foot, and ``(frames,)`` the later clip's share in where the foot belongs."""
    clips, shares = [_Offset()], time.weights.copy()
    carries = (time.carriers & (side + 1)) > 0
    for seam, half, carrier in zip(time.seams.tolist(), time.halves.tolist(), carries.tolist(), strict=True):
        current = clips[-1]
        window = slice(seam - half, seam + half + 1)
        leaving, landing = time.earlier_planted[window, side], time.later_planted[window, side]
        lifted, landed = _swing(leaving, landing, half)
        # A foot that would have to change places within a few frames had better stay.
        stands = carrier or (lifted >= half - _LANDING_FRAMES and landed - lifted < half)
        shares[window] = _standing_share(leaving, landing, half) if stands else _ramp(lifted, landed, half)
        clips.append(_next_offset(current, before, after, time, side, seam, fps) if stands else current)
    return clips, shares


def _next_offset(
    current: _Offset, before: _Feet, after: _Feet, time: Timeline, side: int, seam: int, fps: float
) -> _Offset:
    """The offset that puts the later clip's foot where the earlier clip's is at the seam."""
    share = float(current.share(np.array(seam)))
    lift, land = _swing_after(time.planted[:, side], seam, fps)
    turn = before.headings[seam] + share * current.yaw - after.headings[seam]
    return _Offset(
        shift=complex(before.places[seam] + share * current.shift - after.places[seam]),
        yaw=float(np.angle(np.exp(1j * turn))),
        rise=float(before.heights[seam] + share * current.rise - after.heights[seam]),
        lift=lift,
        land=land,
    )


def _swing(leaving: BoolArray, landing: BoolArray, half: int) -> tuple[int, int]:
    """When the earlier clip's foot lifts off, and when the later clip's lands.

    Args:
        leaving: ``(2 half + 1,)`` whether the earlier clip's foot stands.
        landing: ``(2 half + 1,)`` whether the later clip's foot does.
        half: Frames on both sides of the seam.

    Returns:
        Two frames of the window between which the foot goes over to the later clip. A foot that swings up to the seam
        has to be the later clip's when it first touches the ground.
    """
    near = max(half - _LANDING_FRAMES, 0)
    if not leaving[near]:
        stood = np.flatnonzero(leaving[:near])
        lifted = int(stood[-1]) if len(stood) else 0
        touches = np.flatnonzero((leaving | landing) & (np.arange(2 * half + 1) > max(lifted, near)))
        return lifted, max(int(touches[0]), lifted + half // 2) if len(touches) else 2 * half
    lands = np.flatnonzero(landing[half:])
    return int(np.flatnonzero(leaving[: half + 1])[-1]), half + int(lands[0]) if len(lands) else 2 * half


def _standing_share(leaving: BoolArray, landing: BoolArray, half: int) -> FloatArray:
    """Share of the later clip in a foot that stands at the seam: it changes only while both clips' feet stand.

    Both feet are in one place at the seam, so even a sudden change there moves nothing.
    """
    if not (leaving[half] or landing[half]):
        return _ramp(0, 2 * half, half)
    apart = np.flatnonzero(~(leaving & landing))
    before, after = apart[apart <= half], apart[apart >= half]
    first = int(before[-1]) if len(before) else 0
    last = int(after[0]) if len(after) else 2 * half
    # A few frames either way soften what is left of a moving foot.
    return _ramp(min(first, half - 2), max(last, half + 2), half)


def _ramp(first: int, last: int, half: int) -> FloatArray:
    return smoothstep((np.arange(2 * half + 1) - first) / max(last - first, 1))


def _swing_after(planted: BoolArray, frame: int, fps: float) -> tuple[int, int]:
    """When a foot that stands at ``frame`` lifts off and lands again; past the end when it does not.

    Gaps too short for a step are no swing: the foot only stirs.
    """
    least, usual = round(_SWING_S * fps), round(_FADE_S * fps)
    for first, stop in runs(~planted[frame:]):
        if frame + stop == len(planted):
            return frame + first, max(frame + first + usual, len(planted))
        if stop - first >= least:
            return frame + first, frame + stop
    return len(planted), len(planted) + usual


def _gathered(clips: list[_Offset], which: IntArray, frames: IntArray) -> FootOffsets:
    """Every frame's offset, each by its own clip."""
    lift, land = (np.array([getattr(clip, name) for clip in clips])[which] for name in ("lift", "land"))
    share = 1.0 - smoothstep((frames - lift) / np.maximum(land - lift, 1))
    shift = np.array([clip.shift for clip in clips], dtype=np.complex128)[which]
    yaw, rise = (np.array([getattr(clip, name) for clip in clips])[which] for name in ("yaw", "rise"))
    return FootOffsets(shifts=share * shift, yaws=share * yaw, rises=share * rise)
