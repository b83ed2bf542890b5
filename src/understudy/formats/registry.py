"""The one list of file formats; everything that loads or saves a motion goes through it.

A format is a name, its file endings and up to two functions. Their modules are imported on first use, so that
reading a BVH never pays for glTF or USD.
"""

from __future__ import annotations

import glob
import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import FormatError, SkeletonError, nearest_name
from understudy.formats.options import ReadOptions, WriteOptions
from understudy.formats.props import Prop
from understudy.timing import timed
from understudy.typing import PathLike


class HasProps(Protocol):
    """What a scene offers to a writer: its objects as meshes with their movement."""

    def props(self, *, fps: float = 30.0, start_s: float = 0.0, end_s: float | None = None) -> tuple[Prop, ...]:
        """The objects between two times."""


#: Ending, after the whole name, of the certificate beside a file; see ``certificates.py``.
BESIDE = ".claim.json"

Reader = Callable[[Path, ReadOptions], list[Motion]]
Writer = Callable[[Sequence[Motion], Path, WriteOptions], None]


@dataclass(frozen=True, kw_only=True)
class Format:
    """One file format.

    Attributes:
        name: Short name, also the name of its module in ``formats``.
        suffixes: File endings with dot, lower case.
        about: One line for people.
        reads: Whether its module has ``read(path, options) -> list[Motion]``.
        writes: Whether its module has ``write(motions, path, options)``.
        together: Whether one file holds several characters and the objects around them.
    """

    name: str
    suffixes: tuple[str, ...]
    about: str
    reads: bool
    writes: bool
    together: bool = False

    def reader(self) -> Reader:
        """The module's ``read`` function."""
        return importlib.import_module(f"understudy.formats.{self.name}").read

    def writer(self) -> Writer:
        """The module's ``write`` function."""
        return importlib.import_module(f"understudy.formats.{self.name}").write


FORMATS: tuple[Format, ...] = (
    Format(name="bvh", suffixes=(".bvh",), about="Biovision hierarchy, every dialect", reads=True, writes=True),
    Format(name="asf_amc", suffixes=(".amc",), about="Acclaim; the .asf beside it", reads=True, writes=False),
    Format(
        name="glb",
        suffixes=(".glb", ".gltf", ".vrm", ".vrma"),
        about="glTF 2.0 with skin and animation, VRM",
        reads=True,
        writes=True,
        together=True,
    ),
    Format(
        name="fbx",
        suffixes=(".fbx",),
        about="FBX, versions 6.0 to 7.7",
        reads=True,
        writes=True,
        together=True,
    ),
    Format(
        name="usd",
        suffixes=(".usda", ".usdc", ".usd"),
        about="UsdSkel (extra: usd)",
        reads=True,
        writes=True,
        together=True,
    ),
    Format(name="npz", suffixes=(".npz",), about="Understudy arrays, or AMASS (SMPL)", reads=True, writes=True),
    Format(name="csv", suffixes=(".csv",), about="world joint positions as a table", reads=False, writes=True),
)


def format_of(path: PathLike) -> Format:
    """The format a file name stands for.

    Raises:
        FormatError: The ending is unknown; the message lists the known ones.
    """
    suffix = Path(path).suffix.lower()
    for entry in FORMATS:
        if suffix in entry.suffixes:
            return entry
    known = [ending for entry in FORMATS for ending in entry.suffixes]
    raise FormatError(f'unknown file ending "{suffix}"; {nearest_name(suffix, known)}', path=path)


def load_motions(paths: PathLike | Iterable[PathLike], *, options: ReadOptions | None = None) -> list[Motion]:
    """Every motion of one or several files; strings may hold wildcards (``"walks/*.bvh"``).

    Raises:
        FormatError: A file is missing, unreadable or of an unknown format.
    """
    listed = [paths] if isinstance(paths, str) or not isinstance(paths, Iterable) else list(paths)
    return [motion for path in _expanded(listed) for motion in _read(path, options or ReadOptions())]


def load_motion(path: PathLike, *, options: ReadOptions | None = None) -> Motion:
    """The motion in a file; the first one where a file holds several, which is then noted in ``origin``."""
    motions = _read(Path(path), options or ReadOptions())
    first = motions[0]
    if len(motions) > 1:
        others = ", ".join(motion.name for motion in motions[1:])
        first = replace(first, origin=first.origin.noting(f"the file holds {len(motions)} motions; also: {others}"))
    return first


def load_skeleton(path: PathLike, *, options: ReadOptions | None = None) -> Skeleton:
    """The skeleton in a motion file."""
    return load_motion(path, options=options).skeleton


