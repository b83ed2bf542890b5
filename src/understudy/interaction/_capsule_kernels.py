"""A flying capsule: turning in flight in closed form, touching, and the law of impact with its lever arms.

A body that is round about one axis keeps its angular momentum ``L`` and carries its axis ``a`` around it at an even
pace: with ``h = L / I_across``, ``a(t) = Exp(h t) a``, and it turns at
``h + (h a)(I_across / I_along - 1) a``. So ``h`` stays the same from impact to impact; it is what an arc of
a capsule has for a spin.

All rows of one arc are one function of 55 numbers. It is written in complex arithmetic and differentiated by steps
along the imaginary axis, which is exact to rounding: nothing is subtracted.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from understudy.compiling.kernel import njit
from understudy.interaction._row_kernels import BOUNCED, GIVEN, GRAVITY, KNOCKED, RELEASED
from understudy.typing import FloatArray

Numbers: TypeAlias = npt.NDArray[np.complex128]

#: Where the numbers are: durations of the arc before and of this one; places where those begin and end; both spins;
#: axes at its ends; velocity and spin of what it leaves; ends of the surface's axis, seen from the centre; restitution.
BEFORE, LASTS, FROM, AT, TO = 0, 1, 2, 5, 8
SPIN_IN, SPIN_OUT, AXIS, AXIS_TO, VELOCITY, TURNING, NEAR, FAR, BOUNCE = 11, 14, 17, 20, 23, 26, 29, 32, 35
#: The same of a second body that is met; directions across the axis it is to be caught with.
BEFORE2, FROM2, AT2, SPIN2, AXIS2, ACROSS, ACROSS2, NUMBERS = 36, 37, 40, 43, 46, 49, 52, 55
#: Further laws: only how it touches; where its axis points; how it turns.
TOUCHES, POINTS, TURNS = 4, 5, 6
#: What it touches.
FLAT, ROUND, BODY = 0, 1, 2
#: Numbers of :data:`Facts` by place.
LAW, KIND, RADIUS, HALF, ACROSS_M2, SHARE, FRICTION, END = 0, 1, 2, 3, 4, 5, 6, 7
NORMAL, LEVEL, THICK, MASSES, HALF2, ACROSS2_M2, SHARE2, GIVEN_AXIS, FACTS = 8, 11, 12, 13, 14, 15, 16, 17, 18
ROWS = 10
_STEP = 1e-30


@njit(cache=True, error_model="numpy")
def _dot(a: Numbers, b: Numbers) -> complex:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, error_model="numpy")
def _cross(a: Numbers, b: Numbers) -> Numbers:
    out = np.empty(3, dtype=np.complex128)
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
    return out


@njit(cache=True, error_model="numpy")
def _clipped(x: complex) -> complex:
    return 0.0 + 0.0j if x.real < 0.0 else (1.0 + 0.0j if x.real > 1.0 else x)


@njit(cache=True, error_model="numpy")
def _carried(axis: Numbers, spin: Numbers, time: complex) -> Numbers:
    """The axis after a while: turned about ``spin``."""
    turn = spin * time
    square = _dot(turn, turn)
    if abs(square) < 1e-6:
        sine = 1.0 - square / 6.0 + square * square / 120.0
        cosine = 0.5 - square / 24.0 + square * square / 720.0
    else:
        angle = np.sqrt(square)
        sine, cosine = np.sin(angle) / angle, (1.0 - np.cos(angle)) / square
    across = _cross(turn, axis)
    return axis + sine * across + cosine * _cross(turn, across)


@njit(cache=True, error_model="numpy")
def turning(spin: Numbers, axis: Numbers, share: float) -> Numbers:
    """Angular velocity from ``h``; ``share`` is ``I_along / I_across``."""
    return spin + _dot(spin, axis) * (1.0 / share - 1.0) * axis


@njit(cache=True, error_model="numpy")
def _touch(z: Numbers, facts: FloatArray, lever: Numbers, normal: Numbers) -> complex:
    """Gap [m]; fills the contact point, seen from the centre, and the normal away from what is touched."""
    axis, half, radius = z[AXIS : AXIS + 3], facts[HALF], facts[RADIUS]
    if facts[KIND] == FLAT:
        gap = -facts[LEVEL] - radius + 0.0j
        for i in range(3):
            normal[i] = facts[NORMAL + i]
            lever[i] = facts[END] * half * axis[i]
            gap += normal[i] * (z[AT + i] + lever[i])
            lever[i] -= radius * normal[i]
        return gap
    near, far = z[NEAR : NEAR + 3], z[FAR : FAR + 3]
    if facts[KIND] == BODY:
        away = z[AT2 : AT2 + 3] - z[AT : AT + 3]
        near = away - facts[HALF2] * z[AXIS2 : AXIS2 + 3]
        far = away + facts[HALF2] * z[AXIS2 : AXIS2 + 3]
    u, v, w = 2.0 * half * axis, far - near, -half * axis - near
    uu, vv, uv, uw, vw = _dot(u, u), _dot(v, v), _dot(u, v), _dot(u, w), _dot(v, w)
    scale = uu * vv - uv * uv
    s, t = 0.5 + 0.0j, 0.0 + 0.0j
    if scale.real > 1e-12 * uu.real * vv.real and scale.real > 1e-18:
        s = _clipped((uv * vw - vv * uw) / scale)
    if vv.real > 1e-18:
        t = _clipped((uv * s + vw) / vv)
    if uu.real > 1e-18:
        s = _clipped((uv * t - uw) / uu)
    away = w + s * u - t * v
    distance = np.sqrt(_dot(away, away))
    for i in range(3):
        normal[i] = away[i] / distance
        lever[i] = (s - 0.5) * u[i] - radius * normal[i]
    return distance - radius - facts[THICK]


@njit(cache=True, error_model="numpy")
def _yields(lever: Numbers, axis: Numbers, across: float, share: float, scale: float, out: Numbers) -> None:
    """Add ``scale`` times how a push at a point changes that point's velocity ``(3, 3)``, for a mass of 1."""
    square = _dot(lever, lever)
    side = _cross(lever, axis)
    for i in range(3):
        for j in range(3):
            amount = -lever[i] * lever[j] + (1.0 / share - 1.0) * side[i] * side[j]
            if i == j:
                amount += square
            out[i, j] += scale * (amount / across + (1.0 if i == j else 0.0))


