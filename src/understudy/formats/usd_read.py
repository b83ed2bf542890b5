"""Motions from UsdSkel skeletons.

The rest pose is the bind pose, as for glTF; bone lengths come from the animation, or the rest transforms.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from pxr import Tf, Usd, UsdGeom, UsdSkel

from understudy import rotations as rot
from understudy.core.humanoid import ROLES
from understudy.core.motion import Motion, Origin
from understudy.core.recognition import humanoid_from_mapping, humanoid_of
from understudy.core.skeleton import Skeleton
from understudy.errors import FormatError, MotionError, OptionError, SkeletonError
from understudy.formats.gltf_animation import frame_grid
from understudy.formats.options import ReadOptions
from understudy.formats.usd_write import NOTES_KEY
from understudy.typing import FloatArray

#: Joints times frames a file may ask for.
_MOST_VALUES = 10_000_000

_STILL_M = 1e-4


def read_stage(path: Path, options: ReadOptions) -> list[Motion]:
    """Every skeleton's motion; see :func:`understudy.formats.usd.read`."""
    # USD reports a missing file as a parse error, so ask the file system first.
    path.stat()
    try:
        stage = Usd.Stage.Open(str(path))
    except Tf.ErrorException as error:
        raise FormatError("cannot be opened as USD", path=path) from error
    found = [UsdSkel.Skeleton(prim) for prim in stage.Traverse() if prim.IsA(UsdSkel.Skeleton)]
    if not found:
        raise FormatError("holds no UsdSkel skeleton", path=path)
    cache = UsdSkel.Cache()
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.Root):
            cache.Populate(UsdSkel.Root(prim), Usd.PrimDefaultPredicate)
    motions = []
    for skeleton in found:
        try:
            motions.append(_motion(stage, cache.GetSkelQuery(skeleton), path, options))
        except (SkeletonError, MotionError, OptionError) as error:
            raise FormatError(f"{skeleton.GetPath()}: {error}", path=path) from error
    return motions


def _motion(stage: Any, query: Any, path: Path, options: ReadOptions) -> Motion:
    if not query or not query.HasBindPose():
        raise FormatError("a skeleton has no joints or no bind transforms", path=path)
    prim = query.GetSkeleton().GetPrim()
    notes = prim.GetCustomDataByKey(NOTES_KEY) or {}
    unit = options.unit_m or UsdGeom.GetStageMetersPerUnit(stage)
    up = options.up or ("z" if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z else "y")
    codes, fps, remarks = _codes(stage, query, options, notes, path)
    local = np.stack([_matrices(query.ComputeJointLocalTransforms(code)) for code in codes])
    placed = np.stack([_matrices([_world(prim, code)])[0] for code in codes])
    turn = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -np.pi / 2) if up == "z" else rot.identity()
    scale = float(np.cbrt(np.linalg.det(placed[0, :3, :3])))
    rotations = _rotations(local)
    roots = placed @ local[:, 0]
    rotations[:, 0] = rot.multiply(turn, _rotations(roots))
    skeleton = _skeleton(query, notes, local[:, :, :3, 3] * scale * unit, turn, unit, options, remarks)
    origin = Origin(
        path=path,
        format="usd",
        unit_m=unit,
        unit_guessed=not UsdGeom.StageHasAuthoredMetersPerUnit(stage),
        up=up,
        notes=tuple(remarks),
    )
    return Motion(
        skeleton=skeleton,
        fps=fps,
        root_positions=rot.rotate(turn, roots[:, :3, 3]) * unit,
        rotations=rot.continuous(rotations),
        name=str(notes.get("name") or prim.GetParent().GetName()),
        origin=origin,
    )


