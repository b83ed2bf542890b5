"""Characters and props as a glTF 2.0 scene.

Joints become nodes at rest, bound to a mesh of their capsule body; motions become linear key tracks, one key a
frame. What glTF has no place for (humanoid roles, end points, exact frame rate) is kept in the skin's ``extras``.
"""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.core.skin.body_mesh import body_mesh
from understudy.errors import FormatError
from understudy.formats.creased_mesh import creased
from understudy.formats.gltf_accessors import ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER
from understudy.formats.gltf_builder import GltfBuilder
from understudy.formats.gltf_document import Object, packed_glb
from understudy.formats.options import WriteOptions
from understudy.formats.props import Prop
from understudy.typing import FloatArray, IntArray

#: Linear base colours of the first, second, ... character.
CHARACTER_COLORS = (
    (0.56, 0.35, 0.24),
    (0.16, 0.30, 0.46),
    (0.25, 0.38, 0.22),
    (0.50, 0.37, 0.12),
    (0.33, 0.19, 0.33),
)

ANIMATION_NAME = "understudy"


def write_scene(motions: Sequence[Motion], path: Path, options: WriteOptions, target: Path) -> None:
    """Write characters and props to ``target``; ``path`` is the name to use in messages.

    Raises:
        FormatError: A key time cannot be told from its neighbour in 32 bits, or lies before 0.
    """
    scene = _Scene(path)
    prefixes = character_prefixes(motions)
    for number, motion in enumerate(motions):
        scene.add_character(motion, prefix=prefixes[number], color=CHARACTER_COLORS[number % len(CHARACTER_COLORS)])
        if options.animations == "each":
            scene.end_animation(motion.name or f"character_{number + 1}")
    for prop in options.props:
        scene.add_prop(prop)
    scene.end_animation(ANIMATION_NAME if options.animations == "combined" else "props")
    root, binary = scene.root(), bytes(scene.buffer.data)
    if path.suffix.lower() == ".gltf":
        root["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(binary).decode()
        target.write_text(json.dumps(root, allow_nan=False), encoding="utf-8")
    else:
        target.write_bytes(packed_glb(root, binary))


def character_prefixes(motions: Sequence[Motion]) -> list[str]:
    """What to put before each character's joint names so that no two nodes share one; empty where none clash."""
    uses = Counter(name for motion in motions for name in motion.skeleton.names)
    labels = Counter(motion.name for motion in motions)
    prefixes = []
    for number, motion in enumerate(motions, start=1):
        clashes = any(uses[name] > 1 for name in motion.skeleton.names)
        is_label = motion.name and labels[motion.name] == 1
        prefixes.append("" if not clashes else f"{motion.name}:" if is_label else f"character_{number}:")
    return prefixes


class _Scene(GltfBuilder):
    """A document of characters and props."""

    def add_character(self, motion: Motion, *, prefix: str, color: tuple[float, float, float]) -> None:
        """A skinned body and its key tracks."""
        skeleton = motion.skeleton
        label = motion.name or "character"
        first = len(self.parts.get("nodes", ()))
        for joint, name in enumerate(skeleton.names):
            node = _posed_node(prefix + name, skeleton.offsets[joint], skeleton.rest_rotations[joint])
            if skeleton.children[joint]:
                node["children"] = [first + child for child in skeleton.children[joint]]
            self.add("nodes", node)
        skin = self.add("skins", self._skin(motion, label, prefix, first))
        mesh = self.add("meshes", {"name": label, "primitives": [self._body(skeleton, color, label)]})
        self.roots += [first, self.add("nodes", {"name": f"{label} body", "mesh": mesh, "skin": skin})]
        times = self.key_times(motion.times_s, label)
        rotations = rot.continuous(motion.rotations)
        self.animate(first, times, "translation", motion.root_positions)
        for joint in range(len(skeleton)):
            self.animate(first + joint, times, "rotation", rotations[:, joint])

    def add_prop(self, prop: Prop) -> None:
        """A mesh that stands or moves."""
        vertices, normals, faces = creased(prop.vertices, prop.faces)
        if len(faces) == 0:
            raise FormatError(f'prop "{prop.name}" has no triangle with any area', path=self.path)
        primitive = self._primitive(vertices, normals, faces, self._material(prop.color, prop.name))
        mesh = self.add("meshes", {"name": prop.name, "primitives": [primitive]})
        node = _posed_node(prop.name, prop.positions[0], prop.rotations[0])
        index = self.add("nodes", {**node, "mesh": mesh})
        self.roots.append(index)
        if len(prop.times_s) > 1:
            times = self.key_times(prop.times_s, f'prop "{prop.name}"')
            self.animate(index, times, "translation", prop.positions)
            self.animate(index, times, "rotation", rot.continuous(rot.normalize(prop.rotations)))

    def _skin(self, motion: Motion, label: str, prefix: str, first: int) -> Object:
        skeleton = motion.skeleton
        binds = inverse_binds(skeleton).transpose(0, 2, 1).reshape(-1, 16).astype("<f4")
        return {
            "name": label,
            "joints": list(range(first, first + len(skeleton))),
            "skeleton": first,
            "inverseBindMatrices": self.buffer.accessor(binds, "MAT4"),
            "extras": {"understudy": character_notes(motion, prefix)},
        }

    def _body(self, skeleton: Skeleton, color: tuple[float, float, float], label: str) -> Object:
        mesh = body_mesh(fit_body(skeleton))
        primitive = self._primitive(mesh.vertices, mesh.normals, mesh.faces, self._material(color, label))
        joints = mesh.joints.astype("<u1" if len(skeleton) <= 256 else "<u2")
        weights = mesh.weights.astype("<f4")
        primitive["attributes"]["JOINTS_0"] = self.buffer.accessor(joints, "VEC4", target=ARRAY_BUFFER)
        primitive["attributes"]["WEIGHTS_0"] = self.buffer.accessor(weights, "VEC4", target=ARRAY_BUFFER)
        return primitive

    def _primitive(self, vertices: FloatArray, normals: FloatArray, faces: IntArray, material: int) -> Object:
        index = np.ascontiguousarray(faces.reshape(-1, 1), dtype="<u2" if len(vertices) < 65_535 else "<u4")
        points = vertices.astype("<f4")
        return {
            "attributes": {
                "POSITION": self.buffer.accessor(points, "VEC3", target=ARRAY_BUFFER, bounds=True),
                "NORMAL": self.buffer.accessor(normals.astype("<f4"), "VEC3", target=ARRAY_BUFFER),
            },
            "indices": self.buffer.accessor(index, "SCALAR", target=ELEMENT_ARRAY_BUFFER),
            "material": material,
        }

    def _material(self, color: tuple[float, float, float], name: str) -> int:
        surface = {"baseColorFactor": [*map(float, color), 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.85}
        return self.add("materials", {"name": name, "pbrMetallicRoughness": surface})


def character_notes(motion: Motion, prefix: str) -> Object:
    """What our own reader finds again: name, exact frame rate, humanoid roles, end points, prefix of joint names."""
    skeleton = motion.skeleton
    notes: Object = {
        "name": motion.name,
        "fps": motion.fps,
        "humanoid": {role: skeleton.names[joint] for role, joint in skeleton.humanoid.items()},
        "tips": [
            [int(joint), *(float(v) for v in offset)]
            for joint, offset in zip(skeleton.tip_joints, skeleton.tip_offsets, strict=True)
        ],
    }
    return {**notes, "prefix": prefix} if prefix else notes


def inverse_binds(skeleton: Skeleton) -> FloatArray:
    """``(joints, 4, 4)`` world to joint in the rest pose, for column vectors."""
    positions, rotations = skeleton.rest_world
    matrices = np.zeros((len(skeleton), 4, 4))
    matrices[:, :3, :3] = rot.to_matrix(rot.conjugate(rotations))
    matrices[:, :3, 3] = -rot.rotate(rot.conjugate(rotations), positions)
    matrices[:, 3, 3] = 1.0
    return matrices


def _posed_node(name: str, translation: FloatArray, rotation: FloatArray) -> Object:
    quaternion = rot.normalize(rotation)[[1, 2, 3, 0]].astype(np.float32)
    return {
        "name": name,
        "translation": [float(value) for value in translation.astype(np.float32)],
        "rotation": [float(value) for value in quaternion],
    }
