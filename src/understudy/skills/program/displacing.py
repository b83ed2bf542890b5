"""Displacing: something is taken and put down elsewhere within reach from one place, such as along a shelf."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from understudy.core.planning import Status
from understudy.limbs.handling import Deed, Refusal, Times
from understudy.limbs.handling.doing import ways
from understudy.limbs.handling.jobs import Job
from understudy.limbs.handling.moments import LEAD_S
from understudy.locomotion.footsteps.footing import ahead_of
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.program.approach import Places, searched
from understudy.skills.program.doing import Doing, Means
from understudy.skills.program.here import Here
from understudy.skills.program.history import LEFT_S, Piece
from understudy.skills.program.legs import Leg
from understudy.skills.program.outlook import Outlook, arms_for
from understudy.skills.program.spots import Spot, points_of, reach_of, spots
from understudy.typing import FloatArray

#: [m] how far something may be moved from one place to stand.
_NEAR_M = 0.85
#: [s] somebody stands for it; between taking and putting down at the soonest; before the end that the hand lets go.
_STAND_S, _BETWEEN_S, _BACK_S = 6.5, 1.6, 1.2
#: [s] moments that are looked at: nobody waits much longer than needed.
_MOMENTS_S = 0.7
#: [m] across the body, and least ahead of it, that a hand works.
_ACROSS_M, _AHEAD_M = 0.12, 0.28
#: [s] after something else was done that a hand may be somewhere again.
_FIRST_S = 1.3
#: Ways of taking it that are tried at one place.
_TAKES = 3


def within_reach(scene: Scene, task: Task) -> bool:
    """Whether a thing is to be moved so little that nobody has to walk between taking it and putting it down."""
    if isinstance(task.target, str) or task.target is None:
        return False
    at = scene.object_track(task.object, [0.0])[0][0]
    return bool(np.linalg.norm(np.array(task.target) - at) < _NEAR_M)


def steps_of(task: Task) -> tuple[Task, Task]:
    """Taking something and putting it down elsewhere, as two tasks."""
    take = Task(
        character=task.character,
        do="grab",
        object=task.object,
        hand=task.hand,
        handle=task.handle,
        style=task.style,
        after=task.after,
    )
    return take, Task(character=task.character, do="place", object=task.object, target=task.target, name=task.name)


def displace(here: Here, task: Task, means: Means) -> Iterator[Doing]:
    """Ways of moving something along."""
    take, put = steps_of(task)
    ends = (points_of(here.scene, take), points_of(here.scene, put))

    def on_top(leg: Leg, spot: Spot) -> Iterator[Deed]:
        return _on(leg, here, (replace(take, hand=spot.hand), put), means)  # type: ignore[arg-type]

    points = np.concatenate([*ends, 0.5 * (ends[0][:1] + ends[1][:1])])
    floor = here.floor(*points[:, [0, 2]])
    hand = str(task.hand) if task.hand in ("left", "right") else None
    near = [one for spot in spots(floor, here.skeleton, points, hand=hand) for one in _reaching(here, spot, ends)]
    if not near:
        reason = "there is no place to stand from which it can be taken and put down"
        here.notes.add(Refusal(status=Status.INFEASIBLE_GOAL, reason=reason))
    places = Places(floor, near, None)

    def glance(spot: Spot) -> Outlook:
        return Outlook(arms=arms_for(here, take, spot, None))

    for found in searched(
        here, places, means.legs, on_top, means.watch, seed=means.options.seed, glance=glance, stand_s=_STAND_S
    ):
        state = found.path[-1].state
        if state.leg is not None and state.deed is not None:
            # The arm goes down in the next leg.
            end = min(state.deed.time_s + LEFT_S, state.leg.motion.duration_s)
            yield Doing(piece=Piece(play=state.deed.play, base=state.leg.motion, end_s=end), deed=state.deed)


def _reaching(here: Here, spot: Spot, ends: Sequence[FloatArray]) -> list[Spot]:
    """The spot, if both ends can be reached from it on the hand's own side, rated by the farther one."""
    sign = 1.0 if spot.hand == "left" else -1.0
    ahead = ahead_of(spot.heading_rad)
    left = np.array([ahead[1], -ahead[0]])
    beyond = 0.0
    for points in ends:
        near = []
        for point in points:
            away = point[[0, 2]] - spot.place
            across = -sign * float(away @ left)
            far = reach_of(here.skeleton, spot.place, spot.heading_rad, spot.hand, point)
            if far is not None and across < _ACROSS_M and float(away @ ahead) > _AHEAD_M:
                near.append(far + max(across, 0.0))
        if not near:
            return []
        beyond = max(beyond, min(near))
    return [replace(spot, beyond_m=beyond)]


def _on(leg: Leg, here: Here, tasks: tuple[Task, Task], means: Means) -> Iterator[Deed]:
    """The thing taken and put down on top of a leg."""
    # Another place is sooner tried than this one thoroughly.
    options = replace(means.options, ways=1, attempts=1)
    last = leg.motion.duration_s - _BACK_S
    first = max(LEAD_S if here.before is None else _FIRST_S, leg.arrive_s)
    take = Job(task=tasks[0], times=Times(at_s=None, earliest_s=first, latest_s=first + _MOMENTS_S))

    def put_down(taken: Deed, *, glance: bool) -> Iterator[Deed]:
        soonest = taken.time_s + _BETWEEN_S
        put = Job(task=tasks[1], times=Times(at_s=None, earliest_s=soonest, latest_s=min(soonest + _MOMENTS_S, last)))
        for placed in ways(taken.play, put, means.judge, options, means.watch, here.notes, glance=glance):
            yield _both(taken, placed)

    takes = list[Deed]()
    for taken in islice(ways(leg.play, take, means.judge, options, means.watch, here.notes), _TAKES):
        takes.append(taken)
        yield from put_down(taken, glance=True)
    # One way of taking it from which it is easily put down is worth more than a long look at another.
    for taken in takes:
        yield from put_down(taken, glance=False)


def _both(taken: Deed, placed: Deed) -> Deed:
    """Taking and putting down as one deed."""
    return replace(
        placed,
        kind="displace",
        marks=(*taken.marks, *placed.marks),
        limbs=tuple(dict.fromkeys((*taken.limbs, *placed.limbs))),
        changes=(*taken.changes, *placed.changes),
        rules=(*taken.rules, *placed.rules),
    )
