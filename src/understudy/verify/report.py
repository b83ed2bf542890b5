"""The judge's report: every measure, what is broken, as JSON and as a table."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from understudy.core.violations import Violation, described
from understudy.verify.ballistics import Ballistics
from understudy.verify.bars import Bars
from understudy.verify.foot_skate import FootSkate
from understudy.verify.goals import GoalError, Route
from understudy.verify.joint_limits import LimitExcess
from understudy.verify.penetration import Overlap, Penetration
from understudy.verify.resting import Rest
from understudy.verify.smoothness import Smoothness
from understudy.verify.standing import Standing
from understudy.verify.stillness import Stillness
from understudy.verify.table import table
from understudy.verify.tremor import Tremor
from understudy.verify.violations import violations_of


@dataclass(frozen=True, kw_only=True)
class CharacterReport:
    """The measures that belong to one character.

    Attributes:
        name: Whose; empty for the only character.
        frames: Frames judged.
        fps: Frames per second.
        has_source: Whether it was compared with source clips.
        recorded: Whether it was judged as a stranger's recording: not every measure is judged.
        foot_skate: Feet; ``None`` for what is no humanoid.
        source_skate: The worst of its source clips' own feet; ``None`` without them.
        joint_limits: Limits.
        smoothness: Smoothness.
        tremor: The joint that trembles most.
        stillness: How long nothing moves.
        standing: What carries the body; ``None`` for what is no humanoid.
        route: Route; ``None`` when no shortest length was given.
    """

    name: str
    frames: int
    fps: float
    has_source: bool
    recorded: bool
    foot_skate: FootSkate | None
    source_skate: FootSkate | None
    joint_limits: LimitExcess
    smoothness: Smoothness
    tremor: Tremor
    stillness: Stillness
    standing: Standing | None
    route: Route | None


@dataclass(frozen=True, kw_only=True)
class Report:
    """What the judge found.

    Attributes:
        penetration: Overlaps of all characters with everything.
        characters: What belongs to each character.
        goals: Errors at the goals that were given.
        ballistics: Free objects; ``None`` when none were given.
        rests: How everything lies in the end that was held and let go.
        bars: What was asked.
        claimed: What is wrong with the claim itself.
        notes: What the judge assumed, as sentences.
    """

    penetration: Penetration
    characters: tuple[CharacterReport, ...]
    goals: tuple[GoalError, ...]
    ballistics: Ballistics | None
    bars: Bars
    rests: tuple[Rest, ...] = ()
    claimed: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """Every bar that is broken, with who, what, when, by how much and the bar."""
        return tuple(violations_of(self))

    @property
    def broken(self) -> tuple[str, ...]:
        """Kinds of the bars that are broken, each once."""
        return tuple(dict.fromkeys(one.kind for one in self.violations))

    @property
    def ok(self) -> bool:
        """Whether no bar is broken."""
        return not self.violations

    @property
    def reason(self) -> str:
        """What is broken, in one line for people; empty when nothing is."""
        return described(self.violations)

    def __bool__(self) -> bool:
        """Whether no bar is broken."""
        return self.ok

    def __str__(self) -> str:
        """The table."""
        return self.table()

    def table(self) -> str:
        """A readable table: measure, value, bar, where."""
        return table(self)

    def to_json(self) -> dict[str, Any]:
        """The report as plain values, with the keys other programs rely on."""
        parts = [_character_entry(one) for one in self.characters]
        feet = [part["foot_skate"] for part in parts if part["foot_skate"] is not None]
        worst_limit = max((part["joint_limits"] for part in parts), key=lambda entry: entry["max_excess_rad"])
        worst_smooth = max((part["smoothness"] for part in parts), key=_roughness)
        document: dict[str, Any] = {
            "ok": self.ok,
            "broken": list(self.broken),
            "violations": [one.to_json() for one in self.violations],
            "penetration": _penetration_entry(self.penetration),
            "foot_skate": _worst_feet(feet),
            "joint_limits": worst_limit,
            "smoothness": worst_smooth,
            "goals": [_goal_entry(error) for error in self.goals],
            "rests": [asdict(one) for one in self.rests],
            "ballistics": None if self.ballistics is None else asdict(self.ballistics),
            "route": next((part["route"] for part in parts if part["route"] is not None), None),
            "bars": asdict(self.bars),
            "notes": list(self.notes),
        }
        document["characters"] = parts
        return document


def _character_entry(one: CharacterReport) -> dict[str, Any]:
    smooth = one.smoothness
    return {
        **_values(one, "name", "frames", "fps", "has_source", "recorded"),
        "foot_skate": None if one.foot_skate is None else _feet_entry(one.foot_skate),
        "source_foot_skate": None if one.source_skate is None else asdict(one.source_skate),
        "joint_limits": asdict(one.joint_limits),
        "smoothness": {
            **_values(smooth, "velocity_ratio", "acceleration_ratio", "worst_limb", "worst_time_s", "jerk_ratio"),
            "seams": [asdict(seam) for seam in smooth.seams],
            "limbs": {
                name: {"velocity_ratio": speed, "acceleration_ratio": acceleration, "jerk_ratio": jerk}
                for name, (speed, acceleration, jerk) in smooth.limbs.items()
            },
        },
        "tremor": _values(one.tremor, "joint", "time_s", "value", "usual"),
        "stillness": asdict(one.stillness),
        "standing": None if one.standing is None else asdict(one.standing),
        "route": None if one.route is None else asdict(one.route),
    }


def _feet_entry(feet: FootSkate) -> dict[str, Any]:
    slide = None if feet.added is None or feet.added.slide is None else feet.added.slide.way_mm
    return {**asdict(feet), "added_slide_mm": slide}


def _values(found: object, *names: str) -> dict[str, Any]:
    return {name: getattr(found, name) for name in names}


def _penetration_entry(found: Penetration) -> dict[str, Any]:
    return {
        **_values(found, "max_depth_m", "seconds_over_1mm", "allowed_depth_m"),
        "worst": None if found.worst is None else _overlap_entry(found.worst),
        "pairs": [_overlap_entry(pair) for pair in found.pairs],
        "allowed_worst": None if found.allowed_worst is None else _overlap_entry(found.allowed_worst),
    }


def _overlap_entry(overlap: Overlap) -> dict[str, Any]:
    entry = asdict(overlap)
    # JSON knows no infinity; a contact allowed to any depth has no number.
    entry["allowed_m"] = overlap.allowed_m if overlap.allowed_m < float("inf") else None
    return entry


def _goal_entry(error: GoalError) -> dict[str, Any]:
    return {**_values(error, "kind", "time_s", "position_m", "angle_rad"), "character": error.goal.character}


def _roughness(entry: dict[str, Any]) -> tuple[int, float]:
    return len(entry["seams"]), max(entry["velocity_ratio"], entry["acceleration_ratio"])


def _worst_feet(feet: list[dict[str, Any]]) -> dict[str, Any]:
    """The largest of each number over all characters; ``None`` where nobody has feet."""
    keys = ("gmd", "kimodo", "stance_drift_mm", "added_slide_mm")
    values = {key: [one[key] for one in feet if one[key] is not None] for key in keys}
    merged: dict[str, Any] = {key: max(found) if found else None for key, found in values.items()}
    if len(feet) == 1:
        merged = {**feet[0], **merged}
    return merged
