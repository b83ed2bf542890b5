"""Reading gait out of recorded clips: phase, path, steps and curves.

Phase: the difference of the feet's speeds changes its sign once per step; where the left foot takes over as the
slower one the left foot has landed (phase an integer), half a stride later the right one. One rule for walking,
turning, side-stepping, walking backwards and running.

Path: place and heading of the pelvis averaged over exactly one stride, which removes sway. Known periodic motion can
be taken off first (:func:`follow_path`), so that less averaging is needed and sharp turns stay sharp.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.kinematics import motion_world
from understudy.performer import curves
from understudy.performer.smoothing import gaussian, pchip
from understudy.typing import BoolArray, FloatArray

#: [m/s] speed by which one foot must outrun the other to make a step.
LEAST_LOBE_MPS = 0.25
#: [s] smoothing of the feet's speeds before their difference is read.
_SPEED_SIGMA_S = 0.045
#: [m/s] a walker both of whose feet are slower than this is at rest.
_REST_MPS = 0.15
#: Phases after the footfall between which a walker's foot is in the air.
AIR_PHASES = (0.55, 0.97)
#: Strides by which path and phase are continued beyond the first and last footfall that can be averaged.
_BEYOND = 0.3


@dataclass(frozen=True, eq=False, kw_only=True)
class RecordedBody:
    """World quantities of a clip, freed of the rig.

    Attributes:
        fps: Frames per second.
        leg_m: Hip to ankle [m].
        pelvis: ``(frames, 3)`` [m] middle of the hip joints, height above a flat foot's ankle.
        pelvis_turn: ``(frames, 4)`` away from the T-pose.
        turns: ``(frames, len(TURNING), 4)`` each seen from its parent part, away from the T-pose.
        ankles: ``(frames, 2, 3)`` [m], height above a flat foot's ankle.
        balls: ``(frames, 2, 3)`` [m], height above a standing ball.
        feet: ``(frames, 2, 4)`` away from the T-pose.
        toes: ``(frames, 2)`` bend of the toes [rad].
        hinges: ``(frames, 2)`` yaw of the knees' hinges in the world [rad].
    """

    fps: float
    leg_m: float
    pelvis: FloatArray
    pelvis_turn: FloatArray
    turns: FloatArray
    ankles: FloatArray
    balls: FloatArray
    feet: FloatArray
    toes: FloatArray
    hinges: FloatArray


def recorded_body(motion: Motion) -> RecordedBody:
    """What the curves are made of."""
    skeleton = motion.skeleton
    skeleton.require_humanoid()
    world = motion_world(motion)
    away = rot.multiply(world.rotations, rot.conjugate(t_pose_world(skeleton)[1]))

    def turn(role: str) -> FloatArray:
        return away[:, skeleton.index(role)]

    chest = next(role for role in ("upperChest", "chest", "spine") if role in skeleton.humanoid)
    parts = {"trunk": rot.relative(turn("hips"), turn(chest)), "head": rot.relative(turn(chest), turn("head"))}
    for side in curves.SIDES:
        above = turn(chest)
        for part in ("Shoulder", "UpperArm", "LowerArm", "Hand"):
            if f"{side}{part}" in skeleton.humanoid:
                parts[f"{side}{part}"] = rot.relative(above, turn(f"{side}{part}"))
                above = turn(f"{side}{part}")
            else:
                parts[f"{side}{part}"] = rot.identity((len(motion),))
    feet = np.stack([turn(f"{side}Foot") for side in curves.SIDES], axis=1)
    toes = np.stack([turn(f"{side}Toes") for side in curves.SIDES], axis=1)
    thighs = np.stack([turn(f"{side}UpperLeg") for side in curves.SIDES], axis=1)
    across = rot.rotate(thighs, np.array([1.0, 0.0, 0.0]))
    places = {
        bone: np.stack([world.positions[:, skeleton.index(f"{side}{bone}")] for side in curves.SIDES], axis=1)
        for bone in ("Foot", "Toes")
    }
    low = {bone: np.array([0.0, _resting_m(points, motion.fps), 0.0]) for bone, points in places.items()}
    hips = [world.positions[:, skeleton.index(f"{side}UpperLeg")] for side in curves.SIDES]
    return RecordedBody(
        fps=motion.fps,
        leg_m=skeleton.leg_length_m(),
        pelvis=0.5 * (hips[0] + hips[1]) - low["Foot"],
        pelvis_turn=turn("hips"),
        turns=np.stack([parts[joint] for joint in curves.TURNING], axis=1),
        ankles=places["Foot"] - low["Foot"],
        balls=places["Toes"] - low["Toes"],
        feet=feet,
        toes=-rot.log(rot.relative(feet, toes))[..., 0],
        hinges=np.arctan2(-across[..., 2], across[..., 0]),
    )


def _resting_m(joints: FloatArray, fps: float) -> float:
    """Height of a foot's joints ``(frames, 2, 3)`` while they stand [m]."""
    speed = np.linalg.norm(np.gradient(joints, axis=0), axis=-1) * fps
    still = joints[..., 1][speed < 0.12]
    heights = still if len(still) > 5 else np.sort(joints[..., 1].ravel())[: len(joints) // 3]
    return float(np.percentile(heights, 30))


def step_phase(body: RecordedBody) -> tuple[FloatArray, FloatArray]:
    """Gait phase in strides, integer where the left foot has landed.

    Returns:
        Times of footfalls ``(n,)`` [s] and their phases ``(n,)``, multiples of one half; empty when nobody walks.
    """
    lead = _foot_lead(body)
    lobes = _lobes(lead)
    times, phases = [], []
    for (_, last, sign), (first, _, _) in zip(lobes[:-1], lobes[1:], strict=True):
        between = lead[last : first + 1] * sign
        at = last + int(np.argmax(between <= 0.0))
        share = lead[at - 1] / (lead[at - 1] - lead[at]) if lead[at] != lead[at - 1] else 0.0
        times.append((at - 1 + share) / body.fps)
        phases.append(0.0 if sign > 0 else 0.5)
    if not times:
        return np.empty(0), np.empty(0)
    start = phases[0]
    return np.array(times), start + 0.5 * np.arange(len(times))


def _foot_lead(body: RecordedBody) -> FloatArray:
    """``(frames,)`` by how much the left foot is faster than the right one [m/s]."""
    middle = 0.5 * (body.ankles + body.balls)
    speed = np.linalg.norm(np.gradient(middle, axis=0), axis=-1) * body.fps
    return gaussian(speed[:, 0] - speed[:, 1], _SPEED_SIGMA_S * body.fps)


def _walking(body: RecordedBody, falls: FloatArray) -> tuple[float, float]:
    """Times between which the walker is certainly on the way [s]: footfalls cut off a first and a last step from rest."""
    middle = 0.5 * (body.ankles + body.balls)
    fastest = np.linalg.norm(np.gradient(middle, axis=0), axis=-1).max(axis=1) * body.fps
    # Both feet slow for a while: standing. In mid-walk there is no such moment.
    rest = gaussian((fastest < _REST_MPS).astype(np.float64), 0.03 * body.fps) > 0.95
    first, last = int(falls[0] * body.fps), int(np.ceil(falls[-1] * body.fps))
    return (falls[0] if rest[:first].any() else -np.inf), (falls[-1] if rest[last:].any() else np.inf)


def _lobes(lead: FloatArray) -> list[tuple[int, int, float]]:
    """First frame, last frame and sign of every stretch in which one foot clearly outruns the other; signs alternate."""
    found: list[tuple[int, int, float]] = []
    sign = np.sign(lead)
    edges = np.flatnonzero(np.diff(sign)) + 1
    for first, stop in zip([0, *edges], [*edges, len(lead)], strict=True):
        if np.abs(lead[first:stop]).max(initial=0.0) < LEAST_LOBE_MPS:
            continue
        if found and found[-1][2] == sign[first]:
            found[-1] = (found[-1][0], stop - 1, found[-1][2])
        else:
            found.append((first, stop - 1, float(sign[first])))
    return found


@dataclass(frozen=True, eq=False, kw_only=True)
class WalkedPath:
    """Where a clip's walker goes.

    Attributes:
        times_s: ``(frames,)``.
        phase: ``(frames,)`` strides; continued at constant pace beyond the first and last footfall.
        valid: ``(frames,)`` where phase and path mean something.
        place: ``(frames, 2)`` (x, z) [m].
        heading: ``(frames,)`` [rad], continuous.
        footfalls_s: Times of the footfalls [s].
        footfall_phases: Their phases.
    """

    times_s: FloatArray
    phase: FloatArray
    valid: BoolArray
    place: FloatArray
    heading: FloatArray
    footfalls_s: FloatArray
    footfall_phases: FloatArray

    def velocities(self, *, sigma_s: float) -> FloatArray:
        """``(frames, 3)`` forward speed, speed to the left [m/s] and turn rate to the left [rad/s]."""
        fps = 1.0 / (self.times_s[1] - self.times_s[0])
        move = gaussian(np.gradient(self.place, axis=0) * fps, sigma_s * fps)
        turn = gaussian(np.gradient(self.heading) * fps, sigma_s * fps)
        c, s = np.cos(self.heading), np.sin(self.heading)
        return np.stack([s * move[:, 0] + c * move[:, 1], c * move[:, 0] - s * move[:, 1], turn], axis=1)


def walked_path(body: RecordedBody) -> WalkedPath | None:
    """The path averaged over one stride; ``None`` with fewer than three footfalls."""
    falls, phases = step_phase(body)
    if len(falls) < 3:
        return None
    times = np.arange(len(body.pelvis)) / body.fps
    first_rate, last_rate = 0.5 / (falls[1] - falls[0]), 0.5 / (falls[-1] - falls[-2])
    phase = pchip(falls, phases, times)
    phase = np.where(times < falls[0], phases[0] + (times - falls[0]) * first_rate, phase)
    phase = np.where(times > falls[-1], phases[-1] + (times - falls[-1]) * last_rate, phase)
    signals = np.column_stack([body.pelvis[:, [0, 2]], np.unwrap(rot.yaw(body.pelvis_turn))])
    mean, whole = _stride_mean(signals, phase, times)
    begin, end = _walking(body, falls)
    inside = (phase > phases[0] - _BEYOND) & (phase < phases[-1] + _BEYOND) & (times >= begin) & (times <= end)
    path, near = _continued(mean, whole & inside, phase)
    return WalkedPath(
        times_s=times,
        phase=phase,
        valid=near & inside,
        place=path[:, :2],
        heading=path[:, 2],
        footfalls_s=falls,
        footfall_phases=phases,
    )


def follow_path(path: WalkedPath, body: RecordedBody, periodic: FloatArray, *, sigma_s: float = 0.14) -> WalkedPath:
    """A path that follows the pelvis more closely, once its periodic motion is known.

    Args:
        path: From :func:`walked_path`.
        body: The same clip.
        periodic: ``(frames, 3)`` pelvis beside the path (x, z) [m] and its yaw [rad] that gait alone explains.
        sigma_s: What is left is smoothed by a Gaussian of this width [s].
    """
    from dataclasses import replace

    c, s = np.cos(path.heading), np.sin(path.heading)
    x, z = periodic[:, 0], periodic[:, 1]
    offset = np.stack([c * x + s * z, -s * x + c * z], axis=1)
    gone = body.pelvis[:, [0, 2]] - path.place - offset
    turned = np.unwrap(rot.yaw(body.pelvis_turn)) - path.heading - periodic[:, 2]
    turned -= 2.0 * np.pi * np.round(np.median(turned) / (2.0 * np.pi))
    width = sigma_s * body.fps
    return replace(
        path,
        place=path.place + gaussian(gone, width),
        heading=path.heading + gaussian(turned, width),
        valid=path.valid,
    )


def _stride_mean(signals: FloatArray, phase: FloatArray, times: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Mean over the stride centred on each frame, and where that stride lies within the clip."""
    total = np.concatenate([np.zeros((1, signals.shape[1])), np.cumsum(0.5 * (signals[1:] + signals[:-1]), axis=0)])
    total *= times[1] - times[0]
    start, end = np.interp(phase - 0.5, phase, times), np.interp(phase + 0.5, phase, times)
    whole = (phase - 0.5 >= phase[0]) & (phase + 0.5 <= phase[-1])
    span = np.maximum(end - start, 1e-9)[:, None]
    integral = np.stack([np.interp(end, times, row) - np.interp(start, times, row) for row in total.T], axis=1)
    return integral / span, whole


def _continued(path: FloatArray, known: BoolArray, phase: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Continue a path at constant speed and turn rate a part of a stride beyond where it is known."""
    out = path.copy()
    frames = np.flatnonzero(known)
    if len(frames) < 8:
        return out, np.zeros(len(path), dtype=bool)
    first, last = frames[0], frames[-1]
    span = min(12, len(frames) - 1)
    for edge, inner, outside in (
        (first, first + span, np.arange(first)),
        (last, last - span, np.arange(last + 1, len(path))),
    ):
        rate = (path[inner] - path[edge]) / (inner - edge)
        out[outside] = path[edge] + (outside - edge)[:, None] * rate
    near = (phase > phase[first] - _BEYOND) & (phase < phase[last] + _BEYOND)
    return out, near


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
