"""A humanoid skeleton from a few proportions.

Segment shares follow Drillis and Contini (in Winter, *Biomechanics and Motor Control of Human Movement*), with the
hip joints a little lower and the neck split from the trunk.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from understudy.core.planning import Options, limited
from understudy.core.skeleton import Skeleton

#: [m] resting height of the toe joints (balls of the feet) of a person 1.72 m tall.
_BALL_HEIGHT_M = 0.025
_REFERENCE_M = 1.72


@dataclass(frozen=True, kw_only=True)
class Person(Options):
    """Proportions of a person; the defaults are an average adult.

    Attributes:
        stature_m: Floor to the top of the head [m].
        leg_share: Hip joint's height over stature.
        shoulder_width_m: Between the shoulder joints [m]; ``0`` takes it from the stature.
        hip_width_m: Between the hip joints [m]; ``0`` takes it from the stature.
        arm_share: Shoulder to wrist over stature.
        foot_share: Heel to toe over stature.
    """

    stature_m: float = limited(1.72, low=0.8, high=2.4, unit="m")
    leg_share: float = limited(0.522, low=0.40, high=0.60)
    shoulder_width_m: float = limited(0.0, low=0.0, high=0.8, unit="m")
    hip_width_m: float = limited(0.0, low=0.0, high=0.5, unit="m")
    arm_share: float = limited(0.318, low=0.2, high=0.45)
    foot_share: float = limited(0.150, low=0.10, high=0.20)

    def skeleton(self) -> Skeleton:
        """The skeleton, resting in the T-pose with its soles on the floor, facing +Z, joint frames world-aligned.

        The same person has the same skeleton every time it is asked for, so that what depends on it is found again.
        """
        return _built(self)

    def _skeleton(self) -> Skeleton:
        """The skeleton, resting in the T-pose with its soles on the floor, facing +Z, joint frames world-aligned."""
        rows = self._midline() + [row for side in ("left", "right") for row in self._side(side)]
        names = [name for name, _, _ in rows]
        tips = self._tips()
        return Skeleton(
            names=tuple(names),
            parents=np.array([-1 if parent is None else names.index(parent) for _, parent, _ in rows]),
            offsets=np.array([offset for _, _, offset in rows]),
            tip_joints=np.array([names.index(name) for name in tips]),
            tip_offsets=np.array(list(tips.values())),
            humanoid={name: index for index, name in enumerate(names)},
        )

    @property
    def _hips_m(self) -> float:
        """How far the pelvis joint lies above the hip joints [m]."""
        return 0.045 * self.stature_m

    def _midline(self) -> list[tuple[str, str | None, tuple[float, float, float]]]:
        tall = self.stature_m
        hips = self.leg_share * tall + self._hips_m
        # Pelvis joint to the base of the neck, shared out among three trunk bones; head and neck take the rest.
        trunk = 0.838 * tall - hips
        return [
            ("hips", None, (0.0, hips, 0.0)),
            ("spine", "hips", (0.0, 0.16 * trunk, -0.012 * tall)),
            ("chest", "spine", (0.0, 0.26 * trunk, -0.004 * tall)),
            ("upperChest", "chest", (0.0, 0.28 * trunk, 0.0)),
            ("neck", "upperChest", (0.0, 0.30 * trunk, 0.0)),
            ("head", "neck", (0.0, 0.050 * tall, 0.012 * tall)),
        ]

    def _side(self, side: str) -> list[tuple[str, str | None, tuple[float, float, float]]]:
        tall = self.stature_m
        sign = 1.0 if side == "left" else -1.0
        shoulder = 0.5 * (self.shoulder_width_m or 0.212 * tall)
        hip = 0.5 * (self.hip_width_m or 0.100 * tall)
        arm, ankle = self.arm_share * tall, self.ankle_height_m
        leg = self.leg_share * tall - ankle
        ball = _BALL_HEIGHT_M * tall / _REFERENCE_M
        inner = 0.10 * shoulder * 2
        return [
            (f"{side}Shoulder", "upperChest", (sign * inner, 0.20 * (0.838 - self.leg_share) * tall, 0.004 * tall)),
            (f"{side}UpperArm", f"{side}Shoulder", (sign * (shoulder - inner), 0.0, -0.006 * tall)),
            (f"{side}LowerArm", f"{side}UpperArm", (sign * 0.54 * arm, 0.0, 0.0)),
            (f"{side}Hand", f"{side}LowerArm", (sign * 0.46 * arm, 0.0, 0.0)),
            (f"{side}UpperLeg", "hips", (sign * hip, -self._hips_m, 0.0)),
            (f"{side}LowerLeg", f"{side}UpperLeg", (0.0, -0.5 * leg, 0.0)),
            (f"{side}Foot", f"{side}LowerLeg", (0.0, -0.5 * leg, 0.0)),
            (f"{side}Toes", f"{side}Foot", (0.0, ball - ankle, 0.52 * self.foot_share * tall)),
        ]

    @property
    def ankle_height_m(self) -> float:
        """Ankle joint above the floor when the foot is flat [m]."""
        return 0.044 * self.stature_m

    def _tips(self) -> dict[str, tuple[float, float, float]]:
        tall = self.stature_m
        toe = 0.26 * self.foot_share * tall
        top = tall * (1.0 - 0.838 - 0.050)
        return {
            "head": (0.0, top, 0.0),
            "leftToes": (0.0, 0.0, toe),
            "rightToes": (0.0, 0.0, toe),
            "leftHand": (0.105 * tall, 0.0, 0.0),
            "rightHand": (-0.105 * tall, 0.0, 0.0),
        }


@lru_cache(maxsize=64)
def _built(person: Person) -> Skeleton:
    return person._skeleton()
