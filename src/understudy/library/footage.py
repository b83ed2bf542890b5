"""Footage: every frame of a library's takes on one skeleton, one take after another.

Numbers are rounded to 32 bits when footage is made, so a library gives the same motion before it was saved and after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import MotionError
from understudy.kinematics import WorldTransforms, estimated_hinge, motion_world
from understudy.library.scratch import BLOCK, MEMORY, Scratch, blocks
from understudy.library.tables import FootageTable, LegTable
from understudy.typing import BoolArray, FloatArray, IntArray

SIDES = ("left", "right")
#: [m^2] mean of thigh x shank below which a leg is said to be straight throughout.
_LEAST_BEND_M2 = 1e-4


@dataclass(frozen=True, kw_only=True)
class Take:
    """One recording, or a variant made of it.

    Attributes:
        name: Name of the clip it came from.
        source: Number of the motion given to ``build_library``.
        kind: Where that clip came from: ``"recorded"``, ``"performer"`` or ``"made"``; see ``Origin.kind``.
        mirrored: Whether it is the mirror image.
        bend_radps: How fast it was bent [rad/s]; 0 for recordings.
    """

    name: str
    source: int
    kind: str = "recorded"
    mirrored: bool = False
    bend_radps: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Footage:
    """All frames.

    Attributes:
        skeleton: Who moves.
        fps: Frames per second.
        takes: What was recorded.
        starts: ``(takes + 1,)`` first frame of every take, and the number of frames.
        root_positions: ``(frames, 3)`` [m].
        rotations: ``(frames, joints, 4)`` wxyz.
        planted: ``(frames, 2)`` whether the left and the right foot stand.
        scratch: Where what is made of all frames lies.
    """

    skeleton: Skeleton
    fps: float
    takes: tuple[Take, ...]
    starts: IntArray
    root_positions: npt.NDArray[np.float32]
    rotations: npt.NDArray[np.float32]
    planted: BoolArray
    scratch: Scratch = MEMORY

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.root_positions)

    def bounds(self) -> list[tuple[int, int]]:
        """``(first, stop)`` frames of every take."""
        return list(pairwise(self.starts.tolist()))

    def take_of(self, frames: npt.ArrayLike) -> IntArray:
        """The take every frame belongs to."""
        return np.searchsorted(self.starts, np.asarray(frames), side="right") - 1

    def motion(self, first: int, stop: int, *, name: str = "") -> Motion:
        """Frames ``first`` up to, not including, ``stop``."""
        return self.gathered(np.arange(first, stop), name=name)

    def gathered(self, frames: IntArray, *, name: str = "") -> Motion:
        """A motion of any frames in any order."""
        if len(frames) == 0 or frames.min() < 0 or frames.max() >= len(self):
            raise MotionError(f"frames have to lie in 0..{len(self) - 1}")
        return Motion(
            skeleton=self.skeleton,
            fps=self.fps,
            root_positions=self.root_positions[frames].astype(np.float64),
            rotations=self.rotations[frames].astype(np.float64),
            name=name,
        )

    @cached_property
    def world(self) -> WorldTransforms:
        """World transforms of every joint in every frame."""
        frames, joints = self.rotations.shape[:2]
        positions, rotations = self.scratch.empty((frames, joints, 3)), self.scratch.empty((frames, joints, 4))
        for part in blocks(frames, self.scratch):
            positions[part], rotations[part] = motion_world(self.motion(part.start, part.stop))
        return WorldTransforms(positions, rotations)

    @cached_property
    def feet(self) -> FloatArray:
        """``(frames, 2, 3)`` [m] middle of every foot, between ankle and ball; left, then right."""
        return 0.5 * (self.foot_ends[:, :, 0] + self.foot_ends[:, :, 1])

    @cached_property
    def foot_ends(self) -> FloatArray:
        """``(frames, 2, 2, 3)`` [m] ankle and ball of the left and the right foot."""
        at = [foot_ends(self.skeleton, self.world.positions[part]) for part in blocks(len(self), self.scratch)]
        return np.concatenate(at)

    @cached_property
    def table(self) -> FootageTable:
        """The same for kernels."""
        ends, world = self.foot_ends, self.world
        ankles = [ankle for ankle, _ in foot_joints(self.skeleton)]
        soles = ends[:, :, 1] - ends[:, :, 0]
        return FootageTable(
            roots=self.root_positions.astype(np.float64),
            rotations=self._wide_rotations(),
            ankles=np.ascontiguousarray(ends[:, :, 0]),
            ankle_turns=np.concatenate([world.rotations[part][:, ankles] for part in blocks(len(self), self.scratch)]),
            middles=self.feet,
            headings=np.arctan2(soles[..., 0], soles[..., 2]),
            planted=np.ascontiguousarray(self.planted),
        )

    def _wide_rotations(self) -> FloatArray:
        """The rotations in 64 bits."""
        out = self.scratch.empty(self.rotations.shape)
        for part in blocks(len(self), self.scratch):
            out[part] = self.rotations[part]
        return out

    @cached_property
    def legs(self) -> LegTable:
        """Both legs, with the hinges their knees bend about over all frames."""
        return legs_of(self)


def legs_of(footage: Footage) -> LegTable:
    """Both legs of a humanoid; knees bend about the mean of thigh x shank, seen from the joint above the knee."""
    skeleton = footage.skeleton
    rows, joints, hinges = [], [], []
    for side in SIDES:
        roles = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
        hip, knee, ankle = (skeleton.humanoid[role] for role in roles)
        chain = [ankle]
        while skeleton.parents[chain[-1]] > 0:
            chain.append(int(skeleton.parents[chain[-1]]))
        normal = _bends(footage, (hip, knee, ankle)).mean(axis=0)
        # A leg that never bends has its rest pose's hinge.
        hinge = (
            normal
            if np.linalg.norm(normal) > _LEAST_BEND_M2
            else estimated_hinge(footage.motion(0, min(len(footage), BLOCK)), roles)
        )
        rows.append(chain[::-1])
        joints.append((hip, knee, ankle))
        hinges.append(hinge / np.linalg.norm(hinge))
    width = max(len(row) for row in rows)
    return LegTable(
        parents=np.ascontiguousarray(skeleton.parents, dtype=np.int64),
        offsets=np.ascontiguousarray(skeleton.offsets, dtype=np.float64),
        chains=np.array([row + [-1] * (width - len(row)) for row in rows], dtype=np.int64),
        knees=np.array(joints, dtype=np.int64),
        hinges=np.array(hinges),
    )


def _bends(footage: Footage, leg: tuple[int, int, int]) -> FloatArray:
    """``(frames, 3)`` thigh x shank, seen from the joint above the knee [m^2]."""
    out, world = np.empty((len(footage), 3)), footage.world
    hip, knee, ankle = leg
    above = footage.skeleton.parents[knee]
    for part in blocks(len(out), footage.scratch):
        at = world.positions[part]
        normals = np.cross(at[:, knee] - at[:, hip], at[:, ankle] - at[:, knee])
        out[part] = rot.rotate(rot.conjugate(world.rotations[part, above]), normals)
    return out


def foot_joints(skeleton: Skeleton) -> list[tuple[int, int]]:
    """Ankle and ball of the left and the right foot; the ankle twice where a skeleton has no toes."""
    roles = skeleton.humanoid
    return [(roles[f"{side}Foot"], roles.get(f"{side}Toes", roles[f"{side}Foot"])) for side in SIDES]


def foot_ends(skeleton: Skeleton, positions: FloatArray) -> FloatArray:
    """``(frames, 2, 2, 3)`` [m] ankle and ball of both feet, out of joints' world positions."""
    return np.asarray(positions[:, np.array(foot_joints(skeleton))])


