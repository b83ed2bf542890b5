"""The laws of flight, release, impact and contact, each a function of a few places, velocities, directions and times.

A ball is a capsule of no length. A body that is round about one axis keeps its angular momentum ``L`` and carries its
axis ``a`` around it at an even pace: with ``h = L / I_across``, ``a(t) = Exp(h t) a``, and it turns at
``h + (h a)(I_across / I_along - 1) a``. So ``h`` stays the same from impact to impact; it is an arc's spin.

A law is written once, in complex arithmetic, and differentiated by steps along the imaginary axis, which is exact to
rounding: nothing is subtracted. ``_term_kernels`` says where the numbers come from.
"""

from __future__ import annotations

import numpy as np

from understudy.core.uncounted import uncounted
from understudy.interaction._complex_kernels import Numbers, Vector, along, at_slot, cross, dot, nearest, times
from understudy.typing import BoolArray, FloatArray

#: [m/s^2] along Y.
GRAVITY = -9.81

#: How an arc begins: with a given velocity, from a hand, off a surface, off another body.
GIVEN, RELEASED, BOUNCED, KNOCKED = range(4)
#: How far a body is off what it touches.
TOUCHES = 4
#: In flight: place, velocity, highest point, where a capsule's axis points, how it turns; and the speed at which a body
#: comes to the surface that its arc begins at.
PLACE, VELOCITY, APEX, POINTING, TURNING, APPROACH = range(5, 11)
#: Of a node: its place and velocity, where a capsule's axis points there, how it turns.
NODE_PLACE, NODE_VELOCITY, NODE_POINTING, NODE_TURNING = range(11, 15)
#: How far a ball is off a palm, along the palm's normal; how far the axes of two things are apart.
LEAVES, APART = 15, 16

#: Numbers of a law by place. Durations: of the arc before, of this one, since its start; of the second body's arc
#: before (or its present one), since that one's start; then the restitution.
BEFORE, LASTS, SINCE, BEFORE2, SINCE2, BOUNCE = range(6)
#: Places: where the arc before begins, where this one begins and ends; the same of a second body.
FROM, AT, TO, FROM2, AT2, TO2 = range(6, 24, 3)
#: Velocity and spin of what it leaves.
MOVING, SPINNING = 24, 27
#: Axes where it begins and ends and of the second body; directions across the axis that it is to be caught with.
AXIS, AXIS_TO, AXIS2, ACROSS, ACROSS2 = range(30, 45, 3)
#: Ends of the axis of what is touched, and of a second thing.
NEAR, FAR, NEAR2, FAR2 = range(45, 57, 3)
#: ``h`` before and after, and of the second body.
SPIN_IN, SPIN_OUT, SPIN2, NUMBERS = 57, 60, 63, 66

#: What is touched: a plane, a rounded segment, another body.
FLAT, ROUND, BODY = range(3)
#: What one of two things is that stay apart: a point of a node, something that flies, the axis of a capsule.
POINT, FLIGHT, SEGMENT = range(3)
#: Facts of a law by place: the law; what is touched (its kind, what is around its axis [m], the end that meets a plane,
#: the plane); the body's size, moments and friction; the mass and moments of a second one; how many rows its axis has;
#: what the two things are that stay apart.
LAW, KIND, THICK, END, NORMAL, LEVEL = 0, 1, 2, 3, 4, 7
RADIUS, HALF, ACROSS_M2, SHARE, FRICTION = range(8, 13)
MASSES, HALF2, ACROSS2_M2, SHARE2, AXIS_ROWS, THING, THING2, FACTS = range(13, 21)
ROWS = 10
_STEP = 1e-30


@uncounted
def _carried(axis: Vector, spin: Vector, time: complex) -> Vector:
    """The axis after a while: turned about ``spin``."""
    turn = times(time, spin)
    square = dot(turn, turn)
    if abs(square) < 1e-6:
        sine = 1.0 - square / 6.0 + square * square / 120.0
        cosine = 0.5 - square / 24.0 + square * square / 720.0
    else:
        angle = np.sqrt(square)
        sine, cosine = np.sin(angle) / angle, (1.0 - np.cos(angle)) / square
    across = cross(turn, axis)
    return along(along(axis, sine, across), cosine, cross(turn, across))


