"""Fitting a body to a skeleton's proportions.

Segments are laid out in the T-pose, where "sideways", "up" and "ahead" mean something, and then written into the
frames of the joints that carry them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.anthropometry import BODY_MASS_INDEX, REFERENCE_STATURE_M, Segment, segments
from understudy.core.body import Body
from understudy.core.hinges import hinge_axes
from understudy.core.human_limits import human_limits
from understudy.core.humanoid import LIMB_ROLES
from understudy.core.limits import JointLimits
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.core.self_pairs import self_pairs
from understudy.core.skeleton import Skeleton
from understudy.typing import FloatArray

_UP, _AHEAD = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])

#: [m] a toe joint nearer to the ankle than this is not the ball of a foot, at the reference stature.
LEAST_AHEAD_M = 0.07
#: [kg/m^3] what a body of unknown kind is made of.
_DENSITY = 1000.0


@dataclass(frozen=True)
class _Part:
    """A capsule in the T-pose (or rest pose), before it is written into its joint's frame."""

    name: str
    joint: int
    start: FloatArray
    end: FloatArray
    radius: float
    mass: float
    com_share: float = 0.5
    gyration: float = 0.3


def fit_body(skeleton: Skeleton, *, clips: Iterable[Motion] = ()) -> Body:
    """A body whose capsules, masses and limits follow the skeleton's proportions.

    Args:
        skeleton: A humanoid gets a human body; anything else gets thin bones and no limits.
        clips: Motions of this skeleton to find its true elbow and knee hinges from.
    """
    seen = tuple(clips)
    return _fitted(skeleton, seen) if seen else _plain(skeleton)


@lru_cache(maxsize=64)
def _plain(skeleton: Skeleton) -> Body:
    """The body of a skeleton alone: asked for again and again."""
    return _fitted(skeleton, ())


def _fitted(skeleton: Skeleton, clips: tuple[Motion, ...]) -> Body:
    if skeleton.is_humanoid:
        parts, stature = _human_parts(skeleton)
        limits = human_limits(skeleton, hinges=hinge_axes(clips))
        positions, rotations = t_pose_world(skeleton)
    else:
        positions, rotations = skeleton.rest_world
        parts, stature = _bone_parts(skeleton, positions), skeleton.height_m
        limits = JointLimits.of(skeleton, {})
    masses, coms, inertias = _masses(skeleton, parts, positions, rotations)
    joints = np.array([part.joint for part in parts], dtype=np.int64)
    into = rot.conjugate(rotations[joints])
    starts, ends = np.array([part.start for part in parts]), np.array([part.end for part in parts])
    return Body(
        skeleton=skeleton,
        capsule_names=tuple(part.name for part in parts),
        capsule_joints=joints,
        capsule_starts=rot.rotate(into, starts - positions[joints]),
        capsule_ends=rot.rotate(into, ends - positions[joints]),
        capsule_radii=np.array([part.radius for part in parts]),
        self_pairs=self_pairs(
            skeleton,
            [part.name for part in parts],
            joints,
            starts,
            ends,
            np.array([part.radius for part in parts]),
        ),
        masses=masses,
        coms=coms,
        inertias=inertias,
        limits=limits,
        limbs=_limbs(skeleton),
        stature_m=stature,
    )


def stature_m(skeleton: Skeleton) -> float:
    """Standing height [m] of the person a humanoid skeleton was measured from.

    Legs are 0.491 of stature from hip to ankle, and the head joint lies at 0.87 (Winter). The larger of both answers
    counts, because converted skeletons lose bones (the common CMU BVH files lack one of the trunk's) but never gain
    any. The extent of the rest pose says too little: legs may be splayed, and end points lie inside the head.
    """
    positions, _ = t_pose_world(skeleton)
    at = {role: positions[joint] for role, joint in skeleton.humanoid.items()}
    ball_height_m, ankle_height_m = 0.025, 0.07
    soles = [
        at[f"{side}Toes"][1] - ball_height_m if f"{side}Toes" in at else at[f"{side}Foot"][1] - ankle_height_m
        for side in ("left", "right")
    ]
    return max(float(at["head"][1] - np.mean(soles)) / 0.87, skeleton.leg_length_m() / 0.491)


