"""Clips to blend in: put in place, warped in time so that marked moments coincide, and faded in and out.

At weight 1 the joints are the clip's, between 0 and 1 on the shortest way from the base to it; the weight is a control
like any other. Feet that would slip are planted after the edit (``planting``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.planar import aligning
from understudy.errors import OptionError, PlanningInputError, nearest_name
from understudy.interaction.actor import Actor, Blend
from understudy.interaction.freedoms import GROUPS
from understudy.interaction.smoothing import smoothed
from understudy.kinematics import motion_world
from understudy.library.distance import distance_image, windows
from understudy.typing import FloatArray

#: [s] half of the window of the frame distance, and between the marks that a matching leaves.
_HALF_S, _MARK_S = 0.1, 0.2


def blend_of(
    actor: Actor,
    clip: Motion,
    marks: Sequence[tuple[float, float]],
    *,
    name: str,
    span_s: tuple[float, float],
    fade_s: float = 0.35,
    groups: Sequence[str] = (),
) -> Blend:
    """A clip made ready to be blended into an actor's motion.

    Args:
        actor: Who.
        clip: A motion of the same skeleton that does something alike.
        marks: Moments that coincide: (the actor's time, the clip's time) [s], both rising.
        name: Of the blend.
        span_s: The actor's times between which the clip may show [s]; it fades within them.
        fade_s: How long it takes to fade in and out [s].
        groups: Only these joints take part (names in ``freedoms.GROUPS`` or roles); all unless given.

    Raises:
        PlanningInputError: Different skeletons, or marks that do not rise or lie outside.
    """
    if not actor.motion.skeleton.same_joints(clip.skeleton):
        raise PlanningInputError(f'blend "{name}": the clip has other joints; retarget it onto the actor first')
    start, end = span_s
    if not (0.0 <= start < end <= actor.motion.duration_s and 0.0 < fade_s <= 0.5 * (end - start)):
        raise PlanningInputError(
            f'blend "{name}": lasts from {start:g} s to {end:g} s with fades of {fade_s:g} s; it must lie within the '
            f"motion (0..{actor.motion.duration_s:.2f} s) and hold both fades"
        )
    times = actor.base.times_s
    warped = _warped(times, marks, clip.duration_s, name)
    places, turns = smoothed(clip, cutoff_hz=actor.cutoff_hz)
    source = Motion(skeleton=clip.skeleton, fps=clip.fps, root_positions=places, rotations=turns)
    fitted = source.sampled(warped, fps=actor.base.fps)
    at = int(np.clip(round(marks[0][0] * actor.base.fps), 0, len(times) - 1))
    fitted = fitted.placed(
        aligning(
            from_position=fitted.root_positions[at],
            from_rotation=fitted.rotations[at, 0],
            to_position=actor.base.root_positions[at],
            to_rotation=actor.base.rotations[at, 0],
        )
    )
    shown = smoothstep((times - start) / fade_s) * smoothstep((end - times) / fade_s)
    shares = _shares(actor, groups)
    relative = rot.continuous(rot.multiply(rot.conjugate(actor.base.rotations), fitted.rotations))
    vectors = rot.log(relative) * shown[:, None, None] * shares[None, :, None]
    root = (fitted.root_positions - actor.base.root_positions) * shown[:, None] * shares[0]
    return Blend(name=name, root=root, turns=vectors)


def matched_marks(actor: Actor, clip: Motion, *, span_s: tuple[float, float]) -> list[tuple[float, float]]:
    """Marks found by the frame distance: dynamic time warping of the clip onto a span of the actor's motion."""
    fps = 30.0
    base = actor.base.slice(*span_s).resampled(fps)
    other = clip.resampled(fps)
    points = np.concatenate([motion_world(base).positions, motion_world(other).positions])
    half = max(1, round(_HALF_S * fps))
    seen = windows(points, np.ones(points.shape[1]), half=half, starts=np.array([0, len(base), len(points)]))
    image = distance_image(seen)[: len(base), len(base) :]
    # Windows that leave a clip compare with nothing: they cost as much as the worst that does.
    known = np.isfinite(image)
    path = _cheapest(np.where(known, image, image[known].max() if known.any() else 1.0))
    step = max(1, round(_MARK_S * fps))
    kept = path[::step]
    marks: list[tuple[float, float]] = []
    for row, column in kept:
        mark = (span_s[0] + float(row) / fps, float(column) / fps)
        if not marks or (mark[0] > marks[-1][0] and mark[1] > marks[-1][1]):
            marks.append(mark)
    return marks


def _cheapest(image: FloatArray) -> list[tuple[int, int]]:
    """The cheapest rising way through an image: along the first axis whole, anywhere to anywhere along the second."""
    rows, columns = image.shape
    total, back = image.copy(), np.zeros((rows, columns), dtype=np.int64)
    for r in range(1, rows):
        for c in range(columns):
            choices = range(max(0, c - 2), c + 1)
            best = min(choices, key=lambda k: total[r - 1, k] + (0.3 * image[r, c] if c - k != 1 else 0.0))
            total[r, c] += total[r - 1, best]
            back[r, c] = best
    column = int(total[-1].argmin())
    path = [(rows - 1, column)]
    for r in range(rows - 1, 0, -1):
        column = int(back[r, column])
        path.append((r - 1, column))
    return path[::-1]


def _warped(times: FloatArray, marks: Sequence[tuple[float, float]], duration: float, name: str) -> FloatArray:
    """Times of the clip for times of the base: through the marks, at the clip's own pace outside them."""
    from scipy.interpolate import PchipInterpolator

    pairs = np.array(marks, dtype=np.float64).reshape(-1, 2)
    if len(pairs) == 0 or (len(pairs) > 1 and not (np.diff(pairs, axis=0) > 0).all()):
        raise PlanningInputError(f'blend "{name}": needs at least one mark, with rising times on both sides')
    if pairs[:, 1].min() < 0 or pairs[:, 1].max() > duration:
        raise PlanningInputError(f'blend "{name}": a mark lies outside the clip (0..{duration:.2f} s)')
    first, last = pairs[0], pairs[-1]
    pairs = np.concatenate([[first - 10.0], pairs, [last + 10.0]])
    return np.clip(PchipInterpolator(pairs[:, 0], pairs[:, 1])(times), 0.0, duration)


def _shares(actor: Actor, groups: Sequence[str]) -> FloatArray:
    """``(joints,)`` 1 for joints that take part."""
    skeleton = actor.motion.skeleton
    if not groups:
        return np.ones(len(skeleton))
    shares = np.zeros(len(skeleton))
    for group in groups:
        if group not in GROUPS and group not in skeleton.humanoid:
            raise OptionError(f'no joints are called "{group}"; {nearest_name(group, (*GROUPS, *skeleton.humanoid))}')
        for role in GROUPS.get(group, (group,)):
            if role in skeleton.humanoid:
                shares[skeleton.humanoid[role]] = 1.0
    return shares
