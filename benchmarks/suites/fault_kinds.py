"""Faults of many kinds to plant in accepted claims: in everybody's motion, in the scene, or in the claim itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

import understudy as us
from benchmarks.suites.fault_contacts import (
    dragged_swing,
    longer_than_claimed,
    seat_taken_away,
    thicker,
    turns_by_itself,
    with_shape,
)
from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.everyday import usual_tremor
from understudy.core.limits import LimitKind
from understudy.core.motion import Motion
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
from understudy.verify.smoothness import limb_turns, limbs_of

Rng = np.random.Generator
#: Plants one fault; ``None`` where there is nothing to spoil.
Plant = Callable[[Claim, Rng], Claim | None]

#: Frames at both ends in which nothing is planted.
_ENDS = 12


def somebody(claim: Claim, rng: Rng) -> tuple[str, Motion]:
    return claim.motions[int(rng.integers(len(claim.motions)))]


def put(claim: Claim, name: str, motion: Motion) -> Claim:
    """The claim with another motion of somebody."""
    scene = claim.scene
    if scene is not None and name in {one.name for one in scene.characters}:
        scene = scene.with_motion(name, motion, start_s=scene.character(name).start_s)
    motions = tuple((known, motion if known == name else one) for known, one in claim.motions)
    return replace(claim, motions=motions, scene=scene)


def stretch(motion: Motion, rng: Rng, seconds: float) -> slice:
    """Frames of so many seconds, somewhere."""
    count = min(max(round(seconds * motion.fps), 3), len(motion) - 2 * _ENDS - 1)
    first = int(rng.integers(_ENDS, len(motion) - count - _ENDS))
    return slice(first, first + count)


def bump(count: int) -> np.ndarray:
    """Up and down again, smoothly."""
    return np.hanning(count + 2)[1:-1]


def turned(motion: Motion, role: str, vectors: np.ndarray, frames: slice) -> Motion:
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid[role]
    rotations[frames, joint] = rot.multiply(rotations[frames, joint], rot.exp(vectors))
    return replace(motion, rotations=rotations)


def shifted(motion: Motion, by: np.ndarray) -> Motion:
    return replace(motion, root_positions=motion.root_positions + by)


def along(motion: Motion, frames: slice, vector: Iterable[float]) -> np.ndarray:
    """A shift that comes and goes within some frames."""
    out = np.zeros((len(motion), 3))
    out[frames] = bump(frames.stop - frames.start)[:, None] * np.array(list(vector))
    return out


def floor_vector(rng: Rng, length: float) -> np.ndarray:
    angle = rng.uniform(0.0, 2.0 * np.pi)
    return length * np.array([np.sin(angle), 0.0, np.cos(angle)])


def of_motion(change: Callable[[Motion, Rng], Motion | None]) -> Plant:
    """A fault in somebody's motion."""

    def plant(claim: Claim, rng: Rng) -> Claim | None:
        name, motion = somebody(claim, rng)
        spoilt = change(motion, rng)
        return None if spoilt is None else put(claim, name, spoilt)

    return plant


def floats(motion: Motion, rng: Rng) -> Motion:
    return shifted(motion, along(motion, stretch(motion, rng, 1.2), (0.0, 0.1, 0.0)))


def hovers(claim: Claim, rng: Rng) -> Claim | None:
    """Somebody is 15 mm above the floor all along; without a floor there is nothing to be above."""
    if not (claim.floor or (claim.scene is not None and claim.scene.floor)):
        return None
    name, motion = somebody(claim, rng)
    return put(claim, name, shifted(motion, np.array([0.0, rng.uniform(0.015, 0.03), 0.0])))


def sinks(motion: Motion, rng: Rng) -> Motion:
    return shifted(motion, along(motion, stretch(motion, rng, 0.8), (0.0, -0.06, 0.0)))


def stands_in_floor(claim: Claim, rng: Rng) -> Claim | None:
    """Somebody is 20 mm in the floor all along; recordings know their own floor no better than that."""
    clips = [clip for clips in claim.evidence.values() for clip in clips]
    solid = claim.floor or (claim.scene is not None and claim.scene.floor)
    if not solid or any(clip.origin.kind == "recorded" for clip in clips):
        return None
    name, motion = somebody(claim, rng)
    return put(claim, name, shifted(motion, np.array([0.0, -rng.uniform(0.02, 0.03), 0.0])))


def jumps(motion: Motion, rng: Rng) -> Motion:
    return shifted(motion, along(motion, stretch(motion, rng, 0.0), floor_vector(rng, 0.04)))


def twitches(motion: Motion, rng: Rng) -> Motion:
    role = str(rng.choice(["leftLowerArm", "rightUpperLeg", "leftUpperArm", "head", "rightHand", "spine"]))
    frame = stretch(motion, rng, 0.0).start
    return turned(motion, role, np.array([[0.15, 0.15, 0.0]]), slice(frame, frame + 1))


