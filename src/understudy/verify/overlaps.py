"""Which pairs are searched for overlaps, and what each of them is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from understudy.core.flesh import flesh_pairs
from understudy.scene.contacts import FLOOR, ContactRule, contact_rules, sole_rules
from understudy.typing import FloatArray, IntArray
from understudy.verify.allowance import AlikePostures, constant, declared, larger
from understudy.verify.allowances import same_time, self_allowance
from understudy.verify.ballistics import Flight
from understudy.verify.bars import Bars
from understudy.verify.cast import Cast, Judged, ground, own_ground_m, things_of
from understudy.verify.forward import Performer
from understudy.verify.nearness import company_near, pairs_that_may_touch, parts_near, passing
from understudy.verify.relations import FAR_M, BodyAndBody, BodyAndThing, ThingAndThing, all_pairs
from understudy.verify.search import Allowance, PairTrace, search
from understudy.verify.source_facts import fact
from understudy.verify.things import Thing

OWN_GROUND = "own ground"
#: [s] standing for less is no standing.
_MOMENT_S = 1e-6


def all_traces(
    cast: Cast,
    bars: Bars,
    allow: Sequence[ContactRule],
    *,
    floor: bool | None,
    flights: Sequence[Flight] = (),
) -> list[PairTrace]:
    """Search everything that must not overlap."""
    rules = [*allow, *(contact_rules(cast.scene, soles=False) if cast.scene is not None else ()), *_sole_rules(cast)]
    things = list(things_of(cast.scene)) if cast.scene is not None else []
    if floor and not any(thing.name == FLOOR for thing in things):
        things.append(ground(0.0))
    traces: list[PairTrace] = []
    whole_s = clock_s(cast)
    for index, judged in enumerate(cast.judged):
        performer = judged.performer
        traces += _self_traces(judged, bars, rules)
        for thing in things:
            traces += _thing_traces(performer, thing, rules)
            for standing in () if thing.still else _standing(performer, whole_s):
                traces += _thing_traces(standing, thing, rules)
        if cast.scene is None and floor is None:
            traces += _own_ground_traces(judged, bars)
        later = [other.performer for other in cast.judged[index + 1 :]]
        for other in (*later, *cast.others):
            traces += _company_traces(performer, other, rules)
    return traces + _held_traces(cast, things, rules) + _flown_traces(flights, things, rules)


def clock_s(cast: Cast) -> tuple[float, float]:
    """When the first motion of a performance begins and the last one ends [s]."""
    people = (*(one.performer for one in cast.judged), *cast.others)
    ends = [one.start_s + one.motion.duration_s for one in people]
    return min((one.start_s for one in people), default=0.0), max(ends, default=0.0)


def _standing(performer: Performer, clock_s: tuple[float, float]) -> Iterator[Performer]:
    """A performer before and after its motion, while others still move: what moves may run into it."""
    motion, end_s = performer.motion, performer.start_s + performer.motion.duration_s
    for frame, first_s, last_s in ((0, clock_s[0], performer.start_s), (-1, end_s, clock_s[1])):
        if last_s - first_s > _MOMENT_S:
            # Two frames will do: there are samples enough between any two.
            still = replace(
                motion,
                fps=1.0 / (last_s - first_s),
                root_positions=motion.root_positions[[frame, frame]],
                rotations=motion.rotations[[frame, frame]],
            )
            yield replace(performer, motion=still, start_s=first_s)


def _thing_traces(performer: Performer, thing: Thing, rules: Sequence[ContactRule]) -> list[PairTrace]:
    """A body and an object."""
    near = parts_near(performer, thing)
    if len(near) > 0 and not near.any():
        return []
    relation = BodyAndThing(performer, thing)
    return search(relation, performer.times_s, declared(relation, rules), near=near)


def _sole_rules(cast: Cast) -> list[ContactRule]:
    """Soles may be as deep in the floor as above it while they carry: nobody knows heights better."""
    soles = [sole_rules(one.performer.name, one.carry_m) for one in cast.judged]
    return [rule for rules in (*soles, *(sole_rules(one.name) for one in cast.others)) for rule in rules]


def _self_traces(judged: Judged, bars: Bars, rules: Sequence[ContactRule]) -> list[PairTrace]:
    """A body against itself: what rules allow, and what evidence shows at that moment or wherever both lie alike."""
    performer = judged.performer
    pairs, near = pairs_that_may_touch(performer)
    if len(pairs) == 0:
        return []
    relation = BodyAndBody(performer, performer, pairs)
    alike = [one for one in judged.sources if one.body.capsule_names == performer.body.capsule_names]
    # Only a stranger's recording may overlap itself more than flesh gives way; what was made may not.
    own: Allowance = constant(bars.self_overlap_m if judged.recorded else 0.0)
    if judged.allowances is not None and judged.allowances.overlaps is not None:
        own = self_allowance(judged.allowances.overlaps, performer, pairs)
    elif alike:
        own = AlikePostures(performer, alike, pairs)
        own = larger(same_time(performer, alike[0], pairs), own) if judged.in_step else own
        own = own if judged.ledger is None else judged.ledger.listening(own, performer, pairs)
    rules = [*rules, *_flesh_rules(performer)]
    return search(relation, performer.times_s, larger(declared(relation, rules), own), near=near)


def _flesh_rules(performer: Performer) -> list[ContactRule]:
    """Soft parts give way where they press on each other."""
    who = f"{performer.name}." if performer.name else ""
    return [
        ContactRule(a=f"{who}{a}", b=f"{who}{b}", max_depth_m=depth, why="flesh")
        for a, b, depth in flesh_pairs(performer.body)
    ]


def _own_ground_traces(judged: Judged, bars: Bars) -> list[PairTrace]:
    """A clip without a scene against the height its own feet rest at."""
    performer = judged.performer
    if not performer.motion.skeleton.is_humanoid:
        return []
    relation = BodyAndThing(performer, ground(own_ground_m(performer), OWN_GROUND))
    least_m = bars.own_ground_m if judged.recorded else judged.carry_m
    depths = np.full(len(performer.body.capsule_names), least_m)
    for source in judged.sources:
        if source.body.capsule_names == performer.body.capsule_names and source.motion.skeleton.is_humanoid:
            depths = np.maximum(depths, fact(source, "depths below own ground", depths_below_ground))
    if judged.allowances is not None:
        depths = np.maximum(depths, judged.allowances.ground_of(performer.body.capsule_names))

    def allowed(times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
        return depths[items]

    return search(relation, performer.times_s, allowed)


def depths_below_ground(source: Performer) -> FloatArray:
    """``(capsules,)`` how deep each capsule gets below the height a clip's own feet rest at [m]."""
    lowest = source.capsules(source.times_s)[..., 1].min(axis=(0, 2)) - source.body.capsule_radii
    return np.asarray(own_ground_m(source) - lowest)


