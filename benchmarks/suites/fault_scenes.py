"""Faults of a scene and of things in it to plant in accepted claims: in the way, beside its grip, in the air."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.suites.fault_contacts import with_shape
from benchmarks.suites.fault_planting import Rng, capsule, somebody, staged, stretch
from understudy import rotations as rot
from understudy.core.planar import PlanarTransform
from understudy.scene.attachments import Attachment
from understudy.scene.placements import Hinge
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Cylinder, Sphere
from understudy.scene.transforms import Transform
from understudy.verify.ballistics import Flight
from understudy.verify.claim import Claim
from understudy.verify.goals import HingeGoal, hinge_error
from understudy.verify.resting import RestGoal


def box_in_the_way(claim: Claim, rng: Rng) -> Claim:
    _, motion = somebody(claim, rng)
    x, _, z = motion.root_positions[stretch(motion, rng, 0.0).start]
    scene = staged(claim).with_object("planted box", Box(size_m=(0.3, 0.6, 0.3)), position=(x, 0.75, z))
    return replace(claim, scene=scene)


def three_millimetres(claim: Claim, rng: Rng) -> Claim:
    """A forearm is 3 mm in something at one frame."""
    _, motion = somebody(claim, rng)
    frame = stretch(motion, rng, 0.0).start
    at, radius = capsule(motion, frame, str(rng.choice(["left_forearm", "right_forearm"])))
    outward = at - motion.root_positions[frame]
    outward[1] = 0.0
    outward /= np.linalg.norm(outward)
    place = at + (radius + 0.02 - 0.003) * outward
    return replace(claim, scene=staged(claim).with_object("knob", Sphere(radius_m=0.02), position=place.tolist()))


def walked_into(claim: Claim, rng: Rng) -> Claim:
    """Somebody else stands where one goes."""
    name, motion = somebody(claim, rng)
    scene = staged(claim)
    if not name:
        # An only motion belongs to the only character without one.
        name, claim = "actor", replace(claim, motions=(("actor", motion),), **_renamed(claim, "actor"))
    if name not in {one.name for one in scene.characters}:
        scene = scene.with_character(name)
    frame = stretch(motion, rng, 0.0).start
    still = motion.frames(frame, frame + 1).placed(PlanarTransform(x_m=0.08, z_m=0.05))
    return replace(claim, scene=scene.with_character("passer-by", motion=still))


def _renamed(claim: Claim, name: str) -> dict[str, Any]:
    tables = {
        key: {name: next(iter(getattr(claim, key).values()))}
        for key in ("evidence", "planned", "bodies")
        if getattr(claim, key)
    }
    return {**tables, "goals": tuple(replace(goal, character=name) for goal in claim.goals)}


def door_not_shut(claim: Claim, rng: Rng) -> Claim | None:
    """A door ends seven degrees beside the angle that was asked for."""
    goals = [goal for goal in claim.goals if isinstance(goal, HingeGoal)]
    if not goals:
        return None
    missed = goals[int(rng.integers(len(goals)))]
    beside = np.radians(7.0)
    while (hinge_error(claim.scene, replace(missed, angle_rad=missed.angle_rad + beside)).angle_rad or 0.0) < 0.12:
        beside += np.radians(1.0)
    spoilt = replace(missed, angle_rad=missed.angle_rad + beside)
    return replace(claim, goals=tuple(spoilt if goal is missed else goal for goal in claim.goals))


def held_shifts(claim: Claim, rng: Rng) -> Claim | None:
    """What is held lies 5 mm beside where it was taken: it jumps into its grip."""
    holds = [] if claim.scene is None else _taken(claim.scene)
    if claim.scene is None or not holds:
        return None
    number, hold = holds[int(rng.integers(len(holds)))]
    way = rng.normal(size=3)
    grip = _grip(claim.scene, hold)
    beside = np.array(grip.position) + 0.005 * way / np.linalg.norm(way)
    shifted_grip = Transform(position=tuple(beside), rotation=grip.rotation)
    return _with_holds(claim, number, replace(hold, grip=shifted_grip))


def _taken(scene: Scene) -> list[tuple[int, Attachment]]:
    """Things that somebody takes while the performance is under way."""
    people = {one.name for one in scene.characters}
    return [
        (k, one) for k, one in enumerate(scene.attachments) if one.to.partition(".")[0] in people and one.start_s > 0.0
    ]


def _grip(scene: Scene, hold: Attachment) -> Transform:
    """Where a thing is in its holder's frame when it is taken."""
    who, _, part = hold.to.partition(".")
    person = scene.character(who)
    when = [hold.start_s]
    places, turns = person.joint(part, when)
    at, turn = scene.object_track(hold.object, when)
    back = rot.conjugate(turns[0])
    return Transform(position=tuple(rot.rotate(back, at[0] - places[0])), rotation=tuple(rot.multiply(back, turn[0])))


