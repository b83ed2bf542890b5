"""Actions by inverse blending with registration (thesis ch. 5): a new pour, point or kick out of recorded ones.

Examples of one family are registered in time, so that their events fall together, and in space: all of them stand in
one place. A blend is a weighted mean of the registered examples. Inverse blending asks for the weights whose blend does
what is wanted: from the examples' own targets comes a first guess, then what the blend misses by is asked for in
addition, until it is there. Targets outside the examples' span are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.kinematics import motion_world
from understudy.kinematics.hold import hold_end
from understudy.performer.actions.acceptance import flaws
from understudy.performer.actions.example import Example
from understudy.performer.actions.families import ACTIONS, action_examples
from understudy.performer.actions.figure import Figure
from understudy.performer.keeping import kept_examples
from understudy.typing import FloatArray

#: Examples of a family that are made, and most that are blended.
_COUNT, _MIXED = 10, 8
#: Targets of a family whose whole span is asked for, as shares of the stature: aside, up and ahead.
_SPANS = {"pour": ((0.012, 0.08), (0.60, 0.68), (0.22, 0.29, 0.36))}
#: [m, rad] flaws of an example that is good enough to be blended.
_FLAWED = 0.004
#: [m] how near a blend has to come, and how often it is asked again.
NEAR_M, _ROUNDS = 0.004, 6
#: [m] how far outside the examples' span a target may be, and how much is left to the limb that carries the point.
_OUTSIDE_M, _LEFT_M = 0.02, 0.03


@dataclass(frozen=True, eq=False, kw_only=True)
class Family:
    """Registered examples of one action with one side.

    Attributes:
        action: Which.
        side: ``"left"`` or ``"right"``.
        targets: ``(n, 3)`` what they were aimed at [m]; the actor stands at the origin and faces +Z.
        motions: The examples in common time, all equally long.
        events: Event -> its common time [s].
        examples: As they were made.
    """

    action: str
    side: str
    targets: FloatArray
    motions: tuple[Motion, ...]
    events: dict[str, float]
    examples: tuple[Example, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Blend:
    """A blend that does what was asked.

    Attributes:
        motion: The actor at the origin, facing +Z.
        weights: ``(n,)`` of the family's examples.
        events: Event -> when [s].
        error_m: How far it is off.
    """

    motion: Motion
    weights: FloatArray
    events: dict[str, float]
    error_m: float


@lru_cache(maxsize=32)
def family_of(action: str, side: str, skeleton: Skeleton, fps: float) -> Family:
    """A family's examples with one side, registered in time."""
    make = _spanning if action in _SPANS else _drawn
    asked = action, side, _COUNT, _SPANS.get(action), _FLAWED
    kept = kept_examples(asked, skeleton, fps, lambda: make(action, side, skeleton, fps))
    names = [event.name for event in kept[0].events]
    moments = np.array([[0.0, *(one.event(name).time_s for name in names), one.motion.duration_s] for one in kept])
    common = np.round(moments.mean(axis=0) * fps) / fps
    count = round(common[-1] * fps) + 1
    at = np.arange(count) / fps
    motions = []
    for one, own in zip(kept, moments, strict=True):
        roots, turns = one.motion.sample(np.clip(_warped(at, common, own), 0.0, one.motion.duration_s))
        motions.append(replace(one.motion, root_positions=roots, rotations=rot.continuous(turns)))
    return Family(
        action=action,
        side=side,
        targets=np.array([one.target for one in kept]),
        motions=tuple(motions),
        events=dict(zip(names, common[1:-1].tolist(), strict=True)),
        examples=tuple(kept),
    )


def _drawn(action: str, side: str, skeleton: Skeleton, fps: float) -> list[Example]:
    return action_examples(action, count=_COUNT, side=side, person=skeleton, fps=fps)


def _spanning(action: str, side: str, skeleton: Skeleton, fps: float) -> list[Example]:
    """Examples all over the span of an action, but for corners that a body does not reach without flaws."""
    figure, sign = Figure(skeleton), 1.0 if side == "left" else -1.0
    shares = np.array(list(product(*_SPANS[action]))) * np.array([sign, 1.0, 1.0])
    kept = []
    for n, share in enumerate(shares):
        rng = np.random.default_rng([n, *action.encode()])
        one = ACTIONS[action].make(figure, figure.stature_m * share, fps=fps, rng=rng)
        if flaws(one, figure.body) < _FLAWED:
            kept.append(one)
    return kept or _drawn(action, side, skeleton, fps)


