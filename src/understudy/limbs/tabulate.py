"""Tabulating a stretch of a clip: where everything is on a grid of times, and how fast it changes."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from understudy import rotations as rot
from understudy.collision import World
from understudy.collision.tables import TrackArrays
from understudy.core.limits import LimitKind
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import PlanningInputError
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs.parts import Parts, seen
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.typing import FloatArray, IntArray

#: [Hz] grid times, at least.
GRID_HZ = 240.0
#: [m] pairs nearer than this to touching in the source follow the source.
SOURCED_M = 0.03
#: [rad] a coordinate that changes by more within a frame has wrapped around or spun.
_SPUN_RAD = 1.0
#: Interpolating a quaternion linearly turns faster in the middle of a step than slerp does, by less than this.
_FASTER = 1.01

#: [s] where a source of at most this length is all along is remembered: 0.4 MB a second.
_REMEMBERED_S = 12.0
_POSED: WeakKeyDictionary[Motion, dict[int, tuple[FloatArray, FloatArray]]] = WeakKeyDictionary()


class ClipTables(NamedTuple):
    """One limb between two frames of a clip, whatever surrounds it; see ``tables.WindowArrays``.

    Attributes:
        first: First frame.
        last: Last frame.
        steps: Grid steps per frame.
        coordinates: ``(grid, 3 joints)`` [rad].
        excess: ``(grid, joints)`` [rad].
        base: ``(grid, 7)``.
        rest: ``(grid, rest, 6)`` [m].
        own: ``(grid, own, 6)`` [m].
        near: ``(n,)`` pairs of the body's parts, of all that there are, that may come near each other in the source.
        apart: ``(grid, n)`` [m] their distances there.
        rates: ``(cells, columns)`` of everything above, in this order.
    """

    first: int
    last: int
    steps: int
    coordinates: FloatArray
    excess: FloatArray
    base: FloatArray
    rest: FloatArray
    own: FloatArray
    near: IntArray
    apart: FloatArray
    rates: FloatArray


def tabulated(stage: Stage, parts: Parts, first: int, last: int) -> ClipTables:
    """The tables of one limb between two frames.

    Args:
        stage: The motion on its stage.
        parts: The limb's parts.
        first: First frame.
        last: Last frame.

    Raises:
        PlanningInputError: A joint of the limb spins within a frame.
    """
    space, motion = parts.space, stage.motion
    steps = max(1, int(np.ceil(GRID_HZ / motion.fps - 1e-9)))
    places, turns = posed(stage, motion, first, last, steps)
    coordinates = _coordinates(space, turns)
    base = np.concatenate([places[:, space.parent], turns[:, space.parent]], axis=1)
    base[:, 3:] = rot.continuous(base[:, 3:])
    rest, own = parts.rest_segments(places, turns), parts.own_segments(places, turns)
    near, apart = _source_pairs(stage, parts, first, last, steps, (places, turns))
    rates = _rates(coordinates, base, rest, own, apart) * steps * motion.fps
    return ClipTables(first, last, steps, coordinates, space.excess(coordinates), base, rest, own, near, apart, rates)


def _rates(
    coordinates: FloatArray, base: FloatArray, rest: FloatArray, own: FloatArray, apart: FloatArray
) -> FloatArray:
    """``(cells, columns)`` by how much everything changes in every cell; see ``WindowArrays.rates``."""
    ends = [np.diff(one, axis=0).reshape(len(one) - 1, one.shape[1], 2, 3) for one in (rest, own)]
    return np.hstack(
        [
            np.abs(np.diff(coordinates, axis=0)),
            np.linalg.norm(np.diff(base[:, :3], axis=0), axis=1)[:, None],
            _FASTER * rot.angle_between(base[:-1, 3:], base[1:, 3:])[:, None],
            *(np.linalg.norm(one, axis=-1).max(axis=-1) for one in ends),
            np.abs(np.diff(apart, axis=0)),
        ]
    )


def cropped(tracks: TrackArrays, start_s: float, end_s: float) -> TrackArrays:
    """The keys of tracks that matter between two times."""
    spans, times, poses, count = [], [np.empty(0)], [np.empty((0, 7))], 0
    for solid, first, last in tracks.spans.tolist():
        keys = tracks.times[first:last]
        low = max(int(np.searchsorted(keys, start_s, side="right")) - 1, 0)
        high = min(int(np.searchsorted(keys, end_s, side="left")) + 1, len(keys))
        spans.append((solid, count, count + high - low))
        times.append(keys[low:high])
        poses.append(tracks.poses[first + low : first + high])
        count += high - low
    return TrackArrays(
        spans=frozen_indices(np.array(spans, dtype=np.int64).reshape(-1, 3)),
        times=frozen(np.concatenate(times)),
        poses=frozen(np.concatenate(poses)),
    )


def posed(stage: Stage, motion: Motion, first: int, last: int, steps: int) -> tuple[FloatArray, FloatArray]:
    """World positions ``(grid, joints, 3)`` and rotations of all joints, ``steps`` grid times to a frame.

    Sources are asked again and again, for windows that overlap: short ones are placed as a whole once.
    """
    if motion is not stage.source or motion.duration_s > _REMEMBERED_S:
        return _posed(motion, first, last, steps)
    known = _POSED.setdefault(motion, {})
    if steps not in known:
        known[steps] = _posed(motion, 0, len(motion) - 1, steps)
    places, turns = known[steps]
    return places[first * steps : last * steps + 1], turns[first * steps : last * steps + 1]


def _posed(motion: Motion, first: int, last: int, steps: int) -> tuple[FloatArray, FloatArray]:
    from understudy.limbs._window_kernels import place_between

    grid, skeleton = (last - first) * steps + 1, motion.skeleton
    places, turns = np.empty((grid, len(skeleton), 3)), np.empty((grid, len(skeleton), 4))
    place_between(
        frozen_indices(skeleton.parents),
        frozen(skeleton.offsets),
        frozen(motion.root_positions[first : last + 1]),
        frozen(motion.rotations[first : last + 1]),
        steps,
        places,
        turns,
    )
    return places, turns


def placed(skeleton: Skeleton, root: FloatArray, local: FloatArray) -> tuple[FloatArray, FloatArray]:
    """World positions ``(joints, 3)`` and rotations ``(joints, 4)`` of one pose."""
    from understudy.limbs._window_kernels import place_between

    places, turns = np.empty((1, len(skeleton), 3)), np.empty((1, len(skeleton), 4))
    parents, offsets = frozen_indices(skeleton.parents), frozen(skeleton.offsets)
    place_between(parents, offsets, frozen(root[None]), frozen(local[None]), 1, places, turns)
    return places[0], turns[0]


def track_speeds(world: World, tracks: TrackArrays, start_s: float, end_s: float) -> float:
    """The largest speed of any moving solid between two times [m/s]."""
    from understudy.limbs._window_kernels import track_rates

    rates = track_rates(tracks, frozen(world.solids.rows), start_s, end_s - start_s, 1)
    return float(rates.max(initial=0.0))


def _coordinates(space: LimbSpace, turns: FloatArray) -> FloatArray:
    """``(grid, 3 joints)`` coordinates of the clip without jumps by whole turns, given world rotations."""
    from understudy.limbs._pose_kernels import chain_coordinates

    skeleton, chain = space.body.skeleton, list(space.joints)
    local = rot.multiply(rot.conjugate(turns[:, skeleton.parents[chain]]), turns[:, chain])
    found = np.empty((len(turns), 3 * len(chain)))
    chain_coordinates(space.arrays, frozen_indices(range(len(chain))), frozen(local), found)
    # A swing vector does not wrap around; angles do.
    axes = np.repeat(space.body.limits.kinds[chain] == LimitKind.AXES, 3)
    winding = axes | (np.arange(found.shape[1]) % 3 == 2)
    found[:, winding] = np.unwrap(found[:, winding], axis=0)
    jumps = np.abs(np.diff(found, axis=0)).max(axis=0, initial=0.0)
    if jumps.max(initial=0.0) > _SPUN_RAD:
        joint = skeleton.names[chain[int(jumps.argmax()) // 3]]
        raise PlanningInputError(f'"{joint}" spins within one frame; the clip cannot be planned on there')
    return found


def _source_pairs(
    stage: Stage, parts: Parts, first: int, last: int, steps: int, placed: tuple[FloatArray, FloatArray]
) -> tuple[IntArray, FloatArray]:
    """``(n,)`` pairs of the body that may come near each other in the source, and their distances ``(grid, n)`` [m]."""
    from understudy.limbs._window_kernels import pair_distances, pairs_near

    _, gaps, capsules = parts.body_pairs()
    source, body = stage.source, stage.body
    places, turns = placed if source is stage.motion else posed(stage, source, first, last, steps)
    ends, world = np.hstack([body.capsule_starts, body.capsule_ends]), np.full(len(body.capsule_joints), -1)
    segments = seen(places, turns, body.capsule_joints, ends, world)
    near = pairs_near(segments, frozen_indices(capsules), frozen(gaps + SOURCED_M))
    return near, pair_distances(segments, frozen_indices(capsules[near]))
