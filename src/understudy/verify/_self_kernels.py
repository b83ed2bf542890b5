"""The judge's search for overlaps of a body with itself (``search.py``, for these pairs alone) as compiled loops."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from understudy.typing import BoolArray, FloatArray, IntArray
from understudy.verify._forward_kernels import placed_joints
from understudy.verify._kernels import segment_gap
from understudy.verify._search_kernels import moments_near


class Clip(NamedTuple):
    """A body in motion, and where its capsules are at dense samples.

    Attributes:
        roots: ``(frames, 3)`` [m].
        rotations: ``(frames, joints, 4)``.
        clock: Frames per second, and when the motion begins [s].
        times: ``(n,)`` of the samples, rising [s].
        seen: ``(n, capsules, 2, 3)`` ends of capsules in the root's frame at the samples [m].
    """

    roots: FloatArray
    rotations: FloatArray
    clock: tuple[float, float]
    times: FloatArray
    seen: FloatArray


class Pairs(NamedTuple):
    """What may overlap what, and how deep.

    Attributes:
        parents: ``(joints,)``.
        offsets: ``(joints, 3)`` [m].
        wanted: ``(pairs, joints)`` joints that carry a pair's capsules with all above them, rising; then -1.
        joints: ``(capsules,)`` joint of every capsule.
        starts: ``(capsules, 3)`` [m] in its joint's frame.
        ends: ``(capsules, 3)`` [m].
        pairs: ``(pairs, 2)`` capsules.
        radii: ``(pairs,)`` sum of both radii [m].
        rules: ``(rules, 4)`` pair, from and until [s], depth allowed [m].
    """

    parents: IntArray
    offsets: FloatArray
    wanted: IntArray
    joints: IntArray
    starts: FloatArray
    ends: FloatArray
    pairs: IntArray
    radii: FloatArray
    rules: FloatArray


class Found(NamedTuple):
    """Moments of pairs, in the order in which they were measured.

    Attributes:
        items: ``(n,)`` pair.
        values: ``(n, 3)`` time [s], signed distance [m] and depth allowed [m].
        places: ``(n, 2, 2, 3)`` ends of both capsules in the root's frame [m].
    """

    items: IntArray
    values: FloatArray
    places: FloatArray


class Room(NamedTuple):
    """Room for one pose and one pair.

    Attributes:
        place: ``(1,)`` frame.
        positions: ``(1, joints, 3)``.
        world: ``(1, joints, 3, 3)``.
        ends: ``(1, 2, 2, 3)``.
        both: 0 and 1.
        source: ``(2, 2, 3)`` the pair in the source.
    """

    place: FloatArray
    positions: FloatArray
    world: FloatArray
    ends: FloatArray
    both: IntArray
    source: FloatArray


@njit(cache=True)
def in_frames(ends: FloatArray, roots: FloatArray, turns: FloatArray, parts: IntArray, out: FloatArray) -> None:
    """Write ends ``(n, capsules, 2, 3)`` of some capsules in frames at ``roots`` with the matrices ``turns``."""
    for n in range(len(ends)):
        for c in parts:
            for e in range(2):
                x, y, z = (
                    ends[n, c, e, 0] - roots[n, 0],
                    ends[n, c, e, 1] - roots[n, 1],
                    ends[n, c, e, 2] - roots[n, 2],
                )
                for i in range(3):
                    out[n, c, e, i] = x * turns[n, 0, i] + y * turns[n, 1, i] + z * turns[n, 2, i]


@njit(cache=True)
def _worked_out(clip: Clip, pairs: Pairs, time: float, pair: int, room: Room, out: FloatArray) -> None:
    """Write both capsules' ends ``(2, 2, 3)`` in the root's frame at a time that is no sample."""
    place, count = min(max((time - clip.clock[1]) * clip.clock[0], 0.0), len(clip.roots) - 1.0), 0
    room.place[0] = np.rint(place) if abs(place - np.rint(place)) < 1e-9 else place
    while count < pairs.wanted.shape[1] and pairs.wanted[pair, count] >= 0:
        count += 1
    moves, wanted = (clip.roots, clip.rotations), pairs.wanted[pair, :count]
    placed_joints(moves, pairs.parents, pairs.offsets, wanted, room.place, room.positions, room.world)
    for b in range(2):
        c = pairs.pairs[pair, b]
        at, turn, ends = room.positions[0, pairs.joints[c]], room.world[0, pairs.joints[c]], room.ends[0, b]
        for i in range(3):
            x, y, z = turn[i, 0], turn[i, 1], turn[i, 2]
            ends[0, i] = at[i] + x * pairs.starts[c, 0] + y * pairs.starts[c, 1] + z * pairs.starts[c, 2]
            ends[1, i] = at[i] + x * pairs.ends[c, 0] + y * pairs.ends[c, 1] + z * pairs.ends[c, 2]
    in_frames(room.ends, room.positions[0, :1], room.world[0, :1], room.both, out.reshape(1, 2, 2, 3))


@njit(cache=True)
def _first_not_before(times: FloatArray, time: float) -> int:
    """The first of some rising times that is not before another one, or the last of them."""
    low, high = 0, len(times) - 1
    while low < high:
        middle = (low + high) // 2
        if times[middle] < time:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def _located(clip: Clip, pairs: Pairs, time: float, sample: int, pair: int, room: Room, out: FloatArray) -> None:
    """Write both capsules' ends ``(2, 2, 3)`` in the root's frame; times all but equal to a sample's are the same."""
    where = sample
    if where < 0 or abs(clip.times[where] - time) > 1e-9:
        where = _first_not_before(clip.times, time - 1e-9)
    if abs(clip.times[where] - time) > 1e-9:
        _worked_out(clip, pairs, time, pair, room, out)
        return
    for b in range(2):
        for e in range(2):
            for i in range(3):
                out[b, e, i] = clip.seen[where, pairs.pairs[pair, b], e, i]


