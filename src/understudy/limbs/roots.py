"""Proof that a limb cannot get out of something: where it begins is in it, and no posture moves that."""

from __future__ import annotations

import numpy as np

from understudy.collision import ShapePose, shape_distance
from understudy.limbs.ik import BETWEEN_M
from understudy.limbs.seeds import leanings, posed, triple
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.limbs.trace import Touch
from understudy.scene.shapes import Sphere
from understudy.typing import FloatArray

#: Moments of a touch that are looked at.
_MOMENTS = 9
#: [m] how deep is in.
_DEEP_M = 0.001


def rooted_in(stage: Stage, touch: Touch, limb: str) -> str:
    """What a limb begins in at a moment of a touch, whatever its posture, in words; empty without proof.

    A ball around the joint at which the limb begins belongs to its first part however that is turned. With the trunk,
    the ball is in the same thing for leanings so dense that between two of them it cannot get out.

    Args:
        stage: The motion on its stage.
        touch: What touches.
        limb: The linkage, with or without the trunk.
    """
    space = stage.space(limb)
    root = triple(space)[0]
    for part, radius in _balls(stage, root):
        for name in (b for a, b in touch.pairs if a == part and _is_object(stage, b)):
            times = np.linspace(touch.start_s, touch.end_s, _MOMENTS)
            depths = [-_gap_m(stage, name, posed(stage, time).places[root], radius, time) for time in times.tolist()]
            time = float(times[int(np.argmax(depths))])
            if max(depths) > _DEEP_M and _everywhere(stage, space, name, radius, time):
                return f"where the {limb.replace('_spine', '').replace('_', ' ')} begins is in {name} at {time:.2f} s"
    return ""


def _everywhere(stage: Stage, space: LimbSpace, name: str, radius: float, time_s: float) -> bool:
    """Whether leaning does not help."""
    if not space.name.endswith("_spine"):
        return True
    places, offsets = leanings(stage, space, time_s)
    # The farthest leanings are the first to get out.
    order = np.argsort(-np.linalg.norm(offsets, axis=1), kind="stable")
    return all(_gap_m(stage, name, place, radius, time_s) < -_DEEP_M - BETWEEN_M for place in places[order])


def _balls(stage: Stage, joint: int) -> list[tuple[str, float]]:
    """Parts on a joint that hold a ball around it, and its radius [m]."""
    body, found = stage.body, []
    for capsule in np.flatnonzero(body.capsule_joints == joint).tolist():
        start, end = body.capsule_starts[capsule], body.capsule_ends[capsule]
        along = end - start
        share = np.clip(-(start @ along) / max(float(along @ along), 1e-12), 0.0, 1.0)
        radius = float(body.capsule_radii[capsule]) - float(np.linalg.norm(start + share * along))
        if radius > 0.0:
            found.append((body.capsule_names[capsule], radius))
    return found


def _gap_m(stage: Stage, name: str, place: FloatArray, radius: float, time_s: float) -> float:
    positions, rotations = stage.scene.object_track(name, [time_s])
    upright = np.array([1.0, 0.0, 0.0, 0.0])
    thing = ShapePose(positions[0], rotations[0])
    return float(
        shape_distance(
            Sphere(radius_m=radius), ShapePose(place, upright), stage.scene.object(name).shape, thing
        ).distance_m
    )


def _is_object(stage: Stage, name: str) -> bool:
    return any(thing.name == name for thing in stage.scene.objects)
