"""Unrolling: a way through the graph as one motion, blended at its seams with its feet held ([Maps]).

At a seam the two clips are cross-faded over a quarter of a second to both sides. The root is then put where the
carrying foot does not move (re-parenting), and both feet are brought to their places by leg IK: a foot that stands at
a seam stays where the earlier clip had put it until it lifts off, and comes back to the later clip's place while it
swings.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.planar import PlanarTransform
from understudy.errors import PlanningInputError
from understudy.library.footage import Footage
from understudy.library.graph import Graph
from understudy.library.motion_library import Library
from understudy.library.planar_arrays import composed, floor_points, inverted, row, shifts, turns
from understudy.library.tables import WayTable
from understudy.typing import BoolArray, FloatArray, IntArray

#: [s] longest blend on either side of a seam.
BLEND_S = 0.27


@dataclass(frozen=True, eq=False, kw_only=True)
class Timeline:
    """Which footage frames make up every frame of an unrolled motion.

    Attributes:
        seams: ``(seams,)`` frame of every seam.
        before: ``(seams,)`` frames blended before it.
        after: ``(seams,)`` frames blended after it.
        playing: ``(frames,)`` place in the way of the clip that plays.
        earlier: ``(frames,)`` footage frame of the clip that is playing, or is about to end.
        later: ``(frames,)`` footage frame of the clip that begins; the same as ``earlier`` away from seams.
        earlier_at: ``(frames, 3)`` where the first one's take lies in the world.
        later_at: ``(frames, 3)`` where the second one's does.
        planted: ``(frames, 2)`` whether the feet stand, by the earlier clip up to a seam and the later one from it.
    """

    seams: IntArray
    before: IntArray
    after: IntArray
    playing: IntArray
    earlier: IntArray
    later: IntArray
    earlier_at: FloatArray
    later_at: FloatArray
    planted: BoolArray

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.earlier)


@dataclass(frozen=True, eq=False, kw_only=True)
class Unrolled:
    """A way through the graph as a motion.

    Attributes:
        motion: The motion.
        placements: ``(nodes, 3)`` every node's frame in the world, rows ``(x, z, yaw)``.
        foot_error_m: Largest distance at which a held ankle misses its place [m].
        way: The clips as kernels read them.
        planted: ``(frames, 2)`` of the footage.
    """

    motion: Motion
    placements: FloatArray
    foot_error_m: float
    way: WayTable
    planted: BoolArray

    @cached_property
    def timeline(self) -> Timeline:
        """Where its frames come from."""
        return _timeline(self.way, self.planted)


def placements(
    library: Library, nodes: Sequence[int], *, turns_rad: Sequence[float] | None = None, start: PlanarTransform
) -> tuple[FloatArray, IntArray]:
    """Every node's frame in the world ``(nodes, 3)``, and the edges ``(nodes - 1,)`` between them.

    Raises:
        PlanningInputError: The nodes do not follow each other, or a turn is outside its edge's range.
    """
    graph = library.graph
    listed = [int(node) for node in nodes]
    if not listed or min(listed) < 0 or max(listed) >= graph.nodes:
        raise PlanningInputError(f"a way needs clips out of 0..{graph.nodes - 1}; got {listed[:8]}")
    extra = np.zeros(len(listed) - 1) if turns_rad is None else np.asarray(turns_rad, dtype=np.float64)
    if extra.shape != (len(listed) - 1,):
        raise PlanningInputError(f"{len(listed)} clips have {len(listed) - 1} transitions; got {extra.shape} turns")
    at, edges = np.empty((len(listed), 3)), np.empty(len(listed) - 1, dtype=np.int64)
    at[0] = row(start)
    for place, (node, following) in enumerate(pairwise(listed)):
        edge = graph.edge(node, following)
        if edge is None:
            raise PlanningInputError(f"clip {following} cannot follow clip {node}; {_hint(library, node)}")
        low, high = graph.ranges[edge]
        if not low - 1e-9 <= extra[place] <= high + 1e-9:
            raise PlanningInputError(
                f"the turn from clip {node} to {following} is {np.degrees(extra[place]):.1f} deg; "
                f"allowed: {np.degrees(low):.1f}..{np.degrees(high):.1f}"
            )
        at[place + 1] = _following(graph, edge, float(extra[place]), at[place])
        edges[place] = edge
    return at, edges


def _following(graph: Graph, edge: int, turn: float, at: FloatArray) -> tuple[float, float, float]:
    """Where a transition puts the next node's frame: ``at``, turned about the pivot, then the transform.

    Plain numbers, because arrays of one row cost more than the sums.
    """
    x, z, yaw = graph.transforms[edge].tolist()
    px, pz = graph.pivots[edge].tolist()
    pivot, turned = complex(pz, px), cmath.exp(1j * turn)
    shift = complex(at[1], at[0]) + cmath.exp(1j * at[2]) * (pivot + turned * (complex(z, x) - pivot))
    return shift.imag, shift.real, math.remainder(float(at[2]) + turn + yaw, math.tau)


def unroll(
    library: Library,
    nodes: Sequence[int],
    *,
    turns_rad: Sequence[float] | None = None,
    start: PlanarTransform | None = None,
    hold_feet: bool = True,
    name: str = "walk",
) -> Unrolled:
    """Play clips one after another.

    Args:
        library: The clips.
        nodes: Which, in order; each must be able to follow the one before.
        turns_rad: Extra turn at every transition, within its range [rad].
        start: Where the first clip's frame is put.
        hold_feet: Whether feet are held by leg IK; without it only the root is corrected.
        name: Name of the motion.
    """
    from understudy.library._unroll_kernels import unrolled

    at, edges = placements(library, nodes, turns_rad=turns_rad, start=start or PlanarTransform())
    footage = library.footage
    way = way_of(library, np.asarray(nodes, dtype=np.int64), at, edges)
    roots, rotations = np.empty((way.begins[-1] + 1, 3)), np.empty((way.begins[-1] + 1, len(library.skeleton), 4))
    error = unrolled(footage.table, footage.legs, way, footage.fps, hold_feet, roots, rotations)
    motion = Motion(
        skeleton=library.skeleton,
        fps=footage.fps,
        root_positions=roots,
        rotations=rot.continuous(rotations),
        name=name,
    )
    return Unrolled(motion=motion, placements=at, foot_error_m=float(error), way=way, planted=footage.planted)


def way_of(library: Library, nodes: IntArray, at: FloatArray, edges: IntArray) -> WayTable:
    """A way for kernels.

    Args:
        library: The clips.
        nodes: ``(clips,)``.
        at: ``(clips, 3)`` every node's frame in the world.
        edges: ``(clips - 1,)`` the transitions between them.
    """
    graph = library.graph
    first, last = graph.first[nodes], graph.last[nodes]
    lengths = last - first
    before, after = blended_frames(library.footage, graph, library.half_window, nodes[:-1], nodes[1:])
    return WayTable(
        first=first,
        last=last,
        at=composed(at, inverted(graph.frames[nodes])),
        begins=np.concatenate([[0], np.cumsum(lengths)]),
        before=before,
        after=after,
        carriers=graph.carriers[edges],
    )


def blended_frames(
    footage: Footage, graph: Graph, half_window: int, sources: IntArray, targets: IntArray
) -> tuple[IntArray, IntArray]:
    """``(n,)`` frames blended before and after the seams between clips.

    As long as ``BLEND_S`` allows, so that trunk and arms turn over slowly; less than half of either clip, and only
    where both takes have frames.
    """
    longest = max(round(BLEND_S * footage.fps), half_window)
    out, into = graph.last[sources], graph.first[targets]
    shorter = np.minimum(out - graph.first[sources], graph.last[targets] - into)
    halves = np.minimum(longest, np.maximum(shorter - 1, 0) // 2)
    ends, starts = footage.starts[footage.take_of(out) + 1], footage.starts[footage.take_of(into)]
    return np.minimum(halves, into - starts), np.minimum(halves, ends - 1 - out)


def _timeline(way: WayTable, planted: BoolArray) -> Timeline:
    frames = np.arange(way.begins[-1] + 1)
    playing = np.minimum(np.searchsorted(way.begins, frames, side="right") - 1, len(way.first) - 1)
    index = way.first[playing] + frames - way.begins[playing]
    earlier, later = index.copy(), index.copy()
    old, new = playing.copy(), playing.copy()
    for place, (before, after) in enumerate(zip(way.before.tolist(), way.after.tolist(), strict=True)):
        seam = int(way.begins[place + 1])
        window = np.arange(seam - before, seam + after + 1)
        earlier[window], old[window] = way.last[place] + window - seam, place
        later[window], new[window] = way.first[place + 1] + window - seam, place + 1
    return Timeline(
        seams=way.begins[1:-1],
        before=way.before,
        after=way.after,
        playing=playing,
        earlier=earlier,
        later=later,
        earlier_at=way.at[old],
        later_at=way.at[new],
        planted=planted[index],
    )


def placed_footage(footage: Footage, frames: IntArray, at: FloatArray) -> Motion:
    """Footage frames, each put where its take lies."""
    motion = footage.gathered(frames)
    points = turns(at) * floor_points(motion.root_positions) + shifts(at)
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.multiply(rot.from_yaw(at[:, 2]), rotations[:, 0])
    roots = np.stack([points.imag, motion.root_positions[:, 1], points.real], axis=-1)
    return replace(motion, root_positions=roots, rotations=rotations)


def _hint(library: Library, node: int) -> str:
    listed = library.graph.successors(node).tolist()
    more = ", ..." if len(listed) > 8 else ""
    return f"these can: {', '.join(map(str, listed[:8]))}{more}"
