"""What a figure is told, frame by frame: hands, feet and body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from understudy.errors import OptionError
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class HandTrack:
    """A hand over time.

    Attributes:
        wrist: ``(n, 3)`` [m].
        turn: ``(n, 4)`` away from the T-pose; ``None`` for a hand in line with its forearm.
        pole: ``(n, 3)`` which way the elbow goes.
    """

    wrist: FloatArray
    turn: FloatArray | None
    pole: FloatArray

    @property
    def facing(self) -> FloatArray:
        """The turn of a hand that has one of its own."""
        if self.turn is None:
            raise OptionError("a hand in line with its forearm has no orientation of its own")
        return self.turn


@dataclass(frozen=True, eq=False, kw_only=True)
class FootPath:
    """A foot over time: ankle ``(n, 3)`` [m], turn ``(n, 4)`` away from the T-pose, bend of the toes ``(n,)`` [rad]."""

    ankle: FloatArray
    turn: FloatArray
    toes: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class BodyTrack:
    """The body without arms over time.

    Attributes:
        centre: ``(n, 3)`` middle of the hip joints [m].
        pelvis: ``(n, 3)`` its turn [rad].
        trunk: ``(n, 3)`` turn of the shoulders against the pelvis [rad].
        clavicles: Side -> ``(n, 2)`` raise and protraction [rad].
        gaze: ``(n, 3)`` what is looked at [m].
        feet: Side -> foot.
        arms: Joint -> ``(n, 3)`` how far an arm that hangs at ease strays from that [rad].
    """

    centre: FloatArray
    pelvis: FloatArray
    trunk: FloatArray
    clavicles: Mapping[str, FloatArray]
    gaze: FloatArray
    feet: Mapping[str, FootPath]
    arms: Mapping[str, FloatArray] = field(default_factory=dict)

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.centre)
