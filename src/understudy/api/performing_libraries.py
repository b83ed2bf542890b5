"""Programs of characters with a library: their longer walks are made of its clips, from rest to rest."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy.api.walking import walk
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.library import Library, build_library, load_library
from understudy.locomotion import Spot, WalkOptions
from understudy.locomotion.footsteps.footing import Footing
from understudy.locomotion.footsteps.moving import Going
from understudy.locomotion.footsteps.pathing import first_heading
from understudy.locomotion.walker import walker_of
from understudy.performer.clips import performance
from understudy.scene.scene import Scene
from understudy.skills.program.here import Here
from understudy.skills.program.legs import RecordedWalk
from understudy.verify.bars import Bars

#: [s] given to one walk.
_DEADLINE_S = 8.0
#: [m] room beside the path, widest first.
_CLEARANCES_M = (0.36, 0.26)
#: [m/s], [s] how slowly somebody may get there, and what setting off and stopping take.
_SLOW_MPS, _EXTRA_S = 0.7, 2.0
#: Takes of setting off and stopping that are made where a library has none.
_TAKES = 2


@lru_cache(maxsize=4)
def library_of(path: str) -> Library:
    """A library one can begin and end standing with.

    Most recorded walks begin and end in mid-stride. Who has nothing else sets off and stops as the performer does.
    """
    library = load_library(path)
    if walker_of(library).still.any(axis=0).all():
        return library
    footage = library.footage
    takes = [
        footage.motion(first, stop, name=take.name)
        for take, (first, stop) in zip(footage.takes, footage.bounds(), strict=True)
        if not take.mirrored and not take.bend_radps
    ]
    own = [
        performance(name, person=library.skeleton, fps=footage.fps, seed=seed).motion
        for name in ("start", "stop")
        for seed in range(_TAKES)
    ]
    still = performance("idle", person=library.skeleton, fps=footage.fps, duration_s=4.0).motion
    return build_library([*takes, *own, still])


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
        for clearance in _CLEARANCES_M:
            options = WalkOptions(seed=seed, deadline_s=_DEADLINE_S, stop=True, clearance_m=clearance)
            found = walk(library, scene, start=start, goal=goal, bars=bars, options=options)
            if found.status and found.motion is not None and found.motion.duration_s < _longest_s(going):
                return found.motion if found.motion.fps == fps else found.motion.resampled(fps)
        return None

    return walks


def _longest_s(going: Going) -> float:
    """Who would take longer than this walks in circles [s]."""
    return float(np.linalg.norm(np.diff(going.way.points, axis=0), axis=1).sum()) / _SLOW_MPS + _EXTRA_S
