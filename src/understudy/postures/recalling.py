"""Recorded key postures are left, and come to, the way their recordings do it.

Recorded people overlap themselves, kneel, crawl, lie and get up in ways of their own. Their recordings know how. A
recorded posture is left along its recording, forwards or backwards, up to the nearest moment at which the person stands
upright on two flat feet, no part on another or parts that come apart at once. Plans begin there. Where nobody ever
stands like that, any moment on the feet will do, or else any in which parts do not touch. Two postures of one recording
that are nearer to each other than to such moments are joined by the recording itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.motion import Motion, from_poses
from understudy.core.pose import Pose
from understudy.kinematics import forward
from understudy.postures.bearing import SIDES, bearing_of
from understudy.postures.keys import holding
from understudy.postures.pacing import GRAVITY_MPS2, balance_times, paced
from understudy.postures.stage import Stage
from understudy.postures.stepping import flat, leg_length

#: Says whether a motion will do.
Passes = Callable[[Motion], bool]
#: [rad] joints of a posture that is a frame of its recording differ less from it.
_SAME_RAD = 1e-6
#: [s] between two moments that are looked at.
_EVERY_S = 1.0 / 12.0
#: Hips of somebody upright are higher above the ankles than this share of a leg.
UPRIGHT = 0.85
#: [s] for how long somebody holds a posture who is asked whether they can.
_HELD_S = 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class Moment:
    """A key posture in its recording.

    Attributes:
        source: The recording as it is.
        clip: The recording, brought to where the posture is.
        frame: Which frame the posture is.
    """

    source: Motion
    clip: Motion
    frame: int

    def piece(self, last: int) -> Motion:
        """The recording from here to another frame, forwards or backwards."""
        step = 1 if last >= self.frame else -1
        order = np.arange(self.frame, last + step, step)
        return replace(self.clip, root_positions=self.clip.root_positions[order], rotations=self.clip.rotations[order])


def moment_of(pose: Pose) -> Moment | None:
    """Where a posture is in its recording; ``None`` for one that no recording shows."""
    for clip in pose.evidence:
        if not clip.skeleton.same_joints(pose.skeleton):
            continue
        away = rot.angle_between(clip.rotations[:, 1:], pose.rotations[1:]).max(axis=1)
        frame = int(away.argmin())
        turn = rot.multiply(pose.rotations[0], rot.conjugate(clip.rotations[frame, 0]))
        level = rot.from_yaw(float(rot.yaw(turn)))
        if away[frame] > _SAME_RAD or rot.angle_between(turn, level) > _SAME_RAD:
            continue
        rotations = clip.rotations.copy()
        rotations[:, 0] = rot.multiply(level, rotations[:, 0])
        roots = rot.rotate(level, clip.root_positions - clip.root_positions[frame]) + pose.root_position
        placed = replace(clip, root_positions=roots, rotations=rotations)
        return Moment(source=clip, clip=placed, frame=frame)
    return None


def ways_free(body: Body, stage: Stage, moment: Moment) -> list[Motion]:
    """The recording from a key posture to every moment from which plans can begin, nearest first.

    People who stand upright on two flat feet come before others on their feet, and these before everybody else. The
    first way has one frame where the posture itself is such a moment. No way meets a solid or leaves the floor.
    """
    found = {frame: rank for step in (1, -1) for frame, rank in _moments_borne(body, stage, moment, step)}
    order = sorted(found, key=lambda frame: (found[frame], abs(frame - moment.frame)))
    return [moment.piece(frame) for frame in order]


def _moments_borne(body: Body, stage: Stage, moment: Moment, step: int) -> Iterator[tuple[int, int]]:
    """Frames in which something bears somebody, and 0 for standing upright, 1 for feet alone, 2 for everything else.

    They end where a solid is met or the floor is left: recordings may show another one.
    """
    clip, pairs = moment.clip, len(stage.space.arrays.pairs)
    stride = step * max(round(_EVERY_S * clip.fps), 1)
    for frame in range(moment.frame, len(clip) if step > 0 else -1, stride):
        pose = clip.pose(frame)
        met = (stage.gaps(stage.space.coordinates(pose))[pairs:] < 0.0).any()
        bearing = bearing_of(body, pose)
        if met or bearing.kind == "air":
            return
        yield frame, 0 if stands(body, pose) else 1 if bearing.kind == "feet" and not bearing.hands else 2


def joined(body: Body, a: Moment, b: Moment, passes: Passes) -> Motion | None:
    """The recording between two key postures; ``None`` where they have none in common, or it will not do."""
    if a.source is not b.source or a.frame == b.frame:
        return None
    if np.abs(a.clip.root_positions[b.frame] - b.clip.root_positions[b.frame]).max() > _SAME_RAD:
        return None
    piece = a.piece(b.frame)
    return piece if passes(eased(body, piece, piece.fps)) else None


def eased(body: Body, piece: Motion, fps: float, stretch: float = 1.0) -> Motion:
    """A piece of a recording that begins and ends at rest; in between, its own frames are played at their own pace.

    Getting going and stopping take as long as a fall, in pairs of frames. Whoever stops where balance is hard takes
    longer. Joints between two frames go no farther than in any of them.
    """
    ramp_s = float(2 * round(0.5 * np.sqrt(leg_length(body) / GRAVITY_MPS2) * piece.fps) / piece.fps)
    takes = piece.duration_s + ramp_s
    ramp = min(ramp_s, 0.5 * takes)
    at = np.linspace(0.0, takes, max(int(np.ceil(takes * fps - 1e-6)), 2) + 1)
    near = np.minimum(at, takes - at)
    # The integral of a speed that rises like minimum jerk.
    share = np.minimum(near / ramp, 1.0)
    done = 0.5 * ramp * share**4 * (5.0 - 6.0 * share + 2.0 * share**2) + np.maximum(near - ramp, 0.0)
    done *= piece.duration_s / (takes - ramp)
    times = np.where(at <= 0.5 * takes, done, piece.duration_s - done)
    world = forward(body.skeleton, *piece.sample(times))
    frames = paced(balance_times(body, world, [-1], stops=True), fps, stretch=stretch)
    played = piece.sampled(np.interp(frames, np.arange(len(times)), times), fps=fps)
    limits = holding(body.limits, piece.rotations)
    return replace(played, rotations=rot.aligned(limits.clamped(played.rotations), played.rotations))


def turned_round(piece: Motion) -> Motion:
    """A piece played backwards."""
    return replace(piece, root_positions=piece.root_positions[::-1], rotations=piece.rotations[::-1])


def held(pose: Pose, fps: float) -> Motion:
    """Somebody who holds a posture."""
    return from_poses([pose] * (round(_HELD_S * fps) + 1), fps=fps)


def stands(body: Body, pose: Pose) -> bool:
    """Whether somebody stands upright on two flat feet, and on nothing else."""
    bearing = bearing_of(body, pose)
    if bearing.kind != "feet" or len(bearing.feet) < len(SIDES) or bearing.hands:
        return False
    ankles = np.mean([foot.place[1] for foot in bearing.feet.values()])
    high = pose.world()[0][0, 1] - ankles > UPRIGHT * leg_length(body)
    return bool(high and all(flat(body, foot) for foot in bearing.feet.values()))
