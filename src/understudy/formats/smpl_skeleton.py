"""A stand-in for the SMPL body: its 22 joints and their order, with average human proportions.

The joint order and hierarchy are those every SMPL pose file is written in. The lengths are *not* the model's:
its shape data is licensed. They are shares of a stature of 1.70 m from common segment tables (knee at 0.285,
hip at 0.53, shoulder at 0.82 of the stature; upper arm 0.186, forearm 0.146), rounded to millimetres. Poses
play correctly on them; foot contacts are off by what the recorded person's proportions differ.
"""

from __future__ import annotations

import numpy as np

from understudy.core.recognition import humanoid_of
from understudy.core.skeleton import Skeleton

STATURE_M = 1.70

#: Joint, parent, position [m] in a T-pose that stands on the floor, faces +Z and has its left at +X.
_JOINTS: tuple[tuple[str, str, tuple[float, float, float]], ...] = (
    ("pelvis", "", (0.0, 0.940, 0.0)),
    ("left_hip", "pelvis", (0.085, 0.901, 0.0)),
    ("right_hip", "pelvis", (-0.085, 0.901, 0.0)),
    ("spine1", "pelvis", (0.0, 1.040, -0.010)),
    ("left_knee", "left_hip", (0.085, 0.485, 0.0)),
    ("right_knee", "right_hip", (-0.085, 0.485, 0.0)),
    ("spine2", "spine1", (0.0, 1.160, -0.015)),
    ("left_ankle", "left_knee", (0.085, 0.070, -0.010)),
    ("right_ankle", "right_knee", (-0.085, 0.070, -0.010)),
    ("spine3", "spine2", (0.0, 1.230, -0.010)),
    ("left_foot", "left_ankle", (0.095, 0.020, 0.120)),
    ("right_foot", "right_ankle", (-0.095, 0.020, 0.120)),
    ("neck", "spine3", (0.0, 1.440, -0.020)),
    ("left_collar", "spine3", (0.065, 1.360, -0.015)),
    ("right_collar", "spine3", (-0.065, 1.360, -0.015)),
    ("head", "neck", (0.0, 1.530, 0.010)),
    ("left_shoulder", "left_collar", (0.180, 1.392, -0.020)),
    ("right_shoulder", "right_collar", (-0.180, 1.392, -0.020)),
    ("left_elbow", "left_shoulder", (0.496, 1.392, -0.020)),
    ("right_elbow", "right_shoulder", (-0.496, 1.392, -0.020)),
    ("left_wrist", "left_elbow", (0.744, 1.392, -0.020)),
    ("right_wrist", "right_elbow", (-0.744, 1.392, -0.020)),
)

#: Where limbs end [m], in the same pose.
_TIPS: tuple[tuple[str, tuple[float, float, float]], ...] = (
    ("left_foot", (0.095, 0.010, 0.190)),
    ("right_foot", (-0.095, 0.010, 0.190)),
    ("head", (0.0, STATURE_M, 0.010)),
    ("left_wrist", (0.928, 1.392, -0.020)),
    ("right_wrist", (-0.928, 1.392, -0.020)),
)

SMPL_JOINT_NAMES: tuple[str, ...] = tuple(name for name, _, _ in _JOINTS)


def smpl_skeleton() -> Skeleton:
    """The 22-joint skeleton, with humanoid roles."""
    place = {name: np.array(point) for name, _, point in _JOINTS}
    parents = np.array([SMPL_JOINT_NAMES.index(parent) if parent else -1 for _, parent, _ in _JOINTS])
    offsets = np.array([place[name] - (place[parent] if parent else 0.0) for name, parent, _ in _JOINTS])
    return Skeleton(
        names=SMPL_JOINT_NAMES,
        parents=parents,
        offsets=offsets,
        tip_joints=np.array([SMPL_JOINT_NAMES.index(name) for name, _ in _TIPS]),
        tip_offsets=np.array([np.array(point) - place[name] for name, point in _TIPS]),
        humanoid=humanoid_of(SMPL_JOINT_NAMES, parents.tolist()),
    )
