"""Whether legs pass through each other: in sharp turns it depends on which foot is in the air when the turn comes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.kinematics import motion_world
from understudy.typing import FloatArray

_PARTS = ("thigh", "shank", "foot", "toes")
#: [1/s] how often a motion is looked at.
_RATE_HZ = 30.0


def leg_overlap_m(motion: Motion) -> float:
    """Deepest overlap of a part of the left leg with one of the right [m]; 0 when they stay apart."""
    body = _body(motion.skeleton)
    step = max(1, round(motion.fps / _RATE_HZ))
    world = motion_world(motion)
    starts, ends = body.capsule_segments(world.positions[::step], world.rotations[::step])
    deepest = 0.0
    for left in _PARTS:
        for right in _PARTS:
            i, j = body.capsule(f"left_{left}"), body.capsule(f"right_{right}")
            apart = _segment_distances(starts[:, i], ends[:, i], starts[:, j], ends[:, j])
            deepest = max(deepest, float(body.capsule_radii[i] + body.capsule_radii[j] - apart.min()))
    return deepest


@lru_cache(maxsize=8)
def _body(skeleton: Skeleton) -> Body:
    return fit_body(skeleton)


def _segment_distances(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
    """Distances ``(n,)`` between the segments ``ab`` and ``cd``, row by row [m]."""

    def dot(first: FloatArray, second: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("ni,ni->n", first, second))

    u, v, w = b - a, d - c, a - c
    uu, uv, vv = np.maximum(dot(u, u), 1e-12), dot(u, v), np.maximum(dot(v, v), 1e-12)
    uw, vw = dot(u, w), dot(v, w)
    skew = uu * vv - uv * uv
    s = np.where(skew > 1e-12, np.clip((uv * vw - vv * uw) / np.maximum(skew, 1e-12), 0.0, 1.0), 0.0)
    t = np.clip((uv * s + vw) / vv, 0.0, 1.0)
    s = np.clip((uv * t - uw) / uu, 0.0, 1.0)
    return np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=1)
