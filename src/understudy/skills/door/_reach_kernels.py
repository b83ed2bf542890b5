"""Costs of holding a lever, over places, directions of the leaf and ways to sit on it."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


@njit(cache=True)
def held_costs(
    shoulders: FloatArray,
    poles: FloatArray,
    grips: FloatArray,
    normals: FloatArray,
    hands: FloatArray,
    arm: FloatArray,
    limits: FloatArray,
) -> FloatArray:
    """Least discomfort ``(places, normals)`` of a right hand on a lever; infinite out of reach.

    Args:
        shoulders: ``(places, 3)`` [m], seen from the floor under the pelvis.
        poles: ``(places, 3)`` where elbows go.
        grips: ``(places, 3)`` [m] the lever.
        normals: ``(normals,)`` direction of the leaf from ahead to the left [rad].
        hands: ``(ways, 4)`` the fingers' turn from the leaf's direction, their rise [rad], distance of the lever from
            the wrist along the hand [m], cost.
        arm: Lengths of upper arm and forearm [m].
        limits: Most and least share of the arm's length, easy and most bend of the wrist [rad], the trunk's radius [m].
    """
    upper, lower = arm[0], arm[1]
    reach_m = upper + lower
    out = np.full((shoulders.shape[0], normals.shape[0]), np.inf)
    for n in range(normals.shape[0]):
        into_x, into_z = math.sin(normals[n]), math.cos(normals[n])
        for w in range(hands.shape[0]):
            rise = hands[w, 1]
            turn = normals[n] + hands[w, 0]
            fx, fy, fz = math.cos(rise) * math.sin(turn), math.sin(rise), math.cos(rise) * math.cos(turn)
            for p in range(shoulders.shape[0]):
                ax, az = grips[p, 0] - shoulders[p, 0], grips[p, 2] - shoulders[p, 2]
                beyond = (ax * into_x + az * into_z) / max(math.hypot(ax, az), 0.05)
                if beyond < 0.15:
                    continue
                wx, wy = grips[p, 0] - hands[w, 2] * fx, grips[p, 1] - hands[w, 2] * fy
                wz = grips[p, 2] - hands[w, 2] * fz
                dx, dy, dz = wx - shoulders[p, 0], wy - shoulders[p, 1], wz - shoulders[p, 2]
                far = math.sqrt(dx * dx + dy * dy + dz * dz)
                reach = far / reach_m
                if reach > limits[0] or reach < limits[1] or far < 1e-6:
                    continue
                dx, dy, dz = dx / far, dy / far, dz / far
                if dz < -0.55:
                    continue
                dot = poles[p, 0] * dx + poles[p, 1] * dy + poles[p, 2] * dz
                bx, by, bz = poles[p, 0] - dot * dx, poles[p, 1] - dot * dy, poles[p, 2] - dot * dz
                size = max(math.sqrt(bx * bx + by * by + bz * bz), 1e-6)
                inside = min(max(far, abs(upper - lower) + 1e-3), reach_m - 1e-3)
                along = (upper * upper - lower * lower + inside * inside) / (2.0 * inside)
                off = math.sqrt(max(upper * upper - along * along, 0.0)) / size
                ex = shoulders[p, 0] + along * dx + off * bx
                ey = shoulders[p, 1] + along * dy + off * by
                ez = shoulders[p, 2] + along * dz + off * bz
                cosine = ((wx - ex) * fx + (wy - ey) * fy + (wz - ez) * fz) / lower
                bend = math.acos(min(max(cosine, -1.0), 1.0))
                if bend > limits[3] or min(math.hypot(wx, wz), math.hypot(ex, ez) + 0.03) < limits[4]:
                    continue
                cost = hands[w, 3] + 1.2 * max(bend / limits[2] - 0.6, 0.0) ** 2
                cost += 6.0 * max(reach - 0.86, 0.0) / 0.1 + 3.0 * max(0.5 - reach, 0.0) / 0.1
                cost += 1.5 * max(-dz - 0.1, 0.0) / 0.2 + 2.5 * max(wx - 0.02, 0.0) / 0.1
                cost += 2.0 * max(0.5 - beyond, 0.0) / 0.3
                out[p, n] = min(out[p, n], cost)
    return out
