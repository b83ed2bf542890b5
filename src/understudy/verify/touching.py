"""Where a body touches what can carry it, frame by frame.

A body part touches when its surface is nearer than :data:`TOUCH_M`: recordings know the thickness of shoes, soles and
floors no better. What it touches can carry it when going down brings it nearer: floors, steps, seats and table tops do,
walls do not. Whoever was not made from recordings hovers unless some part is nearer than :data:`EXACT_TOUCH_M`.

The centre of mass is that of segments between joints, by role. Their shares are those of de Leva, "Adjustments to
Zatsiorsky-Seluyanov's segment inertia parameters" (Journal of Biomechanics 29, 1996), the mean of women and men. They
ask for nothing but where joints are, and share nothing with the masses planners use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy.core import Skeleton
from understudy.scene.shapes import HalfSpace
from understudy.typing import BoolArray, FloatArray, IntArray
from understudy.verify.distances.solids import Solid
from understudy.verify.forward import Performer, capsule_ends, joint_frames
from understudy.verify.low_pass import low_passed
from understudy.verify.things import Thing

#: [m] surfaces nearer than this touch. The lowest point of recorded people who walk, stand and bend on a level floor is
#: between 37 mm below and 14 mm above it 98 % of the time, and 21 mm above it at most 99.9 % of the time; from here on
#: the foot somebody stands on never counts as off the floor (``tools/support_bars.py``).
TOUCH_M = 0.03
#: [m] whoever was not made from recordings has to come nearer than this with some part: a gap of a centimetre under
#: everything is seen, and the built-in performer stands on the floor to a millimetre.
EXACT_TOUCH_M = 0.01
#: [m] parts nearer than this are low, as in the published ratios of foot skate: how near they are is measured.
LOW_M = 0.05

#: [m] how far a part is lowered to find out whether that brings it nearer, and the share that must come nearer: the
#: cosine of the steepest slope that carries, 45 degrees.
_LOWERED_M = 1e-3
_CARRYING_SHARE = float(np.sqrt(0.5))
#: Pieces of a capsule that are measured one by one; on a plane both ends say everything.
_ENDS = np.array([[0.0, 0.0], [1.0, 1.0]])
_QUARTERS = np.array([[0.0, 0.25], [0.25, 0.5], [0.5, 0.75], [0.75, 1.0]])

#: Part of a side -> share of the body's mass, the roles it lies between, and where its centre lies between them.
#: A hand goes on beyond the wrist by a quarter of the forearm.
_SIDED: dict[str, tuple[float, str, str, float]] = {
    "upper arm": (0.0263, "UpperArm", "LowerArm", 0.576),
    "forearm": (0.0150, "LowerArm", "Hand", 0.457),
    "hand": (0.0058, "LowerArm", "Hand", 1.25),
    "thigh": (0.1447, "UpperLeg", "LowerLeg", 0.385),
    "shank": (0.0457, "LowerLeg", "Foot", 0.437),
    "foot": (0.0133, "Foot", "Toes", 0.5),
}
#: The trunk lies between both shoulders' middle and both hips', its centre this far from the shoulders.
_TRUNK_SHARE, _TRUNK_CENTRE = 0.4301, 0.405
#: The head's centre lies above its joint, away from the shoulders, by this share of the trunk's length.
_HEAD_SHARE, _HEAD_RISE = 0.0681, 0.17


@dataclass(frozen=True, eq=False, kw_only=True)
class Touches:
    """A body and the patches of its surface that come near what can carry them.

    Attributes:
        performer: Whose.
        capsules: ``(patches,)`` the capsule each patch belongs to.
        things: ``(patches,)`` the thing it is measured from, by its place in the list that was given.
        centres: ``(frames, patches, 3)`` [m] the middle of each patch, on its capsule's axis.
        gaps_m: ``(frames, patches)`` distance of its surface from that thing; infinite where it is not low, or beside.
        positions: ``(frames, joints, 3)`` [m].
        world: ``(frames, joints, 3, 3)`` matrices of the joints.
        carry_m: Nothing carries the body unless some patch is nearer than this [m].
    """

    performer: Performer
    capsules: IntArray
    things: IntArray
    centres: FloatArray
    gaps_m: FloatArray
    positions: FloatArray
    world: FloatArray
    carry_m: float = TOUCH_M

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.performer.motion.fps

    @cached_property
    def touching(self) -> BoolArray:
        """``(frames, patches)`` whether a patch touches."""
        return np.asarray(self.gaps_m < TOUCH_M)

    @cached_property
    def carried(self) -> BoolArray:
        """``(frames,)`` whether some patch is near enough to carry the body."""
        return np.asarray((self.gaps_m < self.carry_m).any(axis=1))

    @cached_property
    def low(self) -> BoolArray:
        """``(frames, patches)`` whether a patch is low: it touches, or nearly does."""
        return np.asarray(self.gaps_m < LOW_M)

    @cached_property
    def bottoms(self) -> FloatArray:
        """``(frames, patches, 3)`` [m] the lowest point of each patch's surface."""
        return np.asarray(self.centres - self.radii[:, None] * np.array([0.0, 1.0, 0.0]))

    @property
    def radii(self) -> FloatArray:
        """``(patches,)`` [m]."""
        return np.asarray(self.performer.body.capsule_radii[self.capsules])

    @cached_property
    def centre_of_mass(self) -> FloatArray:
        """``(frames, 3)`` [m] as it is recorded."""
        return centres_of_mass(self.performer.motion.skeleton, self.positions)

    @cached_property
    def smooth_centre(self) -> FloatArray:
        """``(frames, 3)`` [m] the centre of mass, low-passed at 6 Hz."""
        return low_passed(self.centre_of_mass, self.fps)

    @cached_property
    def slides_mps(self) -> FloatArray:
        """``(frames, patches, 2)`` [m/s] how fast the skin at the bottom of each patch moves over the floor (x, z).

        A foot that rolls moves its joints and not its sole: the velocity is that of the point of the body that is
        lowest at the moment.
        """
        frames = len(self.positions)
        if frames < 2:
            return np.zeros((frames, len(self.capsules), 2))
        joints = self.performer.body.capsule_joints[self.capsules]
        at, turn = self.positions[:, joints], self.world[:, joints]
        own = np.einsum("fpji,fpj->fpi", turn, self.bottoms - at)
        after = np.minimum(np.arange(frames) + 1, frames - 1)
        before = np.maximum(np.arange(frames) - 1, 0)
        way = at[after] - at[before] + np.einsum("fpij,fpj->fpi", turn[after] - turn[before], own)
        return np.asarray(way[..., [0, 2]] * (self.fps / (after - before))[:, None, None])


