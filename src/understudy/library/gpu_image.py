"""The distance image on a graphics card: the same tiles as :mod:`understudy.library.distance`, by matrix products.

A window's points in a row make its Gram sums one product of matrices, which is what such cards are fast at: more
arithmetic than the ring of rows the processor uses, and much less time. Everything is in 64 bits, as it is there.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from understudy.errors import MissingExtraError, UnderstudyError
from understudy.library.distance import Windows
from understudy.typing import FloatArray, IntArray

#: Frames a side of one tile: five matrices of a tile take some hundred megabytes.
TILE = 4096


def torch_on(device: str) -> Any:
    """PyTorch, if it is installed and has the device.

    Raises:
        MissingExtraError: It is not there.
        UnderstudyError: It sees no such device.
    """
    try:
        torch = importlib.import_module("torch")
    except ImportError as fault:
        raise MissingExtraError("the distance image on a graphics card (PyTorch)", "gpu") from fault
    if device == "cuda" and not torch.cuda.is_available():
        raise UnderstudyError("PyTorch is installed, but sees no CUDA graphics card")
    return torch


def gpu_fault(device: str = "cuda") -> str:
    """Why the image cannot be made on the device; empty when it can."""
    try:
        torch_on(device)
    except UnderstudyError as fault:
        return str(fault)
    return ""


def gpu_minima(
    points: Windows, *, threshold_m: float, apart: int = 0, rim: int = 2, tile: int = TILE, device: str = "cuda"
) -> tuple[IntArray, FloatArray]:
    """Local minima of the image not above a threshold; as :func:`understudy.library.distance.local_minima`.

    Args:
        points: The frames.
        threshold_m: Largest distance [m].
        apart: Frames nearer than this to the diagonal do not count.
        rim: A minimum is the lowest within so many frames each way.
        tile: Frames a side of one tile.
        device: PyTorch's name of the device.
    """
    torch = torch_on(device)
    pairs, costs = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    limit = threshold_m**2 * points.total
    for corner, squares in _tiles(torch, points, rim=rim, tile=tile, device=device):
        lowest = -torch.nn.functional.max_pool2d(-squares[None], 2 * rim + 1, stride=1)[0]
        middle = squares[rim:-rim, rim:-rim]
        found = torch.nonzero((middle == lowest) & (middle <= limit))
        values = middle[found[:, 0], found[:, 1]].clamp(min=0.0)
        frames = found.cpu().numpy() + np.array(corner)
        kept = frames[:, 1] - frames[:, 0] >= max(apart, 1)
        pairs.append(frames[kept])
        costs.append(np.sqrt(values.cpu().numpy()[kept] / points.total))
    every, cost = np.concatenate(pairs), np.concatenate(costs)
    order = np.lexsort((every[:, 1], every[:, 0]))
    return every[order], cost[order]


class _Card:
    """All frames on the card, and windows of any of them as rows of matrices."""

    def __init__(self, torch: Any, points: Windows, device: str) -> None:
        """Move the frames there, once."""
        self.torch, self.half, self.count = torch, points.half, len(points)
        flat, sums = points.points, points.sums
        parts = (flat.real, flat.imag, points.heights, points.energies, sums.real, sums.imag)
        arrays = [torch.as_tensor(np.ascontiguousarray(part), device=device) for part in parts]
        self.z, self.x, self.heights, self.energies, self.sum_z, self.sum_x = arrays

    def side(self, first: int, tile: int, rim: int) -> _Side:
        """A tile's frames with a rim; beyond the ends their energy is infinite."""
        torch = self.torch
        frames = torch.arange(first - rim, min(first + tile, self.count) + rim, device=self.z.device)
        held = frames.clamp(0, self.count - 1)
        span = torch.arange(-self.half, self.half + 1, device=self.z.device)
        window = (held[:, None] + span).clamp(0, self.count - 1)
        z, x, tall = (part[window].reshape(len(held), -1) for part in (self.z, self.x, self.heights))
        return _Side(
            flat=torch.cat([z, x], dim=1),
            turned=torch.cat([x, -z], dim=1),
            tall=tall,
            energy=torch.where(frames == held, self.energies[held], torch.inf),
            sum_z=self.sum_z[held],
            sum_x=self.sum_x[held],
        )


class _Side(NamedTuple):
    """Rows or columns of a tile: windows in a row each, what they sum up to, and the same turned by a quarter."""

    flat: Any
    turned: Any
    tall: Any
    energy: Any
    sum_z: Any
    sum_x: Any


def _tiles(torch: Any, points: Windows, *, rim: int, tile: int, device: str) -> Iterator[tuple[tuple[int, int], Any]]:
    """Upper tiles of squared sums with ``rim`` more cells on every side, and the frames their inner corner is at."""
    card = _Card(torch, points, device)
    for row in range(0, card.count, tile):
        rows = card.side(row, tile, rim)
        for col in range(row, card.count, tile):
            cols = rows if col == row else card.side(col, tile, rim)
            yield (row, col), _squares(torch, rows, cols, points.total)


def _squares(torch: Any, rows: _Side, cols: _Side, total: float) -> Any:
    """Summed squared distances of all pairs of windows at their best alignment."""
    together = torch.outer(rows.sum_z, cols.sum_z) + torch.outer(rows.sum_x, cols.sum_x)
    across = torch.outer(rows.sum_x, cols.sum_z) - torch.outer(rows.sum_z, cols.sum_x)
    real = torch.addmm(together, rows.flat, cols.flat.T, beta=-1.0 / total)
    imag = torch.addmm(across, rows.turned, cols.flat.T, beta=-1.0 / total)
    tall = rows.tall @ cols.tall.T
    return rows.energy[:, None] + cols.energy[None] - 2.0 * tall.add_(real.hypot_(imag))
