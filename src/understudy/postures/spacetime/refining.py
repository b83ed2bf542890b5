"""The spacetime stage: all frames of a motion at once, so that momentum changes gently ([Postures], paper stage 2).

The change is a spline over knots. Each iteration linearises the knots, minimises the energy within what ends, keys,
pins and supports leave free, adds the limits and gaps that would be broken as further constraints, and steps as far as
the energy falls. Then every frame is brought back onto its supports and every move between frames is certified; where
that fails the change is taken back. Deviations from the paper: hard constraints are met in the null space of their
knot rather than by a KKT matrix, which leaves a banded system; the change is measured by the mass it moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.core.one_thread import one_thread
from understudy.postures.spacetime.banded import allowed, minimiser
from understudy.postures.spacetime.chart import MovingChart
from understudy.postures.spacetime.curves import Curve
from understudy.postures.spacetime.frames import Knot, knot_at
from understudy.postures.spacetime.objective import Objective, SpacetimeOptions, momenta
from understudy.postures.spacetime.safety import safe_path
from understudy.postures.spacetime.supports import Pinned, Supports, supports_of
from understudy.postures.stage import Stage
from understudy.typing import FloatArray

#: Shares of a step that are tried until the energy falls.
_SHARES = (1.0, 0.5, 0.25, 0.125)
#: Further solutions of one linearisation, each with the constraints the one before broke.
_PASSES = 3
#: [m] how far above the floor knots stay, so that frames between them stay above it too.
_ABOVE_M = 0.004
#: [m] what a linear gap may be short of before it counts as broken.
_SLACK_M = 1e-6
#: An iteration that lowers the energy by a smaller share is the last.
_LEAST_GAIN = 0.01


@dataclass(frozen=True, eq=False, kw_only=True)
class Refined:
    """A refined motion.

    Attributes:
        motion: The motion.
        energies: ``(iterations + 1,)`` energy before each iteration and after the last.
        step_s: Time between knots [s].
        before: ``(knots - 1, 6)`` linear and angular momentum of the motion given.
        after: The same of the refined one.
        kept: Share of the change that is left after certification; 0 gives the motion back as it was.
    """

    motion: Motion
    energies: tuple[float, ...]
    step_s: float
    before: FloatArray
    after: FloatArray
    kept: float


def refined(
    motion: Motion,
    body: Body,
    stage: Stage,
    *,
    keys: Sequence[int] = (),
    pinned: Sequence[Pinned] = (),
    floor: bool = True,
    cycle: bool = False,
    options: SpacetimeOptions | None = None,
) -> Refined:
    """Refine a motion that touches nothing into one with gentler momentum that touches nothing either.

    Args:
        motion: What is refined; its first and last frame stay, unless it is a cycle.
        body: Who moves.
        stage: Gaps to keep and what stands around.
        keys: Further frames that stay.
        pinned: Points that stay where the motion has them.
        floor: Whether what rests on the floor stays there.
        cycle: Whether the motion ends as it begins and goes on for ever; its end then goes over into its beginning.
        options: Weights.
    """
    options = options or SpacetimeOptions()
    chart = MovingChart(motion, body)
    supports = supports_of(chart, pinned, floor=floor)
    played = _thrice(chart, supports) if cycle else (chart, supports)
    still = () if cycle else (*keys,)
    count = len(played[0].motion)
    curve = Curve.over(count, motion.fps, options.knots_hz, (0, *still, count - 1), cycles=3 if cycle else 1)
    start = [_knot(*played, frame, None) for frame in curve.frames]
    objective = Objective.around(body, start, curve.step_s, options)
    import scipy.linalg  # noqa: F401 - before its threads are limited

    with one_thread():
        change, energies = _descended(*played, curve, objective, start, options)
        whole = _closed(curve.between(change)) if cycle else curve.between(change)
        path, kept = safe_path(chart, supports, stage, whole, floor=floor)
    own = Curve.over(len(motion), motion.fps, options.knots_hz, ())
    return Refined(
        motion=chart.moved(path),
        energies=tuple(energies),
        step_s=own.step_s,
        before=momenta(body, [_knot(chart, supports, frame, None) for frame in own.frames], own.step_s),
        after=momenta(body, [knot_at(chart, supports, frame, path[frame]) for frame in own.frames], own.step_s),
        kept=kept,
    )


def _thrice(chart: MovingChart, supports: Supports) -> tuple[MovingChart, Supports]:
    """A cycle played three times, so that the middle one knows what comes before and after."""
    motion, last = chart.motion, len(chart.motion) - 1
    frames = np.concatenate([np.tile(np.arange(last), 3), [last]])
    tripled = replace(motion, root_positions=motion.root_positions[frames], rotations=motion.rotations[frames])
    return MovingChart(tripled, chart.body), replace(
        supports, places=supports.places[frames], held=supports.held[frames]
    )


def _closed(change: FloatArray) -> FloatArray:
    """The change of the middle one of three cycles, its end leading into its beginning with one velocity."""
    last = (len(change) - 1) // 3
    share = np.linspace(0.0, 1.0, last + 1)[:, None]
    share = share**2 * (3.0 - 2.0 * share)
    return np.asarray((1.0 - share) * change[last : 2 * last + 1] + share * change[: last + 1])


def _knot(chart: MovingChart, supports: Supports, frame: int, change: FloatArray | None) -> Knot:
    q = chart.origin[frame] if change is None else chart.origin[frame] + change
    return knot_at(chart, supports, frame, q)


def _descended(
    chart: MovingChart,
    supports: Supports,
    curve: Curve,
    objective: Objective,
    first: list[Knot],
    options: SpacetimeOptions,
) -> tuple[FloatArray, list[float]]:
    """The change of every knot ``(knots, size)``, and the energies on the way."""
    knots, change = first, np.zeros((len(first), chart.space.size))
    energies = [objective.value(knots, change)]
    for _ in range(options.iterations):
        wanted = _wanted(chart, curve, objective, first, knots, change, options.gap_m)
        for share in _SHARES:
            tried = change + share * wanted
            moved = [_knot(chart, supports, frame, d) for frame, d in zip(curve.frames, tried, strict=True)]
            energy = objective.value(moved, tried)
            if energy < energies[-1]:
                change, knots = tried, moved
                energies.append(energy)
                break
        else:
            break
        if energies[-2] - energies[-1] < _LEAST_GAIN * energies[-2]:
            break
    return change, energies


def _wanted(
    chart: MovingChart,
    curve: Curve,
    objective: Objective,
    first: list[Knot],
    knots: list[Knot],
    change: FloatArray,
    gap_m: float,
) -> FloatArray:
    """A step of the change: least energy within supports, then also within the limits and gaps that broke."""
    blocks = objective.blocks(knots, change)
    hard = [_hard_rows(chart, k in curve.still, knot, change[k]) for k, knot in enumerate(knots)]
    rooms = [allowed(*rows) for rows in hard]
    step = minimiser(blocks, rooms)
    for _ in range(_PASSES):
        held = True
        for k, frame in enumerate(curve.frames):
            rows, values = _broken(chart, frame, first[k], knots[k], change[k], step[k], gap_m)
            if len(rows):
                held = False
                hard[k] = np.concatenate([hard[k][0], rows]), np.concatenate([hard[k][1], values])
                rooms[k] = allowed(*hard[k])
        if held:
            break
        step = minimiser(blocks, rooms)
    return step


def _hard_rows(chart: MovingChart, still: bool, knot: Knot, change: FloatArray) -> tuple[FloatArray, FloatArray]:
    """What a step of one knot must do."""
    size = chart.space.size
    if still:
        return np.eye(size), -change
    fixed = np.flatnonzero(chart.space.arrays.movable == 0.0)
    rows = np.concatenate([np.eye(size)[fixed], knot.support_rows.reshape(-1, size)])
    return rows, np.concatenate([-change[fixed], -knot.support_errors.ravel()])


def _broken(
    chart: MovingChart, frame: int, first: Knot, knot: Knot, change: FloatArray, step: FloatArray, gap_m: float
) -> tuple[FloatArray, FloatArray]:
    """Rows that keep a step within the limits and gaps it would break; ``first`` is the knot as it was given."""
    from understudy.postures._limit_kernels import clamp

    arrays, size = chart.space.arrays, chart.space.size
    rows: list[FloatArray] = []
    values: list[float] = []
    goal = chart.origin[frame] + change + step
    inside = goal.copy()
    clamp(arrays.tree, arrays.joints, inside)
    for joint in np.flatnonzero(np.abs((goal - inside)[6:]).reshape(-1, 3).max(axis=1) > 1e-9) + 1:
        own = slice(3 + 3 * joint, 6 + 3 * joint)
        out = (goal - inside)[own]
        row = np.zeros(size)
        row[own] = out / np.linalg.norm(out)
        rows.append(row)
        values.append(float(row @ (inside - goal + step)))
    for pair, gap, row in zip(knot.pairs, knot.gaps, knot.gap_rows, strict=True):
        least = min(first.gap_of(pair), 2.0 * gap_m)
        if gap + row @ step < least - _SLACK_M:
            rows.append(row)
            values.append(least - gap)
    for end, row in zip(knot.low, knot.low_rows, strict=True):
        height, least = knot.heights[end], min(first.heights[end], _ABOVE_M)
        if height + row @ step < least - _SLACK_M:
            rows.append(row)
            values.append(least - height)
    return np.array(rows).reshape(-1, size), np.array(values)
