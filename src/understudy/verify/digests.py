"""Digests of motions: what tells whether a motion is the one that was judged."""

from __future__ import annotations

import hashlib
import json
from weakref import WeakKeyDictionary

import numpy as np

from understudy.core import Motion, Skeleton
from understudy.typing import FloatArray

#: Numbers are told apart to this step (about 1e-7 m or rad): machines round the last bits of sines differently. Cells
#: are shifted so that numbers with few digits, decimal or binary, do not lie on a border between two.
_STEP = 2.0**-23
_SHIFT = 0.3717

_KNOWN: WeakKeyDictionary[Motion, str] = WeakKeyDictionary()


def motion_digest(motion: Motion) -> str:
    """The sha256 of everything the judge looks at in a motion: skeleton, rate and frames.

    Neither its name nor its origin counts, nor the order in which a file lists its joints.
    """
    given = motion
    if given not in _KNOWN:
        motion = given.in_order(_by_depth(given.skeleton))
        digest = hashlib.sha256()
        digest.update(_skeleton_text(motion.skeleton).encode())
        digest.update(_steps(np.array([motion.fps])))
        digest.update(_steps(motion.skeleton.offsets))
        digest.update(_steps(motion.skeleton.tip_offsets))
        digest.update(_steps(_upright(motion.skeleton.rest_rotations)))
        digest.update(_steps(motion.root_positions))
        digest.update(_steps(_upright(motion.rotations)))
        _KNOWN[given] = digest.hexdigest()
    return _KNOWN[given]


def _by_depth(skeleton: Skeleton) -> list[int]:
    """The joints ordered by their distance from the root, then by name."""
    depths = [0] * len(skeleton)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        depths[joint] = 0 if parent < 0 else depths[parent] + 1
    return sorted(range(len(skeleton)), key=lambda joint: (depths[joint], skeleton.names[joint]))


def _skeleton_text(skeleton: Skeleton) -> str:
    tree = [list(skeleton.names), skeleton.parents.tolist(), skeleton.tip_joints.tolist()]
    return json.dumps([*tree, sorted(skeleton.humanoid.items())])


def _upright(quaternions: FloatArray) -> FloatArray:
    """The same turns with a sign that does not depend on how they were written: the largest number is positive."""
    largest = np.abs(quaternions).argmax(axis=-1)[..., None]
    return np.asarray(quaternions * np.where(np.take_along_axis(quaternions, largest, axis=-1) < 0.0, -1.0, 1.0))


def _steps(values: FloatArray) -> bytes:
    shape = np.array(values.shape, dtype="<i8").tobytes()
    return shape + np.floor(np.asarray(values) / _STEP + _SHIFT).astype("<i8").tobytes()
