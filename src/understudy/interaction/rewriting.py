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
    axis = _axis(system, numbers[0])
    arc = next((one for one in system.layout.arcs if one.start == numbers[-1]), None)
    if isinstance(leg, Start):
        assert arc is not None
        velocity = system.taken(arc.given_column, arc.given)
        if axis is None:
            return replace(leg, position=place, velocity=velocity)
        across, along = system.play.ways[way].ball.moments
        spin = system.taken(arc.spin_column, arc.spin)
        spin = spin + (across / along - 1.0) * (spin @ axis) * axis
        return replace(leg, position=place, velocity=velocity, spin=spin, axis=axis)
    if isinstance(leg, Hold):
        return replace(leg, catch_s=times.get("catch"), release_s=times.get("release"), grip=place, axis=axis)
    if isinstance(leg, Touch):
        assert arc is not None
        (bounce,) = system.taken(arc.restitution_column, np.array([arc.restitution]))
        return replace(leg, time_s=times[""], point=place, restitution=float(bounce), axis=axis)
    assert isinstance(leg, Knock | End)
    return replace(leg, time_s=times[""], position=place, axis=axis)


def _axis(system: System, n: int) -> FloatArray | None:
    """A capsule's axis in its node's frame."""
    return None if system.layout.nodes[n].axis is None else system.nodes.axis[n].copy()
