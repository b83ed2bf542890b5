"""Trunk, head and arms: the gait's curves made a person's own, with gaze, breathing and living shoulders."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.performer import curves
from understudy.performer.model import GaitModel
from understudy.performer.smoothing import gaussian
from understudy.performer.style import Style
from understudy.performer.track import Track
from understudy.performer.variation import wander
from understudy.typing import FloatArray

#: [s] pelvis, trunk and arms follow no change that is faster than this.
_HEAVY_S = 0.04
#: [s] the eyes look where the path will lead this much later, and how much of that turn head and chest take.
GAZE_S = 0.45
_HEAD_SHARE, _CHEST_SHARE = 0.25, 0.05
_TRUNK_ROLES = ("spine", "chest", "upperChest")


def arm_rows(
    model: GaitModel, track: Track, rows: FloatArray, resting: FloatArray, style: Style, rng: np.random.Generator
) -> FloatArray:
    """Rows whose arms swing in a person's own way: one livelier than the other, never twice the same."""
    out = rows.copy()
    lively = rng.choice([-1.0, 1.0])
    mean = model.means(track.context)
    # Arms balance legs that swing ahead; who turns on the spot or steps aside moves them little.
    moved = track.activity * (0.4 + 0.6 * smoothstep(np.abs(track.context[:, 0]) / 0.6))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        columns = [column for part in ("UpperArm", "LowerArm", "Hand") for column in _columns(f"{side}{part}")]
        late = style.variation * (0.012 * wander(track.phase, 1.0, rng) + 0.012 * rng.standard_normal())
        wave = model.rows(track.phase - late, track.context)[:, columns] - mean[:, columns]
        gain = style.arm_swing * (1.0 + lively * sign * style.arm_asymmetry)
        gain = gain * (1.0 + 0.09 * style.variation * wander(track.phase, 1.0, rng))
        # A livelier arm swings further; where it swings about, as a jogger's bent elbow, stays.
        about = mean[:, columns] - resting[:, columns]
        out[:, columns] = resting[:, columns] + moved[:, None] * (about + gain[:, None] * wave)
    return heavy(out, track)


def heavy(rows: FloatArray, track: Track) -> FloatArray:
    """Rows ``(frames, ...)`` of pelvis, trunk and arms: edges of the gait's table are smoothed out."""
    return gaussian(rows, _HEAVY_S * track.fps)


def _columns(joint: str) -> range:
    where = curves.turn_columns(joint)
    return range(where.start, where.stop)


def part_turns(
    rows: FloatArray, model: GaitModel, track: Track, style: Style, rng: np.random.Generator
) -> dict[str, FloatArray]:
    """Turn of every part ``(frames, 4)`` seen from the part that carries it, away from the T-pose."""
    turns = {
        joint: rot.multiply(model.mean_turns[n], rot.exp(rows[:, curves.turn_columns(joint)]))
        for n, joint in enumerate(curves.TURNING)
    }
    times = track.times_s
    ahead = np.interp(times + GAZE_S, times, track.heading) - track.heading
    ahead = 0.9 * np.tanh(ahead / 0.9)
    # Breath is slower to come in than to go out; standing people also look about a little.
    breath = _breath(times, style, rng)
    still = 1.0 - track.activity
    look = 0.10 * style.variation * wander(times, 2.3, rng) * (0.25 + 0.75 * still)
    nod = 0.035 * style.variation * wander(times, 1.7, rng) * (0.3 + 0.7 * still)
    chest = _turned(turns["trunk"], x=style.lean_rad - breath, y=_CHEST_SHARE * ahead + 0.25 * look)
    head = _turned(turns["head"], x=style.head_rad + 0.6 * breath + nod, y=_HEAD_SHARE * ahead + look)
    turns |= {"trunk": chest, "head": head, "neck": rot.exp([style.neck_rad, 0.0, 0.0])}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        # An arm that swings ahead (a turn about -Y in the T-pose, on the left) takes its collar bone along.
        swing = rows[:, curves.turn_columns(f"{side}UpperArm")]
        swing = swing - swing.mean(axis=0)
        along = 0.22 * (rot.rotate(model.mean_turns[curves.TURNING.index(f"{side}UpperArm")], swing))
        raise_rad = style.shoulders_rad + 0.5 * breath
        collar = rot.exp(along * np.array([0.0, 1.0, 0.5]) + raise_rad[:, None] * np.array([0.0, 0.0, sign]))
        # The collar bone carries the shoulder along; the arm itself keeps hanging as it did.
        turns[f"{side}UpperArm"] = rot.multiply(rot.conjugate(collar), turns[f"{side}UpperArm"])
        turns[f"{side}Shoulder"] = rot.multiply(collar, turns[f"{side}Shoulder"])
        bend = np.full(len(times), style.elbow_rad)
        elbow = rot.exp(np.stack([np.zeros_like(bend), -sign * bend, np.zeros_like(bend)], axis=1))
        turns[f"{side}LowerArm"] = rot.multiply(turns[f"{side}LowerArm"], elbow)
    return turns


def _breath(times: FloatArray, style: Style, rng: np.random.Generator) -> FloatArray:
    rate = style.breath_hz * (1.0 + 0.12 * style.variation * wander(times, 4.0, rng))
    phase = rng.uniform() + np.concatenate([[0.0], np.cumsum(rate[1:] * np.diff(times))])
    angle = 2.0 * np.pi * phase
    return np.asarray(style.breath_rad * (np.sin(angle) + 0.2 * np.sin(2.0 * angle)))


def _turned(
    turn: FloatArray, *, x: FloatArray | float = 0.0, y: FloatArray | float = 0.0, z: FloatArray | float = 0.0
) -> FloatArray:
    """A turn, preceded by small turns about the carrying part's axes."""
    vector = np.stack(np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (x, y, z))), axis=-1)
    return rot.multiply(rot.exp(vector), turn)


def upper_rotations(skeleton: Skeleton, turns: dict[str, FloatArray]) -> dict[int, FloatArray]:
    """Local rotations of trunk, neck, head and arms from the parts' turns; trunk and neck share theirs out."""
    frames = len(turns["trunk"])
    anatomical: dict[int, FloatArray] = {}
    for joint, roles in (("trunk", _TRUNK_ROLES), ("head", ("neck", "head"))):
        present = [skeleton.humanoid[role] for role in roles if role in skeleton.humanoid]
        piece = rot.exp(rot.log(turns[joint]) / len(present))
        anatomical |= dict.fromkeys(present, piece)
    if {"neck", "head"} <= skeleton.humanoid.keys():
        neck, head = skeleton.humanoid["neck"], skeleton.humanoid["head"]
        anatomical[neck] = rot.multiply(turns["neck"], anatomical[neck])
        anatomical[head] = rot.multiply(anatomical[head], rot.conjugate(turns["neck"]))
    for side in curves.SIDES:
        carried = rot.identity((frames,))
        for part in ("Shoulder", "UpperArm", "LowerArm", "Hand"):
            own = rot.multiply(carried, turns[f"{side}{part}"])
            if f"{side}{part}" in skeleton.humanoid:
                anatomical[skeleton.humanoid[f"{side}{part}"]] = own
                carried = rot.identity((frames,))
            else:
                carried = own
    _, world = t_pose_world(skeleton)
    local = {}
    for index, turn in anatomical.items():
        above = world[skeleton.parents[index]]
        local[index] = rot.multiply(rot.multiply(rot.conjugate(above), turn), world[index])
    return local
