"""A way for an arm through time: postures around the body, by dynamic programming, clear of a moving door and walls.

Every tenth of a second the arm takes one of some postures: its own in the walk, hanging, or with the hand somewhere
before or beside the trunk. Costs are what is too near, how fast joints turn from one moment to the next, and how far it
is from what the walk does. Where a hand is bound (on a lever) the posture is given; the way leaves it and comes to it
with its velocity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.reference_pose import t_pose_world
from understudy.core.segments import segments_apart
from understudy.kinematics import WorldTransforms, forward
from understudy.limbs.space import LimbSpace, limb_space
from understudy.performer.actions.figure import Figure
from understudy.performer.actions.tracks import HandTrack
from understudy.performer.smoothing import gaussian
from understudy.typing import FloatArray, IntArray

#: Gap ``(n, points)`` [m] of points ``(n, points, 3)`` with radii at frames ``(n,)``; the last ``bound`` points are a
#: hand's.
Gap = Callable[[FloatArray, FloatArray, IntArray], FloatArray]

#: [s] between moments at which the arm decides; [s] smoothing; [s] over which a bound hand's velocity
#: fades, and over which it leaves.
_EVERY_S, _SMOOTH_S, _FADES_S, _LEAVES_S = 0.1, 0.12, 0.15, 0.95
#: [m] places of the wrist around a person 1.72 m tall: ahead, aside, up.
_PLACES = tuple(product((-0.06, 0.08, 0.20, 0.30), (0.12, 0.20, 0.28), (0.84, 0.98, 1.12)))
#: [m] gap that is wanted, and [rad/s] speed of a joint beyond which a way is dear.
_WANTED_M, _FAST_RADPS = 0.03, 1.5
#: [s] over which the velocity of a hand that lets go fades: what it held follows it.
_FOLLOWS_S = 0.42
#: [m] how deep an arm may press into the trunk; negative keeps it off; and in the walk's own posture.
_SOFT_M, _OWN_SOFT_M = 0.022, 0.045
_PARTS = ("pelvis", "abdomen", "ribs", "chest")


@dataclass(frozen=True, eq=False, kw_only=True)
class Bound:
    """Frames in which an arm's posture is given.

    Attributes:
        first: First such frame.
        last: Last one.
        coordinates: ``(frames, 9)`` [rad] of shoulder, elbow and wrist there.
    """

    first: int
    last: int
    coordinates: FloatArray


def routed(
    figure: Figure,
    root: FloatArray,
    local: FloatArray,
    side: str,
    gap: Gap,
    *,
    span: tuple[int, int],
    fps: float,
    bound: Bound | None = None,
) -> None:
    """Change an arm's rotations ``(frames, joints, 4)`` between two frames so that it stays clear.

    Args:
        figure: Who.
        root: ``(frames, 3)`` [m].
        local: Changed in place.
        side: Which arm.
        gap: What is near.
        span: First and last frame that may change.
        fps: Frames per second.
        bound: Where the posture is given.
    """
    space = limb_space(figure.body, f"{side}_arm")
    first, last = max(span[0], 0), min(span[1], len(local) - 1)
    step = max(1, round(_EVERY_S * fps))
    keys = np.arange(first, last + 1, step)
    if bound is not None:
        inner = (keys > bound.first - step // 2) & (keys < bound.last + step // 2)
        keys = np.unique(np.concatenate([keys[~inner], np.arange(bound.first, bound.last, step), [bound.last]]))
    options, costs = _options(figure, space, root, local, side, keys, gap, bound)
    costs[[0, -1], 1:] += 1e4
    path = _cheapest(options, costs, np.diff(keys) / fps)
    frames = np.arange(keys[0], keys[-1] + 1)
    own = space.coordinates(local[frames])
    # What differs from the walk is what is smoothed: its own swing stays as it is.
    offset = np.unwrap(_unwound(path - space.coordinates(local[keys])), axis=0)
    smooth = gaussian(np.stack([np.interp(frames, keys, column) for column in offset.T], axis=1), _SMOOTH_S * fps)
    edge = smoothstep((frames - frames[0]) / (2.0 * step)) * smoothstep((frames[-1] - frames) / (2.0 * step))
    wanted = own + edge[:, None] * smooth
    if bound is not None:
        wanted = _joined(wanted, frames, bound, fps)
    local[frames] = space.with_coordinates(local[frames], wanted)


def _options(
    figure: Figure,
    space: LimbSpace,
    root: FloatArray,
    local: FloatArray,
    side: str,
    keys: IntArray,
    gap: Gap,
    bound: Bound | None,
) -> tuple[FloatArray, FloatArray]:
    """Postures ``(keys, options, 9)`` [rad] and what they cost ``(keys, options)``."""
    base = forward(figure.skeleton, root[keys], local[keys])
    postures = [local[keys], _hanging(figure, local[keys], side)]
    postures += [_placed(figure, base, local[keys], side, place, lift) for place in _PLACES for lift in (0.0, 0.7)]
    stacked = np.stack(postures, axis=1)
    count, many = stacked.shape[:2]
    coordinates = space.coordinates(stacked)
    flat = stacked.reshape(count * many, *stacked.shape[2:])
    world = forward(figure.skeleton, np.repeat(root[keys], many, axis=0), flat)
    near, own = _nearness(figure, world, side, np.repeat(keys, many), gap)
    # The walk may come as near to its own trunk as it does.
    gaps = np.where(np.arange(many) > 0, own.reshape(count, many) + _SOFT_M, own.reshape(count, many) + _OWN_SOFT_M)
    cost = _cost_of(near.reshape(count, many)) + _cost_of(gaps)
    cost += 400.0 * np.maximum(space.excess(coordinates).max(axis=-1) - 1e-6, 0.0)
    away = _unwound(coordinates - coordinates[:, :1])
    cost += 0.10 * np.sum(away**2, axis=2) + 0.02 * (np.arange(many) > 0)
    if bound is not None:
        for k, frame in enumerate(keys.tolist()):
            if bound.first <= frame <= bound.last:
                coordinates[k] = bound.coordinates[frame - bound.first]
                cost[k], cost[k, 0] = 1e4, 0.0
    return coordinates, cost


def _hanging(figure: Figure, local: FloatArray, side: str) -> FloatArray:
    out = local.copy()
    for bone in ("UpperArm", "LowerArm", "Hand"):
        joint = figure.skeleton.humanoid[f"{side}{bone}"]
        out[:, joint] = figure.relaxed.rotations[joint]
    return out


def _placed(
    figure: Figure,
    world: WorldTransforms,
    local: FloatArray,
    side: str,
    place: tuple[float, float, float],
    lift: float,
) -> FloatArray:
    """The arm with its wrist at a place around the body, the elbow lifted aside by an angle [rad]."""
    sign = 1.0 if side == "left" else -1.0
    turn = rot.multiply(world.rotations[:, 0], rot.conjugate(t_pose_world(figure.skeleton)[1][0]))
    facing = rot.from_yaw(rot.yaw(turn))
    ahead, aside, up = (figure.stature_m / 1.72 * value for value in place)
    wrist = world.positions[:, 0] * np.array([1.0, 0.0, 1.0])
    wrist = wrist + rot.rotate(facing, np.array([sign * aside, up, ahead]))
    pole = rot.rotate(facing, np.array([sign * (0.2 + lift), -1.0, -0.7]))
    out = local.copy()
    figure.put_arm(out, world, side, HandTrack(wrist=wrist, turn=None, pole=pole))
    return out


def _nearness(
    figure: Figure, world: WorldTransforms, side: str, frames: IntArray, gap: Gap
) -> tuple[FloatArray, FloatArray]:
    """``(n,)`` gaps to things and to the own trunk [m]."""
    body = figure.body
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    upper, fore, hand = (body.capsule(f"{side}_{part}") for part in ("upper_arm", "forearm", "hand"))
    points = np.stack(
        [
            0.5 * (starts[:, upper] + ends[:, upper]),
            ends[:, upper],
            0.5 * (starts[:, fore] + ends[:, fore]),
            ends[:, fore],
            0.5 * (starts[:, hand] + ends[:, hand]),
            ends[:, hand],
        ],
        axis=1,
    )
    radii = body.capsule_radii[[upper, upper, fore, fore, hand, hand]]
    near = gap(points, radii, frames).min(axis=1)
    own = np.full(len(near), np.inf)
    for limb, begin in ((upper, 0.5), (fore, 0.0), (hand, 0.0)):
        base = starts[:, limb] + begin * (ends[:, limb] - starts[:, limb])
        # An upper arm lies against the chest by nature.
        for part in _PARTS[:2] if limb == upper else _PARTS:
            k = body.capsule(part)
            apart = segments_apart(base, ends[:, limb], starts[:, k], ends[:, k])
            own = np.minimum(own, apart - body.capsule_radii[limb] - body.capsule_radii[k])
    return near, own


def _cost_of(gap_m: FloatArray) -> FloatArray:
    return 2.0 * np.maximum(_WANTED_M - gap_m, 0.0) / _WANTED_M + 60.0 * np.maximum(0.006 - gap_m, 0.0) / 0.01


def _cheapest(options: FloatArray, costs: FloatArray, seconds: FloatArray) -> FloatArray:
    """The coordinates ``(keys, 9)`` of the cheapest way (Viterbi)."""
    total = costs[0]
    back = np.zeros(costs.shape, dtype=np.int64)
    for k in range(1, len(costs)):
        turn = np.abs(_unwound(options[k][:, None] - options[k - 1][None]))
        speed = turn.max(axis=2) / seconds[k - 1]
        paid = total[None] + 0.12 * np.sum(turn**2, axis=2) / seconds[k - 1]
        paid += 8.0 * np.maximum(speed - _FAST_RADPS, 0.0) ** 2 * seconds[k - 1]
        back[k] = np.argmin(paid, axis=1)
        total = costs[k] + paid[np.arange(len(paid)), back[k]]
    chosen = int(np.argmin(total))
    path = np.zeros((len(costs), options.shape[2]))
    for k in range(len(costs) - 1, -1, -1):
        path[k] = options[k][chosen]
        chosen = int(back[k][chosen])
    return path


def _joined(wanted: FloatArray, frames: IntArray, bound: Bound, fps: float) -> FloatArray:
    """The way with the bound posture in it, left and reached with its velocity."""
    given = bound.coordinates
    out = wanted.copy()
    begin, end = bound.first - frames[0], bound.last - frames[0]
    rates = (given[3] - given[0]) / 3.0 * fps, (given[-1] - given[-4]) / 3.0 * fps
    later = np.arange(1, len(frames) - end) / fps
    coast = given[-1] + _FOLLOWS_S * (1.0 - np.exp(-later / _FOLLOWS_S))[:, None] * rates[1]
    out[end + 1 :] = coast + smoothstep(later / _LEAVES_S)[:, None] * _unwound(wanted[end + 1 :] - coast)
    earlier = np.arange(begin, 0, -1) / fps
    coast = given[0] - _FADES_S * (1.0 - np.exp(-earlier / _FADES_S))[:, None] * rates[0]
    out[:begin] = coast + smoothstep(earlier / _LEAVES_S)[:, None] * _unwound(wanted[:begin] - coast)
    out[begin : end + 1] = given
    return out


def _unwound(angles: FloatArray) -> FloatArray:
    return np.asarray((angles + np.pi) % (2.0 * np.pi) - np.pi)
