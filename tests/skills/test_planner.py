"""The planner over data: competing modes, tables, budgets, seeds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np
import pytest

from understudy.core.planning import Status
from understudy.errors import OptionError
from understudy.skills.planner import Move, Planner, PlannerOptions

#: Place on a line; whether the door at 5 is open.
Place = tuple[int, bool]


class Walk:
    def moves(self, state: Place, rng: np.random.Generator) -> Iterable[Move[Place]]:
        at, is_open = state
        for to in (at - 1, at + 1):
            if 0 <= to <= 10 and (is_open or {at, to} != {4, 5}):
                yield Move((to, is_open), 1.0, clip=f"step to {to}")


class Open:
    def moves(self, state: Place, rng: np.random.Generator) -> Iterable[Move[Place]]:
        if state == (4, False):
            yield Move((4, True), 3.0, clip="open", into="walking")


@dataclass
class Reach:
    goal: int

    def is_goal(self, state: Place, mode: str) -> bool:
        return state[0] == self.goal and mode == "walking"

    def left(self, state: Place) -> float:
        return float(abs(self.goal - state[0]))

    def key(self, state: Place) -> Hashable:
        return state


def planner(**tables: dict[str, list[str]]) -> Planner[Place]:
    return Planner(
        skills={"walk": Walk(), "open": Open()},
        modes=["walking", "door"],
        allowed=tables.get("allowed", {"walking": ["walk"], "door": ["open"]}),
        transitions=tables.get("transitions", {"walking": ["walking", "door"], "door": ["walking"]}),
    )


def test_a_door_on_the_way_is_opened() -> None:
    found = planner().plan(Reach(8), (0, False), "walking")
    assert found.status is Status.SOLVED
    assert found.clips.count("open") == 1
    assert found.path[-1].cost == pytest.approx(8 + 3)


def test_no_door_is_opened_that_is_not_needed() -> None:
    found = planner().plan(Reach(3), (0, False), "walking")
    assert "open" not in found.clips


def test_a_mode_that_cannot_be_entered_leaves_the_best_partial_branch() -> None:
    found = planner(transitions={"walking": ["walking"]}).plan(Reach(8), (0, False), "walking")
    assert found.status is Status.EXHAUSTED
    assert found.path[-1].state == (4, False)
    assert found.reason


def test_budgets_end_a_search() -> None:
    found = planner().plan(Reach(8), (0, False), "walking", options=PlannerOptions(most_nodes=3))
    assert found.status is Status.EXHAUSTED
    assert "3 nodes" in found.reason


def test_the_same_seed_gives_the_same_tree() -> None:
    class Jump(Walk):
        def moves(self, state: Place, rng: np.random.Generator) -> Iterable[Move[Place]]:
            to = int(np.clip(state[0] + rng.integers(-3, 4), 0, 10))
            yield Move((to, True), 1.0 + float(rng.uniform()))
            yield from super().moves((state[0], True), rng)

    def tree(seed: int) -> list[tuple[Place, float]]:
        jumping = Planner({"jump": Jump()}, ["walking"], {"walking": ["jump"]}, {"walking": ["walking"]})
        return [
            (node.state, node.cost)
            for node in jumping.plan(Reach(9), (0, True), "walking", options=PlannerOptions(seed=seed)).tree
        ]

    assert tree(1) == tree(1)
    assert tree(1) != tree(2)


def test_unknown_names_are_named() -> None:
    with pytest.raises(OptionError, match=r'"wlak".*walk'):
        planner(allowed={"walking": ["wlak"]})
    with pytest.raises(OptionError, match="no mode"):
        planner().plan(Reach(1), (0, False), "flying")
