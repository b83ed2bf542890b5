"""Whether a straight move in coordinates keeps every gap, so that nothing tunnels ([Postures]).

Along such a move a joint turns at most by a bound ``w`` on the length of its angular velocity, so two capsules approach
by at most ``sum over joints between them of reach x w``, and a capsule moves by that sum up to the root plus the root's
shift. A gap ``g`` above what must be kept certifies ``g / rate`` of the move on both sides; stretches not certified
are halved. When grounded, the floor lifts the body by at most what its fastest point moves.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._segment_kernels import segments_nearest
from understudy.collision.tables import BOUND, CENTRE
from understudy.compiling.kernel import njit
from understudy.postures._placing_kernels import place
from understudy.postures._solid_kernels import axis_distance
from understudy.postures.tables import AXES, HALF, KIND, MIDDLE, PARENT, RADIUS, ROOT, Room, Solids, SpaceArrays
from understudy.typing import FloatArray, IntArray

#: Share of a move below which a stretch that is not certified counts as contact.
_SMALLEST = 1e-6
#: Bounds are raised by this factor, so that rounding cannot make them too small.
_ROUNDING = 1.0 + 1e-9


@njit(cache=True)
def turn_bounds(tree: IntArray, step: FloatArray, bounds: FloatArray) -> None:
    """Fill how far each joint can turn along a step of the coordinates [rad].

    Of the turns about three successive axes the middle axis is at right angles to both others. The exponential map's
    Jacobian has no singular value above one.
    """
    for j in range(bounds.shape[0]):
        x, y, z = abs(step[3 + 3 * j]), abs(step[4 + 3 * j]), abs(step[5 + 3 * j])
        if tree[j, KIND] == AXES:
            bounds[j] = math.sqrt(y * y + (x + z) * (x + z))
        elif tree[j, KIND] == ROOT:
            bounds[j] = math.sqrt(x * x + y * y + z * z)
        else:
            bounds[j] = math.sqrt(x * x + y * y) + z


@njit(cache=True)
def rates(space: SpaceArrays, step: FloatArray, own: FloatArray, moves: FloatArray) -> None:
    """Fill how far pairs can approach, ``own (pairs,)``, and capsules move, ``moves (capsules,)``, in a step [m]."""
    tree, reach = space.tree, space.reach
    bounds = np.empty(tree.shape[0])
    turn_bounds(tree, step, bounds)
    for k in range(own.shape[0]):
        rate = 0.0
        for side in range(2):
            c = space.pairs[k, side]
            j = space.carriers[c]
            while j != space.pairs[k, 2]:
                rate += bounds[j] * reach[j, c]
                j = tree[j, PARENT]
        own[k] = _ROUNDING * rate
    fastest = 0.0
    for c in range(moves.shape[0]):
        moves[c] = 0.0
        for j in range(bounds.shape[0]):
            moves[c] += bounds[j] * reach[j, c]
        fastest = max(fastest, moves[c])
    up = abs(step[1]) + fastest if space.grounded else abs(step[1])
    shift = math.sqrt(step[0] * step[0] + up * up + step[2] * step[2])
    for c in range(moves.shape[0]):
        moves[c] = _ROUNDING * (moves[c] + shift)


@njit(cache=True)
def _free_of_itself(space: SpaceArrays, keep: FloatArray, capsules: FloatArray, own: FloatArray, best: float) -> float:
    """Share of the move certified on both sides of a placed posture, at most ``best``; 0 on contact."""
    pairs = space.pairs
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        a, b = capsules[i], capsules[j]
        gap = space.touching[k] + keep[k]
        x, y, z = a[MIDDLE] - b[MIDDLE], a[MIDDLE + 1] - b[MIDDLE + 1], a[MIDDLE + 2] - b[MIDDLE + 2]
        reach = gap + own[k] * best + space.capsules[i, HALF] + space.capsules[j, HALF]
        if x * x + y * y + z * z > reach * reach:
            continue
        d2, _, _ = segments_nearest(a[0], a[1], a[2], a[3], a[4], a[5], b[0], b[1], b[2], b[3], b[4], b[5])
        d = math.sqrt(d2) - gap
        if d < 0.0:
            return 0.0
        if d < own[k] * best:
            best = d / own[k]
    return best


@njit(cache=True)
def _free_of_solids(
    solids: Solids, body: FloatArray, keep: FloatArray, capsules: FloatArray, moves: FloatArray, best: float
) -> float:
    rows, count = solids.rows, capsules.shape[0]
    k = keep.shape[0] - rows.shape[0] * count - 1
    for i in range(rows.shape[0]):
        for c in range(count):
            k += 1
            if keep[k] == -math.inf:
                continue
            a = capsules[c]
            gap = body[c, RADIUS] + keep[k]
            x, y, z = (
                a[MIDDLE] - rows[i, CENTRE],
                a[MIDDLE + 1] - rows[i, CENTRE + 1],
                a[MIDDLE + 2] - rows[i, CENTRE + 2],
            )
            if math.sqrt(x * x + y * y + z * z) - body[c, HALF] - rows[i, BOUND] > gap + moves[c] * best:
                continue
            d, _, _, _, _ = axis_distance(solids, i, a)
            d -= gap
            if d < 0.0:
                return 0.0
            if d < moves[c] * best:
                best = d / moves[c]
    return best


@njit(cache=True)
def free_share(
    space: SpaceArrays,
    solids: Solids | None,
    keep: FloatArray,
    q: FloatArray,
    room: Room,
    bounds: tuple[FloatArray, FloatArray],
    half: float,
) -> float:
    """Share of a move with rates ``bounds`` certified on both sides of ``q``, at most ``half``; 0 on contact."""
    place(space, q, room)
    own, moves = bounds
    best = _free_of_itself(space, keep, room.capsules, own, half)
    if solids is not None and best > 0.0:
        best = _free_of_solids(solids, space.capsules, keep, room.capsules, moves, best)
    return best


@njit(cache=True)
def certified(
    space: SpaceArrays,
    solids: Solids | None,
    keep: FloatArray,
    a: FloatArray,
    b: FloatArray,
    room: Room,
    checks: int,
) -> bool:
    """Whether the whole straight move ``a -> b`` keeps every gap; running out of ``checks`` counts as not."""
    own, moves, q = np.empty(space.pairs.shape[0]), np.empty(space.carriers.shape[0]), np.empty(a.shape[0])
    rates(space, b - a, own, moves)
    gaps = np.empty((2 * checks + 2, 2))
    gaps[0, 0], gaps[0, 1] = 0.0, 1.0
    reading, writing = 0, 1
    # A queue, not a stack: the coarsest stretches find contact soonest.
    while reading < writing:
        if reading >= checks:
            return False
        low, high = gaps[reading, 0], gaps[reading, 1]
        reading += 1
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        for c in range(q.shape[0]):
            q[c] = a[c] + middle * (b[c] - a[c])
        free = free_share(space, solids, keep, q, room, (own, moves), half)
        if free >= half:
            continue
        if free < _SMALLEST:
            return False
        gaps[writing, 0], gaps[writing, 1] = low, middle - free
        gaps[writing + 1, 0], gaps[writing + 1, 1] = middle + free, high
        writing += 2
    return True


@njit(cache=True)
def advanced(
    space: SpaceArrays,
    solids: Solids | None,
    keep: FloatArray,
    a: FloatArray,
    b: FloatArray,
    room: Room,
    checks: int,
) -> float:
    """Share of the move ``a -> b``, from its start, that keeps every gap: 1 when all of it does."""
    own, moves, q = np.empty(space.pairs.shape[0]), np.empty(space.carriers.shape[0]), np.empty(a.shape[0])
    rates(space, b - a, own, moves)
    done = 0.0
    for _ in range(checks):
        for c in range(q.shape[0]):
            q[c] = a[c] + done * (b[c] - a[c])
        free = free_share(space, solids, keep, q, room, (own, moves), 1.0 - done)
        if free < 1e-3:
            return done
        # What is certified holds up to, not quite including, contact.
        done += free if free >= 1.0 - done else 0.98 * free
        if done >= 1.0:
            return 1.0
    return done
