"""The fitted gait model: curves, pace, contact times and footprints as functions of a person's motion.

Every curve is a Fourier series of the gait phase; its coefficients are polynomials of forward speed ``v``, speed to
the left ``l``, turn rate to the left ``w``, how the turn rate is about to change (lead) and how it has just changed
(lag). Four gaits have coefficients of their own (walking ahead, to the left, backwards, and jogging); stepping to the
right is stepping to the left in a mirror. Gaits mix by direction and speed, which the common phase makes meaningful.

Speeds and rates are those of a person with legs of :data:`LEG_M`; others are compared at equal Froude number.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources

import numpy as np

from understudy.core.editing import smoothstep
from understudy.core.one_thread import one_thread
from understudy.performer import curves
from understudy.typing import FloatArray

LEG_M = 0.9
ORDER = 5
GAITS = ("walk", "side", "back", "jog")
TERMS = ("1", "v", "vv", "l", "ll", "w", "ww", "vw", "vl", "lw", "lead", "lag")
#: Terms each gait was fitted with.
GAIT_TERMS: dict[str, tuple[str, ...]] = {
    "walk": TERMS,
    "side": ("1", "l", "v", "w", "lead", "lag"),
    "back": ("1", "v", "l", "w", "lead", "lag"),
    "jog": ("1", "v", "w", "ww", "vw", "lead", "lag"),
}
#: Terms of a walk that recorded people have coefficients of their own for.
MANNER_TERMS = ("1", "v")
#: Where the recordings lie: lowest and highest v, l, w, lead and lag a gait is asked for.
RANGES: dict[str, FloatArray] = {
    "walk": np.array([[0.0, -0.5, -1.9, -1.2, -1.2], [1.75, 0.5, 1.9, 1.2, 1.2]]),
    "side": np.array([[-0.2, 0.35, -1.0, -0.8, -0.8], [0.2, 0.7, 1.0, 0.8, 0.8]]),
    "back": np.array([[-0.9, -0.2, -0.8, -0.8, -0.8], [-0.62, 0.2, 0.8, 0.8, 0.8]]),
    "jog": np.array([[2.0, -1.0, -1.0, -0.6, -0.6], [2.8, 1.0, 1.0, 0.6, 0.6]]),
}
#: Footprints also depend on how far the heading turns within this part of a stride before and after mid-stance.
TURN_WINDOW = 0.3


def term_columns(context: FloatArray, names: tuple[str, ...]) -> FloatArray:
    """Polynomial terms ``(n, terms)`` of contexts ``(n, 5)`` (v, l, w, lead, lag)."""
    v, l, w, lead, lag = context.T  # noqa: E741 - the symbols of the docstring
    table = {"1": np.ones_like(v), "v": v, "vv": v * v, "l": l, "ll": l * l, "w": w, "ww": w * w}
    table |= {"vw": v * w, "vl": v * l, "lw": l * w, "lead": lead, "lag": lag}
    return np.stack([table[name] for name in names], axis=1)


def print_columns(gait: str, context: FloatArray) -> FloatArray:
    """Terms ``(n, terms + 4)`` footprints depend on, of contexts ``(n, 7)``; see :meth:`GaitModel.prints`."""
    terms = term_columns(np.clip(context[:, :5], *RANGES[gait]), GAIT_TERMS[gait])
    turns = 0.8 * np.tanh(context[:, 5:] / 0.8)
    return np.hstack([terms, turns, turns * turns])


def fourier_columns(phase: FloatArray) -> FloatArray:
    """``(n, 2 ORDER + 1)``: 1, cos, sin, cos 2, sin 2, ..."""
    angles = 2.0 * np.pi * phase[:, None] * np.arange(1, ORDER + 1)
    out = np.ones((len(phase), 2 * ORDER + 1))
    out[:, 1::2], out[:, 2::2] = np.cos(angles), np.sin(angles)
    return out


def mirrored_context(context: FloatArray) -> FloatArray:
    """What a mirror makes of (v, l, w, lead, lag, ...)."""
    return np.concatenate([context[:, :1], -context[:, 1:]], axis=1)


@dataclass(frozen=True, eq=False, kw_only=True)
class GaitTables:
    """Coefficients of one gait.

    Attributes:
        curves: ``(terms, 2 ORDER + 1, COUNT)``.
        prints: ``(feet, terms + 4, 3)``; the left foot and, for side steps and one person's own walk, the right one
            (seen in a mirror, but for side steps).
        contact: ``(feet, 2, 2)`` touchdown and lift-off phase after the footfall: value and slope over speed.
        pace: ``(4,)`` stride frequency [1/s]: value, slope and curvature over speed, and growth with squared turn rate.
    """

    curves: FloatArray
    prints: FloatArray
    contact: FloatArray
    pace: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Manner:
    """How one recorded person's walk differs from the common one.

    Attributes:
        curves: ``(MANNER_TERMS, 2 ORDER + 1, COUNT)`` added to the coefficients of the terms :data:`MANNER_TERMS`.
        prints: ``(2, 3)`` added to the footprints of the left and, in a mirror, of the right foot.
    """

    curves: FloatArray
    prints: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class GaitModel:
    """All gaits, the pose their rotation vectors count from, and recorded people's own manners of walking."""

    gaits: dict[str, GaitTables]
    mean_turns: FloatArray
    manners: dict[str, Manner] = field(default_factory=dict)

    def of(self, person: str) -> GaitModel:
        """The model with one recorded person's walk instead of the common one; unchanged for people without one."""
        if person not in self.manners:
            return self
        manner, walk = self.manners[person], self.gaits["walk"]
        table, prints = walk.curves.copy(), np.repeat(walk.prints[:1], 2, axis=0)
        for term, change in zip(MANNER_TERMS, manner.curves, strict=True):
            table[GAIT_TERMS["walk"].index(term)] += change
        prints[:, 0] += manner.prints
        return replace(self, gaits=self.gaits | {"walk": replace(walk, curves=table, prints=prints)})

    def rows(self, phase: FloatArray, context: FloatArray) -> FloatArray:
        """Curves ``(n, COUNT)`` at phases ``(n,)`` and contexts ``(n, 5)``."""
        out = np.zeros((len(phase), curves.COUNT))
        for gait, share, mirror in _shares(context):
            used = np.flatnonzero(share > 1e-6)
            if len(used):
                out[used] += share[used, None] * self.gait_rows(gait, phase[used], context[used], mirror=mirror)
        return out

    def means(self, context: FloatArray) -> FloatArray:
        """Mean of the curves :meth:`rows` over a stride, ``(n, COUNT)``."""
        out = np.zeros((len(context), curves.COUNT))
        for gait, share, mirror in _shares(context):
            used = np.flatnonzero(share > 1e-6)
            if len(used):
                seen = mirrored_context(context[used]) if mirror else context[used]
                mean = term_columns(np.clip(seen, *RANGES[gait]), GAIT_TERMS[gait]) @ self.gaits[gait].curves[:, 0]
                out[used] += share[used, None] * (curves.mirrored_rows(mean) if mirror else mean)
        return out

    @one_thread()
    def gait_rows(self, gait: str, phase: FloatArray, context: FloatArray, *, mirror: bool = False) -> FloatArray:
        """Curves of one gait alone."""
        if mirror:
            return curves.mirrored_rows(self.gait_rows(gait, phase + 0.5, mirrored_context(context)))
        terms = term_columns(np.clip(context, *RANGES[gait]), GAIT_TERMS[gait])
        table = self.gaits[gait].curves
        columns = (terms[:, :, None] * fourier_columns(phase)[:, None, :]).reshape(len(phase), -1)
        return columns @ table.reshape(-1, table.shape[-1])

    def prints(self, side: str, context: FloatArray) -> FloatArray:
        """Footprints ``(n, 3)`` of one foot relative to the path at the middle of its stance.

        Columns: the flat foot's ankle beside and ahead of the path [leg lengths], its yaw from the heading [rad].

        Args:
            side: ``"left"`` or ``"right"``.
            context: ``(n, 7)`` v, l, w, lead, lag, and the turns [rad] within :data:`TURN_WINDOW` before and after.
        """
        out = np.zeros((len(context), 3))
        flip = np.array([-1.0, 1.0, -1.0])
        for gait, share, mirror in _shares(context):
            left = (side == "left") != mirror
            # The tables hold the left foot; the side gait also has the right one, seen stepping to the left.
            seen = mirrored_context(context) if mirror else context
            offset = self._gait_prints(gait, seen, left=left)
            out += share[:, None] * (offset * flip if mirror else offset)
        return out

    def _gait_prints(self, gait: str, context: FloatArray, *, left: bool) -> FloatArray:
        flip = np.array([-1.0, 1.0, -1.0])
        tables = self.gaits[gait].prints
        if gait == "side":
            return print_columns(gait, context) @ tables[0 if left else 1]
        offset = print_columns(gait, context if left else mirrored_context(context)) @ tables[0 if left else -1]
        return offset if left else offset * flip

    def contact(self, side: str, context: FloatArray) -> FloatArray:
        """``(n, 2)`` phases of touchdown and lift-off, counted from that foot's footfall."""
        out = np.zeros((len(context), 2))
        for gait, share, mirror in _shares(context):
            which = int((side == "left") == mirror) if gait == "side" else 0
            line = self.gaits[gait].contact[which]
            speed = _speed(gait, context)
            out += share[:, None] * (line[:, 0] + speed[:, None] * line[:, 1])
        return out

    def pace(self, context: FloatArray) -> FloatArray:
        """``(n,)`` stride frequency [1/s]."""
        out = np.zeros(len(context))
        for gait, share, _ in _shares(context):
            speed = _speed(gait, context)
            a, b, c, d = self.gaits[gait].pace
            turn = np.clip(context[:, 2], *RANGES[gait][:, 2])
            out += share * (a + b * speed + c * speed * speed + d * turn * turn)
        return out


