"""Looking at what is handled: head and neck turn towards it before the hand gets there, and back into the clip after.

The turn is a rotation of the world's on top of the clip's own, eased in and out, shared by neck and head, slowed down
and scaled until it keeps the joints' limits and the trunk's pace.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.limbs.handling.fronting import eased
from understudy.limbs.handling.play import Deed
from understudy.limbs.speeds import FACTOR, turns_of, usual_turns
from understudy.limbs.stage import Stage
from understudy.typing import FloatArray, IntArray

#: [s] before the hand arrives and after it, and how long easing takes at either end.
_BEFORE_S, _AFTER_S, _EASE_S = 0.5, 0.35, 0.7
#: [rad] farthest the head turns from the clip's own way, and share of the way it turns.
_FARTHEST_RAD, _SHARE = 0.95, 0.8
#: Share of the turn that the neck takes.
_NECK = 0.45
#: Scales that are tried.
_SCALES = (1.0, 0.75, 0.5, 0.3)
#: [s] smoothing of where to look: things in moving hands wobble.
_CALM_S = 0.25


def with_gaze(deed: Deed) -> Deed | None:
    """The deed with the head following what was handled; nothing where the head cannot."""
    looking = _looked(deed)
    if deed.then is None:
        return looking
    then = _looked(replace(deed.then, play=(looking or deed).play))
    return looking if then is None else replace(looking or deed, gaze=True, play=then.play, then=then)


def _looked(deed: Deed) -> Deed | None:
    stage = deed.play.stage(deed.character)
    humanoid = stage.motion.skeleton.humanoid
    if "head" not in humanoid or not deed.marks:
        return None
    start = max(deed.time_s - _BEFORE_S - _EASE_S, stage.start_s)
    end = min(deed.time_s + _AFTER_S + _EASE_S, stage.end_s)
    frames = np.arange(
        int(np.ceil((start - stage.start_s) * stage.motion.fps)),
        int(np.floor((end - stage.start_s) * stage.motion.fps)) + 1,
    )
    if len(frames) < 8:
        return None
    turn = _turns(stage, deed, frames)
    for scale in _SCALES:
        motion = _looking(stage, frames, scale * turn)
        if _within_limits(stage, motion, frames) and _calm(stage, motion):
            scene = deed.play.scene.with_motion(deed.character, motion, start_s=stage.start_s)
            return replace(deed, gaze=True, play=deed.play.done(scene, limbs=("gaze",), character=deed.character))
    return None


def _turns(stage: Stage, deed: Deed, frames: IntArray) -> FloatArray:
    """``(frames, 3)`` rotation vectors [rad] in the world from the clip's way of looking to the thing, eased."""
    times = stage.start_s + frames / stage.motion.fps
    person = stage.scene.character(deed.character)
    places, turns = person.joint("head", times)
    joint = stage.motion.skeleton.humanoid["head"]
    ahead = rot.rotate(rot.conjugate(t_pose_world(stage.motion.skeleton)[1][joint]), np.array([0.0, 0.0, 1.0]))
    looks = rot.rotate(turns, ahead)
    there = _followed(stage, deed, times)
    towards = there - places
    towards /= np.maximum(np.linalg.norm(towards, axis=1, keepdims=True), 1e-6)
    wanted = rot.log(rot.shortest_arc(looks, towards)) * _SHARE
    size = np.linalg.norm(wanted, axis=1, keepdims=True)
    wanted *= np.minimum(1.0, _FARTHEST_RAD / np.maximum(size, 1e-9))
    return _eased(times, deed.time_s, frames, len(stage.motion))[:, None] * _smoothed(wanted, stage.motion.fps)


def _followed(stage: Stage, deed: Deed, times: FloatArray) -> FloatArray:
    """Where to look ``(times, 3)`` [m]: the object, or the place the hand goes to."""
    if deed.object:
        return stage.scene.object_track(deed.object, times)[0]
    return np.repeat(deed.marks[0].position[None], len(times), axis=0)


def _eased(times: FloatArray, at_s: float, frames: IntArray, count: int) -> FloatArray:
    rise = np.clip((times - (at_s - _BEFORE_S - _EASE_S)) / _EASE_S, 0.0, 1.0)
    falls = np.clip(((at_s + _AFTER_S + _EASE_S) - times) / _EASE_S, 0.0, 1.0)
    # At the very ends of a motion nothing has to join on.
    if frames[0] == 0:
        rise = np.ones_like(rise)
    if frames[-1] == count - 1:
        falls = np.ones_like(falls)
    return eased(np.minimum(rise, falls))


def _smoothed(values: FloatArray, fps: float) -> FloatArray:
    half = max(int(0.5 * _CALM_S * fps), 1)
    bell = np.cos(0.5 * np.pi * np.arange(-half, half + 1) / (half + 1)) ** 2
    bell /= bell.sum()
    longer = np.concatenate([np.repeat(values[:1], half, axis=0), values, np.repeat(values[-1:], half, axis=0)])
    return np.stack([np.convolve(column, bell, mode="valid") for column in longer.T], axis=1)


def _looking(stage: Stage, frames: IntArray, turns: FloatArray) -> Motion:
    """The motion with its head turned in the world by rotation vectors, the neck by its share of them."""
    motion = stage.motion
    skeleton, humanoid = motion.skeleton, motion.skeleton.humanoid
    times = stage.start_s + frames / motion.fps
    _, world = stage.scene.character(stage.character).joints(times)
    rotations = np.array(motion.rotations)
    head, neck = humanoid["head"], humanoid.get("neck")
    above_neck = None
    if neck is not None:
        parent = int(skeleton.parents[neck])
        above_neck = rot.multiply(rot.exp(_NECK * turns), world[:, neck])
        rotations[frames, neck] = rot.multiply(rot.conjugate(world[:, parent]), above_neck)
    over = int(skeleton.parents[head])
    between = world[:, over]
    if neck is not None and above_neck is not None:
        # Whatever lies between neck and head moves with the neck.
        between = rot.multiply(above_neck, rot.multiply(rot.conjugate(world[:, neck]), world[:, over]))
    rotations[frames, head] = rot.multiply(rot.conjugate(between), rot.multiply(rot.exp(turns), world[:, head]))
    still = frames[np.linalg.norm(turns, axis=1) == 0.0]
    rotations[still] = motion.rotations[still]
    return replace(motion, rotations=rotations)


def _within_limits(stage: Stage, motion: Motion, frames: IntArray) -> bool:
    limits = stage.body.limits
    now, then = limits.excess(motion.rotations[frames]), limits.excess(stage.source.rotations[frames])
    joints = [motion.skeleton.humanoid[role] for role in ("neck", "head") if role in motion.skeleton.humanoid]
    return bool((now[:, joints] <= np.maximum(then[:, joints].max(axis=0), 0.0) + 1e-9).all())


def _calm(stage: Stage, motion: Motion) -> bool:
    turns = turns_of(motion.rotations[:, list(motion.skeleton.limb("torso"))], motion.fps)
    usual = usual_turns([stage.source], "torso")
    return all(float(one.max()) <= FACTOR * most for one, most in zip(turns, usual, strict=True))
