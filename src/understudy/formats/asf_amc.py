"""Acclaim motion: an .amc file and the .asf skeleton beside it (the CMU database's originals)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.errors import FormatError
from understudy.formats.amc import parse_amc
from understudy.formats.asf import AsfBone, AsfSkeleton, parse_asf, turned
from understudy.formats.assembly import assembled, file_frame
from understudy.formats.options import ReadOptions
from understudy.formats.raw_clip import RawClip
from understudy.typing import FloatArray

#: AMC files do not tell their frame rate; nearly all are the CMU database's.
_DEFAULT_FPS = 120.0
_INCH_M = 0.0254


def read(path: Path, options: ReadOptions) -> list[Motion]:
    """The motion of an AMC file, on the skeleton of its ASF file.

    Raises:
        FormatError: No ASF file is found, or one of both is damaged; names file and line.
    """
    asf_path = skeleton_path(path)
    skeleton = parse_asf(_text(asf_path), path=asf_path)
    values, degrees = parse_amc(_text(path), skeleton, path=path)
    in_degrees = skeleton.degrees if degrees is None else degrees
    notes = [f"skeleton from {asf_path.name}"]
    if options.fps is None:
        notes.append(f"AMC files have no frame rate; {_DEFAULT_FPS:g} fps assumed")
    if any(name[0] != "r" for bone in skeleton.bones[1:] for name in bone.dof):
        notes.append("translations and lengths of bones below the root are ignored")
    offsets = skeleton.joint_offsets()
    tips = skeleton.tips()
    clip = RawClip(
        names=tuple(bone.name for bone in skeleton.bones),
        parents=np.array(skeleton.parents, dtype=np.int64),
        offsets=offsets,
        tip_joints=np.array(tips, dtype=np.int64),
        tip_offsets=np.array([skeleton.bones[tip].direction * skeleton.bones[tip].length for tip in tips]).reshape(
            -1, 3
        ),
        root_positions=_root_positions(skeleton, values[0]),
        rotations=_rotations(skeleton, values, in_degrees=in_degrees),
        fps=float(options.fps or _DEFAULT_FPS),
        notes=tuple(notes),
    )
    frame = file_frame(clip, options, unit_m=_INCH_M / skeleton.length_unit)
    return [assembled(clip, frame, options, path=path, format_name="asf_amc")]


def skeleton_path(path: Path) -> Path:
    """The ASF file of an AMC file: the same stem, the part of it before "_", or the only one in the folder.

    Raises:
        FormatError: None fits.
    """
    try:
        found = sorted(one for one in path.parent.iterdir() if one.suffix.lower() == ".asf")
    except OSError as error:
        raise FormatError(f"its folder cannot be read: {error.strerror or error}", path=path) from error
    for stem in (path.stem, path.stem.rsplit("_", 1)[0], path.stem.split("_", 1)[0]):
        for candidate in found:
            if candidate.stem.lower() == stem.lower():
                return candidate
    if len(found) == 1:
        return found[0]
    if not path.exists():
        raise FormatError("no such file", path=path)
    wanted = f"{path.stem}.asf or {path.stem.split('_', 1)[0]}.asf"
    raise FormatError(f"found no skeleton beside it; put {wanted} into its folder", path=path)


def _root_positions(skeleton: AsfSkeleton, values: FloatArray) -> FloatArray:
    positions = np.tile(skeleton.root_position, (len(values), 1))
    for column, name in enumerate(skeleton.bones[0].dof):
        if name[0] == "t":
            positions[:, "xyz".index(name[1])] += values[:, column]
    return positions


def _rotations(skeleton: AsfSkeleton, values: list[FloatArray], *, in_degrees: bool) -> FloatArray:
    """``(frames, bones, 4)`` local rotations in world-parallel rest frames."""
    result = rot.identity((len(values[0]), len(skeleton.bones)))
    for index, bone in enumerate(skeleton.bones):
        turn = _own_turn(bone, values[index], in_degrees=in_degrees)
        result[:, index] = rot.multiply(rot.multiply(bone.axes, turn), rot.conjugate(bone.axes))
    return result


def _own_turn(bone: AsfBone, values: FloatArray, *, in_degrees: bool) -> FloatArray:
    turning = [column for column, name in enumerate(bone.dof) if name[0] == "r"]
    angles = values[:, turning]
    return turned(np.deg2rad(angles) if in_degrees else angles, "".join(bone.dof[column][1] for column in turning))


def _text(path: Path) -> str:
    data = path.read_bytes()
    if not data.strip():
        raise FormatError("the file is empty", path=path, line=1)
    if b"\x00" in data[:4096]:
        raise FormatError("is a binary file, not Acclaim text", path=path, line=1)
    return data.decode("utf-8-sig", "replace")
