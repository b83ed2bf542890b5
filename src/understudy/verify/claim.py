"""A claim: a performance, and everything that has to be known to judge it. Whoever makes motions hands in claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack

from understudy.core import Body, Motion
from understudy.core.violations import Violation
from understudy.errors import OptionError, nearest_name
from understudy.scene.contacts import DEEPEST_M, HAND_DEPTH_M, ContactRule
from understudy.scene.scene import Scene
from understudy.verify.ballistics import Bounce, Flight
from understudy.verify.bars import Bars

if TYPE_CHECKING:
    from understudy.verify.allowances import Allowances
    from understudy.verify.goals import Goal
    from understudy.verify.resting import RestGoal

#: One motion, or several with the names of their characters.
Motions: TypeAlias = Motion | Sequence[tuple[str, Motion]]
Sources: TypeAlias = Motion | Sequence[Motion] | Mapping[str, "Motion | Sequence[Motion]"] | None
Bodies: TypeAlias = Body | Mapping[str, Body] | None
#: Whose pace is usual.
ACTIVITIES = ("everyday", "sport")


@dataclass(frozen=True, kw_only=True)
class Planned:
    """Joints that a planner changed for a while.

    Attributes:
        joints: Limbs (``"right_arm"``), roles or joint names.
        start_s: From when, in the motion's time [s].
        end_s: Until when [s].
    """

    joints: tuple[str, ...]
    start_s: float = float("-inf")
    end_s: float = float("inf")


@dataclass(frozen=True, eq=False, kw_only=True)
class Claim:
    """What somebody says of a performance. It is data: the judge alone says whether it holds.

    Attributes:
        motions: Everybody's motion with the character's name; the name of an only character may be empty.
        scene: The stage with every object's track and every hold; ``None`` for nothing but the clip's own ground.
        evidence: Recorded clips, or the performer's published ones, that each motion was made from, by name. Without
            evidence absolute bars hold. A motion that a planner made is never evidence.
        allowances: What the evidence of each motion allows, as numbers, where a certificate brought these instead of
            the clips.
        contacts: What may touch what, when, and how deep, beside what the scene declares.
        goals: What should have been reached.
        planned: Joints that planners changed, by character. Nothing is forgiven to them.
        activity: Whose pace is usual: ``"everyday"``, or ``"sport"`` for throws, kicks and swings.
        recorded: Whether the motions are strangers' recordings, not made by any planner: what a recording does is
            measured, but not every measure is judged.
        floor: Whether ``y = 0`` is solid ground; unless given, what the scene says, and without a scene the height
            the clip's own feet rest at.
        bodies: Bodies by name; fitted to the skeletons unless given.
        bars: Bars to clear.
        shortest_m: Length of the shortest path with clearance, for the route's naturalness [m].
        flights: Free objects between contacts.
        bounces: Contacts between free objects, by flight.
    """

    motions: tuple[tuple[str, Motion], ...]
    scene: Scene | None = None
    evidence: Mapping[str, tuple[Motion, ...]] = field(default_factory=dict)
    allowances: Mapping[str, Allowances] = field(default_factory=dict)
    contacts: tuple[ContactRule, ...] = ()
    goals: tuple[Goal | RestGoal, ...] = ()
    planned: Mapping[str, tuple[Planned, ...]] = field(default_factory=dict)
    activity: str = "everyday"
    recorded: bool = False
    floor: bool | None = None
    bodies: Mapping[str, Body] = field(default_factory=dict)
    bars: Bars = field(default_factory=Bars)
    shortest_m: float | None = None
    flights: tuple[Flight, ...] = ()
    bounces: tuple[Bounce, ...] = ()

    def __post_init__(self) -> None:
        """Check what can be checked without looking at the motions."""
        if not self.motions:
            raise OptionError("there is no motion to judge")
        names = [name for name, _ in self.motions]
        if len(set(names)) != len(names):
            raise OptionError("two motions were given for one character")
        if self.activity not in ACTIVITIES:
            hint = nearest_name(self.activity, ACTIVITIES)
            raise OptionError(f'activity is "{self.activity}"; {hint}')
        if self.floor and self.scene is not None and not self.scene.floor:
            raise OptionError("floor=True contradicts a scene whose floor is not solid")

    def motion(self, name: str) -> Motion:
        """One character's motion."""
        return next(motion for known, motion in self.motions if known == name)


