"""Where a body is that differs in some joints from a clip that is known: only what hangs from these is worked out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from understudy.core import Body, Motion
from understudy.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Known:
    """A body at its samples, but for joints that have moved; its root has not.

    Attributes:
        ends: ``(n, capsules, 2, 3)`` [m] ends of capsules' axes in the world.
        seen: The same as seen from the root.
        roots: ``(n, 3)`` [m].
        turns: ``(n, 3, 3)`` the root's matrices.
        moved: ``(joints,)`` joints that are elsewhere, with all below them; ``None`` where none is.
        carriers: The joints ``(k,)`` that these hang from, with positions ``(n, k, 3)`` [m] and matrices
            ``(n, k, 3, 3)``.
    """

    ends: FloatArray
    seen: FloatArray
    roots: FloatArray
    turns: FloatArray
    moved: BoolArray | None = None
    carriers: tuple[IntArray, FloatArray, FloatArray] | None = None


class Placed(NamedTuple):
    """A body at its samples.

    Attributes:
        ends: ``(n, capsules, 2, 3)`` [m] ends of capsules' axes in the world.
        seen: The same as seen from the root.
        joints: ``(n, moved, 3)`` [m] the joints that have moved; none where nothing has.
    """

    ends: FloatArray
    seen: FloatArray
    joints: FloatArray


def placed(motion: Motion, body: Body, known: Known, places: FloatArray) -> Placed:
    """A body in motion at ``places (n,)``, in frames, where it is known but for some joints."""
    from understudy.verify._forward_kernels import placed_parts
    from understudy.verify.forward import frozen

    if known.moved is None or known.carriers is None:
        return Placed(known.ends, known.seen, np.empty((len(places), 0, 3)))
    skeleton, moved = motion.skeleton, np.flatnonzero(known.moved)
    parts = np.flatnonzero(known.moved[body.capsule_joints])
    out = Placed(known.ends.copy(), known.seen.copy(), np.empty((len(places), len(moved), 3)))
    capsules = (body.capsule_joints[parts], body.capsule_starts[parts], body.capsule_ends[parts])
    placed_parts(
        frozen(motion.rotations),
        (frozen(skeleton.parents, np.int64), frozen(skeleton.offsets)),
        moved,
        places,
        known.carriers,
        (parts, frozen(capsules[0], np.int64), frozen(capsules[1]), frozen(capsules[2])),
        (frozen(known.roots), frozen(known.turns)),
        (out.ends, out.seen, out.joints),
    )
    return out


def carriers_of(parents: IntArray, moved: BoolArray) -> IntArray:
    """Joints that have not moved and from which some hang that have."""
    below = np.flatnonzero(moved)
    above = parents[below]
    return np.unique(above[(above >= 0) & ~moved[above]])
