"""Claims of programs: of legs as they are made, and of everybody in the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from understudy.api.evidence import Evidence
from understudy.api.handling_judge import grip_goals, hand_goal, planned_of
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.violations import Violation
from understudy.limbs.handling import Play
from understudy.skills.program.faults import Fault, together
from understudy.skills.program.legs import LegJudge
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim, made_claim
from understudy.verify.goals import Goal
from understudy.verify.judge import verify
from understudy.verify.resting import RestGoal

#: Violations that a part commits whatever the others do.
_OF_JOINTS = ("penetration", "joint_limits")


def leg_judge(evidence: Evidence, bars: Bars | None = None) -> LegJudge:
    """Says why a walk or a stand will not do."""

    def judge(play: Play, name: str) -> str:
        motion = play.motion(name)
        claim = made_claim(name, motion, play.scene, evidence=evidence.of(name, motion), contacts=play.allow, bars=bars)
        return together(_faults(verify(claim).violations, motion))

    return judge


def _faults(violations: Sequence[Violation], motion: Motion) -> Iterator[Fault]:
    """Violations as legs know them: when they show, and which joints alone are to blame."""
    for one in violations:
        time_s = float("nan") if one.time_s is None else one.time_s
        yield Fault(str(one), time_s=time_s, joints=_blamed(one, motion))


def _blamed(violation: Violation, motion: Motion) -> tuple[int, ...]:
    """Joints from the root to a part that overlaps something other than its own body, or to one that is at fault."""
    owner, _, part = violation.part.rpartition(".")
    skeleton, body = motion.skeleton, fit_body(motion.skeleton)
    if violation.kind not in _OF_JOINTS or (owner and violation.other.startswith(f"{owner}.")):
        return ()
    if part in body.capsule_names:
        return skeleton.chain(0, int(body.capsule_joints[body.capsule_names.index(part)]))
    return skeleton.chain(0, skeleton.index(part)) if part in skeleton.names or part in skeleton.humanoid else ()


def performance_claim(
    play: Play, evidence: Evidence, *, goals: Sequence[Goal | RestGoal] = (), bars: Bars | None = None
) -> Claim:
    """What everybody's motions claim together, in the scene as it is in the end."""
    people = [person.name for person in play.scene.characters if person.motion is not None]
    return Claim(
        motions=tuple((name, play.motion(name)) for name in people),
        scene=play.scene,
        evidence={name: evidence.of(name, play.motion(name)) for name in people},
        contacts=play.allow,
        goals=(
            *(hand_goal(mark, play.scene) for mark in play.marks),
            *(goal for name in people for goal in grip_goals(play, name)),
            *goals,
        ),
        planned={name: tuple(planned_of(play, name)) for name in people},
        bars=bars or Bars(),
    )
