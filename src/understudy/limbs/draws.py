"""What is tried next: a linkage, a candidate of it, a window, a pace and an effort, the most promising first.

One anytime search for everything that limbs do. A draw costs what its candidate costs (a posture on a target, or a way
out of a touch), more for the trunk, a long or a short window, a hurried pace and a patient search, and more after
every failure that it has something in common with. Looking for more candidates is a draw too. Nothing is tried twice;
where nothing fails, the first draw is the last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from understudy.core.violations import Violation
from understudy.limbs.options import LimbOptions
from understudy.limbs.speeds import FACTOR, Pace

#: [s] before and after the moments, and what these windows cost [m]; the same for who stands, with time to spare.
LEADS: Mapping[float, float] = MappingProxyType({1.0: 0.0, 1.5: 0.05, 2.2: 0.1, 0.7: 0.25, 3.0: 0.3})
CALM_LEADS: Mapping[float, float] = MappingProxyType({1.5: 0.0, 1.0: 0.05, 2.2: 0.1, 3.0: 0.3, 0.7: 0.4})
#: [m] what it costs that the trunk helps, and more patient searches.
_TRUNK_M, _EFFORTS_M = 0.4, (0.0, 0.5, 1.2)
#: Times as fast as a calm arm that offsets may turn, and what that costs [m]. The bar is above all of them.
_HURRIES, _HURRIES_M = (0.8, 1.3, 2.2), (0.0, 0.3, 0.8)
#: [m] what it costs to look for candidates: of the limb, with the trunk, and of both more widely.
_LOOKED_M = (0.0, 0.8, 1.6, 2.4)
#: [m] what a failure costs everything with the same candidate, and with the same linkage, window, pace or effort; what
#: it costs shorter windows that one was too fast, and slower arms that one was too late.
_FAILED_M, _COMMON_M, _FAST_M, _LATE_M = 0.3, 0.04, 0.15, 0.15
#: Violations of those that are too fast or not smooth.
PACE = ("velocity", "acceleration", "jerk", "tremor", "seams")
#: Draws for one thing to do, briefly and thoroughly.
DRAWS = (16, 96)
#: Share of the samples of the shortest search, and times as many of the longest, which keeps little room [m].
_BRIEFLY, _PATIENTLY, _LITTLE_ROOM_M = 0.5, 4, 0.004


@dataclass(eq=False, kw_only=True)
class Candidate:
    """One thing that a linkage may do.

    Attributes:
        limb: The linkage.
        cost_m: What it costs, failures included [m].
        seconds: Candidates for what comes after it, in one plan with it.
    """

    limb: str
    cost_m: float
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

    def options(self, given: LimbOptions) -> LimbOptions:
        """How to search: briefly, as the options say, or patiently and with little room."""
        if self.effort == 0:
            return replace(given, iterations=max(int(_BRIEFLY * given.iterations), 1))
        if self.effort == 1:
            return given
        room = min(given.margin_m, max(_LITTLE_ROOM_M, given.kept_m))
        return replace(given, iterations=_PATIENTLY * given.iterations, margin_m=room)

    def paces(self, usual: Mapping[str, Pace], speed_share: float) -> dict[str, Pace]:
        """Paces in this hurry; nobody is asked to be faster than people are in everyday life."""
        times = _HURRIES[self.hurry] / speed_share
        return {name: replace(one, calm=min(times * one.calm, one.speed / FACTOR)) for name, one in usual.items()}


@dataclass(eq=False)
class Draws:
    """What has not been tried yet.

    Args:
        linkages: Those that may be used, the shortest first.
        leads: Windows [s], and what they cost [m].
        onward_m: What comes after a candidate costs about this, until it is known [m].
    """

    linkages: tuple[str, ...]
    leads: Mapping[float, float] = field(default_factory=lambda: LEADS)
    candidates: list[Candidate] = field(default_factory=list)
    tried: set[tuple[object, ...]] = field(default_factory=set)
    learned_m: dict[tuple[str, object], float] = field(default_factory=lambda: defaultdict(float))
    count: int = 0
    onward_m: float = 0.0

    def next(self) -> Draw | None:
        """The most promising draw that was not taken yet."""
        manners = sorted(self._manners())
        found = [*self._looks(), *(self._best(one, manners) for one in self.candidates)]
        return min((one for one in found if one is not None), key=lambda one: one.cost_m, default=None)

    def add(self, more: Iterable[Candidate]) -> None:
        """Add candidates."""
        self.candidates += more

    def give_up(self, limb: str) -> None:
        """Offer nothing with a linkage any more."""
        self.linkages = tuple(one for one in self.linkages if one != limb)
        self.candidates = [one for one in self.candidates if one.limb != limb]

    def take(self, draw: Draw) -> None:
        """Do not offer a draw again."""
        self.count += 1
        self.tried.add(_key(draw))

    def failed(
        self, draw: Draw, *, fast: bool = False, late: bool = False, blamed: Sequence[Candidate] | None = None
    ) -> None:
        """Learn from a draw that came to nothing.

        Args:
            draw: Which.
            fast: Whether the limb was too fast.
            late: Whether it was too slow.
            blamed: Candidates that share the blame; the draw's own unless given.
        """
        for trait in (("limb", draw.limb), ("lead", draw.lead_s), ("hurry", draw.hurry), ("effort", draw.effort)):
            self.learned_m[trait] += _COMMON_M
        for lead_s in self.leads:
            self.learned_m["lead", lead_s] += _FAST_M if fast and lead_s <= draw.lead_s else 0.0
        for hurry in range(len(_HURRIES)):
            self.learned_m["hurry", hurry] += _LATE_M if late and hurry <= draw.hurry else 0.0
        own = [] if draw.candidate is None else [draw.candidate]
        for one in own if blamed is None else blamed:
            one.cost_m += _FAILED_M / len(own if blamed is None else blamed)

    def learn(
        self,
        draw: Draw,
        violations: Sequence[Violation],
        moved: Collection[str],
        blamed: Sequence[Candidate] | None = None,
    ) -> None:
        """Learn from what the judge says of a draw that came to something.

        Args:
            draw: Which.
            violations: What is wrong with it; nothing where another one is asked for all the same.
            moved: Names of the parts that its linkage moves, and of what these carry.
            blamed: Candidates that share the blame; the draw's own unless given.
        """
        for one in violations:
            if one.kind == "penetration" and not {one.part, one.other} & set(moved):
                return self.give_up(draw.limb)  # what it does not move is in something, whatever it does
        self.failed(draw, fast=any(one.kind in PACE for one in violations), blamed=blamed)

    def _looks(self) -> Iterator[Draw]:
        """Looking for candidates of linkages."""
        for k, cost_m in enumerate(_LOOKED_M):
            if k % 2 < len(self.linkages):
                draw = Draw(self.linkages[k % 2], cost_m, wide=k > 1)
                if _key(draw) not in self.tried:
                    yield draw

    def _manners(self) -> Iterator[tuple[float, float, int, int]]:
        """Windows, efforts and paces, and what they cost with what was learned [m]."""
        for lead_s, lead_m in self.leads.items():
            for hurry, hurry_m in enumerate(_HURRIES_M):
                for effort, effort_m in enumerate(_EFFORTS_M):
                    traits = ("lead", lead_s), ("hurry", hurry), ("effort", effort)
                    cost_m = lead_m + hurry_m + effort_m + sum(self.learned_m[one] for one in traits)
                    yield cost_m, lead_s, effort, hurry

    def _best(self, one: Candidate, manners: list[tuple[float, float, int, int]]) -> Draw | None:
        """The most promising draw with a candidate, given manners in the order of what they cost."""
        second = min(one.seconds, key=lambda two: two.cost_m, default=None)
        own_m = one.cost_m + (self.onward_m if second is None else second.cost_m) + self.learned_m["limb", one.limb]
        own_m += _TRUNK_M if one.limb.endswith("_spine") else 0.0
        draws = (
            Draw(one.limb, own_m + more_m, one, second, lead_s, effort, hurry)
            for more_m, lead_s, effort, hurry in manners
        )
        return next((draw for draw in draws if _key(draw) not in self.tried), None)


def _key(draw: Draw) -> tuple[object, ...]:
    return (draw.limb, draw.wide, id(draw.candidate), id(draw.second), draw.lead_s, draw.effort, draw.hurry)


def linkages_of(limb: str, options: LimbOptions) -> tuple[str, ...]:
    """Linkages that a limb may be planned as: an arm also with the trunk, where that is allowed."""
    return (limb, f"{limb}_spine") if options.spine and limb.endswith("_arm") else (limb,)
