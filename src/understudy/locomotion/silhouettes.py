"""Shadows of a library's clips on the floor, as discs, made once per library."""

from __future__ import annotations

import numpy as np

from understudy.core.body import Body
from understudy.library import Library
from understudy.library.footage import Footage
from understudy.locomotion.tables import Silhouettes
from understudy.typing import FloatArray

#: [s] time between sampled frames.
SAMPLE_S = 0.05
#: [m] a disc that sticks out of another by less is left out, and the other one grown by that much.
_SLACK_M = 0.02


def silhouettes(library: Library, body: Body) -> Silhouettes:
    """Discs around the body's capsules over every clip."""
    graph, footage = library.graph, library.footage
    step = max(1, round(SAMPLE_S * library.fps))
    clips, frames, discs = np.empty((graph.nodes, 3)), [], []
    first, frame_first = [0], [0]
    shadows: dict[int, FloatArray] = {}
    for node in range(graph.nodes):
        begin, end = int(graph.first[node]), int(graph.last[node])
        for frame in [*range(begin, end, step), end]:
            if frame not in shadows:
                shadows[frame] = _shadow(footage, body, frame)
            placed = shadows[frame].copy()
            placed[:, :2] = library.to_node(node).floor_points(placed[:, :2])
            discs.append(placed)
            frames.append(_around(placed))
            frame_first.append(frame_first[-1] + len(placed))
        clips[node] = _around(np.array(frames[first[-1] :]))
        first.append(len(frames))
    return Silhouettes(
        clips=clips,
        first=np.array(first, dtype=np.int64),
        frames=np.array(frames),
        frame_first=np.array(frame_first, dtype=np.int64),
        discs=np.ascontiguousarray(np.concatenate(discs)),
    )


def _shadow(footage: Footage, body: Body, frame: int) -> FloatArray:
    """Discs ``(n, 3)`` (x, z, radius) that cover the capsules' shadow in one frame."""
    world = footage.world
    starts, ends = body.capsule_segments(world.positions[frame][None], world.rotations[frame][None])
    rows = []
    for a, b, radius in zip(starts[0][:, [0, 2]], ends[0][:, [0, 2]], body.capsule_radii, strict=True):
        count = int(np.ceil(np.linalg.norm(b - a) / radius)) + 1
        along = a + np.linspace(0.0, 1.0, count)[:, None] * (b - a)
        rows.append(np.column_stack([along, np.full(count, radius)]))
    return _uncovered(np.concatenate(rows))


def _uncovered(discs: FloatArray) -> FloatArray:
    """Few discs that cover all of these, grown by at most ``_SLACK_M``."""
    order = discs[np.argsort(-discs[:, 2], kind="stable")]
    gaps = np.linalg.norm(order[:, None, :2] - order[None, :, :2], axis=-1) + order[:, None, 2] - order[None, :, 2]
    kept: list[int] = []
    grown = np.zeros(len(order))
    for k in range(len(order)):
        nearest = kept[int(gaps[k, kept].argmin())] if kept else -1
        if nearest < 0 or gaps[k, nearest] > _SLACK_M:
            kept.append(k)
        else:
            grown[nearest] = max(grown[nearest], gaps[k, nearest])
    out = order[kept].copy()
    out[:, 2] += grown[kept]
    return np.asarray(out)


def _around(discs: FloatArray) -> FloatArray:
    """One disc ``(x, z, radius)`` around discs; near the smallest."""
    low = (discs[:, :2] - discs[:, 2:]).min(axis=0)
    high = (discs[:, :2] + discs[:, 2:]).max(axis=0)
    centre = 0.5 * (low + high)
    reach = np.linalg.norm(discs[:, :2] - centre, axis=1) + discs[:, 2]
    return np.array([centre[0], centre[1], reach.max()])