@uncounted
def _turning(spin: Vector, axis: Vector, share: float) -> Vector:
    """Angular velocity from ``h``; ``share`` is ``I_along / I_across``."""
    return along(spin, dot(spin, axis) * (1.0 / share - 1.0), axis)


@uncounted
def touch(z: Numbers, facts: FloatArray) -> tuple[complex, Vector, Vector]:
    """Gap [m], the contact point, seen from the centre, and the normal away from what is touched."""
    at, arm, radius = at_slot(z, AT), times(facts[HALF], at_slot(z, AXIS)), facts[RADIUS]
    if facts[KIND] == FLAT:
        normal = (facts[NORMAL] + 0.0j, facts[NORMAL + 1] + 0.0j, facts[NORMAL + 2] + 0.0j)
        lever = times(facts[END] + 0.0j, arm)
        gap = dot(normal, along(at, 1.0, lever)) - facts[LEVEL] - radius
        return gap, along(lever, -radius, normal), normal
    near, far = at_slot(z, NEAR), at_slot(z, FAR)
    if facts[KIND] == BODY:
        other, side = at_slot(z, AT2), at_slot(z, AXIS2)
        near, far = along(other, -facts[HALF2], side), along(other, facts[HALF2], side)
    share, away = nearest(along(at, -1.0, arm), times(2.0 + 0.0j, arm), near, along(far, -1.0, near))
    distance = np.sqrt(dot(away, away))
    normal = times(1.0 / distance, away)
    return distance - radius - facts[THICK], along(times(2.0 * share - 1.0, arm), -radius, normal), normal


@uncounted
def _yields(push: Vector, lever: Vector, axis: Vector, across: float, share: float) -> Vector:
    """How a push at a point changes that point's velocity, for a mass of 1."""
    side = cross(lever, axis)
    turned = along(times(dot(lever, lever), push), -dot(lever, push), lever)
    return along(push, 1.0 / across, along(turned, (1.0 / share - 1.0) * dot(side, push), side))


@uncounted
def _gives(push: Vector, z: Numbers, facts: FloatArray, lever: Vector) -> Vector:
    """How a push at the contact changes the velocity of both sides of it relative to each other, for a mass of 1."""
    own = _yields(push, lever, at_slot(z, AXIS), facts[ACROSS_M2], facts[SHARE])
    if facts[KIND] != BODY:
        return own
    there = along(along(lever, 1.0, at_slot(z, AT)), -1.0, at_slot(z, AT2))
    return along(own, facts[MASSES], _yields(push, there, at_slot(z, AXIS2), facts[ACROSS2_M2], facts[SHARE2]))


@uncounted
def _push(z: Numbers, facts: FloatArray, lever: Vector, slide: Vector, normal: Vector) -> Vector:
    """Impulse for a mass of 1: restitution along the normal, Coulomb's friction across it, sticking where it can."""
    speed, bounce, friction = dot(slide, normal), z[BOUNCE], facts[FRICTION]
    if friction == 0.0:
        return times(-(1.0 + bounce) * speed / dot(normal, _gives(normal, z, facts, lever)), normal)
    need = along(times(-bounce * speed, normal), -1.0, slide)
    one, none = 1.0 + 0.0j, 0.0j
    a, b = _gives((one, none, none), z, facts, lever), _gives((none, one, none), z, facts, lever)
    c = _gives((none, none, one), z, facts, lever)
    bc = cross(b, c)
    size = dot(a, bc)
    push = (dot(bc, need) / size, dot(cross(c, a), need) / size, dot(cross(a, b), need) / size)
    pressed = dot(push, normal)
    side = along(push, -pressed, normal)
    if dot(side, side).real <= (friction * pressed.real) ** 2:
        return push
    # While an edit is not at rest yet a body may part from what it is to bounce off; friction holds it back then, too.
    across, sign = along(slide, -speed, normal), 1.0 if speed.real <= 0.0 else -1.0
    way = along(normal, -sign * friction / np.sqrt(dot(across, across)), across)
    return times(-(1.0 + bounce) * speed / dot(normal, _gives(way, z, facts, lever)), way)


