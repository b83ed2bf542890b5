"""Faults of a claim itself to plant in accepted ones: its evidence, its contacts, its goals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import understudy as us
from benchmarks.suites.fault_contacts import thicker, with_shape
from benchmarks.suites.fault_planting import Rng, floor_vector, somebody
from understudy.scene.contacts import HAND_DEPTH_M, ContactRule
from understudy.scene.shapes import Box, Cylinder, Sphere
from understudy.verify.claim import Claim
from understudy.verify.goals import FloorGoal, HandGoal, goal_error


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
