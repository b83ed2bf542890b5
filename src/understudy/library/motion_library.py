"""A motion library: footage cut into clips, and which clip may follow which. Built once, saved, shared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planar import PlanarTransform
from understudy.core.skeleton import Skeleton
from understudy.errors import PlanningInputError
from understudy.library.footage import Footage, Take
from understudy.library.graph import Graph
from understudy.library.jump_table import JumpTable
from understudy.library.motion_maps import MotionMaps
from understudy.library.planar_arrays import inverted, transform
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Library:
    """Clips and the graph between them.

    Attributes:
        footage: All frames of all takes.
        graph: Which clip follows which.
        labels: Names of the graph's label numbers, such as ``"walk"``.
        kind: ``"feature"``, ``"standard"`` or ``"hybrid"``.
        threshold_m: Largest distance of a transition [m].
        half_window: Frames blended on both sides of a transition.
        segments: How many clips there were before the graph was reduced to those that can always go on.
        notes: What building left out or scaled.
        seconds: What building cost, per stage [s]; not saved.
        maps: Where one can get from every clip; ``None`` when they were not computed.
        jumps: Jumps between frames, for sampling; ``None`` when they were not looked for.
    """

    footage: Footage
    graph: Graph
    labels: tuple[str, ...]
    kind: str
    threshold_m: float
    half_window: int
    segments: int
    notes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    maps: MotionMaps | None = None
    jumps: JumpTable | None = None

    def __len__(self) -> int:
        """Number of clips."""
        return self.graph.nodes

    def __repr__(self) -> str:
        """Kind, size and branching in one line."""
        return (
            f"Library({self.kind}, {self.graph.nodes} clips, {self.graph.edges} transitions, "
            f"{len(self.footage)} frames at {self.fps:g} fps)"
        )

    @property
    def skeleton(self) -> Skeleton:
        """Who moves."""
        return self.footage.skeleton

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.footage.fps

    @property
    def branching(self) -> float:
        """Transitions per clip."""
        return self.graph.edges / max(self.graph.nodes, 1)

    @property
    def thesis_branching(self) -> float:
        """The thesis's figure, which counts transitions as nodes too: ``(2 E + N) / (N + E)``."""
        nodes, edges = self.graph.nodes, self.graph.edges
        return (2 * edges + nodes) / max(nodes + edges, 1)

    def label(self, node: int) -> str:
        """What a clip shows."""
        return self.labels[self.graph.labels[node]]

    def take(self, node: int) -> Take:
        """The take a clip was cut from."""
        return self.footage.takes[int(self.footage.take_of(self.graph.first[node]))]

    def lengths(self) -> FloatArray:
        """``(nodes,)`` duration of every clip [s]."""
        return (self.graph.last - self.graph.first) / self.fps

    def clip(self, node: int) -> Motion:
        """A clip as a motion that begins at the origin, facing +Z; both cut frames are included."""
        if not 0 <= node < self.graph.nodes:
            raise PlanningInputError(f"clip {node} does not exist; there are 0..{self.graph.nodes - 1}")
        first, last = int(self.graph.first[node]), int(self.graph.last[node])
        take = self.footage.takes[int(self.footage.take_of(first))]
        motion = self.footage.motion(first, last + 1, name=f"{take.name}[{first}:{last + 1}]")
        return motion.placed(self.to_node(node))

    def to_node(self, node: int) -> PlanarTransform:
        """From a clip's take to the clip's own frame."""
        return transform(inverted(self.graph.frames[node]))

    def root_path(self, node: int) -> FloatArray:
        """``(frames, 2)`` floor points (x, z) of the root over a clip, in the clip's own frame [m]."""
        first, last = int(self.graph.first[node]), int(self.graph.last[node])
        roots = np.asarray(self.footage.root_positions[first : last + 1, [0, 2]], dtype=np.float64)
        return self.to_node(node).floor_points(roots)
