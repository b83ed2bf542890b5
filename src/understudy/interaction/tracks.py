"""Where balls are at any time of a solved play: in a hand, in the air, at rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.interaction._curve_kernels import jet, new_jets
from understudy.interaction._guard_kernels import point_track
from understudy.interaction._law_kernels import GRAVITY
from understudy.interaction.system import System
from understudy.typing import FloatArray, IntArray


class Stretch(NamedTuple):
    """A part of a ball's way.

    Attributes:
        start_s: From when [s].
        end_s: Until when [s].
        arc: The arc it flies, or -1.
        node: The node it is held at, or -1.
    """

    start_s: float
    end_s: float
    arc: int
    node: int


def stretches(system: System, ball: str) -> list[Stretch]:
    """A ball's whole way in order, for the unknowns loaded; it lasts as long as the play."""
    way = system.play.ways.index(system.play.way(ball))
    found: list[Stretch] = []
    numbers = [n for n, node in enumerate(system.layout.nodes) if node.leg[0] == way]
    arcs = {system.layout.arcs[k].start: k for k in range(len(system.layout.arcs)) if system.layout.arcs[k].way == way}
    first = numbers[0]
    if system.layout.nodes[first].ends == "release":
        found.append(Stretch(0.0, float(system.nodes.time[first]), -1, first))
    for n in numbers:
        node, time = system.layout.nodes[n], float(system.nodes.time[n])
        if n in arcs:
            found.append(Stretch(time, float(system.nodes.time[system.layout.arcs[arcs[n]].end]), arcs[n], -1))
        elif node.ends == "catch":
            later = float(system.nodes.time[n + 1]) if n + 1 in numbers else system.play.duration_s
            found.append(Stretch(time, later, -1, n))
    return found


def leg_strikes(system: System, actor: int) -> list[tuple[str, float]]:
    """Side and time [s] of every contact with an actor's legs."""
    skeleton = system.play.actors[actor].motion.skeleton
    legs = {side: set(skeleton.descendants(skeleton.humanoid[f"{side}UpperLeg"])) for side in ("left", "right")}
    return [
        (side, float(system.nodes.time[n]))
        for n, node in enumerate(system.layout.nodes)
        for side, joints in legs.items()
        if node.player == actor and node.joint in joints
    ]


def ball_states(system: System, ball: str, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Centres ``(n, 3)`` [m] and velocities ``(n, 3)`` [m/s] of a ball at times; before its start it waits there."""
    places, velocities = np.zeros((len(times_s), 3)), np.zeros((len(times_s), 3))
    for stretch, chosen, times in _pieces(system, ball, times_s):
        if stretch.arc >= 0:
            places[chosen], velocities[chosen] = flown(system, stretch, times)
        else:
            places[chosen], velocities[chosen] = _held(system, stretch.node, times)
    return places, velocities


def _pieces(system: System, ball: str, times_s: FloatArray) -> Iterator[tuple[Stretch, IntArray, FloatArray]]:
    """A ball's stretches with the times that belong to them: which, and when [s]."""
    whole = stretches(system, ball)
    starts = np.array([one.start_s for one in whole])
    which = np.clip(np.searchsorted(starts, times_s, side="right") - 1, 0, len(whole) - 1)
    for k, stretch in enumerate(whole):
        chosen = np.flatnonzero(which == k)
        if len(chosen):
            yield stretch, chosen, np.clip(times_s[chosen], stretch.start_s, stretch.end_s)


def flown(system: System, stretch: Stretch, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Centres ``(n, 3)`` [m] and velocities ``(n, 3)`` [m/s] of a ball at times of one of its flights."""
    a, b = system.layout.arcs[stretch.arc].start, system.layout.arcs[stretch.arc].end
    duration = system.nodes.time[b] - system.nodes.time[a]
    since = (times - system.nodes.time[a])[:, None]
    gravity = np.array([0.0, GRAVITY, 0.0])
    leaving = (system.jets.place[b] - system.jets.place[a]) / duration - 0.5 * duration * gravity
    return system.jets.place[a] + since * leaving + 0.5 * since**2 * gravity, leaving + since * gravity


def _held(system: System, n: int, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    node = system.layout.nodes[n]
    if node.player < 0:
        return np.tile(system.jets.place[n], (len(times), 1)), np.zeros((len(times), 3))
    player = system.players[node.player]
    jets = new_jets(1, player.chains.shape[1], len(player.weights))
    places, velocities = np.empty((len(times), 3)), np.empty((len(times), 3))
    point_track(player, np.ascontiguousarray(times), node.joint, system.nodes.point[n], jets, places, velocities)
    return places, velocities


def ball_axes(system: System, ball: str, times_s: FloatArray) -> FloatArray:
    """Directions ``(n, 3)`` of a capsule's axis at times; of a sphere's, upwards."""
    found = np.tile(np.array([0.0, 1.0, 0.0]), (len(times_s), 1))
    if not system.turns(ball):
        return found
    for stretch, chosen, times in _pieces(system, ball, times_s):
        if stretch.arc >= 0:
            arc = system.layout.arcs[stretch.arc]
            since = (times - system.nodes.time[arc.start])[:, None]
            turns = rot.exp(since * system.taken(arc.spin_column, arc.spin))
            found[chosen] = rot.rotate(turns, np.broadcast_to(system.axis(arc.start), (len(times), 3)))
        else:
            found[chosen] = [_held_axis(system, stretch.node, time) for time in times]
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def _held_axis(system: System, n: int, time: float) -> FloatArray:
    node = system.layout.nodes[n]
    if node.player < 0:
        return system.axis(n)
    player = system.players[node.player]
    jets = new_jets(1, player.chains.shape[1], len(player.weights))
    jet(player, time, node.joint, system.nodes.point[n], jets, 0)
    return np.asarray(jets.frame[0] @ system.nodes.axis[n])


def axis_turns(axes: FloatArray) -> FloatArray:
    """Rotations ``(n, 4)`` that turn Y to the axes, each the shortest way from the one before."""
    turns = np.empty((len(axes), 4))
    before, turn = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0])
    for k, axis in enumerate(axes):
        turn = rot.normalize(rot.multiply(rot.shortest_arc(before, axis), turn))
        turns[k], before = turn, axis
    return turns
