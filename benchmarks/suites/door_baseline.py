"""The thesis's door skill as a baseline: stand before the handle, pull or push, turn the root by a degree per attempt.

It opens a door as far as an arm can without a step (thesis 5.6.1). Nothing is made or judged here: what counts is how
far it comes, in the same tables of reach and room that the planner uses.
"""

from __future__ import annotations

import numpy as np

from benchmarks.suites.door_variations import Variation
from understudy.core.skeleton import Skeleton
from understudy.floor import build_floor
from understudy.skills.door.layout import door_of
from understudy.skills.door.passing import Question, Search

_DEGREE = np.radians(1.0)
#: [rad] how far the root may have turned away from where it stood.
_TURNED = np.radians(35.0)


def opened_deg(one: Variation, skeleton: Skeleton) -> float:
    """How far the thesis's skill opens a door from its best place to stand [deg]."""
    from understudy.skills.door._geometry_kernels import floor_clearance, leaf_clearance, reach_cost

    scene, start = one.scene(), np.array(one.start)
    door = door_of(scene, "door", start)
    floor = build_floor(scene, bounds=[-4, -6, 4, 6], ignore=door.parts, head_height_m=1.8, step_height_m=0.02)
    search = Search(
        Question(
            door=door, floor=floor, skeleton=skeleton, start=start, start_heading_rad=None, goal=np.array(one.goal)
        )
    )
    if search.problem:
        return 0.0
    search.ways()
    best = 0.0
    for x, z, heading in np.unique(search.rows[:, :3].round(6), axis=0):
        if floor_clearance(search.ground, search.walker, x, z, heading) < 0.02:
            continue
        for hand in range(2):
            opening, turn = 0.0, 0.0
            while opening < door.most_rad:
                held = [
                    angle
                    for angle in (turn, turn - _DEGREE, turn + _DEGREE)
                    if abs(angle) <= _TURNED
                    and reach_cost(search.leaf, search.walker, hand, x, z, heading + angle, opening) < 5.0
                    and leaf_clearance(search.leaf, search.walker, x, z, heading + angle, opening) > 0.02
                ]
                if not held:
                    break
                turn, opening = held[0], opening + _DEGREE
            best = max(best, opening)
    return float(np.degrees(best))
