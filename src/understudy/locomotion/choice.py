"""Which clips a walk may be made of: by label, by style, by speed; and what it may end with."""

from __future__ import annotations

from fnmatch import fnmatchcase

import numpy as np

from understudy.core.pose import Pose
from understudy.errors import OptionError, PlanningInputError, nearest_name
from understudy.kinematics import pose_world
from understudy.library.planar_arrays import floor_points
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.query import Spot
from understudy.locomotion.walker import Walker
from understudy.typing import BoolArray

#: [m] a pose whose joints are farther than this from every frame of the library (root mean square) is not its own.
FAR_POSE_M = 0.3


def chosen(walker: Walker, options: WalkOptions) -> Walker:
    """The walker who takes only the clips that the options allow.

    Raises:
        OptionError: An unknown label or style, or no clip is left.
    """
    library = walker.library
    allowed = np.ones(len(library), dtype=bool)
    if options.labels:
        for label in options.labels:
            if label not in library.labels:
                raise OptionError(f'the library has no clips labelled "{label}"; {nearest_name(label, library.labels)}')
        wanted = [library.labels.index(label) for label in options.labels]
        allowed &= np.isin(library.graph.labels, wanted)
    if options.style:
        names = [library.take(node).name for node in range(len(library))]
        fits = np.array([fnmatchcase(name.lower(), options.style.lower()) for name in names])
        if not fits.any():
            raise OptionError(
                f'no take of the library is called "{options.style}"; {nearest_name(options.style, names)}'
            )
        allowed &= fits
    if options.speed_mps is not None:
        low, high = options.speed_mps
        speeds = walker.lengths_m / library.lengths()
        if not ((speeds >= low) & (speeds <= high)).any():
            raise OptionError(
                f"no clip is {low:g}..{high:g} m/s fast; the library's are {speeds.min():.2f}..{speeds.max():.2f} m/s"
            )
        allowed &= (speeds >= low) & (speeds <= high)
    if not allowed.any():
        raise OptionError("no clip has the label, style and speed asked for at once")
    if options.labels or options.speed_mps is not None:
        # Nobody gets from standing to walking and back but by clips that begin or end standing.
        allowed |= walker.still.any(axis=1)
    return walker.among(allowed)


def finals_of(walker: Walker, options: WalkOptions) -> BoolArray:
    """``(nodes,)`` clips the walk may end with; empty for any.

    Raises:
        PlanningInputError: It should stop, and the library has no clip that does.
    """
    if not options.stop:
        return np.zeros(0, dtype=bool)
    stops = walker.still[:, 1] & ~walker.still[:, 0]
    if not stops.any():
        stops = walker.still[:, 1]
    if not stops.any():
        raise PlanningInputError(
            "the library has no clip that ends standing still; add takes in which somebody stops and starts to walk"
        )
    return np.ascontiguousarray(stops)


def spot_of_pose(walker: Walker, pose: Pose) -> Spot:
    """Where a pose stands and faces, as the frame of a clip that is most like it.

    The walk begins with the library's frame, not with the pose itself; frames are compared by where joints are, seen
    from the root.

    Raises:
        PlanningInputError: The pose is on other joints, or unlike every frame.
    """
    library = walker.library
    if not pose.skeleton.same_joints(library.skeleton):
        raise PlanningInputError("the start pose is on other joints than the library's; retarget it first")
    graph, footage = library.graph, library.footage
    inside = np.zeros(len(footage), dtype=np.int64) - 1
    for node in range(graph.nodes):
        inside[graph.first[node] : graph.last[node]] = node
    frames = np.flatnonzero(inside >= 0)
    joints = list(library.skeleton.humanoid.values())
    world = pose_world(pose)
    own, facing = _seen(world.positions[None][:, joints], _facing(walker, world.positions[None]))
    theirs, _ = _seen(footage.world.positions[frames][:, joints], _facing(walker, footage.world.positions[frames]))
    gaps = np.sqrt(((theirs - own) ** 2).sum(axis=-1).mean(axis=1))
    best = int(gaps.argmin())
    if gaps[best] > FAR_POSE_M:
        raise PlanningInputError(
            f"no frame of the library is like the start pose: joints of the nearest are {gaps[best]:.2f} m off"
        )
    node = int(inside[frames[best]])
    return Spot(
        position=(float(pose.root_position[0]), float(pose.root_position[2])),
        heading_rad=float(facing[0]),
        clip=node,
        frame=int(frames[best] - graph.first[node]),
    )


def _facing(walker: Walker, positions: np.ndarray) -> np.ndarray:
    """``(n,)`` where the hips face [rad], from joints' world positions ``(n, joints, 3)``."""
    roles = walker.library.skeleton.humanoid
    at = floor_points(positions)
    return np.angle(-1j * (at[:, roles["leftUpperLeg"]] - at[:, roles["rightUpperLeg"]]))


def _seen(positions: np.ndarray, facing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Joints ``(n, joints, 3)`` seen from the first one on the floor, facing +Z; and the headings."""
    at = floor_points(positions)
    turned = (at - at[:, :1]) * np.exp(-1j * facing)[:, None]
    return np.stack([turned.imag, positions[..., 1], turned.real], axis=-1), facing
