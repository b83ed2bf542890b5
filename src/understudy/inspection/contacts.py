"""Where the feet of a humanoid motion stand.

A foot is planted while the lower of its ankle and toe joint is slow and near the height at which this clip's feet
rest, for long enough. Clips of one recording hall differ by centimetres in that height, so it is estimated anew for
every clip. A foot that stands stays planted until it is clearly faster or higher (hysteresis), so that noise at the
threshold does not cut one stance into many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Options, limited
from understudy.inspection.intervals import Interval, held, runs
from understudy.kinematics.forward import WorldTransforms, motion_world
from understudy.typing import BoolArray, FloatArray

SIDES = ("left", "right")

#: [m] largest difference in height between both feet of a person standing on a level floor, in recordings.
_FEET_APART_M = 0.1


@dataclass(frozen=True, kw_only=True)
class ContactOptions(Options):
    """When a foot counts as planted.

    Attributes:
        speed_mps: It lands below this speed [m/s].
        height_m: And within this distance of the clip's ground height [m].
        min_stance_s: For at least this long [s].
        release: It leaves beyond this multiple of speed and height.
        smoothing_s: Speeds are taken over this time [s], or one frame where that is longer.
    """

    speed_mps: float = limited(0.10, low=1e-4, high=10.0, unit="m/s")
    height_m: float = limited(0.03, low=1e-4, high=1.0, unit="m")
    min_stance_s: float = limited(0.1, low=0.0, high=10.0, unit="s")
    release: float = limited(1.5, low=1.0, high=10.0)
    smoothing_s: float = limited(0.025, low=0.0, high=0.5, unit="s")


@dataclass(frozen=True, eq=False, kw_only=True)
class FootContacts:
    """When each foot stands, and on what height.

    Attributes:
        left: ``(frames,)`` whether the left foot is planted.
        right: ``(frames,)`` whether the right foot is planted.
        ground_m: Height at which the feet's lower joints rest in this clip [m]; soles lie a little lower.
        left_stances: The left foot's stances as ``(first, stop)`` frames.
        right_stances: The right foot's.
        fps: Frames per second of the motion.
    """

    left: BoolArray
    right: BoolArray
    ground_m: float
    left_stances: tuple[Interval, ...]
    right_stances: tuple[Interval, ...]
    fps: float

    def planted(self, side: str) -> BoolArray:
        """``(frames,)`` of the ``"left"`` or ``"right"`` foot."""
        return self.left if side == "left" else self.right

    def stances(self, side: str) -> tuple[Interval, ...]:
        """Intervals of the ``"left"`` or ``"right"`` foot."""
        return self.left_stances if side == "left" else self.right_stances

    def landings(self) -> list[tuple[int, str]]:
        """``(frame, side)`` of every stance's first frame, in time; stances cut by the clip's start are left out."""
        found = [(first, side) for side in SIDES for first, _ in self.stances(side) if first > 0]
        return sorted(found)

    def steps_per_s(self) -> float | None:
        """How many steps are taken per second, from landings of alternating feet; ``None`` with fewer than three."""
        landings = self.landings()
        pairs = pairwise(landings)
        gaps = [after - before for (before, side), (after, other) in pairs if side != other and after > before]
        return self.fps / float(np.median(gaps)) if len(gaps) >= 2 else None


class FootTrack(NamedTuple):
    """The lower of one foot's joints, frame by frame.

    Attributes:
        points: ``(frames, 3)`` [m] where it is.
        heights: ``(frames,)`` [m] its height.
        speeds: ``(frames,)`` [m/s] how fast that joint moves.
    """

    points: FloatArray
    heights: FloatArray
    speeds: FloatArray


def foot_contacts(motion: Motion, *, options: ContactOptions | None = None, own_grounds: bool = False) -> FootContacts:
    """Find the stances of both feet.

    Args:
        motion: Of a humanoid.
        options: When a foot counts as planted.
        own_grounds: Whether either foot stands on the height at which it rests itself, where these are no farther apart
            than recorders are wrong about a foot: there is one floor, and a foot that rests rests on it.

    Raises:
        SkeletonError: The skeleton is not a humanoid.
    """
    options = options or ContactOptions()
    tracks = foot_tracks(motion, options)
    ground = ground_height_m(tracks.values(), options=options)
    grounds = dict.fromkeys(SIDES, ground)
    if own_grounds:
        own = {side: ground_height_m([track], options=options) for side, track in tracks.items()}
        grounds = own if abs(own["left"] - own["right"]) < _FEET_APART_M else grounds
    planted = {side: _planted(track, grounds[side], motion.fps, options) for side, track in tracks.items()}
    return FootContacts(
        left=planted["left"],
        right=planted["right"],
        ground_m=ground,
        left_stances=runs(planted["left"]),
        right_stances=runs(planted["right"]),
        fps=motion.fps,
    )


def foot_tracks(motion: Motion, options: ContactOptions) -> dict[str, FootTrack]:
    """Both feet of a humanoid over time, by side."""
    motion.skeleton.require_humanoid()
    world = motion_world(motion)
    return {side: _foot_track(motion, world, side, options) for side in SIDES}


def ground_height_m(tracks: Iterable[FootTrack], *, options: ContactOptions) -> float:
    """Height at which slow feet rest [m]: the middle of the lowest well-filled cluster of slow frames."""
    listed = list(tracks)
    heights = np.concatenate([track.heights for track in listed])
    slow = heights[np.concatenate([track.speeds for track in listed]) < options.speed_mps]
    if len(slow) < 3:
        return float(np.percentile(heights, 5))
    low = np.percentile(slow, 20, method="nearest")  # a height that is there, so that the cluster is never empty
    return float(np.median(slow[np.abs(slow - low) <= options.height_m]))


def stance_drift_m(motion: Motion, contacts: FootContacts) -> dict[str, FloatArray]:
    """How far each planted foot slides: per side, ``(stances,)`` largest horizontal travel within each stance [m].

    The travel is that of the joint which carries the stance, the ankle or the toes, whichever is lower on average.
    """
    world = motion_world(motion)
    return {
        side: np.array([_travel_m(_foot_points(motion, world, side)[first:stop]) for first, stop in stances])
        for side, stances in (("left", contacts.left_stances), ("right", contacts.right_stances))
    }


def _travel_m(points: FloatArray) -> float:
    """Largest horizontal distance between two frames of the lower point; ``points`` is ``(frames, joints, 3)``."""
    carrier = int(points[..., 1].mean(axis=0).argmin())
    flat = points[:, carrier][:, [0, 2]]
    # The farthest pair of a short curve: exact for stances of ordinary length, thinned for very long ones.
    flat = flat[:: max(1, len(flat) // 500)]
    return float(np.linalg.norm(flat[:, None] - flat[None], axis=-1).max())


def _foot_points(motion: Motion, world: WorldTransforms, side: str) -> FloatArray:
    """``(frames, joints, 3)`` ankle and, where there is one, toe joint."""
    humanoid = motion.skeleton.humanoid
    joints = [humanoid[role] for role in (f"{side}Foot", f"{side}Toes") if role in humanoid]
    return world.positions[:, joints]


def _foot_track(motion: Motion, world: WorldTransforms, side: str, options: ContactOptions) -> FootTrack:
    points = _foot_points(motion, world, side)
    speeds = _speeds_mps(points, motion.fps, options.smoothing_s)
    lower = points[..., 1].argmin(axis=1)
    frames = np.arange(len(points))
    return FootTrack(points[frames, lower], points[frames, lower, 1], speeds[frames, lower])


def _speeds_mps(points: FloatArray, fps: float, smoothing_s: float) -> FloatArray:
    """``(frames, joints)`` mean speed over a window centred on each frame, shorter at the ends."""
    frames = np.arange(len(points))
    half = max(1, round(smoothing_s * fps / 2))
    before, after = np.maximum(frames - half, 0), np.minimum(frames + half, len(points) - 1)
    span_s = np.maximum(after - before, 1) / fps
    return np.asarray(np.linalg.norm(points[after] - points[before], axis=-1) / span_s[:, None])


def _planted(track: FootTrack, ground_m: float, fps: float, options: ContactOptions) -> BoolArray:
    above = np.abs(track.heights - ground_m)
    enter = (track.speeds < options.speed_mps) & (above < options.height_m)
    loose = options.release
    stay = (track.speeds < loose * options.speed_mps) & (above < loose * options.height_m)
    return held(enter, stay, at_least=max(1, round(options.min_stance_s * fps)))
