"""A window of a clip prepared for planning one limb: everything kernels need, tabulated once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy import rotations as rot
from understudy.collision import World
from understudy.collision.tables import TrackArrays
from understudy.core.motion import Motion
from understudy.errors import PlanningInputError
from understudy.kinematics import forward
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Load, Stage, grid_times
from understudy.limbs.tables import (
    PAIR,
    PAIR_KIND,
    PAIR_OTHER,
    PAIR_OWN,
    SOLID,
    WITH_OWN,
    WITH_REST,
    Margin,
    Scratch,
    Setting,
    SpaceArrays,
    WindowArrays,
)
from understudy.typing import FloatArray, IntArray

#: [Hz] grid times, at least.
GRID_HZ = 240.0
#: [m] pairs nearer than this to touching in the source follow the source.
_SOURCED_M = 0.03
#: [rad] a coordinate that changes by more within a frame has wrapped around or spun.
_SPUN_RAD = 1.0
#: Stretches of an edge that can wait to be looked at.
_GAPS = 2048
#: [m] part of a permitted depth that is not used.
_DEPTH_KEPT_M = 5e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class Window:
    """One limb between two frames of its clip.

    Attributes:
        stage: The motion on its stage.
        space: The limb.
        first: First frame.
        last: Last frame.
        part_names: Names of the limb's parts, carried things included.
        rest_names: Names of the parts that follow the clip.
        world: What surrounds it.
        setting: The arrays.
    """

    stage: Stage
    space: LimbSpace
    first: int
    last: int
    part_names: tuple[str, ...]
    rest_names: tuple[str, ...]
    world: World
    setting: Setting

    @property
    def start_s(self) -> float:
        """Time of the first frame [s]."""
        return float(self.setting.window.clock[0])

    @property
    def end_s(self) -> float:
        """Time of the last frame [s]."""
        return self.start_s + (self.last - self.first) / self.stage.motion.fps

    @property
    def frame_times_s(self) -> FloatArray:
        """Times of the frames ``first`` to ``last`` [s]."""
        return self.stage.start_s + np.arange(self.first, self.last + 1) / self.stage.motion.fps

    def parameters(self, times_s: FloatArray) -> FloatArray:
        """``(n, parameters)`` [rad] of the clip at times within the window."""
        clock, table = self.setting.window.clock, self.setting.window.coordinates
        place = np.clip((np.atleast_1d(times_s) - clock[0]) / clock[1], 0, len(table) - 1)
        cell = np.minimum(place.astype(int), len(table) - 2)
        coordinates = table[cell] + (place - cell)[:, None] * (table[cell + 1] - table[cell])
        return np.asarray(coordinates @ self.space.driven.T)

    @cached_property
    def scratch(self) -> Scratch:
        """Room for kernels."""
        window = self.setting.window
        joints, parts, rest = len(self.space.joints), len(self.part_names), len(self.rest_names)
        return Scratch(
            turned=np.zeros((joints, 4)),
            at=np.zeros((joints, 3)),
            own=np.zeros((parts, 9)),
            world=np.zeros((parts, 9)),
            rest=np.zeros((rest, 9)),
            rows=self.world.solids.rows.copy(),
            bounds=window.own_halves + window.own_radii,
            every=np.arange(parts),
            found=np.zeros(len(self.world) + 1, dtype=np.int64),
            gaps=np.zeros((_GAPS, 2)),
            speeds=np.zeros(window.rates.shape[2]),
            moves=np.zeros(parts),
            coordinates=np.zeros(3 * joints),
            turning=np.zeros(3 * joints),
            offset=np.zeros(len(self.space)),
        )

    def margin(self, least_m: float, *, start_m: float | None = None, end_m: float | None = None) -> Margin:
        """The distance to keep in this window, perhaps less at its ends."""
        start, end = (least_m if value is None else min(value, least_m) for value in (start_m, end_m))
        slope = 0.0 if start == end == least_m else 0.1
        return Margin(float(least_m), float(start), float(end), slope, self.start_s, self.end_s)

    def nearest(self, offset: FloatArray, time_s: float, *, within_m: float = 0.1) -> tuple[float, tuple[str, str]]:
        """Slack [m] before something touches, at most ``within_m``, and what would; negative when it overlaps."""
        from understudy.limbs._nearest_kernels import nearest_pair

        slack, kind, first, second = nearest_pair(
            self.setting, self.scratch, frozen(offset), float(time_s), float(within_m)
        )
        return float(slack), self.pair_names(int(kind), int(first), int(second))

    def limits_broken(self, offset: FloatArray, time_s: float) -> str:
        """The joint an offset takes further out of its limits than the clip; empty when none."""
        from understudy.limbs._pose_kernels import breaks_limits

        joint = int(breaks_limits(self.setting, self.scratch, frozen(offset), float(time_s)))
        return "" if joint < 0 else self.space.body.skeleton.names[self.space.joints[joint]]

    def pair_names(self, kind: int, first: int, second: int) -> tuple[str, str]:
        """Names of what touches."""
        if kind == SOLID:
            return self.part_names[first], self.world.names[second]
        if kind == PAIR:
            own, other, with_kind = (
                int(self.setting.window.pairs[first, c]) for c in (PAIR_OWN, PAIR_OTHER, PAIR_KIND)
            )
            names = self.rest_names if with_kind == WITH_REST else self.part_names
            return self.part_names[own], names[other]
        joint = self.space.body.skeleton.names[self.space.joints[first]] if first >= 0 else ""
        return joint, "its limits" if joint else ""


def window_of(stage: Stage, space: LimbSpace, first: int, last: int) -> Window:
    """Tabulate a window.

    Args:
        stage: The motion on its stage.
        space: The limb.
        first: First frame.
        last: Last frame, after the first.

    Raises:
        PlanningInputError: The frames are no stretch of the motion, or a joint spins within it.
    """
    motion = stage.motion
    if not 0 <= first < last < len(motion):
        raise PlanningInputError(f"frames {first}..{last} are no stretch of 0..{len(motion) - 1}")
    times, steps = grid_times(motion, stage.start_s, first, last, GRID_HZ)
    loads = stage.loads(space.moved, float(times[0]), float(times[-1]))
    world = stage.world([load.name for load in loads])
    filled = _filled(stage, space, loads, times, steps, world)
    return Window(
        stage=stage,
        space=space,
        first=first,
        last=last,
        part_names=filled.part_names,
        rest_names=filled.rest_names,
        world=world,
        setting=Setting(
            space=_space_arrays(space),
            window=filled.arrays,
            solids=world.solids,
            broad=world.broad,
            tracks=cropped(world.tracks, float(times[0]), float(times[-1])),
        ),
    )


@dataclass(frozen=True)
class _Filled:
    part_names: tuple[str, ...]
    rest_names: tuple[str, ...]
    arrays: WindowArrays


def _filled(
    stage: Stage, space: LimbSpace, loads: Sequence[Load], times: FloatArray, steps: int, world: World
) -> _Filled:
    parts = _Parts(stage, space, loads)
    step = float(times[1] - times[0])
    places, turns, local = _posed(stage.motion, times - stage.start_s)
    coordinates = _coordinates(space, local, steps)
    base = np.concatenate([places[:, space.parent], turns[:, space.parent]], axis=1)
    base[:, 3:] = rot.continuous(base[:, 3:])
    rest = parts.rest_segments(places, turns, base)
    own = parts.own_segments(places, turns)
    pairs, gaps, sources = parts.pairs(times)
    reach, far = _reaches(space, parts.carriers, own)
    tracks = cropped(world.tracks, float(times[0]), float(times[-1]))
    rates = _rates(coordinates, base, rest, own, sources, _solid_rates(world, tracks, times, step), step)
    columns = np.full(len(world), -1, dtype=np.int64)
    columns[tracks.spans[:, 0]] = rates.shape[2] - len(tracks.spans) + np.arange(len(tracks.spans))
    still = bool(np.ptp(own, axis=0).max(initial=0.0) < 1e-9)
    arrays = WindowArrays(
        clock=frozen([times[0], step, steps]),
        coordinates=frozen(coordinates),
        excess=frozen(space.excess(coordinates)),
        base=frozen(base),
        rest=frozen(rest),
        own=frozen(own[:1] if still else own),
        carriers=frozen_indices(parts.carriers),
        own_radii=frozen(parts.radii),
        own_halves=frozen(_halves(own)),
        rest_halves=frozen(_halves(rest)),
        reach=frozen(reach),
        far=frozen(far),
        pairs=frozen_indices(pairs),
        gaps=frozen(gaps),
        sources=frozen(sources),
        depths=frozen(parts.depths(world, float(times[0]), float(times[-1]))),
        solid_columns=frozen_indices(columns),
        rates=frozen(rates),
    )
    return _Filled(tuple(parts.names), tuple(parts.rest_names), arrays)


class _Parts:
    """Which capsules belong to the limb, which follow the clip, and which of them must not touch."""

    def __init__(self, stage: Stage, space: LimbSpace, loads: Sequence[Load]) -> None:
        body, moved = space.body, set(space.moved)
        self.stage, self.space, self.loads = stage, space, loads
        inside = [int(joint) in moved for joint in body.capsule_joints]
        self.own = np.flatnonzero(inside)
        self.rest = np.flatnonzero(np.logical_not(inside))
        self.rest_names = [body.capsule_names[c] for c in self.rest]
        self.names = [body.capsule_names[c] for c in self.own]
        self.names += [load.name for load in loads for _ in load.radii]
        self.radii = np.concatenate([body.capsule_radii[self.own], *(load.radii for load in loads)])
        self.joints = [int(body.capsule_joints[c]) for c in self.own]
        self.joints += [load.joint for load in loads for _ in load.radii]
        self.carriers = np.array([self._carrier(joint) for joint in self.joints], dtype=np.int64)

    def _carrier(self, joint: int) -> int:
        while joint not in self.space.joints:
            joint = int(self.space.body.skeleton.parents[joint])
        return self.space.joints.index(joint)

    def rest_segments(self, places: FloatArray, turns: FloatArray, base: FloatArray) -> FloatArray:
        """``(grid, rest, 6)`` in the parent's frame."""
        starts, ends = self.space.body.capsule_segments(places, turns)
        back = rot.conjugate(base[:, None, 3:])
        seen = [rot.rotate(back, side[:, self.rest] - base[:, None, :3]) for side in (starts, ends)]
        return np.concatenate(seen, axis=-1)

    def own_segments(self, places: FloatArray, turns: FloatArray) -> FloatArray:
        """``(grid, own, 6)`` in the frames of the joints that carry them."""
        body = self.space.body
        starts = np.concatenate([body.capsule_starts[self.own], *(load.starts for load in self.loads)])
        ends = np.concatenate([body.capsule_ends[self.own], *(load.ends for load in self.loads)])
        carriers = np.array([self.space.joints[c] for c in self.carriers])
        if np.array_equal(carriers, self.joints):
            return np.repeat(np.concatenate([starts, ends], axis=1)[None], len(places), axis=0)
        at, turn = places[:, self.joints], turns[:, self.joints]
        base, back = places[:, carriers], rot.conjugate(turns[:, carriers])
        seen = [rot.rotate(back, at + rot.rotate(turn, side) - base) for side in (starts, ends)]
        return np.concatenate(seen, axis=-1)

    def pairs(self, times: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """Pairs, their sums of radii, and distances ``(grid, sourced)`` of those that follow the source."""
        rows, gaps, body_pairs = [], [], []
        radii = self.space.body.capsule_radii
        own = {int(c): k for k, c in enumerate(self.own)}
        rest = {int(c): k for k, c in enumerate(self.rest)}
        for a, b in self.space.body.self_pairs.tolist():
            if a in own and b in own:
                m, other = sorted((own[a], own[b]), key=lambda part: int(self.carriers[part]))
                rows.append([m, other, WITH_OWN, -1])
            elif a in own or b in own:
                m, other = (own[a], rest[b]) if a in own else (own[b], rest[a])
                rows.append([m, other, WITH_REST, -1])
            else:
                continue
            gaps.append(radii[a] + radii[b])
            body_pairs.append((a, b))
        sources = self._sources(np.array(body_pairs, dtype=np.int64).reshape(-1, 2), np.array(gaps), rows, times)
        self._load_pairs(rows, gaps, times)
        return np.array(rows, dtype=np.int64).reshape(-1, 4), np.array(gaps), sources

    def _sources(self, pairs: IntArray, gaps: FloatArray, rows: list[list[int]], times: FloatArray) -> FloatArray:
        from understudy.limbs._window_kernels import pair_distances

        source = self.stage.source
        places, turns, _ = _posed(source, np.minimum(times - self.stage.start_s, source.duration_s))
        starts, ends = self.space.body.capsule_segments(places, turns)
        apart = pair_distances(np.ascontiguousarray(np.concatenate([starts, ends], axis=-1)), pairs)
        sourced = np.flatnonzero((apart < gaps + _SOURCED_M).any(axis=0)) if len(pairs) else np.empty(0, dtype=int)
        for column, k in enumerate(sourced.tolist()):
            rows[k][3] = column
        return np.ascontiguousarray(apart[:, sourced])

    def _load_pairs(self, rows: list[list[int]], gaps: list[float], times: FloatArray) -> None:
        """Carried things against the body; what holds them may touch them."""
        body, first = self.space.body, len(self.own)
        rules = [rule for rule in self.stage.rules if rule.start_s <= times[-1] and rule.end_s >= times[0]]
        for m in range(first, len(self.names)):
            for part in range(len(body.capsule_names)):
                label = f"{self.stage.character}.{body.capsule_names[part]}"
                if any(rule.covers(self.names[m], label) for rule in rules):
                    continue
                gap = float(self.radii[m] + body.capsule_radii[part])
                found = np.flatnonzero(self.rest == part)
                if len(found):
                    rows.append([m, int(found[0]), WITH_REST, -1])
                else:
                    other = int(np.flatnonzero(self.own == part)[0])
                    low, high = sorted((m, other), key=lambda one: int(self.carriers[one]))
                    rows.append([low, high, WITH_OWN, -1])
                gaps.append(gap)

    def depths(self, world: World, start_s: float, end_s: float) -> FloatArray:
        """``(own, solids)`` how deep each part may be in each solid [m]."""
        rules = [rule for rule in self.stage.rules if rule.start_s <= end_s and rule.end_s >= start_s]
        depths = np.zeros((len(self.names), len(world)))
        for m, name in enumerate(self.names):
            label = f"{self.stage.character}.{name}" if m < len(self.own) else name
            for i, obstacle in enumerate(world.names):
                allowed = [rule.max_depth_m for rule in rules if rule.covers(label, obstacle)]
                depths[m, i] = max(max(allowed, default=0.0) - _DEPTH_KEPT_M, 0.0)
        return depths


def _posed(motion: Motion, times: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    roots, local = motion.sample(np.clip(times, 0.0, motion.duration_s))
    world = forward(motion.skeleton, roots, local)
    return world.positions, world.rotations, local


def _coordinates(space: LimbSpace, local: FloatArray, steps: int) -> FloatArray:
    """Coordinates of the clip without jumps by whole turns."""
    found = space.coordinates(local).reshape(len(local), -1, 3)
    for axis in (0, 1, 2):
        by_angle = np.asarray(space.body.limits.kinds[list(space.joints)] == 2) | (axis == 2)
        found[:, by_angle, axis] = np.unwrap(found[:, by_angle, axis], axis=0)
    jumps = np.abs(np.diff(found, axis=0)).max(axis=(0, 2), initial=0.0) * steps
    if jumps.max() > _SPUN_RAD * max(1, steps):
        joint = space.body.skeleton.names[space.joints[int(jumps.argmax())]]
        raise PlanningInputError(f'"{joint}" spins within one frame; the clip cannot be planned on there')
    return found.reshape(len(local), -1)


def _halves(segments: FloatArray) -> FloatArray:
    """Half the length of each segment ``(grid, parts, 6)`` at its longest [m]."""
    if segments.shape[1] == 0:
        return np.empty(0)
    return np.asarray(0.5 * np.linalg.norm(segments[..., 3:] - segments[..., :3], axis=-1).max(axis=0))


def _reaches(space: LimbSpace, carriers: IntArray, own: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far a radian of every coordinate moves every part [m], and the farthest from the limb's parent [m].

    A twist does not move what lies on its axis.
    """
    offsets = space.body.skeleton.offsets[list(space.joints)]
    axes = rot.rotate(rot.conjugate(space.frames[1]), np.array([0.0, 0.0, 1.0]))
    points = own.reshape(len(own), len(carriers), 2, 3)
    reach, far = np.zeros((len(space.joints), 3, len(carriers))), np.zeros(len(carriers))
    for part, carrier in enumerate(carriers.tolist()):
        ends = points[:, part].reshape(-1, 3)
        whole = float(np.linalg.norm(ends, axis=1).max())
        across = float(np.linalg.norm(np.cross(ends, axes[carrier]), axis=1).max())
        for joint in range(carrier, -1, -1):
            reach[joint, :2, part], reach[joint, 2, part] = whole, across
            if joint > 0:
                across = float(np.linalg.norm(np.cross(offsets[joint], axes[joint - 1]))) + whole
                whole = float(np.linalg.norm(offsets[joint])) + whole
        far[part] = whole + float(np.linalg.norm(offsets[0]))
    return reach.reshape(-1, len(carriers)), far


def _rates(
    coordinates: FloatArray,
    base: FloatArray,
    rest: FloatArray,
    own: FloatArray,
    sources: FloatArray,
    solids: FloatArray,
    step: float,
) -> FloatArray:
    """``(levels, cells, columns)`` largest rates over 1, 2, 4... cells; see :class:`WindowArrays`."""
    turns = np.abs(np.diff(coordinates, axis=0)) / step
    travel = np.linalg.norm(np.diff(base[:, :3], axis=0), axis=1, keepdims=True) / step
    # Normalised linear interpolation turns up to 1 / cos(angle / 2) faster than slerp in the middle of a step.
    angles = rot.angle_between(base[1:, 3:], base[:-1, 3:])[:, None] / step * 1.01
    moved = [_end_speeds(segments, step) for segments in (rest, own)]
    nearing = np.abs(np.diff(sources, axis=0)) / step
    cells = np.concatenate([turns, travel, angles, *moved, nearing, solids], axis=1)
    levels = [cells]
    while 2 ** len(levels) <= len(cells):
        last, shift = levels[-1], 2 ** (len(levels) - 1)
        longer = last.copy()
        longer[:-shift] = np.maximum(last[:-shift], last[shift:])
        levels.append(longer)
    return np.stack(levels)


def _end_speeds(segments: FloatArray, step: float) -> FloatArray:
    moved = np.diff(segments.reshape(len(segments), -1, 2, 3), axis=0)
    return np.asarray(np.linalg.norm(moved, axis=-1).max(axis=-1, initial=0.0) / step)


def _solid_rates(world: World, tracks: TrackArrays, times: FloatArray, step: float) -> FloatArray:
    from understudy.limbs._window_kernels import track_rates

    rates: FloatArray = track_rates(tracks, world.solids.rows, float(times[0]), step, len(times) - 1)
    return rates


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


def _space_arrays(space: LimbSpace) -> SpaceArrays:
    limits, chain = space.body.limits, list(space.joints)
    before, after = space.frames
    return SpaceArrays(
        offsets=frozen(space.body.skeleton.offsets[chain]),
        before=frozen(before),
        after=frozen(after),
        kinds=frozen_indices(limits.kinds[chain]),
        low=frozen(limits.low[chain]),
        high=frozen(limits.high[chain]),
        spread=frozen(space.spread),
    )
