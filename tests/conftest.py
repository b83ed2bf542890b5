"""Fixtures shared by every room's tests: recorded clips, sample assets, hypothesis settings.

The recordings are not part of the repository. Tests that need them skip when they are absent:
put them in a folder named ``shared`` beside the checkout, or point ``UNDERSTUDY_SHARED`` at them.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from understudy.scene import tasks

CHECKOUT = Path(__file__).resolve().parents[1]

# First calls compile kernels, so a deadline per example would fail by machine speed alone.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


# What is kept between processes is kept for this run only: tests neither read nor fill the user's own folder.
if "UNDERSTUDY_CACHE" not in os.environ:
    os.environ["UNDERSTUDY_CACHE"] = tempfile.mkdtemp(prefix="understudy-tests-")
    atexit.register(shutil.rmtree, os.environ["UNDERSTUDY_CACHE"], ignore_errors=True)


def _shared_folder(name: str) -> Path:
    root = Path(os.environ.get("UNDERSTUDY_SHARED") or CHECKOUT.parent / "shared")
    folder = root / name
    if not folder.is_dir():
        pytest.skip(f"no recorded data: {folder} is absent (set UNDERSTUDY_SHARED to its parent folder)")
    return folder


@pytest.fixture
def own_task_kinds() -> Iterator[None]:
    """Kinds of tasks that a test adds are gone after it."""
    before = set(tasks.KINDS)
    yield
    for name in set(tasks.KINDS) - before:
        del tasks._KINDS[name]


@pytest.fixture(scope="session")
def shared_motion() -> Path:
    """Folder of recorded clips (``cmu_bvh/``, ``cmu_asfamc/``, ``INDEX.csv``)."""
    return _shared_folder("motion")


@pytest.fixture(scope="session")
def shared_assets() -> Path:
    """Folder of rigged characters and furniture."""
    return _shared_folder("assets")


@pytest.fixture(scope="session")
def cmu_bvh(shared_motion: Path) -> Callable[[str], Path]:
    """``cmu_bvh("16_15")`` is the path of that clip; skips when the clip is absent."""

    def path_of(name: str) -> Path:
        path = shared_motion / "cmu_bvh" / f"{name}.bvh"
        if not path.is_file():
            pytest.skip(f"no recorded clip {path}")
        return path

    return path_of
