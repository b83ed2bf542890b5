"""A real browser without a display, for tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-unsafe-swiftshader",
]


@contextmanager
def chromium() -> Iterator[object]:
    """Chromium under Playwright; skips the test where either is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((shutil.which(name) for name in names if shutil.which(name)), None)
    if found is None:
        pytest.skip("needs chromium or google-chrome")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=_FLAGS)
        yield browser
        browser.close()
