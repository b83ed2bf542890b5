"""What the sampling searches read: plain arrays in named tuples, as compiled kernels take them.

A *stretch* is a run of frames of one take. A *place* is where a take's own axes lie in the world, (x, z, yaw).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.typing import BoolArray, FloatArray, IntArray

Float32Array = npt.NDArray[np.float32]


class Jumps(NamedTuple):
    """Jumps between frames, sorted by the frame they leave. A place in a take's axes is a row (x, z, heading).

    Attributes:
        out: ``(edges,)`` frame an edge leaves.
        into: ``(edges,)`` frame it leads to.
        transforms: ``(edges, 3)`` where the entered take lies in the axes of the left one.
        pivots: ``(edges, 2)`` floor point in the left take's axes about which the rest may be turned [m].
        ranges: ``(edges, 2)`` lowest and highest such turn [rad].
        costs: ``(edges,)`` what a jump costs [m].
        moves: ``(frames, 3)`` root and heading in the take's axes.
        arcs: ``(frames,)`` way of the root up to a frame, summed from the first frame [m].
        efforts: ``(frames,)`` what playing up to a frame costs beyond its way, summed from the first frame [m].
        takes: ``(frames,)`` run of playable frames, within one take, that a frame belongs to; -1 for none.
        stops: ``(frames,)`` last frame of that run.
        roots: Root edges, in order.
        root_first: ``(frames + 1,)`` root edges ``roots[root_first[f]:root_first[f + 1]]`` leave frame ``f``.
        least: Fewest frames between two edges.
    """

    out: IntArray
    into: IntArray
    transforms: FloatArray
    pivots: FloatArray
    ranges: FloatArray
    costs: FloatArray
    moves: FloatArray
    arcs: FloatArray
    efforts: FloatArray
    takes: IntArray
    stops: IntArray
    roots: IntArray
    root_first: IntArray
    least: int


class Chain(NamedTuple):
    """The jumps of one sequence alone, as ``bend`` reads them; ``moves`` has one row, for its last frame."""

    transforms: FloatArray
    pivots: FloatArray
    ranges: FloatArray
    moves: FloatArray


class Hops(NamedTuple):
    """What mutations choose from.

    Attributes:
        parents: ``(edges,)`` the coarser edge this one refines; -1 for root edges.
        child_first: ``(edges + 1,)`` where an edge's finer ones begin in ``children``.
        children: Those edges.
        pair_first: ``(runs * runs + 1,)`` where the root edges from one run to another begin in ``pairs``.
        pairs: Those edges, by the frame they leave.
    """

    parents: IntArray
    child_first: IntArray
    children: IntArray
    pair_first: IntArray
    pairs: IntArray


class BodyTable(NamedTuple):
    """The body in every frame, in the take's axes: capsules covered by balls.

    Attributes:
        discs: ``(frames, 3)`` x, z and radius of a disc around the whole body's shadow [m].
        middles: ``(frames, capsules, 3)`` middle of every capsule [m].
        bounds: ``(capsules,)`` radius about that middle that holds the capsule [m].
        balls: ``(frames, balls, 3)`` centres of balls along the capsules [m].
        ball_first: ``(capsules + 1,)`` where a capsule's balls begin.
        radii: ``(balls,)`` [m].
    """

    discs: FloatArray
    middles: Float32Array
    bounds: FloatArray
    balls: Float32Array
    ball_first: IntArray
    radii: FloatArray


class Volume(NamedTuple):
    """Distance to the nearest solid at the corners of small cubes, up to a limit; negative inside.

    Attributes:
        low: ``(3,)`` x, y, z of the first corner [m].
        cell: Width of a cube [m].
        values: ``(nz, nx, ny)`` [m].
        flat: ``(nz, nx)`` a lower bound over all heights, beyond the limit, too [m].
    """

    low: FloatArray
    cell: float
    values: Float32Array
    flat: Float32Array


class Targets(NamedTuple):
    """What a sequence is asked to do; the last row is the goal, which counts at the last frame only.

    Attributes:
        places: ``(n, 3)`` x, z [m] and heading [rad].
        kinds: ``(n, 2)`` whether the place and whether the heading counts.
        actions: ``(n,)`` row of ``shown`` with the frames that count; -1 for any.
        shown: ``(actions, frames)`` which frames show an action.
        start: ``(4,)`` x, z and heading where the sequence begins, and 1 where the heading is the hips', 0 where it is
            the direction of travel.
        starts: Frames it may begin with.
        expected: Length of the way [m].
    """

    places: FloatArray
    kinds: BoolArray
    actions: IntArray
    shown: BoolArray
    start: FloatArray
    starts: IntArray
    expected: float


class Weights(NamedTuple):
    """How the parts of the cost are weighed.

    Attributes:
        location: Of a squared distance from a target [1/m^2].
        orientation: Of a squared heading error [1/rad^2].
        smooth: Of the transitions' costs.
        collide: Of the frames' share of balls inside obstacles, before it is squared.
        travel: Of how much longer than expected the way is, before it is squared.
        follow: 1 where every frame pays for its distance from the nearest target, else 0.
        follow_m: The distance that costs 1 [m].
        margin: Balls nearer than this to an obstacle count as inside [m].
    """

    location: float
    orientation: float
    smooth: float
    collide: float
    travel: float
    follow: float
    follow_m: float
    margin: float


class Close(NamedTuple):
    """What an ending has to keep.

    Attributes:
        goal: ``(4,)`` x, z, heading, and 1 where the heading matters.
        errors: ``(2,)`` errors that are small enough [m], [rad].
        margin: Distance to keep from obstacles [m].
        past_m: How far from the goal bending begins at most [m].
    """

    goal: FloatArray
    errors: FloatArray
    margin: float
    past_m: float


class Stage(NamedTuple):
    """Who moves, and where.

    Attributes:
        jumps: The jumps.
        body: The body in every frame.
        volume: The scene.
        step: Frames between those that are looked at in a cost; what is found is tested in every frame.
    """

    jumps: Jumps
    body: BodyTable
    volume: Volume
    step: int


class Problem(NamedTuple):
    """What a Monte-Carlo search minimises.

    Attributes:
        stage: Who moves, and where.
        hops: What mutations choose from.
        targets: What is asked.
        weights: How it is weighed.
        close: What an ending has to keep.
    """

    stage: Stage
    hops: Hops
    targets: Targets
    weights: Weights
    close: Close


class Found(NamedTuple):
    """Sequences that end at the goal and are free, as rows.

    Attributes:
        chains: ``(n, most)`` edges.
        turns: ``(n, most)`` extra turn at each [rad].
        heads: ``(n, 3)`` number of edges, first and last frame.
        places: ``(n, 3)`` where the first take lies.
        costs: ``(n,)`` length of the way and of its jumps [m].
    """

    chains: IntArray
    turns: FloatArray
    heads: IntArray
    places: FloatArray
    costs: FloatArray


#: Most jumps of a sequence.
MOST_EDGES = 96
