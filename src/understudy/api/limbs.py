"""``understudy.correct`` and ``understudy.reach``: limb planning, judged.

A result is judged against the motion it was made from. Where that motion itself breaks a bar, in a limb nobody planned
or in a place nobody asked about, the result is not blamed for it as long as it is no worse there. Where it holds the
planned limb still, its speed is no measure: an unhurried reach is (``limbs.speeds.UNHURRIED``). Nor is a calm walk's
swing the measure of a reach: whoever reaches may always do so unhurriedly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.limbs import LimbOptions, LimbTrace
from understudy.limbs import correct as plan_correction
from understudy.limbs import reach as plan_reach
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import judged_limbs, limb_turns, usual_turns
from understudy.limbs.stage import Stage, stage_of
from understudy.scene.scene import Scene
from understudy.typing import FloatArray
from understudy.verify.bars import Bars
from understudy.verify.forward import Performer
from understudy.verify.goals import HandGoal
from understudy.verify.judge import verify
from understudy.verify.report import Report
from understudy.verify.search import COUNTED_M
from understudy.verify.source_facts import fact

#: [rad/s], [rad/s^2] below which nobody sees anything move, as the judge has it.
_LEAST = 0.1
#: [m], [rad] and ratios: how much worse than its source a result may be where the source breaks a bar itself.
_ROUNDING = 1e-6
#: What is known of sources; motions never change.
_EXCESSES: WeakKeyDictionary[Motion, dict[tuple[object, ...], FloatArray]] = WeakKeyDictionary()
_SLOWNESS: WeakKeyDictionary[Motion, dict[tuple[tuple[int, ...], bool], tuple[float, float]]] = WeakKeyDictionary()


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
    return plan_correction(
        motion,
        scene,
        limbs=limbs,
        character=character,
        judge=judge_for(motion, scene, bars=bars),
        options=options,
    )


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
    return plan_reach(
        motion,
        scene,
        hand=hand,
        target=target,
        at=at,
        orientation=orientation,
        character=character,
        judge=judge_for(motion, scene, bars=bars),
        options=options,
    )


def judge_for(
    source: Motion, scene: Scene | None = None, *, bars: Bars | None = None
) -> Callable[[Motion, LimbTrace], str]:
    """The judge of motions made from a source by planning limbs: says why one will not do, or nothing."""
    stages: dict[str, Stage] = {}

    def judge(motion: Motion, trace: LimbTrace) -> str:
        if motion is source and trace.position is None:
            return ""
        if trace.character not in stages:
            stages[trace.character] = _stage(source, scene, trace)
        stage = stages[trace.character]
        report = report_on(motion, source, scene, trace, bars=bars, stage=stage)
        return "; ".join(_faults(report, stage, trace, lambda whole: _own_report(stage, scene, trace, bars, whole)))

    return judge


def _stage(source: Motion, scene: Scene | None, trace: LimbTrace) -> Stage:
    known = scene is not None and bool(scene.characters)
    return stage_of(source, scene, character=trace.character if known else None)


def _own_report(stage: Stage, scene: Scene | None, trace: LimbTrace, bars: Bars | None, whole: bool) -> Report:
    """What the judge says of a source by itself; unless it is asked for the whole, that is known with the source.

    Nothing of a source differs from it: it is not looked at for overlaps, and all else is its own.
    """
    unplanned = LimbTrace(allow=trace.allow, character=trace.character)

    def report(performer: Performer) -> Report:
        return report_on(performer.motion, performer.motion, scene, unplanned, bars=bars, whole=whole, stage=stage)

    own = Performer(name="", motion=stage.source, body=stage.body)
    return report(own) if whole else fact(own, f"own report {bars}", report)


def report_on(
    motion: Motion,
    source: Motion,
    scene: Scene | None,
    trace: LimbTrace,
    *,
    bars: Bars | None = None,
    whole: bool = False,
    stage: Stage | None = None,
) -> Report:
    """The judge's report on a motion whose limbs were planned: on what differs from the source, or on the whole.

    Args:
        motion: What is judged.
        source: What it was made from.
        scene: What surrounds it.
        trace: What was planned.
        bars: Bars to clear; the judge's own unless given.
        whole: Whether to look at everything.
        stage: The source on its stage, if that is at hand.
    """
    named = scene is not None and len(scene.characters) > 1
    goals = []
    if trace.position is not None and trace.point is not None:
        x, y, z = (float(value) for value in trace.position)
        px, py, pz = (float(value) for value in trace.point)
        turned = None if trace.rotation is None else tuple(float(value) for value in trace.rotation)
        goals.append(
            HandGoal(
                hand=trace.hand,  # type: ignore[arg-type]
                position=(x, y, z),
                time_s=trace.time_s,
                rotation=turned,  # type: ignore[arg-type]
                point=(px, py, pz),
                character=trace.character if named else "",
            )
        )
    return verify(
        [(trace.character, motion)] if named else motion,
        scene,
        source={trace.character: source} if named else source,
        goals=goals,
        bars=bars,
        allow=trace.allow,
        planned=_clean_joints(stage or _stage(source, scene, trace), trace),
        changes_only=not whole,
    )


def most_excess(source: Motion, space: LimbSpace) -> FloatArray:
    """``(joints,)`` how far a limb's joints are outside their limits in a source at most [rad]; remembered with it."""
    known = _EXCESSES.setdefault(source, {})
    limits = space.body.limits
    key = (space.joints, limits.low.tobytes(), limits.high.tobytes())
    if key not in known:
        known[key] = space.excess(space.coordinates(source.rotations)).max(axis=0)
    return known[key]


