"""Room between the legs of an unrolled way: swinging feet pass standing legs a little farther outside."""

from __future__ import annotations

from dataclasses import replace

from understudy.library.footage import Footage
from understudy.library.tables import BodyTable
from understudy.library.unroll import Unrolled


def with_leg_room(footage: Footage, table: BodyTable, whole: Unrolled) -> Unrolled:
    """The same way with its swinging feet moved outwards where legs would touch; unchanged where that does not help.

    Feet that stand, the root and everything above it stay as they are.

    Args:
        footage: The takes.
        table: The legs, and how deep the recordings let them overlap.
        whole: The way.
    """
    from understudy.library._room_kernels import with_room

    motion = whole.motion
    planted = whole.timeline.planted
    clear, rotations = with_room(footage.legs, table, planted, 0.0, motion.root_positions, motion.rotations)
    return replace(whole, motion=replace(motion, rotations=rotations)) if clear else whole