@timed("write")
def save_motion(
    motion: Motion | Sequence[Motion],
    path: PathLike,
    *,
    scene: HasProps | None = None,
    options: WriteOptions | None = None,
) -> Path:
    """Write one motion, or several characters where the format allows it.

    The file appears whole or not at all.

    Args:
        motion: One motion or several.
        path: Where to write; its ending chooses the format.
        scene: Whose objects to write beside the characters, where the format can hold them (GLB, USD).
        options: See :class:`~understudy.formats.options.WriteOptions`.

    Raises:
        FormatError: The format cannot be written, cannot hold several motions, or the folder is not writable.
    """
    target = Path(path)
    motions = [motion] if isinstance(motion, Motion) else list(motion)
    if not motions:
        raise FormatError("there is no motion to write", path=target)
    entry = format_of(target)
    if not entry.writes:
        known = [ending for one in FORMATS if one.writes for ending in one.suffixes]
        raise FormatError(f"{entry.name} files can be read but not written; writable: {', '.join(known)}", path=target)
    chosen = options or WriteOptions()
    if scene is not None:
        props = scene.props(end_s=max(one.duration_s for one in motions))
        chosen = replace(chosen, props=(*chosen.props, *props))
    entry.writer()(motions, target, chosen)
    # A certificate of an earlier file at this place does not belong to the new one.
    target.with_name(target.name + BESIDE).unlink(missing_ok=True)
    return target


@timed("load")
def _read(path: Path, options: ReadOptions) -> list[Motion]:
    entry = format_of(path)
    if not entry.reads:
        raise FormatError(f"{entry.name} files can be written but not read", path=path)
    if path.is_dir():
        raise FormatError("is a folder, not a motion file", path=path)
    try:
        motions = _marked(entry.reader()(path, options), path)
        # Files that hold whole scenes have a floor of their own, and skins that fit their skeletons.
        if options.bones == "auto" and not entry.together:
            motions = [_whole(motion) for motion in motions]
        motions = [_standing(motion) for motion in motions]
        as_it_is = options.ground == "keep" or entry.together
        return motions if as_it_is else [_grounded(motion) for motion in motions]
    except FileNotFoundError as error:
        raise FormatError("no such file", path=error.filename or path) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error


def _whole(motion: Motion) -> Motion:
    """A recording with the bones that its conversion has lost, and with hands that do not flicker."""
    from understudy.inspection.lost_bones import with_lost_bones
    from understudy.inspection.wrists import with_steady_wrists

    if motion.origin.made or not motion.skeleton.is_humanoid:
        return motion
    whole = with_lost_bones(motion)
    # What was written after that has steady hands already; Acclaim's own files have not.
    return with_steady_wrists(whole) if whole is not motion or motion.origin.format == "asf_amc" else motion


def _standing(motion: Motion) -> Motion:
    """The motion on a skeleton that rests as its person stands, where the file's rest pose is no person."""
    from understudy.core.standing_pose import standing_rotations, stands

    skeleton = motion.skeleton
    if not skeleton.is_humanoid or stands(skeleton):
        return motion
    try:
        rest = standing_rotations(motion)
    except SkeletonError:  # joints in one point are no person in any pose
        return motion
    note = "the file's rest pose is no standing person; one was found in the clip's upright frames"
    return replace(motion, skeleton=replace(skeleton, rest_rotations=rest), origin=motion.origin.noting(note))


def _grounded(motion: Motion) -> Motion:
    """A recording put onto a level floor, toes included; what a planner made stands where it should."""
    from understudy.inspection.grounding import grounded
    from understudy.inspection.levelling import floor_normal, levelled
    from understudy.inspection.toes import lifted_toes

    if motion.origin.made or not motion.skeleton.is_humanoid or motion.skeleton.leg_length_m() < 1e-6:
        return motion
    motion, lifts = lifted_toes(grounded(levelled(motion, floor_normal(motion))))
    if not lifts:
        return motion
    note = f"toes pointed into the floor {len(lifts)} times; they were bent up to it"
    return replace(motion, origin=motion.origin.noting(note))


def _marked(motions: list[Motion], path: Path) -> list[Motion]:
    """Motions that say that they were made, where a certificate in or beside their file says so."""
    from understudy.formats.certificates import made_from

    found = made_from(path)
    if found is None:
        return motions
    # An only motion's name does not matter.
    names = list(found) if len(motions) == len(found) == 1 else [motion.name for motion in motions]
    return [
        replace(motion, origin=replace(motion.origin, made=True, evidence_sha256=found.get(name, ())))
        if name in found or "" in found
        else motion
        for name, motion in zip(names, motions, strict=True)
    ]


def _expanded(paths: Sequence[PathLike]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if isinstance(path, str) and any(sign in path for sign in "*?[") and not Path(path).exists():
            matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - patterns may be absolute
            if not matches:
                raise FormatError("no file matches this pattern", path=path)
            found.extend(Path(match) for match in matches)
        else:
            found.append(Path(path))
    return found
