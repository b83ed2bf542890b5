"""Room for the jets that kernels fill."""

from __future__ import annotations

import numpy as np

from understudy.interaction._curve_kernels import Jets


def new_jets(count: int, depth: int, blends: int) -> Jets:
    """Room for the jets of some nodes."""
    return Jets(
        place=np.zeros((count, 3)),
        velocity=np.zeros((count, 3)),
        acceleration=np.zeros((count, 3)),
        frame=np.zeros((count, 3, 3)),
        spin=np.zeros((count, 3)),
        spin_rate=np.zeros((count, 3)),
        axes=np.zeros((count, depth, 3, 3)),
        axes_rate=np.zeros((count, depth, 3, 3)),
        arm=np.zeros((count, depth, 3)),
        arm_rate=np.zeros((count, depth, 3)),
        basis=np.zeros((count, 2, 4)),
        first=np.zeros(count, dtype=np.int64),
        blends=np.zeros((count, 2, blends, depth + 1, 3)),
    )
