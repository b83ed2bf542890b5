"""Correcting a motion: find every collision of its limbs and plan around them ([Limbs], paper §6.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from understudy.core.motion import Motion
from understudy.core.planning import Result, Stats, Status, Watch
from understudy.core.violations import Violation, described
from understudy.errors import PlanningInputError, nearest_name
from understudy.limbs.both_arms import OTHER_ARM, with_both_arms
from understudy.limbs.finding import MERGED_S, merged, touches
from understudy.limbs.options import LimbOptions
from understudy.limbs.repair import repair
from understudy.limbs.stage import Stage, stage_of
from understudy.limbs.trace import Change, LimbTrace, Touch
from understudy.scene.scene import Scene

#: Says what is wrong with a motion; nothing when it will do.
Judge = Callable[[Motion, LimbTrace], Sequence[Violation]]

#: Limbs that are looked at unless some are named, in the order in which they are planned.
CORRECTED = ("right_arm", "left_arm", "right_leg", "left_leg")
#: Times a whole correction is tried until the judge passes it.
_ROUNDS = 2


def correct(
    motion: Motion,
    scene: Scene | None = None,
    *,
    limbs: Sequence[str] | None = None,
    character: str | None = None,
    judge: Judge,
    options: LimbOptions | None = None,
) -> Result[LimbTrace]:
    """Repair the collisions of a motion's limbs; everything else stays as it is, bit for bit.

    Limbs are planned one after the other; each one planned is part of the motion the next must respect.

    Args:
        motion: Where it stands in the world.
        scene: What surrounds it.
        limbs: Which to repair; ``None`` for arms and legs.
        character: Whose motion it is, where the scene leaves that open.
        judge: Says what is wrong with a motion. Planners may not import the judge; ``understudy.correct`` binds it.
        options: How to search.

    Returns:
        ``SOLVED`` when nothing that was asked for touches any more and the judge passes the motion. Otherwise the
        motion with what could be repaired, and a reason that names what could not.

    Raises:
        PlanningInputError: An unknown limb, or a scene that does not say whose motion it is.
    """
    options = options or LimbOptions()
    watch = options.watch()
    names = checked_limbs(limbs, options)
    watch.stage("prepare")
    stage = stage_of(motion, scene, character=character)
    rejected: list[str] = []
    best: tuple[Stage, LimbTrace] | None = None
    for round_ in range(_ROUNDS):
        now, changes = _repaired(stage, names, options, watch, seed=options.seed * _ROUNDS + round_)
        # What was repaired is certified; only what could not be is left.
        left = tuple(touch for one in changes if not one.status for touch in one.because)
        trace = LimbTrace(
            character=stage.character,
            changes=tuple(changes),
            left=left,
            planned=tuple(dict.fromkeys(one.limb for one in changes if one.status)),
            rejected=tuple(rejected),
        )
        if best is None or len(left) < len(best[1].left):
            best = (now, trace)
        stopped = watch.interrupted()
        if stopped is not None or left:
            break
        watch.stage("judge")
        violations = judge(now.motion, trace)
        if not violations:
            return Result(status=Status.SOLVED, motion=now.motion, trace=trace, stats=_stats(watch, changes))
        rejected.append(described(violations))
        if not changes:
            break
    return _unsolved(best, rejected, watch)


def checked_limbs(limbs: Sequence[str] | None, options: LimbOptions) -> tuple[str, ...]:
    """Names of limbs to correct.

    Raises:
        PlanningInputError: One is unknown; the nearest is named.
    """
    if limbs is None:
        return CORRECTED if options.legs else CORRECTED[:2]
    if isinstance(limbs, str):
        limbs = [limbs]
    for name in limbs:
        if name not in CORRECTED:
            raise PlanningInputError(f'unknown limb "{name}"; {nearest_name(name, CORRECTED)}')
    return tuple(dict.fromkeys(limbs))


def _repaired(
    stage: Stage, names: Sequence[str], options: LimbOptions, watch: Watch, *, seed: int
) -> tuple[Stage, list[Change]]:
    """The stage with every limb repaired as far as possible."""
    changes: list[Change] = []
    for done, name in enumerate(names):
        watch.stage("find")
        found = merged(touches(stage, name), MERGED_S)
        todo = list(found)
        while todo:
            watch.report(done / len(names))
            touch = todo.pop(0)
            stage, made = _one_repaired(stage, touch, found, names, options, watch, seed=seed)
            changes += made
            if made[0].status:
                # A window may have covered later touches too, and earlier ones that were not repaired by themselves.
                todo = [one for one in todo if not _covers(made[0], one)]
                changes = [one for one in changes if one.status or not _covers(made[0], one.because[0])]
    return stage, changes


def _covers(change: Change, touch: Touch) -> bool:
    """Whether a change, which is certified free all along, is of a touch's limb and longer than the touch."""
    same = change.limb.removesuffix("_spine") == touch.limb
    return same and change.start_s < touch.start_s and touch.end_s < change.end_s


def _one_repaired(
    stage: Stage,
    touch: Touch,
    others: Sequence[Touch],
    names: Sequence[str],
    options: LimbOptions,
    watch: Watch,
    *,
    seed: int,
) -> tuple[Stage, list[Change]]:
    """One stretch of a limb repaired: alone, with the trunk, and at last an arm together with the other arm."""
    now, change = repair(stage, touch, others, options, watch, seed=seed)
    both = touch.limb in OTHER_ARM and OTHER_ARM[touch.limb] in names
    if change.status or not both or change.status is not Status.EXHAUSTED or watch.interrupted() is not None:
        return now, [change]
    together = with_both_arms(stage, touch, others, options, watch, seed=seed)
    return (now, [change]) if together is None else together


def _unsolved(best: tuple[Stage, LimbTrace] | None, rejected: Sequence[str], watch: Watch) -> Result[LimbTrace]:
    assert best is not None
    stage, trace = best
    failed = [one for one in trace.changes if not one.status]
    stopped = watch.interrupted()
    status, reason = Status.EXHAUSTED, ""
    if failed:
        status = failed[0].status
        reason = f"{_said(trace.left or failed[0].because)}: {failed[0].reason}"
    elif trace.left:
        reason = f"{_said(trace.left)} still"
    elif rejected:
        reason = f"the judge did not pass it: {rejected[-1]}"
    if stopped is not None:
        status, reason = stopped, "the deadline passed" if stopped is Status.TIMED_OUT else "it was cancelled"
    return Result(
        status=status, motion=stage.motion, trace=trace, reason=reason, stats=_stats(watch, list(trace.changes))
    )


def _said(left: Sequence[Touch]) -> str:
    return "; ".join(str(touch) for touch in left[:3]) + ("; ..." if len(left) > 3 else "")


def _stats(watch: Watch, changes: Sequence[Change]) -> Stats:
    nodes = sum(len(one.nodes) for one in changes if one.nodes is not None)
    return watch.stats(changes=len(changes), nodes=nodes)
