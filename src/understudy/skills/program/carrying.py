"""How somebody walks who carries something: the forearm held up, hardly swinging, while the other arm swings on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.editing import smoothstep
from understudy.core.limits import LimitKind
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.limbs.space import limb_space
from understudy.locomotion.footsteps.bearing import Bearing, borne, natural_turn
from understudy.performer.actions.figure import Figure
from understudy.typing import FloatArray

#: Ways to carry, the most natural first; what hangs swings with the arm.
BEARINGS: tuple[Bearing, ...] = (
    Bearing(name="at the side", ahead=0.40, below=0.60, aside=0.10),
    Bearing(name="in front", ahead=0.56, below=0.46, aside=-0.02),
    Bearing(name="aside", ahead=0.42, below=0.55, aside=0.28),
    Bearing(name="high", ahead=0.50, below=0.25, aside=0.05),
)

#: [s] before arriving that a hand begins to rise, and is up: near a shelf there is no room for it.
_RAISED_S = (1.7, 0.5)
#: [rad] by which the free arm is held off.
_ASIDE_RAD = 0.13
#: Shares of the way from upright to how a hand is most easily held.
_TILTED = (0.2, 0.4, 0.6, 0.8, 1.0)
#: [rad] how far beyond its limit a joint is brought back to it, unseen; and how far inside it then is.
_LITTLE_RAD, _INSIDE_RAD = 0.08, 1e-6


#: [m] room left above what stands there once it was put down, and within which heights, in arms below the shoulder.
_ABOVE_M, _BELOW = 0.07, (0.0, 0.6)


def over(skeleton: Skeleton, height_m: float, tall_m: float) -> Bearing:
    """How a hand is held that is about to put something down, or take it: above where it will be.

    Args:
        skeleton: Who.
        height_m: Of the surface, or of where it is taken.
        tall_m: How tall the thing is that will stand there; the empty hand leaves above it.
    """
    figure = Figure(skeleton)
    _, _, world = figure.trunk_world(figure.standing(1))
    shoulder = float(world.positions[0, skeleton.humanoid["leftUpperArm"], 1])
    below = (shoulder - height_m - tall_m - _ABOVE_M) / figure.arm_m
    return Bearing(name="over", ahead=0.4, below=float(np.clip(below, *_BELOW)), aside=0.1)


def nearer(bearing: Bearing) -> Bearing:
    """The same height, the hand nearer to the body: for who stands close to what is there."""
    return replace(bearing, name=f"{bearing.name}, near", ahead=0.22, aside=max(bearing.aside, 0.2))


def raised(motion: Motion, with_arm: Motion, arrive_s: float) -> Motion:
    """The first motion, going over into the second around the moment of arrival."""
    times = np.arange(len(motion)) / motion.fps
    share = smoothstep((times - arrive_s + _RAISED_S[0]) / (_RAISED_S[0] - _RAISED_S[1]))
    turns = rot.slerp(motion.rotations, rot.aligned(with_arm.rotations, motion.rotations), share[:, None])
    return replace(motion, rotations=rot.continuous(turns))


def aside(motion: Motion, hand: str) -> Motion:
    """The motion with an arm held off the body a little: who bends sideways to reach needs the room."""
    space = limb_space(fit_body(motion.skeleton), f"{hand}_arm")
    offset = np.zeros(len(space))
    offset[space.index("shoulder_raise")] = _ASIDE_RAD
    turned = space.with_offsets(motion.rotations, np.broadcast_to(offset, (len(motion), len(space))))
    return replace(motion, rotations=rot.continuous(rot.normalize(turned)))


def within_limits(motion: Motion, hand: str) -> Motion:
    """The motion with an arm's joints brought back to their limits where they are a little beyond."""
    space = limb_space(fit_body(motion.skeleton), f"{hand}_arm")
    coordinates = space.coordinates(motion.rotations)
    beyond = space.excess(coordinates)
    frames = np.flatnonzero((beyond.max(axis=1) > 0.0) & (beyond.max(axis=1) < _LITTLE_RAD))
    if len(frames) == 0:
        return motion
    limits, chain = space.body.limits, list(space.joints)
    low, high = limits.low[chain], limits.high[chain]
    at = coordinates[frames].reshape(len(frames), len(chain), 3)
    middle, half = 0.5 * (low + high), 0.5 * (high - low) - _INSIDE_RAD
    away = at - middle
    share = np.linalg.norm(away[..., :2] / np.maximum(half[:, :2], 1e-9), axis=-1, keepdims=True)
    swing = middle[:, :2] + away[..., :2] / np.maximum(share, 1.0)
    clipped = np.clip(at, middle - half, middle + half)
    ellipse = np.concatenate([swing, clipped[..., 2:]], axis=-1)
    own = np.where((limits.kinds[chain] == LimitKind.ELLIPSE)[:, None], ellipse, clipped)
    own = np.where((limits.kinds[chain] == LimitKind.FREE)[:, None], at, own)
    rotations = motion.rotations.copy()
    rotations[frames] = space.with_coordinates(rotations[frames], own.reshape(len(frames), -1))
    return replace(motion, rotations=rot.continuous(rot.normalize(rotations)))


def upright_turn(motion: Motion, hand: str, grip: FloatArray, upright: FloatArray, bearing: Bearing) -> FloatArray:
    """``(4,)`` how a hand is turned, seen from the body, so that what it holds is as upright as it first stood.

    Of all turns about the vertical the most natural one that the wrist allows; where it allows none, it is tilted.

    Args:
        motion: Whose hand.
        hand: Which.
        grip: ``(4,)`` the thing's rotation in the hand joint's frame.
        upright: ``(4,)`` how it first stood in the world.
        bearing: Where it is carried.
    """
    joint = motion.skeleton.humanoid[f"{hand}Hand"]
    back = rot.multiply(rot.conjugate(grip), rot.conjugate(t_pose_world(motion.skeleton)[1][joint]))
    yaws = rot.from_yaw(np.arange(36) * np.pi / 18.0)
    turns = rot.multiply(rot.multiply(yaws, upright), back)
    natural = natural_turn(hand)
    order = np.argsort(rot.angle_between(turns, natural), kind="stable")
    space = limb_space(fit_body(motion.skeleton), f"{hand}_arm")
    few = motion.frames(0, 2)
    best, least = turns[order[0]], np.inf
    # What cannot be held upright is tilted as little as the wrist needs.
    tilted = [rot.slerp(turns[order[0]], rot.aligned(natural, turns[order[0]]), share) for share in _TILTED]
    for turn in (*turns[order], *tilted):
        beyond = float(space.excess(space.coordinates(borne(few, hand, turn, bearing).rotations)).max())
        if beyond < least - 1e-6:
            best, least = turn, beyond
        if least <= 0.0:
            break
    return np.asarray(best)
