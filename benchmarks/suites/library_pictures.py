"""Pictures of segmentations: one row per take with its feature, its feet's stances and its clips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from understudy.core import Motion
from understudy.library.features import ankle_ahead_m, ankle_speeds_mps
from understudy.library.options import LibraryOptions
from understudy.library.preparation import prepared
from understudy.library.segmentation import feature_cuts, segments_of

COLORS = {
    "walk": ("#bfe3d0", "#8ccfb0"),
    "backward": ("#f3d3b0", "#e9b87d"),
    "lateral": ("#c7d7f5", "#9db9ee"),
    "turn": ("#e6c9ee", "#d3a4e0"),
    "stand": ("#e4e4e4", "#cfcfcf"),
    "other": ("#f5e6a8", "#ecd574"),
}
ROW_PX, LEFT_PX, WIDE_PX = 92, 130, 1500


def segmentation_picture(motions: list[Motion], path: Path, *, title: str, clean: bool = False) -> dict[str, int]:
    """Draw where the features cut; returns how many clips of each label there are."""
    options = LibraryOptions(clean=clean)
    footage, _ = prepared(motions, options, options.watch())
    half, least = options.half_window(footage.fps), options.min_clip(footage.fps)
    cuts = feature_cuts(footage, options.detectors, least=least, margin=half)
    segments = segments_of(footage, cuts)
    longest = max(stop - first for first, stop in footage.bounds())
    scale = (WIDE_PX - LEFT_PX - 20) / longest
    picture = Image.new("RGB", (WIDE_PX, 40 + ROW_PX * len(footage.takes)), "#ffffff")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(13)
    draw.text((12, 10), title, fill="#222222", font=ImageFont.load_default(17))
    for number, (first, stop) in enumerate(footage.bounds()):
        top = 40 + ROW_PX * number
        draw.text((12, top + 30), footage.takes[number].name, fill="#222222", font=font)
        inside = [s for s in range(len(segments)) if first <= cuts.frames[segments.starts[s]] < stop]
        for place, s in enumerate(inside):
            label = cuts.labels[segments.starts[s]]
            a, b = (LEFT_PX + (cuts.frames[c] - first) * scale for c in (segments.starts[s], segments.ends[s]))
            draw.rectangle((a, top + 4, b, top + 62), fill=COLORS.get(label, COLORS["other"])[place % 2])
            if b - a > 34:
                draw.text((a + 3, top + 5), label, fill="#555555", font=ImageFont.load_default(10))
        motion = footage.motion(first, stop)
        _curve(draw, ankle_ahead_m(motion), top, scale, "#1b6e4a", 60.0)
        _curve(draw, -ankle_speeds_mps(motion).max(axis=1) * 0.2 + 0.45, top, scale, "#3456a8", 60.0)
        draw.line((LEFT_PX, top + 33, LEFT_PX + (stop - first) * scale, top + 33), fill="#aaaaaa")
        for side, color in ((0, "#c0392b"), (1, "#2c6fbb")):
            for frame in np.flatnonzero(footage.planted[first:stop, side]):
                x = LEFT_PX + frame * scale
                draw.rectangle((x, top + 66 + 8 * side, x + scale, top + 71 + 8 * side), fill=color)
        for frame in cuts.frames[(cuts.frames >= first) & (cuts.frames < stop)]:
            x = LEFT_PX + (frame - first) * scale
            draw.line((x, top + 2, x, top + 64), fill="#111111", width=2)
    picture.save(path)
    names = [cuts.labels[start] for start in segments.starts]
    return {name: names.count(name) for name in sorted(set(names))}


def _curve(draw: ImageDraw.ImageDraw, values: np.ndarray, top: int, scale: float, color: str, gain: float) -> None:
    points = [(LEFT_PX + n * scale, top + 33 - np.clip(gain * value, -29, 29)) for n, value in enumerate(values)]
    draw.line(points, fill=color, width=1)
