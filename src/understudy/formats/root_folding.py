"""Roots above the hips ("reference", "Armature", "root") folded away.

A motion has one moving point, its root; all other joints keep constant offsets. Many files put a joint above the
one that moves. It is folded, which keeps every world position of what remains, when

- the hips travel below it (position channels that vary), or the only joint that travels is below it without a
  branch in between, or
- it never moves itself, has one child, and the hips are that child or below it, or that child is the only joint
  below the root with position channels.

Its name goes into a note. A root that moves and whose children do not travel is kept: nothing has to be lost.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.recognition import humanoid_of
from understudy.core.recognition.joint_tree import JointTree
from understudy.formats.raw_clip import RawClip
from understudy.typing import FloatArray

#: [rad] and, of the root's height or travel, a share: less than this is standing still.
_STILL = 1e-4
#: Of the skeleton's extent: a child that travels this far under a moving, unrecognised root is the real root.
_FAR = 0.2
#: Joints above the hips in the deepest known exports are three.
_MOST_FOLDS = 8


def fold_root(
    clip: RawClip, varying: dict[int, FloatArray], movable: frozenset[int]
) -> tuple[RawClip, dict[int, FloatArray]]:
    """Fold joints above the one that really moves.

    Args:
        clip: With the mean offset of every joint.
        varying: Joint -> ``(frames, 3)`` translation in its parent's frame, where it truly varies.
        movable: Joints that have position channels.

    Returns:
        The clip and the varying tracks that remain, both in terms of the joints that remain.
    """
    # Usual files have a root with several branches and nothing else that travels: no names to look up.
    hips = humanoid_of(clip.names, clip.parents.tolist()).get("hips") if _worth_a_look(clip, varying) else None
    dropped: list[str] = []
    while len(dropped) < _MOST_FOLDS and (child := _real_root(clip, varying, movable, hips)) is not None:
        dropped.append(clip.names[0])
        clip, varying, kept = _without_root(clip, varying, child)
        place = {joint: index for index, joint in enumerate(kept)}
        movable = frozenset(place[joint] for joint in movable if joint in place)
        hips = None if hips is None else place[hips]
    if dropped:
        shown = ", ".join(f'"{name}"' for name in dropped)
        clip = clip.noting(f'{shown} above the moving joint folded into the root "{clip.names[0]}"')
    return clip, varying


def _worth_a_look(clip: RawClip, varying: dict[int, FloatArray]) -> bool:
    return bool(varying) or int((clip.parents == 0).sum()) == 1


def _real_root(clip: RawClip, varying: dict[int, FloatArray], movable: frozenset[int], hips: int | None) -> int | None:
    """The child of the root to fold it into, or ``None``."""
    if hips == 0 or len(clip.names) == 1:
        return None
    tree = JointTree([int(parent) for parent in clip.parents])
    children = tree.children[0]
    still = _is_still(clip)
    if hips is not None:
        way = [joint for joint in range(1, hips + 1) if joint == hips or tree.is_above(joint, hips)]
        if any(joint in varying for joint in way):
            return way[0]
    else:
        tops = [joint for joint in varying if not any(tree.is_above(other, joint) for other in varying)]
        # Without hips only an unbranched way down is sure: a limb that stretches must not become the root.
        way = _unbranched(tree)
        if len(tops) == 1 and tops[0] in way and (still or _travels_far(clip, varying[tops[0]])):
            return children[0]
    if len(children) == 1 and still and (hips is not None or movable - {0} == {children[0]}):
        return children[0]
    return None


def _unbranched(tree: JointTree) -> list[int]:
    """Joints below the root down to the first one with several children."""
    way: list[int] = []
    joint = 0
    while len(tree.children[joint]) == 1:
        joint = tree.children[joint][0]
        way.append(joint)
    return way


def _travels_far(clip: RawClip, track: FloatArray) -> bool:
    extent = float(np.ptp(clip.rest_positions(), axis=0).max())
    return float(np.ptp(track, axis=0).max()) > _FAR * extent


def _is_still(clip: RawClip) -> bool:
    size = float(np.abs(clip.offsets).max()) + 1e-12
    moved = float(np.ptp(clip.root_positions, axis=0).max())
    turned = rot.angle_between(clip.rotations[:1, 0], clip.rotations[:, 0])
    return moved <= _STILL * size and float(turned.max()) <= _STILL


def _without_root(
    clip: RawClip, varying: dict[int, FloatArray], child: int
) -> tuple[RawClip, dict[int, FloatArray], list[int]]:
    """The clip from ``child`` down, with the root's motion put into it; and the joints kept."""
    tree = JointTree([int(parent) for parent in clip.parents])
    kept = sorted(tree.subtree(child))
    place = {joint: index for index, joint in enumerate(kept)}
    track = varying.get(child, clip.offsets[child])
    positions = clip.root_positions + rot.rotate(clip.rotations[:, 0], track)
    rotations = clip.rotations[:, kept]
    rotations[:, 0] = rot.multiply(clip.rotations[:, 0], clip.rotations[:, child])
    offsets = clip.offsets[kept]
    offsets[0] = clip.offsets[0] + clip.offsets[child]
    tips = [index for index, joint in enumerate(clip.tip_joints) if int(joint) in place]
    lost = [one for one in tree.children[0] if one != child]
    notes = clip.notes
    if lost:
        joints = sum(len(tree.subtree(one)) for one in lost)
        first = clip.names[lost[0]]
        notes = (*notes, f'{joints} joints beside "{clip.names[child]}" dropped (branch "{first}" and others)')
    folded = replace(
        clip,
        names=tuple(clip.names[joint] for joint in kept),
        parents=np.array([-1, *(place[int(clip.parents[joint])] for joint in kept[1:])], dtype=np.int64),
        offsets=offsets,
        tip_joints=np.array([place[int(clip.tip_joints[index])] for index in tips], dtype=np.int64),
        tip_offsets=clip.tip_offsets[tips],
        root_positions=positions,
        rotations=rotations,
        notes=notes,
    )
    remaining = {place[joint]: track for joint, track in varying.items() if joint in place and joint != child}
    return folded, remaining, kept
