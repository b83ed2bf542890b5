"""A motion: a skeleton's poses at a fixed frame rate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.notebook_views import VIEWS
from understudy.core.planar import PlanarTransform
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.errors import MotionError
from understudy.typing import FloatArray

#: [s] slack for times at a motion's ends.
TIME_TOLERANCE_S = 1e-6
#: Frame rates, places [m] and lengths of quaternions outside of these come from damage or wrong units, not from people.
_FPS, _FAR_M, _LENGTHS = (1e-3, 1e6), 1e5, (1e-6, 1e6)
#: Rotations in a motion that is resampled: hours of a person at 120 frames a second.
_MOST_VALUES = 200_000_000


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a motion came from and what reading it decided.

    Attributes:
        path: The file, when there was one.
        format: Short format name, such as ``"bvh"``.
        unit_m: Metres per file unit.
        unit_guessed: Whether the unit was guessed rather than declared or given.
        up: The file's up axis, ``"y"`` or ``"z"``.
        up_guessed: Whether the up axis was guessed.
        notes: What was assumed, dropped or repaired, as sentences.
        made: Whether a planner made it. Such a motion is never evidence for another one.
        evidence: The clips a made motion was made from: recordings, or the performer's published clips.
        evidence_sha256: Digests of these clips, where a file names them and the clips themselves are not at hand.
    """

    path: Path | None = None
    format: str = ""
    unit_m: float = 1.0
    unit_guessed: bool = False
    up: str = "y"
    up_guessed: bool = False
    notes: tuple[str, ...] = ()
    made: bool = False
    evidence: tuple[Motion, ...] = field(default=(), repr=False)
    evidence_sha256: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, kind: str) -> Origin:
        """The origin of a motion of which only the kind is known."""
        return cls(format="performer" if kind == "performer" else "", made=kind == "made")

    @property
    def kind(self) -> str:
        """``"recorded"``, ``"performer"`` for the built-in performer's own clips, or ``"made"`` by a planner."""
        if self.made:
            return "made"
        return "performer" if self.format == "performer" else "recorded"

    def noting(self, *sentences: str) -> Origin:
        """The same origin with more notes."""
        return replace(self, notes=(*self.notes, *sentences))


