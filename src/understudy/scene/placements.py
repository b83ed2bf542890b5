"""How an object comes to be where it is: it stands, moves along a track, or swings on a hinge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.errors import SceneError
from understudy.scene.keys import between, key_array, key_times
from understudy.scene.transforms import IDENTITY, ORIGIN, direction, finite, quaternion, vector
from understudy.typing import FloatArray


@dataclass(frozen=True, kw_only=True)
class Static:
    """An object that stands at ``position`` [m], turned by ``rotation`` (wxyz)."""

    position: tuple[float, float, float] = ORIGIN
    rotation: tuple[float, float, float, float] = IDENTITY

    def __post_init__(self) -> None:
        """Reject values that are not finite; scale the quaternion to unit length."""
        object.__setattr__(self, "position", vector(self.position, "position"))
        object.__setattr__(self, "rotation", quaternion(self.rotation, "rotation"))

    def poses(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Positions ``(n, 3)`` and rotations ``(n, 4)`` at times ``(n,)``."""
        count = len(times_s)
        return np.tile(np.array(self.position), (count, 1)), np.tile(np.array(self.rotation), (count, 1))


@dataclass(frozen=True, eq=False, kw_only=True)
class Track:
    """An object that moves through keyed poses; it waits at the first and stays at the last.

    Attributes:
        times_s: ``(keys,)`` strictly increasing.
        positions: ``(keys, 3)`` [m]; straight lines between them.
        rotations: ``(keys, 4)``; slerp between them; none means never turned.
        loop: Whether it starts again after the last key, for ever and in both directions of time.
    """

    times_s: FloatArray
    positions: FloatArray
    rotations: FloatArray = field(default_factory=lambda: np.empty((0, 4)))
    loop: bool = False

    def __post_init__(self) -> None:
        """Check and freeze the keys."""
        times = key_times(self.times_s, "track")
        count = len(times)
        positions = key_array(self.positions, (count, 3), "track: positions")
        given = self.rotations if len(self.rotations) else rot.identity((count,))
        rotations = key_array(given, (count, 4), "track: rotations").copy()
        # Keys that are unit already are kept bit for bit; the others are looked at one by one, each with its number.
        with np.errstate(over="ignore", invalid="ignore"):
            odd = ~(np.abs(np.linalg.norm(rotations, axis=1) - 1.0) < 1e-12)
        for key in np.flatnonzero(odd).tolist():
            rotations[key] = quaternion(rotations[key], f"track: rotation {key}")
        rotations.flags.writeable = False
        object.__setattr__(self, "times_s", times)
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "rotations", rotations)

    def __eq__(self, other: object) -> bool:
        """Whether all keys are equal."""
        return isinstance(other, Track) and self._keys() == other._keys()

    def __hash__(self) -> int:
        """Of the keys."""
        return hash(self._keys())

    def _keys(self) -> tuple[bytes, bytes, bytes, bool]:
        # Adding zero makes -0.0 and 0.0 the same bytes.
        arrays = (self.times_s + 0.0, self.positions + 0.0, self.rotations + 0.0)
        return (arrays[0].tobytes(), arrays[1].tobytes(), arrays[2].tobytes(), self.loop)

    def poses(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Positions ``(n, 3)`` and rotations ``(n, 4)`` at times ``(n,)``."""
        before, after, share = between(self.times_s, times_s, loop=self.loop)
        start, end = self.positions[before], self.positions[after]
        return start + share[:, None] * (end - start), rot.slerp(self.rotations[before], self.rotations[after], share)


@dataclass(frozen=True, eq=True, kw_only=True)
class Hinge:
    """An object that swings about a fixed axis: a door, a lid.

    Attributes:
        axis_at: A point on the axis [m].
        axis: Direction of the axis; positive angles follow the right-hand rule.
        range_rad: Smallest and largest angle.
        closed_position: Where the object is at angle 0 [m].
        closed_rotation: How it is turned at angle 0.
        times_s: Key times of the angle; a single key is an angle that stays.
        angles_rad: The angle at each key; straight between them, held beyond them.
        self_closing: Whether it closes by itself when nobody holds it; planners are told, the scene does not
            simulate it.
    """

    axis_at: tuple[float, float, float]
    range_rad: tuple[float, float]
    axis: tuple[float, float, float] = (0.0, 1.0, 0.0)
    closed_position: tuple[float, float, float] = ORIGIN
    closed_rotation: tuple[float, float, float, float] = IDENTITY
    times_s: tuple[float, ...] = (0.0,)
    angles_rad: tuple[float, ...] | None = None
    self_closing: bool = False

    def __post_init__(self) -> None:
        """Check the axis, the range and the keys; without angles it rests at the angle nearest 0."""
        object.__setattr__(self, "axis_at", vector(self.axis_at, "hinge: axis_at"))
        object.__setattr__(self, "axis", direction(self.axis, "hinge: axis"))
        object.__setattr__(self, "closed_position", vector(self.closed_position, "hinge: closed position"))
        object.__setattr__(self, "closed_rotation", quaternion(self.closed_rotation, "hinge: closed rotation"))
        low, high = (finite(angle, "hinge: range") for angle in self.range_rad)
        if not low < high:
            raise SceneError(
                f"hinge: range is {np.degrees(low):g}..{np.degrees(high):g} degrees; the second must be larger"
            )
        object.__setattr__(self, "range_rad", (low, high))
        angles = (min(max(0.0, low), high),) if self.angles_rad is None else self.angles_rad
        times = key_times(self.times_s, "hinge: times")
        checked = key_array(angles, (len(times),), "hinge: angles")
        outside = (checked < low - 1e-9) | (checked > high + 1e-9)
        if outside.any():
            raise SceneError(
                f"hinge: angle {np.degrees(checked[outside][0]):g} degrees is outside its range "
                f"{np.degrees(low):g}..{np.degrees(high):g}"
            )
        object.__setattr__(self, "times_s", tuple(times.tolist()))
        object.__setattr__(self, "angles_rad", tuple(checked.tolist()))

    @property
    def moves(self) -> bool:
        """Whether the angle changes over time."""
        return len(set(self.angles_rad or ())) > 1

    def turned(self, angles_rad: npt.ArrayLike, *, times_s: npt.ArrayLike = (0.0,)) -> Hinge:
        """The same hinge with other angles: one that stays, or keys."""
        angles, times = np.atleast_1d(angles_rad), np.atleast_1d(times_s)
        return replace(self, angles_rad=tuple(angles.tolist()), times_s=tuple(times.tolist()))

    def angles(self, times_s: npt.ArrayLike) -> FloatArray:
        """The angle ``(n,)`` [rad] at times ``(n,)``."""
        values = np.array(self.angles_rad)
        before, after, share = between(np.array(self.times_s), np.atleast_1d(times_s), loop=False)
        return np.asarray(values[before] + share * (values[after] - values[before]))

    def poses(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Positions ``(n, 3)`` and rotations ``(n, 4)`` at times ``(n,)``."""
        return self.poses_at_angles(self.angles(times_s))

    def poses_at_angles(self, angles_rad: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Positions ``(n, 3)`` and rotations ``(n, 4)`` of the object at any angles ``(n,)`` [rad]."""
        turns = rot.from_axis_angle(np.array(self.axis), np.atleast_1d(angles_rad))
        pivot = np.array(self.axis_at)
        arm = np.array(self.closed_position) - pivot
        return pivot + rot.rotate(turns, arm), rot.multiply(turns, np.array(self.closed_rotation))


Placement: TypeAlias = Static | Track | Hinge


def moves(placement: Placement) -> bool:
    """Whether an object so placed is ever anywhere else."""
    if isinstance(placement, Static):
        return False
    if isinstance(placement, Hinge):
        return placement.moves
    return len(placement.times_s) > 1


def last_key_s(placement: Placement) -> float:
    """When it last changes [s]; a loop is counted once."""
    return 0.0 if isinstance(placement, Static) else float(placement.times_s[-1])
