"""Every suite can be imported and is listed: a suite nobody can run proves nothing."""

from __future__ import annotations

import importlib
from pathlib import Path

import benchmarks.suites as suites
import pytest

MODULES = sorted(path.stem for path in Path(suites.__file__).parent.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("name", MODULES)
def test_every_suite_can_be_imported(name: str) -> None:
    importlib.import_module(f"benchmarks.suites.{name}")


@pytest.mark.parametrize("name", sorted(suites.SUITES))
def test_every_listed_suite_can_be_asked(name: str) -> None:
    assert callable(importlib.import_module(f"benchmarks.suites.{name}").bench)
