"""Putting a performance together: track, curves, feet, pelvis, legs and upper body.

The order is that of a walker's dependence: the path decides where feet stand, feet decide how high the pelvis can
be, and pelvis and feet decide the legs. Stance feet are exact; everything else is the fitted gait.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion, Origin
from understudy.core.reference_pose import t_pose, t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.kinematics.clearing import clear_of_body
from understudy.performer import curves
from understudy.performer.feet import FootTrack, foot_track
from understudy.performer.foot_shape import FootShape, foot_shape
from understudy.performer.heels import heel_rise
from understudy.performer.idling import idle_rows
from understudy.performer.legs import (
    KNEE_RADPS,
    RUNNING_KNEE_RADPS,
    bones_m,
    leg_rotations,
    lowered,
    root_places,
    within_reach,
)
from understudy.performer.legs_apart import passing_m
from understudy.performer.model import GaitModel
from understudy.performer.settling import Pelvis, settled, walking
from understudy.performer.smoothing import gaussian
from understudy.performer.stances import Stances, find_stances, side_by_side, wrapped
from understudy.performer.style import Style
from understudy.performer.swinging import calmed
from understudy.performer.track import Track
from understudy.performer.upper_body import arm_rows, heavy, part_turns, upper_rotations
from understudy.performer.variation import wander
from understudy.typing import BoolArray, FloatArray

#: Hip height over leg length of a person standing at ease.
_STANDING = 0.9945
#: How much lower the hips are in slow steps, and how much shorter the legs, in leg lengths.
_SOFT_KNEES = 0.018
#: [m] how far the pelvis goes over the standing foot when hardly moving people lift the other one, for 0.9 m legs.
_SHIFT_M = 0.045
#: Share by which knees are slower in little steps on the spot: people do not snap a straight knee there.
_CALM = 0.5
#: Share of the twist between a standing foot and the pelvis that the hip takes.
_HIP_SHARE = 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class Performance:
    """A motion with its ground truth.

    Attributes:
        motion: The motion.
        left_contact: ``(frames,)`` whether the left foot stands.
        right_contact: ``(frames,)`` the right one.
        phase: ``(frames,)`` gait phase in strides, integer at footfalls of the left foot.
        path: ``(frames, 2)`` (x, z) of the path the pelvis sways about [m].
        heading: ``(frames,)`` [rad].
    """

    motion: Motion
    left_contact: BoolArray
    right_contact: BoolArray
    phase: FloatArray
    path: FloatArray
    heading: FloatArray


def perform(
    track: Track,
    skeleton: Skeleton,
    *,
    model: GaitModel,
    style: Style,
    rng: np.random.Generator,
    name: str,
    stances: Mapping[str, Stances] | None = None,
) -> Performance:
    """Make a skeleton follow a track; its feet stand where the gait puts them unless ``stances`` say so by side."""
    leg = skeleton.leg_length_m()
    resting = _resting_rows(model, track)
    rows = model.rows(track.phase, track.context)
    rows = resting + track.activity[:, None] * (rows - resting)
    rows = _styled(rows, track, style, leg, rng)
    # Of its own dice: whoever walks does the same whatever standing people do.
    life = (style.variation * (1.0 - track.activity))[:, None] * idle_rows(track.times_s, rng.spawn(1)[0])
    shapes = {side: foot_shape(skeleton, side) for side in curves.SIDES}
    if stances is None:
        found = {side: find_stances(track, side, model, style, leg_m=leg, rng=rng) for side in curves.SIDES}
        stances = side_by_side(found, passing_m(skeleton), shapes["left"].length_m)
    feet = {
        side: foot_track(track, rows, stances, side, shapes[side], style, skeleton=skeleton) for side in curves.SIDES
    }
    sole = _sole_m(skeleton, shapes)
    centre, turn = _pelvis(track, heavy(rows, track) + life, feet, sole, style, leg, rng)
    own = Pelvis(centre, turn)
    centre = settled(track, rows, skeleton, own, feet, shapes, style)
    # In side steps feet stand flat; runners' heels have left the floor before.
    ahead = walking(track) * track.activity * smoothstep(track.context[:, 0] / 0.5)
    for side in curves.SIDES:
        seen = own, Pelvis(centre, turn)
        rise = heel_rise(track, rows, skeleton, side, stances[side], feet[side], seen, shapes[side], style)
        feet[side] = foot_track(
            track, rows, stances, side, shapes[side], style, skeleton=skeleton, heel_rad=ahead * rise
        )
    centre = settled(track, rows, skeleton, own, feet, shapes, style)
    centre, feet = _reached(track, skeleton, Pelvis(centre, turn), feet)
    rows = arm_rows(model, track, rows, resting, style, rng) + life
    local = np.repeat(t_pose(skeleton)[None], len(rows), axis=0)
    root = root_places(skeleton, centre, turn)
    local[:, 0] = rot.multiply(turn, t_pose_world(skeleton)[1][0])
    for joint, values in upper_rotations(skeleton, part_turns(rows, model, track, style, rng)).items():
        local[:, joint] = values
    for side in curves.SIDES:
        _put_leg(local, skeleton, side, root, turn, feet[side], rows, track)
    local = clear_of_body(skeleton, root, rot.normalize(local), fps=track.fps)
    motion = Motion(
        skeleton=skeleton,
        fps=track.fps,
        root_positions=root,
        rotations=rot.continuous(rot.normalize(local)),
        name=name,
        origin=Origin(format="performer"),
    )
    return Performance(
        motion=motion,
        left_contact=feet["left"].contact,
        right_contact=feet["right"].contact,
        phase=track.phase,
        path=track.place,
        heading=track.heading,
    )


def _reached(
    track: Track, skeleton: Skeleton, pelvis: Pelvis, feet: dict[str, FootTrack]
) -> tuple[FloatArray, dict[str, FootTrack]]:
    """Middle of the hip joints ``(frames, 3)`` [m] and feet, such that legs reach and knees are slow enough."""
    fps, turn = track.fps, pelvis.turn
    fastest = RUNNING_KNEE_RADPS + (KNEE_RADPS - RUNNING_KNEE_RADPS) * walking(track)
    fastest = fastest * (1.0 - _CALM * (1.0 - track.activity))
    stands = feet["left"].contact, feet["right"].contact
    ankles = feet["left"].ankle, feet["right"].ankle
    centre = within_reach(skeleton, pelvis.centre, turn, ankles, stands, fps=fps, soft=_softness(track, feet))
    feet = calmed(skeleton, Pelvis(centre, turn), feet, fps=fps)
    ankles = feet["left"].ankle, feet["right"].ankle
    return lowered(skeleton, centre, turn, ankles, fps=fps, fastest_radps=fastest), feet


def cropped(performance: Performance, first: int, stop: int) -> Performance:
    """Frames ``first`` to ``stop`` (excluded) of a performance."""
    cut = slice(first, stop)
    return replace(
        performance,
        motion=performance.motion.frames(first, stop),
        left_contact=performance.left_contact[cut],
        right_contact=performance.right_contact[cut],
        phase=performance.phase[cut],
        path=performance.path[cut],
        heading=performance.heading[cut],
    )


def _resting_rows(model: GaitModel, track: Track) -> FloatArray:
    """Rows of a standing person: the mean of a slow walk, upright over both feet."""
    slow = np.zeros((16, 5))
    slow[:, 0] = 0.6
    mean = model.rows(np.arange(16) / 16.0, slow).mean(axis=0)
    mean = 0.5 * (mean + curves.mirrored_rows(mean))
    mean[curves.PELVIS_PLACE] = (0.0, _STANDING, 0.0)
    mean[curves.PELVIS_TURN] *= np.array([0.5, 0.0, 0.0])
    for side in curves.SIDES:
        for part in ("pitch", "yaw", "roll"):
            mean[curves.foot_column(side, part)] = 0.0
        mean[curves.ankle_columns(side)] *= np.array([1.0, 0.0, 1.0])
    return np.repeat(mean[None], len(track.times_s), axis=0)


def _styled(rows: FloatArray, track: Track, style: Style, leg_m: float, rng: np.random.Generator) -> FloatArray:
    """The style's gains on pelvis and trunk, and differences from step to step."""
    out = rows.copy()
    step = 1.0 + 0.06 * style.variation * wander(track.phase, 0.5, rng)
    smooth = gaussian(rows[:, :3], 0.5 * track.fps)
    out[:, 0] = smooth[:, 0] + style.sway * step * (rows[:, 0] - smooth[:, 0])
    out[:, 1] = smooth[:, 1] + style.bob * (rows[:, 1] - smooth[:, 1]) - style.knees_m / 0.9
    trunk = curves.turn_columns("trunk")
    out[:, trunk] *= np.array([1.0, style.twist, 1.0]) * step[:, None]
    out[:, 4] *= style.twist
    out[:, trunk.start + 2] += 0.012 * style.variation * wander(track.phase, 0.9, rng)
    return out


