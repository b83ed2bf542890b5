"""Compiled edge sequences: random ones that join the required actions, and mutations (paper §3; Arikan and Forsyth).

A sequence is ``chain`` (edges) and ``head`` (number of edges, first frame, last frame). It is whole when every edge
leaves the take the one before entered, at least ``least`` frames later, and the last frame lies as far behind the last
edge. Hops replace root edges by root edges; demotes replace an edge by a finer one of its tree, or by the one it
refines.
"""

from __future__ import annotations

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.locomotion.published.sampling._random_kernels import RandomState, below, uniform
from understudy.locomotion.published.sampling.tables import MOST_EDGES, Hops, Jumps, Targets
from understudy.typing import IntArray

#: Draws before a random step is given up.
DRAWS = 24
#: Most frames a random sequence stays in one take.
LONGEST = 60
REPLACE, DETOUR, SHORTEN, TAIL, END, BEGIN, DEMOTE = range(7)


@uncounted
def entry_of(edges: Jumps, chain: IntArray, head: IntArray, k: int) -> int:
    """Frame stretch ``k`` begins with."""
    return int(head[1]) if k == 0 else int(edges.into[chain[k - 1]])


@uncounted
def is_whole(edges: Jumps, targets: Targets, chain: IntArray, head: IntArray) -> bool:
    """Whether all edges follow each other and the last frame shows what the goal asks."""
    for k in range(head[0] + 1):
        first = entry_of(edges, chain, head, k)
        last = head[2] if k == head[0] else edges.out[chain[k]]
        if edges.takes[first] != edges.takes[last] or last - first < edges.least:
            return False
    return ends_well(targets, head[2])


@uncounted
def ends_well(targets: Targets, frame: int) -> bool:
    """Whether a frame shows the goal's action."""
    action = targets.actions[len(targets.actions) - 1]
    return bool(action < 0 or targets.shown[action, frame])


@njit(cache=True, nogil=True)
def _leaving(edges: Jumps, entry: int, state: RandomState) -> int:
    """A random root edge that leaves a take after a frame; -1 for none."""
    first = edges.root_first[min(entry + edges.least, edges.stops[entry] + 1)]
    last = edges.root_first[min(entry + LONGEST, edges.stops[entry]) + 1]
    return int(edges.roots[first + below(state, last - first)]) if last > first else -1


@njit(cache=True, nogil=True)
def _between(edges: Jumps, hops: Hops, entry: int, before: int, take: int, state: RandomState) -> int:
    """A random root edge from a frame's take into another, entering it early enough before a frame; -1 for none."""
    runs = int((len(hops.pair_first) - 1) ** 0.5 + 0.5)
    pair = edges.takes[entry] * runs + take
    first, last = hops.pair_first[pair], hops.pair_first[pair + 1]
    if last == first:
        return -1
    for _ in range(DRAWS):
        edge = hops.pairs[first + below(state, last - first)]
        if edges.out[edge] >= entry + edges.least and edges.into[edge] + edges.least <= before:
            return int(edge)
    return -1


@njit(cache=True, nogil=True)
def joined(edges: Jumps, hops: Hops, chain: IntArray, count: int, entry: int, frame: int, state: RandomState) -> int:
    """Lead a sequence on so that it plays a frame; returns the number of edges, -1 when no way was drawn."""
    take = edges.takes[frame]
    if edges.takes[entry] == take and frame >= entry + edges.least:
        return count
    for _ in range(DRAWS):
        size, at = count, entry
        for _ in range(4):
            if size >= MOST_EDGES - 1:
                break
            edge = _between(edges, hops, at, frame, take, state)
            if edge >= 0:
                chain[size] = edge
                return size + 1
            edge = _leaving(edges, at, state)
            if edge < 0:
                break
            chain[size] = edge
            size, at = size + 1, edges.into[edge]
    return -1


@njit(cache=True, nogil=True)
def _wander(
    edges: Jumps, chain: IntArray, count: int, entry: int, length: float, state: RandomState
) -> tuple[int, int]:
    """Add random root edges until some metres are walked; returns their number and the last frame entered."""
    moves = edges.moves
    walked = 0.0
    while walked < length and count < MOST_EDGES - 8:
        edge = _leaving(edges, entry, state)
        if edge < 0:
            break
        dx, dz = moves[edges.out[edge], 0] - moves[entry, 0], moves[edges.out[edge], 1] - moves[entry, 1]
        walked += (dx * dx + dz * dz) ** 0.5
        chain[count] = edge
        count, entry = count + 1, edges.into[edge]
    return count, entry


