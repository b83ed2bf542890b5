"""The ruled floor, filtered over a pixel's footprint so that far lines neither flicker nor crawl."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.pictures._occlusion_kernels import clamped

#: Rows of the ``look`` array, see :meth:`understudy.pictures.raycaster.Look.rows`.
TILE_A, TILE_B, LINE = 6, 7, 8


@njit(cache=True, error_model="numpy")
def _line_share(u, width, half_line):  # type: ignore[no-untyped-def]
    """How much of a footprint ``width`` at ``u`` lies on lines of half width ``half_line`` at whole numbers."""
    away = abs(u - math.floor(u + 0.5))
    inside = min(away + 0.5 * width, half_line) - max(away - 0.5 * width, -half_line)
    covered = max(inside, 0.0) / width
    # Footprints as wide as the spacing see the mean.
    fade = clamped(2.0 * width - 0.5)
    return covered + fade * (2.0 * half_line - covered)


@njit(cache=True, error_model="numpy")
def _checker(u, width):  # type: ignore[no-untyped-def]
    """Box-filtered square wave in [-1, 1] with period 2."""
    a, b = 0.5 * (u - 0.5 * width), 0.5 * (u + 0.5 * width)
    wave_a = abs(a - math.floor(a) - 0.5)
    wave_b = abs(b - math.floor(b) - 0.5)
    return 4.0 * (wave_a - wave_b) / (2.0 * width)


@njit(cache=True, error_model="numpy")
def floor_color(x, z, wide_x, wide_z, look, out):  # type: ignore[no-untyped-def]
    """Graph paper: metre tiles in two tones, metre lines, fine quarter-metre lines."""
    wx, wz = max(wide_x, 1e-4), max(wide_z, 1e-4)
    tone = 0.5 + 0.5 * _checker(x, wx) * _checker(z, wz)
    metre = max(_line_share(x, wx, 0.011), _line_share(z, wz, 0.011))
    fine = max(_line_share(4.0 * x, 4.0 * wx, 0.014), _line_share(4.0 * z, 4.0 * wz, 0.014))
    ink = clamped(0.55 * metre + 0.16 * fine)
    for c in range(3):
        tile = look[TILE_B, c] + tone * (look[TILE_A, c] - look[TILE_B, c])
        out[c] = tile + ink * (look[LINE, c] - tile)