def _codes(
    stage: Any, query: Any, options: ReadOptions, notes: dict[str, Any], path: Path
) -> tuple[list[Any], float, list[str]]:
    """Time codes to read, frames per second, and remarks."""
    animation = query.GetAnimQuery()
    samples = animation.GetJointTransformTimeSamples() if animation else []
    if not samples:
        remark = "nothing animates this skeleton; its rest pose is the only frame"
        return [Usd.TimeCode.Default()], options.fps or 30.0, [remark]
    rate = stage.GetTimeCodesPerSecond()
    grid = frame_grid(np.array(samples) / rate, fps=options.fps, most=_MOST_VALUES // len(query.GetJointOrder()))
    if grid is None:
        raise FormatError("its animation is too long to read", path=path)
    fps, noted = grid.fps, notes.get("fps")
    if isinstance(noted, float) and abs(noted - fps) < 1e-3 * fps and options.fps is None:
        fps = noted
    remarks = [] if grid.is_keyed or options.fps else [f"keys are sparse or uneven; sampled at {fps:g} fps"]
    codes = grid.times_s * rate
    # Time codes within rounding of a sample are that sample, so that no interpolation happens.
    nearest = np.array(samples)[np.clip(np.searchsorted(samples, codes - 1e-3), 0, len(samples) - 1)]
    codes = np.where(np.abs(nearest - codes) < 1e-3, nearest, codes)
    return [Usd.TimeCode(float(code)) for code in codes], fps, remarks


def _world(prim: Any, code: Any) -> Any:
    return UsdGeom.Imageable(prim).ComputeLocalToWorldTransform(code)


def _matrices(found: Any) -> FloatArray:
    """``(n, 4, 4)`` for column vectors from USD's row-vector matrices."""
    matrices = np.array([np.array(matrix) for matrix in found], dtype=np.float64)
    if matrices.ndim != 3 or not np.isfinite(matrices).all():
        raise MotionError("its joint transforms are missing or not finite")
    return matrices.transpose(0, 2, 1)


def _rotations(matrices: FloatArray) -> FloatArray:
    linear = matrices[..., :3, :3]
    left, _, right = np.linalg.svd(linear)
    return rot.from_matrix(left @ right)


def _skeleton(
    query: Any,
    notes: dict[str, Any],
    translations: FloatArray,
    turn: FloatArray,
    unit: float,
    options: ReadOptions,
    remarks: list[str],
) -> Skeleton:
    topology = query.GetTopology()
    parents = np.array([topology.GetParent(joint) for joint in range(len(topology))], dtype=np.int64)
    names = _names(query)
    binds = _matrices(query.GetJointWorldBindTransforms())
    world = rot.multiply(turn, _rotations(binds))
    rest = world.copy()
    rest[1:] = rot.multiply(rot.conjugate(world[parents[1:]]), world[1:])
    offsets = translations.mean(axis=0)
    for joint in np.flatnonzero(np.ptp(translations, axis=0).max(axis=-1) > _STILL_M):
        if joint:
            remarks.append(f'joint "{names[joint]}" moves in its parent; its mean offset was kept')
    offsets[0] = rot.rotate(turn, binds[0, :3, 3]) * unit
    tips = np.array(notes.get("tips") or [], dtype=np.float64).reshape(-1, 4)
    skeleton = Skeleton(
        names=tuple(names),
        parents=parents,
        offsets=offsets,
        rest_rotations=rot.normalize(rest),
        tip_joints=tips[:, 0].astype(np.int64),
        tip_offsets=tips[:, 1:] * unit,
    )
    if options.mapping is not None:
        return skeleton.with_humanoid(humanoid_from_mapping(options.mapping, names))
    noted = {role: name for role, name in (notes.get("humanoid") or {}).items() if role in ROLES and name in names}
    if noted:
        return skeleton.with_humanoid({role: names.index(name) for role, name in noted.items()})
    return skeleton.with_humanoid(humanoid_of(names, parents.tolist(), skeleton.rest_world[0]))


def _names(query: Any) -> list[str]:
    paths = [str(token) for token in query.GetJointOrder()]
    authored = query.GetSkeleton().GetJointNamesAttr().Get()
    if authored and len(authored) == len(paths) and len(set(authored)) == len(paths):
        return [str(name) for name in authored]
    short = [path.rsplit("/", 1)[-1] for path in paths]
    return short if len(set(short)) == len(short) else paths