def _human_parts(skeleton: Skeleton) -> tuple[list[_Part], float]:
    positions, _ = t_pose_world(skeleton)
    at = {role: positions[joint] for role, joint in skeleton.humanoid.items()}
    stature = stature_m(skeleton)
    scale = stature / REFERENCE_STATURE_M
    mass = BODY_MASS_INDEX * stature**2
    parts = []
    for segment in segments():
        carrier = _carrier(skeleton, segment.role)
        if carrier is None:
            continue
        start, end = _span(segment, at, positions[carrier], scale)
        parts.append(
            _Part(
                name=segment.name,
                joint=carrier,
                start=start,
                end=end,
                radius=segment.radius_m * scale,
                mass=segment.mass_share * mass,
                com_share=segment.com_share,
                gyration=segment.gyration,
            )
        )
    return parts, stature


def _carrier(skeleton: Skeleton, role: str) -> int | None:
    """The joint that carries a segment; parts of the trunk fall back on the next role below."""
    if role == "neck":
        # The head's parent: rigs with two neck joints bend in the upper one too.
        return int(skeleton.parents[skeleton.humanoid["head"]])
    trunk = ("upperChest", "chest", "spine")
    order = trunk[trunk.index(role) :] if role in trunk else (role,)
    return next((skeleton.humanoid[name] for name in order if name in skeleton.humanoid), None)


def _span(
    segment: Segment, at: dict[str, FloatArray], carrier: FloatArray, scale: float
) -> tuple[FloatArray, FloatArray]:
    """Start and end of a segment's capsule in the T-pose; ``carrier`` is where its joint is."""
    kind = segment.name.removeprefix("left_").removeprefix("right_")
    side = segment.name.split("_")[0]
    if kind == "neck":
        shoulders = 0.5 * (at["leftUpperArm"] + at["rightUpperArm"])
        base = max(carrier, shoulders, key=lambda point: float(point[1]))
        # A neck that begins high over the shoulders is longer than its bone: it begins where the chest ends.
        chest = next(one for one in segments() if one.name == "chest")
        top = _chest(at, shoulders, scale)[1] + (chest.radius_m + segment.radius_m) * scale
        return base - max(base[1] - top, 0.0) * _UP, at["head"] + 0.04 * scale * _UP
    if kind in ("pelvis", "abdomen", "ribs", "chest"):
        return _trunk_span(kind, at, scale)
    if kind == "head":
        return at["head"] + 0.075 * scale * _UP, at["head"] + 0.13 * scale * _UP
    if kind == "hand":
        outward = np.sign(at[segment.role][0]) * np.array([1.0, 0.0, 0.0])
        return at[segment.role], at[segment.role] + 0.15 * scale * outward
    if kind in ("foot", "toes"):
        return _foot_span(kind, side, at, scale)
    if kind == "shank":
        # Below the ankle there is only the foot: a shank as thick as a calf leaves three quarters of it to the foot.
        knee, ankle = at[segment.role], at[segment.end_role]
        foot = next(one for one in segments() if one.name == f"{side}_foot")
        sole = _foot_span("foot", side, at, scale)[0][1] - foot.radius_m * scale
        lowest = sole + 0.75 * foot.radius_m * scale + segment.radius_m * scale
        share = np.clip((lowest - ankle[1]) / (knee[1] - ankle[1]), 0.0, 0.5)
        # Ankles high over the foot: the shank goes on down to where the foot begins.
        heel = _foot_span("foot", side, at, scale)[0]
        gap = ankle[1] - heel[1] - (segment.radius_m + foot.radius_m) * scale
        share -= max(gap, 0.0) / (knee[1] - ankle[1])
        return knee, ankle + share * (knee - ankle)
    return at[segment.role], at[segment.end_role]


def _trunk_span(kind: str, at: dict[str, FloatArray], scale: float) -> tuple[FloatArray, FloatArray]:
    hips = 0.5 * (at["leftUpperLeg"] + at["rightUpperLeg"])
    shoulders = 0.5 * (at["leftUpperArm"] + at["rightUpperArm"])
    pelvis = 0.5 * (at["hips"] + hips) if at["hips"][1] > hips[1] else hips
    chest = _chest(at, shoulders, scale)
    hip_half = 0.42 * (at["leftUpperLeg"] - at["rightUpperLeg"])
    chest_half = 0.24 * (at["leftUpperArm"] - at["rightUpperArm"])
    waist_half = 0.35 * (hip_half + chest_half)
    share, half = {
        "pelvis": (0.0, hip_half),
        "abdomen": (0.33, waist_half),
        "ribs": (0.68, waist_half),
        "chest": (1.0, chest_half),
    }[kind]
    middle = pelvis + share * (chest - pelvis)
    return middle + half, middle - half


