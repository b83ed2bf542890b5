"""Solving a posture's recipe on a person: angles as a seed, contacts and clearance by least squares.

Rounds of ``kinematics.solve_tasks``: each round takes the pairs that are near as tasks that push them apart, and all
joints stay near the recipe's angles as far as the rest allows. Limits are respected by the solver itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.humanoid import mirrored_role
from understudy.core.pose import Pose
from understudy.core.reference_pose import local_rotations, t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.kinematics import FreeJoints, GazeTask, LeastSquaresOptions, StayTask, Task, pose_world, solve_tasks
from understudy.performer.posture_tasks import Balance, KeepApart, Meet, Touch, self_gaps, strict_pairs
from understudy.typing import FloatArray

#: [m] clearance a solved posture is pushed to; the library promises 2 mm.
CLEARANCE_M = 0.005
_NEAR_M = 0.03
_ROUNDS = 10
#: [rad] solved joints stay this far inside their limits.
_INSIDE_RAD = 0.01
_STAY, _STAY_TRUNK, _CONTACT, _APART, _FLAT = 0.05, 0.10, 3.0, 40.0, 2.0
#: Share of their first weight that the recipe's angles keep.
_LEAST_EASE = 0.3
#: [m] straight up, for all purposes.
_FAR_M = 1e5


@dataclass(frozen=True, kw_only=True)
class Contact:
    """Two parts at a distance; ``gap_m`` [m] between the surfaces."""

    part: str
    other: str
    gap_m: float = CLEARANCE_M + 0.001


@dataclass(frozen=True, kw_only=True)
class Placement:
    """A point of one part at a place beside another part's joint.

    Attributes:
        part: Capsule whose axis holds the point.
        share: Where on the axis, 0 start, 1 end.
        of: Role of the joint the place is given at.
        at: Place in the joint's anatomical axes over the stature.
        weight: How much it counts against the others.
    """

    part: str
    share: float
    of: str
    at: tuple[float, float, float]
    weight: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a posture is authored.

    Attributes:
        name: Its name.
        about: One line for people.
        turn_deg: Yaw, pitch and roll of the pelvis [deg].
        angles_deg: Role -> turns about the joint's swing, third and twist axis [deg] (``core.limits``).
        contacts: Parts that touch.
        placements: Parts at places.
        flat: Sides whose soles lie level.
        balance: Joints above whose mean place the centre of mass lies.
        base: Posture whose solution this one starts from; ``""`` for the T-pose.
        free: Limbs that solving may change; all when empty.
    """

    name: str
    about: str = ""
    turn_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    angles_deg: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    contacts: Sequence[Contact] = ()
    placements: Sequence[Placement] = ()
    flat: Sequence[str] = ()
    balance: Sequence[str] = ()
    base: str = ""
    free: Sequence[str] = ()


def read_recipe(name: str, table: Mapping[str, Any]) -> Recipe:
    """A recipe from its table; a role without a side means both sides."""
    angles: dict[str, tuple[float, float, float]] = {}
    for role, values in table.get("angles_deg", {}).items():
        names = (role,) if role[0].islower() else (f"left{role}", f"right{role}")
        angles |= {one: (float(values[0]), float(values[1]), float(values[2])) for one in names}
    turn = table.get("turn_deg", (0.0, 0.0, 0.0))
    return Recipe(
        name=name,
        about=table.get("about", ""),
        turn_deg=(float(turn[0]), float(turn[1]), float(turn[2])),
        angles_deg=angles,
        contacts=tuple(Contact(**row) for row in table.get("contacts", ())),
        placements=tuple(Placement(**row) for row in table.get("placements", ())),
        flat=tuple(table.get("flat", ())),
        balance=tuple(table.get("balance", ())),
        base=table.get("from", ""),
        free=tuple(table.get("free", ())),
    )


def seed_pose(recipe: Recipe, body: Body, base: Pose | None) -> Pose:
    """The recipe's angles on top of ``base``, without contacts, clearance or floor."""
    skeleton = body.skeleton
    coordinates = np.zeros((len(skeleton), 3)) if base is None else body.limits.coordinates(base.rotations)
    for role, values in recipe.angles_deg.items():
        if role in skeleton.humanoid:
            coordinates[skeleton.humanoid[role]] = np.radians(values)
    rotations = body.limits.rotations(coordinates)
    anatomical = rot.identity((len(skeleton),))
    anatomical[0] = rot.from_euler(np.radians(recipe.turn_deg), "YXZ")
    rotations[0] = local_rotations(skeleton, anatomical)[0]
    return Pose(skeleton=skeleton, root_position=np.zeros(3), rotations=rotations)


