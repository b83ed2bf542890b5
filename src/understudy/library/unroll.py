"""Unrolling: a way through the graph as one motion, blended at its seams with its feet held (methods.md M4).

At a seam the two clips are cross-faded over the window around their cuts. The root is then put where the carrying
foot does not move (re-parenting), and both feet are brought to their places by leg IK: a foot that stands at a seam
stays where the earlier clip had put it until it lifts off, and comes back to the later clip's place while it swings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.planar import PlanarTransform
from understudy.errors import PlanningInputError
from understudy.kinematics import motion_world
from understudy.library.footage import Footage, foot_ends
from understudy.library.motion_library import Library
from understudy.library.planar_arrays import about, composed, floor_points, inverted, row, shifts, turns
from understudy.library.seam_feet import held_over_seams
from understudy.library.segmentation import BOTH, LEFT, RIGHT
from understudy.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Timeline:
    """Which footage frames make up every frame of an unrolled motion.

    Attributes:
        seams: ``(seams,)`` frame of every seam.
        halves: ``(seams,)`` frames blended on both sides of it.
        carriers: ``(seams,)`` feet that carry: bits 1 left, 2 right.
        earlier: ``(frames,)`` footage frame of the clip that is playing, or is about to end.
        later: ``(frames,)`` footage frame of the clip that begins; the same as ``earlier`` away from seams.
        earlier_at: ``(frames, 3)`` where the first one's take lies in the world.
        later_at: ``(frames, 3)`` where the second one's does.
        weights: ``(frames,)`` share of the later clip.
        earlier_clip: ``(frames,)`` place in the way of the clip ``earlier`` is from.
        later_clip: ``(frames,)`` place in the way of the clip ``later`` is from.
        earlier_planted: ``(frames, 2)`` whether the earlier clip's feet stand.
        later_planted: ``(frames, 2)`` whether the later clip's feet do.
        planted: ``(frames, 2)`` whether the feet stand, by the earlier clip up to a seam and the later one from it.
    """

    seams: IntArray
    halves: IntArray
    carriers: IntArray
    earlier: IntArray
    later: IntArray
    earlier_at: FloatArray
    later_at: FloatArray
    weights: FloatArray
    earlier_clip: IntArray
    later_clip: IntArray
    earlier_planted: BoolArray
    later_planted: BoolArray
    planted: BoolArray

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.earlier)


@dataclass(frozen=True, eq=False, kw_only=True)
class Unrolled:
    """A way through the graph as a motion.

    Attributes:
        motion: The motion.
        timeline: Where its frames come from.
        placements: ``(nodes, 3)`` every node's frame in the world, rows ``(x, z, yaw)``.
        foot_error_m: Largest distance at which a held ankle misses its place [m].
    """

    motion: Motion
    timeline: Timeline
    placements: FloatArray
    foot_error_m: float


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
        pivot = graph.pivots[edge, 1] + 1j * graph.pivots[edge, 0]
        at[place + 1] = composed(at[place], composed(about(pivot, extra[place]), graph.transforms[edge]))
        edges[place] = edge
    return at, edges


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
    at, edges = placements(library, nodes, turns_rad=turns_rad, start=start or PlanarTransform())
    time = _timeline(library, [int(node) for node in nodes], at, edges)
    earlier = placed_footage(library.footage, time.earlier, time.earlier_at)
    later = placed_footage(library.footage, time.later, time.later_at)
    mixed = _reparented(_blended(earlier, later, time.weights), earlier, later, time)
    error = 0.0
    if hold_feet:
        mixed, error = held_over_seams(mixed, earlier, later, time)
    mixed = replace(mixed, rotations=rot.continuous(mixed.rotations), name=name)
    return Unrolled(motion=mixed, timeline=time, placements=at, foot_error_m=error)


def _timeline(library: Library, nodes: list[int], at: FloatArray, edges: IntArray) -> Timeline:
    graph, footage = library.graph, library.footage
    lengths = graph.last[nodes] - graph.first[nodes]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    frames = np.arange(begins[-1] + 1)
    playing = np.minimum(np.searchsorted(begins, frames, side="right") - 1, len(nodes) - 1)
    takes_at = composed(at, inverted(graph.frames[nodes]))
    index = graph.first[nodes][playing] + frames - begins[playing]
    earlier, later = index.copy(), index.copy()
    earlier_clip, later_clip = playing.copy(), playing.copy()
    weights = np.zeros(len(frames))
    halves = np.minimum(library.half_window, np.minimum(lengths[:-1], lengths[1:]) // 2)
    for place, (seam, half) in enumerate(zip(begins[1:-1], halves, strict=True)):
        window = np.arange(seam - half, seam + half + 1)
        earlier[window], earlier_clip[window] = graph.last[nodes[place]] + window - seam, place
        later[window], later_clip[window] = graph.first[nodes[place + 1]] + window - seam, place + 1
        weights[window] = smoothstep((window - seam + half) / max(2 * half, 1))
    return Timeline(
        seams=begins[1:-1],
        halves=halves,
        carriers=graph.carriers[edges],
        earlier=earlier,
        later=later,
        earlier_at=takes_at[earlier_clip],
        later_at=takes_at[later_clip],
        weights=weights,
        earlier_clip=earlier_clip,
        later_clip=later_clip,
        earlier_planted=footage.planted[earlier],
        later_planted=footage.planted[later],
        planted=footage.planted[index],
    )


def placed_footage(footage: Footage, frames: IntArray, at: FloatArray) -> Motion:
    """Footage frames, each put where its take lies."""
    motion = footage.gathered(frames)
    points = turns(at) * floor_points(motion.root_positions) + shifts(at)
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.multiply(rot.from_yaw(at[:, 2]), rotations[:, 0])
    roots = np.stack([points.imag, motion.root_positions[:, 1], points.real], axis=-1)
    return replace(motion, root_positions=roots, rotations=rotations)


def _blended(earlier: Motion, later: Motion, weights: FloatArray) -> Motion:
    """Cross-fade; frames with weight 0 are the earlier motion's, bit for bit."""
    busy = np.flatnonzero(weights > 0.0)
    share = weights[busy, None]
    roots, rotations = earlier.root_positions.copy(), earlier.rotations.copy()
    roots[busy] += share * (later.root_positions[busy] - roots[busy])
    rotations[busy] = rot.slerp(rotations[busy], later.rotations[busy], share)
    return replace(earlier, root_positions=roots, rotations=rotations)


def _reparented(mixed: Motion, earlier: Motion, later: Motion, time: Timeline) -> Motion:
    """Move the root so that the carrying foot's middle goes straight from the one clip's to the other's."""
    skeleton = mixed.skeleton
    feet = [foot_ends(skeleton, motion_world(motion).positions).mean(axis=2) for motion in (mixed, earlier, later)]
    roots = mixed.root_positions.copy()
    for seam, half, carrier in zip(time.seams, time.halves, time.carriers, strict=True):
        if carrier not in (LEFT, RIGHT, BOTH):
            continue
        window = slice(seam - half, seam + half + 1)
        share = time.weights[window, None, None]
        wanted = feet[1][window] + share * (feet[2][window] - feet[1][window])
        gaps = wanted - feet[0][window]
        roots[window] += gaps.mean(axis=1) if carrier == BOTH else gaps[:, 0 if carrier == LEFT else 1]
    return replace(mixed, root_positions=roots)


def _hint(library: Library, node: int) -> str:
    listed = library.graph.successors(node).tolist()
    more = ", ..." if len(listed) > 8 else ""
    return f"these can: {', '.join(map(str, listed[:8]))}{more}"
