"""What following a path with motion maps reads and writes: plain arrays in named tuples, as kernels take them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.locomotion.tables import GraphTable, PathTable, Tolerances, Tree, World
from understudy.typing import FloatArray, IntArray

#: What is known of a way that was not put down, or that something is in the way of.
UNKNOWN, BLOCKED = -1, -2
#: Places in the tally of what was done.
STATES, FOUND, STAGES, CELLS, BACK = 0, 1, 2, 3, 4


class MapTable(NamedTuple):
    """Motion maps as kernels take them; see :class:`understudy.library.motion_maps.MotionMaps`.

    Attributes:
        starts: ``(nodes + 1,)``.
        roots: ``(nodes,)`` the clip alone, among all ways.
        grids: ``(nodes, 4)``.
        average_m: ``(nodes,)``.
        cells: ``(ways,)``.
        parents: ``(ways,)``.
        edges: ``(ways,)`` the library's edges.
        places: ``(ways, 3)``.
        way_lengths_m: ``(ways,)``.
        walker_edges: ``(library edges,)`` number of an edge in the walker's graph; -1 where it does not use it.
        lengths_m: ``(nodes,)`` how far the root travels in a clip [m].
    """

    starts: IntArray
    roots: IntArray
    grids: npt.NDArray[np.int32]
    average_m: FloatArray
    cells: npt.NDArray[np.int32]
    parents: npt.NDArray[np.int32]
    edges: npt.NDArray[np.int32]
    places: npt.NDArray[np.float32]
    way_lengths_m: npt.NDArray[np.float32]
    walker_edges: IntArray
    lengths_m: FloatArray


class Samples(NamedTuple):
    """Points of a path ahead of a map's first clip, in that clip's frame.

    Attributes:
        points: ``(n, 3)`` x, z and heading, every 0.1 m from where the first clip ends.
        goal: ``(4,)`` the goal's x, z, heading (the path's where any will do), and 1 where the heading matters.
        ahead_m: How far along the path the goal is [m].
        early: Whether the walk begins here.
        first: First sample that is asked for.
        stride: Every how many samples.
    """

    points: FloatArray
    goal: FloatArray
    ahead_m: float
    early: bool
    first: int
    stride: int


class Reach(NamedTuple):
    """How near to the path a way has to end, and how long following may go on.

    Attributes:
        radius_m: Largest distance from a sample of the path [m].
        turn_rad: Largest turn from its heading [rad].
        slack: How much longer than the path a way may be, as a share, except where a walk begins.
        early_m: How far along the path a walk begins [m].
        past_m: Largest distance from the goal of a way that will be bent to it [m].
        wanted: Following ends with so many branches that can be bent to the goal.
        stages: Most maps that are put down.
        pages: How often a stage where a walk begins may ask again.
    """

    radius_m: float
    turn_rad: float
    slack: float
    early_m: float
    past_m: float
    wanted: int
    stages: int
    pages: int


class Question(NamedTuple):
    """What a map is asked.

    Attributes:
        maps: The maps.
        graph: The walker's graph.
        node: Clip whose map is asked.
        ahead: The path, as seen from it.
        reach: How near to the path ways have to end.
        known: ``(ways,)`` what is known of the map's ways: state, :data:`UNKNOWN` or :data:`BLOCKED`.
        above: Only ways of more worth than this.
    """

    maps: MapTable
    graph: GraphTable
    node: int
    ahead: Samples
    reach: Reach
    known: IntArray
    above: float


class Course(NamedTuple):
    """Everything following reads.

    Attributes:
        maps: The maps.
        world: The walker's graph, and what stands there.
        path: The path to follow.
        reach: How closely, and how long.
        kept: What a branch has to keep that is bent to the goal.
    """

    maps: MapTable
    world: World
    path: PathTable
    reach: Reach
    kept: Tolerances


class Work(NamedTuple):
    """Everything following writes.

    Attributes:
        places: ``(states, 11)`` clips that were put down; see :class:`understudy.locomotion.tables.Tree`.
        links: ``(states, 3)`` the same.
        ends: ``(wanted,)`` states at the goal.
        hard: ``(wanted,)`` their worth.
        stages: ``(stages, 3)``; see :class:`Followed`.
        consulted: ``(cells, 5)``; see :class:`Followed`.
        stack: ``(deepest, 6)`` open stages: number, ways to the goal, ways in all, next one, times asked wider
            and asked again.
        ways: ``(deepest, ways)`` the open stages' ways, best first, those to the goal before all others.
        worth: ``(deepest, ways)`` their worth.
        known: ``(deepest, ways of the largest map)`` the state in which a way ended, or that it is blocked.
        closed: Hash table of the clips and cells where stages began.
        tally: ``(5,)`` states, branches, stages and cells so far, and how often a stage was given up.
    """

    places: FloatArray
    links: IntArray
    ends: IntArray
    hard: FloatArray
    stages: IntArray
    consulted: IntArray
    stack: IntArray
    ways: IntArray
    worth: FloatArray
    known: IntArray
    closed: IntArray
    tally: IntArray


class Followed(NamedTuple):
    """What following did.

    Attributes:
        tree: All clips that were put down, and the branches at the goal.
        stages: ``(n, 3)`` state in the tree on which a map was put, stage before it (-1 for none), and how many ways
            came into question.
        consulted: ``(m, 5)`` stage, column, row and sector of every cell that was asked for, and ways that ended there.
        backtracks: How often a stage was given up.
    """

    tree: Tree
    stages: IntArray
    consulted: IntArray
    backtracks: int
