"""A character whose motion can be edited: a smooth base, freedoms with their splines, and clips to blend in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.errors import OptionError, PlanningInputError, nearest_name
from understudy.interaction._curve_kernels import Player
from understudy.interaction.freedoms import Freedoms, freedoms
from understudy.interaction.planting import Foot, nearly_down, stances
from understudy.interaction.smoothing import CUTOFF_HZ, pieces, smoothed
from understudy.kinematics.forward import WorldTransforms
from understudy.scene.body_parts import joint_index, part_name
from understudy.typing import FloatArray

#: Control points lie this far apart [s]: 12 frames of a recording at 120 fps.
SPACING_S = 0.1
#: Share of plain size in what a change costs; the rest is its second difference.
_PLAIN = 0.05
#: What bending a standing leg costs more.
_STANDING = 5.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Implement:
    """A stiff capsule held by a joint: a bat, a racket's frame.

    Attributes:
        name: Called like a body part, ``"anna.bat"``.
        joint: Role or name of the joint that carries it.
        start: ``(3,)`` one end of its axis in the joint's frame [m].
        end: ``(3,)`` the other end.
        radius_m: Its radius.
        second: Role of another hand that holds it too, or nothing.
        second_deg: How far that hand is turned about it against how the clip has it [degrees].
    """

    name: str
    joint: str
    start: FloatArray
    end: FloatArray
    radius_m: float
    second: str = ""
    second_deg: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Blend:
    """A clip that can be mixed in: its displacement from the base at weight 1, faded in and out.

    Attributes:
        name: A short label.
        root: ``(frames, 3)`` displacement of the root [m].
        turns: ``(frames, joints, 3)`` rotation vectors, each in its joint's own frame [rad].
        unwilling: What a weight of 1 costs, squared; small, so that a weight takes large changes.
    """

    name: str
    root: FloatArray
    turns: FloatArray
    unwilling: float = 0.02


@dataclass(frozen=True, eq=False, kw_only=True)
class Actor:
    """A character to edit.

    Attributes:
        name: Unique in a play, without dots.
        motion: Where it starts from, standing where it belongs in the world.
        body: Its capsules and limits; fitted to the skeleton unless given.
        groups: Joints that may move, see :func:`understudy.interaction.freedoms.freedoms`.
        scale: Factors of their unwillingness.
        implements: Stiff things in its hands.
        blends: Clips that can be mixed in.
        references: Further clips that show how such a thing is done; sources for the judge.
        spacing_s: Between control points [s].
        cutoff_hz: The base keeps nothing faster than this.
    """

    name: str
    motion: Motion
    body: Body | None = None
    groups: tuple[str, ...] = ("arms", "trunk", "root")
    scale: Mapping[str, float] = field(default_factory=dict)
    implements: tuple[Implement, ...] = ()
    blends: tuple[Blend, ...] = ()
    references: tuple[Motion, ...] = ()
    spacing_s: float = SPACING_S
    cutoff_hz: float = CUTOFF_HZ

    def __post_init__(self) -> None:
        """Check what can be checked before the first edit."""
        if not self.name or "." in self.name:
            raise PlanningInputError(f"actor name {self.name!r}: names are not empty and hold no dot")
        if not 0.02 <= self.spacing_s <= 1.0:
            raise OptionError(f'actor "{self.name}": spacing_s is {self.spacing_s}; allowed: 0.02..1 s')
        self.motion.skeleton.require_humanoid()
        for blend in self.blends:
            if blend.turns.shape != (len(self.motion), len(self.motion.skeleton), 3):
                raise PlanningInputError(
                    f'actor "{self.name}": blend "{blend.name}" has {len(blend.turns)} frames, its motion '
                    f"{len(self.motion)}; make blends with understudy.interaction.blending"
                )

    @cached_property
    def fitted_body(self) -> Body:
        """The body given, or one fitted to the skeleton."""
        return self.body if self.body is not None else fit_body(self.motion.skeleton)

    @cached_property
    def stances(self) -> dict[str, Foot]:
        """When each foot stands, by its side."""
        return stances(self.motion)

    @property
    def sources(self) -> tuple[Motion, ...]:
        """Every clip the judge compares its motion with."""
        return (self.motion, *self.references)

    @cached_property
    def freedoms(self) -> Freedoms:
        """Axes and unwillingness of everything that may move."""
        found = freedoms(self.motion.skeleton, self.groups, scale=self.scale)
        if len(found) == 0 and not self.blends:
            raise OptionError(f'actor "{self.name}": an edit needs a joint that may move, or a clip to blend in')
        return found

    @property
    def spans(self) -> int:
        """Intervals of the control splines."""
        return max(1, int(np.ceil(self.motion.duration_s / self.spacing_s)))

    @cached_property
    def base(self) -> Motion:
        """The smooth motion that displacements are added to."""
        roots, turns = smoothed(self.motion, cutoff_hz=self.cutoff_hz)
        return replace(self.motion, root_positions=roots, rotations=rot.continuous(turns))

    @cached_property
    def player(self) -> Player:
        """Arrays for kernels, with control points and weights of zero."""
        skeleton, base = self.motion.skeleton, self.base
        chains = [skeleton.chain(0, joint) for joint in range(len(skeleton))]
        padded = np.full((len(chains), max(map(len, chains))), -1, dtype=np.int64)
        for joint, chain in enumerate(chains):
            padded[joint, : len(chain)] = chain
        frames, fps = len(base), base.fps
        count = len(self.blends)
        turn = np.zeros((count, frames - 1, 4, len(skeleton), 3))
        root = np.zeros((count, frames - 1, 4, 3))
        for b, blend in enumerate(self.blends):
            turn[b], root[b] = pieces(blend.turns, fps), pieces(blend.root, fps)
        return Player(
            fps=fps,
            offsets=np.array(skeleton.offsets),
            chains=padded,
            depths=np.array([len(chain) for chain in chains], dtype=np.int64),
            root_base=pieces(base.root_positions, fps),
            turn_base=pieces(base.rotations, fps),
            dof_axes=self.freedoms.axes,
            dof_starts=self.freedoms.starts.astype(np.int64),
            knots=np.zeros((len(self.freedoms), self.spans + 3)),
            spacing_s=float(self.spacing_s),
            spans=self.spans,
            blend_root=root,
            blend_turn=turn,
            weights=np.zeros(count),
        )

    @cached_property
    def cost_inverses(self) -> dict[str, FloatArray]:
        """``(K, K)`` inverse of what a change of one freedom's control points costs, before its unwillingness.

        By ``"left"`` and ``"right"`` for the legs, dear to bend while their foot stands, and by ``""`` for all else.
        """
        matrices = {"": self._cost}
        knots_s = np.clip((np.arange(self.spans + 3) - 1.0) * self.spacing_s, 0.0, self.motion.duration_s)
        for side in ("left", "right"):
            stands = np.interp(knots_s, self.motion.times_s, nearly_down(self.stances[side], self.motion.fps))
            matrices[side] = self._cost + np.diag(_STANDING * stands)
        return {side: np.asarray(np.linalg.inv(matrix), dtype=np.float64) for side, matrix in matrices.items()}

    @cached_property
    def dof_sides(self) -> tuple[str, ...]:
        """For every freedom the side of the leg it bends, or an empty string."""
        skeleton, starts = self.motion.skeleton, self.freedoms.starts
        legs = {side: set(skeleton.descendants(skeleton.humanoid[f"{side}UpperLeg"])) for side in ("left", "right")}
        sides = []
        for joint in range(len(skeleton) + 1):
            side = next((side for side, joints in legs.items() if joint in joints), "")
            sides += [side] * int(starts[joint + 1] - starts[joint])
        return tuple(sides)

    @cached_property
    def _cost(self) -> FloatArray:
        count = self.spans + 3
        second = np.diff(np.eye(count), n=2, axis=0)
        # Per second, so that the spacing hardly matters; 0.1 s is where the numbers were chosen.
        smooth = (0.1 / self.spacing_s) ** 3 * second.T @ second
        plain = self.spacing_s / 0.1 * _PLAIN * np.eye(count)
        return np.asarray(plain + smooth, dtype=np.float64)

    def part(self, name: str) -> Part:
        """Joint, ends ``(3,)`` and radius [m] of a body part's capsule or of an implement."""
        for implement in self.implements:
            if implement.name == name:
                joint = joint_index(self.motion.skeleton, implement.joint)
                return joint, np.asarray(implement.start), np.asarray(implement.end), implement.radius_m
        body, wanted = self.fitted_body, part_name(name)
        if wanted not in body.capsule_names:
            known = (*body.capsule_names, *(one.name for one in self.implements))
            raise PlanningInputError(f'"{self.name}" has no part "{name}"; {nearest_name(wanted, known)}')
        k = body.capsule_names.index(wanted)
        ends = body.capsule_starts[k], body.capsule_ends[k]
        return int(body.capsule_joints[k]), np.array(ends[0]), np.array(ends[1]), float(body.capsule_radii[k])

    def with_blends(self, blends: Sequence[Blend]) -> Actor:
        """The same actor with more clips to mix in."""
        return replace(self, blends=(*self.blends, *blends))


#: Joint, ends ``(3,)`` and radius [m] of a body part, see :meth:`Actor.part`.
Part: TypeAlias = tuple[int, FloatArray, FloatArray, float]


def part_ends(world: WorldTransforms, parts: Sequence[Part]) -> FloatArray:
    """World ends ``(n, parts, 2, 3)`` [m] of parts of a body in ``n`` poses."""
    joints = [part[0] for part in parts]
    at, turn = world.positions[:, joints], world.rotations[:, joints]
    ends = [at + rot.rotate(turn, np.array([part[k] for part in parts])) for k in (1, 2)]
    return np.ascontiguousarray(np.stack(ends, axis=2))


def sampled(player: Player, motion: Motion, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Root places ``(n, 3)`` and local rotations ``(n, joints, 4)`` of a player at times."""
    from understudy.interaction._curve_kernels import poses

    roots, turns = np.empty((len(times_s), 3)), np.empty((len(times_s), len(motion.skeleton), 4))
    poses(player, np.ascontiguousarray(times_s, dtype=np.float64), roots, turns)
    return roots, turns
