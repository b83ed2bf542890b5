"""From a plan to a deed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.limbs.handling.aims import Aim, Way
from understudy.limbs.handling.lasting import lasting
from understudy.limbs.handling.play import Deed, Mark, Play, Span
from understudy.limbs.hands import hand_pose
from understudy.limbs.legs import Leg, Plan
from understudy.limbs.stage import Stage
from understudy.typing import FloatArray


def deed_of(play: Play, aim: Aim, later: Stage, plan: Plan, way: Way, legs: Sequence[Leg]) -> Deed:
    """The deed of one hand: its mark, what changed, and everything after it."""
    scene = later.scene.with_motion(aim.character, later.motion, start_s=later.start_s)
    end = way.end
    turned = None if end.rotations is None else _nearest(end.rotations, aim, later)
    mark = Mark(
        character=aim.character,
        hand=aim.hand,
        time_s=aim.time_s,
        position=end.position,
        point=end.point,
        rotation=turned,
    )
    change = plan.change(legs[0].window.start_s, legs[-1].window.end_s)
    marks: tuple[Mark, ...] = (mark,)
    spans: tuple[Span, ...] = ()
    rules = (*aim.resting, *(lasting(scene, rule) for rule in aim.touching))
    if aim.hold_s > 0.0:
        until_s = play.frame_s(aim.character, aim.time_s + aim.hold_s)
        moved = aim.target_at(until_s) - aim.target_at(aim.time_s)
        marks = (mark, replace(mark, time_s=until_s, position=mark.position + moved))
        spans = (Span(character=aim.character, hands=(aim.hand,), start_s=aim.time_s, end_s=until_s),)
    after = play.done(scene, limbs=(plan.space.name,), character=aim.character, marks=marks, allow=rules, spans=spans)
    return Deed(
        kind=aim.kind,
        character=aim.character,
        hands=(aim.hand,),
        object=aim.object,
        time_s=aim.time_s,
        marks=marks,
        limbs=(plan.space.name,),
        changes=(change,),
        rules=rules,
        play=after,
    )


def _nearest(rotations: FloatArray, aim: Aim, later: Stage) -> FloatArray:
    """The one of several allowed orientations that the hand took."""
    _, turn = hand_pose(later, later.space(f"{aim.hand}_arm"), aim.hand, aim.time_s)
    return rotations[int(np.argmin(rot.angle_between(rotations, turn)))]
