"""Second hands on implements: arm IK after the edit, because a bat is carried by one hand and held by two."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.interaction.actor import Actor, Implement
from understudy.interaction.contact_places import grip_on
from understudy.kinematics import hold_end, motion_world
from understudy.typing import FloatArray

#: [m] how deep a palm sits on what it holds.
SNUG_M = 0.003
#: [m] a palm nearer than this is on the implement; one that is twice as far has let go.
_ON_M = 0.1
#: [m] how far apart along an implement two hands are at least.
_BESIDE_M = 0.14


def gripped(motion: Motion, actor: Actor) -> Motion:
    """The motion with second hands on their implements, while the clip's hands are about there.

    The palm lies on the implement, as far along it as usual; the hand turns as little as that allows.
    """
    for implement in actor.implements:
        if implement.second:
            motion = _gripped(motion, actor, implement)
    return motion


def _gripped(motion: Motion, actor: Actor, implement: Implement) -> Motion:
    side = implement.second.removesuffix("Hand")
    chain = (f"{side}UpperArm", f"{side}LowerArm", f"{side}Hand")
    world = motion_world(motion)
    carrier, start, end, radius = actor.part(implement.name)
    first = rot.rotate(world.rotations[:, carrier], start) + world.positions[:, carrier]
    along = rot.rotate(world.rotations[:, carrier], (end - start) / np.linalg.norm(end - start))
    hand = motion.skeleton.humanoid[chain[2]]
    own = world.rotations[:, hand]
    palm = grip_on(actor, part_of(implement.second), radius - SNUG_M)
    here = world.positions[:, hand] + rot.rotate(own, palm)
    reach = np.sum((here - first) * along, axis=1)
    off = np.linalg.norm(here - first - reach[:, None] * along, axis=1)
    share = 1.0 - smoothstep(off / _ON_M - 1.0)
    turn = rot.slerp(own, _facing(actor, implement, own, along), share)
    place = first + _beside(actor, implement, np.median(reach[off < _ON_M]) if off.min() < _ON_M else 0.0) * along
    goal = here + share[:, None] * (place - here) - rot.rotate(turn, palm)
    return hold_end(motion, chain, goal, turn).motion


def _facing(actor: Actor, implement: Implement, turns: FloatArray, along: FloatArray) -> FloatArray:
    """A second hand turned so that its palm lies along the implement ``(frames, 4)``."""
    part = part_of(implement.second)
    normal = rot.rotate(turns, grip_on(actor, part, 1.0) - grip_on(actor, part, 0.0))
    level = normal - np.sum(normal * along, axis=1, keepdims=True) * along
    about = rot.from_axis_angle(along, np.full(len(along), np.radians(implement.second_deg)))
    return rot.multiply(about, rot.multiply(rot.shortest_arc(normal, level), turns))


def _beside(actor: Actor, implement: Implement, usual: float) -> float:
    """How far along the implement a second hand is [m]: as usual, and beside the first one."""
    _, start, end, _ = actor.part(implement.name)
    palm = grip_on(actor, part_of(implement.joint), 0.0)
    first = float((palm - start) @ (end - start) / np.linalg.norm(end - start))
    return min(usual, first - _BESIDE_M) if usual < first else max(usual, first + _BESIDE_M)


def part_of(role: str) -> str:
    """The body part of a hand's role: ``left_hand`` of ``leftHand``."""
    return f"{role.removesuffix('Hand')}_hand"