def _clean_joints(stage: Stage, trace: LimbTrace) -> list[str]:
    """Roles of planned joints that keep their limits in the source: for these nothing is forgiven."""
    source, clean = stage.source, set()
    roles = source.skeleton.roles
    for limb in trace.planned:
        space = stage.space(limb)
        excess = most_excess(source, space)
        clean |= {joint for joint, most in zip(space.joints, excess, strict=True) if joint in roles and most <= 0.0}
    return [roles[joint] for joint in sorted(clean)]


def _faults(report: Report, stage: Stage, trace: LimbTrace, own: Callable[[bool], Report]) -> Iterator[str]:
    """What is broken and was not broken as badly before; ``own`` reports on the source, its overlaps if asked to."""
    broken = set(report.broken)
    if not broken:
        return
    if "penetration" in broken:
        yield from _new_overlaps(report, own, _planned_parts(stage, trace))
    before = own(False)
    yield from _new_speeds(report, before, stage, trace, broken)
    for bar in sorted(broken - {"penetration", "velocity", "acceleration", "jerk"}):
        if bar == "goals" or bar not in before.broken or worse_than_before(report, before, bar):
            yield f"{bar} broken"


def _planned_parts(stage: Stage, trace: LimbTrace) -> set[str]:
    """Names of the capsules of planned limbs and of what they carry."""
    names: set[str] = set()
    for limb in trace.planned:
        space = stage.space(limb)
        moved = set(space.moved if not limb.endswith("_spine") else space.joints)
        names |= {
            name
            for name, joint in zip(stage.body.capsule_names, stage.body.capsule_joints.tolist(), strict=True)
            if joint in moved
        }
        names |= {load.name for load in stage.loads(space.moved, stage.start_s, stage.end_s)}
    return names


def _new_overlaps(report: Report, own: Callable[[bool], Report], planned: set[str]) -> Iterator[str]:
    known: dict[frozenset[str], float] | None = None
    for one in report.penetration.pairs:
        if one.depth_m < COUNTED_M - _ROUNDING:
            continue
        ours = any(name.split(".")[-1] in planned for name in (one.a, one.b))
        if not ours and known is None:
            known = {frozenset((pair.a, pair.b)): pair.depth_m for pair in own(True).penetration.pairs}
        if ours or known is None or one.depth_m > known.get(frozenset((one.a, one.b)), 0.0) + _ROUNDING:
            yield f"{one.a} is {1000 * one.depth_m:.1f} mm in {one.b} at {one.time_s:.2f} s"


def _new_speeds(report: Report, before: Report, stage: Stage, trace: LimbTrace, broken: set[str]) -> Iterator[str]:
    """Limbs that turn too fast: more than the bar times what is usual for them, or than they did before."""
    now, then, bars = report.characters[0].smoothness, before.characters[0].smoothness, report.bars
    groups = {name: joints for limb in trace.planned for name, joints in judged_limbs(stage.space(limb)).items()}
    roughest = 1.0
    for name, ratios in now.limbs.items():
        slower = (1.0, 1.0)
        if name in groups:
            slower = slower_than_usual(stage.source, groups[name], reaching=trace.position is not None)
        roughest = max(roughest, slower[1])
        for k, bar in enumerate(("velocity", "acceleration")):
            most = max(getattr(bars, f"{bar}_ratio") * slower[k], then.limbs[name][k] + _ROUNDING)
            if bar in broken and ratios[k] > most:
                yield f"{name}: {bar} {ratios[k]:.2f} times the source's, {most:.2f} allowed"
    if "jerk" in broken and now.jerk_ratio > max(bars.jerk_ratio * roughest, then.jerk_ratio + _ROUNDING):
        yield f"jerk {now.jerk_ratio:.2f} times the source's"


def slower_than_usual(source: Motion, joints: Sequence[int], *, reaching: bool = False) -> tuple[float, float]:
    """How many times less than usual a limb turns in its source: 1 but for limbs that stand still or reach calmly."""
    known, key = _SLOWNESS.setdefault(source, {}), (tuple(joints), reaching)
    if key not in known:
        turns, usual = limb_turns(source, joints), usual_turns([source], joints, reaching=reaching)
        own = [max(float(np.percentile(one, 99.9)), _LEAST) for one in turns]
        known[key] = max(1.0, usual[0] / own[0]), max(1.0, usual[1] / own[1])
    return known[key]


def worse_than_before(report: Report, before: Report, bar: str) -> bool:
    """Whether a bar the source breaks itself is broken by more."""
    now, then = report.characters[0], before.characters[0]
    if bar == "seams":
        return len(now.smoothness.seams) > len(then.smoothness.seams)
    if bar == "joint_limits":
        return now.joint_limits.max_excess_rad > then.joint_limits.max_excess_rad + _ROUNDING
    feet = {"foot_skate_gmd": "gmd", "foot_skate_kimodo": "kimodo", "stance_drift": "stance_drift_mm"}
    if bar in feet and now.foot_skate is not None and then.foot_skate is not None:
        return bool(getattr(now.foot_skate, feet[bar]) > getattr(then.foot_skate, feet[bar]) + _ROUNDING)
    return True
