"""One take of an action: time, a figure, small signs of life, and the way from tracks to an example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion, Origin
from understudy.kinematics import WorldTransforms
from understudy.performer import curves
from understudy.performer.actions.balance import bent, settle, support_points
from understudy.performer.actions.example import Event, Example, in_joint
from understudy.performer.actions.figure import SIDES, Figure, yielding
from understudy.performer.actions.paths import min_jerk
from understudy.performer.actions.tracks import BodyTrack, FootPath, HandTrack
from understudy.performer.idling import idle_rows
from understudy.performer.legs import KNEE_RADPS, hip_places, lowered
from understudy.performer.variation import wander
from understudy.typing import BoolArray, FloatArray

#: [s] eyes get there before the hand.
GAZE_LEAD_S = 0.2
#: [s] the trunk starts before the hand.
TRUNK_LEAD_S = 0.07
#: Palm's middle from the wrist along the fingers and out of the palm, over the stature.
GRIP = np.array([0.050, -0.012])


@dataclass(frozen=True, eq=False, kw_only=True)
class Take:
    """Times and dice of one example.

    Attributes:
        figure: Who acts.
        times_s: ``(frames,)`` [s].
        fps: Frames per second.
        rng: Random state.
    """

    figure: Figure
    times_s: FloatArray
    fps: float
    rng: np.random.Generator

    @classmethod
    def lasting(cls, figure: Figure, duration_s: float, fps: float, rng: np.random.Generator) -> Take:
        """A take of a given length."""
        return cls(figure=figure, times_s=np.arange(round(duration_s * fps) + 1) / fps, fps=fps, rng=rng)

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.times_s)

    def standing(self, *, busy: FloatArray | float = 0.0) -> BodyTrack:
        """Standing at ease, breathing, swaying and never quite still; the feet stay exactly where they are.

        Args:
            busy: ``(n,)`` how far somebody does something else than idling, in [0, 1].
        """
        track, t = self.figure.standing(len(self)), self.times_s
        breath = np.sin(2.0 * np.pi * (0.25 * t + self.rng.uniform()))
        sway = np.zeros((len(self), 3))
        sway[:, 0] = 0.003 * wander(t, 1.7, self.rng)
        sway[:, 2] = 0.003 * wander(t, 1.3, self.rng)
        turn = 0.008 * np.stack([wander(t, spacing, self.rng) for spacing in (2.1, 1.9, 2.6)], axis=1)
        clavicles = {side: track.clavicles[side] + np.stack([0.012 * breath, 0.004 * breath], axis=1) for side in SIDES}
        glance = 0.05 * np.stack([wander(t, 1.4, self.rng), wander(t, 1.8, self.rng), 0.0 * t], axis=1)
        life = (1.0 - np.broadcast_to(busy, t.shape))[:, None] * idle_rows(t, self.rng.spawn(1)[0])
        head = life[:, curves.turn_columns("head")]
        glance = glance + np.stack([head[:, 1], -head[:, 0], 0.0 * t], axis=1)
        leg_m = self.figure.skeleton.leg_length_m()
        return replace(
            track,
            centre=track.centre + sway * self.figure.stature_m + leg_m * life[:, curves.PELVIS_PLACE],
            pelvis=track.pelvis + life[:, curves.PELVIS_TURN],
            trunk=track.trunk
            + life[:, curves.turn_columns("trunk")]
            + turn
            - np.stack([0.008 * breath, 0 * breath, 0 * breath], axis=1),
            clavicles=clavicles,
            arms={
                f"{side}{part}": life[:, curves.turn_columns(f"{side}{part}")]
                for side in SIDES
                for part in ("UpperArm", "LowerArm", "Hand")
            },
            gaze=track.gaze + 4.0 * glance,
        )

    def bent(self, track: BodyTrack, numbers: FloatArray, share: FloatArray) -> BodyTrack:
        """The body bent by a share ``(frames,)`` of the numbers ``(10,)`` of ``balance``."""
        return bent(self.figure, track, share[:, None] * numbers)

    def grounded(self, track: BodyTrack, standing: Mapping[str, BoolArray] | None = None) -> BodyTrack:
        """The body, lowered smoothly wherever a standing leg would have to be longer than it is."""
        skeleton, turn = self.figure.skeleton, rot.exp(track.pelvis)
        free = np.array([0.0, 0.5 * skeleton.leg_length_m(), 0.0])
        ankles = []
        for side, hip in zip(SIDES, hip_places(skeleton, track.centre, turn), strict=True):
            ankle = track.feet[side].ankle
            stands = (standing or {}).get(side, np.ones(len(self), dtype=bool))
            ankles.append(np.where(stands[:, None], ankle, hip - free))
        fastest = np.full(len(turn), KNEE_RADPS)
        feet = ankles[0], ankles[1]
        return replace(track, centre=lowered(skeleton, track.centre, turn, feet, fps=self.fps, fastest_radps=fastest))

    def held_back(self, track: BodyTrack, side: str) -> BodyTrack:
        """The same with a swinging foot that does not go beyond its leg's length."""
        figure = self.figure
        hip = hip_places(figure.skeleton, track.centre, rot.exp(track.pelvis))[SIDES.index(side)]
        foot, leg = track.feet[side], figure.skeleton.leg_length_m()
        away = foot.ankle - hip
        far = np.linalg.norm(away, axis=1, keepdims=True)
        short = hip + leg * yielding(far / leg) * away / far
        # A standing foot stays where it is; the pelvis has been lowered for it.
        stands = np.linalg.norm(foot.ankle - self.figure.standing_foot(side, 1).ankle, axis=1) < 1e-9
        return replace(
            track, feet={**track.feet, side: replace(foot, ankle=np.where(stands[:, None], foot.ankle, short))}
        )

    def looking(self, track: BodyTrack, target: FloatArray, start_s: float, end_s: float) -> BodyTrack:
        """The gaze goes to a target ``(3,)`` or ``(frames, 3)``, the lead included, and leaves it at ``end_s``."""
        t = self.times_s
        share = min_jerk(t, start_s - GAZE_LEAD_S, start_s - GAZE_LEAD_S + 0.42) - min_jerk(t, end_s, end_s + 0.6)
        return replace(track, gaze=track.gaze + share[:, None] * (target - track.gaze))

    def rebalanced(
        self, track: BodyTrack, hands: Mapping[str, HandTrack], weights: Mapping[str, FloatArray]
    ) -> BodyTrack:
        """Shift the pelvis so that the centre of mass stays above the feet, each carrying a share of the weight."""
        total = sum(weights.values())
        goal = sum(
            (weights[side] / total)[:, None] * support_points(self.figure, track.feet[side]).mean(axis=1)
            for side in SIDES
        )
        for _ in range(3):
            lack = goal - self.figure.centre_of_mass(*self.figure.build(track, hands))[:, [0, 2]]
            shift = np.stack([lack[:, 0], np.zeros(len(self)), lack[:, 1]], axis=1)
            track = replace(track, centre=track.centre + shift)
        return track

    def example(
        self,
        action: str,
        track: BodyTrack,
        hands: Mapping[str, HandTrack],
        *,
        target: FloatArray,
        events: Sequence[Event],
        standing: Mapping[str, BoolArray] | None = None,
        balanced: BoolArray | None = None,
    ) -> Example:
        """The finished example."""
        root, local = self.figure.build(track, hands)
        motion = Motion(
            skeleton=self.figure.skeleton,
            fps=self.fps,
            root_positions=root,
            rotations=rot.continuous(local),
            name=action,
            origin=Origin(format="performer"),
        )
        always = np.ones(len(self), dtype=bool)
        contacts = standing or {}
        return Example(
            action=action,
            motion=motion,
            target=np.asarray(target, dtype=np.float64),
            events=tuple(sorted(events, key=lambda event: event.time_s)),
            left_contact=contacts.get("left", always),
            right_contact=contacts.get("right", always),
            balanced=always if balanced is None else balanced,
        )

    def event(
        self,
        name: str,
        time_s: float,
        side: str,
        offset: FloatArray,
        position: FloatArray,
        *,
        velocity: FloatArray | None = None,
        thing: int = 0,
        bone: str = "Hand",
    ) -> Event:
        """An event of a hand's (or foot's) point, ``offset`` from the joint in the T-pose's axes [m]."""
        return Event(
            name=name,
            time_s=time_s,
            joint=f"{side}{bone}",
            point=in_joint(self.figure.skeleton, f"{side}{bone}", offset),
            position=np.asarray(position, dtype=np.float64),
            velocity=velocity,
            thing=thing,
        )


