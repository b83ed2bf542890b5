"""Foot skate: two published definitions, the drift of planted feet, and the slide of feet that bear weight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.core import Motion, fit_body
from understudy.typing import FloatArray
from understudy.verify.ballistics import GRAVITY
from understudy.verify.cast import ground
from understudy.verify.feet import PLANTED_SPEED_MPS, SIDES, Feet, feet_of, runs, toes_at
from understudy.verify.forward import Performer
from understudy.verify.stances import SKATES_MPS, Added, lowness, spread_m
from understudy.verify.touching import Touches, touches_of

_GMD_FPS = 20.0
_CONTACT_HEIGHT_M = 0.05
_GMD_SPEED_MPS = 0.50
_GMD_WINDOW = 5
#: [m] a foot of a motion that was made touches what is nearer than this.
_DRAGS_M = 0.005
#: [s] how long short flights of recorded runs last.
_FLIGHT_S = 0.08


@dataclass(frozen=True, kw_only=True)
class FootSkate:
    """How much feet slide.

    Attributes:
        gmd: Share of frames (20 fps) in which a low foot moves faster than 0.5 m/s.
        kimodo: Share of contact samples in which a low toe moves faster than 0.2 m/s.
        stance_drift_mm: Largest horizontal travel of a planted foot within one stance [mm].
        drift_time_s: When that stance begins.
        drift_foot: ``"left"`` or ``"right"``; empty without stances.
        added: What feet do beyond evidence of the same frames; ``None`` without such evidence.
        contact_slide_mm: Farthest way of a foot that bears weight over what it stands on, in one go [mm]; see
            :func:`contact_slide_mm`.
        contact_slide_time_s: When it begins to slide.
        contact_slide_foot: Which foot; empty without slides.
        dragged_mm: Farthest way of a foot along the floor while it touches it, whatever carries the body [mm]; see
            :func:`dragged_mm`.
        dragged_time_s: When it begins to touch.
        dragged_foot: Which foot; empty without drags.
        ground_m: The clip's own ground height, where the lower foot joints rest [m].
        fps: Frame rate of the motion.
    """

    gmd: float
    kimodo: float
    stance_drift_mm: float
    drift_time_s: float
    drift_foot: str
    ground_m: float
    fps: float
    added: Added | None = None
    contact_slide_mm: float = 0.0
    contact_slide_time_s: float = 0.0
    contact_slide_foot: str = ""
    dragged_mm: float = 0.0
    dragged_time_s: float = 0.0
    dragged_foot: str = ""


def foot_skate(
    motion: Motion, *, feet: Feet | None = None, touches: Touches | None = None, added: Added | None = None
) -> FootSkate:
    """Measure a humanoid motion's feet.

    Args:
        motion: What is judged.
        feet: Where the motion's feet are, if that is known.
        touches: Where the body touches what can carry it, if that is known; unless given, it stands on its own ground.
        added: What they do beyond evidence of the same frames, where there is such evidence.
    """
    feet = feet_of(motion) if feet is None else feet
    if touches is None:
        performer = Performer(name="", motion=motion, body=fit_body(motion.skeleton))
        touches = touches_of(performer, [ground(feet.sole_m)])
    sliding, sliding_time, sliding_foot = contact_slide_mm(touches)
    dragged, dragged_time, dragged_foot = dragged_mm(touches)
    drift, drift_time, drift_foot = stance_drift_mm(feet)
    return FootSkate(
        gmd=gmd_skate(_coarse_toes(motion, feet), floor_m=feet.sole_m),
        kimodo=kimodo_skate(feet.toes, floor_m=feet.sole_m, fps=motion.fps),
        stance_drift_mm=drift,
        drift_time_s=drift_time,
        drift_foot=drift_foot,
        ground_m=feet.ground_m,
        fps=motion.fps,
        added=added,
        contact_slide_mm=sliding,
        contact_slide_time_s=sliding_time,
        contact_slide_foot=sliding_foot,
        dragged_mm=dragged,
        dragged_time_s=dragged_time,
        dragged_foot=dragged_foot,
    )


def _coarse_toes(motion: Motion, feet: Feet) -> FloatArray:
    """``(n, 2, 3)`` [m] balls of the feet at 20 fps; a last interval that is not whole is left out."""
    if motion.fps == _GMD_FPS:
        return feet.toes
    count = int(np.floor(motion.duration_s * _GMD_FPS + 1e-6)) + 1
    return toes_at(motion, np.minimum(np.arange(count) / _GMD_FPS, motion.duration_s))


def gmd_skate(toes: FloatArray, *, floor_m: float) -> float:
    """Guided Motion Diffusion's skating ratio of toes ``(frames, 2, 3)`` [m] at 20 fps.

    A step counts when a foot is below 5 cm at both its frames, and its horizontal speed is above 0.5 m/s in that step
    and as the mean over five steps (steps beyond the ends count as standing still).
    """
    if len(toes) < 2:
        return 0.0
    speed = np.linalg.norm(np.diff(toes[..., [0, 2]], axis=0), axis=-1) * _GMD_FPS
    half = _GMD_WINDOW // 2
    padded = np.pad(speed, ((half, half), (0, 0)))
    mean = sum(padded[shift : shift + len(speed)] for shift in range(_GMD_WINDOW)) / _GMD_WINDOW
    low = toes[..., 1] - floor_m < _CONTACT_HEIGHT_M
    skating = low[:-1] & low[1:] & (speed > _GMD_SPEED_MPS) & (mean > _GMD_SPEED_MPS)
    return float(skating.any(axis=1).mean())


def kimodo_skate(toes: FloatArray, *, floor_m: float, fps: float) -> float:
    """Kimodo's ratio: of all steps with a toe below 5 cm at both frames, those faster than 0.2 m/s in space."""
    speed = np.linalg.norm(np.diff(toes, axis=0), axis=-1) * fps
    low = toes[..., 1] - floor_m < _CONTACT_HEIGHT_M
    contact = low[:-1] & low[1:]
    return float((contact & (speed > SKATES_MPS)).sum() / max(contact.sum(), 1))


