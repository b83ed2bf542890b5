"""Frame distance: how unlike two short windows of motion are, at the best planar alignment ([Maps]).

The distance of Kovar et al. (thesis §3.3) is the weighted sum of squared joint distances over a window, minimised over
a turn about +Y and a move over the floor. With floor points as complex numbers ``z + i x`` the sum is
``e_i + e_j - 2 Y - 2 |S|``, where ``Y`` and ``S`` are Gram matrices summed along diagonals, and ``arg S`` is the best
turn. We give the root mean square per joint in metres.

Deviations: windows are centred on the frame; the thesis's windows, which begin at one frame and end at the other, are
the same image shifted by half a window. The thesis's formula for ``z0`` has a sign error (``+ x' sin`` is right).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.library.planar_arrays import ComplexArray, floor_points
from understudy.library.scratch import MEMORY, Scratch, blocks
from understudy.typing import BoolArray, FloatArray, IntArray

#: Frames a side of one tile: three matrices of a tile fit into some megabytes.
TILE = 512


@dataclass(frozen=True, eq=False, kw_only=True)
class Windows:
    """Weighted joint points of all frames, and the sums over every frame's window.

    Attributes:
        points: ``(frames, joints)`` floor points ``z + i x`` times the root of the weight [m].
        heights: ``(frames, joints)`` heights times the root of the weight [m].
        half: Half of the window in frames; it has ``2 half + 1``.
        total: Sum of all weights of a window.
        valid: ``(frames,)`` whether the window lies within one take.
        sums: ``(frames,)`` window sum of weight times floor point.
        energies: ``(frames,)`` window sum of weighted squares about the window's centroid [m^2]; inf where invalid.
        roots: ``(joints,)`` roots of the weights.
    """

    points: ComplexArray
    heights: FloatArray
    half: int
    total: float
    valid: BoolArray
    sums: ComplexArray
    energies: FloatArray
    roots: FloatArray

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.points)


class Tile(NamedTuple):
    """A part of the distance image: ``rms_m[r, c]`` belongs to frames ``first_row + r`` and ``first_col + c``."""

    first_row: int
    first_col: int
    rms_m: FloatArray


def windows(
    positions: FloatArray,
    weights: npt.ArrayLike,
    *,
    half: int,
    starts: npt.ArrayLike,
    joints: Sequence[int] | None = None,
    scratch: Scratch = MEMORY,
) -> Windows:
    """Prepare the frames of several takes for comparison.

    Args:
        positions: ``(frames, joints, 3)`` [m] world positions of the joints that count; near the origin, since digits
            are lost with the square of the distance from it.
        weights: ``(joints,)`` not negative, not all zero.
        half: Half of the window in frames, at least 0.
        starts: ``(takes + 1,)`` first frame of every take, and the number of frames.
        joints: Those of the positions' joints that count; all of them unless given.
        scratch: Where the points lie.
    """
    chosen = np.arange(positions.shape[1]) if joints is None else np.asarray(joints)
    weight = np.asarray(weights, dtype=np.float64)
    if weight.shape != chosen.shape or not (weight >= 0).all() or not weight.sum() > 0:
        raise OptionError(f"weights must be {len(chosen)} numbers, none negative and not all zero")
    if half < 0:
        raise OptionError(f"the window's half is {half} frames; it cannot be negative")
    edges = np.asarray(starts, dtype=np.int64)
    roots = np.sqrt(weight)
    points = scratch.empty((len(positions), len(chosen)), np.complex128)
    heights = scratch.empty(points.shape)
    flat, squared = np.empty(len(points), dtype=np.complex128), np.empty(len(points))
    for part in blocks(len(points), scratch):
        at = positions[part][:, chosen]
        points[part], heights[part] = floor_points(at) * roots, at[..., 1] * roots
        flat[part] = (points[part] * roots).sum(axis=1)
        squared[part] = (np.abs(points[part]) ** 2 + heights[part] ** 2).sum(axis=1)
    valid = _inside(len(positions), edges, half)
    total = float((2 * half + 1) * weight.sum())
    sums, squares = _window_sums(flat, half), _window_sums(squared, half)
    energies = np.where(valid, squares - np.abs(sums) ** 2 / total, np.inf)
    return Windows(
        points=points,
        heights=heights,
        half=half,
        total=total,
        valid=valid,
        sums=sums,
        energies=energies,
        roots=roots,
    )


def distance_tiles(points: Windows, *, tile: int = TILE, rim: int = 0, upper: bool = False) -> Iterator[Tile]:
    """The whole image, tile by tile; memory does not grow with the number of frames.

    Args:
        points: The frames.
        tile: Frames a side.
        rim: How many frames neighbouring tiles overlap on every side.
        upper: Leave out tiles below the diagonal; the image is symmetric.
    """
    count = len(points)
    for row in range(0, count, tile):
        rows = _rim(row, tile, rim, count)
        for col in range(row if upper else 0, count, tile):
            cols = _rim(col, tile, rim, count)
            yield Tile(rows[0], cols[0], _rms(_tile_squares(points, rows, cols), points.total))


def distance_image(points: Windows, *, out: FloatArray | None = None) -> FloatArray:
    """The whole image ``(frames, frames)`` [m], inf where a window leaves its take.

    Args:
        points: The frames.
        out: Where to write, such as a memory-mapped array; a new array otherwise.
    """
    image = np.empty((len(points), len(points))) if out is None else out
    if image.shape != (len(points), len(points)):
        raise OptionError(f"the image needs shape {(len(points), len(points))}, not {image.shape}")
    for first_row, first_col, rms in distance_tiles(points):
        image[first_row : first_row + rms.shape[0], first_col : first_col + rms.shape[1]] = rms
    return image


def local_minima(
    points: Windows,
    *,
    threshold_m: float,
    apart: int = 0,
    rim: int = 2,
    tile: int = TILE,
    progress: Callable[[float], None] | None = None,
) -> tuple[IntArray, FloatArray]:
    """Local minima of the image not above a threshold, in bounded memory.

    Args:
        points: The frames.
        threshold_m: Largest distance [m].
        apart: Frames nearer than this to the diagonal do not count: there every motion is like itself.
        rim: A minimum is the lowest within so many frames each way.
        tile: Frames a side of one tile.
        progress: Told the share done after every row of tiles.

    Returns:
        Pairs ``(n, 2)`` of frames with the first smaller, and their distances ``(n,)`` [m]. Windows are centred, so
        either frame of a pair may be left for the other.
    """
    from understudy.library import _kernels

    if rim < 1:
        raise OptionError(f"a minimum needs neighbours; rim is {rim}")
    count = len(points)
    pairs, costs = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    limit = threshold_m**2 * points.total
    for row in range(0, count, tile):
        rows = _rim(row, tile, rim, count)
        for col in range(row, count, tile):
            cols = _rim(col, tile, rim, count)
            squares = np.pad(_tile_squares(points, rows, cols), rim, constant_values=np.inf)
            found = np.stack(_kernels.local_minima(squares, rim, limit), axis=1) - rim
            rms = _rms(squares[found[:, 0] + rim, found[:, 1] + rim], points.total)
            found += np.array([rows[0], cols[0]])
            inside = (found >= (row, col)).all(axis=1) & (found < (row + tile, col + tile)).all(axis=1)
            inside &= found[:, 1] - found[:, 0] >= max(apart, 1)
            pairs.append(found[inside])
            costs.append(rms[inside])
        if progress is not None:
            left = max(count - row - tile, 0) / count
            progress(1.0 - left * left)
    return np.concatenate(pairs), np.concatenate(costs)


def _tile_squares(points: Windows, rows: tuple[int, int], cols: tuple[int, int]) -> FloatArray:
    from understudy.library import _kernels

    out = np.empty((rows[1] - rows[0], cols[1] - cols[0]))
    _kernels.tile_squares(
        _padded(points, rows),
        np.ascontiguousarray(_padded(points, cols).transpose(0, 2, 1)),
        points.energies[slice(*rows)],
        points.energies[slice(*cols)],
        _parts(points.sums[slice(*rows)]),
        _parts(points.sums[slice(*cols)]),
        points.total,
        points.half,
        out,
    )
    return out


def _padded(points: Windows, frames: tuple[int, int]) -> FloatArray:
    """``(3, frames, joints)`` with half a window more on both sides; beyond the ends the last frame is repeated."""
    index = np.clip(np.arange(frames[0] - points.half, frames[1] + points.half), 0, len(points) - 1)
    return np.stack([points.points.real[index], points.points.imag[index], points.heights[index]])


def _parts(values: ComplexArray) -> FloatArray:
    return np.stack([values.real, values.imag])


def _rim(first: int, tile: int, rim: int, count: int) -> tuple[int, int]:
    return max(first - rim, 0), min(first + tile + rim, count)


def _rms(squares: FloatArray, total: float) -> FloatArray:
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) / total))


def _inside(frames: int, edges: IntArray, half: int) -> BoolArray:
    valid = np.zeros(frames, dtype=bool)
    for first, stop in pairwise(edges.tolist()):
        valid[first + half : max(stop - half, first + half)] = True
    return valid


def _window_sums(values: npt.NDArray[Any], half: int) -> npt.NDArray[Any]:
    """Sum of ``2 half + 1`` values around every frame; the ends repeat their last value."""
    padded = np.pad(values, half, mode="edge")
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1).sum(axis=-1))
