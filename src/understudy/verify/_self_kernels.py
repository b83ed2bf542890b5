"""The judge's search for overlaps of a body with itself (``search.py``, for these pairs alone) as compiled loops."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.typing import BoolArray, FloatArray, IntArray
from understudy.verify._forward_kernels import arc_between, write_turn
from understudy.verify._kernels import segment_gap
from understudy.verify._search_kernels import could_hide, moments_near, way_between


class Clip(NamedTuple):
    """A body in motion, and where its capsules are at dense samples.

    Attributes:
        rotations: ``(frames, joints, 4)``.
        clock: Frames per second, and when the motion begins [s].
        times: ``(n,)`` of the samples, rising [s].
        seen: ``(n, capsules, 2, 3)`` ends of capsules in the root's frame at the samples [m].
    """

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
    """Room for one clip's pose, seen from its root.

    Attributes:
        positions: ``(joints, 3)``; the root's is the origin.
        world: ``(joints, 3, 3)``; the root's is the identity.
        own: ``(3, 3)`` one joint's rotation.
        arcs: ``(joints, 3)`` how joints turn between two frames.
        frames: ``(joints,)`` the first of those frames, or -1.
        places: ``(joints,)`` the frame, and share of the way to the next, at which each joint is placed; or -1.
        pair: ``(2, 2, 3)`` one pair's ends.
    """

    positions: FloatArray
    world: FloatArray
    own: FloatArray
    arcs: FloatArray
    frames: IntArray
    places: FloatArray
    pair: FloatArray


@njit(cache=True)
def _room(joints: int) -> Room:
    world, frames = np.zeros((joints, 3, 3)), np.full(joints, -1)
    for i in range(3):
        world[0, i, i] = 1.0
    own, arcs, places = np.empty((3, 3)), np.zeros((joints, 3)), np.full(joints, -1.0)
    return Room(np.zeros((joints, 3)), world, own, arcs, frames, places, np.empty((2, 2, 3)))


@uncounted
def _worked_out(clip: Clip, pairs: Pairs, time: float, pair: int, room: Room, out: FloatArray) -> None:
    """Write both capsules' ends ``(2, 2, 3)`` in the root's frame at a time that is no sample."""
    frames = len(clip.rotations)
    place = min(max((time - clip.clock[1]) * clip.clock[0], 0.0), frames - 1.0)
    place = np.rint(place) if abs(place - np.rint(place)) < 1e-9 else place
    before = min(math.floor(place), max(frames - 2, 0))
    after, share = min(before + 1, frames - 1), place - before
    for j in pairs.wanted[pair, 1:]:
        if j < 0:
            break
        if room.places[j] == place:
            continue  # Many pairs share a limb.
        room.places[j] = place
        one, two = clip.rotations[before, j], clip.rotations[after, j]
        if share != 0.0 and room.frames[j] != before:
            room.arcs[j, 0], room.arcs[j, 1], room.arcs[j, 2] = arc_between(one, two)
            room.frames[j] = before
        write_turn(one, two, share, room.arcs[j], room.own)
        above, at = room.world[pairs.parents[j]], room.positions[pairs.parents[j]]
        for i in range(3):
            x, y, z = above[i, 0], above[i, 1], above[i, 2]
            room.positions[j, i] = at[i] + x * pairs.offsets[j, 0] + y * pairs.offsets[j, 1] + z * pairs.offsets[j, 2]
            for k in range(3):
                room.world[j, i, k] = x * room.own[0, k] + y * room.own[1, k] + z * room.own[2, k]
    for b in range(2):
        c = pairs.pairs[pair, b]
        at, turn = room.positions[pairs.joints[c]], room.world[pairs.joints[c]]
        for i in range(3):
            x, y, z = turn[i, 0], turn[i, 1], turn[i, 2]
            out[b, 0, i] = at[i] + x * pairs.starts[c, 0] + y * pairs.starts[c, 1] + z * pairs.starts[c, 2]
            out[b, 1, i] = at[i] + x * pairs.ends[c, 0] + y * pairs.ends[c, 1] + z * pairs.ends[c, 2]


@uncounted
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


@uncounted
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


@uncounted
def _measure(
    clip: Clip, source: Clip, pairs: Pairs, found: Found, row: int, sample: int, rooms: tuple[Room, Room]
) -> None:
    """Measure the moment whose pair and time are written in a row: a sample, or any other moment (-1).

    A pair may overlap as deep as a rule says, or as deep as the source at the same time.
    """
    pair, time = found.items[row], found.values[row, 0]
    _located(clip, pairs, time, sample, pair, rooms[0], found.places[row])
    gap, depth = segment_gap(found.places[row, 0], found.places[row, 1]) - pairs.radii[pair], 0.0
    for k in range(len(pairs.rules)):
        if int(pairs.rules[k, 0]) == pair and pairs.rules[k, 1] <= time <= pairs.rules[k, 2]:
            depth = max(depth, pairs.rules[k, 3])
    if gap < 0.0:
        before = rooms[1].pair
        _located(source, pairs, time - clip.clock[1], sample, pair, rooms[1], before)
        depth = max(depth, pairs.radii[pair] - segment_gap(before[0], before[1]))
    found.values[row, 1], found.values[row, 2] = gap, depth


@uncounted
def _may_hide(found: Found, left: int, right: int, best: FloatArray, steps: FloatArray) -> bool:
    """Whether an overlap that matters could lie between two moments of a pair."""
    way = steps[0] * way_between(found.places[left], found.places[right])
    before, after = found.values[left, 1] + found.values[left, 2], found.values[right, 1] + found.values[right, 2]
    return could_hide(before, after, way, best[found.items[left]], steps[1], steps[2])


@uncounted
def _measure_all(
    clip: Clip,
    source: Clip,
    pairs: Pairs,
    found: Found,
    rows: tuple[int, int],
    samples: IntArray,
    rooms: tuple[Room, Room],
    best: FloatArray,
) -> None:
    """Measure the moments from one row to another, which are ``samples`` where there are as many."""
    first, stop = rows
    for row in range(first, stop):
        _measure(clip, source, pairs, found, row, samples[row] if row < len(samples) else -1, rooms)
    for row in range(first, stop):
        best[found.items[row]] = min(best[found.items[row]], found.values[row, 1] + found.values[row, 2])


@uncounted
def _keep_open(found: Found, lefts: IntArray, rights: IntArray, best: FloatArray, steps: FloatArray) -> int:
    """Move the intervals in which an overlap could hide to the front, and count them."""
    kept = 0
    for k in range(len(lefts)):
        if _may_hide(found, lefts[k], rights[k], best, steps):
            lefts[kept], rights[kept] = lefts[k], rights[k]
            kept += 1
    return kept


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
    rooms = _room(len(pairs.parents)), _room(len(pairs.parents))
    samples, items, lefts, rights = moments_near(near, window[0], window[1])
    used = len(samples)
    found = Found(np.empty(2 * used, dtype=np.int64), np.empty((2 * used, 3)), np.empty((2 * used, 2, 2, 3)))
    for row in range(used):
        found.items[row], found.values[row, 0] = items[row], clip.times[samples[row]]
    _measure_all(clip, source, pairs, found, (0, used), samples, rooms, best)
    for _ in range(rounds):
        kept = _keep_open(found, lefts, rights, best, steps)
        if kept == 0:
            break
        found = _with_room(found, used, kept)
        more, after = np.empty(2 * kept, dtype=np.int64), np.empty(2 * kept, dtype=np.int64)
        for k in range(kept):
            row = used + k
            found.items[row] = found.items[lefts[k]]
            found.values[row, 0] = 0.5 * (found.values[lefts[k], 0] + found.values[rights[k], 0])
            more[k], after[k] = lefts[k], row
            more[kept + k], after[kept + k] = row, rights[k]
        _measure_all(clip, source, pairs, found, (used, used + kept), samples, rooms, best)
        used, lefts, rights = used + kept, more, after
    return found, used
