"""What a caller may say about reading and writing a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from understudy.errors import OptionError
from understudy.formats.props import Prop
from understudy.rotations import ORDERS

UpAxis = Literal["y", "z"]
TPose = Literal["auto", "keep", "drop"]
Ground = Literal["auto", "keep"]
Bones = Literal["auto", "keep"]
Animations = Literal["combined", "each"]

#: Names a user may give for a length unit -> metres.
UNITS_M: Mapping[str, float] = {
    "m": 1.0,
    "dm": 0.1,
    "cm": 0.01,
    "mm": 0.001,
    "inch": 0.0254,
    "ft": 0.3048,
    "cmu": 0.0254 / 0.45,
}


def unit_in_metres(text: str | float) -> float:
    """Metres per unit from a name (``"cm"``) or a number (``0.056444``)."""
    if isinstance(text, str) and text.strip().lower() in UNITS_M:
        return UNITS_M[text.strip().lower()]
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not (np.isfinite(value) and value > 0):
        raise OptionError(f'unit "{text}" is not one of {", ".join(UNITS_M)} or a positive number of metres')
    return value


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How to read a motion file; everything left ``None`` is read from the file or guessed and reported.

    Attributes:
        unit_m: Metres per file unit.
        up: The file's up axis.
        fps: Frame rate to assume instead of the declared one.
        mapping: Humanoid role -> joint name, instead of recognising names.
        tpose: Whether a leading T-pose frame is dropped (``auto``: when it clearly was added).
        take: Name of the animation to read from files that hold several.
        ground: Whether a recording is levelled and put onto the floor at height zero (``auto``: where its feet clearly
            tell how), or kept as its file has it.
        bones: Whether bones that a conversion is known to lose are put back (thorax and wrists of CMU clips as BVH), or
            the skeleton is kept as its file has it.
    """

    unit_m: float | None = None
    up: UpAxis | None = None
    fps: float | None = None
    mapping: Mapping[str, str] | None = None
    tpose: TPose = "auto"
    take: str | None = None
    ground: Ground = "auto"
    bones: Bones = "auto"

    def __post_init__(self) -> None:
        """Reject values outside their ranges."""
        if self.unit_m is not None:
            unit_in_metres(self.unit_m)
        if self.up not in (None, "y", "z"):
            raise OptionError(f'up axis "{self.up}" is not y or z')
        if self.fps is not None and not (np.isfinite(self.fps) and self.fps > 0):
            raise OptionError(f"fps is {self.fps}; it must be a positive number")
        if self.tpose not in ("auto", "keep", "drop"):
            raise OptionError(f'tpose "{self.tpose}" is not auto, keep or drop')
        for name in ("ground", "bones"):
            if getattr(self, name) not in ("auto", "keep"):
                raise OptionError(f'{name} "{getattr(self, name)}" is not auto or keep')


@dataclass(frozen=True, kw_only=True)
class WriteOptions:
    """How to write a motion file.

    Attributes:
        unit_m: Metres per file unit; formats that fix their unit (GLB) ignore it.
        up: Up axis of the file; formats that fix it (GLB) ignore it.
        props: Things in the scene to write beside the characters, where the format can hold them.
        animations: Whether a GLB holds one animation that plays everything together, or one per character.
        euler_order: Order of the rotation channels of formats that have them (BVH), such as ``"ZXY"``.
    """

    unit_m: float = 1.0
    up: UpAxis = "y"
    props: tuple[Prop, ...] = field(default=())
    animations: Animations = "combined"
    euler_order: str = "ZXY"

    def __post_init__(self) -> None:
        """Reject values outside their ranges."""
        unit_in_metres(self.unit_m)
        if self.up not in ("y", "z"):
            raise OptionError(f'up axis "{self.up}" is not y or z')
        if self.animations not in ("combined", "each"):
            raise OptionError(f'animations "{self.animations}" is not combined or each')
        if self.euler_order not in ORDERS:
            raise OptionError(f'Euler order "{self.euler_order}" is not one of {", ".join(ORDERS)}')
