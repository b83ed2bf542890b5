"""A solved play as a scene, motions and flights: what the judge, pictures and files need."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.interaction.actor import Implement
from understudy.interaction.play import Hold, Play, Touch
from understudy.interaction.system import System
from understudy.interaction.tracks import axis_turns, ball_axes, ball_states, flown, stretches
from understudy.scene.attachments import Attachment
from understudy.scene.characters import Character
from understudy.scene.contacts import ContactRule
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Track
from understudy.scene.scene import Scene
from understudy.scene.shapes import Capsule, Sphere
from understudy.scene.transforms import Transform
from understudy.typing import FloatArray

#: [1/s] keys of a ball's track: straight lines between them are off a parabola by 0.02 mm.
KEY_HZ = 240.0
#: [s] before a catch and after a throw within which the ball may touch the hand.
_LEAVING_S = 0.05
#: [s] around a bounce, and [m]: tracks and frames cut its corner.
_BOUNCE_S, _BOUNCE_M = 0.02, 0.012


@dataclass(frozen=True, eq=False, kw_only=True)
class FlightTrack:
    """One flight of a ball, sampled.

    Attributes:
        ball: Its name.
        times_s: ``(n,)`` [s].
        positions: ``(n, 3)`` [m].
        mass_kg: Of the ball.
    """

    ball: str
    times_s: FloatArray
    positions: FloatArray
    mass_kg: float


def staged(system: System, motions: dict[str, Motion]) -> Scene:
    """The scene with everyone's motion, balls on their tracks, implements in hands, and the contacts that are meant."""
    play = system.play
    scene = play.scene
    for actor in play.actors:
        scene = scene.with_character(Character(name=actor.name, motion=motions[actor.name], body=actor.body))
        for implement in actor.implements:
            scene = _with_implement(scene, actor.name, implement)
    for way in play.ways:
        times = _keys(system, way.ball.name, play.duration_s)
        shape: Sphere | Capsule = Sphere(radius_m=way.ball.radius_m)
        turns = np.empty((0, 4))
        if way.ball.length_m > 0.0:
            shape = Capsule(radius_m=way.ball.radius_m, length_m=way.ball.length_m)
            turns = axis_turns(ball_axes(system, way.ball.name, times))
        track = Track(times_s=times, positions=ball_states(system, way.ball.name, times)[0], rotations=turns)
        ball = SceneObject(name=way.ball.name, shape=shape, placement=track, color=way.ball.color)
        scene = scene.with_object(ball)
        for rule in _rules(system, play, way.ball.name):
            scene = scene.with_contact(rule)
    return scene


def flight_tracks(system: System, *, points: int | None = None) -> list[FlightTrack]:
    """Every flight of every ball, at so many points each, or finely enough for the judge."""
    found = []
    for way in system.play.ways:
        for stretch in stretches(system, way.ball.name):
            if stretch.arc >= 0:
                count = points or max(12, round((stretch.end_s - stretch.start_s) * KEY_HZ))
                times = np.linspace(stretch.start_s, stretch.end_s, count)
                places = flown(system, stretch, times)[0]
                found.append(FlightTrack(ball=way.ball.name, times_s=times, positions=places, mass_kg=way.ball.mass_kg))
    return found


def _keys(system: System, ball: str, end: float) -> FloatArray:
    """Key times: a fine grid and every contact."""
    grid = np.arange(int(np.floor(end * KEY_HZ + 1e-9)) + 1) / KEY_HZ
    contacts = [stretch.start_s for stretch in stretches(system, ball) if 0.0 < stretch.start_s < end]
    times = np.unique(np.concatenate([grid, contacts]))
    return times[np.concatenate([[True], np.diff(times) > 1e-6])]


def _rules(system: System, play: Play, ball: str) -> list[ContactRule]:
    way = play.ways.index(play.way(ball))
    rules = []
    for stretch in stretches(system, ball):
        if stretch.node < 0:
            continue
        hold = play.ways[way].legs[system.layout.nodes[stretch.node].leg[1]]
        assert isinstance(hold, Hold)
        rules.append(ContactRule(a=ball, b=hold.part, start_s=stretch.start_s, end_s=stretch.end_s, why="is held"))
        for start, end in (
            (stretch.start_s - _LEAVING_S, stretch.start_s),
            (stretch.end_s, stretch.end_s + _LEAVING_S),
        ):
            rules.append(ContactRule(a=ball, b=hold.part, start_s=start, end_s=end, why="comes and goes"))
    for n, node in enumerate(system.layout.nodes):
        leg = play.ways[way].legs[node.leg[1]] if node.leg[0] == way else None
        if isinstance(leg, Touch):
            time = float(system.nodes.time[n])
            span = {"start_s": time - _BOUNCE_S, "end_s": time + _BOUNCE_S}
            met = ContactRule(a=ball, b=_called(play, leg.part), why="bounces", **span)
            rules.append(met if met.by_hand else replace(met, max_depth_m=_BOUNCE_M))
    return rules


def _called(play: Play, part: str) -> str:
    """A body part, or the object that an implement is in the scene."""
    owner, dot, piece = part.partition(".")
    swung = dot and piece in [one.name for one in play.actors[play.actor_number(owner)].implements]
    return f"{owner} {piece}" if swung else part


def _with_implement(scene: Scene, actor: str, implement: Implement) -> Scene:
    axis = np.asarray(implement.end) - np.asarray(implement.start)
    length = float(np.linalg.norm(axis))
    turn = rot.shortest_arc(np.array([0.0, 1.0, 0.0]), axis / length)
    x, y, z = (float(value) for value in 0.5 * (np.asarray(implement.start) + np.asarray(implement.end)))
    name = f"{actor} {implement.name}"
    shape = Capsule(radius_m=implement.radius_m, length_m=length)
    scene = scene.with_object(SceneObject(name=name, shape=shape, color=(0.55, 0.36, 0.18)))
    grip = Transform(position=(x, y, z), rotation=tuple(turn.tolist()))
    scene = scene.with_attachment(Attachment(object=name, to=f"{actor}.{implement.joint}", grip=grip))
    if implement.second:
        scene = scene.with_contact(ContactRule(a=name, b=f"{actor}.{implement.second}", why="is held"))
    return scene
