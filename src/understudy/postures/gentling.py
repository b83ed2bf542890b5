"""The spacetime stage for a planned motion: its keys and pins stay, its momentum changes gently."""

from __future__ import annotations

from understudy.postures.making import Made
from understudy.postures.problem import Problem
from understudy.postures.spacetime import Pinned, Refined, refined
from understudy.postures.tables import PIN_JOINT, PIN_POINT, PIN_TURN


def gentler(problem: Problem, made: Made) -> Refined:
    """The motion refined over all its frames at once, and what became of its momentum."""
    keys = [round(float(time) * made.motion.fps) for time in made.key_times_s]
    pins = problem.stage.pins
    rows = [] if pins is None else zip(pins.indices, pins.numbers, strict=True)
    pinned = [Pinned(joint=int(row[PIN_JOINT]), point=at[PIN_POINT:PIN_TURN]) for row, at in rows]
    return refined(made.motion, problem.body, made.stage, keys=keys, pinned=pinned, floor=problem.has_floor)