@njit(cache=True)
def _measure(clip: Clip, source: Clip, pairs: Pairs, found: Found, row: int, sample: int, room: Room) -> None:
    """Measure the moment whose pair and time are written in a row: a sample, or any other moment (-1).

    A pair may overlap as deep as a rule says, or as deep as the source at the same time.
    """
    pair, time = found.items[row], found.values[row, 0]
    _located(clip, pairs, time, sample, pair, room, found.places[row])
    gap, depth = segment_gap(found.places[row, 0], found.places[row, 1]) - pairs.radii[pair], 0.0
    for k in range(len(pairs.rules)):
        if int(pairs.rules[k, 0]) == pair and pairs.rules[k, 1] <= time <= pairs.rules[k, 2]:
            depth = max(depth, pairs.rules[k, 3])
    if gap < 0.0:
        _located(source, pairs, time - clip.clock[1], sample, pair, room, room.source)
        depth = max(depth, pairs.radii[pair] - segment_gap(room.source[0], room.source[1]))
    found.values[row, 1], found.values[row, 2] = gap, depth


@njit(cache=True)
def _may_hide(found: Found, left: int, right: int, best: FloatArray, steps: FloatArray) -> bool:
    """Whether an overlap that matters could lie between two moments of a pair; see ``search.py``."""
    way = 0.0
    for b in range(2):
        most = 0.0
        for e in range(2):
            square = 0.0
            for i in range(3):
                square += (found.places[left, b, e, i] - found.places[right, b, e, i]) ** 2
            most = max(most, square)
        way += math.sqrt(most)
    way *= steps[0]
    lower, upper = (found.values[left, 1] + found.values[left, 2], found.values[right, 1] + found.values[right, 2])
    seen, counted, exact = min(lower, upper), steps[1], steps[2]
    wanted = min(seen - 2.5 * exact, -0.5 * counted)
    if seen < -counted:
        wanted = best[found.items[left]] - exact
    return 0.5 * (lower + upper - way) < wanted and way > 1e-9


@njit(cache=True)
def _with_room(found: Found, used: int, more: int) -> Found:
    """The same moments with room for more of them."""
    if used + more <= len(found.items):
        return found
    size = 2 * (used + more)
    items, values, places = np.empty(size, dtype=np.int64), np.empty((size, 3)), np.empty((size, 2, 2, 3))
    for row in range(used):
        items[row] = found.items[row]
        for i in range(3):
            values[row, i] = found.values[row, i]
            for b in range(2):
                for e in range(2):
                    places[row, b, e, i] = found.places[row, b, e, i]
    return Found(items, values, places)


@njit(cache=True)
def search_window(
    clip: Clip,
    source: Clip,
    pairs: Pairs,
    near: BoolArray,
    window: tuple[int, int],
    best: FloatArray,
    steps: FloatArray,
    rounds: int,
) -> tuple[Found, int]:
    """Pairs at samples where they are near, and between them wherever an overlap could hide.

    Args:
        clip: What is judged.
        source: What it was made from, with the same frames.
        pairs: Pairs of capsules.
        near: ``(n - 1, pairs)`` intervals between samples to look at.
        window: First sample and stop.
        best: ``(pairs,)`` least distances above what is allowed so far [m]; lowered.
        steps: How much longer arcs are than chords, the depth that counts and how exactly depths are found [m].
        rounds: Halvings of one interval.

    Returns:
        Moments, and how many of them there are.
    """
    joints = len(pairs.parents)
    poses = np.empty(1), np.empty((1, joints, 3)), np.empty((1, joints, 3, 3))
    room = Room(*poses, np.empty((1, 2, 2, 3)), np.arange(2), np.empty((2, 2, 3)))
    samples, items, lefts, rights = moments_near(near, window[0], window[1])
    used = len(samples)
    found = Found(np.empty(2 * used, dtype=np.int64), np.empty((2 * used, 3)), np.empty((2 * used, 2, 2, 3)))
    for row in range(used):
        found.items[row], found.values[row, 0] = items[row], clip.times[samples[row]]
        _measure(clip, source, pairs, found, row, samples[row], room)
        best[items[row]] = min(best[items[row]], found.values[row, 1] + found.values[row, 2])
    for _ in range(rounds):
        kept = 0
        for k in range(len(lefts)):
            if _may_hide(found, lefts[k], rights[k], best, steps):
                lefts[kept], rights[kept] = lefts[k], rights[k]
                kept += 1
        if kept == 0:
            break
        found = _with_room(found, used, kept)
        more, after = np.empty(2 * kept, dtype=np.int64), np.empty(2 * kept, dtype=np.int64)
        for k in range(kept):
            row = used + k
            found.items[row] = found.items[lefts[k]]
            found.values[row, 0] = 0.5 * (found.values[lefts[k], 0] + found.values[rights[k], 0])
            _measure(clip, source, pairs, found, row, -1, room)
            more[k], after[k] = lefts[k], row
            more[kept + k], after[kept + k] = row, rights[k]
        for row in range(used, used + kept):
            best[found.items[row]] = min(best[found.items[row]], found.values[row, 1] + found.values[row, 2])
        used, lefts, rights = used + kept, more, after
    return found, used
