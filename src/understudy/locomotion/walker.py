"""A walker: a library with everything a search reads, prepared once and shared by all its walks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.errors import PlanningInputError
from understudy.library import Library
from understudy.library.features import headings_rad
from understudy.library.footage import Footage
from understudy.library.planar_arrays import composed, inverted
from understudy.library.segmentation import BOTH
from understudy.library.standing import still_frames
from understudy.library.tables import BodyTable
from understudy.library.trials import body_table
from understudy.locomotion.backward import Reversed, reversed_graph
from understudy.locomotion.seams import seam_accelerations
from understudy.locomotion.silhouettes import SAMPLE_S, silhouettes
from understudy.locomotion.strides import strides_of
from understudy.locomotion.tables import GraphTable, Pace, Silhouettes, Strides
from understudy.typing import BoolArray, FloatArray

#: [m] cost of a transition at the library's threshold, and [m/s] of every second.
SEAM_COST_M, TIME_COST_MPS = 0.2, 0.1
#: [m] cost of a transition that shakes the trunk as much as the clips ever do, and of every unit above ``ROUGH``.
SHAKE_COST_M, ROUGH, ROUGH_COST_M = 0.2, 0.7, 4.0
#: Transitions that shake the trunk more are left out.
TOO_ROUGH = 1.0
#: [m] cost of a clip that skates all the time, when the others do not; [m] and [m/s] what skating is.
SKATE_COST_M, _CONTACT_M, _SKATE_MPS = 2.0, 0.025, 0.2

#: What names of takes that were made begin with, and how much dearer a metre of them is than a recorded one.
MADE, MADE_COST = "synthesised ", 3.0

#: What does not depend on which clips and transitions are chosen.
_SHARED = ("lengths_m", "skating", "shadows", "height_m", "still", "body_table", "facing_rad", "pace", "made")


@dataclass(frozen=True, eq=False)
class Walker:
    """Who walks.

    Attributes:
        library: The clips.
        body: The body on its skeleton.
        allowed: ``(nodes,)`` clips that may be taken; ``None`` for all.
    """

    library: Library
    body: Body
    allowed: BoolArray | None = None

    def among(self, allowed: BoolArray) -> Walker:
        """The same walker who takes no other clips than these, ``(nodes,)``; a walk may still begin in another."""
        if allowed.all():
            return self
        chosen = replace(self, allowed=allowed)
        chosen.__dict__.update({name: getattr(self, name) for name in _SHARED})
        return chosen

    def without(self, seams: Collection[tuple[int, int]]) -> Walker:
        """The same walker who does not go from one clip to another where such a pair is listed."""
        table = self.graph
        nodes = len(table.moves)
        sources = np.repeat(np.arange(nodes), np.diff(table.edge_starts))
        kept = ~np.isin(sources * nodes + table.targets, [a * nodes + b for a, b in seams])
        chosen = replace(self)
        chosen.__dict__.update({name: getattr(self, name) for name in _SHARED})
        chosen.__dict__["graph"] = table._replace(
            edge_starts=np.concatenate([[0], np.cumsum(kept)])[table.edge_starts].astype(np.int64),
            **{name: getattr(table, name)[kept] for name in ("targets", "transforms", "pivots", "ranges", "costs")},
        )
        return chosen

    def cost_between(self, node: int, following: int) -> float:
        """What the transition from a clip to another costs [m]; 0 where there is none."""
        table = self.graph
        edges = slice(int(table.edge_starts[node]), int(table.edge_starts[node + 1]))
        return float(table.costs[edges][table.targets[edges] == following].max(initial=0.0))

    @cached_property
    def still(self) -> BoolArray:
        """``(nodes, 2)`` whether somebody stands still where a clip begins, and where it ends."""
        still, graph = still_frames(self.library.footage), self.library.graph
        return np.stack([still[graph.first], still[graph.last]], axis=1)

    @cached_property
    def made(self) -> BoolArray:
        """``(nodes,)`` clips of takes that were made because nothing like them was recorded."""
        return np.array([self.library.take(node).name.startswith(MADE) for node in range(len(self.library))])

    @cached_property
    def body_table(self) -> BodyTable:
        """What walks are rehearsed against."""
        return body_table(self.library.footage, self.body)

    @cached_property
    def graph(self) -> GraphTable:
        """The graph for kernels, without transitions the judge would refuse."""
        library, graph = self.library, self.library.graph
        shake = seam_accelerations(library)
        alike = SEAM_COST_M * (graph.costs / library.threshold_m) ** 2
        costs = alike + SHAKE_COST_M * shake**2 + ROUGH_COST_M * np.maximum(shake - ROUGH, 0.0)
        kept = shake <= TOO_ROUGH
        # Every clip keeps its smoothest way on.
        for first, stop in pairwise(graph.edge_starts.tolist()):
            if stop > first:
                kept[first + int(shake[first:stop].argmin())] = True
        if self.allowed is not None:
            kept &= self.allowed[graph.targets]
        # Whoever turns on both feet twists the legs, and may be twisted already from stopping.
        shares = np.where(graph.carriers == BOTH, 0.5, 1.0)[:, None]
        return GraphTable(
            edge_starts=np.concatenate([[0], np.cumsum(kept)])[graph.edge_starts].astype(np.int64),
            targets=graph.targets[kept].astype(np.int64),
            transforms=np.ascontiguousarray(graph.transforms[kept], dtype=np.float64),
            pivots=np.ascontiguousarray(graph.pivots[kept], dtype=np.float64),
            ranges=np.ascontiguousarray((shares * graph.ranges)[kept], dtype=np.float64),
            costs=costs[kept],
            moves=np.ascontiguousarray(graph.moves, dtype=np.float64),
            lengths=self.lengths_m * np.where(self.made, MADE_COST, 1.0)
            + TIME_COST_MPS * library.lengths()
            + SKATE_COST_M * self.skating,
        )

    @cached_property
    def pace(self) -> Pace:
        """How long clips take."""
        fps = self.library.fps
        return Pace(step_s=max(1, round(SAMPLE_S * fps)) / fps, seconds=self.library.lengths())

    @cached_property
    def strides(self) -> Strides:
        """Where the graph's transitions lead."""
        return strides_of(self.graph)

    @cached_property
    def strides_back(self) -> Strides:
        """Where the transitions of the graph turned round lead."""
        return strides_of(self.backward.table)

    @cached_property
    def backward(self) -> Reversed:
        """The graph turned round, for searches that begin at the goal."""
        return reversed_graph(self.graph)

    @cached_property
    def lengths_m(self) -> FloatArray:
        """``(nodes,)`` how far the root travels in every clip [m], over steps rather than sway."""
        out = np.empty(len(self.library))
        for node in range(len(self.library)):
            path = self.library.root_path(node)
            out[node] = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
        return out

    @cached_property
    def skating(self) -> FloatArray:
        """``(nodes,)`` how much more of its ground contact a clip skates than the library on average; never below 0.

        A step skates whose toe is near the ground and faster than 0.2 m/s.
        """
        graph = self.library.graph
        counts = [np.concatenate([[0], np.cumsum(flags.sum(axis=1))]) for flags in skating_steps(self.library.footage)]
        steps, slides = (count[graph.last] - count[graph.first] for count in counts)
        shares = slides / np.maximum(steps, 1)
        return np.asarray(np.maximum(shares - slides.sum() / max(steps.sum(), 1), 0.0))

    @cached_property
    def shadows(self) -> Silhouettes:
        """Shadows of all clips."""
        return silhouettes(self.library, self.body)

    @cached_property
    def height_m(self) -> float:
        """Height of the tallest posture [m]."""
        world, graph = self.library.footage.world, self.library.graph
        frames = np.unique(np.concatenate([graph.first, graph.last]))
        starts, ends = self.body.capsule_segments(world.positions[frames], world.rotations[frames])
        tops = np.maximum(starts[..., 1], ends[..., 1]) + self.body.capsule_radii
        return float(tops.max())

    def frame_in_clip(self, node: int, frame: int) -> FloatArray:
        """``(3,)`` x, z and heading at one frame of a clip, in the clip's own frame.

        Raises:
            PlanningInputError: There is no such clip or frame.
        """
        graph = self.library.graph
        if not 0 <= node < graph.nodes:
            raise PlanningInputError(f"clip {node} does not exist; there are 0..{graph.nodes - 1}")
        count = int(graph.last[node] - graph.first[node])
        if not 0 <= frame < count:
            raise PlanningInputError(f"frame {frame} of clip {node} does not exist; there are 0..{count - 1}")
        at = int(graph.first[node]) + frame
        footage = self.library.footage
        put = np.array([*footage.table.roots[at, [0, 2]], self.facing_rad[at]])
        return composed(inverted(graph.frames[node]), put)

    @cached_property
    def facing_rad(self) -> FloatArray:
        """``(frames,)`` where the hips face in every frame of the footage [rad]."""
        motions = (self.library.footage.motion(*bounds) for bounds in self.library.footage.bounds())
        return np.concatenate([headings_rad(motion) for motion in motions])


def skating_steps(footage: Footage) -> tuple[BoolArray, BoolArray]:
    """``(frames - 1, 2)`` whether a foot touches the ground from one frame to the next, and whether it skates there."""
    balls = footage.foot_ends[:, :, 1]
    ground = np.median(balls[footage.planted][:, 1]) if footage.planted.any() else balls[..., 1].min()
    low = balls[..., 1] < ground + _CONTACT_M
    fast = np.linalg.norm(np.diff(balls, axis=0), axis=-1) * footage.fps > _SKATE_MPS
    touching = low[:-1] & low[1:]
    return touching, touching & fast


_WALKERS: WeakKeyDictionary[Library, Walker] = WeakKeyDictionary()


def walker_of(library: Library | Walker) -> Walker:
    """The walker of a library; made once, and kept as long as the library is."""
    if isinstance(library, Walker):
        return library
    if len(library) == 0:
        raise PlanningInputError("the library has no clips; nobody can walk with it")
    walker = _WALKERS.get(library)
    if walker is None:
        walker = _WALKERS[library] = Walker(library, fit_body(library.skeleton))
    return walker
