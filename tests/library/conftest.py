from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from walkers import walker

from understudy.core import Motion
from understudy.formats import load_motion
from understudy.library import Library, LibraryOptions, build_library


@pytest.fixture(scope="session")
def walks() -> list[Motion]:
    """A straight walk and gentle and sharper turns to both sides."""
    return [walker(turn_degps=turn, name=f"turn {turn}") for turn in (0.0, 25.0, -25.0, 50.0)]


@pytest.fixture(scope="session")
def library(walks: list[Motion]) -> Library:
    """Every transition, untried: a figure made of formulas never accelerates, so a recording's bar is none for it."""
    return build_library(walks, options=LibraryOptions(threshold_m=0.06, trials=False))


@pytest.fixture(scope="session")
def recorded(cmu_bvh: Callable[[str], Path]) -> list[Motion]:
    """Walks of CMU subject 69."""
    return [load_motion(cmu_bvh(f"69_{n}")) for n in ("01", "20", "24", "25", "28", "30", "31", "13")]


@pytest.fixture(scope="session")
def recorded_library(recorded: list[Motion]) -> Library:
    return build_library(recorded)
