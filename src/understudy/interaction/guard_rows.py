"""Guards and their rows: how much room each has, and what that depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from understudy import rotations as rot
from understudy.core.limits import LimitKind
from understudy.interaction._probe_kernels import NODE_PLACE, PLACE
from understudy.interaction._small_kernels import bspline
from understudy.interaction.actor import Actor, sampled
from understudy.interaction.contact_places import Node
from understudy.interaction.system import Probe, System
from understudy.typing import FloatArray

#: Share of a straight leg's length that a planted leg uses at most.
_STRAIGHT = 0.997
#: [rad, m] guards with more room than this are left out of a step; kept between parts [m] and from limits [rad].
_NEAR_RAD, _NEAR_M, APART_M, _SPARE_RAD = 0.3, 0.05, 2e-3, 0.02


@dataclass(frozen=True, kw_only=True)
class TurnGuard:
    """A joint that stays within its limit at a time, but for what the source itself exceeds it."""

    actor: int
    joint: int
    time_s: float
    allowed_rad: float


@dataclass(frozen=True, kw_only=True)
class GapGuard:
    """Two capsules of one body that stay apart at a time, but for how deep the source has them."""

    actor: int
    first: int
    second: int
    time_s: float
    least_m: float


@dataclass(frozen=True, kw_only=True)
class BallGuard:
    """A flying ball that stays off a capsule of a body (``part``) or off another ball (``other``) at a time."""

    ball: str
    time_s: float
    actor: int = -1
    part: int = -1
    other: str = ""


@dataclass(frozen=True, kw_only=True)
class ReachGuard:
    """A hip that stays within its leg's length of where the planted foot has to be, at a time."""

    actor: int
    side: str
    time_s: float
    ankle: tuple[float, float, float]


Guard: TypeAlias = TurnGuard | GapGuard | BallGuard | ReachGuard


def guard_nodes(system_actors: tuple[Actor, ...], guard: Guard) -> list[Node]:
    """Nodes a guard needs: the frames of both capsules' joints."""
    if isinstance(guard, TurnGuard) or (isinstance(guard, BallGuard) and guard.actor < 0):
        return []
    if isinstance(guard, ReachGuard):
        hip = system_actors[guard.actor].motion.skeleton.humanoid[f"{guard.side}UpperLeg"]
        return [Node(label="guard", time=guard.time_s, point=np.zeros(3), player=guard.actor, joint=hip)]
    body = system_actors[guard.actor].fitted_body
    parts = (guard.part,) if isinstance(guard, BallGuard) else (guard.first, guard.second)
    return [
        Node(
            label="guard",
            time=guard.time_s,
            point=np.array(body.capsule_starts[k]),
            player=guard.actor,
            joint=int(body.capsule_joints[k]),
        )
        for k in parts
    ]


def gap_row(system: System, guard: GapGuard, node: int, row: int, jacobian: FloatArray | None) -> float | None:
    """Room of a gap guard [m]; fills a row, with two spare ones after it, when given. ``None`` when it is plenty."""
    body = system.play.actors[guard.actor].fitted_body
    ends = []
    for k, n in ((guard.first, node), (guard.second, node + 1)):
        frame = system.jets.frame[n]
        origin = system.jets.place[n] - frame @ system.nodes.point[n]
        ends.append((origin + frame @ body.capsule_starts[k], origin + frame @ body.capsule_ends[k]))
    points = _closest(*ends[0], *ends[1])
    way = points[0] - points[1]
    far = float(np.linalg.norm(way))
    room = far - float(body.capsule_radii[[guard.first, guard.second]].sum()) - guard.least_m
    if room > _NEAR_M:
        return None
    if jacobian is not None and far > 1e-9:
        moved = [_point_rows(system, n, point) for n, point in zip((node, node + 1), points, strict=True)]
        jacobian[row] = way / far @ (moved[0] - moved[1])
    return room


def _point_rows(system: System, n: int, point: FloatArray) -> FloatArray:
    """Derivatives ``(3, unknowns)`` of a point fixed to a node's joint that is at ``point`` now.

    Nearest points slide along their capsules, but that does not change a distance at first order.
    """
    rows = np.zeros((3, system.size))
    arm = point - system.jets.place[n]
    system.jets.arm[n] += arm
    system.probed(Probe(NODE_PLACE, n, 0.0), 0, rows)
    system.jets.arm[n] -= arm
    return rows