def _warped(at: FloatArray, common: FloatArray, own: FloatArray) -> FloatArray:
    """An example's own time at common times: monotone and smooth through the events."""
    from understudy.performer.smoothing import pchip

    return pchip(common, own, at)


def blended(family: Family, weights: FloatArray) -> Motion:
    """The weighted mean of a family's motions."""
    used = np.flatnonzero(weights > 1e-9)
    share = weights[used] / weights[used].sum()
    first = family.motions[used[0]]
    roots = sum(w * family.motions[k].root_positions for w, k in zip(share, used, strict=True))
    reference = first.rotations
    total = np.zeros_like(reference)
    for w, k in zip(share, used, strict=True):
        total += w * rot.aligned(family.motions[k].rotations, reference)
    return replace(first, root_positions=np.asarray(roots), rotations=rot.continuous(rot.normalize(total)))


def weights_for(targets: FloatArray, target: FloatArray) -> tuple[FloatArray, float]:
    """Weights of examples whose mean target is nearest to a target, few and near ones; and what is left [m].

    Non-negative least squares with the sum of weights fixed, and a price on far examples.
    """
    from scipy.optimize import nnls

    far = np.linalg.norm(targets - target, axis=1)
    near = np.argsort(far)[:_MIXED]
    price = 0.03 * np.diag(far[near])
    rows = np.concatenate([targets[near].T, 50.0 * np.ones((1, len(near))), price])
    wanted = np.concatenate([target, [50.0], np.zeros(len(near))])
    found, _ = nnls(rows, wanted)
    weights = np.zeros(len(targets))
    weights[near] = found / max(found.sum(), 1e-9)
    return weights, float(np.linalg.norm(weights @ targets - target))


def inverse_blend(
    family: Family, target: FloatArray, misses: Callable[[Motion, dict[str, float]], FloatArray]
) -> Blend | str:
    """The blend that does not miss, or why there is none.

    Args:
        family: The examples.
        target: ``(3,)`` what to aim at first [m], seen from the actor.
        misses: ``(3,)`` by how much a blend misses [m]; what is wanted less where it is.
    """
    asked = np.array(target, dtype=np.float64)
    best: Blend | None = None
    for _ in range(_ROUNDS):
        weights, outside = weights_for(family.targets, asked)
        motion = blended(family, weights)
        miss = misses(motion, family.events)
        error = float(np.linalg.norm(miss))
        if best is None or error < best.error_m:
            best = Blend(motion=motion, weights=weights, events=family.events, error_m=error)
        if error < NEAR_M:
            return best
        if outside > _OUTSIDE_M:
            break
        asked = asked + miss
    assert best is not None
    if best.error_m < _LEFT_M:
        return best
    low, high = family.targets.min(axis=0), family.targets.max(axis=0)
    span = ", ".join(f"{a:.2f}..{b:.2f}" for a, b in zip(low, high, strict=True))
    return (
        f"no blend of the {family.action} examples comes nearer than {100.0 * best.error_m:.1f} cm: the target, "
        f"({', '.join(f'{value:.2f}' for value in target)}) m seen from the actor, lies outside their span ({span})"
    )


def exact(
    blend: Blend, chain: tuple[int, int, int], miss: FloatArray, window: tuple[float, float, float, float]
) -> Blend:
    """The blend with what it still misses by made up for by one limb, eased in and out.

    Args:
        blend: The blend.
        chain: Base, middle and end joint of the limb that carries the point.
        miss: ``(3,)`` [m] what is wanted less where it is.
        window: When it begins, is whole, is whole no longer, and is gone [s].
    """
    motion = blend.motion
    times = np.arange(len(motion)) / motion.fps
    first, whole, until, last = window
    share = smoothstep((times - first) / (whole - first)) * smoothstep((last - times) / (last - until))
    world = motion_world(motion)
    end = chain[2]
    held = hold_end(motion, chain, world.positions[:, end] + share[:, None] * miss, world.rotations[:, end])
    return replace(blend, motion=held.motion, error_m=float(held.error_m.max()))


def point_at(motion: Motion, role: str, point: FloatArray, time_s: float) -> FloatArray:
    """``(3,)`` [m] where a point of a joint's frame is at a moment."""
    frame = round(time_s * motion.fps)
    world = motion_world(motion.frames(frame, frame + 1))
    joint = motion.skeleton.humanoid[role]
    return np.asarray(world.positions[0, joint] + rot.rotate(world.rotations[0, joint], point))
