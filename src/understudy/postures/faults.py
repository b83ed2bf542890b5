"""What is wrong with a key posture: parts that touch, limits that are broken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.postures.grounding import floor_depths
from understudy.postures.stage import Stage
from understudy.scene.contacts import FLOOR
from understudy.typing import FloatArray

#: [rad] limit excess that is rounding.
_ROUNDING_RAD = 1e-6
#: [m] depth in the floor that the judge does not count.
_SHALLOW_M = 9e-4


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """Two parts that touch.

    Attributes:
        a: A part of the body.
        b: Another part, or an object.
        depth_m: How deep [m]; 0 when they just touch.
    """

    a: str
    b: str
    depth_m: float


@dataclass(frozen=True, kw_only=True)
class PostureFaults:
    """Why a posture cannot be planned from or to.

    Attributes:
        posture: Its number among the keys.
        overlaps: Parts that touch, deepest first.
        limits: Joint -> how far outside its limit [rad].
    """

    posture: int
    overlaps: tuple[Overlap, ...]
    limits: dict[str, float]

    def __bool__(self) -> bool:
        """Whether anything is wrong."""
        return bool(self.overlaps or self.limits)

    def __str__(self) -> str:
        """One sentence."""
        parts = [f"{one.a} in {one.b} by {1000.0 * one.depth_m:.1f} mm" for one in self.overlaps[:6]]
        if len(self.overlaps) > 6:
            parts.append(f"{len(self.overlaps) - 6} more pairs")
        parts += [f"{joint} {np.degrees(excess):.1f} degrees beyond its limit" for joint, excess in self.limits.items()]
        return f"posture {self.posture}: {', '.join(parts)}"


def faults_of(
    number: int, pose: Pose, body: Body, stage: Stage, q: FloatArray, solids: tuple[str, ...]
) -> PostureFaults:
    """Look for faults of a key posture.

    Args:
        number: Which key.
        pose: The posture.
        body: Whose.
        stage: What stands around; pairs it lets touch do not count.
        q: The posture's coordinates.
        solids: Names of the stage's solids.
    """
    gaps = np.where(stage.keep == -np.inf, np.inf, stage.gaps(q))
    pairs, capsules = stage.space.arrays.pairs, len(body.capsule_names)
    found = []
    for k in np.flatnonzero(gaps <= 0.0):
        if k < len(pairs):
            a, b = body.capsule_names[pairs[k, 0]], body.capsule_names[pairs[k, 1]]
        else:
            solid, capsule = divmod(int(k) - len(pairs), capsules)
            a, b = body.capsule_names[capsule], solids[solid]
        found.append(Overlap(a=a, b=b, depth_m=float(max(-gaps[k], 0.0))))
    if stage.space.grounded:
        deep = floor_depths(body, pose)
        found += [
            Overlap(a=body.capsule_names[c], b=FLOOR, depth_m=float(deep[c])) for c in np.flatnonzero(deep > _SHALLOW_M)
        ]
    excess = body.limits.excess(pose.rotations)
    roles = pose.skeleton.roles
    limits = {
        roles.get(int(j), pose.skeleton.names[j]): float(excess[j])
        for j in np.flatnonzero(excess > _ROUNDING_RAD)
        # Nobody knows the limits of thumbs and helper joints; the judge does not ask for them either.
        if int(j) in roles or not roles
    }
    found.sort(key=lambda one: -one.depth_m)
    return PostureFaults(posture=number, overlaps=tuple(found), limits=limits)
