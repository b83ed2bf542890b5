"""Random doors, and a test of its own that tells which of them nobody could open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.scene.scene import Scene
from understudy.scene.shapes import Box
from understudy.skills.door.room import door_room

#: [m] half the depth of a trunk, and where somebody may stand before a handle; cell of the test's grid.
_THIN_M, _REACH_M, _CELL_M = 0.16, (0.2, 0.85), 0.04
#: [m] highest and lowest handle anybody of ordinary height works.
_HANDLES_M = (0.6, 1.7)


@dataclass(frozen=True, eq=False, kw_only=True)
class Variation:
    """One door: what it is called, how it is made, from where to where, and boxes ``(n, 4)`` x, z, width, depth [m]."""

    seed: int
    pushed: bool
    width_m: float
    handle_m: float
    hinge: str
    start: tuple[float, float]
    goal: tuple[float, float]
    boxes: np.ndarray

    def scene(self) -> Scene:
        """The stage."""
        scene = door_room(
            pushed=self.pushed,
            hinge_side=self.hinge,  # type: ignore[arg-type]
            width_m=self.width_m,
            handle_m=self.handle_m,
        )
        for k, (x, z, wide, deep) in enumerate(self.boxes.tolist()):
            scene = scene.with_object(f"crate_{k}", Box(size_m=(wide, 0.6, deep)), position=(x, 0.3, z))
        return scene


def variation(seed: int, *, pushed: bool) -> Variation:
    """Widths 0.75 to 1.0 m, handles 0.8 to 1.2 m, either hinge, any start and goal; every third has two crates."""
    rng = np.random.default_rng([seed, int(pushed)])
    width, handle = rng.uniform(0.75, 1.0), rng.uniform(0.8, 1.2)
    hinge = "left" if rng.uniform() < 0.5 else "right"
    start = (float(rng.uniform(-0.9, 0.9)), float(rng.uniform(-3.2, -2.0)))
    goal = (float(rng.uniform(-0.6, 0.6)), float(rng.uniform(2.0, 3.0)))
    boxes = []
    for side in (-1.0, 1.0) if seed % 3 == 0 else ():
        while True:
            x, z = rng.uniform(-1.3, 1.3), side * rng.uniform(0.8, 1.7)
            if min(np.hypot(x - start[0], z - start[1]), np.hypot(x - goal[0], z - goal[1])) > 0.75:
                break
        boxes.append([x, z, rng.uniform(0.25, 0.45), rng.uniform(0.25, 0.45)])
    return Variation(
        seed=seed,
        pushed=pushed,
        width_m=float(width),
        handle_m=float(handle),
        hinge=hinge,
        start=start,
        goal=goal,
        boxes=np.array(boxes).reshape(-1, 4),
    )


def feasible(one: Variation) -> bool:
    """Whether somebody thin could do it at all: stand before the handle, swing the leaf, and pass it somewhere.

    A test of its own on a grid: it shares nothing with the planner, knows neither arms nor steps, and so calls too much
    possible rather than too little.
    """
    low, high = _HANDLES_M
    if not low <= one.handle_m <= high:
        return False
    side = 1.0 if one.hinge == "left" else -1.0
    through = 1.0 if one.pushed else -1.0
    hinge = np.array([side * 0.5 * one.width_m, 0.05 * through])
    closed = _free(one, hinge, side, through, 0.0)
    standing = _filled(closed, one.start)
    x, z = _grid()
    handle = np.array([-side * (0.5 * one.width_m - 0.13), 0.05 * through])
    far = np.hypot(x - handle[0], z - handle[1])
    if not (standing & (far > _REACH_M[0]) & (far < _REACH_M[1]) & (z < 0.0)).any():
        return False
    for degrees in range(0, 105, 5):
        leaf = _leaf(one, hinge, side, through, np.radians(degrees))
        if any(_inside(box, point) for box in one.boxes for point in leaf):
            return False
        if degrees >= 30 and _filled(_free(one, hinge, side, through, np.radians(degrees)), one.start)[_cell(one.goal)]:
            return True
    return False


def _leaf(one: Variation, hinge: np.ndarray, side: float, through: float, angle: float) -> np.ndarray:
    along = np.array([-side * np.cos(angle), through * np.sin(angle)])
    return np.asarray(hinge + np.linspace(0.0, one.width_m, 40)[:, None] * along)


def _inside(box: np.ndarray, point: np.ndarray) -> bool:
    return bool(abs(point[0] - box[0]) < 0.5 * box[2] and abs(point[1] - box[1]) < 0.5 * box[3])


def _grid() -> tuple[np.ndarray, np.ndarray]:
    axis_x, axis_z = np.arange(-2.4, 2.4, _CELL_M), np.arange(-3.6, 3.6, _CELL_M)
    z, x = np.meshgrid(axis_z, axis_x, indexing="ij")
    return x, z


def _cell(point: tuple[float, float]) -> tuple[int, int]:
    return round((point[1] + 3.6) / _CELL_M), round((point[0] + 2.4) / _CELL_M)


def _free(one: Variation, hinge: np.ndarray, side: float, through: float, angle: float) -> np.ndarray:
    """Cells in which a thin person can stand."""
    x, z = _grid()
    wall = np.maximum(np.maximum(0.5 * one.width_m - np.abs(x), 0.0), 0.0)
    free = np.hypot(wall, np.maximum(np.abs(z) - 0.05, 0.0)) > _THIN_M
    for box in one.boxes:
        dx, dz = np.abs(x - box[0]) - 0.5 * box[2], np.abs(z - box[1]) - 0.5 * box[3]
        free &= np.hypot(np.maximum(dx, 0.0), np.maximum(dz, 0.0)) > _THIN_M
    for point in _leaf(one, hinge, side, through, angle):
        free &= np.hypot(x - point[0], z - point[1]) > _THIN_M
    return np.asarray(free)


def _filled(free: np.ndarray, start: tuple[float, float]) -> np.ndarray:
    from scipy.ndimage import label

    marks, _ = label(free)
    return np.asarray((marks == marks[_cell(start)]) & free)
