"""Where somebody could stand to reach a point: in front of it, with the hand's side towards it, on free floor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from understudy import rotations as rot
from understudy.core.skeleton import Skeleton
from understudy.floor import Floor
from understudy.floor.distances import CELL_M
from understudy.locomotion.footsteps.footing import ahead_of
from understudy.performer.actions.figure import Figure
from understudy.scene.levels import levels_of
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.scene.tessellation import triangles_of
from understudy.typing import FloatArray

#: [m] room kept where somebody stands.
STANDING_M = 0.26
#: Directions a point is looked at from, and how far ahead (by cells of the floor) and to the hand's side it may be [m].
_DIRECTIONS = 24
_AHEAD_M, _ASIDE_M = np.arange(0.36, 0.7, CELL_M), (0.16, 0.02)
#: [m] how far before something is that both hands take or put down, and how far beside its middle one stands.
_BEFORE_M, _BESIDE_M = (0.36, 0.41, 0.46, 0.51, 0.56, 0.62, 0.68), (0.0, 0.13, -0.13)
#: Share of an arm within which things are easy to reach; [m] how much farther a leaning trunk brings it.
_EASILY, _LEAN_M = 0.82, 0.34
#: [m] from its edges that things are put on a surface, and the distance of places along them.
_INSET_M, _APART_M = 0.14, 0.3
#: [m] above a surface that a hand is when it puts something down.
HELD_M = 0.1


@dataclass(frozen=True, eq=False, kw_only=True)
class Spot:
    """A place to stand.

    Attributes:
        place: ``(2,)`` (x, z) [m].
        heading_rad: Where to face.
        hand: Which hand is near.
        point: ``(3,)`` what is to be reached [m].
        beyond_m: How much farther than an easy reach it is; the body bends.
        apart_m: How far apart both hands are.
    """

    place: FloatArray
    heading_rad: float
    hand: str
    point: FloatArray
    beyond_m: float
    apart_m: float = 0.0


def points_of(scene: Scene, task: Task) -> FloatArray:
    """``(n, 3)`` points a task wants a hand at [m]: handles, or places on a surface."""
    if task.do in ("place", "carry", "displace") or not task.object:
        if not isinstance(task.target, str):
            return np.array([task.target], dtype=np.float64)
        owner, _, part = task.target.partition(".")
        if part and owner not in [one.name for one in scene.objects]:
            return scene.character(owner).joint(part, [0.0])[0]
        return _surface_points(scene, owner)
    thing = scene.object(task.object)
    at, turn = scene.object_track(task.object, [0.0])
    if thing.handles:
        chosen = [thing.handle(task.handle)] if task.handle else list(thing.handles)
        return np.asarray(at[0] + rot.rotate(turn[0], np.array([one.at for one in chosen])))
    vertices, _ = triangles_of(thing.shape)
    middle = 0.5 * (vertices.min(axis=0) + vertices.max(axis=0))
    return np.asarray(at + rot.rotate(turn[0], middle))


def _surface_points(scene: Scene, name: str) -> FloatArray:
    """Places along the edges of an object's level surfaces, and in their middle."""
    import shapely
    from shapely import affinity

    at, turn = (part[0] for part in scene.object_track(name, [0.0]))
    shape = scene.object(name).shape
    yaw = float(np.arctan2(*rot.rotate(turn, np.array([0.0, 0.0, 1.0]))[[0, 2]]))
    found = []
    for level in levels_of(shape, turn):
        # Rows run along the object's own sides.
        own = affinity.rotate(level.area, yaw, origin=(0.0, 0.0), use_radians=True)
        low_x, low_z, high_x, high_z = own.bounds
        flat = np.array([(x, z) for x in _row(low_x, high_x) for z in _row(low_z, high_z)])
        inside = shapely.distance(own, shapely.points(flat)) < 1e-6
        flat = flat[inside] if inside.any() else np.array(own.representative_point().coords)
        grid = np.stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]], axis=1)
        points = at + rot.rotate(rot.from_yaw(yaw), grid)
        points[:, 1] = at[1] + level.height_m + HELD_M
        found.append(points)
    if not found:
        high = float(rot.rotate(turn, triangles_of(shape)[0])[:, 1].max())
        return np.array([at + np.array([0.0, high + HELD_M, 0.0])])
    return np.concatenate(found)


def _row(low: float, high: float) -> FloatArray:
    """Places between two edges [m]."""
    inset = min(_INSET_M, 0.5 * (high - low))
    return np.linspace(low + inset, high - inset, max(1, round((high - low - 2.0 * inset) / _APART_M) + 1))


