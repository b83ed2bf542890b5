"""Evidence as numbers, written down after a motion was judged by its clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from understudy.verify.allowances import Allowances, EvidenceClip
from understudy.verify.digests import motion_digest
from understudy.verify.joint_limits import forgiven_rad
from understudy.verify.seams import source_jumps
from understudy.verify.smoothness import KINDS, Smoothness
from understudy.verify.source_facts import fact

if TYPE_CHECKING:
    from understudy.core import Motion
    from understudy.verify.cast import Judged
    from understudy.verify.report import CharacterReport


def clip_entry(clip: Motion) -> EvidenceClip:
    """A clip by what it holds."""
    digest = motion_digest(clip)
    return EvidenceClip(name=clip.name, kind=clip.origin.kind, sha256=digest, frames=len(clip), fps=clip.fps)


def allowances_of(judged: Judged, found: CharacterReport) -> Allowances:
    """What the evidence of somebody allows, after it was judged with a ledger."""
    from understudy.verify.overlaps import depths_below_ground

    performer, sources = judged.performer, judged.sources
    motion, body = performer.motion, performer.body
    clips = [one.motion for one in sources]
    below = np.zeros(len(body.capsule_names))
    for one in sources:
        if one.body.capsule_names == body.capsule_names and one.motion.skeleton.is_humanoid:
            below = np.maximum(below, fact(one, "depths below own ground", depths_below_ground))
    standing, ledger = found.standing, judged.ledger
    feet, scale = judged.beside or (None, None)
    alike = any(one.body.capsule_names == body.capsule_names for one in sources)
    return Allowances(
        clips=tuple(clip_entry(clip) for clip in clips),
        pace=_paces(found.smoothness),
        tremor=found.tremor.known,
        skate=found.source_skate,
        unsupported_s=0.0 if standing is None else standing.evidence_unsupported_s,
        outside_m=0.0 if standing is None else standing.evidence_outside_m,
        limits_rad=_limits(motion, forgiven_rad(motion, body, clips, in_step=judged.in_step)),
        ground_m=_named(body.capsule_names, below),
        feet=feet,
        feet_scale=scale,
        overlaps=ledger.overlaps() if alike and ledger is not None else None,
        jumps=source_jumps(performer, sources, aligned=judged.in_step),
        still=found.stillness.known,
    )


def _paces(smooth: Smoothness) -> Mapping[str, tuple[float, float, float]]:
    usual = {(pace.limb, pace.kind): pace.usual for pace in smooth.paces}
    limbs = dict.fromkeys(pace.limb for pace in smooth.paces)
    speed, acceleration, jerk = KINDS
    return {limb: (usual[limb, speed], usual[limb, acceleration], usual[limb, jerk]) for limb in limbs}


def _limits(motion: Motion, forgiven: np.ndarray) -> Mapping[str, np.ndarray]:
    """Joint -> what is forgiven to it, for one frame or for each [rad]; nothing for joints within their limits."""
    rows = np.atleast_2d(forgiven).T
    return {name: row for name, row in zip(motion.skeleton.names, rows, strict=True) if row.max() > 0.0}


def _named(names: Sequence[str], values: np.ndarray) -> Mapping[str, float]:
    return {name: float(value) for name, value in zip(names, values, strict=True) if value > 0.0}
