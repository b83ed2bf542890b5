"""Tremor: joints that shake to and fro, faster than people move and longer than an impact rings.

The angular velocity between 3.5 and 12 Hz is what is left of a motion without its gestures and without noise. Heel
strikes and grasps have some of it too, for a tenth of a second. A joint trembles when it keeps it up: its root mean
square over a fifth of a second does not fall for 0.6 s. The bar is made from recorded people (docs/pace.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.core import Motion
from understudy.core.everyday import usual_tremor
from understudy.core.humanoid import LIMB_ROLES
from understudy.typing import FloatArray
from understudy.verify.forward import Performer
from understudy.verify.low_pass import low_passed_rows
from understudy.verify.smoothness import PERCENTILE, angular_velocities
from understudy.verify.source_facts import fact

#: [Hz] slower is a gesture, faster is noise of a recording.
BAND_HZ = (3.5, 12.0)
#: [s] over which the velocity is averaged, and for how long it has to last.
AVERAGED_S, LASTING_S = 0.2, 0.6


@dataclass(frozen=True, kw_only=True)
class Tremor:
    """The joint that trembles most.

    Attributes:
        joint: Which, by its humanoid role; empty for none.
        time_s: Middle of the time in which it does, from the motion's first frame [s].
        value: Its angular velocity in the band, kept up for 0.6 s [rad/s].
        usual: The larger of the source clips' 99.9th percentile and what recorded people do [rad/s].
        known: Role -> what is usual for it because of the source clips [rad/s].
    """

    joint: str
    time_s: float
    value: float
    usual: float
    known: Mapping[str, float]

    @property
    def ratio(self) -> float:
        """How many times the usual tremor this is."""
        return self.value / self.usual


def tremor(
    motion: Motion,
    sources: Sequence[Performer] = (),
    *,
    activity: str = "everyday",
    known: Mapping[str, float] | None = None,
) -> Tremor:
    """Look for the joint that trembles most, measured against recorded people and the source clips.

    Args:
        motion: The motion.
        sources: The clips it was made from.
        activity: Which recorded people to compare with: ``everyday`` or ``sport``.
        known: What the clips say, where that is known without them; role -> [rad/s].
    """
    found = kept_up(motion)
    if known is None:
        known = _usual([fact(one, "tremor", _percentiles, of_body=False) for one in sources])
    worst = Tremor(joint="", time_s=0.0, value=0.0, usual=1.0, known=known)
    for role, series in found.items():
        peak = int(series.argmax())
        one = Tremor(
            joint=role,
            time_s=float((peak + 1) / motion.fps + 0.5 * (AVERAGED_S + LASTING_S)),
            value=float(series[peak]),
            usual=max(known.get(role, 0.0), usual_tremor(role, activity)),
            known=known,
        )
        worst = max(worst, one, key=lambda each: each.ratio)
    return worst


def kept_up(motion: Motion) -> dict[str, FloatArray]:
    """Role -> the angular velocity in the band that a joint keeps up from each moment on [rad/s].

    Motions that are too short, or have too few frames a second, have none.
    """
    averaged, lasting = (max(round(seconds * motion.fps), 1) for seconds in (AVERAGED_S, LASTING_S))
    roles = [role for limb in LIMB_ROLES.values() for role in limb if role in motion.skeleton.humanoid]
    if len(motion) <= averaged + lasting or motion.fps <= 2.1 * BAND_HZ[0] or not roles:
        return {}
    joints = np.array([motion.skeleton.humanoid[role] for role in roles], dtype=np.int64)
    velocities = angular_velocities(motion.rotations, motion.fps, joints).reshape(len(motion) - 1, -1).T
    slow, quick = (low_passed_rows(velocities, motion.fps, cutoff_hz=cutoff) for cutoff in BAND_HZ)
    power = np.square(quick - slow).reshape(len(joints), 3, -1).sum(axis=1)
    sums = np.cumsum(np.pad(power, ((0, 0), (1, 0))), axis=1)
    mean = np.sqrt(np.maximum(sums[:, averaged:] - sums[:, :-averaged], 0.0) / averaged)
    lowest = np.lib.stride_tricks.sliding_window_view(mean, lasting, axis=1).min(axis=2)
    return dict(zip(roles, lowest, strict=True))


def _percentiles(source: Performer) -> Mapping[str, float]:
    """Role -> what a clip's joint keeps up, the 99.9th percentile [rad/s]."""
    return {role: float(np.percentile(series, PERCENTILE)) for role, series in kept_up(source.motion).items()}


def _usual(clips: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    """Role -> the largest of all clips [rad/s]."""
    roles = dict.fromkeys(role for one in clips for role in one)
    return {role: max(one.get(role, 0.0) for one in clips) for role in roles}
