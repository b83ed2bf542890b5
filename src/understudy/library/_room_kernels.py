"""Compiled room between the legs: a swinging foot passes the standing leg a little farther outside.

Seams that pass one by one can bring the legs together by a millimetre or two in a row. The foot that swings then makes
a small arc outwards, nothing where it lifts off and lands, so that footholds stay where they are.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.kinematics._kernels import forward_frames
from understudy.library._closeness_kernels import capsule_ends, deepest
from understudy.library._leg_kernels import leg_world, placed_leg
from understudy.library.tables import BodyTable, LegTable
from understudy.typing import BoolArray, FloatArray, IntArray

#: [m] room made beyond what is needed, widest arc, and how often it is widened.
SPARE_M, WIDEST_M, ROUNDS = 0.0008, 0.03, 5
#: Share of its width below which an arc is too flat to help.
FLAT = 0.2


@njit(cache=True)
def overlaps(
    legs: LegTable, body: BodyTable, roots: FloatArray, turns: FloatArray, begin: int, stop: int, out: FloatArray
) -> None:
    """How much deeper than recorded the legs overlap from every frame to the next [m], written to ``out``."""
    last = min(stop + 1, len(roots))
    count, joints = last - begin, turns.shape[1]
    places, world = np.empty((count, joints, 3)), np.empty((count, joints, 4))
    forward_frames(legs.parents, legs.offsets, roots[begin:last], turns[begin:last], places, world)
    ends, root = np.empty((count, len(body.joints), 2, 3)), np.empty((count, 7))
    for k in range(count):
        capsule_ends(body, places[k], world[k], ends[k])
        root[k, :4], root[k, 4:] = turns[begin + k, 0], roots[begin + k]
    for frame in range(begin, stop):
        k, after = frame - begin, min(frame + 1, last - 1) - begin
        out[frame] = deepest(body, ends[k], ends[after], root[k], root[after])


@njit(cache=True)
def swings(planted: BoolArray) -> IntArray:
    """``(frames, 2, 2)`` when the swing of a foot that is under way begins and ends; -1 while it stands."""
    count = len(planted)
    out = np.full((count, 2, 2), -1, dtype=np.int64)
    for side in range(2):
        frame = 0
        while frame < count:
            begin = frame
            while frame < count and not planted[frame, side]:
                frame += 1
            for k in range(begin, frame):
                out[k, side, 0], out[k, side, 1] = begin, frame
            frame += 1
    return out


@njit(cache=True, forceinline=True)
def arc(swing: IntArray, frame: float) -> float:
    """Share of an arc's width at a moment of a swing: 0 at both ends, 1 in its middle."""
    if swing[0] < 0:
        return 0.0
    first, last = swing[0] - 1, swing[1]
    return math.sin(math.pi * min(max((frame - first) / max(last - first, 1), 0.0), 1.0)) ** 2


@njit(cache=True)
def widened(legs: LegTable, planted: BoolArray, widths: FloatArray, roots: FloatArray, turns: FloatArray) -> None:
    """Move swinging feet outwards by the arcs ``widths`` ``(frames, 2)`` [m], along the line of the hips."""
    work, other, place, turn = np.empty((5, 7)), np.empty((5, 7)), np.empty(3), np.empty(4)
    for frame in range(len(roots)):
        for side in range(2):
            if widths[frame, side] == 0.0:
                continue
            leg_world(legs, side, roots[frame], turns[frame], work)
            leg_world(legs, 1 - side, roots[frame], turns[frame], other)
            x, z = work[0, 4] - other[0, 4], work[0, 6] - other[0, 6]
            size = max(math.sqrt(x * x + z * z), 1e-9)
            place[0] = work[4, 4] + widths[frame, side] * x / size
            place[1] = work[4, 5]
            place[2] = work[4, 6] + widths[frame, side] * z / size
            turn[:] = work[4, :4]
            placed_leg(legs, side, turns[frame], place, turn, work)


@njit(cache=True)
def with_room(
    legs: LegTable, body: BodyTable, planted: BoolArray, slack: float, roots: FloatArray, turns: FloatArray
) -> tuple[bool, FloatArray]:
    """Whether the legs pass each other after swinging feet were moved outwards, and the rotations then.

    Args:
        legs: Both legs.
        body: Their capsules, and how deep the recordings let them overlap.
        planted: ``(frames, 2)`` when the feet stand.
        slack: Overlaps up to this are none [m].
        roots: ``(frames, 3)`` [m].
        turns: ``(frames, joints, 4)``.
    """
    count, swing = len(roots), swings(planted)
    deep, widths = np.zeros(count), np.zeros((count, 2))
    overlaps(legs, body, roots, turns, 0, count, deep)
    made = turns.copy()
    for _ in range(ROUNDS):
        if deep.max() <= slack:
            return True, made
        wider = np.zeros((count, 2))
        for frame in range(count):
            if deep[frame] <= slack:
                continue
            shares = arc(swing[frame, 0], frame + 0.5), arc(swing[frame, 1], frame + 0.5)
            side = 0 if shares[0] >= shares[1] else 1
            if shares[side] < FLAT:
                return False, turns
            begin = swing[frame, side, 0]
            wider[begin, side] = max(wider[begin, side], (deep[frame] + SPARE_M) / shares[side])
        for side in range(2):
            for begin in range(count):
                if wider[begin, side] == 0.0:
                    continue
                for frame in range(begin, swing[begin, side, 1]):
                    widths[frame, side] += wider[begin, side] * arc(swing[begin, side], frame)
        if widths.max() > WIDEST_M:
            return False, turns
        made = turns.copy()
        widened(legs, planted, widths, roots, made)
        overlaps(legs, body, roots, made, 0, count, deep)
    return deep.max() <= slack, made
