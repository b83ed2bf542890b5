"""A walker seen from above against a floor, a door and the reach of its arms."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


class Ground(NamedTuple):
    """What does not move: origin and cell [m], clearance ``(nz, nx)`` [m]; the same of what is as high as a trunk."""

    frame: FloatArray
    clear_m: FloatArray
    high_frame: FloatArray
    high_m: FloatArray


class Leaf(NamedTuple):
    """The door: pivot (x, z), spin, corners ``(parts, 4, 2)`` when closed, grip and direction into the leaf (x, z)."""

    pivot: FloatArray
    spin: float
    corners: FloatArray
    grip: FloatArray
    into: FloatArray


class Walker(NamedTuple):
    """Who opens.

    Attributes:
        discs: ``(n, 4)`` ahead, left, radius [m], and 1 for those that are above low things such as crates.
        high: How many of them are as high as a lever.
        outer: How many make the outline; the rest are legs beneath the trunk, which only low things meet.
        reach: Reach tables (``reach``).
        reach_frame: How far back and aside they begin, and their cell [m].
    """

    discs: FloatArray
    high: int
    outer: int
    reach: FloatArray
    reach_frame: FloatArray


@njit(cache=True)
def box_distance(corners: FloatArray, px: float, pz: float) -> float:
    """Signed distance of a point from a rectangle given by its corners in order [m]."""
    ax, az = corners[1, 0] - corners[0, 0], corners[1, 1] - corners[0, 1]
    bx, bz = corners[3, 0] - corners[0, 0], corners[3, 1] - corners[0, 1]
    la, lb = math.sqrt(ax * ax + az * az), math.sqrt(bx * bx + bz * bz)
    u = ((px - corners[0, 0]) * ax + (pz - corners[0, 1]) * az) / la
    v = ((px - corners[0, 0]) * bx + (pz - corners[0, 1]) * bz) / lb
    du, dv = abs(u - 0.5 * la) - 0.5 * la, abs(v - 0.5 * lb) - 0.5 * lb
    outside = math.sqrt(max(du, 0.0) ** 2 + max(dv, 0.0) ** 2)
    return outside + min(max(du, dv), 0.0)


@njit(cache=True)
def leaf_clearance(leaf: Leaf, walker: Walker, x: float, z: float, heading: float, opening: float) -> float:
    """Least distance between a walker's discs and the door at an opening [m]."""
    # The walker is turned back instead of the door.
    c, s = math.cos(leaf.spin * opening), math.sin(leaf.spin * opening)
    ahead_x, ahead_z = math.sin(heading), math.cos(heading)
    least = np.inf
    for d in range(walker.outer):
        a, b, radius = walker.discs[d, 0], walker.discs[d, 1], walker.discs[d, 2]
        px = x + a * ahead_x + b * ahead_z - leaf.pivot[0]
        pz = z + a * ahead_z - b * ahead_x - leaf.pivot[1]
        qx, qz = leaf.pivot[0] + c * px + s * pz, leaf.pivot[1] - s * px + c * pz
        parts = leaf.corners.shape[0] if d < walker.high else 1
        for k in range(parts):
            least = min(least, box_distance(leaf.corners[k], qx, qz) - radius)
    return least


@njit(cache=True)
def _interpolated(frame: FloatArray, field_m: FloatArray, px: float, pz: float) -> float:
    """Bilinear value of a grid; -1 outside of it."""
    gx, gz = (px - frame[0]) / frame[2], (pz - frame[1]) / frame[2]
    i, j = math.floor(gx), math.floor(gz)
    if i < 0 or j < 0 or i >= field_m.shape[1] - 1 or j >= field_m.shape[0] - 1:
        return -1.0
    u, v = gx - i, gz - j
    low = field_m[j, i] * (1.0 - u) + field_m[j, i + 1] * u
    high = field_m[j + 1, i] * (1.0 - u) + field_m[j + 1, i + 1] * u
    return low * (1.0 - v) + high * v


@njit(cache=True)
def floor_clearance(ground: Ground, walker: Walker, x: float, z: float, heading: float) -> float:
    """Least distance between a walker's discs and everything that does not move [m]."""
    ahead_x, ahead_z = math.sin(heading), math.cos(heading)
    least = np.inf
    for d in range(walker.discs.shape[0]):
        a, b, radius = walker.discs[d, 0], walker.discs[d, 1], walker.discs[d, 2]
        px = x + a * ahead_x + b * ahead_z
        pz = z + a * ahead_z - b * ahead_x
        if walker.discs[d, 3] > 0.5:
            near = _interpolated(ground.high_frame, ground.high_m, px, pz)
        else:
            near = _interpolated(ground.frame, ground.clear_m, px, pz)
        least = min(least, near - radius)
    return least


@njit(cache=True)
def reach_cost(leaf: Leaf, walker: Walker, hand: int, x: float, z: float, heading: float, opening: float) -> float:
    """Discomfort of holding the handle; infinite out of reach."""
    c, s = math.cos(leaf.spin * opening), math.sin(leaf.spin * opening)
    gx, gz = leaf.grip[0] - leaf.pivot[0], leaf.grip[1] - leaf.pivot[1]
    hx, hz = leaf.pivot[0] + c * gx - s * gz - x, leaf.pivot[1] + s * gx + c * gz - z
    nx, nz = c * leaf.into[0] - s * leaf.into[1], s * leaf.into[0] + c * leaf.into[1]
    sin_h, cos_h = math.sin(heading), math.cos(heading)
    ahead, left = hx * sin_h + hz * cos_h, hx * cos_h - hz * sin_h
    angle = math.atan2(nx * cos_h - nz * sin_h, nx * sin_h + nz * cos_h)
    table, frame = walker.reach, walker.reach_frame
    i = round((ahead + frame[0]) / frame[2])
    j = round((left + frame[1]) / frame[2])
    if i < 0 or j < 0 or i >= table.shape[1] or j >= table.shape[2]:
        return np.inf
    normals = table.shape[3]
    n = round(angle / (2.0 * math.pi) * normals) % normals
    return table[hand, i, j, n] + max(0.0, 0.10 - ahead) / 0.10
