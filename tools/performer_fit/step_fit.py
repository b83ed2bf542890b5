"""Steps: where feet are put down, when they land and leave, and how many strides a second people take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.performer.model import RANGES, TURN_WINDOW, mirrored_context, print_columns

from .curve_fit import belongs, solve
from .recorded_clip import Clip, context_of, foot_speeds


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
