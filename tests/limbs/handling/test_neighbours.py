"""What an object touches where it is taken: contact is claimed, and an object in another one is refused."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.errors import PlanningInputError
from understudy.limbs.handling.neighbours import neighbour_rules
from understudy.scene import Scene
from understudy.scene.shapes import Box
from understudy.verify.forward import SAMPLE_RATE_HZ
from understudy.verify.windows import AROUND_S

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def on_board(above_m: float) -> tuple[Scene, tuple[np.ndarray, np.ndarray]]:
    """A box above a board, or in it."""
    at = (0.0, 1.0 + 0.025 + above_m, 0.0)
    scene = Scene().with_object("board", Box(size_m=(0.4, 0.03, 0.3)), position=(0.0, 0.985, 0.0))
    return scene.with_object("thing", Box(size_m=(0.08, 0.05, 0.06)), position=at), (np.array(at), UPRIGHT)


@pytest.mark.parametrize("above_m", [0.0005, 0.0, -0.0015])
def test_what_rests_on_something_touches_it(above_m: float) -> None:
    scene, pose = on_board(above_m)
    rules, _ = neighbour_rules(scene, "thing", pose, 1.0, owner="anna")
    assert [(rule.a, rule.b) for rule in rules] == [("thing", "board")]


def test_a_claim_lasts_a_look_of_the_judge_less_than_allowed() -> None:
    """In a file that was rounded a contact may begin one look later, and the claim has to hold there too."""
    scene, pose = on_board(0.0)
    rules, _ = neighbour_rules(scene, "thing", pose, 1.0, owner="anna")
    (rule,) = rules
    assert max(1.0 - rule.start_s, rule.end_s - 1.0) <= AROUND_S - 1.0 / SAMPLE_RATE_HZ


def test_what_is_in_something_is_refused_at_once() -> None:
    scene, pose = on_board(-0.0046)
    with pytest.raises(PlanningInputError, match="thing is in board"):
        neighbour_rules(scene, "thing", pose, 1.0, owner="anna")
