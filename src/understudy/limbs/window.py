"""A window of a clip prepared for planning one limb: everything kernels need, tabulated once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from understudy import rotations as rot
from understudy.collision import World
from understudy.errors import PlanningInputError
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs.cutting import window_arrays
from understudy.limbs.parts import Parts
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.limbs.tables import (
    FREE,
    PAIR,
    PAIR_KIND,
    PAIR_OTHER,
    PAIR_OWN,
    SOLID,
    WITH_REST,
    Margin,
    Scratch,
    Setting,
)
from understudy.limbs.tabulate import cropped
from understudy.typing import FloatArray, IntArray

#: Stretches of an edge that can wait to be looked at.
_GAPS = 2048


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

    def parents(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """World positions ``(n, 3)`` [m] and rotations ``(n, 4)`` of the joint the limb hangs from."""
        clock, table = self.setting.window.clock, self.setting.window.base
        place = np.clip((times_s - clock[0]) / clock[1], 0, len(table) - 1)
        cell = np.minimum(place.astype(int), len(table) - 2)
        rows = table[cell] + (place - cell)[:, None] * (table[cell + 1] - table[cell])
        return rows[:, :3], rot.normalize(rows[:, 3:])

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
            closing=np.zeros(len(window.pairs)),
            coordinates=np.zeros(3 * joints),
            turning=np.zeros(3 * joints),
            offset=np.zeros(len(self.space)),
            ends=np.zeros((2, len(self.space))),
            span=np.zeros(2),
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
            self.setting, self.scratch, np.array(offset, dtype=np.float64), float(time_s), float(within_m)
        )
        return float(slack), self.pair_names(int(kind), int(first), int(second))

    def clip_in(self, time_s: float) -> str:
        """What the clip itself is in at a time; empty where it is free."""
        slack, pair = self.nearest(np.zeros(len(self.space)), time_s, within_m=0.01)
        return f"{pair[0]} is in {pair[1]} already at {time_s:.2f} s" if slack < 0.0 and pair[1] else ""

    def first_touch(
        self, offsets: FloatArray, times_s: FloatArray, kept_m: float
    ) -> tuple[int, tuple[str, str]] | None:
        """First of the moments after which offsets ``(n, parameters)`` come nearer than ``kept_m`` [m], and to what."""
        faults = np.zeros((len(times_s) - 1, 3), dtype=np.int64)
        first = self.faults(offsets, times_s, self.margin(kept_m), faults, all_frames=False)
        if first < 0:
            return None
        kind, one, two = faults[first].tolist()
        return first, self.pair_names(kind, one, two)

    def faults(
        self, offsets: FloatArray, times_s: FloatArray, margin: Margin, out: IntArray, *, all_frames: bool
    ) -> int:
        """What stops offsets ``(n, parameters)`` between moments; see ``_edge_kernels.frame_faults``."""
        from understudy.limbs._edge_kernels import frame_faults

        rows, times = np.array(offsets, dtype=np.float64), np.array(times_s, dtype=np.float64)
        return int(frame_faults(self.setting, self.scratch, margin, rows, times, all_frames, out))

    def reached(self, rows: FloatArray, margin: Margin) -> int:
        """How many rows ``(n, parameters + 1)``, their times last, can be reached from the first one on.

        Times may increase or decrease.
        """
        if len(rows) < 2:
            return 0
        later = rows[-1, -1] > rows[0, -1]
        path, faults = (rows if later else rows[::-1]), np.zeros((len(rows) - 1, 3), dtype=np.int64)
        self.faults(path[:, :-1], path[:, -1], margin, faults, all_frames=True)
        stopped = np.flatnonzero((faults if later else faults[::-1])[:, 0] != FREE)
        return int(stopped[0]) if len(stopped) else len(rows) - 1

    def without_sourced(self) -> Window:
        """The same window without the pairs that may be as near as in the source: on the source itself they are."""
        arrays = self.setting.window._replace(sourced=frozen_indices([]))
        return replace(self, setting=self.setting._replace(window=arrays))

    def insides(self) -> FloatArray:
        """``(frames, 4)`` of the clip itself: slack [m], and kind and parties of the nearest pair."""
        from understudy.limbs._nearest_kernels import clip_slacks

        out = np.zeros((self.last - self.first + 1, 4))
        clip_slacks(self.setting, self.scratch, frozen(self.frame_times_s), out)
        return out

    def limits_broken(self, offset: FloatArray, time_s: float) -> str:
        """The joint an offset takes further out of its limits than the clip; empty when none."""
        from understudy.limbs._pose_kernels import breaks_limits

        joint = int(breaks_limits(self.setting, self.scratch, np.array(offset, dtype=np.float64), float(time_s)))
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
    start_s, end_s = (stage.start_s + frame / motion.fps for frame in (first, last))
    loads = stage.loads(space.moved, start_s, end_s)
    world = stage.world([load.name for load in loads])
    parts = Parts(stage, space, loads, start_s, end_s)
    tracks = cropped(world.tracks, start_s, end_s)
    return Window(
        stage=stage,
        space=space,
        first=first,
        last=last,
        part_names=parts.names,
        rest_names=parts.rest_names,
        world=world,
        setting=Setting(
            space=space.arrays,
            window=window_arrays(stage, parts, first, last, world, tracks),
            solids=world.solids,
            broad=world.broad,
            tracks=tracks,
        ),
    )
