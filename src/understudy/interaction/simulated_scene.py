"""What a simulation happens on: characters with their controls, their capsules over time, and the still scene."""

from __future__ import annotations

import numpy as np

from understudy.interaction._curve_kernels import jet, new_jets
from understudy.interaction.actor import Part, part_ends, sampled
from understudy.interaction.contact_places import Node, put_surface
from understudy.interaction.play import FLOOR, Play
from understudy.interaction.system import players_with
from understudy.kinematics import forward
from understudy.typing import FloatArray

#: [1/s] grid on which contacts are looked for before they are found exactly.
SCAN_HZ = 240.0


class SimulatedScene:
    """Characters and scene of one simulation.

    Args:
        play: Actors and scene.
        until_s: When to stop [s]; the end of the shortest motion unless given.
        controls: Control points and blend weights of all actors; all zero unless given.
    """

    def __init__(self, play: Play, until_s: float | None, controls: FloatArray | None) -> None:
        self.play = play
        self.players = players_with(play, controls)
        self.until = play.duration_s if until_s is None else min(until_s, play.duration_s)
        self.grid = np.arange(round(self.until * SCAN_HZ) + 2) / SCAN_HZ
        self.jets = [new_jets(1, one.chains.shape[1], len(one.weights)) for one in self.players]
        self._surfaces()

    def _surfaces(self) -> None:
        """All capsules of bodies and implements over the grid, and the nodes of all still surfaces."""
        self.parts: list[str] = []
        radii: list[float] = []
        self._capsules: list[list[Part]] = []
        for actor in self.play.actors:
            names = [*actor.fitted_body.capsule_names, *(one.name for one in actor.implements)]
            found = [actor.part(name) for name in names]
            self._capsules.append(found)
            radii += [one[3] for one in found]
            self.parts += [f"{actor.name}.{name}" for name in names]
        self.radii = np.array(radii)
        self.track = self.tracks_at(self.grid)
        self.still = [FLOOR] if self.play.scene.floor else []
        self.still += [thing.name for thing in self.play.scene.objects]

    def tracks_at(self, times: FloatArray) -> FloatArray:
        """World ends ``(n, capsules, 2, 3)`` of all capsules of bodies and implements at times."""
        tracks = []
        for actor, player, parts in zip(self.play.actors, self.players, self._capsules, strict=True):
            world = forward(actor.motion.skeleton, *sampled(player, actor.motion, times))
            tracks.append(part_ends(world, parts))
        return np.ascontiguousarray(np.concatenate(tracks, axis=1))

    def node(self, part: str) -> Node:
        """A node with the surface that a ball would have to stay on."""
        player, joint, _ = self.play.surface_of(part)
        node = Node(label=part, time=0.0, point=np.zeros(3), player=player, joint=joint)
        put_surface(self.play, node, part)
        return node

    def frame(self, node: Node, time: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Place, rotation ``(3, 3)``, velocity and spin of a node's frame at a time."""
        if node.player < 0:
            return node.still_place, node.still_turn, np.zeros(3), np.zeros(3)
        jets = self.jets[node.player]
        jet(self.players[node.player], time, node.joint, np.zeros(3), jets, 0)
        return jets.place[0].copy(), jets.frame[0].copy(), jets.velocity[0].copy(), jets.spin[0].copy()
