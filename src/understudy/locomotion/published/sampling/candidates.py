"""Candidates for jumps: pairs of frames that look alike with their carrying feet in one place."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy.core.body import Body
from understudy.library import Graph, Library
from understudy.library.distance import Windows, windows
from understudy.library.options import LibraryOptions
from understudy.library.preparation import joint_weights
from understudy.library.segmentation import with_carriers
from understudy.library.transitions import cut_pairs
from understudy.library.trials import body_table, passing, sound_clips
from understudy.locomotion.seams import seam_accelerations
from understudy.locomotion.walker import SEAM_COST_M
from understudy.typing import BoolArray, FloatArray, IntArray

#: Frames compared at most; of longer footage the graph's cuts and evenly spaced frames are.
MOST_FRAMES = 2400
#: [s] how much of both clips a jump is tried with.
_TRIAL_S = 0.6
#: [m] cost of any jump: few are better than many.
JUMP_COST_M = 0.12
#: [m] cost of shaking the trunk as much as the clips ever do, and beyond which it costs no more; trials say what is too
#: rough.
SHAKE_COST_M, MOST_SHAKE = 0.05, 2.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidates:
    """Pairs of frames, as arrays ``(n, ...)``.

    Attributes:
        out: Frame that is left.
        into: Frame that is entered.
        places: ``(n, 2)`` where both are among the compared frames.
        transforms: ``(n, 3)`` where the entered take lies in the left one's axes.
        pivots: ``(n, 2)`` what the rest may be turned about (x, z) [m].
        ranges: ``(n, 2)`` how far [rad].
        rms_m: Distance of their windows [m].
        carriers: Carrying feet, as bits.
        costs: What the jump costs [m].
    """

    out: IntArray
    into: IntArray
    places: IntArray
    transforms: FloatArray
    pivots: FloatArray
    ranges: FloatArray
    rms_m: FloatArray
    carriers: IntArray
    costs: FloatArray

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.out)

    def kept(self, which: BoolArray | IntArray) -> Candidates:
        """Some of them."""
        return Candidates(**{name: values[which] for name, values in vars(self).items()})


def alike_pairs(library: Library, runs: IntArray, stops: IntArray, least: int) -> tuple[Candidates, IntArray]:
    """All pairs under the library's threshold that lead elsewhere, and the compared frames.

    Args:
        library: The clips.
        runs: ``(frames,)`` number of the run of playable frames each belongs to; -1 for none.
        stops: ``(frames,)`` last frame of that run.
        least: Fewest frames to be played.
    """
    points, options = _windows(library), LibraryOptions()
    frames = _compared_frames(library, points, runs)
    pairs = cut_pairs(
        library.footage,
        points,
        with_carriers(library.footage, frames),
        foot_slack_m=options.foot_slack_m,
        foot_turn_rad=float(np.radians(options.foot_turn_deg)),
    )
    outs, ins = np.nonzero((pairs.rms_m <= library.threshold_m) & _worth(frames, runs[frames], stops[frames], least))
    kinds, rms = pairs.pivots[outs, ins], pairs.rms_m[outs, ins]
    pivots, half = pairs.places[outs, kinds], pairs.half_ranges_rad(outs, ins, library.threshold_m)
    found = Candidates(
        out=frames[outs].astype(np.int64),
        into=frames[ins].astype(np.int64),
        places=np.stack([outs, ins], axis=1),
        transforms=np.ascontiguousarray(pairs.transforms(outs, ins)),
        pivots=np.ascontiguousarray(np.stack([pivots.imag, pivots.real], axis=-1)),
        ranges=np.ascontiguousarray(np.stack([-half, half], axis=-1)),
        rms_m=rms,
        carriers=kinds.astype(np.int64),
        costs=np.zeros(len(rms)),
    )
    shake = seam_accelerations(replace(library, graph=_graph(found, found.out, found.into)))
    alike = SEAM_COST_M * (rms / library.threshold_m) ** 2
    return replace(found, costs=JUMP_COST_M + alike + SHAKE_COST_M * np.minimum(shake, MOST_SHAKE) ** 2), frames


def tried(library: Library, found: Candidates) -> Candidates:
    """Those that come through a trial of the library's own, ranges narrowed to turns that do."""
    footage = library.footage
    frames = round(_TRIAL_S * footage.fps)
    takes = footage.take_of(found.out), footage.take_of(found.into)
    begins = np.maximum(found.out - frames, footage.starts[takes[0]])
    ends = np.minimum(found.into + frames, footage.starts[takes[1] + 1] - 1)
    graph, count = _graph(found, begins, ends), len(found)
    # The order of edges is kept, so those that are left are told by their number in place of the carriers' foot.
    numbered = replace(graph, costs=np.arange(count, dtype=np.float64))
    better, _ = passing(footage, numbered, library.half_window)
    left = better.costs.astype(np.int64)
    return replace(found.kept(left), ranges=np.ascontiguousarray(better.ranges))


