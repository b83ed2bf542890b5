"""A standing figure: feet where they are told, pelvis and trunk by a few numbers, arms and legs by exact IK.

Everything is an array over frames, so a whole motion is built in one go, and so are the variants a solver tries.
Body axes: X to the left, Y up, Z ahead; angles are rotation vectors in those axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.pose import Pose
from understudy.core.reference_pose import anatomical_rotations, local_rotations, t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.kinematics import WorldTransforms, centre_of_mass, forward, limb_of, solve_limbs
from understudy.performer.actions.tracks import BodyTrack, FootPath, HandTrack
from understudy.performer.foot_shape import FootShape, foot_shape
from understudy.performer.legs import leg_rotations, root_places
from understudy.performer.postures import posture
from understudy.typing import FloatArray

SIDES = ("left", "right")
_TRUNK = {"spine": 0.30, "chest": 0.35, "upperChest": 0.35}
#: Share of the hand's turn about the forearm that the forearm itself takes.
_PRONATION = 0.6
#: Share of the arm's length up to which a wrist reaches its target exactly, and its upper limit.
EXACT, _STRAIGHT = 0.966, 0.992
_YAW_RAD, _PITCH_RAD = 1.15, 0.75
_HEAD_SHARE = 0.58


@dataclass(frozen=True, eq=False)
class Figure:
    """A person who stands at the origin and faces +Z."""

    skeleton: Skeleton

    @cached_property
    def body(self) -> Body:
        """Capsules, masses and limits."""
        return fit_body(self.skeleton)

    @cached_property
    def stature_m(self) -> float:
        """Standing height [m]."""
        return self.body.stature_m

    @cached_property
    def relaxed(self) -> Pose:
        """Standing at ease."""
        return posture("relaxed", person=self.skeleton)

    @cached_property
    def arm_m(self) -> float:
        """Shoulder to wrist [m]."""
        bone = self.skeleton.bone_length_m
        return bone("leftUpperArm", "leftLowerArm") + bone("leftLowerArm", "leftHand")

    @cached_property
    def foot(self) -> FootShape:
        """The left foot's rolling points [m]."""
        return foot_shape(self.skeleton, "left")

    @cached_property
    def rest_centre(self) -> FloatArray:
        """Middle of the hip joints when standing at ease [m]."""
        leg = self.skeleton.leg_length_m()
        half = self.half_stance_m - self._half_hips_m
        return np.array([0.0, self.foot.ankle_m + np.sqrt((0.994 * leg) ** 2 - half**2), 0.016 * self.stature_m])

    @cached_property
    def half_stance_m(self) -> float:
        """Half the distance between the feet of a person standing at ease [m]."""
        return max(self._half_hips_m + 0.012 * self.stature_m, 0.062 * self.stature_m)

    @cached_property
    def _half_hips_m(self) -> float:
        return 0.5 * float(np.linalg.norm(np.diff([self._t_place(f"{side}UpperLeg") for side in SIDES], axis=0)))

    def _t_place(self, role: str) -> FloatArray:
        return np.asarray(t_pose_world(self.skeleton)[0][self.skeleton.humanoid[role]])

    def standing_foot(self, side: str, count: int, *, toe_out_rad: float = 0.16) -> FootPath:
        """A foot that stands at ease for ``count`` frames."""
        sign = 1.0 if side == "left" else -1.0
        ankle = np.tile([sign * self.half_stance_m, self.foot.ankle_m, 0.0], (count, 1))
        turn = np.tile(rot.from_yaw(sign * toe_out_rad), (count, 1))
        return FootPath(ankle=ankle, turn=turn, toes=np.zeros(count))

    def standing(self, count: int) -> BodyTrack:
        """Standing at ease for ``count`` frames."""
        ahead = np.array([0.0, 0.9 * self.stature_m, 4.0])
        return BodyTrack(
            centre=np.tile(self.rest_centre, (count, 1)),
            pelvis=np.zeros((count, 3)),
            trunk=np.tile([0.05, 0.0, 0.0], (count, 1)),
            clavicles={side: np.tile([-0.05, 0.0], (count, 1)) for side in SIDES},
            gaze=np.tile(ahead, (count, 1)),
            feet={side: self.standing_foot(side, count) for side in SIDES},
        )

    def trunk_world(self, track: BodyTrack) -> tuple[FloatArray, FloatArray, WorldTransforms]:
        """Root places, local rotations with arms at ease, and joints in the world; legs and head are left as is."""
        local = np.repeat(self._relaxed_local[None], len(track), axis=0)
        anatomical = rot.identity((len(track), len(self.skeleton)))
        turn = rot.exp(track.pelvis)
        anatomical[:, 0] = turn
        moved = [0]
        present = {role: share for role, share in _TRUNK.items() if role in self.skeleton.humanoid}
        total = sum(present.values())
        for role, share in present.items():
            moved.append(self.skeleton.humanoid[role])
            anatomical[:, moved[-1]] = rot.exp(share / total * track.trunk)
        for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
            if f"{side}Shoulder" in self.skeleton.humanoid:
                moved.append(self.skeleton.humanoid[f"{side}Shoulder"])
                raised, ahead = track.clavicles[side].T
                anatomical[:, moved[-1]] = rot.exp(np.stack([0 * raised, -sign * ahead, sign * raised], axis=1))
        for role, stray in track.arms.items():
            moved.append(self.skeleton.humanoid[role])
            anatomical[:, moved[-1]] = rot.multiply(self._at_ease[moved[-1]], rot.exp(stray))
        local[:, moved] = local_rotations(self.skeleton, anatomical)[:, moved]
        root = root_places(self.skeleton, track.centre, turn)
        return root, local, forward(self.skeleton, root, local)

    def build(self, track: BodyTrack, hands: Mapping[str, HandTrack]) -> tuple[FloatArray, FloatArray]:
        """Root places ``(n, 3)`` and local rotations ``(n, joints, 4)``; a side without a hand track hangs at ease."""
        root, local, world = self.trunk_world(track)
        self.look(local, world, track.gaze)
        for side, hand in hands.items():
            self.put_arm(local, world, side, hand)
        turn = rot.exp(track.pelvis)
        for side, foot in track.feet.items():
            knee = 0.8 * rot.yaw(foot.turn) + 0.2 * track.pelvis[:, 1]
            for joint, values in leg_rotations(self.skeleton, side, root, turn, foot.ankle, foot.turn, knee).items():
                local[:, joint] = values
            if f"{side}Toes" in self.skeleton.humanoid:
                self._bend_toes(local, side, foot.toes)
        return root, rot.normalize(local)

    def centre_of_mass(self, root: FloatArray, local: FloatArray) -> FloatArray:
        """``(n, 3)`` [m]."""
        return centre_of_mass(forward(self.skeleton, root, local), self.body.masses, self.body.coms)

    def rest_hand(self, world: WorldTransforms, side: str) -> HandTrack:
        """Where the hand hangs at ease on a moving trunk."""
        joint = self.skeleton.humanoid[f"{side}Hand"]
        turn = rot.multiply(world.rotations[:, joint], rot.conjugate(t_pose_world(self.skeleton)[1][joint]))
        return HandTrack(wrist=world.positions[:, joint], turn=turn, pole=self.pole(world, side, None))

    def pole(self, world: WorldTransforms, side: str, wrist: FloatArray | None) -> FloatArray:
        """``(n, 3)`` which way an elbow goes by nature: down, out and back; more outward for a raised hand."""
        sign = 1.0 if side == "left" else -1.0
        low, high = np.array([0.42 * sign, -1.0, -0.75]), np.array([1.0 * sign, -0.55, 0.05])
        shoulder = world.positions[:, self.skeleton.humanoid[f"{side}UpperArm"]]
        share = np.zeros(len(shoulder))
        if wrist is not None:
            rise = (wrist[:, 1] - shoulder[:, 1]) / self.arm_m
            u = np.clip((rise + 0.75) / 1.35, 0.0, 1.0)
            share = u * u * (3.0 - 2.0 * u)
        mixed = low + share[:, None] * (high - low)
        return rot.rotate(self.chest_turn(world), mixed)

    def chest_turn(self, world: WorldTransforms) -> FloatArray:
        """``(n, 4)`` turn of the chest away from the T-pose."""
        joint = int(self.skeleton.parents[self.skeleton.humanoid["leftUpperArm"]])
        if "leftShoulder" in self.skeleton.humanoid:
            joint = int(self.skeleton.parents[self.skeleton.humanoid["leftShoulder"]])
        return rot.multiply(world.rotations[:, joint], rot.conjugate(t_pose_world(self.skeleton)[1][joint]))

    @cached_property
    def _at_ease(self) -> FloatArray:
        """Turns of arms of the relaxed posture; of everything else as in the T-pose."""
        anatomical = anatomical_rotations(self.skeleton, self.relaxed.rotations)
        for role, joint in self.skeleton.humanoid.items():
            if not role.endswith(("UpperArm", "LowerArm", "Hand")):
                anatomical[joint] = rot.identity()
        return anatomical

    @cached_property
    def _relaxed_local(self) -> FloatArray:
        return local_rotations(self.skeleton, self._at_ease)

    def look(self, local: FloatArray, world: WorldTransforms, gaze: FloatArray) -> None:
        """Write the turns of neck and head that look at places ``(n, 3)`` [m]."""
        head = self.skeleton.humanoid["head"]
        away = rot.rotate(rot.conjugate(self.chest_turn(world)), gaze - world.positions[:, head])
        yaw = _YAW_RAD * np.tanh(np.arctan2(away[:, 0], np.maximum(away[:, 2], 0.05)) / _YAW_RAD)
        pitch = _PITCH_RAD * np.tanh(-np.arctan2(away[:, 1], np.hypot(away[:, 0], away[:, 2])) / _PITCH_RAD)
        anatomical = rot.identity((len(local), len(self.skeleton)))
        shares = {"neck": 1.0 - _HEAD_SHARE, "head": _HEAD_SHARE} if "neck" in self.skeleton.humanoid else {"head": 1.0}
        for role, share in shares.items():
            joint = self.skeleton.humanoid[role]
            turns = rot.from_euler(np.stack([share * yaw, share * pitch], axis=1) @ _YX, "YXZ")
            anatomical[:, joint] = turns
            local[:, joint] = local_rotations(self.skeleton, anatomical)[:, joint]

    def put_arm(self, local: FloatArray, world: WorldTransforms, side: str, hand: HandTrack) -> None:
        """Write the arm's rotations ``(n, joints, 4)`` that bring a hand to its track, on a trunk as it is."""
        joints = tuple(self.skeleton.humanoid[f"{side}{bone}"] for bone in ("UpperArm", "LowerArm", "Hand"))
        limb = limb_of(self.skeleton, *joints)
        above = int(self.skeleton.parents[joints[0]])
        parent, parent_turn = world.positions[:, above], world.rotations[:, above]
        shoulder = parent + rot.rotate(parent_turn, limb.base_offset)
        axis = hand.wrist - shoulder
        far = np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
        axis /= far
        wrist = shoulder + self.arm_m * yielding(far / self.arm_m) * axis
        bend = hand.pole - np.sum(hand.pole * axis, axis=1, keepdims=True) * axis
        bend /= np.maximum(np.linalg.norm(bend, axis=1, keepdims=True), 1e-9)
        back = rot.conjugate(parent_turn)
        limb = replace(limb, reference_axis=rot.rotate(back, axis), reference_bend=rot.rotate(back, bend))
        own = t_pose_world(self.skeleton)[1][joints[2]]
        turn = parent_turn if hand.turn is None else rot.multiply(hand.turn, own)
        solved = solve_limbs(limb, parent, parent_turn, wrist, turn)
        if hand.turn is None:
            mid, end = solved.mid, np.broadcast_to(self._relaxed_local[joints[2]], solved.end.shape)
        else:
            mid, end = _shared_twist(solved.mid, solved.end, limb.lower_offset)
        for joint, values in zip(joints, (solved.base, mid, end), strict=True):
            local[:, joint] = values

    def _bend_toes(self, local: FloatArray, side: str, toes: FloatArray) -> None:
        joint = self.skeleton.humanoid[f"{side}Toes"]
        anatomical = rot.identity((len(local), len(self.skeleton)))
        anatomical[:, joint] = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -toes)
        local[:, joint] = local_rotations(self.skeleton, anatomical)[:, joint]


_YX = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def yielding(far: FloatArray) -> FloatArray:
    """Distance over a limb's length, held back smoothly before the limb is straight (where it would snap)."""
    room = _STRAIGHT - EXACT
    return np.where(far < EXACT, far, EXACT + room * np.tanh((far - EXACT) / room))


def _shared_twist(mid: FloatArray, end: FloatArray, bone: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The hand's turn about the forearm, shared between forearm and wrist; neither place nor hand changes."""
    _, twist = rot.swing_twist(rot.conjugate(end), bone)
    part = rot.exp(-_PRONATION * rot.log(twist))
    return rot.multiply(mid, part), rot.multiply(rot.conjugate(part), end)


def hand_turn(side: str, fingers: FloatArray, palm: FloatArray) -> FloatArray:
    """Turn ``(n, 4)`` of a hand away from the T-pose whose fingers and palm look along the given directions."""
    sign = 1.0 if side == "left" else -1.0
    x = sign * fingers / np.linalg.norm(fingers, axis=-1, keepdims=True)
    y = -(palm - np.sum(palm * x, axis=-1, keepdims=True) * x)
    y = y / np.linalg.norm(y, axis=-1, keepdims=True)
    return rot.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
