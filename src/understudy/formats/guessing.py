"""What a motion file does not say: its length unit, its up axis, its exact frame rate.

Everything here works on a clip in the file's own unit and axes. Guesses are reported in ``Motion.origin`` and
can be overridden (``ReadOptions``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.formats.options import UNITS_M
from understudy.formats.raw_clip import RawClip
from understudy.typing import FloatArray, IntArray

#: Unit -> body heights [m] for which it is believed. Metric units also believe children and giants.
_BELIEVED_M: Mapping[str, tuple[float, float]] = {
    "cm": (0.9, 2.4),
    "m": (0.9, 2.4),
    "mm": (0.9, 2.4),
    "cmu": (1.25, 2.2),
    "inch": (1.35, 2.2),
    "dm": (1.3, 2.2),
    "ft": (1.3, 2.2),
}
#: [m] height of a person of whom nothing is known.
TYPICAL_M = 1.7
#: Of body height: from the ankle along the bones to the head or neck joint of captured skeletons, whose head
#: joints lie between shoulders and chin (0.82 and 0.87 of stature, Winter) and whose ankles lie at 0.04.
_ANKLE_TO_HEAD = 0.80
_ANKLE_TO_NECK = 0.76

_RATES = (
    *(10, 12, 12.5, 15, 20, 24000 / 1001, 24, 25, 30000 / 1001, 30, 40, 48, 50, 60000 / 1001, 60, 64, 72, 75, 80),
    *(90, 96, 100, 120000 / 1001, 120, 125, 128, 144, 150, 160, 180, 200, 240, 250, 256, 300, 360, 400, 480, 500),
    *(600, 960, 1000),
)
_SAMPLED_FRAMES = 32


@dataclass(frozen=True, kw_only=True)
class UnitGuess:
    """A length unit and what it was judged by.

    Attributes:
        name: Key of ``options.UNITS_M``.
        unit_m: Metres per file unit.
        height_m: Body height under that unit [m].
        sure: Whether the height is a believable one.
    """

    name: str
    unit_m: float
    height_m: float
    sure: bool


def snapped_fps(fps: float) -> float:
    """The usual frame rate within 0.1 %, since files write 120 as a frame time of 0.0083333 s."""
    nearest = min(_RATES, key=lambda rate: abs(rate - fps))
    return float(nearest) if abs(nearest - fps) <= 1e-3 * nearest else fps


def clip_height(clip: RawClip, roles: Mapping[str, int]) -> float:
    """Body height in file units, from bone lengths: it does not matter how the rest pose stands.

    Without humanoid roles it is the largest extent of the rest pose.
    """
    rest = clip.rest_positions()
    sides = [side for side in ("left", "right") if f"{side}UpperLeg" in roles and f"{side}Foot" in roles]
    top = roles.get("head", roles.get("neck"))
    if "hips" not in roles or not sides or top is None:
        every = np.concatenate([rest, rest[clip.tip_joints] + clip.tip_offsets])
        return float(np.ptp(every, axis=0).max())
    bones = np.linalg.norm(clip.offsets, axis=1)
    hips = roles["hips"]
    legs = [_path(bones, clip.parents, roles[f"{side}UpperLeg"], roles[f"{side}Foot"]) for side in sides]
    # Left and right cancel sideways, so this is how far the hip joints lie below the hips.
    middle = np.mean([rest[roles[f"{side}UpperLeg"]] for side in sides], axis=0) - rest[hips]
    drop = float(np.linalg.norm(middle)) if len(sides) == 2 else 0.0
    share = _ANKLE_TO_HEAD if "head" in roles else _ANKLE_TO_NECK
    return (float(np.mean(legs)) + drop + _path(bones, clip.parents, hips, top)) / share


def _path(bones: FloatArray, parents: IntArray, upper: int, lower: int) -> float:
    """Length along the bones from a joint down to its descendant; 0 when it is none."""
    length, joint = 0.0, lower
    while joint > upper:
        length += float(bones[joint])
        joint = int(parents[joint])
    return length if joint == upper else 0.0


def guess_unit(height: float) -> UnitGuess:
    """The length unit under which a body of ``height`` file units has a human height."""

    def doubt(name: str) -> float:
        low, high = _BELIEVED_M[name]
        value = max(height, 1e-12) * UNITS_M[name]
        return max(np.log(low / value), np.log(value / high), 0.0)

    best = min(_BELIEVED_M, key=lambda name: (doubt(name), abs(np.log(max(height, 1e-12) * UNITS_M[name] / TYPICAL_M))))
    return UnitGuess(name=best, unit_m=UNITS_M[best], height_m=height * UNITS_M[best], sure=doubt(best) == 0.0)


def rest_is_z_up(clip: RawClip, roles: Mapping[str, int]) -> bool:
    """Whether the rest pose itself stands along Z rather than Y."""
    along = _uprightness(clip.rest_positions()[None], roles)
    return along is not None and along[2] > max(along[1], 0.3)


def guess_up(clip: RawClip, roles: Mapping[str, int]) -> str:
    """The up axis, ``"y"`` or ``"z"``.

    Three witnesses for each axis: heads are above feet in the frames, and in the rest pose, and the lowest point
    of the motion is at height zero. A body that lies down is so not mistaken for a file that is turned.
    """
    frames = np.unique(np.linspace(0, len(clip.root_positions) - 1, _SAMPLED_FRAMES).astype(np.int64))
    world = clip.world_positions(frames)
    size = max(clip_height(clip, roles), 1e-12)
    moving = _uprightness(world, roles)
    resting = _uprightness(clip.rest_positions()[None], roles)
    scores = {}
    for name, axis in (("y", 1), ("z", 2)):
        lowest = float(np.percentile(world[..., axis].min(axis=1), 10))
        scores[name] = 0.5 * float(np.exp(-abs(lowest) / (0.1 * size)))
        scores[name] += 0.0 if moving is None else float(moving[axis])
        scores[name] += 0.0 if resting is None else 0.7 * float(resting[axis])
    # Nearly all files are Y up: the other axis has to win clearly.
    return "z" if scores["z"] > scores["y"] + 0.15 else "y"


def _uprightness(world: FloatArray, roles: Mapping[str, int]) -> FloatArray | None:
    """Mean direction ``(3,)`` from feet to head over frames, or ``None`` when the roles are unknown."""
    top = _first(roles, ("head", "neck", "chest", "spine"))
    feet = [_first(roles, (f"{side}Foot", f"{side}LowerLeg")) for side in ("left", "right")]
    known = [foot for foot in feet if foot is not None]
    if top is None or not known:
        return None
    direction = world[:, top] - world[:, known].mean(axis=1)
    lengths = np.linalg.norm(direction, axis=1, keepdims=True)
    result: FloatArray = (direction / np.maximum(lengths, 1e-12)).mean(axis=0)
    return result


def _first(roles: Mapping[str, int], wanted: Sequence[str]) -> int | None:
    return next((roles[role] for role in wanted if role in roles), None)
