"""A person's own manner of walking, fitted from recorded walks.

The same numbers are measured on recorded walks and on a walk that the gait model makes on the same skeleton, as fast.
Where they differ the style is changed: sizes by their ratio, angles and widths by their difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.kinematics import motion_world
from understudy.library import Library
from understudy.library.features import hip_headings_rad
from understudy.locomotion.footsteps.footfalls import walking
from understudy.locomotion.footsteps.footing import SIDES
from understudy.locomotion.footsteps.pathing import WALK_MPS, timed
from understudy.locomotion.footsteps.shuffling import standing
from understudy.performer.smoothing import gaussian
from understudy.performer.style import Style
from understudy.typing import BoolArray, FloatArray

#: [m/s] speeds of walking, [rad/s] most turning and [rad] most aside while somebody walks straight ahead.
_SPEEDS_MPS, _TURNING_RADPS, _ASIDE_RAD = (0.5, 1.9), 0.5, 0.4
#: [rad] whose hips rise or sink more steeply walks on a slope or on stairs: halls are recorded with no more tilt.
_CLIMBING_RAD = np.radians(3.0)
#: [s] shortest stretch that is measured, and how much of all stretches is.
_STRETCH_S, _ENOUGH_S = 1.2, 20.0
#: [s] over which a body's own way is smoothed.
_WAY_S = 0.4
#: [s] of setting off and stopping that are left out of a walk that was made, and [m] how long it is.
_SETTLED_S, _WALK_M = 1.6, 8.0
#: How often a style is fitted, each time from where the last one led.
_PASSES = 2
_STYLES: WeakKeyDictionary[Library, Style] = WeakKeyDictionary()


class Measures(NamedTuple):
    """What is seen of a walk.

    Attributes:
        speed_mps: Mean speed.
        stride_hz: Strides a second.
        bob_m: Rise and fall of the hips.
        arm_swing: Swing of the wrists, ahead and back, in arm lengths.
        elbow_rad: Mean bend of the elbows.
        lean_rad: Trunk leaning ahead.
        neck_rad: Neck tipped ahead of how it is in the T-pose.
        head_rad: Head tipped ahead of how it is in the T-pose.
        apart_m: Distance of the ankles from side to side.
        toe_out_rad: Feet turned outwards.
        lift_m: Height of the swinging foot's ankle.
    """

    speed_mps: float
    stride_hz: float
    bob_m: float
    arm_swing: float
    elbow_rad: float
    lean_rad: float
    neck_rad: float
    head_rad: float
    apart_m: float
    toe_out_rad: float
    lift_m: float


def manner_of(library: Library) -> Style:
    """The style of a library's person; the common one where nobody walks straight ahead for a few steps."""
    if library not in _STYLES:
        _STYLES[library] = _fitted(library)
    return _STYLES[library]


def _fitted(library: Library) -> Style:
    common = Style()
    seen = [(len(walk), measured(walk)) for walk in _walks(library)]
    if not seen:
        return common
    weights = np.array([count for count, _ in seen], dtype=np.float64)
    own = Measures(*np.average(np.array([one for _, one in seen]), axis=0, weights=weights).tolist())
    style = _within(common, speed=own.speed_mps / WALK_MPS)
    for _ in range(_PASSES):
        style = _nearer(style, own, measured(_made(library, style)))
    return style


def _nearer(style: Style, own: Measures, made: Measures) -> Style:
    """The style changed by what a walk made in it differs from somebody's own."""
    bowed = own.head_rad - made.head_rad
    return _within(
        style,
        # Neck and head share a turn of the head evenly.
        head_rad=style.head_rad + bowed,
        neck_rad=style.neck_rad + own.neck_rad - made.neck_rad - 0.5 * bowed,
        pace=style.pace * _ratio(own.stride_hz, made.stride_hz),
        bob=style.bob * _ratio(own.bob_m, made.bob_m),
        arm_swing=style.arm_swing * _ratio(own.arm_swing, made.arm_swing),
        lift=style.lift * _ratio(own.lift_m, made.lift_m),
        elbow_rad=style.elbow_rad + own.elbow_rad - made.elbow_rad,
        lean_rad=style.lean_rad + own.lean_rad - made.lean_rad,
        width_m=style.width_m + own.apart_m - made.apart_m,
        toe_out_rad=style.toe_out_rad + own.toe_out_rad - made.toe_out_rad,
    )


def _ratio(own: float, made: float) -> float:
    return own / max(made, 1e-6)


def _within(style: Style, **changes: float) -> Style:
    """A style with numbers changed, within their ranges."""
    ranges = {item.name: (item.metadata["low"], item.metadata["high"]) for item in fields(style) if item.metadata}
    within: dict[str, Any] = {name: float(np.clip(value, *ranges[name])) for name, value in changes.items()}
    return replace(style, **within)


def _made(library: Library, style: Style) -> Motion:
    """Somebody who walks straight ahead in a style, without setting off and stopping."""
    skeleton, fps = library.skeleton, library.fps
    footing = standing(skeleton, np.zeros(2), 0.0, style)
    way = np.array([[0.0, 0.0], [0.0, _WALK_M]])
    path = timed(way, start_rad=0.0, end_rad=None, fps=fps, speed=style.speed)
    walk, cut = walking(path, skeleton, style, footing=footing).performed(0), round(_SETTLED_S * fps)
    return walk.frames(cut, len(walk) - cut)


