"""Characters on the stage: who moves, from where, when, and with what in hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.planar import PlanarTransform
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.errors import SceneError
from understudy.scene.attachments import Carry
from understudy.scene.body_parts import joint_index, part_name
from understudy.scene.objects import checked_name
from understudy.scene.performed import Performed
from understudy.scene.transforms import finite
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class Character:
    """A person in the scene, with a motion or still without one.

    A character without motion and without library is the built-in performer's.

    Attributes:
        name: Unique among objects and characters, without dots.
        motion: Its motion; ``None`` until a planner has made one.
        motion_file: The file that motion came from; saved in scene files.
        performed: The performer's clip it came from instead.
        library: The motion library planners use for it.
        start: Floor point (x, z) [m] where the root begins; ``None`` leaves a motion where it was recorded.
        heading_rad: Where it faces at first, 0 is +Z and a quarter turn +X; ``None`` leaves a motion as recorded.
        start_s: When the motion begins in the scene's time [s]; before that and after its end it stands still.
        carry: What it holds from the start.
        body: Its capsules, masses and limits; fitted to the motion's skeleton unless given.
    """

    name: str
    motion: Motion | None = field(default=None, compare=False)
    motion_file: str = ""
    performed: Performed | None = None
    library: str = ""
    start: tuple[float, float] | None = None
    heading_rad: float | None = None
    start_s: float = 0.0
    carry: tuple[Carry, ...] = ()
    body: Body | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check the values."""
        checked_name(self.name, "character")
        what = f'character "{self.name}"'
        object.__setattr__(self, "carry", tuple(self.carry))
        object.__setattr__(self, "start_s", finite(self.start_s, f"{what}: start time"))
        if self.start is not None:
            if len(self.start) != 2:
                raise SceneError(f"{what}: start is {self.start!r}; it needs two numbers (x, z)")
            x, z = (finite(value, f"{what}: start") for value in self.start)
            object.__setattr__(self, "start", (x, z))
        if self.heading_rad is not None:
            object.__setattr__(self, "heading_rad", finite(self.heading_rad, f"{what}: heading"))
        if self.library and (self.motion is not None or self.motion_file):
            raise SceneError(f"{what}: has a library and a motion; give one of them")
        if self.body is not None and self.motion is not None and self.body.skeleton is not self.motion.skeleton:
            raise SceneError(f"{what}: the body's skeleton is not the motion's")

    def performing(self, motion: Motion, *, start_s: float = 0.0) -> Character:
        """The same character doing a motion that already stands where it belongs in the world."""
        body = self.body if self.body is not None and self.body.skeleton is motion.skeleton else None
        return replace(
            self,
            motion=motion,
            motion_file="",
            performed=None,
            library="",
            start=None,
            heading_rad=None,
            start_s=start_s,
            body=body,
        )

    @cached_property
    def world_motion(self) -> Motion:
        """The motion where it happens: its first root position over ``start``, facing ``heading_rad``.

        Raises:
            SceneError: The character has no motion yet.
        """
        if self.motion is None:
            raise SceneError(f'character "{self.name}" has no motion yet')
        if self.start is None and self.heading_rad is None:
            return self.motion
        root = self.motion.root_positions[0]
        recorded = _facing_rad(self.motion.skeleton, self.motion.rotations[0, 0])
        turn = 0.0 if self.heading_rad is None else self.heading_rad - recorded
        x, z = PlanarTransform(yaw_rad=turn).floor_points(root[[0, 2]])
        to_x, to_z = (root[0], root[2]) if self.start is None else self.start
        return self.motion.placed(PlanarTransform(x_m=float(to_x - x), z_m=float(to_z - z), yaw_rad=turn))

    @cached_property
    def fitted_body(self) -> Body:
        """The body given, or one fitted to the motion's skeleton.

        Raises:
            SceneError: There is neither a body nor a motion.
        """
        if self.body is not None:
            return self.body
        return _fitted(self.world_motion.skeleton)

    @property
    def end_s(self) -> float:
        """When its motion ends in the scene's time [s]; its start without a motion."""
        return self.start_s + (0.0 if self.motion is None else self.motion.duration_s)

    def joints(self, times_s: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """World positions ``(n, joints, 3)`` and rotations ``(n, joints, 4)`` at times ``(n,)`` of the scene."""
        motion = self.world_motion
        return _placed(motion.skeleton, _generations(motion.skeleton), *self._sampled(times_s))

    def joint(self, part: str, times_s: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """World positions ``(n, 3)`` and rotations ``(n, 4)`` of one joint at times ``(n,)`` of the scene."""
        skeleton = self.world_motion.skeleton
        index = joint_index(skeleton, part)
        chain = [np.array([joint]) for joint in skeleton.chain(0, index)[1:]]
        positions, rotations = _placed(skeleton, chain, *self._sampled(times_s))
        return positions[:, index], rotations[:, index]

    def facing_rad(self, time_s: float) -> float:
        """Where it faces at a time of the scene [rad]: 0 is +Z, a quarter turn +X."""
        _, rotations = self._sampled(time_s)
        return _facing_rad(self.world_motion.skeleton, rotations[0, 0])

    def palm(self, part: str) -> FloatArray:
        """The middle of a hand ``(3,)`` [m] in its joint's frame; the joint itself where no capsule sits on it."""
        body = self.fitted_body
        on_joint = np.flatnonzero(body.capsule_joints == joint_index(body.skeleton, part))
        if len(on_joint) == 0:
            return np.zeros(3)
        return np.asarray(0.5 * (body.capsule_starts[on_joint[0]] + body.capsule_ends[on_joint[0]]))

    def parts_on(self, part: str) -> tuple[str, ...]:
        """The capsules a joint moves: those on it, or on the nearest joint above that has any."""
        if self.motion is None:
            return (part_name(part),)
        body = self.fitted_body
        joint = joint_index(body.skeleton, part)
        while joint >= 0:
            on_joint = np.flatnonzero(body.capsule_joints == joint)
            if len(on_joint):
                return tuple(body.capsule_names[capsule] for capsule in on_joint)
            joint = int(body.skeleton.parents[joint])
        return (part_name(part),)

    def _sampled(self, times_s: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        motion = self.world_motion
        times = np.atleast_1d(np.asarray(times_s, dtype=np.float64))
        return motion.sample(np.clip(times - self.start_s, 0.0, motion.duration_s))


@lru_cache(maxsize=32)
def _fitted(skeleton: Skeleton) -> Body:
    """A skeleton's body, fitted once."""
    return fit_body(skeleton)


def _facing_rad(skeleton: Skeleton, root_rotation: FloatArray) -> float:
    """The heading of a root rotation [rad]; a skeleton that is not humanoid faces +Z in its rest pose."""
    reference = t_pose_world(skeleton)[1][0] if skeleton.is_humanoid else skeleton.rest_rotations[0]
    return float(rot.yaw(rot.multiply(root_rotation, rot.conjugate(reference))))


@lru_cache(maxsize=64)
def _generations(skeleton: Skeleton) -> tuple[IntArray, ...]:
    """Joints by their distance from the root, so that all of one generation are placed at once."""
    depth = np.zeros(len(skeleton), dtype=np.int64)
    for joint in range(1, len(skeleton)):
        depth[joint] = depth[skeleton.parents[joint]] + 1
    return tuple(np.flatnonzero(depth == level) for level in range(1, int(depth.max()) + 1))


def _placed(
    skeleton: Skeleton, generations: Iterable[IntArray], roots: FloatArray, local: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Forward kinematics of the given joints, parents before children, over all times at once."""
    positions = np.zeros((*local.shape[:-1], 3))
    rotations = local.copy()
    positions[:, 0] = roots
    for joints in generations:
        above = skeleton.parents[joints]
        turned = rot.rotate(rotations[:, above], skeleton.offsets[joints])
        positions[:, joints] = positions[:, above] + turned
        rotations[:, joints] = rot.multiply(rotations[:, above], local[:, joints])
    return positions, rotations
