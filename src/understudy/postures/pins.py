"""Pins: joints that stay where they are, or on a path, while the rest of the body moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.errors import PlanningInputError
from understudy.kinematics import pose_world
from understudy.postures.tables import PIN_TURN, PinArrays
from understudy.typing import FloatArray

#: [m], [rad] how far from its pin a key posture may be.
KEY_M, KEY_RAD = 1e-3, 1e-2


@dataclass(frozen=True, eq=False, kw_only=True)
class Pin:
    """A joint that is held.

    Attributes:
        joint: Role, name or index.
        turn: Whether it keeps its orientation too; ``None``: if all key postures agree on it.
        path: ``(n, 3)`` [m] points of a polyline the joint stays on; without it the joint stays where the first
            posture has it.
        point: ``(3,)`` [m] the point held, in the joint's frame; by default the joint itself.
    """

    joint: str | int
    turn: bool | None = None
    path: Sequence[Sequence[float]] | FloatArray | None = None
    point: Sequence[float] | FloatArray = (0.0, 0.0, 0.0)


def pin_arrays(pins: Sequence[Pin], poses: Sequence[Pose], *, strict: bool = True) -> PinArrays | None:
    """Pins for kernels; ``strict`` ones are checked against the key postures.

    Raises:
        PlanningInputError: A pin names a joint twice, its path is no path, or a posture is not on it.
    """
    if not pins:
        return None
    skeleton = poses[0].skeleton
    worlds = [pose_world(pose) for pose in poses]
    indices, numbers, curves, seen = [], [], [], {}
    first = 0
    for pin in pins:
        joint = skeleton.index(pin.joint) if isinstance(pin.joint, str) else int(pin.joint)
        if not 0 <= joint < len(skeleton):
            raise PlanningInputError(f"pin: no joint {joint}; joints are 0..{len(skeleton) - 1}")
        name = skeleton.roles.get(joint, skeleton.names[joint])
        if joint in seen:
            raise PlanningInputError(f'two pins hold "{name}"; give one')
        seen[joint] = pin
        point = np.asarray(pin.point, dtype=np.float64)
        places = [world.positions[joint] + rot.rotate(world.rotations[joint], point) for world in worlds]
        curve = places[0][None] if pin.path is None else _path(pin, name)
        if strict:
            _check_places(name, places, curve, fixed=pin.path is None)
        turned = _turns_kept(pin, name, [world.rotations[joint] for world in worlds], strict=strict)
        indices.append((joint, int(turned), first, first + len(curve)))
        numbers.append(np.concatenate([point, worlds[0].rotations[joint]]))
        curves.append(curve)
        first += len(curve)
    return PinArrays(
        indices=np.array(indices, dtype=np.int64),
        numbers=np.array(numbers),
        curve=np.ascontiguousarray(np.vstack(curves)),
        masses=np.zeros((len(skeleton), 4)),
    )


def with_lines(
    pins: PinArrays, body: Body, lines: Mapping[int, FloatArray], turns: Mapping[int, FloatArray]
) -> PinArrays:
    """The same pins, and joints, or the centre of mass (``CENTRE``), on lines ``(2, 3)`` [m]; some keep their turn."""
    indices, curves = [*pins.indices], [*pins.curve]
    for joint, line in lines.items():
        ends = line if float(np.linalg.norm(line[1] - line[0])) > KEY_M else line[:1]
        indices.append(np.array([joint, int(joint in turns), len(curves), len(curves) + len(ends)]))
        curves += [*ends]
    more = np.zeros((len(lines), pins.numbers.shape[1]))
    for row, joint in zip(more, lines, strict=True):
        row[PIN_TURN:] = turns.get(joint, 0.0)
    return PinArrays(
        indices=np.stack(indices),
        numbers=np.vstack([pins.numbers, more]),
        curve=np.ascontiguousarray(np.stack(curves)),
        masses=np.column_stack([body.masses / body.masses.sum(), body.coms]),
    )


def distance_to_path(point: FloatArray, curve: FloatArray) -> float:
    """Distance of a point from a polyline ``(n, 3)`` [m]."""
    if len(curve) == 1:
        return float(np.linalg.norm(point - curve[0]))
    along = np.diff(curve, axis=0)
    share = np.einsum("ni,ni->n", point - curve[:-1], along) / np.einsum("ni,ni->n", along, along)
    nearest = curve[:-1] + np.clip(share, 0.0, 1.0)[:, None] * along
    return float(np.linalg.norm(point - nearest, axis=1).min())


def _path(pin: Pin, name: str) -> FloatArray:
    curve = np.asarray(pin.path, dtype=np.float64)
    if curve.ndim != 2 or curve.shape[1:] != (3,) or len(curve) < 1 or not np.isfinite(curve).all():
        raise PlanningInputError(f'pin "{name}": a path is a list of finite points (x, y, z); got shape {curve.shape}')
    if len(curve) > 1 and float(np.linalg.norm(np.diff(curve, axis=0), axis=1).min()) < 1e-6:
        raise PlanningInputError(f'pin "{name}": two neighbouring points of its path coincide')
    return curve


def _check_places(name: str, places: Sequence[FloatArray], curve: FloatArray, *, fixed: bool) -> None:
    for n, place in enumerate(places):
        off = distance_to_path(place, curve)
        if off <= KEY_M:
            continue
        where = f"({place[0]:.3f}, {place[1]:.3f}, {place[2]:.3f})"
        if fixed:
            raise PlanningInputError(
                f'pin "{name}" contradicts posture {n}: the joint is at {where} there, {off:.3f} m from where '
                "posture 0 has it; a fixed pin needs one place in all postures. Move the posture or give a path"
            )
        raise PlanningInputError(f'pin "{name}" contradicts posture {n}: {where} is {off:.3f} m from the pin\'s path')


def _turns_kept(pin: Pin, name: str, turns: Sequence[FloatArray], *, strict: bool) -> bool:
    """Whether a pin keeps its joint's turn."""
    off = [float(np.linalg.norm(rot.log(rot.multiply(turn, rot.conjugate(turns[0]))))) for turn in turns]
    worst = int(np.argmax(off))
    agreed = off[worst] <= KEY_RAD
    if strict and pin.turn and not agreed:
        raise PlanningInputError(
            f'pin "{name}" keeps the joint\'s turn, but posture {worst} turns it {np.degrees(off[worst]):.1f} degrees'
        )
    return agreed if pin.turn is None else pin.turn