def spliced(
    skeleton: Skeleton,
    fps: float,
    takes: Sequence[Take],
    motions: Sequence[Motion],
    planted: Sequence[BoolArray],
    *,
    scratch: Scratch = MEMORY,
) -> Footage:
    """Footage of motions that already share skeleton and frame rate."""
    starts = np.concatenate([[0], np.cumsum([len(motion) for motion in motions])]).astype(np.int64)
    roots = scratch.empty((int(starts[-1]), 3), np.float32)
    rotations = scratch.empty((int(starts[-1]), len(skeleton), 4), np.float32)
    for first, motion in zip(starts.tolist(), motions, strict=False):
        frames = slice(first, first + len(motion))
        roots[frames], rotations[frames] = motion.root_positions, motion.rotations
        scratch.release()
    return Footage(
        skeleton=skeleton,
        fps=fps,
        takes=tuple(takes),
        starts=starts,
        root_positions=roots,
        rotations=rotations,
        planted=np.concatenate(planted),
        scratch=scratch,
    )


def joined(first: Footage, second: Footage) -> Footage:
    """Two footages of one skeleton, one after the other."""
    return Footage(
        skeleton=first.skeleton,
        fps=first.fps,
        takes=(*first.takes, *second.takes),
        starts=np.concatenate([first.starts, first.starts[-1] + second.starts[1:]]),
        root_positions=np.concatenate([first.root_positions, second.root_positions]),
        rotations=np.concatenate([first.rotations, second.rotations]),
        planted=np.concatenate([first.planted, second.planted]),
        scratch=first.scratch,
    )
