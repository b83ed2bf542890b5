"""What a detector reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "joint_pop", "joint_flip", "dropped_frames", "root_jump", "frame_rate", "below_floor", "toes_below", "floating"
]

#: A fault is broken data; a warning says that the data may be misleading.
Severity = Literal["fault", "warning"]


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that is wrong with a motion.

    Attributes:
        kind: Which detector found it.
        message: One sentence for people.
        joint: Name of the joint at fault; ``None`` when it is the whole body.
        first_frame: First frame concerned.
        last_frame: Last frame concerned, included.
        severity: Broken data, or data that contradict themselves.
    """

    kind: Kind
    message: str
    joint: str | None
    first_frame: int
    last_frame: int
    severity: Severity


def frames_text(first: int, last: int) -> str:
    """``"frame 7"`` or ``"frames 7-9"``."""
    return f"frame {first}" if first == last else f"frames {first}-{last}"
