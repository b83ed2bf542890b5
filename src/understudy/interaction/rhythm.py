"""Juggling as a schedule: who throws which ball when, and who catches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.reference_pose import t_pose_world
from understudy.errors import OptionError
from understudy.interaction.actor import Actor
from understudy.interaction.contact_places import grip_on
from understudy.interaction.handles import ContactAt, Handle
from understudy.interaction.play import Ball, Hold, Leg, Way, leg_times
from understudy.performer.actions import Example
from understudy.typing import FloatArray

#: A ball is thrown again three throws of its juggler later.
_BALLS = 3
_COLORS = (
    (0.80, 0.16, 0.10),
    (0.10, 0.32, 0.75),
    (0.95, 0.65, 0.05),
    (0.10, 0.55, 0.25),
    (0.5, 0.2, 0.6),
    (0.9, 0.4, 0.6),
)


@dataclass(frozen=True, kw_only=True)
class Rhythm:
    """A three-ball cascade for each of one or two jugglers.

    Attributes:
        first_s: When the first ball leaves [s].
        beat_s: Between throws of the two hands [s].
        dwell_s: How long a hand holds a ball [s].
        throws: How many throws each juggler makes.
        pass_every: With two jugglers, every so many throws a ball goes to the other's opposite hand; 0 for never.
    """

    first_s: float
    beat_s: float
    dwell_s: float
    throws: int
    pass_every: int = 0

    def __post_init__(self) -> None:
        """Check that there is time to fly."""
        if not (self.beat_s > 0.1 and 0.08 <= self.dwell_s < 2.0 * self.beat_s - 0.03 and self.throws >= _BALLS):
            raise OptionError(
                f"a rhythm of {self.beat_s:g} s a beat and {self.dwell_s:g} s of dwell for {self.throws} throws: "
                "allowed are beats over 0.1 s, a dwell from 0.08 s to two beats less 0.03 s, and 3 throws or more"
            )

    def throw_s(self, number: int) -> float:
        """When a throw is made [s]."""
        return self.first_s + number * self.beat_s

    def catch_s(self, number: int) -> float:
        """When the ball of a throw is caught [s]: a dwell before it would be thrown again."""
        return self.throw_s(number + _BALLS) - self.dwell_s


@dataclass
class _Flow:
    """One ball while the schedule is made."""

    ball: Ball
    legs: list[Leg] = field(default_factory=list)


def cascade(
    rhythm: Rhythm, hands: Sequence[tuple[str, str]], *, ball: Ball | None = None, actors: Sequence[Actor] = ()
) -> tuple[Way, ...]:
    """Ways of three balls per juggler.

    Args:
        rhythm: When.
        hands: For every juggler the parts that throw first and second, such as ``("anna.right_hand", ...)``.
        ball: What the balls are like; they are called ``ball0``, ``ball1`` and so on.
        actors: The jugglers, so that two balls in one hand lie side by side.

    Returns:
        The ways; every ball ends in a hand.
    """
    like = ball or Ball(name="ball")
    flows: list[_Flow] = []
    waiting: dict[tuple[int, int], _Flow] = {}
    for juggler in range(len(hands)):
        for number in range(_BALLS):
            name, color = f"{like.name}{len(flows)}", _COLORS[len(flows) % len(_COLORS)]
            flow = _Flow(replace(like, name=name, color=color))
            flows.append(flow)
            waiting[juggler, number] = flow
            flow.legs.append(Hold(part=hands[juggler][number % 2], release_s=rhythm.throw_s(number)))
    for number in range(rhythm.throws):
        for juggler in range(len(hands)):
            flow = waiting.pop((juggler, number))
            passes = len(hands) == 2 and rhythm.pass_every and number % rhythm.pass_every == 0 and number >= _BALLS
            to = 1 - juggler if passes else juggler
            part = hands[to][(number + _BALLS) % 2]
            again = number + _BALLS
            leaves = rhythm.throw_s(again) if again < rhythm.throws else None
            flow.legs.append(Hold(part=part, catch_s=rhythm.catch_s(number), release_s=leaves))
            waiting[to, again] = flow
    ways = tuple(Way(ball=flow.ball, legs=tuple(flow.legs)) for flow in flows)
    return side_by_side(ways, actors)


def thrown_as(example: Example, actor: Actor, *, ball: Ball | None = None) -> tuple[Way, ...]:
    """Ways of the balls that a performer's example throws and catches."""
    like = ball or Ball(name="ball")
    ways = []
    for thing in sorted({event.thing for event in example.events}):
        events = [event for event in example.events if event.thing == thing]
        parts = [f"{actor.name}.{'left' if event.joint.startswith('left') else 'right'}_hand" for event in events]
        legs: list[Leg] = [Hold(part=parts[0], release_s=events[0].time_s)]
        for k in range(1, len(events), 2):
            leaves = events[k + 1].time_s if k + 1 < len(events) else None
            legs.append(Hold(part=parts[k], catch_s=events[k].time_s, release_s=leaves))
        color = _COLORS[thing % len(_COLORS)]
        ways.append(Way(ball=replace(like, name=f"{like.name}{thing}", color=color), legs=tuple(legs)))
    return side_by_side(tuple(ways), (actor,))


