"""In which order a reach is tried: everything briefly, then thoroughly, at last patiently and with little room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from understudy.limbs.ik import Posture
from understudy.limbs.options import LimbOptions

#: [m] room that is kept while searching patiently: what is left between a board and a hand is little.
_LITTLE_ROOM_M = 0.004
#: Share of the samples that a brief search draws, and how many times as many a patient one does.
_BRIEFLY, _PATIENTLY = 2, 4
#: Shares of the limb's bar that offsets may use once it was too slow, and once the first round has failed; what comes
#: of it is measured anyway.
_HASTY, _HASTE = 0.9, 0.95
#: [rad] postures that differ by less in every parameter are alike.
_ALIKE_RAD = 0.35
ROUNDS = 3
#: A round after the others, for what seemed stuck before: it is searched patiently all the same.
STUBBORN = -3


class _Part(NamedTuple):
    """Part of a round: [s] before and after the moment for the arm and with the trunk, and postures (see ``Try``).

    ``patient`` parts are searched as the last round is; ``again`` is how often that was done before (other seeds).
    """

    arm_s: tuple[float, ...]
    trunk_s: tuple[float, ...]
    postures: int
    after: int = 0
    if_hasty: bool = False
    patient: bool = False
    again: int = 0


#: What is tried in each round, in order. What cannot be smoothed or is too fast with one posture mostly is with others
#: too, so that other windows come first. An arm alone with all the time there is and little room is sooner searched
#: patiently, and again with other random numbers, than with its trunk thoroughly.
_PARTS = {
    0: (
        _Part((1.0, 1.5, 2.2), (), 1),
        _Part((1.5, 2.2), (), 1, if_hasty=True),
        _Part((2.2,), (), 1, if_hasty=True, again=1),
        _Part((0.7,), (1.5,), 1),
        _Part((1.0, 1.5, 2.2, 0.7), (1.5,), 3, after=1),
    ),
    1: (
        _Part((1.5, 2.2), (), 3),
        _Part((3.0,), (), 4, patient=True),
        _Part((3.0,), (), 4, patient=True, again=1),
        _Part((3.0,), (), 4, patient=True, again=2),
        _Part((1.0,), (1.5, 2.2), 3),
    ),
    2: (_Part((3.0, 2.2, 1.5), (3.0, 1.5), 4),),
    STUBBORN: (_Part((3.0,), (3.0,), 4, patient=True, again=3),),
}
#: The most postures of them.
MOST_POSTURES = 4


@dataclass(frozen=True, kw_only=True)
class Try:
    """One way to try a reach.

    Attributes:
        limb: The linkage.
        lead_s: Time before and after the moment [s].
        options: How to search.
        seed: Of the random numbers.
        wide: Whether all places on the target are considered, not only the best that has a posture.
        postures: How many postures are tried.
        after: How many of these are passed over because they were tried before.
        if_hasty: Whether it is only worth trying where the limb was too fast or too late before.
        stubborn: Whether it is only worth trying where the limb seemed stuck before, and goes on where it seems so.
    """

    limb: str
    lead_s: float
    options: LimbOptions
    seed: int
    wide: bool
    postures: int
    after: int = 0
    if_hasty: bool = False
    stubborn: bool = False


def rounds_of(options: LimbOptions) -> tuple[int, ...]:
    """The rounds that the options' attempts ask for."""
    return tuple(range(ROUNDS + options.attempts - 2 if options.attempts > 1 else 1))


def tries(arm: str, options: LimbOptions, rounds: Sequence[int] | None = None) -> Iterator[Try]:
    """Ways to try a reach with an arm, in order.

    Args:
        arm: Such as ``"left_arm"``.
        options: How to search.
        rounds: Which of the rounds -3, 0, 1, ...; all from 0 on that the options' attempts ask for unless given.
    """
    for number in rounds_of(options) if rounds is None else rounds:
        thorough = number > 0 or number == STUBBORN
        for part in _PARTS[min(number, ROUNDS - 1)]:
            manner = ROUNDS - 1 if part.patient else number
            now = _options(options, manner, hasty=part.if_hasty)
            for limb, times in zip((arm, f"{arm}_spine"), (part.arm_s, part.trunk_s), strict=True):
                for lead_s in times if options.spine or limb == arm else ():
                    yield Try(
                        limb=limb,
                        lead_s=lead_s,
                        options=now,
                        seed=options.seed * 64 + manner + 8 * part.again,
                        wide=thorough,
                        postures=part.postures,
                        after=part.after,
                        if_hasty=part.if_hasty,
                        stubborn=number == STUBBORN,
                    )


def _options(options: LimbOptions, number: int, *, hasty: bool) -> LimbOptions:
    """How to search in a round."""
    if number > 0 or hasty:
        options = replace(options, speed_share=max(options.speed_share, _HASTE if number > 0 else _HASTY))
    if number <= 0:
        return replace(options, iterations=max(options.iterations // _BRIEFLY, 1))
    if number == 1:
        return options
    room = min(options.margin_m, max(_LITTLE_ROOM_M, options.kept_m))
    return replace(options, iterations=_PATIENTLY * options.iterations, margin_m=room)


def unlike(postures: Sequence[Posture], count: int) -> list[int]:
    """Numbers of up to ``count`` postures, each unlike those before it."""
    kept: list[int] = []
    for k, one in enumerate(postures):
        if all(np.abs(one.offset - postures[j].offset).max() > _ALIKE_RAD for j in kept):
            kept.append(k)
        if len(kept) == count:
            break
    return kept
