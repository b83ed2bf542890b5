"""A two-bone limb as it is in one pose of the body, and its hand turned this way and that."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.limbs._window_kernels import own_coordinates
from understudy.rotations._kernels import qconj_rot, qmul, qrot
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def fold(chain: IntArray, offsets: FloatArray, local: FloatArray, place: FloatArray, turn: FloatArray) -> None:
    """Where the last joint of a chain is ``place (3,)`` [m] and how its parent is turned, seen from the first joint.

    The chain is without that first joint; ``offsets`` and ``local`` are those of all joints.
    """
    x, y, z, turned = 0.0, 0.0, 0.0, (1.0, 0.0, 0.0, 0.0)
    for i in range(chain.shape[0]):
        j = chain[i]
        a, b, c = qrot(turned[0], turned[1], turned[2], turned[3], offsets[j, 0], offsets[j, 1], offsets[j, 2])
        x, y, z = x + a, y + b, z + c
        if i + 1 < chain.shape[0]:
            q = local[j]
            turned = qmul(turned[0], turned[1], turned[2], turned[3], q[0], q[1], q[2], q[3])
    place[0], place[1], place[2] = x, y, z
    turn[0], turn[1], turn[2], turn[3] = turned


@njit(cache=True, error_model="numpy")
def hinge_zero(
    kind: int, before: FloatArray, after: FloatArray, own: FloatArray, zero: FloatArray, hinge: FloatArray
) -> None:
    """A middle joint's rotation without its flexion ``zero (4,)``, and the axis of that ``hinge (3,)``.

    Its own rotation is ``own = before X(flexion) rest = (before rest) exp(hinge flexion)``, the flexion's axis seen
    through the rest.
    """
    w, x, y, z = qmul(before[0], -before[1], -before[2], -before[3], own[0], own[1], own[2], own[3])
    w, x, y, z = qmul(w, x, y, z, after[0], -after[1], -after[2], -after[3])
    _, second, third = own_coordinates(kind, w, x, y, z)
    cosine, sine = math.cos(0.5 * third), math.sin(0.5 * third)
    w, x, y, z = qmul(math.cos(0.5 * second), 0.0, math.sin(0.5 * second), 0.0, cosine, 0.0, 0.0, sine)
    w, x, y, z = qmul(w, x, y, z, after[0], after[1], after[2], after[3])
    hinge[0], hinge[1], hinge[2] = qconj_rot(w, x, y, z, 1.0, 0.0, 0.0)
    zero[0], zero[1], zero[2], zero[3] = qmul(before[0], before[1], before[2], before[3], w, x, y, z)


@njit(cache=True, error_model="numpy")
def twisted_hands(
    above: FloatArray, hand: FloatArray, along: FloatArray, twists: FloatArray, times: int, out: FloatArray
) -> None:
    """A hand's rotation on its forearm, twisted about the forearm by angles ``(n,)`` [rad]: ``out (n * times, 4)``.

    World rotations of the forearm and the hand and the forearm's direction ``(3,)`` in the world are given; every
    rotation is written ``times`` times in a row.
    """
    w, x, y, z = above[0], -above[1], -above[2], -above[3]
    a, b, c = qrot(w, x, y, z, along[0], along[1], along[2])
    own = qmul(w, x, y, z, hand[0], hand[1], hand[2], hand[3])
    for i in range(twists.shape[0]):
        sine = math.sin(0.5 * twists[i])
        q = qmul(math.cos(0.5 * twists[i]), sine * a, sine * b, sine * c, own[0], own[1], own[2], own[3])
        for k in range(i * times, (i + 1) * times):
            out[k, 0], out[k, 1], out[k, 2], out[k, 3] = q
