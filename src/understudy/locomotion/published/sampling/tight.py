"""The body-aware beam over several potential fields: the method for tight scenes.

A field on ungrown obstacles leads into slits, one on grown obstacles closes gaps that a body passes sideways. So beams
run along fields with several growths at once, and the cheapest of all endings come first. When none is found the beams
are widened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from understudy.core.planning import Watch
from understudy.locomotion.published.sampling.beam_tables import Beam, BeamLimits, Fields, Frontier
from understudy.locomotion.published.sampling.ground import Legs
from understudy.locomotion.published.sampling.options import SampleOptions
from understudy.locomotion.published.sampling.sampler import Sampler
from understudy.locomotion.published.sampling.tables import MOST_EDGES, Close, Found, Stage
from understudy.locomotion.published.sampling.way import Way, ways_of
from understudy.locomotion.query import Spot
from understudy.typing import FloatArray, IntArray

#: Levels of beams: each is four times as wide as the one before and keeps half of its margin. What is found is
#: measured with exact distances, so that the margin is for what lies between the volume's corners only.
_LEVELS = 4
#: States seeds and the first bucket may hold, over the width: how one begins matters most.
_EARLY = 6
#: [s] length of a bucket, and of the longest stretch.
_BUCKET_S, _STRETCH_S = 0.25, 3.0
#: [m/s] the slowest walk that is still tried, and [s] time beyond it.
_SLOWEST_MPS, _BEYOND_S = 0.45, 6.0
#: [m/rad] cost of a heading error at the goal.
_TURN_COST_M = 0.5
#: [m] cost of heading away.
_AIM_COST_M = 0.5
#: Frames around a jump to be avoided within which others are avoided, too.
_BESIDE = 3
NOTHING: Mapping[int, float] = MappingProxyType({})
_SOLUTIONS, _STATES = 16, 200_000


@dataclass(frozen=True, eq=False)
class Beamed:
    """What one beam made.

    Attributes:
        ways: Its solutions, the cheapest first.
        places: ``(states, 2)`` where its jumps are (x, z) [m].
        expanded: How many states were expanded.
    """

    ways: list[Way]
    places: FloatArray
    expanded: int


def room_for(solutions: int) -> Found:
    """Room for solutions."""
    return Found(
        chains=np.zeros((solutions, MOST_EDGES), dtype=np.int64),
        turns=np.zeros((solutions, MOST_EDGES)),
        heads=np.zeros((solutions, 3), dtype=np.int64),
        places=np.zeros((solutions, 3)),
        costs=np.full(solutions, np.inf),
    )


def beams(
    sampler: Sampler,
    stage: Stage,
    legs: Sequence[tuple[float, Legs]],
    start: Spot,
    starts: IntArray,
    close: Close,
    ending: FloatArray,
    options: SampleOptions,
    watch: Watch,
    avoid: Mapping[int, float] = NOTHING,
) -> Iterator[list[Beamed]]:
    """Rounds of beams; a round runs along all fields at once.

    Where a round finds nothing, or nothing to go round, the next one is wider; where what it found was refused, the
    next one goes round the jumps in ``avoid``, which the caller fills between rounds.
    """
    tables = [one.table() for _, one in legs]
    seeds = [seeds_of(sampler, fields, start, starts) for fields in tables]
    level = 0
    for _ in range(options.rounds):
        if watch.interrupted() is not None or level >= _LEVELS:
            return
        watch.stage("search")
        now, kept = avoiding(stage, avoid), close._replace(margin=0.5**level * close.margin)
        with ThreadPoolExecutor(max_workers=max(1, min(options.threads, len(tables)))) as pool:
            width = options.width * 4**level
            jobs = [
                pool.submit(_beam, sampler, now, fields, rows, kept, ending, width)
                for fields, rows in zip(tables, seeds, strict=True)
            ]
            found = [job.result() for job in jobs]
        before = dict(avoid)
        yield found
        if avoid == before or not any(beam.ways for beam in found):
            level += 1


def avoiding(stage: Stage, avoid: Mapping[int, float]) -> Stage:
    """The stage with dearer jumps: some, by so many metres, and those a few frames beside them."""
    if not avoid:
        return stage
    jumps = stage.jumps
    dearer = np.zeros(len(jumps.costs))
    for edge, more_m in avoid.items():
        near = np.abs(jumps.out - jumps.out[edge]) <= _BESIDE
        near &= np.abs(jumps.into - jumps.into[edge]) <= _BESIDE
        dearer[near] = np.maximum(dearer[near], more_m)
    return stage._replace(jumps=jumps._replace(costs=jumps.costs + dearer))


def _beam(
    sampler: Sampler, stage: Stage, fields: Fields, seeds: FloatArray, close: Close, ending: FloatArray, width: int
) -> Beamed:
    from understudy.locomotion.published.sampling._tight_kernels import search

    fps, moves = sampler.library.fps, sampler.graph.jumps.moves
    length = _field_m(fields, _roots(moves[seeds[:1, 0].astype(np.int64)], seeds[:1, 1:])[0])
    limits = BeamLimits(
        width=width,
        early_width=_EARLY * width,
        bucket=min(max(1, round(_BUCKET_S * fps)), sampler.graph.jumps.least - 1),
        longest=round(fps * (length / _SLOWEST_MPS + _BEYOND_S)),
        stretch=round(_STRETCH_S * fps),
        states=_STATES,
        solutions=_SOLUTIONS // 2,
        turn_cost=_TURN_COST_M,
        aim_cost=_AIM_COST_M,
    )
    frontier, found = _frontier(limits), room_for(_SOLUTIONS)
    beam = Beam(fields, limits, sampler.entered, sampler.jumped, sampler.jumping)
    search(stage, beam, close, ending, seeds, frontier, found)
    made, count, expanded = frontier.counts.tolist()
    roots = _roots(moves[frontier.links[:made, 0]], frontier.numbers[:made, :3])
    return Beamed(ways_of(found, count), roots, expanded)


def _frontier(limits: BeamLimits) -> Frontier:
    buckets, widest = limits.longest // limits.bucket + 2, max(limits.width, limits.early_width)
    return Frontier(
        items=np.empty((buckets, widest), dtype=np.int64),
        filled=np.zeros(buckets, dtype=np.int64),
        worst=np.full(buckets, np.inf),
        numbers=np.empty((limits.states, 8)),
        links=np.empty((limits.states, 5), dtype=np.int64),
        counts=np.zeros(3, dtype=np.int64),
    )


def _roots(moves: FloatArray, places: FloatArray) -> FloatArray:
    """Where roots are in placed takes ``(n, 2)``."""
    c, s = np.cos(places[:, 2]), np.sin(places[:, 2])
    x = places[:, 0] + c * moves[:, 0] + s * moves[:, 1]
    return np.stack([x, places[:, 1] - s * moves[:, 0] + c * moves[:, 1]], axis=1)


def _field_m(fields: Fields, point: FloatArray) -> float:
    cell = np.floor((point - fields.low) / fields.cell).astype(np.int64)
    value = float(fields.values[0, cell[1], cell[0]]) + float(fields.rests[0])
    return value if np.isfinite(value) else 0.0


def seeds_of(sampler: Sampler, fields: Fields, start: Spot, frames: IntArray) -> FloatArray:
    """Where a walk may begin with some frames: rows ``(n, 4)`` of frame and where its take lies."""
    edges = sampler.graph.jumps
    moves = edges.moves[frames]
    if start.heading_rad is not None:
        yaws = start.heading_rad - moves[:, 2]
    else:
        moved = sampler.entered[frames, :2] - moves[:, :2]
        own = np.where(np.hypot(*moved.T) > 0.1, np.arctan2(moved[:, 0], moved[:, 1]), moves[:, 2])
        yaws = downhill_rad(fields, start.point) - own
    c, s = np.cos(yaws), np.sin(yaws)
    x = start.position[0] - c * moves[:, 0] - s * moves[:, 1]
    z = start.position[1] + s * moves[:, 0] - c * moves[:, 1]
    return np.ascontiguousarray(np.column_stack([frames, x, z, yaws]))


def downhill_rad(fields: Fields, point: FloatArray, *, within_m: float = 0.6) -> float:
    """Direction of the lowest point of the first field around a point [rad]."""
    reach = int(within_m / fields.cell)
    cx, cz = np.floor((point - fields.low) / fields.cell).astype(np.int64)
    steps = np.arange(-reach, reach + 1)
    z, x = np.meshgrid(steps, steps, indexing="ij")
    inside = x**2 + z**2 <= reach**2
    rows, cols = cz + z[inside], cx + x[inside]
    nz, nx = fields.values.shape[1:]
    ok = (rows >= 0) & (cols >= 0) & (rows < nz) & (cols < nx)
    values = np.full(len(rows), np.inf)
    values[ok] = fields.values[0, rows[ok], cols[ok]]
    best = int(values.argmin())
    return float(np.arctan2(x[inside][best], z[inside][best]))
