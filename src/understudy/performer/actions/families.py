"""The registry of action sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, nearest_name
from understudy.performer.actions.acceptance import EXACT_M, flaws, miss_m
from understudy.performer.actions.bat import bat_swing, bat_target
from understudy.performer.actions.example import Example
from understudy.performer.actions.figure import Figure
from understudy.performer.actions.juggle import juggle, juggle_target, throw_catch, toss_target
from understudy.performer.actions.kick import kick, kick_target
from understudy.performer.actions.pitch import pitch, pitch_target
from understudy.performer.actions.pour import pour, pour_target
from understudy.performer.actions.reach import point, point_target, reach, reach_target
from understudy.performer.person import Person
from understudy.typing import FloatArray

#: How often a target is drawn before the best example is taken.
_DRAWS = 16


@dataclass(frozen=True, kw_only=True)
class Family:
    """One action and where its targets lie.

    Attributes:
        target: Draws a target for a figure [m].
        make: Makes the example that is aimed at a target.
        about: One line for people.
    """

    target: Callable[[Figure, np.random.Generator], FloatArray]
    make: Callable[..., Example]
    about: str


ACTIONS: MappingProxyType[str, Family] = MappingProxyType(
    {
        "reach": Family(target=reach_target, make=reach, about="reach for a place with one hand and come back"),
        "point": Family(target=point_target, make=point, about="point at something far"),
        "pour": Family(target=pour_target, make=pour, about="take a bottle, pour into a glass, put it back"),
        "kick": Family(target=kick_target, make=kick, about="kick a ball with one foot"),
        "throw_catch": Family(target=toss_target, make=throw_catch, about="toss a ball up and catch it"),
        "juggle": Family(target=juggle_target, make=juggle, about="three balls in a cascade"),
        "pitch": Family(target=pitch_target, make=pitch, about="throw overarm at a far target, with a step"),
        "bat_swing": Family(target=bat_target, make=bat_swing, about="hit a ball with a bat in both hands"),
    }
)


def action_names() -> tuple[str, ...]:
    """Names of all action sets."""
    return tuple(ACTIONS)


def action_examples(
    action: str,
    *,
    count: int = 12,
    seed: int = 0,
    fps: float = 60.0,
    person: Person | Skeleton | None = None,
    targets: FloatArray | None = None,
    side: str | None = None,
) -> list[Example]:
    """Examples of one action, with targets spread over its region.

    Args:
        action: A key of :data:`ACTIONS`.
        count: How many.
        seed: The same seed gives the same examples; example ``n`` does not depend on ``count``.
        fps: Frames per second.
        person: Proportions, or any humanoid skeleton; by default an average adult.
        targets: ``(count, 3)`` targets to use instead of drawn ones [m].
        side: ``"left"`` or ``"right"``: drawn targets lie on that side; on either unless given.

    Raises:
        OptionError: An unknown action, a number outside its range, or a target out of reach.
        SkeletonError: The skeleton is not humanoid.
    """
    if action not in ACTIONS:
        raise OptionError(f'unknown action "{action}"; {nearest_name(action, ACTIONS)}')
    _check(count, seed, fps)
    if side not in (None, "left", "right"):
        raise OptionError(f'side is "{side}"; allowed: "left", "right"')
    skeleton = person if isinstance(person, Skeleton) else (person or Person()).skeleton()
    skeleton.require_humanoid()
    figure, family = Figure(skeleton), ACTIONS[action]
    wanted = None if targets is None else _targets(targets)
    examples = []
    for n in range(count if wanted is None else len(wanted)):
        rng = np.random.default_rng([seed, n, *action.encode()])
        if wanted is None:
            examples.append(_drawn(family, figure, fps, rng, side))
            continue
        example = family.make(figure, wanted[n], fps=fps, rng=rng)
        missed = miss_m(example)
        if missed > EXACT_M:
            raise OptionError(f"target {n} of {action}, {_written(wanted[n])}, is out of reach by {missed:.3f} m")
        examples.append(example)
    return examples


def _drawn(family: Family, figure: Figure, fps: float, rng: np.random.Generator, side: str | None) -> Example:
    """An example without flaws; a region's rare corners where there is one are drawn again."""
    drawn: list[tuple[float, Example]] = []
    while len(drawn) < _DRAWS and not (drawn and drawn[-1][0] == 0.0):
        target = family.target(figure, rng)
        if side is not None:
            target[0] = abs(target[0]) * (1.0 if side == "left" else -1.0)
        example = family.make(figure, target, fps=fps, rng=rng)
        drawn.append((flaws(example, figure.body), example))
    return min(drawn, key=lambda pair: pair[0])[1]


def _written(place: FloatArray) -> str:
    return "(" + ", ".join(f"{value:.2f}" for value in place) + ")"


def _targets(targets: FloatArray) -> FloatArray:
    places = np.asarray(targets, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 3 or not np.isfinite(places).all():
        raise OptionError(f"targets must be finite places (count, 3) [m]; got shape {places.shape}")
    return places


def _check(count: int, seed: int, fps: float) -> None:
    for value, low, high, what in ((count, 1, 10_000, "count"), (fps, 30.0, 480.0, "fps"), (seed, 0, 2**32, "seed")):
        if not low <= value <= high:
            raise OptionError(f"{what} is {value:g}; allowed: {low:g}..{high:g}")
