"""One way to do a task with one hand: where the hand has to be, and what changes at that moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from understudy.limbs.seeds import EndTarget
from understudy.scene.contacts import ContactRule
from understudy.scene.scene import Scene
from understudy.scene.transforms import Pose
from understudy.typing import FloatArray

#: [s] the hand is there before the moment, and stays after it where something rests.
DWELL_S = 0.08


@dataclass(frozen=True, eq=False, kw_only=True)
class Way:
    """One place for the hand.

    Attributes:
        end: Where the hand has to be.
        out: ``(3,)`` unit direction the hand leaves by, without what it puts down; it comes from there too.
    """

    end: EndTarget
    out: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Aim:
    """A hand at a moment.

    Attributes:
        kind: The task's.
        character: Whose hand.
        hand: Which.
        time_s: When, on a frame of the character's motion [s].
        name: What is aimed at, for messages.
        object: What is handled; empty for a point.
        tiers: Ways, those of the first tier preferred whatever they cost.
        target_at: Where the target is at a time, for ways ``target_at(time_s)`` away from it: it may move.
        after: The scene from that moment on, given where the hand joint is then and the way chosen.
        resting: Contacts of the object with what it rests on that are meant.
        touching: Contacts of the hand that are meant: it, then what it touches.
        planning: Contacts that only planning allows, because it plans with covers of what is carried.
        lifts: Whether the hand leaves upwards with what it has taken.
        rests: Whether the object rests on something at that moment: the hand moves neither it nor itself then.
        fills: Whether the hand holds something afterwards that it did not hold before.
        holds_up: Whether it may stay lifted where it has no free way back: what comes next takes it from there.
        empties: Whether it lets go of what it held.
        hold_s: How long the hand stays [s].
        later_m: What comes later costs with the hand joint at a pose at that moment [m], see ``foresight``; nothing
            where nobody knows of anything later.
    """

    kind: str
    character: str
    hand: str
    time_s: float
    name: str
    object: str = ""
    tiers: tuple[tuple[Way, ...], ...]
    target_at: Callable[[float], FloatArray]
    after: Callable[[Scene, Pose, Way], Scene]
    resting: tuple[ContactRule, ...] = ()
    touching: tuple[ContactRule, ...] = ()
    planning: tuple[ContactRule, ...] = ()
    lifts: bool = False
    rests: bool = False
    fills: bool = False
    holds_up: bool = False
    empties: bool = False
    hold_s: float = 0.0
    later_m: Callable[[Pose], float] | None = None

    @property
    def rules(self) -> tuple[ContactRule, ...]:
        """Contacts that are meant, for everybody."""
        return (*self.resting, *self.touching)
