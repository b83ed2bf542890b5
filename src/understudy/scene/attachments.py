"""Objects that follow something for a while: a cup in a hand, a plate on a tray."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from understudy.errors import SceneError, nearest_name
from understudy.scene.transforms import Transform

#: How an object sits in its holder: a given transform, as it is at that moment, or put into the palm.
Grip: TypeAlias = Transform | Literal["as_is", "in_hand"]
Release: TypeAlias = Literal["stay", "resume"]
Side: TypeAlias = Literal["left", "right"]

HANDS: tuple[Side, ...] = ("left", "right")


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """``object`` follows ``to`` from ``start_s`` until ``end_s``.

    Attributes:
        object: The object that follows.
        to: What it follows: another object, or a character's joint as ``"anna.right_hand"``.
        start_s: When it is taken [s].
        end_s: When it is let go [s]; never, unless given.
        grip: ``"as_is"`` keeps the object where it is at ``start_s`` relative to its holder; ``"in_hand"`` puts
            its first handle, or else its origin, into the palm, turned as it stands but facing the character's way;
            a transform is the object's pose in the holder's frame.
        release: ``"stay"`` leaves it where it was let go; ``"resume"`` gives it back to its own placement.
    """

    object: str
    to: str
    start_s: float = 0.0
    end_s: float = math.inf
    grip: Grip = "as_is"
    release: Release = "stay"

    def __post_init__(self) -> None:
        """Check interval and choices."""
        what = f'attachment of "{self.object}" to "{self.to}"'
        check_interval(self.start_s, self.end_s, what)
        if not isinstance(self.grip, Transform) and self.grip not in ("as_is", "in_hand"):
            raise SceneError(f'{what}: grip is {self.grip!r}; it must be "as_is", "in_hand" or a transform')
        if self.release not in ("stay", "resume"):
            raise SceneError(f"{what}: release is {self.release!r}; {nearest_name(str(self.release), RELEASES)}")


RELEASES: tuple[Release, ...] = ("stay", "resume")


@dataclass(frozen=True, kw_only=True)
class Carry:
    """An object a character holds from its first moment on.

    Attributes:
        object: What is carried.
        hand: In which hand.
        until_s: When it is let go, in the scene's time [s].
        grip: See :class:`Attachment`.
    """

    object: str
    hand: Side = "right"
    until_s: float = math.inf
    grip: Grip = "in_hand"

    def __post_init__(self) -> None:
        """Check the hand."""
        if self.hand not in HANDS:
            raise SceneError(f'carry of "{self.object}": hand is {self.hand!r}; it must be left or right')


def check_interval(start_s: float, end_s: float, what: str) -> None:
    """Raise a :class:`SceneError` unless the interval has a length and starts at some time."""
    if not (math.isfinite(start_s) and end_s > start_s):
        raise SceneError(f"{what}: lasts from {start_s:g} s to {end_s:g} s; the end must come after the start")
