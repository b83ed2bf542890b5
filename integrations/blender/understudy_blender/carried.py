"""Where things are that a hand has taken, by the scene file that comes back with the motion."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .bvh import Clip
from .turning import from_quaternion

_NO_TURN = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Carried:
    """One thing's places ``(frames, 4, 4)`` in metres, Y up; turned away from how it was sent."""

    name: str
    places: np.ndarray


def carried(scene: Mapping[str, Any], clip: Clip, roles: Mapping[str, str]) -> list[Carried]:
    """The path of every thing that is held at some time.

    Args:
        scene: The values of the scene file.
        clip: The motion that came back, in the scene's time.
        roles: Humanoid role -> joint name.
    """
    held = {str(one["object"]) for one in scene.get("attachment", ())}
    world = _World(scene, clip, roles)
    times = np.arange(len(clip.positions)) / clip.fps
    return [Carried(name, np.stack([world.thing(name, time) for time in times])) for name in sorted(held)]


class _World:
    """Frames ``(4, 4)`` of things and joints at times [s]."""

    def __init__(self, scene: Mapping[str, Any], clip: Clip, roles: Mapping[str, str]) -> None:
        self._things = {one["name"]: one for one in scene.get("object", ())}
        self._holds = sorted(scene.get("attachment", ()), key=lambda one: one.get("from", 0.0))
        self._clip, self._roles = clip, roles
        self._joints = clip.world()

    def thing(self, name: str, time_s: float) -> np.ndarray:
        """Where a thing is: with its holder, where it was let go, or where it stands by itself."""
        before = [one for one in self._holds if one["object"] == name and one.get("from", 0.0) <= time_s + 1e-9]
        if not before:
            return _placed(self._things[name], time_s)
        hold = before[-1]
        end = hold.get("until", math.inf)
        if time_s >= end - 1e-9 and hold.get("release", "stay") == "resume":
            return _placed(self._things[name], time_s)
        return self._holder(hold["to"], min(time_s, end)) @ self._grip(name, hold)

    def _grip(self, name: str, hold: Mapping[str, Any]) -> np.ndarray:
        """How a thing lies in its holder's frame."""
        grip = hold.get("grip", "as_is")
        if isinstance(grip, Mapping):
            return _frame(grip["at"], grip.get("rotation", _NO_TURN))
        taken = hold.get("from", 0.0)
        found = self.thing(name, np.nextafter(taken - 1e-6, -math.inf))
        return np.linalg.solve(self._holder(hold["to"], taken), found)

    def _holder(self, name: str, time_s: float) -> np.ndarray:
        if name in self._things:
            return self.thing(name, time_s)
        part = name.partition(".")[2]
        role = re.sub(r"_(\w)", lambda found: found[1].upper(), part)
        joint = self._clip.names.index(self._roles.get(role, part))
        frame = min(max(round(time_s * self._clip.fps), 0), len(self._clip.positions) - 1)
        result = np.eye(4)
        result[:3, 3], result[:3, :3] = self._joints[0][frame, joint], self._joints[1][frame, joint]
        return result


def _placed(entry: Mapping[str, Any], time_s: float) -> np.ndarray:
    """Where a thing is by itself."""
    track = entry.get("track")
    if track is None:
        return _frame(entry.get("at", (0.0, 0.0, 0.0)), entry.get("rotation", _NO_TURN))
    times = np.asarray(track["times"], dtype=np.float64)
    positions = np.asarray(track["positions"], dtype=np.float64)
    turns = np.asarray(track.get("rotations", [_NO_TURN] * len(times)), dtype=np.float64)
    after = int(np.searchsorted(times, time_s, side="right"))
    if after in (0, len(times)):
        return _frame(positions[max(after - 1, 0)], turns[max(after - 1, 0)])
    share = (time_s - times[after - 1]) / (times[after] - times[after - 1])
    first, second = turns[after - 1], turns[after] * (1.0 if turns[after - 1] @ turns[after] >= 0.0 else -1.0)
    return _frame(positions[after - 1] * (1 - share) + positions[after] * share, first * (1 - share) + second * share)


def _frame(at: Any, rotation: Any) -> np.ndarray:
    result = np.eye(4)
    result[:3, :3], result[:3, 3] = from_quaternion(np.asarray(rotation)), at
    return result
