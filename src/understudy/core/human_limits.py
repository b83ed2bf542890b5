"""Joint limits of a healthy, flexible adult, as a table of roles.

Checked against 90 captured clips: outside acrobatics, dance and flawed captures they hold everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from understudy.core.humanoid import mirrored_role
from understudy.core.limits import JointLimits, Limit, LimitKind
from understudy.core.skeleton import Skeleton
from understudy.typing import FloatArray


def _degrees(
    kind: LimitKind,
    twist_axis: tuple[float, float, float],
    swing_axis: tuple[float, float, float],
    intervals: tuple[tuple[float, float], tuple[float, float], tuple[float, float]],
) -> Limit:
    low, high = zip(*np.radians(intervals).tolist(), strict=True)
    return Limit(kind=kind, twist_axis=twist_axis, swing_axis=swing_axis, low_rad=low, high_rad=high)


_ELBOW_TILT = np.radians(30.0)  # CMU skeletons' elbow hinge; the crease of a relaxed elbow looks up and ahead

_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_SPINE = _degrees(LimitKind.AXES, _Y, _X, ((-40, 65), (-40, 40), (-45, 45)))

#: Limits of the midline and of the left side in degrees about (swing, third, twist) axis.
_DEFAULTS: Mapping[str, Limit] = {
    "spine": _SPINE,
    "chest": _SPINE,
    "upperChest": _SPINE,
    "neck": _degrees(LimitKind.AXES, _Y, _X, ((-55, 60), (-45, 45), (-70, 70))),
    "head": _degrees(LimitKind.AXES, _Y, _X, ((-55, 60), (-45, 45), (-70, 70))),
    # Clavicle: raise (+Z), protract (-Y), roll.
    "leftShoulder": _degrees(LimitKind.ELLIPSE, _X, _Z, ((-30, 45), (-40, 40), (-35, 35))),
    # Shoulder: up positive about +Z, forward positive about -Y, roll about the arm.
    "leftUpperArm": _degrees(LimitKind.ELLIPSE, _X, _Z, ((-125, 115), (-95, 150), (-130, 130))),
    # Elbow: flexion about the tilted hinge, carrying angle, pronation.
    "leftLowerArm": _degrees(
        LimitKind.AXES,
        _X,
        (0.0, -float(np.cos(_ELBOW_TILT)), float(np.sin(_ELBOW_TILT))),
        ((-10, 155), (-35, 35), (-110, 110)),
    ),
    # Wrist: flexion about Z, deviation about -Y; many rigs turn the forearm here.
    "leftHand": _degrees(LimitKind.ELLIPSE, _X, _Z, ((-90, 90), (-60, 60), (-130, 130))),
    # Hip: flexion about -X, abduction about +Z (negative here), roll about the thigh.
    "leftUpperLeg": _degrees(
        LimitKind.ELLIPSE, (0.0, -1.0, 0.0), (-1.0, 0.0, 0.0), ((-65, 150), (-110, 80), (-80, 80))
    ),
    "leftLowerLeg": _degrees(LimitKind.AXES, (0.0, -1.0, 0.0), _X, ((-10, 165), (-20, 20), (-45, 45))),
    "leftFoot": _degrees(LimitKind.AXES, _Z, _X, ((-50, 75), (-50, 50), (-50, 50))),
    "leftToes": _degrees(LimitKind.AXES, _Z, _X, ((-90, 70), (-25, 25), (-25, 25))),
}

#: Limits of several joints together: the head seen from the trunk, and how far the chest bends aside and turns, seen
#: from the hips. Of 165 recordings two are beyond, a dance and one that no human neck could do.
LINKED: Mapping[tuple[str, str], Limit] = {
    ("neck", "head"): _degrees(LimitKind.AXES, _Y, _X, ((-70, 75), (-50, 50), (-100, 100))),
    ("spine", "upperChest"): _degrees(LimitKind.AXES, _Y, _X, ((-180, 180), (-60, 60), (-60, 60))),
}


def human_limits(skeleton: Skeleton, *, hinges: Mapping[str, FloatArray] | None = None) -> JointLimits:
    """Limits of a healthy, flexible adult for a humanoid skeleton.

    A joint that turns the forearm (:meth:`Skeleton.forearm_twist`) has the limits of the wrist.

    Args:
        skeleton: A full humanoid.
        hinges: Measured hinge axis by role (anatomical axes), such as :func:`understudy.core.hinges.hinge_axes` finds.
    """
    found: dict[int, Limit] = {}
    for role, joint in skeleton.humanoid.items():
        limit = default_limit(role)
        if limit is not None:
            found[joint] = _with_hinge(limit, (hinges or {}).get(role))
    for side in ("left", "right"):
        twist = skeleton.forearm_twist(side)
        if twist is not None:
            found[twist] = found[skeleton.humanoid[f"{side}Hand"]]
    return JointLimits.of(skeleton, found)


def default_limit(role: str) -> Limit | None:
    """The default limit of a role; ``None`` when it has none (hips, fingers)."""
    if role in _DEFAULTS:
        return _DEFAULTS[role]
    other = _DEFAULTS.get(mirrored_role(role))
    return None if other is None else other.mirrored()


def _with_hinge(limit: Limit, hinge: FloatArray | None) -> Limit:
    if hinge is None:
        return limit
    twist = np.array(limit.twist_axis)
    swing = hinge - (hinge @ twist) * twist
    swing /= np.linalg.norm(swing)
    if swing @ np.array(limit.swing_axis) < 0:
        swing = -swing
    slack = np.radians(10.0)
    return replace(
        limit,
        swing_axis=(float(swing[0]), float(swing[1]), float(swing[2])),
        low_rad=(limit.low_rad[0], -slack, limit.low_rad[2]),
        high_rad=(limit.high_rad[0], slack, limit.high_rad[2]),
    )
