"""Characters and props as a USD stage: ``UsdSkel`` for the characters, keyed meshes for the props."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Tf, Usd, UsdGeom, UsdShade, UsdSkel, Vt

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.core.skin.body_mesh import body_mesh
from understudy.core.skin.capsule_mesh import SkinMesh
from understudy.errors import FormatError
from understudy.formats.creased_mesh import creased
from understudy.formats.glb_write import CHARACTER_COLORS, inverse_binds
from understudy.formats.options import WriteOptions
from understudy.formats.props import Prop
from understudy.formats.unique_names import unique_names
from understudy.typing import FloatArray, IntArray

#: Where the things USD has no place for are kept on the skeleton.
NOTES_KEY = "understudy"


def write_stage(motions: Sequence[Motion], path: Path, options: WriteOptions, target: Path) -> None:
    """Write characters and props to ``target``; ``path`` is the name to use in messages."""
    # Renaming the layer later must not leave this stage registered under the temporary name.
    stage = Usd.Stage.CreateInMemory()
    rate = motions[0].fps
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    stage.SetStartTimeCode(0.0)
    stage.SetEndTimeCode(max(_last_time(motions, options.props) * rate, 0.0))
    world = UsdGeom.Xform.Define(stage, "/World")
    stage.SetDefaultPrim(world.GetPrim())
    names = identifiers([*(m.name or "character" for m in motions), *(prop.name for prop in options.props)])
    for number, motion in enumerate(motions):
        color = CHARACTER_COLORS[number % len(CHARACTER_COLORS)]
        _write_character(stage, f"/World/{names[number]}", motion, rate, color)
    for name, prop in zip(names[len(motions) :], options.props, strict=True):
        _write_prop(stage, f"/World/{name}", prop, rate, path)
    if not stage.GetRootLayer().Export(str(target)):
        raise FormatError("USD could not write the file", path=path)


def _last_time(motions: Sequence[Motion], props: Iterable[Prop]) -> float:
    return float(max([motion.duration_s for motion in motions] + [prop.times_s[-1] for prop in props]))


def identifiers(names: Iterable[str]) -> tuple[str, ...]:
    """Names USD accepts, unique, as near to the given ones as possible."""
    return unique_names([Tf.MakeValidIdentifier(name) for name in names])


def _joint_paths(skeleton: Skeleton) -> list[str]:
    names = identifiers(skeleton.names)
    paths: list[str] = []
    for joint, parent in enumerate(skeleton.parents):
        paths.append(names[joint] if parent < 0 else f"{paths[parent]}/{names[joint]}")
    return paths


def _write_character(stage: Any, path: str, motion: Motion, rate: float, color: tuple[float, float, float]) -> None:
    root = UsdSkel.Root.Define(stage, path)
    paths = Vt.TokenArray(_joint_paths(motion.skeleton))
    skeleton = _write_skeleton(stage, f"{path}/Skeleton", motion, paths)
    animation = _write_animation(stage, f"{path}/Animation", motion, paths, rate)
    UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    body = body_mesh(fit_body(motion.skeleton))
    mesh = _write_mesh(stage, f"{path}/Body", body.vertices, body.normals, body.faces)
    _bind(mesh, body, skeleton)
    _paint(stage, mesh, f"{path}/Material", color)
    reach = np.stack([body.vertices.min(axis=0), body.vertices.max(axis=0)]) - motion.skeleton.offsets[0]
    # Whatever the pose, the body stays within its size around the path of the root.
    span = np.abs(reach).max() * np.sqrt(3.0)
    low, high = motion.root_positions.min(axis=0) - span, motion.root_positions.max(axis=0) + span
    root.CreateExtentAttr(_points(np.stack([low, high])))


def _write_skeleton(stage: Any, path: str, motion: Motion, paths: Any) -> Any:
    source = motion.skeleton
    skeleton = UsdSkel.Skeleton.Define(stage, path)
    skeleton.CreateJointsAttr(paths)
    skeleton.CreateJointNamesAttr(Vt.TokenArray(list(source.names)))
    # USD multiplies row vectors, so its matrices are the transposes of ours.
    binds = np.linalg.inv(inverse_binds(source)).transpose(0, 2, 1)
    skeleton.CreateBindTransformsAttr(Vt.Matrix4dArray.FromNumpy(np.ascontiguousarray(binds)))
    rest = np.zeros((len(source), 4, 4))
    rest[:, :3, :3] = rot.to_matrix(source.rest_rotations).transpose(0, 2, 1)
    rest[:, 3, :3] = source.offsets
    rest[:, 3, 3] = 1.0
    skeleton.CreateRestTransformsAttr(Vt.Matrix4dArray.FromNumpy(rest))
    prim = skeleton.GetPrim()
    prim.SetCustomDataByKey(f"{NOTES_KEY}:name", motion.name)
    prim.SetCustomDataByKey(f"{NOTES_KEY}:fps", motion.fps)
    for role, joint in source.humanoid.items():
        prim.SetCustomDataByKey(f"{NOTES_KEY}:humanoid:{role}", source.names[joint])
    tips = np.column_stack([source.tip_joints, source.tip_offsets]).ravel()
    prim.SetCustomDataByKey(f"{NOTES_KEY}:tips", Vt.DoubleArray.FromNumpy(tips))
    return skeleton


def _write_animation(stage: Any, path: str, motion: Motion, paths: Any, rate: float) -> Any:
    animation = UsdSkel.Animation.Define(stage, path)
    animation.CreateJointsAttr(paths)
    joints = len(motion.skeleton)
    animation.CreateScalesAttr(Vt.Vec3hArray.FromNumpy(np.ones((joints, 3), dtype=np.float16)))
    translations, rotations = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr()
    offsets = motion.skeleton.offsets.astype(np.float32)
    turns = rot.continuous(motion.rotations)[..., [1, 2, 3, 0]].astype(np.float32)
    for frame, time_s in enumerate(motion.times_s):
        # A shared rate keeps its frames on whole time codes.
        code = float(frame) if motion.fps == rate else float(time_s) * rate
        offsets[0] = motion.root_positions[frame]
        translations.Set(Vt.Vec3fArray.FromNumpy(offsets), code)
        rotations.Set(Vt.QuatfArray.FromNumpy(turns[frame]), code)
    return animation


def _write_mesh(stage: Any, path: str, vertices: FloatArray, normals: FloatArray, faces: IntArray) -> Any:
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreatePointsAttr(_points(vertices))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(faces), 3, dtype=np.int32)))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(faces.ravel().astype(np.int32)))
    mesh.CreateNormalsAttr(_points(normals))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateExtentAttr(_points(np.stack([vertices.min(axis=0), vertices.max(axis=0)])))
    return mesh


def _points(values: FloatArray) -> Any:
    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32))


def _bind(mesh: Any, body: SkinMesh, skeleton: Any) -> None:
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))
    width = body.joints.shape[1]
    joints = binding.CreateJointIndicesPrimvar(False, width)
    joints.Set(Vt.IntArray.FromNumpy(body.joints.ravel().astype(np.int32)))
    binding.CreateJointWeightsPrimvar(False, width).Set(
        Vt.FloatArray.FromNumpy(body.weights.ravel().astype(np.float32))
    )


def _paint(stage: Any, mesh: Any, path: str, color: tuple[float, float, float]) -> None:
    material = UsdShade.Material.Define(stage, path)
    shader = UsdShade.Shader.Define(stage, f"{path}/Surface")
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(*map(float, color)))
    shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.85)
    shader.CreateInput("metallic", Sdf.ValueTypeNames.Float).Set(0.0)
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)


def _write_prop(stage: Any, path: str, prop: Prop, rate: float, target: Path) -> None:
    vertices, normals, faces = creased(prop.vertices, prop.faces)
    if len(faces) == 0:
        raise FormatError(f'prop "{prop.name}" has no triangle with any area', path=target)
    place = UsdGeom.Xform.Define(stage, path)
    mesh = _write_mesh(stage, f"{path}/Mesh", vertices, normals, faces)
    _paint(stage, mesh, f"{path}/Material", prop.color)
    move, turn = place.AddTranslateOp(), place.AddOrientOp()
    turns = rot.continuous(rot.normalize(prop.rotations))
    for key, time_s in enumerate(prop.times_s):
        # A prop with one key stands still: a default value, valid at every time.
        code = Usd.TimeCode(float(time_s) * rate) if len(prop.times_s) > 1 else Usd.TimeCode.Default()
        move.Set(Gf.Vec3d(*map(float, prop.positions[key])), code)
        turn.Set(Gf.Quatf(*map(float, turns[key])), code)