@njit(cache=True, error_model="numpy")
def _push(give: Numbers, slide: Numbers, normal: Numbers, bounce: complex, friction: float) -> Numbers:
    """Impulse for a mass of 1: restitution along the normal, Coulomb's friction across it, sticking where it can."""
    speed = _dot(slide, normal)
    along = give[:, 0] * normal[0] + give[:, 1] * normal[1] + give[:, 2] * normal[2]
    if friction == 0.0:
        return -(1.0 + bounce) * speed / _dot(normal, along) * normal
    need = -bounce * speed * normal - slide
    rows = (
        _cross(give[:, 1], give[:, 2]),
        _cross(give[:, 2], give[:, 0]),
        _cross(give[:, 0], give[:, 1]),
    )
    size = _dot(give[:, 0], rows[0])
    push = np.empty(3, dtype=np.complex128)
    for i in range(3):
        push[i] = _dot(rows[i], need) / size
    pressed = _dot(push, normal)
    side = push - pressed * normal
    if _dot(side, side).real <= (friction * pressed.real) ** 2 and pressed.real >= 0.0:
        return push
    across = slide - speed * normal
    way = normal - friction * across / np.sqrt(_dot(across, across))
    against = give[:, 0] * way[0] + give[:, 1] * way[1] + give[:, 2] * way[2]
    return -(1.0 + bounce) * speed / _dot(normal, against) * way


@njit(cache=True, error_model="numpy")
def _fell(z: Numbers, start: int, end: int, lasted: int) -> Numbers:
    """Velocity at the end of an arc."""
    out = np.empty(3, dtype=np.complex128)
    for i in range(3):
        g = GRAVITY if i == 1 else 0.0
        out[i] = (z[end + i] - z[start + i]) / z[lasted] + 0.5 * g * z[lasted]
    return out


