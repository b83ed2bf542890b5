"""The curves a gait is made of: their names, their order, and how they look in a mirror.

One frame of gait is a row of numbers, all in axes of a walker who faces +Z with the left side towards +X:

- pelvis: place relative to the path ``(x, y, z)`` in leg lengths, and turn away from the path's heading as a
  rotation vector;
- trunk (chest seen from the pelvis) and head (seen from the chest), and per side clavicle, upper arm, forearm and
  hand: rotation vectors away from a mean pose;
- per side the foot: ankle relative to the path in leg lengths; pitch (heel up positive), then yaw, then roll, seen from
  the yaw of the footprint; toe bend, and the yaw of the knee's hinge.

Legs have no curves: inverse kinematics places them between pelvis and feet.
"""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray, IntArray

SIDES = ("left", "right")
#: Joints described by a rotation vector about a mean pose, in the order of the mean poses.
TURNING = (
    "trunk",
    "head",
    *(f"{side}{part}" for side in SIDES for part in ("Shoulder", "UpperArm", "LowerArm", "Hand")),
)
_FOOT = ("ankleX", "ankleY", "ankleZ", "yaw", "pitch", "roll", "toes", "hinge")


def _names() -> tuple[str, ...]:
    names = ["pelvisX", "pelvisY", "pelvisZ", "pelvis.x", "pelvis.y", "pelvis.z"]
    names += [f"{joint}.{axis}" for joint in TURNING for axis in "xyz"]
    names += [f"{side}Foot.{part}" for side in SIDES for part in _FOOT]
    return tuple(names)


NAMES = _names()
COUNT = len(NAMES)
PELVIS_PLACE = slice(0, 3)
PELVIS_TURN = slice(3, 6)
_INDEX = {name: n for n, name in enumerate(NAMES)}


def turn_columns(joint: str) -> slice:
    """Columns of a turning joint's rotation vector."""
    first = _INDEX[f"{joint}.x"]
    return slice(first, first + 3)


def foot_column(side: str, part: str) -> int:
    """Column of one number of a foot."""
    return _INDEX[f"{side}Foot.{part}"]


def ankle_columns(side: str) -> slice:
    """Columns of a foot's ankle place."""
    first = foot_column(side, "ankleX")
    return slice(first, first + 3)


def other_side(name: str) -> str:
    """The same on the other side of the body."""
    if name.startswith("left"):
        return "right" + name[4:]
    return "left" + name[5:] if name.startswith("right") else name


def _sign(name: str) -> float:
    # The mirror x -> -x flips places along x, and turns about y and z.
    flips = name.endswith(("pelvisX", "ankleX", ".y", ".z", "yaw", "roll", "hinge"))
    return -1.0 if flips else 1.0


#: Column of the same number on the other side of the body, and the sign it gets there.
MIRROR: IntArray = np.array([_INDEX[other_side(name)] for name in NAMES])
MIRROR_SIGN: FloatArray = np.array([_sign(name) for name in NAMES])


def mirrored_rows(rows: FloatArray) -> FloatArray:
    """The same curves ``(..., COUNT)`` seen in the mirror x -> -x."""
    return np.asarray(rows[..., MIRROR] * MIRROR_SIGN)
