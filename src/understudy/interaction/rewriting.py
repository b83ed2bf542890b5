"""Writing solved unknowns back into the words of a play."""

from __future__ import annotations

from dataclasses import replace

from understudy.interaction.play import End, Hold, Knock, Leg, Play, Start, Touch, Way
from understudy.interaction.system import System


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
    arc = next((k for k, one in enumerate(system.layout.arcs) if one.start == numbers[-1]), -1)
    if isinstance(leg, Start):
        return replace(leg, position=place, velocity=system.arcs.given[arc].copy())
    if isinstance(leg, Hold):
        return replace(leg, catch_s=times.get("catch"), release_s=times.get("release"), grip=place)
    if isinstance(leg, Touch):
        bounce = float(system.arcs.ball[arc, 3])
        return replace(leg, time_s=times[""], point=place, restitution=bounce)
    assert isinstance(leg, Knock | End)
    return replace(leg, time_s=times[""], position=place)
