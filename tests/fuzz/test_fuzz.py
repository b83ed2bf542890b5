"""Every reader and every document, fuzzed: nothing but our own errors comes out, in bounded time and memory.

Cases are numbered, and their number alone says what they do: ``faults_of([("bvh", 4711, 1)])`` is one again.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from fuzz.families import FAMILIES
from fuzz.runner import faults_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of processes are Linux's")

#: Cases in ``make test`` and in ``make test-long``; families that are cheap have the most.
COUNTS = {
    "bvh": (60, 6_000),
    "acclaim": (60, 12_000),
    "glb": (40, 1_500),
    "gltf": (40, 1_200),
    "fbx": (40, 1_500),
    "usd": (4, 60),
    "npz": (40, 600),
    "npz bytes": (60, 6_000),
    "amass": (40, 600),
    "meshes": (60, 10_000),
    "scenes": (20, 500),
    "mappings": (100, 21_000),
    "task files": (100, 20_000),
    "batch lists": (100, 20_000),
    "interaction projects": (15, 200),
    "interaction states": (10, 100),
    "certificates": (15, 200),
    "studio projects": (15, 150),
    "studio meshes": (15, 150),
    "studio messages": (15, 200),
    "kept tasks": (15, 200),
    "libraries": (15, 300),
}
#: Cases of libraries that are walked with, kernels under bounds checking.
WALKED = 60


def _there() -> list[str]:
    """Families whose packages are installed."""
    missing = {extra for extra, name in (("usd", "pxr"), ("studio", "starlette")) if find_spec(name) is None}
    return [family for family in COUNTS if family.split()[0] not in missing]


def test_every_family_is_counted() -> None:
    assert set(COUNTS) | {"walked libraries"} == set(FAMILIES)
    assert sum(most for _, most in COUNTS.values()) >= 100_000


def test_damaged_files_give_clear_errors() -> None:
    assert faults_of([(family, 0, COUNTS[family][0]) for family in _there()]) == []


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
def test_many_damaged_files_give_clear_errors(half: int) -> None:
    plan = [(family, COUNTS[family][0], COUNTS[family][1] - COUNTS[family][0]) for family in _there()]
    assert faults_of(plan[half::2]) == []


@pytest.mark.long
def test_kernels_stay_within_their_arrays_whatever_a_library_says(tmp_path: Path) -> None:
    # A library that was let in is walked with; what a kernel reads beside its arrays is an IndexError here.
    checked = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    assert faults_of([("walked libraries", 0, WALKED)], env=checked) == []
