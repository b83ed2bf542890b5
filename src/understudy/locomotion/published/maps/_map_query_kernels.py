"""Compiled questions to a motion map: which ways end on a path, and how closely do they follow it (thesis, §4.5).

A way's worth, the smaller the better, is the area between it and the path over its squared length, as in the thesis,
and for every metre: how much longer than the path it is, what its transitions cost, and how far off it ends.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from understudy.compiling.kernel import njit
from understudy.library.motion_maps import CELL_M, SECTORS
from understudy.locomotion._chain_kernels import wrapped
from understudy.locomotion.published.maps.tables import BLOCKED, MapTable, Question, Samples
from understudy.locomotion.tables import PathTable
from understudy.typing import FloatArray, IntArray

#: [m] distance of samples; least progress of a way.
SAMPLE_M, LEAST_M = 0.1, 0.25
#: [m/rad] what a heading error at a way's end counts.
TURN_M = 0.5
#: What extra length, the cost of transitions and the miss at the end count.
EXCESS, COST, MISS = 3.0, 1.0, 1.0
#: Ways farther short of the goal than this cannot be bent to it [m].
SHORT_M = 0.03
#: [m] how much longer than the path a way may be in any case.
SLACK_M = 0.2


@njit(cache=True)
def samples_ahead(path: PathTable, at: FloatArray, arc: float, horizon_m: float, early_m: float) -> Samples:
    """Samples of a path from an arc length on, in a clip's frame ``at`` (x, z, yaw); walks begin up to ``early_m``."""
    total = path.step_m * (len(path.points) - 1)
    ahead = min(horizon_m, max(total - arc, 0.0))
    count = int(ahead / SAMPLE_M) + 1
    points = np.empty((count, 3))
    for k in range(count):
        exact = min(max((arc + k * SAMPLE_M) / path.step_m, 0.0), len(path.points) - 1.0)
        sample = min(int(exact), len(path.points) - 2) if len(path.points) > 1 else 0
        share = exact - sample
        after = min(sample + 1, len(path.points) - 1)
        x = path.points[sample, 0] + share * (path.points[after, 0] - path.points[sample, 0])
        z = path.points[sample, 1] + share * (path.points[after, 1] - path.points[sample, 1])
        points[k, 0], points[k, 1] = _into(at, x, z)
        points[k, 2] = wrapped(path.headings[after if share > 0.5 else sample] - at[2])
    goal = np.empty(4)
    goal[0], goal[1] = _into(at, path.goal[0], path.goal[1])
    goal[2], goal[3] = wrapped(path.goal[2] - at[2]), path.goal[3]
    if goal[3] <= 0.0:
        goal[2] = wrapped(path.headings[-1] - at[2])
    return Samples(points, goal, total - arc, arc < early_m, int(LEAST_M / SAMPLE_M), 1)


@njit(cache=True)
def _into(at: FloatArray, x: float, z: float) -> tuple[float, float]:
    """A point of the world in a frame."""
    c, s = math.cos(at[2]), math.sin(at[2])
    dx, dz = x - at[0], z - at[1]
    return c * dx - s * dz, s * dx + c * dz


@njit(cache=True)
def first_at(cells: npt.NDArray[np.int32], begin: int, end: int, cell: int) -> int:
    """The first of the ways ``begin`` up to ``end`` whose cell is not below ``cell``."""
    while begin < end:
        middle = (begin + end) >> 1
        if cells[middle] < cell:
            begin = middle + 1
        else:
            end = middle
    return begin


@njit(cache=True)
def row_of_cells(maps: MapTable, node: int, row: int, left: int, right: int) -> tuple[int, int]:
    """Ways that end in a row of a map's cells, from column ``left`` to ``right``, whatever their heading."""
    first, low, wide, high = maps.grids[node, 0], maps.grids[node, 1], maps.grids[node, 2], maps.grids[node, 3]
    begin, end = max(left - first, 0), min(right - first, wide - 1)
    if row < low or row >= low + high or begin > end:
        return 0, 0
    base = (row - low) * wide
    one = first_at(maps.cells, maps.starts[node], maps.starts[node + 1], (base + begin) * SECTORS)
    return one, first_at(maps.cells, one, maps.starts[node + 1], (base + end + 1) * SECTORS)


