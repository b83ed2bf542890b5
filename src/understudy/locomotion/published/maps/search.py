"""Following a path with motion maps (thesis, §4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from understudy.library.motion_maps import MotionMaps
from understudy.locomotion.published.maps.motion_maps import library_edges, maps_of
from understudy.locomotion.published.maps.tables import Course, Followed, MapTable, Reach
from understudy.locomotion.walker import Walker

if TYPE_CHECKING:
    from understudy.locomotion.search import Problem

#: Radius [m] and turn [rad] around samples of the path, slack, branches wanted, and most stages, try by try.
TRIES = ((0.15, 0.35, 0.1, 1, 120), (0.2, 0.5, 0.3, 12, 300), (0.3, 0.7, 1e6, 48, 800))
#: [m] how far along the path a walk begins.
_EARLY_M = 1.0
#: How often the first stage asks again, unless there are more seeds than this.
_PAGES, _FEW_SEEDS = 40, 4
#: States there is room for.
_STATES, _STATES_PER_STAGE = 4000, 40


#: By walker, not by maps: a walker who leaves out transitions numbers them differently.
_TABLES: WeakKeyDictionary[Walker, MapTable] = WeakKeyDictionary()


def map_table(walker: Walker) -> MapTable:
    """A walker's maps for kernels; made once, and kept as long as the walker is."""
    table = _TABLES.get(walker)
    if table is None:
        table = _TABLES[walker] = _table(walker, maps_of(walker))
    return table


def _table(walker: Walker, maps: MotionMaps) -> MapTable:
    ours = np.full(walker.library.graph.edges, -1, dtype=np.int64)
    names = library_edges(walker)
    ours[names] = np.arange(len(names))
    return MapTable(
        starts=maps.starts,
        roots=np.flatnonzero(maps.parents < 0),
        grids=maps.grids,
        average_m=maps.average_m,
        cells=maps.cells,
        parents=maps.parents,
        edges=maps.edges,
        places=maps.places,
        way_lengths_m=maps.lengths_m,
        walker_edges=ours,
        lengths_m=walker.lengths_m,
    )


def followed(problem: Problem, attempt: int) -> Followed:
    """Follow a problem's path; further attempts are wider and find more branches."""
    from understudy.locomotion.published.maps._follow_kernels import follow

    radius, turn, slack, wanted, stages = TRIES[attempt]
    options, seeds = problem.options, np.ascontiguousarray(problem.seeds[:, :4])
    reach = Reach(
        radius_m=radius,
        turn_rad=turn,
        slack=slack,
        early_m=_EARLY_M,
        past_m=options.past_m,
        wanted=wanted,
        stages=stages,
        pages=_PAGES if len(seeds) <= _FEW_SEEDS else 0,
    )
    course = Course(
        maps=map_table(problem.walker), world=problem.world, path=problem.table, reach=reach, kept=problem.kept
    )
    return Followed(*follow(course, seeds, min(options.max_states, _STATES + _STATES_PER_STAGE * stages)))