def _walks(library: Library) -> Iterator[Motion]:
    """Stretches of a library's takes in which somebody walks straight ahead on a level floor."""
    footage, left_s = library.footage, _ENOUGH_S
    for take, (first, stop) in zip(footage.takes, footage.bounds(), strict=True):
        if take.mirrored or take.bend_radps or stop - first < _STRETCH_S * footage.fps:
            continue
        motion = footage.motion(first, stop, name=take.name)
        straight = _straight(motion)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], straight, [False]]).astype(np.int8)))
        for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            walk = motion.frames(begin, end)
            if left_s > 0.0 and len(walk) >= _STRETCH_S * footage.fps and _level(walk):
                left_s -= walk.duration_s
                yield walk


def _straight(motion: Motion) -> BoolArray:
    """``(frames,)`` whether somebody walks straight ahead."""
    heading, move = _way(motion)
    speed = np.hypot(*move.T)
    off = np.abs(np.angle(np.exp(1j * (np.arctan2(move[:, 0], move[:, 1]) - heading))))
    turning = np.abs(np.gradient(heading)) * motion.fps
    low, high = _SPEEDS_MPS
    return np.asarray((speed > low) & (speed < high) & (off < _ASIDE_RAD) & (turning < _TURNING_RADPS))


def _level(walk: Motion) -> bool:
    """Whether somebody who walks straight ahead neither climbs nor descends."""
    places, heights = walk.root_positions[:, [0, 2]], gaussian(walk.root_positions[:, 1], _WAY_S * walk.fps)
    climbed, walked = np.abs(np.diff(heights)).sum(), np.linalg.norm(np.diff(places, axis=0), axis=1).sum()
    return bool(climbed < np.tan(_CLIMBING_RAD) * walked)


def _way(motion: Motion) -> tuple[FloatArray, FloatArray]:
    """Smooth heading ``(frames,)`` [rad] and velocity ``(frames, 2)`` [m/s]."""
    roles = motion.skeleton.humanoid
    hips = motion_world(motion).positions[:, [roles["leftUpperLeg"], roles["rightUpperLeg"]]]
    width = _WAY_S * motion.fps
    move = np.gradient(motion.root_positions[:, [0, 2]], axis=0) * motion.fps
    return gaussian(hip_headings_rad(hips), width), gaussian(move, width)


def measured(motion: Motion) -> Measures:
    """What is seen of somebody who walks straight ahead."""
    skeleton, fps = motion.skeleton, motion.fps
    roles, world = skeleton.humanoid, motion_world(motion)
    heading, move = _way(motion)
    back = rot.from_yaw(-heading)
    seen = rot.rotate(back[:, None], world.positions - motion.root_positions[:, None])
    ankles = {side: seen[:, roles[f"{side}Foot"]] for side in SIDES}
    heights = np.stack([world.positions[:, roles[f"{side}Foot"], 1] for side in SIDES])
    at_rest = t_pose_world(skeleton)[1]

    def tipped_rad(role: str) -> float:
        if role not in roles:
            return 0.0
        turn = rot.multiply(world.rotations[:, roles[role]], rot.conjugate(at_rest[roles[role]]))
        up = rot.rotate(rot.multiply(back, turn), np.array([0.0, 1.0, 0.0]))
        return float(np.arctan2(up[:, 2], up[:, 1]).mean())

    toes = []
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        joint = roles[f"{side}Foot"]
        turn = rot.multiply(world.rotations[:, joint], rot.conjugate(at_rest[joint]))
        yaw = rot.yaw(turn) - heading
        toes.append(sign * float(np.angle(np.exp(1j * yaw).mean())))
    shoulders = 0.5 * (seen[:, roles["leftUpperArm"]] + seen[:, roles["rightUpperArm"]])
    high = motion.root_positions[:, 1]
    return Measures(
        speed_mps=float(np.hypot(*move.T).mean()),
        stride_hz=_stride_hz(ankles["left"][:, 2] - ankles["right"][:, 2], fps),
        bob_m=float((high - gaussian(high, _WAY_S * fps)).std()),
        arm_swing=float(np.mean([_swing(seen, roles, side) for side in SIDES])),
        elbow_rad=float(np.mean([_elbow_rad(seen, roles, side) for side in SIDES])),
        lean_rad=float(np.arctan2(shoulders[:, 2], shoulders[:, 1]).mean()),
        neck_rad=tipped_rad("neck"),
        head_rad=tipped_rad("head"),
        apart_m=float((ankles["left"][:, 0] - ankles["right"][:, 0]).mean()),
        toe_out_rad=float(np.mean(toes)),
        lift_m=float(np.percentile(heights, 98, axis=1).mean() - np.percentile(heights, 5, axis=1).mean()),
    )


def _swing(seen: FloatArray, roles: Mapping[str, int], side: str) -> float:
    arm = seen[:, roles[f"{side}Hand"]] - seen[:, roles[f"{side}UpperArm"]]
    return float(arm[:, 2].std() / max(float(np.linalg.norm(arm, axis=1).mean()), 1e-6))


def _elbow_rad(seen: FloatArray, roles: Mapping[str, int], side: str) -> float:
    shoulder, elbow, wrist = (seen[:, roles[f"{side}{part}"]] for part in ("UpperArm", "LowerArm", "Hand"))
    upper, fore = elbow - shoulder, wrist - elbow
    across = np.linalg.norm(np.cross(upper, fore), axis=1)
    return float(np.arctan2(across, np.sum(upper * fore, axis=1)).mean())


def _stride_hz(apart: FloatArray, fps: float) -> float:
    """How often the left foot passes the right one ``(frames,)`` ahead of it; every passing is half a stride."""
    level = apart - apart.mean()
    passes = np.flatnonzero(np.diff(np.sign(level)) != 0)
    if len(passes) < 2:
        return 0.0
    at = passes + level[passes] / (level[passes] - level[passes + 1])
    return float(0.5 * (len(at) - 1) * fps / (at[-1] - at[0]))
