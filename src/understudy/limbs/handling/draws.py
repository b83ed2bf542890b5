"""What is tried next to bring a hand somewhere: a posture, a linkage, a window and an effort, the most promising first.

One best-first search. A draw costs what its posture costs, more for the trunk's help, a long or a short window and a
patient search, and more after every failure that it has something in common with. Looking for more postures is a draw
too. Nothing is tried twice; where nothing fails, the first draw is the last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.limbs.handling.aims import Aim
from understudy.limbs.handling.choices import Choice
from understudy.limbs.handling.knots import Knot
from understudy.limbs.ik import Posture
from understudy.limbs.options import LimbOptions
from understudy.limbs.window import Window

#: [s] before and after the moments, and what these windows cost [m]; the same for who stands, with time to spare.
_LEADS = {1.0: 0.0, 1.5: 0.05, 2.2: 0.1, 0.7: 0.25, 3.0: 0.3}
_CALM_LEADS = {1.5: 0.0, 1.0: 0.05, 2.2: 0.1, 3.0: 0.3, 0.7: 0.4}
#: [m] what it costs that the trunk helps, and more patient searches.
_TRUNK_M, _EFFORTS_M = 0.4, (0.0, 0.5, 1.2)
#: Times as fast as a calm arm that offsets may turn, and what that costs [m]. The bar is above all of them.
_HURRIES, _HURRIES_M = (0.8, 1.3, 2.2), (0.0, 0.3, 0.8)
#: [m] what it costs to look for postures: of the arm, with the trunk, and of both on all places and in all ways.
_LOOKED_M = (0.0, 0.8, 1.6, 2.4)
#: [m] what a failure costs everything with the same posture, and with the same linkage, window, pace or effort; what it
#: costs shorter windows that one was too fast, and slower arms that one was too late.
_FAILED_M, _COMMON_M, _FAST_M, _LATE_M = 0.3, 0.04, 0.15, 0.15
#: Share of the samples of the shortest search, and times as many of the longest, which keeps little room [m].
_BRIEFLY, _PATIENTLY, _LITTLE_ROOM_M = 0.5, 4, 0.004


@dataclass(eq=False)
class Candidate:
    """A posture of a linkage.

    Attributes:
        limb: The linkage.
        choice: The posture, and the way it has the hand there.
        cost_m: What it costs, failures included [m].
        knot: The hand there, once it is known how it comes to it and leaves it.
        aims: What comes after it, in one plan with it, and the limb until then.
        seconds: Candidates for that.
    """

    limb: str
    choice: Choice
    cost_m: float
    knot: Knot | None = None
    aims: tuple[Aim, Window] | None = None
    seconds: list[Candidate] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Draw:
    """One thing to try: a candidate, or nothing for looking for more; time around it [s], effort and hurry."""

    limb: str
    cost_m: float
    candidate: Candidate | None = None
    second: Candidate | None = None
    lead_s: float = 0.0
    effort: int = 0
    hurry: int = 0
    wide: bool = False

    @property
    def paces(self) -> float:
        """How fast the limb may turn, over a calm one."""
        return _HURRIES[self.hurry]


@dataclass(eq=False)
class Draws:
    """What has not been tried yet.

    Args:
        arm: Such as ``"left_arm"``.
        options: How to search.
        calm: Whether more time is better.
    """

    arm: str
    options: LimbOptions
    calm: bool = False
    candidates: list[Candidate] = field(default_factory=list)
    known: set[Posture] = field(default_factory=set)
    tried: set[tuple[object, ...]] = field(default_factory=set)
    learned_m: dict[tuple[str, object], float] = field(default_factory=lambda: defaultdict(float))
    count: int = 0

    def next(self) -> Draw | None:
        """The most promising draw that was not taken yet."""
        manners = sorted(self._manners())
        found = [*self._looks(), *(self._best(one, manners) for one in self.candidates)]
        return min((one for one in found if one is not None), key=lambda one: one.cost_m, default=None)

    def add(self, more: Iterable[Candidate]) -> None:
        """Add candidates with postures that are not known yet."""
        for one in more:
            if one.choice.posture not in self.known:
                self.known.add(one.choice.posture)
                self.candidates.append(one)

    def take(self, draw: Draw) -> None:
        """Do not offer a draw again."""
        self.count += 1
        self.tried.add(self._key(draw))

    def options_of(self, draw: Draw) -> LimbOptions:
        """How to search for a draw."""
        options, effort = self.options, draw.effort
        if effort == 0:
            return replace(options, iterations=max(int(_BRIEFLY * options.iterations), 1))
        if effort == 1:
            return options
        room = min(options.margin_m, max(_LITTLE_ROOM_M, options.kept_m))
        return replace(options, iterations=_PATIENTLY * options.iterations, margin_m=room)

    def failed(self, draw: Draw, *, fast: bool = False, late: bool = False, second: bool = False) -> None:
        """Learn from a draw that came to nothing.

        Args:
            draw: Which.
            fast: Whether the limb was too fast.
            late: Whether it was too slow.
            second: Whether what comes after its candidate is to blame.
        """
        for trait in _traits(draw):
            self.learned_m[trait] += _COMMON_M
        for lead_s in _LEADS:
            self.learned_m["lead", lead_s] += _FAST_M if fast and lead_s <= draw.lead_s else 0.0
        for hurry in range(len(_HURRIES)):
            self.learned_m["hurry", hurry] += _LATE_M if late and hurry <= draw.hurry else 0.0
        blamed = draw.second if second else draw.candidate
        if blamed is not None:
            blamed.cost_m += _FAILED_M

    def _looks(self) -> Iterator[Draw]:
        """Looking for postures of linkages."""
        limbs = (self.arm, f"{self.arm}_spine") if self.options.spine else (self.arm,)
        for k, cost_m in enumerate(_LOOKED_M):
            draw = Draw(limbs[k % 2 % len(limbs)], cost_m, wide=k > 1)
            if self._key(draw) not in self.tried:
                yield draw

    def _manners(self) -> Iterator[tuple[float, float, int, int]]:
        """Windows, efforts and paces, and what they cost with what was learned [m]."""
        for lead_s, lead_m in (_CALM_LEADS if self.calm else _LEADS).items():
            for hurry, hurry_m in enumerate(_HURRIES_M):
                for effort, effort_m in enumerate(_EFFORTS_M):
                    traits = ("lead", lead_s), ("hurry", hurry), ("effort", effort)
                    cost_m = lead_m + hurry_m + effort_m + sum(self.learned_m[one] for one in traits)
                    yield cost_m, lead_s, effort, hurry

    def _best(self, one: Candidate, manners: list[tuple[float, float, int, int]]) -> Draw | None:
        """The most promising draw with a candidate, given manners in the order of what they cost."""
        second = min(one.seconds, key=lambda two: two.cost_m, default=None)
        own_m = one.cost_m + (0.0 if second is None else second.cost_m) + self.learned_m["limb", one.limb]
        own_m += 0.0 if one.limb == self.arm else _TRUNK_M
        draws = (
            Draw(one.limb, own_m + more_m, one, second, lead_s, effort, hurry)
            for more_m, lead_s, effort, hurry in manners
        )
        return next((draw for draw in draws if self._key(draw) not in self.tried), None)

    def _key(self, draw: Draw) -> tuple[object, ...]:
        return (draw.limb, draw.wide, id(draw.candidate), id(draw.second), draw.lead_s, draw.effort, draw.hurry)


def _traits(draw: Draw) -> tuple[tuple[str, object], ...]:
    """What draws have in common, beside their postures."""
    return ("limb", draw.limb), ("lead", draw.lead_s), ("hurry", draw.hurry), ("effort", draw.effort)


def needed_s(choice: Choice, spread: np.ndarray, speeds: np.ndarray) -> float:
    """How long it takes from the clip to a posture at least [s]."""
    turns = np.abs(spread @ choice.posture.offset).reshape(-1, 3)
    return float((np.linalg.norm(turns, axis=1) / speeds).max())
