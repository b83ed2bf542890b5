"""Trees of axis-aligned boxes, one for the triangles of every mesh and one for the objects of a world.

Nodes lie in depth-first order, so no links to children are kept: the left child of node ``i`` is ``i + 1``, the right
one is where the left one's subtree ends. ``links[i] = (skip, start, count)``: the first node after the subtree, and a
leaf's items (``count`` 0 inside). ``boxes[i]`` = low corner, high corner.
"""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def _split_items(low: FloatArray, high: FloatArray, leaf: int, order: IntArray, links: IntArray) -> int:
    """Order items and lay out nodes by median splits along the longest extent; returns the node count."""
    items = order.shape[0]
    ranges = np.empty((128, 2), dtype=np.int64)
    ranges[0, 0], ranges[0, 1] = 0, items
    waiting, nodes = 1, 0
    while waiting > 0:
        waiting -= 1
        start, end = ranges[waiting, 0], ranges[waiting, 1]
        links[nodes, 1], links[nodes, 2] = start, 0
        if end - start <= leaf:
            links[nodes, 2] = end - start
            nodes += 1
            continue
        nodes += 1
        axis, widest = 0, -1.0
        for k in range(3):
            least, most = np.inf, -np.inf
            for i in range(start, end):
                middle = low[order[i], k] + high[order[i], k]
                least, most = min(least, middle), max(most, middle)
            if most - least > widest:
                axis, widest = k, most - least
        part = order[start:end].copy()
        keys = np.empty(end - start)
        for i in range(end - start):
            keys[i] = low[part[i], axis] + high[part[i], axis]
        ranked = np.argsort(keys)
        for i in range(end - start):
            order[start + i] = part[ranked[i]]
        middle_item = start + (end - start) // 2
        ranges[waiting, 0], ranges[waiting, 1] = middle_item, end
        ranges[waiting + 1, 0], ranges[waiting + 1, 1] = start, middle_item
        waiting += 2
    return nodes


@njit(cache=True, error_model="numpy")
def build_tree(low: FloatArray, high: FloatArray, leaf: int) -> tuple[IntArray, FloatArray, IntArray]:
    """Return the items' order, and boxes ``(nodes, 6)`` and links ``(nodes, 3)`` of a tree over ``(n, 3)`` boxes."""
    items = low.shape[0]
    order = np.arange(items)
    links = np.empty((2 * items + 1, 3), dtype=np.int64)
    nodes = _split_items(low, high, leaf, order, links)
    links = links[:nodes].copy()
    boxes = np.empty((nodes, 6))
    for node in range(nodes - 1, -1, -1):
        for k in range(3):
            boxes[node, k], boxes[node, 3 + k] = np.inf, -np.inf
        if links[node, 2] > 0:
            links[node, 0] = node + 1
            for i in range(links[node, 1], links[node, 1] + links[node, 2]):
                for k in range(3):
                    boxes[node, k] = min(boxes[node, k], low[order[i], k])
                    boxes[node, 3 + k] = max(boxes[node, 3 + k], high[order[i], k])
        else:
            right = links[node + 1, 0]
            links[node, 0] = links[right, 0]
            for child in (node + 1, right):
                for k in range(3):
                    boxes[node, k] = min(boxes[node, k], boxes[child, k])
                    boxes[node, 3 + k] = max(boxes[node, 3 + k], boxes[child, 3 + k])
    return order, boxes, links


@njit(cache=True, error_model="numpy")
def apart(boxes: FloatArray, node: int, lx: float, ly: float, lz: float, hx: float, hy: float, hz: float) -> bool:
    """Whether a node's box and the box ``l .. h`` do not meet."""
    return (
        lx > boxes[node, 3]
        or hx < boxes[node, 0]
        or ly > boxes[node, 4]
        or hy < boxes[node, 1]
        or lz > boxes[node, 5]
        or hz < boxes[node, 2]
    )


@njit(cache=True, error_model="numpy")
def gap_squared(
    boxes: FloatArray, node: int, lx: float, ly: float, lz: float, hx: float, hy: float, hz: float
) -> float:
    """Squared distance of a node's box from the box ``l .. h``."""
    x = max(lx - boxes[node, 3], boxes[node, 0] - hx, 0.0)
    y = max(ly - boxes[node, 4], boxes[node, 1] - hy, 0.0)
    z = max(lz - boxes[node, 5], boxes[node, 2] - hz, 0.0)
    return x * x + y * y + z * z


@njit(cache=True, error_model="numpy")
def segment_misses_box(
    boxes: FloatArray,
    node: int,
    mx: float,
    my: float,
    mz: float,
    ux: float,
    uy: float,
    uz: float,
    reach: float,
) -> bool:
    """Whether the segment ``m - u .. m + u`` certainly stays ``reach`` away from a node's box.

    Separating axes of the segment and the box grown by ``reach`` on all sides.
    """
    x, y, z = (
        mx - 0.5 * (boxes[node, 0] + boxes[node, 3]),
        my - 0.5 * (boxes[node, 1] + boxes[node, 4]),
        mz - 0.5 * (boxes[node, 2] + boxes[node, 5]),
    )
    ex = 0.5 * (boxes[node, 3] - boxes[node, 0]) + reach
    ey = 0.5 * (boxes[node, 4] - boxes[node, 1]) + reach
    ez = 0.5 * (boxes[node, 5] - boxes[node, 2]) + reach
    vx, vy, vz = abs(ux), abs(uy), abs(uz)
    return (
        abs(x) > ex + vx
        or abs(y) > ey + vy
        or abs(z) > ez + vz
        or abs(y * uz - z * uy) > ey * vz + ez * vy
        or abs(z * ux - x * uz) > ez * vx + ex * vz
        or abs(x * uy - y * ux) > ex * vy + ey * vx
    )
