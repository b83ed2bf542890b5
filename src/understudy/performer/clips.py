"""Performing named clips and sets of them."""

from __future__ import annotations

import numpy as np

from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, nearest_name
from understudy.performer.actions import ACTIONS, action_examples
from understudy.performer.clip_kinds import CLIPS, SETS, ClipKind
from understudy.performer.gait import Performance, cropped, perform
from understudy.performer.model import gait_model
from understudy.performer.person import Person
from understudy.performer.style import Style, style_named
from understudy.performer.track import commanded_track

_MARGIN_S = 1.5


def performance(
    name: str,
    *,
    seed: int = 0,
    fps: float = 60.0,
    person: Person | Skeleton | None = None,
    style: str | Style = "calm",
    speed_mps: float | None = None,
    duration_s: float | None = None,
) -> Performance:
    """One built-in clip with its ground truth.

    Args:
        name: A key of :data:`CLIPS`.
        seed: The same seed gives the same motion; another one other steps.
        fps: Frames per second.
        person: Proportions, or any humanoid skeleton; by default an average adult.
        style: Name of a style, or a style.
        speed_mps: Instead of the clip's own speed [m/s].
        duration_s: Instead of the clip's own length [s].

    Raises:
        OptionError: An unknown name, or a number outside its range.
        SkeletonError: The skeleton is not humanoid.
    """
    if name not in CLIPS:
        raise OptionError(f'unknown clip "{name}"; {nearest_name(name, CLIPS)}')
    kind, manner = CLIPS[name], style_named(style)
    skeleton = _skeleton(person)
    speed = _styled_speed(kind, manner) if speed_mps is None else speed_mps
    duration = kind.duration_s if duration_s is None else duration_s
    _check(speed, duration, fps, seed)

    commands, length = kind.plan(speed, duration)
    rng = np.random.default_rng([seed, *name.encode()])
    track = commanded_track(
        commands,
        duration_s=length,
        fps=fps,
        leg_m=skeleton.leg_length_m(),
        model=gait_model(),
        style=manner,
        start_phase=float(rng.choice([0.0, 0.5])),
        rng=rng,
        margin_s=_MARGIN_S,
    )
    whole = perform(track, skeleton, model=gait_model(), style=manner, rng=rng, name=name)
    first = int(np.argmin(np.abs(track.times_s)))
    return cropped(whole, first, first + round(length * fps) + 1)


def builtin_clips(
    set: str = "walk",
    *,
    seed: int = 0,
    fps: float = 60.0,
    person: Person | Skeleton | None = None,
    style: str | Style = "calm",
) -> list[Motion]:
    """Clips made by the built-in performer.

    Args:
        set: A key of :data:`SETS` (``"walk"``, ``"locomotion"``), of :data:`CLIPS` (one clip) or of
            :data:`understudy.performer.ACTIONS` (a dozen examples of one action, without styles).
        seed: The same seed gives the same motions.
        fps: Frames per second.
        person: Proportions, or any humanoid skeleton; by default an average adult.
        style: ``"calm"``, ``"brisk"``, ``"tired"``, or a style of your own.
    """
    if set in ACTIONS:
        return [example.motion for example in action_examples(set, seed=seed, fps=fps, person=person)]
    if set not in SETS and set not in CLIPS:
        raise OptionError(f'unknown set or clip "{set}"; {nearest_name(set, (*SETS, *CLIPS, *ACTIONS))}')
    names = SETS.get(set, (set,))
    who = _skeleton(person)
    return [performance(name, seed=seed, fps=fps, person=who, style=style).motion for name in names]


def _styled_speed(kind: ClipKind, style: Style) -> float:
    """A clip's speed in a style [m/s], within the range of its kind."""
    return float(np.clip(kind.speed_mps * style.speed, *kind.range_mps))


def _skeleton(person: Person | Skeleton | None) -> Skeleton:
    if isinstance(person, Skeleton):
        person.require_humanoid()
        return person
    return (person or Person()).skeleton()


def _check(speed_mps: float, duration_s: float, fps: float, seed: int) -> None:
    for value, low, high, what in (
        (speed_mps, 0.0, 2.8, "speed_mps"),
        (duration_s, 4.0, 600.0, "duration_s"),
        (fps, 10.0, 480.0, "fps"),
    ):
        if not low <= value <= high:
            raise OptionError(f"{what} is {value:g}; allowed: {low:g}..{high:g}")
    if seed < 0:
        raise OptionError(f"seed is {seed}; it must not be negative")


__all__ = ["CLIPS", "SETS", "ClipKind", "builtin_clips", "performance"]
