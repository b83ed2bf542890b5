"""Pictures of the sampling suite: who passes how narrow a gap, and how time grows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from benchmarks.line_plot import line_plot

COLORS = ("#9aa0ab", "#2f7fb8", "#e2703a")
WIDTH, HEIGHT, LEFT, TOP, PLOT_W, PLOT_H = 1180, 470, 80, 90, 480, 280


def gap_picture(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw the share of verified motions over the gap's width, for low and tall walls."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), "#fbfaf8")
    draw = ImageDraw.Draw(picture)
    draw.text((24, 16), "Gaps: share of starts with a verified motion through", fill="#2d3440", font=font(22))
    methods = list(dict.fromkeys(row["method"] for row in rows))
    for k, method in enumerate(methods):
        x = 24 + 300 * k
        draw.ellipse((x, 52, x + 12, 64), fill=COLORS[k])
        draw.text((x + 20, 48), method, fill="#2d3440", font=font(15))
    for column, case in enumerate(dict.fromkeys(row["case"] for row in rows)):
        _panel(draw, [row for row in rows if row["case"] == case], methods, case, LEFT + column * (PLOT_W + 100))
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path)


def growth_picture(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw processor time over the number of boxes and of footage frames, as powers of ten."""
    for key, across in (("boxes", "boxes in the scene, log10"), ("frames", "frames of the library, log10")):
        some = sorted((row for row in rows if row.get(key)), key=lambda row: row[key])
        if len(some) < 2:
            continue
        at = np.log10([row[key] for row in some])
        # Floor, fields and volume are known by wall time only, which a busy machine makes meaningless.
        curves = {"search [CPU]": (at, np.array([1e3 * row["cpu_s"] for row in some]))}
        name = path.with_name(f"{path.stem}-{key}{path.suffix}")
        line_plot(curves, name, title=f"Time against {key}", across=across, up="median of five queries [ms]")


def font(size: int) -> Any:
    return ImageFont.load_default(size)


def _panel(
    draw: ImageDraw.ImageDraw, rows: Sequence[dict[str, Any]], methods: Sequence[str], case: str, left: int
) -> None:
    widths = sorted({(row["radii"], row["width_m"]) for row in rows}, reverse=True)
    draw.text((left, TOP), case, fill="#2d3440", font=font(17))
    base = TOP + 30 + PLOT_H
    for share in (0.0, 0.5, 1.0):
        y = base - share * PLOT_H
        draw.line((left, y, left + PLOT_W, y), fill="#dcdfe4")
        draw.text((left - 52, y - 8), f"{100 * share:.0f} %", fill="#7b8492", font=font(13))
    step = PLOT_W / max(len(widths) - 1, 1)
    for k, (radii, metres) in enumerate(widths):
        draw.text((left + k * step - 12, base + 8), f"{radii:g}", fill="#2d3440", font=font(13))
        draw.text((left + k * step - 16, base + 26), f"{metres:.2f}", fill="#7b8492", font=font(12))
    draw.text((left + PLOT_W - 190, base + 46), "width in body radii, and in m", fill="#7b8492", font=font(13))
    for number, method in enumerate(methods):
        shares = {row["radii"]: row["verified"] / row["total"] for row in rows if row["method"] == method}
        # Lines that would hide each other are drawn a little apart.
        points = [
            (left + k * step, base - shares[radii] * PLOT_H + 4 * (number - 1))
            for k, (radii, _) in enumerate(widths)
            if radii in shares
        ]
        draw.line(points, fill=COLORS[number], width=3)
        for x, y in points:
            draw.ellipse((x - 5, y - 5, x + 5, y + 5), fill=COLORS[number])