@dataclass(frozen=True, eq=False, kw_only=True)
class Motion:
    """Poses over time; immutable, every edit gives a new motion.

    Attributes:
        skeleton: Who moves.
        fps: Frames per second.
        root_positions: ``(frames, 3)`` [m].
        rotations: ``(frames, joints, 4)`` local unit quaternions, wxyz.
        name: A short label.
        origin: Where it came from.
    """

    skeleton: Skeleton
    fps: float
    root_positions: FloatArray
    rotations: FloatArray
    name: str = ""
    origin: Origin = field(default_factory=Origin)

    def __post_init__(self) -> None:
        """Check shapes and values; freeze the arrays."""
        positions = np.ascontiguousarray(self.root_positions, dtype=np.float64)
        rotations = np.ascontiguousarray(self.rotations, dtype=np.float64)
        frames = len(positions)
        if positions.shape != (frames, 3) or rotations.shape != (frames, len(self.skeleton), 4):
            raise MotionError(
                f"a motion of {len(self.skeleton)} joints needs root_positions (frames, 3) and rotations "
                f"(frames, {len(self.skeleton)}, 4); got {positions.shape} and {rotations.shape}"
            )
        if frames == 0:
            raise MotionError("a motion needs at least one frame")
        _check_fps(self.fps)
        if not np.isfinite(positions).all() or not np.isfinite(rotations).all():
            bad = ~(np.isfinite(positions).all(axis=1) & np.isfinite(rotations).all(axis=(1, 2)))
            raise MotionError(f"frame {int(np.flatnonzero(bad)[0])} holds values that are not finite")
        if np.abs(positions).max() > _FAR_M:
            frame = int(np.abs(positions).max(axis=1).argmax())
            far = np.abs(positions[frame]).max()
            raise MotionError(f"frame {frame} is {far:g} m away; at most {_FAR_M:g} m are allowed. Is the unit right?")
        with np.errstate(over="ignore"):
            lengths = np.sqrt(np.einsum("fji,fji->fj", rotations, rotations))
        if lengths.min() < _LENGTHS[0] or lengths.max() > _LENGTHS[1]:
            frame, joint = np.argwhere((lengths < _LENGTHS[0]) | (lengths > _LENGTHS[1]))[0]
            name, length = self.skeleton.names[joint], lengths[frame, joint]
            what = "zero quaternion" if length < _LENGTHS[0] else f"a quaternion of length {length:g} is no rotation"
            raise MotionError(f'frame {frame}, joint "{name}": {what}')
        if np.abs(lengths - 1.0).max() > 1e-12:
            rotations = rotations / lengths[..., None]
        object.__setattr__(self, "fps", float(self.fps))
        object.__setattr__(self, "root_positions", _frozen(positions))
        object.__setattr__(self, "rotations", _frozen(rotations))

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.root_positions)

    def __repr__(self) -> str:
        """Name, frames, rate and joints in one line."""
        label = f"{self.name!r}, " if self.name else ""
        return f"Motion({label}{len(self)} frames at {self.fps:g} fps, {self.duration_s:.2f} s, {self.skeleton!r})"

    def _repr_html_(self) -> str:
        """For notebooks: a page that plays it where there is one, else a small table."""
        if "motion" in VIEWS:
            return VIEWS["motion"](self)
        rows = {
            "frames": f"{len(self)} at {self.fps:g} fps",
            "duration": f"{self.duration_s:.2f} s",
            "joints": f"{len(self.skeleton)} ({len(self.skeleton.humanoid)} humanoid roles)",
            "path": f"{self.path_length_m():.2f} m",
        }
        cells = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in rows.items())
        return f"<table><caption>{_escaped(self.name or 'motion')}</caption>{cells}</table>"

    @property
    def duration_s(self) -> float:
        """Time from the first frame to the last [s]."""
        return (len(self) - 1) / self.fps

    @property
    def times_s(self) -> FloatArray:
        """``(frames,)`` time of every frame [s]."""
        return np.arange(len(self)) / self.fps

    def path_length_m(self) -> float:
        """How far the root travels over the floor [m]."""
        steps = np.diff(self.root_positions[:, [0, 2]], axis=0)
        return float(np.linalg.norm(steps, axis=1).sum())

    def pose(self, frame: int) -> Pose:
        """The pose of one frame; negative frames count from the end."""
        if not -len(self) <= frame < len(self):
            raise MotionError(f"frame {frame} is outside 0..{len(self) - 1}")
        return Pose(
            skeleton=self.skeleton,
            root_position=self.root_positions[frame],
            rotations=self.rotations[frame],
            evidence=self.evidence,
        )

    def pose_at(self, time_s: float) -> Pose:
        """The pose at any time within the motion (slerp and lerp between frames)."""
        positions, rotations = self.sample(np.array([time_s]))
        return Pose(skeleton=self.skeleton, root_position=positions[0], rotations=rotations[0], evidence=self.evidence)

    def sample(self, times_s: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Root positions ``(n, 3)`` and rotations ``(n, joints, 4)`` at any times.

        Raises:
            MotionError: A time lies outside ``[0, duration_s]``.
        """
        times = np.atleast_1d(np.asarray(times_s, dtype=np.float64))
        if times.ndim != 1 or not np.isfinite(times).all():
            raise MotionError("sample times must be a flat list of finite numbers [s]")
        outside = (times < -TIME_TOLERANCE_S) | (times > self.duration_s + TIME_TOLERANCE_S)
        if outside.any():
            raise MotionError(f"time {times[outside][0]:g} s is outside 0..{self.duration_s:g} s")
        place = np.clip(times * self.fps, 0, len(self) - 1)
        # A time within rounding of a frame is that frame, bit for bit.
        place = np.where(np.abs(place - np.rint(place)) < 1e-9, np.rint(place), place)
        before = np.minimum(place.astype(np.int64), max(len(self) - 2, 0))
        after = np.minimum(before + 1, len(self) - 1)
        share = place - before
        positions = self.root_positions[before] + share[:, None] * (
            self.root_positions[after] - self.root_positions[before]
        )
        rotations = rot.slerp(self.rotations[before], self.rotations[after], share[:, None])
        return positions, rotations

    def sampled(self, times_s: npt.ArrayLike, *, fps: float) -> Motion:
        """A motion made of the poses at ``times_s``, played at ``fps`` (time warping)."""
        positions, rotations = self.sample(times_s)
        return replace(self, fps=fps, root_positions=positions, rotations=rotations)

    def resampled(self, fps: float) -> Motion:
        """The same motion at another frame rate.

        A frame count that does not divide evenly ends up to one new frame early, never late.
        """
        _check_fps(fps)
        if fps == self.fps:
            return self
        if self.duration_s * fps * len(self.skeleton) > _MOST_VALUES:
            raise MotionError(f"{self.duration_s:g} s at {fps:g} fps are more than {_MOST_VALUES:,} rotations")
        count = int(np.floor(self.duration_s * fps + 1e-6)) + 1
        times = np.minimum(np.arange(count) / fps, self.duration_s)
        return self.sampled(times, fps=fps)

    def frames(self, start: int, stop: int) -> Motion:
        """Frames ``start`` up to, not including, ``stop``."""
        if not 0 <= start < stop <= len(self):
            raise MotionError(f"frames {start}..{stop} are not a part of 0..{len(self)}")
        # A part of a checked and frozen array is checked and frozen, too.
        part = object.__new__(type(self))
        for item in fields(self):
            object.__setattr__(part, item.name, getattr(self, item.name))
        object.__setattr__(part, "root_positions", self.root_positions[start:stop])
        object.__setattr__(part, "rotations", self.rotations[start:stop])
        return part

    def slice(self, start_s: float, end_s: float) -> Motion:
        """The part between two times, resampled so that it begins exactly at ``start_s``.

        The end is the last whole frame not after ``end_s``.
        """
        if not start_s <= end_s:
            raise MotionError(f"a slice needs start <= end; got {start_s:g} s and {end_s:g} s")
        count = int(np.floor((end_s - start_s) * self.fps + 1e-6)) + 1
        return self.sampled(start_s + np.arange(count) / self.fps, fps=self.fps)

    def placed(self, transform: PlanarTransform) -> Motion:
        """The motion turned and moved over the floor."""
        rotations = self.rotations.copy()
        rotations[:, 0] = transform.rotations(rotations[:, 0])
        return replace(self, root_positions=transform.points(self.root_positions), rotations=rotations)

    def in_order(self, order: Sequence[int]) -> Motion:
        """The same motion with its joints listed in another order; see :meth:`Skeleton.in_order`."""
        return replace(self, skeleton=self.skeleton.in_order(order), rotations=self.rotations[:, list(order)])

    def renamed(self, name: str) -> Motion:
        """The same motion under another name."""
        return replace(self, name=name)

    @property
    def evidence(self) -> tuple[Motion, ...]:
        """The clips that say how this person moves: the motion itself, or what a made one was made from."""
        return self.origin.evidence if self.origin.made else (self,)

    def made_from(self, clips: Iterable[Motion]) -> Motion:
        """The same motion, marked as made by a planner from clips; a made clip stands for its own sources."""
        found = {id(one): one for clip in clips for one in clip.evidence}
        return replace(self, origin=Origin(made=True, evidence=tuple(found.values())))


def from_poses(poses: Iterable[Pose], *, fps: float, name: str = "") -> Motion:
    """A motion whose frames are the given poses of one skeleton."""
    listed = list(poses)
    if not listed:
        raise MotionError("a motion needs at least one pose")
    if any(pose.skeleton is not listed[0].skeleton for pose in listed):
        raise MotionError("all poses of a motion must share one skeleton")
    return Motion(
        skeleton=listed[0].skeleton,
        fps=fps,
        root_positions=np.stack([pose.root_position for pose in listed]),
        rotations=rot.continuous(np.stack([pose.rotations for pose in listed])),
        name=name,
    )


def _check_fps(fps: float) -> None:
    if not _FPS[0] <= fps <= _FPS[1]:
        raise MotionError(f"fps is {fps}; it must be a positive number from {_FPS[0]:g} to {_FPS[1]:,.0f}")


def _frozen(array: FloatArray) -> FloatArray:
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
