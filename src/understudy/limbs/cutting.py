"""Cutting windows out of tables of a clip, which hold whatever surrounds it and however often it is planned."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from understudy import rotations as rot
from understudy.collision import World
from understudy.collision.tables import TrackArrays
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs.parts import Parts
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.limbs.tables import PAIR_SOURCE, WindowArrays
from understudy.limbs.tabulate import SOURCED_M, ClipTables, tabulated
from understudy.typing import FloatArray, IntArray

#: Stretches of clips that are remembered, and [s] how long they are at most: half a megabyte a second.
_STRETCHES, _LONGEST_S = 32, 8.0
_KNOWN: OrderedDict[tuple[object, ...], ClipTables] = OrderedDict()


def window_arrays(stage: Stage, parts: Parts, first: int, last: int, world: World, tracks: TrackArrays) -> WindowArrays:
    """The tables of one limb between two frames, and of the solids around it.

    Args:
        stage: The motion on its stage.
        parts: The limb's parts.
        first: First frame.
        last: Last frame.
        world: What surrounds it.
        tracks: Tracks of what moves there.

    Raises:
        PlanningInputError: A joint of the limb spins within a frame.
    """
    tables = _cut(_known_or_tabulated(stage, parts, first, last), first, last)
    fps = stage.motion.fps
    start_s, step = stage.start_s + first / fps, 1.0 / (tables.steps * fps)
    pairs, gaps, close = _pairs(parts, tables)
    rates, columns = _rates(tables, close, world, tracks, start_s, step)
    own = tables.own[:1] if parts.still else tables.own
    reach, far = _reaches(parts.space, parts.carriers, own)
    return WindowArrays(
        clock=frozen([start_s, step, tables.steps]),
        coordinates=frozen(tables.coordinates),
        excess=frozen(tables.excess),
        base=frozen(tables.base),
        rest=frozen(tables.rest),
        own=frozen(own),
        carriers=frozen_indices(parts.carriers),
        own_radii=frozen(parts.radii),
        own_halves=frozen(_halves(tables.own)),
        rest_halves=frozen(_halves(tables.rest)),
        reach=frozen(reach),
        far=frozen(far),
        pairs=frozen_indices(pairs),
        sourced=frozen_indices(np.flatnonzero(pairs[:, PAIR_SOURCE] >= 0)),
        gaps=frozen(gaps),
        sources=frozen(tables.apart[:, close]),
        depths=frozen(parts.depths(world)),
        solid_columns=frozen_indices(columns),
        rates=frozen(rates),
    )


def _known_or_tabulated(stage: Stage, parts: Parts, first: int, last: int) -> ClipTables:
    """Tables of a stretch that holds these frames, remembered with what the limb carries."""
    held = tuple((load.joint, load.starts.tobytes(), load.ends.tobytes()) for load in parts.loads)
    key = (stage.motion, stage.source, parts.space, held)
    for number in range(2):
        known = _KNOWN.get((*key, number))
        if known is not None and known.first <= first and last <= known.last and _unwound(known, first):
            _KNOWN.move_to_end((*key, number))
            return known
    made = tabulated(stage, parts, first, last)
    if (last - first) / stage.motion.fps <= _LONGEST_S:
        _remember(key, made)
    return made


def _remember(key: tuple[object, ...], made: ClipTables) -> None:
    """Keep the longest stretch of a limb and the last one."""
    longest = _KNOWN.get((*key, 0))
    number = int(longest is not None and longest.last - longest.first > made.last - made.first)
    _KNOWN[(*key, number)] = made
    _KNOWN.move_to_end((*key, number))
    while len(_KNOWN) > _STRETCHES:
        _KNOWN.popitem(last=False)


def _unwound(known: ClipTables, first: int) -> bool:
    """Whether tables that were begun earlier have the same coordinates, not a whole turn more, at a frame."""
    return bool(np.abs(known.coordinates[(first - known.first) * known.steps]).max(initial=0.0) <= np.pi)


def _cut(tables: ClipTables, first: int, last: int) -> ClipTables:
    """The part of tables between two frames."""
    begin, end = ((frame - tables.first) * tables.steps for frame in (first, last))
    return tables._replace(
        first=first,
        last=last,
        coordinates=tables.coordinates[begin : end + 1],
        excess=tables.excess[begin : end + 1],
        base=tables.base[begin : end + 1],
        rest=tables.rest[begin : end + 1],
        own=tables.own[begin : end + 1],
        apart=tables.apart[begin : end + 1],
        rates=tables.rates[begin:end],
    )


def _pairs(parts: Parts, tables: ClipTables) -> tuple[IntArray, FloatArray, IntArray]:
    """Pairs, their sums of radii, and which columns of ``apart`` are of pairs that follow the source."""
    known, gaps, _ = parts.body_pairs()
    rows, heeded = known.copy(), parts.heeded_pairs()
    near = (tables.apart < gaps[tables.near] + SOURCED_M).any(axis=0) & heeded[tables.near]
    close = np.flatnonzero(near)
    rows[tables.near[close], PAIR_SOURCE] = np.arange(len(close))
    more, more_gaps = parts.load_pairs()
    return np.concatenate([rows[heeded], more]), np.concatenate([gaps[heeded], more_gaps]), close


def _halves(segments: FloatArray) -> FloatArray:
    """Half the length of each segment ``(grid, parts, 6)`` [m]; segments keep their length."""
    return np.asarray(0.5 * np.linalg.norm(segments[0, :, 3:] - segments[0, :, :3], axis=-1))


def _reaches(space: LimbSpace, carriers: IntArray, own: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far a radian of every coordinate moves every part ``(3 joints, own)`` [m], and how far off each can be [m].

    A twist does not move what lies on its axis.
    """
    offsets, axes = space.arrays.offsets, rot.rotate(rot.conjugate(space.frames[1]), np.array([0.0, 0.0, 1.0]))
    ends = own.reshape(len(own), -1, 2, 3)
    whole = np.linalg.norm(ends, axis=-1).max(axis=(0, 2))
    across = np.linalg.norm(np.cross(ends, axes[carriers][:, None]), axis=-1).max(axis=(0, 2))
    reach = np.zeros((3 * len(offsets), len(carriers)))
    for j in range(len(offsets) - 1, -1, -1):
        moved = carriers >= j
        reach[3 * j : 3 * j + 2, moved], reach[3 * j + 2, moved] = whole[moved], across[moved]
        if j > 0:
            across[moved] = whole[moved] + np.linalg.norm(np.cross(offsets[j], axes[j - 1]))
        whole[moved] += np.linalg.norm(offsets[j])
    return reach, whole


def _rates(
    tables: ClipTables, close: IntArray, world: World, tracks: TrackArrays, start_s: float, step: float
) -> tuple[FloatArray, IntArray]:
    """``(levels, cells, columns)`` largest rates over 1, 2, 4... cells, and every solid's column or -1."""
    from understudy.limbs._window_kernels import track_rates

    cells, width = tables.rates.shape
    solids = track_rates(tracks, frozen(world.solids.rows), start_s, step, cells)
    chosen = np.concatenate([np.arange(width - tables.apart.shape[1]), width - tables.apart.shape[1] + close])
    rates = [np.hstack([tables.rates[:, chosen], solids])]
    for level in range(int(np.log2(cells))):
        later = np.minimum(np.arange(cells) + (1 << level), cells - 1)
        rates.append(np.maximum(rates[-1], rates[-1][later]))
    columns = np.full(len(world), -1, dtype=np.int64)
    columns[tracks.spans[:, 0]] = len(chosen) + np.arange(len(tracks.spans))
    return np.stack(rates), columns
