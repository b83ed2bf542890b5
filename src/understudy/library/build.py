"""Building a motion library from clips ([Maps]; thesis §3.3 and §3.4)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.errors import PlanningInputError
from understudy.library.deformation import bent_footage
from understudy.library.distance import Windows, local_minima, windows
from understudy.library.footage import Footage, joined
from understudy.library.gpu_image import gpu_fault, gpu_minima
from understudy.library.graph import (
    Graph,
    assembled,
    connecting_threshold_m,
    largest_component,
    restricted,
    without_twists,
    without_unused_labels,
)
from understudy.library.links import Links, linked, minima_only
from understudy.library.motion_library import Library
from understudy.library.options import LibraryOptions
from understudy.library.preparation import going_on, joint_weights, prepared
from understudy.library.scratch import MEMORY, Scratch
from understudy.library.segmentation import (
    UNNAMED,
    Cuts,
    Segments,
    feature_cuts,
    minima_cuts,
    segments_of,
    uncovered,
    with_carriers,
)
from understudy.library.trials import passing
from understudy.typing import BoolArray, FloatArray, IntArray

#: [m] how much deeper than usual soles may sink and legs overlap where, without it, trials leave less than this share
#: of the clips.
_ALLOWANCES_M, _ENOUGH = (0.0, 0.01, 0.025), 0.5
#: [m] farther than this nothing is compared with.
_FINITE_M = 1e9


def build_library(motions: Iterable[Motion], *, options: LibraryOptions | None = None) -> Library:
    """Cut clips, find out which can follow which, and keep those that can always go on.

    Args:
        motions: Clips of one person, or of several with the same joints.
        options: See :class:`LibraryOptions`.

    Raises:
        PlanningInputError: No clips, all of them too short, or none that can be joined; the message says which
            threshold would do.
        SkeletonError: Clips of different skeletons; retarget them first.
    """
    options = options or LibraryOptions()
    watch = options.watch()
    watch.stage("prepare")
    scratch = MEMORY if options.scratch is None else Scratch(Path(options.scratch))
    footage, notes = prepared([scratch.kept(motion) for motion in motions], options, watch, scratch=scratch)
    half, least = options.half_window(footage.fps), options.min_clip(footage.fps)
    watch.stage("segment")
    points = _windows(footage, options, half)
    cuts, minima = _cuts(footage, points, options, watch, least)
    if options.bends_degps:
        watch.stage("bend")
        bent, bent_cuts = bent_footage(footage, cuts, options, half=half)
        cuts = _with_bent(cuts, bent_cuts, len(footage))
        footage = joined(footage, bent)
        points = _windows(footage, options, half)
    segments = segments_of(footage, cuts)
    _require_segments(segments, options)
    graph, labels, remarks = _graph(footage, points, cuts, segments, minima, options, watch)
    stats = watch.stats()
    return Library(
        footage=footage,
        graph=graph,
        labels=labels,
        kind=options.graph,
        threshold_m=options.threshold_m,
        half_window=half,
        segments=len(segments),
        notes=(*notes, *_device_notes(options), *remarks),
        seconds={**stats.stage_seconds, "total": stats.seconds},
    )


def _graph(
    footage: Footage,
    points: Windows,
    cuts: Cuts,
    segments: Segments,
    minima: IntArray | None,
    options: LibraryOptions,
    watch: Watch,
) -> tuple[Graph, tuple[str, ...], list[str]]:
    """The largest part of the graph that can always go on, or all of it; the names of its labels; remarks."""
    watch.stage("compare")
    usable = None if minima is None else minima_only(cuts, minima)
    links = linked(
        footage,
        points,
        cuts,
        segments,
        options,
        threshold_m=options.threshold_m,
        usable=usable,
        progress=lambda share: going_on(watch, share),
    )
    watch.stage("connect")
    graph, labels = assembled(footage, cuts, segments, links, threshold_m=options.threshold_m)
    graph = without_twists(graph, footage.planted)
    keep = largest_component(graph.sources, graph.targets, graph.nodes)
    remarks: list[str] = []
    if not keep.any():
        every = linked(footage, points, cuts, segments, options, threshold_m=_FINITE_M)
        remarks, keep = [_no_transitions(segments, every, options)], np.ones(graph.nodes, dtype=bool)
    elif options.trials:
        watch.stage("try")
        graph, keep, remarks = _tried(footage, restricted(graph, keep), points.half)
    return *without_unused_labels(restricted(graph, keep), labels), remarks


def _tried(footage: Footage, graph: Graph, half: int) -> tuple[Graph, BoolArray, list[str]]:
    """The graph without transitions that go wrong, what of it can still always go on, and what was left out."""
    best, kept, remarks = graph, np.zeros(graph.nodes, dtype=bool), list[str]()
    for allowance_m in _ALLOWANCES_M:
        better, counts = passing(footage, graph, half, allowance_m=allowance_m)
        keep = largest_component(better.sources, better.targets, better.nodes)
        if keep.sum() > kept.sum():
            left_out = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
            deeper = f"; soles and legs were let {1000 * allowance_m:.0f} mm deeper" if allowance_m else ""
            remarks = [f"trials of {graph.edges} transitions: {left_out}{deeper}"] if left_out or deeper else []
            best, kept = better, keep
        # Recordings whose feet are all a little too deep are still recordings; of others the bad clips are left out.
        if kept.sum() >= _ENOUGH * graph.nodes:
            break
    if not kept.any():
        return graph, np.ones(graph.nodes, dtype=bool), ["no way through the clips passes all trials; all were kept"]
    return best, kept, remarks


def _windows(footage: Footage, options: LibraryOptions, half: int) -> Windows:
    joints, weights = joint_weights(footage.skeleton, options)
    at = footage.world.positions
    return windows(at, weights, half=half, starts=footage.starts, joints=joints, scratch=footage.scratch)


def _cuts(
    footage: Footage, points: Windows, options: LibraryOptions, watch: Watch, least: int
) -> tuple[Cuts, IntArray | None]:
    """Where the footage is cut; of a standard graph also the pairs of frames that are its transitions."""
    if options.graph == "standard":
        watch.stage("image")
        pairs, costs = _minima(points, options, watch, least)
        frames = minima_cuts(footage, pairs, costs, least=least, fixed=np.empty(0, dtype=np.int64))
        return with_carriers(footage, frames), pairs
    cuts = feature_cuts(footage, options.detectors, least=least, margin=points.half)
    if options.graph == "feature":
        return cuts, None
    watch.stage("image")
    bare = uncovered(footage, cuts, longest=round(options.max_clip_s * footage.fps))
    pairs, costs = _minima(points, options, watch, least)
    inside = bare[pairs].any(axis=1)
    # The other end of a pair may be a frame between two features; the nearest feature cut stands in for it.
    pairs = _snapped(pairs[inside], cuts, least)
    frames = minima_cuts(footage, pairs, costs[inside], least=least, fixed=cuts.frames)
    named = dict(zip(cuts.frames.tolist(), cuts.labels, strict=True))
    return with_carriers(footage, frames, [named.get(frame, UNNAMED) for frame in frames.tolist()]), None


def _minima(points: Windows, options: LibraryOptions, watch: Watch, least: int) -> tuple[IntArray, FloatArray]:
    apart = max(least, 2 * points.half)
    if options.device == "gpu" and not gpu_fault():
        return gpu_minima(points, threshold_m=options.threshold_m, apart=apart)
    return local_minima(
        points,
        threshold_m=options.threshold_m,
        apart=apart,
        progress=lambda share: going_on(watch, share),
    )


def _device_notes(options: LibraryOptions) -> tuple[str, ...]:
    """A remark where a graphics card was asked for and is not there."""
    fault = gpu_fault() if options.device == "gpu" and options.graph != "feature" else ""
    return (f"the processor made the distance image: {fault}",) if fault else ()


def _snapped(pairs: IntArray, cuts: Cuts, reach: int) -> IntArray:
    """Pairs whose frames move to a feature cut that is nearer than the shortest clip."""
    if len(cuts) == 0 or len(pairs) == 0:
        return pairs
    after = np.clip(np.searchsorted(cuts.frames, pairs), 1, len(cuts) - 1) if len(cuts) > 1 else np.zeros_like(pairs)
    before = np.maximum(after - 1, 0)
    nearer = np.where(
        np.abs(cuts.frames[after] - pairs) < np.abs(cuts.frames[before] - pairs),
        cuts.frames[after],
        cuts.frames[before],
    )
    return np.where(np.abs(nearer - pairs) < reach, nearer, pairs)


def _with_bent(cuts: Cuts, bent: Cuts, offset: int) -> Cuts:
    return Cuts(
        frames=np.concatenate([cuts.frames, bent.frames + offset]),
        labels=(*cuts.labels, *bent.labels),
        carriers=np.concatenate([cuts.carriers, bent.carriers]),
    )


def _require_segments(segments: Segments, options: LibraryOptions) -> None:
    if len(segments):
        return
    if options.graph == "standard":
        raise PlanningInputError(
            f"no two moments of these clips are alike within {options.threshold_m:g} m; raise the threshold"
        )
    names = ", ".join(detector.name for detector in options.detectors)
    raise PlanningInputError(
        f"no clip was found: the detectors ({names}) fire less than twice in every take; "
        "give clips that show them, other detectors, or build a standard or hybrid graph"
    )


def _no_transitions(segments: Segments, links: Links, options: LibraryOptions) -> str:
    enough = connecting_threshold_m(links.rms_m, links.sources, links.targets, len(segments))
    begin = f"none of the {len(segments)} clips can go on for ever under a threshold of {options.threshold_m:g} m"
    if enough is None:
        return f"{begin}, nor under any: no clip ends on the foot another begins on; walks are made of steps"
    least = np.ceil(enough * 1e4) / 1e4
    return f"{begin}; walks are made of steps; the smallest threshold that connects some is {least:g} m"
