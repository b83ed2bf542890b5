"""When a hand could be at a target: the moment asked for, or the moments at which it is near enough, soonest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from understudy.limbs.handling.play import Play
from understudy.typing import FloatArray

#: [s] between moments that are looked at.
_STEP_S = 0.1
#: Share of an arm's length within which a target is easy to reach.
_EASILY = 0.93
#: [m] beyond easy reach where leaning does not help.
_TRUNK_M = 0.4
#: Moments that are tried, at most.
_MOST = 14
#: [s] least time from the beginning, or from what was done before, until a hand can be somewhere.
LEAD_S = 0.45


@dataclass(frozen=True, kw_only=True)
class Times:
    """When a task may happen, in the scene's time.

    Attributes:
        at_s: Exactly then; any time unless given.
        earliest_s: Not before.
        latest_s: Not after.
    """

    at_s: float | None
    earliest_s: float
    latest_s: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Chance:
    """A hand and a moment, and how far beyond easy reach the target is then [m]."""

    hand: str
    time_s: float
    beyond_m: float


def arm_length_m(play: Play, character: str, hand: str) -> float:
    """From shoulder to the middle of the palm along a straight arm [m]."""
    person = play.scene.character(character)
    skeleton = person.world_motion.skeleton
    upper, end = skeleton.humanoid[f"{hand}UpperArm"], skeleton.humanoid[f"{hand}Hand"]
    length = sum(float(np.linalg.norm(skeleton.offsets[joint])) for joint in skeleton.chain(upper, end)[1:])
    return length + float(np.linalg.norm(person.palm(f"{hand}_hand")))


def shoulder_at(play: Play, character: str, hand: str, times_s: FloatArray) -> FloatArray:
    """``(n, 3)`` [m] where an upper arm begins at times."""
    return play.scene.character(character).joint(f"{hand}UpperArm", times_s)[0]


def chances(
    play: Play,
    character: str,
    hands: tuple[str, ...],
    target_at: Callable[[FloatArray], FloatArray],
    times: Times,
) -> list[Chance]:
    """Hands and moments to try, in order: soonest first; at one moment, the nearer hand first.

    Args:
        play: Everything so far.
        character: Whose hands.
        hands: Which may be used.
        target_at: ``(n, 3)`` [m] where the target is at times ``(n,)``.
        times: When it may happen.
    """
    if times.at_s is not None:
        when = np.array([play.frame_s(character, times.at_s)])
    else:
        first, last = times.earliest_s, times.latest_s
        when = np.array([play.frame_s(character, time) for time in np.arange(first, last + 1e-9, _STEP_S)])
    if len(when) == 0:
        return []
    places = target_at(when)
    found = []
    for hand in hands:
        away = np.linalg.norm(places - shoulder_at(play, character, hand, when), axis=1)
        beyond = away - _EASILY * arm_length_m(play, character, hand)
        found += [Chance(hand=hand, time_s=float(t), beyond_m=float(b)) for t, b in zip(when, beyond, strict=True)]
    if times.at_s is not None:
        return sorted(found, key=lambda one: one.beyond_m)
    near = sorted((one for one in found if one.beyond_m <= 0.0), key=lambda one: (one.time_s, one.beyond_m))
    if not near:
        nearest = sorted(found, key=lambda one: one.beyond_m)
        return nearest[:3] if nearest[0].beyond_m < _TRUNK_M else nearest[:1]
    return _thinned(near)


def _thinned(near: list[Chance]) -> list[Chance]:
    """The first few moments, and a few spread over the rest."""
    if len(near) <= _MOST:
        return near
    head = near[: _MOST // 2]
    rest = near[_MOST // 2 :]
    picks = np.unique(np.linspace(0, len(rest) - 1, _MOST - len(head)).astype(int))
    return [*head, *(rest[k] for k in picks.tolist())]