def beyond_limit(*roles: str) -> Plant:
    """A joint is turned one degree beyond its limit, slowly, and back."""

    def change(motion: Motion, rng: Rng) -> Motion:
        limits = fit_body(motion.skeleton).limits
        joint = motion.skeleton.humanoid[str(rng.choice(roles))]
        assert limits.kinds[joint] != LimitKind.FREE
        frames = stretch(motion, rng, 1.2)
        coordinates = np.array(limits.coordinates(motion.rotations))
        axis = int(rng.integers(2)) if limits.kinds[joint] == LimitKind.ELLIPSE else 0
        wanted = coordinates[frames, joint].copy()
        goal = 0.5 * (limits.low + limits.high)[joint]
        goal[axis] = limits.high[joint, axis] + np.radians(1.0)
        share = bump(frames.stop - frames.start)[:, None]
        coordinates[frames, joint] = (1.0 - share) * wanted + share * goal
        rotations = motion.rotations.copy()
        rotations[frames, joint] = limits.rotations(coordinates)[frames, joint]
        return replace(motion, rotations=rotations)

    return of_motion(change)


def foot_slides(claim: Claim, rng: Rng) -> Claim | None:
    """Everything is shifted while a foot stands, as it is where roots and feet do not fit together.

    By 6 mm; without evidence by 29 mm, just beyond what recorded people's feet do.
    """
    name, motion = somebody(claim, rng)
    found = stances(motion)
    if not found:
        return None
    first, stop = found[int(rng.integers(len(found)))]
    first, stop = first + (stop - first) // 4, stop - (stop - first) // 4
    share = np.clip((np.arange(len(motion)) - first) / (stop - first), 0.0, 1.0)
    way = floor_vector(rng, 0.006 if claim.evidence.get(name) else 0.029)
    return put(claim, name, shifted(motion, (share * share * (3.0 - 2.0 * share))[:, None] * way))


def stances(motion: Motion) -> list[tuple[int, int]]:
    """Stances of both feet, as frames, that last long enough."""
    from understudy.inspection import foot_contacts

    contacts = foot_contacts(motion)
    return [(a, b) for side in ("left", "right") for a, b in contacts.stances(side) if b - a > 0.3 * motion.fps]


def too_fast(claim: Claim, rng: Rng) -> Claim:
    """A hand turns 1.6 times as fast as recorded people and the evidence ever do."""
    name, motion = somebody(claim, rng)
    side = str(rng.choice(["left", "right"]))
    limb, role = f"{side}_arm", f"{side}Hand"
    pace = next(
        one
        for part in us.verify(claim).characters
        if part.name in (name, "performer") or not name
        for one in part.smoothness.paces
        if (one.kind, one.limb) == ("velocity", limb)
    )
    frames = stretch(motion, rng, 0.5)
    count = frames.stop - frames.start
    swing = bump(count) * np.sin(2.0 * np.pi * 2.0 * np.arange(count) / motion.fps)
    low, high = 0.0, 3.0
    joints = {limb: limbs_of(motion.skeleton)[limb]}
    for _ in range(14):
        middle = 0.5 * (low + high)
        spoilt = turned(motion, role, middle * swing[:, None] * [1.0, 0.0, 0.0], frames)
        low, high = (middle, high) if limb_turns(spoilt, joints)[limb][0].max() < 1.6 * pace.usual else (low, middle)
    return put(claim, name, turned(motion, role, high * swing[:, None] * [1.0, 0.0, 0.0], frames))


def skates(motion: Motion, rng: Rng) -> Motion:
    """The root goes on by itself, 0.3 m a second."""
    return shifted(motion, motion.times_s[:, None] * floor_vector(rng, 0.3))


def leans(motion: Motion, rng: Rng) -> Motion:
    """Somebody stands for two seconds as nobody can: half a radian forward about the feet."""
    still = motion.frames(len(motion) - 1, len(motion))
    count = round(2.0 * motion.fps)
    roots, rotations = np.repeat(still.root_positions, count, 0), np.repeat(still.rotations, count, 0)
    sway = bump(count)[:, None] * floor_vector(rng, 0.55)
    hips = roots[0, 1]
    axis = np.cross([0.0, 1.0, 0.0], sway)
    rotations[:, 0] = rot.multiply(rot.exp(axis), rotations[:, 0])
    roots[:, [0, 2]] += hips * np.sin(sway[:, [0, 2]])
    roots[:, 1] -= hips * (1.0 - np.cos(np.linalg.norm(sway, axis=1)))
    return replace(
        motion,
        root_positions=np.concatenate([motion.root_positions, roots]),
        rotations=np.concatenate([motion.rotations, rotations]),
    )


