"""Feature detectors: where a motion may be cut so that its pieces begin and end alike ([Maps], thesis §3.4).

A detector of your own needs a ``name`` and a ``cuts`` function; give it to ``LibraryOptions(detectors=(...,))``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from understudy.core.motion import Motion
from understudy.inspection.intervals import runs
from understudy.kinematics import motion_world
from understudy.library.planar_arrays import floor_points
from understudy.typing import BoolArray, FloatArray, IntArray

#: [s] time over which a heading or travel is averaged: about one stride.
_STRIDE_S = 1.0
#: [m/s] below this nobody is said to walk sideways.
_TRAVEL_MPS = 0.12
#: [m/s] below this a turn is on the spot.
_SPOT_MPS = 0.4
#: [rad/s] and above this it is a turn on the spot rather than a step to the side.
_SPIN_RADPS = np.radians(60.0)


@runtime_checkable
class FeatureDetector(Protocol):
    """Finds the frames at which a kind of motion may be cut.

    Attributes:
        name: Short name, used in reports.
    """

    @property
    def name(self) -> str:
        """Short name, used in reports."""

    def cuts(self, motion: Motion) -> tuple[IntArray, Sequence[str]]:
        """Frames to cut at, and what begins there.

        Args:
            motion: A take; ask ``understudy.kinematics.motion_world`` where its joints are.

        Returns:
            Increasing frame numbers, and as many labels, each of the clip that begins at its frame.
        """


@dataclass(frozen=True, kw_only=True)
class WalkingDetector:
    """Cuts where the ankles pass each other: is the right ankle before or behind left hip, right hip and left ankle?

    At such a frame one foot carries and the other swings past it.

    Attributes:
        hysteresis_m: The ankle has passed when it is this far beyond the plane [m].
        step_m: And it must get this far between two cuts, or the two cuts are no step [m].
        step_s: Two cuts nearer than this are no step either [s].
        name: Short name.
    """

    hysteresis_m: float = 0.02
    step_m: float = 0.06
    step_s: float = 0.15
    name: str = "walking"

    def cuts(self, motion: Motion) -> tuple[IntArray, Sequence[str]]:
        """Frames at which the right ankle passes the plane, where the person does not walk sideways."""
        ahead = ankle_ahead_m(motion)
        frames = without_small_swings(ahead, crossings(ahead, self.hysteresis_m), self.step_m)
        frames = without_double_flips(frames, round(self.step_s * motion.fps))
        frames = frames[~(walks_sideways(motion) | turns_on_the_spot(motion))[frames]]
        forwards = travel_ahead_mps(motion)
        return frames, ["walk" if forwards[frame] > -_TRAVEL_MPS else "backward" for frame in frames]


@dataclass(frozen=True, kw_only=True)
class LateralDetector:
    """Cuts where both ankles all but rest, in sideways steps and in turns on the spot.

    The thesis cuts at both ends of such a rest; we cut once, where both are slowest, and at both ends only of a rest
    longer than ``rest_s``. Brisk steps have no rest, so clear dips of the faster ankle's speed count too.

    Attributes:
        speed_mps: Both ankles are slower than this [m/s].
        dip_mps: Or they are slower than this, at a dip [m/s].
        depth_mps: Which is this deep [m/s].
        rest_s: A rest longer than this is standing, a clip of its own [s].
        name: Short name.
    """

    speed_mps: float = 0.3
    dip_mps: float = 0.6
    depth_mps: float = 0.15
    rest_s: float = 0.7
    name: str = "lateral"

    def cuts(self, motion: Motion) -> tuple[IntArray, Sequence[str]]:
        """Frames at which both ankles rest, where the person walks sideways or turns on the spot."""
        speed = ankle_speeds_mps(motion).max(axis=1)
        turning = turns_on_the_spot(motion)
        domain = turning | walks_sideways(motion)
        rests = (speed < self.speed_mps) & domain
        found: dict[int, str] = {}
        for first, stop in runs(rests):
            if stop - first > self.rest_s * motion.fps:
                found[first], found[stop - 1] = "stand", ""
            else:
                found[first + int(speed[first:stop].argmin())] = ""
        found.update((frame, "") for frame in self._dips(speed) if domain[frame] and not rests[frame])
        frames = np.array(sorted(found), dtype=np.int64)
        return frames, [found[frame] or ("turn" if turning[frame] else "lateral") for frame in frames.tolist()]

    def _dips(self, speed: FloatArray) -> list[int]:
        from scipy.signal import find_peaks

        dips, _ = find_peaks(-speed, height=-self.dip_mps, prominence=self.depth_mps)
        return [int(frame) for frame in dips]


def ankle_ahead_m(motion: Motion) -> FloatArray:
    """``(frames,)`` [m] how far the right ankle is before the plane of left hip, right hip and left ankle."""
    motion.skeleton.require_humanoid()
    at = motion_world(motion).positions
    left_hip, right_hip, left_ankle, right_ankle = (
        at[:, motion.skeleton.humanoid[role]] for role in ("leftUpperLeg", "rightUpperLeg", "leftFoot", "rightFoot")
    )
    # Left across down points ahead of a standing person.
    normal = np.cross(left_hip - right_hip, left_ankle - right_hip)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    ahead = np.sum((right_ankle - right_hip) * normal / np.maximum(size, 1e-9), axis=1)
    return np.asarray(ahead)


def crossings(values: FloatArray, hysteresis: float) -> IntArray:
    """Frames at which values change sign for good: they go on to at least ``hysteresis`` beyond zero.

    The frame given is the last crossing of zero itself before that, so noise moves a cut by little.
    """
    state, since, found = 0, 0, []
    for frame, value in enumerate(values):
        side = 1 if value > hysteresis else -1 if value < -hysteresis else 0
        if side == 0 or side == state:
            continue
        if state != 0:
            signs = np.sign(values[since : frame + 1])
            found.append(since + int(np.flatnonzero(signs != side)[-1]) + 1)
        state, since = side, frame
    return np.array(found, dtype=np.int64)


def without_small_swings(values: FloatArray, frames: IntArray, least: float) -> IntArray:
    """Drop pairs of cuts between which the values do not get as far as ``least``: the step that was none."""
    kept = list(frames)
    place = 0
    while place + 1 < len(kept):
        if np.abs(values[kept[place] : kept[place + 1]]).max() < least:
            del kept[place : place + 2]
            place = max(place - 1, 0)
        else:
            place += 1
    return np.array(kept, dtype=np.int64)


def without_double_flips(frames: IntArray, least: int) -> IntArray:
    """Drop pairs of cuts nearer than ``least`` frames, the nearest pair first: what flips twice at once has not."""
    kept = frames
    while len(kept) > 1 and np.diff(kept).min() < least:
        at = int(np.diff(kept).argmin())
        kept = np.delete(kept, [at, at + 1])
    return kept


def ankle_speeds_mps(motion: Motion) -> FloatArray:
    """``(frames, 2)`` speed of the left and the right ankle [m/s], smoothed over about 50 ms."""
    ankles = motion_world(motion).positions[:, [motion.skeleton.humanoid[f"{side}Foot"] for side in ("left", "right")]]
    if len(motion) < 3:
        return np.zeros((len(motion), 2))
    speeds = np.linalg.norm(np.gradient(ankles, 1.0 / motion.fps, axis=0), axis=-1)
    return smoothed(speeds, max(1, round(0.05 * motion.fps)))


def headings_rad(motion: Motion) -> FloatArray:
    """``(frames,)`` where the hips face, unwrapped: 0 is +Z, a quarter turn is +X [rad]."""
    roles = motion.skeleton.humanoid
    return hip_headings_rad(motion_world(motion).positions[:, [roles["leftUpperLeg"], roles["rightUpperLeg"]]])


def hip_headings_rad(hips: FloatArray) -> FloatArray:
    """The same of the left and the right hip joint ``(frames, 2, 3)`` [m]."""
    at = floor_points(hips)
    return np.unwrap(np.angle(-1j * (at[:, 0] - at[:, 1])))


def travel_mps(motion: Motion) -> FloatArray:
    """``(frames, 2)`` velocity of the root ahead and to the left of where the hips face [m/s], over a stride."""
    if len(motion) < 3:
        return np.zeros((len(motion), 2))
    velocity = np.gradient(floor_points(motion.root_positions)) * motion.fps
    width = min(round(_STRIDE_S * motion.fps), len(motion))
    own = smoothed(velocity * np.exp(-1j * headings_rad(motion)), width)
    return np.stack([own.real, own.imag], axis=-1)


def travel_ahead_mps(motion: Motion) -> FloatArray:
    """``(frames,)`` velocity of the root ahead, over a stride [m/s]."""
    return travel_mps(motion)[:, 0]


def walks_sideways(motion: Motion) -> BoolArray:
    """``(frames,)`` whether a person moves more to the side than ahead, over a stride."""
    ahead, aside = np.abs(travel_mps(motion)).T
    return np.asarray((aside > ahead) & (aside > _TRAVEL_MPS) & (np.abs(turn_rates_radps(motion)) < _SPIN_RADPS))


def turns_on_the_spot(motion: Motion) -> BoolArray:
    """``(frames,)`` whether a person turns fast and gets nowhere, over a stride."""
    still = np.hypot(*travel_mps(motion).T) < _SPOT_MPS
    return np.asarray(still & (np.abs(turn_rates_radps(motion)) >= _SPIN_RADPS))


def turn_rates_radps(motion: Motion) -> FloatArray:
    """``(frames,)`` how fast the hips turn, over a stride; positive is to the left [rad/s]."""
    if len(motion) < 3:
        return np.zeros(len(motion))
    width = min(round(_STRIDE_S * motion.fps), len(motion))
    return smoothed(np.gradient(headings_rad(motion)) * motion.fps, width)


def smoothed(values: np.ndarray, width: int) -> np.ndarray:
    """Running mean along the first axis over ``width`` frames, shorter at the ends."""
    half = width // 2
    if half < 1:
        return values
    sums = np.concatenate([np.zeros((1, *values.shape[1:]), dtype=values.dtype), np.cumsum(values, axis=0)])
    frames = np.arange(len(values))
    first, stop = np.maximum(frames - half, 0), np.minimum(frames + half + 1, len(values))
    return np.asarray((sums[stop] - sums[first]) / (stop - first).reshape(-1, *([1] * (values.ndim - 1))))
