"""Key postures, scene and pins as one problem in coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.collision import Obstacle, World, world_of
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.errors import PlanningInputError, SkeletonError
from understudy.kinematics import centre_of_mass, forward
from understudy.postures.bearing import NEAR_M, SIDES, Bearing, bearing_of
from understudy.postures.grounding import soles_of, sunk_depth
from understudy.postures.pins import KEY_M, KEY_RAD, Pin, pin_arrays, with_lines
from understudy.postures.space import PostureSpace
from understudy.postures.stage import Stage
from understudy.postures.tables import CENTRE, PIN_FIRST, PIN_JOINT, PIN_LAST, PIN_TURNED, PinArrays
from understudy.postures.trunk import trunk_of
from understudy.postures.world import kept, no_gaps, solids_of
from understudy.scene.contacts import FLOOR
from understudy.scene.scene import Scene
from understudy.typing import BoolArray, FloatArray

#: [m] a floor that is planned against lies this much lower, so that what rests on it does not touch it.
_FLOOR_SLACK_M = 0.0008
#: [m] parts nearer the floor in a key posture rest on it.
_NEAR_FLOOR_M = 0.01
#: The floor that soles meet.
SOLE_FLOOR = "floor under soles"
#: [m] gap kept from solids, where the postures keep it too.
SOLID_GAP_M = 0.012
#: [m] postures whose lowest points are deeper below y = 0 have no floor there.
_BURIED_M = 0.1


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """What is to be planned.

    Attributes:
        body: Who moves.
        poses: The key postures as given.
        stage: Coordinates, solids, pins; gaps are zero, or minus infinity where a pair may touch.
        keys: ``(keys, size)`` coordinates of the postures.
        solids: Names of the stage's solids.
        has_floor: Whether there is a floor at ``y = 0``.
        pins: What is held.
        balanced: Whether the centre of mass stays above the line between those of two postures.
    """

    body: Body
    poses: tuple[Pose, ...]
    stage: Stage
    keys: FloatArray
    solids: tuple[str, ...]
    has_floor: bool
    pins: tuple[Pin, ...] = ()
    balanced: bool = False

    @property
    def things(self) -> bool:
        """Whether anything but the floor stands around."""
        return any(name not in (FLOOR, SOLE_FLOOR) for name in self.solids)

    def bearing(self, pose: Pose) -> Bearing:
        """What bears a posture, seats among it."""
        bearing = bearing_of(self.body, pose)
        return replace(bearing, kind="seat") if self._seated(pose) else bearing

    def _seated(self, pose: Pose) -> bool:
        """Whether the pelvis or a thigh of a posture is on a thing."""
        gaps = self.stage.gaps(self.stage.space.coordinates(pose))[len(self.stage.arrays.pairs) :]
        rows = gaps.reshape(len(self.solids), -1) if self.solids else np.zeros((0, len(self.body.capsule_names)))
        things = [name not in (FLOOR, SOLE_FLOOR) for name in self.solids]
        sits = np.isin(self.body.capsule_names, ("pelvis", "left_thigh", "right_thigh"))
        return bool((rows[things][:, sits] < NEAR_M).any())

    def between(self, a: FloatArray, b: FloatArray, own_m: float, share: float) -> Stage:
        """The stage for the way between two postures: parts rest on the floor that are on it in one of them.

        What carries the body is convex, so it does not topple while its centre of mass is above the line between those
        of both postures. Feet that are one above the other are lifted straight.
        """
        stage = self.stage.keeping(self.keep([a, b], own_m, share))
        if self.balanced and stage.pins is not None:
            stage = replace(stage, pins=with_lines(stage.pins, self.body, *self._lines(a, b, stage.pins)))
        if stage.resting is None:
            return stage
        near = np.minimum(stage.gaps(a), stage.gaps(b)) < _NEAR_FLOOR_M
        return replace(stage, resting=stage.resting & near)

    def _lines(
        self, a: FloatArray, b: FloatArray, pins: PinArrays
    ) -> tuple[dict[int, FloatArray], dict[int, FloatArray]]:
        """What moves on a line between two postures ``(2, 3)`` [m]: the centre of mass, and feet that are lifted.

        Feet that both postures turn alike keep that turn ``(4,)``, so that their toes go straight up and down, too.
        """
        skeleton = self.body.skeleton
        world = forward(skeleton, *self.stage.space.poses(np.stack([a, b])))
        level = np.array([1.0, 0.0, 1.0])
        lines = {CENTRE: centre_of_mass(world, self.body.masses, self.body.coms) * level}
        turns = {}
        for joint in {skeleton.humanoid[f"{side}Foot"] for side in SIDES} - set(pins.indices[:, PIN_JOINT].tolist()):
            line, (one, two) = world.positions[:, joint], world.rotations[:, joint]
            if float(np.linalg.norm((line[1] - line[0]) * level)) < KEY_M:
                lines[joint] = line
                if float(rot.angle_between(one, two)) < KEY_RAD:
                    turns[joint] = one
        return lines, turns

    def keep(self, keys: Sequence[FloatArray], own_m: float, share: float) -> FloatArray:
        """Gaps to keep on the way between some postures [m]."""
        gaps = [self.stage.gaps(q) for q in keys]
        keep = kept(gaps, own_m, share, self.stage.keep)
        pairs = len(self.stage.space.arrays.pairs)
        keep[pairs:] = kept(gaps, max(own_m, SOLID_GAP_M), share, self.stage.keep)[pairs:]
        return keep


def problem_of(
    poses: Sequence[Pose],
    scene: Scene | None,
    pins: Sequence[Pin],
    body: Body,
    *,
    relax: bool = False,
    rolling: bool = False,
    rests: Sequence[str] = (),
) -> Problem:
    """Check key postures and put them into coordinates.

    With a floor and no pins the body's height follows its lowest point. With pins the root is free and the floor is a
    solid. Moving objects are taken where they begin. ``relax`` brings postures that are off their pins onto them.
    ``rests`` are parts that may be as deep in the floor as the postures have them, beside soles and shanks.
    A ``rolling`` body's height follows its trunk, and the floor is a solid for everything else.

    Raises:
        PlanningInputError: Fewer than two postures, or pins that contradict them.
        SkeletonError: Postures of different skeletons.
    """
    checked_poses(poses, body)
    held = pin_arrays(pins, poses, strict=not relax)
    probe = PostureSpace(body=body, reference=mean_turn(poses))
    lowest = probe.lowest(
        np.stack([pose.root_position for pose in poses]), np.stack([pose.rotations for pose in poses])
    )
    has_floor = scene.floor if scene is not None else bool(lowest.min() > -_BURIED_M)
    obstacles = [] if scene is None else [one for one in world_of(scene).obstacles if one.name != FLOOR]
    grounded, sunk = has_floor and held is None, soles_of(body, rests=rests)
    things = len(obstacles) > 0
    if has_floor and (held is not None or rolling):
        obstacles += floors(sunk_depth(body, poses, sunk))
    world = World(obstacles)
    space = replace(probe, grounded=grounded, root_moves=held is not None or things, on_trunk=grounded and rolling)
    keys = unwrapped(np.stack([space.coordinates(pose) for pose in poses]))
    solids = solids_of(world)
    stage = Stage(space=space, keep=no_gaps(space.arrays, solids), solids=solids, pins=held)
    names = tuple(world.names)
    keys = np.stack([_on_pins(stage, q, n) for n, q in enumerate(keys)])
    stage = _on_floor(stage, keys, names, body, sunk)
    return Problem(
        body=body, poses=tuple(poses), stage=stage, keys=keys, solids=names, has_floor=has_floor, pins=tuple(pins)
    )


def _on_pins(stage: Stage, q: FloatArray, number: int) -> FloatArray:
    """A key posture brought onto its pins."""
    out, error = stage.held(q)
    if error > KEY_M:
        raise PlanningInputError(
            f"posture {number} cannot be brought onto all pins: {error:.3f} m (or rad) are left; pins contradict each "
            "other or lie out of reach"
        )
    return out


def checked_poses(poses: Sequence[Pose], body: Body) -> None:
    """Reject too few postures and postures of different skeletons."""
    if len(poses) < 2:
        raise PlanningInputError(f"give at least two postures; got {len(poses)}")
    for n, pose in enumerate(poses):
        other = pose.skeleton
        if not other.same_joints(body.skeleton):
            raise SkeletonError(
                f"posture {n} belongs to another skeleton ({len(other)} joints against {len(body.skeleton)}); "
                "retarget it first"
            )
        off = float(np.abs(other.offsets[1:] - body.skeleton.offsets[1:]).max())
        if off > 1e-3:
            raise SkeletonError(f"posture {n} has other proportions (bones differ by {off:.3f} m); retarget it first")


def mean_turn(poses: Sequence[Pose]) -> FloatArray:
    """A root rotation in the middle of all postures', so that rotation vectors away from it are short."""
    turns = np.stack([pose.rotations[0] for pose in poses])
    signs = np.where(turns @ turns[0] < 0.0, -1.0, 1.0)
    total = (signs[:, None] * turns).sum(axis=0)
    return rot.normalize(total if np.linalg.norm(total) > 1e-3 else turns[0])


