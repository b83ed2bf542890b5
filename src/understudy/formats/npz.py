"""NumPy archives: Understudy's own, and SMPL pose files as AMASS distributes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from understudy.core.motion import Motion
from understudy.errors import FormatError, nearest_name
from understudy.formats.amass import looks_like_amass, motion_of
from understudy.formats.atomic import replacing
from understudy.formats.npz_archive import opened, write_arrays
from understudy.formats.npz_own import VERSION_KEY, arrays_of, motions_of
from understudy.formats.options import ReadOptions, WriteOptions


def read(path: Path, options: ReadOptions) -> list[Motion]:
    """Motions of an archive.

    Raises:
        FormatError: The archive is damaged, of an unknown kind or version, or holds pickled objects.
    """
    with opened(path) as archive:
        if VERSION_KEY in archive:
            motions = motions_of(archive, options)
        elif looks_like_amass(archive.keys):
            motions = [motion_of(archive, options)]
        else:
            held = ", ".join(archive.keys[:8]) or "nothing"
            raise FormatError(
                f"is neither an Understudy archive ({VERSION_KEY}, ...) nor an SMPL pose file "
                f"(poses or root_orient and pose_body, trans, mocap_framerate); it holds {held}",
                path=path,
            )
    return _taken(motions, options, path)


def write(motions: Sequence[Motion], path: Path, options: WriteOptions) -> None:
    """Write one or several motions, exact to the bit.

    Args:
        motions: What to write.
        path: Where to.
        options: Ignored: the archive is always in metres, Y up, and holds no props.

    Raises:
        FormatError: The file cannot be written.
    """
    arrays = list(arrays_of(motions, path=path))
    with replacing(path) as temporary:
        write_arrays(temporary, arrays)


def _taken(motions: list[Motion], options: ReadOptions, path: Path) -> list[Motion]:
    if options.take is None:
        return motions
    found = [motion for motion in motions if motion.name == options.take]
    if not found:
        hint = nearest_name(options.take, [motion.name for motion in motions])
        raise FormatError(f'holds no motion "{options.take}"; {hint}', path=path)
    return found
