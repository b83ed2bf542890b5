"""What can be told of a place before anybody walks there: which hand is raised on arrival, and whether it will do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.limbs.handling import HandlingOptions, Play, Refusal
from understudy.limbs.handling.aims import Aim
from understudy.limbs.handling.choices import Known, choices
from understudy.limbs.handling.jobs import Job, aims
from understudy.limbs.window import window_of
from understudy.scene.tasks import Task
from understudy.scene.tessellation import triangles_of
from understudy.skills.program.carrying import over
from understudy.skills.program.here import Here
from understudy.skills.program.legs import Arms, Ready, arms_of
from understudy.skills.program.spots import Spot
from understudy.skills.program.stooping import Stoop

#: How far outside of their shoulders both hands are held, in arms.
_APART = 0.4


class Outlook(NamedTuple):
    """What is known of a task at a place before anybody walks there.

    Attributes:
        fault: Why it will not be done; empty when it may be.
        arms: How arms are held on the way and there, in turn.
        stoop: How the body bends there; nothing where it stays upright.
    """

    fault: str = ""
    arms: tuple[Arms, ...] = ()
    stoop: Stoop | None = None


#: Looks at a place from afar.
Glance = Callable[[Spot], Outlook]


def nothing_foreseen(spot: Spot) -> Outlook:
    """Every place is tried."""
    return Outlook()


def to_take(here: Here, spot: Spot, stoop: Stoop | None = None) -> Ready:
    """The hand that will take something, raised to its height; both are held apart."""
    bearing = over(here.skeleton, _seen_m(here, spot, stoop), 0.0)
    return Ready(hand=spot.hand, bearing=replace(bearing, aside=_APART) if spot.hand == "both" else bearing)


def to_put_down(here: Here, spot: Spot, stoop: Stoop | None = None) -> Ready | None:
    """The hand that will put down what it holds."""
    held = [one for one in here.held() if one.hand == spot.hand]
    if not held:
        return None
    vertices, _ = triangles_of(here.scene.object(held[0].object).shape)
    tall = float(np.ptp(rot.rotate(here.upright(held[0].object), vertices)[:, 1]))
    return Ready(hand=spot.hand, bearing=over(here.skeleton, _seen_m(here, spot, stoop), tall))


def arms_for(here: Here, task: Task, spot: Spot, stoop: Stoop | None) -> tuple[Arms, ...]:
    """How arms are held for a task on the way to a place."""
    ready = {"grab": to_take, "place": to_put_down, "carry": to_put_down}.get(task.do)
    return arms_of(here, None if ready is None else ready(here, spot, stoop))


def _seen_m(here: Here, spot: Spot, stoop: Stoop | None) -> float:
    """How high something is for who bends: as much higher as the shoulders are lower [m]."""
    return float(spot.point[1]) + (0.0 if stoop is None else stoop.lower_m(here.skeleton))


def no_posture(play: Play, job: Job, options: HandlingOptions) -> str:
    """Why a hand, its body standing still, has no posture for a job; empty when it has one.

    Args:
        play: With somebody who stands.
        job: What is to be done, at a given moment.
        options: How to search.
    """
    fault = ""
    for aim in aims(play, job):
        fault = aim.reason if isinstance(aim, Refusal) else _missing(play, aim, options)
        if not fault:
            return ""
    return fault


def _missing(play: Play, aim: Aim, options: HandlingOptions) -> str:
    """Why neither the arm alone nor with the trunk has a posture for an aim."""
    stage = play.stage(aim.character, (*aim.rules, *aim.planning))
    here = round((aim.time_s - stage.start_s) * stage.motion.fps)
    fault = ""
    for limb in (f"{aim.hand}_arm", f"{aim.hand}_arm_spine"):
        window = window_of(stage, stage.space(limb), 0, here)
        found, refusal = choices(window, aim, Known(), wide=False, clear_m=options.kept_m + 5e-4)
        if found:
            return ""
        fault = fault or refusal.reason
    return fault
