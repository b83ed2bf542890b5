"""The published ways to search along a path, behind one door."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from understudy.locomotion.published.maps.search import TRIES, followed
from understudy.locomotion.published.maps.tables import Followed
from understudy.locomotion.tables import Tree

if TYPE_CHECKING:
    from understudy.locomotion.schedule import Effort
    from understudy.locomotion.search import Problem

#: How many times at most each is tried.
ATTEMPTS = {"maps": len(TRIES), "channel": 1, "astar": 1}


def searched(problem: Problem, effort: Effort) -> tuple[Tree, Followed | None]:
    """What a published method finds from the start on, and the motion maps it asked."""
    if problem.method == "maps":
        maps = followed(problem, effort.attempt)
        return maps.tree, maps
    return _astar(problem), None


def _astar(problem: Problem) -> Tree:
    from understudy.locomotion.published._astar_kernels import Channel, astar

    path, options, graph = problem.path, problem.options, problem.world.graph
    reach = path.clearance_m if problem.method == "channel" else 0.0
    channel = Channel(path.pieces, problem.floor.channel(path).band, reach)
    # The thesis counts length alone; its estimate, the straight distance, is then near the truth.
    plain = graph._replace(costs=np.zeros_like(graph.costs), lengths=np.hypot(*graph.moves[:, :2].T))
    world = problem.world._replace(graph=plain)
    seeds = np.ascontiguousarray(problem.seeds)
    return Tree(*astar(world, problem.table, channel, problem.kept, options.past_m, options.max_states, seeds))
