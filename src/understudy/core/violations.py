"""What is wrong with a motion, as values: the only thing a planner learns from the judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

#: Every kind of violation, and the words that describe it in a sentence.
KINDS: dict[str, str] = {
    "penetration": "overlaps",
    "foot_skate_gmd": "skates (GMD)",
    "foot_skate_kimodo": "skates (Kimodo)",
    "foot_skate": "skates further than its evidence",
    "stance_drift": "drifts while it is planted",
    "foot_slide": "slides against its evidence",
    "contact_slide": "slides while it carries the body",
    "foot_drag": "is dragged over the floor",
    "joint_limits": "is beyond its limit",
    "velocity": "turns too fast",
    "acceleration": "accelerates too fast",
    "jerk": "jerks",
    "tremor": "trembles",
    "stillness": "stands as still as a statue",
    "seams": "jumps within one frame",
    "support": "floats: nothing carries the body",
    "balance": "would topple",
    "route": "walks too long a route",
    "goals": "misses its goal",
    "hold": "slips in its grip",
    "rest": "does not rest where it should",
    "ballistics": "leaves its parabola",
    "momentum": "momentum is not kept",
    "claim": "the claim does not hold together",
}


@dataclass(frozen=True, kw_only=True)
class Violation:
    """One bar that is broken, where it is broken most.

    Attributes:
        kind: One of :data:`KINDS`.
        value: What was measured.
        bar: What would have passed.
        unit: Of both: ``"m"``, ``"mm"``, ``"rad"``, ``"x"`` for ratios, ``"s"``, ``"m/s"``; empty for counts.
        character: Whose motion; empty for the only character.
        part: Body part, joint, limb or object at fault.
        other: What the part overlaps or misses; empty where there is nothing.
        time_s: When, in the motion's time [s]; ``None`` where the whole motion is at fault.
        detail: More words for people; never needed to tell violations apart.
    """

    kind: str
    value: float
    bar: float
    unit: str = ""
    character: str = ""
    part: str = ""
    other: str = ""
    time_s: float | None = None
    detail: str = ""

    def __str__(self) -> str:
        """One sentence without a full stop."""
        who = f"{self.part or self.character or 'the person'} {KINDS[self.kind]}"
        beside = f" {self.other}" if self.other else ""
        much = "" if self.detail else f" by {_number(self.value, self.unit)} (bar {_number(self.bar, self.unit)})"
        when = "" if self.time_s is None else f" at {self.time_s:.2f} s"
        more = f": {self.detail}" if self.detail else ""
        return f"{who}{beside}{much}{when}{more}"

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "kind": self.kind,
            "character": self.character,
            "part": self.part,
            "other": self.other,
            "time_s": self.time_s,
            "value": self.value,
            "bar": self.bar,
            "unit": self.unit,
            "said": str(self),
        }


def described(violations: Iterable[Violation], *, most: int = 4) -> str:
    """Violations as one line for people; empty when there is none."""
    found = list(violations)
    more = f"; and {len(found) - most} more" if len(found) > most else ""
    return "; ".join(str(one) for one in found[:most]) + more


def _number(value: float, unit: str) -> str:
    if unit == "m":
        return f"{1000.0 * value:.1f} mm"
    if unit == "rad":
        return f"{57.29577951308232 * value:.2f} degrees"
    return f"{value:.3g} {unit}".rstrip()
