"""The curves of recorded walks: what the gait model is fitted to."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.performer import curves
from understudy.typing import FloatArray

from .recorded_body import RecordedBody
from .recorded_path import WalkedPath

#: Phases after the footfall between which a walker's foot is in the air.
AIR_PHASES = (0.55, 0.97)


def curve_rows(body: RecordedBody, path: WalkedPath, mean_turns: FloatArray, flat_rad: FloatArray) -> FloatArray:
    """All curves ``(frames, COUNT)`` of a clip.

    Args:
        body: The clip.
        path: Its path.
        mean_turns: ``(len(TURNING), 4)`` mean pose the rotation vectors count from.
        flat_rad: ``(2, 2)`` pitch and roll of the left and right foot while they stand flat [rad].
    """
    rows = np.empty((len(body.pelvis), curves.COUNT))
    back = rot.from_yaw(-path.heading)
    c, s = np.cos(path.heading), np.sin(path.heading)

    def seen(points: FloatArray) -> FloatArray:
        x, z = points[:, 0] - path.place[:, 0], points[:, 2] - path.place[:, 1]
        return np.stack([c * x - s * z, points[:, 1], s * x + c * z], axis=1) / body.leg_m

    rows[:, curves.PELVIS_PLACE] = seen(body.pelvis)
    rows[:, curves.PELVIS_TURN] = rot.log(rot.multiply(back, body.pelvis_turn))
    for n, joint in enumerate(curves.TURNING):
        rows[:, curves.turn_columns(joint)] = rot.log(rot.relative(mean_turns[n], body.turns[:, n]))
    for n, side in enumerate(curves.SIDES):
        rows[:, curves.ankle_columns(side)] = seen(body.ankles[:, n])
        flat = rot.from_euler(np.array([0.0, *flat_rad[n]]), "YXZ")
        turn = rot.multiply(body.feet[:, n], rot.conjugate(flat))
        ahead = rot.from_yaw(-_print_yaw(body, path, n, turn))
        # Pitch outermost: a foot on its toes is pitched by 70 degrees, where yaw and roll would be one and the same.
        pitch, yaw, roll = rot.to_euler(rot.multiply(ahead, turn), "XYZ").T
        for part, value in (("yaw", yaw), ("pitch", pitch), ("roll", roll)):
            rows[:, curves.foot_column(side, part)] = value
        rows[:, curves.foot_column(side, "toes")] = body.toes[:, n]
        rows[:, curves.foot_column(side, "hinge")] = _wrapped(body.hinges[:, n] - path.heading)
    return rows


def _print_yaw(body: RecordedBody, path: WalkedPath, n: int, turn: FloatArray) -> FloatArray:
    """``(frames,)`` yaw of a foot's last footprint, going over to the next one while the foot is in the air [rad]."""
    ahead = rot.rotate(turn, np.array([0.0, 0.0, 1.0]))
    speed = np.linalg.norm(np.gradient(body.ankles[:, n], axis=0), axis=-1) * body.fps
    own = path.phase - 0.5 * n
    falls, yaws = [], []
    for fall in range(int(np.floor(own[0])) - 1, int(np.ceil(own[-1])) + 1):
        stands = (own > fall + 0.1) & (own < fall + 0.38)
        if stands.sum() >= 3:
            weight = np.exp(-((speed[stands] / 0.3) ** 2)) + 1e-9
            falls.append(fall)
            yaws.append(np.arctan2((weight * ahead[stands, 0]).sum(), (weight * ahead[stands, 2]).sum()))
    if not falls:
        return path.heading
    known = np.unwrap(yaws)
    index = np.clip(np.searchsorted(falls, own) - 1, 0, len(falls) - 1)
    after = np.minimum(index + 1, len(falls) - 1)
    share = smoothstep((own - np.array(falls)[index] - AIR_PHASES[0]) / (AIR_PHASES[1] - AIR_PHASES[0]))
    return np.asarray(known[index] + share * (known[after] - known[index]))


def _wrapped(angle: FloatArray) -> FloatArray:
    return np.asarray(angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)))