def unwrapped(keys: FloatArray) -> FloatArray:
    """Keys whose root rotation vectors follow each other the short way round."""
    out = keys.copy()
    for n in range(1, len(out)):
        vector = out[n, 3:6]
        size = float(np.linalg.norm(vector))
        if size > 1e-9:
            other = vector * (1.0 - 2.0 * np.pi / size)
            if np.linalg.norm(other - out[n - 1, 3:6]) < np.linalg.norm(vector - out[n - 1, 3:6]) - 1e-9:
                out[n, 3:6] = other
    return out


def floors(sunk_m: float) -> list[Obstacle]:
    """The floor to plan against, and one for soles, which may be as deep in it as the key postures have them [m]."""
    from understudy.scene.shapes import HalfSpace

    return [
        Obstacle(name=name, shape=HalfSpace(), position=(0.0, -_FLOOR_SLACK_M - depth, 0.0))
        for name, depth in ((FLOOR, 0.0), (SOLE_FLOOR, sunk_m))
    ]


def _on_floor(stage: Stage, keys: FloatArray, solids: Sequence[str], body: Body, sunk: BoolArray) -> Stage:
    """The stage in which parts may rest on the floor, and on things that they touch in a key posture.

    Soles, and what else is ``sunk``, meet a floor of their own. Parts of a joint that is pinned with its turn do not
    move at all, and a trunk that rolls is on the floor. For other parts near the floor, postures are looked at instead
    of bounds on moves.
    """
    keep = stage.keep.copy()
    gaps = np.min([stage.gaps(q) for q in keys], axis=0)
    resting = (gaps < _NEAR_FLOOR_M) & (np.arange(len(gaps)) >= len(stage.arrays.pairs))
    if not resting.any() and FLOOR not in solids:
        return stage
    fixed = np.isin(body.capsule_joints, [] if stage.pins is None else _fixed_joints(stage.pins))
    if stage.space.on_trunk:
        fixed |= trunk_of(body)
    for name, others in ((FLOOR, sunk), (SOLE_FLOOR, ~sunk)) if FLOOR in solids else ():
        first = len(stage.arrays.pairs) + solids.index(name) * len(sunk)
        rows = slice(first, first + len(sunk))
        keep[rows] = np.where(fixed | others, -np.inf, keep[rows])
    return replace(stage, keep=keep, resting=resting)


def _fixed_joints(pins: PinArrays) -> list[int]:
    one_place = pins.indices[:, PIN_LAST] - pins.indices[:, PIN_FIRST] == 1
    joints = pins.indices[one_place & (pins.indices[:, PIN_TURNED] == 1), PIN_JOINT]
    return [int(joint) for joint in joints]
