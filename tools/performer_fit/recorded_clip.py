"""Recorded clips as the fit sees them: which ones, their paths, and how fast people go along them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.formats import load_motion
from understudy.inspection import clean, find_problems
from understudy.performer.model import LEG_M
from understudy.performer.track import CONTEXT_LEAD_S, CONTEXT_SIGMA_S

from .recorded_body import RecordedBody, recorded_body
from .recorded_path import WalkedPath, walked_path

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


def read_all(folder: Path, names: dict[str, str]) -> dict[str, list[Clip]]:
    clips = {gait: [read_clip(folder, name) for name in listed.split()] for gait, listed in names.items()}
    return {gait: [clip for clip in group if clip is not None] for gait, group in clips.items()}
