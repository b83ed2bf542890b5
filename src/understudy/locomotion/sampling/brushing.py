"""Legs that brush each other in a finished motion: such motions are judged last.

Judges allow what the clips show themselves at alike postures; here every frame is compared with the footage frames it
was made of. Whoever is found brushing is not refused, only put behind those that are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.core.segments import segments_apart
from understudy.kinematics import motion_world
from understudy.library import Library, Unrolled
from understudy.typing import FloatArray

_PARTS = ("thigh", "shank", "foot", "toes")
#: [m] deeper than the clips' own by more than this is brushing.
BRUSH_M = 0.0009


@dataclass(frozen=True, eq=False)
class Legs:
    """The legs of a library's body.

    Attributes:
        library: The clips.
        body: Whose legs.
    """

    library: Library
    body: Body

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Capsules of the left leg with those of the right; thighs overlap in recordings and do not count."""
        names = self.body.capsule_names
        both = [(f"left_{a}", f"right_{b}") for a in _PARTS for b in _PARTS if (a, b) != ("thigh", "thigh")]
        return [(names.index(a), names.index(b)) for a, b in both if a in names and b in names]

    @cached_property
    def own(self) -> FloatArray:
        """``(frames, pairs)`` distances in the footage, at most 0 [m]."""
        world = self.library.footage.world
        return np.minimum(self._gaps(*self.body.capsule_segments(world.positions, world.rotations)), 0.0)

    def brush(self, unrolled: Unrolled) -> float:
        """When the legs brush most [s]; infinite when they do not."""
        if not self.pairs:
            return np.inf
        motion, time = unrolled.motion, unrolled.timeline
        allowed = np.minimum(self.own[time.earlier], self.own[time.later])
        depths = [(allowed - self._of(motion)).max(axis=1)]
        if len(motion) > 1:
            # Legs pass each other between frames, too.
            halves = np.arange(len(motion) - 1) + 0.5
            between = motion.sampled(halves / motion.fps, fps=motion.fps)
            depths.append((np.minimum(allowed[1:], allowed[:-1]) - self._of(between)).max(axis=1))
        frames = np.concatenate([np.arange(len(motion)), np.arange(len(motion) - 1) + 0.5])
        deep = np.concatenate(depths)
        worst = int(deep.argmax())
        return float(frames[worst] / motion.fps) if deep[worst] > BRUSH_M else np.inf

    def _of(self, motion: Motion) -> FloatArray:
        world = motion_world(motion)
        return self._gaps(*self.body.capsule_segments(world.positions, world.rotations))

    def _gaps(self, starts: FloatArray, ends: FloatArray) -> FloatArray:
        radii = self.body.capsule_radii
        gaps = [
            segments_apart(starts[:, i], ends[:, i], starts[:, j], ends[:, j]) - radii[i] - radii[j]
            for i, j in self.pairs
        ]
        return np.stack(gaps, axis=1)
