"""Which random doors a person could open at all: a flood over place, heading and opening, by distances alone.

It shares nothing with the planner. A person is the widths of real people at hip and shoulder, standing, without a
stride; an arm is a ring about the shoulder that it reaches the handle in, lean included, not behind the back. While the
leaf sweeps a hand holds the handle and the body goes along, from cell to cell; then the leaf may stand or swing on, and
the body walks to the goal. Where even that fails, nobody of this build opens the door with one hand and walks through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import label

if TYPE_CHECKING:
    from benchmarks.suites.door_variations import Variation

#: [m] cell, and the floor that is looked at.
_CELL_M, _X_M, _Z_M = 0.06, 1.9, 2.1
#: [rad] headings and openings.
_HEADINGS = np.radians(np.arange(-150.0, 151.0, 30.0))
_OPENINGS = np.radians(np.arange(0.0, 101.0, 10.0))
#: Discs (to the left [m], radius [m]) at the height of the shoulders, for walls and leaf, and of the legs, for crates.
_UPPER, _LOWER = ((0.0, 0.13), (0.13, 0.09), (-0.13, 0.09)), ((0.09, 0.085), (-0.09, 0.085))
#: [m] shoulder's height and distance from the spine, an arm to the palm with what leaning adds, nearest hand.
_SHOULDER_M, _ASIDE_M, _ARM_M, _NEAREST_M = 1.42, 0.17, 0.76, 0.15
#: [m] half the thickness of a wall and of a leaf, and how far from its edge and off its face a lever is.
_WALL_M, _LEAF_M, _EDGE_M, _LEVER_M = 0.05, 0.02, 0.09, 0.07
#: [rad] least opening at which anybody lets go.
_LEAST_RAD = np.radians(30.0)


def openable(one: Variation) -> bool:
    """Whether a person could open the door, holding it with one hand or the other, and walk to the goal."""
    most = _furthest(one)
    if most < 3:
        return False
    free = np.stack([_free(one, opening) for opening in _OPENINGS[: most + 1]])
    closed = _joined(free[0], one.start)
    onward = [_joined(room, one.goal) for room in free]
    for hand in (1.0, -1.0):
        held = free & np.stack([_reached(one, opening, hand) for opening in _OPENINGS[: most + 1]])
        marks, _ = label(held, structure=np.ones((3, 3, 3, 3)))
        begun = np.unique(marks[0][closed & held[0]])
        reached = np.isin(marks, begun[begun > 0])
        for k in range(most + 1):
            standing = reached[k]
            if _OPENINGS[k] < _LEAST_RAD or not standing.any():
                continue
            for further in range(k, most + 1):
                # The leaf swings on past who stands there.
                standing = standing & free[further]
                if (standing & onward[further]).any():
                    return True
    return False


def _furthest(one: Variation) -> int:
    """The last of the openings before the leaf would meet a crate."""
    last = -1
    for k, opening in enumerate(_OPENINGS):
        points = _leaf(one, opening)
        for x, z, wide, deep in one.boxes:
            near = np.hypot(
                np.maximum(np.abs(points[:, 0] - x) - 0.5 * wide, 0.0),
                np.maximum(np.abs(points[:, 1] - z) - 0.5 * deep, 0.0),
            )
            if near.min() < _LEAF_M:
                return last
        last = k
    return last


def _frame(one: Variation) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The hinge, the closed leaf's direction, and where it opens to."""
    side = 1.0 if one.hinge == "left" else -1.0
    through = np.array([0.0, 1.0 if one.pushed else -1.0])
    return np.array([side * 0.5 * one.width_m, 0.0]) + _WALL_M * through, np.array([-side, 0.0]), through


def _leaf(one: Variation, opening: float) -> np.ndarray:
    hinge, along, through = _frame(one)
    return np.asarray(
        hinge + np.linspace(0.0, one.width_m, 30)[:, None] * (np.cos(opening) * along + np.sin(opening) * through)
    )


def _handle(one: Variation, opening: float) -> np.ndarray:
    """Where the lever is on the side one comes from."""
    hinge, along, through = _frame(one)
    out = np.cos(opening) * along + np.sin(opening) * through
    face = -np.sin(opening) * along + np.cos(opening) * through
    near = -face if one.pushed else face
    return np.asarray(hinge + (one.width_m - _EDGE_M) * out + _LEVER_M * near)


def _places() -> tuple[np.ndarray, np.ndarray]:
    """``(headings, z, x)`` places."""
    x, z = np.arange(-_X_M, _X_M, _CELL_M), np.arange(-_Z_M, _Z_M, _CELL_M)
    _, z, x = np.meshgrid(_HEADINGS, z, x, indexing="ij")
    return x, z


def _moved(left_m: float) -> tuple[np.ndarray, np.ndarray]:
    """Places of a point to the left of the spine."""
    x, z = _places()
    turn = _HEADINGS[:, None, None]
    return x + left_m * np.cos(turn), z - left_m * np.sin(turn)


def _free(one: Variation, opening: float) -> np.ndarray:
    """``(headings, z, x)`` where a body stands clear of walls, leaf and crates."""
    free = np.ones(_places()[0].shape, dtype=bool)
    for left, radius in _UPPER:
        x, z = _moved(left)
        in_doorway = np.maximum(0.5 * one.width_m - np.abs(x), 0.0)
        free &= np.hypot(in_doorway, np.maximum(np.abs(z) - _WALL_M, 0.0)) > radius
        for point in _leaf(one, opening):
            free &= np.hypot(x - point[0], z - point[1]) > radius + _LEAF_M
    for left, radius in _LOWER:
        x, z = _moved(left)
        for at_x, at_z, wide, deep in one.boxes:
            dx, dz = np.abs(x - at_x) - 0.5 * wide, np.abs(z - at_z) - 0.5 * deep
            free &= np.hypot(np.maximum(dx, 0.0), np.maximum(dz, 0.0)) > radius
    return free


def _reached(one: Variation, opening: float, hand: float) -> np.ndarray:
    """Where a hand (1 left, -1 right) holds the handle."""
    handle = _handle(one, opening)
    x, z = _moved(hand * _ASIDE_M)
    arm = np.sqrt(max(_ARM_M**2 - (_SHOULDER_M - one.handle_m) ** 2, 0.0))
    if one.handle_m < _SHOULDER_M - 0.45:
        # Who bows brings the shoulder down and ahead.
        arm = max(arm, 0.6)
    dx, dz = handle[0] - x, handle[1] - z
    turn = _HEADINGS[:, None, None]
    far, ahead = np.hypot(dx, dz), dx * np.sin(turn) + dz * np.cos(turn)
    return np.asarray((far > _NEAREST_M) & (far < arm) & (ahead > -0.15))


def _joined(free: np.ndarray, point: tuple[float, float]) -> np.ndarray:
    """Where one gets from a point, turning and walking; points beyond the floor that is looked at are on its edge."""
    marks, _ = label(free, structure=np.ones((3, 3, 3)))
    row = int(np.clip(round((point[1] + _Z_M) / _CELL_M), 0, free.shape[1] - 1))
    column = int(np.clip(round((point[0] + _X_M) / _CELL_M), 0, free.shape[2] - 1))
    there = np.unique(marks[:, row, column])
    return np.isin(marks, there[there > 0])
