"""The last resort: two trees of postures that grow towards each other (RRT-Connect with local sampling).

Samples are drawn around nodes of the tree, mostly of one linkage only; partial extensions are kept. This solves
knotted postures that plain RRT-Connect does not.
"""

from __future__ import annotations

import numpy as np

from understudy.core.planning import Watch
from understudy.postures.stage import Stage
from understudy.typing import FloatArray

#: [rad] spreads a sample is drawn with, and the shortest extension that is kept.
_SPREADS, _LEAST = (0.2, 0.5, 1.0), 0.02


class _Tree:
    """Postures and the one each grew from."""

    def __init__(self, root: FloatArray, most: int) -> None:
        self.nodes = np.empty((most, len(root)))
        self.parents = np.full(most, -1, dtype=np.int64)
        self.nodes[0] = root
        self.count = 1

    def add(self, path: FloatArray, parent: int) -> int:
        for q in path:
            if self.count == len(self.nodes):
                return parent
            self.nodes[self.count], self.parents[self.count] = q, parent
            parent = self.count
            self.count += 1
        return parent

    def nearest(self, q: FloatArray) -> int:
        offsets = self.nodes[: self.count] - q
        return int(np.einsum("ni,ni->n", offsets, offsets).argmin())

    def way(self, node: int) -> FloatArray:
        """From the root to a node."""
        order = []
        while node >= 0:
            order.append(node)
            node = int(self.parents[node])
        return self.nodes[order[::-1]]


def connected(
    stage: Stage, a: FloatArray, b: FloatArray, *, nodes: int, rng: np.random.Generator, watch: Watch | None = None
) -> FloatArray | None:
    """A path ``(n, size)`` from ``a`` to ``b``; ``None`` when the trees are full.

    Args:
        stage: Where.
        a: Start; keeps every gap and pin.
        b: Goal.
        nodes: Most postures of each tree.
        rng: Explicit random state.
        watch: Asked now and then whether to stop.
    """
    trees = (_Tree(a, nodes), _Tree(b, nodes))
    tries = 0
    while max(tree.count for tree in trees) < nodes and tries < 4 * nodes:
        tries += 1
        if tries % 50 == 0 and watch is not None and watch.interrupted() is not None:
            return None
        one, two = (trees[0], trees[1]) if tries % 2 else (trees[1], trees[0])
        sample = _sample(stage, one, two, rng)
        near = one.nearest(sample)
        grown = _reached(stage, one.nodes[near], sample)
        if grown is None:
            continue
        node = one.add(grown, near)
        other = two.nearest(one.nodes[node])
        across = _reached(stage, two.nodes[other], one.nodes[node])
        if across is None:
            continue
        last = two.add(across, other)
        if np.array_equal(two.nodes[last], one.nodes[node]):
            ways = one.way(node), two.way(last)
            first, second = ways if one is trees[0] else ways[::-1]
            return np.concatenate([first, second[::-1][1:]])
    return None


def _sample(stage: Stage, tree: _Tree, other: _Tree, rng: np.random.Generator) -> FloatArray:
    if rng.random() < 0.1:
        return other.nodes[rng.integers(other.count)]
    q = tree.nodes[rng.integers(tree.count)]
    noise = rng.normal(size=len(q)) * rng.choice(_SPREADS) * stage.arrays.movable
    chains, _ = stage.space.linkages
    if rng.random() < 0.7 and len(chains):
        chain = chains[rng.integers(len(chains))]
        mask = np.zeros(len(q))
        for joint in chain[chain > 0]:
            mask[3 + 3 * joint : 6 + 3 * joint] = 1.0
        noise *= mask
    return stage.held(stage.clamped(q + noise))[0]


def _reached(stage: Stage, a: FloatArray, b: FloatArray) -> FloatArray | None:
    """Postures from ``a`` towards ``b`` as far as gaps and pins are kept; ``None`` when that is nowhere."""
    if stage.pins is None:
        share = stage.advanced(a, b)
        if share >= 1.0:
            return b[None]
        far = share * float(np.linalg.norm(b - a))
        return None if far < _LEAST else (a + share * (b - a))[None]
    count = max(1, int(np.ceil(np.linalg.norm(b - a) / 0.1)))
    out: list[FloatArray] = []
    for n in range(1, count + 1):
        goal = b if n == count else a + n / count * (b - a)
        found = stage.bridge(out[-1] if out else a, goal if n == count else stage.held(goal)[0])
        if found is None:
            break
        out.extend(found)
    return np.array(out) if out else None
