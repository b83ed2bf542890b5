"""Feet where they belong: the target leaves the source's footprints, scaled, and the legs reach them by IK.

A *footprint* is where the ball of the foot would be if the foot were laid flat about the point it stands on: the heel
while the toes are up, the ball while the heel is up. It rests through a whole stance, heel strike to toe-off, so feet
of different lengths that leave the same footprints neither slide nor sink.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.easing import within_limits
from understudy.core.editing import raised, smoothstep
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.inspection import FootContacts
from understudy.inspection.wrists import running_mean
from understudy.kinematics import hold_end, limb_of, motion_world
from understudy.retargeting.planting import Stances, planted, stances_of
from understudy.retargeting.standing import SIDES, Standing
from understudy.typing import BoolArray, FloatArray

#: Share of the full leg the IK may use; a locked knee pops.
_REACH_SHARE = 0.99
#: [s] half width over which the pelvis is lowered ahead of and behind a stretch.
_DROP_HALF_WIDTH_S = 0.2
#: [s] over which recorded feet are smoothed.
_STEADY_S = 0.025
#: [m] footprints lower than this are low; toes higher than this hang free.
_LOW_M, _HIGH_M = 0.05, 0.1
#: [m] how deep a sole may sink into the floor.
_SINKS_M = 0.03
#: [rad] largest tilt of a standing foot that is taken for the rig's own and removed.
_LARGEST_TILT_RAD = np.radians(20.0)
#: How often a knee is turned for its ankle's sake, and [rad] by how much to find out what that does.
_EASINGS, _PROBE_RAD = 3, 0.05
#: [rad] foot pitch at which the heel (up) or the ball (down) carries alone.
_ROLLOVER_RAD = np.radians(6.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Footprints:
    """What one foot does, free of the foot's own shape.

    Attributes:
        places: ``(frames, 3)`` [m] footprint on the floor plane; y is how far the carrying point is above standing.
        turns: ``(frames, 4)`` world rotations of the foot away from the T-pose.
        on_heel: ``(frames,)`` share of the heel in carrying, in [0, 1].
        headings: ``(frames, 4)`` the turn of the footprint about +Y.
    """

    places: FloatArray
    turns: FloatArray
    on_heel: FloatArray
    headings: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class SourceFeet:
    """The source's feet.

    Attributes:
        prints: Side -> footprints.
        stances: Side -> when the foot stands.
        stretches: Side -> ``(frames,)`` how far the leg is stretched, as a share of its length.
        floor_m: Height of the floor under the clip [m].
    """

    prints: dict[str, Footprints]
    stances: dict[str, Stances]
    stretches: dict[str, FloatArray]
    floor_m: float


def source_feet(motion: Motion, stance: Standing, contacts: FootContacts, *, keep_tilt: bool) -> SourceFeet:
    """Read footprints and the floor's height off the source clip.

    Args:
        motion: The source.
        stance: How its skeleton stands.
        contacts: When its feet are planted.
        keep_tilt: Whether standing feet keep the tilt they have against the T-pose, because the target's rig has the
            same; otherwise they are made to stand flat.
    """
    world = motion_world(motion)
    _, reference = t_pose_world(motion.skeleton)
    away, tilts, flats = {}, {}, {}
    for side in SIDES:
        foot = motion.skeleton.humanoid[f"{side}Foot"]
        flats[side] = _flat_frames(motion, world.positions[:, foot], world.rotations[:, foot], stance, contacts, side)
        away[side] = rot.multiply(world.rotations[:, foot], rot.conjugate(reference[foot]))
        if motion.origin.kind == "recorded":
            away[side] = _steadied(away[side], motion.fps)
        tilts[side] = _standing_tilt(away[side][flats[side]])
    floor = _floor_height(motion, stance, contacts, flats)
    prints = {}
    for side in SIDES:
        foot = motion.skeleton.humanoid[f"{side}Foot"]
        level = rot.multiply(away[side], rot.conjugate(tilts[side]))
        prints[side] = _footprints(
            ankles=world.positions[:, foot] - np.array([0.0, floor + stance.ball_height_m[side], 0.0]),
            level=level,
            turns=away[side] if keep_tilt else level,
            sole=_sole(stance, side, reference[foot]),
        )
    return SourceFeet(
        prints=prints,
        stances={side: stances_of(prints[side].places, contacts.stances(side), motion.fps) for side in SIDES},
        stretches={side: _stretch(motion, side, world.positions) for side in SIDES},
        floor_m=floor,
    )


def placed_feet(
    motion: Motion, feet: SourceFeet, stance: Standing, *, scale: float, moved: Mapping[str, FloatArray]
) -> tuple[Motion, float]:
    """Lower the pelvis where a leg is too short, then bring both feet onto the scaled footprints.

    Args:
        motion: The target's motion, feet not yet placed.
        feet: The source's feet.
        stance: How the target stands.
        scale: Target length per source length.
        moved: Side -> ``(frames, 3)`` how far footprints are moved over the floor (x, z) [m], and by how much the knee
            turns about the line from hip to ankle [rad].

    Returns:
        The motion and the largest distance left at an ankle [m].
    """
    _, reference = t_pose_world(motion.skeleton)
    ankles, turns, floors = {}, {}, {}
    for side in SIDES:
        frame = reference[motion.skeleton.humanoid[f"{side}Foot"]]
        prints, sole = feet.prints[side], _sole(stance, side, frame)
        places = scale * prints.places
        # People lift their feet over the same floor, whatever their size.
        places[:, 1] += max(1.0 - scale, 0.0) * _LOW_M * np.tanh(prints.places[:, 1] / _LOW_M)
        places += rot.rotate(prints.headings, sole.pivot - sole.ball)
        floor = float(sole.pivot[1] - sole.ball[1])
        places = planted(places, feet.stances[side], floor_m=floor, moved_m=moved[side][:, :2])
        ankles[side] = places - _from_ankle_to_pivot(prints, sole)
        ankles[side][:, 1] += stance.ball_height_m[side]
        turns[side] = rot.multiply(prints.turns, frame)
        floors[side] = stance.ball_height_m[side] + floor
    motion = _within_reach(motion, ankles, feet.stretches)
    error = 0.0
    for side in SIDES:
        held = hold_end(motion, leg_roles(side), ankles[side], turns[side])
        error = max(error, float(held.error_m.max()))
        motion = _ankle_eased(_knee_turned(held.motion, side, moved[side][:, 2]), side)
        if not np.array_equal(stance.pivots[side], stance.balls[side]):
            motion = _flat_toes(motion, side, feet, floors[side])
        if f"{side}Toes" in motion.skeleton.humanoid:
            motion = _toes_lifted(motion, side)
    return motion, error


def _flat_toes(motion: Motion, side: str, feet: SourceFeet, floor_m: float) -> Motion:
    """Toes that lie flat while the foot is low, for rigs whose toe joint carries the whole front of the foot."""
    toes = motion.skeleton.humanoid[f"{side}Toes"]
    world, rotations = motion_world(motion), motion.rotations.copy()
    flat = rot.multiply(feet.prints[side].headings, t_pose_world(motion.skeleton)[1][toes])
    share = smoothstep((world.positions[:, toes, 1] - floor_m) / _HIGH_M)
    turned = rot.slerp(flat, world.rotations[:, toes], share)
    rotations[:, toes] = rot.relative(world.rotations[:, int(motion.skeleton.parents[toes])], turned)
    return replace(motion, rotations=rotations)


def _toes_lifted(motion: Motion, side: str) -> Motion:
    """Toes bent up as far as they need so that their tips do not sink deeper into the floor than soles may."""
    toes, body = motion.skeleton.humanoid[f"{side}Toes"], fit_body(motion.skeleton)
    part, world = body.capsule(f"{side}_toes"), motion_world(motion)
    along = rot.rotate(world.rotations[:, toes], body.capsule_ends[part])
    lowest = world.positions[:, toes, 1] + along[:, 1] - body.capsule_radii[part]
    missing = np.maximum(-_SINKS_M - lowest, 0.0) / np.linalg.norm(along, axis=1)
    if not missing.any():
        return motion
    angles = raised(np.arcsin(np.minimum(missing, 1.0)), round(_DROP_HALF_WIDTH_S * motion.fps))
    across = np.cross(along, [0.0, 1.0, 0.0])
    turn = rot.exp(across * (angles / np.maximum(np.linalg.norm(across, axis=1), 1e-9))[:, None])
    rotations = motion.rotations.copy()
    above = world.rotations[:, int(motion.skeleton.parents[toes])]
    rotations[:, toes] = rot.relative(above, rot.multiply(turn, world.rotations[:, toes]))
    return replace(motion, rotations=rotations)


def _steadied(turns: FloatArray, fps: float) -> FloatArray:
    """Rotations ``(frames, 4)`` as a running mean: a foot that trembles moves the ankle, and the knee far more."""
    return rot.normalize(running_mean(rot.continuous(turns), _STEADY_S * fps))


def _knee_turned(motion: Motion, side: str, angles_rad: FloatArray) -> Motion:
    """The motion with a knee turned about the line from hip to ankle; hip and foot stay as they are."""
    if not angles_rad.any():
        return motion
    world = motion_world(motion)
    hip, _, foot = (motion.skeleton.humanoid[role] for role in leg_roles(side))
    line = world.positions[:, foot] - world.positions[:, hip]
    turn = rot.exp(line * (angles_rad / np.maximum(np.linalg.norm(line, axis=1), 1e-9))[:, None])
    rotations = motion.rotations.copy()
    above, before = (world.rotations[:, int(motion.skeleton.parents[joint])] for joint in (hip, foot))
    rotations[:, hip] = rot.relative(above, rot.multiply(turn, world.rotations[:, hip]))
    rotations[:, foot] = rot.relative(rot.multiply(turn, before), world.rotations[:, foot])
    return replace(motion, rotations=rotations)


def _ankle_eased(motion: Motion, side: str) -> Motion:
    """The motion with a knee turned as far as ankle and hip need to stay within their limits; the foot stays.

    A recorded thigh may be turned about itself by any angle while its knee is straight; the ankle pays for it.
    """
    limits = fit_body(motion.skeleton).limits
    hip, _, foot = (motion.skeleton.humanoid[role] for role in leg_roles(side))
    turned = np.zeros(len(motion))
    eased = motion
    for _ in range(_EASINGS):
        inside = within_limits(limits, eased.rotations, fps=motion.fps)
        if not (inside - eased.rotations)[:, [hip, foot]].any():
            break
        probe = _knee_turned(eased, side, np.full(len(motion), _PROBE_RAD))
        here, there, within = (
            limits.coordinates(one)[:, [hip, foot]] for one in (eased.rotations, probe.rotations, inside)
        )
        slope = _wrapped(there - here) / _PROBE_RAD
        turned -= (_wrapped(here - within) * slope).sum(axis=(1, 2)) / (slope**2).sum(axis=(1, 2))
        eased = _knee_turned(motion, side, turned)
    return eased


def _wrapped(angles_rad: FloatArray) -> FloatArray:
    """Angles within half a turn [rad]."""
    return np.asarray((angles_rad + np.pi) % (2.0 * np.pi) - np.pi)


class _Sole(NamedTuple):
    """Points of a foot from its ankle, in the axes of the T-pose [m]."""

    ball: FloatArray
    pivot: FloatArray
    heel: FloatArray


def _sole(stance: Standing, side: str, frame: FloatArray) -> _Sole:
    points = (stance.balls[side], stance.pivots[side], stance.heels[side])
    return _Sole(*(rot.rotate(frame, point) for point in points))


def _footprints(*, ankles: FloatArray, level: FloatArray, turns: FloatArray, sole: _Sole) -> Footprints:
    """Footprints of one foot; ``ankles`` [m] are measured from the standing height of ball and heel."""
    pitch = np.arcsin(np.clip(rot.rotate(level, np.array([0.0, 0.0, 1.0]))[:, 1], -1.0, 1.0))
    prints = Footprints(
        places=np.zeros_like(ankles),
        turns=turns,
        on_heel=smoothstep(0.5 + 0.5 * pitch / _ROLLOVER_RAD),
        headings=rot.from_yaw(rot.yaw(level)),
    )
    to_ball = rot.rotate(prints.headings, sole.ball - sole.pivot)
    return replace(prints, places=ankles + _from_ankle_to_pivot(prints, sole) + to_ball)


def _from_ankle_to_pivot(prints: Footprints, sole: _Sole) -> FloatArray:
    """``(frames, 3)`` vector from the ankle to where the pivot of a foot of this shape would be, laid flat [m]."""
    by_pivot = rot.rotate(prints.turns, sole.pivot)
    by_heel = rot.rotate(prints.turns, sole.heel) + rot.rotate(prints.headings, sole.pivot - sole.heel)
    return by_pivot + prints.on_heel[:, None] * (by_heel - by_pivot)


def leg_roles(side: str) -> tuple[str, str, str]:
    """Hip, knee and ankle of a side, by role."""
    return f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot"


def _flat_frames(
    motion: Motion, ankles: FloatArray, turns: FloatArray, stance: Standing, contacts: FootContacts, side: str
) -> BoolArray:
    """Frames in which the whole foot stands: planted, with ankle and ball both slow."""
    planted = contacts.planted(side)
    if len(motion) < 3:
        return planted
    balls = ankles + rot.rotate(turns, stance.balls[side])
    speeds = [np.linalg.norm(np.gradient(point, 1.0 / motion.fps, axis=0), axis=1) for point in (ankles, balls)]
    return planted & (np.maximum(*speeds) < 0.15)


def _floor_height(motion: Motion, stance: Standing, contacts: FootContacts, flats: dict[str, BoolArray]) -> float:
    """Height of the floor under a clip [m], from where the balls of flat feet are."""
    world = motion_world(motion)
    floors = []
    for side in SIDES:
        foot = motion.skeleton.humanoid[f"{side}Foot"]
        balls = world.positions[:, foot] + rot.rotate(world.rotations[:, foot], stance.balls[side])
        if flats[side].any():
            floors.append(float(np.median(balls[flats[side], 1])) - stance.ball_height_m[side])
    if floors:
        return float(np.mean(floors))
    # Running feet never stand flat; the height at which feet rest in this clip serves then.
    return contacts.ground_m - float(np.mean(list(stance.ball_height_m.values())))


def _standing_tilt(away: FloatArray) -> FloatArray:
    """Mean pitch and roll of a foot that stands flat, as a rotation in the foot's own axes; yaw stays."""
    if len(away) < 3:
        return rot.identity()
    heading = rot.from_yaw(rot.yaw(away))
    tilt = rot.mean(rot.multiply(rot.conjugate(heading), away))
    return tilt if rot.angle_between(tilt, rot.identity()) <= _LARGEST_TILT_RAD else rot.identity()


