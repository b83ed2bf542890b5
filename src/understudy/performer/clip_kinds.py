"""Which clips there are: what each asks of a walker, how fast and how long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from understudy.performer.track import Command

_FASTEST_WALK_MPS = 1.68
#: Slowest and fastest backward walk, side step, jog and jog in a curve [m/s]; whoever is asked to jog jogs.
_BACKWARD_MPS, _ASIDE_MPS, _JOG_MPS, _CURVED_JOG_MPS = (0.62, 0.8), (0.36, 0.58), (2.3, 2.5), (2.3, 2.4)
_LEFT, _RIGHT = 1.0, -1.0
#: How a clip is asked for: speed [m/s] and duration [s] -> commands and duration [s].
Plan = Callable[[float, float], tuple[list[Command], float]]


@dataclass(frozen=True, kw_only=True)
class ClipKind:
    """One named clip.

    Attributes:
        plan: Speed [m/s] and duration [s] to commands.
        speed_mps: Its speed in the calm style [m/s].
        duration_s: How long it lasts [s].
        about: One line for people.
        range_mps: Slowest and fastest speed a style may give it [m/s]; what was recorded of its gait.
    """

    plan: Plan
    speed_mps: float
    duration_s: float
    about: str
    range_mps: tuple[float, float] = (0.0, _FASTEST_WALK_MPS)


def _steady(v: float, duration: float) -> tuple[list[Command], float]:
    return [Command(0.0, v)], duration


def _turning(angle_deg: float, within_s: float, *, slow: float = 1.0) -> Plan:
    """Walk, turn by an angle within a time, walk on; whoever walks slowly turns slowly too."""

    def plan(v: float, duration: float) -> tuple[list[Command], float]:
        over_s = within_s * float(np.clip(1.0 / max(v, 0.1), 1.0, 1.3))
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


def _speeding_up(v: float, duration: float) -> tuple[list[Command], float]:
    middle = 0.5 * duration
    return [
        Command(0.0, _FASTEST_WALK_MPS * 0.85),
        Command(middle - 0.7, 1.65),
        Command(middle + 0.3, v, ease_s=1.0),
    ], duration


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
        "backward": ClipKind(
            plan=_there_and_rest(0.0, -1.0),
            speed_mps=0.75,
            duration_s=7.0,
            about="walk backwards",
            range_mps=_BACKWARD_MPS,
        ),
        "jog": ClipKind(plan=_steady, speed_mps=2.5, duration_s=5.0, about="jog straight ahead", range_mps=_JOG_MPS),
        "walk_to_jog": ClipKind(
            plan=_speeding_up, speed_mps=2.4, duration_s=6.0, about="walk, then jog", range_mps=_JOG_MPS
        ),
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
                plan=_there_and_rest(sign, 0.0),
                speed_mps=0.5,
                duration_s=7.0,
                about=f"step sideways to the {side}",
                range_mps=_ASIDE_MPS,
            ),
            f"jog_veer_{side}": ClipKind(
                plan=_veering(sign * 0.35),
                speed_mps=2.3,
                duration_s=4.0,
                about=f"jog in a curve to the {side}",
                range_mps=_CURVED_JOG_MPS,
            ),
        }
    return kinds


CLIPS: MappingProxyType[str, ClipKind] = MappingProxyType(_kinds())
_WALK = (
    "walk_slow walk walk_fast veer_left veer_right turn_left turn_right sharp_left sharp_right "
    "u_turn_left u_turn_right start stop idle"
)
SETS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    # Who speeds up passes through gaits that graphs have no use for.
    {"walk": tuple(_WALK.split()), "locomotion": tuple(name for name in CLIPS if name != "walk_to_jog")}
)