def arm_in_trunk(motion: Motion, rng: Rng) -> Motion | None:
    """An arm swings towards the trunk until the forearm or the hand is 5 cm deeper in it than before."""
    side, sign = ("left", -1.0) if rng.integers(2) else ("right", 1.0)
    frames = stretch(motion, rng, 1.0)
    share, middle = bump(frames.stop - frames.start)[:, None], (frames.start + frames.stop) // 2
    before = _arm_depth_m(motion, middle, side)
    for angle in np.linspace(0.3, 1.8, 16):
        for axis in (*np.diag([1.0, 1.0, sign]), *np.diag([-1.0, -1.0, -sign])):
            spoilt = turned(motion, f"{side}UpperArm", angle * share * axis, frames)
            if _arm_depth_m(spoilt, middle, side) > max(before, 0.0) + 0.05:
                return spoilt
    return None


def _arm_depth_m(motion: Motion, frame: int, side: str) -> float:
    """How deep forearm and hand are in the trunk at a frame [m], by points along both axes."""
    body = fit_body(motion.skeleton)
    starts, ends = body.capsule_segments(*motion.pose(frame).world())
    shares = np.linspace(0.0, 1.0, 21)[:, None]
    deepest = -np.inf
    for part in (f"{side}_forearm", f"{side}_hand"):
        for trunk in ("abdomen", "ribs", "chest"):
            one, two = body.capsule(part), body.capsule(trunk)
            a, b = (starts[k] + shares * (ends[k] - starts[k]) for k in (one, two))
            gap = np.linalg.norm(a[:, None] - b[None], axis=-1).min()
            deepest = max(deepest, float(body.capsule_radii[one] + body.capsule_radii[two] - gap))
    return deepest


def foot_through_foot(motion: Motion, rng: Rng) -> Motion:
    """Both legs swing inwards until they cross."""
    frames = stretch(motion, rng, 1.0)
    share = bump(frames.stop - frames.start)[:, None]
    inward = turned(motion, "leftUpperLeg", share * [0.0, 0.0, -0.35], frames)
    return turned(inward, "rightUpperLeg", share * [0.0, 0.0, 0.35], frames)


def freezes(motion: Motion, rng: Rng) -> Motion | None:
    """A walker stands as a statue for half a second and walks on."""
    frames = stretch(motion, rng, 0.5)
    speed = np.linalg.norm(np.diff(motion.root_positions[:, [0, 2]], axis=0), axis=1) * motion.fps
    if speed[frames.start] < 0.6:
        return None
    order = np.concatenate([np.arange(frames.start), np.full(frames.stop - frames.start, frames.start)])
    order = np.concatenate([order, np.arange(frames.start, len(motion))])
    return replace(motion, root_positions=motion.root_positions[order], rotations=motion.rotations[order])


def drops_frames(motion: Motion, rng: Rng) -> Motion | None:
    """A tenth of a second is missing from a walk."""
    frames = stretch(motion, rng, 0.1)
    away = motion.root_positions[frames.stop] - motion.root_positions[frames.start]
    if np.hypot(away[0], away[2]) < 0.06:
        return None
    order = np.delete(np.arange(len(motion)), np.arange(frames.start, frames.stop))
    return replace(motion, root_positions=motion.root_positions[order], rotations=motion.rotations[order])


def staged(claim: Claim) -> Scene:
    return Scene(floor=bool(claim.floor)) if claim.scene is None else claim.scene


def capsule(motion: Motion, frame: int, part: str) -> tuple[np.ndarray, float]:
    """The middle of a part of somebody at a frame [m], and its radius [m]."""
    body = fit_body(motion.skeleton)
    start, end = body.capsule_segments(*motion.pose(frame).world())
    number = body.capsule(part)
    return 0.5 * (start[number] + end[number]), float(body.capsule_radii[number])


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


def trembles(motion: Motion, rng: Rng) -> Motion:
    """A joint shakes five to nine times a second for a second."""
    role = str(rng.choice(["leftLowerArm", "rightUpperArm", "head", "spine", "leftUpperLeg"]))
    frames, rate = stretch(motion, rng, 1.2), rng.uniform(5.0, 9.0)
    count = frames.stop - frames.start
    share = np.minimum(1.0, 4.0 * bump(count))
    # 2.5 times what recorded people's joints do in that band, which is 7 degrees for an arm and 3 for the trunk.
    size = 2.5 * np.sqrt(2.0) * usual_tremor(role, "sport") / (2.0 * np.pi * rate)
    shake = size * share * np.sin(2.0 * np.pi * rate * np.arange(count) / motion.fps)
    return turned(motion, role, shake[:, None] * [1.0, 0.0, 0.0], frames)


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
    "contact deeper than may be claimed": deep_contact,
    "a contact 1.2 mm deeper than claimed": deeper_than_claimed,
    "a contact 0.2 s longer than claimed": longer_than_claimed,
    "seat taken away": seat_taken_away,
    "swinging foot dragged over the floor": of_motion(dragged_swing),
    "goal missed by 2 mm more than allowed": goal_missed,
    "door not at its angle": door_not_shut,
    "door opens before it is touched": turns_by_itself,
    "trembles": of_motion(trembles),
    "held thing 5 mm beside its grip": held_shifts,
    "thing put down floats": put_down_floats,
    "ball 2 mm off its parabola": off_its_parabola,
    "ball flies through something": ball_in_something,
}