def _company_traces(first: Performer, second: Performer, rules: Sequence[ContactRule]) -> list[PairTrace]:
    """Two characters, unless they never come near each other."""
    times = np.unique(np.concatenate([first.times_s, second.times_s]))
    one, two = first.capsules(times), second.capsules(times)
    apart = np.maximum(one.min(axis=(1, 2)) - two.max(axis=(1, 2)), two.min(axis=(1, 2)) - one.max(axis=(1, 2))).max(
        axis=1
    )
    reach = float(first.body.capsule_radii.max() + second.body.capsule_radii.max()) + FAR_M
    near = np.flatnonzero(apart < reach)
    if len(near) == 0:
        return []
    # One sample more on either side, so that an approach between samples is seen.
    times, pairs = times[max(near[0] - 1, 0) : near[-1] + 2], all_pairs(first, second)
    if len(times) < 2:
        relation = BodyAndBody(first, second, pairs)
        return search(relation, times, declared(relation, rules))
    pairs, when = company_near(first, second, pairs, times)
    relation = BodyAndBody(first, second, pairs)
    return search(relation, times, declared(relation, rules), near=when)


def _held_traces(cast: Cast, things: Sequence[Thing], rules: Sequence[ContactRule]) -> list[PairTrace]:
    """What is carried against everything it is carried past, while it is carried."""
    if cast.scene is None:
        return []
    every = np.unique(np.concatenate([np.empty(0), *(one.performer.times_s for one in cast.judged)]))
    traces: list[PairTrace] = []
    for hold in cast.scene.holds:
        times = every[(every >= hold.start_s) & (every <= hold.end_s)]
        traces += _passing_traces(hold.object, times, [one for one in things if one.name != hold.to], rules)
        if hold.start_s > 0.0:
            # What is put on something lies there as it was put; what is fixed from the beginning is a part of it.
            both = [one for one in things if one.name in (hold.object, hold.to)]
            traces += _passing_traces(hold.object, times[:2], both, rules)
    return traces


def _flown_traces(flights: Sequence[Flight], things: Sequence[Thing], rules: Sequence[ContactRule]) -> list[PairTrace]:
    """What flies against floor and furniture, while it flies."""
    still, traces = [one for one in things if one.still], list[PairTrace]()
    for flight in flights:
        own = [one for one in things if one.name == flight.object]
        traces += _passing_traces(flight.object, np.asarray(flight.times_s, dtype=np.float64), [*own, *still], rules)
    return traces


def _passing_traces(
    name: str, times_s: FloatArray, things: Sequence[Thing], rules: Sequence[ContactRule]
) -> list[PairTrace]:
    """One of some things against all others at times."""
    mover = next((one for one in things if one.name == name), None)
    if mover is None or len(times_s) < 2:
        return []
    traces: list[PairTrace] = []
    for thing in things:
        relation = ThingAndThing(mover, thing)
        if thing.name != name and (near := passing(relation, times_s)).any():
            traces += search(relation, times_s, declared(relation, rules), near=near)
    return traces
