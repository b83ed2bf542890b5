"""Postures of an arm on a moving body against a moving world, and the cheapest way through them."""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._distance_kernels import nearest_rows
from understudy.collision._placing_kernels import place_capsules, place_joints, place_moving
from understudy.collision.tables import BodyArrays, PartArrays, SolidArrays, TrackArrays
from understudy.compiling.kernel import njit
from understudy.typing import BoolArray, FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def postures_near(
    body: BodyArrays,
    whole: PartArrays,
    part: PartArrays,
    solids: SolidArrays,
    tracks: TrackArrays,
    roots: FloatArray,
    local: FloatArray,
    times: FloatArray,
    postures: FloatArray,
    touchable: BoolArray,
    masks: IntArray,
    out: FloatArray,
) -> None:
    """Fill ``out (keys, postures, 2)``: distance to things and to the own body [m].

    Args:
        body: The body's capsules.
        whole: All of it.
        part: The arm.
        solids: What is around.
        tracks: How it moves.
        roots: ``(keys, 3)`` [m].
        local: ``(keys, joints, 4)`` the body without the arm's part.
        times: ``(keys,)`` [s].
        postures: ``(keys, postures, arm joints, 4)``.
        touchable: ``(masks, capsules, solids)`` which pairs count.
        masks: ``(keys,)`` which mask is meant.
        out: The answer.
    """
    joints, capsules = local.shape[1], body.joints.shape[0]
    at, turned, segments = np.zeros((joints, 3)), np.zeros((joints, 4)), np.zeros((capsules, 9))
    rows = solids.rows.copy()
    found = np.zeros((3, 14))
    for k in range(local.shape[0]):
        place_moving(tracks, times[k], rows)
        place_joints(body.parents, body.offsets, whole.joints, roots, local, k, at, turned)
        place_capsules(body.joints, body.ends, whole.capsules, at, turned, segments)
        for m in range(postures.shape[1]):
            place_joints(body.parents, body.offsets, part.joints, roots, postures[k], m, at, turned)
            place_capsules(body.joints, body.ends, part.capsules, at, turned, segments)
            nearest_rows(body, part, solids, rows, segments, touchable[masks[k]], found)
            out[k, m, 0] = min(found[0, 0], found[1, 0])
            out[k, m, 1] = found[2, 0]


@njit(cache=True)
def cheapest(options: FloatArray, costs: FloatArray, seconds: FloatArray, fast: float, weight: float) -> IntArray:
    """Indices ``(keys,)`` of the cheapest way through options ``(keys, options, coordinates)`` (Viterbi).

    Between two keys the squared turn over the time counts ``weight`` times, and what is faster than ``fast`` [rad/s]
    counts much more.
    """
    keys, many, size = options.shape
    total = costs[0].copy()
    later = np.empty(many)
    back = np.zeros((keys, many), dtype=np.int64)
    for k in range(1, keys):
        for m in range(many):
            best, chosen = np.inf, 0
            for p in range(many):
                if not total[p] + costs[k, m] < best:
                    continue
                squares, most = 0.0, 0.0
                for c in range(size):
                    turn = abs(options[k, m, c] - options[k - 1, p, c])
                    if turn > math.pi:
                        turn = abs(2.0 * math.pi - turn)
                    squares += turn * turn
                    most = max(most, turn)
                over = max(most / seconds[k - 1] - fast, 0.0)
                paid = total[p] + costs[k, m]
                paid += weight * squares / seconds[k - 1] + 8.0 * over * over * seconds[k - 1]
                if paid < best:
                    best, chosen = paid, p
            later[m], back[k, m] = best, chosen
        total[:] = later
    path = np.zeros(keys, dtype=np.int64)
    path[-1] = np.argmin(total)
    for k in range(keys - 1, 0, -1):
        path[k - 1] = back[k, path[k]]
    return path