def _softness(track: Track, feet: dict[str, FootTrack]) -> FloatArray:
    """``(frames,)`` share of their length that legs keep back in slow steps, in which a straight one would jerk."""
    slow = 1.0 - smoothstep(np.hypot(track.context[:, 0], 1.6 * track.context[:, 1]) / 0.8)
    steps = (feet["left"].contact != feet["right"].contact).astype(np.float64)
    return np.asarray(_SOFT_KNEES * slow * gaussian(steps, 0.2 * track.fps))


def _sole_m(skeleton: Skeleton, shapes: dict[str, FootShape]) -> float:
    """Height of the ankles under hips as high as the shorter leg carries them [m]; the longer leg bends more."""
    carried = min(shapes[side].ankle_m + sum(bones_m(skeleton, side)) for side in curves.SIDES)
    return carried - skeleton.leg_length_m()


def _pelvis(
    track: Track,
    rows: FloatArray,
    feet: dict[str, FootTrack],
    sole_m: float,
    style: Style,
    leg_m: float,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Middle of the hip joints ``(frames, 3)`` [m] and turn of the pelvis ``(frames, 4)``."""
    times = track.times_s
    still = 1.0 - track.activity
    beside, height, ahead = rows[:, curves.PELVIS_PLACE].T * leg_m
    # Over the standing foot, a little before the other one leaves the floor.
    single = feet["left"].contact.astype(float) - feet["right"].contact.astype(float)
    early = np.interp(times + 0.16, times, gaussian(single, 0.13 * track.fps))
    shift = _SHIFT_M / 0.9 * leg_m * still * early
    height = height - leg_m * _softness(track, feet)
    idle = still * leg_m * style.variation
    beside = beside + shift + idle * 0.02 * wander(times, 2.4, rng)
    ahead = ahead + idle * 0.006 * wander(times, 1.3, rng)
    c, s = np.cos(track.heading), np.sin(track.heading)
    centre = np.stack(
        [track.place[:, 0] + c * beside + s * ahead, sole_m + height, track.place[:, 1] - s * beside + c * ahead],
        axis=1,
    )
    # The hip over the free leg sinks a little.
    tilt = np.zeros((len(times), 3))
    tilt[:, 2] = 0.8 * shift + still * 0.012 * style.variation * wander(times, 1.9, rng)
    tilt[:, 1] = still * 0.02 * style.variation * wander(times, 2.7, rng)
    turn = rot.multiply(rot.from_yaw(track.heading), rot.exp(rows[:, curves.PELVIS_TURN] + tilt))
    return centre, turn


def _swivel(foot: FootTrack, track: Track) -> FloatArray:
    """``(frames,)`` how far a knee turns towards its foot during a turn on the spot [rad].

    The pelvis goes on turning while feet stand; hip and ankle share the twist, the ankle alone could not take it.
    """
    on_the_spot = 1.0 - smoothstep(np.hypot(track.context[:, 0], track.context[:, 1]) / 0.4)
    twist = wrapped(rot.yaw(foot.turn) - track.heading)
    return np.asarray(on_the_spot * smoothstep(np.abs(track.context[:, 2]) / 0.4) * _HIP_SHARE * twist)


def _put_leg(
    local: FloatArray,
    skeleton: Skeleton,
    side: str,
    root: FloatArray,
    turn: FloatArray,
    foot: FootTrack,
    rows: FloatArray,
    track: Track,
) -> None:
    hinge = track.heading + rows[:, curves.foot_column(side, "hinge")] + _swivel(foot, track)
    for joint, values in leg_rotations(skeleton, side, root, turn, foot.ankle, foot.turn, hinge).items():
        local[:, joint] = values
    role = f"{side}Toes"
    if role in skeleton.humanoid:
        joint = skeleton.humanoid[role]
        world = t_pose_world(skeleton)[1]
        bend = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -foot.toes)
        above = world[skeleton.parents[joint]]
        local[:, joint] = rot.multiply(rot.multiply(rot.conjugate(above), bend), world[joint])
