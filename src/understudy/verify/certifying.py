"""From a claim to its certificate, and from a certificate and what is in the files back to a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from understudy.core import Body, Motion, Skeleton, fit_body
from understudy.core.motion import Origin
from understudy.core.violations import Violation
from understudy.errors import OptionError, UnderstudyError
from understudy.scene.scene import Scene
from understudy.verify.bars import Bars
from understudy.verify.cast import assembled
from understudy.verify.certificate import Certificate, CertifiedMotion, Verdict, one_line
from understudy.verify.claim import Claim
from understudy.verify.digests import motion_digest
from understudy.verify.judge import certified, verify
from understudy.verify.report import Report
from understudy.verify.source_facts import body_signature

#: Bars are the same within this share: they may have been written with fewer digits.
_SAME_BAR = 1e-9
_SHARED = ("contacts", "goals", "planned", "activity", "recorded", "floor", "bars", "shortest_m", "flights", "bounces")


@dataclass(frozen=True, eq=False, kw_only=True)
class Written:
    """One motion as its file has it.

    Attributes:
        motion: As it is read back.
        file: The file's name.
        content_sha256: Digest of the file without certificate.
        readable: Whether the format can be read at all.
    """

    motion: Motion
    file: str
    content_sha256: str
    readable: bool = True


def named(claim: Claim) -> Claim:
    """The same claim with every motion under the name that its scene knows it by."""
    if claim.scene is None:
        return claim
    names = {one.given: one.performer.name for one in assembled(claim).judged}

    def renamed(table: Mapping[str, object]) -> dict[str, object]:
        return {names.get(name, name): value for name, value in table.items()}

    tables = {key: renamed(getattr(claim, key)) for key in ("evidence", "allowances", "planned", "bodies")}
    motions = tuple((names[name], motion) for name, motion in claim.motions)
    return replace(claim, motions=motions, **tables)  # type: ignore[arg-type]


def certificate_of(
    claim: Claim,
    written: Mapping[str, Written],
    stage: Mapping[str, Any] | None,
    *,
    unit_m: float = 1.0,
    up: str = "y",
) -> tuple[Certificate, Report]:
    """The certificate of a claim about motions as their files have them, and the judge's report on those.

    Args:
        claim: What was judged, with names as :func:`named` gives them.
        written: Everybody's motion as it was written, by name.
        stage: The claim's scene as ``scene.embedding`` writes it, without contacts.
        unit_m: Metres per unit of the files.
        up: The files' up axis.
    """
    before = dict(claim.motions)
    found = {name: _as_before(one.motion, before[name]) for name, one in written.items()}
    bodies = {name: body for name in before if (body := _own_body(claim, name)) is not None}
    read = replace(
        claim,
        motions=tuple((name, found[name]) for name, _ in claim.motions),
        scene=_with_motions(claim.scene, found),
        bodies={name: _fitted(body, found[name].skeleton) for name, body in bodies.items()},
    )
    report, allowances = certified(read)
    scene = claim.scene
    others = [] if scene is None else [one for one in scene.characters if one.motion and one.name not in before]
    certificate = Certificate(
        motions=tuple(_entry(name, found[name], written[name], before[name]) for name, _ in claim.motions),
        verdict=Verdict(ok=report.ok, broken=report.broken),
        unit_m=unit_m,
        up=up,
        scene=stage,
        people={one.name: _numbers(one.world_motion) for one in others},
        scene_contacts=() if scene is None else scene.allowed_contacts,
        bodies={**bodies, **{one.name: one.body for one in others if one.body is not None}},
        evidence=allowances,
        **_shared(claim),
    )
    return certificate, report


def _shared(said: Claim | Certificate) -> dict[str, Any]:
    """What a claim and its certificate say in the same words."""
    return {key: getattr(said, key) for key in _SHARED}


def _entry(name: str, motion: Motion, written: Written, before: Motion) -> CertifiedMotion:
    skeleton = motion.skeleton
    return CertifiedMotion(
        name=name,
        file=written.file,
        content_sha256=written.content_sha256,
        sha256=motion_digest(motion),
        joints=skeleton.names,
        roles={role: skeleton.names[joint] for role, joint in skeleton.humanoid.items()},
        numbers=None if written.readable else _numbers(motion),
        kind=before.origin.kind,
    )


def _as_before(motion: Motion, before: Motion) -> Motion:
    """A motion as it was read, with the joint names and roles it was written with."""
    skeleton = before.skeleton
    roles = {role: skeleton.names[joint] for role, joint in skeleton.humanoid.items()}
    order = [_found(name, motion.skeleton.names) for name in skeleton.names]
    if None in order or len(order) != len(motion.skeleton):
        return motion
    by_place = {place: name for place, name in zip(order, skeleton.names, strict=True) if place is not None}
    return named_joints(motion, tuple(by_place[place] for place in range(len(order))), roles)


def _found(name: str, names: Sequence[str]) -> int | None:
    """Where a joint is among those of a file that may have put the character's name before it."""
    if name in names:
        return names.index(name)
    return next((k for k, one in enumerate(names) if one.endswith(f":{name}")), None)


