"""Which parts of a body may not touch each other.

Neighbours always overlap at their joint, and some near-neighbours do by build (upper arm and chest); all other pairs
count as self collision.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.core.segments import segment_distance
from understudy.core.skeleton import Skeleton
from understudy.typing import FloatArray, IntArray

#: Pairs that overlap by build in ordinary postures; parts of two sides count only where both shoulders meet.
_STRUCTURAL = frozenset(
    frozenset(pair)
    for pair in (
        ("chest", "upper_arm"),
        ("chest", "shoulder"),
        ("chest", "neck"),
        ("chest", "head"),
        ("chest", "pelvis"),
        ("abdomen", "thigh"),
        ("abdomen", "shoulder"),
        ("abdomen", "chest"),
        ("ribs", "pelvis"),
        ("ribs", "shoulder"),
        ("ribs", "upper_arm"),
        ("ribs", "neck"),
        ("pelvis", "thigh"),
        ("shoulder", "shoulder"),
        ("shoulder", "head"),
        ("shoulder", "neck"),
        ("neck", "upper_arm"),
        ("forearm", "hand"),
        ("shank", "toes"),
    )
)


def self_pairs(
    skeleton: Skeleton,
    names: Sequence[str],
    joints: IntArray,
    starts: FloatArray,
    ends: FloatArray,
    radii: FloatArray,
) -> IntArray:
    """``(pairs, 2)`` capsules to test against each other.

    Args:
        skeleton: Whose body.
        names: Capsule names.
        joints: Carrying joint of each capsule.
        starts: ``(capsules, 3)`` in a posture without self collision.
        ends: The other ends.
        radii: ``(capsules,)`` [m].
    """
    pairs = []
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            related = _neighbours(skeleton, int(joints[first]), int(joints[second]))
            if related or _overlap_by_build(names[first], names[second]):
                continue
            gap = segment_distance(starts[first], ends[first], starts[second], ends[second])
            if gap > radii[first] + radii[second]:
                pairs.append((first, second))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _overlap_by_build(first: str, second: str) -> bool:
    sides = {name.split("_")[0] for name in (first, second)} & {"left", "right"}
    parts = frozenset((_part(first), _part(second)))
    return parts in _STRUCTURAL and (len(sides) < 2 or parts == {"shoulder"})


def _part(name: str) -> str:
    return name.removeprefix("left_").removeprefix("right_")


def _neighbours(skeleton: Skeleton, first: int, second: int) -> bool:
    """Whether two joints are the same, or parent and child once joints without a capsule's length are skipped."""
    return first == second or _solid_parent(skeleton, first) == second or _solid_parent(skeleton, second) == first


def _solid_parent(skeleton: Skeleton, joint: int) -> int:
    parent = int(skeleton.parents[joint])
    while parent > 0 and np.linalg.norm(skeleton.offsets[parent]) < 1e-6 and parent not in skeleton.roles:
        parent = int(skeleton.parents[parent])
    return parent
