"""A walking figure made of footprints and leg IK: planted feet do not move at all, so every slide is ours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from people import person
from understudy import rotations as rot
from understudy.core import Motion, Skeleton
from understudy.kinematics import hold_end

ANKLE_M, HIP_M, STANCE = 0.07, 0.86, 0.62


def walker(
    *,
    turn_degps: float = 0.0,
    speed_mps: float = 1.0,
    stride_s: float = 1.1,
    seconds: float = 5.0,
    fps: float = 60.0,
    skeleton: Skeleton | None = None,
    sideways: bool = False,
    phase: float = 0.0,
    name: str = "",
) -> Motion:
    """Walk at a constant speed along a line or circle."""
    skeleton = skeleton or person()
    scale = skeleton.leg_length_m() / person().leg_length_m()
    times = np.arange(round(seconds * fps) + 1) / fps
    roots, yaws = _path(times, np.radians(turn_degps), speed_mps, sideways)
    rotations = rot.identity((len(times), len(skeleton)))
    rotations[:, 0] = rot.from_yaw(yaws)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        swing = sign * 0.35 * np.sin(2 * np.pi * (times / stride_s + phase))
        rotations[:, skeleton.index(f"{side}UpperArm")] = rot.multiply(
            rot.from_axis_angle([0.0, 0.0, 1.0], -sign * 1.3), rot.from_axis_angle([0.0, 1.0, 0.0], sign * swing)
        )
    bob = 0.01 * np.cos(4 * np.pi * (times / stride_s + phase))
    positions = np.stack([roots[:, 0], HIP_M + 0.06 + bob, roots[:, 1]], axis=1) * scale
    motion = Motion(skeleton=skeleton, fps=fps, root_positions=positions, rotations=rotations, name=name)
    for side, sign, shift in (("left", 1.0, 0.0), ("right", -1.0, 0.5)):
        ankles, turns = _foot(times, sign, shift + phase, np.radians(turn_degps), speed_mps, stride_s, sideways)
        leg = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
        motion = hold_end(motion, leg, ankles * scale, rot.from_yaw(turns), hinge_in_base=[1.0, 0.0, 0.0]).motion
    return replace(motion, rotations=rot.continuous(motion.rotations))


def leaning(motion: Motion, *, most_rad: float = 0.6) -> Motion:
    """The same walk bowing lower and lower, so that no two of its steps are alike."""
    rotations = motion.rotations.copy()
    lean = rot.from_axis_angle([1.0, 0.0, 0.0], np.linspace(0.0, most_rad, len(motion)))
    spine = motion.skeleton.index("spine")
    rotations[:, spine] = rot.multiply(rotations[:, spine], lean)
    return replace(motion, rotations=rotations)


def _path(times: np.ndarray, turn: float, speed: float, sideways: bool) -> tuple[np.ndarray, np.ndarray]:
    """Floor points (x, z) and headings."""
    yaws = turn * times
    way = yaws + (np.pi / 2 if sideways else 0.0)
    if abs(turn) < 1e-9:
        points = speed * times[:, None] * np.array([np.sin(way[0]), np.cos(way[0])])
    else:
        start = way[0] if len(way) and times[0] == 0 else (np.pi / 2 if sideways else 0.0)
        points = speed / turn * np.stack([np.cos(start) - np.cos(way), np.sin(way) - np.sin(start)], axis=1)
    return points, yaws


def _foot(
    times: np.ndarray, sign: float, shift: float, turn: float, speed: float, stride: float, sideways: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Ankle positions ``(frames, 3)`` and foot headings ``(frames,)``."""
    cycle = times / stride + shift
    step, part = np.floor(cycle), cycle - np.floor(cycle)
    prints, headings = {}, {}
    for k in np.unique(np.concatenate([step, step + 1])):
        middle = np.array([(k + 0.5 * STANCE - shift) * stride])
        at, yaw = _path(np.concatenate([[0.0], middle]), turn, speed, sideways)
        aside = np.array([np.cos(yaw[1]), -np.sin(yaw[1])]) * sign * 0.1
        prints[k], headings[k] = at[1] + aside, yaw[1]
    here = np.array([prints[k] for k in step])
    there = np.array([prints[k + 1] for k in step])
    u = np.clip((part - STANCE) / (1.0 - STANCE), 0.0, 1.0)
    ease = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
    flat = here + ease[:, None] * (there - here)
    yaw_here, yaw_there = np.array([headings[k] for k in step]), np.array([headings[k + 1] for k in step])
    lift = ANKLE_M + 0.1 * np.sin(np.pi * ease) ** 2
    return np.stack([flat[:, 0], lift, flat[:, 1]], axis=1), yaw_here + ease * (yaw_there - yaw_here)


def brute_distance(a: np.ndarray, b: np.ndarray, weights: np.ndarray) -> tuple[float, float, float, float]:
    """Root mean square distance, yaw, x0 and z0 of two windows ``(frames, joints, 3)``, by plain sums."""
    w = np.broadcast_to(weights, a.shape[:2]).reshape(-1)
    (ax, ay, az), (bx, by, bz) = a.reshape(-1, 3).T, b.reshape(-1, 3).T
    total = w.sum()

    def bar(values: np.ndarray) -> float:
        return float((w * values).sum())

    # atan2 and not arctan; z0 with + x' sin: the thesis's formula (3.2) has a sign error there.
    yaw = np.arctan2(
        bar(ax * bz - bx * az) - (bar(ax) * bar(bz) - bar(bx) * bar(az)) / total,
        bar(ax * bx + az * bz) - (bar(ax) * bar(bx) + bar(az) * bar(bz)) / total,
    )
    c, s = np.cos(yaw), np.sin(yaw)
    x0 = (bar(ax) - bar(bx) * c - bar(bz) * s) / total
    z0 = (bar(az) + bar(bx) * s - bar(bz) * c) / total
    gaps = (ax - c * bx - s * bz - x0) ** 2 + (ay - by) ** 2 + (az + s * bx - c * bz - z0) ** 2
    return float(np.sqrt(bar(gaps) / total)), float(yaw), float(x0), float(z0)
