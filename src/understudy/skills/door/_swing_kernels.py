"""How far a leaf is open while somebody passes it: dynamic programming over time, opening and speed."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.skills.door._geometry_kernels import Ground, Leaf, Walker, floor_clearance, leaf_clearance, reach_cost
from understudy.skills.door._path_kernels import RUN, STAND, Manner, walked
from understudy.typing import FloatArray, IntArray


class Swing(NamedTuple):
    """How a leaf is opened.

    Attributes:
        dt_s: Step of time [s].
        step_rad: Step of the opening [rad].
        fastest: How many of these at most in one step of time.
        coast_s: How long a leaf that is let go swings on [s].
        least_rad: Least opening at which it is let go [rad].
        shut_radps: How fast it falls shut [rad/s]; 0 for one that stays.
        margin_m: Room a walker keeps [m].
        let_go: What letting go of a moving leaf costs.
        kept: Share of its speed that a leaf keeps when it is let go.
    """

    dt_s: float
    step_rad: float
    fastest: int
    coast_s: float
    least_rad: float
    shut_radps: float
    margin_m: float
    let_go: float
    kept: float


@njit(cache=True)
def coasting(opening: float, speed: float, later_s: float, swing: Swing, most: float) -> float:
    """Opening of a leaf that was let go with a speed [rad/s], some time later."""
    on = opening + speed * swing.coast_s * (1.0 - math.exp(-later_s / swing.coast_s))
    if swing.shut_radps > 0.0:
        gone = max(later_s - 0.35, 0.0)
        on -= swing.shut_radps * (gone - 0.5 * (1.0 - math.exp(-gone / 0.5)))
    return min(max(on, 0.0), most)


@njit(cache=True)
def _arm_room(ground: Ground, leaf: Leaf, x: float, z: float, heading: float, hand: int, opening: float) -> float:
    """Room of an elbow half way between shoulder and handle, seen from above [m]."""
    sign = 1.0 if hand == 0 else -1.0
    sx, sz = x + sign * 0.2 * math.cos(heading), z - sign * 0.2 * math.sin(heading)
    c, s = math.cos(leaf.spin * opening), math.sin(leaf.spin * opening)
    gx, gz = leaf.grip[0] - leaf.pivot[0], leaf.grip[1] - leaf.pivot[1]
    px, pz = leaf.pivot[0] + c * gx - s * gz, leaf.pivot[1] + s * gx + c * gz
    ex, ez = 0.5 * (sx + px) + sign * 0.07 * math.cos(heading), 0.5 * (sz + pz) - sign * 0.07 * math.sin(heading)
    i = round((ex - ground.high_frame[0]) / ground.high_frame[2])
    j = round((ez - ground.high_frame[1]) / ground.high_frame[2])
    nz, nx = ground.high_m.shape
    if i < 0 or j < 0 or i >= nx or j >= nz:
        return 1.0
    return ground.high_m[j, i]


@njit(cache=True)
def _roomy(ground: Ground, leaf: Leaf, walker: Walker, path: FloatArray, first: int, swing: Swing) -> bool:
    """Whether a walker has room on a path, and before the closed leaf until it takes hold."""
    for t in range(path.shape[0]):
        x, z, heading = path[t, 0], path[t, 1], path[t, 2]
        if t >= first - 8 and floor_clearance(ground, walker, x, z, heading) < swing.margin_m:
            return False
        if t <= first and leaf_clearance(leaf, walker, x, z, heading, 0.0) < swing.margin_m:
            return False
    return True


@njit(cache=True)
def _room(leaf: Leaf, walker: Walker, path: FloatArray, swing: Swing, clear: FloatArray, t: int, i: int) -> float:
    """A walker's room before the leaf at an opening [m], remembered in ``clear (n, openings)``."""
    if math.isnan(clear[t, i]):
        near = leaf_clearance(leaf, walker, path[t, 0], path[t, 1], path[t, 2], i * swing.step_rad)
        clear[t, i] = min(near, 0.3)
    return float(clear[t, i])


@njit(cache=True)
def _left_alone(
    leaf: Leaf, walker: Walker, path: FloatArray, swing: Swing, clear: FloatArray, t: int, i: int, speed: int
) -> float:
    """What letting go at a row costs: infinite when the leaf comes too near later."""
    openings = clear.shape[1]
    most = (openings - 1) * swing.step_rad
    pace = swing.kept * speed * swing.step_rad / swing.dt_s
    paid = swing.let_go * speed * speed
    for later in range(t + 1, clear.shape[0]):
        where = coasting(i * swing.step_rad, pace, (later - t) * swing.dt_s, swing, most)
        at = min(math.floor(where / swing.step_rad), openings - 1)
        room = _room(leaf, walker, path, swing, clear, later, at)
        if room < swing.margin_m:
            return np.inf
        paid += swing.dt_s * 4.0 * max(0.0, (0.10 - room) / 0.10) ** 2
    return paid


@njit(cache=True)
def held_cost(
    ground: Ground, leaf: Leaf, walker: Walker, at: FloatArray, hand: int, swing: Swing, i: int, room: float
) -> float:
    """What a moment of holding a leaf at an opening costs; infinite when it cannot be held there."""
    opening = i * swing.step_rad
    awkward = reach_cost(leaf, walker, hand, at[0], at[1], at[2], opening)
    if room < swing.margin_m or not awkward < 5.0:
        return np.inf
    elbow = _arm_room(ground, leaf, at[0], at[1], at[2], hand, opening)
    if elbow < 0.05:
        return np.inf
    paid = 0.10 + awkward + 3.0 * max(0.0, (0.10 - room) / 0.10) ** 2
    return swing.dt_s * (paid + 8.0 * max(0.0, (0.14 - elbow) / 0.14))