def stance_drift_mm(feet: Feet) -> tuple[float, float, str]:
    """Largest horizontal travel within one stance [mm], when that stance begins [s], and which foot."""
    worst = (0.0, 0.0, "")
    for side, first, stop in feet.stances():
        travel = 1000.0 * spread_m(feet.carrier(side, first, stop)[:, [0, 2]])
        if travel >= worst[0]:
            worst = (travel, first / feet.fps, ("left", "right")[side])
    return worst


def contact_slide_mm(touches: Touches) -> tuple[float, float, str]:
    """Farthest slide of a foot that bears weight [mm], when it begins [s, from the motion's beginning], and which foot.

    Somebody who is carried stands still on something: while something touches and all that is low moves, the slowest
    of it a foot that is faster than a planted one, that foot slides. Its way counts by the share of the body's weight
    that is carried at the moment, so a foot about to land or to leave in a run does not slide.
    """
    fps, speeds = touches.fps, np.linalg.norm(touches.slides_mps, axis=-1)
    if speeds.size == 0:
        return 0.0, 0.0, ""
    speeds = np.where(touches.low, speeds, np.inf)
    slowest = speeds.argmin(axis=1)
    every = np.arange(len(speeds))
    feet = [_foot(touches.performer.body.capsule_names[k]) for k in touches.capsules]
    on_foot = np.array([side != "" for side in feet])
    least = speeds[every, slowest]
    sliding = touches.touching.any(axis=1) & (least > PLANTED_SPEED_MPS) & on_foot[slowest]
    ways = touches.slides_mps[every, slowest] * (_borne(touches) / fps)[:, None]
    worst = (0.0, 0.0, "")
    for first, stop in runs(np.asarray(sliding)):
        way = 1000.0 * float(np.linalg.norm(ways[first:stop].sum(axis=0)))
        if way > worst[0]:
            worst = (way, first / fps, feet[slowest[first]])
    return worst


def dragged_mm(touches: Touches) -> tuple[float, float, str]:
    """Farthest way of a foot along what it touches, whatever else carries the body [mm], its start [s], and which foot.

    A foot touches from :data:`_DRAGS_M` on. It moves as its lowest point does, where it presses on the floor, and the
    less the higher that is. Motions that were made know where their floor is that well; recordings do not.
    """
    worst = (0.0, 0.0, "")
    if touches.slides_mps.size == 0:
        return worst
    parts = [_foot(touches.performer.body.capsule_names[k]) for k in touches.capsules]
    every = np.arange(len(touches.gaps_m))
    for side in SIDES:
        own = np.array([k for k, part in enumerate(parts) if part == side], dtype=np.int64)
        if len(own) == 0:
            continue
        lowest = own[touches.gaps_m[:, own].argmin(axis=1)]
        gaps = touches.gaps_m[every, lowest]
        ways = touches.slides_mps[every, lowest] * (lowness(gaps, _DRAGS_M) / touches.fps)[:, None]
        for first, stop in runs(np.asarray(gaps < _DRAGS_M)):
            way = 1000.0 * spread_m(np.cumsum(ways[first:stop], axis=0))
            if way > worst[0]:
                worst = (way, first / touches.fps, side)
    return worst


def _foot(part: str) -> str:
    """The side of a foot, its toes or the shank, whose ankle is as near to the floor; empty for other parts."""
    return next((side for side in SIDES if part in (f"{side}_foot", f"{side}_toes", f"{side}_shank")), "")


def _borne(touches: Touches) -> FloatArray:
    """``(frames,)`` share of the weight that is carried, 0 in free fall and 1 at most.

    The centre of mass rises and falls as parabolas say that are fitted to :data:`_FLIGHT_S` around each frame. At both
    ends the first and last of them go on: a clip may begin in mid-air.
    """
    height, half = touches.centre_of_mass[:, 1], max(1, round(0.5 * touches.fps * _FLIGHT_S))
    if len(height) < 2 * half + 1:
        return np.ones(len(height))
    since = np.arange(-half, half + 1) / touches.fps
    bow = since**2 - (since**2).mean()
    rise = np.convolve(height, 2.0 * bow / (bow @ bow), mode="valid")
    return np.asarray(np.clip(1.0 - np.pad(rise, half, mode="edge") / GRAVITY[1], 0.0, 1.0))
