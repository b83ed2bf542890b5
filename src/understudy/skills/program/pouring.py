"""Pouring: the mouth of what is held over the middle of a cup, tipped, and back."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.errors import PlanningInputError
from understudy.kinematics import motion_world
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.scene.tessellation import triangles_of
from understudy.scene.transforms import Transform
from understudy.skills.action import Blend, exact, inverse_blend, point_at
from understudy.skills.program.acting import Act, family_for, stands, unchanged
from understudy.skills.program.doing import Means
from understudy.skills.program.here import Held, Here
from understudy.skills.program.spots import Spot
from understudy.typing import FloatArray

#: [m] how much higher than the examples' a bottle comes over, and times what it is held higher in addition.
_COMES_M, _COMES = 0.17, 2.0
#: [m] above the cup's rim that the mouth is held: a bottle that is upright again must still be above the table.
_ABOVE_M = 0.11
#: [m] by which it is held higher where bottle or hand would touch something.
_HIGHER_M = (0.0, 0.03, 0.06)
#: [s] after the pour has stopped that the arm is back.
_BACK_S = 0.85
#: [s] after the examples' grasp that the bottle is up, and after the pour that it is still: it is held all the time.
_LIFTED_S, _AFTER_S = 0.5, 0.15
#: Least share of upside down: how far what is held must be tipped.
_TIPPED = 0.25


def pour(here: Here, task: Task, means: Means) -> tuple[Act, list[Spot], Spot | None] | str:
    """The act of pouring, and where to stand for it.

    Raises:
        PlanningInputError: Nothing is held, or it is not said where to pour.
    """
    held = _held(here, task)
    if task.target is None:
        raise PlanningInputError(f'{task.label}: pour needs "target", the cup to pour into')
    rim = rim_of(here.scene, task.target)
    family = family_for(here, means, "pour", held.hand)
    mouth, up = mouth_in_hand(here.scene, held, here.name)
    role = f"{held.hand}Hand"

    def blend(seen: FloatArray, higher_m: float) -> Blend | str:
        def misses(motion: Motion, events: dict[str, float]) -> FloatArray:
            return seen - point_at(motion, role, mouth, events["pour"])

        made = inverse_blend(family, seen, misses)
        if isinstance(made, str):
            return made
        if _upright(made, role, up) > 1.0 - 2.0 * _TIPPED:
            return f"held so, {held.object} would not be tipped; take it with the palm to its side"
        moments = made.events
        window = (moments["grasp"], moments["pour"], moments["stop"], moments["stop"] + _BACK_S)
        arm = arm_of(made.motion, held.hand)
        aimed = exact(made, arm, misses(made.motion, moments) + np.array([0.0, higher_m, 0.0]), window)
        # The examples take their bottle from the table; this one is in the hand already and comes from above.
        high = (moments["grasp"] - 1.0, moments["grasp"], moments["grasp"] + _LIFTED_S + 0.1, moments["pour"])
        return exact(aimed, arm, np.array([0.0, _COMES_M + _COMES * higher_m, 0.0]), high)

    act = Act(
        family=family,
        target=rim + np.array([0.0, _ABOVE_M, 0.0]),
        blend=blend,
        first_s=family.events["grasp"] + _LIFTED_S,
        last_s=family.events["stop"] + _AFTER_S,
        moment="pour",
        higher_m=_HIGHER_M,
        after=unchanged,
    )
    return act, stands(act.target, family, here.skeleton.leg_length_m()), None


def arm_of(motion: Motion, hand: str) -> tuple[int, int, int]:
    """Upper arm, forearm and hand joints."""
    humanoid = motion.skeleton.humanoid
    return humanoid[f"{hand}UpperArm"], humanoid[f"{hand}LowerArm"], humanoid[f"{hand}Hand"]


def _held(here: Here, task: Task) -> Held:
    found = [one for one in here.held() if task.object in ("", one.object)]
    if not found:
        what = f'"{task.object}"' if task.object else "anything"
        raise PlanningInputError(f"{task.label}: {task.character} does not hold {what} to pour from; grab it first")
    return found[0]


def rim_of(scene: Scene, target: str | tuple[float, float, float]) -> FloatArray:
    """``(3,)`` the middle of an object's top, or the point given [m]."""
    if not isinstance(target, str):
        return np.array(target, dtype=np.float64)
    at, turn = (part[0] for part in scene.object_track(target, [0.0]))
    vertices = at + rot.rotate(turn, triangles_of(scene.object(target).shape)[0])
    middle = 0.5 * (vertices.min(axis=0) + vertices.max(axis=0))
    return np.array([middle[0], float(vertices[:, 1].max()), middle[2]])


def mouth_in_hand(scene: Scene, held: Held, name: str) -> tuple[FloatArray, FloatArray]:
    """A held thing's mouth ``(3,)`` [m] and its upward direction ``(3,)``, in the hand joint's frame."""
    thing = scene.object(held.object)
    hold = next(one for one in scene.holds if one.object == held.object and one.to.startswith(f"{name}."))
    grip = hold.grip
    assert isinstance(grip, Transform)
    upright = thing.placement.poses(np.array([-1e3]))[1][0]
    vertices = rot.rotate(upright, triangles_of(thing.shape)[0])
    middle = 0.5 * (vertices.min(axis=0) + vertices.max(axis=0))
    top = np.array([middle[0], float(vertices[:, 1].max()), middle[2]])
    named = [one for one in thing.handles if one.name == "mouth"]
    mouth = np.array(named[0].at) if named else rot.rotate(rot.conjugate(upright), top)
    up = rot.rotate(rot.conjugate(upright), np.array([0.0, 1.0, 0.0]))
    turn = np.array(grip.rotation)
    return np.asarray(np.array(grip.position) + rot.rotate(turn, mouth)), rot.rotate(turn, up)


def _upright(blend: Blend, role: str, up: FloatArray) -> float:
    """How upright something in the hand still is at the pour: 1 upright, 0 lying, -1 upside down."""
    frame = round(0.5 * (blend.events["pour"] + blend.events["stop"]) * blend.motion.fps)
    world = motion_world(blend.motion.frames(frame, frame + 1))
    joint = blend.motion.skeleton.humanoid[role]
    return float(rot.rotate(world.rotations[0, joint], up)[1])
