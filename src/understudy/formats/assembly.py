"""From a clip in its file's unit and axes to a motion in metres, Y up, with roles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion, Origin
from understudy.core.recognition import humanoid_from_mapping, humanoid_of
from understudy.core.skeleton import Skeleton
from understudy.errors import FormatError
from understudy.formats.guessing import TYPICAL_M, clip_height, guess_unit, guess_up, rest_is_z_up
from understudy.formats.options import ReadOptions
from understudy.formats.raw_clip import RawClip
from understudy.formats.tpose import tpose_frames
from understudy.typing import FloatArray

#: Turns Z up into Y up: (x, y, z) -> (x, z, -y), a quarter turn about X.
Y_FROM_Z_UP = np.array([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0])


@dataclass(frozen=True, kw_only=True)
class FileFrame:
    """The unit and up axis of a file, and whether they were guessed."""

    unit_m: float
    unit_guessed: bool
    up: str
    up_guessed: bool
    notes: tuple[str, ...] = ()


def file_frame(clip: RawClip, options: ReadOptions, *, unit_m: float | None = None, up: str | None = None) -> FileFrame:
    """Decide unit and up axis: what the caller says, else what the file says, else a guess.

    Args:
        clip: Whose body size and stance are looked at.
        options: The caller's word.
        unit_m: The file's word on its unit [m].
        up: The file's word on its up axis.
    """
    notes = []
    roles = _roles(clip, options, z_up=False)
    known_up = options.up or up
    if known_up is None:
        known_up = guess_up(clip, roles)
    known_unit = options.unit_m or unit_m
    unit_guessed = known_unit is None
    if known_unit is None:
        guess = guess_unit(clip_height(clip, roles))
        if roles and not guess.sure and guess.height_m > 0.0:
            # A person in no known unit is somebody of usual height.
            guess = replace(guess, unit_m=guess.unit_m * TYPICAL_M / guess.height_m, height_m=TYPICAL_M)
        known_unit = guess.unit_m
        doubt = "" if guess.sure else "; no known unit gives a human height, give the unit to be sure"
        notes.append(f"unit guessed: 1 unit = {guess.unit_m:g} m (body {guess.height_m:.2f} m tall{doubt})")
    up_guessed = options.up is None and up is None
    if up_guessed and known_up != "y":
        notes.append("up axis guessed: z; turned to y up")
    return FileFrame(
        unit_m=known_unit, unit_guessed=unit_guessed, up=known_up, up_guessed=up_guessed, notes=tuple(notes)
    )


def assembled(clip: RawClip, frame: FileFrame, options: ReadOptions, *, path: Path, format_name: str) -> Motion:
    """The finished motion: T-pose dropped, axes turned, lengths in metres, roles found."""
    z_up_rest = frame.up == "z" and rest_is_z_up(clip, _roles(clip, options, z_up=False))
    roles = _roles(clip, options, z_up=z_up_rest)
    added = int(options.tpose == "drop") or (tpose_frames(clip, roles) if options.tpose == "auto" else 0)
    if 0 < added < len(clip.root_positions):
        frames, what = ("frame 0", "it is") if added == 1 else (f"frames 0 to {added - 1}", "they are")
        why = f"{what} a T-pose" if options.tpose == "auto" else "as asked"
        clip = clip.without_frames(added).noting(f"{frames} dropped: {why}")
    if frame.up == "z":
        clip = _turned_upright(clip, turn_rest=z_up_rest)
    notes = (*frame.notes, *clip.notes, *_stretch_notes(clip, frame.unit_m))
    _check_size(clip, path)
    skeleton = Skeleton(
        names=clip.names,
        parents=clip.parents,
        offsets=clip.offsets * frame.unit_m,
        tip_joints=clip.tip_joints,
        tip_offsets=clip.tip_offsets * frame.unit_m,
        humanoid=roles,
    )
    return Motion(
        skeleton=skeleton,
        fps=clip.fps,
        root_positions=clip.root_positions * frame.unit_m,
        rotations=rot.continuous(clip.rotations),
        name=path.stem,
        origin=Origin(
            path=path,
            format=format_name,
            unit_m=frame.unit_m,
            unit_guessed=frame.unit_guessed,
            up=frame.up,
            up_guessed=frame.up_guessed,
            notes=notes,
        ),
    )


def _roles(clip: RawClip, options: ReadOptions, *, z_up: bool) -> Mapping[str, int]:
    if options.mapping is not None:
        return humanoid_from_mapping(options.mapping, clip.names)
    rest = clip.rest_positions()
    return humanoid_of(clip.names, clip.parents.tolist(), rot.rotate(Y_FROM_Z_UP, rest) if z_up else rest)


def _turned_upright(clip: RawClip, *, turn_rest: bool) -> RawClip:
    """World positions turned from Z up to Y up.

    A rest pose that stands along Z is turned with them, so that it stands along Y; one that stands along Y
    already (its file turned only the root) stays.
    """
    turned = replace(clip, root_positions=rot.rotate(Y_FROM_Z_UP, clip.root_positions))
    if not turn_rest:
        rotations = clip.rotations.copy()
        rotations[:, 0] = rot.multiply(Y_FROM_Z_UP, rotations[:, 0])
        return replace(turned, rotations=rotations, offsets=_root_turned(clip.offsets))
    back = rot.conjugate(Y_FROM_Z_UP)
    return replace(
        turned,
        rotations=rot.multiply(rot.multiply(Y_FROM_Z_UP, clip.rotations), back),
        offsets=rot.rotate(Y_FROM_Z_UP, clip.offsets),
        tip_offsets=rot.rotate(Y_FROM_Z_UP, clip.tip_offsets),
    )


def _root_turned(offsets: FloatArray) -> FloatArray:
    result = offsets.copy()
    result[0] = rot.rotate(Y_FROM_Z_UP, offsets[0])
    return result


def _stretch_notes(clip: RawClip, unit_m: float) -> tuple[str, ...]:
    if not clip.stretches:
        return ()
    worst = max(clip.stretches, key=lambda name: clip.stretches[name])
    count = len(clip.stretches)
    return (
        f"{count} joint{'s' * (count > 1)} move within their parent, the most "
        f'"{worst}" by {clip.stretches[worst] * unit_m:.4f} m; mean offsets are kept',
    )


def _check_size(clip: RawClip, path: Path) -> None:
    largest = max(float(np.abs(clip.offsets).max()), float(np.abs(clip.root_positions).max()))
    if not largest < 1e9:
        raise FormatError(f"positions reach {largest:g} units; no recording is that large", path=path)
