"""Floor plan: paths, footprints and obstacles seen from above, +Z up the page like north on a map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from understudy import rotations as rot
from understudy.formats.props import Prop
from understudy.pictures.camera import checked_size
from understudy.pictures.footprints import Footprint, footprints
from understudy.pictures.lettering import FAINT, HEADING_PX, INK, PAPER, draw_heading, font
from understudy.pictures.palette import LEFT_HEX, RIGHT_HEX, hex_of, linear, to_srgb_bytes, trunk_hex
from understudy.pictures.plan_marks import draw_north, draw_scale_bar
from understudy.pictures.stage import Stage, prop_track
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.inspection.contacts import FootContacts

#: Drawn this much larger and shrunk, which smooths every edge.
_OVERSAMPLING = 3
_PATH_HEX = "#3d4656"
#: [m] props that hang higher than this do not stand in anyone's way.
_OVERHEAD_M = 2.1


@dataclass(frozen=True)
class Plan:
    """Floor metres to picture pixels.

    Attributes:
        low: Smallest x and z in the picture [m].
        high: Largest x and z in the picture [m].
        scale: Pixels per metre.
    """

    low: tuple[float, float]
    high: tuple[float, float]
    scale: float

    def pixels(self, floor_points: FloatArray) -> FloatArray:
        """Columns and rows ``(..., 2)`` of floor points (x, z): +Z up, +X to the left, as seen from above."""
        return (np.array(self.high) - floor_points) * self.scale

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the plan."""
        width, height = (np.array(self.high) - np.array(self.low)) * self.scale
        return math.ceil(width - 1e-6), math.ceil(height - 1e-6)


