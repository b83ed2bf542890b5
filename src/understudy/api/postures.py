"""``understudy.between``: the posture planner, judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.api.seats import with_seat
from understudy.api.verdict import Verdict
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion, from_poses
from understudy.core.planning import Result
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.performer.postures import posture
from understudy.postures import BetweenOptions, BetweenTrace, Pin
from understudy.postures import between as plan
from understudy.postures.pins import KEY_RAD
from understudy.scene.scene import Scene
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim
from understudy.verify.feet import feet_of
from understudy.verify.judge import verify
from understudy.verify.report import Report


def between(
    first: Pose | str,
    second: Pose | str,
    *more: Pose | str,
    scene: Scene | None = None,
    pins: Sequence[Pin | str] = (),
    body: Body | None = None,
    bars: Bars | None = None,
    options: BetweenOptions | None = None,
) -> Result[BetweenTrace]:
    """One smooth motion through key postures that touches nothing.

    Args:
        first: A pose, or the name of a built-in posture.
        second: The next one.
        more: Further ones; the motion passes through all of them.
        scene: What stands around; without one, a floor at ``y = 0`` if the postures are above it.
        pins: Joints that stay where they are: roles or names, or :class:`understudy.postures.Pin` for paths and turns.
        body: Whose capsules and limits; fitted to the skeleton unless given.
        bars: Bars to clear; by default a body may not overlap itself at all.
        options: How to plan.

    Returns:
        ``SOLVED`` only with a motion that the judge has passed. Built-in postures have no place of their own: with
        pins they stand where the pinned joints are, else those after the first end where their feet lead them.
    """
    keys = key_poses([first, second, *more])
    body = body or fit_body(keys[0].skeleton)
    held = [Pin(joint=one) if isinstance(one, str) else one for one in pins]
    named = [isinstance(one, str) for one in (first, second, *more)]
    if held:
        keys = [at_pins(key, keys[0], held) if own else key for key, own in zip(keys, named, strict=True)]
    names = [one if isinstance(one, str) else None for one in (first, second, *more)]
    seat = with_seat(names, keys, body) if scene is None and not held else None
    if seat is not None:
        scene, keys = seat
    loose = all(named[1:]) and not held and seat is None
    clips = tuple({id(clip): clip for key in keys for clip in key.evidence}.values())
    grounds = [ground_of(key, body) if scene is None else 0.0 for key in keys]
    verdict = Verdict(lambda motion, trace: claim_of(scene, motion, trace, body=body, bars=bars, evidence=clips))
    found = plan(
        keys,
        judge=verdict.violations,
        scene=scene,
        pins=held,
        body=body,
        grounds_m=grounds,
        loose=loose,
        options=options,
    )
    return verdict.settled(found)


def ground_of(key: Pose, body: Body) -> float:
    """Height of the ground that a posture stands on [m]: a recorded one stands where its recording rests its feet."""
    if not key.evidence or not key.skeleton.is_humanoid:
        return 0.0
    feet = feet_of(key.evidence[0])
    if "left_toes" not in body.capsule_names:
        return feet.sole_m
    return feet.ground_m - float(body.capsule_radii[body.capsule("left_toes")])


def key_poses(keys: Sequence[Pose | str]) -> list[Pose]:
    """Poses of keys; named postures are those of whoever the first pose belongs to, or of an average adult."""
    skeleton: Skeleton | None = next((key.skeleton for key in keys if isinstance(key, Pose)), None)
    found: list[Pose] = []
    for key in keys:
        pose = key if isinstance(key, Pose) else posture(key, person=skeleton)
        skeleton = skeleton or pose.skeleton
        found.append(pose)
    return found


def at_pins(pose: Pose, first: Pose, pins: Sequence[Pin]) -> Pose:
    """A posture without a place of its own, put on the floor so that pinned joints are where ``first`` has them.

    It is turned about the vertical where a pin keeps its joint's turn, where that alone would turn a pinned joint as in
    ``first`` (a foot that is flat on the floor in both), or where there are several pins.
    """
    if not pose.skeleton.same_joints(first.skeleton):
        return pose
    joints = [pose.skeleton.index(pin.joint) if isinstance(pin.joint, str) else pin.joint for pin in pins]
    (own, own_turns), (goal, goal_turns) = pose.world(), first.world()
    away = rot.multiply(goal_turns[joints], rot.conjugate(own_turns[joints]))
    yaws = rot.yaw(away)
    upright = rot.angle_between(away, rot.from_yaw(yaws)) < KEY_RAD
    turned = [k for k, pin in enumerate(pins) if pin.turn or (pin.turn is None and len(pins) == 1 and upright[k])]
    yaw = 0.0
    if turned:
        yaw = float(yaws[turned[0]])
    elif len(joints) > 1:
        a, b = (p[joints][:, [2, 0]] - p[joints][:, [2, 0]].mean(axis=0) for p in (own, goal))
        yaw = float(np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()))
    turn = rot.from_yaw(yaw)
    rotations = pose.rotations.copy()
    rotations[0] = rot.multiply(turn, rotations[0])
    shift = (goal[joints] - rot.rotate(turn, own[joints])).mean(axis=0) * np.array([1.0, 0.0, 1.0])
    return replace(pose, root_position=rot.rotate(turn, pose.root_position) + shift, rotations=rotations)


def claim_of(
    scene: Scene | None,
    motion: Motion,
    trace: BetweenTrace,
    *,
    body: Body | None = None,
    bars: Bars | None = None,
    evidence: Sequence[Motion] = (),
) -> Claim:
    """What a motion between postures claims: absolute bars hold, unless its postures come from recorded clips."""
    return Claim(
        motions=(("", motion),),
        scene=scene,
        evidence={"": tuple(evidence)} if evidence else {},
        # Recorded postures stand on their own ground.
        floor=None if scene is not None or evidence else trace.floor,
        bodies={} if body is None else {"": body},
        bars=bars or Bars(),
    )


def held_key(pose: Pose, scene: Scene | None = None) -> Claim:
    """The claim of somebody who holds a posture still for a moment."""
    still = from_poses([pose] * 30, fps=60.0)
    return Claim(
        motions=(("", still),),
        scene=scene,
        evidence={"": tuple(pose.evidence)} if pose.evidence else {},
        floor=None if scene is not None or pose.evidence else True,
    )


def report_on(
    scene: Scene | None, motion: Motion, trace: BetweenTrace, *, body: Body | None = None, bars: Bars | None = None
) -> Report:
    """The judge's report on a motion between postures."""
    return verify(claim_of(scene, motion, trace, body=body, bars=bars))
