"""OMPL's planners on a problem given as arrays: bounds, a check of states, a check of whole motions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

import numpy as np

from understudy.typing import FloatArray

#: Planners that ask from a thread of their own whether to stop, where Python cannot answer: their limit is the clock's.
THREADED = ("PRM", "PRMstar")
PLANNERS = ("RRT", "RRTConnect", "RRTstar", "PRM", "PRMstar", "BITstar")


@dataclass(frozen=True, eq=False, kw_only=True)
class ArrayProblem:
    """What OMPL is asked.

    Attributes:
        low: ``(size,)`` bounds.
        high: ``(size,)``.
        start: ``(size,)``.
        goal: ``(size,)``.
        valid: Whether a state is.
        joins: Whether the straight motion between two states is.
    """

    low: FloatArray
    high: FloatArray
    start: FloatArray
    goal: FloatArray
    valid: Callable[[FloatArray], bool]
    joins: Callable[[FloatArray, FloatArray], bool]


@dataclass(frozen=True, eq=False, kw_only=True)
class Answer:
    """What OMPL says.

    Attributes:
        path: ``(n, size)`` exact solution, shortened by OMPL's own simplifier; ``None`` without one.
        raw: The same before shortening.
        plan_s: Processor time of planning [s]; other work on the machine does not count.
        shorten_s: Processor time of shortening [s].
    """

    path: FloatArray | None
    raw: FloatArray | None
    plan_s: float
    shorten_s: float


def available() -> bool:
    """Whether OMPL is installed."""
    try:
        import ompl.base  # noqa: F401
    except ImportError:
        return False
    return True


def asked(problem: ArrayProblem, planner: str, *, limit_s: float, seed: int) -> Answer:
    """Let one of OMPL's planners work on a problem, then its simplifier."""
    from ompl import base as ob
    from ompl import geometric as og
    from ompl import util as ou

    ou.setLogLevel(ou.LogLevel.LOG_NONE)
    ou.RNG.setSeed(seed + 1)
    size = len(problem.start)
    space = ob.RealVectorStateSpace(size)
    bounds = ob.RealVectorBounds(size)
    for n in range(size):
        bounds.setLow(n, float(problem.low[n]))
        bounds.setHigh(n, float(problem.high[n]))
    space.setBounds(bounds)
    setup = og.SimpleSetup(space)
    information = setup.getSpaceInformation()

    def array(state: object) -> FloatArray:
        return np.array([state[n] for n in range(size)])  # type: ignore[index]

    class Motions(ob.MotionValidator):  # type: ignore[misc]
        def checkMotion(self, one: object, other: object) -> bool:
            return problem.joins(array(one), array(other))

    motions = Motions(information)
    setup.setStateValidityChecker(lambda state: problem.valid(array(state)))
    information.setMotionValidator(motions)
    ends = []
    for values in (problem.start, problem.goal):
        state = space.allocState()
        for n in range(size):
            state[n] = float(values[n])
        ends.append(state)
    setup.setStartAndGoalStates(*ends)
    setup.setPlanner(getattr(og, planner)(information))
    began = process_time()
    if planner in THREADED:
        setup.solve(ob.timedPlannerTerminationCondition(limit_s))
    else:
        setup.solve(ob.PlannerTerminationCondition(lambda: process_time() - began > limit_s))
    plan_s = process_time() - began
    if not setup.haveExactSolutionPath():
        return Answer(path=None, raw=None, plan_s=plan_s, shorten_s=0.0)
    found = setup.getSolutionPath()
    raw = np.stack([array(found.getState(n)) for n in range(found.getStateCount())])
    began = process_time()
    setup.simplifySolution()
    shorten_s = process_time() - began
    found = setup.getSolutionPath()
    path = np.stack([array(found.getState(n)) for n in range(found.getStateCount())])
    return Answer(path=path, raw=raw, plan_s=plan_s, shorten_s=shorten_s)
