"""Faults of contacts to plant in accepted claims: longer than claimed, none where one bears, a foot that drags."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

import understudy as us
from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.inspection import foot_contacts
from understudy.kinematics import hold_end, motion_world
from understudy.scene.contacts import FLOOR, ContactRule
from understudy.scene.placements import Hinge, Placement
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Cylinder, Sphere
from understudy.verify.cast import assembled
from understudy.verify.claim import Claim
from understudy.verify.goals import HingeGoal
from understudy.verify.overlaps import all_traces
from understudy.verify.search import PairTrace

Rng = np.random.Generator
#: [m] how much thicker a thing is made so that a hand is in it for sure; less than a hand may be in anything.
_THICKER_M = 0.0025
#: [m] what is deeper counts.
_COUNTS_M = 0.0012


def thicker(shape: object, by_m: float) -> Box | Sphere | Cylinder | None:
    """A shape whose surface lies so much further out."""
    if isinstance(shape, Box):
        return Box(size_m=tuple(side + 2.0 * by_m for side in shape.size_m))  # type: ignore[arg-type]
    if isinstance(shape, Sphere):
        return Sphere(radius_m=shape.radius_m + by_m)
    if isinstance(shape, Cylinder):
        return Cylinder(radius_m=shape.radius_m + by_m, height_m=shape.height_m + 2.0 * by_m)
    return None


def with_shape(scene: Scene, name: str, shape: Box | Sphere | Cylinder) -> Scene:
    return replace(
        scene, objects=tuple(replace(one, shape=shape) if one.name == name else one for one in scene.objects)
    )


def longer_than_claimed(claim: Claim, rng: Rng) -> Claim | None:
    """A hand is in something for 0.2 s longer than the claim says, after or before."""
    spoilt = _thick_contact(claim, rng)
    if spoilt is None:
        return None
    claim, trace = spoilt
    inside = trace.times_s[-trace.distances_m > _COUNTS_M]
    # The last moment of one contact: a ball is caught and thrown several times.
    ends = inside[np.append(np.diff(inside) > 0.1, True)]
    end = float(rng.choice(ends))
    begin = float(inside[(inside <= end) & (inside >= end - 0.2)].min())
    if end - begin < 0.19:
        return None

    def cut(rule: ContactRule) -> tuple[ContactRule, ...]:
        if not rule.covers(trace.a, trace.b) or rule.end_s <= begin or rule.start_s >= end + 0.1:
            return (rule,)
        return (replace(rule, end_s=begin),) if rule.start_s < begin else ()

    scene = claim.scene
    assert scene is not None
    contacts = tuple(one for rule in claim.contacts for one in cut(rule))
    declared = tuple(one for rule in scene.allowed_contacts for one in cut(rule))
    return replace(claim, contacts=contacts, scene=replace(scene, allowed_contacts=declared))


def claimed_too_long(claim: Claim, rng: Rng) -> Claim | None:
    """A contact is claimed 0.35 s sooner than it begins, or for as much longer."""
    clock = [(motion.duration_s, name) for name, motion in claim.motions]
    known = [k for k, rule in enumerate(claim.contacts) if rule.claimed and 0.5 < rule.end_s < max(clock)[0] - 0.5]
    if not known:
        return None
    number, sooner = int(rng.choice(known)), bool(rng.integers(2))
    rule = claim.contacts[number]
    longer = replace(rule, start_s=rule.start_s - 0.35) if sooner else replace(rule, end_s=rule.end_s + 0.35)
    # While it is held it is touched: nothing is claimed too long before it is let go.
    traces = all_traces(assembled(claim), claim.bars, claim.contacts, floor=claim.floor, flights=claim.flights)
    times = np.concatenate([one.times_s[one.distances_m < 1e-3] for one in traces if rule.covers(one.a, one.b)])
    beyond = (times < rule.start_s) & (times > longer.start_s) | (times > rule.end_s) & (times < longer.end_s)
    if beyond.any():
        return None
    return replace(claim, contacts=tuple(longer if k == number else one for k, one in enumerate(claim.contacts)))


def claimed_for_nothing(claim: Claim, rng: Rng) -> Claim | None:
    """A contact is claimed that never is: somebody's head on the floor."""
    name, motion = claim.motions[int(rng.integers(len(claim.motions)))]
    if motion.duration_s < 1.0:
        return None
    start_s = float(rng.uniform(0.0, max(motion.duration_s - 0.6, 0.0)))
    world = motion_world(motion).positions[:, motion.skeleton.humanoid["head"], 1]
    if world.min() < 0.5:
        return None
    who = f"{name}." if name else ""
    rule = ContactRule(a=f"{who}head", b=FLOOR, start_s=start_s, end_s=start_s + 0.5, why="lies there")
    return replace(claim, contacts=(*claim.contacts, rule))