def solve_recipe(
    recipe: Recipe, skeleton: Skeleton, *, base: Pose | None = None, start: Pose | None = None
) -> tuple[Pose, float]:
    """Solve a recipe on a skeleton.

    Args:
        recipe: What is wanted.
        skeleton: Whose posture.
        base: Solution of the posture this one starts from.
        start: A pose to start from and to stay near; by default the recipe's own angles.

    Returns:
        The pose, standing or lying on the floor, and its least signed distance between parts [m].
    """
    body = fit_body(skeleton)
    tight = _inner(body)
    pose = start or seed_pose(recipe, tight, base)
    wanted = pose.rotations
    pairs = strict_pairs(body)
    free = _free_joints(recipe, body)
    fixed = _fixed_tasks(recipe, body)
    options = LeastSquaresOptions(max_iterations=12, max_turn_rad=0.2)
    for n in range(_ROUNDS):
        gaps = self_gaps(body, pairs, pose_world(pose))
        near = [
            KeepApart(body=body, pair=(int(i), int(j)), gap_m=CLEARANCE_M, weight=_APART)
            for (i, j), gap in zip(pairs, gaps, strict=True)
            if gap < _NEAR_M
        ]
        # Later rounds let go of the recipe's angles, so that clearance and contact win.
        ease = max(0.8**n, _LEAST_EASE)
        weights = ease * np.array([_stay(skeleton, j) for j in free.joints])
        stay = StayTask(joints=free.joints, targets=wanted[list(free.joints)], weights=weights)
        tasks: list[Task] = [stay, *fixed, *near]
        pose = solve_tasks(pose, tasks, free=free, limit=tight.limits.clamped, options=options).pose
    return grounded(pose, body), float(self_gaps(body, pairs, pose_world(pose)).min())


def grounded(pose: Pose, body: Body) -> Pose:
    """The pose with its lowest capsule on the floor, the pelvis above the origin."""
    world = pose_world(pose)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    lowest = float((np.minimum(starts[:, 1], ends[:, 1]) - body.capsule_radii).min())
    return replace(pose, root_position=pose.root_position - np.array([0.0, lowest, 0.0]))


def _free_joints(recipe: Recipe, body: Body) -> FreeJoints:
    joints = [joint for limb in recipe.free for joint in body.limb(limb)] or range(1, len(body.skeleton))
    return FreeJoints(skeleton=body.skeleton, joints=tuple(joints))


def _stay(skeleton: Skeleton, joint: int) -> float:
    role = skeleton.roles.get(joint, "")
    return _STAY_TRUNK if mirrored_role(role) == role else _STAY


def _inner(body: Body) -> Body:
    """The same body with limits a little narrower."""
    limits = body.limits
    room = 0.5 * (limits.high - limits.low)
    inside = np.minimum(_INSIDE_RAD, room)
    return replace(body, limits=replace(limits, low=limits.low + inside, high=limits.high - inside))


def _fixed_tasks(recipe: Recipe, body: Body) -> list[Task]:
    tasks: list[Task] = []
    for contact in recipe.contacts:
        pair = (body.capsule(contact.part), body.capsule(contact.other))
        tasks.append(Touch(body=body, pair=pair, gap_m=contact.gap_m, weight=_CONTACT))
    for place in recipe.placements:
        part = body.capsule(place.part)
        point = body.capsule_starts[part] + place.share * (body.capsule_ends[part] - body.capsule_starts[part])
        joint = body.skeleton.index(place.of)
        offset = _in_joint(body.skeleton, joint, body.stature_m * np.asarray(place.at))
        joints = (int(body.capsule_joints[part]), joint)
        tasks.append(Meet(joints=joints, points=np.stack([point, offset]), weight=_CONTACT * place.weight))
    for side in recipe.flat:
        joint = body.skeleton.index(f"{side}Foot")
        axis = _in_joint(body.skeleton, joint, np.array([0.0, 1.0, 0.0]))
        tasks.append(GazeTask(joint=joint, axis=axis, target=np.array([0.0, _FAR_M, 0.0]), weight=_FLAT))
    if recipe.balance:
        feet = tuple(body.skeleton.index(role) for role in recipe.balance)
        tasks.append(Balance(body=body, joints=feet, weight=_CONTACT))
    return tasks


def _in_joint(skeleton: Skeleton, joint: int, vector: FloatArray) -> FloatArray:
    return rot.rotate(rot.conjugate(t_pose_world(skeleton)[1][joint]), vector)