def top_view(
    stage: Stage,
    *,
    size_px: tuple[int, int] = (1000, 800),
    contacts: Sequence[FootContacts] | None = None,
    title: str | None = None,
) -> Image.Image:
    """A floor plan of everything that happens.

    Args:
        stage: What to show.
        size_px: The plan keeps its scale and fits into this width and height.
        contacts: Planted frames of each character; found from the motion when not given.
        title: Instead of the motions' names.
    """
    width, height = checked_size(size_px)
    prints = [
        footprints(actor, contacts=contacts[n] if contacts is not None else None)
        for n, actor in enumerate(stage.actors)
    ]
    plan = _plan(stage, prints, (width, max(height - HEADING_PX, 16)))
    big = Plan(plan.low, plan.high, plan.scale * _OVERSAMPLING)
    picture = Image.new("RGB", big.size_px, "#ffffff")
    _draw_grid(picture, big)
    for prop in sorted(stage.props, key=lambda prop: prop_heights(prop)[1]):
        _draw_prop(picture, big, prop)
    for n, actor in enumerate(stage.actors):
        path = actor.root_path(np.linspace(0.0, actor.motion.duration_s, 400))[:, [0, 2]]
        _draw_prints(picture, big, prints[n])
        _draw_path(picture, big, path, _PATH_HEX if len(stage.actors) == 1 else hex_of(0.45 * linear(trunk_hex(n))))
    small = picture.resize(plan.size_px, Image.Resampling.BOX)
    _draw_labels(small, plan, stage)
    page = Image.new("RGB", (max(small.width, 440), small.height + HEADING_PX), PAPER)
    page.paste(small, ((page.width - small.width) // 2, HEADING_PX))
    draw_heading(page, stage, pad_px=18, title=title)
    return page


def prop_heights(prop: Prop) -> tuple[float, float]:
    """Lowest and highest point of a prop in its first pose [m]."""
    heights = _placed(prop, 0)[:, 1]
    return float(heights.min()), float(heights.max())


def _placed(prop: Prop, key: int) -> FloatArray:
    return prop.positions[key] + rot.rotate(prop.rotations[key], prop.vertices)


def _plan(stage: Stage, prints: list[list[Footprint]], room_px: tuple[int, int]) -> Plan:
    points = [actor.root_path(actor.motion.times_s)[:, [0, 2]] for actor in stage.actors]
    points += [np.array([print_.heel, print_.toe]) for each in prints for print_ in each]
    points += [_placed(prop, key)[:, [0, 2]] for prop in stage.props for key in range(len(prop.times_s))]
    everything = np.concatenate(points)
    low, high = everything.min(axis=0) - 0.6, everything.max(axis=0) + 0.6
    # A plan of a motion on the spot still shows a few metres, so that its size can be judged.
    middle, half = 0.5 * (low + high), np.maximum(0.5 * (high - low), 1.25)
    low, high = middle - half, middle + half
    scale = float(min(np.array(room_px) / (high - low)))
    return Plan((float(low[0]), float(low[1])), (float(high[0]), float(high[1])), scale)


def _draw_grid(picture: Image.Image, plan: Plan) -> None:
    draw = ImageDraw.Draw(picture)
    for axis in (0, 1):
        for metre in range(math.floor(plan.low[axis]), math.ceil(plan.high[axis]) + 1):
            ends = np.array([plan.low, plan.high])
            ends[:, axis] = metre
            color, width = ("#b9c1cc", 2) if metre % 5 == 0 else ("#dfe3e9", 1)
            draw.line(_xy(plan.pixels(ends)), fill=color, width=width * _OVERSAMPLING)


def _draw_prop(picture: Image.Image, plan: Plan, prop: Prop) -> None:
    """Fill the shadow a prop would throw from straight above; where it ends up is a shade lighter."""
    if prop_heights(prop)[0] > _OVERHEAD_M:
        return
    color = np.array(to_srgb_bytes(np.asarray(prop.color, dtype=np.float64)), dtype=np.float64)
    for key in sorted({len(prop.times_s) - 1, 0}, reverse=True):
        strength = 0.55 if key == 0 else 0.22
        mask = Image.new("L", picture.size, 0)
        draw = ImageDraw.Draw(mask)
        for corners in plan.pixels(_placed(prop, key)[:, [0, 2]])[prop.faces]:
            draw.polygon(_xy(corners), fill=255)
        edge = ImageChops.subtract(mask.filter(ImageFilter.MaxFilter(2 * _OVERSAMPLING - 1)), mask)
        picture.paste(_shade(255 - strength * (255 - color)), (0, 0), mask)
        picture.paste(_shade((255 - strength * (255 - color)) * 0.62), (0, 0), edge)
    if len(prop.times_s) > 1:
        track, _ = prop_track(prop, np.linspace(prop.times_s[0], prop.times_s[-1], 200))
        ImageDraw.Draw(picture).line(_xy(plan.pixels(track[:, [0, 2]])), fill=_shade(color * 0.8), width=_OVERSAMPLING)


def _draw_prints(picture: Image.Image, plan: Plan, prints: list[Footprint]) -> None:
    draw = ImageDraw.Draw(picture)
    for print_ in prints:
        way = print_.toe - print_.heel
        length = float(np.linalg.norm(way))
        way = way / length if length > 1e-6 else np.array([0.0, 1.0])
        aside = np.array([way[1], -way[0]])
        color = LEFT_HEX if print_.side == "left" else RIGHT_HEX
        heel, ball = print_.heel - 0.03 * way, print_.heel + max(length, 0.08) * way
        outline = [_oval(heel, way, aside, 0.045, 0.032), _oval(ball, way, aside, 0.075, 0.042)]
        sole = np.array([heel + 0.026 * aside, heel - 0.026 * aside, ball - 0.036 * aside, ball + 0.036 * aside])
        shapes = [_xy(plan.pixels(shape)) for shape in (sole, *outline)]
        for shape in shapes:
            draw.line([*shape, shape[0]], fill="#ffffff", width=2 * _OVERSAMPLING, joint="curve")
        for shape in shapes:
            draw.polygon(shape, fill=color)


def _oval(middle: FloatArray, way: FloatArray, aside: FloatArray, long_m: float, wide_m: float) -> FloatArray:
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)[:, None]
    return np.asarray(middle + long_m * np.cos(turn) * way + wide_m * np.sin(turn) * aside)


def _draw_path(picture: Image.Image, plan: Plan, path: FloatArray, color: str) -> None:
    draw = ImageDraw.Draw(picture)
    draw.line(_xy(plan.pixels(path)), fill=color, width=2 * _OVERSAMPLING, joint="curve")
    for point, inside in ((path[0], "#ffffff"), (path[-1], color)):
        (x, y), r = plan.pixels(point), 5 * _OVERSAMPLING
        draw.ellipse((x - r, y - r, x + r, y + r), fill=inside, outline=color, width=2 * _OVERSAMPLING)


def _draw_labels(picture: Image.Image, plan: Plan, stage: Stage) -> None:
    draw = ImageDraw.Draw(picture)
    for prop in stage.props:
        if prop_heights(prop)[0] <= _OVERHEAD_M:
            corners = plan.pixels(_placed(prop, 0)[:, [0, 2]])
            middle, wide = 0.5 * (corners.min(axis=0) + corners.max(axis=0)), float(np.ptp(corners[:, 0]))
            if draw.textlength(prop.name, font=font(12)) < max(wide, 40.0):
                draw.text(tuple(middle), prop.name, fill=INK, font=font(12), anchor="mm")
    for actor in stage.actors:
        ends = plan.pixels(actor.root_path([0.0, actor.motion.duration_s])[:, [0, 2]])
        if np.linalg.norm(ends[1] - ends[0]) > 40.0:
            for (x, y), word in zip(ends, ("start", "end"), strict=True):
                draw.text((x + 10, y - 7), word, fill=FAINT, font=font(13))
    draw_scale_bar(draw, picture.size, plan.scale)
    draw_north(draw, picture.size)


def _xy(points: FloatArray) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in points]


def _shade(color: FloatArray) -> tuple[int, int, int]:
    red, green, blue = (int(value) for value in np.clip(np.rint(color), 0, 255))
    return red, green, blue