def named_joints(motion: Motion, joints: tuple[str, ...], roles: Mapping[str, str]) -> Motion:
    """A motion whose joints bear other names and roles; as it is where there are other joints."""
    if len(joints) != len(motion.skeleton) or not set(roles.values()) <= set(joints):
        return motion
    humanoid = {role: joints.index(name) for role, name in roles.items()}
    if joints == motion.skeleton.names and humanoid == dict(motion.skeleton.humanoid):
        return motion
    return replace(motion, skeleton=replace(motion.skeleton, names=joints, humanoid=humanoid))


def _own_body(claim: Claim, name: str) -> Body | None:
    """Somebody's body unless it is the one that is fitted to every skeleton."""
    body = claim.bodies.get(name)
    if body is None and claim.scene is not None and name in {one.name for one in claim.scene.characters}:
        body = claim.scene.character(name).body
    if body is None or body_signature(body) == body_signature(fit_body(body.skeleton)):
        return None
    return body


def _fitted(body: Body, skeleton: Skeleton) -> Body:
    """A body on a skeleton whose joints may bear other names."""
    return replace(body, skeleton=skeleton, limits=replace(body.limits, skeleton=skeleton))


def _numbers(motion: Motion) -> Motion:
    """A motion without its history."""
    return replace(motion, origin=Origin())


def _with_motions(scene: Scene | None, motions: Mapping[str, Motion]) -> Scene | None:
    if scene is None:
        return None
    for name, motion in motions.items():
        if name in {one.name for one in scene.characters}:
            scene = scene.with_motion(name, motion, start_s=scene.character(name).start_s)
    return scene


def claim_from(certificate: Certificate, motions: Mapping[str, Motion], stage: Scene | None, where: str) -> Claim:
    """The claim of a certificate about motions as they were read.

    Args:
        certificate: The certificate.
        motions: Everybody's motion by name.
        stage: Its scene, as ``scene.embedding`` reads it.
        where: The file, for messages.

    Raises:
        OptionError: The certificate does not fit together.
    """
    try:
        scene = stage
        if scene is not None:
            scene = replace(scene, allowed_contacts=certificate.scene_contacts)
            people = certificate.people
            scene = _with_bodies(_with_motions(scene, {**people, **motions}), certificate, people)
        return Claim(
            motions=tuple((one.name, motions[one.name]) for one in certificate.motions),
            scene=scene,
            allowances=certificate.evidence,
            bodies={
                name: _fitted(body, motions[name].skeleton)
                for name, body in certificate.bodies.items()
                if name in motions
            },
            **_shared(certificate),
        )
    except (UnderstudyError, KeyError, IndexError, ValueError) as error:
        said = one_line(error) if isinstance(error, UnderstudyError) else f"{type(error).__name__}: {error}"
        raise OptionError(f"{where}: the certificate does not fit together: {said}") from error


def _with_bodies(scene: Scene | None, certificate: Certificate, people: Mapping[str, Motion]) -> Scene | None:
    if scene is None:
        return None
    own = {name: body for name, body in certificate.bodies.items() if name in people}
    characters = tuple(
        replace(one, body=_fitted(own[one.name], people[one.name].skeleton)) if one.name in own else one
        for one in scene.characters
    )
    return replace(scene, characters=characters)


def judged_again(claim: Claim, faults: Sequence[Violation], where: str) -> Report:
    """The report on a claim that was read from a certificate, with what is wrong with that.

    Raises:
        OptionError: The claim speaks of what is not there.
    """
    try:
        report = verify(claim)
    except (UnderstudyError, KeyError, IndexError, ValueError) as error:
        said = one_line(error) if isinstance(error, UnderstudyError) else f"it speaks of {error}"
        raise OptionError(f"{where}: the certificate does not fit together: {said}") from error
    return replace(report, claimed=(*faults, *report.claimed))


def certificate_faults(
    certificate: Certificate,
    motions: Mapping[str, Motion],
    contents: Mapping[str, str],
    *,
    sealed: bool,
    bars: Bars | None = None,
) -> Iterator[Violation]:
    """What is wrong with a certificate itself.

    Args:
        certificate: The certificate.
        motions: Everybody's motion as it was read.
        contents: Digests of the files' contents, by name.
        sealed: Whether the seal holds.
        bars: Bars that the reader accepts; the judge's own unless given.
    """
    if not sealed:
        yield _fault("the certificate was changed after it was written")
    for one in certificate.motions:
        if motion_digest(motions[one.name]) != one.sha256:
            yield _fault("the motion is not the one that was certified", character=one.name)
        elif contents[one.name] != one.content_sha256:
            yield _fault("the file was changed after it was certified", character=one.name)
    accepted = bars or Bars()
    for item in fields(Bars):
        asked, own = getattr(certificate.bars, item.name), getattr(accepted, item.name)
        if asked > own * (1.0 + _SAME_BAR):
            label = f"the bar {item.name} is {asked:g}, looser than the {own:g} that is accepted"
            yield replace(_fault(label), value=float(asked), bar=float(own))


def _fault(detail: str, *, character: str = "") -> Violation:
    return Violation(kind="claim", value=1.0, bar=0.0, character=character, detail=detail)


def restored(motion: Motion, entry: CertifiedMotion) -> Motion:
    """A motion that was read, with the names and roles its certificate gives its joints."""
    return named_joints(motion, tuple(entry.joints), entry.roles)