@njit(cache=True)
def ways_to_path(question: Question, picked: IntArray, worth: FloatArray) -> int:
    """Ways that end on samples of the path, best first into ``picked``; returns how many."""
    maps, ahead, radius = question.maps, question.ahead, question.reach.radius_m
    count = 0
    for k in range(ahead.first, len(ahead.points), ahead.stride):
        x, z, heading = ahead.points[k, 0], ahead.points[k, 1], ahead.points[k, 2]
        left, right = math.floor((x - radius) / CELL_M), math.floor((x + radius) / CELL_M)
        for row in range(math.floor((z - radius) / CELL_M), math.floor((z + radius) / CELL_M) + 1):
            begin, end = row_of_cells(maps, question.node, row, left, right)
            for way in range(begin, end):
                turn = abs(wrapped(maps.places[way, 2] - heading))
                off = _distance(maps, way, ahead, k)
                if off > radius or turn > question.reach.turn_rad or maps.parents[way] < 0:
                    continue
                # Several samples are near one way; the nearest counts.
                if off > _distance(maps, way, ahead, k - 1):
                    continue
                if k + 1 < len(ahead.points) and off >= _distance(maps, way, ahead, k + 1):
                    continue
                most = worth[count - 1] if count == len(picked) else np.inf
                value = worth_of(question, way, k * SAMPLE_M, off + TURN_M * turn, most)
                count = _keep(picked, worth, count, way, value)
    return count


@njit(cache=True)
def _distance(maps: MapTable, way: int, ahead: Samples, sample: int) -> float:
    return math.hypot(maps.places[way, 0] - ahead.points[sample, 0], maps.places[way, 1] - ahead.points[sample, 1])


@njit(cache=True)
def ways_to_goal(question: Question, picked: IntArray, worth: FloatArray) -> int:
    """Ways that end at or a little past the goal, best first into ``picked``; returns how many."""
    maps, ahead, radius = question.maps, question.ahead, question.reach.past_m
    x, z, count = ahead.goal[0], ahead.goal[1], 0
    left, right = math.floor((x - radius) / CELL_M), math.floor((x + radius) / CELL_M)
    arriving = ahead.points[len(ahead.points) - 1, 2]
    dx, dz = math.sin(arriving), math.cos(arriving)
    for row in range(math.floor((z - radius) / CELL_M), math.floor((z + radius) / CELL_M) + 1):
        begin, end = row_of_cells(maps, question.node, row, left, right)
        for way in range(begin, end):
            ox, oz = maps.places[way, 0] - x, maps.places[way, 1] - z
            off = math.hypot(ox, oz)
            turn = abs(wrapped(maps.places[way, 2] - ahead.goal[2]))
            if off > radius or ox * dx + oz * dz < -SHORT_M or turn > 0.5 * math.pi or maps.parents[way] < 0:
                continue
            most = worth[count - 1] if count == len(picked) else np.inf
            miss = off + (TURN_M * turn if ahead.goal[3] > 0.0 else 0.0)
            count = _keep(picked, worth, count, way, worth_of(question, way, ahead.ahead_m, miss, most))
    return count


@njit(cache=True)
def worth_of(question: Question, way: int, progress: float, miss: float, most: float) -> float:
    """How closely a way follows the path up to ``progress`` along it; infinite above ``most`` or if it will not do."""
    maps, ahead, graph = question.maps, question.ahead, question.graph
    length = max(maps.way_lengths_m[way], 0.05)
    if not ahead.early and length > (1.0 + question.reach.slack) * progress + SLACK_M:
        return np.inf
    value = (EXCESS * max(length - progress, 0.0) + MISS * miss) / length
    at, first, last = way - maps.starts[question.node], maps.starts[question.node], len(ahead.points) - 1
    per_metre = progress / length / SAMPLE_M
    while maps.parents[first + at] >= 0 and value < most:
        edge = maps.walker_edges[maps.edges[first + at]]
        if edge < 0 or question.known[at] == BLOCKED:
            return np.inf
        sample = min(int(maps.way_lengths_m[first + at] * per_metre + 0.5), last)
        area = maps.lengths_m[graph.targets[edge]] * _distance(maps, first + at, ahead, sample)
        value += area / length**2 + COST * graph.costs[edge] / length
        at = np.int64(maps.parents[first + at])
    return value if question.above < value < most else np.inf


@njit(cache=True)
def _keep(picked: IntArray, worth: FloatArray, count: int, way: int, value: float) -> int:
    """Put a way into a sorted list of the best; the new number of them. A way that is there already is moved up."""
    if value == np.inf:
        return count
    for k in range(count):
        if picked[k] == way:
            if worth[k] <= value:
                return count
            for j in range(k, count - 1):
                picked[j], worth[j] = picked[j + 1], worth[j + 1]
            count -= 1
            break
    if count == len(picked):
        if worth[count - 1] <= value:
            return count
        count -= 1
    k = count
    while k > 0 and worth[k - 1] > value:
        picked[k], worth[k] = picked[k - 1], worth[k - 1]
        k -= 1
    picked[k], worth[k] = way, value
    return count + 1