def spots_for_both(
    floor: Floor,
    skeleton: Skeleton,
    points: FloatArray,
    facing_rad: float,
    wide_m: float,
    nearer_m: float,
    higher_m: float,
) -> list[Spot]:
    """Places to stand right before any of some points, for both hands on something's sides.

    Args:
        floor: Where to stand.
        skeleton: Whose.
        points: ``(n, 3)`` [m].
        facing_rad: A direction something's sides run in; it is looked at along or across that.
        wide_m: How wide it is.
        nearer_m: How much nearer than its middle hands may hold it.
        higher_m: And higher.
    """
    shoulder, arm = shoulder_of(skeleton)
    found: list[Spot] = []
    for point in points:
        held = point + np.array([0.0, higher_m, 0.0])
        for heading, far, aside in product(facing_rad + 0.5 * np.pi * np.arange(4), _BEFORE_M, _BESIDE_M):
            across = 0.5 * wide_m + abs(aside) - float(shoulder[0])
            away = float(np.linalg.norm([across, held[1] - shoulder[1], far - nearer_m - shoulder[2]]))
            ahead = ahead_of(heading)
            place = point[[0, 2]] - far * ahead + aside * np.array([ahead[1], -ahead[0]])
            beyond = away - _EASILY * arm
            if beyond <= (1.0 - _EASILY) * arm or held[1] < shoulder[1]:
                spot = Spot(place=place, heading_rad=heading, hand="both", point=held, beyond_m=beyond, apart_m=wide_m)
                found.append(spot)
    free = floor.free(np.array([one.place for one in found]), STANDING_M) if found else np.zeros(0, dtype=bool)
    return [one for one, is_free in zip(found, free, strict=True) if is_free]


def spots(floor: Floor, skeleton: Skeleton, points: FloatArray, *, hand: str | None = None) -> list[Spot]:
    """Places to stand for any of some points; whether a way leads there is another matter."""
    found: list[Spot] = []
    hands = ("right", "left") if hand not in ("left", "right") else (str(hand),)
    for point in points:
        far, aside, beyond = _seen(skeleton, point)
        for heading, one in product(2.0 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS, hands):
            ahead, sign = ahead_of(heading), 1.0 if one == "left" else -1.0
            left = np.array([ahead[1], -ahead[0]])
            places = point[[0, 2]] - np.outer(far, ahead) - np.outer(sign * aside, left)
            for k in np.flatnonzero(floor.free(places, STANDING_M)):
                found.append(
                    Spot(place=places[k], heading_rad=heading, hand=one, point=point, beyond_m=float(beyond[k]))
                )
    return found


def in_reach(skeleton: Skeleton, points: FloatArray) -> bool:
    """Whether any of some points could be reached from somewhere, if there were room to stand."""
    return any(len(_seen(skeleton, point)[0]) > 0 for point in points)


def _seen(skeleton: Skeleton, point: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How far ahead, and how far to the hand's side, a point may be; and how much farther than an easy reach [m]."""
    shoulder, arm = shoulder_of(skeleton)
    far, aside = (part.ravel() for part in np.meshgrid(_AHEAD_M, _ASIDE_M, indexing="ij"))
    away = np.stack([far - shoulder[2], aside - shoulder[0], np.full(len(far), point[1] - shoulder[1])])
    beyond = np.linalg.norm(away, axis=0) - _EASILY * arm
    # Who leans reaches a little farther; who bends, as low as the floor.
    near = (beyond <= _LEAN_M) | (point[1] < shoulder[1])
    return far[near], aside[near], beyond[near]


@lru_cache(maxsize=16)
def shoulder_of(skeleton: Skeleton) -> tuple[FloatArray, float]:
    """A shoulder beside, above and ahead of where somebody stands, and the arm's length to the palm [m]."""
    figure = Figure(skeleton)
    _, _, world = figure.trunk_world(figure.standing(1))
    at = world.positions[0, skeleton.humanoid["leftUpperArm"]].copy()
    at[2] -= 0.05 * skeleton.leg_length_m()
    return at, figure.arm_m + 0.08


def awkwardness(spot: Spot) -> float:
    """How much a stand is disliked, in seconds of walking: far reaches, things straight ahead of the chest."""
    return 8.0 * max(spot.beyond_m, 0.0) + 2.0 * max(-0.22 - spot.beyond_m, 0.0)


def reach_of(skeleton: Skeleton, place: FloatArray, heading_rad: float, hand: str, point: FloatArray) -> float | None:
    """How much farther than an easy reach a point is for who stands somewhere [m]; nothing when it is out of reach."""
    shoulder, arm = shoulder_of(skeleton)
    sign = 1.0 if hand == "left" else -1.0
    ahead = ahead_of(heading_rad)
    left = np.array([ahead[1], -ahead[0]])
    away = point[[0, 2]] - place
    if float(away @ ahead) < 0.15:
        return None
    flat = away - shoulder[2] * ahead - sign * shoulder[0] * left
    beyond = float(np.linalg.norm([flat[0], point[1] - shoulder[1], flat[1]])) - _EASILY * arm
    return beyond if beyond <= 0.5 * _LEAN_M else None