def touches_of(performer: Performer, things: Sequence[Thing], *, carry_m: float = TOUCH_M) -> Touches:
    """Measure a body at its motion's own frames against things that may carry it.

    Args:
        performer: Whose.
        things: The floor and objects. Leave out what the performer holds itself: nobody stands on what he carries.
        carry_m: Nothing carries the body unless some patch is nearer than this [m].
    """
    motion, body = performer.motion, performer.body
    positions, world = joint_frames(motion, motion.times_s)
    ends = capsule_ends(body, positions, world)
    times_s = performer.start_s + motion.times_s
    capsules, owners, centres, gaps = [], [], [], []
    for index, thing in enumerate(things):
        pieces = _ENDS if isinstance(thing.solid.shape, HalfSpace) else _QUARTERS
        near = _near_capsules(ends, body.capsule_radii, thing, times_s)
        shares = np.tile(pieces, (len(near), 1))
        own = np.repeat(near, len(pieces))
        segments = _pieces(ends, own, shares)
        found = _carried_gaps(segments, body.capsule_radii[own], thing, times_s)
        kept = np.flatnonzero((found < TOUCH_M).any(axis=0))
        capsules.append(own[kept])
        owners.append(np.full(len(kept), index, dtype=np.int64))
        centres.append(segments[:, kept].mean(axis=2))
        gaps.append(found[:, kept])
    frames = len(positions)
    return Touches(
        performer=performer,
        capsules=np.concatenate([np.zeros(0, dtype=np.int64), *capsules]),
        things=np.concatenate([np.zeros(0, dtype=np.int64), *owners]),
        centres=np.concatenate([np.zeros((frames, 0, 3)), *centres], axis=1),
        gaps_m=np.concatenate([np.zeros((frames, 0)), *gaps], axis=1),
        positions=positions,
        world=world,
        carry_m=carry_m,
    )


def _pieces(ends: FloatArray, capsules: IntArray, shares: FloatArray) -> FloatArray:
    """``(frames, n, 2, 3)`` [m] parts of axes ``ends (frames, capsules, 2, 3)`` between ``shares (n, 2)``."""
    start, span = ends[:, capsules, 0], ends[:, capsules, 1] - ends[:, capsules, 0]
    return np.asarray(start[:, :, None] + shares[None, :, :, None] * span[:, :, None])


