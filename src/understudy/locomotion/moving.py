"""What moves while somebody walks: other walkers and things on tracks, as shadows on the floor over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.errors import PlanningInputError
from understudy.floor.footprint import footprint
from understudy.floor.obstacle import Obstacle
from understudy.kinematics import motion_world
from understudy.locomotion.tables import Movers
from understudy.scene.scene import Scene
from understudy.typing import FloatArray, IntArray

#: [s] time between samples of things and of motions.
STEP_S = 0.05


@dataclass(frozen=True, eq=False, kw_only=True)
class TrackMover:
    """Something whose shadow is known at even times; it waits at the first and stays at the last.

    Attributes:
        name: What it is.
        shapes: For every sample, rows ``(n, 5)`` of :attr:`Movers.shapes`; empty where nothing is in the way.
        start_s: Time of the first sample [s].
        step_s: Time between samples [s].
        until_s: Until when it is there [s].
        filled: Whether the lines enclose a solid area.
    """

    name: str
    shapes: tuple[FloatArray, ...]
    start_s: float = 0.0
    step_s: float = STEP_S
    until_s: float = np.inf
    filled: bool = False


def standing(name: str, points: FloatArray, radius_m: float, *, until_s: float = np.inf) -> TrackMover:
    """Discs about points ``(n, 2)`` that stay where they are."""
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    rows = np.column_stack([flat, flat, np.full(len(flat), radius_m)])
    return TrackMover(name=name, shapes=(rows,), until_s=until_s)


def performing(name: str, motion: Motion, body: Body, *, start_s: float = 0.0) -> TrackMover:
    """The capsules of somebody whose motion is known."""
    count = max(int(np.ceil(motion.duration_s / STEP_S)), 1) + 1
    times = np.minimum(np.arange(count) * STEP_S, motion.duration_s)
    roots, rotations = motion.sample(times)
    world = motion_world(Motion(skeleton=motion.skeleton, fps=1.0 / STEP_S, root_positions=roots, rotations=rotations))
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    radii = np.asarray(body.capsule_radii, dtype=np.float64)
    rows = [np.column_stack([a[:, [0, 2]], b[:, [0, 2]], radii]) for a, b in zip(starts, ends, strict=True)]
    return TrackMover(name=name, shapes=tuple(rows), start_s=start_s)


def thing_mover(
    scene: Scene, name: str, *, heights_m: tuple[float, float], until_s: float, from_s: float = 0.0
) -> TrackMover:
    """The footprints of an object of a scene while it moves.

    Args:
        scene: The scene.
        name: The object.
        heights_m: What lies below the first is stepped over, what hangs above the second is walked under [m].
        until_s: How far ahead it is looked up [s]; after that it stays.
        from_s: Where looking begins [s].
    """
    if not until_s >= from_s:
        raise PlanningInputError(f'object "{name}": cannot be looked up from {from_s} s to {until_s} s')
    count = int(np.ceil((until_s - from_s) / STEP_S)) + 1
    times = from_s + np.arange(count) * STEP_S
    positions, rotations = scene.object_track(name, times)
    shape = scene.object(name).shape
    if _stays_level(positions, rotations):
        outline = footprint(name, shape, positions[0], rotations[0], heights_m=heights_m)
        return TrackMover(
            name=name, shapes=_carried(_lines(outline), positions, rotations), start_s=from_s, filled=True
        )
    found = [
        _lines(footprint(name, shape, at, turn, heights_m=heights_m))
        for at, turn in zip(positions, rotations, strict=True)
    ]
    return TrackMover(name=name, shapes=tuple(found), start_s=from_s, filled=True)


def _stays_level(positions: FloatArray, rotations: FloatArray) -> bool:
    """Whether something only slides and turns on the floor, so that its footprint keeps its shape."""
    turns = rot.multiply(rotations, rot.conjugate(rotations[0]))
    return bool(np.ptp(positions[:, 1]) < 1e-9 and np.abs(turns[:, [1, 3]]).max() < 1e-9)


def _carried(lines: FloatArray, positions: FloatArray, rotations: FloatArray) -> tuple[FloatArray, ...]:
    """Lines of the first sample, moved along with all samples."""
    yaws = rot.yaw(rot.multiply(rotations, rot.conjugate(rotations[0])))
    ends = lines[:, :4].reshape(-1, 2) - positions[0, [0, 2]]
    c, s = np.cos(yaws)[:, None], np.sin(yaws)[:, None]
    x = c * ends[:, 0] + s * ends[:, 1] + positions[:, :1]
    z = -s * ends[:, 0] + c * ends[:, 1] + positions[:, 2:]
    moved = np.stack([x, z], axis=-1).reshape(len(positions), -1, 4)
    radii = np.broadcast_to(lines[:, 4:], (len(positions), len(lines), 1))
    return tuple(np.concatenate([moved, radii], axis=-1))


def _lines(obstacle: Obstacle | None) -> FloatArray:
    if obstacle is None:
        return np.zeros((0, 5))
    return np.column_stack([obstacle.segments, np.zeros(len(obstacle.segments))])


def packed_movers(tracks: Sequence[TrackMover]) -> Movers:
    """All movers in one table."""
    samples = [rows for one in tracks for rows in one.shapes]
    return Movers(
        track_first=_firsts([len(one.shapes) for one in tracks]),
        track_times=np.array([[one.start_s, one.step_s, one.until_s] for one in tracks]).reshape(-1, 3),
        around=np.array([_around(rows) for rows in samples]).reshape(-1, 3),
        shape_first=_firsts([len(rows) for rows in samples]),
        shapes=np.ascontiguousarray(np.concatenate([np.zeros((0, 5)), *samples])),
        filled=np.array([int(one.filled) for one in tracks], dtype=np.int64),
    )


def _firsts(counts: Sequence[int]) -> IntArray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _around(rows: FloatArray) -> FloatArray:
    """A disc around lines; far away and empty where there are none."""
    if len(rows) == 0:
        return np.array([1e9, 1e9, 0.0])
    ends, radii = rows[:, :4].reshape(-1, 2), np.repeat(rows[:, 4], 2)
    low, high = (ends - radii[:, None]).min(axis=0), (ends + radii[:, None]).max(axis=0)
    centre = 0.5 * (low + high)
    return np.array([*centre, float((np.linalg.norm(ends - centre, axis=1) + radii).max())])


NOBODY = packed_movers(())