def _stretch(motion: Motion, side: str, positions: FloatArray) -> FloatArray:
    """``(frames,)`` distance of an ankle from its hip as a share of the leg's length."""
    hip, _, ankle = (motion.skeleton.humanoid[role] for role in leg_roles(side))
    return np.asarray(np.linalg.norm(positions[:, hip] - positions[:, ankle], axis=1) / _leg_length_m(motion, side))


def _leg_length_m(motion: Motion, side: str) -> float:
    return float(np.max(limb_of(motion.skeleton, *leg_roles(side)).reach_m[1]))


def _within_reach(motion: Motion, ankles: dict[str, FloatArray], stretches: dict[str, FloatArray]) -> Motion:
    """The motion with its root lowered smoothly, so that no leg is stretched further than the source's is.

    The straighter a knee is, the more it bends for a millimetre.
    """
    world = motion_world(motion)
    need = np.zeros(len(motion))
    for side in SIDES:
        farthest = np.minimum(stretches[side], _REACH_SHARE) * _leg_length_m(motion, side)
        gap = world.positions[:, motion.skeleton.humanoid[f"{side}UpperLeg"]] - ankles[side]
        level = np.minimum(np.hypot(gap[:, 0], gap[:, 2]), farthest)
        need = np.maximum(need, gap[:, 1] - np.sqrt(farthest**2 - level**2))
    drop = raised(np.maximum(need, 0.0), round(_DROP_HALF_WIDTH_S * motion.fps))
    return replace(motion, root_positions=motion.root_positions - drop[:, None] * np.array([0.0, 1.0, 0.0]))
