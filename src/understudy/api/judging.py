"""``understudy.verify_file``: judge a file by the certificate in or beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from understudy.api.saving import reading_of
from understudy.core.motion import Motion
from understudy.errors import OptionError, UnderstudyError
from understudy.formats.certificates import content_digest, find_certificate
from understudy.formats.registry import format_of, load_motions
from understudy.scene.embedding import unembedded
from understudy.scene.scene import Scene
from understudy.typing import PathLike
from understudy.verify.allowing import clip_entry
from understudy.verify.bars import Bars
from understudy.verify.certificate import Certificate, one_line, read_certificate
from understudy.verify.certifying import certificate_faults, claim_from, judged_again, restored
from understudy.verify.claim import Claim, claim_of
from understudy.verify.judge import verify
from understudy.verify.report import Report


@dataclass(frozen=True, eq=False, kw_only=True)
class FileVerdict:
    """What the judge says of a file.

    Attributes:
        report: The report.
        claim: What was judged.
        certificate: What the file claims; ``None`` for a stranger's recording.
        where: The file that held the certificate; empty without one.
    """

    report: Report
    claim: Claim
    certificate: Certificate | None = None
    where: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is broken."""
        return self.report.ok


def verify_file(path: PathLike, *, bars: Bars | None = None, evidence: Sequence[Motion] = ()) -> FileVerdict:
    """Judge a motion file by what it claims itself; without a certificate it is judged as a stranger's recording.

    Args:
        path: The file.
        bars: Bars that are accepted; a certificate with looser ones is refused. The judge's own unless given.
        evidence: Clips to judge by instead of the numbers that the certificate has of them. Every clip that it names
            has to be among them.

    Raises:
        OptionError: The certificate is damaged or of a newer version, or a clip it names is not given.
        FormatError: The file cannot be read.
    """
    target = Path(path)
    found = find_certificate(target)
    if found is None:
        claim = claim_of(_only(target), None, bars=bars, source=list(evidence) or None)
        return FileVerdict(report=verify(claim), claim=claim)
    values, where = found
    certificate, sealed = read_certificate(values, where)
    motions, contents = _motions(certificate, target, where)
    claim = claim_from(certificate, motions, _stage(certificate, where), where)
    if evidence:
        claim = _by_clips(claim, evidence, where)
    faults = tuple(certificate_faults(certificate, motions, contents, sealed=sealed, bars=bars))
    report = judged_again(claim, faults, where)
    note = f"judged by the certificate in {Path(where).name}"
    return FileVerdict(
        report=replace(report, notes=(note, *report.notes)), claim=claim, certificate=certificate, where=where
    )


def certified_scene(path: PathLike) -> Scene | None:
    """The scene of a file's certificate, with who holds what and when; ``None`` without a certificate or a scene.

    Raises:
        OptionError: The certificate is damaged or of a newer version.
        FormatError: The file cannot be read.
    """
    target = Path(path)
    found = find_certificate(target)
    if found is None:
        return None
    values, where = found
    certificate, _ = read_certificate(values, where)
    return claim_from(certificate, _motions(certificate, target, where)[0], _stage(certificate, where), where).scene


def _only(target: Path) -> Motion:
    return load_motions(target)[0]


def _stage(certificate: Certificate, where: str) -> Scene | None:
    if certificate.scene is None:
        return None
    try:
        return unembedded(dict(certificate.scene))
    except UnderstudyError as error:
        raise OptionError(f"{where}: the certificate is damaged: its scene: {one_line(error)}") from error


def _motions(certificate: Certificate, target: Path, where: str) -> tuple[dict[str, Motion], dict[str, str]]:
    """Everybody's motion and the digest of the file it is in; a file that stands alone may have another name now."""
    places = {one.file for one in certificate.motions}
    motions, contents = {}, {}
    for one in certificate.motions:
        file = target if len(places) == 1 or one.file == target.name else target.with_name(Path(one.file).name)
        if not file.is_file():
            raise OptionError(f'{where}: the certificate also speaks of "{one.file}", which is not beside it')
        contents[one.name] = content_digest(file)
        if one.numbers is not None:
            motions[one.name] = one.numbers
            continue
        reading = reading_of(format_of(file), certificate.unit_m, certificate.up)
        inside = [other.name for other in certificate.motions if other.file == one.file]
        found = load_motions(file, options=reading)
        if len(found) < len(inside):
            raise OptionError(f"{where}: the certificate speaks of {len(inside)} motions, the file has {len(found)}")
        motions[one.name] = restored(found[inside.index(one.name)], one)
    return motions, contents


def _by_clips(claim: Claim, evidence: Sequence[Motion], where: str) -> Claim:
    """The same claim with the clips themselves, told by their digests."""
    given = {clip_entry(clip).sha256: clip for clip in evidence}
    found = {}
    for name, numbers in claim.allowances.items():
        missing = [clip.name for clip in numbers.clips if clip.sha256 not in given]
        if missing:
            raise OptionError(f'{where}: the certificate names the clip "{missing[0]}", which is not given')
        found[name] = tuple(given[clip.sha256] for clip in numbers.clips)
    return replace(claim, evidence=found, allowances={})
