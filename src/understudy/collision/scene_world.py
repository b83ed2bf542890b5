"""A scene as collision sees it: what stands, what moves, the floor, the other characters, and what may touch."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from understudy import rotations as rot
from understudy.collision.world import Obstacle, Track, World
from understudy.errors import OptionError
from understudy.scene.characters import Character
from understudy.scene.contacts import FLOOR
from understudy.scene.placements import Placement, Static
from understudy.scene.placements import Track as SceneTrack
from understudy.scene.scene import Scene
from understudy.scene.shapes import Capsule, HalfSpace
from understudy.typing import FloatArray

#: [Hz] keys of what does not move by keys itself: hinges, held things, limbs of others. At 3 rad/s and 0.5 m from the
#: pivot the chord between two keys is 10 um off the arc.
_KEYS_HZ = 240.0

#: [s] how long a jump takes.
_INSTANT_S = 1e-6


def world_of(
    scene: Scene,
    *,
    character: str = "",
    without: Collection[str] = (),
    start_s: float = 0.0,
    end_s: float | None = None,
) -> World:
    """The world of a scene as one of its characters meets it.

    Objects on tracks keep their keys. Hinged and held objects and other characters are sampled at 240 Hz between the
    two times, together with the instants at which something changes hands.

    Args:
        scene: Objects, floor and characters.
        character: Whose world it is; everyone else's capsules are obstacles.
        without: Objects to leave out, such as those the character itself carries.
        start_s: From when moving things are known [s].
        end_s: Until when; the scene's duration unless given.
    """
    if character:
        scene.character(character)
    for name in without:
        scene.object(name)
    last = scene.duration_s if end_s is None else float(end_s)
    if not (np.isfinite(start_s) and np.isfinite(last) and last >= start_s):
        raise OptionError(f"times run from {start_s} s to {last} s; the end must not come before the start")
    times = _key_times(scene, start_s, last)
    obstacles = [Obstacle(name=FLOOR, shape=HalfSpace())] if scene.floor else []
    moving = set(scene.moving_objects().tolist())
    for k, thing in enumerate(scene.objects):
        if thing.name in without:
            continue
        positions, rotations = scene.object_track(thing.name, times)
        if k not in moving:
            obstacles.append(Obstacle(name=thing.name, shape=thing.shape, position=positions[0], rotation=rotations[0]))
            continue
        track = _own_keys(thing.placement, held=scene.timeline.is_ever_held(thing.name))
        if track is None:
            track = Track(times_s=times, positions=positions, rotations=rotations)
        obstacles.append(Obstacle(name=thing.name, shape=thing.shape, track=track))
    for person in scene.characters:
        if person.name != character and person.motion is not None:
            obstacles += character_obstacles(person, times)
    return World(obstacles)


def character_obstacles(person: Character, times: FloatArray) -> list[Obstacle]:
    """The capsules of a moving person as moving obstacles, called ``"anna.left_hand"``."""
    body = person.fitted_body
    places, turns = person.joints(times)
    starts, ends = body.capsule_segments(places, turns)
    obstacles = []
    for c, name in enumerate(body.capsule_names):
        along = body.capsule_ends[c] - body.capsule_starts[c]
        length = float(np.linalg.norm(along))
        # Turned with its joint, a capsule cannot flip about its own axis between two keys.
        upright = rot.shortest_arc(np.array([0.0, 1.0, 0.0]), along) if length > 0 else rot.identity(())
        track = Track(
            times_s=times,
            positions=0.5 * (starts[:, c] + ends[:, c]),
            rotations=rot.multiply(turns[:, body.capsule_joints[c]], upright),
        )
        shape = Capsule(radius_m=float(body.capsule_radii[c]), length_m=length)
        obstacles.append(Obstacle(name=f"{person.name}.{name}", shape=shape, track=track, character=person.name))
    return obstacles


def _own_keys(placement: Placement, *, held: bool) -> Track | None:
    """The keys of an object that moves by nothing else, unless they repeat."""
    if held or not isinstance(placement, SceneTrack) or placement.loop:
        return None
    return Track(times_s=placement.times_s, positions=placement.positions, rotations=placement.rotations)


def _key_times(scene: Scene, start_s: float, end_s: float) -> FloatArray:
    count = max(int(np.ceil((end_s - start_s) * _KEYS_HZ)), 1)
    grid = np.linspace(start_s, end_s, count + 1) if end_s > start_s else np.array([start_s])
    jumps = [time for hold in scene.holds for time in (hold.start_s, hold.end_s) if start_s < time < end_s]
    # A thing that changes hands may jump: the key just before keeps the jump an instant long.
    just_before = [time - _INSTANT_S for time in jumps]
    keys = [
        time
        for thing in scene.objects
        if not isinstance(thing.placement, Static)
        for time in thing.placement.times_s
        if start_s < time < end_s
    ]
    return np.unique(np.concatenate([grid, jumps, just_before, keys]))