@uncounted
def _flown(z: Numbers, start: int, end: int, lasts: int, since: int) -> Vector:
    """Place in flight."""
    share, at = z[since] / z[lasts], at_slot(z, start)
    x, y, w = along(at, share, along(at_slot(z, end), -1.0, at))
    return x, y - 0.5 * GRAVITY * z[since] * (z[lasts] - z[since]), w


@uncounted
def _flying(z: Numbers, start: int, end: int, lasts: complex, since: complex) -> Vector:
    """Velocity in flight."""
    x, y, w = times(1.0 / lasts, along(at_slot(z, end), -1.0, at_slot(z, start)))
    return x, y + GRAVITY * (since - 0.5 * lasts), w


@uncounted
def struck(z: Numbers, facts: FloatArray) -> tuple[Vector, Vector]:
    """Velocity and ``h`` after an impact."""
    _, lever, normal = touch(z, facts)
    before = at_slot(z, SPIN_IN)
    arriving = _flying(z, FROM, AT, z[BEFORE], z[BEFORE])
    slide = along(arriving, 1.0, cross(_turning(before, at_slot(z, AXIS), facts[SHARE]), lever))
    if facts[KIND] == BODY:
        there = along(along(lever, 1.0, at_slot(z, AT)), -1.0, at_slot(z, AT2))
        slide = along(slide, -1.0, _flying(z, FROM2, AT2, z[BEFORE2], z[BEFORE2]))
        slide = along(slide, -1.0, cross(_turning(at_slot(z, SPIN2), at_slot(z, AXIS2), facts[SHARE2]), there))
    else:
        slide = along(along(slide, -1.0, at_slot(z, MOVING)), -1.0, cross(at_slot(z, SPINNING), lever))
    push = _push(z, facts, lever, slide, normal)
    return along(arriving, 1.0, push), along(before, 1.0 / facts[ACROSS_M2], cross(lever, push))


@uncounted
def _begun(law: int, z: Numbers, facts: FloatArray, out: Numbers) -> None:
    """How an arc begins: by how much its end is missed, its spin, and how its axis points at the end."""
    axis, spin = at_slot(z, AXIS), at_slot(z, SPIN_OUT)
    arm = facts[HALF] + facts[RADIUS]
    velocity, after = at_slot(z, MOVING), spin
    if law == RELEASED:
        turn = at_slot(z, SPINNING)
        after = along(turn, (facts[SHARE] - 1.0) * dot(turn, axis), axis)
    elif law in (BOUNCED, KNOCKED):
        velocity, after = struck(z, facts)
    for i in range(3):
        out[i] = z[TO + i] - z[AT + i] - z[LASTS] * velocity[i]
        out[3 + i] = arm * (spin[i] - after[i])
    out[1] -= 0.5 * GRAVITY * z[LASTS] * z[LASTS]
    if facts[AXIS_ROWS] == 0.0:
        return
    pointing = _carried(axis, spin, z[LASTS])
    for i in range(3):
        out[6 + i] = arm * (z[AXIS_TO + i] - pointing[i])
    if facts[AXIS_ROWS] == 2.0:
        out[6], out[7] = arm * dot(at_slot(z, ACROSS), pointing), arm * dot(at_slot(z, ACROSS2), pointing)


