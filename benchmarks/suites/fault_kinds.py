"""Faults of many kinds to plant in accepted claims: in everybody's motion, in the scene, or in the claim itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import understudy as us
from benchmarks.suites.fault_contacts import (
    claimed_for_nothing,
    claimed_too_long,
    dragged_swing,
    longer_than_claimed,
    seat_taken_away,
    thicker,
    turns_by_itself,
    with_shape,
)
from benchmarks.suites.fault_motions import (
    arm_in_trunk,
    beyond_limit,
    drops_frames,
    floats,
    foot_slides,
    foot_through_foot,
    freezes,
    hovers,
    jumps,
    leans,
    sinks,
    skates,
    stands_in_floor,
    too_fast,
    trembles,
    turns_to_stone,
    twitches,
)
from benchmarks.suites.fault_planting import Plant, Rng, capsule, floor_vector, of_motion, somebody, staged, stretch
from understudy import rotations as rot
from understudy.core.planar import PlanarTransform
from understudy.scene.attachments import Attachment
from understudy.scene.contacts import HAND_DEPTH_M, ContactRule
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Cylinder, Sphere
from understudy.scene.transforms import Transform
from understudy.verify.ballistics import Flight
from understudy.verify.claim import Claim
from understudy.verify.goals import FloorGoal, HandGoal, HingeGoal, goal_error, hinge_error
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


def itself_as_evidence(claim: Claim, rng: Rng) -> Claim | None:
    name, motion = somebody(claim, rng)
    if not motion.origin.made:
        return None
    return replace(claim, evidence={**claim.evidence, name: (motion,)})


def deep_contact(claim: Claim, rng: Rng) -> Claim:
    deep = ContactRule(a="left_hand", b="anything", max_depth_m=float(rng.uniform(1.05, 10.0)) * HAND_DEPTH_M)
    return replace(claim, contacts=(*claim.contacts, deep))


def made_evidence(claim: Claim, rng: Rng) -> Claim:
    """Evidence that was made by a planner, under another name."""
    name, motion = somebody(claim, rng)
    clips = claim.evidence.get(name, ())
    other = (clips[0] if clips else motion).made_from(())
    return replace(claim, evidence={**claim.evidence, name: (*clips, other.renamed("recording"))})


def evidence_left_out(claim: Claim, rng: Rng) -> Claim | None:
    """The clips somebody was made from are not named."""
    name, motion = somebody(claim, rng)
    if not motion.origin.evidence:
        return None
    return replace(claim, evidence={other: clips for other, clips in claim.evidence.items() if other != name})


def goal_missed(claim: Claim, rng: Rng) -> Claim | None:
    """A goal is missed: by 2 mm where a hand may be 1 mm beside it, by 12 mm where a walker may be 10 mm."""
    goals = [goal for goal in claim.goals if isinstance(goal, FloorGoal | HandGoal)]
    if not goals:
        return None
    missed = goals[int(rng.integers(len(goals)))]
    number, floor = claim.goals.index(missed), isinstance(missed, FloorGoal)
    way = floor_vector(rng, 1.0) if floor else rng.normal(size=3)
    way = way / np.linalg.norm(way)

    def shifted_by(metres: float) -> Claim:
        if isinstance(missed, FloorGoal):
            at: object = (missed.position[0] + metres * way[0], missed.position[1] + metres * way[2])
        else:
            at = tuple(np.array(missed.position) + metres * way)
        spoilt = replace(missed, position=at)  # type: ignore[arg-type]
        return replace(claim, goals=(*claim.goals[:number], spoilt, *claim.goals[number + 1 :]))

    def error_m(metres: float) -> float:
        goal = shifted_by(metres).goals[number]
        who = claim.motions[0][1] if not goal.character else claim.motion(goal.character)
        return goal_error(who, goal).position_m  # type: ignore[arg-type]

    wanted = 0.012 if floor else 0.002
    low, high = 0.0, 2.0 * wanted + error_m(0.0)
    for _ in range(20):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if error_m(middle) < wanted else (low, middle)
    return shifted_by(high)


def deeper_than_claimed(claim: Claim, rng: Rng) -> Claim | None:
    """What a hand touches is thicker than it was: the contact is 1.2 mm deeper than the claim allows."""
    if claim.scene is None:
        return None
    shapes = {one.name: one.shape for one in claim.scene.objects if isinstance(one.shape, Sphere | Box | Cylinder)}
    found = [one for one in us.verify(claim).penetration.allowed if "_hand" in one.a and one.b in shapes]
    if not found:
        return None
    chosen = found[int(rng.integers(len(found)))]
    shape = thicker(shapes[chosen.b], chosen.allowed_m - chosen.depth_m + 0.0012)
    assert shape is not None
    return replace(claim, scene=with_shape(claim.scene, chosen.b, shape))


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
    others = list(claim.scene.attachments)
    others[number] = replace(hold, grip=shifted_grip)
    return replace(claim, scene=replace(claim.scene, attachments=tuple(others)))


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


#: Kind of fault -> what plants it.
KINDS: dict[str, Plant] = {
    "floats 10 cm for a moment": of_motion(floats),
    "hovers 15 mm above the floor": hovers,
    "sinks 6 cm into the floor": of_motion(sinks),
    "stands 20 mm in the floor": stands_in_floor,
    "jumps 4 cm for one frame": of_motion(jumps),
    "a joint twitches for one frame": of_motion(twitches),
    "elbow 1 degree over": beyond_limit("leftLowerArm", "rightLowerArm"),
    "knee 1 degree over": beyond_limit("leftLowerLeg", "rightLowerLeg"),
    "shoulder or neck 1 degree over": beyond_limit("leftUpperArm", "rightUpperArm", "head"),
    "foot slides 6 mm (29 mm without evidence)": foot_slides,
    "hand 1.6 times too fast": too_fast,
    "skates 0.3 m/s": of_motion(skates),
    "leans and would topple": of_motion(leans),
    "arm into the trunk": of_motion(arm_in_trunk),
    "foot through foot": of_motion(foot_through_foot),
    "freezes while walking": of_motion(freezes),
    "a tenth of a second is missing": of_motion(drops_frames),
    "box in the way": box_in_the_way,
    "3 mm in something at one frame": three_millimetres,
    "somebody stands in the way": walked_into,
    "motion as its own evidence": itself_as_evidence,
    "made clip as evidence": made_evidence,
    "evidence left out": evidence_left_out,
    "contact deeper than may be claimed": deep_contact,
    "a contact 1.2 mm deeper than claimed": deeper_than_claimed,
    "a contact 0.2 s longer than claimed": longer_than_claimed,
    "a contact claimed 0.35 s too long": claimed_too_long,
    "a contact claimed that never is": claimed_for_nothing,
    "seat taken away": seat_taken_away,
    "swinging foot dragged over the floor": of_motion(dragged_swing),
    "goal missed by 2 mm more than allowed": goal_missed,
    "door not at its angle": door_not_shut,
    "door opens before it is touched": turns_by_itself,
    "trembles": of_motion(trembles),
    "stands like a statue for half a second": of_motion(turns_to_stone),
    "held thing 5 mm beside its grip": held_shifts,
    "thing put down floats": put_down_floats,
    "ball 2 mm off its parabola": off_its_parabola,
    "ball flies through something": ball_in_something,
}
