"""How somebody stands: what carries the body and whether it would topple, beside the evidence's own.

The capture point is where a body that falls over like a pendulum could be brought to rest: its centre of mass, ahead
by its velocity times the pendulum's time ``sqrt(height / gravity)``. Somebody who stands, bends or reaches keeps it
above the ground between the parts that carry him, or soon will: who steps or sits down is caught by a foot or a seat
within the time in which he falls. A statue that leans is caught by nothing. Walking and running are controlled falls:
nothing is asked of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.typing import FloatArray, IntArray
from understudy.verify.ballistics import GRAVITY
from understudy.verify.cast import Cast, Judged, ground, own_ground_m, things_of
from understudy.verify.claim import Claim
from understudy.verify.foot_skate import contact_slide_mm
from understudy.verify.forward import Performer
from understudy.verify.low_pass import low_passed
from understudy.verify.support import Support, support
from understudy.verify.things import Thing, carried
from understudy.verify.touching import Touches, touches_of

#: [m/s] hips slower than this over the floor are slow.
SLOW_MPS = 0.3


@dataclass(frozen=True, kw_only=True)
class Balance:
    """How far a slow body is out of balance.

    Attributes:
        outside_m: Largest horizontal distance of the capture point from the ground between the parts that carry, now
            or within a pendulum's time, while the body moves slowly and something carries it [m].
        time_s: When.
        slow_s: For how long it moves slowly, carried by something [s].
    """

    outside_m: float
    time_s: float
    slow_s: float


def balance(touches: Touches) -> Balance:
    """Measure a humanoid's balance, by where it touches what may carry it."""
    outside, frames = outside_m(touches)
    if len(frames) == 0:
        return Balance(outside_m=0.0, time_s=0.0, slow_s=0.0)
    worst = int(outside.argmax())
    return Balance(
        outside_m=float(outside[worst]),
        time_s=touches.performer.start_s + float(frames[worst]) / touches.fps,
        slow_s=len(frames) / touches.fps,
    )


def outside_m(touches: Touches) -> tuple[FloatArray, IntArray]:
    """How far the capture point is outside, in frames that are slow and carried.

    Returns:
        ``(n,)`` [m], 0 inside, and the frames ``(n,)``.
    """
    from understudy.verify._kernels import outside_discs

    fps, motion = touches.fps, touches.performer.motion
    hips = touches.positions[:, motion.skeleton.humanoid["hips"]]
    slow = np.linalg.norm(_velocities(low_passed(hips, fps), fps)[:, [0, 2]], axis=1) < SLOW_MPS
    frames: IntArray = np.flatnonzero(slow & touches.touching.any(axis=1)).astype(np.int64)
    if len(frames) == 0:
        return np.zeros(0), frames
    ground = np.where(touches.touching[frames], touches.bottoms[frames, :, 1], np.inf).min(axis=1)
    centre = touches.smooth_centre
    fall_s = np.sqrt(np.maximum(centre[frames, 1] - ground, 0.0) / -GRAVITY[1])
    capture = (centre[frames] + fall_s[:, None] * _velocities(centre, fps)[frames])[:, [0, 2]]
    until = np.minimum(frames + np.floor(fall_s * fps).astype(np.int64), len(centre) - 1)
    discs = np.ascontiguousarray(touches.centres[..., [0, 2]])
    spans = np.stack([frames, until], axis=1)
    return np.asarray(
        outside_discs(np.ascontiguousarray(capture), discs, touches.radii, touches.touching, spans)
    ), frames


def _velocities(points: FloatArray, fps: float) -> FloatArray:
    """``(frames, 3)`` [m/s] by central differences."""
    return np.asarray(np.gradient(points, 1.0 / fps, axis=0)) if len(points) > 1 else np.zeros(points.shape)


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What carries a body, and the worst of its evidence.

    Attributes:
        support: What carries it.
        balance: Whether it would topple.
        evidence_unsupported_s: Longest time for which evidence of the same frames floats itself [s]: it stands on
            props that nobody recorded. 0 for other evidence.
        evidence_outside_m: How far evidence of the same frames is out of balance itself [m].
        evidence_slide_mm: How far its feet slide while they carry it [mm].
    """

    support: Support
    balance: Balance
    evidence_unsupported_s: float
    evidence_outside_m: float
    evidence_slide_mm: float = 0.0


def carriers(cast: Cast, judged: Judged, claim: Claim) -> list[Thing]:
    """What may carry somebody: the floor and everything that they do not hold and that does not fly."""
    free = {*carried(cast.scene, judged.performer.name), *(flight.object for flight in claim.flights)}
    things = [] if cast.scene is None else [thing for thing in things_of(cast.scene) if thing.name not in free]
    if cast.scene is not None and cast.scene.floor:
        return things
    # Where no floor is said to be solid, people stand on the ground their own feet rest on.
    return [*things, ground(0.0) if claim.floor else ground(own_ground_m(judged.performer))]


def standing(judged: Judged, touched: Touches, carrying: Sequence[Thing]) -> Standing:
    """Measure how somebody stands."""
    # Only a recording of the same frames on the same body stands on the same props at the same moment.
    clips = [one for one in judged.sources if judged.aligned and one.motion.skeleton.is_humanoid]
    worst = [_on(clip, judged, carrying) for clip in clips]
    if judged.allowances is not None:
        worst = [(judged.allowances.unsupported_s, judged.allowances.outside_m, 0.0)]
    return Standing(
        support=support(touched),
        balance=balance(touched),
        evidence_unsupported_s=max((one[0] for one in worst), default=0.0),
        evidence_outside_m=max((one[1] for one in worst), default=0.0),
        evidence_slide_mm=max((one[2] for one in worst), default=0.0),
    )


def _on(clip: Performer, judged: Judged, carrying: Sequence[Thing]) -> tuple[float, float, float]:
    """How long a clip floats [s], is out of balance [m], and how far its feet slide [mm]."""
    touched = touches_of(replace(clip, start_s=judged.performer.start_s), carrying, carry_m=judged.carry_m)
    return support(touched).unsupported_s, balance(touched).outside_m, contact_slide_mm(touched)[0]
