"""Centre of mass and momentum of a body of rigid segments, one segment per joint.

Every function takes the segments as plain arrays, as ``Body.masses``, ``Body.coms`` and ``Body.inertias``:

- ``masses`` ``(joints,)`` [kg];
- ``coms`` ``(joints, 3)`` [m], each segment's centre of mass in its joint's frame;
- ``inertias`` ``(joints, 3, 3)`` [kg m^2], about that centre, in the joint's axes.

Tangents are those of ``jacobian.py``. Angular momentum is always about the whole body's centre of mass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError
from understudy.kinematics._inputs import checked, frozen
from understudy.kinematics.forward import WorldTransforms, motion_world, point_positions
from understudy.kinematics.jacobian import tangent_size
from understudy.typing import FloatArray


class MomentumSeries(NamedTuple):
    """Momentum over time.

    Attributes:
        centres: ``(frames, 3)`` [m] centre of mass.
        linear: ``(frames, 3)`` [kg m/s].
        angular: ``(frames, 3)`` [kg m^2/s] about the centre of mass.
    """

    centres: FloatArray
    linear: FloatArray
    angular: FloatArray


def centre_of_mass(world: WorldTransforms, masses: npt.ArrayLike, coms: npt.ArrayLike) -> FloatArray:
    """Centre of mass ``(3,)`` of one pose or ``(frames, 3)`` of many [m]."""
    weights = _checked_masses(masses, world.positions.shape[-2])
    centres = point_positions(world, np.arange(len(weights)), coms)
    return np.asarray(np.einsum("j,...ji->...i", weights, centres) / weights.sum())


def com_jacobian(skeleton: Skeleton, world: WorldTransforms, masses: npt.ArrayLike, coms: npt.ArrayLike) -> FloatArray:
    """Jacobian ``(3, 3 + 3 joints)`` of the centre of mass [m]."""
    none = np.zeros((len(skeleton), 3, 3))
    matrix = centroidal_momentum_matrix(skeleton, world, masses, coms, none)
    return np.asarray(matrix[:3] / np.sum(masses))


def centroidal_momentum_matrix(
    skeleton: Skeleton,
    world: WorldTransforms,
    masses: npt.ArrayLike,
    coms: npt.ArrayLike,
    inertias: npt.ArrayLike,
) -> FloatArray:
    """Matrix ``(6, 3 + 3 joints)`` that takes a tangent to ``[linear; angular]`` momentum.

    Linear momentum [kg m/s], angular momentum about the centre of mass [kg m^2/s], world axes (Orin and
    Goswami 2008, with the linear part first).

    Raises:
        OptionError: Shapes that do not fit, negative masses, or no mass at all.
    """
    from understudy.kinematics._kernels import centroidal_map

    count = len(skeleton)
    if world.positions.shape != (count, 3):
        raise OptionError(f"one pose's transforms ({count}, 3) are needed; got {world.positions.shape}")
    out = np.empty((6, tangent_size(skeleton)))
    centroidal_map(
        skeleton.parents,
        frozen(world.positions),
        frozen(world.rotations),
        _checked_masses(masses, count),
        checked(coms, (count, 3), "coms"),
        checked(inertias, (count, 3, 3), "inertias"),
        np.empty(3),
        out,
    )
    return out


def momentum_over_time(
    motion: Motion, masses: npt.ArrayLike, coms: npt.ArrayLike, inertias: npt.ArrayLike
) -> MomentumSeries:
    """Centre of mass and momentum in every frame, velocities by central differences.

    The first and last frame use the difference to their only neighbour; a single frame is at rest.
    """
    world = motion_world(motion)
    count = len(motion.skeleton)
    weights = _checked_masses(masses, count)
    tensors = checked(inertias, (count, 3, 3), "inertias")
    segments = point_positions(world, np.arange(count), coms)
    velocities = _rates(segments, motion.fps)
    spins = rot.angular_velocity(world.rotations, motion.fps)
    total = weights.sum()
    centres = np.einsum("j,fji->fi", weights, segments) / total
    linear = np.einsum("j,fji->fi", weights, velocities)
    orbital = np.cross(segments - centres[:, None], velocities - (linear / total)[:, None])
    # I_world w = R I_local R^T w, without ever forming I_world.
    local_spins = rot.rotate(rot.conjugate(world.rotations), spins)
    own = rot.rotate(world.rotations, np.einsum("jik,fjk->fji", tensors, local_spins))
    angular = np.einsum("j,fji->fi", weights, orbital) + own.sum(axis=1)
    return MomentumSeries(centres, linear, angular)


def _rates(values: FloatArray, fps: float) -> FloatArray:
    if len(values) < 2:
        return np.zeros_like(values)
    return np.asarray(np.gradient(values, 1.0 / fps, axis=0))


def _checked_masses(masses: npt.ArrayLike, count: int) -> FloatArray:
    weights = checked(masses, (count,), "masses")
    if weights.min() < 0.0 or weights.sum() <= 0.0:
        raise OptionError(f"masses must not be negative and must not all be zero; the least is {weights.min():g} kg")
    return weights
