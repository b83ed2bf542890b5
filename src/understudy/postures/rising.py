"""Getting up from knees and hands: a search over sets of supports.

Somebody who kneels, crawls or crouches on hands gets up limb by limb. Feet come below the body one after the other
while everything else that carries it stays where it is. Hands come down where that is not enough, and leave the floor
last. A move takes one limb to another place. It counts if there are postures on the way in which the other supports
stay and have the weight above them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.core.reference_pose import t_pose_world
from understudy.kinematics import centre_of_mass, pose_world
from understudy.postures.bearing import NEAR_M, SIDES, Foot, Side, bearing_of
from understudy.postures.lifting import LIFT, ends_of, lifted
from understudy.postures.moves import Move, NoMoveError
from understudy.postures.reaching import Held, reached
from understudy.postures.stations import hands_ahead, held_feet, squatting, standing, with_toes
from understudy.postures.stepping import beside, flat, flat_feet, leg_length, other_side
from understudy.typing import FloatArray

#: Over the length of a leg: how far behind the centre of mass feet are put down, in the order in which they are tried.
_BEHIND = (0.1, 0.3, -0.1)
#: [m] how far outside what carries it the centre of mass of a posture on the way may be.
_OUTSIDE_M = 0.02
#: Directions in which supports are compared with the centre of mass.
_DIRECTIONS = 32
_LEVEL = [0, 2]
#: Parts of a leg and of an arm that carry.
_LEG, _ARM = ("shank", "foot", "toes"), ("forearm", "hand")


@dataclass(frozen=True, eq=False, kw_only=True)
class _State:
    """A posture on the way up.

    Attributes:
        pose: The posture.
        legs: Sides whose leg is on the floor.
        hands: Sides whose hand is.
        placed: Sides whose foot is where it is stood on.
        moves: How it is reached.
    """

    pose: Pose
    legs: frozenset[Side]
    hands: frozenset[Side]
    placed: frozenset[Side] = frozenset()
    moves: tuple[Move, ...] = ()

    @property
    def key(self) -> tuple[frozenset[Side], frozenset[Side], frozenset[Side]]:
        return self.legs, self.hands, self.placed


def risen(body: Body, pose: Pose) -> list[Move]:
    """Moves from a posture that hands, knees or feet bear to standing at ease.

    Raises:
        NoMoveError: None are found.
    """
    bearing = bearing_of(body, pose)
    low = _low(body, pose)
    legs = frozenset(side for side in SIDES if any(f"{side}_{part}" in low for part in _LEG))
    begin = _State(pose=pose, legs=legs, hands=frozenset(bearing.hands))
    for feet in _footings(body, pose) if legs or bearing.hands else ():
        found = _search(body, begin, feet)
        if found is not None:
            return found
    raise NoMoveError("nobody gets up from there, one limb at a time")


def _footings(body: Body, pose: Pose) -> Iterator[dict[Side, Foot]]:
    """Feet to stand on: those that are flat already, and pairs below the body."""
    own = {side: foot for side, foot in bearing_of(body, pose).feet.items() if flat(body, foot)}
    if len(own) == len(SIDES):
        yield own
    for side, foot in own.items():
        yield {side: foot, other_side(side): beside(body, foot, other_side(side))}
    for share in _BEHIND:
        yield flat_feet_below(body, pose, share)


def flat_feet_below(body: Body, pose: Pose, behind: float = 0.0) -> dict[Side, Foot]:
    """Flat feet about below a body, headed as it will be; ``behind`` it, in lengths of a leg."""
    heading = _heading(pose)
    ahead = np.array([np.sin(heading), 0.0, np.cos(heading)])
    return flat_feet(body, _centre(body, pose) - behind * leg_length(body) * ahead, heading)


def _search(body: Body, begin: _State, feet: Mapping[Side, Foot]) -> list[Move] | None:
    """Moves to standing on given feet; the first found, depth first."""
    stand = standing(body, feet)
    if stand is None:
        return None
    own = bearing_of(body, begin.pose).feet
    placed = frozenset(side for side in feet if side in own and own[side].same(feet[side]))
    todo, seen = [_State(pose=begin.pose, legs=begin.legs, hands=begin.hands, placed=placed)], set()
    while todo:
        state = todo.pop()
        if state.key in seen:
            continue
        seen.add(state.key)
        if len(state.placed) == len(SIDES):
            last = _stood(body, state, feet, stand)
            if last is not None:
                return [*state.moves, *last]
        # Feet before hands, and the one with the longer way first: what is last is tried next.
        todo += [one for side in SIDES if (one := _with_hand(body, state, side, feet)) is not None]
        order = sorted(SIDES, key=lambda side: float(np.linalg.norm(_ankle(state.pose, side) - feet[side].place)))
        todo += [one for side in order if (one := _with_foot(body, state, side, feet[side])) is not None]
    return None


def _stood(body: Body, state: _State, feet: Mapping[Side, Foot], stand: Pose) -> list[Move] | None:
    """Moves to standing over feet in place: the weight comes above them, then hands leave the floor."""
    both = frozenset(SIDES)
    if not state.hands:
        return [Move(a=state.pose, b=stand, feet=both)]
    held = [*held_feet(body, feet), *_held_hands(body, state, state.hands)]
    for seed in (squatting(body, feet), state.pose):
        low = None if seed is None else reached(body, with_toes(seed, feet), held, centre=_between(feet))
        if low is None or _outside_m(body, low, both, frozenset()) > _OUTSIDE_M:
            continue
        up = lifted(body, low, [f"{side} hand" for side in state.hands], centre=_between(feet))
        if up is not None:
            return [
                Move(a=state.pose, b=low, feet=both, hands=state.hands),
                Move(a=low, b=up, feet=both),
                Move(a=up, b=stand, feet=both),
            ]
    return None


def _with_foot(body: Body, state: _State, side: Side, goal: Foot) -> _State | None:
    """The state after a foot has been brought to where it is stood on."""
    legs = state.legs - {side}
    if side in state.placed or not (legs or state.hands):
        return None
    joint, up = body.skeleton.humanoid[f"{side}Foot"], np.array([0.0, LIFT * body.stature_m, 0.0])
    lifts = [] if side not in state.legs else [Held(joint=joint, place=_ankle(state.pose, side) + up)]
    lands = [Held(joint=joint, place=goal.place + height, turn=goal.turn) for height in (up, 0.0 * up)]
    way = _way(body, state, (legs, state.hands), [*lifts, *lands], {side: goal} if goal.toes is not None else {})
    if way is None:
        return None
    pose, moves = way
    return _State(
        pose=pose, legs=legs | {side}, hands=state.hands, placed=state.placed | {side}, moves=(*state.moves, *moves)
    )


def _with_hand(body: Body, state: _State, side: Side, feet: Mapping[Side, Foot]) -> _State | None:
    """The state after a hand has been put down ahead."""
    if side in state.hands or len(state.placed) == len(SIDES):
        return None
    hand, up = body.capsule(f"{side}_hand"), np.array([0.0, LIFT * body.stature_m, 0.0])
    joint, place = body.skeleton.humanoid[f"{side}Hand"], hands_ahead(body, feet)[side]
    lands = [Held(joint=joint, place=place + high, point=body.capsule_ends[hand]) for high in (up, 0.0 * up)]
    way = _way(body, state, (state.legs, state.hands), lands, {})
    if way is None:
        return None
    pose, moves = way
    return _State(
        pose=pose, legs=state.legs, hands=state.hands | {side}, placed=state.placed, moves=(*state.moves, *moves)
    )


def _way(
    body: Body,
    state: _State,
    stay: tuple[frozenset[Side], frozenset[Side]],
    stops: list[Held],
    toes: Mapping[Side, Foot],
) -> tuple[Pose, list[Move]] | None:
    """The way of one limb over some stops while others stay and carry the body; ``None`` where they cannot."""
    legs, hands = stay
    kept = [*_held_legs(body, state, legs), *_held_hands(body, state, hands)]
    all_kept = [*_held_legs(body, state, state.legs), *_held_hands(body, state, state.hands)]
    centre = _above(body, state.pose, legs, hands)
    pose, moves = state.pose, list[Move]()
    if _outside_m(body, pose, legs, hands) > 0.0:
        shifted = reached(body, pose, all_kept, centre=centre)
        if shifted is None or _outside_m(body, shifted, legs, hands) > _OUTSIDE_M:
            return None
        moves.append(Move(a=pose, b=shifted, feet=state.legs, hands=state.hands))
        pose = shifted
    for stop in stops:
        found = reached(body, with_toes(pose, toes), [*kept, stop], centre=centre)
        if found is None or _outside_m(body, found, legs, hands) > _OUTSIDE_M:
            return None
        moves.append(Move(a=pose, b=found, feet=legs, hands=hands))
        pose = found
    return pose, moves


def _held_legs(body: Body, state: _State, sides: frozenset[Side]) -> list[Held]:
    """Legs on the floor as they are: a shank whose foot stays where it is stays, too."""
    world, roles = pose_world(state.pose), body.skeleton.humanoid
    joints = [roles[f"{side}Foot"] for side in sorted(sides)]
    return [Held(joint=joint, place=world.positions[joint], turn=world.rotations[joint]) for joint in joints]


def _held_hands(body: Body, state: _State, sides: frozenset[Side]) -> list[Held]:
    ends = ends_of(body, state.pose)
    return [ends[f"{side} hand"].held(0.0, turned=False) for side in sorted(sides)]


def _low(body: Body, pose: Pose) -> set[str]:
    """Names of parts on the floor."""
    world = pose_world(pose)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    low = np.minimum(starts[:, 1], ends[:, 1]) - body.capsule_radii < NEAR_M
    return {name for name, down in zip(body.capsule_names, low, strict=True) if down}


def _points(body: Body, pose: Pose, legs: frozenset[Side], hands: frozenset[Side]) -> tuple[FloatArray, FloatArray]:
    """Ends of the parts of some limbs that are on the floor ``(n, 2)`` [m], and their radii."""
    world = pose_world(pose)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    names = [f"{side}_{part}" for sides, parts in ((legs, _LEG), (hands, _ARM)) for side in sides for part in parts]
    own = [body.capsule(name) for name in names if name in body.capsule_names]
    points, radii = np.concatenate([starts[own], ends[own]]), np.tile(body.capsule_radii[own], 2)
    low = points[:, 1] - radii < NEAR_M
    return points[low][:, _LEVEL], radii[low]


def _outside_m(body: Body, pose: Pose, legs: frozenset[Side], hands: frozenset[Side]) -> float:
    """How far the centre of mass is outside what some limbs cover on the floor [m]; negative inside."""
    points, radii = _points(body, pose, legs, hands)
    if not len(points):
        return float("inf")
    angles = np.linspace(0.0, 2.0 * np.pi, _DIRECTIONS, endpoint=False)
    ways = np.stack([np.cos(angles), np.sin(angles)])
    return float((_centre(body, pose)[_LEVEL] @ ways - (points @ ways + radii[:, None]).max(axis=0)).max())


def _above(body: Body, pose: Pose, legs: frozenset[Side], hands: frozenset[Side]) -> FloatArray | None:
    """Where the centre of mass is to be: where it is if that is inside, else in the middle of the supports."""
    if _outside_m(body, pose, legs, hands) < -_OUTSIDE_M:
        return _centre(body, pose)
    points, _ = _points(body, pose, legs, hands)
    if not len(points):
        return None
    x, z = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return np.array([x, 0.0, z])


def _centre(body: Body, pose: Pose) -> FloatArray:
    return np.asarray(centre_of_mass(pose_world(pose), body.masses, body.coms) * [1.0, 0.0, 1.0])


def _between(feet: Mapping[Side, Foot]) -> FloatArray:
    return np.asarray(np.mean([foot.middle for foot in feet.values()], axis=0))


def _ankle(pose: Pose, side: Side) -> FloatArray:
    return np.asarray(pose_world(pose).positions[pose.skeleton.humanoid[f"{side}Foot"]])


def _heading(pose: Pose) -> float:
    """Where somebody who straightens up without turning faces [rad]."""
    turn = rot.multiply(pose_world(pose).rotations[0], rot.conjugate(t_pose_world(pose.skeleton)[1][0]))
    up, faces = (rot.rotate(turn, np.array(axis)) for axis in ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]))
    ahead = faces * up[1] - up * faces[1]
    return float(np.arctan2(ahead[0], ahead[2]))
