"""Standing: where the feet support, and the body that reaches a place with the least trouble.

One end pose is solved by least squares over a few numbers. Their costs give the order in which people use them:
arm, clavicle, twist, lean, knees; the pelvis is never raised (performer's recipe).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.outlines import convex_outline
from understudy.kinematics import WorldTransforms
from understudy.performer.actions.figure import SIDES, Figure
from understudy.performer.actions.tracks import BodyTrack, FootPath
from understudy.performer.legs import bones_m
from understudy.typing import FloatArray

#: What one unit costs: twist, lean, side lean [rad], pelvis left, down, ahead [m], raise and protract [rad] per side.
_COST = np.array([0.55, 0.9, 1.1, 1.5, 5.0, 1.5, 0.45, 0.35, 0.45, 0.35])
_LOW = np.array([-1.1, -0.3, -0.5, -0.16, 0.0, -0.30, -0.15, -0.25, -0.15, -0.25])
_HIGH = np.array([1.1, 1.9, 0.5, 0.16, 0.55, 0.16, 0.45, 0.45, 0.45, 0.45])
#: Arm's length up to which reaching is easy, and beyond which it is not allowed.
_EASY, _MOST, _LEAST = 0.86, 0.945, 0.34
_MARGIN_M = 0.035
#: Largest change of a number in one step.
_STEP = 0.2
#: [rad] how far shanks lean forward over flat feet at most.
_SHANK_RAD = 0.65
#: Pelvis' share of lean, twist and side lean; [1/rad] how much more it takes of a deeper lean.
_PELVIS_SHARE, _DEEPER = np.array([0.38, 0.28, 0.30]), 0.13


def support_points(figure: Figure, foot: FootPath) -> FloatArray:
    """``(n, 4, 2)`` outline (x, z) of a flat foot on the floor [m]."""
    shape = figure.foot
    half = 0.02 * figure.stature_m
    outline = np.array(
        [
            [half, 0.0, -shape.heel_m],
            [-half, 0.0, -shape.heel_m],
            [-half, 0.0, shape.ball_ahead_m + 0.5 * shape.toe_m],
            [half, 0.0, shape.ball_ahead_m + 0.5 * shape.toe_m],
        ]
    )
    yaw = rot.from_yaw(rot.yaw(foot.turn))
    return (foot.ankle[:, None] + rot.rotate(yaw[:, None], outline[None]))[..., [0, 2]]


def support_margin(points: FloatArray, place: FloatArray) -> float:
    """How far inside the convex hull of points ``(m, 2)`` a place ``(2,)`` lies [m]; negative outside."""
    middle = points.mean(axis=0)
    hull = convex_outline(points)
    edges = np.roll(hull, -1, axis=0) - hull
    normals = np.stack([-edges[:, 1], edges[:, 0]], axis=1) / np.linalg.norm(edges, axis=1, keepdims=True)
    inward = np.where(np.sum(normals * (middle - hull), axis=1, keepdims=True) < 0, -normals, normals)
    return float(np.sum(inward * (place - hull), axis=1).min())


def pelvis_part(turn: FloatArray) -> FloatArray:
    """The pelvis' part of lean, twist and side lean ``(n, 3)`` [rad]: the deeper one leans, the more the hips bend."""
    lean = turn[:, 0]
    return _PELVIS_SHARE * turn + np.outer(_DEEPER * lean * np.abs(lean), [1.0, 0.0, 0.0])


def bent(figure: Figure, standing: BodyTrack, numbers: FloatArray) -> BodyTrack:
    """A standing body bent by numbers ``(n, 10)`` in the order of their costs."""
    turn = numbers[:, [1, 0, 2]]
    shift = numbers[:, [3, 4, 5]] * np.array([1.0, -1.0, 1.0])
    clavicles = {side: standing.clavicles[side] + numbers[:, 6 + 2 * n : 8 + 2 * n] for n, side in enumerate(SIDES)}
    return replace(
        standing,
        centre=standing.centre + shift,
        pelvis=standing.pelvis + pelvis_part(turn),
        trunk=standing.trunk + turn - pelvis_part(turn),
        clavicles=clavicles,
    )


