"""Arms beside furniture: where a swinging arm would touch something, it is drawn in before and let go after.

For every stretch in which an arm would touch, wrists all around the body are tried in a few of its frames. Of those
that leave the arm free of what stands there and of the own body, the one nearest to how the arm swings is held.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from understudy import rotations as rot
from understudy.collision import Checker, CollisionBody, World, world_of
from understudy.collision.tables import PartArrays
from understudy.core.body import Body
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.kinematics import WorldTransforms, motion_world
from understudy.kinematics.clearing import clear_of_body
from understudy.locomotion.footsteps.bearing import chest_facing, with_wrist
from understudy.locomotion.footsteps.footing import SIDES
from understudy.scene.contacts import FLOOR
from understudy.scene.scene import Scene
from understudy.typing import BoolArray, FloatArray, IntArray

#: Shares of the arm by which wrists that are tried are outside of the shoulder, below and ahead of it; and between
#: which parts of the arm's length they are from it: elbows neither closed nor straight.
_OUTSIDE, _BELOW, _AHEAD = (-0.3, -0.15, 0.0, 0.1), (0.15, 0.35, 0.55, 0.7, 0.8, 0.88), (0.0, 0.12, 0.25, 0.4, 0.55)
_LENGTHS = (0.4, 0.94)
#: [m] distance an arm keeps; [1/s] how often it is looked at, and in how many frames of a stretch.
_KEPT_M, _LOOKS_HZ, _LOOKS = 0.015, 30.0, 6
#: [rad/s] how fast an arm is drawn in, [s] how long that takes at least, and is held around what it passes.
_FASTEST_RADPS, _LEAST_S, _HELD_S = 2.5, 0.45, 0.1
#: Largest slope of a smooth step.
_PEAK = 1.875
#: [m] overlap with the own body that is none.
_TOUCH_M = 5e-4
#: How often what an arm meets on its way in or out makes it set off earlier.
_PASSES = 4


def _wrists() -> FloatArray:
    """``(n, 3)`` outside, below and ahead of the shoulder, in arm lengths."""
    every = np.array(list(product(_OUTSIDE, _BELOW, _AHEAD)))
    far = np.linalg.norm(every, axis=1)
    return every[(far > _LENGTHS[0]) & (far < _LENGTHS[1])]


WRISTS = _wrists()


@dataclass(frozen=True, eq=False, kw_only=True)
class _Held:
    """An arm held beside the body from one time to another [s], drawn in and let go within ``ramp_s`` each."""

    offset: FloatArray
    start_s: float
    end_s: float
    ramp_s: float


@dataclass(frozen=True, eq=False)
class _Arm:
    """One arm of somebody who walks, where the chest faces, and whether the motion continues another one."""

    motion: Motion
    side: str
    continues: bool = False

    @cached_property
    def world(self) -> WorldTransforms:
        return motion_world(self.motion)

    @cached_property
    def facing(self) -> FloatArray:
        return chest_facing(self.motion, self.world)

    def held(self, frames: IntArray, wrists: FloatArray) -> Motion:
        """The posture of each frame with the wrist at ``(3,)`` or ``(frames, 3)``."""
        sign = 1.0 if self.side == "left" else -1.0
        part = replace(
            self.motion,
            root_positions=self.motion.root_positions[frames],
            rotations=self.motion.rotations[frames],
        )
        world = WorldTransforms(self.world.positions[frames], self.world.rotations[frames])
        offset = wrists * np.array([sign, -1.0, 1.0])
        return replace(part, rotations=rot.normalize(with_wrist(part, world, self.side, self.facing[frames], offset)))

    def mixed(self, spans: list[_Held]) -> Motion:
        """The motion, going over into what is held and back."""
        turns, times = self.motion.rotations.copy(), np.arange(len(self.motion)) / self.motion.fps
        for span in spans:
            outside = np.maximum(np.maximum(span.start_s - times, times - span.end_s), 0.0)
            frames = np.flatnonzero(outside < span.ramp_s)
            share = smoothstep(1.0 - outside[frames] / span.ramp_s)
            if self.continues:
                share = share * smoothstep(times[frames] / _LEAST_S)
            held = self.held(frames, span.offset).rotations
            turns[frames] = rot.slerp(turns[frames], held, share[:, None])
        return replace(self.motion, rotations=rot.continuous(turns))


@dataclass(frozen=True, eq=False, kw_only=True)
class ArmRoom:
    """The room that arms have in a scene.

    Attributes:
        body: Who walks.
        scene: What stands around; the floor and the walker do not count.
    """

    body: Body
    scene: Scene

    @cached_property
    def checker(self) -> Checker | None:
        """The body in the scene; ``None`` where nothing stands."""
        obstacles = [one for one in world_of(self.scene).obstacles if one.name != FLOOR]
        return Checker(CollisionBody(self.body), World(obstacles)) if obstacles else None

    def cleared(self, motion: Motion) -> Motion:
        """The motion with arms drawn in where they would touch something; they touch where nothing helps."""
        for side in SIDES:
            motion = self.drawn_in(motion, side)
        return motion

    def gaps_m(self, motion: Motion, side: str, times_s: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """Distance of an arm from everything around, and from the own body, ``(frames,)`` each [m]."""
        assert self.checker is not None
        whole, mine = self.checker.body.whole, self._arm(side)
        other = np.isin(whole.pairs, mine.capsules).sum(axis=1) == 1
        # Pairs of the own body need the places of all its capsules.
        pairs = whole._replace(pairs=whole.pairs[other], gaps=whole.gaps[other], shared=whole.shared[other])
        return self.room_m(motion, side, times_s), self._nearest_m(pairs, motion, times_s)[:, 2]

    def room_m(self, motion: Motion, side: str, times_s: FloatArray | None = None) -> FloatArray:
        """``(frames,)`` distance of an arm from everything around [m]."""
        return np.asarray(self._nearest_m(self._arm(side), motion, times_s)[:, :2].min(axis=1))

    def _arm(self, side: str) -> PartArrays:
        """An arm without the rest of the body."""
        assert self.checker is not None
        body = self.checker.body
        mine = np.isin(body.arrays.joints[body.whole.capsules], self.body.skeleton.limb(f"{side}_arm"))
        none = {name: getattr(body.whole, name)[:0] for name in ("pairs", "gaps", "shared")}
        return body.whole._replace(capsules=body.whole.capsules[mine], **none)

    def _nearest_m(self, part: PartArrays, motion: Motion, times_s: FloatArray | None) -> FloatArray:
        """``(frames, 3)`` distance of a part of the body from what stands, from what moves and from itself [m]."""
        from understudy.collision._distance_kernels import poses_nearest

        checker = self.checker
        assert checker is not None
        out = np.zeros((len(motion), 3, 14))
        times = np.arange(len(motion)) / motion.fps if times_s is None else times_s
        roots = np.ascontiguousarray(motion.root_positions, dtype=np.float64)
        local = np.ascontiguousarray(motion.rotations, dtype=np.float64)
        world = checker.world
        at = (world.solids, world.tracks, checker.room(), roots, local, times, checker.touchable, out)
        poses_nearest(checker.body.arrays, part, *at)
        return out[:, :, 0]

    def drawn_in(self, motion: Motion, side: str, *, continues: bool = False) -> Motion:
        """The motion with one arm drawn in where it would touch something; it touches where nothing helps.

        Args:
            motion: From time zero of the scene on.
            side: Which arm.
            continues: Whether the first frame is what was before.
        """
        if self.checker is None:
            return motion
        step = max(1, round(motion.fps / _LOOKS_HZ))
        few = replace(motion, rotations=motion.rotations[::step], root_positions=motion.root_positions[::step])
        few = replace(few, fps=motion.fps / step)
        room = self.room_m(few, side)
        near = room < _KEPT_M
        if continues:
            # What was just let go is beside the hand still, and may be as near as it is then.
            begun = int(np.append(~near, True).argmax())
            near[:begun] &= room[:begun] < room[0] - _TOUCH_M
        if not near.any():
            return motion
        # An arm may touch the own body where it does so anyway.
        apart = self.gaps_m(few, side)[1]
        arm, least = _Arm(few, side, continues), np.minimum(apart, 0.0)
        spans = self._spans(arm, near, room, least)
        for _ in range(_PASSES):
            met = (_joint_gap(*self.gaps_m(arm.mixed(spans), side), least) < _KEPT_M) & ~near
            if not met.any():
                break
            near |= met
            spans = self._spans(arm, near, room, least)
        made = _Arm(motion, side, continues).mixed(spans)
        apart = self.gaps_m(made, side)[1]
        if apart.min() >= least.min() - _TOUCH_M:
            return made
        # On its way in, an arm passes beside the hip.
        local = clear_of_body(made.skeleton, made.root_positions, made.rotations, fps=made.fps)
        return replace(made, rotations=rot.continuous(local))

    def _spans(self, arm: _Arm, near: BoolArray, room: FloatArray, least: FloatArray) -> list[_Held]:
        """How the arm is held around frames ``(frames,)`` in which it is too near.

        Where nothing leaves it more room than it has of its own it swings on.
        """
        frames, fps = np.flatnonzero(near), arm.motion.fps
        apart = np.flatnonzero(np.diff(frames) > _LEAST_S * fps) + 1
        spans = []
        for run in np.split(frames, apart):
            seen = run[np.linspace(0, len(run) - 1, min(_LOOKS, len(run))).round().astype(np.int64)]
            gaps, change_rad = self._tried(arm, seen, least)
            free = gaps >= _KEPT_M
            best = int(np.where(free, change_rad, np.inf).argmin() if free.any() else gaps.argmax())
            if gaps[best] <= room[run].min():
                continue
            ramp_s = max(_LEAST_S, _PEAK * float(change_rad[best]) / _FASTEST_RADPS)
            start_s, end_s = run[0] / fps - _HELD_S, run[-1] / fps + _HELD_S
            spans.append(_Held(offset=WRISTS[best], start_s=start_s, end_s=end_s, ramp_s=ramp_s))
        return spans

    def _tried(self, arm: _Arm, frames: IntArray, least: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The arm's least distance [m] in some frames with each wrist, and how far it is turned for that [rad]."""
        every, count = np.tile(frames, len(WRISTS)), (len(WRISTS), len(frames))
        tried = arm.held(every, np.repeat(WRISTS, len(frames), axis=0))
        gaps = _joint_gap(*self.gaps_m(tried, arm.side, every / arm.motion.fps), least[every])
        joints = list(arm.motion.skeleton.limb(f"{arm.side}_arm"))
        turned = rot.angle_between(tried.rotations[:, joints], arm.motion.rotations[every][:, joints]).max(axis=1)
        return gaps.reshape(count).min(axis=1), turned.reshape(count).max(axis=1)


def _joint_gap(room: FloatArray, apart: FloatArray, least: FloatArray) -> FloatArray:
    """Distance from things [m], less than nothing by as much as an arm is deeper in the own body than it need be."""
    return np.minimum(room, np.where(apart < least - _TOUCH_M, apart - least, np.inf))