def made_claim(
    name: str,
    motion: Motion,
    scene: Scene | None = None,
    *,
    evidence: Sequence[Motion] = (),
    goals: Sequence[Goal] = (),
    contacts: Sequence[ContactRule] = (),
    planned: Sequence[Planned] = (),
    bars: Bars | None = None,
) -> Claim:
    """The claim of one motion that a planner made."""
    return Claim(
        motions=((name, motion),),
        scene=scene,
        evidence={name: tuple(evidence)},
        contacts=tuple(contacts),
        goals=tuple(goals),
        planned={name: tuple(planned)} if planned else {},
        bars=bars or Bars(),
    )


class About(TypedDict, total=False):
    """What :func:`understudy.verify` takes beside a motion and a scene; see there."""

    source: Sources
    goals: Sequence[Goal]
    bars: Bars | None
    body: Bodies
    allow: Sequence[ContactRule]
    planned: Sequence[str]
    floor: bool | None
    shortest_m: float | None
    flights: Sequence[Flight]
    bounces: Sequence[Bounce]


def claim_of(motions: Motions, scene: Scene | None, **about: Unpack[About]) -> Claim:
    """A claim from what :func:`understudy.verify` takes; see there."""
    for name in about:
        if name not in About.__annotations__:
            raise TypeError(f'verify() takes no "{name}"; {nearest_name(name, About.__annotations__)}')
    named = [("", motions)] if isinstance(motions, Motion) else [(str(name), motion) for name, motion in motions]
    evidence = {name: _clips(name, motion, about.get("source")) for name, motion in named}
    made = any(evidence.values()) or any(motion.origin.made for _, motion in named)
    body, planned = about.get("body"), tuple(about.get("planned", ()))
    return Claim(
        motions=tuple(named),
        scene=scene,
        evidence={name: clips for name, clips in evidence.items() if clips},
        contacts=tuple(about.get("allow", ())),
        goals=tuple(about.get("goals", ())),
        planned={name: (Planned(joints=planned),) for name, _ in named} if planned else {},
        recorded=not made,
        floor=about.get("floor"),
        bodies={name: body for name, _ in named} if isinstance(body, Body) else dict(body or {}),
        bars=about.get("bars") or Bars(),
        shortest_m=about.get("shortest_m"),
        flights=tuple(about.get("flights", ())),
        bounces=tuple(about.get("bounces", ())),
    )


def _clips(name: str, motion: Motion, sources: Sources) -> tuple[Motion, ...]:
    """The evidence of one motion: what is given for it, or what a made motion was made from."""
    given = sources.get(name) if isinstance(sources, Mapping) else sources
    if given is None:
        return motion.origin.evidence
    return (given,) if isinstance(given, Motion) else tuple(given)


def claim_violations(claim: Claim) -> Iterator[Violation]:
    """What is wrong with a claim before anything is measured: it is thinner than the performance, or too generous."""
    known = [(name, one.name, one.kind) for name, numbers in claim.allowances.items() for one in numbers.clips]
    known += [(name, clip.name, clip.origin.kind) for name, clips in claim.evidence.items() for clip in clips]
    for name, clip, kind in known:
        if kind == "made":
            label = f'"{clip}" was made by a planner; only recordings and published clips are evidence'
            yield Violation(kind="claim", value=1.0, bar=0.0, character=name, detail=label)
    for name, motion in claim.motions:
        left_out = motion.origin.evidence
        if left_out and not (claim.evidence.get(name) or claim.allowances.get(name)):
            label = f"it was made from {len(left_out)} clips, and the claim names none of them"
            yield Violation(kind="claim", value=1.0, bar=0.0, character=name, detail=label)
    declared = () if claim.scene is None else claim.scene.allowed_contacts
    for rule in (*claim.contacts, *declared):
        deepest = HAND_DEPTH_M if rule.by_hand else DEEPEST_M
        if rule.max_depth_m > deepest:
            yield Violation(
                kind="claim",
                value=rule.max_depth_m,
                bar=deepest,
                unit="m",
                part=rule.a,
                other=rule.b,
                detail=f"such a contact may be {1000 * deepest:g} mm deep at most, not {1000 * rule.max_depth_m:g} mm",
            )
