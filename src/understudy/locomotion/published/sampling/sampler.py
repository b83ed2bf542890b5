"""A sampler: a library with everything the sampling searches read, prepared once and shared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from understudy.library import Library
from understudy.locomotion.published.sampling.footage_tables import (
    body_table,
    bounding_radius_m,
    heights_m,
    leads,
    moved_leads,
)
from understudy.locomotion.published.sampling.frame_graph import LOOKS_HZ, FrameGraph, frame_graph
from understudy.locomotion.published.sampling.tables import BodyTable, Stage, Volume
from understudy.locomotion.walker import Walker, skating_steps, walker_of
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Sampler:
    """Who is sampled.

    Attributes:
        walker: The library and the body on its skeleton.
    """

    walker: Walker

    @property
    def library(self) -> Library:
        """The clips."""
        return self.walker.library

    @cached_property
    def graph(self) -> FrameGraph:
        """All jumps."""
        return frame_graph(self.library, self.walker.body)

    @cached_property
    def body(self) -> BodyTable:
        """The body in every frame."""
        return body_table(self.library, self.walker.body)

    @cached_property
    def entered(self) -> FloatArray:
        """``(frames, LEAD)`` where a take leads from a frame on, in its own axes."""
        jumps = self.graph.jumps
        return leads(jumps.moves, jumps.stops, jumps.efforts, self.library.fps)

    @cached_property
    def jumped(self) -> FloatArray:
        """``(edges, LEAD)`` where jumps lead, in the axes of the takes they leave."""
        return moved_leads(self.entered[self.graph.jumps.into], self.graph.jumps.transforms)

    @cached_property
    def jumping(self) -> FloatArray:
        """``(frames,)`` the least that a jump from a frame costs [m]; infinite where none leaves it."""
        jumps = self.graph.jumps
        least = np.full(len(jumps.moves), np.inf)
        np.minimum.at(least, jumps.out[jumps.roots], jumps.costs[jumps.roots])
        return least

    def skates_more(self, stretches: IntArray) -> bool:
        """Whether stretches ``(n, 2)`` of footage skate more, share for share, than any take they are from does."""
        first, last = stretches.T
        touching, skating = (count[last] - count[first] for count in self._steps)
        starts, stops = np.array(self.library.footage.bounds()).T
        takes = np.unique(self.library.footage.take_of(first))
        whole = [count[stops[takes] - 1] - count[starts[takes]] for count in self._steps]
        usual = (whole[1] / np.maximum(whole[0], 1)).max()
        return bool(skating.sum() > usual * touching.sum())

    @cached_property
    def _steps(self) -> tuple[IntArray, IntArray]:
        """``(frames,)`` steps in which feet touch the ground, and in which they skate, summed from the first frame."""
        touching, skating = (
            np.concatenate([[0], np.cumsum(flags.sum(axis=1))]) for flags in skating_steps(self.library.footage)
        )
        return touching, skating

    @cached_property
    def radius_m(self) -> float:
        """``r_body``: the upright cylinder about the root that holds the body in every frame [m]."""
        return bounding_radius_m(self.body, self.graph.jumps.moves)

    @cached_property
    def height_m(self) -> float:
        """Height of the tallest posture [m]."""
        return float(heights_m(self.body).max())

    @cached_property
    def lowest_m(self) -> float:
        """Height of the lowest posture [m]: under what is higher than this, somebody can pass."""
        return float(heights_m(self.body).min())

    @property
    def step(self) -> int:
        """Frames between looks."""
        return max(1, round(self.library.fps / LOOKS_HZ))

    def stage(self, volume: Volume) -> Stage:
        """What kernels read, in a scene."""
        return Stage(jumps=self.graph.jumps, body=self.body, volume=volume, step=self.step)

    def beginnings(self) -> IntArray:
        """Frames a sequence may begin with: some jump can still be reached from them."""
        frames = np.arange(len(self.graph.onward))
        return np.asarray(frames[self.graph.onward >= frames + self.graph.jumps.least])


_SAMPLERS: WeakKeyDictionary[Library, Sampler] = WeakKeyDictionary()


def sampler_of(library: Library | Walker) -> Sampler:
    """The sampler of a library; made once, and kept as long as the library is."""
    walker = walker_of(library)
    sampler = _SAMPLERS.get(walker.library)
    if sampler is None:
        sampler = _SAMPLERS[walker.library] = Sampler(walker)
    return sampler
