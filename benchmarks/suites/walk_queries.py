"""Floors with more and more boxes, and random questions on them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from understudy.floor import Floor
from understudy.locomotion import Spot, Walker, floor_for
from understudy.locomotion._chain_kernels import clip_is_free, following
from understudy.scene import Box, Scene

SIZE_M, CLEARANCE_M, SHORTEST_M = 16.0, 0.5, 8.0
ENVIRONMENTS = {"6 boxes": 6, "12 boxes": 12, "20 boxes": 20, "30 boxes": 30}
#: How a query begins and ends.
MODES = ("free start", "start heading", "mid-walk", "goal heading", "both headings")

Query = tuple[Spot, Spot]


def environment(boxes: int, seed: int) -> Scene:
    """Boxes of all sizes on a floor of 16 m by 16 m."""
    rng = np.random.default_rng(seed)
    scene = Scene(name=f"{boxes} boxes")
    for k in range(boxes):
        width, height, depth = rng.uniform([0.3, 0.4, 0.3], [1.4, 1.8, 1.4])
        half = rng.uniform(0.0, np.pi / 2)
        x, z = rng.uniform(0.0, SIZE_M, 2)
        scene = scene.with_object(
            f"box {k}",
            Box(size_m=(width, height, depth)),
            position=(x, height / 2, z),
            rotation=(np.cos(half), 0.0, np.sin(half), 0.0),
        )
    return scene


def floor_of(walker: Walker, scene: Scene) -> Floor:
    """The floor all queries of a scene are asked on."""
    return floor_for(walker, scene, [np.zeros(2), np.full(2, SIZE_M)])


def endless(walker: Walker, floor: Floor, mode: str, seed: int) -> Iterator[Query]:
    """Random queries of one kind between points that a path with the clearance joins."""
    rng = np.random.default_rng(seed)
    while True:
        ends = rng.uniform(0.0, SIZE_M, (2, 2))
        if np.hypot(*(ends[0] - ends[1])) < SHORTEST_M or not floor.connected(*ends, CLEARANCE_M):
            continue
        (ax, az), (bx, bz) = ends.tolist()
        begin, end = Spot(position=(ax, az)), Spot(position=(bx, bz))
        if mode in ("start heading", "mid-walk", "both headings"):
            clip = int(rng.integers(len(walker.library))) if mode == "mid-walk" else None
            begin = Spot(position=(ax, az), heading_rad=float(rng.uniform(-np.pi, np.pi)), clip=clip)
        if mode in ("goal heading", "both headings"):
            end = Spot(position=(bx, bz), heading_rad=float(rng.uniform(-np.pi, np.pi)))
        yield begin, end


def queries(walker: Walker, floor: Floor, mode: str, count: int, seed: int = 7) -> list[Query]:
    """Some queries; the same for the same seed."""
    return list(islice(endless(walker, floor, mode, seed), count))


def can_go_on(walker: Walker, floor: Floor, start: Spot, *, clips: int = 6) -> bool:
    """Whether some clips can follow a given one at all; nobody can go on from a step that ends at a wall."""
    graph, tables = walker.graph, (walker.shadows, floor.distances.grid, floor.grid)
    here = {(start.clip, *start.position, start.heading_rad)}
    if not clip_is_free(*tables, start.clip, *start.position, start.heading_rad, 0.02):
        return False
    for _ in range(clips):
        found = {}
        for node, x, z, yaw in here:
            for edge in range(graph.edge_starts[node], graph.edge_starts[node + 1]):
                for turn in (0.0, *graph.ranges[edge]):
                    at = following(graph, edge, turn, x, z, yaw)
                    if clip_is_free(*tables, graph.targets[edge], *at, 0.02):
                        key = (int(graph.targets[edge]), *np.round(np.array(at) / 0.2).tolist())
                        found[key] = (int(graph.targets[edge]), *at)
        here = set(list(found.values())[:400])
    return bool(here)
