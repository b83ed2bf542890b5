"""Smoothness: how fast limbs turn against recorded people and the source clips, and one-frame velocity jumps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from understudy.core import Motion, Skeleton
from understudy.core.everyday import usual_pace
from understudy.core.humanoid import LIMB_ROLES
from understudy.typing import FloatArray, IntArray
from understudy.verify.allowances import Allowances
from understudy.verify.forward import Performer, frozen
from understudy.verify.low_pass import low_passed_rows
from understudy.verify.seams import Seam, find_seams
from understudy.verify.source_facts import fact

PERCENTILE = 99.9
#: What is measured of every limb: the first, second and third derivative of its joints' rotations.
KINDS = ("velocity", "acceleration", "jerk")
_NOTHING = (0.0, 0.0, 0.0)

#: A limb's angular speed, acceleration and jerk over time, low-passed [rad/s], [rad/s^2], [rad/s^3].
Turns = tuple[FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True, kw_only=True)
class Pace:
    """The fastest moment of one limb.

    Attributes:
        kind: ``velocity``, ``acceleration`` or ``jerk``.
        limb: The limb.
        time_s: When its fastest joint is fastest, from the motion's first frame [s].
        value: How fast that is, low-passed at 6 Hz [rad/s], [rad/s^2] or [rad/s^3].
        usual: The larger of the source clips' 99.9th percentile and what recorded people do.
    """

    kind: str
    limb: str
    time_s: float
    value: float
    usual: float

    @property
    def ratio(self) -> float:
        """How many times the usual pace this is."""
        return self.value / self.usual


@dataclass(frozen=True, kw_only=True)
class Smoothness:
    """How smoothly a motion moves, compared with recorded people and its source clips.

    Attributes:
        velocity_ratio: Largest angular velocity of a limb over its usual one, worst limb.
        acceleration_ratio: The same of angular acceleration.
        jerk_ratio: The same of angular jerk.
        worst_limb: Where the largest of the three is.
        worst_time_s: And when.
        limbs: Limb -> (velocity ratio, acceleration ratio, jerk ratio).
        seams: Velocity jumps, worst first.
        paces: The fastest moment of every limb, of every kind.
    """

    velocity_ratio: float
    acceleration_ratio: float
    jerk_ratio: float
    worst_limb: str
    worst_time_s: float
    limbs: Mapping[str, tuple[float, float, float]]
    seams: tuple[Seam, ...]
    paces: tuple[Pace, ...]


def angular_velocities(rotations: FloatArray, fps: float, joints: IntArray | None = None) -> FloatArray:
    """``(frames - 1, joints, 3)`` [rad/s] mean turn of all joints, or some, between frames, in their parents' axes."""
    from understudy.verify._measure_kernels import turning

    chosen = np.arange(rotations.shape[1]) if joints is None else joints
    out = np.empty((3 * len(chosen), len(rotations) - 1))
    turning(frozen(rotations), chosen, fps, out)
    return out.T.reshape(-1, len(chosen), 3)


def limbs_of(skeleton: Skeleton) -> dict[str, tuple[int, ...]]:
    """Joints per limb; a creature without roles is one limb."""
    if not skeleton.is_humanoid:
        return {"body": tuple(range(len(skeleton)))}
    return {name: skeleton.limb(name) for name in LIMB_ROLES}


def limb_turns(motion: Motion, limbs: Mapping[str, Sequence[int]] | None = None) -> dict[str, Turns]:
    """How fast the fastest joint of each limb turns, low-passed at 6 Hz.

    Args:
        motion: The motion.
        limbs: Joints by limb; all limbs unless told.

    Returns:
        Limb -> speeds ``(frames - 1,)``, accelerations ``(frames - 2,)`` and jerks ``(frames - 3,)``. A motion too
        short for one of them has one zero there.
    """
    limbs = limbs_of(motion.skeleton) if limbs is None else limbs
    joints = np.array(sorted({joint for one in limbs.values() for joint in one}), dtype=np.int64)
    rows = np.zeros((3 * len(joints), 0))
    if len(motion) > 1 and len(joints):
        turns = angular_velocities(motion.rotations, motion.fps, joints).reshape(len(motion) - 1, -1).T
        rows = np.ascontiguousarray(low_passed_rows(turns, motion.fps))
    changes = np.diff(rows) * motion.fps
    derivatives = (rows, changes, np.diff(changes) * motion.fps)
    found = {}
    for name, own in limbs.items():
        kept = np.searchsorted(joints, np.array(own, dtype=np.int64))
        speed, acceleration, jerk = (_largest(one, kept) for one in derivatives)
        found[name] = (speed, acceleration, jerk)
    return found


