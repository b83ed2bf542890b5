"""What searches read: plain arrays in named tuples, as compiled kernels take them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.floor.tables import DistanceGrid, SegmentGrid
from understudy.typing import BoolArray, FloatArray, IntArray

#: The edge of a root that is settled already, and the columns of :attr:`Tree.places`.
SETTLED, COLUMNS = -2, 11


class At(NamedTuple):
    """Where a clip's frame is put: x, z [m] and yaw [rad]."""

    x: float
    z: float
    yaw: float


class GraphTable(NamedTuple):
    """The library's graph; see :class:`understudy.library.Graph`.

    Attributes:
        edge_starts: ``(nodes + 1,)``.
        targets: ``(edges,)``.
        transforms: ``(edges, 3)`` rows (x, z, yaw).
        pivots: ``(edges, 2)`` (x, z) [m].
        ranges: ``(edges, 2)`` [rad].
        costs: ``(edges,)`` what a transition adds to a way's cost [m].
        moves: ``(nodes, 3)`` root and heading at a clip's end, in its frame.
        lengths: ``(nodes,)`` what a clip adds to a way's cost [m]: how far its root travels, and its time.
    """

    edge_starts: IntArray
    targets: IntArray
    transforms: FloatArray
    pivots: FloatArray
    ranges: FloatArray
    costs: FloatArray
    moves: FloatArray
    lengths: FloatArray


class Strides(NamedTuple):
    """Where every transition leads, seen from the clip before it: as it is, and at either end of its range.

    Attributes:
        frames: ``(3, edges, 3)`` the next clip's frame (x, z, yaw).
        ends: ``(3, edges, 3)`` root and heading at its end.
    """

    frames: FloatArray
    ends: FloatArray


class Silhouettes(NamedTuple):
    """Discs that cover the body's shadow on the floor over every clip, in the clip's frame.

    Attributes:
        clips: ``(nodes, 3)`` x, z and radius of one disc around a whole clip [m].
        first: ``(nodes + 1,)`` where a clip's frames begin.
        frames: ``(frames, 3)`` one disc around the body in every sampled frame.
        frame_first: ``(frames + 1,)`` where a frame's discs begin.
        discs: ``(discs, 3)`` discs that cover the shadow in that frame.
        patch_first: ``(nodes + 1,)`` where the patches begin that a clip's whole shadow is cut into.
        patches: ``(patches, 4)`` one disc around every patch, and how far it reaches from the middle of the disc around
            the clip [m], farthest first.
        swept_first: ``(patches + 1,)`` where a patch's discs begin.
        swept: ``(n, 3)`` discs that cover the shadow over the clip's whole time.
    """

    clips: FloatArray
    first: IntArray
    frames: FloatArray
    frame_first: IntArray
    discs: FloatArray
    patch_first: IntArray
    patches: FloatArray
    swept_first: IntArray
    swept: FloatArray


class Pace(NamedTuple):
    """How long clips take.

    Attributes:
        step_s: Time between the sampled frames of a clip's silhouettes [s]; the last one is at the clip's end.
        seconds: ``(nodes,)`` duration of every clip [s].
    """

    step_s: float
    seconds: FloatArray


class Movers(NamedTuple):
    """Everything that moves, for kernels, sampled over time.

    Attributes:
        track_first: ``(tracks + 1,)`` where a track's samples begin.
        track_times: ``(tracks, 3)`` time of the first sample, time between samples, until when it is there [s].
        around: ``(samples, 3)`` a disc (x, z, radius) around everything at that time [m].
        shape_first: ``(samples + 1,)`` where a sample's shapes begin.
        shapes: ``(shapes, 5)`` both ends (x, z) and radius of a line as thick as that [m]; discs have equal ends.
        filled: ``(tracks,)`` 1 where the lines enclose an area that is solid, too.
    """

    track_first: IntArray
    track_times: FloatArray
    around: FloatArray
    shape_first: IntArray
    shapes: FloatArray
    filled: IntArray


class World(NamedTuple):
    """Everything a search looks at.

    Attributes:
        graph: The library's graph.
        strides: Where its transitions lead.
        shadows: Silhouettes of its clips.
        pace: How long they take.
        near: Distances on the floor.
        grid: Edges on the floor.
        movers: What moves.
    """

    graph: GraphTable
    strides: Strides
    shadows: Silhouettes
    pace: Pace
    near: DistanceGrid
    grid: SegmentGrid
    movers: Movers


class PathTable(NamedTuple):
    """A path, sampled evenly.

    Attributes:
        points: ``(n, 2)`` (x, z) [m].
        headings: ``(n,)`` direction of travel [rad]; 0 is +Z, a quarter turn +X.
        step_m: Distance of samples along the path [m].
        goal: ``(4,)`` x, z, heading [rad] and 1 where the heading matters, else 0.
        finals: ``(nodes,)`` clips a walk may end with; empty for any.
    """

    points: FloatArray
    headings: FloatArray
    step_m: float
    goal: FloatArray
    finals: BoolArray = np.zeros(0, dtype=bool)


class Limits(NamedTuple):
    """Numbers that steer a beam; what may differ along the path has a value for every stretch of ``bucket_m``.

    Attributes:
        widths: ``(stretches,)`` states kept in a bucket.
        deviations_m: ``(stretches,)`` largest distance from the path [m].
        steers_rad: ``(stretches,)`` where a state heads farther off the path than this, transitions are tried with
            their widest turn too [rad]; negative for always and both ways.
        low_m: The least progress a state may have [m].
        bucket_m: Length of a bucket and of a stretch [m].
        margin_m: Distance kept between silhouettes and obstacles [m].
        apart_m: Distance kept between silhouettes and what moves [m].
        past_m: How far a branch may end from the goal before it is bent [m].
        states: Most states.
        candidates: Most branches that are kept for bending.
    """

    widths: IntArray
    deviations_m: FloatArray
    steers_rad: FloatArray
    low_m: float
    bucket_m: float
    margin_m: float
    apart_m: float
    past_m: float
    states: int
    candidates: int


class Tolerances(NamedTuple):
    """What a branch has to keep once it is bent to the goal.

    Attributes:
        errors: ``(2,)`` errors that are small enough [m], [rad].
        margin_m: Distance kept between silhouettes and obstacles [m].
        apart_m: Distance kept between silhouettes and what moves [m].
    """

    errors: FloatArray
    margin_m: float
    apart_m: float


class Tree(NamedTuple):
    """Every state a search made, and which of them may be bent to the goal.

    Attributes:
        places: ``(n, 11)`` x, z, yaw of the clip's frame; x, z, yaw at its end; arc length along the path; cost; score;
            extra turn at the transition that led to it [rad]; when the clip begins [s].
        links: ``(n, 3)`` clip, parent state (-1 at the root), edge from it (-1 at the root, :data:`SETTLED` where the
            clip was there before the search).
        candidates: ``(m,)`` states at the goal, most promising first.
        expanded: How many states were expanded.
    """

    places: FloatArray
    links: IntArray
    candidates: IntArray
    expanded: int
