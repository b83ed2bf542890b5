"""Shortest path on the visibility graph of grown obstacles: slow, simple, and sharing nothing with the planner.

Discs are polygons, so the answer is a bracket: obstacles grown by an inscribed polygon leave too much room (a lower
bound of the length, and "no path" is certain), circumscribed ones too little (an upper bound, and "a path" is certain).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon, box, unary_union

from benchmarks.suites.floor_scenes import FloorCase

#: [m] sight lines may run this far outside of the free region: they slide along its edges.
SLIDE_M = 1e-7


@dataclass(frozen=True)
class Bracket:
    """Lower and upper bound of the shortest length [m]; infinite for no path."""

    low_m: float
    high_m: float


def _disc(radius: float, corners: int, *, outside: bool) -> np.ndarray:
    turns = np.arange(corners) * 2.0 * np.pi / corners
    if outside:
        # Edges touch the circle at whole steps, corners lie half way between.
        turns, radius = turns + np.pi / corners, radius / np.cos(np.pi / corners)
    return radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)


def free_region(case: FloorCase, radius: float, *, corners: int, outside: bool) -> shapely.Geometry:
    """The floor less all (convex) obstacles grown by a polygon for a disc."""
    ball = _disc(radius, corners, outside=outside)
    grown = [shapely.MultiPoint((ring[:, None] + ball[None]).reshape(-1, 2)).convex_hull for ring in case.rings]
    x0, z0, x1, z1 = case.bounds
    return box(x0 + radius, z0 + radius, x1 - radius, z1 - radius).difference(unary_union(grown))


def _turning_points(region: shapely.Geometry) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points where the free region is bent inwards, and their neighbours along its edge."""
    found: list[np.ndarray] = []
    for part in shapely.get_parts(region):
        if not isinstance(part, Polygon):
            continue
        part = shapely.geometry.polygon.orient(part)
        for ring in (part.exterior, *part.interiors):
            points = np.asarray(ring.coords)[:-1]
            before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
            a, b = points - before, after - points
            bent = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] < 1e-14
            found.append(np.stack([points, before, after], axis=1)[bent])
    merged = np.concatenate(found) if found else np.empty((0, 3, 2))
    return merged[:, 0], merged[:, 1], merged[:, 2]


def shortest_in(region: shapely.Geometry, start: np.ndarray, goal: np.ndarray) -> float:
    """Length of the shortest path in a polygonal region; infinite when there is none. Lazy A*."""
    if region.is_empty:
        return np.inf
    roomy = region.buffer(SLIDE_M, join_style="mitre")
    shapely.prepare(roomy)
    points, before, after = _turning_points(region)
    nodes = np.concatenate([[start, goal], points])
    a = np.concatenate([np.zeros((2, 2)), before - points])
    b = np.concatenate([np.zeros((2, 2)), after - points])
    rest = np.linalg.norm(nodes - goal, axis=1)
    done = np.full(len(nodes), np.inf)
    queue: list[tuple[float, float, int, int]] = [(rest[0], 0.0, 0, 0)]
    while queue:
        _, g, node, parent = heapq.heappop(queue)
        if np.isfinite(done[node]):
            continue
        if node != parent and not roomy.covers(shapely.LineString(nodes[[parent, node]])):
            continue
        done[node] = g
        if node == 1:
            return g
        way = nodes - nodes[node]
        # A shortest path only bends at a corner it touches from outside: both edges on one side of the line.
        sides = _side(way, a[node]) * _side(way, b[node]) >= -1e-16
        sides &= _side(way, a) * _side(way, b) >= -1e-16
        sides &= ~np.isfinite(done)
        length = np.linalg.norm(way, axis=1)
        for k in np.nonzero(sides)[0]:
            heapq.heappush(queue, (g + length[k] + rest[k], g + length[k], int(k), node))
    return np.inf


def _side(way: np.ndarray, edge: np.ndarray) -> np.ndarray:
    return way[:, 0] * edge[..., 1] - way[:, 1] * edge[..., 0]


def bracket(case: FloorCase, *, corners: int = 32) -> Bracket:
    """Bounds of the shortest length for discs of ``r (1 - 2e-6)``, which is what gaps of exactly ``2 r`` need.

    Where they differ by more than 1e-3, discs are made rounder.
    """
    r = case.clearance_m
    inner = free_region(case, r * (1.0 - 4e-6) - 3e-7, corners=corners, outside=False)
    outer = free_region(case, r * (1.0 - 1.5e-6), corners=corners, outside=True)
    low = shortest_in(inner, case.start, case.goal)
    high = shortest_in(outer, case.start, case.goal) if np.isfinite(low) else np.inf
    if np.isfinite(low) and high > low * (1.0 + 1e-3) and corners < 512:
        return bracket(case, corners=4 * corners)
    return Bracket(low, high)


def least_clearance(case: FloorCase, path_points: np.ndarray) -> float:
    """Smallest distance [m] of points on a path to obstacles and bounds."""
    x0, z0, x1, z1 = case.bounds
    places = shapely.points(path_points)
    tree = shapely.STRtree([Polygon(ring) for ring in case.rings])
    _, away = tree.query_nearest(places, return_distance=True, all_matches=False)
    edge = np.min([path_points[:, 0] - x0, x1 - path_points[:, 0], path_points[:, 1] - z0, z1 - path_points[:, 1]])
    return float(min(away.min(), edge))
