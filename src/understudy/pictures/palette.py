"""Colours of characters: who is who by the trunk's hue, left from right by warm and cool limbs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from understudy.typing import FloatArray

#: sRGB hex of the limbs on either side.
LEFT_HEX = "#e2703a"
RIGHT_HEX = "#2f7fb8"
#: sRGB hex of the face marker that shows where a head looks.
VISOR_HEX = "#2b3140"
#: sRGB hex of the trunk, one per character, repeating.
TRUNK_HEXES = ("#efe6d2", "#7fb48a", "#b58cc0", "#e0b53c", "#6fb7bd", "#d2808f", "#9aa0ab", "#a58a62")

#: How much of a character's own hue its limbs take on; the first character keeps the pure side colours.
_LIMB_HUE_SHARE = 0.35


def linear(hex_color: str) -> FloatArray:
    """``(3,)`` linear red, green, blue of an sRGB colour such as ``"#e2703a"``."""
    return to_linear(np.array(srgb(hex_color)) / 255.0)


def srgb(hex_color: str) -> tuple[int, int, int]:
    """Red, green, blue in 0..255 of an sRGB colour such as ``"#e2703a"``."""
    red, green, blue = (int(hex_color[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def to_linear(encoded: npt.ArrayLike) -> FloatArray:
    """Light of an sRGB-encoded value in [0, 1]."""
    value = np.asarray(encoded, dtype=np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def to_srgb_bytes(light: FloatArray) -> npt.NDArray[np.uint8]:
    """SRGB bytes of linear light; clipped to what a screen can show."""
    value = np.clip(light, 0.0, 1.0)
    encoded = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1.0 / 2.4) - 0.055)
    return np.rint(255.0 * encoded).astype(np.uint8)


def hex_of(color: npt.ArrayLike) -> str:
    """SRGB such as ``"#e2703a"`` of a linear colour."""
    return "#" + to_srgb_bytes(np.asarray(color, dtype=np.float64)).tobytes().hex()


def trunk_hex(character: int) -> str:
    """Trunk colour of the n-th character."""
    return TRUNK_HEXES[character % len(TRUNK_HEXES)]


def capsule_colors(names: Sequence[str], *, character: int) -> FloatArray:
    """``(capsules, 3)`` linear colours of a character's capsules, by the side their names begin with."""
    trunk = linear(trunk_hex(character))
    share = 0.0 if character == 0 else _LIMB_HUE_SHARE
    by_side = {
        "left": (1.0 - share) * linear(LEFT_HEX) + share * trunk,
        "right": (1.0 - share) * linear(RIGHT_HEX) + share * trunk,
        "visor": linear(VISOR_HEX),
    }
    rows = [by_side.get(_side(name), trunk) for name in names]
    return np.array(rows).reshape(-1, 3)


def _side(name: str) -> str:
    lowered = name.lower()
    if lowered.endswith("shoulder"):
        return ""  # part of the trunk to the eye
    return next((side for side in ("left", "right", "visor") if lowered.startswith(side)), "")