def ball_row(system: System, guard: BallGuard, node: int, row: int, jacobian: FloatArray | None) -> float | None:
    """Room of a ball guard [m]; fills a row when given. ``None`` when it is plenty or the ball does not fly then."""
    asked = flying(system, guard.ball, guard.time_s)
    if asked is None:
        return None
    second: Probe | None = None
    place, reach = system.probed(asked), system.play.way(guard.ball).ball.radius_m + APART_M
    if guard.actor >= 0:
        body = system.play.actors[guard.actor].fitted_body
        frame = system.jets.frame[node]
        origin = system.jets.place[node] - frame @ system.nodes.point[node]
        start, end = (origin + frame @ one[guard.part] for one in (body.capsule_starts, body.capsule_ends))
        point = _closest(place, place, start, end)[1]
        reach += float(body.capsule_radii[guard.part])
    else:
        second = flying(system, guard.other, guard.time_s)
        if second is None:
            return None
        point = system.probed(second)
        reach += system.play.way(guard.other).ball.radius_m
    way = place - point
    far = float(np.linalg.norm(way))
    if far - reach > _NEAR_M:
        return None
    if jacobian is not None and far > 1e-9:
        mine = np.zeros((3, system.size))
        system.probed(asked, 0, mine)
        if guard.actor >= 0:
            theirs = _point_rows(system, node, point)
        else:
            theirs = np.zeros((3, system.size))
            assert second is not None
            system.probed(second, 0, theirs)
        jacobian[row] = way / far @ (mine - theirs)
    return far - reach


def flying(system: System, ball: str, time_s: float) -> Probe | None:
    """How to ask for a ball's place while it flies."""
    way = system.play.ways.index(system.play.way(ball))
    for k, arc in enumerate(system.layout.arcs):
        if arc.way == way and system.nodes.time[arc.start] < time_s < system.nodes.time[arc.end]:
            return Probe(PLACE, k, time_s)
    return None


def reach_row(system: System, guard: ReachGuard, node: int, row: int, jacobian: FloatArray | None) -> float | None:
    """Room of a reach guard [m]; fills a row when given. ``None`` when it is plenty."""
    way = system.jets.place[node] - np.array(guard.ankle)
    far = float(np.linalg.norm(way))
    room = leg_m(system.play.actors[guard.actor], guard.side) - far
    if room > _NEAR_M:
        return None
    if jacobian is not None:
        jacobian[row] = -way / far @ _point_rows(system, node, system.jets.place[node])
    return room


def leg_m(actor: Actor, side: str) -> float:
    """How far a foot is planted from its hip at most [m]: a little less than the straight leg."""
    skeleton = actor.motion.skeleton
    thigh = skeleton.bone_length_m(f"{side}UpperLeg", f"{side}LowerLeg")
    return _STRAIGHT * (thigh + skeleton.bone_length_m(f"{side}LowerLeg", f"{side}Foot"))


def turn_row(system: System, guard: TurnGuard, row: int, jacobian: FloatArray | None) -> float | None:
    """Room of a turn guard [rad]; fills a row when given. ``None`` when it is plenty."""
    actor, player = system.play.actors[guard.actor], system.players[guard.actor]
    _, turns = sampled(player, actor.motion, np.array([guard.time_s]))
    room = float(margins(actor, turns, guard.joint)[0]) + guard.allowed_rad - _SPARE_RAD
    if room > _NEAR_RAD:
        return None
    if jacobian is None:
        return room
    weights = np.empty(4)
    first = bspline(guard.time_s / player.spacing_s, player.spans, weights, np.empty(4), np.empty(4))
    span = range(int(player.dof_starts[guard.joint]), int(player.dof_starts[guard.joint + 1]))
    for d in span:
        # The displacement is small: turning the displaced joint is as good as displacing further.
        change = []
        for sign in (1.0, -1.0):
            turned = turns.copy()
            turned[0, guard.joint] = rot.multiply(turns[0, guard.joint], rot.exp(sign * 1e-4 * player.dof_axes[d]))
            change.append(float(margins(actor, turned, guard.joint)[0]))
        column = int(system.actor_columns[guard.actor]) + d * player.knots.shape[1] + first
        jacobian[row, column : column + 4] = weights * (change[0] - change[1]) / 2e-4
    return room


def margins(actor: Actor, turns: FloatArray, joint: int) -> FloatArray:
    """How far a joint is within its limit ``(frames,)`` [rad]; negative beyond it."""
    limits = actor.fitted_body.limits
    at = limits.coordinates(turns)[:, joint]
    low, high = limits.low[joint], limits.high[joint]
    each = np.minimum(high - at, at - low)
    if limits.kinds[joint] == LimitKind.FREE:
        return np.full(len(turns), np.pi)
    if limits.kinds[joint] == LimitKind.ELLIPSE:
        centre, radius = 0.5 * (low + high)[:2], np.maximum(0.5 * (high - low)[:2], 1e-9)
        share = np.linalg.norm((at[:, :2] - centre) / radius, axis=1)
        return np.minimum((1.0 - share) * float(radius.min()), each[:, 2])
    return np.asarray(each.min(axis=1))


def _closest(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Nearest points of the segments ``ab`` and ``cd``."""
    u, v, w = b - a, d - c, a - c
    uu, vv, uv = max(float(u @ u), 1e-18), max(float(v @ v), 1e-18), float(u @ v)
    scale = uu * vv - uv * uv
    s = float(np.clip((uv * (v @ w) - vv * (u @ w)) / scale, 0.0, 1.0)) if scale > 1e-12 * uu * vv else 0.5
    t = float(np.clip((uv * s + v @ w) / vv, 0.0, 1.0))
    s = float(np.clip((uv * t - u @ w) / uu, 0.0, 1.0))
    return a + s * u, c + t * v
