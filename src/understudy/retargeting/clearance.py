"""How near parts of a body come to each other, and in which direction they get away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from understudy.core.body_fit import fit_body
from understudy.core.editing import raised
from understudy.core.flesh import flesh_pairs
from understudy.core.motion import Motion
from understudy.core.segments import nearest_shares
from understudy.kinematics import WorldTransforms, motion_world
from understudy.typing import FloatArray, IntArray

#: [m] gap to leave between parts; smallest shortfall that counts; longest single push.
_ROOM_M, _ROUNDING_M, _LONGEST_PUSH_M = 0.002, 5e-4, 0.05
#: [m] per unit of a coordinate: a gap that widens by less is not counted on.
_DAMPING = 0.1


@dataclass(frozen=True, eq=False, kw_only=True)
class Nearness:
    """Pairs of capsules over time, each at the points where they are nearest.

    Attributes:
        names: ``(n,)`` pairs of capsules.
        gaps_m: ``(frames, n)`` between their surfaces [m]; below zero where they overlap.
        shares: ``(frames, n, 2)`` how far along either axis those points are.
        points: ``(frames, n, 2, 3)`` [m] on both axes.
        away: ``(frames, n, 3)`` unit vectors along which the first gets away from the second.
        world: Where the joints are.
    """

    names: list[tuple[str, str]]
    gaps_m: FloatArray
    shares: FloatArray
    points: FloatArray
    away: FloatArray
    world: WorldTransforms


def nearness(motion: Motion, pairs: IntArray) -> Nearness:
    """Measure pairs ``(n, 2)`` of the capsules of a motion's body."""
    body, world = fit_body(motion.skeleton), motion_world(motion)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    one, two = pairs.T
    shares = np.stack(nearest_shares(starts[:, one], ends[:, one], starts[:, two], ends[:, two]), axis=-1)
    points = starts[:, pairs] + shares[..., None] * (ends[:, pairs] - starts[:, pairs])
    apart = points[:, :, 0] - points[:, :, 1]
    size = np.linalg.norm(apart, axis=-1)
    return Nearness(
        names=[(body.capsule_names[a], body.capsule_names[b]) for a, b in pairs.tolist()],
        gaps_m=size - body.capsule_radii[one] - body.capsule_radii[two],
        shares=shares,
        points=points,
        away=apart / np.maximum(size, 1e-9)[..., None],
        world=world,
    )


def chosen_pairs(motion: Motion, wanted: Callable[[str, str], bool]) -> IntArray:
    """``(n, 2)`` those pairs of a body's capsules that must not overlap and are wanted."""
    body = fit_body(motion.skeleton)
    names = body.capsule_names
    pairs = [pair for pair in body.self_pairs.tolist() if wanted(names[pair[0]], names[pair[1]])]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@dataclass(frozen=True, eq=False, kw_only=True)
class Room:
    """The room that pairs of capsules need: limbs may touch as they do in the source, and press flesh as people do.

    Attributes:
        least_m: ``(n,)`` [m] below zero where flesh gives way.
        recorded_m: ``(frames, n)`` gaps of the same pairs in the source, on this size [m].
    """

    least_m: FloatArray
    recorded_m: FloatArray

    def missing_m(self, gaps_m: FloatArray) -> FloatArray:
        """``(frames, n)`` what pairs lack [m], in each frame and halfway to the frames beside it."""
        missing = np.minimum(self.least_m, self.recorded_m) - gaps_m
        halfway = [0.5 * (values[1:] + values[:-1]) for values in (self.recorded_m, gaps_m)]
        between = np.minimum(self.least_m, halfway[0]) - halfway[1]
        missing[:-1], missing[1:] = np.maximum(missing[:-1], between), np.maximum(missing[1:], between)
        return missing


def room_for(motion: Motion, pairs: IntArray, source: Motion) -> Room:
    """The room that pairs ``(n, 2)`` of a motion's capsules need, with the clip it was made from beside it."""
    body, other = fit_body(motion.skeleton), fit_body(source.skeleton)
    soft = {(a, b): depth for a, b, depth in flesh_pairs(body)}
    names = [(body.capsule_names[a], body.capsule_names[b]) for a, b in pairs.tolist()]
    recorded = np.full((len(motion), len(pairs)), np.inf)
    if body.capsule_names == other.capsule_names:
        recorded = min(1.0, body.stature_m / other.stature_m) * nearness(source, pairs).gaps_m
    return Room(least_m=np.array([_ROOM_M - soft.get(pair, 0.0) for pair in names]), recorded_m=recorded)


def pushes(found: Nearness, room: Room, slopes: FloatArray, half_frames: int) -> FloatArray | None:
    """``(frames, k)`` the least change of k coordinates that gives pairs the room they need; ``None`` if all have it.

    Every pair is pushed along its own slope, by one smooth amount that begins long before and ends long after; where
    several need room, those that need most count most.

    Args:
        found: Where the pairs are.
        room: What they need.
        slopes: ``(frames, n, k)`` how much a gap widens per unit of a coordinate.
        half_frames: How long before and after.
    """
    from scipy.ndimage import gaussian_filter1d

    missing = room.missing_m(found.gaps_m)
    short = np.flatnonzero((missing > _ROUNDING_M).any(axis=0))
    if not len(short):
        return None
    total, weight = np.zeros((len(missing), slopes.shape[2])), np.full((len(missing), 1), 1e-12)
    for pair in short:
        amount = raised(np.clip(missing[:, pair] + _ROUNDING_M, 0.0, _LONGEST_PUSH_M), half_frames)[:, None]
        slope = gaussian_filter1d(slopes[:, pair], 0.4 * half_frames, axis=0, mode="nearest")
        # Where parts pass through each other the slope changes its side: nothing is pushed much there.
        total += amount * amount * slope / ((slope**2).sum(axis=1, keepdims=True) + _DAMPING**2)
        weight += amount
    return total / weight
