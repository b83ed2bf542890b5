"""Characters and props over time, ready to be drawn at any moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.errors import MotionError
from understudy.formats.props import Prop
from understudy.pictures.drawing import CapsuleGroup, Drawing, PlacedProps, assembled
from understudy.pictures.palette import capsule_colors
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False)
class Actor:
    """A character to draw: a motion, its body, and one colour per capsule.

    Attributes:
        motion: How it moves.
        body: Its capsules, a face marker included.
        colors: ``(capsules, 3)`` linear.
    """

    motion: Motion
    body: Body
    colors: FloatArray

    def capsules(self, times_s: npt.ArrayLike) -> FloatArray:
        """``(times, capsules, 7)`` start, end, radius [m]; before its start and after its end it stands still."""
        from understudy.kinematics.forward import forward

        times = np.clip(np.atleast_1d(times_s), 0.0, self.motion.duration_s)
        world = forward(self.motion.skeleton, *self.motion.sample(times))
        starts, ends = self.body.capsule_segments(world.positions, world.rotations)
        radii = np.broadcast_to(self.body.capsule_radii[:, None], (*starts.shape[:2], 1))
        return np.concatenate([starts, ends, radii], axis=2)

    def root_path(self, times_s: npt.ArrayLike) -> FloatArray:
        """``(times, 3)`` world positions of the root [m]."""
        return self.motion.sample(np.clip(np.atleast_1d(times_s), 0.0, self.motion.duration_s))[0]

    def joint_paths(self, names: Sequence[str], times_s: npt.ArrayLike) -> FloatArray:
        """``(times, names, 3)`` world positions of joints given by role or name [m]."""
        from understudy.kinematics.forward import forward

        times = np.clip(np.atleast_1d(times_s), 0.0, self.motion.duration_s)
        world = forward(self.motion.skeleton, *self.motion.sample(times))
        return world.positions[:, [self.motion.skeleton.index(name) for name in names]]


@dataclass(frozen=True, eq=False)
class Stage:
    """Everything a picture may show.

    Attributes:
        actors: The characters, in the order of their colours.
        props: Meshes beside them.
    """

    actors: tuple[Actor, ...]
    props: tuple[Prop, ...] = ()

    @property
    def duration_s(self) -> float:
        """Time until the last character or prop has come to rest [s]."""
        ends = [actor.motion.duration_s for actor in self.actors]
        return float(max([*ends, *(prop.times_s[-1] for prop in self.props)]))

    def groups(self, time_s: float) -> list[CapsuleGroup]:
        """The characters at a time."""
        return [CapsuleGroup(actor.capsules(time_s)[0], actor.colors) for actor in self.actors]

    def drawing(self, time_s: float, *, more: Sequence[CapsuleGroup] = ()) -> Drawing:
        """Characters and props at a time, and whatever else is to be seen."""
        return assembled([*self.groups(time_s), *more], self.placed_props(time_s))

    @cached_property
    def _meshes(self) -> PlacedProps:
        """All props' meshes and trees, not placed yet."""
        from understudy.pictures._kernels import build_tree

        boxes, links, triangles, roots = [], [], [], []
        node_count = triangle_count = 0
        for prop in self.props:
            corners = np.ascontiguousarray(prop.vertices[prop.faces].reshape(-1, 9), dtype=np.float64)
            own_boxes, own_links, order = build_tree(corners)
            leaf = own_links[:, 1] < 0
            own_links[~leaf] += node_count
            own_links[leaf, 0] += triangle_count
            roots.append(node_count)
            boxes.append(own_boxes)
            links.append(own_links)
            triangles.append(corners[order])
            node_count += len(own_boxes)
            triangle_count += len(corners)
        return PlacedProps(
            triangles=np.concatenate(triangles),
            node_boxes=np.concatenate(boxes),
            node_links=np.concatenate(links),
            roots=np.array(roots, dtype=np.int64),
            poses=np.zeros((len(roots), 12)),
            spheres=np.zeros((len(roots), 4)),
            colors=np.array([prop.color for prop in self.props], dtype=np.float64),
        )

    def placed_props(self, time_s: float) -> PlacedProps:
        """The props where they are at a time."""
        if not self.props:
            return PlacedProps.none()
        meshes = self._meshes
        poses, spheres = np.empty((len(self.props), 12)), np.empty((len(self.props), 4))
        for k, prop in enumerate(self.props):
            positions, rotations = prop_track(prop, time_s)
            poses[k, :9], poses[k, 9:] = rot.to_matrix(rotations[0]).ravel(), positions[0]
            box = meshes.node_boxes[meshes.roots[k]]
            spheres[k, :3] = positions[0] + rot.rotate(rotations[0], 0.5 * (box[:3] + box[3:]))
            spheres[k, 3] = 0.5 * np.linalg.norm(box[3:] - box[:3]) + 1e-6
        return replace(meshes, poses=poses, spheres=spheres)


def staged(motions: Motion | Sequence[Motion], *, props: Sequence[Prop] = ()) -> Stage:
    """Put characters and props on a stage.

    Args:
        motions: One motion, or one per character.
        props: Meshes beside them.
    """
    listed = (motions,) if isinstance(motions, Motion) else tuple(motions)
    if not listed and not props:
        raise MotionError("there is nothing to show: give at least one motion or prop")
    return Stage(tuple(_actor(motion, n) for n, motion in enumerate(listed)), tuple(props))


def prop_track(prop: Prop, times_s: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Positions ``(times, 3)`` and rotations ``(times, 4)`` of a prop; outside its keys it stands still."""
    times = np.clip(np.atleast_1d(times_s), prop.times_s[0], prop.times_s[-1])
    after = np.clip(np.searchsorted(prop.times_s, times, side="right"), 1, max(len(prop.times_s) - 1, 1))
    after = np.minimum(after, len(prop.times_s) - 1)
    before = np.maximum(after - 1, 0)
    span = prop.times_s[after] - prop.times_s[before]
    share = np.where(span > 0, (times - prop.times_s[before]) / np.where(span > 0, span, 1.0), 0.0)[:, None]
    positions = prop.positions[before] + share * (prop.positions[after] - prop.positions[before])
    return positions, rot.slerp(prop.rotations[before], prop.rotations[after], share[:, 0])


def _actor(motion: Motion, character: int) -> Actor:
    body = _with_visor(fit_body(motion.skeleton))
    return Actor(motion, body, capsule_colors(body.capsule_names, character=character))


def _with_visor(body: Body) -> Body:
    """The body with a face marker, so that one sees where the head looks; bodies without a head stay as they are."""
    if not body.skeleton.is_humanoid or "head" not in body.capsule_names:
        return body
    head = body.capsule("head")
    joint = body.capsule_joints[head]
    _, turns = t_pose_world(body.skeleton)
    into = rot.conjugate(turns[joint])
    ahead, aside = rot.rotate(into, np.array([0.0, 0.0, 1.0])), rot.rotate(into, np.array([1.0, 0.0, 0.0]))
    radius = body.capsule_radii[head]
    middle = 0.45 * body.capsule_starts[head] + 0.55 * body.capsule_ends[head] + 0.70 * radius * ahead
    return replace(
        body,
        capsule_names=(*body.capsule_names, "visor"),
        capsule_joints=np.append(body.capsule_joints, joint),
        capsule_starts=np.vstack([body.capsule_starts, middle + 0.42 * radius * aside]),
        capsule_ends=np.vstack([body.capsule_ends, middle - 0.42 * radius * aside]),
        capsule_radii=np.append(body.capsule_radii, 0.38 * radius),
    )
