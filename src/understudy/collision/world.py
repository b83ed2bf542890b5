"""The world a body moves in: solids that stand still or follow keyed tracks, and how to find the near ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.collision.solids import solid_arrays
from understudy.collision.tables import OTHERS, SCENE, BroadArrays, SolidArrays, TrackArrays
from understudy.errors import SceneError, nearest_name
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.scene.shapes import HalfSpace, Shape
from understudy.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.scene.scene import Scene

#: Solids in a leaf of the world's tree.
_LEAF = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class Track:
    """Poses at key times; between them positions are linear and rotations slerp, beyond them the ends hold.

    Attributes:
        times_s: ``(keys,)`` [s], strictly increasing.
        positions: ``(keys, 3)`` [m].
        rotations: ``(keys, 4)`` quaternions wxyz.
    """

    times_s: FloatArray
    positions: FloatArray
    rotations: FloatArray

    def __post_init__(self) -> None:
        """Reject unordered times and values that are not finite."""
        times = np.asarray(self.times_s, dtype=np.float64)
        positions = np.asarray(self.positions, dtype=np.float64)
        rotations = np.asarray(self.rotations, dtype=np.float64)
        if (
            times.ndim != 1
            or len(times) == 0
            or positions.shape != (len(times), 3)
            or rotations.shape != (len(times), 4)
        ):
            raise SceneError(f"track: {times.shape} times, {positions.shape} positions, {rotations.shape} rotations")
        if not (np.isfinite(times).all() and np.isfinite(positions).all() and np.isfinite(rotations).all()):
            raise SceneError("track: holds values that are not finite")
        if (np.diff(times) <= 0).any():
            raise SceneError("track: times must increase strictly")
        object.__setattr__(self, "times_s", times)
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "rotations", rot.normalize(rotations))


@dataclass(frozen=True, eq=False, kw_only=True)
class Obstacle:
    """A solid in the world.

    Attributes:
        name: What reports call it.
        shape: Its shape.
        position: ``(3,)`` [m] where it stands; ignored with a track.
        rotation: ``(4,)`` quaternion wxyz, shape to world; ignored with a track.
        track: How it moves, if it does.
        character: Name of the character it is a part of; empty for the scene.
    """

    name: str
    shape: Shape
    position: npt.ArrayLike = (0.0, 0.0, 0.0)
    rotation: npt.ArrayLike = (1.0, 0.0, 0.0, 0.0)
    track: Track | None = None
    character: str = ""


@dataclass(frozen=True, eq=False)
class World:
    """Obstacles with a broad phase, built once and asked often.

    Args:
        obstacles: Its obstacles, standing and moving; names must be unique.
    """

    obstacles: Sequence[Obstacle]

    def __post_init__(self) -> None:
        """Reject names used twice and poses that are not finite."""
        names = [obstacle.name for obstacle in self.obstacles]
        faults = [f'two obstacles are called "{name}"' for name in sorted({n for n in names if names.count(n) > 1})]
        for obstacle in self.obstacles:
            position, rotation = np.asarray(obstacle.position), np.asarray(obstacle.rotation)
            finite = np.isfinite(position).all() and np.isfinite(rotation).all() and np.any(rotation)
            if position.shape != (3,) or rotation.shape != (4,) or not finite:
                faults.append(f'"{obstacle.name}" has no finite pose (position (3,), rotation (4,) wxyz)')
        if faults:
            raise SceneError("the world cannot be built:", faults=faults)

    @classmethod
    def from_scene(cls, scene: Scene, **options: Any) -> World:
        """The world of a scene; options as in :func:`understudy.collision.scene_world.world_of`."""
        from understudy.collision.scene_world import world_of

        return world_of(scene, **options)

    def __len__(self) -> int:
        """Number of obstacles."""
        return len(self.obstacles)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the obstacles, in order."""
        return tuple(obstacle.name for obstacle in self.obstacles)

    def index(self, name: str) -> int:
        """Index of an obstacle by name."""
        if name not in self.names:
            raise SceneError(f'no obstacle "{name}"; {nearest_name(name, self.names)}')
        return self.names.index(name)

    @cached_property
    def solids(self) -> SolidArrays:
        """The obstacles for kernels, moving ones at their first key."""
        from understudy.collision._placing_kernels import place_still

        categories = [OTHERS if obstacle.character else SCENE for obstacle in self.obstacles]
        solids = solid_arrays([o.shape for o in self.obstacles], np.array(categories, dtype=np.int64))
        poses = [_first_pose(obstacle) for obstacle in self.obstacles]
        places = frozen(np.array([pose[0] for pose in poses]).reshape(-1, 3))
        turns = frozen(np.array([pose[1] for pose in poses]).reshape(-1, 4))
        place_still(places, turns, solids.rows)
        return solids

    @cached_property
    def broad(self) -> BroadArrays:
        """The tree of standing obstacles, and the list of moving ones."""
        from understudy.collision._tree_kernels import build_tree

        fixed = [o.track is None and not isinstance(o.shape, HalfSpace) for o in self.obstacles]
        still, always = np.flatnonzero(fixed), np.flatnonzero(np.logical_not(fixed))
        if len(still) == 0:
            empty = np.empty((0, 3), dtype=np.int64)
            return BroadArrays(np.empty((0, 6)), empty, frozen_indices(still), frozen_indices(always))
        low, high = self._boxes(still)
        order, boxes, links = build_tree(low, high, _LEAF)
        return BroadArrays(boxes, links, frozen_indices(still[order]), frozen_indices(always))

    @cached_property
    def tracks(self) -> TrackArrays:
        """The moving obstacles for kernels."""
        spans, times, poses, start = [], [np.empty(0)], [np.empty((0, 7))], 0
        for i, obstacle in enumerate(self.obstacles):
            if obstacle.track is not None:
                keys = len(obstacle.track.times_s)
                spans.append((i, start, start + keys))
                times.append(obstacle.track.times_s)
                poses.append(np.hstack([obstacle.track.positions, obstacle.track.rotations]))
                start += keys
        return TrackArrays(
            spans=frozen_indices(np.array(spans, dtype=np.int64).reshape(-1, 3)),
            times=frozen(np.concatenate(times)),
            poses=frozen(np.concatenate(poses)),
        )

    def at(self, t: float) -> FloatArray:
        """Rows of the solids' table at time ``t`` [s]; only moving obstacles are computed anew."""
        from understudy.collision._placing_kernels import place_moving

        rows = self.solids.rows.copy()
        place_moving(self.tracks, float(t), rows)
        return rows

    def _boxes(self, still: IntArray) -> tuple[FloatArray, FloatArray]:
        """Axis-aligned boxes around solids at rest [m]."""
        from understudy.collision.extents import world_box

        boxes = [world_box(self.obstacles[i].shape, self.solids.rows[i]) for i in still]
        low, high = np.array([box[0] for box in boxes]), np.array([box[1] for box in boxes])
        return np.ascontiguousarray(low), np.ascontiguousarray(high)


def _first_pose(obstacle: Obstacle) -> tuple[FloatArray, FloatArray]:
    if obstacle.track is not None:
        return obstacle.track.positions[0], obstacle.track.rotations[0]
    rotation = np.asarray(obstacle.rotation, dtype=np.float64)
    return np.asarray(obstacle.position, dtype=np.float64), rotation / np.linalg.norm(rotation)
