"""Finding where a clip's limbs touch what they must not, and the windows to plan in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from understudy.collision.tables import MESH
from understudy.core.motion import Motion
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs.parts import Parts, seen
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.limbs.stances import stances
from understudy.limbs.tables import FREE
from understudy.limbs.tabulate import cropped, posed, track_speeds
from understudy.limbs.trace import Touch
from understudy.limbs.window import Window, window_of
from understudy.typing import BoolArray, FloatArray

#: [s] stretches nearer to each other than this are repaired together.
MERGED_S = 0.4
#: [s] longest piece of a clip that is tabulated at once.
_PIECE_S = 6.0
#: [rad] a coordinate that changes by more within a frame has spun; pieces end there.
_SPUN_RAD = 0.5
#: Where limbs of motions spin; motions never change.
_SPUN: WeakKeyDictionary[Motion, dict[LimbSpace, set[int]]] = WeakKeyDictionary()


def touches(stage: Stage, limb: str, *, itself: bool = False) -> list[Touch]:
    """Every stretch in which a limb of the motion, or what it carries, touches something it must not.

    The whole stretch between two frames counts when any moment of it does; nothing is sampled.

    Args:
        stage: The motion on its stage.
        limb: Which limb.
        itself: Whether the motion may differ from its source, so that the body may be in its own way.
    """
    found: list[Touch] = []
    space = stage.space(limb)
    for first, last in pieces(stage, space):
        for start, end in [(first, last)] if itself else _suspicious(stage, space, first, last):
            found += _in_window(window_of(stage, space, start, end), limb)
    return merged(found, 0.5 / stage.motion.fps)


def _suspicious(stage: Stage, space: LimbSpace, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The stretch of frames in which the limb, or what it carries, comes near anything it must not touch, if any."""
    motion = stage.motion
    start_s, end_s = (stage.start_s + frame / motion.fps for frame in (first, last))
    loads = stage.loads(space.moved, start_s, end_s)
    parts = Parts(stage, space, loads, start_s, end_s)
    places, turns = posed(stage, motion, first, last, 1)
    near = _near_solids(stage, parts, first, places, turns)
    if loads:
        near |= _loads_near_body(parts, places, turns)
    marked = np.flatnonzero(near)
    if len(marked):
        yield first + max(int(marked[0]) - 1, 0), first + min(int(marked[-1]) + 1, last - first)


def _near_solids(stage: Stage, parts: Parts, first: int, places: FloatArray, turns: FloatArray) -> BoolArray:
    """``(frames,)`` whether a part of the limb may touch a solid just before or after a frame."""
    from understudy.limbs._finding_kernels import frames_near

    world = stage.world([load.name for load in parts.loads])
    times = stage.start_s + (first + np.arange(len(places))) / stage.motion.fps
    tracks = cropped(world.tracks, times[0], times[-1])
    near = np.zeros(len(times), dtype=np.bool_)
    frames_near(
        world.solids,
        world.broad,
        tracks,
        frozen(times),
        seen(places, turns, parts.joints, parts.ends, np.full(len(parts.joints), -1)),
        frozen(parts.radii),
        frozen(parts.depths(world)),
        float(track_speeds(world, tracks, times[0], times[-1])),
        near,
    )
    return near


def _loads_near_body(parts: Parts, places: FloatArray, turns: FloatArray) -> BoolArray:
    """``(frames,)`` whether something carried may touch the body just before or after a frame."""
    from understudy.limbs._finding_kernels import pairs_meet

    pairs, gaps = parts.load_pairs()
    own = seen(places, turns, parts.joints, parts.ends, np.full(len(parts.joints), parts.space.parent))
    near = np.zeros(len(places), dtype=np.bool_)
    pairs_meet(own, parts.rest_segments(places, turns), frozen_indices(pairs), frozen(gaps), near)
    return near


def pieces(stage: Stage, space: LimbSpace) -> Iterator[tuple[int, int]]:
    """Stretches of frames within which the limb carries the same things and no joint spins."""
    motion = stage.motion
    cuts = {0, len(motion) - 1}
    for time in stage.changes(space.moved):
        cuts.add(int(np.clip(round((time - stage.start_s) * motion.fps), 0, len(motion) - 1)))
    spun = _spun(stage, space)
    step = max(int(_PIECE_S * motion.fps), 2)
    marks = sorted(cuts)
    for start, end in pairwise(marks):
        for first in range(start, end, step):
            yield from _without(first, min(first + step, end), spun)