def _chest(at: dict[str, FloatArray], shoulders: FloatArray, scale: float) -> FloatArray:
    """Middle of the chest: shoulder joints lie behind the rib cage in captured skeletons, the neck before it."""
    back = 0.5 * (shoulders[2] - at.get("neck", at["head"])[2])
    return np.asarray(shoulders - 0.10 * scale * _UP - back * _AHEAD)


def _foot_span(kind: str, side: str, at: dict[str, FloatArray], scale: float) -> tuple[FloatArray, FloatArray]:
    ankle = at[f"{side}Foot"]
    ball = at.get(f"{side}Toes", ankle)
    if ball[2] - ankle[2] < LEAST_AHEAD_M * scale:
        # No toes, or a joint under the heel that bends the whole front of the foot.
        ball = np.array([ankle[0], min(ball[1], ankle[1] - 0.045 * scale), ankle[2] + 0.13 * scale])
    if kind == "toes":
        return ball, ball + 0.055 * scale * _AHEAD
    # Both capsules of a foot stand on one sole, so the thicker one lies higher by the difference.
    lift = 0.01 * scale
    heel = np.array([ankle[0], ball[1], ankle[2] - 0.025 * scale]) + lift * _UP
    return heel, ball + lift * _UP


def _bone_parts(skeleton: Skeleton, positions: FloatArray) -> list[_Part]:
    parts = []
    for joint in range(1, len(skeleton)):
        parent = int(skeleton.parents[joint])
        length = float(np.linalg.norm(positions[joint] - positions[parent]))
        if length < 1e-6:
            continue
        radius = float(np.clip(0.1 * length, 1e-3, 0.05))
        mass = _DENSITY * np.pi * radius**2 * length
        name = f"{skeleton.names[parent]}-{skeleton.names[joint]}"
        parts.append(_Part(name, parent, positions[parent], positions[joint], radius, mass))
    return parts or [_Part(skeleton.names[0], 0, positions[0], positions[0], 0.01, 4.2e-3)]


def _masses(
    skeleton: Skeleton, parts: Sequence[_Part], positions: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mass, centre and inertia per joint, all parts of a joint joined by the parallel-axis theorem."""
    masses = np.zeros(len(skeleton))
    centres = np.zeros((len(skeleton), 3))
    inertias = np.zeros((len(skeleton), 3, 3))
    for joint in sorted({part.joint for part in parts}):
        carried = [part for part in parts if part.joint == joint and part.mass > 0]
        if not carried:
            continue
        total = sum(part.mass for part in carried)
        coms = [part.start + part.com_share * (part.end - part.start) for part in carried]
        centre = sum(part.mass * com for part, com in zip(carried, coms, strict=True)) / total
        inertia = np.zeros((3, 3))
        for part, com in zip(carried, coms, strict=True):
            arm = com - centre
            inertia += _part_inertia(part) + part.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        turn = rot.to_matrix(rotations[joint])
        masses[joint] = total
        centres[joint] = turn.T @ (centre - positions[joint])
        inertias[joint] = turn.T @ inertia @ turn
    return masses, centres, inertias


def _part_inertia(part: _Part) -> FloatArray:
    """Inertia about the part's own centre: Winter's gyration across, a solid cylinder along."""
    axis = part.end - part.start
    bone = float(np.linalg.norm(axis))
    length = bone + 2.0 * part.radius if bone < 2.0 * part.radius else bone
    across = part.mass * max((part.gyration * length) ** 2, 0.25 * part.radius**2)
    along = 0.5 * part.mass * part.radius**2
    if bone < 1e-9:
        return across * np.eye(3)
    unit = axis / bone
    return across * np.eye(3) + (along - across) * np.outer(unit, unit)


def _limbs(skeleton: Skeleton) -> dict[str, tuple[int, ...]]:
    if not skeleton.is_humanoid:
        return {}
    limbs = {name: skeleton.limb(name) for name in LIMB_ROLES}
    for side in ("left", "right"):
        hand = skeleton.humanoid[f"{side}Hand"]
        limbs[f"{side}_arm_spine"] = skeleton.chain(skeleton.humanoid["spine"], hand)
    return limbs
