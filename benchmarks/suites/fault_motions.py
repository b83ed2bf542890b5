"""Faults of a motion by itself to plant in accepted claims: it floats, slides, jumps, bends too far or trembles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import understudy as us
from benchmarks.suites.fault_planting import (
    Plant,
    Rng,
    along,
    bump,
    floor_vector,
    of_motion,
    put,
    shifted,
    somebody,
    stretch,
    turned,
)
from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.everyday import usual_tremor
from understudy.core.limits import LimitKind
from understudy.core.motion import Motion
from understudy.verify.claim import Claim
from understudy.verify.foot_skate import foot_skate
from understudy.verify.smoothness import limb_turns, limbs_of

#: Frames at both ends in which nobody is turned to stone.
_ENDS = 12


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

    By a millimetre more than the bar, or 29 mm without evidence, and by what the feet do anyway, perhaps the other way.
    """
    name, motion = somebody(claim, rng)
    found = stances(motion)
    if not found:
        return None
    first, stop = found[int(rng.integers(len(found)))]
    first, stop = first + (stop - first) // 4, stop - (stop - first) // 4
    share = np.clip((np.arange(len(motion)) - first) / (stop - first), 0.0, 1.0)
    clips, least_mm = claim.evidence.get(name, ()), claim.bars.stance_drift_added_mm
    bar_mm = max([least_mm, *(foot_skate(clip).stance_drift_mm for clip in clips)])
    way_mm = bar_mm + foot_skate(motion).stance_drift_mm + 1.0 if clips else 29.0
    way = floor_vector(rng, 0.001 * way_mm)
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


def turns_to_stone(motion: Motion, rng: Rng) -> Motion | None:
    """Somebody who hardly moves stops altogether for half a second: time stands still for them, and catches up."""
    count, speeds = round(1.5 * motion.fps), np.max([one[0] for one in limb_turns(motion).values()], axis=0)
    calm = [k for k in range(_ENDS, len(speeds) - count - _ENDS) if speeds[k : k + count].max() < 0.6]
    if not calm:
        return None
    first = int(rng.choice(calm))
    way = np.clip(np.abs(np.linspace(-1.0, 1.0, count + 1)) * 1.5 - 0.5, 0.0, 1.0)
    middle = first + 0.5 * count
    times = np.arange(len(motion), dtype=np.float64)
    times[first : first + count + 1] = middle + 0.5 * count * np.sign(times[first : first + count + 1] - middle) * way
    roots, rotations = motion.sample(times / motion.fps)
    return replace(motion, root_positions=roots, rotations=rotations)


def drops_frames(motion: Motion, rng: Rng) -> Motion | None:
    """A tenth of a second is missing from a walk."""
    frames = stretch(motion, rng, 0.1)
    away = motion.root_positions[frames.stop] - motion.root_positions[frames.start]
    if np.hypot(away[0], away[2]) < 0.06:
        return None
    order = np.delete(np.arange(len(motion)), np.arange(frames.start, frames.stop))
    return replace(motion, root_positions=motion.root_positions[order], rotations=motion.rotations[order])


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
