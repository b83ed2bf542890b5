"""Goals: does the motion arrive where, when and how it was asked to, and by a way that is not longer than need be?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from understudy.core import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.errors import OptionError
from understudy.scene.placements import Hinge
from understudy.scene.scene import Scene
from understudy.typing import FloatArray
from understudy.verify.forward import joint_frames, matrices
from understudy.verify.low_pass import low_passed

#: Share of the leg's length by which people who stand at ease press on the floor ahead of their ankles: 4 to 5 cm.
_PRESSED_AHEAD = 0.05


@dataclass(frozen=True, kw_only=True)
class FloorGoal:
    """Stand at a floor point, and perhaps face somewhere.

    Attributes:
        position: (x, z) [m] for the root.
        heading_rad: 0 faces +Z, a quarter turn +X; ``None`` for any.
        time_s: When, in the motion's time [s]; ``None`` for its end.
        character: Whose goal; empty for the only character.
        standing: Whether somebody stands there, and the place is that of the feet: where people who stand at ease press
            on the floor, ahead of the ankles by a twentieth of the leg.
    """

    position: tuple[float, float]
    heading_rad: float | None = None
    time_s: float | None = None
    character: str = ""
    standing: bool = False


@dataclass(frozen=True, kw_only=True)
class HandGoal:
    """Bring a hand to a place, and perhaps turn it.

    Attributes:
        hand: ``"left"`` or ``"right"``.
        position: (x, y, z) [m].
        time_s: When, in the motion's time [s].
        rotation: wxyz of the hand joint in the world; ``None`` for any.
        point: What is to be there, in the hand joint's frame [m]; the joint itself unless given.
        character: Whose goal; empty for the only character.
    """

    hand: Literal["left", "right"]
    position: tuple[float, float, float]
    time_s: float
    rotation: tuple[float, float, float, float] | None = None
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    character: str = ""


@dataclass(frozen=True, kw_only=True)
class HingeGoal:
    """Turn a hinged object to an angle, or at least that far.

    Attributes:
        object: The hinged object.
        angle_rad: Its angle [rad].
        least: Whether farther will do.
        time_s: When, in the scene's time [s]; ``None`` for the end of the performance.
        character: Who was to turn it.
    """

    object: str
    angle_rad: float
    least: bool = False
    time_s: float | None = None
    character: str = ""


Goal: TypeAlias = FloorGoal | HandGoal | HingeGoal


@dataclass(frozen=True, kw_only=True)
class GoalError:
    """How far off one goal is.

    Attributes:
        goal: The goal.
        position_m: Distance from where it should be [m].
        angle_rad: Angle from how it should be turned [rad]; ``None`` when any will do.
        time_s: When it was looked at [s].
    """

    goal: Goal
    position_m: float
    angle_rad: float | None
    time_s: float

    @property
    def kind(self) -> str:
        """What kind of goal it is: ``"floor"``, ``"hand"`` or ``"hinge"``."""
        return type(self.goal).__name__.removesuffix("Goal").lower()


def hinge_error(scene: Scene | None, goal: HingeGoal) -> GoalError:
    """Measure how far a hinge is from where it should be.

    Raises:
        OptionError: There is no such hinge.
    """
    hinge = None if scene is None else next((one.placement for one in scene.objects if one.name == goal.object), None)
    if scene is None or not isinstance(hinge, Hinge):
        raise OptionError(f'a goal turns "{goal.object}", which has no hinge in the scene')
    time_s = scene.duration_s if goal.time_s is None else goal.time_s
    missing = goal.angle_rad - float(hinge.angles([time_s])[0])
    off = max(0.0, missing * float(np.sign(goal.angle_rad))) if goal.least else abs(missing)
    return GoalError(goal=goal, position_m=0.0, angle_rad=off, time_s=time_s)


def goal_error(motion: Motion, goal: FloorGoal | HandGoal) -> GoalError:
    """Measure one goal.

    Raises:
        OptionError: The goal's time lies outside the motion.
    """
    time_s = motion.duration_s if goal.time_s is None else goal.time_s
    if not -1e-6 <= time_s <= motion.duration_s + 1e-6:
        raise OptionError(f"goal at {time_s:g} s: the motion lasts from 0 to {motion.duration_s:g} s")
    positions, world = joint_frames(motion, np.array([time_s]))
    if isinstance(goal, FloorGoal):
        there = _stand(motion, positions[0], world[0]) if goal.standing else positions[0, 0][[0, 2]]
        away = float(np.hypot(*(there - np.array(goal.position))))
        angle = None
        if goal.heading_rad is not None:
            angle = abs(_wrapped(heading_rad(motion, world[0]) - goal.heading_rad))
        return GoalError(goal=goal, position_m=away, angle_rad=angle, time_s=time_s)
    joint = motion.skeleton.index(f"{goal.hand}Hand")
    reached = positions[0, joint] + world[0, joint] @ np.array(goal.point)
    off = float(np.linalg.norm(reached - np.array(goal.position)))
    turned = None if goal.rotation is None else _angle(world[0, joint], matrices(np.array(goal.rotation)))
    return GoalError(goal=goal, position_m=off, angle_rad=turned, time_s=time_s)


def _stand(motion: Motion, positions: FloatArray, world: FloatArray) -> FloatArray:
    """``(2,)`` where a standing person presses on the floor [m], for joints ``(joints, 3)`` and their matrices."""
    motion.skeleton.require_humanoid()
    roles = motion.skeleton.humanoid
    ankles = positions[[roles["leftFoot"], roles["rightFoot"]]][:, [0, 2]].mean(axis=0)
    facing = heading_rad(motion, world)
    ahead = np.array([np.sin(facing), np.cos(facing)])
    return np.asarray(ankles + _PRESSED_AHEAD * motion.skeleton.leg_length_m() * ahead)


def heading_rad(motion: Motion, world: FloatArray) -> float:
    """Where the hips face [rad] for joint matrices ``(joints, 3, 3)``: 0 is +Z, a quarter turn +X."""
    skeleton = motion.skeleton
    hips = skeleton.humanoid.get("hips", 0)
    reference = t_pose_world(skeleton)[1] if skeleton.is_humanoid else skeleton.rest_rotations
    ahead = world[hips] @ matrices(np.asarray(reference[hips])).T @ np.array([0.0, 0.0, 1.0])
    return float(np.arctan2(ahead[0], ahead[2]))


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)


def _angle(first: FloatArray, second: FloatArray) -> float:
    turn = first.T @ second
    sine = np.linalg.norm([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return float(np.arctan2(0.5 * sine, 0.5 * (np.trace(turn) - 1.0)))


@dataclass(frozen=True, kw_only=True)
class Route:
    """Length of a walk against the shortest one.

    Attributes:
        length_m: How far the root travels over the floor, without its sway from step to step [m].
        shortest_m: The shortest path with clearance [m].
        ratio: Their quotient.
    """

    length_m: float
    shortest_m: float
    ratio: float


def route(motion: Motion, *, shortest_m: float) -> Route:
    """Measure how far a motion travels.

    Args:
        motion: The walk; its root's way is low-passed at 1 Hz, because hips sway with every step.
        shortest_m: Length of the shortest path with clearance between its ends [m].
    """
    if not (np.isfinite(shortest_m) and shortest_m > 0):
        raise OptionError(f"shortest_m is {shortest_m}; it must be a positive length")
    floor = low_passed(motion.root_positions[:, [0, 2]], motion.fps, cutoff_hz=1.0)
    length = float(np.linalg.norm(np.diff(floor, axis=0), axis=1).sum())
    return Route(length_m=length, shortest_m=shortest_m, ratio=length / shortest_m)
