"""What the walking search reads: plain arrays in named tuples, as compiled kernels take them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.typing import BoolArray, FloatArray, IntArray


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


class Strides(NamedTuple):
    """Where every transition leads, seen from the clip before it: as it is, and at either end of its range.

    Attributes:
        frames: ``(3, edges, 3)`` the next clip's frame (x, z, yaw).
        ends: ``(3, edges, 3)`` root and heading at its end.
    """

    frames: FloatArray
    ends: FloatArray


class Limits(NamedTuple):
    """Numbers that steer the search; see :class:`understudy.locomotion.WalkOptions`.

    What may differ along the path has a value for every stretch of ``bucket_m``.

    Attributes:
        widths: ``(stretches,)`` states kept in a bucket.
        deviations_m: ``(stretches,)`` largest distance from the path [m].
        steers_rad: ``(stretches,)`` where a state heads farther off the path than this, transitions are tried with
            their widest turn too [rad]; negative for always and both ways.
        low_m: The least progress a state may have [m].
        bucket_m: Length of a bucket and of a stretch [m].
        margin_m: Distance kept between silhouettes and obstacles [m].
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
    past_m: float
    states: int
    candidates: int


class Tree(NamedTuple):
    """Every state a search made, and which of them may be bent to the goal.

    Attributes:
        places: ``(n, 10)`` x, z, yaw of the clip's frame; x, z, yaw at its end; arc length along the path; cost; score;
            extra turn at the transition that led to it [rad].
        links: ``(n, 3)`` clip, parent state (-1 at the root), edge from it (-1 at the root).
        candidates: ``(m,)`` states at the goal, most promising first.
        expanded: How many states were expanded.
    """

    places: FloatArray
    links: IntArray
    candidates: IntArray
    expanded: int
