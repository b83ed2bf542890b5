"""Programs of characters with a library: their longer walks are made of its clips, from rest to rest."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy.api.walking import walk
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.library import Library, load_library
from understudy.locomotion import Spot, WalkOptions
from understudy.locomotion.completing import completed
from understudy.locomotion.footsteps.footing import Footing
from understudy.locomotion.footsteps.moving import Going
from understudy.locomotion.footsteps.pathing import first_heading
from understudy.scene.scene import Scene
from understudy.skills.program.here import Here
from understudy.skills.program.legs import RecordedWalk
from understudy.verify.bars import Bars

#: [s] given to one walk.
_DEADLINE_S = 8.0


@lru_cache(maxsize=4)
def library_of(path: str) -> Library:
    """A library one can begin and end standing with."""
    return completed(load_library(path))


def skeletons_of(scene: Scene) -> dict[str, Skeleton]:
    """Name -> the skeleton of the library somebody walks with."""
    return {one.name: library_of(one.library).skeleton for one in scene.characters if one.library}


def recorded_walks(scene: Scene, bars: Bars | None, seed: int, fps: float) -> dict[str, RecordedWalk]:
    """Name -> walks by the clips of the library somebody has."""
    return {one.name: _walks(library_of(one.library), bars, seed, fps) for one in scene.characters if one.library}


def _walks(library: Library, bars: Bars | None, seed: int, fps: float) -> RecordedWalk:
    """Walks by the clips of one library that begin and end standing; none where no walk passes the judge."""

    def walks(here: Here, footing: Footing, going: Going) -> Motion | None:
        scene = here.around()
        route = going.way.points
        goal = [float(value) for value in going.way.end]
        if going.end_rad is not None:
            goal.append(float(np.degrees(going.end_rad)))
        first = route[0]
        start = Spot(position=(float(first[0]), float(first[1])), heading_rad=first_heading(route), still=True)
        options = WalkOptions(seed=seed, deadline_s=_DEADLINE_S, stop=True)
        found = walk(library, scene, start=start, goal=goal, bars=bars, options=options)
        if not found.status or found.motion is None:
            return None
        return found.motion if found.motion.fps == fps else found.motion.resampled(fps)

    return walks
