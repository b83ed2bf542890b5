"""One recorded clip beside what the performer makes of its path and phase, and beside the same person's other clips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree
from tools.performer_fit.model_fit import periodic_part
from tools.performer_fit.recorded_body import recorded_body
from tools.performer_fit.recorded_clip import Clip, context_of, read_clip
from tools.performer_fit.recorded_path import WalkedPath, follow_path, walked_path

from understudy import rotations as rot
from understudy.core import Motion
from understudy.core.reference_pose import anatomical_rotations
from understudy.formats import load_motion
from understudy.inspection import clean
from understudy.performer import Style
from understudy.performer import curves as gait_curves
from understudy.performer.gait import cropped, perform
from understudy.performer.model import LEG_M, GaitModel
from understudy.performer.track import Command, Track, activity_of, commanded_track
from understudy.performer.track import context_of as track_context

#: Joints that are compared.
JOINTS = ("hip", "knee", "ankle", "shoulder")
#: How many frames of other recordings a recorded frame is compared with: a third of a second.
ALIKE = 40
#: The fitted gait as it is: what styles change or add is left out.
PLAIN = Style(variation=0.0, arm_asymmetry=0.0, arm_swing=1.0, twist=1.0, toe_out_rad=0.0, width_m=0.0)


def real_floor(folder: Path, name: str, others: list[Clip]) -> dict[str, float]:
    """Joint-angle RMS [deg] between a clip and the mean of the most alike moments of the same person's other clips."""
    clip = read_clip(folder, name)
    same = [other for other in others if other.subject == clip.subject]
    if not same:
        return {}
    turns, places = [], []
    for other in (clip, *same):
        valid = other.path.valid
        motion = clean(load_motion(folder / f"{other.name}.bvh")).motion
        turns.append({joint: turn[valid] for joint, turn in _joint_turns(motion).items()})
        angle = 2.0 * np.pi * other.path.phase[valid]
        # A fortieth of a stride counts like 0.15 m/s, or like 9 degrees a second.
        places.append(np.column_stack([np.cos(angle), np.sin(angle), context_of(other)[valid]]))
    nearest = cKDTree(np.concatenate(places[1:])).query(places[0], k=ALIKE)[1]
    row = {}
    for joint in JOINTS:
        errors = []
        for side in ("left", "right"):
            alike = np.concatenate([turn[side + joint] for turn in turns[1:]])[nearest]
            alike = alike * np.where(np.sum(alike * alike[:, :1], axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
            errors.append(_rms_deg(turns[0][side + joint], rot.normalize(alike.mean(axis=1))))
        row[f"{joint}_floor"] = float(np.sqrt(np.mean(np.square(errors))))
    return row


def compare(folder: Path, name: str, model: GaitModel) -> dict[str, object]:
    """One clip beside what a model makes of its path and phase."""
    motion = clean(load_motion(folder / f"{name}.bvh")).motion
    clip = read_clip(folder, name)
    clip.path = follow_path(clip.path, clip.body, periodic_part(model, clip))
    path, leg = clip.path, clip.body.leg_m
    track, margin = extended_track(path, motion.fps, leg)
    context = track.context[margin:-margin]
    made = perform(track, motion.skeleton, model=model, style=PLAIN, rng=np.random.default_rng(0), name=name)
    made = cropped(made, margin, margin + len(motion))
    valid = path.valid
    real, ours = (_joint_turns(m) for m in (motion, made.motion))
    row: dict[str, object] = {}
    for joint in JOINTS:
        errors = [_rms_deg(real[side + joint][valid], ours[side + joint][valid]) for side in ("left", "right")]
        row[joint] = float(np.sqrt(np.mean(np.square(errors))))
    middle = context[valid]
    pace = float(np.mean(np.gradient(path.phase)[valid]) * motion.fps)
    guess = float(np.mean(model.pace(middle))) / clip.time_scale
    row |= {
        "speed": float(np.mean(np.hypot(middle[:, 0], middle[:, 1])) * np.sqrt(leg / LEG_M)),
        "turn": float(np.degrees(np.abs(middle[:, 2]).max())),
        "step_error": pace / guess - 1.0,
        "seconds": float(valid.sum() / motion.fps),
    }
    if np.abs(middle[:, 2]).max() < 0.25 and middle[:, 0].min() > 0.5:
        row |= _pelvis(clip, motion, model, float(np.mean(middle[:, 0]) * np.sqrt(leg / LEG_M)))
    return row


def extended_track(path: WalkedPath, fps: float, leg_m: float, *, margin_s: float = 1.5) -> tuple[Track, int]:
    """A recorded path as a track, continued at constant velocity so that its first and last steps are whole."""
    margin = round(margin_s * fps)
    first, last = np.flatnonzero(path.valid)[[0, -1]]
    series = np.column_stack([path.place, path.heading, np.maximum.accumulate(path.phase)])
    frames = np.arange(-margin, len(series) + margin)
    out = series[np.clip(frames, first, last)]
    span = min(30, last - first)
    for edge, inner, outside in ((first, first + span, frames < first), (last, last - span, frames > last)):
        rate = (series[inner] - series[edge]) / (inner - edge)
        out[outside] = series[edge] + (frames[outside] - edge)[:, None] * rate
    context = track_context(out[:, :2], out[:, 2], fps, leg_m)
    track = Track(
        times_s=frames / fps,
        place=out[:, :2],
        heading=out[:, 2],
        phase=out[:, 3],
        context=context,
        activity=activity_of(context, fps),
    )
    return track, margin


def _joint_turns(motion: Motion) -> dict[str, np.ndarray]:
    """Joint rotations in anatomical axes; the shoulder is the upper arm seen from the chest."""
    skeleton = motion.skeleton
    body = recorded_body(motion)
    turns = anatomical_rotations(skeleton, motion.rotations)
    out = {}
    for side in ("left", "right"):
        for joint, role in (("hip", "UpperLeg"), ("knee", "LowerLeg"), ("ankle", "Foot")):
            out[side + joint] = turns[:, skeleton.index(side + role)]
        collar, arm = (gait_curves.TURNING.index(side + part) for part in ("Shoulder", "UpperArm"))
        out[side + "shoulder"] = rot.multiply(body.turns[:, collar], body.turns[:, arm])
    return out


def _rms_deg(real: np.ndarray, ours: np.ndarray) -> float:
    """3-D RMS of the rotation between two series, its mean taken off [deg]."""
    apart = rot.relative(real, ours)
    rest = rot.log(rot.relative(rot.mean(apart), apart))
    return float(np.degrees(np.sqrt(np.mean(np.sum(rest**2, axis=1)))))


def _pelvis(clip: Clip, motion: Motion, model: GaitModel, speed: float) -> dict[str, float]:
    """Bob and sway [mm], twice the standard deviation about the path: recorded, and of a commanded walk as fast."""
    start = walked_path(clip.body)
    c, s = np.cos(start.heading), np.sin(start.heading)
    off = clip.body.pelvis[:, [0, 2]] - start.place
    keep = start.valid
    real_sway = np.std((c * off[:, 0] - s * off[:, 1])[keep])
    real_bob = np.std(clip.body.pelvis[keep, 1])
    skeleton = motion.skeleton
    track = commanded_track(
        [Command(0.0, speed)],
        duration_s=8.0,
        fps=60.0,
        leg_m=skeleton.leg_length_m(),
        model=model,
        style=PLAIN,
        start_phase=0.0,
        rng=np.random.default_rng(0),
    )
    made = perform(track, skeleton, model=model, style=PLAIN, rng=np.random.default_rng(0), name="walk")
    body = recorded_body(made.motion.frames(120, 480))
    return {
        "bob_real": 2000 * real_bob,
        "bob": 2000 * float(np.std(body.pelvis[:, 1])),
        "sway_real": 2000 * float(real_sway),
        "sway": 2000 * float(np.std(body.pelvis[:, 0])),
    }
