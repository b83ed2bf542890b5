"""The multi-modal planner: A* over motion clips, with skills, modes and transitions as data (thesis ch. 5).

A node is a state in a mode, reached by the clips on its branch. A skill that is allowed in a mode offers moves from a
state; each one becomes a node in every mode the skill's mode may go over into. Branches in different modes compete by
what they cost so far and what is left by the problem's own estimate. The planner knows nothing about doors or books.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from understudy.core.planning import Options, Status, Watch, limited
from understudy.errors import OptionError, nearest_name

State = TypeVar("State")
Asked = TypeVar("Asked", contravariant=True)


@dataclass(frozen=True)
class Move(Generic[State]):
    """One clip a skill offers.

    Attributes:
        state: Where it leads.
        cost: What it costs, such as seconds; not negative.
        clip: What is played; anything the skills agree on.
        into: The mode it leads to; the planner tries every one allowed unless given.
    """

    state: State
    cost: float
    clip: Any = None
    into: str = ""


class Skill(Protocol[State]):
    """One small class: what can be done from a state."""

    def moves(self, state: State, rng: np.random.Generator) -> Iterable[Move[State]]:
        """Moves from a state; parameters are sampled with ``rng``, and none at all is a failed branch."""


class Problem(Protocol[Asked]):
    """What is asked."""

    def is_goal(self, state: Asked, mode: str) -> bool:
        """Whether this is the end."""

    def left(self, state: Asked) -> float:
        """An estimate of the cost that is left, never too much."""

    def key(self, state: Asked) -> Hashable:
        """What makes two states the same."""


@dataclass(frozen=True, kw_only=True)
class PlannerOptions(Options):
    """Budgets of a search.

    Attributes:
        most_nodes: Most nodes that are opened.
        most_moves: Most moves taken from one skill at one node.
    """

    most_nodes: int = limited(20_000, low=1, high=10_000_000)
    most_moves: int = limited(64, low=1, high=100_000)


@dataclass(frozen=True, eq=False)
class Node(Generic[State]):
    """A branch's end.

    Attributes:
        state: Where.
        mode: In which mode.
        cost: So far.
        skill: Which skill led here; empty at the start.
        clip: What it played.
        parent: Index of the node before; -1 at the start.
    """

    state: State
    mode: str
    cost: float
    skill: str
    clip: Any
    parent: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Found(Generic[State]):
    """What a search came to.

    Attributes:
        status: How it ended.
        path: Nodes from start to goal; to the node with the least left when there is no goal.
        tree: Every node that was made, in order: the trace.
        opened: How many were opened.
        reason: Why it is not solved.
    """

    status: Status
    path: tuple[Node[State], ...]
    tree: tuple[Node[State], ...]
    opened: int
    reason: str = ""

    @property
    def clips(self) -> list[Any]:
        """What is played from start to goal."""
        return [node.clip for node in self.path[1:]]


@dataclass(frozen=True, eq=False)
class Planner(Generic[State]):
    """Skills, modes, which skills are allowed in a mode, and which modes a mode may go over into.

    Attributes:
        skills: Name -> skill.
        modes: Names of the modes.
        allowed: Mode -> names of the skills that may act in it.
        transitions: Mode -> modes a skill that acts in it may lead to.
    """

    skills: Mapping[str, Skill[State]]
    modes: Sequence[str]
    allowed: Mapping[str, Sequence[str]]
    transitions: Mapping[str, Sequence[str]]

    def __post_init__(self) -> None:
        """Reject names that are nowhere defined."""
        for table, known, what in (
            (self.allowed, list(self.skills), "skill"),
            (self.transitions, list(self.modes), "mode"),
        ):
            for mode, names in table.items():
                if mode not in self.modes:
                    raise OptionError(f'no mode "{mode}"; {nearest_name(mode, list(self.modes))}')
                for name in names:
                    if name not in known:
                        raise OptionError(f'mode "{mode}" names the {what} "{name}"; {nearest_name(name, known)}')

    def plan(
        self, problem: Problem[State], start: State, mode: str, *, options: PlannerOptions | None = None
    ) -> Found[State]:
        """Search from a state in a mode until the problem's goal."""
        if mode not in self.modes:
            raise OptionError(f'no mode "{mode}"; {nearest_name(mode, list(self.modes))}')
        options = options or PlannerOptions()
        return next(self.plans(problem, start, mode, options=options))

    def plans(
        self, problem: Problem[State], start: State, mode: str, *, options: PlannerOptions | None = None
    ) -> Iterator[Found[State]]:
        """Every way to the goal, cheapest first, as they are asked for; the last one says why there are no more."""
        if mode not in self.modes:
            raise OptionError(f'no mode "{mode}"; {nearest_name(mode, list(self.modes))}')
        return _Search(self, problem, options or PlannerOptions()).run(Node(start, mode, 0.0, "", None, -1))


