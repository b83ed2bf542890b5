"""Places on the outside of an object where a hand could touch or hold it, the easiest first.

The point nearest to the shoulder is best but often in the way of something: right at the board a thing stands on, or
under a shelf. So other sides are looked at too, and places at which a hand would be in something else are left out
before any posture is looked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.errors import PlanningInputError
from understudy.kinematics._inputs import frozen
from understudy.limbs.stage import Stage
from understudy.scene.contacts import FLOOR
from understudy.scene.shapes import HalfSpace, Mesh, Shape, Sphere
from understudy.typing import BoolArray, FloatArray

#: [m] places nearer to each other than this are one.
_SAME_M = 0.012
#: [m] objects that reach farther than this from the place nearest to the shoulder are looked at around that place.
_LARGE_M = 0.3
#: [m] how far from that place others are looked for on large objects.
_AROUND_M = (0.1, 0.22)
#: Things that are looked at before a place counts as free, at most: postures are checked against everything.
_MOST_THINGS = 40
#: [m] what a place on the side that faces away from the shoulder costs.
_BEHIND_M = 0.15
_UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Spot:
    """A place on a surface.

    Attributes:
        at: ``(3,)`` [m] on the surface.
        out: ``(3,)`` unit direction out of it.
    """

    at: FloatArray
    out: FloatArray


def spots(stage: Stage, name: str, time_s: float, shoulder: FloatArray, radius_m: float) -> list[Spot]:
    """Places of an object for a ball of a hand, the easiest first; the first is the one nearest to the shoulder.

    Args:
        stage: The scene.
        name: The object.
        time_s: When [s].
        shoulder: ``(3,)`` [m] where the arm begins.
        radius_m: Of the ball that has to fit beside the surface [m].

    Raises:
        PlanningInputError: The shoulder is in the object.
    """
    shape, pose = _placed(stage, name, time_s)
    nearest = nearest_spot(stage, name, time_s, shoulder)
    found = [nearest]
    for looked_from in _views(shape, pose, nearest, shoulder):
        spot = _spot(shape, pose, looked_from)
        if spot is not None and all(np.linalg.norm(spot.at - one.at) > _SAME_M for one in found):
            found.append(spot)
    free = [found[k] for k in np.flatnonzero(_roomy(stage, name, time_s, found, radius_m)).tolist()]
    return sorted(free or [nearest], key=lambda one: _cost(one, shoulder))


def nearest_spot(stage: Stage, name: str, time_s: float, shoulder: FloatArray) -> Spot:
    """The place of an object that is nearest to the shoulder.

    Raises:
        PlanningInputError: The shoulder is in the object.
    """
    nearest = _spot(*_placed(stage, name, time_s), shoulder)
    if nearest is None:
        raise PlanningInputError(f'"{name}" is around the shoulder at {time_s:.2f} s; there is no outside to touch')
    return nearest


def _placed(stage: Stage, name: str, time_s: float) -> tuple[Shape, ShapePose]:
    """An object's shape, and where it is at a time."""
    positions, rotations = stage.scene.object_track(name, [time_s])
    return stage.scene.object(name).shape, ShapePose(positions[0], rotations[0])


def _cost(spot: Spot, shoulder: FloatArray) -> float:
    """How inconvenient a place is [m]: far away, or on the far side."""
    to = shoulder - spot.at
    away = float(np.linalg.norm(to))
    return away + _BEHIND_M * max(0.0, -float(np.dot(spot.out, to)) / max(away, 1e-9))


def _spot(shape: Shape, pose: ShapePose, seen_from: FloatArray) -> Spot | None:
    """The place nearest to a point outside; nothing where the point is inside."""
    near = shape_distance(Sphere(radius_m=1e-4), ShapePose(seen_from, _UPRIGHT), shape, pose)
    out = seen_from - near.on_second
    length = float(np.linalg.norm(out))
    if near.distance_m <= 0.0 or length < 1e-9:
        return None
    return Spot(at=np.asarray(near.on_second), out=out / length)


def _views(shape: Shape, pose: ShapePose, nearest: Spot, shoulder: FloatArray) -> list[FloatArray]:
    """Points outside an object to look at it from."""
    if isinstance(shape, HalfSpace):
        return []
    up = np.array([0.0, 1.0, 0.0])
    inside = shape.vertices.mean(axis=0) if isinstance(shape, Mesh) else np.zeros(3)
    middle = np.asarray(pose.position) + rot.rotate(np.asarray(pose.rotation), inside)
    if float(np.linalg.norm(middle - nearest.at)) > _LARGE_M:
        side = np.cross(nearest.out, up)
        side = np.array([1.0, 0.0, 0.0]) if np.linalg.norm(side) < 1e-3 else side / np.linalg.norm(side)
        along = np.cross(side, nearest.out)
        return [
            nearest.at + 0.1 * nearest.out + far * (np.cos(turn) * side + np.sin(turn) * along)
            for far in _AROUND_M
            for turn in np.arange(8) * (0.25 * np.pi)
        ]
    level = (shoulder - middle) * np.array([1.0, 0.0, 1.0])
    ahead = level / np.linalg.norm(level) if np.linalg.norm(level) > 1e-6 else np.array([0.0, 0.0, 1.0])
    views = [middle + up]
    for rise in (0.0, 0.6, -0.5):
        for turn in np.arange(8) * (0.25 * np.pi):
            around = rot.rotate(rot.from_axis_angle(up, turn), ahead)
            views.append(middle + around + rise * up)
    return views


def _roomy(stage: Stage, name: str, time_s: float, found: list[Spot], radius_m: float) -> BoolArray:
    """Beside which places a ball is in nothing else."""
    from understudy.limbs._room_kernels import in_the_way

    middles = np.array([spot.at + radius_m * spot.out for spot in found])
    world, left_out = stage.world(), {name, *stage.held_ever}
    looked_at = {thing.name for thing in stage.scene.objects[:_MOST_THINGS]} - left_out
    looked_at |= {FLOOR} if stage.scene.floor else set()
    hard = [one.name in looked_at and not isinstance(one.shape, Mesh) for one in world.obstacles]
    met = np.zeros(len(found), dtype=np.int64)
    depths = frozen(np.where(hard, 0.0, np.inf))
    in_the_way(world.solids, world.at(time_s), depths, np.tile(middles, 3), float(radius_m), False, met)
    return np.asarray(met < 0)
