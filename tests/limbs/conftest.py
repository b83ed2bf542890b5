"""Stages that several tests plan on."""

from __future__ import annotations

import pytest

from limb_stages import beside, walk
from understudy.core import Motion
from understudy.scene import Scene


@pytest.fixture(scope="session")
def motion() -> Motion:
    return walk()


@pytest.fixture(scope="session")
def scene(motion: Motion) -> Scene:
    """A box where the right hand swings."""
    return beside(motion)
