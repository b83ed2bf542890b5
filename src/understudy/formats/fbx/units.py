"""Whether the unit that an FBX file states can be true of the person in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.core.recognition import humanoid_of
from understudy.formats.guessing import guess_unit
from understudy.typing import FloatArray

#: [m] between these, a person (or a figure of a game) is as tall as the file says.
_BELIEVED_M = (0.3, 6.0)


def person_unit(
    names: Sequence[str], parents: Sequence[int], positions: FloatArray, unit_m: float
) -> tuple[float, tuple[str, ...]]:
    """The unit of a file with a person in it, and remarks.

    Args:
        names: Of the joints, parents first.
        parents: Of each joint, ``-1`` for the root.
        positions: ``(joints, 3)`` at rest, in file units.
        unit_m: What the file states [m].
    """
    extent = float(np.ptp(positions, axis=0).max())
    if _BELIEVED_M[0] <= extent * unit_m <= _BELIEVED_M[1] or not humanoid_of(tuple(names), list(parents), positions):
        return unit_m, ()
    guess = guess_unit(extent)
    said = f"the file's unit, {unit_m:g} m, makes the body {extent * unit_m:.3g} m tall"
    if not guess.sure:
        return unit_m, (f"{said}; give the unit if that is wrong",)
    return guess.unit_m, (f"{said}; guessed instead: 1 unit = {guess.unit_m:g} m ({guess.height_m:.2f} m tall)",)
