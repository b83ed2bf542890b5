"""What the spacetime stage makes small: changes of momentum, of who is near whom, and of the motion itself (M2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.planning import Options, limited
from understudy.kinematics import centroidal_momentum_matrix
from understudy.kinematics.forward import WorldTransforms
from understudy.postures.spacetime.banded import Blocks
from understudy.postures.spacetime.frames import Knot
from understudy.postures.spacetime.laplacian import laplacian_matrix
from understudy.typing import FloatArray

#: [m] how far a body's mass may move, and Laplacian coordinates may change, to cost as much as the motion's momentum.
_MOVE_M, _LAPLACIAN_M = 0.04, 0.02
#: [m] the short arm: what turns without moving mass, such as a wrist, must not turn for nothing.
_ARM_M = 0.05
#: How much the second difference of the change weighs against the change itself.
_EVEN = 4.0


@dataclass(frozen=True, kw_only=True)
class SpacetimeOptions(Options):
    """How a motion is refined over all its frames at once.

    Attributes:
        laplacian: Weight of who is near whom.
        angular: Weight of changes of angular momentum.
        linear: Weight of changes of linear momentum.
        stay: Weight of the change itself.
        iterations: Most linearisations.
        knots_hz: Knots of the change a second.
        gap_m: Gap the refined motion keeps [m], where the motion given keeps it too.
    """

    laplacian: float = limited(0.02, low=0.0, high=1e6)
    angular: float = limited(0.2, low=0.0, high=1e6)
    linear: float = limited(0.2, low=0.0, high=1e6)
    stay: float = limited(0.05, low=1e-6, high=1e6)
    iterations: int = limited(12, low=1, high=1000)
    knots_hz: float = limited(24.0, low=2.0, high=240.0, unit="Hz")
    gap_m: float = limited(0.002, low=0.0, high=0.1, unit="m")


@dataclass(frozen=True, eq=False, kw_only=True)
class Objective:
    """The energy of a motion's knots.

    Attributes:
        body: Who moves.
        step_s: Time between knots [s].
        laplacians: ``(knots, joints, joints)`` matrices of Laplacian coordinates.
        wanted: ``(knots, joints, 3)`` Laplacian coordinates of the motion given [m].
        scales: Mean square changes of linear and angular momentum of the motion given.
        options: The weights.
    """

    body: Body
    step_s: float
    laplacians: FloatArray
    wanted: FloatArray
    scales: tuple[float, float]
    options: SpacetimeOptions

    @classmethod
    def around(cls, body: Body, knots: list[Knot], step_s: float, options: SpacetimeOptions) -> Objective:
        """The energy that measures changes against these knots."""
        matrices = np.stack([laplacian_matrix(knot.positions) for knot in knots])
        wanted = np.einsum("kij,kjd->kid", matrices, np.stack([knot.positions for knot in knots]))
        changes = np.diff(momenta(body, knots, step_s), axis=0)
        linear, angular = (float(max((part**2).sum(axis=1).mean(), 1e-9)) for part in (changes[:, :3], changes[:, 3:]))
        return cls(
            body=body,
            step_s=step_s,
            laplacians=matrices,
            wanted=wanted,
            scales=(linear, angular),
            options=options,
        )

    def value(self, knots: list[Knot], change: FloatArray) -> float:
        """Energy of knots that a change ``(knots, size)`` led to."""
        total = 0.0
        for k, knot in enumerate(knots):
            moved = knot.joint_rows @ change[k]
            total += self._stay * float((self._masses[:, None] * moved**2).sum())
            total += self._stay * float(((self._turn_scale(len(change[k])) @ change[k]) ** 2).sum())
            off = self.laplacians[k] @ knot.positions - self.wanted[k]
            total += self._laplacian * float((off**2).sum())
        total += sum(self._stay * _EVEN * float((row**2).sum()) for row in self._second(change))
        changes = np.diff(momenta(self.body, knots, self.step_s), axis=0)
        total += self._linear * float((changes[:, :3] ** 2).sum())
        return total + self._angular * float((changes[:, 3:] ** 2).sum())

    def blocks(self, knots: list[Knot], change: FloatArray) -> Blocks:
        """The energy of a further change, to second order."""
        size = change.shape[1]
        out = Blocks.zeros(len(knots), size)
        spread = self._turn_scale(size)
        for k, knot in enumerate(knots):
            rows = (np.sqrt(self._masses)[:, None, None] * knot.joint_rows).reshape(-1, size)
            out.add(k, [rows], rows @ change[k], self._stay)
            out.add(k, [spread], spread @ change[k], self._stay)
            pulled = np.einsum("ij,jdc->idc", self.laplacians[k], knot.joint_rows).reshape(-1, size)
            off = (self.laplacians[k] @ knot.positions - self.wanted[k]).ravel()
            out.add(k, [pulled], off, self._laplacian)
        scale = self._turn_scale(size)
        for k, row in enumerate(self._second(change)):
            out.add(k, [scale, -2.0 * scale, scale], row, self._stay * _EVEN)
        changes = np.diff(momenta(self.body, knots, self.step_s), axis=0)
        for k in range(len(knots) - 2):
            near = [knots[k].momentum, -2.0 * knots[k + 1].momentum, knots[k + 2].momentum]
            for part, weight in ((slice(0, 3), self._linear), (slice(3, 6), self._angular)):
                out.add(k, [row[part] / self.step_s for row in near], changes[k, part], weight)
        return out

    @property
    def _masses(self) -> FloatArray:
        """``(joints,)`` shares of the body's mass."""
        return np.asarray(self.body.masses / self.body.masses.sum())

    @property
    def _stay(self) -> float:
        return self.options.stay / _MOVE_M**2

    @property
    def _laplacian(self) -> float:
        return self.options.laplacian / (len(self.body.masses) * _LAPLACIAN_M**2)

    @property
    def _linear(self) -> float:
        return self.options.linear / self.scales[0]

    @property
    def _angular(self) -> float:
        return self.options.angular / self.scales[1]

    def _turn_scale(self, size: int) -> FloatArray:
        """Metres for coordinates: an angle counts at least like the same angle at a short arm."""
        return np.diag(np.concatenate([np.full(3, _ARM_M), np.full(size - 3, _ARM_M)]))

    def _second(self, change: FloatArray) -> FloatArray:
        """``(knots - 2, size)`` second differences of a change, in metres."""
        return np.asarray((change[:-2] - 2.0 * change[1:-1] + change[2:]) @ self._turn_scale(change.shape[1]))


def momenta(body: Body, knots: list[Knot], step_s: float) -> FloatArray:
    """``(knots - 1, 6)`` linear [kg m/s] and angular [kg m^2/s] momentum from each knot to the next."""
    out = np.empty((len(knots) - 1, 6))
    parents = body.skeleton.parents
    for k, (one, two) in enumerate(pairwise(knots)):
        rate = np.empty(3 + 3 * len(parents))
        rate[:3] = (two.positions[0] - one.positions[0]) / step_s
        spins = rot.log(rot.multiply(two.rotations, rot.conjugate(one.rotations))) / step_s
        relative = spins - np.where((parents >= 0)[:, None], spins[parents], 0.0)
        total = np.zeros(6)
        for end in (one, two):
            rate[3:] = rot.rotate(rot.conjugate(end.rotations), relative).ravel()
            world = WorldTransforms(end.positions, end.rotations)
            total += centroidal_momentum_matrix(body.skeleton, world, body.masses, body.coms, body.inertias) @ rate
        out[k] = 0.5 * total
    return out
