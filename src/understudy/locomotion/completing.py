"""Libraries in which nobody ever stands: their person sets off, stops and stands as the gait model does it.

Most recorded walks begin and end in mid-stride. Takes of setting off, stopping and standing are made in the manner of
the person recorded and joined to the recorded ones by the same comparisons and trials as any take. So every search can
use them: a walk from standing to standing has recorded clips between a first and a last step that were made.
"""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from understudy.core.motion import Motion, Origin
from understudy.errors import PlanningInputError
from understudy.library import Library, build_library
from understudy.locomotion.footsteps.manner import manner_of
from understudy.locomotion.walker import MADE, Walker, walker_of
from understudy.performer.clips import performance
from understudy.typing import IntArray

#: Takes of setting off and of stopping, and [s] of standing.
_TAKES, _STANDS_S = 2, 4.0
#: [s] of setting off and of stopping that are kept: to the end of the first whole stride, and from before the last one.
_START_S, _STOP_S = 3.2, 4.2
_COMPLETED: WeakKeyDictionary[Library, Library] = WeakKeyDictionary()


def stands(library: Library) -> bool:
    """Whether walks with a library may begin and end standing."""
    return bool(walker_of(library).still.any(axis=0).all())


def completed(library: Library) -> Library:
    """The library, or one more in which its person stands, sets off and stops; made once."""
    if library not in _COMPLETED:
        _COMPLETED[library] = library if stands(library) else _with_stands(library)
    return _COMPLETED[library]


def synthesised_spans(walker: Walker, nodes: IntArray) -> tuple[tuple[float, float], ...]:
    """From when to when a walk of clips ``(n,)`` consists of takes that were made [s]."""
    made, ends = walker.made[nodes], np.cumsum(walker.library.lengths()[nodes])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], made, [False]]).astype(np.int8)))
    times = np.concatenate([[0.0], ends])[edges]
    return tuple(zip(times[::2].tolist(), times[1::2].tolist(), strict=True))


def _with_stands(library: Library) -> Library:
    footage = library.footage
    takes = [
        replace(footage.motion(first, stop, name=take.name), origin=Origin.of(take.kind))
        for take, (first, stop) in zip(footage.takes, footage.bounds(), strict=True)
        if not take.mirrored and not take.bend_radps
    ]
    try:
        made = build_library([*takes, *_made(library)])
    except PlanningInputError:
        return library
    # Steps that nothing recorded can follow are of no use to it.
    kept = {made.take(node).name for node in range(len(made))}
    return made if stands(made) and kept & {take.name for take in takes} else library


def _made(library: Library) -> list[Motion]:
    """Takes of the library's person, made by the gait model."""
    style, skeleton, fps = manner_of(library), library.skeleton, library.fps

    def made(name: str, seed: int, duration_s: float | None = None) -> Motion:
        found = performance(name, person=skeleton, fps=fps, style=style, seed=seed, duration_s=duration_s)
        return found.motion.renamed(f"{MADE}{name} {seed}")

    starts = [one.frames(0, round(_START_S * fps)) for one in (made("start", seed) for seed in range(_TAKES))]
    stops = [one.frames(len(one) - round(_STOP_S * fps), len(one)) for one in (made("stop", k) for k in range(_TAKES))]
    return [*starts, *stops, made("idle", 0, _STANDS_S)]
