"""The registry of action sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, nearest_name
from understudy.performer.actions.example import Example
from understudy.performer.actions.figure import Figure
from understudy.performer.actions.pour import pour, pour_target
from understudy.performer.actions.reach import point, point_target, reach, reach_target
from understudy.performer.person import Person
from understudy.typing import FloatArray


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
) -> list[Example]:
    """Examples of one action, with targets spread over its region.

    Args:
        action: A key of :data:`ACTIONS`.
        count: How many.
        seed: The same seed gives the same examples; example ``n`` does not depend on ``count``.
        fps: Frames per second.
        person: Proportions, or any humanoid skeleton; by default an average adult.
        targets: ``(count, 3)`` targets to use instead of drawn ones [m].

    Raises:
        OptionError: An unknown action, or a number outside its range.
        SkeletonError: The skeleton is no humanoid.
    """
    if action not in ACTIONS:
        raise OptionError(f'unknown action "{action}"; {nearest_name(action, ACTIONS)}')
    _check(count, seed, fps)
    skeleton = person if isinstance(person, Skeleton) else (person or Person()).skeleton()
    skeleton.require_humanoid()
    figure, family = Figure(skeleton), ACTIONS[action]
    wanted = None if targets is None else _targets(targets)
    examples = []
    for n in range(count if wanted is None else len(wanted)):
        rng = np.random.default_rng([seed, n, *action.encode()])
        target = family.target(figure, rng) if wanted is None else wanted[n]
        examples.append(family.make(figure, target, fps=fps, rng=rng))
    return examples


def _targets(targets: FloatArray) -> FloatArray:
    places = np.asarray(targets, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 3 or not np.isfinite(places).all():
        raise OptionError(f"targets must be finite places (count, 3) [m]; got shape {places.shape}")
    return places


def _check(count: int, seed: int, fps: float) -> None:
    for value, low, high, what in ((count, 1, 10_000, "count"), (fps, 30.0, 480.0, "fps"), (seed, 0, 2**32, "seed")):
        if not low <= value <= high:
            raise OptionError(f"{what} is {value:g}; allowed: {low:g}..{high:g}")
