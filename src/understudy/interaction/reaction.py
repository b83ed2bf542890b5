"""A small reaction of the body to heavy impacts, laid over a finished motion and kept apart from everything else.

An edit treats bodies as infinitely heavy: a ball bounces off a moving part whose way is given. This module only makes
that look less stiff. The limb that is hit yields like a damped spring: it is turned away by an angle that grows with
the impulse over the limb's mass and dies away within tenths of a second. Contacts are not exact afterwards by the size
of the offset just after the hit, which is why it is an option and off unless asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.core.planning import Options, limited
from understudy.interaction._law_kernels import BOUNCED, VELOCITY
from understudy.interaction.system import System
from understudy.interaction.terms import Probe
from understudy.kinematics import motion_world
from understudy.typing import FloatArray


@dataclass(frozen=True, kw_only=True)
class ReactionOptions(Options):
    """How a body yields.

    Attributes:
        frequency_hz: Of the spring.
        damping: Share of critical damping.
        most_rad: Largest turn of a joint [rad].
    """

    frequency_hz: float = limited(3.5, low=0.2, high=20.0, unit="Hz")
    damping: float = limited(0.6, low=0.05, high=2.0)
    most_rad: float = limited(0.35, low=0.0, high=1.5, unit="rad")


@dataclass(frozen=True, eq=False, kw_only=True)
class Hit:
    """An impact on a body.

    Attributes:
        joint: That carries the part.
        time_s: When [s].
        place: ``(3,)`` where [m].
        impulse: ``(3,)`` on the body [kg m/s].
    """

    joint: int
    time_s: float
    place: FloatArray
    impulse: FloatArray


def hits_on(system: System, actor: int) -> list[Hit]:
    """Impacts of balls on an actor in a loaded system."""
    found = []
    for k, arc in enumerate(system.layout.arcs):
        node = system.layout.nodes[arc.start]
        if arc.law != BOUNCED or node.player != actor:
            continue
        time = float(system.nodes.time[arc.start])
        before = system.probed(Probe(VELOCITY, arc.before, time))
        after = system.probed(Probe(VELOCITY, k, time))
        impulse = arc.ball.mass_kg * (before - after)
        size = max(float(np.linalg.norm(impulse)), 1e-12)
        place = system.jets.place[arc.start] + arc.ball.radius_m / size * impulse
        found.append(Hit(joint=node.joint, time_s=time, place=place, impulse=impulse))
    return found


def reacted(motion: Motion, body: Body, hits: list[Hit], options: ReactionOptions | None = None) -> Motion:
    """The motion with every hit's joint and its parent turned away and back.

    The impulse ``p`` at an arm ``r`` from a joint gives the limb below it, of inertia ``I`` about the joint, the
    angular velocity ``r x p / I``; a spring of ``frequency_hz`` with ``damping`` brings it back.
    """
    chosen = options or ReactionOptions()
    world = motion_world(motion)
    turns = motion.rotations.copy()
    for hit in hits:
        frame = int(np.clip(round(hit.time_s * motion.fps), 0, len(motion) - 1))
        joint = hit.joint
        for share in (1.0, 0.5):
            arm = hit.place - world.positions[frame, joint]
            spin = np.cross(arm, hit.impulse) / _inertia(body, joint, world.positions[frame], world.rotations[frame])
            own = rot.rotate(rot.conjugate(world.rotations[frame, joint]), spin)
            swing = share * own[None, :] * _impulse_response(motion.times_s - hit.time_s, chosen)[:, None]
            size = np.linalg.norm(swing, axis=1).max()
            swing *= min(1.0, chosen.most_rad / max(size, 1e-12))
            turns[:, joint] = rot.multiply(turns[:, joint], rot.exp(swing))
            if motion.skeleton.parents[joint] < 0:
                break
            joint = int(motion.skeleton.parents[joint])
    return replace(motion, rotations=turns)


def _inertia(body: Body, joint: int, positions: FloatArray, rotations: FloatArray) -> float:
    """Moment of inertia of everything below a joint about it [kg m^2], taken as the same about all axes."""
    below = list(body.skeleton.descendants(joint))
    centres = positions[below] + rot.rotate(rotations[below], body.coms[below])
    own = np.einsum("jii->j", body.inertias[below]) / 3.0
    away = np.sum((centres - positions[joint]) ** 2, axis=1)
    return float(np.sum(own + body.masses[below] * away)) + 1e-3


def _impulse_response(since: FloatArray, options: ReactionOptions) -> FloatArray:
    """Angle per unit of angular velocity [s] of a damped spring after a push at time 0."""
    rate = 2.0 * np.pi * options.frequency_hz
    t = np.maximum(since, 0.0)
    decay = np.exp(-options.damping * rate * t)
    if options.damping < 1.0 - 1e-6:
        ringing = rate * np.sqrt(1.0 - options.damping**2)
        return np.asarray(decay * np.sin(ringing * t) / ringing)
    return np.asarray(decay * t)