def _thick_contact(claim: Claim, rng: Rng) -> tuple[Claim, PairTrace] | None:
    """A claim with something thicker that a hand is in by rule, still accepted; and how deep the two are."""
    scene = claim.scene
    if scene is None:
        return None
    rules, held = [*claim.contacts, *scene.allowed_contacts], {one.object for one in scene.holds}
    free = {one.name: one.shape for one in scene.objects if one.name not in held}
    found = [
        one
        for one in us.verify(claim).penetration.allowed
        if "_hand" in one.a and one.b in free and any(rule.covers(one.a, one.b) for rule in rules)
    ]
    if not found:
        return None
    chosen = found[int(rng.integers(len(found)))]
    shape = thicker(free[chosen.b], _THICKER_M)
    if shape is None:
        return None
    thick = replace(claim, scene=with_shape(scene, chosen.b, shape))
    if not us.verify(thick).ok:
        return None
    traces = all_traces(assembled(thick), thick.bars, thick.contacts, floor=thick.floor, flights=thick.flights)
    return thick, next(one for one in traces if (one.a, one.b) == (chosen.a, chosen.b))


def seat_taken_away(claim: Claim, rng: Rng) -> Claim | None:
    """What somebody sits on stands elsewhere."""
    parts = ("pelvis", "left_thigh", "right_thigh")
    carried = [
        part
        for one in us.verify(claim).characters
        if one.standing is not None
        for *_, names in one.standing.support.supports
        for part in names
    ]
    if claim.scene is None or not any(part.rpartition(".")[2] in parts for part in carried):
        return None
    seats = [one for one in claim.scene.objects if "seat" in one.name]
    if not seats:
        return None
    at = claim.scene.object_track(seats[0].name, [0.0])[0][0]
    angle = rng.uniform(0.0, 2.0 * np.pi)
    away = (at[0] + 3.0 * np.sin(angle), at[1], at[2] + 3.0 * np.cos(angle))
    return replace(claim, scene=claim.scene.moved(seats[0].name, position=away))


def turns_by_itself(claim: Claim, rng: Rng) -> Claim | None:
    """A door opens half a second or more before anybody touches it."""
    goals = [goal for goal in claim.goals if isinstance(goal, HingeGoal) and goal.character]
    if claim.scene is None or not goals:
        return None
    name = goals[int(rng.integers(len(goals)))].object
    sooner_s = rng.uniform(0.5, 0.8)

    def early(placement: Placement) -> Placement:
        if not isinstance(placement, Hinge):
            return placement
        return replace(placement, times_s=tuple(time_s - sooner_s for time_s in placement.times_s))

    objects = tuple(
        replace(one, placement=early(one.placement)) if one.name == name else one for one in claim.scene.objects
    )
    return replace(claim, scene=replace(claim.scene, objects=objects))


def dragged_swing(motion: Motion, rng: Rng) -> Motion | None:
    """A foot that swings is dragged over the floor instead."""
    side = str(rng.choice(["left", "right"]))
    stances = foot_contacts(motion).stances(side)
    swings = [
        (stop, first)
        for (_, stop), (first, _) in pairwise(stances)
        if 0.2 * motion.fps < first - stop < 0.8 * motion.fps
    ]
    if not swings:
        return None
    first, stop = swings[int(rng.integers(len(swings)))]
    world, roles = motion_world(motion), motion.skeleton.humanoid
    chain = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
    ankle = world.positions[:, roles[chain[2]]].copy()
    turns = world.rotations[:, roles[chain[2]]].copy()
    low = np.minimum(ankle[first - 1, 1], ankle[stop, 1])
    way = float(np.linalg.norm((ankle[stop] - ankle[first - 1])[[0, 2]]))
    if way < 0.3:
        return None
    count = stop - first
    share = np.minimum(1.0, 4.0 * np.hanning(count + 2)[1:-1])[:, None]
    ankle[first:stop, 1] += share[:, 0] * np.minimum(low - ankle[first:stop, 1], 0.0)
    turns[first:stop] = rot.slerp(turns[first:stop], np.broadcast_to(turns[stop], (count, 4)), share[:, 0])
    return hold_end(motion, chain, ankle, turns).motion
