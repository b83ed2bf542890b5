"""What a verdict was made of: every contact that was allowed, what each bar rests on, and what was planned."""

from __future__ import annotations

from typing import Any

from understudy.core.everyday import usual_pace
from understudy.scene.contacts import ContactRule, contact_rules
from understudy.verify.claim import Claim
from understudy.verify.feet_bars import feet_measures
from understudy.verify.penetration import Overlap
from understudy.verify.report import CharacterReport, Report
from understudy.verify.smoothness import KINDS

#: Which ratio of the bars belongs to a pace.
_RATIOS = {kind: f"{kind}_ratio" for kind in KINDS}


def explanation(claim: Claim, report: Report) -> dict[str, Any]:
    """What the verdict on a claim was made of, as plain values."""
    rules = [*claim.contacts, *(contact_rules(claim.scene) if claim.scene is not None else ())]
    names = [name for name, _ in claim.motions]
    return {
        "contacts": [_contact(one, rules) for one in report.penetration.allowed],
        "bars": [bar for one in report.characters for bar in _bars(one, claim, report)],
        "evidence": {name: _clips(claim, name) for name in names},
        "planned": {
            name: [
                {"joints": list(one.joints), "from_s": _finite(one.start_s), "until_s": _finite(one.end_s)}
                for one in spans
            ]
            for name, spans in claim.planned.items()
        },
    }


def explained(found: dict[str, Any]) -> str:
    """An explanation in words, one line a fact."""
    lines = ["contacts that were allowed:"]
    for one in found["contacts"]:
        lines.append(
            f"  {one['a']} in {one['b']}: {1000 * one['depth_m']:.1f} mm within {one['seconds']:.2f} s, deepest at "
            f"{one['time_s']:.2f} s, by: {one['rule']}"
        )
    lines += [] if found["contacts"] else ["  none"]
    lines.append("bars:")
    for one in found["bars"]:
        who = f"{one['character']}: " if one["character"] else ""
        lines.append(f"  {who}{one['what']}: {one['value']:.4g} of {one['bar']:.4g}{one['unit']}, {one['made_of']}")
    lines.append("evidence:")
    for name, clips in found["evidence"].items():
        label = name or "the only character"
        lines += [f"  {label}: {one['name']}, {one['frames']} frames, sha256 {one['sha256'][:16]}" for one in clips]
        lines += [] if clips else [f"  {label}: none; absolute bars hold"]
    lines.append("planned joints, to which nothing is forgiven:")
    for name, spans in found["planned"].items():
        lines += [f"  {name or 'the only character'}: {', '.join(one['joints'])}{_span(one)}" for one in spans]
    lines += [] if any(found["planned"].values()) else ["  none are named"]
    return "\n".join(lines)


def _span(one: dict[str, Any]) -> str:
    first = "" if one["from_s"] is None else f" from {one['from_s']:.2f} s"
    return first + ("" if one["until_s"] is None else f" until {one['until_s']:.2f} s")


def _finite(time_s: float) -> float | None:
    return time_s if abs(time_s) < float("inf") else None


def _contact(one: Overlap, rules: list[ContactRule]) -> dict[str, Any]:
    said = [rule for rule in rules if rule.allows(one.a, one.b, one.time_s)]
    deepest = max(said, key=lambda rule: rule.max_depth_m, default=None)
    rule = "what the evidence shows itself, or the bar for it" if deepest is None else deepest.why
    return {
        "a": one.a,
        "b": one.b,
        "depth_m": one.depth_m,
        "allowed_m": _finite(one.allowed_m),
        "time_s": one.time_s,
        "seconds": one.seconds,
        "rule": rule,
    }


def _bars(one: CharacterReport, claim: Claim, report: Report) -> list[dict[str, Any]]:
    found = []
    for pace in one.smoothness.paces:
        factor = getattr(report.bars, _RATIOS[pace.kind])
        table = usual_pace(pace.limb, claim.activity)[KINDS.index(pace.kind)]
        whose = "the evidence" if pace.usual > table else f"recorded people ({claim.activity})"
        found.append(
            {
                "character": one.name,
                "what": f"{pace.kind} of {pace.limb}",
                "value": pace.value,
                "bar": factor * pace.usual,
                "unit": "",
                "made_of": f"{factor:g} times {pace.usual:.4g} of {whose}",
            }
        )
    return found + _feet(one, report)


def _feet(one: CharacterReport, report: Report) -> list[dict[str, Any]]:
    return [
        {
            "character": one.name,
            "what": measure.what,
            "value": measure.value,
            "bar": measure.bar,
            "unit": f" {measure.unit}".rstrip(),
            "made_of": measure.made_of,
        }
        for measure in feet_measures(one, report.bars)
        if measure.bar is not None
    ]


def _clips(claim: Claim, name: str) -> list[dict[str, Any]]:
    from understudy.verify.allowing import clip_entry

    numbers = claim.allowances.get(name)
    clips = numbers.clips if numbers is not None else [clip_entry(clip) for clip in claim.evidence.get(name, ())]
    return [{"name": one.name, "kind": one.kind, "frames": one.frames, "sha256": one.sha256} for one in clips]
