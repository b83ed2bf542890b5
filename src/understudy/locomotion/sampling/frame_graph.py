"""The frame-level motion graph: jumps from any frame to any other that looks alike (paper §3; methods.md M5).

Edges are low points of the distance image, as in Arikan and Forsyth. Deviations: the image is that of windows whose
carrying feet coincide (:mod:`understudy.library.transitions`), so that a jump leaves the carrying foot where it is;
jumps that would shake the trunk more than the clips ever do, or let the legs brush, are left out. The rest is thinned
in steps, from few edges far apart (root edges) to many: a finer edge belongs to the coarser one that stands for it,
which gives the trees that demote mutations descend.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy.core.body import Body
from understudy.errors import PlanningInputError
from understudy.library import Graph, Library
from understudy.library.distance import Windows, windows
from understudy.library.graph import largest_component
from understudy.library.options import LibraryOptions
from understudy.library.preparation import joint_weights
from understudy.library.segmentation import with_carriers
from understudy.library.transitions import CutPairs, cut_pairs
from understudy.locomotion.sampling.footage_tables import root_places, take_ends
from understudy.locomotion.sampling.leg_room import leg_overlaps_m
from understudy.locomotion.sampling.tables import Hops, Jumps
from understudy.locomotion.seams import seam_accelerations
from understudy.locomotion.walker import ROUGH, ROUGH_COST_M, SEAM_COST_M, SHAKE_COST_M, TOO_ROUGH
from understudy.typing import BoolArray, FloatArray, IntArray

#: Frames that edges of one level are apart; the first level are the root edges.
LEVELS = (2, 1, 0)
#: Frames compared at most; of longer footage the graph's cuts and evenly spaced frames are.
MOST_FRAMES = 2400
#: Edges of the last levels kept at most for every root edge.
MOST_CHILDREN = 4
#: [m] jumps at which legs would pass deeper through each other than the clips' own are left out.
BRUSH_M = 0.0005
#: [s] least time between two jumps.
LEAST_S = 0.3


@dataclass(frozen=True, eq=False, kw_only=True)
class FrameGraph:
    """All jumps of a library.

    Attributes:
        jumps: The jumps, for kernels.
        hops: What mutations choose from.
        rms_m: ``(edges,)`` distance of the two windows [m].
        carriers: ``(edges,)`` carrying feet: bits 1 left, 2 right; 0 none.
        onward: ``(frames,)`` last frame of the take that a root edge leaves; -1 where none is left.
    """

    jumps: Jumps
    hops: Hops
    rms_m: FloatArray
    carriers: IntArray
    onward: IntArray


def frame_graph(library: Library, body: Body) -> FrameGraph:
    """All jumps of a library.

    Raises:
        PlanningInputError: No two moments are alike enough to go on for ever.
    """
    points = _windows(library)
    frames = _compared_frames(library, points)
    options = LibraryOptions()
    pairs = cut_pairs(
        library.footage,
        points,
        with_carriers(library.footage, frames),
        foot_slack_m=options.foot_slack_m,
        foot_turn_rad=float(np.radians(options.foot_turn_deg)),
    )
    takes, stops = take_ends(library)
    least = max(2 * library.half_window, round(LEAST_S * library.fps))
    outs, ins = np.nonzero((pairs.rms_m <= library.threshold_m) & _worth(frames, takes[frames], stops[frames], least))
    shake = _shakes(library, frames, pairs, outs, ins)
    smooth = shake <= TOO_ROUGH
    outs, ins, shake = outs[smooth], ins[smooth], shake[smooth]
    brush = leg_overlaps_m(
        library, body, frames[outs], frames[ins], pairs.pivots[outs, ins], pairs.transforms(outs, ins)
    )
    apart = brush <= BRUSH_M
    outs, ins, shake = outs[apart], ins[apart], shake[apart]
    live = _live(frames[outs], frames[ins], stops)
    outs, ins, shake = outs[live], ins[live], shake[live]
    if len(outs) == 0:
        raise PlanningInputError("no two moments of the library's clips are alike; more or longer clips may help")
    costs = _costs(pairs.rms_m[outs, ins], shake, library.threshold_m)
    kept, parents = _thinned(outs, ins, costs, takes[frames])
    outs, ins, costs = outs[kept], ins[kept], costs[kept]
    out, roots = frames[outs].astype(np.int64), np.flatnonzero(parents < 0)
    jumps = Jumps(
        out=out,
        into=frames[ins].astype(np.int64),
        transforms=np.ascontiguousarray(pairs.transforms(outs, ins)),
        pivots=_pivots(pairs, outs, ins),
        ranges=_ranges(pairs, outs, ins, library.threshold_m),
        costs=costs,
        moves=root_places(library),
        takes=takes,
        stops=stops,
        roots=roots,
        root_first=np.searchsorted(out[roots], np.arange(len(takes) + 1)).astype(np.int64),
        least=least,
    )
    return FrameGraph(
        jumps=jumps,
        hops=_hops(jumps, parents),
        rms_m=pairs.rms_m[outs, ins],
        carriers=pairs.pivots[outs, ins].astype(np.int64),
        onward=_onward(jumps),
    )


def _windows(library: Library) -> Windows:
    joints, weights = joint_weights(library.skeleton, LibraryOptions())
    footage = library.footage
    return windows(footage.world.positions[:, joints], weights, half=library.half_window, starts=footage.starts)


def _compared_frames(library: Library, points: Windows) -> IntArray:
    """Frames whose windows lie within their take; not too many of them."""
    frames = np.flatnonzero(points.valid)
    if len(frames) <= MOST_FRAMES:
        return frames
    cuts = np.unique(np.concatenate([library.graph.first, library.graph.last]))[: MOST_FRAMES // 2]
    even = frames[np.linspace(0, len(frames) - 1, MOST_FRAMES - len(cuts)).astype(np.int64)]
    return np.unique(np.concatenate([cuts, even]))


def _worth(frames: IntArray, takes: IntArray, stops: IntArray, least: int) -> BoolArray:
    """``(n, n)`` pairs that lead somewhere else, with enough frames left to play."""
    near = (takes[:, None] == takes[None]) & (np.abs(frames[:, None] - frames[None]) < 2 * least)
    return np.asarray(~near & (stops - frames >= least)[None])


def _shakes(library: Library, frames: IntArray, pairs: CutPairs, outs: IntArray, ins: IntArray) -> FloatArray:
    """``(edges,)`` how much every jump shakes the trunk, over what the clips do."""
    count = len(outs)
    ends = np.concatenate([frames[outs], frames[ins]])
    nothing = np.zeros((2 * count, 3))
    graph = Graph(
        first=ends,
        last=ends,
        labels=np.zeros(2 * count, dtype=np.int64),
        frames=nothing,
        moves=nothing,
        edge_starts=np.minimum(np.arange(2 * count + 1), count),
        targets=np.arange(count, 2 * count),
        transforms=pairs.transforms(outs, ins),
        pivots=np.zeros((count, 2)),
        ranges=np.zeros((count, 2)),
        costs=pairs.rms_m[outs, ins],
        carriers=pairs.pivots[outs, ins],
    )
    return seam_accelerations(replace(library, graph=graph))


def _live(out: IntArray, into: IntArray, stops: IntArray) -> BoolArray:
    """Edges between frames that can go on for ever."""
    count = len(stops)
    inside = np.flatnonzero(stops > np.arange(count))
    alive = largest_component(np.concatenate([inside, out]), np.concatenate([inside + 1, into]), count)
    return np.asarray(alive[out] & alive[into])


def _costs(rms_m: FloatArray, shake: FloatArray, threshold_m: float) -> FloatArray:
    """What a jump costs [m], as :class:`understudy.locomotion.Walker` weighs transitions."""
    alike = SEAM_COST_M * (rms_m / threshold_m) ** 2
    return alike + SHAKE_COST_M * shake**2 + ROUGH_COST_M * np.maximum(shake - ROUGH, 0.0)


def _thinned(outs: IntArray, ins: IntArray, costs: FloatArray, takes: IntArray) -> tuple[IntArray, IntArray]:
    """Edges that are kept, in order, and the kept edge each one refines (-1 for root edges)."""
    from understudy.locomotion.sampling._graph_kernels import thin

    order = np.argsort(costs, kind="stable")
    refined = thin(outs, ins, order, takes, np.array(LEVELS, dtype=np.int64), MOST_CHILDREN)
    kept = np.flatnonzero(refined > -2)
    number = np.full(len(outs), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    coarser = refined[kept]
    return kept, np.where(coarser < 0, -1, number[np.maximum(coarser, 0)])


def _pivots(pairs: CutPairs, outs: IntArray, ins: IntArray) -> FloatArray:
    places = pairs.places[outs, pairs.pivots[outs, ins]]
    return np.ascontiguousarray(np.stack([places.imag, places.real], axis=-1))


def _ranges(pairs: CutPairs, outs: IntArray, ins: IntArray, threshold_m: float) -> FloatArray:
    half = pairs.half_ranges_rad(outs, ins, threshold_m)
    return np.ascontiguousarray(np.stack([-half, half], axis=-1))


def _hops(jumps: Jumps, parents: IntArray) -> Hops:
    """Lists of finer edges and of the root edges between any two takes."""
    children = np.flatnonzero(parents >= 0)
    children = children[np.argsort(parents[children], kind="stable")]
    count = int(jumps.takes[-1]) + 1
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
    """``(frames,)`` last frame of a take that a root edge leaves, for frames up to it; -1 beyond."""
    latest = np.full(int(jumps.takes[-1]) + 1, -1, dtype=np.int64)
    np.maximum.at(latest, jumps.takes[jumps.out[jumps.roots]], jumps.out[jumps.roots])
    last = latest[jumps.takes]
    return np.where(last >= np.arange(len(last)), last, -1)
