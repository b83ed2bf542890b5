"""Reaching: a hand at a place at a time, on top of any motion ([Limbs], paper §6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.core.planning import Result, Status
from understudy.core.violations import described
from understudy.errors import PlanningInputError
from understudy.limbs.correcting import Judge
from understudy.limbs.draws import DRAWS
from understudy.limbs.handling.aims import Aim
from understudy.limbs.handling.grips import Orientation, reach_for
from understudy.limbs.handling.moments import shoulder_at
from understudy.limbs.handling.one_hand import HandSearch
from understudy.limbs.handling.play import Deed, Play
from understudy.limbs.options import LimbOptions
from understudy.limbs.parting import contact_s
from understudy.limbs.refusals import Notes, Refusal
from understudy.limbs.seeds import EndTarget
from understudy.limbs.stage import Stage, stage_of
from understudy.limbs.targets import HANDS, checked_orientation, followed, missed
from understudy.limbs.trace import LimbTrace
from understudy.scene.contacts import ContactRule
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: What a hand may reach for.
Target = str | Sequence[float] | npt.ArrayLike


def reach(
    motion: Motion,
    scene: Scene | None = None,
    *,
    hand: str,
    target: Target,
    at: float,
    orientation: npt.ArrayLike | None = None,
    character: str | None = None,
    judge: Judge,
    options: LimbOptions | None = None,
) -> Result[LimbTrace]:
    """Bring a palm to a target at a time; the rest of the motion stays as it is.

    Args:
        motion: Where it stands in the world.
        scene: What surrounds it.
        hand: ``"left"`` or ``"right"``.
        target: ``(x, y, z)`` [m], or the name of an object, a handle (``"door.knob"``) or a body part (``"bob.head"``).
        at: When, in the motion's time [s].
        orientation: ``(4,)`` wxyz of the hand joint in the world; free unless given.
        character: Whose motion it is, where the scene leaves that open.
        judge: Says what is wrong with a motion. Planners may not import the judge; ``understudy.reach`` binds it.
        options: How to search.

    Returns:
        ``SOLVED`` only with a motion the judge passes, the palm on its target to a millimetre; otherwise the source
        motion and a reason.

    Raises:
        PlanningInputError: An unknown hand or target, or a time outside the motion.
    """
    options = options or LimbOptions()
    watch = options.watch()
    watch.stage("prepare")
    turned = checked_orientation(orientation)
    if hand not in HANDS:
        raise PlanningInputError(f'hand is "{hand}"; it must be left or right')
    if not 0.0 <= at <= motion.duration_s + 1e-9:
        raise PlanningInputError(f"at is {at!r}; it must be a time within 0..{motion.duration_s:.2f} s")
    stage = stage_of(motion, scene, character=character)
    play = Play(scene=stage.scene, sources={stage.character: motion})
    aim = _aim(play, stage, hand, target, stage.start_s + float(at), turned)
    search, notes, rejected = HandSearch(play=play, aim=aim, options=options, watch=watch), Notes(), list[str]()
    trace = LimbTrace(
        character=stage.character,
        allow=aim.rules,
        position=aim.tiers[0][0].end.position,
        rotation=None if turned is None else turned[0],
        point=aim.tiers[0][0].end.point,
        time_s=at,
        hand=hand,
    )
    for made in search.deeds(DRAWS[options.attempts > 1]):
        if isinstance(made, Refusal):
            notes.add(made)
            continue
        moved = made.play.motion(stage.character)
        measured = _measured(moved, made, replace(trace, rejected=tuple(rejected)))
        watch.stage("judge")
        violations = judge(moved, measured)
        if not violations:
            nodes = sum(len(one.nodes) for one in made.changes if one.nodes is not None)
            stats = watch.stats(nodes=nodes, changes=len(made.changes))
            return Result(status=Status.SOLVED, motion=moved, trace=measured, stats=stats)
        search.learn(violations)
        rejected.append(described(violations))
        notes.add(Refusal(status=Status.EXHAUSTED, reason=f"the judge did not pass it: {rejected[-1]}"))
    status, reason = notes.best.status, notes.best.reason
    stopped = watch.interrupted()
    if stopped is not None:
        status, reason = stopped, "the deadline passed or it was cancelled"
    trace = replace(trace, rejected=tuple(rejected))
    return Result(status=status, motion=motion, trace=trace, reason=reason, stats=watch.stats(changes=0))


def _aim(play: Play, stage: Stage, hand: str, target: Target, time_s: float, turned: FloatArray | None) -> Aim:
    """The hand on its target: nothing changes there."""
    shoulder = shoulder_at(play, stage.character, hand, np.array([time_s]))[0]
    orientation = None if turned is None else Orientation(rotation=turned[0])
    grasp = reach_for(stage, target, time_s, hand, shoulder, orientation)
    when = contact_s(time_s, stage.end_s)
    part = f"{stage.character}.{hand}_hand"
    return Aim(
        kind="reach",
        character=stage.character,
        hand=hand,
        time_s=time_s,
        name=grasp.name,
        tiers=grasp.tiers,
        target_at=followed(stage, target, grasp.position, time_s),
        after=lambda scene, joint, way: scene,
        touching=tuple(ContactRule(a=part, b=name, why=f"reaches for {name}", **when) for name in grasp.touched),
    )


def _measured(motion: Motion, made: Deed, trace: LimbTrace) -> LimbTrace:
    """The trace with what was planned, and how far the palm is off."""
    mark = made.marks[0]
    turned = None if trace.rotation is None else trace.rotation[None]
    end = EndTarget(position=mark.position, rotations=turned, point=mark.point)
    off, angle = missed(motion, trace.time_s, trace.hand, end)
    return replace(
        trace,
        position=mark.position,
        point=mark.point,
        changes=made.changes,
        planned=made.limbs,
        error_m=off,
        error_rad=angle,
    )
