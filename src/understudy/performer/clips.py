"""Named clips and sets of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, nearest_name
from understudy.performer.actions import ACTIONS, action_examples
from understudy.performer.gait import Performance, cropped, perform
from understudy.performer.legs_apart import leg_overlap_m
from understudy.performer.model import gait_model
from understudy.performer.person import Person
from understudy.performer.style import Style, style_named
from understudy.performer.track import Command, commanded_track

_MARGIN_S = 1.5
#: A take whose legs pass through each other deeper than this [m] is performed again from another phase of the gait.
_LEG_OVERLAP_M, _ATTEMPTS = 0.02, 8
#: Share of a stride by which each further take begins later in the gait.
_PHASE_STEP = 0.13
_FASTEST_WALK_MPS = 1.68
_LEFT, _RIGHT = 1.0, -1.0
#: How a clip is asked for: speed factor -> commands and duration.
Plan = Callable[[float, float], tuple[list[Command], float]]


@dataclass(frozen=True, kw_only=True)
class ClipKind:
    """One named clip.

    Attributes:
        plan: Speed [m/s] and duration [s] to commands.
        speed_mps: Its speed in the calm style [m/s].
        duration_s: How long it lasts [s].
        about: One line for people.
    """

    plan: Plan
    speed_mps: float
    duration_s: float
    about: str


def _steady(v: float, duration: float) -> tuple[list[Command], float]:
    return [Command(0.0, v)], duration


def _turning(angle_deg: float, over_s: float, *, slow: float = 1.0) -> Plan:
    """Walk, turn by an angle within a time, walk on."""

    def plan(v: float, duration: float) -> tuple[list[Command], float]:
        ease = 0.45 * over_s
        rate = np.radians(angle_deg) / (over_s - ease)
        begin = 0.5 * (duration - over_s)
        through = v * slow
        return [
            Command(0.0, v),
            Command(begin, v),
            Command(begin + ease, through, 0.0, rate, ease),
            Command(begin + over_s - ease, through, 0.0, rate, ease),
            Command(begin + over_s, v, 0.0, 0.0, ease),
        ], duration

    return plan


def _veering(rate: float) -> Plan:
    return lambda v, duration: ([Command(0.0, v, 0.0, rate)], duration)


def _start(v: float, duration: float) -> tuple[list[Command], float]:
    return [Command(0.0), Command(0.7), Command(2.0, v, ease_s=1.3)], duration


def _stop(v: float, duration: float) -> tuple[list[Command], float]:
    end = duration - 1.7
    return [Command(0.0, v), Command(end - 1.3, v), Command(end, 0.0, ease_s=1.3)], duration


def _idle(_: float, duration: float) -> tuple[list[Command], float]:
    return [Command(0.0)], duration


def _in_place(angle_deg: float) -> Plan:
    def plan(_: float, duration: float) -> tuple[list[Command], float]:
        span, ease = duration - 2.2, 0.6
        rate = np.radians(angle_deg) / (span - ease)
        return [
            Command(0.0),
            Command(0.5),
            Command(0.5 + ease, 0.0, 0.0, rate, ease),
            Command(0.5 + span - ease, 0.0, 0.0, rate, ease),
            Command(0.5 + span, 0.0, 0.0, 0.0, ease),
        ], duration

    return plan


def _there_and_rest(sideways: float, forwards: float) -> Plan:
    """From standing, along a direction, to standing."""

    def plan(v: float, duration: float) -> tuple[list[Command], float]:
        going = (forwards * v, sideways * v)
        return [
            Command(0.0),
            Command(0.5),
            Command(1.3, *going, 0.0, 0.8),
            Command(duration - 2.5, *going),
            Command(duration - 1.6, 0.0, 0.0, 0.0, 0.9),
        ], duration

    return plan


def _kinds() -> dict[str, ClipKind]:
    kinds = {
        "walk_slow": ClipKind(plan=_steady, speed_mps=0.8, duration_s=6.0, about="straight walk, 0.8 m/s"),
        "walk": ClipKind(plan=_steady, speed_mps=1.2, duration_s=6.0, about="straight walk, 1.2 m/s"),
        "walk_fast": ClipKind(plan=_steady, speed_mps=1.6, duration_s=6.0, about="straight walk, 1.6 m/s"),
        "start": ClipKind(plan=_start, speed_mps=1.15, duration_s=4.5, about="stand, then walk off"),
        "stop": ClipKind(plan=_stop, speed_mps=1.15, duration_s=5.5, about="walk, then stand"),
        "idle": ClipKind(plan=_idle, speed_mps=0.0, duration_s=8.0, about="stand, breathe, shift weight"),
        "backward": ClipKind(plan=_there_and_rest(0.0, -1.0), speed_mps=0.75, duration_s=7.0, about="walk backwards"),
        "jog": ClipKind(plan=_steady, speed_mps=2.5, duration_s=5.0, about="jog straight ahead"),
    }
    for side, sign in (("left", _LEFT), ("right", _RIGHT)):
        kinds |= {
            f"veer_{side}": ClipKind(
                plan=_veering(sign * 0.3), speed_mps=1.15, duration_s=5.0, about=f"walk in a wide curve to the {side}"
            ),
            f"turn_{side}": ClipKind(
                plan=_turning(sign * 90, 2.4, slow=0.95),
                speed_mps=1.1,
                duration_s=6.0,
                about=f"smooth 90-degree turn to the {side}",
            ),
            f"sharp_{side}": ClipKind(
                plan=_turning(sign * 90, 1.35, slow=0.82),
                speed_mps=1.1,
                duration_s=5.5,
                about=f"sharp 90-degree turn to the {side}",
            ),
            f"u_turn_{side}": ClipKind(
                plan=_turning(sign * 180, 2.4, slow=0.55),
                speed_mps=1.0,
                duration_s=7.0,
                about=f"turn round to the {side}",
            ),
            f"turn_in_place_{side}": ClipKind(
                plan=_in_place(sign * 180), speed_mps=0.0, duration_s=5.6, about=f"turn round on the spot to the {side}"
            ),
            f"sidestep_{side}": ClipKind(
                plan=_there_and_rest(sign, 0.0), speed_mps=0.5, duration_s=7.0, about=f"step sideways to the {side}"
            ),
            f"jog_veer_{side}": ClipKind(
                plan=_veering(sign * 0.35), speed_mps=2.3, duration_s=4.0, about=f"jog in a curve to the {side}"
            ),
        }
    return kinds


CLIPS: MappingProxyType[str, ClipKind] = MappingProxyType(_kinds())
_WALK = (
    "walk_slow walk walk_fast veer_left veer_right turn_left turn_right sharp_left sharp_right "
    "u_turn_left u_turn_right start stop idle"
)
SETS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {"walk": tuple(_WALK.split()), "locomotion": tuple(CLIPS)}
)


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
        SkeletonError: The skeleton is no humanoid.
    """
    if name not in CLIPS:
        raise OptionError(f'unknown clip "{name}"; {nearest_name(name, CLIPS)}')
    kind, manner = CLIPS[name], style_named(style)
    skeleton = _skeleton(person)
    speed = _styled_speed(kind, manner) if speed_mps is None else speed_mps
    duration = kind.duration_s if duration_s is None else duration_s
    _check(speed, duration, fps, seed)

    def take(attempt: int) -> Performance:
        commands, length = kind.plan(speed, duration)
        rng = np.random.default_rng([seed, *name.encode(), *([attempt] if attempt else [])])
        track = commanded_track(
            commands,
            duration_s=length,
            fps=fps,
            leg_m=skeleton.leg_length_m(),
            model=gait_model(),
            style=manner,
            start_phase=(float(rng.choice([0.0, 0.5])) + _PHASE_STEP * attempt) % 1.0,
            rng=rng,
            margin_s=_MARGIN_S,
        )
        whole = perform(track, skeleton, model=gait_model(), style=manner, rng=rng, name=name)
        first = int(np.argmin(np.abs(track.times_s)))
        return cropped(whole, first, first + round(length * fps) + 1)

    return _with_legs_apart(take)


def _with_legs_apart(take: Callable[[int], Performance]) -> Performance:
    """The first take whose legs stay apart, or the one where they come nearest to it."""
    best = take(0)
    least_m = leg_overlap_m(best.motion)
    for attempt in range(1, _ATTEMPTS):
        if least_m <= _LEG_OVERLAP_M:
            break
        other = take(attempt)
        overlap_m = leg_overlap_m(other.motion)
        if overlap_m < least_m:
            best, least_m = other, overlap_m
    return best


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
    """A clip's speed in a style [m/s]; whoever is asked to jog jogs, and to walk, walks."""
    speed = kind.speed_mps * style.speed
    return float(np.clip(speed, 2.3, 2.5)) if kind.speed_mps > 2.0 else min(speed, _FASTEST_WALK_MPS)


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
