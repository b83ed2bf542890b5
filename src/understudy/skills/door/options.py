"""How a door is opened."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.core.planning import Options, limited
from understudy.errors import OptionError

HANDS = ("left", "right")


@dataclass(frozen=True, kw_only=True)
class DoorOptions(Options):
    """How a way through a door is searched and made.

    Attributes:
        fps: Frames per second of the motion.
        margin_m: Least distance a walker's outline keeps from everything [m].
        tries: Most motions made and judged before giving up.
        hands: Hands that may hold the handle.
    """

    fps: float = limited(60.0, low=24.0, high=240.0, unit="1/s")
    margin_m: float = limited(0.02, low=0.0, high=0.3, unit="m")
    tries: int = limited(6, low=1, high=100)
    hands: tuple[str, ...] = HANDS

    def __post_init__(self) -> None:
        """Reject values outside their ranges and unknown hands."""
        super().__post_init__()
        if not self.hands or not set(self.hands) <= set(HANDS):
            raise OptionError(f'hands is {self.hands!r}; it must name "left", "right" or both')
