"""Curves on axes, for a page of documentation: momentum over time, success against gap width."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from understudy.formats.atomic import replacing
from understudy.pictures.lettering import FAINT, INK, PAPER, dot, font
from understudy.pictures.palette import LEFT_HEX, RIGHT_HEX

_COLORS = (RIGHT_HEX, LEFT_HEX, "#5a9367", "#8a6bb1", "#c9a227", "#9aa0ab")
_GRID = "#e6e3dd"
_PAD_PX, _LEFT_PX, _TOP_PX, _BOTTOM_PX = 24, 78, 72, 58
#: Drawn this much larger and scaled down, since Pillow's lines are ragged.
_FINE = 3

Curve = tuple[npt.ArrayLike, npt.ArrayLike]


def line_plot(
    curves: Mapping[str, Curve],
    path: str | Path,
    *,
    title: str,
    across: str,
    up: str,
    size_px: tuple[int, int] = (900, 420),
) -> Path:
    """Draw named curves ``(x, y)`` and write a PNG.

    Args:
        curves: Points of every curve; gaps where ``y`` is not finite.
        path: Where to write.
        title: Across the top.
        across: What ``x`` is, with its unit.
        up: What ``y`` is, with its unit.
        size_px: Width and height.
    """
    points = {name: (np.array(x, dtype=np.float64), np.array(y, dtype=np.float64)) for name, (x, y) in curves.items()}
    low_x, high_x = _range(np.concatenate([x for x, _ in points.values()]))
    low_y, high_y = _range(np.concatenate([y for _, y in points.values()]))
    width, height = size_px
    left, right, top, bottom = _LEFT_PX, width - _PAD_PX, _TOP_PX, height - _BOTTOM_PX

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            left + (right - left) * (x - low_x) / (high_x - low_x),
            bottom - (bottom - top) * (y - low_y) / (high_y - low_y),
        )

    picture = Image.new("RGB", (_FINE * width, _FINE * height), PAPER)
    draw = ImageDraw.Draw(picture)
    ticks_x, ticks_y = ticks(low_x, high_x), ticks(low_y, high_y)
    for y in ticks_y:
        draw.line([_fine(place(low_x, y)), _fine(place(high_x, y))], fill=_GRID, width=_FINE)
    for n, (xs, ys) in enumerate(points.values()):
        for run in np.split(np.arange(len(xs)), np.flatnonzero(~np.isfinite(ys))):
            kept = [_fine(place(xs[k], ys[k])) for k in run if np.isfinite(ys[k])]
            if len(kept) > 1:
                draw.line(kept, fill=_COLORS[n % len(_COLORS)], width=2 * _FINE, joint="curve")
    picture = picture.resize(size_px, Image.Resampling.LANCZOS)
    _letter(picture, place, (low_x, low_y), ticks_x, ticks_y, (title, across, up))
    _name_curves(picture, list(points), right)
    with replacing(Path(path)) as temporary:
        picture.save(temporary, format="PNG")
    return Path(path)


def _fine(at: tuple[float, float]) -> tuple[float, float]:
    return _FINE * at[0], _FINE * at[1]


def _range(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from ``low`` to ``high``, about six of them."""
    rough = (high - low) / 6.0
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= rough)
    first = int(np.ceil(low / step - 1e-9))
    return [float(step * n) for n in range(first, int(np.floor(high / step + 1e-9)) + 1)]


def _letter(
    picture: Image.Image,
    place: Callable[[float, float], tuple[float, float]],
    low: tuple[float, float],
    ticks_x: list[float],
    ticks_y: list[float],
    words: tuple[str, str, str],
) -> None:
    draw = ImageDraw.Draw(picture)
    title, across, up = words
    draw.text((_PAD_PX, 14), title, fill=INK, font=font(20))
    draw.text((_PAD_PX, 44), up, fill=FAINT, font=font(13))
    draw.text((picture.width - _PAD_PX, picture.height - 12), across, fill=FAINT, font=font(13), anchor="rs")
    for x in ticks_x:
        at = place(x, low[1])
        draw.text((at[0], at[1] + 16), f"{x:g}", fill=FAINT, font=font(13), anchor="mm")
    for y in ticks_y:
        at = place(low[0], y)
        draw.text((at[0] - 10, at[1]), f"{y:g}", fill=FAINT, font=font(13), anchor="rm")


def _name_curves(picture: Image.Image, names: list[str], right: int) -> None:
    draw, at = ImageDraw.Draw(picture), right
    for n in range(len(names) - 1, -1, -1):
        at -= int(draw.textlength(names[n], font=font(14)))
        draw.text((at, 18), names[n], fill=FAINT, font=font(14))
        at -= 18
        dot(picture, (at, 20), 12, _COLORS[n % len(_COLORS)])
        at -= 14