def _near_capsules(ends: FloatArray, radii: FloatArray, thing: Thing, times_s: FloatArray) -> IntArray:
    """Capsules that come near enough to a thing's box to touch it."""
    from understudy.verify._kernels import gaps_to_box

    frames, count = ends.shape[:2]
    seen = _seen(ends, thing, times_s)
    gaps = gaps_to_box(seen, np.tile(radii, frames), *thing.solid.bounds).reshape(frames, count)
    return np.flatnonzero((gaps < TOUCH_M).any(axis=0))


def _seen(segments: FloatArray, thing: Thing, times_s: FloatArray) -> FloatArray:
    """``(frames * n, 2, 3)`` [m] segments ``(frames, n, 2, 3)`` in a thing's frame."""
    from understudy.verify._kernels import seen_in_frames

    frames, count = segments.shape[:2]
    places, turns, where = thing.placed(times_s)
    flat = np.ascontiguousarray(segments.reshape(frames * count, 2, 3))
    return np.asarray(seen_in_frames(flat, places, turns, np.repeat(where, count)))


def _carried_gaps(segments: FloatArray, radii: FloatArray, thing: Thing, times_s: FloatArray) -> FloatArray:
    """``(frames, n)`` [m] distance of capsules around ``segments`` from a thing below them; infinite elsewhere."""
    from understudy.verify._kernels import gaps_to_box

    frames, count = segments.shape[:2]
    thick = np.tile(radii, frames)
    seen = _seen(segments, thing, times_s)
    gaps = np.full(frames * count, np.inf)
    near = np.flatnonzero(gaps_to_box(seen, thick, *thing.solid.bounds) < LOW_M)
    if len(near):
        _, turns, where = thing.placed(times_s)
        down = -_LOWERED_M * turns[where[near // count], 1]
        here = _distances(thing.solid, seen[near], thick[near])
        below = _distances(thing.solid, seen[near] + down[:, None], thick[near])
        gaps[near] = np.where(here - below >= _CARRYING_SHARE * _LOWERED_M, here, np.inf)
    return gaps.reshape(frames, count)


def _distances(solid: Solid, segments: FloatArray, radii: FloatArray) -> FloatArray:
    found = solid.segments(segments[:, 0], segments[:, 1], cap_m=2.0 * LOW_M + radii)
    return np.asarray(found - radii)


def centres_of_mass(skeleton: Skeleton, positions: FloatArray) -> FloatArray:
    """``(frames, 3)`` [m] centre of mass of a humanoid whose joints are at ``positions (frames, joints, 3)`` [m].

    Raises:
        SkeletonError: The skeleton is not a humanoid.
    """
    skeleton.require_humanoid()
    shares = _joint_shares(skeleton)
    shoulders, hips = (_middle(skeleton, positions, role) for role in ("UpperArm", "UpperLeg"))
    head = positions[:, skeleton.humanoid["head"]]
    neck = head - shoulders
    rise = _HEAD_RISE * np.linalg.norm(shoulders - hips, axis=-1) / np.maximum(np.linalg.norm(neck, axis=-1), 1e-6)
    limbs = np.einsum("j,fji->fi", shares, positions)
    return np.asarray(limbs + _HEAD_SHARE * rise[:, None] * neck)


def _middle(skeleton: Skeleton, positions: FloatArray, role: str) -> FloatArray:
    left, right = (positions[:, skeleton.humanoid[f"{side}{role}"]] for side in ("left", "right"))
    return np.asarray(0.5 * (left + right))


def _joint_shares(skeleton: Skeleton) -> FloatArray:
    """``(joints,)`` what each joint's place counts for in the centre of mass; adds up to one."""
    roles, shares = skeleton.humanoid, np.zeros(len(skeleton))
    shares[roles["head"]] += _HEAD_SHARE
    for side in ("left", "right"):
        shares[roles[f"{side}UpperArm"]] += 0.5 * _TRUNK_SHARE * (1.0 - _TRUNK_CENTRE)
        shares[roles[f"{side}UpperLeg"]] += 0.5 * _TRUNK_SHARE * _TRUNK_CENTRE
        for mass, start, end, centre in _SIDED.values():
            first = roles[f"{side}{start}"]
            last = roles.get(f"{side}{end}", first)
            shares[first] += mass * (1.0 - centre)
            shares[last] += mass * centre
    return shares / shares.sum()
