"""Claims of tasks that hands do: everything one character does in the play as it is now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from understudy import rotations as rot
from understudy.api.evidence import Evidence
from understudy.core.violations import Violation
from understudy.limbs.handling import Deed, Mark, Play
from understudy.scene.scene import Scene
from understudy.scene.transforms import compose, seen_from
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim, Planned, made_claim
from understudy.verify.goals import HandGoal
from understudy.verify.judge import verify
from understudy.verify.report import Report

#: [s] between the moments at which the grips of both hands are looked at.
_LOOKED_AT_S = 0.1


class HandlingJudge:
    """Says what is wrong with a deed.

    Args:
        evidence: Everybody's clips.
        bars: Bars to clear; the judge's own unless given.
    """

    def __init__(self, evidence: Evidence, bars: Bars | None = None) -> None:
        self.evidence, self.bars = evidence, bars

    def __call__(self, play: Play, deed: Deed) -> Sequence[Violation]:
        """What is wrong with a deed; nothing when it will do."""
        return self.report(deed.play, deed.character).violations

    def report(self, play: Play, name: str) -> Report:
        """The report on one character's motion in the play as it is now."""
        return verify(self.claim(play, name))

    def claim(self, play: Play, name: str) -> Claim:
        """What one character's motion claims in the play as it is now."""
        motion = play.motion(name)
        return made_claim(
            name,
            motion,
            play.scene,
            evidence=self.evidence.of(name, motion),
            goals=[
                *(hand_goal(mark, play.scene) for mark in play.marks if mark.character == name),
                *grip_goals(play, name),
            ],
            contacts=play.allow,
            planned=planned_of(play, name),
            bars=self.bars,
        )


def grip_goals(play: Play, name: str) -> Iterator[HandGoal]:
    """Both hands of one character, on what they hold together, where they were on it when they took it."""
    person, scene = play.scene.character(name), play.scene
    for span in (one for one in play.spans if one.character == name and one.object):
        start_s, end_s = max(span.start_s, person.start_s), min(span.end_s, person.end_s)
        times = np.arange(start_s, end_s, _LOOKED_AT_S)
        things = scene.object_track(span.object, times)
        for hand in span.hands if len(times) else ():
            palm = person.palm(f"{hand}_hand")
            (at,), (turn,) = person.joint(f"{hand}_hand", times[:1])
            grip = seen_from(things[0][0], things[1][0], at, turn)
            for when, place, turned in zip(times.tolist(), *compose(*things, *grip), strict=True):
                where = place + rot.rotate(turned, palm)
                mark = Mark(character=name, hand=hand, time_s=when, position=where, point=palm, rotation=turned)
                yield hand_goal(mark, scene)


def planned_of(play: Play, name: str) -> list[Planned]:
    """The joints of one character that hands' tasks have changed."""
    joints: list[str] = []
    for limb in play.planned.get(name, ()):
        joints += ["torso"] if limb == "gaze" else [limb.removesuffix("_spine")]
        joints += ["torso"] if limb.endswith("_spine") else []
    return [Planned(joints=tuple(dict.fromkeys(joints)))] if joints else []


def hand_goal(mark: Mark, scene: Scene) -> HandGoal:
    """Where a hand was to be, for the judge: times begin with the character's own motion."""
    turned = None if mark.rotation is None else tuple(float(value) for value in mark.rotation)
    return HandGoal(
        hand=mark.hand,  # type: ignore[arg-type]
        position=tuple(float(value) for value in mark.position),  # type: ignore[arg-type]
        time_s=mark.time_s - scene.character(mark.character).start_s,
        rotation=turned,  # type: ignore[arg-type]
        point=tuple(float(value) for value in mark.point),  # type: ignore[arg-type]
        character=mark.character,
    )
