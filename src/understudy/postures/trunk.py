"""Which parts of a body are its trunk: what it sits and lies on."""

from __future__ import annotations

import numpy as np

from understudy.core.body import Body
from understudy.typing import BoolArray

_LIMBS = tuple(f"{side}_{part}" for side in ("left", "right") for part in ("hand", "forearm", "shank", "foot", "toes"))


def trunk_of(body: Body) -> BoolArray:
    """``(capsules,)`` which capsules can carry a body that sits or lies."""
    return ~np.isin(body.capsule_names, _LIMBS)
