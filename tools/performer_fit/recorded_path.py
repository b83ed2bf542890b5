"""Phase and path of recorded walks.

Phase: the difference of the feet's speeds changes its sign once per step; where the left foot takes over as the
slower one the left foot has landed (phase an integer), half a stride later the right one. One rule for walking,
turning, side-stepping, walking backwards and running.

Path: place and heading of the pelvis averaged over exactly one stride, which removes sway. Known periodic motion can
be taken off first (:func:`follow_path`), so that less averaging is needed and sharp turns stay sharp.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from understudy import rotations as rot
from understudy.performer.smoothing import gaussian, pchip
from understudy.typing import BoolArray, FloatArray

from .recorded_body import RecordedBody

#: [m/s] speed by which one foot must outrun the other to make a step.
LEAST_LOBE_MPS = 0.25
#: [s] smoothing of the feet's speeds before their difference is read.
_SPEED_SIGMA_S = 0.045
#: [m/s] a walker both of whose feet are slower than this is at rest.
_REST_MPS = 0.15
#: Strides by which path and phase are continued beyond the first and last footfall that can be averaged.
_BEYOND = 0.3


def step_phase(body: RecordedBody) -> tuple[FloatArray, FloatArray]:
    """Gait phase in strides, integer where the left foot has landed.

    Returns:
        Times of footfalls ``(n,)`` [s] and their phases ``(n,)``, multiples of one half; empty when nobody walks.
    """
    lead = _foot_lead(body)
    lobes = _lobes(lead)
    times, phases = [], []
    for (_, last, sign), (first, _, _) in pairwise(lobes):
        between = lead[last : first + 1] * sign
        at = last + int(np.argmax(between <= 0.0))
        share = lead[at - 1] / (lead[at - 1] - lead[at]) if lead[at] != lead[at - 1] else 0.0
        times.append((at - 1 + share) / body.fps)
        phases.append(0.0 if sign > 0 else 0.5)
    if not times:
        return np.empty(0), np.empty(0)
    start = phases[0]
    return np.array(times), np.asarray(start + 0.5 * np.arange(len(times)), dtype=np.float64)


def _foot_lead(body: RecordedBody) -> FloatArray:
    """``(frames,)`` by how much the left foot is faster than the right one [m/s]."""
    middle = 0.5 * (body.ankles + body.balls)
    speed = np.linalg.norm(np.gradient(middle, axis=0), axis=-1) * body.fps
    return gaussian(speed[:, 0] - speed[:, 1], _SPEED_SIGMA_S * body.fps)


def _walking(body: RecordedBody, falls: FloatArray) -> tuple[float, float]:
    """Times between which the walker is on the way for certain [s]: without steps from or to rest."""
    middle = 0.5 * (body.ankles + body.balls)
    fastest = np.linalg.norm(np.gradient(middle, axis=0), axis=-1).max(axis=1) * body.fps
    # Both feet slow for a while: standing. In mid-walk there is no such moment.
    rest = gaussian((fastest < _REST_MPS).astype(np.float64), 0.03 * body.fps) > 0.95
    first, last = int(falls[0] * body.fps), int(np.ceil(falls[-1] * body.fps))
    return (falls[0] if rest[:first].any() else -np.inf), (falls[-1] if rest[last:].any() else np.inf)


def _lobes(lead: FloatArray) -> list[tuple[int, int, float]]:
    """First frame, last frame and sign of every stretch in which one foot outruns the other; signs alternate."""
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
        sigma_s: The rest is smoothed by a Gaussian of this width [s].
    """
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
