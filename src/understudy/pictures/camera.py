"""Cameras: where they stand, which pixel shows which point, and how they frame what must be seen."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError, nearest_name
from understudy.typing import FloatArray

#: View name -> (azimuth from the front, elevation) [rad]; the character's left is at positive azimuth.
VIEWS = {
    "three-quarter": (np.radians(-38.0), np.radians(14.0)),
    "front": (0.0, np.radians(8.0)),
    "side": (np.radians(-90.0), np.radians(8.0)),
    "back": (np.radians(180.0), np.radians(8.0)),
    "top": (0.0, np.radians(90.0)),
}

#: [rad] vertical field of view of perspective cameras: a long lens, so that limbs keep their proportions.
FIELD_OF_VIEW = np.radians(26.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Camera:
    """A pinhole or parallel camera.

    Attributes:
        position: ``(3,)`` [m].
        right: ``(3,)`` unit, to the picture's right.
        up: ``(3,)`` unit, to the picture's top.
        forward: ``(3,)`` unit, into the picture.
        half_width: Half the picture's width: at 1 m distance, or anywhere when ``parallel`` [m].
        half_height: Half the picture's height, likewise.
        width_px: Picture width.
        height_px: Picture height.
        parallel: Orthographic instead of perspective.
        focus_m: How far away the subject is [m].
    """

    position: FloatArray
    right: FloatArray
    up: FloatArray
    forward: FloatArray
    half_width: float
    half_height: float
    width_px: int
    height_px: int
    parallel: bool = False
    focus_m: float = 5.0

    def moved(self, by: npt.ArrayLike) -> Camera:
        """The same camera, carried along without turning."""
        return replace(self, position=self.position + np.asarray(by, dtype=np.float64))

    def depths(self, points: FloatArray) -> FloatArray:
        """Distance of world points ``(..., 3)`` along the view [m]; negative behind the camera."""
        return (points - self.position) @ self.forward

    def pixels(self, points: FloatArray) -> FloatArray:
        """Pixel coordinates ``(..., 2)`` (column, row) of world points ``(..., 3)``.

        The picture spans ``0..width_px`` and ``0..height_px``; a pixel's centre lies at a half. NaN at or behind the
        eye of a perspective camera.
        """
        away = points - self.position
        depth = np.ones(away.shape[:-1]) if self.parallel else away @ self.forward
        depth = np.where(depth > 1e-9, depth, np.nan)
        u = (away @ self.right) / (depth * self.half_width)
        v = (away @ self.up) / (depth * self.half_height)
        return np.stack([0.5 * (1.0 + u) * self.width_px, 0.5 * (1.0 - v) * self.height_px], axis=-1)

    def rays(self, pixels: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Origins and unit directions ``(..., 3)`` of the rays through pixel coordinates ``(..., 2)``."""
        at = np.asarray(pixels, dtype=np.float64)
        u = (2.0 * at[..., 0] / self.width_px - 1.0)[..., None] * self.half_width * self.right
        v = (1.0 - 2.0 * at[..., 1] / self.height_px)[..., None] * self.half_height * self.up
        if self.parallel:
            return self.position + u + v, np.broadcast_to(self.forward, u.shape).copy()
        ahead = self.forward + u + v
        return np.broadcast_to(self.position, u.shape).copy(), ahead / np.linalg.norm(ahead, axis=-1, keepdims=True)

    def rows(self) -> FloatArray:
        """``(5, 3)`` array the render kernel reads."""
        return np.stack(
            [
                self.position,
                self.half_width * self.right,
                self.half_height * self.up,
                self.forward,
                np.array([float(self.parallel), 0.0, 0.0]),
            ]
        )


def view_axes(view: str, *, facing_rad: float = 0.0) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Right, up and forward of a named view of a character.

    Args:
        view: A name in :data:`VIEWS`; ``"top"`` looks straight down with +Z up the page, like a map.
        facing_rad: Which way the character faces: 0 is +Z, positive turns towards +X.
    """
    if view not in VIEWS:
        raise OptionError(f'unknown view "{view}"; {nearest_name(view, VIEWS)}')
    if view == "top":
        # A map seen from above: +Z to the top of the page puts +X on its left.
        return np.array([-1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]), np.array([0.0, -1.0, 0.0])
    azimuth, elevation = VIEWS[view]
    return looking_from(facing_rad + azimuth, elevation)


def looking_from(azimuth_rad: float, elevation_rad: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Right, up and forward of a camera that stands in a compass direction (0 is +Z, positive towards +X)."""
    flat = np.array([np.sin(azimuth_rad), 0.0, np.cos(azimuth_rad)])
    forward = -np.cos(elevation_rad) * flat - np.array([0.0, np.sin(elevation_rad), 0.0])
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    return right, np.cross(right, forward), forward


def framing(
    points: FloatArray,
    axes: tuple[FloatArray, FloatArray, FloatArray],
    *,
    size_px: tuple[int, int],
    margin: float = 0.08,
    parallel: bool = False,
    field_of_view_rad: float = FIELD_OF_VIEW,
) -> Camera:
    """The closest camera with the given axes that shows every point.

    Args:
        points: ``(n, 3)`` [m], at least one.
        axes: Right, up and forward, as :func:`view_axes` gives them.
        size_px: Width and height of the picture.
        margin: Share of the picture left free at every edge, in [0, 0.45].
        parallel: Orthographic.
        field_of_view_rad: Vertical angle of a perspective camera.
    """
    if not 0.0 <= margin <= 0.45:
        raise OptionError(f"margin is {margin}; it must lie in 0..0.45")
    width, height = checked_size(size_px)
    right, up, forward = axes
    x, y, z = points @ right, points @ up, points @ forward
    free = 1.0 - 2.0 * margin
    if parallel:
        half_height = max(np.ptp(y) / 2, np.ptp(x) / 2 * height / width, 1e-3) / free
        back = z.min() - 5.0
        place = (x.max() + x.min()) / 2 * right + (y.max() + y.min()) / 2 * up + back * forward
        half_width = half_height * width / height
        focus = float(z.mean() - back)
    else:
        half_height = float(np.tan(field_of_view_rad / 2))
        half_width = half_height * width / height
        cx, cz_x = _apex(x, z, half_width * free)
        cy, cz_y = _apex(y, z, half_height * free)
        back = min(cz_x, cz_y, float(z.min()) - 0.3)
        place = cx * right + cy * up + back * forward
        focus = float(z.mean() - back)
    return Camera(
        position=place,
        right=right,
        up=up,
        forward=forward,
        half_width=float(half_width),
        half_height=float(half_height),
        width_px=width,
        height_px=height,
        parallel=parallel,
        focus_m=focus,
    )


def checked_size(size_px: tuple[int, int]) -> tuple[int, int]:
    """A picture size within reason, as whole numbers."""
    width, height = (int(side) for side in size_px)
    if not (16 <= width <= 8192 and 16 <= height <= 8192):
        raise OptionError(f"picture size is {width} x {height}; each side must lie in 16..8192 pixels")
    return width, height


def _apex(x: FloatArray, z: FloatArray, slope: float) -> tuple[float, float]:
    """Tip of the narrowest wedge ``|x - cx| <= slope (z - cz)`` that holds all points: ``cx, cz``.

    Each side of the wedge touches its outermost point: ``cx - slope cz = max(x - slope z)`` and mirrored.
    """
    one, other = float((x - slope * z).max()), float((-x - slope * z).max())
    return 0.5 * (one - other), -0.5 * (one + other) / slope
