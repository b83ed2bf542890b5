"""What every map needs: a scale bar and a compass."""

from __future__ import annotations

from PIL import ImageDraw

from understudy.pictures.lettering import INK, font

#: [m] lengths a scale bar may have.
_BARS_M = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


def draw_scale_bar(draw: ImageDraw.ImageDraw, size_px: tuple[int, int], pixels_per_m: float) -> None:
    """A bar of a round length in the lower left corner."""
    fitting = [metres for metres in _BARS_M if metres * pixels_per_m <= 0.25 * size_px[0]]
    metres = fitting[-1] if fitting else _BARS_M[0]
    left, bottom, length = 16, size_px[1] - 16, round(metres * pixels_per_m)
    draw.line((left, bottom, left + length, bottom), fill=INK, width=3)
    for x in (left, left + length):
        draw.line((x, bottom - 5, x, bottom + 1), fill=INK, width=2)
    draw.text((left + length / 2, bottom - 7), f"{metres:g} m", fill=INK, font=font(13), anchor="ms")


def draw_north(draw: ImageDraw.ImageDraw, size_px: tuple[int, int]) -> None:
    """Arrows for +Z (up the page) and +X (to its left) in the lower right corner."""
    x, y, reach = size_px[0] - 24, size_px[1] - 24, 36
    draw.line((x, y, x, y - reach), fill=INK, width=2)
    draw.polygon([(x, y - reach - 8), (x - 5, y - reach + 2), (x + 5, y - reach + 2)], fill=INK)
    draw.text((x, y - reach - 11), "+Z", fill=INK, font=font(13), anchor="ms")
    draw.line((x, y, x - reach, y), fill=INK, width=2)
    draw.polygon([(x - reach - 8, y), (x - reach + 2, y - 5), (x - reach + 2, y + 5)], fill=INK)
    draw.text((x - reach - 12, y), "+X", fill=INK, font=font(13), anchor="rm")
