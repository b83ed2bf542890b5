"""What evidence contributes to a verdict, as numbers: with them a motion is judged again without the clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from understudy.core import Skeleton
from understudy.typing import FloatArray, IntArray
from understudy.verify.forward import SAMPLE_RATE_HZ, Performer
from understudy.verify.search import Allowance

if TYPE_CHECKING:
    from understudy.verify.feet import Feet
    from understudy.verify.foot_skate import FootSkate

#: [s] times this near are the same.
_SAME_S = 1e-9
#: [s] the judge looks at least this often, so what lies between two moments this near lies between two looks.
_NEAR_S = 1.0 / SAMPLE_RATE_HZ + _SAME_S


@dataclass(frozen=True, kw_only=True)
class EvidenceClip:
    """A clip that was evidence, by what it holds.

    Attributes:
        name: Its label.
        kind: ``"recorded"`` or ``"performer"``.
        sha256: See :func:`understudy.verify.digests.motion_digest`.
        frames: How many.
        fps: Frames per second.
    """

    name: str
    kind: str
    sha256: str
    frames: int
    fps: float


@dataclass(frozen=True, eq=False, kw_only=True)
class SelfOverlap:
    """How deep evidence lets two parts of a body overlap, at every moment that was asked for.

    Attributes:
        a: One capsule.
        b: The other.
        times_s: ``(n,)`` rising [s].
        depths_m: ``(n,)`` [m]; 0 at the ends of every stretch.
    """

    a: str
    b: str
    times_s: FloatArray
    depths_m: FloatArray

    def at(self, times_s: FloatArray) -> FloatArray:
        """``(n,)`` depth allowed at times [m]: between two moments the smaller of both, elsewhere nothing."""
        after = np.searchsorted(self.times_s, times_s - _SAME_S)
        before = np.maximum(after - 1, 0)
        after = np.minimum(after, len(self.times_s) - 1)
        met = np.abs(self.times_s[after] - times_s) <= _SAME_S
        inside = (self.times_s[before] < times_s) & (times_s < self.times_s[after])
        inside &= self.times_s[after] - self.times_s[before] <= _NEAR_S
        between = np.where(inside, np.minimum(self.depths_m[before], self.depths_m[after]), 0.0)
        return np.asarray(np.where(met, self.depths_m[after], between))


@dataclass(frozen=True, eq=False, kw_only=True)
class Jumps:
    """How much evidence changes its velocity within a frame, for the jumps of a motion that stand alone.

    Attributes:
        frames: ``(n,)`` of the motion, the first inner one is 0.
        points: ``(n,)`` ends of capsules.
        usual_mps: ``(n,)`` [m/s].
    """

    frames: IntArray
    points: IntArray
    usual_mps: FloatArray

    def usual(self, shape: tuple[int, ...]) -> FloatArray:
        """``(frames - 2, points)`` the evidence's jumps; 0 where there was nothing to ask [m/s]."""
        found = np.zeros(shape)
        inside = (self.frames < shape[0]) & (self.points < shape[1])
        found[self.frames[inside], self.points[inside]] = self.usual_mps[inside]
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class Allowances:
    """Everything that the evidence of one motion allows it.

    Attributes:
        clips: Which clips that were.
        pace: Limb -> velocity, acceleration and jerk that are usual.
        tremor: Role -> tremor of a joint that is usual [rad/s].
        skate: The worst of the clips' own feet; ``None`` where no clip has feet.
        unsupported_s: Longest time for which a clip floats itself [s].
        outside_m: How far a clip is out of balance itself [m].
        limits_rad: Joint -> how far clips are beyond its limit [rad], where they are: one number for all frames, or one
            for each where the only clip has the same frames.
        ground_m: Capsule -> how deep clips are below their own ground [m], where they are.
        feet: Where the clip's feet are, for a motion with the same frames; ``None`` for others.
        feet_scale: The motion's stature over the clip's; ``None`` for the same body.
        overlaps: Overlaps of the body with itself; ``None`` where no clip has such a body.
        jumps: Jumps within one frame; ``None`` where no clip has such a body.
        still: First and stop of stretches of frames in which a clip with the same frames is still itself.
    """

    clips: tuple[EvidenceClip, ...] = ()
    pace: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    tremor: Mapping[str, float] = field(default_factory=dict)
    skate: FootSkate | None = None
    unsupported_s: float = 0.0
    outside_m: float = 0.0
    limits_rad: Mapping[str, FloatArray] = field(default_factory=dict)
    ground_m: Mapping[str, float] = field(default_factory=dict)
    feet: Feet | None = None
    feet_scale: float | None = None
    overlaps: tuple[SelfOverlap, ...] | None = None
    jumps: Jumps | None = None
    still: tuple[tuple[int, int], ...] = ()

    def limits_of(self, skeleton: Skeleton, frames: int) -> FloatArray:
        """``(frames, joints)`` limit excess that is forgiven [rad]."""
        forgiven = np.zeros((frames, len(skeleton)))
        for joint, name in enumerate(skeleton.names):
            known = self.limits_rad.get(name)
            if known is not None and len(known) in (1, frames):
                forgiven[:, joint] = known
        return forgiven

    def ground_of(self, names: Sequence[str]) -> FloatArray:
        """``(capsules,)`` depth below its own ground that is allowed [m]."""
        return np.array([self.ground_m.get(name, 0.0) for name in names])


