"""Random floors of many kinds, for checking paths against an oracle and for timing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Rng = np.random.Generator


@dataclass(frozen=True)
class FloorCase:
    """One question: is there a path from start to goal with this clearance, and how long is the shortest?"""

    kind: str
    rings: list[np.ndarray]
    bounds: tuple[float, float, float, float]
    clearance_m: float
    start: np.ndarray
    goal: np.ndarray


def box(x: float, z: float, width: float, depth: float, yaw: float = 0.0) -> np.ndarray:
    corners = 0.5 * np.array([[-width, -depth], [width, -depth], [width, depth], [-width, depth]])
    c, s = np.cos(yaw), np.sin(yaw)
    return corners @ np.array([[c, s], [-s, c]]) + [x, z]


def disc(x: float, z: float, radius: float, corners: int = 12) -> np.ndarray:
    turns = np.linspace(0.0, 2.0 * np.pi, corners, endpoint=False)
    return np.stack([x + radius * np.cos(turns), z + radius * np.sin(turns)], axis=1)


def _boxes(rng: Rng, count: int, side: float, _: float) -> list[np.ndarray]:
    at, size = rng.uniform(0.0, side, (count, 2)), rng.uniform(0.3, 1.6, (count, 2))
    return [box(*at[k], *size[k], rng.uniform(0.0, np.pi)) for k in range(count)]


def _aligned(rng: Rng, count: int, side: float, _: float) -> list[np.ndarray]:
    at = np.round(rng.uniform(0.0, side, (count, 2)), 1)
    size = np.round(rng.uniform(0.2, 1.6, (count, 2)), 1)
    return [box(*at[k], *size[k]) for k in range(count)]


def _circles(rng: Rng, count: int, side: float, _: float) -> list[np.ndarray]:
    return [disc(*rng.uniform(0.0, side, 2), rng.uniform(0.15, 0.9), int(rng.integers(6, 17))) for _ in range(count)]


def _overlaps(rng: Rng, count: int, side: float, _: float) -> list[np.ndarray]:
    """Clumps of boxes and discs that cross, touch and contain each other."""
    rings: list[np.ndarray] = []
    while len(rings) < count:
        x, z = rng.uniform(0.0, side, 2)
        for _ in range(int(rng.integers(2, 6))):
            dx, dz = rng.normal(scale=0.4, size=2)
            if rng.random() < 0.3:
                rings.append(disc(x + dx, z + dz, rng.uniform(0.2, 0.6), 10))
            else:
                rings.append(box(x + dx, z + dz, *rng.uniform(0.2, 1.2, 2), rng.choice([0.0, rng.uniform(0.0, 3.0)])))
    return rings[:count]


def _lattice(rng: Rng, count: int, side: float, clearance: float) -> list[np.ndarray]:
    """Rows of equal boxes with gaps of exactly ``2 r``, or a little more or less."""
    size = float(np.round(rng.uniform(0.3, 1.0), 2))
    gap_x, gap_z = (2.0 * clearance * rng.choice([1.0, 1.0, 1.001, 0.999, 1.5]) for _ in range(2))
    columns = max(int(np.sqrt(count)), 2)
    rings = []
    for i in range(columns):
        for j in range(columns):
            if rng.random() < 0.9:
                rings.append(box(1.0 + i * (size + gap_x), 1.0 + j * (size + gap_z), size, size))
    return rings


def _maze(rng: Rng, count: int, side: float, clearance: float) -> list[np.ndarray]:
    """Walls on a grid with doors, some of exactly ``2 r``."""
    cells = max(int(np.sqrt(count / 2)), 2)
    pitch, thick = side / cells, 0.1
    rings = []
    for i in range(1, cells):
        for j in range(cells):
            door = 2.0 * clearance * float(rng.choice([1.0, 1.2, 0.98, 1.0 + 1e-4]))
            for upright in (False, True):
                if rng.random() < 0.06:
                    continue
                low, high = j * pitch, (j + 1) * pitch
                stretches = [(low, high)]
                if rng.random() < 0.5:
                    at = rng.uniform(low + 0.1, max(high - door - 0.1, low + 0.11))
                    stretches = [(low, at), (at + door, high)]
                for a, b in stretches:
                    if b - a > 1e-3:
                        middle, along = 0.5 * (a + b), b - a
                        place = (i * pitch, middle, thick, along) if upright else (middle, i * pitch, along, thick)
                        rings.append(box(*place))
    return rings


KINDS: dict[str, Callable[[Rng, int, float, float], list[np.ndarray]]] = {
    "boxes": _boxes,
    "aligned": _aligned,
    "circles": _circles,
    "overlaps": _overlaps,
    "lattice": _lattice,
    "maze": _maze,
}


def random_case(kind: str, seed: int, *, fewest: int = 10, most: int = 60) -> FloorCase:
    """A floor with about ``fewest`` to ``most`` obstacles; its ends are free at the clearance."""
    from shapely import STRtree, points, polygons

    rng = np.random.default_rng([seed, *kind.encode()])
    clearance = float(np.round(rng.uniform(0.1, 0.5), 2))
    count = int(rng.integers(fewest, most + 1))
    side = float(np.sqrt(count) * rng.uniform(0.8, 1.9))
    rings = KINDS[kind](rng, count, side, clearance)
    everything = np.concatenate(rings)
    # Often too narrow to walk round everything along the edge.
    margin = float(rng.choice([1.0, 1.9 * clearance, 0.1]))
    low, high = everything.min(axis=0) - margin, everything.max(axis=0) + margin
    tree = STRtree([polygons(ring) for ring in rings])
    ends: list[np.ndarray] = []
    for _ in range(2000):
        point = rng.uniform(low + clearance, high - clearance)
        if len(tree.query(points(point), predicate="dwithin", distance=clearance + 1e-3)) == 0:
            far = not ends or np.linalg.norm(point - ends[0]) > 0.3 * (high - low).max()
            if far:
                ends.append(point)
        if len(ends) == 2:
            return FloorCase(kind, rings, (*low, *high), clearance, ends[0], ends[1])
    return random_case(kind, seed + 100_003, fewest=fewest, most=most)
