"""Text on pictures: one font that travels with Pillow, so that the same picture reads the same everywhere."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from understudy.pictures.palette import LEFT_HEX, RIGHT_HEX, trunk_hex
from understudy.pictures.stage import Stage

INK = "#2d3440"
FAINT = "#7b8492"
PAPER = "#fbfaf8"
#: Height of the band title and legend stand in.
HEADING_PX = 68


@lru_cache(maxsize=16)
def font(size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font at a size."""
    return ImageFont.load_default(size_px)


def stage_title(stage: Stage) -> str:
    """Names of the characters, or what there is to see."""
    names = []
    for actor in stage.actors:
        path = actor.motion.origin.path
        names.append(actor.motion.name or (path.stem if path else ""))
    return ", ".join(dict.fromkeys(name for name in names if name)) or "motion"


def stage_facts(stage: Stage) -> str:
    """Duration, frames, rate and distance in one line."""
    if not stage.actors:
        return f"{len(stage.props)} props, {stage.duration_s:.2f} s"
    motion = stage.actors[0].motion
    facts = [f"{stage.duration_s:.2f} s", f"{len(motion)} frames at {motion.fps:g} fps"]
    facts.append(f"{motion.path_length_m():.2f} m travelled")
    if len(stage.actors) > 1:
        facts.append(f"{len(stage.actors)} characters")
    return "   ".join(facts)


def fitted(draw: ImageDraw.ImageDraw, text: str, size_px: int, width_px: int) -> str:
    """The text, cut with dots where it would be wider than ``width_px``."""
    if draw.textlength(text, font=font(size_px)) <= width_px:
        return text
    while text and draw.textlength(text + "...", font=font(size_px)) > width_px:
        text = text[:-1]
    return text + "..."


def draw_heading(picture: Image.Image, stage: Stage, *, pad_px: int, title: str | None) -> None:
    """Title, facts and the legend of colours across the top of a picture."""
    draw = ImageDraw.Draw(picture)
    legend_px = 150 if stage.actors else 0
    room = picture.width - 2 * pad_px - legend_px
    draw.text((pad_px, 12), fitted(draw, title or stage_title(stage), 22, room), fill=INK, font=font(22))
    draw.text((pad_px, 40), fitted(draw, stage_facts(stage), 14, room), fill=FAINT, font=font(14))
    if stage.actors and room > 0:
        draw_legend(picture, right_px=picture.width - pad_px, top_px=18, characters=len(stage.actors))


def draw_legend(picture: Image.Image, *, right_px: int, top_px: int, characters: int) -> None:
    """Dots that say left, right, and who is who."""
    draw = ImageDraw.Draw(picture)
    at = right_px
    for text, color in (("right", RIGHT_HEX), ("left", LEFT_HEX)):
        at -= int(draw.textlength(text, font=font(14)))
        draw.text((at, top_px), text, fill=FAINT, font=font(14))
        at -= 18
        dot(picture, (at, top_px + 2), 12, color)
        at -= 14
    for n in range(min(characters, 8) if characters > 1 else 0):
        dot(picture, (right_px - 18 * (min(characters, 8) - n), top_px + 24), 12, trunk_hex(n))


def dot(picture: Image.Image, corner: tuple[int, int], size_px: int, color: str) -> None:
    """A smooth disc; Pillow's own has ragged edges."""
    mask = Image.new("L", (8 * size_px, 8 * size_px), 0)
    ImageDraw.Draw(mask).ellipse((0, 0, 8 * size_px - 1, 8 * size_px - 1), fill=255)
    picture.paste(
        color,
        (*corner, corner[0] + size_px, corner[1] + size_px),
        mask.resize((size_px, size_px), Image.Resampling.BOX),
    )
