"""Compiled closeness of both legs: their capsules, how near they are, and how deep recordings let them overlap."""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._segment_kernels import axes_nearest
from understudy.compiling.kernel import njit
from understudy.library.tables import BodyTable
from understudy.rotations._kernels import qconj_rot, qnormalize, qrot
from understudy.typing import FloatArray

#: [m] legs nearer than this are looked at so many times a frame.
NEAR_M, BETWEEN = 0.06, 4
#: [m] postures of two capsules are alike when their four ends are within this, taken together.
ALIKE_M = 0.058


@njit(cache=True, forceinline=True)
def capsule_ends(body: BodyTable, positions: FloatArray, turns: FloatArray, out: FloatArray) -> None:
    """Both ends ``(capsules, 2, 3)`` of the legs' capsules, from joints' world transforms."""
    for k in range(len(body.joints)):
        j = body.joints[k]
        for end in range(2):
            p, q = body.ends[k, end], turns[j]
            x, y, z = qrot(q[0], q[1], q[2], q[3], p[0], p[1], p[2])
            out[k, end, 0], out[k, end, 1], out[k, end, 2] = x, y, z
            for i in range(3):
                out[k, end, i] += positions[j, i]


@njit(cache=True, forceinline=True)
def apart(a: FloatArray, b: FloatArray, reach: float) -> bool:
    """Whether balls around two segments ``(2, 3)`` are farther from each other than ``reach``: a cheap first look."""
    gap2, a2, b2 = 0.0, 0.0, 0.0
    for i in range(3):
        gap2 += (a[0, i] + a[1, i] - b[0, i] - b[1, i]) ** 2
        a2 += (a[1, i] - a[0, i]) ** 2
        b2 += (b[1, i] - b[0, i]) ** 2
    return math.sqrt(gap2) > math.sqrt(a2) + math.sqrt(b2) + 2.0 * reach


@njit(cache=True)
def leg_gaps(body: BodyTable, ends: FloatArray) -> FloatArray:
    """``(n, pairs)`` signed distances [m] of the pairs of leg capsules ``(n, capsules, 2, 3)``."""
    out = np.empty((len(ends), len(body.pairs)))
    for f in range(len(ends)):
        for k in range(len(body.pairs)):
            a, b = body.pairs[k, 0], body.pairs[k, 1]
            d2, _, _ = axes_nearest(ends[f, a, 0], ends[f, a, 1], ends[f, b, 0], ends[f, b, 1])
            out[f, k] = math.sqrt(d2) - body.radii[a] - body.radii[b]
    return out


@njit(cache=True)
def all_ends(body: BodyTable, places: FloatArray, turns: FloatArray) -> FloatArray:
    """``(n, capsules, 2, 3)`` both ends of the legs' capsules, from joints' world transforms."""
    out = np.empty((len(places), len(body.joints), 2, 3))
    for f in range(len(places)):
        capsule_ends(body, places[f], turns[f], out[f])
    return out


@njit(cache=True, forceinline=True)
def recorded_depth(body: BodyTable, pair: int, posture: FloatArray) -> float:
    """The deepest overlap [m] of a pair where the recordings have it in about the same posture ``(12,)``; else 0."""
    # The deepest come first, so the first that is alike is the answer; most are seen to be unlike at their first ends.
    most = ALIKE_M * ALIKE_M
    for k in range(body.alike_starts[pair], body.alike_starts[pair + 1]):
        other, away = body.alike[k], 0.0
        for i in range(0, 12, 3):
            x, y, z = posture[i] - other[i], posture[i + 1] - other[i + 1], posture[i + 2] - other[i + 2]
            away += x * x + y * y + z * z
            if away > most:
                break
        if away <= most:
            return float(body.alike_depths[k])
    return 0.0


@njit(cache=True, forceinline=True)
def _seen(both: FloatArray, root: FloatArray, after: FloatArray, share: float, out: FloatArray) -> None:
    """Ends of two capsules ``(2, 2, 3)`` as ``(12,)`` seen from the root between two frames."""
    same = root[0] * after[0] + root[1] * after[1] + root[2] * after[2] + root[3] * after[3] > 0.0
    mean = root + share * (after - root)
    for i in range(4):
        mean[i] = (1.0 - share) * root[i] + (share if same else -share) * after[i]
    w, x, y, z = qnormalize(mean[0], mean[1], mean[2], mean[3])
    for k in range(4):
        at = both[k // 2, k % 2]
        out[3 * k], out[3 * k + 1], out[3 * k + 2] = qconj_rot(
            w, x, y, z, at[0] - mean[4], at[1] - mean[5], at[2] - mean[6]
        )


@njit(cache=True, forceinline=True)
def deepest(body: BodyTable, ends: FloatArray, following: FloatArray, root: FloatArray, after: FloatArray) -> float:
    """How much deeper than recorded any pair of leg capsules overlaps from one frame to the next [m].

    A swinging foot passes the standing leg by centimetres a frame, so pairs that are near are looked at in between.

    Args:
        body: The legs.
        ends: ``(capsules, 2, 3)`` at the frame.
        following: The same at the next.
        root: ``(7,)`` rotation and place of the root.
        after: The same at the next frame.
    """
    both, posture, worst = np.empty((2, 2, 3)), np.empty(12), 0.0
    for pair in range(len(body.pairs)):
        parts = body.pairs[pair]
        radii = body.radii[parts[0]] + body.radii[parts[1]]
        if apart(ends[parts[0]], ends[parts[1]], radii + NEAR_M):
            continue
        for step in range(BETWEEN):
            share = step / BETWEEN
            for part in range(2):
                for end in range(2):
                    for i in range(3):
                        a, b = ends[parts[part], end, i], following[parts[part], end, i]
                        both[part, end, i] = a + share * (b - a)
            gap = math.sqrt(axes_nearest(both[0, 0], both[0, 1], both[1, 0], both[1, 1])[0]) - radii
            if step == 0 and gap > NEAR_M:
                break
            if -gap <= worst:
                continue
            _seen(both, root, after, share, posture)
            worst = max(worst, -gap - recorded_depth(body, pair, posture))
    return worst
