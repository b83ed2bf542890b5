"""Putting a motion on another humanoid skeleton.

Steps: copy posture (``posture``), scale the path of the hips by hip height (``standing``), put the feet where the
source's were (``feet``), and, when asked, the hands too; else arms are held away from a body that is wider.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.easing import within_limits
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError
from understudy.inspection import clean, foot_contacts
from understudy.kinematics import forward, hold_end, motion_world
from understudy.retargeting.arms import arms_clear, trunk_clears
from understudy.retargeting.feet import source_feet
from understudy.retargeting.legs import legs_clear
from understudy.retargeting.posture import copied_rotations, without_tremor
from understudy.retargeting.standing import SIDES, standing
from understudy.typing import FloatArray

_FEET, _HANDS = ("hold", "free"), ("free", "hold")


@dataclass(frozen=True, kw_only=True)
class RetargetOptions:
    """What to keep of the source.

    Attributes:
        feet: ``hold`` puts every foot where the source's was, scaled; ``free`` copies joint angles only.
        hands: ``hold`` brings wrists to the source's scaled places; ``free`` keeps the arms' posture.
        scale: Target length per source length; ``None`` takes the ratio of standing hip heights.
    """

    feet: Literal["hold", "free"] = "hold"
    hands: Literal["free", "hold"] = "free"
    scale: float | None = None

    def __post_init__(self) -> None:
        """Reject values outside their ranges."""
        if self.feet not in _FEET or self.hands not in _HANDS:
            raise OptionError(f'feet is "{self.feet}" and hands "{self.hands}"; both must be hold or free')
        if self.scale is not None and not (np.isfinite(self.scale) and self.scale > 0):
            raise OptionError(f"scale is {self.scale}; it must be a positive number or None")


@dataclass(frozen=True, eq=False, kw_only=True)
class Retargeted:
    """A motion on its new skeleton.

    Attributes:
        motion: The motion.
        scale: Target length per source length that was used.
        foot_error_m: Largest distance left between an ankle and its target [m].
        hand_error_m: The same for wrists; 0 unless hands were held [m].
    """

    motion: Motion
    scale: float
    foot_error_m: float = 0.0
    hand_error_m: float = 0.0


def retarget(motion: Motion, skeleton: Skeleton, *, options: RetargetOptions | None = None) -> Retargeted:
    """Play a motion on another humanoid skeleton.

    Args:
        motion: Of any humanoid skeleton.
        skeleton: The humanoid skeleton to drive.
        options: See :class:`RetargetOptions`.

    Raises:
        SkeletonError: One of the skeletons lacks humanoid roles.
    """
    chosen = options or RetargetOptions()
    motion.skeleton.require_humanoid()
    skeleton.require_humanoid()
    same_rig = motion.skeleton.same_joints(skeleton)
    if same_rig and np.array_equal(motion.skeleton.offsets, skeleton.offsets) and chosen == RetargetOptions():
        return Retargeted(motion=motion, scale=1.0)
    recorded, motion = motion, without_tremor(clean(motion).motion)
    ours, theirs = standing(motion.skeleton), standing(skeleton)
    scale = chosen.scale or theirs.hip_height_m / ours.hip_height_m
    feet = source_feet(motion, ours, foot_contacts(motion, own_grounds=True), keep_tilt=same_rig)
    limits = fit_body(skeleton).limits
    rotations = within_limits(limits, copied_rotations(motion, skeleton), fps=motion.fps)
    roots = _roots(motion, skeleton, rotations, floor_m=feet.floor_m, scale=scale)
    result = replace(motion, skeleton=skeleton, root_positions=roots, rotations=rotations)
    foot_error = hand_error = 0.0
    if chosen.feet == "hold":
        result, foot_error = legs_clear(result, feet, theirs, recorded, scale=scale)
    if chosen.hands == "hold":
        result, hand_error = _held_hands(motion, result, floor_m=feet.floor_m, scale=scale)
    else:
        result = arms_clear(trunk_clears(result, recorded), recorded)
    turns = within_limits(limits, result.rotations, fps=motion.fps)
    result = replace(result, rotations=rot.continuous(rot.normalize(turns)))
    return Retargeted(motion=result, scale=scale, foot_error_m=foot_error, hand_error_m=hand_error)


def _roots(motion: Motion, target: Skeleton, rotations: FloatArray, *, floor_m: float, scale: float) -> FloatArray:
    """Root positions ``(frames, 3)`` that put the middle of the target's hip joints where the source's is, scaled.

    Rigs place their root anywhere between waist and crotch; the hip joints are what two people have in common.
    """
    aim = scale * (_hip_middle(motion.skeleton, motion_world(motion).positions) - np.array([0.0, floor_m, 0.0]))
    at_origin = forward(target, np.zeros((len(motion), 3)), rotations).positions
    return aim - _hip_middle(target, at_origin)


def _hip_middle(skeleton: Skeleton, positions: FloatArray) -> FloatArray:
    return 0.5 * (positions[:, skeleton.humanoid["leftUpperLeg"]] + positions[:, skeleton.humanoid["rightUpperLeg"]])


def _held_hands(source: Motion, motion: Motion, *, floor_m: float, scale: float) -> tuple[Motion, float]:
    places = motion_world(source).positions
    error = 0.0
    for side in SIDES:
        hand = f"{side}Hand"
        aim = scale * (places[:, source.skeleton.humanoid[hand]] - np.array([0.0, floor_m, 0.0]))
        held = hold_end(motion, (f"{side}UpperArm", f"{side}LowerArm", hand), aim)
        motion, error = held.motion, max(error, float(held.error_m.max()))
    return motion, error
