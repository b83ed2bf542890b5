"""How fast a body may move: so that it does not topple, and so that its feet come to the floor gently.

The capture point is the centre of mass, ahead by its velocity times ``sqrt(height / gravity)``. A motion is paced so
that this point is nowhere farther outside what carries the body than people lean, or than the centre of mass is at
rest. Over feet that stay where they are that never stops anybody: their support is convex, and the centre stays above
the line between its two ends (``Problem.between``). Feet near the floor move no faster than those that publications
count as standing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.kinematics import WorldTransforms, centre_of_mass, forward
from understudy.postures.averaging import envelope
from understudy.postures.bearing import NEAR_M, SIDES
from understudy.postures.pins import KEY_M
from understudy.typing import BoolArray, FloatArray, IntArray

GRAVITY_MPS2 = 9.81
#: [m] feet are near the floor, and [m/s] slow: the published ratio of foot skate (``[Kimodo]``).
LOW_M, SLOW_MPS = 0.05, 0.2
#: [m] how thick a foot is under its ball, by the same publication.
SOLE_M = 0.025
#: [m/s] how much speed a joint gains in a frame at most: places too tight to be smoothed are passed more slowly.
_JUMP_MPS = 0.2
#: Directions that a point is seen from.
_DIRECTIONS = 32
_LEVEL = [0, 2]
#: [m] how far outside the capture point may be: less than half as far as that of recorded people who step and bend.
_LEAN_M = 0.05
#: [s] half of the time in which a pace changes.
_CHANGES_S = 0.1


def unhurried_times(body: Body, motion: Motion, rests: IntArray, *, balanced: bool) -> FloatArray:
    """``(n - 1,)`` the least time from frame to frame of a planned motion [s], so that nobody topples or stamps.

    Args:
        body: Whose; a humanoid.
        motion: The motion, above a floor at ``y = 0``.
        rests: Frames that are in balance when they are held.
        balanced: Whether feet or hands bear the body that stay where they are.
    """
    world = forward(body.skeleton, motion.root_positions, motion.rotations)
    slow = np.maximum(_foot_times(body, world, rests), _corner_times(world))
    return np.maximum(balance_times(body, world, rests), slow) if balanced else slow


def paced(least_s: FloatArray, fps: float, *, rests: Sequence[int] | IntArray = (), stretch: float = 1.0) -> FloatArray:
    """Frames, not rounded, to be played so that ``least_s (n - 1,)`` pass from each to the next; ``rests`` are met.

    Everything takes ``stretch`` times as long.
    """
    pace = stretch * envelope(np.maximum(least_s * fps, 1.0), _CHANGES_S * fps)
    clock = np.concatenate([[0.0], np.cumsum(pace)])
    marks = np.unique([0, len(clock) - 1, *rests])
    clock = np.interp(clock, clock[marks], np.ceil(clock[marks] - 1e-6))
    return np.interp(np.arange(round(clock[-1]) + 1), clock, np.arange(len(clock)))


def balance_times(
    body: Body, world: WorldTransforms, rests: Sequence[int] | IntArray, *, stops: bool = False
) -> FloatArray:
    """``(n - 1,)`` the least time from each posture to the next in which nobody topples [s].

    Args:
        body: Whose.
        world: ``n`` postures above a floor at ``y = 0``.
        rests: Postures that are in balance when they are held.
        stops: Whether somebody who moves freely comes to a stop at the end: only there, as far back as the centre of
            mass is no farther outside than at rest, is balance asked for.
    """
    centres = centre_of_mass(world, body.masses, body.coms)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    points = np.concatenate([starts, ends], axis=1)
    radii = np.tile(body.capsule_radii, 2)
    carries = points[..., 1] - radii < NEAR_M
    if not stops:
        # What is on the floor in every posture of rest stays there.
        carries = np.broadcast_to(carries[np.asarray(rests)].all(axis=0), carries.shape)
    angles = np.linspace(0.0, 2.0 * np.pi, _DIRECTIONS, endpoint=False)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    tangents = np.where(carries[..., None], points[..., _LEVEL] @ ways.T + radii[:, None], -np.inf).max(axis=1)
    beyond = centres[:, _LEVEL] @ ways.T - tangents
    outside = np.maximum(beyond.max(axis=1), 0.0)
    most = max(float(outside[np.asarray(rests)].max()), _LEAN_M)
    if not np.isfinite(most):
        return np.zeros(len(centres) - 1)
    room = np.maximum(most - beyond, 0.0) + KEY_M
    speed = np.maximum(np.diff(centres[:, _LEVEL], axis=0) @ ways.T, 0.0)
    fall_s = np.sqrt(np.maximum(centres[1:, 1], 0.0) / GRAVITY_MPS2)
    least = fall_s * (speed / _log_mean(room[:-1], room[1:])).max(axis=1)
    asked = outside <= most + KEY_M
    asked = _last_run(asked) if stops else asked
    return np.where(asked[1:], least, 0.0)


def _foot_times(body: Body, world: WorldTransforms, rests: IntArray) -> FloatArray:
    """``(n - 1,)`` the least time from each posture to the next at which feet near the floor are slow [s].

    Their floor is where the higher one of them rests: in recordings one foot is often a little higher than the other,
    and the heels of somebody who lies are lower than the balls.
    """
    roles = body.skeleton.humanoid
    ankles = world.positions[:, [roles[f"{side}Foot"] for side in SIDES]]
    balls = world.positions[:, [roles.get(f"{side}Toes", roles[f"{side}Foot"]) for side in SIDES]]
    lower = np.minimum(ankles[rests, :, 1], balls[rests, :, 1])
    floor_m = float(lower[lower < lower.min() + NEAR_M].max()) - SOLE_M
    height = np.maximum(balls[1:, :, 1], balls[:-1, :, 1]) - floor_m
    # Higher up they are faster, without a jump.
    speed = SLOW_MPS * np.maximum(height / LOW_M, 1.0) ** 4
    return np.asarray((np.linalg.norm(np.diff(balls, axis=0), axis=-1) / speed).max(axis=1))


def _corner_times(world: WorldTransforms) -> FloatArray:
    """``(n - 1,)`` the least time from each posture to the next at which nothing jerks round a corner [s]."""
    bends = np.linalg.norm(np.diff(world.positions, n=2, axis=0), axis=-1).max(axis=1) / _JUMP_MPS
    return np.asarray(np.maximum(np.pad(bends, (0, 1)), np.pad(bends, (1, 0))))


def _log_mean(a: FloatArray, b: FloatArray) -> FloatArray:
    """Logarithmic means: somebody whose speed is in proportion to the room left takes so much room in the mean."""
    ratio = a / b
    near = np.abs(ratio - 1.0) < 1e-6
    return np.where(near, 0.5 * (a + b), (a - b) / np.log(np.where(near, 2.0, ratio)))


def _last_run(flags: BoolArray) -> BoolArray:
    """The flags that are set without a gap up to the last one."""
    return np.asarray(np.logical_and.accumulate(flags[::-1])[::-1])
