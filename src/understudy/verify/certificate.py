"""Certificates: a claim as text, so that a file says itself what has to be known to judge it.

A certificate is sealed with a digest of its own text. A seal is no signature: it tells that something was changed by
hand, not who wrote it. What a claim may not say at all is checked beside it, see ``certifying.py``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from understudy.core import Body, Motion
from understudy.core.plain_values import ValueFaultError, made, plain
from understudy.errors import OptionError, UnderstudyError
from understudy.scene.contacts import ContactRule
from understudy.verify.allowances import Allowances
from understudy.verify.ballistics import Bounce, Flight
from understudy.verify.bars import Bars
from understudy.verify.claim import Planned
from understudy.verify.feet import Feet
from understudy.verify.foot_skate import FootSkate
from understudy.verify.goals import Goal
from understudy.verify.resting import RestGoal

VERSION = 4
#: The key that tells a certificate, and holds its version.
MARK = "understudy_certificate"
SEAL = "seal"


@dataclass(frozen=True, eq=False, kw_only=True)
class CertifiedMotion:
    """Whose motion a certificate speaks of, and where it is.

    Attributes:
        name: The character; empty for an only one.
        file: The file it was written to, without folder.
        content_sha256: Digest of everything in that file but the certificate.
        sha256: Digest of the motion as it is read from there.
        joints: Names of its joints: some formats have to rename them.
        roles: Humanoid role -> joint name.
        numbers: The motion itself, where the file's format cannot be read; else ``None``.
        kind: ``"made"`` by a planner, ``"recorded"``, or ``"performer"`` for the built-in performer's own clips.
    """

    name: str
    file: str
    content_sha256: str
    sha256: str
    joints: tuple[str, ...]
    roles: Mapping[str, str]
    numbers: Motion | None = None
    kind: str = "made"


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict:
    """What the judge said when the file was written.

    Attributes:
        ok: Whether nothing is broken.
        broken: Kinds of the bars that are.
    """

    ok: bool
    broken: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Certificate:
    """Everything that has to be known to judge a file; see :class:`understudy.verify.claim.Claim`.

    Attributes:
        motions: Whose motions.
        verdict: What the judge said.
        unit_m: Metres per unit of the file.
        up: The file's up axis.
        scene: The stage, as ``scene.embedding`` has it, without contacts.
        people: Characters of the scene that move and are not judged, with their motions in the world.
        scene_contacts: Contacts that the scene declares.
        contacts: Further contacts.
        goals: What should have been reached.
        planned: Joints that planners changed.
        activity: Whose pace is usual.
        recorded: Whether the motions are strangers' recordings.
        floor: Whether ``y = 0`` is solid ground.
        bars: Bars to clear.
        bodies: Bodies that were not simply fitted.
        shortest_m: Length of the shortest path [m].
        flights: Free objects.
        bounces: Contacts between them.
        evidence: What each motion's evidence allows.
    """

    motions: tuple[CertifiedMotion, ...]
    verdict: Verdict
    unit_m: float = 1.0
    up: str = "y"
    scene: Mapping[str, Any] | None = None
    people: Mapping[str, Motion] = field(default_factory=dict)
    scene_contacts: tuple[ContactRule, ...] = ()
    contacts: tuple[ContactRule, ...] = ()
    goals: tuple[Goal | RestGoal, ...] = ()
    planned: Mapping[str, tuple[Planned, ...]] = field(default_factory=dict)
    activity: str = "everyday"
    recorded: bool = False
    floor: bool | None = None
    bars: Bars = field(default_factory=Bars)
    bodies: Mapping[str, Body] = field(default_factory=dict)
    shortest_m: float | None = None
    flights: tuple[Flight, ...] = ()
    bounces: tuple[Bounce, ...] = ()
    evidence: Mapping[str, Allowances] = field(default_factory=dict)


def certificate_values(certificate: Certificate) -> dict[str, Any]:
    """A certificate as plain values, sealed."""
    values = {MARK: VERSION, **plain(certificate)}
    return {**values, SEAL: seal_of(values)}


def seal_of(values: Mapping[str, Any]) -> str:
    """The digest of a certificate's values but the seal itself."""
    rest = {key: value for key, value in values.items() if key != SEAL}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def read_certificate(values: object, where: str) -> tuple[Certificate, bool]:
    """The certificate of plain values, and whether its seal holds.

    Args:
        values: What a file holds.
        where: Which file, for messages.

    Raises:
        OptionError: It is no certificate, damaged, or of a newer version.
    """
    if not isinstance(values, dict) or MARK not in values:
        raise OptionError(f"{where}: holds no certificate")
    version = values[MARK]
    if type(version) is not int or version < 1:
        raise OptionError(f"{where}: the certificate's version is {version!r:.40}; it must be a whole number from 1")
    if version != VERSION:
        other = "a newer" if version > VERSION else "an older"
        raise OptionError(
            f"{where}: the certificate is of version {version}, written by {other} Understudy; this one reads {VERSION}"
        )
    if not isinstance(values.get(SEAL), str):
        raise OptionError(f"{where}: the certificate is damaged: it has no seal")
    content = {key: value for key, value in values.items() if key not in (MARK, SEAL)}
    try:
        found = made(Certificate, content, "certificate", {"FootSkate": FootSkate, "Feet": Feet})
    except ValueFaultError as error:
        raise OptionError(f"{where}: the certificate is damaged: {one_line(error)}") from error
    if not found.motions:
        raise OptionError(f"{where}: the certificate is damaged: it speaks of no motion")
    return found, values[SEAL] == seal_of(values)


def one_line(error: UnderstudyError) -> str:
    """An error's first words."""
    lines = [line.strip(" -") for line in str(error).splitlines()]
    return " ".join(lines[:2])