def _speed(gait: str, context: FloatArray) -> FloatArray:
    """The speed a gait's timing depends on, within the recorded range."""
    column = 1 if gait == "side" else 0
    limits = np.sort(np.abs(RANGES[gait][:, column]))
    return np.clip(np.hypot(context[:, 0], context[:, 1]), *limits)


def _shares(context: FloatArray) -> list[tuple[str, FloatArray, bool]]:
    """Gait, its share ``(n,)`` and whether it is mirrored; shares add up to one."""
    v, side = context[:, 0], context[:, 1]
    speed = np.hypot(v, side)
    angle = np.degrees(np.arctan2(np.abs(side), v))
    # Standing has no direction and counts as walking ahead; however slow, moving has one.
    moving = smoothstep(speed / 1e-6)
    back = moving * smoothstep((angle - 115.0) / 30.0)
    sideways = moving * smoothstep((angle - 35.0) / 30.0) - back
    # People begin to run near a Froude number of one half, which is 2.1 m/s for these legs.
    jog = smoothstep((v - 2.0) / 0.2)
    ahead = 1.0 - sideways - back
    return [
        ("walk", ahead * (1.0 - jog), False),
        ("jog", ahead * jog, False),
        ("side", np.where(side > 0, sideways, 0.0), False),
        ("side", np.where(side > 0, 0.0, sideways), True),
        ("back", back, False),
    ]


@lru_cache(maxsize=1)
def gait_model() -> GaitModel:
    """The model that comes with the package."""
    with resources.files("understudy.performer").joinpath("gait_model.npz").open("rb") as stream:
        arrays = np.load(stream)
        return model_from({key: np.asarray(arrays[key], dtype=np.float64) for key in arrays.files})


def model_from(arrays: dict[str, FloatArray]) -> GaitModel:
    """A model from named arrays, as ``tools/fit_performer.py`` saves them."""
    gaits = {
        gait: GaitTables(**{key: arrays[f"{gait}_{key}"] for key in ("curves", "prints", "contact", "pace")})
        for gait in GAITS
    }
    people = sorted({key.split("_")[1] for key in arrays if key.startswith("manner_")})
    manners = {
        person: Manner(**{key: arrays[f"manner_{person}_{key}"] for key in ("curves", "prints")}) for person in people
    }
    return GaitModel(gaits=gaits, mean_turns=arrays["mean_turns"], manners=manners)
