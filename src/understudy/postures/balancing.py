"""How fast a body may move without toppling: its capture point stays where the ends of its way are in balance.

The capture point is the centre of mass, ahead by its velocity times ``sqrt(height / gravity)``. A motion is paced so
that this point is nowhere farther outside what carries the body than the centre of mass is at the ends of the way. Over
feet that stay where they are that never stops anybody: their support is convex, and the centre stays above the line
between its two ends (``pins.with_centre``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.core.body import Body
from understudy.kinematics import centre_of_mass, forward
from understudy.postures.bearing import NEAR_M
from understudy.postures.pins import KEY_M
from understudy.typing import BoolArray, FloatArray, IntArray

GRAVITY_MPS2 = 9.81
#: Directions that a point is seen from.
_DIRECTIONS = 32
_LEVEL = [0, 2]
#: How much of the room that is left the capture point may be ahead.
_AHEAD = 0.5


def centres_of(body: Body, roots: FloatArray, rotations: FloatArray) -> FloatArray:
    """``(n, 3)`` centres of mass of postures [m]."""
    return centre_of_mass(forward(body.skeleton, roots, rotations), body.masses, body.coms)


def least_times(
    body: Body, roots: FloatArray, rotations: FloatArray, rests: Sequence[int] | IntArray, *, stops: bool = False
) -> FloatArray:
    """``(n - 1,)`` the least time from each posture of a way to the next [s].

    Args:
        body: Whose.
        roots: ``(n, 3)`` root positions above a floor at ``y = 0`` [m].
        rotations: ``(n, joints, 4)``.
        rests: Postures that are in balance when they are held.
        stops: Whether somebody who moves freely comes to a stop at the end: only there, as far back as the centre of
            mass is no farther outside than at rest, is balance asked for.
    """
    world = forward(body.skeleton, roots, rotations)
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
    outside[~carries.any(axis=1)] = np.inf
    most = float(outside[np.asarray(rests)].max())
    if not np.isfinite(most):
        return np.zeros(len(centres) - 1)
    room = _AHEAD * (np.maximum(most - beyond, 0.0) + KEY_M)
    speed = np.maximum(np.diff(centres[:, _LEVEL], axis=0) @ ways.T, 0.0)
    fall_s = np.sqrt(np.maximum(centres[1:, 1], 0.0) / GRAVITY_MPS2)
    least = fall_s * (speed / _log_mean(room[:-1], room[1:])).max(axis=1)
    asked = outside <= most + KEY_M
    asked = _last_run(asked) if stops else asked
    return np.where(asked[1:], least, 0.0)


def _log_mean(a: FloatArray, b: FloatArray) -> FloatArray:
    """Logarithmic means: somebody whose speed is in proportion to the room left takes so much room in the mean."""
    ratio = a / b
    near = np.abs(ratio - 1.0) < 1e-6
    return np.where(near, 0.5 * (a + b), (a - b) / np.log(np.where(near, 2.0, ratio)))


def _last_run(flags: BoolArray) -> BoolArray:
    """The flags that are set without a gap up to the last one."""
    return np.asarray(np.logical_and.accumulate(flags[::-1])[::-1])