def settle(
    figure: Figure,
    wrists: dict[str, FloatArray],
    *,
    steps: int = 14,
    cost: FloatArray = _COST,
    most: float = _MOST,
) -> FloatArray:
    """The least bending ``(10,)`` that reaches the wrists ``(3,)`` in balance.

    Args:
        figure: Who.
        wrists: Where wrists are to be [m], by side.
        steps: How often it is improved.
        cost: ``(10,)`` what a unit of each number costs.
        most: Share of an arm's length that is used.
    """
    numbers = np.zeros(len(cost))
    damping = 1e-2
    error = _errors(figure, numbers[None], wrists, cost, most)[0]
    for _ in range(steps):
        tries = numbers + 1e-5 * np.eye(len(numbers))
        slope = (_errors(figure, tries, wrists, cost, most) - error).T / 1e-5
        uphill = slope.T @ error
        # What would leave its bounds stays on them; the others make up for it.
        free = np.flatnonzero(np.where(uphill > 0.0, numbers > _LOW, numbers < _HIGH))
        own = slope[:, free]
        step = np.zeros(len(numbers))
        step[free] = np.linalg.solve(own.T @ own + damping * np.eye(len(free)), -uphill[free])
        # Shortened, not bent aside: the numbers make up for each other.
        shorter = min(1.0, _STEP / max(float(np.abs(step).max()), 1e-9))
        trial = np.clip(numbers + shorter * step, _LOW, _HIGH)
        trial_error = _errors(figure, trial[None], wrists, cost, most)[0]
        if trial_error @ trial_error < error @ error:
            done = np.abs(trial - numbers).max() < 2e-3
            numbers, error, damping = trial, trial_error, max(0.3 * damping, 1e-6)
            if done:
                break
        else:
            damping *= 5.0
    return numbers


def exertion(numbers: FloatArray) -> float:
    """How far trunk and pelvis are bent by numbers ``(10,)``, over how far they can be: from 0 to 1."""
    return float((numbers / np.where(numbers > 0.0, _HIGH, np.minimum(_LOW, -1e-9)))[:6].max())


def reaches(figure: Figure, numbers: FloatArray, wrists: dict[str, FloatArray]) -> bool:
    """Whether a body bent by numbers ``(10,)`` reaches all wrists ``(3,)``."""
    _, _, world = figure.trunk_world(bent(figure, figure.standing(1), numbers[None]))
    shoulders = {side: world.positions[0, figure.skeleton.humanoid[f"{side}UpperArm"]] for side in wrists}
    return all(float(np.linalg.norm(wrists[side] - shoulders[side])) < figure.arm_m for side in wrists)


def _errors(
    figure: Figure, numbers: FloatArray, wrists: dict[str, FloatArray], cost: FloatArray, most: float
) -> FloatArray:
    """``(n, m)`` residuals of variants: effort, reach and balance."""
    track = bent(figure, figure.standing(len(numbers)), numbers)
    _, _, world = figure.trunk_world(track)
    out = [0.16 * cost * numbers]
    for side, wrist in wrists.items():
        shoulder = world.positions[:, figure.skeleton.humanoid[f"{side}UpperArm"]]
        far = np.linalg.norm(wrist - shoulder, axis=1) / figure.arm_m
        out.append(
            np.stack(
                [
                    0.7 * np.maximum(far - _EASY, 0.0),
                    80.0 * np.maximum(far - most, 0.0),
                    10.0 * np.maximum(_LEAST - far, 0.0),
                ],
                axis=1,
            )
        )
    out.append(20.0 * np.maximum(_shanks_rad(figure, track, world) - _SHANK_RAD, 0.0))
    points = np.concatenate([support_points(figure, foot)[0] for foot in track.feet.values()])
    centre = figure.centre_of_mass(*figure.build(track, {}))[:, [0, 2]]
    middle = points.mean(axis=0)
    inside = np.array([support_margin(points, place) for place in centre])
    out.append(np.concatenate([0.5 * (centre - middle), 20.0 * np.maximum(_MARGIN_M - inside, 0.0)[:, None]], axis=1))
    return np.concatenate(out, axis=1)


def _shanks_rad(figure: Figure, track: BodyTrack, world: WorldTransforms) -> FloatArray:
    """``(n, 2)`` how far the shanks of variants lean forward [rad]."""
    found = []
    for side in SIDES:
        away = world.positions[:, figure.skeleton.humanoid[f"{side}UpperLeg"]] - track.feet[side].ankle
        thigh, shank = bones_m(figure.skeleton, side)
        far = np.linalg.norm(away, axis=1)
        knee = np.arccos(np.clip((shank**2 + far**2 - thigh**2) / (2.0 * shank * far), -1.0, 1.0))
        found.append(np.arctan2(away[:, 2], away[:, 1]) + knee)
    return np.stack(found, axis=1)
