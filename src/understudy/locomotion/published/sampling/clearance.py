"""Exact distances of a finished motion from the scene, before the judge is asked."""

from __future__ import annotations

import numpy as np

from understudy.collision import Checker, CollisionBody, World, world_of
from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.scene.contacts import FLOOR
from understudy.scene.scene import Scene

#: [m] distance a motion must keep, looked at so often [Hz].
KEPT_M, LOOKS_HZ = 0.001, 60.0


def scene_checker(body: Body, scene: Scene | None) -> Checker | None:
    """The body in a scene without its floor; ``None`` where nothing stands."""
    if scene is None or not scene.objects:
        return None
    world = world_of(scene)
    return Checker(CollisionBody(body), World([one for one in world.obstacles if one.name != FLOOR]))


def touched(checker: Checker | None, motion: Motion) -> str:
    """What a motion comes too near to, and when; empty when nothing."""
    if checker is None:
        return ""
    times = np.arange(0.0, motion.duration_s + 1e-9, 1.0 / max(LOOKS_HZ, motion.fps))
    seen = motion.sampled(times, fps=LOOKS_HZ)
    rows = checker.distances_many(seen.rotations, seen.root_positions, times)[:, :2].reshape(-1, 14)
    worst = int(rows[:, 0].argmin())
    if rows[worst, 0] >= KEPT_M:
        return ""
    part, thing = checker.body.names[int(rows[worst, 1])], checker.world.names[int(rows[worst, 2])]
    return f'the {part} is {1000 * rows[worst, 0]:.0f} mm from "{thing}" at {times[worst // 2]:.2f} s'