def _spun(stage: Stage, space: LimbSpace) -> set[int]:
    known = _SPUN.setdefault(stage.motion, {})
    if space not in known:
        known[space] = spun_frames(stage.motion, space)
    return known[space]


def spun_frames(motion: Motion, space: LimbSpace) -> set[int]:
    """Frames after which a coordinate of the limb turns too far to be followed."""
    coordinates = space.coordinates(motion.rotations)
    turn = np.abs((np.diff(coordinates, axis=0) + np.pi) % (2.0 * np.pi) - np.pi)
    twists = np.arange(coordinates.shape[1]) % 3 == 2
    jump = np.where(twists, turn, np.abs(np.diff(coordinates, axis=0)))
    return set(np.flatnonzero(jump.max(axis=1) > _SPUN_RAD).tolist())


def _without(first: int, last: int, spun: set[int]) -> Iterator[tuple[int, int]]:
    for frame in sorted(one for one in spun if first <= one < last):
        if frame > first:
            yield first, frame
        first = frame + 1
    if last > first:
        yield first, last


def _in_window(window: Window, limb: str) -> list[Touch]:
    times = window.frame_times_s
    out = np.zeros((len(times) - 1, 3), dtype=np.int64)
    still = np.zeros((len(times), len(window.space)))
    if window.stage.motion is window.stage.source:
        window = window.without_sourced()
    window.faults(still, times, window.margin(0.0), out, all_frames=True)
    if np.any(window.world.solids.kinds[:, 0] == MESH):
        # Inside a closed mesh no surface is touched: every frame is looked at too.
        inside = window.insides()[:-1]
        hidden = (out[:, 0] == FREE) & (inside[:, 0] < 0.0)
        out[hidden] = inside[hidden, 1:].astype(np.int64)
    found = []
    for f in np.flatnonzero(out[:, 0] != FREE).tolist():
        pair = window.pair_names(*out[f].tolist())
        found.append(
            Touch(
                limb=limb,
                start_s=float(times[f]),
                end_s=float(times[f + 1]),
                pairs=(pair,),
                first=window.first + f,
                last=window.first + f + 1,
            )
        )
    return found


def merged(found: Sequence[Touch], apart_s: float) -> list[Touch]:
    """Touches with gaps shorter than ``apart_s`` [s] made one."""
    result: list[Touch] = []
    for touch in sorted(found, key=lambda one: one.start_s):
        if result and touch.start_s - result[-1].end_s <= apart_s:
            last = result[-1]
            result[-1] = replace(
                last,
                end_s=max(last.end_s, touch.end_s),
                last=max(last.last, touch.last),
                pairs=tuple(dict.fromkeys([*last.pairs, *touch.pairs])),
            )
        else:
            result.append(touch)
    return result


def window_frames(
    stage: Stage, space: LimbSpace, touch: Touch, others: Sequence[Touch], pad_s: float
) -> tuple[int, int]:
    """First and last frame of a window about a touch: padded, past other touches, stopped at changes and stances.

    Args:
        stage: The motion on its stage.
        space: The limb.
        touch: What to repair.
        others: All touches of the limb; a window end never lies in one, nor just beside it.
        pad_s: Room on both sides [s].
    """
    motion, pad = stage.motion, max(round(pad_s * stage.motion.fps), 2)
    first, last = touch.first - pad, touch.last + pad
    moved = True
    while moved:
        moved = False
        for other in others:
            near = max(pad // 3, 2)
            if other.first - near <= first <= other.last + near and first > other.first - pad:
                first, moved = other.first - pad, True
            if other.first - near <= last <= other.last + near and last < other.last + pad:
                last, moved = other.last + pad, True
    low, high = 0, len(motion) - 1
    marks = [round((time - stage.start_s) * motion.fps) for time in stage.changes(space.moved)]
    spun = _spun(stage, space)
    low = max([low, *(mark for mark in marks if mark <= touch.first), *(f + 1 for f in spun if f < touch.first)])
    high = min([high, *(mark for mark in marks if mark >= touch.last), *(f for f in spun if f >= touch.last)])
    for begin, stop in stances(stage, touch.limb):
        # A foot that stands stays where it stands.
        low = max(low, stop - 1) if stop - 1 <= touch.first else low
        high = min(high, begin) if begin >= touch.last else high
    return max(first, low), min(last, high)