def _largest(rows: FloatArray, kept: IntArray) -> FloatArray:
    """``(n,)`` length of the longest vector of some joints in ``rows (3 joints, n)``; one zero where there is none."""
    from understudy.verify._measure_kernels import largest

    out = np.zeros(max(rows.shape[1], 1))
    if rows.shape[1]:
        largest(rows, kept, out)
    return out


@dataclass(frozen=True, eq=False)
class _Profile:
    """What a motion's limbs do."""

    turns: Mapping[str, Turns]

    @cached_property
    def usual(self) -> dict[str, tuple[float, ...]]:
        """Limb -> 99.9th percentiles of its speed, acceleration and jerk."""
        return {name: tuple(_percentile([series]) for series in turns) for name, turns in self.turns.items()}


def smoothness(
    performer: Performer,
    sources: Sequence[Performer] = (),
    *,
    aligned: bool = False,
    activity: str = "everyday",
    recorded: bool = True,
    numbers: Allowances | None = None,
) -> Smoothness:
    """Compare a motion with recorded people and with its source clips.

    What is usual for a limb is the larger of the 99.9th percentile of its source clips and the table of recorded
    people (``core.everyday``); without sources it is the table alone. All sides are low-passed at 6 Hz, so that a
    recording's own noise does not count. One-frame jumps, which such a filter hides, are looked for in the raw frames.

    Args:
        performer: Who is judged.
        sources: The clips its motion was made from.
        aligned: Whether the only source has the same frames.
        activity: Which recorded people to compare with: ``everyday`` or ``sport``.
        recorded: Whether it may be as noisy as recordings are, where there is no source.
        numbers: What the clips allow, where that is known without them.

    Raises:
        OptionError: The activity is neither.
    """
    motion, known = performer.motion, {} if numbers is None else numbers.pace
    found = [fact(one, "limbs", lambda clip: _Profile(limb_turns(clip.motion)), of_body=False) for one in sources]
    paces = tuple(
        Pace(
            kind=KINDS[k],
            limb=name,
            # Differences of order k lie half a frame later each.
            time_s=float((series.argmax() + 0.5 * (k + 1)) / motion.fps),
            value=float(series.max()),
            usual=max(_evidence(found, name, k), known.get(name, _NOTHING)[k], usual_pace(name, activity)[k]),
        )
        for name, turns in limb_turns(motion).items()
        for k, series in enumerate(turns)
    )
    jumps = None if numbers is None else numbers.jumps
    seams = find_seams(performer, sources, aligned=aligned, allowed=jumps, recorded=recorded)
    worst = max(paces, key=lambda pace: pace.ratio)
    ratios = [max(pace.ratio for pace in paces if pace.kind == kind) for kind in KINDS]
    return Smoothness(
        velocity_ratio=ratios[0],
        acceleration_ratio=ratios[1],
        jerk_ratio=ratios[2],
        worst_limb=worst.limb,
        worst_time_s=worst.time_s,
        limbs=_by_limb(paces),
        seams=seams,
        paces=paces,
    )


def _by_limb(paces: Sequence[Pace]) -> Mapping[str, tuple[float, float, float]]:
    """Limb -> its ratios in the order of ``KINDS``."""
    ratio = {(pace.limb, pace.kind): pace.ratio for pace in paces}
    names = dict.fromkeys(pace.limb for pace in paces)
    return MappingProxyType(
        {name: (ratio[name, "velocity"], ratio[name, "acceleration"], ratio[name, "jerk"]) for name in names}
    )


def _evidence(sources: Sequence[_Profile], limb: str, kind: int) -> float:
    """99.9th percentile of one limb over all source clips; zero without any."""
    known = [one for one in sources if limb in one.turns]
    if len(known) == 1:
        return known[0].usual[limb][kind]
    return _percentile([one.turns[limb][kind] for one in known])


def _percentile(series: Sequence[FloatArray]) -> float:
    return float(np.percentile(np.concatenate(series), PERCENTILE)) if series else 0.0
