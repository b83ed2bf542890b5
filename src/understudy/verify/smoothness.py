"""Smoothness: limb speeds and accelerations against the source's own, and one-frame velocity jumps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from understudy.core import Motion, Skeleton
from understudy.core.humanoid import LIMB_ROLES
from understudy.typing import FloatArray, IntArray
from understudy.verify.forward import Performer, frozen, joint_frames
from understudy.verify.low_pass import low_passed_rows
from understudy.verify.moves import Moves
from understudy.verify.seams import Seam, find_seams
from understudy.verify.source_facts import fact

PERCENTILE = 99.9


@dataclass(frozen=True, kw_only=True)
class Smoothness:
    """How smoothly a motion moves, compared with its source clips.

    Attributes:
        velocity_ratio: Largest angular velocity over the source's 99.9th percentile, worst limb.
        acceleration_ratio: The same of angular acceleration.
        worst_limb: Where the larger of both ratios is.
        worst_time_s: And when.
        limbs: Limb -> (velocity ratio, acceleration ratio).
        seams: Velocity jumps, worst first.
        jerk_ratio: Mean jerk of all joints over the source's.
    """

    velocity_ratio: float
    acceleration_ratio: float
    worst_limb: str
    worst_time_s: float
    limbs: Mapping[str, tuple[float, float]]
    seams: tuple[Seam, ...]
    jerk_ratio: float


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


@dataclass(frozen=True, eq=False)
class _Profile:
    """What a motion's limbs do: low-passed speeds and accelerations per limb, mean jerk per joint."""

    speeds: dict[str, FloatArray]
    accelerations: dict[str, FloatArray]
    jerks: FloatArray

    @cached_property
    def usual(self) -> dict[str, tuple[float, float]]:
        """Limb -> 99.9th percentiles of its speed and acceleration."""
        return {name: (_usual([self.speeds[name]]), _usual([self.accelerations[name]])) for name in self.speeds}

    @property
    def jerk(self) -> float:
        """Mean jerk of all joints [m/s^3]."""
        return float(self.jerks.mean())


def _profile(motion: Motion, known: _Profile | None = None, moves: Moves | None = None) -> _Profile:
    """A motion's profile; with what differs from a clip that is known, only that is worked out."""
    from understudy.verify._measure_kernels import fastest, mean_jerks

    limbs = limbs_of(motion.skeleton)
    if known is None or moves is None:
        known, moved = _Profile({}, {}, np.zeros(len(motion.skeleton))), np.arange(len(motion.skeleton))
        positions = joint_frames(motion, motion.times_s)[0]
    else:
        limbs = {name: joints for name, joints in limbs.items() if moves.changed.joints[list(joints)].any()}
        moved, positions = np.flatnonzero(moves.changed.moved), moves.positions
    speeds, accelerations, jerks = dict(known.speeds), dict(known.accelerations), known.jerks.copy()
    joints = np.array(sorted({joint for one in limbs.values() for joint in one}), dtype=np.int64)
    smooth = np.zeros((3 * len(joints), 1))
    if len(motion) > 1 and len(joints):
        turns = angular_velocities(motion.rotations, motion.fps, joints).reshape(len(motion) - 1, -1).T
        smooth = np.ascontiguousarray(low_passed_rows(turns, motion.fps))
    for name, own in limbs.items():
        speeds[name], accelerations[name] = np.empty(smooth.shape[1]), np.zeros(max(smooth.shape[1] - 1, 1))
        kept = np.searchsorted(joints, np.array(own, dtype=np.int64))
        fastest(smooth, kept, motion.fps, speeds[name], accelerations[name])
    if len(moved):
        columns = np.ascontiguousarray(positions[:, moved].reshape(len(motion), -1).T)
        jerks[moved] = mean_jerks(np.ascontiguousarray(low_passed_rows(columns, motion.fps)), motion.fps)
    return _Profile(speeds, accelerations, jerks)


def smoothness(
    performer: Performer,
    sources: Sequence[Performer] = (),
    *,
    aligned: bool = False,
    moves: Moves | None = None,
) -> Smoothness:
    """Compare a motion with its source clips; with none, with itself.

    Both sides are low-passed at 6 Hz before speeds and accelerations are compared, so that a recording's own noise
    does not count; one-frame jumps, which such a filter hides, are looked for in the raw frames.

    Args:
        performer: Who is judged.
        sources: The clips its motion was made from.
        aligned: Whether the only source has the same frames.
        moves: What differs from that source, where that is known; the rest is taken from the source.
    """
    motion = performer.motion
    found = [fact(one, "limbs", lambda clip: _profile(clip.motion), of_body=False) for one in sources]
    own = _profile(motion, None if moves is None else found[0], moves)
    references = found or [own]
    limbs: dict[str, tuple[float, float]] = {}
    worst, worst_limb, worst_time = -1.0, "", 0.0
    for name in own.speeds:
        usual = _usual_of(references, name)
        speed, acceleration = _ratio(own.speeds[name], usual[0]), _ratio(own.accelerations[name], usual[1])
        limbs[name] = (speed, acceleration)
        if max(speed, acceleration) > worst:
            series = own.speeds[name] if speed >= acceleration else own.accelerations[name]
            worst, worst_limb, worst_time = max(speed, acceleration), name, float(series.argmax() / motion.fps)
    jerk = float(np.mean([r.jerk for r in references]))
    return Smoothness(
        velocity_ratio=max(pair[0] for pair in limbs.values()),
        acceleration_ratio=max(pair[1] for pair in limbs.values()),
        worst_limb=worst_limb,
        worst_time_s=worst_time,
        limbs=MappingProxyType(limbs),
        seams=find_seams(performer, sources, aligned=aligned, moves=moves),
        jerk_ratio=own.jerk / jerk if jerk > 0 else 1.0,
    )


def _usual_of(references: Sequence[_Profile], name: str) -> tuple[float, float]:
    """99.9th percentiles of a limb's speed and acceleration over all references; known of a single one."""
    known = [one for one in references if name in one.speeds]
    if len(known) == 1:
        return known[0].usual[name]
    return _usual([one.speeds[name] for one in known]), _usual([one.accelerations[name] for one in known])


def _usual(references: Sequence[FloatArray]) -> float:
    return float(np.percentile(np.concatenate(references), PERCENTILE)) if references else 0.0


def _ratio(values: FloatArray, usual: float) -> float:
    """Largest value over what is usual; still references allow slow motion."""
    least = 0.1  # [rad/s] or [rad/s^2]: below this nobody sees anything move
    return float(values.max() / max(usual, least))
