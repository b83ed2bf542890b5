"""Repair: pops, flips, dropped frames and short root jumps are bridged from their good neighbours.

Every frame and joint that is not repaired stays bit for bit as it was. A repair is kept only when its place no longer
looks wrong afterwards, so cleaning a cleaned motion changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.inspection.dropped import find_dropped
from understudy.inspection.filling import fill_positions
from understudy.inspection.flips import find_flips, unflipped
from understudy.inspection.mending import bridged, mended_span
from understudy.inspection.pops import Pop, find_pops
from understudy.inspection.problem import Kind, frames_text
from understudy.inspection.problems import filled
from understudy.inspection.root_jumps import find_root_jumps, jerks_m, jump_bar_m
from understudy.inspection.toes import lifted_toes
from understudy.typing import FloatArray

#: Mending one pop can uncover a smaller one beside it.
PASSES = 12
#: Frames before and after a bridge in which others are tried.
_BESIDE = (3, 4, 5, 6)
#: A root that stays away longer than this is a cut between two takes, which cannot be repaired.
ROOT_GAP_FRAMES = 5


@dataclass(frozen=True, kw_only=True)
class Repair:
    """One bridge that replaced recorded values.

    Attributes:
        kind: The problem it removed.
        joint: Name of the joint; ``None`` for whole frames.
        first_frame: First frame replaced.
        last_frame: Last frame replaced, included.
        message: One sentence for people.
    """

    kind: Kind
    joint: str | None
    first_frame: int
    last_frame: int
    message: str


@dataclass(frozen=True, eq=False, kw_only=True)
class CleanResult:
    """A repaired motion and a list of its repairs.

    Attributes:
        motion: The repaired motion; the given one itself when there was nothing to do.
        repairs: Every bridge, in the order made.
    """

    motion: Motion
    repairs: tuple[Repair, ...]


def clean(motion: Motion, *, toes: bool = False) -> CleanResult:
    """Repair dropped frames, joint flips and pops, and short root jumps; leave everything else untouched.

    Args:
        motion: Of any skeleton.
        toes: Whether toes that point into the floor are bent up too.
    """
    gaps = find_dropped(motion)
    repairs = [_repair("dropped_frames", None, first, stop - 1, "whole frames") for first, stop in gaps]
    current = filled(motion, gaps)
    current = _mend_root(_mend_flips(current, repairs), repairs)
    for _ in range(PASSES):
        mended = _mend_joints(current, repairs)
        if mended is current:
            break
        current = mended
    current, lifts = lifted_toes(current) if toes else (current, [])
    names = motion.skeleton.names
    repairs += [_repair("toes_below", names[one.joint], one.first, one.last, names[one.joint]) for one in lifts]
    if not repairs:
        return CleanResult(motion=motion, repairs=())
    origin = motion.origin.noting(*(repair.message for repair in repairs))
    return CleanResult(motion=replace(current, origin=origin), repairs=tuple(repairs))


def _mend_flips(motion: Motion, repairs: list[Repair]) -> Motion:
    """Joints that are far beyond their limits for a while brought back; the motion itself when none could be."""
    rotations, before = motion.rotations.copy(), len(repairs)
    for flip in find_flips(motion):
        found = unflipped(replace(motion, rotations=rotations), flip)
        if found is not None:
            first, last, mended = found
            rotations[first : last + 1, flip.joint] = mended
            name = motion.skeleton.names[flip.joint]
            repairs.append(_repair("joint_flip", name, first, last, name))
    return motion if len(repairs) == before else replace(motion, rotations=rot.continuous(rotations))


def _mend_joints(motion: Motion, repairs: list[Repair]) -> Motion:
    """One pass over all pops; the motion itself when none could be mended.

    Where a solver slips, a joint pops and others make up for it: what pops together is bridged over the same frames,
    from the root on.
    """
    rotations, positions = motion.rotations.copy(), motion.root_positions.copy()
    before = len(repairs)
    for group in _together(find_pops(motion)):
        spans = {pop.joint: span for pop in group if (span := mended_span(rotations[:, pop.joint], pop)) is not None}
        if not spans:
            continue
        first, last = min(span[0] for span in spans.values()), max(span[1] for span in spans.values())
        if last - first + 1 == len(motion):
            continue
        for joint in sorted(spans):
            rotations[first : last + 1, joint] = _bridge(motion.skeleton, rotations, joint, first, last)
            name = motion.skeleton.names[joint]
            repairs.append(_repair("joint_pop", name, first, last, name))
        if 0 in spans:
            # Whatever turned the root also moved it.
            positions[first : last + 1] = fill_positions(positions, first, last)
    if len(repairs) == before:
        return motion
    return replace(motion, rotations=rotations, root_positions=positions)


def _bridge(skeleton: Skeleton, rotations: FloatArray, joint: int, first: int, last: int) -> FloatArray:
    """Rotations ``(last - first + 1, 4)`` that bridge some frames of a joint.

    Where a recorded trunk jitters, limbs make up for it, and are steadier in the world than seen from the joint above.
    They are bridged as that which bridges of single frames beside these say more of.
    """
    above, parent = rot.identity((len(rotations),)), int(skeleton.parents[joint])
    while parent >= 0:
        above, parent = rot.multiply(rotations[:, parent], above), int(skeleton.parents[parent])
    local = rotations[:, joint]
    world = rot.multiply(above, local)
    beside = [first - away for away in _BESIDE] + [last + away for away in _BESIDE]
    known = [one for one in beside if 2 <= one < len(local) - 2]
    off = [sum(float(rot.angle_between(bridged(one, k, k)[0], one[k])) for k in known) for one in (local, world)]
    if off[0] <= off[1]:
        return bridged(local, first, last)
    return rot.multiply(rot.conjugate(above[first : last + 1]), bridged(world, first, last))


def _together(pops: list[Pop]) -> list[list[Pop]]:
    """Pops in groups of those that pop at the same time."""
    groups: list[list[Pop]] = []
    for pop in sorted(pops, key=lambda one: one.peak):
        if groups and pop.peak - groups[-1][-1].peak <= 1:
            groups[-1].append(pop)
        else:
            groups.append([pop])
    return groups


def _mend_root(motion: Motion, repairs: list[Repair]) -> Motion:
    """Bridge root positions that jump away and come back within a few frames."""
    bar = jump_bar_m(motion)
    positions = motion.root_positions.copy()
    for start, stop in find_root_jumps(motion):
        gap = _root_gap(positions, start, stop, bar)
        if gap is None:
            continue
        first, last = gap
        positions[first : last + 1] = fill_positions(positions, first, last)
        repairs.append(_repair("root_jump", motion.skeleton.names[0], first, last, "the root's position"))
    if np.array_equal(positions, motion.root_positions):
        return motion
    return replace(motion, root_positions=positions)


def _root_gap(positions: FloatArray, start: int, stop: int, bar: float) -> tuple[int, int] | None:
    """The shortest run of frames within a jump whose bridging ends it."""
    for length in range(1, ROOT_GAP_FRAMES + 1):
        for first in range(max(start, 1), stop):
            last = first + length - 1
            if last >= len(positions) - 1:
                break
            trial = positions.copy()
            trial[first : last + 1] = fill_positions(positions, first, last)
            calm = jerks_m(trial[max(start - 2, 0) : stop + 2]).max() < bar
            if calm and _comes_back(trial, first, last, bar):
                return first, last
    return None


def _comes_back(positions: FloatArray, first: int, last: int, bar: float) -> bool:
    """Whether a bridge goes on at the pace of the frames around it rather than over a cut."""
    steps = np.linalg.norm(np.diff(positions[max(first - 2, 0) : last + 3], axis=0), axis=1)
    return bool(steps.max() <= 2 * max(steps[0], steps[-1]) + bar / 4)


def _repair(kind: Kind, joint: str | None, first: int, last: int, what: str) -> Repair:
    done = "bent up" if kind == "toes_below" else "bridged"
    message = f"{done} {what} in {frames_text(first, last)}"
    return Repair(kind=kind, joint=joint, first_frame=first, last_frame=last, message=message)
