"""The ground a search moves over: potential fields and straightened paths at several growths of the obstacles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.floor import Floor, build_floor
from understudy.floor.field import PotentialField, potential_field
from understudy.locomotion.published.sampling.beam_tables import Fields
from understudy.locomotion.published.sampling.sampler import Sampler
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: [m] what is lower is walked on, room left over the lowest posture, and floor around all points.
_STEP_M, _OVERHEAD_M, _AROUND_M = 0.001, 0.02, 3.0


def ground_for(sampler: Sampler, scene: Scene | None, points: Sequence[FloatArray]) -> Floor:
    """The floor of a scene: what somebody of the library passes under is not in the way."""
    ends = np.stack(points)
    low, high = ends.min(axis=0) - _AROUND_M, ends.max(axis=0) + _AROUND_M
    if scene is None or not scene.objects:
        return build_floor(scene or Scene(), bounds=[*low, *high])
    head_m = sampler.lowest_m + _OVERHEAD_M
    floor = build_floor(scene, head_height_m=head_m, step_height_m=_STEP_M)
    if floor.obstacles:
        corners = np.concatenate([one.segments.reshape(-1, 2) for one in floor.obstacles])
        low, high = np.minimum(low, corners.min(axis=0) - 1.0), np.maximum(high, corners.max(axis=0) + 1.0)
    return build_floor(scene, bounds=[*low, *high], head_height_m=head_m, step_height_m=_STEP_M)


@dataclass(frozen=True, eq=False)
class Legs:
    """Potential fields from point to point.

    Attributes:
        fields: One for every leg, towards its end.
        start: Where the first one begins (x, z) [m].
    """

    fields: tuple[PotentialField, ...]
    start: FloatArray

    @property
    def reachable(self) -> bool:
        """Whether there is a way at all."""
        begins = [self.start, *(field.goal for field in self.fields[:-1])]
        return all(np.isfinite(field.distance(at)) for field, at in zip(self.fields, begins, strict=True))

    def path(self) -> FloatArray:
        """Corners ``(n, 2)`` of the straightened way; empty when there is none."""
        begins = [self.start, *(field.goal for field in self.fields[:-1])]
        parts = [field.path(at) for field, at in zip(self.fields, begins, strict=True)]
        if any(len(part) == 0 for part in parts):
            return np.empty((0, 2))
        return np.concatenate([parts[0][:1], *(part[1:] for part in parts)])

    def table(self) -> Fields:
        """The fields for kernels."""
        first = self.fields[0]
        lengths = [0.0]
        for before, after in zip(self.fields[-2::-1], self.fields[:0:-1], strict=True):
            lengths.append(lengths[-1] + float(after.distance(before.goal)))
        return Fields(
            low=first.low,
            cell=first.cell_m,
            values=np.ascontiguousarray(np.stack([field.values for field in self.fields])),
            ends=np.ascontiguousarray(np.stack([field.goal for field in self.fields])),
            rests=np.array(lengths[::-1]),
        )


def legs_to(floor: Floor, start: FloatArray, stops: Sequence[FloatArray], growth_m: float) -> Legs:
    """Fields to every stop in order, obstacles grown by a radius [m]."""
    return Legs(tuple(potential_field(floor, stop, radius_m=growth_m) for stop in stops), start)


def length_m(corners: FloatArray) -> float:
    """Length of a polyline ``(n, 2)`` [m]."""
    return float(np.linalg.norm(np.diff(corners, axis=0), axis=1).sum())


def planted(corners: FloatArray, step_m: float) -> FloatArray:
    """Points ``(n, 2)`` every ``step_m`` along a polyline, its ends left out."""
    gaps = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    arcs = np.concatenate([[0.0], np.cumsum(gaps)])
    at = np.arange(step_m, arcs[-1] - 0.5 * step_m, step_m)
    return np.stack([np.interp(at, arcs, corners[:, k]) for k in (0, 1)], axis=1)
