"""Walking tasks: to a place, up to an object, along a path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from understudy.core.planning import Status
from understudy.limbs.handling import Deed, Refusal
from understudy.locomotion.footsteps.footing import THERE_M, THERE_RAD
from understudy.locomotion.footsteps.pathing import wrapped
from understudy.locomotion.footsteps.ways import Way
from understudy.scene.tasks import Task
from understudy.skills.engine import deed_of
from understudy.skills.program.approach import approached
from understudy.skills.program.doing import Doing, Means
from understudy.skills.program.here import Here
from understudy.skills.program.history import Piece
from understudy.skills.program.legs import Leg
from understudy.skills.program.spots import Spot

#: [s] somebody stands after a walk before the next task begins.
AFTER_S = 0.25
#: Ways that are tried.
_WAYS = 4


def walk(here: Here, task: Task, means: Means) -> Iterator[Doing]:
    """Walk to a place, or up to an object."""
    if task.goal is None:
        yield from _up_to(here, task, means)
        return
    goal = np.array(task.goal)
    place, heading = here.footing.place, here.footing.heading_rad
    turned = task.heading_rad is None or abs(wrapped(task.heading_rad - heading)) < THERE_RAD
    if np.hypot(*(goal - place)) < THERE_M and turned and here.before is not None:
        leg = means.legs.standing(here, 0.3)
        if not isinstance(leg, str):
            yield walked(task, leg)
            return
    via = [np.array(point) for point in task.via]
    floor = here.floor(goal, *via)
    found = False
    for way in islice(here.ways(floor, goal, task.heading_rad, via), _WAYS):
        found = True
        yield from _along(here, task, means, way, task.heading_rad)
    if not found:
        reason = here.why_not(floor, goal)
        here.notes.add(Refusal(status=Status.INFEASIBLE_GOAL, reason=reason, hopeless=True))


def follow(here: Here, task: Task, means: Means) -> Iterator[Doing]:
    """Walk along a path of floor points, exactly as given."""
    points = np.array([tuple(here.footing.place), *task.path])
    yield from _along(here, task, means, Way(points=points), None)


def _along(here: Here, task: Task, means: Means, way: Way, heading_rad: float | None) -> Iterator[Doing]:
    means.watch.stage("leg")
    leg = means.legs.along(here, way, end_rad=heading_rad, stand_s=AFTER_S)
    if isinstance(leg, str):
        here.notes.add(Refusal(status=Status.EXHAUSTED, reason=f"no walk along the way found passed the judge: {leg}"))
        return
    yield walked(task, leg)


def walked(task: Task, leg: Leg) -> Doing:
    """A leg as a task that was done."""
    piece = Piece(play=leg.play, base=leg.motion, end_s=leg.motion.duration_s)
    return Doing(piece=piece, deed=deed_of(task, leg.play, leg.arrive_s))


def _up_to(here: Here, task: Task, means: Means) -> Iterator[Doing]:
    """Stand where the object is within reach."""

    def there(leg: Leg, spot: Spot) -> Iterator[Deed]:
        yield deed_of(task, leg.play, leg.arrive_s)

    for found in approached(here, task, means.legs, there, means.watch, seed=means.options.seed):
        state = found.path[-1].state
        if state.leg is not None and state.deed is not None:
            piece = Piece(play=state.leg.play, base=state.leg.motion, end_s=state.leg.arrive_s + AFTER_S)
            yield Doing(piece=piece, deed=state.deed)
