"""Searching one limb's way through one window: sampling intervals, both trees, what is carried out, shortcuts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from understudy.errors import PlanningInputError
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs.legs import Found, Leg
from understudy.limbs.options import LimbOptions
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import needed_s
from understudy.limbs.tables import Margin
from understudy.limbs.window import Window
from understudy.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.limbs._sampling_kernels import SearchArrays, SearchNumbers

#: Parameter -> share of its range in which samples begin (paper §4.2): elbows bent, secondary joints near rest.
_BIASED: dict[str, tuple[float, float]] = {
    "elbow_flexion": (0.55, 0.95),
    "forearm_twist": (0.25, 0.75),
    "wrist_flexion": (0.35, 0.65),
    "wrist_deviation": (0.35, 0.65),
    "ankle_flexion": (0.3, 0.7),
    "ankle_turn": (0.4, 0.6),
    "ankle_tilt": (0.4, 0.6),
    "spine_bend": (0.35, 0.65),
    "spine_lean": (0.4, 0.6),
    "spine_twist": (0.35, 0.65),
}
#: Secondary parameters are never sampled over more than this share of their range.
_SECONDARY = ("wrist_flexion", "wrist_deviation", "ankle_turn", "ankle_tilt", "spine_bend", "spine_lean", "spine_twist")
_SECONDARY_SHARE = 0.6
#: Nodes in a tree.
_MOST_NODES = 20_000
#: Samples after which trees that have not met are a sign of a narrow place; shares of the pace with which postures are
#: then carried out of it at first, one after the other; and as how many samples each of these counts.
_EASY, _HASTES, _SAMPLES_EACH = 30, (0.4, 1.0, 1.0), 160


_NOTHING = Found(path=np.empty((0, 1)), raw=np.empty((0, 1)), iterations=0, checks=0, nodes=np.empty((0, 1)))


def sampling_intervals(space: LimbSpace, style: Mapping[str, tuple[float, float]]) -> FloatArray:
    """``(4, parameters)`` [rad] lows and highs to begin with, and lows and highs in the end.

    Raises:
        PlanningInputError: A style names a parameter the limb does not have, or an empty interval.
    """
    low, high = space.low, space.high
    rows = np.stack([low, high, low, high])
    for k, name in enumerate(space.names):
        first, last = _BIASED.get(name, (0.0, 1.0))
        rows[0, k], rows[1, k] = low[k] + first * (high[k] - low[k]), low[k] + last * (high[k] - low[k])
        if name in _SECONDARY:
            middle, half = 0.5 * (low[k] + high[k]), 0.5 * _SECONDARY_SHARE * (high[k] - low[k])
            rows[2, k], rows[3, k] = middle - half, middle + half
    for name, (first, last) in style.items():
        k = space.index(name)
        inside = (max(float(first), float(low[k])), min(float(last), float(high[k])))
        if not inside[0] < inside[1]:
            raise PlanningInputError(
                f'style: "{name}" from {first:g} to {last:g} rad leaves nothing of {low[k]:.2f}..{high[k]:.2f} rad'
            )
        rows[:, k] = (*inside, *inside)
    return rows


def search_arrays(
    window: Window, speeds: FloatArray, options: LimbOptions, hints: FloatArray | None = None
) -> SearchArrays:
    """How to sample and how fast the limb may move, for kernels.

    Args:
        window: The window.
        speeds: ``(joints,)`` [rad/s] limits of the chain's joints.
        options: Style and spans.
        hints: ``(n, parameters + 1)`` offsets and times that samples are drawn near.
    """
    from understudy.limbs._sampling_kernels import SearchArrays

    space = window.space
    reach = np.abs(window.setting.window.reach).max(axis=1)
    weights = np.maximum(reach @ space.spread, 0.05)
    owners, shares, nearness = _parameter_arrays(space)
    groups = np.full(owners.max() + 1, np.inf)
    np.minimum.at(groups, owners, speeds[space.owner] / shares)
    return SearchArrays(
        intervals=window.stage.of_body(
            ("intervals", space.name, *((name, *map(float, pair)) for name, pair in sorted(options.style.items()))),
            lambda: frozen(sampling_intervals(space, options.style)),
        ),
        weights=frozen(weights),
        groups=frozen_indices(owners),
        speeds=frozen(groups),
        near_rad=frozen(nearness * options.near_rad),
        hints=frozen(np.empty((0, len(space) + 1)) if hints is None else hints),
    )


@lru_cache(maxsize=64)
def _parameter_arrays(space: LimbSpace) -> tuple[IntArray, FloatArray, FloatArray]:
    """``(parameters,)`` the group each is limited with, its largest share of a joint's turn, and how near samples lie.

    A spine parameter is shared by several joints, each of which turns by its share only.
    """
    owners = np.unique(space.owner, return_inverse=True)[1]
    near = np.where(np.isin(space.names, list(_SECONDARY)), 0.4, 1.0)
    return owners, space.spread.max(axis=0), near


def search_numbers(options: LimbOptions, *, reaching: bool) -> SearchNumbers:
    """The numbers of a search, for kernels; reaches sample less near the clip than corrections do."""
    from understudy.limbs._sampling_kernels import SearchNumbers

    return SearchNumbers(
        iterations=int(options.iterations),
        widened=max(1, int(options.iterations) // 3),
        near_share=float(options.near_share) * (0.6 if reaching else 1.0),
        local_share=float(options.local_share),
        step_s=float(options.step_s),
        shortcuts=int(options.shortcuts),
    )


def search(leg: Leg, speeds: FloatArray, options: LimbOptions, *, seed: int) -> Found:
    """A free path along a leg, shortened.

    Args:
        leg: From where to where.
        speeds: ``(joints,)`` [rad/s] limits of the offset's speed.
        options: How to search.
        seed: The same seed gives the same path.
    """
    from understudy.limbs._shortcut_kernels import shorten

    window, margin = leg.window, leg.margin(options.margin_m)
    arrays = search_arrays(window, speeds, options, leg.hints)
    state = np.array([(seed * 0x9E3779B97F4A7C15 + 1) % 2**64], dtype=np.uint64)
    task = _Task(window, arrays, margin, state)
    start, goal = leg.ends
    if needed_s(window.space, (goal - start)[None, :-1], speeds)[0] > leg.end_s - leg.start_s:
        return replace(_NOTHING, late=True)
    starts, goals = (_planted(task, *ends, speeds) for ends in ((start, leg.leaving), (goal, leg.arriving)))
    off = [bool(np.any(one)) for one in (leg.start, leg.end)]
    numbers, found = search_numbers(options, reaching=any(off)), _NOTHING
    if off[0] != off[1] and numbers.iterations > _EASY:
        found = _grown(task, starts, goals, numbers._replace(iterations=_EASY))
        if not found:
            found = found.then(_carried(task, *((start, goal) if off[0] else (goal, start))))
        numbers = numbers._replace(iterations=numbers.iterations - _EASY - len(_HASTES) * _SAMPLES_EACH)
    if not found and numbers.iterations > 0 and not found.stuck:
        found = found.then(_grown(task, starts, goals, numbers))
    if not found:
        return found
    path = shorten(window.setting, window.scratch, arrays, margin, found.raw, numbers.shortcuts, state)
    return replace(found, path=path)


class _Task(NamedTuple):
    """Where to search, how, and what random numbers with; the state changes as they are drawn."""

    window: Window
    arrays: SearchArrays
    margin: Margin
    state: np.ndarray


def _grown(task: _Task, starts: FloatArray, goals: FloatArray, numbers: SearchNumbers) -> Found:
    """What two trees come to that begin with planted rows."""
    from understudy.limbs._rrt_kernels import grow_trees

    window, arrays, margin, state = task
    most = min(_MOST_NODES, numbers.iterations + max(len(starts), len(goals)) + 2)
    nodes, parents = np.zeros((2, most, starts.shape[1])), np.zeros((2, most), dtype=np.int64)
    counts = np.zeros(2, dtype=np.int64)
    path, iterations, checks = grow_trees(
        window.setting, window.scratch, arrays, numbers, margin, starts, goals, state, nodes, parents, counts
    )
    seen = np.concatenate([nodes[0, : counts[0]], nodes[1, : counts[1]]])
    return Found(path=path, raw=path, iterations=int(iterations), checks=int(checks), nodes=seen)


def _carried(task: _Task, off: FloatArray, clip: FloatArray) -> Found:
    """What comes of carrying postures out of where the limb is off its clip, and back to the clip."""
    from understudy.limbs._beam_kernels import carried_out

    window, arrays, margin, state = task
    checks, stuck, path = 0, False, np.empty((0, len(off)))
    for haste in _HASTES:
        path, looked, stuck = carried_out(window.setting, window.scratch, arrays, margin, off, clip, haste, state)
        checks += int(looked)
        if len(path) or (stuck and haste == 1.0):
            break
    return Found(path=path, raw=path, iterations=0, checks=checks, nodes=path, stuck=bool(stuck))


def _planted(task: _Task, root: FloatArray, chain: FloatArray | None, speeds: FloatArray) -> FloatArray:
    """A tree's root and as many nodes of a chain from it as are free and slow enough: ``(n, parameters + 1)``."""
    rows = root[None] if chain is None else np.vstack([root, chain])
    steps = np.diff(rows, axis=0)
    slow = needed_s(task.window.space, steps[:, :-1], speeds) <= np.abs(steps[:, -1])
    hasty = np.flatnonzero(~slow)
    count = task.window.reached(rows, task.margin)
    return rows[: 1 + min([count, *hasty[:1]])].copy()
