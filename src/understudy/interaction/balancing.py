"""Bodies that would topple: where the capture point may be, and the rows that keep it there.

The capture point is the centre of mass, ahead by its velocity times the time in which a pendulum of that height falls.
Somebody who moves slowly keeps it over the feet that carry him, now or before he would have fallen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from understudy.core.motion import Motion
from understudy.interaction._law_kernels import GRAVITY, NODE_PLACE, NODE_VELOCITY
from understudy.interaction.actor import Actor
from understudy.interaction.contact_places import Node
from understudy.interaction.smoothing import low_passed
from understudy.interaction.system import System
from understudy.interaction.terms import Probe
from understudy.kinematics import centre_of_mass, motion_world
from understudy.typing import FloatArray, IntArray

#: [m/s] hips slower than this are slow; [m] how far outside a capture point may be all the same.
_SLOW_MPS, _OUTSIDE_M = 0.3, 0.1
#: [m] less than the source's own.
_SPARE_M = 0.002
#: [Hz] above which a body's centre does not move.
_CUTOFF_HZ = 6.0


@dataclass(frozen=True, kw_only=True)
class BalanceGuard:
    """A capture point that stays on one side of a line at a time.

    Attributes:
        actor: Whose.
        time_s: When [s].
        way: Horizontal direction (x, z) across the line.
        fall_s: How far ahead the velocity counts [s].
        most_m: How far along ``way`` it may be [m].
    """

    actor: int
    time_s: float
    way: tuple[float, float]
    fall_s: float
    most_m: float


class _Balance(NamedTuple):
    """A slow body that may topple, in ``n`` frames.

    How far its capture point is outside [m], which way it is out, and how long it would take to fall [s].
    """

    frames: IntArray
    outside_m: FloatArray
    ways: FloatArray
    fall_s: FloatArray


def balance_guards(number: int, actor: Actor, shown: Motion, plain: Motion) -> list[BalanceGuard]:
    """Guards where a body is farther out of balance than its source ever is."""
    ours, most = _balance(actor, shown), max(_OUTSIDE_M, _source_outside_m(actor) - _SPARE_M)
    found: list[BalanceGuard] = []
    if not (ours.outside_m > most).any():
        return found
    centre = _centres(actor, plain)
    velocity = np.gradient(centre, 1.0 / plain.fps, axis=0)
    for run in _runs(ours.frames[ours.outside_m > most], round(0.1 * shown.fps)):
        k = max(np.searchsorted(ours.frames, run), key=lambda k: float(ours.outside_m[k]))
        frame, fall, way = int(ours.frames[k]), float(ours.fall_s[k]), ours.ways[k]
        now = float(way @ (centre[frame] + fall * velocity[frame])[[0, 2]])
        found.append(
            BalanceGuard(
                actor=number,
                time_s=frame / shown.fps,
                way=(float(way[0]), float(way[1])),
                fall_s=fall,
                most_m=now - float(ours.outside_m[k]) + most - _SPARE_M,
            )
        )
    return found


@lru_cache(maxsize=16)
def _source_outside_m(actor: Actor) -> float:
    """How far an actor's source is out of balance itself [m]."""
    return float(_balance(actor, actor.motion).outside_m.max(initial=0.0))


def _runs(frames: IntArray, most: int) -> list[IntArray]:
    """Runs of neighbouring frames, long ones in pieces of about ``most``."""
    runs = np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1) if len(frames) else []
    return [piece for run in runs for piece in np.array_split(run, max(1, round(len(run) / most)))]


def _balance(actor: Actor, motion: Motion) -> _Balance:
    import shapely

    fps, world = motion.fps, motion_world(motion)
    roles = motion.skeleton.humanoid
    hips = np.gradient(low_passed(world.positions[:, roles["hips"]], fps, _CUTOFF_HZ), 1.0 / fps, axis=0)
    centre = low_passed(_centres(actor, motion), fps, _CUTOFF_HZ)
    fall = np.sqrt(np.maximum(centre[:, 1], 0.0) / -GRAVITY)
    capture = (centre + fall[:, None] * np.gradient(centre, 1.0 / fps, axis=0))[:, [0, 2]]
    frames, outside, ways = [], [], []
    for frame in np.flatnonzero(np.hypot(hips[:, 0], hips[:, 2]) < _SLOW_MPS):
        span = slice(frame, frame + int(fall[frame] * fps) + 1)
        feet = []
        for side, foot in actor.stances.items():
            ends = [roles[f"{side}Foot"], roles.get(f"{side}Toes", roles[f"{side}Foot"])]
            feet.append(world.positions[span][foot.low[span]][:, ends][..., [0, 2]].reshape(-1, 2))
        stood = np.concatenate(feet)
        # Whoever is that near to a foot is not farther than that outside.
        if len(stood) == 0 or np.linalg.norm(stood - capture[frame], axis=1).min() < _OUTSIDE_M:
            continue
        hull, point = shapely.MultiPoint(stood).convex_hull, shapely.Point(capture[frame])
        near = np.array(shapely.get_coordinates(shapely.shortest_line(hull, point))[0])
        away = float(np.linalg.norm(capture[frame] - near))
        frames.append(int(frame))
        outside.append(away)
        ways.append((capture[frame] - near) / max(away, 1e-9))
    kept = np.array(frames, dtype=np.int64)
    return _Balance(kept, np.array(outside), np.array(ways).reshape(-1, 2), fall[kept])


def _centres(actor: Actor, motion: Motion) -> FloatArray:
    body = actor.fitted_body
    return centre_of_mass(motion_world(motion), body.masses, body.coms)


def balance_nodes(actor: Actor, guard: BalanceGuard) -> list[Node]:
    """Nodes at the centres of a body's segments."""
    body = actor.fitted_body
    return [
        Node(label="guard", time=guard.time_s, point=np.array(body.coms[joint]), player=guard.actor, joint=int(joint))
        for joint in np.flatnonzero(body.masses > 0.0)
    ]


def balance_room(system: System, guard: BalanceGuard, node: int, row: int, jacobian: FloatArray | None) -> float:
    """Room of a balance guard [m], its nodes from ``node`` on; fills a row when given."""
    masses = system.play.actors[guard.actor].fitted_body.masses
    shares = masses[masses > 0.0] / masses.sum()
    way, room = np.array([guard.way[0], 0.0, guard.way[1]]), guard.most_m
    for n, share in enumerate(shares, start=node):
        for kind, weight in ((NODE_PLACE, share), (NODE_VELOCITY, share * guard.fall_s)):
            rows = np.zeros((0 if jacobian is None else 3, system.size))
            room -= weight * float(way @ system.probed(Probe(kind, n, 0.0), 0, rows))
            if jacobian is not None:
                jacobian[row] -= weight * (way @ rows)
    return room
