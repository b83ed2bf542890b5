"""Whether a rig is understood: its body is whole, symmetric and as tall as its person, and stands on its soles.

Nothing here looks at who the person is; every property holds for every humanoid rig, or the rig is misunderstood.
"""

from __future__ import annotations

import numpy as np

import understudy as us
from understudy import rotations as rot
from understudy.core import Body, Motion, fit_body
from understudy.core.reference_pose import t_pose_world
from understudy.core.segments import segment_distance
from understudy.inspection import foot_contacts
from understudy.inspection.contacts import SIDES
from understudy.inspection.grounding import sole_heights_m
from understudy.kinematics import motion_world
from understudy.typing import FloatArray

#: [m] parts of a body whose surfaces are farther apart are not one body.
_APART_M = 0.01
#: How much two sides of a body may differ in length, as a share; captured ones do by up to an eighth.
_UNLIKE = 0.15
#: How much the height from sole to crown may differ from the stature, as a share.
_OFF_HEIGHT = 0.07


def faults(motion: Motion) -> list[str]:
    """What is wrong with the body that was fitted to a humanoid clip, and with its mirror image."""
    body = fit_body(motion.skeleton)
    starts, ends = _in_t_pose(body)
    found = [f"{name} hangs in the air" for name in _loose(body, starts, ends)]
    lengths = dict(zip(body.capsule_names, np.linalg.norm(ends - starts, axis=1), strict=True))
    for name, length in lengths.items():
        other = lengths.get(name.replace("left_", "right_"), length)
        if abs(length - other) > _UNLIKE * max(length, other, 0.05):
            found.append(f"{name} is {length:.3f} m long, the other one {other:.3f} m")
    bottom = float((np.minimum(starts[:, 1], ends[:, 1]) - body.capsule_radii).min())
    top = float((np.maximum(starts[:, 1], ends[:, 1]) + body.capsule_radii).max())
    if abs(top - bottom - body.stature_m) > _OFF_HEIGHT * body.stature_m:
        found.append(f"{top - bottom:.2f} m from sole to crown, for a stature of {body.stature_m:.2f} m")
    return found + _mirror_faults(motion)


def sole_spread_m(motion: Motion) -> float | None:
    """How far the heights of standing soles lie apart (5th to 95th percentile) [m]; ``None`` where nobody stands."""
    contacts = foot_contacts(motion)
    soles = sole_heights_m(motion, {side: contacts.planted(side) for side in SIDES})
    return float(np.ptp(np.percentile(soles, [5, 95]))) if len(soles) else None


def _in_t_pose(body: Body) -> tuple[FloatArray, FloatArray]:
    places, turns = t_pose_world(body.skeleton)
    starts, ends = body.capsule_segments(places[None], turns[None])
    return starts[0], ends[0]


def _loose(body: Body, starts: FloatArray, ends: FloatArray) -> list[str]:
    """Names of the parts that no chain of touching parts joins to the pelvis."""
    joined, names = {body.capsule("pelvis")}, range(len(body.capsule_names))
    while True:
        more = {
            part
            for part in set(names) - joined
            for other in joined
            if segment_distance(starts[part], ends[part], starts[other], ends[other])
            < body.capsule_radii[part] + body.capsule_radii[other] + _APART_M
        }
        if not more:
            return [body.capsule_names[part] for part in names if part not in joined]
        joined |= more


def _mirror_faults(motion: Motion) -> list[str]:
    once = us.mirrored(motion)
    twice = us.mirrored(once)
    away = max(
        float(np.abs(twice.root_positions - motion.root_positions).max()),
        float(rot.angle_between(twice.rotations, motion.rotations).max()) ** 2,
    )
    found = [] if away < 1e-6 else [f"mirrored twice it is {away:.1e} away"]
    if _upright(once) != _upright(motion):
        found.append("its mirror image stands on its head")
    return found


def _upright(motion: Motion) -> bool:
    """Whether the head is above the hips most of the time."""
    places, roles = motion_world(motion).positions, motion.skeleton.humanoid
    return bool(np.mean(places[:, roles["head"], 1] > places[:, roles["hips"], 1]) > 0.5)
