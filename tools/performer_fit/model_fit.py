"""The whole model: every gait's curves and steps, and paths that follow the pelvis by what was found."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.performer import curves
from understudy.performer.model import GaitModel, GaitTables, Manner
from understudy.typing import FloatArray

from .curve_fit import fit_curves, samples
from .recorded_clip import Clip, context_of
from .recorded_path import follow_path, walked_path
from .step_fit import fit_pace, fit_steps


def subject_means(clips: list[Clip]) -> dict[str, np.ndarray]:
    """Mean pose (turning joints, 4) of every subject."""
    means = {}
    for subject in {clip.subject for clip in clips}:
        turns = np.concatenate([c.body.turns[c.path.valid][::4] for c in clips if c.subject == subject])
        means[subject] = rot.mean(turns)
    return means


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
    both = rot.mean(np.stack([turns for mean in people for turns in (mean, _mirrored_turns(mean))]))
    return GaitModel(gaits=gaits, mean_turns=both, manners=manners)


def periodic_part(model: GaitModel, clip: Clip) -> np.ndarray:
    """(frames, 3) pelvis beside the path (x, z) [m] and yaw [rad] that the gait explains, without its mean."""
    context = context_of(clip)
    wave = model.rows(clip.path.phase, context) - model.means(context)
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


def _mirrored_turns(turns: FloatArray) -> FloatArray:
    """Mean poses ``(len(TURNING), 4)`` seen in the mirror."""
    order = [curves.TURNING.index(curves.other_side(joint)) for joint in curves.TURNING]
    return np.asarray(turns[..., order, :] * np.array([1.0, 1.0, -1.0, -1.0]))