def side_by_side(ways: tuple[Way, ...], actors: Sequence[Actor]) -> tuple[Way, ...]:
    """The same ways with balls that share a hand (before the first throw, after the last catch) next to each other."""
    by_name = {actor.name: actor for actor in actors}
    spans = [
        (
            leg.part,
            -np.inf if leg.catch_s is None else leg.catch_s,
            np.inf if leg.release_s is None else leg.release_s,
            w,
            k,
        )
        for w, way in enumerate(ways)
        for k, leg in enumerate(way.legs)
        if isinstance(leg, Hold)
    ]
    legs = [list(way.legs) for way in ways]
    for part, start, end, w, k in spans:
        others = [one for one in spans if one[0] == part and one[3] != w and one[1] < end and start < one[2]]
        owner, _, piece = part.partition(".")
        if not others or owner not in by_name:
            continue
        # Who leaves first, or came last, lies towards the fingers.
        ahead = all(end < one[2] or (end == one[2] and start > one[1]) for one in others)
        leg = legs[w][k]
        assert isinstance(leg, Hold)
        legs[w][k] = replace(leg, grip=_beside(by_name[owner], piece, ways[w].ball.radius_m, 1.0 if ahead else -1.0))
    return tuple(Way(ball=way.ball, legs=tuple(own)) for way, own in zip(ways, legs, strict=True))


def _beside(actor: Actor, piece: str, radius: float, sign: float) -> FloatArray:
    """A grip moved across the hand by a little more than a ball's radius."""
    joint, start, end, _ = actor.part(piece)
    grip = grip_on(actor, piece, radius)
    palm = rot.rotate(rot.conjugate(t_pose_world(actor.motion.skeleton)[1][joint]), np.array([0.0, -1.0, 0.0]))
    along = end - start
    along = along - (along @ palm) * palm
    return grip + sign * 1.15 * radius * along / np.linalg.norm(along)


def cascade_places(
    ways: Sequence[Way], actor: Actor, *, inner_m: float = 0.11, outer_m: float = 0.27, rise_m: float = 0.0
) -> dict[Handle, FloatArray]:
    """Where a practised juggler throws and catches: throws near the middle, catches outside, all at one height.

    Args:
        ways: Balls of a cascade.
        actor: Whose hands; balls of others are left alone.
        inner_m: Throws from the middle line [m].
        outer_m: Catches from the middle line [m].
        rise_m: All places higher by this [m].

    Returns:
        Place of every throw and catch, for :meth:`Session.pin_all`.
    """
    middle, sideways = _before_the_chest(actor, ways)
    places: dict[Handle, FloatArray] = {}
    for way in ways:
        for number, leg in enumerate(way.legs):
            if not isinstance(leg, Hold) or not leg.part.startswith(f"{actor.name}."):
                continue
            sign = 1.0 if "left" in leg.part else -1.0
            at = middle + np.array([0.0, rise_m, 0.0])
            if leg.release_s is not None:
                places[ContactAt(ball=way.ball.name, leg=number, release=True)] = at + sign * inner_m * sideways
            if leg.catch_s is not None:
                places[ContactAt(ball=way.ball.name, leg=number)] = at + sign * outer_m * sideways
    return places


def _before_the_chest(actor: Actor, ways: Sequence[Way]) -> tuple[FloatArray, FloatArray]:
    """Mean place of both palms while they juggle, and the direction to the left of the body."""
    from understudy.kinematics import motion_world

    times = [time for way in ways for leg in way.legs for time in leg_times(leg)]
    fps = actor.base.fps
    span = slice(round(min(times) * fps), max(round(max(times) * fps), round(min(times) * fps) + 2))
    world = motion_world(actor.base)
    palms = []
    for side in ("left", "right"):
        joint = actor.part(f"{side}_hand")[0]
        grip = grip_on(actor, f"{side}_hand", ways[0].ball.radius_m)
        palms.append(world.positions[span, joint] + rot.rotate(world.rotations[span, joint], grip))
    left, right = palms[0].mean(axis=0), palms[1].mean(axis=0)
    sideways = left - right
    sideways[1] = 0.0
    return 0.5 * (left + right), sideways / np.linalg.norm(sideways)
