"""Evidence: the recorded or published clips that say how somebody moves. A motion that a planner made is never here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np

from understudy.api.performer_sources import performer_clips
from understudy.core.motion import Motion, Origin
from understudy.core.skeleton import Skeleton
from understudy.library import Library
from understudy.locomotion.walker import MADE
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.typing import IntArray

#: Tasks that are done after the performer's published examples.
_ACTIONS = ("kick", "point", "pour")
_TAKES: WeakKeyDictionary[Library, list[Motion]] = WeakKeyDictionary()


def takes_of(library: Library) -> list[Motion]:
    """All takes of a library."""
    # The judge remembers what it found out about a clip as long as the clip itself is there.
    if library not in _TAKES:
        footage = library.footage
        _TAKES[library] = [
            replace(footage.motion(first, stop, name=take.name), origin=Origin.of(take.kind))
            for take, (first, stop) in zip(footage.takes, footage.bounds(), strict=True)
        ]
    return _TAKES[library]


def takes_walked(library: Library, nodes: IntArray) -> list[Motion]:
    """The takes that clips ``(n,)`` of a library are parts of; for made ones the published ones that they are like."""
    takes = _takes_with(library, library.graph.first[nodes])
    found = [take for take in takes if not take.name.startswith(MADE)]
    return found if len(found) == len(takes) else [*found, *published(library.skeleton, library.fps)]


def takes_sampled(library: Library, stretches: IntArray) -> list[Motion]:
    """The takes that stretches ``(n, 2)`` of a library's footage are parts of."""
    return _takes_with(library, stretches[:, 0])


def _takes_with(library: Library, frames: IntArray) -> list[Motion]:
    takes = takes_of(library)
    return [takes[k] for k in np.unique(library.footage.take_of(frames)).tolist()]


def published(skeleton: Skeleton, fps: float) -> tuple[Motion, ...]:
    """The built-in performer's walks, turns and side steps on a skeleton; rates that differ by rounding are one."""
    return _published(skeleton, round(fps, 6))


@lru_cache(maxsize=8)
def _published(skeleton: Skeleton, fps: float) -> tuple[Motion, ...]:
    from understudy.performer.clip_kinds import SETS

    return performer_clips([name for name in SETS["locomotion"] if "jog" not in name], skeleton, fps)


def examples(tasks: Iterable[Task], skeleton: Skeleton, fps: float) -> tuple[Motion, ...]:
    """The published examples that somebody's tasks are done after."""
    from understudy.skills.action import family_of

    kinds = {task.do for task in tasks} & set(_ACTIONS)
    return tuple(
        motion
        for kind in sorted(kinds)
        for side in ("left", "right")
        for motion in family_of(kind, side, skeleton, fps).motions
    )


class Evidence:
    """Everybody's evidence in a performance, found when it is asked for.

    Args:
        scene: The scene as it was handed in, with its tasks.
        given: Motions that were there before anything was planned, by name.
        libraries: Libraries of those who walk with one, by name.
    """

    def __init__(self, scene: Scene, given: Mapping[str, Motion], libraries: Mapping[str, Library]) -> None:
        self._scene, self._given, self._libraries = scene, dict(given), dict(libraries)
        self._known: dict[str, tuple[Motion, ...]] = {}

    def of(self, name: str, motion: Motion) -> tuple[Motion, ...]:
        """The clips of one character, whose motion tells the skeleton and the rate."""
        if name not in self._known:
            self._known[name] = self._found(name, motion)
        return self._known[name]

    def _found(self, name: str, motion: Motion) -> tuple[Motion, ...]:
        if name in self._given:
            return self._given[name].evidence
        tasks = [task for task in self._scene.tasks if task.character == name]
        clips = [*published(motion.skeleton, motion.fps), *examples(tasks, motion.skeleton, motion.fps)]
        if name in self._libraries:
            clips += [take for take in takes_of(self._libraries[name]) if not take.name.startswith(MADE)]
        return tuple(clips)
