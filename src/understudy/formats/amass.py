"""SMPL pose files as the AMASS archive distributes them: axis-angle poses and a translation, Z up.

Two layouts are read: ``poses (frames, >= 66)`` with the root first, and ``root_orient (frames, 3)`` with
``pose_body (frames, 63)``. Only the 22 body joints are kept. The body itself (``betas``, ``gender``) is not used:
see ``smpl_skeleton``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion, Origin
from understudy.core.recognition import humanoid_from_mapping
from understudy.errors import FormatError, MotionError
from understudy.formats.assembly import Y_FROM_Z_UP
from understudy.formats.npz_archive import NpzArchive
from understudy.formats.options import ReadOptions
from understudy.formats.smpl_skeleton import SMPL_JOINT_NAMES, STATURE_M, smpl_skeleton
from understudy.typing import FloatArray

_NUMBERS = "fiu"
_RATE_KEYS = ("mocap_framerate", "mocap_frame_rate")
_BODY_COLUMNS = 3 * len(SMPL_JOINT_NAMES)
#: [rad], [m] beyond which a value is a fault, not a pose.
_MOST_ANGLE_RAD = 1e4
_MOST_TRAVEL = 1e9


def looks_like_amass(keys: Sequence[str]) -> bool:
    """Whether an archive's arrays are those of an SMPL pose file."""
    return "trans" in keys and ("poses" in keys or ("root_orient" in keys and "pose_body" in keys))


def motion_of(archive: NpzArchive, options: ReadOptions) -> Motion:
    """The motion of an SMPL pose file on a body of average proportions.

    Raises:
        FormatError: Arrays are missing, damaged, pickled or do not fit each other; or the frame rate is unknown.
    """
    path = archive.path
    vectors, notes = _rotation_vectors(archive)
    travel = archive.array("trans", kinds=_NUMBERS, shape=(len(vectors), 3)).astype(np.float64)
    _check_range(vectors, _MOST_ANGLE_RAD, "poses", path)
    _check_range(travel, _MOST_TRAVEL, "trans", path)
    up = options.up or "z"
    unit_m = options.unit_m or 1.0
    rotations = rot.exp(vectors)
    if up == "z":
        # The model itself stands along Y; only the world its root moves in has to be turned.
        rotations[:, 0] = rot.multiply(Y_FROM_Z_UP, rotations[:, 0])
        travel = rot.rotate(Y_FROM_Z_UP, travel)
    skeleton = smpl_skeleton()
    if options.mapping is not None:
        skeleton = skeleton.with_humanoid(humanoid_from_mapping(options.mapping, skeleton.names))
    try:
        return Motion(
            skeleton=skeleton,
            fps=_frame_rate(archive, options),
            root_positions=travel * unit_m,
            rotations=rot.continuous(rotations),
            name=path.stem,
            origin=Origin(path=path, format="npz", unit_m=unit_m, up=up, notes=(*notes, *_body_notes(archive))),
        )
    except MotionError as error:
        raise FormatError(str(error), path=path) from error


def _rotation_vectors(archive: NpzArchive) -> tuple[FloatArray, list[str]]:
    """Rotation vectors ``(frames, 22, 3)`` [rad] and what was left out."""
    if "poses" in archive:
        poses = archive.array("poses", kinds=_NUMBERS, shape=(None, None))
        columns = poses.shape[1]
        if columns < _BODY_COLUMNS or columns % 3:
            raise FormatError(
                f'array "poses" has {columns} columns; SMPL poses have three per joint, {_BODY_COLUMNS} or more',
                path=archive.path,
            )
        extra = columns // 3 - len(SMPL_JOINT_NAMES)
        notes = [f"{extra} hand and face joints dropped; 22 body joints kept"] if extra else []
        body = poses[:, :_BODY_COLUMNS]
    else:
        root = archive.array("root_orient", kinds=_NUMBERS, shape=(None, 3))
        limbs = archive.array("pose_body", kinds=_NUMBERS, shape=(len(root), _BODY_COLUMNS - 3))
        body, notes = np.concatenate([root, limbs], axis=1), []
    return np.asarray(body, dtype=np.float64).reshape(len(body), len(SMPL_JOINT_NAMES), 3), notes


def _frame_rate(archive: NpzArchive, options: ReadOptions) -> float:
    if options.fps is not None:
        return float(options.fps)
    key = next((key for key in _RATE_KEYS if key in archive), None)
    if key is None:
        raise FormatError(f"holds no frame rate ({' or '.join(_RATE_KEYS)}); give fps", path=archive.path)
    return archive.number(key, kinds=_NUMBERS)


def _body_notes(archive: NpzArchive) -> list[str]:
    notes = [
        f"body of average proportions ({STATURE_M:g} m), not the SMPL model's: "
        "its lengths are our own, the root is placed at trans, foot contacts may be off by centimetres"
    ]
    ignored = [key for key in ("betas", "gender", "dmpls") if key in archive]
    if ignored:
        notes.append(f"{', '.join(ignored)} ignored")
    return notes


def _check_range(values: FloatArray, most: float, key: str, path: Path) -> None:
    # Written so that NaN fails too.
    good = np.abs(values) <= most
    if not good.all():
        frame = int(np.argwhere(~good)[0][0])
        raise FormatError(f'array "{key}", frame {frame}: a value is not finite or beyond {most:g}', path=path)
