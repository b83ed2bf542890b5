"""How faults are planted: who is spoiled, when, and the claim with the spoiled motion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.scene.scene import Scene
from understudy.verify.claim import Claim

Rng = np.random.Generator
#: Plants one fault; ``None`` where there is nothing to spoil.
Plant = Callable[[Claim, Rng], Claim | None]

#: Frames at both ends in which nothing is planted.
_ENDS = 12


def somebody(claim: Claim, rng: Rng) -> tuple[str, Motion]:
    return claim.motions[int(rng.integers(len(claim.motions)))]


def put(claim: Claim, name: str, motion: Motion) -> Claim:
    """The claim with another motion of somebody."""
    scene = claim.scene
    if scene is not None and name in {one.name for one in scene.characters}:
        scene = scene.with_motion(name, motion, start_s=scene.character(name).start_s)
    motions = tuple((known, motion if known == name else one) for known, one in claim.motions)
    return replace(claim, motions=motions, scene=scene)


def stretch(motion: Motion, rng: Rng, seconds: float) -> slice:
    """Frames of so many seconds, somewhere."""
    count = min(max(round(seconds * motion.fps), 3), len(motion) - 2 * _ENDS - 1)
    first = int(rng.integers(_ENDS, len(motion) - count - _ENDS))
    return slice(first, first + count)


def bump(count: int) -> np.ndarray:
    """Up and down again, smoothly."""
    return np.hanning(count + 2)[1:-1]


def turned(motion: Motion, role: str, vectors: np.ndarray, frames: slice) -> Motion:
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid[role]
    rotations[frames, joint] = rot.multiply(rotations[frames, joint], rot.exp(vectors))
    return replace(motion, rotations=rotations)


def shifted(motion: Motion, by: np.ndarray) -> Motion:
    return replace(motion, root_positions=motion.root_positions + by)


def along(motion: Motion, frames: slice, vector: Iterable[float]) -> np.ndarray:
    """A shift that comes and goes within some frames."""
    out = np.zeros((len(motion), 3))
    out[frames] = bump(frames.stop - frames.start)[:, None] * np.array(list(vector))
    return out


def floor_vector(rng: Rng, length: float) -> np.ndarray:
    angle = rng.uniform(0.0, 2.0 * np.pi)
    return length * np.array([np.sin(angle), 0.0, np.cos(angle)])


def of_motion(change: Callable[[Motion, Rng], Motion | None]) -> Plant:
    """A fault in somebody's motion."""

    def plant(claim: Claim, rng: Rng) -> Claim | None:
        name, motion = somebody(claim, rng)
        spoilt = change(motion, rng)
        return None if spoilt is None else put(claim, name, spoilt)

    return plant


def staged(claim: Claim) -> Scene:
    return Scene(floor=bool(claim.floor)) if claim.scene is None else claim.scene


def capsule(motion: Motion, frame: int, part: str) -> tuple[np.ndarray, float]:
    """The middle of a part of somebody at a frame [m], and its radius [m]."""
    body = fit_body(motion.skeleton)
    start, end = body.capsule_segments(*motion.pose(frame).world())
    number = body.capsule(part)
    return 0.5 * (start[number] + end[number]), float(body.capsule_radii[number])
