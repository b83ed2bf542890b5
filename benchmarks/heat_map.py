"""Numbers over a square floor as a picture, with a scale beside it."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from understudy.typing import FloatArray

#: Colours from the lowest to the highest value: dark blue, teal, yellow, red; grey where there is none.
_RAMP = np.array([[38, 52, 110], [42, 140, 150], [240, 210, 90], [196, 50, 44]], dtype=np.float64)
_NONE = (232, 232, 232)
_MARGIN, _BAR = 44, 26


def heat_map(
    values: FloatArray, *, size_m: float, low: float, high: float, title: str = "", pixels: int = 480
) -> Image.Image:
    """Draw values ``(n, n)`` over a floor: columns along +X to the right, rows along +Z upwards.

    Args:
        values: The values; NaN where there is none.
        size_m: Side of the floor [m].
        low: Value of the first colour.
        high: Value of the last colour.
        title: What is shown.
        pixels: Side of the floor in the picture.
    """
    floor = Image.fromarray(_colours(values[::-1], low, high)).resize((pixels, pixels), Image.Resampling.NEAREST)
    picture = Image.new("RGB", (pixels + 3 * _MARGIN + _BAR, pixels + 2 * _MARGIN), (255, 255, 255))
    picture.paste(floor, (_MARGIN, _MARGIN))
    scale = Image.fromarray(_colours(np.linspace(high, low, pixels)[:, None], low, high)).resize((_BAR, pixels))
    picture.paste(scale, (pixels + _MARGIN + _MARGIN // 2, _MARGIN))
    pen = ImageDraw.Draw(picture)
    pen.text((_MARGIN, _MARGIN // 3), title, fill=(0, 0, 0))
    for share in (0.0, 0.5, 1.0):
        right = pixels + _MARGIN + _MARGIN // 2 + _BAR + 5
        pen.text((right, _MARGIN + (1.0 - share) * (pixels - 10)), f"{low + share * (high - low):g}", fill=(0, 0, 0))
        along = f"{(share - 0.5) * size_m:g} m"
        pen.text((_MARGIN + share * (pixels - 24), pixels + _MARGIN + 6), along, fill=(0, 0, 0))
    middle = _MARGIN + pixels / 2
    pen.line([(middle, middle), (middle, middle - 16)], fill=(255, 255, 255), width=2)
    pen.ellipse([middle - 4, middle - 4, middle + 4, middle + 4], fill=(255, 255, 255), outline=(0, 0, 0))
    return picture


def _colours(values: FloatArray, low: float, high: float) -> np.ndarray:
    share = np.clip((values - low) / (high - low), 0.0, 1.0) * (len(_RAMP) - 1)
    known = np.isfinite(share)
    first = np.minimum(np.where(known, share, 0.0).astype(np.int64), len(_RAMP) - 2)
    rest = (np.where(known, share, 0.0) - first)[..., None]
    mixed = _RAMP[first] + rest * (_RAMP[first + 1] - _RAMP[first])
    return np.where(known[..., None], mixed, _NONE).astype(np.uint8)
