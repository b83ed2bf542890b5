"""Side views of motions from posture to posture: a strip of moments for each, what carries the body in red."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

import understudy as us
from understudy.core import Motion, fit_body
from understudy.kinematics import centre_of_mass, motion_world
from understudy.scene.scene import Scene
from understudy.typing import FloatArray
from understudy.verify.forward import Performer

#: [px] of one figure, figures in a strip, strips on a sheet, and pixels a metre.
_SIZE_PX, _FIGURES, _ROWS, _SCALE = 150, 10, 12, 62.0
#: [m] parts nearer to the floor carry; marks on the floor are so far from each other.
_CARRIES_M, _MARK_M = 0.01, 0.25
_COLOURS = {"left": (230, 140, 60), "right": (60, 110, 200), "": (190, 185, 170), "carries": (220, 40, 40)}


def strip(title: str, claim: us.Claim) -> Image.Image:
    """Moments of a motion, equal times apart, seen from the person's right.

    The view follows the body. Marks on the floor stay where they are, so feet that slide are seen to. A black triangle
    is below the centre of mass.
    """
    (_, motion), *_ = claim.motions
    image = Image.new("RGB", (_SIZE_PX * _FIGURES, _SIZE_PX), "white")
    body, floor_m = fit_body(motion.skeleton), _floor_m(motion)
    times = np.linspace(0.0, motion.duration_s, _FIGURES)
    figures = Performer(name="", motion=motion, body=body).capsules(times)
    still = motion.sampled(times, fps=1.0)
    world = motion_world(still)
    centres = centre_of_mass(world, body.masses, body.coms)
    across, along = _view(motion)
    for k, capsules in enumerate(figures):
        ahead = float(still.root_positions[k] @ along)
        panel = Image.new("RGB", (_SIZE_PX, _SIZE_PX), "white")
        draw = ImageDraw.Draw(panel)

        def pixel(point: FloatArray, ahead: float = ahead) -> tuple[float, float]:
            return _SIZE_PX / 2 + (point @ along - ahead) * _SCALE, _SIZE_PX - 14 - (point[1] - floor_m) * _SCALE

        _draw_things(draw, claim.scene, pixel, along)
        _draw_floor(draw, ahead)
        # Far parts first.
        for part in np.argsort(-(capsules @ across).mean(axis=1)).tolist():
            radius, name = float(body.capsule_radii[part]), body.capsule_names[part]
            side = name.partition("_")[0] if name.startswith(("left", "right")) else ""
            low = capsules[part, :, 1].min() - radius - floor_m < _CARRIES_M
            ends, width = [pixel(end) for end in capsules[part]], max(2.0, 2.0 * radius * _SCALE)
            for wide, colour in ((width + 2.0, (70, 70, 70)), (width, _COLOURS["carries" if low else side])):
                draw.line(ends, fill=colour, width=round(wide))
                for x, y in ends:
                    draw.ellipse([x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2], fill=colour)
        x, _ = pixel(centres[k])
        draw.polygon([(x, _SIZE_PX - 12), (x - 4, _SIZE_PX - 4), (x + 4, _SIZE_PX - 4)], fill="black")
        draw.text((3, 14), f"{times[k]:.1f}", fill=(120, 120, 120))
        image.paste(panel, (k * _SIZE_PX, 0))
    ImageDraw.Draw(image).text((2, 1), title, fill="black")
    return image


def sheets(strips: Sequence[Path], folder: Path) -> list[Path]:
    """Strips one below the other, a dozen on each sheet."""
    made = []
    for first in range(0, len(strips), _ROWS):
        sheet = Image.new("RGB", (_SIZE_PX * _FIGURES, _SIZE_PX * _ROWS), "white")
        for row, path in enumerate(strips[first : first + _ROWS]):
            sheet.paste(Image.open(path), (0, row * _SIZE_PX))
        made.append(folder / f"sheet-{first // _ROWS:02d}.png")
        sheet.save(made[-1])
    return made


def _floor_m(motion: Motion) -> float:
    """Height of the floor: where the lowest part is most of the time [m]; for recorded postures, their own ground."""
    body = fit_body(motion.skeleton)
    world = motion_world(motion)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    lowest = (np.minimum(starts[..., 1], ends[..., 1]) - body.capsule_radii).min(axis=1)
    return float(np.median(lowest))


def _view(motion: Motion) -> tuple[FloatArray, FloatArray]:
    """Level directions away from the viewer, who stands to the person's right, and along the picture."""
    hips = [motion.skeleton.humanoid[f"{side}UpperLeg"] for side in ("left", "right")]
    places = motion_world(motion).positions[:, hips].mean(axis=0)
    across = (places[0] - places[1]) * [1.0, 0.0, 1.0]
    across = across / max(float(np.linalg.norm(across)), 1e-9)
    return across, np.cross(across, [0.0, 1.0, 0.0])


def _draw_floor(draw: ImageDraw.ImageDraw, ahead: float) -> None:
    floor_px, half_m = _SIZE_PX - 14, 0.5 * _SIZE_PX / _SCALE
    draw.line([(0, floor_px), (_SIZE_PX - 4, floor_px)], fill=(150, 150, 150))
    for mark in range(int(np.ceil((ahead - half_m) / _MARK_M)), int((ahead + half_m) / _MARK_M) + 1):
        x = _SIZE_PX / 2 + (mark * _MARK_M - ahead) * _SCALE
        draw.line([(x, floor_px), (x, floor_px + (8 if mark % 4 == 0 else 4))], fill=(120, 120, 120))


def _draw_things(draw: ImageDraw.ImageDraw, scene: Scene | None, pixel: Any, along: FloatArray) -> None:
    for one in () if scene is None else scene.objects:
        half, at = 0.5 * np.array(one.shape.size_m), scene.object_track(one.name, [0.0])[0][0]  # type: ignore[union-attr]
        wide = float(np.abs(half * along).sum()) * along
        (left, top), (right, bottom) = pixel(at - wide + [0, half[1], 0]), pixel(at + wide - [0, half[1], 0])
        draw.rectangle([min(left, right), top, max(left, right), bottom], fill=(210, 225, 210))
