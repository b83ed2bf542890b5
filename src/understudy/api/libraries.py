"""``understudy.library_from``: a library from clips of any rigs, tried before it is handed out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from understudy.api.walking import walk
from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, PlanningInputError, UnderstudyError
from understudy.library.build import build_library
from understudy.library.motion_library import Library
from understudy.library.options import LibraryOptions
from understudy.library.preparation import turned_bone
from understudy.library.scratch import MEMORY, Scratch
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.trace import WalkTrace
from understudy.retargeting import retarget
from understudy.scene.scene import Scene

#: [m] how far away the goals of trial walks lie, and [s] how long one may be searched for.
_FAR_M, _SEARCH_S = 3.0, 5.0


@dataclass(frozen=True, eq=False, kw_only=True)
class TriedLibrary:
    """A library and how walks with it went.

    Attributes:
        library: The library; its notes say what was done with the clips.
        walks: How many walks were tried.
        walked: How many of them arrived and passed the judge.
        by_clips: How many of these needed no step that was made.
    """

    library: Library
    walks: int
    walked: int
    by_clips: int


def library_from(
    clips: Iterable[Motion],
    *,
    skeleton: Skeleton | None = None,
    options: LibraryOptions | None = None,
    walks: int = 4,
) -> TriedLibrary:
    """Build a library from clips of any rigs, and walk with it.

    Clips on other joints, or with another rest pose, are retargeted; clips of nobody are left out. Where no trial walk
    of clips alone passes, the mirror image of every clip is added and they are tried again. Where that does not help
    either, walks have to be made of steps in the person's manner, and these are tried.

    Args:
        clips: Recordings, on any humanoid skeletons.
        skeleton: Whose library it is; the first humanoid clip's unless given.
        options: See :class:`LibraryOptions`.
        walks: How many walks over an empty floor are tried, in as many directions; 0 tries none.

    Raises:
        PlanningInputError: No clip is of a person, or none of the walks passes the judge.
        SkeletonError: The given skeleton lacks humanoid roles.
    """
    if walks < 0:
        raise OptionError(f"walks is {walks}; it must be zero or more")
    chosen = options or LibraryOptions()
    if skeleton is not None:
        skeleton.require_humanoid()
    scratch = MEMORY if chosen.scratch is None else Scratch(Path(chosen.scratch))
    taken, notes = _on_one_skeleton([scratch.kept(clip) for clip in clips], skeleton)
    if not taken:
        raise PlanningInputError("a library needs at least one clip of a person:\n  " + "\n  ".join(notes))
    library = build_library(taken, options=chosen)
    results = _tried(library, walks)
    if walks and not any(one.status for one in results) and not chosen.mirror:
        mirrored = build_library(taken, options=replace(chosen, mirror=True))
        again = _tried(mirrored, walks)
        if any(one.status for one in again):
            library, results = mirrored, again
            notes.append("no walk passed with the clips alone; their mirror images were added")
    by_clips = walked = sum(bool(one.status) for one in results)
    if walks and not by_clips:
        results = _tried(library, walks, method="steps")
        walked = sum(bool(one.status) for one in results)
        notes.append("no walk passed with clips alone: walks are made of steps in the person's manner")
    if walks and not walked:
        raise PlanningInputError(_nobody_walks(library, results))
    if walks:
        notes.append(f"{walked} of {walks} trial walks passed the judge")
    whole = replace(library, notes=(*notes, *library.notes))
    return TriedLibrary(library=whole, walks=walks, walked=walked, by_clips=by_clips)


def _on_one_skeleton(clips: list[Motion], skeleton: Skeleton | None) -> tuple[list[Motion], list[str]]:
    """The clips of people on one skeleton, and what was done with the others."""
    people = [clip for clip in clips if clip.skeleton.is_humanoid]
    notes = [f'"{clip.name}" is of nobody and was left out' for clip in clips if not clip.skeleton.is_humanoid]
    if not people:
        return [], notes
    target = skeleton or people[0].skeleton
    taken, moved = list[Motion](), 0
    for clip in people:
        if clip.skeleton.same_joints(target) and not turned_bone(clip.skeleton, target):
            taken.append(clip)
            continue
        try:
            taken.append(retarget(clip, target).motion)
            moved += 1
        except UnderstudyError as error:
            notes.append(f'"{clip.name}" could not be retargeted and was left out: {error}')
    if moved:
        notes.append(f"{moved} of {len(people)} people are on other rigs; their clips were retargeted")
    return taken, notes


def _tried(library: Library, walks: int, *, method: Literal["beam", "steps"] = "beam") -> list[Result[WalkTrace]]:
    """Walks from the middle of an empty floor, each in another direction."""
    options = WalkOptions(method=method, deadline_s=_SEARCH_S)
    angles = 2.0 * np.pi * np.arange(walks) / max(walks, 1)
    goals = [(float(_FAR_M * np.sin(angle)), float(_FAR_M * np.cos(angle))) for angle in angles]
    return [walk(library, Scene(), start=(0.0, 0.0), goal=goal, options=options) for goal in goals]


def _nobody_walks(library: Library, results: list[Result[WalkTrace]]) -> str:
    reason = results[0].reason.partition("\n")[0]
    notes = "".join(f"\n  {note}" for note in library.notes)
    return (
        f"none of {len(results)} trial walks with this library passes the judge, so it is not handed out; the first: "
        f"{reason}. A clip in which somebody walks is needed; without trials (--trial-walks 0) it is built for other "
        f"uses{notes}"
    )