@njit(cache=True, nogil=True)
def grown(
    edges: Jumps,
    hops: Hops,
    targets: Targets,
    chain: IntArray,
    head: IntArray,
    kept: int,
    length: float,
    state: RandomState,
) -> bool:
    """Keep the first edges of a sequence, and lead it on at random through all actions to an end.

    Actions of targets before the goal are all played again behind the kept edges when there are any, so a tail that
    keeps them already shows them twice; the cost then takes the better one.
    """
    count, entry = kept, entry_of(edges, chain, head, kept)
    asked = 0
    for w in range(len(targets.actions) - 1):
        asked += targets.actions[w] >= 0
    for w in range(len(targets.actions) - 1):
        if targets.actions[w] < 0:
            continue
        count, entry = _wander(edges, chain, count, entry, length / (asked + 1), state)
        frame = _drawn_frame(targets, targets.actions[w], state)
        count = joined(edges, hops, chain, count, entry, frame, state) if frame >= 0 else -1
        if count < 0:
            return False
        # What follows leaves after the frame, which the stretch's own length looks after.
        entry = frame
    count, entry = _wander(edges, chain, count, entry, length / (asked + 1), state)
    goal = targets.actions[len(targets.actions) - 1]
    for _ in range(DRAWS):
        if goal >= 0:
            last = _drawn_frame(targets, goal, state)
            size = joined(edges, hops, chain, count, entry, last, state) if last >= 0 else -1
        else:
            size, room = count, min(edges.stops[entry] - entry - edges.least, LONGEST)
            last = entry + edges.least + below(state, room + 1) if room >= 0 else -1
        if size >= 0 and last >= 0:
            head[0], head[2] = size, last
            if is_whole(edges, targets, chain, head):
                return True
    return False


@njit(cache=True, nogil=True)
def _drawn_frame(targets: Targets, action: int, state: RandomState) -> int:
    """A random frame that shows an action; -1 when none was drawn."""
    count = targets.shown.shape[1]
    first = below(state, count)
    for k in range(count):
        if targets.shown[action, (first + k) % count]:
            return (first + k) % count
    return -1


@njit(cache=True, nogil=True)
def random_sequence(
    edges: Jumps, hops: Hops, targets: Targets, chain: IntArray, head: IntArray, state: RandomState
) -> bool:
    """Draw a sequence of about the expected length; whether one was found."""
    for _ in range(DRAWS):
        head[0], head[1] = 0, targets.starts[below(state, len(targets.starts))]
        if grown(edges, hops, targets, chain, head, 0, targets.expected * (0.7 + 0.6 * uniform(state)), state):
            return True
    return False


@njit(cache=True, nogil=True)
def mutated(
    edges: Jumps, hops: Hops, targets: Targets, chain: IntArray, head: IntArray, demote: bool, state: RandomState
) -> int:
    """Change a sequence in place; returns the first stretch that is not what it was, or -1 when nothing came of it."""
    count = head[0]
    kind = below(state, DEMOTE + 1 if demote else DEMOTE)
    if kind == TAIL:
        kept = below(state, count + 1)
        share = 1.0 - kept / (count + 1.0)
        length = share * targets.expected * (0.7 + 0.6 * uniform(state))
        return kept if grown(edges, hops, targets, chain, head, kept, length, state) else -1
    if kind == END:
        head[2] += 1 + below(state, 8) if uniform(state) < 0.5 else -1 - below(state, 8)
        entry = entry_of(edges, chain, head, count)
        inside = entry + edges.least <= head[2] <= edges.stops[entry]
        return count if inside and ends_well(targets, head[2]) else -1
    if kind == BEGIN:
        head[1] = targets.starts[below(state, len(targets.starts))]
        first = head[2] if count == 0 else edges.out[chain[0]]
        return 0 if edges.takes[head[1]] == edges.takes[first] and first - head[1] >= edges.least else -1
    if count == 0:
        return -1
    k = below(state, count)
    if kind == DEMOTE:
        return _demoted(edges, hops, chain, head, k, state)
    return _hopped(edges, hops, chain, head, k, kind, state)


@njit(cache=True, nogil=True)
def _hopped(edges: Jumps, hops: Hops, chain: IntArray, head: IntArray, k: int, kind: int, state: RandomState) -> int:
    """Replace an edge by another one, by two, or two edges by one."""
    count = head[0]
    after = k + 1 if kind == SHORTEN else k
    if after >= count:
        return -1
    entry = entry_of(edges, chain, head, k)
    take = edges.takes[edges.into[chain[after]]]
    before = head[2] if after == count - 1 else edges.out[chain[after + 1]]
    if kind == DETOUR:
        first = _leaving(edges, entry, state)
        if first < 0 or count >= MOST_EDGES - 1:
            return -1
        second = _between(edges, hops, edges.into[first], before, take, state)
        if second < 0:
            return -1
        for j in range(count, k, -1):
            chain[j] = chain[j - 1]
        chain[k], chain[k + 1], head[0] = first, second, count + 1
        return k
    edge = _between(edges, hops, entry, before, take, state)
    if edge < 0:
        return -1
    chain[k] = edge
    if kind == SHORTEN:
        for j in range(k + 1, count - 1):
            chain[j] = chain[j + 1]
        head[0] = count - 1
    return k


@njit(cache=True, nogil=True)
def _demoted(edges: Jumps, hops: Hops, chain: IntArray, head: IntArray, k: int, state: RandomState) -> int:
    """Replace an edge by one of its finer ones, or by the one it refines."""
    edge = chain[k]
    first, last = hops.child_first[edge], hops.child_first[edge + 1]
    choices = last - first + (hops.parents[edge] >= 0)
    if choices == 0:
        return -1
    drawn = below(state, choices)
    finer = hops.children[first + drawn] if drawn < last - first else hops.parents[edge]
    entry = entry_of(edges, chain, head, k)
    before = head[2] if k == head[0] - 1 else edges.out[chain[k + 1]]
    if edges.out[finer] - entry < edges.least or before - edges.into[finer] < edges.least:
        return -1
    chain[k] = finer
    return k
