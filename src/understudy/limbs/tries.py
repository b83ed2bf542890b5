"""In which order a reach is tried: everything briefly, then thoroughly, at last patiently and with little room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.limbs.ik import Posture
from understudy.limbs.options import LimbOptions

#: [s] time before and after the moment, in the order in which it is tried, round by round: for the arm, and with the
#: trunk.
BRIEF_S, WITH_TRUNK_S = (1.0, 1.5, 2.2, 0.7), (1.5,)
THOROUGH_S, THOROUGH_WITH_TRUNK_S = (1.5, 2.2, 1.0), (1.5, 2.2)
PATIENT_S, PATIENT_WITH_TRUNK_S = (3.0, 2.2, 1.5), (3.0, 1.5)
#: [s] the longest of them.
LONGEST_S = max(*BRIEF_S, *THOROUGH_S, *PATIENT_S)
#: [m] room that is kept while searching patiently: what is left between a board and a hand is little.
_LITTLE_ROOM_M = 0.004
#: Share of the samples that a brief search draws, and how many times as many a patient one does.
_BRIEFLY, _PATIENTLY = 4, 4
#: Share of the limb's bar that offsets may use once the first round has failed; what comes of it is measured anyway.
_HASTE = 0.95
#: [rad] postures that differ by less in every parameter are alike.
_ALIKE_RAD = 0.35
ROUNDS = 3
#: A round before the others, for when there are many moments to choose from: one window, one posture, the arm alone.
GLANCE = -1


@dataclass(frozen=True, kw_only=True)
class Try:
    """One way to try a reach.

    Attributes:
        limb: The linkage.
        lead_s: Time before and after the moment [s].
        options: How to search.
        seed: Of the random numbers.
        wide: Whether all places on the target are considered, not only the best that has a posture.
        unhurried: Whether the limb may be as fast as an unhurried reach even where its clip is calmer than that.
        postures: How many postures are tried.
    """

    limb: str
    lead_s: float
    options: LimbOptions
    seed: int
    wide: bool
    unhurried: bool
    postures: int


def rounds_of(options: LimbOptions) -> tuple[int, ...]:
    """The rounds that the options' attempts ask for."""
    return tuple(range(ROUNDS + options.attempts - 2 if options.attempts > 1 else 1))


def tries(arm: str, options: LimbOptions, rounds: Sequence[int] | None = None) -> Iterator[Try]:
    """Ways to try a reach with an arm, in order.

    Args:
        arm: Such as ``"left_arm"``.
        options: How to search.
        rounds: Which of the rounds -1, 0, 1, ...; all from 0 on that the options' attempts ask for unless given.
    """
    hasty = replace(options, speed_share=max(options.speed_share, _HASTE))
    for number in rounds_of(options) if rounds is None else rounds:
        if number == GLANCE:
            leads: tuple[tuple[float, ...], ...] = (BRIEF_S[:1], ())
            now = replace(options, iterations=max(options.iterations // _BRIEFLY, 1))
        elif number == 0:
            leads = (BRIEF_S, WITH_TRUNK_S)
            now = replace(options, iterations=max(options.iterations // _BRIEFLY, 1))
        elif number == 1:
            leads, now = (THOROUGH_S, THOROUGH_WITH_TRUNK_S), hasty
        else:
            leads = (PATIENT_S, PATIENT_WITH_TRUNK_S)
            room = min(options.margin_m, max(_LITTLE_ROOM_M, options.kept_m))
            now = replace(hasty, iterations=_PATIENTLY * options.iterations, margin_m=room)
        for limb, times in zip((arm, f"{arm}_spine"), leads, strict=True):
            for lead_s in times if options.spine or limb == arm else ():
                yield Try(
                    limb=limb,
                    lead_s=lead_s,
                    options=now,
                    seed=options.seed * 64 + number,
                    wide=number > 0,
                    unhurried=number != 0,
                    postures={GLANCE: 1, 0: 3, 1: 3}.get(number, 4),
                )


def unlike(postures: Sequence[Posture], count: int) -> list[int]:
    """Numbers of up to ``count`` postures, each unlike those before it."""
    kept: list[int] = []
    for k, one in enumerate(postures):
        if all(np.abs(one.offset - postures[j].offset).max() > _ALIKE_RAD for j in kept):
            kept.append(k)
        if len(kept) == count:
            break
    return kept
