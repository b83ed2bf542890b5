"""What compiled kernels see of a posture space: joints and capsules, pins, scratch.

Coordinates of a posture are one vector ``(6 + 3 (joints - 1),)``: root position [m] (with the grounded flag, its second
number is the height of the lowest point above the floor instead), a rotation vector of the root [rad] away from a
reference turn, then three turns per joint in the coordinates of its limit (``core.limits``), in which limits are
convex. Joint ``j`` has the numbers ``3 + 3 j`` to ``5 + 3 j``; the root is joint 0.

Tables are few and wide on purpose: every array that a kernel hands to another costs time to compile. For the same
reason solids and pins may be ``None``, which compiles kernels without them.

Gaps that must be kept are a vector ``keep`` [m]: the body's own pairs, then for each solid every capsule; minus
infinity where a pair may touch. Steps take two of them, ``(2, pairs)``: gaps of postures, and gaps certified along
moves. They differ where a part rests on the floor: how far it may move at most says nothing there.
"""

from __future__ import annotations

from typing import NamedTuple

from understudy.collision.tables import SolidArrays
from understudy.typing import FloatArray, IntArray

#: How a joint's three numbers turn it, beside the values of ``core.limits.LimitKind``.
FREE, ELLIPSE, AXES, ROOT = 0, 1, 2, 3

#: Columns of ``SpaceArrays.tree``.
PARENT, KIND = 0, 1
#: Columns of ``SpaceArrays.joints``: offset, turns before and after the joint's own one, lower and upper limits.
OFFSET, LEFT, RIGHT, LOW, HIGH = 0, 3, 7, 11, 14
#: Columns of ``SpaceArrays.capsules``: both ends, radius, half the axis, whether it carries a grounded body.
RADIUS, HALF, CARRIES = 6, 7, 8
#: Columns of ``Room.joints``: world position and turn, three axes, force and moment (or spin and speed).
AT, TURNED, AXIS, FORCE, MOMENT = 0, 3, 7, 16, 19
#: Columns of ``Room.capsules``: both ends, the middle, and each end's share in carrying the body.
MIDDLE, SUPPORT = 6, 9
#: Columns of ``Room.near``: gap, normal, point on the first capsule's axis, distance of the axes (for solids: the gap
#: that the energy sees).
GAP, NORMAL, POINT, APART = 0, 1, 4, 7
#: Columns of ``PinArrays.numbers`` (point in the joint's frame, world turn) and ``PinArrays.indices``.
PIN_POINT, PIN_TURN = 0, 3
PIN_JOINT, PIN_TURNED, PIN_FIRST, PIN_LAST = 0, 1, 2, 3
#: [m], [rad] how near a pin every planned posture is; a fifth of what is promised.
PIN_M = 2e-4
#: What ``PIN_JOINT`` is where the centre of mass is pinned; its curve is level, and its height is free.
CENTRE = -1


class SpaceArrays(NamedTuple):
    """A body as coordinates move it.

    Attributes:
        tree: ``(joints, 2)`` parent and kind.
        joints: ``(joints, 17)`` see the columns above.
        carriers: ``(capsules,)`` joint of each capsule.
        capsules: ``(capsules, 9)`` see the columns above [m].
        pairs: ``(pairs, 3)`` two capsules that must not touch, and the lowest joint both hang from.
        touching: ``(pairs,)`` [m] distance of the axes at which they touch.
        reach: ``(joints, capsules)`` [m] farthest a capsule's axis can be from a joint it hangs from.
        movable: ``(coordinates,)`` 1 where the energy may move a coordinate, 0 where it is only interpolated.
        grounded: Whether the root's height follows the lowest point.
    """

    tree: IntArray
    joints: FloatArray
    carriers: IntArray
    capsules: FloatArray
    pairs: IntArray
    touching: FloatArray
    reach: FloatArray
    movable: FloatArray
    grounded: bool


class PlainSolids(NamedTuple):
    """Solids that are boxes, balls, capsules or ground: the columns of ``collision.tables.SolidArrays`` they need.

    Attributes:
        rows: ``(solids, 22)``.
        kinds: ``(solids, 3)``.
    """

    rows: FloatArray
    kinds: IntArray


#: What stands around, for kernels.
Solids = SolidArrays | PlainSolids


class PinArrays(NamedTuple):
    """Points of joints that must stay on a curve, and joints that must keep their turn.

    Attributes:
        indices: ``(pins, 4)`` joint, whether the turn is kept, first and one past the last of the pin's curve points.
        numbers: ``(pins, 7)`` point in the joint's frame [m], world rotation.
        curve: ``(points, 3)`` [m] of all pins; a pin with one point is fixed.
        masses: ``(joints, 4)`` share of the body's mass that hangs on a joint, and its middle in the joint's frame [m].
    """

    indices: IntArray
    numbers: FloatArray
    curve: FloatArray
    masses: FloatArray


class Room(NamedTuple):
    """Scratch of one evaluation: see the columns above.

    Attributes:
        joints: ``(joints, 22)``.
        capsules: ``(capsules, 11)``.
        near: ``(pairs + capsules * solids, 8)``.
    """

    joints: FloatArray
    capsules: FloatArray
    near: FloatArray


class Walk(NamedTuple):
    """How a posture steps downhill.

    Attributes:
        falloff: The energy's exponent ``d``.
        beta: How far a deflected step bends downhill.
        step: Longest step [rad].
    """

    falloff: int
    beta: float
    step: float
