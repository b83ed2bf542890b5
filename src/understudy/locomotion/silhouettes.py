"""Shadows of a library's clips on the floor, as discs, made once per library."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from understudy.core.body import Body
from understudy.library import Library
from understudy.library.footage import Footage
from understudy.locomotion.tables import Silhouettes
from understudy.typing import FloatArray, IntArray

#: [s] time between sampled frames.
SAMPLE_S = 0.05
#: [m] a disc that sticks out of another by less is left out, and the other one grown by that much.
_SLACK_M = 0.02
#: [m] side of the patches a clip's whole shadow is tiled with.
_PATCH_M = 0.2


def silhouettes(library: Library, body: Body) -> Silhouettes:
    """Discs around the body's capsules over every clip."""
    from understudy.locomotion._shadow_kernels import uncovered

    graph, footage = library.graph, library.footage
    step = max(1, round(SAMPLE_S * library.fps))
    clips, frames, discs = np.empty((graph.nodes, 3)), [], []
    first, frame_first = [0], [0]
    patches: list[list[FloatArray]] = []
    shadows: dict[int, FloatArray] = {}
    for node in range(graph.nodes):
        begin, end = int(graph.first[node]), int(graph.last[node])
        whole = []
        for frame in [*range(begin, end, step), end]:
            if frame not in shadows:
                shadows[frame] = _shadow(footage, body, frame)
            raw = shadows[frame].copy()
            raw[:, :2] = library.to_node(node).floor_points(raw[:, :2])
            placed = uncovered(raw, _SLACK_M)
            whole.append(raw)
            discs.append(placed)
            frames.append(_around(placed))
            frame_first.append(frame_first[-1] + len(placed))
        clips[node] = _around(np.array(frames[first[-1] :]))
        patches.append(_patches(np.concatenate(whole), clips[node]))
        first.append(len(frames))
    return Silhouettes(
        clips=clips,
        first=np.array(first, dtype=np.int64),
        frames=np.array(frames),
        frame_first=np.array(frame_first, dtype=np.int64),
        discs=np.ascontiguousarray(np.concatenate(discs)),
        patch_first=_starts(len(own) for own in patches),
        patches=_around_patches(patches, clips),
        swept_first=_starts(len(patch) for own in patches for patch in own),
        swept=np.ascontiguousarray(np.concatenate([patch for own in patches for patch in own])),
    )


def _shadow(footage: Footage, body: Body, frame: int) -> FloatArray:
    """Discs ``(n, 3)`` (x, z, radius) that cover the capsules' shadow in one frame."""
    world = footage.world
    starts, ends = body.capsule_segments(world.positions[frame][None], world.rotations[frame][None])
    a, along = starts[0][:, [0, 2]], (ends - starts)[0][:, [0, 2]]
    steps = np.ceil(np.linalg.norm(along, axis=1) / body.capsule_radii).astype(np.int64)
    own = np.repeat(np.arange(len(a)), steps + 1)
    number = np.arange(len(own)) - np.repeat(np.cumsum(steps + 1) - (steps + 1), steps + 1)
    share = np.where(number == steps[own], 1.0, number * (1.0 / np.maximum(steps, 1))[own]) * (steps[own] > 0)
    return np.column_stack([a[own] + share[:, None] * along[own], body.capsule_radii[own]])


def _patches(discs: FloatArray, around: FloatArray) -> list[FloatArray]:
    """Few discs that cover a clip's shadows of all times, patch by patch, those first that reach farthest out."""
    from understudy.locomotion._shadow_kernels import uncovered

    few = uncovered(discs, _SLACK_M)
    _, patch = np.unique(np.floor((few[:, :2] - around[:2]) / _PATCH_M), axis=0, return_inverse=True)
    found = [few[patch.ravel() == k] for k in range(int(patch.max()) + 1)]
    return sorted(found, key=lambda rows: -_reach(_around(rows), around))


def _reach(disc: FloatArray, around: FloatArray) -> float:
    return float(np.hypot(*(disc[:2] - around[:2])) + disc[2])


def _around_patches(patches: list[list[FloatArray]], clips: FloatArray) -> FloatArray:
    """``(patches, 4)`` one disc around every patch, and how far it reaches from its clip's middle."""
    rows = []
    for own, around in zip(patches, clips, strict=True):
        for patch in own:
            disc = _around(patch)
            rows.append([*disc, _reach(disc, around)])
    return np.array(rows)


def _starts(counts: Iterable[int]) -> IntArray:
    """Where runs of so many begin, and where the last one ends."""
    return np.cumsum([0, *counts]).astype(np.int64)


def _around(discs: FloatArray) -> FloatArray:
    """One disc ``(x, z, radius)`` around discs; near the smallest."""
    low = (discs[:, :2] - discs[:, 2:]).min(axis=0)
    high = (discs[:, :2] + discs[:, 2:]).max(axis=0)
    centre = 0.5 * (low + high)
    reach = np.linalg.norm(discs[:, :2] - centre, axis=1) + discs[:, 2]
    return np.array([centre[0], centre[1], reach.max()])
