"""Array and path types shared by every room."""

from __future__ import annotations

import os
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
PathLike: TypeAlias = str | os.PathLike[str]
