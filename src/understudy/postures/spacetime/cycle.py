"""Parts of a movement joined into a cycle that runs evenly, such as the two halves of a flare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.errors import PlanningInputError
from understudy.postures.spacetime.objective import SpacetimeOptions
from understudy.postures.spacetime.refining import Refined, refined
from understudy.postures.spacetime.supports import Pinned
from understudy.postures.stage import Stage
from understudy.postures.timing import effort_of
from understudy.typing import FloatArray

#: [m], [rad] how far the end of a part may be from the beginning of the next.
_JOINED_M, _JOINED_RAD = 0.002, 0.01


@dataclass(frozen=True, eq=False, kw_only=True)
class Part:
    """A part of a cycle.

    Attributes:
        motion: What happens.
        pinned: Joints, and points in their frames [m], that stay where they are meanwhile.
    """

    motion: Motion
    pinned: Sequence[tuple[int, FloatArray]] = ()


def looped(
    parts: Sequence[Part],
    body: Body,
    stage: Stage,
    *,
    duration_s: float,
    floor: bool = True,
    options: SpacetimeOptions | None = None,
) -> Refined:
    """Join parts into a cycle at an even pace and refine it; the last frame is the first again.

    Args:
        parts: In order; each begins where the one before ends, the first where the last does.
        body: Who moves.
        stage: Gaps to keep and what stands around.
        duration_s: Of the whole cycle [s].
        floor: Whether there is one.
        options: Weights.

    Raises:
        PlanningInputError: Parts that do not meet.
    """
    _check(parts)
    done = [_turned(part.motion) for part in parts]
    whole = sum(float(one[-1]) for one in done)
    fps = parts[0].motion.fps
    roots, turns, pinned, first = [], [], [], 0
    for part, own in zip(parts, done, strict=True):
        frames = max(round(own[-1] / whole * duration_s * fps), 2)
        times = np.interp(np.linspace(0.0, own[-1], frames + 1), own, np.arange(len(own)) / part.motion.fps)
        places, rotations = part.motion.sample(times)
        roots.append(places[:-1])
        turns.append(rotations[:-1])
        # What carries one part has its place where the parts meet, too.
        pinned += [Pinned(joint=joint, point=at, first=first, stop=first + frames + 1) for joint, at in part.pinned]
        first += frames
    pinned += [Pinned(joint=joint, point=at, first=0, stop=1) for joint, at in parts[-1].pinned]
    pinned += [Pinned(joint=joint, point=at, first=first, stop=first + 1) for joint, at in parts[0].pinned]
    start = parts[0].motion
    motion = replace(
        start,
        root_positions=np.concatenate([*roots, start.root_positions[:1]]),
        rotations=rot.continuous(np.concatenate([*turns, start.rotations[:1]])),
    )
    return refined(motion, body, stage, pinned=pinned, floor=floor, cycle=True, options=options)


def _turned(motion: Motion) -> FloatArray:
    """``(frames,)`` how much has been turned up to each frame [rad]."""
    steps = rot.log(rot.relative(motion.rotations[:-1], motion.rotations[1:]))
    return effort_of(steps)


def _check(parts: Sequence[Part]) -> None:
    if not parts:
        raise PlanningInputError("a cycle needs at least one part; got 0")
    for n, part in enumerate(parts):
        this, other = part.motion, parts[(n + 1) % len(parts)].motion
        if not this.skeleton.same_joints(other.skeleton):
            raise PlanningInputError(f"part {n} of the cycle and the next belong to different skeletons")
        apart = float(np.linalg.norm(this.root_positions[-1] - other.root_positions[0]))
        turned = float(np.linalg.norm(rot.log(rot.relative(this.rotations[-1], other.rotations[0])), axis=-1).max())
        if apart > _JOINED_M or turned > _JOINED_RAD:
            raise PlanningInputError(
                f"part {n} of the cycle ends {apart:.3f} m and {np.degrees(turned):.1f} degrees from where the next "
                "begins"
            )
