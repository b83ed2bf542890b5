"""Things that are closed in at all times: once that is known of one moment, no other has to be looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from understudy.limbs.handling.moments import Chance, shoulder_at
from understudy.limbs.handling.play import Play
from understudy.limbs.ik import Postures
from understudy.limbs.rooms import Room
from understudy.limbs.stage import Stage
from understudy.scene.placements import Static
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.scene.tessellation import triangles_of
from understudy.typing import FloatArray

#: [m] how much farther than its radius from a thing's surface the point of a hand is that takes or touches it.
_OFF_M = 0.01


@dataclass(eq=False)
class Shut:
    """Rooms that are closed at all times, found out while one task is tried."""

    rooms: list[Room] = field(default_factory=list)

    def learn(self, postures: Iterable[Postures]) -> None:
        """Keep rooms that no moment opens."""
        found = {id(one.room): one.room for one in postures if one.room is not None and one.room.always}
        self.rooms += found.values()

    def rules_out(self, play: Play, task: Task, chance: Chance) -> bool:
        """Whether what a task is about lies in a room that a hand cannot be in at a moment, nor at any other."""
        if not self.rooms:
            return False
        where = _whole(play.stage(task.character), task, chance.hand)
        if where is None:
            return False
        stage, when = play.stage(task.character), np.array([chance.time_s])
        bases = [shoulder_at(play, task.character, chance.hand, when)[0]]
        bases.append(play.scene.character(task.character).joint("hips", when)[0][0])
        thick_m = _thickness_m(stage, chance.hand)
        return any(
            room.thick_m <= thick_m and room.surrounds(*where) and not any(room.holds(base) for base in bases)
            for room in self.rooms
        )


def _whole(stage: Stage, task: Task, hand: str) -> tuple[FloatArray, float] | None:
    """A ball that holds wherever a hand's point could be on what a task is about; nothing for what moves."""
    if not task.object:
        if isinstance(task.target, str) or task.target is None:
            return None
        return np.array(task.target, dtype=np.float64), 0.0
    if not _stands(stage.scene, task.object):
        return None
    thing = stage.scene.object(task.object)
    grips = np.array([grip.at for grip in thing.handles]).reshape(-1, 3)
    far = float(np.linalg.norm(np.vstack([triangles_of(thing.shape)[0], grips]), axis=1).max())
    radius = float(stage.body.capsule_radii[stage.body.capsule(f"{hand}_hand")])
    return stage.scene.object_track(task.object, [stage.start_s])[0][0], far + radius + _OFF_M


def _stands(scene: Scene, name: str) -> bool:
    """Whether an object never moves."""
    return isinstance(scene.object(name).placement, Static) and all(hold.object != name for hold in scene.holds)


def _thickness_m(stage: Stage, hand: str) -> float:
    """Radius of the thinnest part of an arm [m]."""
    moved = np.isin(stage.body.capsule_joints, stage.space(f"{hand}_arm").moved)
    return float(stage.body.capsule_radii[moved].min())
