"""Characters and props as an FBX scene: centimetres, Y up, one take.

Joints are limb nodes that rest in their pre-rotation, so that a rotation of zero is the rest pose. Each character has
its capsule body as a skinned mesh. What FBX has no place for (roles, exact frame rate, which joints are mere end
points) is kept in a property of the root joint.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.core.skin.body_mesh import body_mesh
from understudy.core.skin.capsule_mesh import SkinMesh
from understudy.formats.creased_mesh import creased
from understudy.formats.fbx.encode import FILE_ID, TIME_ID, VERSION, encoded, record
from understudy.formats.fbx.records import Record
from understudy.formats.glb_write import (
    ANIMATION_NAME,
    CHARACTER_COLORS,
    character_notes,
    character_prefixes,
    inverse_binds,
)
from understudy.formats.options import WriteOptions
from understudy.formats.props import Prop
from understudy.typing import FloatArray, IntArray

#: Units (centimetres) per metre, and ticks per second.
_PER_M = 100.0
_TICKS = 46_186_158_000
NOTES = "understudy"
_RATES = {120.0: 1, 100.0: 2, 60.0: 3, 50.0: 4, 48.0: 5, 30.0: 6, 25.0: 10, 24.0: 11}
_CUSTOM_RATE = 14
_LINEAR_KEYS = 0x4


def scene_bytes(motions: Sequence[Motion], options: WriteOptions) -> bytes:
    """A whole file."""
    scene = _Scene()
    prefixes = character_prefixes(motions)
    for number, motion in enumerate(motions):
        scene.add_character(motion, prefixes[number], CHARACTER_COLORS[number % len(CHARACTER_COLORS)])
    for prop in options.props:
        scene.add_prop(prop)
    return encoded(scene.records(motions[0].fps, max(motion.duration_s for motion in motions)))


class _Scene:
    """Collects objects and connections."""

    def __init__(self) -> None:
        self._objects: list[Record] = []
        self._links: list[Record] = []
        self._next = 1_000_000
        self._layer = self._add("AnimationLayer", "BaseLayer", "")

    def add_character(self, motion: Motion, prefix: str, color: tuple[float, float, float]) -> None:
        """Its joints, their movement, and its body."""
        skeleton, label = motion.skeleton, motion.name or "character"
        joints: list[int] = []
        for joint, name in enumerate(skeleton.names):
            notes = json.dumps(character_notes(motion, prefix)) if joint == 0 else None
            rest = (skeleton.offsets[joint], skeleton.rest_rotations[joint])
            parent = int(skeleton.parents[joint])
            joints.append(self._limb(prefix + name, *rest, joints[parent] if parent >= 0 else 0, notes))
        for joint, offset in zip(skeleton.tip_joints, skeleton.tip_offsets, strict=True):
            self._limb(f"{prefix}{skeleton.names[joint]}_end", offset, rot.identity(), joints[joint], "")
        turned = rot.multiply(rot.conjugate(skeleton.rest_rotations), motion.rotations)
        self._animate(joints[0], "Lcl Translation", motion.times_s, motion.root_positions * _PER_M)
        for joint, limb in enumerate(joints):
            self._animate(limb, "Lcl Rotation", motion.times_s, _angles(turned[:, joint]))
        self._add_body(skeleton, joints, label, color)

    def add_prop(self, prop: Prop) -> None:
        """A mesh that stands or moves."""
        vertices, normals, faces = creased(prop.vertices, prop.faces)
        model = self._model(prop.name, "Mesh", prop.positions[0], prop.rotations[0], 0)
        self._link(self._geometry(prop.name, vertices, normals, faces), model)
        self._link(self._material(prop.name, prop.color), model)
        if len(prop.times_s) > 1:
            before = rot.multiply(rot.conjugate(prop.rotations[0]), rot.normalize(prop.rotations))
            self._animate(model, "Lcl Translation", prop.times_s, prop.positions * _PER_M)
            self._animate(model, "Lcl Rotation", prop.times_s, _angles(rot.continuous(before)))

    def records(self, fps: float, duration_s: float) -> list[Record]:
        """Everything there is in a file."""
        span = [
            _property(name, "KTime", _ticks(value))
            for name, value in (("LocalStop", duration_s), ("ReferenceStop", duration_s))
        ]
        stack = self._add("AnimationStack", ANIMATION_NAME, "", [record("Properties70", children=span)])
        self._link(self._layer, stack)
        counts: dict[str, int] = {}
        for one in self._objects:
            counts[one.name] = counts.get(one.name, 0) + 1
        kinds = [record("ObjectType", kind, children=[record("Count", count)]) for kind, count in counts.items()]
        header = [record("FBXHeaderVersion", 1003), record("FBXVersion", VERSION), record("Creator", "understudy")]
        roots = [record("RootNode", np.int64(0))]
        return [
            record("FBXHeaderExtension", children=header),
            record("FileId", FILE_ID),
            record("CreationTime", TIME_ID),
            record("Creator", "understudy"),
            record("GlobalSettings", children=[record("Version", 1000), _settings(fps, duration_s)]),
            record(
                "Documents",
                children=[record("Count", 1), record("Document", np.int64(1), "Scene", "Scene", children=roots)],
            ),
            record("References"),
            record("Definitions", children=[record("Version", 100), record("Count", len(self._objects)), *kinds]),
            record("Objects", children=self._objects),
            record("Connections", children=self._links),
            record("Takes", children=[record("Current", ANIMATION_NAME)]),
        ]

    def _add(self, kind: str, name: str, subclass: str, children: list[Record] | None = None, label: str = "") -> int:
        self._next += 1
        listed = {"AnimationLayer": "AnimLayer", "AnimationStack": "AnimStack", "AnimationCurveNode": "AnimCurveNode"}
        full = f"{name}\0\x01{label or listed.get(kind, kind)}"
        self._objects.append(record(kind, np.int64(self._next), full, subclass, children=children))
        return self._next

    def _link(self, source: int, target: int, name: str = "") -> None:
        values = ("OP" if name else "OO", np.int64(source), np.int64(target), *([name] if name else []))
        self._links.append(record("C", *values))

    def _model(
        self, name: str, kind: str, at: FloatArray, turn: FloatArray, parent: int, notes: str | None = None
    ) -> int:
        properties = [
            _property("RotationActive", "bool", 1),
            _property("InheritType", "enum", 1),
            _property("PreRotation", "Vector3D", *_angles(turn)),
            _property("Lcl Translation", "Lcl Translation", *(at * _PER_M)),
        ]
        if notes is not None:
            properties.append(record("P", NOTES, "KString", "", "U", notes))
        body = [record("Version", 232), record("Properties70", children=properties), record("Culling", "CullingOff")]
        model = self._add("Model", name, kind, body)
        self._link(model, parent)
        return model

    def _limb(self, name: str, at: FloatArray, turn: FloatArray, parent: int, notes: str | None) -> int:
        model = self._model(name, "LimbNode", at, turn, parent, notes)
        attribute = self._add("NodeAttribute", name, "LimbNode", [record("TypeFlags", "Skeleton")])
        self._link(attribute, model)
        return model

    def _animate(self, model: int, name: str, times_s: FloatArray, values: FloatArray) -> None:
        defaults = [
            _property(f"d|{axis}", "Number", float(first)) for axis, first in zip("XYZ", values[0], strict=True)
        ]
        letter = name.removeprefix("Lcl ")[0]
        node = self._add("AnimationCurveNode", letter, "", [record("Properties70", children=defaults)])
        self._link(node, self._layer)
        self._link(node, model, name)
        ticks = np.array([_ticks(time) for time in times_s], dtype=np.int64)
        for axis, column in zip("XYZ", values.T, strict=True):
            keys = [
                record("Default", float(column[0])),
                record("KeyVer", 4008),
                record("KeyTime", ticks),
                record("KeyValueFloat", column.astype("<f4")),
                record("KeyAttrFlags", np.array([_LINEAR_KEYS], dtype="<i4")),
                record("KeyAttrDataFloat", np.zeros(4, dtype="<f4")),
                record("KeyAttrRefCount", np.array([len(ticks)], dtype="<i4")),
            ]
            self._link(self._add("AnimationCurve", "", "", keys, label="AnimCurve"), node, f"d|{axis}")

    def _add_body(self, skeleton: Skeleton, joints: list[int], label: str, color: tuple[float, float, float]) -> None:
        mesh = body_mesh(fit_body(skeleton))
        model = self._model(f"{label} body", "Mesh", np.zeros(3), rot.identity(), 0)
        geometry = self._geometry(label, mesh.vertices, mesh.normals, mesh.faces)
        self._link(geometry, model)
        self._link(self._material(label, color), model)
        skin = self._add("Deformer", label, "Skin", [record("Version", 101), record("Link_DeformAcuracy", 50.0)])
        self._link(skin, geometry)
        inner = inverse_binds(skeleton)
        inner[:, :3, 3] *= _PER_M
        outer = np.linalg.inv(inner)
        for joint, limb in enumerate(joints):
            vertices, weights = _followers(mesh, joint)
            parts = [
                record("Version", 100),
                record("UserData", "", ""),
                record("Indexes", vertices.astype("<i4")),
                record("Weights", weights),
                record("Transform", _flat(inner[joint])),
                record("TransformLink", _flat(outer[joint])),
            ]
            cluster = self._add("Deformer", skeleton.names[joint], "Cluster", parts, label="SubDeformer")
            self._link(cluster, skin)
            self._link(limb, cluster)
        places = {model: np.eye(4), **dict(zip(joints, outer, strict=True))}
        self._bind_pose(label, places)

    def _bind_pose(self, label: str, places: dict[int, FloatArray]) -> None:
        nodes = [
            record("PoseNode", children=[record("Node", np.int64(key)), record("Matrix", _flat(matrix))])
            for key, matrix in places.items()
        ]
        head = [record("Type", "BindPose"), record("Version", 100), record("NbPoseNodes", len(nodes))]
        self._add("Pose", label, "BindPose", [*head, *nodes])

    def _geometry(self, name: str, vertices: FloatArray, normals: FloatArray, faces: IntArray) -> int:
        corners = faces.astype("<i4").copy()
        corners[:, 2] = ~corners[:, 2]
        layer = [
            record("Version", 101),
            record("Name", ""),
            record("MappingInformationType", "ByPolygonVertex"),
            record("ReferenceInformationType", "Direct"),
            record("Normals", normals[faces].reshape(-1)),
        ]
        material = [
            record("Version", 101),
            record("Name", ""),
            record("MappingInformationType", "AllSame"),
            record("ReferenceInformationType", "IndexToDirect"),
            record("Materials", np.zeros(1, dtype="<i4")),
        ]
        elements = [
            record("LayerElement", children=[record("Type", kind), record("TypedIndex", 0)])
            for kind in ("LayerElementNormal", "LayerElementMaterial")
        ]
        body = [
            record("GeometryVersion", 124),
            record("Vertices", vertices.reshape(-1) * _PER_M),
            record("PolygonVertexIndex", corners.reshape(-1)),
            record("LayerElementNormal", 0, children=layer),
            record("LayerElementMaterial", 0, children=material),
            record("Layer", 0, children=[record("Version", 100), *elements]),
        ]
        return self._add("Geometry", name, "Mesh", body)

    def _material(self, name: str, color: tuple[float, float, float]) -> int:
        properties = [_property("DiffuseColor", "Color", *map(float, color)), _property("DiffuseFactor", "Number", 1.0)]
        body = [record("ShadingModel", "lambert"), record("Properties70", children=properties)]
        return self._add("Material", name, "", body)


def _angles(turns: FloatArray) -> FloatArray:
    """Degrees about x, y, z, x first; without jumps over time."""
    angles = rot.to_euler(turns, "ZYX")
    angles = rot.unwrapped(angles, axis=0) if angles.ndim == 2 else angles
    return np.asarray(np.rad2deg(angles)[..., ::-1])


def _followers(mesh: SkinMesh, joint: int) -> tuple[IntArray, FloatArray]:
    weights = np.where(mesh.joints == joint, mesh.weights, 0.0).sum(axis=1)
    vertices = np.flatnonzero(weights)
    return vertices, weights[vertices]


def _flat(matrix: FloatArray) -> FloatArray:
    return np.ascontiguousarray(matrix.T).reshape(-1)


def _ticks(time_s: float) -> np.int64:
    return np.int64(round(time_s * _TICKS))


def _property(name: str, kind: str, *values: Any) -> Record:
    labels = {"Vector3D": "Vector", "KTime": "Time", "int": "Integer", "double": "Number"}
    flags = "A" if kind.startswith("Lcl") or kind in ("Number", "Color") else ""
    plain = (float(one) if isinstance(one, np.floating) else one for one in values)
    return record("P", name, kind, labels.get(kind, ""), flags, *plain)


def _settings(fps: float, duration_s: float) -> Record:
    axes = {"UpAxis": 1, "UpAxisSign": 1, "FrontAxis": 2, "FrontAxisSign": 1, "CoordAxis": 0, "CoordAxisSign": 1}
    listed = [_property(name, "int", value) for name, value in axes.items()]
    listed += [_property(name, "double", 1.0) for name in ("UnitScaleFactor", "OriginalUnitScaleFactor")]
    listed += [
        _property("TimeMode", "enum", _RATES.get(fps, _CUSTOM_RATE)),
        _property("CustomFrameRate", "double", fps),
    ]
    listed += [_property("TimeSpanStart", "KTime", _ticks(0.0)), _property("TimeSpanStop", "KTime", _ticks(duration_s))]
    return record("Properties70", children=listed)
