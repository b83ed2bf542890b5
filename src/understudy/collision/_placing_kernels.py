"""Placing a body's capsules and a world's moving solids."""

from __future__ import annotations

from understudy.collision.tables import CENTRE, MIDDLE, PLACE, TURN, TrackArrays
from understudy.compiling.kernel import njit
from understudy.rotations._kernels import qmul, qrot, qslerp
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def place_joints(
    parents: IntArray,
    offsets: FloatArray,
    joints: IntArray,
    roots: FloatArray,
    local: FloatArray,
    f: int,
    at: FloatArray,
    turned: FloatArray,
) -> None:
    """World positions ``at (all, 3)`` and rotations ``turned (all, 4)`` of ``joints`` in pose ``f``.

    ``local (poses, joints, 4)``; ``roots`` has a row per pose or one. Joints above must be in place already.
    Loops that run once per pose get plain arrays: handing over a tuple of arrays costs more than they do.
    """
    for k in range(joints.shape[0]):
        j = joints[k]
        p = parents[j]
        if p < 0:
            r = min(f, roots.shape[0] - 1)
            at[j, 0], at[j, 1], at[j, 2] = roots[r, 0], roots[r, 1], roots[r, 2]
            turned[j, 0], turned[j, 1], turned[j, 2], turned[j, 3] = (
                local[f, k, 0],
                local[f, k, 1],
                local[f, k, 2],
                local[f, k, 3],
            )
            continue
        w, x, y, z = turned[p, 0], turned[p, 1], turned[p, 2], turned[p, 3]
        dx, dy, dz = qrot(w, x, y, z, offsets[j, 0], offsets[j, 1], offsets[j, 2])
        at[j, 0], at[j, 1], at[j, 2] = at[p, 0] + dx, at[p, 1] + dy, at[p, 2] + dz
        qw, qx, qy, qz = qmul(w, x, y, z, local[f, k, 0], local[f, k, 1], local[f, k, 2], local[f, k, 3])
        turned[j, 0], turned[j, 1], turned[j, 2], turned[j, 3] = qw, qx, qy, qz


@njit(cache=True, error_model="numpy")
def place_capsules(
    carriers: IntArray,
    ends: FloatArray,
    capsules: IntArray,
    at: FloatArray,
    turned: FloatArray,
    segments: FloatArray,
) -> None:
    """World segments ``(all, 9)`` of ``capsules``: start, end, middle."""
    for k in range(capsules.shape[0]):
        c = capsules[k]
        j = carriers[c]
        w, x, y, z = turned[j, 0], turned[j, 1], turned[j, 2], turned[j, 3]
        for end in (0, 3):
            dx, dy, dz = qrot(w, x, y, z, ends[c, end], ends[c, end + 1], ends[c, end + 2])
            segments[c, end] = at[j, 0] + dx
            segments[c, end + 1] = at[j, 1] + dy
            segments[c, end + 2] = at[j, 2] + dz
        for i in range(3):
            segments[c, 6 + i] = 0.5 * (segments[c, i] + segments[c, 3 + i])


@njit(cache=True, error_model="numpy")
def place_solid(
    rows: FloatArray,
    i: int,
    px: float,
    py: float,
    pz: float,
    w: float,
    x: float,
    y: float,
    z: float,
) -> None:
    """Write position ``p`` and rotation ``q`` of solid ``i``, and where its bounding sphere is then."""
    rows[i, PLACE], rows[i, PLACE + 1], rows[i, PLACE + 2] = px, py, pz
    rows[i, TURN] = 1.0 - 2.0 * (y * y + z * z)
    rows[i, TURN + 1] = 2.0 * (x * y - w * z)
    rows[i, TURN + 2] = 2.0 * (x * z + w * y)
    rows[i, TURN + 3] = 2.0 * (x * y + w * z)
    rows[i, TURN + 4] = 1.0 - 2.0 * (x * x + z * z)
    rows[i, TURN + 5] = 2.0 * (y * z - w * x)
    rows[i, TURN + 6] = 2.0 * (x * z - w * y)
    rows[i, TURN + 7] = 2.0 * (y * z + w * x)
    rows[i, TURN + 8] = 1.0 - 2.0 * (x * x + y * y)
    mx, my, mz = rows[i, MIDDLE], rows[i, MIDDLE + 1], rows[i, MIDDLE + 2]
    for k in range(3):
        line = TURN + 3 * k
        rows[i, CENTRE + k] = rows[i, PLACE + k] + rows[i, line] * mx + rows[i, line + 1] * my + rows[i, line + 2] * mz


@njit(cache=True, error_model="numpy")
def key_before(times: FloatArray, first: int, last: int, t: float) -> int:
    """Index of the last of the keys ``first .. last - 1`` not after ``t``; ``first`` when all are."""
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= t:
            low = middle
        else:
            high = middle
    return low


@njit(cache=True, error_model="numpy")
def place_moving(tracks: TrackArrays, t: float, rows: FloatArray) -> None:
    """Write the pose of every moving solid at time ``t`` [s]."""
    poses = tracks.poses
    for k in range(tracks.spans.shape[0]):
        i, first, last = tracks.spans[k, 0], tracks.spans[k, 1], tracks.spans[k, 2]
        a = key_before(tracks.times, first, last, t)
        b = min(a + 1, last - 1)
        share = 0.0
        if b > a and t > tracks.times[a]:
            share = (t - tracks.times[a]) / (tracks.times[b] - tracks.times[a])
        w, x, y, z = qslerp(
            poses[a, 3],
            poses[a, 4],
            poses[a, 5],
            poses[a, 6],
            poses[b, 3],
            poses[b, 4],
            poses[b, 5],
            poses[b, 6],
            share,
        )
        px = poses[a, 0] + share * (poses[b, 0] - poses[a, 0])
        py = poses[a, 1] + share * (poses[b, 1] - poses[a, 1])
        pz = poses[a, 2] + share * (poses[b, 2] - poses[a, 2])
        place_solid(rows, i, px, py, pz, w, x, y, z)


@njit(cache=True, error_model="numpy")
def place_still(places: FloatArray, turns: FloatArray, rows: FloatArray) -> None:
    """Write the pose of every solid from positions ``(n, 3)`` and quaternions ``(n, 4)``."""
    for i in range(places.shape[0]):
        place_solid(
            rows,
            i,
            places[i, 0],
            places[i, 1],
            places[i, 2],
            turns[i, 0],
            turns[i, 1],
            turns[i, 2],
            turns[i, 3],
        )
