"""Fit the performer's gait model to recorded clips.

    python tools/fit_performer.py ../shared/motion/cmu_bvh [-o src/understudy/performer/gait_model.npz]

Clips in FIT give the coefficients and, each left out in turn, the model's form; FINAL clips were kept out of both.
``benchmarks/suites/performer.py`` reports on either.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.formats import load_motion
from understudy.inspection import clean, find_problems
from understudy.performer import curves
from understudy.performer.model import (
    GAIT_TERMS,
    LEG_M,
    MANNER_TERMS,
    ORDER,
    RANGES,
    TURN_WINDOW,
    GaitModel,
    GaitTables,
    Manner,
    fourier_columns,
    mirrored_context,
    model_arrays,
    print_columns,
    term_columns,
)
from understudy.performer.recorded_curves import curve_rows
from understudy.performer.recorded_path import WalkedPath, follow_path, walked_path
from understudy.performer.recording import RecordedBody, recorded_body
from understudy.performer.track import CONTEXT_LEAD_S, CONTEXT_SIGMA_S

FIT = {
    "walk": (
        "16_16 16_21 16_31 16_32 16_47 16_11 16_12 16_14 16_23 16_24 16_17 16_18 16_19 16_27 "
        "69_03 69_13 69_20 69_22 69_24 69_28 69_30 35_01"
    ),
    "side": "69_56 69_59 69_62",
    "back": "69_51",
    "jog": "16_35 16_37 16_39 16_41 16_44",
}
FINAL = {"walk": "16_58 69_01 16_13 16_26 69_31 69_25 16_20 16_30", "side": "69_65", "back": "69_53", "jog": "16_36"}


@dataclass
class Clip:
    name: str
    body: RecordedBody
    path: WalkedPath
    mean_turns: np.ndarray | None = None

    @property
    def subject(self) -> str:
        return self.name.split("_")[0]

    @property
    def time_scale(self) -> float:
        """Seconds of this person per second of the reference person."""
        return float(np.sqrt(self.body.leg_m / LEG_M))


def read_clip(folder: Path, name: str) -> Clip | None:
    """A cleaned clip with its path; ``None`` when it stays dirty or nobody walks in it."""
    motion = clean(load_motion(folder / f"{name}.bvh")).motion
    if any(problem.severity == "error" for problem in find_problems(motion)):
        return None
    body = recorded_body(motion)
    path = walked_path(body)
    return None if path is None else Clip(name, body, path)


def context_of(clip: Clip) -> np.ndarray:
    """(frames, 5) v, l, w, lead and lag of the reference person."""
    rates = clip.path.velocities(sigma_s=CONTEXT_SIGMA_S)
    times, turn = clip.path.times_s, rates[:, 2]
    later, before = (np.interp(times + sign * CONTEXT_LEAD_S, times, turn) for sign in (1.0, -1.0))
    scale = clip.time_scale
    turns = np.stack([turn, later - turn, turn - before], axis=1) * scale
    return np.column_stack([rates[:, :2] / clip.body.leg_m * LEG_M * scale, turns])


def foot_speeds(body: RecordedBody) -> tuple[np.ndarray, np.ndarray]:
    """(frames, 2) speeds of ankles and balls."""
    return tuple(np.linalg.norm(np.gradient(p, axis=0), axis=-1) * body.fps for p in (body.ankles, body.balls))


def flat_feet(body: RecordedBody) -> np.ndarray:
    """(2, 2) pitch and roll of feet that stand flat."""
    ankle, ball = foot_speeds(body)
    out = np.zeros((2, 2))
    for n in range(2):
        still = (ankle[:, n] < 0.15) & (ball[:, n] < 0.15) & (body.balls[:, n, 1] < 0.025)
        if still.sum() < 3:
            still = np.argsort(ankle[:, n] + ball[:, n])[:5]
        euler = rot.to_euler(body.feet[still, n], "YXZ")
        out[n] = np.median(euler[:, 1:], axis=0)
    return out


def subject_means(clips: list[Clip]) -> dict[str, np.ndarray]:
    """Mean pose (turning joints, 4) of every subject."""
    means = {}
    for subject in {clip.subject for clip in clips}:
        turns = np.concatenate([c.body.turns[c.path.valid][::4] for c in clips if c.subject == subject])
        means[subject] = rot.mean(turns)
    return means


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


@dataclass
class Step:
    """One stance: contact phases after the footfall, context and footprint at its middle."""

    touch: float
    lift: float
    context: np.ndarray
    left: bool
    place: np.ndarray


def steps_of(clip: Clip) -> list[Step]:
    found = []
    body, path = clip.body, clip.path
    context = context_of(clip)
    ankle, ball = foot_speeds(body)
    slow = np.minimum(ankle, ball)
    for time, phase in zip(path.footfalls_s, path.footfall_phases, strict=True):
        n = round(2 * phase) % 2
        at = round(time * body.fps)
        window = np.flatnonzero((path.phase > phase - 0.25) & (path.phase < phase + 0.75))
        speed = np.hypot(*context[at, :2])
        still = slow[window, n] < 0.45 + 0.12 * speed
        core = int(np.argmin(np.abs(path.phase[window] - phase - 0.12)))
        if not still[core]:
            continue
        first, last = core, core
        while first > 0 and still[first - 1]:
            first -= 1
        while last + 1 < len(window) and still[last + 1]:
            last += 1
        touch, lift = path.phase[window[first]] - phase, path.phase[window[last]] - phase
        if first == 0:
            touch = np.nan
        if last + 1 >= len(window):
            lift = np.nan
        stance = window[first : last + 1]
        # A runner's foot never rests as long and as flat as a walker's.
        pace = 1.0 + max(0.0, speed - 1.8)
        weight = np.exp(-((ball[stance, n] / (0.15 * pace)) ** 2) - (ankle[stance, n] / (0.4 * pace)) ** 2)
        middle = round(np.sum(weight * stance) / max(weight.sum(), 1e-9))
        if weight.sum() < 3 or not path.valid[min(middle, len(path.valid) - 1)]:
            continue
        where = np.average(body.balls[stance, n][:, [0, 2]], axis=0, weights=weight)
        reach = np.linalg.norm((body.balls - body.ankles)[stance, n][:, [0, 2]], axis=1)
        ahead = rot.rotate(body.feet[stance, n], np.array([0.0, 0.0, 1.0]))
        yaw = np.arctan2(np.average(ahead[:, 0], weights=weight), np.average(ahead[:, 2], weights=weight))
        # A footprint is where the ankle stands when the foot is flat: feet differ in length.
        where = where - np.average(reach, weights=weight) * np.array([np.sin(yaw), np.cos(yaw)])
        found.append((touch, lift, where, yaw, n, phase))
    out = []
    for touch, lift, where, yaw, n, phase in found:
        middle = phase + MIDDLE
        frame = int(np.argmin(np.abs(path.phase - middle)))
        if not path.valid[frame]:
            continue
        c, s = np.cos(path.heading[frame]), np.sin(path.heading[frame])
        x, z = where - path.place[frame]
        turned = yaw - path.heading[frame]
        turned -= 2 * np.pi * round(turned / (2 * np.pi))
        place = np.array([(c * x - s * z) / body.leg_m, (s * x + c * z) / body.leg_m, turned])
        turns = [
            sign * (np.interp(middle + sign * TURN_WINDOW, path.phase, path.heading) - path.heading[frame])
            for sign in (-1.0, 1.0)
        ]
        out.append(Step(touch, lift, np.array([*context[frame], *turns]), n == 0, place))
    return out


#: Phase after the footfall at which a footprint is seen from the path.
MIDDLE = 0.24


def fit_steps(gait: str, clips: list[Clip]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Footprints and contact phases of a gait, and people's own offsets of left and (mirrored) right footprints."""
    people = sorted({clip.subject for clip in clips})
    rows = []
    for clip in clips:
        weight = min(1.0, 12.0 / max(1, len(clip.path.footfalls_s)))
        for step in steps_of(clip):
            if belongs(gait, step.context[None, :5])[0]:
                rows += [(step, people.index(clip.subject), weight)]
    flip = np.array([-1.0, 1.0, -1.0])
    prints = []
    for want_left in (True, False) if gait == "side" else (True,):
        seen, place, person, weights = [], [], [], []
        for step, who, weight in rows:
            mirror = step.context[1] < 0 if gait == "side" else not step.left
            left = step.left != mirror
            if left != want_left:
                continue
            seen.append(mirrored_context(step.context[None])[0] if mirror else step.context)
            place.append(step.place * flip if mirror else step.place)
            person.append(2 * who + int(mirror))
            weights.append(weight * (1.0 + 1.5 * min(abs(step.context[2]), 1.5)))
        terms = print_columns(gait, np.array(seen))
        dummies = (np.array(person)[:, None] == np.arange(2 * len(people))).astype(float)
        penalty = np.concatenate([[0.0], np.full(terms.shape[1] - 1, 1e-3), np.full(dummies.shape[1], 3e-2)])
        found = solve(np.hstack([terms, dummies]), np.array(place), np.array(weights), penalty)
        prints.append(found[: terms.shape[1]])
        offsets = found[terms.shape[1] :]
    contact = []
    for want in (True, False) if gait == "side" else (None,):
        lines = []
        for key in ("touch", "lift"):
            pairs = []
            for step, _, weight in rows:
                leading = (step.context[1] > 0) == step.left
                if want is None or leading == want:
                    pairs.append((np.hypot(*step.context[:2]), getattr(step, key), weight))
            table = np.array([pair for pair in pairs if np.isfinite(pair[1])])
            lines.append(_line(table))
        contact.append(np.array(lines))
    return np.array(prints), np.array(contact), offsets.reshape(-1, 2, 3)


