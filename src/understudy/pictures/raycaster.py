"""Ray-casting a drawing: soft daylight, a ruled floor, shadows; good enough to judge motion by eye."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.pictures.camera import Camera
from understudy.pictures.drawing import Drawing
from understudy.pictures.palette import linear, to_srgb_bytes
from understudy.typing import FloatArray


@dataclass(frozen=True, kw_only=True)
class Look:
    """Light and colours of a picture.

    Attributes:
        to_light: Direction to the key light; ``None`` puts it over the camera's left shoulder.
        key: Strength of the key light.
        ambient: Strength of sky and bounce.
        softness: Tangent of the half angle of the light's disc; shadows widen by this per metre.
        horizon_hex: sRGB colour far away.
        zenith_hex: sRGB colour straight up.
        tile_hexes: sRGB of the floor's two tones.
        line_hex: sRGB of the floor's lines.
    """

    to_light: tuple[float, float, float] | None = None
    key: float = 0.68
    ambient: float = 0.48
    softness: float = 0.06
    horizon_hex: str = "#eef1f4"
    zenith_hex: str = "#c4d6e6"
    tile_hexes: tuple[str, str] = ("#f3f1ed", "#eae7e1")
    line_hex: str = "#8d97a5"

    def __post_init__(self) -> None:
        """Reject lights that cannot be."""
        if self.to_light is not None and not np.linalg.norm(self.to_light) > 1e-9:
            raise OptionError(f"to_light is {self.to_light}; it must be a direction")
        if not 1e-3 <= self.softness <= 1.0:
            raise OptionError(f"softness is {self.softness}; it must lie in 0.001..1")

    def rows(self, camera: Camera) -> FloatArray:
        """``(11, 3)`` array the shading kernel reads, in the order of its row names."""
        light = _over_the_shoulder(camera) if self.to_light is None else np.array(self.to_light, dtype=np.float64)
        warm, cool, earth = np.array([1.0, 0.965, 0.9]), np.array([0.93, 0.98, 1.06]), np.array([0.62, 0.58, 0.54])
        fog_from, fog_over = 1.6 * camera.focus_m, 2.2 * camera.focus_m + 3.0
        return np.stack(
            [
                light / np.linalg.norm(light),
                self.key * warm,
                self.ambient * cool,
                self.ambient * earth,
                linear(self.horizon_hex),
                linear(self.zenith_hex),
                linear(self.tile_hexes[0]),
                linear(self.tile_hexes[1]),
                linear(self.line_hex),
                np.array([self.softness, 0.0, 0.0]),
                np.array([fog_from, fog_over, 0.0]),
            ]
        )


def cast(drawing: Drawing, camera: Camera, *, look: Look | None = None) -> npt.NDArray[np.uint8]:
    """The picture ``(height, width, 3)`` of a drawing, as sRGB bytes."""
    return to_srgb_bytes(cast_light(drawing, camera, look=look))


def cast_light(drawing: Drawing, camera: Camera, *, look: Look | None = None) -> FloatArray:
    """The picture ``(height, width, 3)`` of a drawing, as linear light in [0, 1]."""
    from understudy.pictures._render_kernels import render

    image = np.empty((camera.height_px, camera.width_px, 3))
    render(camera.rows(), drawing, (look or Look()).rows(camera), image)
    return image


def _over_the_shoulder(camera: Camera) -> FloatArray:
    """Up, from the left and a little from behind the camera."""
    if abs(camera.forward[1]) > 0.99:
        back = -camera.up
    else:
        back = -np.array([camera.forward[0], 0.0, camera.forward[2]])
        back /= np.linalg.norm(back)
    return np.array([0.0, 1.15, 0.0]) - 0.75 * camera.right + 0.45 * back
