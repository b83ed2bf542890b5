"""Questions about a joint hierarchy given by parent indices alone, before there is a skeleton."""

from __future__ import annotations

from collections.abc import Sequence


class JointTree:
    """Ancestors, paths and branches of a forest of joints.

    Args:
        parents: Parent of each joint in any order, negative for roots.

    Raises:
        ValueError: A parent does not exist, or the joints form a cycle.
    """

    def __init__(self, parents: Sequence[int]) -> None:
        self.parents = [int(parent) for parent in parents]
        count = len(self.parents)
        self.children: list[list[int]] = [[] for _ in range(count)]
        roots: list[int] = []
        for joint, parent in enumerate(self.parents):
            if parent >= count:
                raise ValueError(f"joint {joint} has parent {parent}; joints are 0..{count - 1}")
            (roots if parent < 0 else self.children[parent]).append(joint)
        self.order: list[int] = []
        self._entered = [0] * count
        self._left = [0] * count
        self._walk(roots)
        if len(self.order) != count:
            raise ValueError("the joint hierarchy contains a cycle")

    def _walk(self, roots: list[int]) -> None:
        """Depth-first order, and for each joint the range of that order its subtree covers."""
        stack = [(root, False) for root in reversed(roots)]
        while stack:
            joint, done = stack.pop()
            if done:
                self._left[joint] = len(self.order)
                continue
            self._entered[joint] = len(self.order)
            self.order.append(joint)
            stack.append((joint, True))
            stack.extend((child, False) for child in reversed(self.children[joint]))

    def is_above(self, upper: int, lower: int) -> bool:
        """Whether ``upper`` is a proper ancestor of ``lower``."""
        return upper != lower and self._entered[upper] <= self._entered[lower] < self._left[upper]

    def subtree(self, joint: int) -> list[int]:
        """``joint`` and everything below it, parents first."""
        return self.order[self._entered[joint] : self._left[joint]]

    def common_ancestor(self, joints: Sequence[int]) -> int | None:
        """The lowest joint that is, or is above, all of ``joints``."""
        candidate = joints[0]
        for other in joints[1:]:
            while candidate >= 0 and candidate != other and not self.is_above(candidate, other):
                candidate = self.parents[candidate]
        return candidate if candidate >= 0 else None

    def depth(self, joint: int) -> int:
        """Number of joints above ``joint``."""
        count = 0
        while self.parents[joint] >= 0:
            joint, count = self.parents[joint], count + 1
        return count

    def path(self, upper: int, lower: int) -> list[int]:
        """Joints from ``upper`` down to ``lower``, both included; ``upper`` must be the same or above."""
        path = [lower]
        while path[-1] != upper:
            path.append(self.parents[path[-1]])
        return path[::-1]

    def leaves(self) -> list[int]:
        """Joints without children."""
        return [joint for joint in self.order if not self.children[joint]]