@njit(cache=True, error_model="numpy")
def struck(z: Numbers, facts: FloatArray, velocity: Numbers, spin: Numbers) -> complex:
    """Fill velocity and ``h`` after an impact; returns the gap."""
    lever, normal = np.empty(3, dtype=np.complex128), np.empty(3, dtype=np.complex128)
    gap = _touch(z, facts, lever, normal)
    axis, before = z[AXIS : AXIS + 3], z[SPIN_IN : SPIN_IN + 3]
    arriving = _fell(z, FROM, AT, BEFORE)
    slide = arriving + _cross(turning(before, axis, facts[SHARE]), lever)
    give = np.zeros((3, 3), dtype=np.complex128)
    _yields(lever, axis, facts[ACROSS_M2], facts[SHARE], 1.0, give)
    if facts[KIND] == BODY:
        other = z[AXIS2 : AXIS2 + 3]
        there = lever + z[AT : AT + 3] - z[AT2 : AT2 + 3]
        slide = slide - _fell(z, FROM2, AT2, BEFORE2)
        slide = slide - _cross(turning(z[SPIN2 : SPIN2 + 3], other, facts[SHARE2]), there)
        _yields(there, other, facts[ACROSS2_M2], facts[SHARE2], facts[MASSES], give)
    else:
        slide = slide - z[VELOCITY : VELOCITY + 3] - _cross(z[TURNING : TURNING + 3], lever)
    push = _push(give, slide, normal, z[BOUNCE], facts[FRICTION])
    twist = _cross(lever, push)
    for i in range(3):
        velocity[i] = arriving[i] + push[i]
        spin[i] = before[i] + twist[i] / facts[ACROSS_M2]
    return gap


@njit(cache=True, error_model="numpy")
def rows_of(z: Numbers, facts: FloatArray, out: Numbers) -> None:
    """Ten rows [m]: where the arc ends, its spin, how its axis points at the end, the gap at its start."""
    law = int(facts[LAW])
    axis, spin = z[AXIS : AXIS + 3], z[SPIN_OUT : SPIN_OUT + 3]
    arm = facts[HALF] + facts[RADIUS]
    out[:] = 0.0
    if law == TOUCHES:
        out[9] = _touch(z, facts, np.empty(3, dtype=np.complex128), np.empty(3, dtype=np.complex128))
        return
    pointing = _carried(axis, spin, z[LASTS])
    if law == POINTS:
        out[6:9] = pointing
        return
    if law == TURNS:
        out[6:9] = turning(spin, pointing, facts[SHARE])
        return
    velocity, after = z[VELOCITY : VELOCITY + 3].copy(), spin.copy()
    if law == RELEASED:
        turn = z[TURNING : TURNING + 3]
        after = turn + (facts[SHARE] - 1.0) * _dot(turn, axis) * axis
    elif law in (BOUNCED, KNOCKED):
        struck(z, facts, velocity, after)
    for i in range(3):
        g = GRAVITY if i == 1 else 0.0
        out[i] = z[TO + i] - z[AT + i] - z[LASTS] * (velocity[i] + 0.5 * g * z[LASTS])
        if law != GIVEN:
            out[3 + i] = arm * (spin[i] - after[i])
    if facts[GIVEN_AXIS] > 0.0:
        out[6] = arm * _dot(z[ACROSS : ACROSS + 3], pointing)
        out[7] = arm * _dot(z[ACROSS2 : ACROSS2 + 3], pointing)
    else:
        for i in range(3):
            out[6 + i] = arm * (z[AXIS_TO + i] - pointing[i])


@njit(cache=True, error_model="numpy")
def derived(numbers: FloatArray, facts: FloatArray, value: FloatArray, by: FloatArray) -> None:
    """Rows ``value`` ``(10,)`` and, unless ``by`` is empty, their derivatives ``(10, 55)``."""
    z = numbers.astype(np.complex128)
    out = np.empty(ROWS, dtype=np.complex128)
    rows_of(z, facts, out)
    value[:] = out.real
    for k in range(by.shape[1] if by.shape[0] else 0):
        z[k] = numbers[k] + _STEP * 1j
        rows_of(z, facts, out)
        for i in range(ROWS):
            by[i, k] = out[i].imag / _STEP
        z[k] = numbers[k]
