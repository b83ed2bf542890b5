"""Copying posture: every bone of the target turns away from its T-pose as the source's bone does.

Both skeletons are brought into the same T-pose first (``core/reference_pose``), so rest poses and joint axes of the
rigs cancel out. World rotations are copied, not local ones: joints that only one of the skeletons has cannot
shift the rest of a limb.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.reference_pose import anatomical_rotations, local_rotations, t_pose, t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.inspection.wrists import running_mean
from understudy.kinematics import motion_world
from understudy.typing import FloatArray

_TRUNK = ("spine", "chest", "upperChest")
#: [s] width of the running mean that removes flicker; motion slower than 15 Hz stays.
_TREMOR_S = 0.013


def without_tremor(motion: Motion) -> Motion:
    """A recording without what flickers from frame to frame.

    Knees that are nearly straight turn a tremor of the ankle by a millimetre into degrees. A running mean takes it
    away; what the mean takes of the motion itself is put back, smoothed likewise, so that curves as bent as cubics stay
    as they are. Clips with too few frames a second to hold a tremor are left alone.
    """
    if motion.origin.kind != "recorded" or _TREMOR_S * motion.fps < 1.0:
        return motion

    def steadied(values: FloatArray) -> FloatArray:
        mean = running_mean(values, _TREMOR_S * motion.fps)
        return mean + running_mean(values - mean, _TREMOR_S * motion.fps)

    turns = rot.normalize(steadied(rot.continuous(motion.rotations)))
    return replace(motion, root_positions=steadied(motion.root_positions), rotations=turns)


def copied_rotations(motion: Motion, target: Skeleton) -> FloatArray:
    """Local rotations ``(frames, joints, 4)`` of the target in the source's postures."""
    turns = _turns_by_role(motion, target)
    same_name = _same_named_rotations(motion, target)
    _, reference = t_pose_world(target)
    stand_in = t_pose(target)
    world = np.empty((len(motion), len(target), 4))
    local = np.empty_like(world)
    for joint in range(len(target)):
        parent = int(target.parents[joint])
        above = world[:, parent] if parent >= 0 else rot.identity((len(motion),))
        role = target.roles.get(joint)
        if role in turns:
            world[:, joint] = rot.multiply(turns[role], reference[joint])
            local[:, joint] = rot.multiply(rot.conjugate(above), world[:, joint])
        else:
            local[:, joint] = same_name[joint] if joint in same_name else stand_in[joint]
            world[:, joint] = rot.multiply(above, local[:, joint])
    return rot.continuous(rot.normalize(local))


def _turns_by_role(motion: Motion, target: Skeleton) -> dict[str, FloatArray]:
    """World rotations ``(frames, 4)`` away from the T-pose, by the target's roles."""
    source = motion.skeleton
    world = motion_world(motion).rotations
    _, reference = t_pose_world(source)
    away = rot.multiply(world, rot.conjugate(reference))
    turns = {role: away[:, source.humanoid[role]] for role in target.humanoid if role in source.humanoid}
    turns.update(_trunk_turns(source, target, away))
    turns.update(_neck_turn(source, target, away))
    return turns


def _trunk_turns(source: Skeleton, target: Skeleton, away: FloatArray) -> dict[str, FloatArray]:
    """Spread the bend of one trunk over another with more or fewer joints; hips and top always agree."""
    ours = [role for role in _TRUNK if role in source.humanoid]
    theirs = [role for role in _TRUNK if role in target.humanoid]
    if len(ours) == len(theirs):
        return {theirs[i]: away[:, source.humanoid[ours[i]]] for i in range(len(ours))}
    stack = [source.humanoid["hips"], *(source.humanoid[role] for role in ours)]
    turns = {}
    for place, role in enumerate(theirs, start=1):
        share = place / len(theirs) * len(ours)
        below = min(int(share), len(ours) - 1)
        turns[role] = rot.slerp(away[:, stack[below]], away[:, stack[below + 1]], share - below)
    return turns


def _neck_turn(source: Skeleton, target: Skeleton, away: FloatArray) -> dict[str, FloatArray]:
    """Where only the source has further joints between neck and head, their mean: it points from neck to head."""
    if "neck" not in source.humanoid or "neck" not in target.humanoid:
        return {}
    ours, theirs = (one.chain(one.humanoid["neck"], one.humanoid["head"])[:-1] for one in (source, target))
    return {"neck": rot.mean(away[:, list(ours)], axis=1)} if len(theirs) < len(ours) else {}


def _same_named_rotations(motion: Motion, target: Skeleton) -> dict[int, FloatArray]:
    """Local rotations of target joints without a role whose namesake hangs below the same namesake in the source."""
    source = motion.skeleton
    index = {name: joint for joint, name in enumerate(source.names)}
    pairs = []
    for joint in range(1, len(target)):
        name, parent = target.names[joint], target.names[target.parents[joint]]
        theirs = index.get(name, 0)
        if joint not in target.roles and theirs > 0 and source.names[source.parents[theirs]] == parent:
            pairs.append((joint, theirs))
    if not pairs:
        return {}
    anatomical = anatomical_rotations(source, motion.rotations)
    ours = rot.identity((len(motion), len(target)))
    for joint, theirs in pairs:
        ours[:, joint] = anatomical[:, theirs]
    local = local_rotations(target, ours)
    return {joint: local[:, joint] for joint, _ in pairs}
