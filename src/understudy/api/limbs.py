"""``understudy.correct`` and ``understudy.reach``: limb planning, judged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy.typing as npt

from understudy.api.verdict import Verdict
from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.limbs import LimbOptions, LimbTrace
from understudy.limbs import correct as plan_correction
from understudy.limbs import reach as plan_reach
from understudy.scene.scene import Scene
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim, Planned, made_claim
from understudy.verify.goals import HandGoal
from understudy.verify.judge import verify
from understudy.verify.report import Report


def correct(
    motion: Motion,
    scene: Scene | None = None,
    *,
    limbs: Sequence[str] | None = None,
    character: str | None = None,
    bars: Bars | None = None,
    options: LimbOptions | None = None,
) -> Result[LimbTrace]:
    """Repair the collisions of a motion's limbs; everything else stays as it is, bit for bit.

    Args:
        motion: Where it stands in the world.
        scene: What surrounds it, with what it carries.
        limbs: Which to repair, such as ``["right_arm"]``; ``None`` for arms and legs.
        character: Whose motion it is, where the scene leaves that open.
        bars: Bars to clear; the judge's own unless given.
        options: How to search.

    Returns:
        ``SOLVED`` only when nothing asked for touches any more and the judge has passed the motion. Otherwise
        ``motion`` holds what could be repaired, ``reason`` names what could not, ``trace.left`` lists all of it.
    """
    verdict = Verdict(partial(claim_of, source=motion, scene=scene, bars=bars))
    found = plan_correction(motion, scene, limbs=limbs, character=character, judge=verdict.violations, options=options)
    return verdict.settled(found)


def reach(
    motion: Motion,
    scene: Scene | None = None,
    *,
    hand: str,
    target: str | Sequence[float] | npt.ArrayLike,
    at: float,
    orientation: npt.ArrayLike | None = None,
    character: str | None = None,
    bars: Bars | None = None,
    options: LimbOptions | None = None,
) -> Result[LimbTrace]:
    """Bring a palm to a target at a time, around everything, and back into the motion.

    Args:
        motion: Where it stands in the world.
        scene: What surrounds it.
        hand: ``"left"`` or ``"right"``.
        target: ``(x, y, z)`` [m], or the name of an object, a handle (``"door.knob"``) or a body part (``"bob.head"``).
        at: When, in the motion's time [s].
        orientation: ``(4,)`` wxyz of the hand joint in the world; free unless given.
        character: Whose motion it is, where the scene leaves that open.
        bars: Bars to clear; the judge's own unless given.
        options: How to search.

    Returns:
        ``SOLVED`` only with a motion the judge has passed, the palm within a millimetre (and a degree). Otherwise
        ``motion`` is the source and ``reason`` says why.
    """
    verdict = Verdict(partial(claim_of, source=motion, scene=scene, bars=bars))
    found = plan_reach(
        motion,
        scene,
        hand=hand,
        target=target,
        at=at,
        orientation=orientation,
        character=character,
        judge=verdict.violations,
        options=options,
    )
    return verdict.settled(found)


def claim_of(
    motion: Motion, trace: LimbTrace, *, source: Motion, scene: Scene | None, bars: Bars | None = None
) -> Claim:
    """What a motion claims whose limbs were planned on top of another.

    Args:
        motion: What is judged.
        trace: What was planned.
        source: What it was made from; its evidence is the motion's.
        scene: What surrounds it.
        bars: Bars to clear; the judge's own unless given.
    """
    known = scene is not None and any(person.name == trace.character for person in scene.characters)
    name = trace.character if known else ""
    goals = [] if trace.position is None or trace.point is None else [_goal(trace, name)]
    start = 0.0 if scene is None or not known else scene.character(name).start_s
    planned = [
        Planned(joints=_limbs(one.limb), start_s=one.start_s - start, end_s=one.end_s - start)
        for one in trace.changes
        if one.status
    ]
    return made_claim(
        name,
        motion,
        scene,
        evidence=source.evidence,
        goals=goals,
        contacts=trace.allow,
        planned=planned,
        bars=bars,
    )


def report_on(
    motion: Motion, source: Motion, scene: Scene | None, trace: LimbTrace, *, bars: Bars | None = None
) -> Report:
    """The judge's report on a motion whose limbs were planned."""
    return verify(claim_of(motion, trace, source=source, scene=scene, bars=bars))


def _goal(trace: LimbTrace, character: str) -> HandGoal:
    assert trace.position is not None and trace.point is not None
    turned = None if trace.rotation is None else tuple(float(value) for value in trace.rotation)
    return HandGoal(
        hand=trace.hand,  # type: ignore[arg-type]
        position=tuple(float(value) for value in trace.position),  # type: ignore[arg-type]
        time_s=trace.time_s,
        rotation=turned,  # type: ignore[arg-type]
        point=tuple(float(value) for value in trace.point),  # type: ignore[arg-type]
        character=character,
    )


def _limbs(linkage: str) -> tuple[str, ...]:
    """Limbs of a linkage as planners name them: an arm with the spine is an arm and the torso."""
    limb, _, spine = linkage.partition("_spine")
    return (limb, "torso") if linkage.endswith("_spine") and not spine else (linkage,)
