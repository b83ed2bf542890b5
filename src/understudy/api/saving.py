"""``understudy.save``: write what was solved, together with a certificate of what the judge has to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from understudy.core.motion import Motion
from understudy.errors import OptionError
from understudy.formats.atomic import drafting, put
from understudy.formats.certificates import beside, content_digest, put_certificate
from understudy.formats.options import ReadOptions, WriteOptions
from understudy.formats.registry import Format, format_of, load_motions, save_motion
from understudy.scene.embedding import embedded
from understudy.scene.scene import Scene
from understudy.timing import timed
from understudy.typing import PathLike
from understudy.verify.certificate import certificate_values
from understudy.verify.certifying import Written, certificate_of, named
from understudy.verify.claim import Claim
from understudy.verify.report import Report


@dataclass(frozen=True, eq=False, kw_only=True)
class Saved:
    """What was written.

    Attributes:
        files: Everybody's file by name; several characters may share one. An only character's name may be empty.
        report: The judge's report on the motions as the files have them; ``None`` where nothing was claimed.
    """

    files: Mapping[str, Path]
    report: Report | None

    @property
    def path(self) -> Path:
        """The first file."""
        return next(iter(self.files.values()))


@timed("write")
def save(
    what: Any,
    path: PathLike,
    *,
    options: WriteOptions | None = None,
    names: Mapping[str, str] | None = None,
    write: Callable[[Motion, Path], object] | None = None,
) -> Saved:
    """Write a result with its certificate: ``understudy verify FILE`` then needs nothing else.

    The certificate is in the file where the format has room for it (GLB, USD) and beside it elsewhere
    (``walk.bvh.claim.json``). Files appear whole or not at all. Several characters go into one file where the format
    allows that, and into ``out.NAME.bvh`` and so on where it does not.

    Args:
        what: What a planner gave back, such as the result of ``walk`` or ``perform``; a claim; an interaction. A motion
            alone claims nothing and is written without certificate.
        path: Where to write; its ending chooses the format.
        options: See :class:`~understudy.formats.options.WriteOptions`.
        names: Names of single files by character, instead of ``out.NAME.bvh``.
        write: Writes an only motion's file in its own way, such as onto somebody's rig; unless given, as its format is.

    Raises:
        OptionError: Nothing was solved, so there is nothing to claim.
        FormatError: The format cannot be written, or the folder is not writable.
    """
    target, writing = Path(path), options or WriteOptions()
    if isinstance(what, Motion):
        return Saved(files={"": save_motion(what, target, options=writing)}, report=None)
    claim = named(claim_in(what))
    entry = format_of(target)
    files = _places(claim, target, entry, names or {})
    with drafting(target) as room:
        report = _written(claim, {name: room / file.name for name, file in files.items()}, entry, writing, write)
        for file in dict.fromkeys(files.values()):
            # Old certificates go first: a file without one is a stranger's, a file with another's is refused.
            beside(file).unlink(missing_ok=True)
            put(room / file.name, file)
            if beside(room / file.name).exists():
                put(beside(room / file.name), beside(file))
    return Saved(files=files, report=report)


def claim_in(what: Any) -> Claim:
    """The claim that something a planner gave back makes.

    Raises:
        OptionError: There is none.
    """
    if isinstance(what, Claim):
        return what
    claim = getattr(what, "claim", None)
    if callable(claim):  # an interaction's claim is made when it is asked for
        claim = claim()
    if not isinstance(claim, Claim):
        reason = getattr(what, "reason", "")
        raise OptionError(f"nothing was solved that could be certified{f': {reason}' if reason else ''}")
    return claim


def _places(claim: Claim, target: Path, entry: Format, names: Mapping[str, str]) -> dict[str, Path]:
    people = [name for name, _ in claim.motions]
    if len(people) == 1 or entry.together:
        return dict.fromkeys(people, target)
    return {name: target.with_name(names.get(name, f"{target.stem}.{name}{target.suffix}")) for name in people}


def _written(
    claim: Claim,
    files: Mapping[str, Path],
    entry: Format,
    options: WriteOptions,
    write: Callable[[Motion, Path], object] | None,
) -> Report:
    """Write motions, read them back, and certify what the files have."""
    motions = {name: motion.renamed(name or motion.name) for name, motion in claim.motions}
    stage = claim.scene if entry.together else None
    for file in dict.fromkeys(files.values()):
        own = [motion for name, motion in motions.items() if files[name] == file]
        if write is not None:
            write(own[0], file)
        else:
            save_motion(own, file, scene=_played(stage, motions), options=options)
    certificate, report = certificate_of(
        claim,
        {name: _read_back(name, motions, files, entry, options) for name in motions},
        None if claim.scene is None else embedded(replace(claim.scene, allowed_contacts=())),
        unit_m=options.unit_m,
        up=options.up,
    )
    values = certificate_values(certificate)
    for file in dict.fromkeys(files.values()):
        put_certificate(file, values)
    return report


def _played(stage: Scene | None, motions: Mapping[str, Motion]) -> Scene | None:
    """The scene in which everybody does what is written, so that what they hold is where their hands are."""
    for person in () if stage is None else stage.characters:
        if person.name in motions and stage is not None:
            stage = stage.with_motion(person.name, motions[person.name], start_s=person.start_s)
    return stage


def _read_back(
    name: str, motions: Mapping[str, Motion], files: Mapping[str, Path], entry: Format, options: WriteOptions
) -> Written:
    file, motion = files[name], motions[name]
    digest = content_digest(file)
    if not entry.reads:
        return Written(motion=motion, file=file.name, content_sha256=digest, readable=False)
    found = load_motions(file, options=reading_of(entry, options.unit_m, options.up))
    mine = [one for one in motions if files[one] == file].index(name)
    return Written(motion=found[mine], file=file.name, content_sha256=digest)


def reading_of(entry: Format, unit_m: float, up: str) -> ReadOptions:
    """How a certified file is read: nothing about it is guessed, and no frame is dropped."""
    if entry.name == "bvh":
        return ReadOptions(unit_m=unit_m, up="z" if up == "z" else "y", tpose="keep", ground="keep", bones="keep")
    return ReadOptions(tpose="keep", ground="keep", bones="keep")
