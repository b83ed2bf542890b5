"""Crowds of walk mode: everybody arrives, nobody touches anybody, the judge has seen all of them together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from understudy.errors import OptionError
from understudy.studio import modes
from understudy.studio.desk import Desk
from understudy.studio.examples import open_example
from understudy.studio.shelf import Shelf
from understudy.verify import verify

assert modes


@pytest.fixture
def desk() -> Iterator[Desk]:
    shelf = Shelf()
    made = Desk(open_example("empty", shelf), shelf=shelf)
    yield made
    made.close()


def test_a_crowd_crosses_and_the_judge_agrees(desk: Desk) -> None:
    desk.do("walk.crowd", {"count": 3, "centre": [6, 0]})
    assert desk.settled(900.0)
    project = desk.project
    assert project.verdict.status == "verified", project.verdict.text
    aims = project.settings["walk"]["aims"]
    assert len(aims) == 3
    people = [one for one in project.scene.characters if one.name in aims]
    for one in people:
        end = one.world_motion.root_positions[-1, [0, 2]]
        np.testing.assert_allclose(end, aims[one.name]["goal"], atol=0.05)
    report = verify([(one.name, one.world_motion) for one in people])
    between = [
        pair
        for pair in report.penetration.pairs
        if pair.depth_m > 1e-3 and pair.a.split(".")[0] != pair.b.split(".")[0]
    ]
    assert between == []
    desk.do("undo")
    assert len(desk.project.scene.characters) == 1


def test_one_walker_is_no_crowd(desk: Desk) -> None:
    with pytest.raises(OptionError, match="two people with goals"):
        desk.do("walk.together")
