"""Jumps at which the legs would brush each other, foreseen."""

from __future__ import annotations

import numpy as np

from understudy.core.body import Body
from understudy.library import Library
from understudy.typing import FloatArray, IntArray

PARTS = ("thigh", "shank", "foot", "toes")
#: [s] how long after a jump a held foot is in the way.
_AFTER_S = 0.5


def leg_overlaps_m(
    library: Library, body: Body, out: IntArray, into: IntArray, carriers: IntArray, transforms: FloatArray
) -> FloatArray:
    """``(edges,)`` how deep legs would pass through each other at every jump, beyond what the clips show [m].

    Bodies without named leg parts give zeros.
    """
    from understudy.locomotion.sampling._leg_kernels import leg_overlaps

    names = [[f"{side}_{part}" for part in PARTS] for side in ("left", "right")]
    if any(name not in body.capsule_names for side in names for name in side):
        return np.zeros(len(out))
    which = np.array([[body.capsule(name) for name in side] for side in names])
    world, footage = library.footage.world, library.footage
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    legs = np.ascontiguousarray(np.concatenate([starts, ends], axis=-1)[:, which])
    gaps = body.capsule_radii[which[0]][:, None] + body.capsule_radii[which[1]][None]
    # Thighs overlap in recordings, and judges allow that at alike postures.
    gaps[0, 0] = -1.0
    stops = (footage.starts[footage.take_of(np.arange(len(footage))) + 1] - 1).astype(np.int64)
    return leg_overlaps(
        legs,
        gaps,
        footage.planted,
        out.astype(np.int64),
        into.astype(np.int64),
        carriers.astype(np.int64),
        np.ascontiguousarray(transforms),
        stops,
        library.half_window,
        round(_AFTER_S * library.fps),
    )
