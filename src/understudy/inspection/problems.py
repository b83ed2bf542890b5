"""Everything that is wrong with a motion, in one list."""

from __future__ import annotations

from dataclasses import replace

from understudy.core.motion import Motion
from understudy.inspection.contacts import foot_contacts
from understudy.inspection.dropped import dropped_problems, find_dropped
from understudy.inspection.filling import fill_positions, fill_rotations
from understudy.inspection.flips import flip_problems
from understudy.inspection.floor import floor_problems
from understudy.inspection.frame_rate import frame_rate_problems
from understudy.inspection.intervals import Interval
from understudy.inspection.pops import pop_problems
from understudy.inspection.problem import Problem
from understudy.inspection.root_jumps import root_jump_problems


def find_problems(motion: Motion) -> list[Problem]:
    """Joint pops, dropped frames, root jumps and, for humanoids, joints, frame rates and floors that cannot be.

    Works on any motion; what needs feet is left out for skeletons without humanoid roles.

    Returns:
        Problems by first frame; empty when nothing is wrong.
    """
    problems = dropped_problems(motion)
    # Dropped frames would show up once more as pops of every joint.
    whole = filled(motion, find_dropped(motion))
    problems += pop_problems(whole)
    problems += root_jump_problems(whole)
    if motion.skeleton.is_humanoid and motion.skeleton.leg_length_m() > 1e-6:
        problems += flip_problems(whole)
        problems += frame_rate_problems(whole)
        problems += floor_problems(whole, foot_contacts(whole))
    return sorted(problems, key=lambda problem: (problem.first_frame, problem.kind, problem.joint or ""))


def filled(motion: Motion, gaps: list[Interval]) -> Motion:
    """The motion with whole frames replaced by bridges between their neighbours; all others bit for bit the same."""
    if not gaps:
        return motion
    positions, rotations = motion.root_positions.copy(), motion.rotations.copy()
    for first, stop in gaps:
        positions[first:stop] = fill_positions(positions, first, stop - 1)
        rotations[first:stop] = fill_rotations(rotations, first, stop - 1)
    return replace(motion, root_positions=positions, rotations=rotations)
