"""Judges of programs: of legs as they are made, and of everybody in the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from understudy.api.handling_judge import hand_goal
from understudy.api.performer_sources import performer_clips
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.limbs.handling import Play
from understudy.limbs.space import limb_space
from understudy.limbs.speeds import FACTOR, UNHURRIED, judged_limbs, limb_turns, usual_turns
from understudy.performer.clip_kinds import SETS
from understudy.skills.program.faults import Fault, together
from understudy.skills.program.legs import LegJudge
from understudy.verify.bars import Bars
from understudy.verify.cast import assembled
from understudy.verify.judge import verify
from understudy.verify.moves import moves_of
from understudy.verify.report import Report
from understudy.verify.seams import find_seams

#: How much more than the judge accepts a step of the performer's own gait may jump: times, and [m/s] on top.
_SEAM_FACTOR, _SEAM_MPS = 1.6, 0.6
#: Bars that compare a limb's pace with its sources'.
_PACES = ("velocity", "acceleration")


def leg_judge(bars: Bars | None = None) -> LegJudge:
    """Says why a walk or a stand will not do.

    Its sources are the performer's clips and what it was made from. Arms that bring a thing up are not blamed
    for walking clips' slower ones, and the performer's own steps may jump a little more than its clips do.
    """

    def judge(play: Play, name: str, made: Sequence[Motion]) -> str:
        motion = play.motion(name)
        sources = [*clips_of(motion.skeleton, motion.fps), *made]
        report = verify([(name, motion)], play.scene, source={name: sources}, bars=bars, allow=play.allow)
        said = list(faults(report, motion, sources))
        return together(_without_landings(said, motion, made[0]) if len(made[0]) == len(motion) else said)

    return judge


class _Jump(Fault):
    """Something that jumps."""


def _without_landings(said: list[str], motion: Motion, base: Motion) -> list[str]:
    """Faults of a motion but for jumps that the motion it was made from has in the same frames.

    A step's landing looks like a jump beside other takes; the same frame of the same walk tells.
    """
    if not any(isinstance(one, _Jump) for one in said) or _jumps_of_its_own(motion, base):
        return said
    return [one for one in said if not isinstance(one, _Jump)]


def _jumps_of_its_own(motion: Motion, base: Motion) -> bool:
    """Whether a motion jumps where the motion it was made from, frame by frame, does not."""
    judged = assembled(motion, None, base, None, changes_only=True).judged[0]
    changed, sources = judged.changed, judged.sources
    moves = None if changed is None else moves_of(judged.performer, sources[0], changed)
    return bool(find_seams(judged.performer, sources, aligned=judged.aligned, moves=moves))


def faults(report: Report, motion: Motion, sources: list[Motion]) -> Iterator[str]:
    """What is broken, as sentences; with times where these are known."""
    for bar in report.broken:
        if bar == "penetration":
            yield _touching(report, motion)
        elif bar == "seams":
            rough = [one for one in report.characters[0].smoothness.seams if not _accepted(one)]
            if rough:
                said = f"{rough[0].part} jumps by {rough[0].jump_mps:.2f} m/s at {rough[0].time_s:.2f} s"
                yield _Jump(said, time_s=rough[0].time_s)
        elif bar in _PACES:
            yield from _hurried(report, motion, sources, bar)
        elif bar == "joint_limits":
            beyond = report.characters[0].joint_limits
            yield Fault(f"{beyond.joint} is out of its limits at {beyond.time_s:.2f} s", time_s=beyond.time_s)
        else:
            yield f"{bar} broken"


def _touching(report: Report, motion: Motion) -> str:
    worst = report.penetration.worst
    if worst is None:
        return "something touches"
    said = f"{worst.a} is {1000 * worst.depth_m:.0f} mm in {worst.b} at {worst.time_s:.2f} s"
    owner, _, part = worst.a.partition(".")
    body = fit_body(motion.skeleton)
    if part not in body.capsule_names or worst.b.startswith(f"{owner}."):
        return Fault(said, time_s=worst.time_s)
    joint = int(body.capsule_joints[body.capsule_names.index(part)])
    return Fault(said, time_s=worst.time_s, joints=motion.skeleton.chain(0, joint))


def _accepted(seam: object) -> bool:
    allowed = getattr(seam, "allowed_mps", 0.0)
    return bool(getattr(seam, "jump_mps", 0.0) <= _SEAM_FACTOR * allowed + _SEAM_MPS)


def _hurried(report: Report, motion: Motion, sources: list[Motion], bar: str) -> Iterator[str]:
    """Limbs that turn too fast, arms measured by a person who reaches without haste."""
    column = _PACES.index(bar)
    most = (report.bars.velocity_ratio, report.bars.acceleration_ratio)[column]
    arms: dict[str, tuple[int, ...]] = {}
    for side in ("left", "right"):
        arms |= judged_limbs(limb_space(fit_body(motion.skeleton), f"{side}_arm"))
    for name, ratios in report.characters[0].smoothness.limbs.items():
        if ratios[column] <= most:
            continue
        if name in arms:
            usual = FACTOR * max(UNHURRIED[column], usual_turns(sources, arms[name])[column])
            if float(np.max(limb_turns(motion, arms[name])[column])) <= usual:
                continue
        yield f"{name}: {bar} {ratios[column]:.2f} times its sources'"


def clips_of(skeleton: Skeleton, fps: float) -> tuple[Motion, ...]:
    """The built-in performer's walks, turns and side steps on a skeleton; rates that differ by rounding are one."""
    return _clips_of(skeleton, round(fps, 6))


@lru_cache(maxsize=8)
def _clips_of(skeleton: Skeleton, fps: float) -> tuple[Motion, ...]:
    return performer_clips([name for name in SETS["locomotion"] if "jog" not in name], skeleton, fps)


def final_faults(play: Play, bars: Bars | None = None) -> dict[str, str]:
    """What the judge says of everybody, all together in the scene as it is in the end: name -> faults."""
    names = [person.name for person in play.scene.characters if person.motion is not None]
    goals = [hand_goal(mark, play.scene) for mark in play.marks]
    found: dict[str, str] = {}
    for name in names:
        motion, base = play.motion(name), play.sources[name]
        sources = [base, *clips_of(motion.skeleton, motion.fps)]
        report = verify(
            [(name, motion)],
            play.scene,
            source={name: sources},
            goals=[goal for goal in goals if goal.character == name],
            bars=bars,
            allow=play.allow,
        )
        said = _without_landings(list(faults(report, motion, sources)), motion, base)
        if any(bar in report.broken for bar in _PACES):
            # Each piece was judged by what it was made of; what hands did not make faster is not blamed again.
            alone = verify(base, source=sources, bars=bars)
            known = set(faults(alone, base, sources))
            said = [one for one in said if one not in known]
        if said:
            found[name] = "; ".join(said)
    return found
