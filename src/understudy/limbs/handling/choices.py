"""Postures of a hand on its aim: looked for once for all windows, those that can be reached in time chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from understudy import rotations as rot
from understudy.core.planning import Status
from understudy.limbs.handling.aims import Aim, Way
from understudy.limbs.handling.foresight import USELESS_M
from understudy.limbs.handling.reasons import posture_said
from understudy.limbs.hands import hand_pose
from understudy.limbs.ik import Posture, Postures, reachable_postures
from understudy.limbs.refusals import Refusal
from understudy.limbs.window import Window
from understudy.scene.transforms import Pose

#: Postures collected before the nearest are chosen, and where all places are considered.
_COLLECTED, _COLLECTED_WIDELY = 8, 40
#: Ways that are looked at in one tier, at most; with the trunk.
_MOST_WAYS, _MOST_LEANING = 60, 6
#: [m] what a posture of a less preferred tier costs.
_TIER_M = 0.25
#: [m] where a hand comes no nearer than this to one place of a thing it is out of reach.
_FAR_M, _NEARLY_M = 0.15, 0.02
#: [m], [rad] hands that differ by less have the same grip.
_SAME_M, _SAME_RAD = 0.02, 0.35
#: Grips by one way that are looked at where something is to be done later.
_GRIPS_A_WAY = 5
#: Choices that are handed out.
_MOST = 12
#: [rad] postures that differ by less in every parameter are alike.
_ALIKE_RAD = 0.35
#: [m] up to this cost a posture is easy, and no others are looked for at first.
_EASY_M = 1.2


@dataclass(frozen=True, eq=False)
class Choice:
    """A posture and the way it puts the hand on its aim."""

    posture: Posture
    way: Way


@dataclass(eq=False)
class Known:
    """What has been found out about one aim: postures by linkage and way.

    Attributes:
        postures: Those.
        done: Poses of the hand joint in ways of doing it that did not do for what came after them: others are wanted.
        hands: Poses of the hand joint in postures, by these.
        later: What comes later costs after postures [m], by these.
    """

    postures: dict[tuple[str, int], Postures] = field(default_factory=dict)
    done: list[Pose] = field(default_factory=list)
    hands: dict[Posture, Pose] = field(default_factory=dict)
    later: dict[Posture, float] = field(default_factory=dict)

    def on(self, window: Window, aim: Aim, way: Way, clear_m: float) -> Postures:
        """Postures of a window's limb on one way."""
        key = (window.space.name, id(way))
        if key not in self.postures:
            self.postures[key] = reachable_postures(window, aim.time_s, way.end, clear_m=clear_m)
        return self.postures[key]

    def hand(self, window: Window, aim: Aim, posture: Posture) -> Pose:
        """Where the hand joint is in a posture."""
        if posture not in self.hands:
            self.hands[posture] = hand_pose(window.stage, window.space, aim.hand, aim.time_s, posture.offset)
        return self.hands[posture]

    def later_m(self, window: Window, aim: Aim, posture: Posture) -> float:
        """What comes later costs after a posture [m]."""
        assert aim.later_m is not None
        if posture not in self.later:
            self.later[posture] = aim.later_m(self.hand(window, aim, posture))
        return self.later[posture]


def choices(
    before: Window, aim: Aim, known: Known, *, wide: bool, clear_m: float
) -> tuple[list[tuple[Choice, float]], Refusal]:
    """Postures on the aim that are unlike each other and what they cost [m], those nearest to the clip first.

    Args:
        before: The limb up to the moment.
        aim: What is aimed at.
        known: What has been found out already.
        wide: Whether all places are considered, not only the easiest.
        clear_m: Distance kept [m].
    """
    seen: list[tuple[Way, Postures]] = []
    again, costs = False, list[float]()
    found: list[Choice] = []
    leaning = before.space.name.endswith("_spine")
    totals: dict[int, float] = {}
    for rank, tier in enumerate(aim.tiers):
        for way in tier[: _MOST_LEANING if leaning else _MOST_WAYS]:
            postures = known.on(before, aim, way, clear_m)
            seen.append((way, postures))
            if postures.missing_m > (_NEARLY_M if leaning else _FAR_M):
                # Other places of the same thing are not that much nearer.
                break
            for posture in _of_use(before, aim, postures.found, known):
                if _done_before(before, aim, posture, known):
                    again = True
                else:
                    found.append(Choice(posture, way))
                    costs.append(posture.cost_m + _TIER_M * rank)
            if _useful(found, known) >= (_COLLECTED_WIDELY if wide else _COLLECTED):
                break
        # What is preferred is not worth a contortion, now or later.
        totals = _totals(before, aim, found, costs, known)
        if totals and not wide and min(totals.values()) < _EASY_M:
            break
    useful = [k for k in sorted(totals, key=lambda k: totals[k]) if wide or totals[k] < USELESS_M]
    if useful:
        picks = unlike([found[k].posture for k in useful], _MOST)
        return [(found[useful[k]], totals[useful[k]]) for k in picks], Refusal(status=Status.SOLVED, reason="")
    if again or found:
        reason = f"the {aim.hand} hand has no other way to be at {aim.name} at {aim.time_s:.2f} s that is of use later"
        return [], Refusal(status=Status.EXHAUSTED, reason=reason)
    return [], Refusal(status=Status.INFEASIBLE_GOAL, reason=posture_said(before, aim, seen), hopeless=True)


def _of_use(before: Window, aim: Aim, postures: Sequence[Posture], known: Known) -> list[Posture]:
    """Postures on one way: all of them, or where more is to be done later a few that have the hand otherwise."""
    if aim.later_m is None:
        return list(postures)
    kept: list[Posture] = []
    for one in postures:
        hand = known.hand(before, aim, one)
        if all(not _same(hand, known.hand(before, aim, other)) for other in kept):
            kept.append(one)
            known.later_m(before, aim, one)
        if len(kept) == _GRIPS_A_WAY:
            break
    return kept


def _useful(found: Sequence[Choice], known: Known) -> int:
    """How many choices are not known to be of no use later."""
    return sum(known.later.get(one.posture, 0.0) < USELESS_M for one in found)


def _same(one: Pose, other: Pose) -> bool:
    """Whether two poses of a hand are one grip."""
    near = float(np.linalg.norm(one[0] - other[0])) < _SAME_M
    return near and float(rot.angle_between(one[1], other[1])) < _SAME_RAD


def _totals(before: Window, aim: Aim, found: list[Choice], costs: list[float], known: Known) -> dict[int, float]:
    """What choices cost with what comes later [m], by number; not those too dear to be among the first."""
    if aim.later_m is None:
        return dict(enumerate(costs))
    totals: dict[int, float] = {}
    for k in np.argsort(costs, kind="stable").tolist():
        if sum(total <= costs[k] for total in totals.values()) >= _MOST:
            break
        totals[k] = costs[k] + known.later_m(before, aim, found[k].posture)
    return totals


def _done_before(before: Window, aim: Aim, posture: Posture, known: Known) -> bool:
    """Whether a posture has the hand as it was in a way of doing it that is known already."""
    if not known.done:
        return False
    return any(_same(known.hand(before, aim, posture), one) for one in known.done)


def unlike(postures: Sequence[Posture], count: int) -> list[int]:
    """Numbers of up to ``count`` postures, each unlike those before it."""
    kept: list[int] = []
    for k, one in enumerate(postures):
        if all(np.abs(one.offset - postures[j].offset).max() > _ALIKE_RAD for j in kept):
            kept.append(k)
        if len(kept) == count:
            break
    return kept
