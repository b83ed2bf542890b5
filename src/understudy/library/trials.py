"""Trials: every transition is joined as a walk would join it, and left out or narrowed where that goes wrong.

What would be refused in a finished walk had better not be in the graph: legs that pass through each other when the next
clip is turned, joints that accelerate more than the recordings', velocities that jump, soles under the floor. Clips
that do so by themselves are left out, too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.humanoid import LIMB_ROLES
from understudy.core.motion import Motion
from understudy.library.footage import Footage
from understudy.library.graph import Graph
from understudy.library.planar_arrays import composed, inverted, shifts, turns
from understudy.library.recorded_legs import capsules, overlaps
from understudy.library.scratch import MEMORY, Scratch, blocks
from understudy.library.tables import BodyTable, Seams, Troupe, WayTable
from understudy.library.unroll import blended_frames
from understudy.typing import BoolArray, FloatArray

#: [Hz] what is faster does not count as acceleration; the recordings' percentile, and what a seam may add to it.
_CUTOFF_HZ, _PERCENTILE, _FACTOR = 6.0, 99.9, 1.35
#: [rad/s2] no recorded person is smoother; figures made of formulas are.
_LEAST_RADPS2 = 5.0
#: [m], [m], [m/s] see ``BodyTable``.
SLACK_M, SINKS_M, JUMP_MPS = 0.0006, 0.027, 0.15
#: [m] clips whose own legs overlap deeper are left out.
OWN_OVERLAP_M = 0.03
#: [m] and what is plain to see in rehearsals.
_PLAIN_M = 0.0009
#: Cores used at most, and pieces of work for each, so that none waits long for another.
_MOST_CORES, _PIECES = 8, 4
#: Seams tried before what they looked at is let go of.
_MOST_SEAMS = 500
_PARTS = ("thigh", "shank", "foot", "toes")
#: What is wrong with a transition, by number.
FAULTS = ("fine", "legs touch", "joints shake", "velocities jump", "soles sink")


def body_table(footage: Footage, body: Body) -> BodyTable:
    """What trials measure against."""
    from understudy.library._check_kernels import smoothed_changes, spins

    names = [f"{side}_{part}" for side in ("left", "right") for part in _PARTS]
    parts = [body.capsule_names.index(name) for name in names if name in body.capsule_names]
    place = {part: k for k, part in enumerate(parts)}
    pairs = [(place[a], place[b]) for a, b in body.self_pairs.tolist() if a in place and b in place]
    count = len(footage)
    table = BodyTable(
        joints=np.ascontiguousarray(body.capsule_joints[parts], dtype=np.int64),
        ends=np.ascontiguousarray(np.stack([body.capsule_starts[parts], body.capsule_ends[parts]], axis=1)),
        radii=np.ascontiguousarray(body.capsule_radii[parts]),
        soles=np.array([body.capsule_names[part].endswith(("foot", "toes")) for part in parts], dtype=bool),
        pairs=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        gaps=np.empty((0, len(pairs))),
        alike=np.empty((0, 12)),
        alike_depths=np.empty(0),
        alike_starts=np.zeros(len(pairs) + 1, dtype=np.int64),
        jumps=footage.scratch.empty((count, len(parts), 2)),
        limits=np.full(len(footage.skeleton), np.inf),
        taps=low_pass_taps(footage.fps),
        slack_m=SLACK_M,
        sinks_m=SINKS_M,
        jump_mps=JUMP_MPS,
    )
    ends, gaps = capsules(footage, table)
    fastest = []
    limbs = [list(footage.skeleton.limb(limb)) for limb in LIMB_ROLES]
    for first, stop in footage.bounds():
        own = np.linalg.norm(np.diff(ends[first:stop], n=2, axis=0), axis=-1) * footage.fps
        padded = np.pad(own, ((3, 3), (0, 0), (0, 0)), mode="edge")
        table.jumps[first:stop] = np.max([padded[k : k + stop - first] for k in range(5)], axis=0)
        speeds = spins(footage.table.rotations[first:stop], footage.fps)
        changes = smoothed_changes(speeds, table.taps, footage.fps)
        fastest.append(np.stack([changes[:, joints].max(axis=1, initial=0.0) for joints in limbs], axis=1))
        footage.scratch.release()
    alike, depths, starts = overlaps(footage, table, ends)
    return table._replace(
        limits=_limits(footage, np.concatenate(fastest), limbs),
        gaps=gaps,
        alike=alike,
        alike_depths=depths,
        alike_starts=starts,
    )


def _limits(footage: Footage, fastest: FloatArray, limbs: Sequence[Sequence[int]]) -> FloatArray:
    """``(joints,)`` how fast joints may accelerate: as fast as any joint of their limb does in the recordings.

    Args:
        footage: The takes.
        fastest: ``(frames, limbs)`` the fastest of every limb's joints [rad/s2].
        limbs: The joints of every limb.
    """
    limits = np.full(len(footage.skeleton), np.inf)
    for n, joints in enumerate(limbs):
        usual = np.percentile(fastest[:, n], _PERCENTILE) if joints else 0.0
        limits[joints] = _FACTOR * max(usual, _LEAST_RADPS2)
    return limits


def low_pass_taps(fps: float) -> FloatArray:
    """Weights over frames of the gain ``1 / (1 + (f / 6 Hz)^4)``; they add up to 1."""
    reach = max(1, round(0.15 * fps))
    frequencies = np.fft.rfftfreq(512, 1.0 / fps)
    response = np.fft.irfft(1.0 / (1.0 + (frequencies / _CUTOFF_HZ) ** 4), n=512)
    taps = np.concatenate([response[-reach:], response[: reach + 1]])
    return np.asarray(taps / taps.sum())


def seams_of(footage: Footage, graph: Graph, half_window: int) -> Seams:
    """All transitions of a graph, for trials."""
    sources, targets = graph.sources, graph.targets
    before, after = blended_frames(footage, graph, half_window, sources, targets)
    # A node's frame is put into its take's axes, so that the earlier take lies at the origin.
    frames = graph.frames[sources]
    at = composed(composed(frames, graph.transforms), inverted(graph.frames[targets]))
    pivots = shifts(frames) + turns(frames) * (graph.pivots[:, 1] + 1j * graph.pivots[:, 0])
    return Seams(
        first=graph.first[sources],
        out=graph.last[sources],
        into=graph.first[targets],
        last=graph.last[targets],
        at=np.ascontiguousarray(at),
        pivots=np.ascontiguousarray(np.stack([pivots.imag, pivots.real], axis=-1)),
        before=before,
        after=after,
        carriers=np.ascontiguousarray(graph.carriers),
    )


def sound_clips(footage: Footage, graph: Graph, body: Body, gaps: FloatArray, *, allowance_m: float = 0.0) -> BoolArray:
    """``(nodes,)`` clips whose soles do not sink into the floor by themselves, nor legs into each other.

    Args:
        footage: The takes.
        graph: The clips.
        body: Whose.
        gaps: ``(frames, pairs)`` distances of both legs' parts [m].
        allowance_m: How much deeper they may [m].
    """
    world = footage.world
    parts = [k for k, name in enumerate(body.capsule_names) if name.endswith(("_foot", "_toes"))]
    lowest = np.empty(len(footage))
    for part in blocks(len(footage), footage.scratch):
        starts, ends = body.capsule_segments(world.positions[part], world.rotations[part])
        bottoms = np.minimum(starts[..., 1], ends[..., 1]) - body.capsule_radii
        lowest[part] = bottoms[:, parts].min(axis=1, initial=np.inf)
    own_m = -gaps.min(axis=1, initial=np.inf)
    bad = (lowest < -SINKS_M - allowance_m) | (own_m > OWN_OVERLAP_M + allowance_m)
    deep = np.concatenate([[0], np.cumsum(bad)])
    return np.asarray(deep[graph.last + 1] == deep[graph.first])


def passing(
    footage: Footage, graph: Graph, half_window: int, *, allowance_m: float = 0.0
) -> tuple[Graph, dict[str, int]]:
    """The graph without transitions that go wrong, its ranges narrowed to turns that do not, and counts of faults.

    Soles may sink ``allowance_m`` deeper than usual, and a clip's own legs overlap as much deeper [m].
    """
    body = fit_body(footage.skeleton)
    seams, table = seams_of(footage, graph, half_window), body_table(footage, body)
    table = table._replace(sinks_m=table.sinks_m + allowance_m)
    sound = sound_clips(footage, graph, body, table.gaps, allowance_m=allowance_m)
    keep = sound[graph.sources] & sound[graph.targets]
    ranges, faults = np.zeros_like(graph.ranges), np.zeros(graph.edges)
    some = seams._replace(**{name: getattr(seams, name)[keep] for name in Seams._fields})
    ranges[keep], faults[keep] = _tried(footage, table, some, np.ascontiguousarray(graph.ranges[keep]))
    keep = keep & (faults == 0)
    counts = {FAULTS[k]: int((faults == k).sum()) for k in range(1, len(FAULTS)) if (faults == k).any()}
    counts["narrowed"] = int(((np.ptp(ranges, axis=1) < np.ptp(graph.ranges, axis=1) - 1e-9) & keep).sum())
    counts["clips"] = int((~sound).sum())
    return with_edges(replace(graph, ranges=ranges), keep), counts


def below_the_waist(whole: Troupe, *, scratch: Scratch = MEMORY) -> Troupe:
    """The same with root and legs alone."""
    legs, body = whole.legs, whole.body
    used: set[int] = {0}
    for joint in (*body.joints.tolist(), *legs.chains[legs.chains >= 0].tolist(), *legs.knees.ravel().tolist()):
        while joint not in used:
            used.add(joint)
            joint = int(legs.parents[joint])
    kept = np.array(sorted(used), dtype=np.int64)
    place = np.full(len(legs.parents) + 1, -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    rotations = scratch.empty((len(whole.footage.rotations), len(kept), 4))
    for part in blocks(len(rotations), scratch):
        rotations[part] = whole.footage.rotations[part][:, kept]
    return Troupe(
        footage=whole.footage._replace(rotations=rotations),
        legs=legs._replace(
            parents=place[legs.parents[kept]],
            offsets=np.ascontiguousarray(legs.offsets[kept]),
            chains=place[legs.chains],
            knees=place[legs.knees],
        ),
        body=body._replace(joints=place[body.joints], limits=np.ascontiguousarray(body.limits[kept])),
    )


def _tried(footage: Footage, table: BodyTable, seams: Seams, ranges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Try all seams, some on every core; what comes out does not depend on how many there are."""
    from understudy.library._check_kernels import turns_that_pass

    whole = Troupe(footage.table, footage.legs, table)
    lower = below_the_waist(whole, scratch=footage.scratch)

    def piece(part: slice) -> tuple[FloatArray, FloatArray]:
        some = seams._replace(**{name: getattr(seams, name)[part] for name in Seams._fields})
        found = turns_that_pass(whole, lower, some, ranges[part], footage.fps)
        footage.scratch.release()
        return found

    cores = min(os.cpu_count() or 1, _MOST_CORES)
    step = min(max(-(-len(ranges) // (_PIECES * cores)), 1), _MOST_SEAMS)
    parts = [slice(first, first + step) for first in range(0, max(len(ranges), 1), step)]
    with ThreadPoolExecutor(cores) as pool:
        found = list(pool.map(piece, parts))
    return np.concatenate([one for one, _ in found]), np.concatenate([other for _, other in found])


def rehearsed(
    footage: Footage, table: BodyTable, way: WayTable, motion: Motion, *, closely: bool = False
) -> tuple[str, int]:
    """What is wrong with the legs of an unrolled way, one of :data:`FAULTS` or empty, and at which of its seams.

    Seams that pass one by one may still go wrong in a row, where one begins with a foot the last one has held. Only
    what is plain to see counts, unless one looks ``closely``.
    """
    from understudy.library._check_kernels import legs_fault

    plain = 0.0 if closely else _PLAIN_M
    table = table._replace(slack_m=plain, sinks_m=table.sinks_m + plain, jump_mps=np.inf)
    fault, frame = legs_fault(footage.legs, table, way, motion.root_positions, motion.rotations, 0, footage.fps)
    if not fault:
        return "", -1
    seams = way.begins[1:-1]
    return FAULTS[fault], int(np.abs(seams - frame).argmin()) if len(seams) else -1


def with_edges(graph: Graph, keep: BoolArray) -> Graph:
    """The graph with some of its edges."""
    starts = np.concatenate([[0], np.cumsum(keep)])[graph.edge_starts].astype(np.int64)
    names = ("targets", "transforms", "pivots", "ranges", "costs", "carriers")
    return replace(graph, edge_starts=starts, **{name: getattr(graph, name)[keep] for name in names})
