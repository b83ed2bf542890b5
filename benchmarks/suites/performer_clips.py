"""The performer's own clips by the quality measures, and how long they take to make."""

from __future__ import annotations

import time

import numpy as np

from understudy import rotations as rot
from understudy.core import Motion
from understudy.kinematics import motion_world
from understudy.performer import CLIPS, performance
from understudy.performer.gait import Performance
from understudy.verify.foot_skate import foot_skate


def knee_speeds(motion: Motion) -> np.ndarray:
    """Speed of both knees' flexion [deg/s]."""
    turns = [rot.log(motion.rotations[:, motion.skeleton.index(f"{side}LowerLeg")]) for side in ("left", "right")]
    return np.abs(np.concatenate([np.diff(np.linalg.norm(t, axis=1)) for t in turns])) * np.degrees(motion.fps)


def made_rows(style: str = "calm") -> list[dict[str, object]]:
    """Quality of every built-in clip."""
    rows = []
    for name in CLIPS:
        worst = {"drift": 0.0, "skate": 0.0, "knee": 0.0, "apart": np.inf}
        for seed in range(3):
            made = performance(name, seed=seed, style=style)
            motion = made.motion
            judged = foot_skate(motion)
            worst["drift"] = max(worst["drift"], judged.stance_drift_mm)
            worst["skate"] = max(worst["skate"], judged.gmd)
            worst["knee"] = max(worst["knee"], float(knee_speeds(motion).max()))
            worst["apart"] = min(worst["apart"], _apart_m(motion, made))
        rows.append({"clip": name, **worst})
    return rows


def _apart_m(motion: Motion, made: Performance) -> float:
    """Least distance between the feet (segments ankle - ball - toe tip) while both stand [m]."""
    world = motion_world(motion)
    both = made.left_contact & made.right_contact
    if not both.any():
        return np.inf
    lines = []
    for side in ("left", "right"):
        ankle, ball = (world.positions[both, motion.skeleton.index(side + part)] for part in ("Foot", "Toes"))
        tip = ball + 0.5 * (ball - ankle)
        lines.append(np.stack([ankle + k * (tip - ankle) for k in np.linspace(0, 1, 9)], axis=1)[..., [0, 2]])
    return float(np.linalg.norm(lines[0][:, :, None] - lines[1][:, None], axis=-1).min())


def seconds_per_minute() -> float:
    """CPU time to make one minute of walking at 60 fps, compiled [s]; median of five."""
    performance("walk")
    taken = []
    for seed in range(5):
        start = time.thread_time()
        performance("walk", seed=seed, duration_s=60.0, fps=60.0)
        taken.append(time.thread_time() - start)
    return float(np.median(taken))
