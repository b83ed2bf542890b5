"""Writing solved unknowns back into the words of a play."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.interaction.play import End, Hold, Knock, Leg, Play, Start, Touch, Way
from understudy.interaction.system import System
from understudy.typing import FloatArray


def rewritten(play: Play, system: System) -> Play:
    """The play with all contacts where the loaded system has them; controls are not part of a play."""
    ways = []
    for number, way in enumerate(play.ways):
        legs = tuple(_rewritten(leg, number, index, system) for index, leg in enumerate(way.legs))
        ways.append(Way(ball=way.ball, legs=legs))
    return replace(play, ways=tuple(ways))


def _rewritten(leg: Leg, way: int, index: int, system: System) -> Leg:
    numbers = [n for n, node in enumerate(system.layout.nodes) if node.leg == (way, index)]
    times = {system.layout.nodes[n].ends: float(system.nodes.time[n]) for n in numbers}
    place = system.nodes.point[numbers[0]].copy()
    axis = None if system.rods is None else _axis(system, numbers[0])
    arc = next((k for k, one in enumerate(system.layout.arcs) if one.start == numbers[-1]), -1)
    if isinstance(leg, Start):
        if axis is None:
            return replace(leg, position=place, velocity=system.arcs.given[arc].copy())
        across, along = system.play.ways[way].ball.moments
        spin = system.arcs.spin[arc]
        spin = spin + (across / along - 1.0) * (spin @ axis) * axis
        return replace(leg, position=place, velocity=system.arcs.given[arc].copy(), spin=spin, axis=axis)
    if isinstance(leg, Hold):
        return replace(leg, catch_s=times.get("catch"), release_s=times.get("release"), grip=place, axis=axis)
    if isinstance(leg, Touch):
        bounce = float(system.arcs.ball[arc, 3])
        return replace(leg, time_s=times[""], point=place, restitution=bounce, axis=axis)
    assert isinstance(leg, Knock | End)
    return replace(leg, time_s=times[""], position=place, axis=axis)


def _axis(system: System, n: int) -> FloatArray | None:
    """A capsule's axis in its node's frame."""
    if system.rods is None or system.layout.nodes[n].axis is None:
        return None
    return np.array(system.rods.own[n])
