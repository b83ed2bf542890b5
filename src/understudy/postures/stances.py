"""Key postures as a list of stances: stretches of a motion in which the same parts bear the body and do not slip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.core.pose import Pose
from understudy.postures.bearing import Bearing, Foot, Side, bearing_of
from understudy.postures.lifting import ends_of, lifted, moving_ends
from understudy.postures.moves import Move, NoMoveError, single_steps, stood_steps
from understudy.postures.pins import Pin
from understudy.postures.recalling import turned_round
from understudy.postures.routes import By, moves_between
from understudy.postures.stations import pelvis_point
from understudy.postures.strides import Strides

#: What a stance's postures are that are no keys.
STATION, FREE = -1, -2
#: How somebody steps: straight from posture to posture, upright meanwhile, from standing to standing, or one foot after
#: the other, in balance all the time.
Manner = Literal["straight", "upright", "stood", "single"]
MANNERS: tuple[Manner, ...] = ("straight", "upright", "stood", "single")
_PARTS: Mapping[str, Callable[[Body, Move], list[Move]]] = {"stood": stood_steps, "single": single_steps}
#: What bears a body that sits.
SEAT = "seat"
#: What bears a body that a recording shows.
RECORDED_SUPPORTS = ("as recorded",)


@dataclass(frozen=True, eq=False, kw_only=True)
class Stance:
    """A stretch of a motion over the same supports.

    Attributes:
        poses: Postures to pass through, stations among them.
        given: For each of them, which key posture it is; ``STATION``, or ``FREE`` for the end of a recorded way.
        pins: What bears the body and stays where it is.
        rolling: Whether the trunk rolls on the floor instead.
        supports: What bears the body, for people.
        free: Whether stations may be left out: they help, and the pins do not need them.
        recorded: The recording from the first posture to the last one, where it is played instead of planned.
        stops: Planted feet between the steps of somebody who steps; ``None`` where nobody does.
        strides: The steps, once they are planned.
    """

    poses: tuple[Pose, ...]
    given: tuple[int, ...]
    pins: tuple[Pin, ...] = ()
    rolling: bool = False
    supports: tuple[str, ...] = ()
    free: bool = False
    recorded: Motion | None = None
    stops: tuple[Mapping[Side, Foot], ...] | None = None
    strides: Strides | None = None

    @property
    def balanced(self) -> bool:
        """Whether feet or hands bear the body that stay where they are, and no seat."""
        return bool(self.pins and self.supports) and SEAT not in self.supports

    @property
    def reversed(self) -> Stance:
        """The same stance backwards."""
        recorded = None if self.recorded is None else turned_round(self.recorded)
        stops = None if self.stops is None else self.stops[::-1]
        return replace(self, poses=self.poses[::-1], given=self.given[::-1], recorded=recorded, stops=stops)


def moves_through(
    body: Body, poses: Sequence[Pose], bearings: Sequence[Bearing], *, loose: bool, by: By = "itself"
) -> list[list[Move]]:
    """Moves from each key posture to the next, on a floor at ``y = 0``.

    Args:
        body: Who moves; a humanoid.
        poses: The key postures.
        bearings: What bears each of them.
        loose: Whether those after the first may be moved over the floor, so that they stand where those before do.
        by: What somebody passes through between two postures that the floor bears, or a seat.

    Raises:
        NoMoveError: Nothing bears the body in one of the postures, or on the way between two.
    """
    found: list[list[Move]] = []
    at = poses[0]
    for n, (one, two) in enumerate(pairwise(bearings)):
        try:
            found.append(moves_between(body, (at, one), (poses[n + 1], two), loose=loose, by=by))
        except NoMoveError as why:
            raise NoMoveError(f"from posture {n} to posture {n + 1}: {why}") from why
        at = found[-1][-1].b
    return found


def stances_of(body: Body, moves: Sequence[Sequence[Move]], manner: Manner = "straight") -> list[Stance]:
    """Stances of the moves between key postures, which are stepped in some manner.

    Raises:
        NoMoveError: Nobody steps like that.
    """
    numbered: list[tuple[Move, int]] = []
    for n, between in enumerate(moves):
        parts = [part for move in between for part in _PARTS.get(manner, _as_it_is)(body, move)]
        numbered += [(move, STATION) for move in parts[:-1]] + [(parts[-1], n + 1)]
    return _merged(body, numbered)


def _as_it_is(body: Body, move: Move) -> list[Move]:
    return [move]


def recorded_stance(piece: Motion, given: tuple[int, int]) -> Stance:
    """A piece of a recording between two postures."""
    return Stance(poses=(piece.pose(0), piece.pose(-1)), given=given, recorded=piece, supports=RECORDED_SUPPORTS)


def parting_stance(body: Body, pose: Pose, apart: Pose) -> Stance:
    """From a posture on its feet to one in which its parts do not touch."""
    return _stance(body, Move(a=pose, b=apart, feet=frozenset(bearing_of(body, pose).feet)), (FREE, FREE))


def with_ways(stances: Sequence[Stance], ways: Mapping[int, Sequence[Stance]]) -> list[Stance]:
    """Stances that come to some key postures, and leave them, by recorded ways.

    Args:
        stances: Stances between the ends of these ways.
        ways: Key posture -> the stances that lead from it.
    """
    out: list[Stance] = []
    for stance in stances:
        begun = 0
        given = tuple(FREE if n in ways else n for n in stance.given)
        for k, n in enumerate(stance.given):
            arrives = n in ways and k > 0
            if k > begun and (arrives or k == len(stance.given) - 1):
                out.append(replace(stance, poses=stance.poses[begun : k + 1], given=given[begun : k + 1]))
                begun = k
            if arrives:
                out += [way.reversed for way in reversed(ways[n])]
            if n in ways and k < len(stance.given) - 1:
                out += ways[n]
    return out


def pinned_stance(body: Body, poses: Sequence[Pose], pins: Sequence[Pin]) -> Stance:
    """Key postures over pins: feet and hands that nobody pinned and that move are lifted, where they can be."""
    joints = {body.skeleton.index(pin.joint) if isinstance(pin.joint, str) else pin.joint for pin in pins}
    found, given = [poses[0]], [0]
    for n, (a, b) in enumerate(pairwise(poses)):
        for pose, names in zip((a, b), moving_ends(body, a, b), strict=True):
            ends = ends_of(body, pose)
            up = [name for name in names if ends[name].joint not in joints]
            stay = [end.place for name, end in ends.items() if end.low and name not in up]
            station = lifted(body, pose, up, centre=np.mean(stay, axis=0) if stay else None)
            if up and station is not None:
                found.append(station)
                given.append(STATION)
        found.append(b)
        given.append(n + 1)
    return Stance(poses=tuple(found), given=tuple(given), pins=tuple(pins), free=True)


def _merged(body: Body, moves: Sequence[tuple[Move, int]]) -> list[Stance]:
    """Successive moves over the same supports as one stance each."""
    stances: list[Stance] = []
    before: Move | None = None
    for move, given in moves:
        same = (
            before is not None
            and move.stops is before.stops is None
            and (before.feet, before.hands, before.rolling, before.seat)
            == (
                move.feet,
                move.hands,
                move.rolling,
                move.seat,
            )
        )
        if same:
            last = stances[-1]
            stances[-1] = replace(last, poses=(*last.poses, move.b), given=(*last.given, given))
        else:
            begun = 0 if before is None else stances[-1].given[-1]
            stances.append(_stance(body, move, (begun, given)))
        before = move
    return stances


def _stance(body: Body, move: Move, given: tuple[int, int]) -> Stance:
    feet = [Pin(joint=f"{side}Foot", turn=True) for side in sorted(move.feet)]
    hands = [
        Pin(joint=f"{side}Hand", turn=False, point=body.capsule_ends[body.capsule(f"{side}_hand")])
        for side in sorted(move.hands)
    ]
    pelvis = [Pin(joint="hips", turn=False, point=pelvis_point(body))] if move.seat else []
    words = [f"{side} foot" for side in sorted(move.feet)] + [f"{side} hand" for side in sorted(move.hands)]
    words += [SEAT] if move.seat else []
    return Stance(
        poses=(move.a, move.b),
        given=given,
        pins=(*feet, *hands, *pelvis),
        rolling=move.rolling,
        supports=("trunk",) if move.rolling else tuple(words),
        stops=move.stops,
    )