def fit_pace(gait: str, clips: list[Clip]) -> np.ndarray:
    """(4,) stride frequency: value, slope and curvature over speed, and growth with squared turn rate."""
    design, rates, weights = [], [], []
    for clip in clips:
        context = context_of(clip)
        keep = np.flatnonzero(clip.path.valid & belongs(gait, context))[::4]
        speed, turn = np.hypot(*context[keep, :2].T), np.clip(context[keep, 2], *RANGES[gait][:, 2])
        design.append(np.stack([np.ones(len(keep)), speed, speed**2, turn**2], axis=1))
        rates.append(np.gradient(clip.path.phase)[keep] * clip.body.fps * clip.time_scale)
        weights.append(np.full(len(keep), min(1.0, 75.0 / max(1, len(keep)))))
    penalty = np.array([0.0, 1e-4, 1e-3, 1e-4])
    return solve(np.concatenate(design), np.concatenate(rates)[:, None], np.concatenate(weights), penalty)[:, 0]


def _line(table: np.ndarray) -> np.ndarray:
    design = np.stack([np.ones(len(table)), table[:, 0]], axis=1)
    return solve(design, table[:, 1:2], table[:, 2], np.array([0.0, 1e-2]))[:, 0]


def fit_model(clips: dict[str, list[Clip]], known: GaitModel | None = None) -> GaitModel:
    """Fit the gaits clips are given for; others, and the mean pose, come from a known model."""
    everyone = [clip for group in clips.values() for clip in group]
    means = subject_means(everyone)
    gaits = {} if known is None else dict(known.gaits)
    manners = {} if known is None or "walk" in clips else dict(known.manners)
    for gait, group in clips.items():
        data = samples(gait, group, means)
        prints, contact, offsets = fit_steps(gait, group)
        table, own = fit_curves(gait, data)
        gaits[gait] = GaitTables(curves=table, prints=prints, contact=contact, pace=fit_pace(gait, group))
        if gait == "walk":
            for n, person in enumerate(sorted({clip.subject for clip in group})):
                manners[person] = Manner(curves=own[2 * n], prints=offsets[n])
    if known is not None:
        return GaitModel(gaits=gaits, mean_turns=known.mean_turns, manners=manners)
    people = [means[subject] for subject in ("16", "69")]
    both = rot.mean(np.stack([turns for mean in people for turns in (mean, curves.mirrored_turns(mean))]))
    return GaitModel(gaits=gaits, mean_turns=both, manners=manners)


