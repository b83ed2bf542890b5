"""What searches in time read: plain arrays in named tuples, as compiled kernels take them."""

from __future__ import annotations

from typing import NamedTuple

from understudy.floor.tables import DistanceGrid, SegmentGrid
from understudy.locomotion.tables import GraphTable, Silhouettes
from understudy.typing import FloatArray, IntArray


class At(NamedTuple):
    """Where a clip's frame is put: x, z [m] and yaw [rad]."""

    x: float
    z: float
    yaw: float


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
    """Everything a search in time looks at.

    Attributes:
        graph: The library's graph.
        shadows: Silhouettes of its clips.
        pace: How long they take.
        near: Distances on the floor.
        grid: Edges on the floor.
        movers: What moves.
    """

    graph: GraphTable
    shadows: Silhouettes
    pace: Pace
    near: DistanceGrid
    grid: SegmentGrid
    movers: Movers


class Scope(NamedTuple):
    """Numbers that steer a search over the next metres.

    Attributes:
        until_m: Where along the path the search ends [m].
        until_s: When it ends [s], for those who have not come that far but may stay where they are.
        to_goal: Whether that is the goal, 1 or 0: branches that have reached or passed it may then be bent to it.
        width: States kept in a bucket.
        early_width: The same where the search begins.
        early_m: How far along the path it begins [m].
        late_width: The same near the goal.
        late_m: How far before the goal that is [m].
        bucket_m: Length of a bucket [m].
        deviation_m: Largest distance from the path [m].
        early_deviation_m: The same where the search begins [m].
        margin_m: Distance kept between silhouettes and obstacles [m].
        apart_m: Distance kept between silhouettes and what moves [m].
        past_m: How far a branch may end from the goal before it is bent [m].
        steer_rad: Where a state heads farther off the path than this, transitions are tried with their widest turn too.
        states: Most states.
        candidates: Most branches that are kept.
    """

    until_m: float
    until_s: float
    to_goal: int
    width: int
    early_width: int
    early_m: float
    late_width: int
    late_m: float
    bucket_m: float
    deviation_m: float
    early_deviation_m: float
    margin_m: float
    apart_m: float
    past_m: float
    steer_rad: float
    states: int
    candidates: int


class Pool(NamedTuple):
    """States while a search is under way.

    Attributes:
        places: ``(n, 11)`` as in :class:`Tree`, and when the clip begins [s].
        links: ``(n, 3)`` as in :class:`Tree`.
        items: ``(buckets, width)`` states of a bucket.
        filled: ``(buckets,)`` how many.
        ends: ``(candidates,)`` states where the search ends.
        hard: ``(candidates,)`` how good they are; smaller is better.
        counts: ``(3,)`` states made, ends found, states expanded.
    """

    places: FloatArray
    links: IntArray
    items: IntArray
    filled: IntArray
    ends: IntArray
    hard: FloatArray
    counts: IntArray
