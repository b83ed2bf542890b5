"""Curves: Fourier series of the phase whose coefficients are polynomials of how somebody moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.performer import curves
from understudy.performer.model import (
    GAIT_TERMS,
    MANNER_TERMS,
    ORDER,
    RANGES,
    fourier_columns,
    mirrored_context,
    term_columns,
)

from .recorded_clip import Clip, context_of, flat_feet
from .recorded_curves import curve_rows


@dataclass
class Samples:
    """Rows for one gait: phase, context, curves, subject column, weight."""

    phase: np.ndarray
    context: np.ndarray
    rows: np.ndarray
    person: np.ndarray
    weight: np.ndarray


def belongs(gait: str, context: np.ndarray) -> np.ndarray:
    v, l, w = context[:, :3].T  # noqa: E741
    if gait == "side":
        return (np.abs(l) > 0.2) & (np.abs(v) < np.abs(l))
    if gait == "back":
        return v < -0.25
    if gait == "jog":
        return v > 1.5
    return (v > 0.3) & (np.abs(l) < 0.45 * v + 0.2) | (np.abs(w) > 0.7) & (v > -0.1)


def samples(gait: str, clips: list[Clip], means: dict[str, np.ndarray]) -> Samples:
    parts: list[list[np.ndarray]] = [[], [], [], [], []]
    people = sorted({clip.subject for clip in clips})
    for clip in clips:
        context = context_of(clip)
        rows = curve_rows(clip.body, clip.path, means[clip.subject], flat_feet(clip.body))
        keep = np.flatnonzero(clip.path.valid & belongs(gait, context))[::2]
        if not len(keep):
            continue
        weight = np.full(len(keep), min(1.0, 300.0 / len(keep)))
        # Sharp turns are rare; with a little more weight the fit heeds them.
        weight *= 1.0 + 0.5 * np.minimum(np.abs(context[keep, 2]), 1.5)
        for mirror in (False, True):
            seen, shown = context[keep], rows[keep]
            phase = clip.path.phase[keep]
            if mirror:
                seen, shown, phase = mirrored_context(seen), curves.mirrored_rows(shown), phase + 0.5
            left = seen[:, 1] > 0 if gait == "side" else np.ones(len(keep), dtype=bool)
            person = 2 * people.index(clip.subject) + int(mirror)
            for part, value in zip(parts, (phase, seen, shown, np.full(len(keep), person), weight), strict=True):
                part.append(value[left])
    return Samples(*(np.concatenate(part) for part in parts))


def solve(design: np.ndarray, target: np.ndarray, weight: np.ndarray, penalty: np.ndarray) -> np.ndarray:
    """Weighted ridge regression."""
    root = np.sqrt(weight)[:, None]
    a, b = design * root, target * root
    size = weight.sum()
    return np.linalg.solve(a.T @ a + np.diag(penalty * size), a.T @ b)


#: How much a person's own curves are held back, relative to the common ones' high terms.
PERSONAL = 5.0
PERSONAL_OFFSET = 1e-3


def fit_curves(gait: str, data: Samples) -> tuple[np.ndarray, np.ndarray]:
    """Common coefficients, and what every person (and its mirror image) adds to those of MANNER_TERMS in a walk."""
    names = GAIT_TERMS[gait]
    terms = term_columns(np.clip(data.context, *RANGES[gait]), names)
    waves = fourier_columns(data.phase)
    design = np.einsum("nt,nf->ntf", terms, waves).reshape(len(terms), -1)
    person = (data.person[:, None] == np.unique(data.person)).astype(float)
    # High harmonics and high terms are held back a little, a person's own offset hardly.
    order = np.concatenate([[0], np.repeat(np.arange(1, ORDER + 1), 2)])
    harmonics = np.tile(order, len(names))
    term_of = np.repeat([0.0 if name == "1" else 1.0 for name in names], 2 * ORDER + 1)
    # Gaits seen in few clips are trusted less beyond their mean.
    trust = {"walk": 1.0, "back": 30.0}.get(gait, 8.0)
    penalty = 2e-4 * (trust * term_of * (1.0 + harmonics) + 0.2 * harmonics)
    if gait != "walk":
        everything = np.hstack([design, person])
        solution = solve(everything, data.rows, data.weight, np.concatenate([penalty, np.full(person.shape[1], 2e-3)]))
        return solution[: design.shape[1]].reshape(len(names), 2 * ORDER + 1, curves.COUNT), np.empty(0)
    own_terms = term_columns(np.clip(data.context, *RANGES[gait]), MANNER_TERMS)
    own = np.einsum("np,nt,nf->nptf", person, own_terms, waves).reshape(len(terms), -1)
    held = np.where(np.array(MANNER_TERMS)[:, None] == "1", PERSONAL_OFFSET, PERSONAL * 2e-4) * (1.0 + order)
    everything = np.hstack([design, own])
    penalties = np.concatenate([penalty, np.tile(held.ravel(), person.shape[1])])
    solution = solve(everything, data.rows, data.weight, penalties)
    common = solution[: design.shape[1]].reshape(len(names), 2 * ORDER + 1, curves.COUNT)
    return common, solution[design.shape[1] :].reshape(-1, len(MANNER_TERMS), 2 * ORDER + 1, curves.COUNT)