def periodic_part(model: GaitModel, clip: Clip) -> np.ndarray:
    """(frames, 3) pelvis beside the path (x, z) [m] and yaw [rad] that the gait explains, without its mean."""
    context = context_of(clip)
    wave = model.waves(clip.path.phase, context)
    return np.column_stack([wave[:, 0] * clip.body.leg_m, wave[:, 2] * clip.body.leg_m, wave[:, 4]])


def refine(model: GaitModel, clips: dict[str, list[Clip]]) -> None:
    """Let every clip's path follow its pelvis more closely."""
    for group in clips.values():
        for clip in group:
            start = walked_path(clip.body)
            clip.path = start
            clip.path = follow_path(start, clip.body, periodic_part(model, clip))


def fitted(clips: dict[str, list[Clip]], known: GaitModel | None = None) -> GaitModel:
    """Fit, let the paths follow the pelvis by what was found, and fit again."""
    model = fit_model(clips, known)
    for _ in range(2):
        refine(model, clips)
        model = fit_model(clips, known)
    return model


def read_all(folder: Path, names: dict[str, str]) -> dict[str, list[Clip]]:
    clips = {gait: [read_clip(folder, name) for name in listed.split()] for gait, listed in names.items()}
    return {gait: [clip for clip in group if clip is not None] for gait, group in clips.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("src/understudy/performer/gait_model.npz"), help="coefficient file"
    )
    arguments = parser.parse_args()
    clips = read_all(arguments.folder, FIT)
    for gait, group in clips.items():
        skipped = set(FIT[gait].split()) - {clip.name for clip in group}
        print(f"{gait}: {len(group)} clips" + (f", skipped {', '.join(sorted(skipped))}" if skipped else ""))
    model = fitted(clips)
    arrays = {key: np.asarray(value, dtype=np.float32) for key, value in model_arrays(model).items()}
    np.savez_compressed(arguments.output, **arrays)
    print(f"wrote {arguments.output}: {arguments.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
