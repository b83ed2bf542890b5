"""The frame-level motion graph: jumps from any frame to any other that looks alike (paper §3; [Sampling]).

Edges are low points of the distance image, as in Arikan and Forsyth. Deviations: the image is that of windows whose
carrying feet coincide (:mod:`understudy.library.transitions`), so that a jump leaves the carrying foot where it is;
jumps go through the trials that a library's own transitions do (:mod:`understudy.library.trials`). What is left is
thinned in steps, from few edges far apart (root edges) to many: a finer edge belongs to the coarser one that stands for
it, which gives the trees that demote mutations descend.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from weakref import WeakKeyDictionary

import numpy as np

from understudy.core.body import Body
from understudy.errors import PlanningInputError
from understudy.library import Library
from understudy.library.graph import largest_component
from understudy.library.jump_table import JumpTable
from understudy.locomotion.published.sampling.candidates import Candidates, alike_pairs, playable, tried
from understudy.locomotion.published.sampling.footage_tables import (
    arcs_m,
    body_table,
    efforts_m,
    root_places,
    skating_m,
)
from understudy.locomotion.published.sampling.tables import Hops, Jumps
from understudy.locomotion.walker import walker_of
from understudy.typing import BoolArray, FloatArray, IntArray

#: Frames that edges of one level are apart; the first level are the root edges. Footage so uniform that there would be
#: more root edges than ``MOST_ROOTS`` is thinned more.
LEVELS = ((2, 1, 0), (3, 1, 0), (4, 2, 0), (5, 2, 0), (6, 3, 0), (8, 4, 0), (12, 6, 0), (16, 8, 0), (32, 16, 0))
MOST_ROOTS = 4_000
#: Edges that refine one edge of the level above, at most.
MOST_CHILDREN = 1
#: [Hz] how often a sequence is looked at while it is searched.
LOOKS_HZ = 15.0
#: [s] least time between two jumps.
LEAST_S = 0.4


@dataclass(frozen=True, eq=False, kw_only=True)
class FrameGraph:
    """All jumps of a library.

    Attributes:
        jumps: The jumps, for kernels.
        hops: What mutations choose from.
        rms_m: ``(edges,)`` distance of the two windows [m].
        carriers: ``(edges,)`` carrying feet: bits 1 left, 2 right; 0 none.
        onward: ``(frames,)`` last frame of the run that a root edge leaves; -1 where none is left.
    """

    jumps: Jumps
    hops: Hops
    rms_m: FloatArray
    carriers: IntArray
    onward: IntArray


def frame_graph(library: Library, body: Body) -> FrameGraph:
    """All jumps of a library: those saved with it, or found now.

    Raises:
        PlanningInputError: No two moments are alike enough to go on for ever.
    """
    table = jumps_of(library, body)
    roots, moves, footage = np.flatnonzero(table.parents < 0), root_places(library), library.footage
    ends = footage.starts[footage.take_of(np.arange(len(footage))) + 1] - 1
    # Arrays mapped from a file are read-only, for which kernels would be compiled once more; these are small.
    jumps = Jumps(
        out=np.array(table.out),
        into=np.array(table.into),
        transforms=np.array(table.transforms),
        pivots=np.array(table.pivots),
        ranges=np.array(table.ranges),
        costs=np.array(table.costs),
        moves=moves,
        arcs=arcs_m(moves, ends, max(1, round(library.fps / LOOKS_HZ))),
        efforts=efforts_m(body_table(library, body), moves, library.fps) + skating_m(library),
        takes=np.array(table.runs),
        stops=np.array(table.stops),
        roots=roots,
        root_first=np.searchsorted(table.out[roots], np.arange(len(table.runs) + 1)).astype(np.int64),
        least=table.least,
    )
    return FrameGraph(
        jumps=jumps,
        hops=_hops(jumps, np.array(table.parents)),
        rms_m=table.rms_m,
        carriers=table.carriers,
        onward=_onward(jumps),
    )


_FOUND: WeakKeyDictionary[Library, JumpTable] = WeakKeyDictionary()


def jumps_of(library: Library, body: Body) -> JumpTable:
    """The jumps that are saved with a library, or those found for it, which are looked for once in a process.

    Raises:
        PlanningInputError: No two moments are alike enough to go on for ever.
    """
    table = library.jumps or _FOUND.get(library)
    if table is None:
        table = _FOUND[library] = found_jumps(library, body)
    return table


def found_jumps(library: Library, body: Body) -> JumpTable:
    """Look for all jumps of a library.

    Raises:
        PlanningInputError: No two moments are alike enough to go on for ever.
    """
    least = max(2 * library.half_window, round(LEAST_S * library.fps))
    runs, stops = playable(library, body)
    found, frames = alike_pairs(library, runs, stops, least)
    found = found.kept(_live(found, stops))
    levels = _levels(found, runs[frames])
    found = tried(library, found.kept(_thinned(found, runs[frames], levels, MOST_CHILDREN)[0]))
    found = found.kept(_live(found, stops))
    if len(found) == 0:
        raise PlanningInputError("no two moments of the library's clips are alike; more or longer clips may help")
    kept, parents = _thinned(found, runs[frames], levels, len(found))
    found = found.kept(kept)
    return JumpTable(
        least=least,
        out=found.out,
        into=found.into,
        transforms=found.transforms,
        pivots=found.pivots,
        ranges=found.ranges,
        costs=found.costs,
        rms_m=found.rms_m,
        carriers=found.carriers,
        parents=parents.astype(np.int64),
        runs=runs,
        stops=stops,
    )


def with_jumps(library: Library) -> Library:
    """The library with its jumps, which are saved with it from now on: the first query in a process need not find them.

    Raises:
        PlanningInputError: No two moments are alike enough to go on for ever.
    """
    if library.jumps is not None:
        return library
    began = perf_counter()
    table = jumps_of(library, walker_of(library).body)
    return replace(library, jumps=table, seconds={**library.seconds, "jumps": perf_counter() - began})


def _live(found: Candidates, stops: IntArray) -> BoolArray:
    """Edges between frames that can go on for ever."""
    count = len(stops)
    inside = np.flatnonzero(stops > np.arange(count))
    alive = largest_component(np.concatenate([inside, found.out]), np.concatenate([inside + 1, found.into]), count)
    return np.asarray(alive[found.out] & alive[found.into])


def _thinned(
    found: Candidates, runs: IntArray, levels: tuple[int, ...], most_children: int
) -> tuple[IntArray, IntArray]:
    """Edges that are kept, in order, and the kept edge each one refines (-1 for root edges)."""
    from understudy.locomotion.published.sampling._graph_kernels import thin

    order = np.argsort(found.costs, kind="stable")
    outs, ins = np.ascontiguousarray(found.places[:, 0]), np.ascontiguousarray(found.places[:, 1])
    refined = thin(outs, ins, order, runs, np.array(levels, dtype=np.int64), most_children)
    kept = np.flatnonzero(refined > -2)
    number = np.full(len(found), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    coarser = refined[kept]
    return kept, np.where(coarser < 0, -1, number[np.maximum(coarser, 0)])


def _levels(found: Candidates, runs: IntArray) -> tuple[int, ...]:
    """The finest levels that do not keep too many root edges."""
    for levels in LEVELS:
        if (_thinned(found, runs, levels[:1], 0)[1] < 0).sum() <= MOST_ROOTS:
            return levels
    return LEVELS[-1]


def _hops(jumps: Jumps, parents: IntArray) -> Hops:
    """Lists of finer edges and of the root edges between any two runs."""
    children = np.flatnonzero(parents >= 0)
    children = children[np.argsort(parents[children], kind="stable")]
    count = int(jumps.takes.max()) + 1
    between = jumps.takes[jumps.out[jumps.roots]] * count + jumps.takes[jumps.into[jumps.roots]]
    order = np.argsort(between, kind="stable")
    return Hops(
        parents=parents.astype(np.int64),
        child_first=np.searchsorted(parents[children], np.arange(len(parents) + 1)).astype(np.int64),
        children=children.astype(np.int64),
        pair_first=np.searchsorted(between[order], np.arange(count * count + 1)).astype(np.int64),
        pairs=jumps.roots[order],
    )


def _onward(jumps: Jumps) -> IntArray:
    """``(frames,)`` last frame of a run that a root edge leaves, for frames up to it; -1 beyond."""
    latest = np.full(int(jumps.takes.max()) + 2, -1, dtype=np.int64)
    np.maximum.at(latest, jumps.takes[jumps.out[jumps.roots]], jumps.out[jumps.roots])
    last = latest[jumps.takes]
    return np.where(last >= np.arange(len(last)), last, -1)
