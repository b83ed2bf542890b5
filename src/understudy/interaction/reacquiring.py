"""A contact that cannot be kept, found again elsewhere: a discrete search over nearby contacts.

Dragging keeps every contact as long as it can be reached. When a ball cannot get to its hand any more, another hand or
part near its way may still catch or strike it, a little sooner or later. Candidates are tried in order of how near they
come to the ball; of those that settle, the cheapest stays.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.planning import Status
from understudy.errors import PlanningInputError
from understudy.interaction._guard_kernels import ball_gaps
from understudy.interaction.actor import part_ends, sampled
from understudy.interaction.outcome import Outcome
from understudy.interaction.play import Hold, Leg, Play, Touch
from understudy.interaction.session import Session
from understudy.interaction.tracks import ball_states
from understudy.kinematics import forward

#: [s] how much sooner or later another contact may be; candidates tried; parts that can catch.
_AROUND_S, _TRIES = 0.25, 6
_CATCHERS = ("left_hand", "right_hand")
_STRIKERS = ("left_foot", "right_foot", "left_thigh", "right_thigh", "head", "chest", "left_forearm", "right_forearm")


def reacquire(session: Session, ball: str, leg: int) -> Outcome:
    """Let another body part take over a contact; the session stays as it was when none can.

    Args:
        session: The play.
        ball: Whose contact.
        leg: Which one: a hold or a touch in the middle of the ball's way.
    """
    play = session.play
    legs = play.way(ball).legs
    if not 0 < leg < len(legs) or not isinstance(legs[leg], Hold | Touch):
        raise PlanningInputError(f'ball "{ball}": leg {leg} is no catch and no touch that another part could take over')
    best: tuple[float, Play] | None = None
    for part, time_s in _candidates(session, ball, leg)[:_TRIES]:
        changed = [*legs]
        changed[leg] = _replaced(legs[leg], part, time_s)
        try:
            candidate = play.with_legs(ball, changed)
            outcome = session.change(candidate)
        except PlanningInputError:
            continue
        if outcome:
            worst = max((clash.depth_m for clash in outcome.clashes), default=0.0)
            price = session.price() + 100.0 * worst
            if best is None or price < best[0]:
                best = (price, candidate)
            session.undo()
    if best is None:
        reason = f"no other part can take over contact {leg} of {ball}"
        return Outcome(status=Status.EXHAUSTED, steps=0, contacts_m=session.miss_m(), left_m=0.0, reason=reason)
    return session.change(best[1])


def _replaced(leg: Leg, part: str, time_s: float) -> Leg:
    if isinstance(leg, Touch):
        return replace(leg, part=part, time_s=time_s, point=None)
    assert isinstance(leg, Hold) and leg.catch_s is not None
    return replace(leg, part=part, catch_s=time_s, grip=None)


def _candidates(session: Session, ball: str, leg: int) -> list[tuple[str, float]]:
    """Parts and times near the ball's way around a contact, nearest first; the present part is left out."""
    system = session.system()
    own = session.play.way(ball).legs[leg]
    assert isinstance(own, Hold | Touch)
    when = own.time_s if isinstance(own, Touch) else own.catch_s
    assert when is not None
    wanted = _STRIKERS if isinstance(own, Touch) else _CATCHERS
    times = np.clip(when + np.linspace(-_AROUND_S, _AROUND_S, 21), 0.0, session.play.duration_s)
    places = ball_states(system, ball, times)[0]
    found = []
    for number, actor in enumerate(session.play.actors):
        names = [name for name in wanted if name in actor.fitted_body.capsule_names]
        parts = [actor.part(name) for name in names]
        world = forward(actor.motion.skeleton, *sampled(system.players[number], actor.motion, times))
        gaps = np.empty((len(times), len(parts)))
        ball_gaps(part_ends(world, parts), np.zeros(len(parts)), places, gaps)
        for k, name in enumerate(names):
            if f"{actor.name}.{name}" != own.part:
                nearest = int(gaps[:, k].argmin())
                found.append((float(gaps[nearest, k]), f"{actor.name}.{name}", float(times[nearest])))
    return [(part, time_s) for _, part, time_s in sorted(found)]