def rolled_foot(figure: Figure, foot: FootPath, pitch_rad: FloatArray) -> FootPath:
    """A standing foot whose heel rises by ``pitch_rad`` ``(n,)`` while its ball and toes stay where they are."""
    shape = figure.foot
    ball = np.array([0.0, shape.ball_m - shape.ankle_m, shape.ball_ahead_m])
    pitched = rot.multiply(foot.turn, rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), pitch_rad))
    ankle = foot.ankle + rot.rotate(foot.turn, ball) - rot.rotate(pitched, ball)
    return FootPath(ankle=ankle, turn=pitched, toes=pitch_rad)


def grip_offset(figure: Figure, side: str) -> FloatArray:
    """Middle of the palm from the wrist, in the T-pose's axes [m]."""
    sign = 1.0 if side == "left" else -1.0
    return figure.stature_m * np.array([sign * GRIP[0], GRIP[1], 0.0])


def natural(figure: Figure, world: WorldTransforms, side: str, wrist: FloatArray, turn: FloatArray | None) -> HandTrack:
    """A hand track with the elbow where it goes by nature."""
    return HandTrack(wrist=wrist, turn=turn, pole=figure.pole(world, side, wrist))


__all__ = ["GAZE_LEAD_S", "TRUNK_LEAD_S", "Take", "grip_offset", "natural", "settle"]
