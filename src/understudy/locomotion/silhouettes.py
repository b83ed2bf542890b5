"""Shadows of a library's clips on the floor, as discs, made once per library."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

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

    graph = library.graph
    step = max(1, round(SAMPLE_S * library.fps))
    sampled = [[*range(begin, end, step), end] for begin, end in zip(graph.first, graph.last, strict=True)]
    shadows = _shadows(library.footage, body, np.unique(np.concatenate(sampled)))
    discs: list[FloatArray] = []
    whole: list[FloatArray] = []
    for node, numbers in enumerate(sampled):
        own = [shadows[number] for number in numbers]
        placed = np.concatenate(own)
        placed[:, :2] = library.to_node(node).floor_points(placed[:, :2])
        starts = _starts(len(one) for one in own)
        discs += [uncovered(placed[start:stop], _SLACK_M) for start, stop in pairwise(starts)]
        whole.append(placed)
    first, frame_first = _starts(len(one) for one in sampled), _starts(len(one) for one in discs)
    every = np.concatenate(discs)
    frames = _around(every, frame_first)
    clips = _around(frames, first)
    patches = [_patches(uncovered(one, _SLACK_M), around) for one, around in zip(whole, clips, strict=True)]
    return Silhouettes(
        clips=clips,
        first=first,
        frames=frames,
        frame_first=frame_first,
        discs=every,
        patch_first=_starts(len(rounds) for rounds, _, _ in patches),
        patches=np.concatenate([rounds for rounds, _, _ in patches]),
        swept_first=_starts(count for _, counts, _ in patches for count in counts),
        swept=np.concatenate([swept for _, _, swept in patches]),
    )


def _shadows(footage: Footage, body: Body, frames: IntArray) -> dict[int, FloatArray]:
    """Discs ``(n, 3)`` (x, z, radius) that cover the capsules' shadow, by frame."""
    world = footage.world
    starts, ends = body.capsule_segments(world.positions[frames], world.rotations[frames])
    a, along = (points[..., [0, 2]].reshape(-1, 2) for points in (starts, ends - starts))
    radii = np.tile(body.capsule_radii, len(frames))
    steps = np.ceil(np.linalg.norm(along, axis=1) / radii).astype(np.int64)
    own = np.repeat(np.arange(len(a)), steps + 1)
    number = np.arange(len(own)) - np.repeat(np.cumsum(steps + 1) - (steps + 1), steps + 1)
    share = np.where(number == steps[own], 1.0, number * (1.0 / np.maximum(steps, 1))[own]) * (steps[own] > 0)
    discs = np.column_stack([a[own] + share[:, None] * along[own], radii[own]])
    stops = np.cumsum((steps + 1).reshape(len(frames), -1).sum(axis=1))
    return dict(zip(frames.tolist(), np.split(discs, stops[:-1]), strict=True))


def _patches(discs: FloatArray, around: FloatArray) -> tuple[FloatArray, IntArray, FloatArray]:
    """Patches of a clip's shadow of all times, those first that reach farthest out.

    Returns:
        ``(patches, 4)`` one disc around every patch and how far it reaches from the clip's middle, the number of discs
        in each, and these discs.
    """
    _, patch = np.unique(np.floor((discs[:, :2] - around[:2]) / _PATCH_M), axis=0, return_inverse=True)
    discs = discs[np.argsort(patch.ravel(), kind="stable")]
    counts = np.bincount(patch.ravel())
    starts = _starts(counts)
    rounds = _around(discs, starts)
    reach = np.hypot(*(rounds[:, :2] - around[:2]).T) + rounds[:, 2]
    order = np.argsort(-reach, kind="stable")
    swept = np.concatenate([discs[starts[k] : starts[k + 1]] for k in order])
    return np.column_stack([rounds, reach])[order], counts[order], swept


def _starts(counts: Iterable[int]) -> IntArray:
    """Where runs of so many begin, and where the last one ends."""
    return np.cumsum([0, *counts]).astype(np.int64)


def _around(discs: FloatArray, starts: IntArray) -> FloatArray:
    """``(runs, 3)`` one disc (x, z, radius) around the discs of every run; near the smallest."""
    low = np.minimum.reduceat(discs[:, :2] - discs[:, 2:], starts[:-1])
    high = np.maximum.reduceat(discs[:, :2] + discs[:, 2:], starts[:-1])
    centre = 0.5 * (low + high)
    away = discs[:, :2] - np.repeat(centre, np.diff(starts), axis=0)
    reach = np.maximum.reduceat(np.linalg.norm(away, axis=1) + discs[:, 2], starts[:-1])
    return np.column_stack([centre, reach])
