"""Contact sheet: poses over time in a grid."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from understudy.errors import OptionError
from understudy.pictures.camera import view_axes
from understudy.pictures.cutaway import cast_stage
from understudy.pictures.lettering import FAINT, HEADING_PX, INK, PAPER, draw_heading, font
from understudy.pictures.raycaster import Look
from understudy.pictures.shots import anchors, facing_rad, following_shot, outline_points, sample_times
from understudy.pictures.stage import Stage
from understudy.typing import FloatArray

_PAD, _GAP, _CAPTION = 18, 8, 24


def contact_sheet(
    stage: Stage,
    *,
    poses: int = 12,
    columns: int | None = None,
    cell_height_px: int = 300,
    view: str = "three-quarter",
    title: str | None = None,
    look: Look | None = None,
) -> Image.Image:
    """Even moments of a stage, each in its own cell with its time and frame.

    Args:
        stage: What to show.
        poses: Number of cells; fewer when the motion has fewer frames.
        columns: Cells in a row; by default the sheet comes out wider than tall.
        cell_height_px: Height of one picture.
        view: See :data:`understudy.pictures.camera.VIEWS`.
        title: Instead of the motions' names.
        look: Light and colours.
    """
    if not 1 <= poses <= 200:
        raise OptionError(f"poses is {poses}; it must lie in 1..200")
    if columns is not None and columns < 1:
        raise OptionError(f"columns is {columns}; it must be at least 1")
    times = moments(stage, poses)
    cell = (round(cell_height_px * _cell_aspect(stage, view)), cell_height_px)
    across = min(columns or _columns(len(times), cell), len(times))
    down = math.ceil(len(times) / across)
    width = 2 * _PAD + across * cell[0] + (across - 1) * _GAP
    sheet = Image.new("RGB", (width, HEADING_PX + down * (cell[1] + _CAPTION + _GAP) + _PAD), PAPER)
    draw = ImageDraw.Draw(sheet)
    draw_heading(sheet, stage, pad_px=_PAD, title=title)
    shot = following_shot(stage, view=view, size_px=cell, margin=0.07)
    for n, time_s in enumerate(times):
        left = _PAD + (n % across) * (cell[0] + _GAP)
        top = HEADING_PX + (n // across) * (cell[1] + _CAPTION + _GAP)
        picture = cast_stage(stage, float(time_s), shot(float(time_s)), look=look)
        sheet.paste(Image.fromarray(picture), (left, top))
        _caption(draw, stage, float(time_s), (left, top + cell[1] + 4), cell[0])
    return sheet


def moments(stage: Stage, count: int) -> FloatArray:
    """Up to ``count`` even times from start to end, each on a frame of the first character [s]."""
    if not stage.actors:
        return np.linspace(0.0, stage.duration_s, count) if stage.duration_s > 0 else np.zeros(1)
    fps = stage.actors[0].motion.fps
    last = math.floor(stage.duration_s * fps + 1e-6)
    return np.unique(np.rint(np.linspace(0, last, min(count, last + 1)))) / fps


def _caption(draw: ImageDraw.ImageDraw, stage: Stage, time_s: float, at: tuple[int, int], width_px: int) -> None:
    draw.text(at, f"{time_s:.2f} s", fill=INK, font=font(14))
    if stage.actors and width_px >= 130:
        frame = f"frame {round(time_s * stage.actors[0].motion.fps)}"
        draw.text((at[0] + width_px, at[1]), frame, fill=FAINT, font=font(14), anchor="ra")


def _cell_aspect(stage: Stage, view: str) -> float:
    """Width over height that suits the content."""
    if not stage.actors:
        return 1.4
    times = sample_times(stage)
    points = (outline_points(stage, times) - anchors(stage, times)[:, None]).reshape(-1, 3)
    right, up, _ = view_axes(view, facing_rad=facing_rad(stage))
    return float(np.clip(1.1 * np.ptp(points @ right) / max(np.ptp(points @ up), 1e-6), 0.62, 1.8))


def _columns(count: int, cell: tuple[int, int]) -> int:
    """Columns of the fullest grid that is about 1.6 times wider than tall."""
    ideal = math.sqrt(1.6 * count * cell[1] / cell[0])
    rows = max(1, round(count / ideal))
    return math.ceil(count / rows)
