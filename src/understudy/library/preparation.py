"""Clips made comparable: one skeleton, one frame rate, one ground height, and their feet's stances.

Clips of other people with the same joints keep their angles; their path is scaled by leg length and their feet are
brought to the scaled footholds by leg IK. Clips of one recording hall differ by centimetres in ground height,
so every clip is set onto one ground, and all of them onto the floor at y = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.humanoid import FINGER_ROLES, LIMB_ROLES
from understudy.core.mirror import mirrored
from understudy.core.motion import Motion
from understudy.core.planning import Status, Watch
from understudy.core.skeleton import Skeleton
from understudy.errors import PlanningInputError, SkeletonError, UnderstudyError
from understudy.inspection import clean, foot_contacts
from understudy.inspection.grounding import sole_heights_m
from understudy.inspection.levelling import floor_normal, levelled, tilt_rad
from understudy.kinematics import motion_world
from understudy.library.footage import SIDES, Footage, Take, spliced
from understudy.library.foothold import FootTargets, with_feet_at
from understudy.library.options import LibraryOptions
from understudy.library.scratch import MEMORY, Scratch
from understudy.typing import BoolArray, FloatArray

#: Frame rate libraries are built at unless the clips are slower or the options say otherwise.
USUAL_FPS = 60.0
#: [rad] bones of two skeletons that are to share angles may differ by this much in direction.
_SAME_DIRECTION_RAD = np.radians(25.0)
#: [m] a bone shorter than this has no direction worth comparing.
_LEAST_BONE_M = 0.03
#: [s] spread of the average over toes, unless the rest is averaged more.
_TOES_S = 0.025
_MIRROR = np.array([-1.0, 1.0, 1.0])


def prepared(
    motions: Sequence[Motion], options: LibraryOptions, watch: Watch, *, scratch: Scratch = MEMORY
) -> tuple[Footage, tuple[str, ...]]:
    """Footage of the clips and, when asked for, of their mirror images.

    Returns:
        The footage, and remarks on what was left out or scaled.

    Raises:
        PlanningInputError: No clip is left.
        SkeletonError: Clips of different skeletons, or of no humanoid.
    """
    if not motions:
        raise PlanningInputError("a library needs at least one clip")
    skeleton = motions[0].skeleton
    skeleton.require_humanoid()
    fps = options.fps or min(USUAL_FPS, *(motion.fps for motion in motions))
    least = 2 * options.half_window(fps) + options.min_clip(fps) + 1
    takes: list[Take] = []
    clips: list[Motion] = []
    planted: list[BoolArray] = []
    notes: list[str] = []
    ground = None
    hall = floor_normal(*motions)
    tilts: list[float] = []
    for number, motion in enumerate(motions):
        going_on(watch, number / len(motions))
        label = motion.name or f"clip {number}"
        if motion.duration_s * fps + 1 < least:
            notes.append(f'"{label}" is too short ({motion.duration_s:.2f} s, at least {(least - 1) / fps:.2f} s)')
            continue
        floor = hall if tilt_rad(hall) > 0.0 else floor_normal(motion)
        tilts += [tilt_rad(floor)] if tilt_rad(floor) > 0.0 else []
        recorded = levelled(clean(motion, toes=True).motion if options.clean else motion, floor)
        clip = _on_skeleton(steadied(recorded, options.smooth_s).resampled(fps), skeleton, label, notes)
        contacts = foot_contacts(clip)
        ground = contacts.ground_m if ground is None else ground
        # Distances lose digits far from the origin, and where a take was recorded does not matter.
        middle = clip.root_positions.mean(axis=0)
        shift = np.array([-middle[0], ground - contacts.ground_m, -middle[2]])
        clip = replace(clip, root_positions=clip.root_positions + shift)
        takes.append(Take(name=label, source=number, kind=motion.origin.kind))
        clips.append(scratch.kept(clip))
        planted.append(np.stack([contacts.left, contacts.right], axis=1))
    if tilts:
        steepest = f"{np.degrees(max(tilts)):.1f} degrees"
        notes.append(f"the floor of {len(tilts)} of {len(motions)} clips was tilted by up to {steepest}; levelled")
    if not clips:
        raise PlanningInputError("every clip is too short for a library:\n  " + "\n  ".join(notes))
    clips = _on_the_floor(clips, planted, scratch)
    if options.mirror:
        watch.stage("mirror")
        takes += [replace(take, mirrored=True) for take in takes]
        clips += [scratch.kept(mirror_image(clip)) for clip in clips]
        planted += [stances[:, ::-1] for stances in planted]
    return spliced(skeleton, fps, takes, clips, planted, scratch=scratch), tuple(notes)


def steadied(motion: Motion, spread_s: float) -> Motion:
    """The motion averaged over time by a Gaussian, its toes over a wider one: markers on shoes hardly see them.

    Recordings jitter, and knees recorded as locked leave their lock with a jerk; mixed with another clip's smooth knee
    that shows.
    """
    roles = motion.skeleton.humanoid
    toes = [roles[role] for role in ("leftToes", "rightToes") if role in roles]
    rotations = rot.continuous(motion.rotations)
    even = averaged(rotations, spread_s * motion.fps)
    even[:, toes] = averaged(rotations[:, toes], max(spread_s, _TOES_S if spread_s > 0.0 else 0.0) * motion.fps)
    even /= np.linalg.norm(even, axis=-1, keepdims=True)
    roots = averaged(motion.root_positions, spread_s * motion.fps)
    return replace(motion, root_positions=roots, rotations=even)


def averaged(values: FloatArray, spread: float) -> FloatArray:
    """Values ``(frames, ...)`` averaged by a Gaussian of ``spread`` frames; ends go on as their point reflection."""
    reach = min(round(3.0 * spread), len(values) - 1)
    if reach < 1:
        return values.copy()
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / spread) ** 2)
    before, after = 2.0 * values[:1] - values[reach:0:-1], 2.0 * values[-1:] - values[-2 : -reach - 2 : -1]
    longer = np.concatenate([before, values, after])
    out = np.zeros_like(values)
    for k, weight in enumerate(kernel / kernel.sum()):
        out += weight * longer[k : k + len(values)]
    return out


def _on_the_floor(clips: Sequence[Motion], planted: Sequence[BoolArray], scratch: Scratch) -> list[Motion]:
    """All clips moved up or down alike, so that the soles of standing feet rest at y = 0 (median)."""
    soles: list[FloatArray] = []
    for clip, stands in zip(clips, planted, strict=True):
        soles.append(sole_heights_m(clip, {name: stands[:, side] for side, name in enumerate(SIDES)}))
        scratch.release()
    every = np.concatenate(soles)
    drop = float(np.median(every)) if len(every) else 0.0
    return [replace(clip, root_positions=clip.root_positions - np.array([0.0, drop, 0.0])) for clip in clips]


def going_on(watch: Watch, share: float) -> None:
    """Report progress; stop when the deadline has passed or somebody cancelled.

    Raises:
        UnderstudyError: The library is not finished.
    """
    watch.report(share)
    stopped = watch.interrupted()
    if stopped is not None:
        reason = "the deadline passed" if stopped is Status.TIMED_OUT else "it was cancelled"
        raise UnderstudyError(f"the library was not finished: {reason}")


def mirror_image(motion: Motion) -> Motion:
    """The mirror image with its feet exactly where the mirror shows them.

    Recorded skeletons are slightly asymmetric, so mirrored angles alone would move planted feet.
    """
    at = motion_world(motion).positions
    roles = motion.skeleton.humanoid
    places = [at[:, roles[f"{other}Foot"]] * _MIRROR for other in reversed(SIDES)]
    return _with_ankles_at(mirrored(motion), places)


def _with_ankles_at(motion: Motion, places: Sequence[FloatArray]) -> Motion:
    """Both ankles brought to places ``(frames, 3)`` [m] by leg IK, feet turned as they are."""
    turns = motion_world(motion).rotations
    roles = motion.skeleton.humanoid
    targets = [FootTargets(at, turns[:, roles[f"{side}Foot"]]) for side, at in zip(SIDES, places, strict=True)]
    return with_feet_at(motion, targets)[0]


def joint_weights(skeleton: Skeleton, options: LibraryOptions) -> tuple[list[int], FloatArray]:
    """The joints that count in the distance, and their weights."""
    if options.weights is None:
        named = {role: 1.0 for role in skeleton.humanoid if role not in FINGER_ROLES}
    else:
        named = {role: weight for role, weight in options.weights.items() if role in skeleton.humanoid and weight > 0}
    if not named:
        raise SkeletonError(f"none of the weighted roles is in the skeleton: {', '.join(options.weights or ())}")
    return [skeleton.humanoid[role] for role in named], np.array(list(named.values()))


def _on_skeleton(motion: Motion, skeleton: Skeleton, label: str, notes: list[str]) -> Motion:
    """The clip on the library's skeleton."""
    own = motion.skeleton
    if own is skeleton or (own.same_joints(skeleton) and np.allclose(own.offsets, skeleton.offsets, atol=1e-6)):
        return replace(motion, skeleton=skeleton)
    hint = "retarget it first (understudy retarget, or understudy.retarget)"
    if not own.same_joints(skeleton):
        raise SkeletonError(
            f'"{label}" has other joints than the first clip ({len(own)} against {len(skeleton)}, '
            f'"{_first_difference(own, skeleton)}" differs); {hint}'
        )
    bone = turned_bone(own, skeleton)
    if bone:
        raise SkeletonError(f'"{label}" has the first clip\'s joints but another rest pose (see "{bone}"); {hint}')
    scale = skeleton.leg_length_m() / own.leg_length_m()
    if abs(scale - 1.0) > 0.005:
        notes.append(f'"{label}" is of another body; its path was scaled by {scale:.3f}')
    # The root's rest offset only says where the rig stands; angles carry the posture.
    targets = motion_world(motion).positions * scale
    moved = replace(motion, skeleton=skeleton, root_positions=motion.root_positions * scale)
    return _with_ankles_at(moved, [targets[:, own.humanoid[f"{side}Foot"]] for side in SIDES])


def _first_difference(one: Skeleton, other: Skeleton) -> str:
    for mine, theirs in zip(one.names, other.names, strict=False):
        if mine != theirs:
            return mine
    return one.names[-1]


def turned_bone(one: Skeleton, other: Skeleton) -> str:
    """Name of a bone whose rest direction differs too much for angles to be shared; empty when there is none."""
    roles = {role for roles in LIMB_ROLES.values() for role in roles}
    _, mine = one.rest_world
    _, theirs = other.rest_world
    for joint in range(1, len(one)):
        if one.roles.get(joint) not in roles:
            continue
        a, b = one.offsets[joint], other.offsets[joint]
        if min(np.linalg.norm(a), np.linalg.norm(b)) < _LEAST_BONE_M:
            continue
        cosine = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
        turned = abs(mine[joint] @ theirs[joint]) < np.cos(_SAME_DIRECTION_RAD / 2)
        if cosine < np.cos(_SAME_DIRECTION_RAD) or turned:
            return one.names[joint]
    return ""