def put_down_floats(claim: Claim, rng: Rng) -> Claim | None:
    """What was put down stands 2 cm above what carries it: that is lowered."""
    rests = [goal for goal in claim.goals if isinstance(goal, RestGoal) and goal.on]
    if not rests or claim.scene is None:
        return None
    under = rests[int(rng.integers(len(rests)))].on
    at = claim.scene.object_track(under, [0.0])[0][0]
    lowered = claim.scene.moved(under, position=(at[0], at[1] - 0.02, at[2]))
    return replace(claim, scene=lowered)


def off_its_parabola(claim: Claim, rng: Rng) -> Claim | None:
    """A ball in flight is 2 mm off at one moment."""
    long = [k for k, one in enumerate(claim.flights) if len(one.times_s) > 6]
    if not long:
        return None
    number = long[int(rng.integers(len(long)))]
    one = claim.flights[number]
    places = np.array(one.positions)
    places[int(rng.integers(2, len(places) - 2))] += rng.choice([-0.002, 0.002]) * np.eye(3)[int(rng.integers(3))]
    spoilt = Flight(object=one.object, times_s=one.times_s, positions=places, mass_kg=one.mass_kg)
    return replace(claim, flights=tuple(spoilt if k == number else flight for k, flight in enumerate(claim.flights)))


def ball_in_something(claim: Claim, rng: Rng) -> Claim | None:
    """A block stands where a ball flies, 5 mm into its way."""
    long = [one for one in claim.flights if len(one.times_s) > 6]
    if not long or claim.scene is None:
        return None
    flight = long[int(rng.integers(len(long)))]
    shape = next((one.shape for one in claim.scene.objects if one.name == flight.object), None)
    if not isinstance(shape, Sphere):
        return None
    at = np.array(flight.positions)[int(rng.integers(2, len(flight.positions) - 2))]
    beside = (at[0], at[1] - shape.radius_m - 0.02 + 0.005, at[2])
    return replace(claim, scene=claim.scene.with_object("block", Box(size_m=(0.04, 0.04, 0.04)), position=beside))


def moves_before_it_is_touched(claim: Claim, rng: Rng) -> Claim | None:
    """What somebody takes follows the hand 0.4 s too soon."""
    holds = [] if claim.scene is None else [(k, one) for k, one in _taken(claim.scene) if one.start_s > 0.5]
    if claim.scene is None or not holds:
        return None
    number, hold = holds[int(rng.integers(len(holds)))]
    return _with_holds(claim, number, replace(hold, start_s=hold.start_s - 0.4, grip="as_is"))


def changes_hands_in_the_air(claim: Claim, rng: Rng) -> Claim | None:
    """What one hand holds goes on with the other hand, which is nowhere near."""
    holds = [] if claim.scene is None else _taken(claim.scene)
    if claim.scene is None or not holds:
        return None
    number, hold = holds[int(rng.integers(len(holds)))]
    who, _, part = hold.to.partition(".")
    other = f"{who}.{'left' if part.startswith('right') else 'right'}_hand"
    middle_s = float(rng.uniform(hold.start_s + 0.1, min(hold.end_s, claim.scene.duration_s) - 0.1))
    first, then = replace(hold, end_s=middle_s), replace(hold, to=other, start_s=middle_s, grip="as_is")
    return _with_holds(claim, number, first, then)


def grows_in_the_hand(claim: Claim, rng: Rng) -> Claim | None:
    """What is held is 1.4 times as thick as it was."""
    holds = [] if claim.scene is None else _taken(claim.scene)
    if claim.scene is None or not holds:
        return None
    name = holds[int(rng.integers(len(holds)))][1].object
    shape = claim.scene.object(name).shape
    if not isinstance(shape, Cylinder):
        return None
    return replace(claim, scene=with_shape(claim.scene, name, replace(shape, radius_m=1.4 * shape.radius_m)))


def leaf_stays_shut(claim: Claim, rng: Rng) -> Claim | None:
    """A door that somebody walks through does not turn."""
    goals = [goal for goal in claim.goals if isinstance(goal, HingeGoal) and goal.character]
    if claim.scene is None or not goals:
        return None
    thing = claim.scene.object(goals[int(rng.integers(len(goals)))].object)
    assert isinstance(thing.placement, Hinge)
    still = replace(thing.placement, angles_rad=tuple(thing.placement.angles_rad[:1]) * len(thing.placement.times_s))
    shut = tuple(replace(one, placement=still) if one is thing else one for one in claim.scene.objects)
    return replace(claim, scene=replace(claim.scene, objects=shut))


def _with_holds(claim: Claim, number: int, *holds: Attachment) -> Claim:
    """A claim with other holds instead of the ``number``-th one."""
    scene = claim.scene
    assert scene is not None
    others = (*scene.attachments[:number], *holds, *scene.attachments[number + 1 :])
    return replace(claim, scene=replace(scene, attachments=others))
