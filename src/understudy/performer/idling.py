"""Idle motion: people who stand are never still. They sway, and head, trunk and arms stray about where they rest.

Every number of the body strays as far and as fast as recorded people's do who stand and do nothing, apart from their
slow drift (``tools/standing_people.py``). Feet stay where they are: the pelvis sways over them on both legs.
"""

from __future__ import annotations

import numpy as np

from understudy.performer import curves
from understudy.typing import FloatArray

_Axes = tuple[float, float, float]

#: Part -> how far it strays in each axis, and how fast [1/s]: standard deviations over time, medians over recordings.
#: The pelvis' place in leg lengths, turns in rad. How high the pelvis is follows from the legs.
STRAYS: dict[str, tuple[_Axes, _Axes]] = {
    "place": ((0.0028, 0.0, 0.0019), (0.013, 0.0, 0.0094)),
    "pelvis": ((0.008, 0.007, 0.0034), (0.048, 0.045, 0.022)),
    "trunk": ((0.013, 0.013, 0.0087), (0.069, 0.076, 0.047)),
    "head": ((0.02, 0.05, 0.025), (0.091, 0.25, 0.13)),
    "UpperArm": ((0.022, 0.0078, 0.01), (0.11, 0.05, 0.054)),
    "LowerArm": ((0.0, 0.017, 0.0098), (0.0, 0.085, 0.049)),
    "Hand": ((0.017, 0.0, 0.0), (0.092, 0.0, 0.0)),
}
#: Of a uniform cubic B-spline with coefficients of unit size: size and speed, the latter over the knots' distance.
_SIZE, _SPEED = float(np.sqrt(151.0 / 315.0)), float(np.sqrt(2.0 / 3.0))


def idle_rows(times_s: FloatArray, rng: np.random.Generator) -> FloatArray:
    """``(frames, COUNT)`` what is added to the rows of somebody who stands: pelvis, trunk, head and arms."""
    rows = np.zeros((len(times_s), curves.COUNT))
    rows[:, curves.PELVIS_PLACE] = _strayed(times_s, STRAYS["place"], rng)
    rows[:, curves.PELVIS_TURN] = _strayed(times_s, STRAYS["pelvis"], rng)
    for joint in curves.TURNING:
        strays = STRAYS.get(joint.removeprefix("left").removeprefix("right"))
        if strays is not None:
            rows[:, curves.turn_columns(joint)] = _strayed(times_s, strays, rng)
    return rows


def _strayed(times_s: FloatArray, strays: tuple[_Axes, _Axes], rng: np.random.Generator) -> FloatArray:
    """``(frames, 3)`` noise that strays as far and as fast."""
    columns = [
        far * _noise(times_s, _SPEED / _SIZE * far / fast, rng) if far else np.zeros(len(times_s))
        for far, fast in zip(*strays, strict=True)
    ]
    return np.stack(columns, axis=1)


def _noise(times_s: FloatArray, spacing_s: float, rng: np.random.Generator) -> FloatArray:
    """Smooth noise of unit size: a cubic B-spline with bounded random coefficients at knots so far apart."""
    at = times_s / spacing_s
    first = int(np.floor(at.min()))
    values = rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), int(np.floor(at.max())) - first + 4) / _SIZE
    knot = np.floor(at).astype(np.int64)
    u, k = at - knot, knot - first
    weights = ((1.0 - u) ** 3, 3.0 * u**3 - 6.0 * u**2 + 4.0, -3.0 * u**3 + 3.0 * u**2 + 3.0 * u + 1.0, u**3)
    return np.asarray(sum(weight * values[k + n] for n, weight in enumerate(weights)) / 6.0)
