"""The node tree of a glTF document and its local transforms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.recognition.joint_tree import JointTree
from understudy.formats.gltf_document import GltfDocument
from understudy.formats.unique_names import unique_names
from understudy.typing import FloatArray

#: Relative difference of a node's scales along its axes below which it counts as uniform.
_UNIFORM = 1e-3


@dataclass(frozen=True, eq=False, kw_only=True)
class Similarity:
    """A uniform scale, then a rotation, then a translation; fields may carry a leading time axis.

    Attributes:
        translation: ``(..., 3)``.
        rotation: ``(..., 4)``.
        scale: One positive factor.
    """

    translation: FloatArray
    rotation: FloatArray
    scale: float = 1.0

    def after(self, parent: Similarity) -> Similarity:
        """``self`` seen from the space ``parent`` stands in."""
        moved = parent.scale * rot.rotate(parent.rotation, self.translation)
        return Similarity(
            translation=parent.translation + moved,
            rotation=rot.multiply(parent.rotation, self.rotation),
            scale=parent.scale * self.scale,
        )

    def inverse(self) -> Similarity:
        """The transform that undoes this one."""
        back = rot.conjugate(self.rotation)
        return Similarity(
            translation=-rot.rotate(back, self.translation) / self.scale, rotation=back, scale=1.0 / self.scale
        )


IDENTITY = Similarity(translation=np.zeros(3), rotation=rot.identity())


@dataclass(frozen=True, eq=False, kw_only=True)
class NodeTree:
    """All nodes of a document.

    Attributes:
        document: Where they come from.
        names: Unique names; nodes without one are called ``node_<index>``.
        parents: Parent of each node, ``-1`` for roots.
        order: Every node, parents before children.
    """

    document: GltfDocument
    names: tuple[str, ...]
    parents: tuple[int, ...]
    order: tuple[int, ...]

    def local(self, node: int) -> Similarity:
        """Static local transform of a node; decoded when asked for, since odd ones may lie elsewhere in a scene."""
        return self._decoded(node)[0]

    def is_even(self, node: int) -> bool:
        """Whether a node scales all axes alike; otherwise its mean scale is used."""
        return self._decoded(node)[1]

    def _decoded(self, node: int) -> tuple[Similarity, bool]:
        cache: dict[int, tuple[Similarity, bool]] = self.__dict__.setdefault("_cache", {})
        if node not in cache:
            cache[node] = _local(self.document, node)
        return cache[node]

    def path(self, node: int) -> list[int]:
        """Nodes from the scene root down to ``node``."""
        chain = [node]
        while self.parents[chain[-1]] >= 0:
            chain.append(self.parents[chain[-1]])
        return chain[::-1]

    def world(self, node: int) -> Similarity:
        """Static world transform of a node."""
        placed = IDENTITY
        for step in self.path(node):
            placed = self.local(step).after(placed)
        return placed


def load_nodes(document: GltfDocument) -> NodeTree:
    """Read the node tree.

    Raises:
        FormatError: A node has two parents or lies on a cycle.
    """
    nodes = document.entries("nodes")
    parents = [-1] * len(nodes)
    for index, node in enumerate(nodes):
        for child in document.indices(node, "children", len(nodes), f"node {index}"):
            if parents[child] >= 0 or child == index:
                raise document.fault(f"node {child} has more than one parent, or is its own")
            parents[child] = index
    try:
        order = JointTree(parents).order
    except ValueError:
        raise document.fault("the node hierarchy contains a cycle") from None
    return NodeTree(
        document=document,
        names=unique_names([document.text(node, "name", f"node_{i}") for i, node in enumerate(nodes)]),
        parents=tuple(parents),
        order=tuple(order),
    )


def _local(document: GltfDocument, index: int) -> tuple[Similarity, bool]:
    node, what = document.entries("nodes")[index], f"node {index}"
    if "matrix" in node:
        matrix = document.numbers(node, "matrix", [0.0] * 16, what).reshape(4, 4).T
        return decomposed(document, matrix, what)
    rotation = document.numbers(node, "rotation", (0.0, 0.0, 0.0, 1.0), what)[[3, 0, 1, 2]]
    length = float(np.linalg.norm(rotation))
    if not 0.5 < length < 2.0:
        raise document.fault(f"{what}: its rotation is not a unit quaternion (length {length:g})")
    scale, even = uniform_scale(document, document.numbers(node, "scale", (1.0, 1.0, 1.0), what), what)
    translation = document.numbers(node, "translation", (0.0, 0.0, 0.0), what)
    return Similarity(translation=translation, rotation=rotation / length, scale=scale), even


def decomposed(document: GltfDocument, matrix: FloatArray, what: str) -> tuple[Similarity, bool]:
    """Split a 4x4 matrix (column vectors) into a similarity; the flag tells whether its scale was uniform."""
    linear = matrix[:3, :3]
    scale, even = uniform_scale(document, np.linalg.norm(linear, axis=0), what)
    if not np.linalg.det(linear / scale) > 1e-6:
        raise document.fault(f"{what}: its matrix mirrors or flattens space; only rotation, scale and shift are read")
    # The nearest rotation: also removes the little shear that rounding leaves.
    left, _, right = np.linalg.svd(linear)
    return Similarity(translation=matrix[:3, 3].copy(), rotation=rot.from_matrix(left @ right), scale=scale), even


def uniform_scale(document: GltfDocument, scales: FloatArray, what: str) -> tuple[float, bool]:
    """The mean of three scales and whether they agree."""
    mean = float(scales.mean())
    if not (scales.min() > 1e-12 and mean < 1e12):
        raise document.fault(f"{what}: its scale {scales.tolist()} is not positive")
    return mean, bool(np.ptp(scales) <= _UNIFORM * mean)
