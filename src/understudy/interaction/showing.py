"""What is shown of an edit: an actor's motion with feet on the ground and hands on what they hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.motion import Motion
from understudy.interaction.actor import sampled
from understudy.interaction.gripping import gripped
from understudy.interaction.planting import planted, stances
from understudy.interaction.reaction import ReactionOptions, hits_on, reacted
from understudy.interaction.system import System
from understudy.interaction.tracks import leg_strikes


def shown(
    system: System,
    number: int,
    *,
    fps: float | None = None,
    plant: bool = True,
    reaction: ReactionOptions | None = None,
) -> Motion:
    """An actor's motion, for the unknowns loaded.

    Args:
        system: The play.
        number: Which actor.
        fps: Frames per second; the source's own unless given.
        plant: Whether feet stand where the source's feet stand, and second hands are where they hold something.
        reaction: How the body yields to impacts; it does not unless given.
    """
    if fps is not None or reaction is not None:
        return _shown(system, number, fps, plant, reaction)
    if (number, plant) not in system.looked_at:
        system.looked_at[number, plant] = _shown(system, number, None, plant, None)
    return system.looked_at[number, plant]


def _shown(system: System, number: int, fps: float | None, plant: bool, reaction: ReactionOptions | None) -> Motion:
    actor = system.play.actors[number]
    source = actor.motion
    rate = source.fps if fps is None else fps
    count = int(np.floor(source.duration_s * rate + 1e-6)) + 1
    roots, turns = sampled(system.players[number], source, np.arange(count) / rate)
    motion = replace(source, fps=rate, root_positions=roots, rotations=turns)
    if reaction is not None:
        motion = reacted(motion, actor.fitted_body, hits_on(system, number), reaction)
    if not plant:
        return motion
    feet = actor.stances
    if rate != source.fps:
        source = source.resampled(rate).frames(0, count)
        feet = stances(source)
    return gripped(planted(motion, source, actor.fitted_body.limits, feet, leg_strikes(system, number)), actor)