def playable(library: Library, body: Body) -> tuple[IntArray, IntArray]:
    """Runs of frames without faults of their own: ``(frames,)`` their number, -1 for none, and their last frame."""
    footage = library.footage
    count = len(footage)
    every = np.arange(count)
    nothing = np.zeros((count, 3))
    single = replace(
        library.graph, first=every, last=every, labels=np.zeros(count, dtype=np.int64), frames=nothing, moves=nothing
    )
    sound = sound_clips(footage, single, body, body_table(footage, body).gaps)
    takes = footage.take_of(every)
    begins = sound & ~(np.roll(sound, 1) & (np.roll(takes, 1) == takes) & (every > 0))
    runs = np.where(sound, np.cumsum(begins) - 1, -1)
    last = np.full(int(runs.max(initial=-1)) + 1, -1, dtype=np.int64)
    np.maximum.at(last, runs[sound], every[sound])
    return runs.astype(np.int64), np.where(sound, last[np.maximum(runs, 0)] if len(last) else every, every).astype(
        np.int64
    )


def _graph(found: Candidates, begins: IntArray, ends: IntArray) -> Graph:
    """A graph with two clips of its own for every pair: one that ends where it leaves, one from where it enters on."""
    count = len(found)
    nothing = np.zeros((2 * count, 3))
    return Graph(
        first=np.concatenate([begins, found.into]),
        last=np.concatenate([found.out, ends]),
        labels=np.zeros(2 * count, dtype=np.int64),
        frames=nothing,
        moves=nothing,
        edge_starts=np.minimum(np.arange(2 * count + 1), count),
        targets=np.arange(count, 2 * count),
        transforms=found.transforms,
        pivots=found.pivots,
        ranges=found.ranges,
        costs=found.rms_m,
        carriers=found.carriers,
    )


def _windows(library: Library) -> Windows:
    joints, weights = joint_weights(library.skeleton, LibraryOptions())
    footage = library.footage
    return windows(footage.world.positions[:, joints], weights, half=library.half_window, starts=footage.starts)


def _compared_frames(library: Library, points: Windows, runs: IntArray) -> IntArray:
    """Playable frames whose windows lie within their take; not too many of them."""
    frames = np.flatnonzero(points.valid & (runs >= 0))
    if len(frames) <= MOST_FRAMES:
        return frames
    cuts = np.unique(np.concatenate([library.graph.first, library.graph.last]))
    cuts = cuts[points.valid[cuts] & (runs[cuts] >= 0)][: MOST_FRAMES // 2]
    even = frames[np.linspace(0, len(frames) - 1, MOST_FRAMES - len(cuts)).astype(np.int64)]
    return np.unique(np.concatenate([cuts, even]))


def _worth(frames: IntArray, runs: IntArray, stops: IntArray, least: int) -> BoolArray:
    """``(n, n)`` pairs that lead somewhere else, with enough frames left to play."""
    near = (runs[:, None] == runs[None]) & (np.abs(frames[:, None] - frames[None]) < 2 * least)
    return np.asarray(~near & (stops - frames >= least)[None])
