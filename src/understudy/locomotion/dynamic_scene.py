"""A stage that changes while somebody walks on it: things are added, moved, taken away, or move by themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy.errors import PlanningInputError
from understudy.floor import Floor
from understudy.floor.footprint import footprint
from understudy.floor.obstacle import Obstacle
from understudy.locomotion.moving import TrackMover, performing, thing_mover
from understudy.locomotion.walker import Walker
from understudy.locomotion.walking import floor_for, walker_heights_m
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Placement, Static, Track, moves
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: [s] how far ahead things that move for ever are looked up, and how long before that runs out it is done again.
_AHEAD_S, _AGAIN_S = 60.0, 15.0
#: [s] how long a change takes in the scene that is judged, and [m] how deep below the floor what is not there waits.
_INSTANT_S, _DEEP_M = 1e-3, 100.0
#: [s] how closely the way of something that moved by itself before it changed is kept.
_KEPT_S = 1.0 / 30.0


class DynamicScene:
    """What is around a walker, now and, as far as it is known, later.

    Args:
        walker: Who walks; how tall it is decides what is in its way.
        given: A scene, or a floor built before, on which nothing moves by itself.
        points: Floor points (x, z) [m] that have to lie on the floor.
        floor: The scene's floor, when it was built before; things that move by themselves are left out of it.
    """

    def __init__(
        self, walker: Walker, given: Scene | Floor | None, points: list[FloatArray], *, floor: Floor | None = None
    ) -> None:
        self._walker = walker
        self.scene = given if isinstance(given, Scene) else None
        self._judged = self.scene
        still = self._still_scene()
        if isinstance(given, Floor):
            self.floor = given
        elif floor is not None:
            self.floor = floor
            for name in self._moving():
                if any(one.name == name for one in floor.obstacles):
                    self.floor = self.floor.without(name)
        else:
            self.floor = floor_for(walker, still, points)
        self.changes = 0
        self._movers: list[TrackMover] | None = None
        self._known_s = 0.0

    def _moving(self) -> list[str]:
        scene = self.scene
        return [] if scene is None else [scene.objects[k].name for k in scene.moving_objects().tolist()]

    def _still_scene(self) -> Scene | None:
        scene = self.scene
        for name in self._moving():
            assert scene is not None
            scene = scene.without(name)
        return scene

    def movers(self, time_s: float) -> list[TrackMover]:
        """Everything that moves by itself, looked up from some time before ``time_s`` to long after it."""
        if self._movers is None or time_s > self._known_s - _AGAIN_S:
            self._known_s = time_s + _AHEAD_S
            self._movers = self._looked_up(max(time_s - 1.0, 0.0))
        return self._movers

    def _looked_up(self, from_s: float) -> list[TrackMover]:
        scene = self.scene
        if scene is None:
            return []
        heights = walker_heights_m(self._walker)
        found: list[TrackMover] = [
            thing_mover(scene, name, heights_m=heights, until_s=self._known_s, from_s=from_s) for name in self._moving()
        ]
        for person in scene.characters:
            if person.motion is not None:
                found.append(performing(person.name, person.world_motion, person.fitted_body, start_s=person.start_s))
        return found

    # Changing it.

    def add(self, thing: SceneObject | Obstacle, time_s: float) -> None:
        """Put something on the stage at a time."""
        if isinstance(thing, Obstacle):
            self.floor = self.floor.with_obstacle(thing)
        else:
            self._needs_scene(thing.name)
            assert self.scene is not None
            assert self._judged is not None
            self.scene = self.scene.with_object(thing)
            if not moves(thing.placement):
                self._put(thing)
                thing = replace(thing, placement=_appearing(thing.placement, time_s))
            self._judged = self._judged.with_object(thing)
        self._changed()

    def remove(self, name: str, time_s: float) -> None:
        """Take something off the stage at a time."""
        if self.scene is not None and any(one.name == name for one in self.scene.objects):
            assert self._judged is not None
            self._judged = self._judged.placed(name, self._until(name, time_s, None))
            self.scene = self.scene.without(name)
            if any(one.name == name for one in self.floor.obstacles):
                self.floor = self.floor.without(name)
        else:
            self.floor = self.floor.without(name)
        self._changed()

    def move(
        self, name: str, time_s: float, *, position: npt.ArrayLike | None = None, rotation: npt.ArrayLike | None = None
    ) -> None:
        """Put something elsewhere at a time; what is not given stays as it is."""
        self._needs_scene(name)
        assert self.scene is not None
        assert self._judged is not None
        after = self.scene.moved(name, position=position, rotation=rotation)
        placement = after.object(name).placement
        self._judged = self._judged.placed(name, self._until(name, time_s, placement))
        self.scene = after
        self._put(after.object(name))
        self._changed()

    def _needs_scene(self, name: str) -> None:
        if self.scene is None:
            raise PlanningInputError(f'"{name}" cannot be put on a bare floor; give an Obstacle, or walk in a scene')

    def _changed(self) -> None:
        self.changes += 1
        self._movers = None

    def _put(self, thing: SceneObject) -> None:
        """Put the footprint of something that stands on the floor, in place of its old one."""
        at, turn = thing.placement.poses(np.zeros(1))
        shadow = footprint(
            thing.name,
            thing.shape,
            at[0],
            turn[0],
            heights_m=walker_heights_m(self._walker),
            bounds=self.floor.bounds,
        )
        there = any(one.name == thing.name for one in self.floor.obstacles)
        if shadow is not None:
            self.floor = self.floor.replaced(shadow) if there else self.floor.with_obstacle(shadow)
        elif there:
            self.floor = self.floor.without(thing.name)

    # For the judge.

    @property
    def judged_scene(self) -> Scene | None:
        """The scene as it was over time: what was added later was not there before."""
        return self._judged

    def _until(self, name: str, time_s: float, after: Placement | None) -> Track:
        """Where an object has been until a time, and where it stands then; under the floor for ``None``."""
        assert self._judged is not None
        before = self._judged.object(name).placement
        begin = time_s - 3.0 * _INSTANT_S
        times = np.array([begin])
        if moves(before):
            own = before.times_s if isinstance(before, Track) and not before.loop else np.arange(0.0, begin, _KEPT_S)
            times = np.unique([*(time for time in own if time < begin), begin])
        positions, rotations = self._judged.object_track(name, times)
        there, turned = positions[-1], rotations[-1]
        if isinstance(after, Static):
            there, turned = np.array(after.position), np.array(after.rotation)
        deep = np.array([0.0, _DEEP_M, 0.0])
        steps = [positions[-1] - deep, there - deep] + ([there] if after is not None else [there - deep])
        return Track(
            times_s=np.concatenate([times, begin + _INSTANT_S * np.arange(1.0, 4.0)]),
            positions=np.concatenate([positions, steps]),
            rotations=np.concatenate([rotations, rotations[-1:], [turned, turned]]),
        )


def _appearing(placement: Placement, time_s: float) -> Track:
    """Under the floor, and at its place from a time on."""
    at, turn = placement.poses(np.zeros(1))
    return Track(
        times_s=np.array([time_s - _INSTANT_S, time_s]),
        positions=np.concatenate([at - [0.0, _DEEP_M, 0.0], at]),
        rotations=np.concatenate([turn, turn]),
    )
