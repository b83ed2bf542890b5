"""Legs that pass each other: feet of another size swing around the one that stands, and knees keep apart."""

from __future__ import annotations

import numpy as np

from understudy.core.motion import Motion
from understudy.retargeting.clearance import Nearness, chosen_pairs, nearness, pushes, room_for
from understudy.retargeting.feet import SourceFeet, leg_roles, placed_feet
from understudy.retargeting.standing import SIDES, Standing
from understudy.typing import FloatArray

_LEG = ("thigh", "shank", "foot", "toes")
_PASSES = 24
#: [s] feet swing around each other, and knees turn, this long before and after they would touch.
_PASSING_S = 0.15
#: [rad/m] how readily a knee turns instead of a foot moving.
_KNEES = 3.0
#: [m], [m], [rad] no foot and no knee is moved further than this.
_MOST = np.array([0.08, 0.08, 0.3])
#: Share of the way that a foot takes on itself while it stands.
_STANDS = 0.05


def legs_clear(
    motion: Motion, feet: SourceFeet, stance: Standing, source: Motion, *, scale: float
) -> tuple[Motion, float]:
    """Feet placed on the scaled footprints, those moved as far as legs need to pass each other.

    Args:
        motion: The target's motion, feet not yet placed.
        feet: The source's feet.
        stance: How the target stands.
        source: The recording: legs may touch as they do there.
        scale: Target length per source length.

    Returns:
        The motion and the largest distance left at an ankle [m].
    """
    pairs = chosen_pairs(motion, lambda one, two: {_leg(one), _leg(two)} == set(SIDES))
    room = room_for(motion, pairs, source)
    free = np.stack([_STANDS + feet.stances[side].swinging(len(motion)) for side in SIDES], axis=1)
    # The larger share would have a kink where one foot takes over from the other; this is smooth.
    free /= np.linalg.norm(free, axis=1, keepdims=True)
    moved = {side: np.zeros((len(motion), 3)) for side in SIDES}
    best, error = placed_feet(motion, feet, stance, scale=scale, moved=moved)
    for _ in range(_PASSES):
        found = nearness(best, pairs)
        push = pushes(found, room, _slopes(best, found, free), round(_PASSING_S * motion.fps))
        if push is None:
            break
        for place, side in enumerate(SIDES):
            own = push[:, 3 * place : 3 * place + 3] * np.array([1.0, 1.0, _KNEES])
            own[:, :2] *= free[:, place, None]
            moved[side] = np.clip(moved[side] + own, -_MOST, _MOST)
        best, error = placed_feet(motion, feet, stance, scale=scale, moved=moved)
    return best, error


def _leg(part: str) -> str:
    """The side of a part of a leg; empty for other parts."""
    return next((side for side in SIDES if part in {f"{side}_{bone}" for bone in _LEG}), "")


def _slopes(motion: Motion, found: Nearness, free: FloatArray) -> FloatArray:
    """``(frames, n, 6)`` how gaps widen as feet move over the floor and knees turn, of the left and the right leg."""
    slopes = np.zeros((*found.gaps_m.shape, 6))
    for place, side in enumerate(SIDES):
        hip, _, foot = (found.world.positions[:, motion.skeleton.humanoid[role]] for role in leg_roles(side))
        line = foot - hip
        line = line / np.maximum(np.linalg.norm(line, axis=1, keepdims=True), 1e-9)
        for pair, names in enumerate(found.names):
            end = 0 if _leg(names[0]) == side else 1
            away = (1.0, -1.0)[end] * found.away[:, pair]
            bone = names[end].removeprefix(f"{side}_")
            # The hip stays, the knee goes half the way of the foot.
            along = {"thigh": 0.0, "shank": 0.5}.get(bone, 0.5) + 0.5 * found.shares[:, pair, end]
            along = along if bone in ("thigh", "shank") else np.ones(len(along))
            slopes[:, pair, 3 * place : 3 * place + 2] = (along * free[:, place])[:, None] * away[:, [0, 2]]
            if bone in ("thigh", "shank"):
                swept = np.cross(line, found.points[:, pair, end] - hip)
                slopes[:, pair, 3 * place + 2] = _KNEES * (swept * away).sum(axis=1)
    return slopes