def self_allowance(overlaps: Sequence[SelfOverlap], performer: Performer, pairs: IntArray) -> Allowance:
    """Depths that recorded overlaps allow the pairs ``(n, 2)`` of a body's capsules."""
    names = performer.body.capsule_names
    known = {frozenset((one.a, one.b)): one for one in overlaps}
    own = [known.get(frozenset((names[a], names[b]))) for a, b in pairs.tolist()]

    def allowed(times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
        depth = np.zeros(len(times_s))
        over = distances < 0.0
        for item in np.unique(items[over]).tolist():
            one = own[item]
            if one is not None:
                rows = np.flatnonzero(over & (items == item))
                depth[rows] = one.at(times_s[rows])
        return depth

    return allowed


class OverlapLedger:
    """Writes down which overlaps of a body with itself the judge asked evidence about, and what it was told."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str], list[tuple[FloatArray, FloatArray]]] = {}
        self.compared = False

    def listening(self, allowance: Allowance, performer: Performer, pairs: IntArray) -> Allowance:
        """The same allowance, overheard."""
        names = performer.body.capsule_names
        self.compared = True

        def allowed(times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
            depth = allowance(times_s, items, distances)
            over = distances < 0.0
            for item in np.unique(items[over]).tolist():
                rows = np.flatnonzero(over & (items == item))
                a, b = (names[k] for k in pairs[item].tolist())
                self._asked.setdefault((a, b), []).append((times_s[rows], depth[rows]))
            return depth

        return allowed

    def overlaps(self) -> tuple[SelfOverlap, ...]:
        """What was allowed, with a moment of nothing at both ends of every stretch."""
        found = []
        for (a, b), asked in self._asked.items():
            times, where = np.unique(np.concatenate([one for one, _ in asked]), return_index=True)
            depths = np.concatenate([one for _, one in asked])[where]
            some = depths > 0.0
            kept = some.copy()
            kept[1:] |= some[:-1]
            kept[:-1] |= some[1:]
            if some.any():
                found.append(SelfOverlap(a=a, b=b, times_s=times[kept], depths_m=depths[kept]))
        return tuple(found)


def same_time(performer: Performer, source: Performer, pairs: IntArray) -> Allowance:
    """Pairs ``(n, 2)`` may overlap as deep as those of a clip with the same frames at the same time."""
    from understudy.verify._kernels import gaps_of_rows

    radii = source.body.capsule_radii[pairs].sum(axis=1)

    def allowed(times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
        depth = np.zeros(len(times_s))
        over = distances < 0.0
        for item in np.unique(items[over]).tolist():
            rows = np.flatnonzero(over & (items == item))
            at = source.capsules(times_s[rows] - performer.start_s + source.start_s)
            gaps = gaps_of_rows(*(np.ascontiguousarray(at[:, part]) for part in pairs[item]))
            depth[rows] = np.maximum(radii[item] - gaps, 0.0)
        return depth

    return allowed