@njit(cache=True)
def swung(
    ground: Ground,
    leaf: Leaf,
    walker: Walker,
    path: FloatArray,
    rows: tuple[int, int],
    hand: int,
    swing: Swing,
    openings: int,
    profile: FloatArray,
) -> tuple[float, int]:
    """How a leaf is best opened by somebody on a path: fill ``profile (n,)`` [rad].

    Args:
        ground: What does not move.
        leaf: The door.
        walker: Who.
        path: ``(n, 3)`` x, z, heading.
        rows: Row in which the hand takes hold, and the last one in which it may hold.
        hand: 0 left, 1 right.
        swing: How leaves move.
        openings: Number of openings of the grid.
        profile: The answer.

    Returns:
        Cost (infinite when there is no way) and the row in which it lets go.
    """
    first, n = rows[0], path.shape[0]
    at_first = reach_cost(leaf, walker, hand, path[first, 0], path[first, 1], path[first, 2], 0.0)
    clear = np.full((n, openings), np.nan)
    if not at_first < 2.5 or not _roomy(ground, leaf, walker, path, first, swing):
        return np.inf, 0
    speeds, steps = swing.fastest + 1, min(rows[1], n - 1) - first + 1
    cost = np.full((steps, openings, speeds), np.inf)
    parent = np.full((steps, openings, speeds), -1, dtype=np.int64)
    hold = np.empty(openings)
    cost[0, 0, 0] = at_first
    best, best_k, best_i, best_w = np.inf, 0, 0, 0
    for k in range(steps):
        t = first + k
        for i in range(openings):
            hold[i] = -1.0
        for i in range(openings):
            for w in range(speeds):
                g = cost[k, i, w]
                if not g < best:
                    continue
                if i * swing.step_rad >= swing.least_rad and k > 3:
                    total = g + _left_alone(leaf, walker, path, swing, clear, t, i, w)
                    if total < best:
                        best, best_k, best_i, best_w = total, k, i, w
                for v in range(max(w - 1, 0), min(w + 2, speeds)):
                    j = i + v
                    if k + 1 >= steps or j >= openings or (k < 1 and v > 0):
                        continue
                    if hold[j] < 0.0:
                        room = _room(leaf, walker, path, swing, clear, t + 1, j)
                        hold[j] = held_cost(ground, leaf, walker, path[t + 1], hand, swing, j, room)
                    paid = g + hold[j] + 0.04 * (v - w) ** 2 + (0.3 if v == 0 and i > 0 else 0.0)
                    if paid < cost[k + 1, j, v]:
                        cost[k + 1, j, v] = paid
                        parent[k + 1, j, v] = i * speeds + w
    if best < np.inf:
        _told(parent, first, (best_k, best_i, best_w), swing, (openings - 1) * swing.step_rad, profile)
    return best, first + best_k


@njit(cache=True)
def _told(
    parent: IntArray, first: int, end: tuple[int, int, int], swing: Swing, most: float, profile: FloatArray
) -> None:
    """Fill ``profile`` from the last step of holding backwards, and onwards as the leaf swings on."""
    k, i, w = end
    pace = swing.kept * w * swing.step_rad / swing.dt_s
    profile[:] = 0.0
    for later in range(first + k, profile.shape[0]):
        profile[later] = coasting(i * swing.step_rad, pace, (later - first - k) * swing.dt_s, swing, most)
    speeds = swing.fastest + 1
    while k >= 0:
        profile[first + k] = i * swing.step_rad
        came = parent[k, i, w]
        k -= 1
        if came >= 0:
            i, w = came // speeds, came % speeds


@njit(cache=True)
def rated(
    ground: Ground,
    leaf: Leaf,
    walker: Walker,
    rows: FloatArray,
    extra: FloatArray,
    manner: Manner,
    swing: Swing,
    grid: tuple[int, int, int],
    hands: int,
) -> FloatArray:
    """Costs ``(rows, 2)`` of ways past a door by hand.

    Args:
        ground: What does not move.
        leaf: The door.
        walker: Who.
        rows: ``(n, 13)`` the ways (``_path_kernels``).
        extra: ``(n,)`` what they cost elsewhere; infinite ones are passed over.
        manner: How somebody moves.
        swing: How leaves move.
        grid: Number of openings, rows before taking hold, and rows of a path.
        hands: 1 left, 2 right, 3 both.
    """
    openings, before, count = grid
    out = np.full((rows.shape[0], 2), np.inf)
    path = np.empty((count, 3))
    profile = np.empty(count)
    for r in range(rows.shape[0]):
        if not extra[r] < np.inf:
            continue
        end = walked(rows[r], manner, -before * swing.dt_s, swing.dt_s, path)
        inside = path[:end] if rows[r, RUN] == 0.0 else path
        span = (before, last_row(rows[r], before, swing))
        for hand in range(2):
            if (hands >> hand) & 1:
                cost, _ = swung(ground, leaf, walker, inside, span, hand, swing, openings, profile)
                out[r, hand] = cost + extra[r]
    return out


@njit(cache=True)
def last_row(row: FloatArray, before: int, swing: Swing) -> int:
    """Last row of a path in which the hand may hold."""
    if row[STAND] > 0.0:
        return before + math.ceil(row[STAND] / swing.dt_s)
    return before + round(2.4 / swing.dt_s)
