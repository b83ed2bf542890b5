"""The distance image by matrix products is the processor's; without a card the processor takes over and says so."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from understudy.core import Motion
from understudy.errors import OptionError
from understudy.library import LibraryOptions, build_library
from understudy.library.distance import local_minima, windows
from understudy.library.gpu_image import gpu_fault, gpu_minima


@pytest.mark.parametrize("tile", [4096, 60])
def test_minima_are_those_of_the_processor(tile: int) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed (the gpu extra)")
    rng = np.random.default_rng(3)
    positions = np.cumsum(rng.normal(0.0, 0.03, (190, 5, 3)), axis=0)
    points = windows(positions, np.ones(5), half=4, starts=[0, 90, 190])
    pairs, costs = local_minima(points, threshold_m=0.4, apart=9)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    assert len(pairs) > 20
    found, values = gpu_minima(points, threshold_m=0.4, apart=9, tile=tile, device="cpu")
    assert (found == pairs[order]).all()
    assert values == pytest.approx(costs[order], abs=1e-9)


def test_without_a_card_the_processor_does_it_and_a_note_says_so(walks: list[Motion]) -> None:
    if not gpu_fault():
        pytest.skip("there is a graphics card")
    plain = build_library(walks, options=LibraryOptions(graph="standard", trials=False))
    asked = build_library(walks, options=LibraryOptions(graph="standard", trials=False, device="gpu"))
    assert (asked.graph.targets == plain.graph.targets).all()
    (note,) = [note for note in asked.notes if "processor made the distance image" in note]
    assert ("pip install torch" in note) == (importlib.util.find_spec("torch") is None)


def test_unknown_devices_are_named() -> None:
    with pytest.raises(OptionError, match='device is "gpuu"; did you mean "gpu"'):
        LibraryOptions(device="gpuu")  # type: ignore[arg-type]
