"""A library's footage for kernels: where the body is in every frame."""

from __future__ import annotations

import numpy as np

from understudy.core.body import Body
from understudy.library import Library
from understudy.library.features import headings_rad
from understudy.locomotion.published.sampling.beam_tables import LEAD_X, LEAD_YAW, LEAD_Z, TOWARDS_X, TOWARDS_Z
from understudy.locomotion.published.sampling.tables import BodyTable
from understudy.locomotion.walker import SKATE_COST_M, skating_steps
from understudy.typing import FloatArray, IntArray

#: Balls along a capsule are at most so many radii apart.
_SPACING = 1.0
#: [m/s] cost of time and of crouching to nothing, and what going sideways costs over its way.
_TIME_COST_MPS, _CROUCH_MPS, _ASIDE = 0.1, 3.0, 0.2
#: [s] over which the direction of travel is taken, and [m/s] faster than anybody walks.
_OVER_S, _MOST_MPS = 0.3, 4.0
#: [s] how far ahead a take's lead is, and over which its direction is taken, about a step of each foot; [m] shortest
#: way that tells a direction.
AHEAD_S, _HEADING_S, _LEAST_M = 0.5, 1.0, 0.2


def body_table(library: Library, body: Body) -> BodyTable:
    """Capsules of all frames, covered by balls."""
    world = library.footage.world
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    lengths = np.linalg.norm(body.capsule_ends - body.capsule_starts, axis=1)
    counts = np.ceil(lengths / (_SPACING * body.capsule_radii)).astype(np.int64) + 1
    counts[lengths == 0.0] = 1
    balls = [
        starts[:, k, None] + _shares(count)[:, None] * (ends[:, k, None] - starts[:, k, None])
        for k, count in enumerate(counts.tolist())
    ]
    return BodyTable(
        discs=_discs(starts, ends, body.capsule_radii),
        middles=np.ascontiguousarray(0.5 * (starts + ends), dtype=np.float32),
        bounds=np.ascontiguousarray(0.5 * lengths + body.capsule_radii),
        balls=np.ascontiguousarray(np.concatenate(balls, axis=1), dtype=np.float32),
        ball_first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        radii=np.repeat(body.capsule_radii, counts),
    )


def _shares(count: int) -> FloatArray:
    return np.linspace(0.0, 1.0, count) if count > 1 else np.array([0.5])


def _discs(starts: FloatArray, ends: FloatArray, radii: FloatArray) -> FloatArray:
    """``(frames, 3)`` a disc around the body's shadow, about the middle of its bounding box."""
    points = np.concatenate([starts, ends], axis=1)[..., [0, 2]]
    reach = np.concatenate([radii, radii])
    low = (points - reach[:, None]).min(axis=1)
    high = (points + reach[:, None]).max(axis=1)
    centre = 0.5 * (low + high)
    radius = (np.linalg.norm(points - centre[:, None], axis=-1) + reach).max(axis=1)
    return np.ascontiguousarray(np.column_stack([centre, radius]))


def root_places(library: Library) -> FloatArray:
    """``(frames, 3)`` root (x, z) and where the hips face, in the takes' axes."""
    footage = library.footage
    facing = headings_rad(footage.gathered(np.arange(len(footage))))
    return np.ascontiguousarray(np.column_stack([footage.root_positions[:, [0, 2]].astype(np.float64), facing]))


def bounding_radius_m(table: BodyTable, roots: FloatArray) -> float:
    """Radius of the smallest upright cylinder about the root that holds the body in every frame [m]: ``r_body``."""
    away = np.linalg.norm(table.balls[..., [0, 2]] - roots[:, None, :2], axis=-1) + table.radii
    return float(away.max())


def arcs_m(roots: FloatArray, ends: IntArray, reach: int) -> FloatArray:
    """``(frames,)`` length of the root's way up to a frame [m], by straight lines over so many frames.

    Lines end with their take, whose last frame ``ends`` has for every frame.
    """
    frames = np.arange(len(roots))
    ahead = np.minimum(frames + reach, ends)
    steps = np.linalg.norm(roots[ahead, :2] - roots[:, :2], axis=1) / np.maximum(ahead - frames, 1)
    return np.concatenate([[0.0], np.cumsum(steps)[:-1]])


def efforts_m(table: BodyTable, roots: FloatArray, fps: float) -> FloatArray:
    """``(frames,)`` what playing up to a frame costs beyond the way it goes, summed from the first frame [m].

    Time costs a little; going sideways or backwards costs up to twice ``_ASIDE`` times its way; crouching costs time.
    """
    reach = max(1, round(_OVER_S * fps))
    after, before = np.roll(roots, -reach, axis=0), np.roll(roots, reach, axis=0)
    after[-reach:], before[:reach] = roots[-1], roots[0]
    moved = after[:, :2] - before[:, :2]
    steps = np.minimum(np.linalg.norm(moved, axis=1) / (2 * reach), _MOST_MPS / fps)
    aside = 1.0 - np.cos(np.arctan2(moved[:, 0], moved[:, 1]) - roots[:, 2])
    heights = heights_m(table)
    low = np.maximum(0.95 - heights / np.percentile(heights, 90.0), 0.0)
    return np.cumsum(_TIME_COST_MPS / fps + _ASIDE * steps * aside + _CROUCH_MPS / fps * low)


def skating_m(library: Library) -> FloatArray:
    """``(frames,)`` what skating up to a frame costs, summed from the first frame [m]; see :class:`Walker`."""
    _, slides = skating_steps(library.footage)
    return np.concatenate([[0.0], np.cumsum(slides.sum(axis=1)) * SKATE_COST_M / library.fps])


def leads(moves: FloatArray, stops: IntArray, efforts: FloatArray, fps: float) -> FloatArray:
    """``(frames, LEAD)`` where takes lead from every frame on, in their own axes."""
    frames = np.arange(len(moves))
    ahead = np.minimum(frames + round(AHEAD_S * fps), stops)
    later = np.minimum(frames + round(_HEADING_S * fps), stops)
    moved = moves[later, :2] - moves[:, :2]
    run = np.hypot(*moved.T)[:, None]
    towards = np.where(run < _LEAST_M, 0.0, moved / np.maximum(run, _LEAST_M))
    walked = np.hypot(*(moves[ahead, :2] - moves[:, :2]).T)
    return np.ascontiguousarray(np.column_stack([moves[ahead], walked, walked + efforts[ahead] - efforts, towards]))


def moved_leads(rows: FloatArray, transforms: FloatArray) -> FloatArray:
    """Leads ``(n, LEAD)`` of takes that lie in other takes' axes by ``(n, 3)`` x, z and yaw."""
    c, s = np.cos(transforms[:, 2]), np.sin(transforms[:, 2])
    out = rows.copy()
    out[:, LEAD_X] = transforms[:, 0] + c * rows[:, LEAD_X] + s * rows[:, LEAD_Z]
    out[:, LEAD_Z] = transforms[:, 1] - s * rows[:, LEAD_X] + c * rows[:, LEAD_Z]
    out[:, LEAD_YAW] += transforms[:, 2]
    out[:, TOWARDS_X] = c * rows[:, TOWARDS_X] + s * rows[:, TOWARDS_Z]
    out[:, TOWARDS_Z] = c * rows[:, TOWARDS_Z] - s * rows[:, TOWARDS_X]
    return out


def heights_m(table: BodyTable) -> FloatArray:
    """``(frames,)`` height of the body's top [m]."""
    return np.asarray((table.balls[..., 1] + table.radii).max(axis=1), dtype=np.float64)
