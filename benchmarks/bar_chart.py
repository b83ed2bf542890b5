"""Horizontal bars on a logarithmic scale, one per label, as a PNG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

_ROW_PX, _LEFT_PX, _RIGHT_PX, _TOP_PX, _WIDTH_PX = 22, 430, 90, 40, 1100
_INK, _BAR, _GRID = (40, 44, 52), (47, 128, 121), (222, 226, 230)


def bar_chart(bars: Sequence[tuple[str, float]], path: Path, *, title: str, unit: str, most: int = 60) -> None:
    """Draw bars in the order given; the longest labels are cut, and no more than ``most`` are drawn."""
    shown = list(bars)[:most]
    low = math.floor(math.log10(min(value for _, value in shown)))
    high = max(math.ceil(math.log10(max(value for _, value in shown))), low + 1)
    image = Image.new("RGB", (_WIDTH_PX, _TOP_PX + _ROW_PX * len(shown) + 34), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(13)

    def across(value: float) -> float:
        share = (math.log10(value) - low) / (high - low)
        return _LEFT_PX + share * (_WIDTH_PX - _LEFT_PX - _RIGHT_PX)

    draw.text((12, 10), title, fill=_INK, font=ImageFont.load_default(16))
    bottom = _TOP_PX + _ROW_PX * len(shown)
    for power in range(low, high + 1):
        x = across(10.0**power)
        draw.line([(x, _TOP_PX), (x, bottom)], fill=_GRID)
        draw.text((x, bottom + 6), f"{10.0**power:g} {unit}", fill=_INK, font=font, anchor="ma")
    for n, (label, value) in enumerate(shown):
        y = _TOP_PX + n * _ROW_PX
        text = label if len(label) <= 58 else f"{label[:57]}…"
        draw.text((_LEFT_PX - 8, y + _ROW_PX / 2), text, fill=_INK, font=font, anchor="rm")
        draw.rectangle([_LEFT_PX, y + 4, max(across(value), _LEFT_PX + 1), y + _ROW_PX - 4], fill=_BAR)
        draw.text((across(value) + 6, y + _ROW_PX / 2), f"{value:.3g}", fill=_INK, font=font, anchor="lm")
    image.save(path)