class _Search(Generic[State]):
    def __init__(self, planner: Planner[State], problem: Problem[State], options: PlannerOptions) -> None:
        self.planner, self.problem, self.options = planner, problem, options
        self.rng = np.random.default_rng(options.seed)
        self.tree: list[Node[State]] = []
        self.frontier: list[tuple[float, int]] = []
        self.best: dict[tuple[str, Hashable], float] = {}

    def run(self, first: Node[State]) -> Iterator[Found[State]]:
        watch, opened = self.options.watch(), 0
        self._add(first)
        while self.frontier:
            stopped = self._stopped(watch, opened)
            if stopped is not None:
                yield self._ended(stopped[0], opened, stopped[1])
                return
            _, index = heapq.heappop(self.frontier)
            node = self.tree[index]
            if node.cost > self.best[node.mode, self.problem.key(node.state)]:
                continue
            if self.problem.is_goal(node.state, node.mode):
                yield Found(status=Status.SOLVED, path=self._path(index), tree=tuple(self.tree), opened=opened)
                continue
            opened += 1
            self._open(index)
        yield self._ended(Status.EXHAUSTED, opened, "no branch leads to the goal")

    def _stopped(self, watch: Watch, opened: int) -> tuple[Status, str] | None:
        status = watch.interrupted()
        if status is not None:
            return status, "the deadline passed" if status is Status.TIMED_OUT else "it was cancelled"
        if opened >= self.options.most_nodes:
            return Status.EXHAUSTED, f"{opened} nodes were opened without reaching the goal"
        return None

    def _open(self, index: int) -> None:
        node, planner = self.tree[index], self.planner
        for name in planner.allowed.get(node.mode, ()):
            moves = planner.skills[name].moves(node.state, self.rng)
            for count, move in enumerate(moves):
                if count >= self.options.most_moves:
                    break
                for mode in (move.into,) if move.into else planner.transitions.get(node.mode, ()):
                    if mode in planner.transitions.get(node.mode, ()):
                        self._add(Node(move.state, mode, node.cost + move.cost, name, move.clip, index))

    def _add(self, node: Node[State]) -> None:
        key = (node.mode, self.problem.key(node.state))
        if node.cost < self.best.get(key, np.inf):
            self.best[key] = node.cost
            self.tree.append(node)
            heapq.heappush(self.frontier, (node.cost + self.problem.left(node.state), len(self.tree) - 1))

    def _path(self, index: int) -> tuple[Node[State], ...]:
        path = []
        while index >= 0:
            path.append(self.tree[index])
            index = self.tree[index].parent
        return tuple(reversed(path))

    def _ended(self, status: Status, opened: int, reason: str) -> Found[State]:
        nearest = min(range(len(self.tree)), key=lambda k: (self.problem.left(self.tree[k].state), k))
        return Found(status=status, path=self._path(nearest), tree=tuple(self.tree), opened=opened, reason=reason)
