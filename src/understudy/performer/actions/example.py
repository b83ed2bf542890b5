"""An example of an action: a motion, its target and the times of its events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.typing import BoolArray, FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Event:
    """A moment the motion was made for, on a frame.

    Attributes:
        name: Such as ``"reach"``, ``"release"`` or ``"catch"``.
        time_s: When [s].
        joint: Role of the joint that carries the point.
        point: ``(3,)`` the point in that joint's frame [m].
        position: ``(3,)`` where it is then, in the world [m].
        velocity: ``(3,)`` how fast it moves then [m/s]; ``None`` when nothing depends on it.
        thing: Number of the ball; 0 when there is one or none.
    """

    name: str
    time_s: float
    joint: str
    point: FloatArray
    position: FloatArray
    velocity: FloatArray | None = None
    thing: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Example:
    """One motion of an action set, with its ground truth.

    Attributes:
        action: Name of the set.
        motion: The motion; it starts and ends standing at ease.
        target: ``(3,)`` what it was aimed at [m].
        events: Moments in order of time.
        left_contact: ``(frames,)`` whether the left foot stands.
        right_contact: ``(frames,)`` the right one.
        balanced: ``(frames,)`` whether the centre of mass is kept above the feet; false while fast.
    """

    action: str
    motion: Motion
    target: FloatArray
    events: Sequence[Event] = ()
    left_contact: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    right_contact: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    balanced: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=bool))

    def event(self, name: str) -> Event:
        """The first event of that name."""
        return next(event for event in self.events if event.name == name)


def in_joint(skeleton: Skeleton, role: str, vector: FloatArray) -> FloatArray:
    """A vector in the body axes of the T-pose, written in a joint's frame."""
    return rot.rotate(rot.conjugate(t_pose_world(skeleton)[1][skeleton.humanoid[role]]), vector)
