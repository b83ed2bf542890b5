"""Whether a whole interpolated move is free, so that nothing tunnels (conservative advancement).

Between the poses the root moves linearly and every joint turns by slerp, so a point of a capsule moves at most
``|root step| + sum over joints above it of (angle x reach)`` per unit of the move; two capsules of one body approach
by the turns below their lowest common joint only; a solid moves by its track's largest speed. A distance ``d`` above
the clearance therefore certifies ``d / rate`` of the move before and after. Gaps between certified stretches are halved
until none is left or contact is met.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._hit_kernels import near_solids
from understudy.collision._placing_kernels import key_before, place_capsules, place_joints, place_moving
from understudy.collision._segment_kernels import pair_nearest
from understudy.collision._shape_kernels import solid_signed
from understudy.collision.tables import (
    BOUND,
    CENTRE,
    PLACE,
    BodyArrays,
    BroadArrays,
    PartArrays,
    Placed,
    SolidArrays,
    TrackArrays,
)
from understudy.compiling.kernel import njit
from understudy.rotations._kernels import qslerp
from understudy.typing import BoolArray, FloatArray, IntArray

#: Share of a move below which an uncertified gap counts as contact.
_SMALLEST = 1e-7

#: Bounds are raised by this factor, so that rounding cannot make them too small.
_ROUNDING = 1.0 + 1e-9


@njit(cache=True, error_model="numpy")
def turn_angle(a: FloatArray, b: FloatArray, j: int) -> float:
    """Angle [rad] between the rotations of joint ``j`` in two poses."""
    apart, together = 0.0, 0.0
    for i in range(4):
        apart += (a[j, i] - b[j, i]) ** 2
        together += (a[j, i] + b[j, i]) ** 2
    return 4.0 * math.atan2(math.sqrt(min(apart, together)), math.sqrt(max(apart, together)))


@njit(cache=True, error_model="numpy")
def capsule_rates(
    body: BodyArrays, roots: FloatArray, start: FloatArray, end: FloatArray, angles: FloatArray, rates: FloatArray
) -> None:
    """Fill joint ``angles`` [rad] and how far each capsule can move in the whole move, ``rates`` [m]."""
    shift = 0.0
    for i in range(3):
        shift += (roots[1, i] - roots[0, i]) ** 2
    for j in range(angles.shape[0]):
        angles[j] = turn_angle(start, end, j)
    for c in range(rates.shape[0]):
        rates[c] = _ROUNDING * math.sqrt(shift)
        for j in range(angles.shape[0]):
            rates[c] += _ROUNDING * angles[j] * body.reach[j, c]


@njit(cache=True, error_model="numpy")
def pair_rate(body: BodyArrays, angles: FloatArray, i: int, j: int, shared: int) -> float:
    """How far two capsules can approach by the turns of the joints below the lowest one they share [m]."""
    rate = 0.0
    joint = body.joints[i]
    while joint != shared:
        rate += angles[joint] * body.reach[joint, i]
        joint = body.parents[joint]
    joint = body.joints[j]
    while joint != shared:
        rate += angles[joint] * body.reach[joint, j]
        joint = body.parents[joint]
    return _ROUNDING * rate


@njit(cache=True, error_model="numpy")
def solid_rates(tracks: TrackArrays, rows: FloatArray, t0: float, t1: float, rates: FloatArray) -> None:
    """Fill how far any point of each solid can move between two times, per unit of the move [m]."""
    rates[:] = 0.0
    low, high = min(t0, t1), max(t0, t1)
    for k in range(tracks.spans.shape[0]):
        i, first, last = tracks.spans[k, 0], tracks.spans[k, 1], tracks.spans[k, 2]
        # The bounding sphere's farthest point from the solid's own origin.
        x, y, z = (
            rows[i, CENTRE] - rows[i, PLACE],
            rows[i, CENTRE + 1] - rows[i, PLACE + 1],
            rows[i, CENTRE + 2] - rows[i, PLACE + 2],
        )
        far = rows[i, BOUND] + math.sqrt(x * x + y * y + z * z)
        fastest = 0.0
        for a in range(key_before(tracks.times, first, last, low), last - 1):
            if tracks.times[a] >= high:
                break
            shift = 0.0
            for m in range(3):
                shift += (tracks.poses[a + 1, m] - tracks.poses[a, m]) ** 2
            angle = turn_angle(tracks.poses[a : a + 1, 3:], tracks.poses[a + 1 : a + 2, 3:], 0)
            turn = angle * far if angle > 0.0 else 0.0
            fastest = max(fastest, (math.sqrt(shift) + turn) / (tracks.times[a + 1] - tracks.times[a]))
        rates[i] = _ROUNDING * fastest * (high - low)


@njit(cache=True, error_model="numpy")
def mixed_pose(
    start: FloatArray, end: FloatArray, roots: FloatArray, s: float, local: FloatArray, root: FloatArray
) -> None:
    """Write the pose at ``s`` in [0, 1] between two poses into ``local (1, joints, 4)`` and ``root (1, 3)``."""
    for i in range(3):
        root[0, i] = roots[0, i] + s * (roots[1, i] - roots[0, i])
    for j in range(start.shape[0]):
        w, x, y, z = qslerp(
            start[j, 0],
            start[j, 1],
            start[j, 2],
            start[j, 3],
            end[j, 0],
            end[j, 1],
            end[j, 2],
            end[j, 3],
            s,
        )
        local[0, j, 0], local[0, j, 1], local[0, j, 2], local[0, j, 3] = w, x, y, z


@njit(cache=True, error_model="numpy")
def certified(
    body: BodyArrays,
    part: PartArrays,
    solids: SolidArrays,
    rows: FloatArray,
    segments: FloatArray,
    touchable: BoolArray,
    clearance: float,
    pair_moves: FloatArray,
    moves: FloatArray,
    solid_moves: FloatArray,
    half: float,
    found: IntArray,
    count: int,
) -> tuple[float, int, int, int]:
    """Share of the move certified free on both sides of a placed pose, at most ``half``.

    Only the solids ``found[:count]`` are looked at; all others must be out of reach.
    Returns that share (0 on contact) and the pair that limits it: 0 for capsule and solid or 1 for two capsules, then
    their indices; -1 when nothing limits it.
    """
    best, kind, first, second = half, -1, -1, -1
    for k in range(part.pairs.shape[0]):
        i, j = part.pairs[k, 0], part.pairs[k, 1]
        rate = pair_moves[k]
        gap = part.gaps[k] + clearance
        x, y, z = segments[i, 6] - segments[j, 6], segments[i, 7] - segments[j, 7], segments[i, 8] - segments[j, 8]
        near = math.sqrt(x * x + y * y + z * z) - (body.bounds[i] - body.radii[i]) - (body.bounds[j] - body.radii[j])
        if near > gap + rate * best:
            continue
        d2, _, _ = pair_nearest(segments, i, j)
        d = math.sqrt(d2) - gap
        if d <= 0.0:
            return 0.0, 1, i, j
        if d < rate * best:
            best, kind, first, second = d / rate, 1, i, j
    for n in range(count):
        i = found[n]
        for k in range(part.capsules.shape[0]):
            c = part.capsules[k]
            rate = moves[c] + solid_moves[i]
            gap = body.radii[c] + clearance
            x, y, z = (
                segments[c, 6] - rows[i, CENTRE],
                segments[c, 7] - rows[i, CENTRE + 1],
                segments[c, 8] - rows[i, CENTRE + 2],
            )
            near = math.sqrt(x * x + y * y + z * z) - (body.bounds[c] - body.radii[c]) - rows[i, BOUND]
            if near > gap + rate * best or not touchable[c, i]:
                continue
            ax, ay, az = segments[c, 0], segments[c, 1], segments[c, 2]
            bx, by, bz = segments[c, 3], segments[c, 4], segments[c, 5]
            d, _, _, _, _ = solid_signed(solids, rows, i, ax, ay, az, bx, by, bz)
            d -= gap
            if d <= 0.0:
                return 0.0, 0, c, i
            if d < rate * best:
                best, kind, first, second = d / rate, 0, c, i
    return best, kind, first, second


@njit(cache=True, error_model="numpy")
def sweep(
    body: BodyArrays,
    part: PartArrays,
    solids: SolidArrays,
    broad: BroadArrays,
    tracks: TrackArrays,
    placed: Placed,
    roots: FloatArray,
    start: FloatArray,
    end: FloatArray,
    times: FloatArray,
    touchable: BoolArray,
    clearance: float,
    first_contact: bool,
    checks: int,
) -> tuple[float, int, int, int, int]:
    """Certify a move from ``start`` to ``end (joints, 4)``, ``roots (2, 3)``, ``times (2,)``.

    Returns where contact was met (2.0 when the move is free; the first contact if asked for, else any), the pair as
    in :func:`certified`, and how many poses were looked at. Running out of ``checks`` counts as contact.
    """
    at, turned, segments = placed.at, placed.turned, placed.segments
    rows = solids.rows.copy()
    local, root = np.empty((1, start.shape[0], 4)), np.empty((1, 3))
    angles, moves, solid_moves = np.empty(start.shape[0]), np.empty(body.radii.shape[0]), np.empty(rows.shape[0])
    capsule_rates(body, roots, start, end, angles, moves)
    pair_moves = np.empty(part.pairs.shape[0])
    for k in range(part.pairs.shape[0]):
        pair_moves[k] = pair_rate(body, angles, part.pairs[k, 0], part.pairs[k, 1], part.shared[k])
    place_moving(tracks, times[0], rows)
    solid_rates(tracks, rows, times[0], times[1], solid_moves)
    every, found = np.arange(body.radii.shape[0]), np.empty(rows.shape[0], dtype=np.int64)
    farthest = moves.max() + (solid_moves.max() if rows.shape[0] > 0 else 0.0)
    # A queue, not a stack: coarse gaps first find contact soonest. Forward search needs its next point only.
    gaps = np.empty((checks + 2, 2))
    gaps[0, 0], gaps[0, 1] = 0.0, 1.0
    reading, writing, looked = 0, 1, 0
    while reading < writing:
        low, high = gaps[reading, 0], gaps[reading, 1]
        reading += 1
        s = low if first_contact else 0.5 * (low + high)
        mixed_pose(start, end, roots, s, local, root)
        place_joints(body.parents, body.offsets, part.joints, root, local, 0, at, turned)
        place_capsules(body.joints, body.ends, every, at, turned, segments)
        place_moving(tracks, times[0] + s * (times[1] - times[0]), rows)
        half = (high - low) if first_contact else 0.5 * (high - low)
        count = near_solids(
            broad.boxes,
            broad.links,
            broad.items,
            broad.always,
            rows,
            segments,
            body.bounds,
            part.capsules,
            clearance + farthest * half,
            found,
        )
        free, kind, i, j = certified(
            body,
            part,
            solids,
            rows,
            segments,
            touchable,
            clearance,
            pair_moves,
            moves,
            solid_moves,
            half,
            found,
            count,
        )
        looked += 1
        if free >= half:
            continue
        if free < _SMALLEST or writing + 2 > gaps.shape[0]:
            return s, kind, i, j, looked
        if first_contact:
            gaps[writing, 0], gaps[writing, 1] = s + free, high
            writing += 1
        else:
            gaps[writing, 0], gaps[writing, 1] = low, s - free
            gaps[writing + 1, 0], gaps[writing + 1, 1] = s + free, high
            writing += 2
    return 2.0, -1, -1, -1, looked
