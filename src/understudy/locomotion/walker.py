"""A walker: a library with everything a search reads, prepared once and shared by all its walks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.errors import PlanningInputError
from understudy.library import Library
from understudy.library.features import headings_rad
from understudy.locomotion.silhouettes import silhouettes
from understudy.locomotion.tables import GraphTable, Silhouettes
from understudy.typing import FloatArray

#: [m] cost of a transition at the library's threshold, and [m/s] of every second.
SEAM_COST_M, TIME_COST_MPS = 0.25, 0.1


@dataclass(frozen=True, eq=False)
class Walker:
    """Who walks.

    Attributes:
        library: The clips.
        body: The body on its skeleton.
    """

    library: Library
    body: Body

    @cached_property
    def graph(self) -> GraphTable:
        """The graph, for kernels."""
        library, graph = self.library, self.library.graph
        # The first steps decide how a walk looks, the sum how long it is: travelled length first, then time and seams.
        return GraphTable(
            edge_starts=graph.edge_starts.astype(np.int64),
            targets=graph.targets.astype(np.int64),
            transforms=np.ascontiguousarray(graph.transforms, dtype=np.float64),
            pivots=np.ascontiguousarray(graph.pivots, dtype=np.float64),
            ranges=np.ascontiguousarray(graph.ranges, dtype=np.float64),
            costs=SEAM_COST_M * (graph.costs / library.threshold_m) ** 2,
            moves=np.ascontiguousarray(graph.moves, dtype=np.float64),
            lengths=self.lengths_m + TIME_COST_MPS * library.lengths(),
        )

    @cached_property
    def lengths_m(self) -> FloatArray:
        """``(nodes,)`` how far the root travels in every clip [m], over steps rather than sway."""
        out = np.empty(len(self.library))
        for node in range(len(self.library)):
            path = self.library.root_path(node)
            out[node] = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
        return out

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
        motion = self.library.clip(node)
        return np.array([*motion.root_positions[frame, [0, 2]], headings_rad(motion)[frame]])


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
