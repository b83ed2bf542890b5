"""The three methods behind one door: each gives rounds of ways that end at the goal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import process_time

import numpy as np

from understudy.core.planning import Watch
from understudy.errors import OptionError
from understudy.floor import Floor, FloorPath
from understudy.locomotion.published.sampling.constraints import (
    LOCATION_WEIGHT,
    ORIENTATION_WEIGHT,
    Constraint,
    frames_of,
    starts_of,
    targets_of,
)
from understudy.locomotion.published.sampling.ground import Legs, legs_to, length_m, planted
from understudy.locomotion.published.sampling.monte_carlo import Climb, climbs
from understudy.locomotion.published.sampling.options import SampleOptions
from understudy.locomotion.published.sampling.sampler import Sampler
from understudy.locomotion.published.sampling.tables import Close, Problem, Stage, Weights
from understudy.locomotion.published.sampling.tight import NOTHING, beams
from understudy.locomotion.published.sampling.volume import volume_of
from understudy.locomotion.published.sampling.way import Way
from understudy.locomotion.query import Spot
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: [m] how far behind a goal with a heading a beam comes in, and [rad] from which error on that is needed.
_RUN_UP_M, _WELL_AIMED_RAD = 0.9, 0.7


@dataclass(frozen=True, eq=False, kw_only=True)
class Round:
    """What one round of a search found.

    Attributes:
        ways: Ways that end at the goal, the cheapest first.
        corners: Corners of the potential field's way it went by ``(n, 2)`` [m].
        expected_m: Its length [m].
        curve: Anytime curve; see :class:`SampleTrace`.
        visited: ``(n, 2)`` where jumps were put down [m].
        evaluations: Sequences scored, or states expanded.
        cpu_s: Processor time it took on all cores [s].
    """

    ways: list[Way]
    corners: FloatArray
    expected_m: float
    curve: FloatArray = field(default_factory=lambda: np.zeros((0, 4)))
    visited: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))
    evaluations: int = 0
    cpu_s: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Setting:
    """A scene made ready for a query.

    Attributes:
        sampler: Who moves.
        stage: What kernels read.
        floor: The floor.
        constraints: What is asked.
        growths: Potential fields by what obstacles are grown by [m]; only those with a way to the goal.
        close: What an ending has to keep.
    """

    sampler: Sampler
    stage: Stage
    floor: Floor
    constraints: tuple[Constraint, ...]
    growths: tuple[tuple[float, Legs], ...]
    close: Close

    @classmethod
    def make(
        cls,
        sampler: Sampler,
        scene: Scene | None,
        floor: Floor,
        constraints: tuple[Constraint, ...],
        options: SampleOptions,
        watch: Watch,
    ) -> Setting:
        """Build fields and volume."""
        watch.stage("field")
        goal = constraints[-1]
        radii = {
            "tight": options.growths_m,
            "sample": options.growths_m,
            "decoupled": (sampler.radius_m,),
        }[options.method]
        fields = [(radius, _legs(floor, constraints, radius)) for radius in radii]
        watch.stage("volume")
        low, high = floor.bounds.min(axis=0), floor.bounds.max(axis=0)
        stage = sampler.stage(volume_of(scene, low, high, height_m=sampler.height_m))
        place = np.array([*_point(goal), goal.heading_rad or 0.0, float(goal.heading_rad is not None)])
        reachable = tuple((radius, legs) for radius, legs in fields if legs.reachable)
        close = Close(
            goal=place,
            errors=np.array([options.goal_m, options.goal_rad]),
            margin=options.margin_m,
            past_m=options.past_m,
        )
        return cls(sampler=sampler, stage=stage, floor=floor, constraints=constraints, growths=reachable, close=close)

    @property
    def reachable(self) -> bool:
        """Whether any field leads to the goal."""
        return bool(self.growths)

    @property
    def start(self) -> Spot:
        """Where it begins."""
        first = self.constraints[0]
        return Spot(position=(_point(first)[0], _point(first)[1]), heading_rad=first.heading_rad)

    @cached_property
    def shortest(self) -> FloorPath | None:
        """The shortest path a point can take."""
        points = [_point(one) for one in self.constraints if one.position is not None]
        return self.floor.path(points[0], points[-1], 0.0, via=points[1:-1]).path


def _point(one: Constraint) -> FloatArray:
    return np.array(one.position, dtype=np.float64)


def _legs(floor: Floor, constraints: tuple[Constraint, ...], radius_m: float) -> Legs:
    """Fields through all places that are asked for."""
    points = [_point(one) for one in constraints if one.position is not None]
    return legs_to(floor, points[0], points[1:], radius_m)


def rounds_of(
    setting: Setting, options: SampleOptions, watch: Watch, avoid: Mapping[int, float] = NOTHING
) -> Iterator[Round]:
    """Rounds of the method that is asked for; between them the caller may add jumps to ``avoid``."""
    if options.method != "tight":
        yield from _timed(_sampled(setting, options, watch, avoid))
        return
    lost = True
    for one in _timed(_tight(setting, options, watch, avoid)):
        lost = not one.ways
        yield one
    if lost:
        # Where even the widest beam found nothing, a Monte-Carlo search may: it does not go by the field alone.
        yield from _timed(_sampled(setting, options, watch, avoid))


def _timed(rounds: Iterator[Round]) -> Iterator[Round]:
    """Rounds with the processor time each took."""
    while True:
        began = process_time()
        one = next(rounds, None)
        if one is None:
            return
        yield replace(one, cpu_s=process_time() - began)


def _tight(setting: Setting, options: SampleOptions, watch: Watch, avoid: Mapping[int, float]) -> Iterator[Round]:
    constraints = setting.constraints
    if any(not one.partial for one in constraints[1:-1]):
        raise OptionError('the tight method knows places on the way only; use method="sample" for actions and headings')
    ending = np.zeros(len(setting.sampler.library.footage))
    action = constraints[-1].action
    if action is not None:
        ending[~frames_of(setting.sampler.library, action)] = np.inf
    starts = starts_of(setting.sampler, constraints[0])
    corners = setting.growths[0][1].path()
    legs = _aimed(setting)
    for found in beams(
        setting.sampler, setting.stage, legs, setting.start, starts, setting.close, ending, options, watch, avoid
    ):
        yield Round(
            ways=sorted((way for beam in found for way in beam.ways), key=lambda way: way.cost),
            corners=corners,
            expected_m=length_m(corners),
            visited=np.concatenate([beam.places for beam in found]),
            evaluations=sum(beam.expanded for beam in found),
        )


def _aimed(setting: Setting) -> tuple[tuple[float, Legs], ...]:
    """The fields, with a run-up to a goal that is approached from elsewhere than it faces."""
    goal = setting.constraints[-1]
    if goal.heading_rad is None:
        return setting.growths
    ahead = np.array([np.sin(goal.heading_rad), np.cos(goal.heading_rad)])
    out = []
    for radius, legs in setting.growths:
        corners = legs.path()
        last = corners[-1] - corners[-2]
        aim = abs(np.angle(np.exp(1j * (np.arctan2(last[0], last[1]) - goal.heading_rad))))
        behind = _point(goal) - _RUN_UP_M * ahead
        if aim > _WELL_AIMED_RAD and setting.floor.free(behind[None], radius)[0]:
            stops = [*(field.goal for field in legs.fields[:-1]), behind, _point(goal)]
            detour = legs_to(setting.floor, legs.start, stops, radius)
            out.append((radius, detour if detour.reachable else legs))
        else:
            out.append((radius, legs))
    return tuple(out)


def _sampled(setting: Setting, options: SampleOptions, watch: Watch, avoid: Mapping[int, float]) -> Iterator[Round]:
    """Rounds of chains. The first one goes by the ungrown path, as in the paper; later ones by grown paths, too."""
    problems = [_problem(setting, options, legs) for _, legs in setting.growths]
    elapsed = 0.0
    for number, found in enumerate(climbs(problems, options, watch, avoid)):
        curve, elapsed = _merged(found, elapsed)
        corners = setting.growths[number % len(problems)][1].path()
        yield Round(
            ways=sorted((way for climb in found for way in climb.ways), key=lambda way: way.cost),
            corners=corners,
            expected_m=length_m(corners),
            curve=curve,
            evaluations=sum(climb.evaluations for climb in found),
        )


def _problem(setting: Setting, options: SampleOptions, legs: Legs) -> Problem:
    """What chains minimise along one path."""
    joint = options.method != "decoupled"
    corners = legs.path()
    first = corners[1] - corners[0]
    waypoints = corners[1:-1] if joint else planted(corners, options.way_step_m)
    asked = {tuple(np.round(_point(one), 6)) for one in setting.constraints if one.position is not None}
    waypoints = np.array([p for p in waypoints if tuple(np.round(p, 6)) not in asked]).reshape(-1, 2)
    begin_rad = float(np.arctan2(first[0], first[1]))
    targets = targets_of(setting.sampler, setting.constraints, waypoints, length_m(corners), begin_rad)
    weights = Weights(
        location=LOCATION_WEIGHT,
        orientation=ORIENTATION_WEIGHT,
        smooth=1.0,
        collide=options.collide_weight if joint else 0.0,
        travel=options.travel_weight if joint else 0.0,
        follow=0.0 if joint else 1.0,
        follow_m=setting.sampler.radius_m,
        margin=options.margin_m,
    )
    hops = setting.sampler.graph.hops
    return Problem(stage=setting.stage, hops=hops, targets=targets, weights=weights, close=setting.close)


def _merged(found: list[Climb], began_s: float) -> tuple[FloatArray, float]:
    """One anytime curve of chains that ran side by side, and when the last of them ended."""
    rows = np.concatenate([climb.curve for climb in found])
    if len(rows) == 0:
        return np.zeros((0, 4)), began_s
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    rows[:, 1] = np.arange(1, len(rows) + 1) * sum(climb.evaluations for climb in found) / len(rows)
    rows[:, 2:] = np.minimum.accumulate(rows[:, 2:], axis=0)
    rows[:, 0] += began_s
    return rows, float(rows[-1, 0])
