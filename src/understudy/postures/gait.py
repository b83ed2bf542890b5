"""Whole steps: the body goes from one posture to another while its feet step, above them as a pendulum moves.

The centre of mass is that of a linear inverted pendulum whose foot is where the weight is borne. Its bounded motion is
a weighted mean of where that is before and afterwards, ``e^(-|t| / T)`` with the time ``T`` in which the pendulum falls
(Kajita et al., "The 3D linear inverted pendulum mode", IROS 2001): nobody topples who steps in time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.core.pose import Pose
from understudy.kinematics import centre_of_mass, forward, hold_end, limb_of, pose_world, solve_limbs, swivel_angle
from understudy.kinematics.clearing import clear_of_body
from understudy.postures.averaging import envelope
from understudy.postures.bearing import SIDES
from understudy.postures.pacing import GRAVITY_MPS2
from understudy.postures.strides import Strides
from understudy.postures.timing import minimum_jerk
from understudy.typing import FloatArray

_LEVEL = [0, 2]
#: Over the length of a leg: how far a hip is from its ankle at most, unless a posture has it farther.
_REACH = 0.985
#: Rounds in which hips are brought to where the centre of mass belongs.
_ROUNDS = 4
#: Over the time of a fall: how long somebody takes to get going, or to come to rest, and how far ahead steps count.
_GOING, _FALLS = 2.0, 6.0
#: [s] half of the time in which hips sink for a leg that would be too short.
_SINKS_S = 0.3
#: [rad] ankles keep so far from their limit.
_ROOM_RAD = 0.035
#: [rad] how far a whole leg turns with its foot at most.
_TURNED = 0.7
#: Places of an ankle, its turns, and those of the toes.
_Feet = tuple[FloatArray, FloatArray, FloatArray | None]


def stepped(body: Body, a: Pose, b: Pose, strides: Strides, *, fps: float, upright: Pose | None = None) -> Motion:
    """The motion from one posture to another in steps.

    Args:
        body: Who steps.
        a: Where it begins.
        b: Where it ends.
        strides: The steps.
        fps: Frames per second, or a little more.
        upright: How the body is meanwhile, over feet that point ahead; unless given, it goes straight from ``a`` to
            ``b``.
    """
    skeleton, count = body.skeleton, int(np.ceil(strides.duration_s * fps))
    times = np.arange(count + 1) / fps
    headings = strides.headings(times)
    poses = [a, b] if upright is None else [a, upright, b]
    mix = _mix(strides, times, len(poses))
    rotations = _turns(body, poses, mix, headings)
    feet = [strides.feet(side, times) for side in SIDES]
    centres = _centres(body, a, b, strides, times)
    roots = np.zeros((len(times), 3))
    roots[:, _LEVEL] = centres
    roots[:, 1] = mix @ [pose.root_position[1] for pose in poses]
    motion = Motion(
        skeleton=skeleton, fps=fps, root_positions=roots, rotations=rot.continuous(rotations), name="between"
    )
    for _ in range(_ROUNDS):
        low = _low_enough(replace(motion, root_positions=roots), feet)
        held = _held(low, feet)
        feet = [_heel_up(body, held, side, foot) for side, foot in zip(SIDES, feet, strict=True)]
        world = forward(skeleton, low.root_positions, held.rotations)
        moved = roots.copy()
        moved[:, _LEVEL] += centres - centre_of_mass(world, body.masses, body.coms)[:, _LEVEL]
        roots = moved
    low = _low_enough(replace(motion, root_positions=roots), feet)
    return _clear(_held(replace(low, root_positions=_met(low.root_positions, a, b)), feet))


def _clear(motion: Motion) -> Motion:
    """The motion with arms and knees that pass each other; its ends are as they were."""
    clear = clear_of_body(motion.skeleton, motion.root_positions, motion.rotations, fps=motion.fps)
    since = np.minimum(motion.times_s, motion.times_s[::-1]) / _SINKS_S
    share = minimum_jerk(np.clip(since, 0.0, 1.0))
    return replace(motion, rotations=rot.slerp(motion.rotations, rot.aligned(clear, motion.rotations), share[:, None]))


def _held(motion: Motion, feet: Sequence[_Feet]) -> Motion:
    """The motion with its feet where they are to be; whole legs turn with them, knees bend about their hinges."""
    skeleton = motion.skeleton
    for side, (places, turns, toes) in zip(SIDES, feet, strict=True):
        chain = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
        thigh, knee, foot = (skeleton.humanoid[role] for role in chain)
        world, limb = forward(skeleton, motion.root_positions, motion.rotations), limb_of(skeleton, *chain)
        # Of a turn about any axis, the share about the vertical: a foot that hangs down points nowhere.
        yaws = rot.log(rot.multiply(turns, rot.conjugate(world.rotations[:, foot])))[:, 1]
        away = rot.from_yaw(_TURNED * np.tanh(yaws / _TURNED))
        above = int(skeleton.parents[thigh])
        back = rot.conjugate(world.rotations[:, above])
        turned = rot.multiply(back, rot.multiply(away, world.rotations[:, thigh]))
        swivel = np.unwrap(swivel_angle(limb, turned, motion.rotations[:, knee]))
        hip = (world.positions[:, above], world.rotations[:, above])
        solved = solve_limbs(limb, *hip, places, turns, swivel_rad=swivel)
        rotations = motion.rotations.copy()
        for joint, own in zip((thigh, knee, foot), (solved.base, solved.mid, solved.end), strict=True):
            rotations[:, joint] = _with_ends(
                rot.aligned(own, rotations[:, joint]), rotations[[0, -1], joint], motion.fps
            )
        if toes is not None:
            rotations[:, skeleton.humanoid[f"{side}Toes"]] = toes
        motion = hold_end(replace(motion, rotations=rotations), chain, places, turns).motion
    return replace(motion, rotations=rot.continuous(motion.rotations))


def _heel_up(body: Body, motion: Motion, side: str, foot: _Feet) -> _Feet:
    """A foot whose heel rises over its ball where the ankle would bend too far."""
    (places, turns, toes), skeleton = foot, motion.skeleton
    if toes is None:
        return foot
    joint, ball = skeleton.humanoid[f"{side}Foot"], skeleton.offsets[skeleton.humanoid[f"{side}Toes"]]
    bent = body.limits.coordinates(motion.rotations)[:, joint, 0]
    least = min(float(body.limits.low[joint, 0]) + _ROOM_RAD, *bent[[0, -1]].tolist())
    up = envelope(np.maximum(least - bent, 0.0), _SINKS_S * motion.fps)
    ahead = rot.rotate(turns, ball) * [1.0, 0.0, 1.0]
    axis = np.cross([0.0, 1.0, 0.0], ahead / np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9))
    raised = rot.multiply(rot.exp(axis * up[:, None]), turns)
    moved = places + rot.rotate(turns, ball) - rot.rotate(raised, ball)
    return moved, raised, rot.multiply(rot.conjugate(raised), rot.multiply(turns, toes))


def _with_ends(turns: FloatArray, ends: FloatArray, fps: float) -> FloatArray:
    """Turns ``(n, 4)`` that begin and end as told ``(2, 4)``, and are as they are from soon after to shortly before."""
    for end, frames in ((0, np.arange(len(turns))), (-1, np.arange(len(turns))[::-1])):
        left = 1.0 - minimum_jerk(np.clip(frames / (_SINKS_S * fps), 0.0, 1.0))
        missing = rot.log(rot.multiply(rot.conjugate(turns[end]), rot.aligned(ends[end], turns[end])))
        turns = rot.multiply(turns, rot.exp(left[:, None] * missing))
    return np.asarray(turns)


def _low_enough(motion: Motion, feet: Sequence[_Feet]) -> Motion:
    """The motion with hips as low as both legs have to have them."""
    skeleton, roots = motion.skeleton, motion.root_positions.copy()
    positions = forward(skeleton, roots, motion.rotations).positions
    too_high = np.zeros(len(roots))
    for side, (places, _, _) in zip(SIDES, feet, strict=True):
        hip, knee, ankle = (skeleton.humanoid[f"{side}{role}"] for role in ("UpperLeg", "LowerLeg", "Foot"))
        length = float(np.linalg.norm(skeleton.offsets[knee]) + np.linalg.norm(skeleton.offsets[ankle]))
        away = positions[:, hip] - places
        ends = np.linalg.norm(away[[0, -1]], axis=1)
        # A posture on straight legs bends them as it leaves, at a speed that knees can have.
        bent = 2.0 * np.arccos(np.minimum([*ends / length, _REACH], 1.0))
        bends = np.minimum(bent[2], bent[:2]) - bent[2]
        since = np.stack([motion.times_s, motion.times_s[::-1]]) / (2.0 * _SINKS_S)
        longest = length * np.cos(0.5 * (bent[2] + bends @ (1.0 - minimum_jerk(np.clip(since, 0.0, 1.0)))))
        level = np.minimum(np.linalg.norm(away[:, _LEVEL], axis=1), longest)
        too_high = np.maximum(too_high, away[:, 1] - np.sqrt(longest**2 - level**2))
    too_high[[0, -1]] = 0.0
    roots[:, 1] -= envelope(too_high, _SINKS_S * motion.fps)
    return replace(motion, root_positions=roots)


def _met(roots: FloatArray, a: Pose, b: Pose) -> FloatArray:
    """Root positions that begin and end where two postures have them."""
    away = np.stack([a.root_position - roots[0], b.root_position - roots[-1]])
    share = minimum_jerk(np.linspace(0.0, 1.0, len(roots)))
    return np.asarray(roots + np.stack([1.0 - share, share], axis=1) @ away)


def _centres(body: Body, a: Pose, b: Pose, strides: Strides, times: FloatArray) -> FloatArray:
    """``(n, 2)`` what the centre of mass is above [m], at rest in the beginning and the end."""
    ends = [centre_of_mass(pose_world(pose), body.masses, body.coms) for pose in (a, b)]
    fall_s = float(np.sqrt(np.mean([end[1] for end in ends]) / GRAVITY_MPS2))
    step_s = float(times[1] - times[0])
    reach = int(np.ceil(_FALLS * fall_s / step_s))
    kernel = np.exp(-np.abs(np.arange(-reach, reach + 1)) * step_s / fall_s)
    at = np.concatenate([times[0] + step_s * np.arange(-reach, 0), times, times[-1] + step_s * np.arange(1, reach + 1)])
    found = np.empty((len(times), 2))
    going = minimum_jerk(np.clip(times / (_GOING * fall_s), 0.0, 1.0))
    coming = minimum_jerk(np.clip((times[-1] - times) / (_GOING * fall_s), 0.0, 1.0))
    for k, axis in enumerate(_LEVEL):
        borne = np.interp(at, strides.borne[:, 0], strides.borne[:, 1 + k])
        swayed = np.convolve(borne, kernel / kernel.sum(), mode="valid")
        swayed = ends[0][axis] + going * (swayed - ends[0][axis])
        found[:, k] = ends[1][axis] + coming * (swayed - ends[1][axis])
    return found


def _mix(strides: Strides, times: FloatArray, count: int) -> FloatArray:
    """``(n, poses)`` how much of each posture there is over time."""
    whole = float(times[-1])
    if count == 2:
        done = minimum_jerk(times / whole)
        return np.stack([1.0 - done, done], axis=1)
    soon = min(strides.swings[0].ends_s, 0.5 * whole)
    late = max(strides.swings[-1].begins_s, 0.5 * whole)
    begun = minimum_jerk(np.clip(times / soon, 0.0, 1.0))
    done = minimum_jerk(np.clip((times - late) / (whole - late), 0.0, 1.0))
    return np.stack([1.0 - begun, begun - done, done], axis=1)


def _turns(body: Body, poses: Sequence[Pose], mix: FloatArray, headings: FloatArray) -> FloatArray:
    """``(n, joints, 4)`` local rotations; the root is turned with the feet."""
    at = body.limits.coordinates(np.stack([pose.rotations for pose in poses]))
    rotations = body.limits.rotations(np.einsum("np,pjc->njc", mix, at))
    ahead = [headings[0], *([0.0] * (len(poses) - 2)), headings[-1]]
    own = [rot.multiply(rot.from_yaw(-yaw), pose.rotations[0]) for yaw, pose in zip(ahead, poses, strict=True)]
    turn = np.broadcast_to(own[0], (len(mix), 4))
    for k in range(1, len(own)):
        share = np.divide(mix[:, k], mix[:, : k + 1].sum(axis=1), out=np.zeros(len(mix)), where=mix[:, k] > 0.0)
        turn = rot.slerp(turn, np.broadcast_to(own[k], (len(mix), 4)), share)
    rotations[:, 0] = rot.multiply(rot.from_yaw(headings), turn)
    return np.asarray(rotations)