@uncounted
def _asked(law: int, z: Numbers, facts: FloatArray) -> Vector:
    """What a person may take hold of, in flight or at a node."""
    if law == PLACE:
        return _flown(z, AT, TO, LASTS, SINCE)
    if law == VELOCITY:
        return _flying(z, AT, TO, z[LASTS], z[SINCE])
    if law == APEX:
        up = _flying(z, AT, TO, z[LASTS], 0.0j)[1]
        return 0.0j, z[AT + 1] - 0.5 * up * up / GRAVITY, 0.0j
    if law == APPROACH:
        _, _, normal = touch(z, facts)
        arriving = _flying(z, FROM, AT, z[BEFORE], z[BEFORE])
        return dot(along(at_slot(z, MOVING), -1.0, arriving), normal), 0.0j, 0.0j
    if law in (POINTING, TURNING):
        spin = at_slot(z, SPIN_OUT)
        pointing = _carried(at_slot(z, AXIS), spin, z[SINCE])
        return pointing if law == POINTING else _turning(spin, pointing, facts[SHARE])
    if law == NODE_PLACE:
        return at_slot(z, AT)
    if law == NODE_VELOCITY:
        return at_slot(z, MOVING)
    return at_slot(z, AXIS) if law == NODE_POINTING else at_slot(z, SPINNING)


@uncounted
def _apart(z: Numbers, facts: FloatArray) -> complex:
    """Distance of the axes of two things [m]."""
    none = (0.0j, 0.0j, 0.0j)
    p, u, q, v = at_slot(z, AT), none, at_slot(z, AT2), none
    if facts[THING] == FLIGHT:
        p = _flown(z, AT, TO, LASTS, SINCE)
    elif facts[THING] == SEGMENT:
        p, u = at_slot(z, NEAR), along(at_slot(z, FAR), -1.0, at_slot(z, NEAR))
    if facts[THING2] == FLIGHT:
        q = _flown(z, AT2, TO2, BEFORE2, SINCE2)
    elif facts[THING2] == SEGMENT:
        q, v = at_slot(z, NEAR2), along(at_slot(z, FAR2), -1.0, at_slot(z, NEAR2))
    _, away = nearest(p, u, q, v)
    square = dot(away, away)
    return np.sqrt(square) if square.real > 1e-18 else 0.0j


@uncounted
def rows_of(z: Numbers, facts: FloatArray, out: Numbers) -> None:
    """Ten rows: where the arc ends, its spin, how its axis points at the end or what is asked, and a gap [m]."""
    law = int(facts[LAW])
    out[:] = 0.0
    if law <= KNOCKED:
        _begun(law, z, facts, out)
    elif law == TOUCHES:
        out[9] = touch(z, facts)[0]
    elif law == LEAVES:
        palm, near = at_slot(z, AT2), at_slot(z, NEAR)
        _, normal = nearest(palm, (0.0j, 0.0j, 0.0j), near, along(at_slot(z, FAR), -1.0, near))
        off = along(_flown(z, AT, TO, LASTS, SINCE), -1.0, palm)
        out[9] = dot(off, normal) / np.sqrt(dot(normal, normal))
    elif law == APART:
        out[9] = _apart(z, facts)
    else:
        out[6], out[7], out[8] = _asked(law, z, facts)


@uncounted
def derived(
    numbers: FloatArray, facts: FloatArray, used: BoolArray, z: Numbers, out: Numbers, value: FloatArray, by: FloatArray
) -> None:
    """Rows ``value`` ``(10,)`` and, unless ``by`` is empty, their derivatives ``(10, 66)`` by the numbers ``used``.

    ``z`` ``(66,)`` and ``out`` ``(10,)`` are room to work in; derivatives by other numbers stay as they are.
    """
    for k in range(numbers.shape[0]):
        z[k] = numbers[k]
    rows_of(z, facts, out)
    for i in range(ROWS):
        value[i] = out[i].real
    for k in range(numbers.shape[0] if by.shape[0] else 0):
        if used[k]:
            z[k] = numbers[k] + _STEP * 1j
            rows_of(z, facts, out)
            for i in range(ROWS):
                by[i, k] = out[i].imag / _STEP
            z[k] = numbers[k]
