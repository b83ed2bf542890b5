"""The mesh of a user's rigged GLB, bound to the skeleton that its motion was read with."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.core.skeleton import Skeleton
from understudy.core.skin.capsule_mesh import SkinMesh
from understudy.formats.gltf_accessors import accessor_array
from understudy.formats.gltf_animation import Animation
from understudy.formats.gltf_characters import find_characters
from understudy.formats.gltf_document import GltfDocument, Object, load_document
from understudy.formats.gltf_nodes import NodeTree, load_nodes
from understudy.formats.gltf_skeleton import RiggedCharacter, rigged
from understudy.formats.options import ReadOptions
from understudy.typing import FloatArray, IntArray

#: Vertices a mesh may have.
_MOST_VERTICES = 400_000


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnSkin:
    """A mesh from a user's own file.

    Attributes:
        names: Joints of the skeleton it is bound to.
        mesh: In that skeleton's rest pose.
        colors: ``(vertices, 3)`` linear, in [0, 1]; textures are sampled at the vertices.
    """

    names: tuple[str, ...]
    mesh: SkinMesh
    colors: FloatArray

    def fits(self, skeleton: Skeleton) -> bool:
        """Whether a skeleton has the joints the mesh is bound to."""
        return skeleton.names == self.names


def load_own_skin(path: Path, skeleton: Skeleton) -> OwnSkin | None:
    """The mesh bound to a skeleton that was read from the same ``.glb`` or ``.gltf``.

    Args:
        path: The file.
        skeleton: Of the motion that was read from it.

    Returns:
        ``None`` when no mesh is bound to such joints, or Understudy itself wrote the file.

    Raises:
        FormatError: The mesh is malformed, compressed, or too large.
    """
    document = load_document(path)
    tree = load_nodes(document)
    if not document.entries("skins"):
        return None
    for character in find_characters(document, tree, Animation()):
        if character.notes:
            continue
        parts = rigged(document, tree, character, ReadOptions())
        if parts.skeleton.names == skeleton.names:
            return _gathered(_Binder(document, tree, parts, skeleton))
    return None


def _gathered(binder: _Binder) -> OwnSkin | None:
    document = binder.document
    pieces = []
    for number, node in enumerate(document.entries("nodes")):
        if "mesh" not in node or "skin" not in node:
            continue
        places = binder.places(document.index(node["skin"], len(document.entries("skins")), f"node {number}: skin"))
        if places is None:
            continue
        mesh = document.entry("meshes", node["mesh"])
        for primitive in document.objects(mesh, "primitives", "a mesh"):
            if document.whole(primitive, "mode", 4, "a primitive") == 4:
                pieces.append(binder.piece(primitive, *places))
    if not pieces:
        return None
    firsts = np.cumsum([0, *(len(mesh.vertices) for mesh, _ in pieces)])
    if firsts[-1] > _MOST_VERTICES:
        raise document.fault(f"its mesh has {firsts[-1]} vertices; at most {_MOST_VERTICES} are shown")
    whole = SkinMesh(
        vertices=np.concatenate([one.vertices for one, _ in pieces]),
        normals=np.concatenate([one.normals for one, _ in pieces]),
        faces=np.concatenate([one.faces + first for (one, _), first in zip(pieces, firsts, strict=False)]),
        joints=np.concatenate([one.joints for one, _ in pieces]),
        weights=np.concatenate([one.weights for one, _ in pieces]),
    )
    return OwnSkin(names=binder.skeleton.names, mesh=whole, colors=np.concatenate([colors for _, colors in pieces]))


class _Binder:
    """Puts a file's meshes where the skeleton's rest pose has them."""

    def __init__(self, document: GltfDocument, tree: NodeTree, parts: RiggedCharacter, skeleton: Skeleton) -> None:
        self.document, self.skeleton = document, skeleton
        self._tree, self._nodes = tree, parts.character.nodes
        self._joint_of = {node: joint for joint, node in enumerate(self._nodes)}
        positions, rotations = skeleton.rest_world
        scales = [scale * tree.local(node).scale for scale, node in zip(parts.scales, self._nodes, strict=True)]
        self._rest = np.zeros((len(skeleton), 4, 4))
        self._rest[:, :3, :3] = rot.to_matrix(rotations) * np.array(scales)[:, None, None]
        self._rest[:, :3, 3] = positions
        self._rest[:, 3, 3] = 1.0

    def places(self, skin: int) -> tuple[IntArray, FloatArray] | None:
        """For every joint of a skin the skeleton's joint ``(n,)``, and from the mesh to the world ``(n, 4, 4)``.

        ``None`` if the skin belongs to another character.
        """
        entry = self.document.entry("skins", skin)
        listed = self.document.indices(entry, "joints", len(self._tree.names), f"skin {skin}")
        if not any(node in self._joint_of for node in listed):
            return None
        binds = np.broadcast_to(np.eye(4), (len(listed), 4, 4))
        if "inverseBindMatrices" in entry:
            binds = accessor_array(self.document, entry["inverseBindMatrices"], "MAT4").reshape(-1, 4, 4).swapaxes(1, 2)
        if len(binds) < len(listed):
            raise self.document.fault(f"skin {skin} has {len(listed)} joints but {len(binds)} bind matrices")
        own = {node: k for k, node in enumerate(listed)}
        joints, matrices = [], []
        for node in listed:
            # Joints above the hips were folded into them: what follows such a joint follows the nearest one below.
            near = next((one for one in reversed(self._tree.path(node)) if one in self._joint_of), self._nodes[0])
            near = near if near in own else next(one for one in listed if one in self._joint_of)
            joints.append(self._joint_of[near])
            matrices.append(self._rest[joints[-1]] @ binds[own[near]])
        return np.array(joints, dtype=np.int64), np.array(matrices)

    def piece(self, primitive: Object, joints: IntArray, matrices: FloatArray) -> tuple[SkinMesh, FloatArray]:
        """One primitive in the rest pose, and its colours."""
        document = self.document
        if "KHR_draco_mesh_compression" in (primitive.get("extensions") or {}):
            raise document.fault("its mesh is compressed (Draco), which is not read")
        attributes = document.object(primitive, "attributes", "a primitive")
        points = accessor_array(document, attributes.get("POSITION"), "VEC3")
        follows = accessor_array(document, attributes.get("JOINTS_0"), "VEC4").astype(np.int64)
        weights = accessor_array(document, attributes.get("WEIGHTS_0"), "VEC4")
        if not (len(points) == len(follows) == len(weights)) or follows.max(initial=0) >= len(joints):
            raise document.fault("joints or weights of a mesh do not belong to its vertices")
        weights = np.maximum(weights, 0.0)
        weights[weights.sum(axis=1) <= 0.0, 0] = 1.0
        weights = weights / weights.sum(axis=1, keepdims=True)
        corners = np.arange(len(points), dtype=np.int64)
        if "indices" in primitive:
            corners = accessor_array(document, primitive["indices"], "SCALAR")[:, 0].astype(np.int64)
        faces = corners[: len(corners) // 3 * 3].reshape(-1, 3)
        if faces.max(initial=0) >= max(len(points), 1):
            raise document.fault("a mesh has faces at vertices that are not there")
        moves = np.einsum("vk,vkij->vij", weights, matrices[follows])
        placed = np.einsum("vij,vj->vi", moves[:, :3, :3], points) + moves[:, :3, 3]
        normals = _face_normals(placed, faces)
        if "NORMAL" in attributes:
            given = accessor_array(document, attributes["NORMAL"], "VEC3")
            if len(given) == len(points):
                normals = np.einsum("vij,vj->vi", moves[:, :3, :3], given)
        normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        mesh = SkinMesh(vertices=placed, normals=normals, faces=faces, joints=joints[follows], weights=weights)
        return mesh, _colors(document, primitive, attributes, len(points))


def _face_normals(vertices: FloatArray, faces: IntArray) -> FloatArray:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, faces[:, k], flat)
    return normals


def _colors(document: GltfDocument, primitive: Object, attributes: Object, count: int) -> FloatArray:
    """Linear colours of a primitive's vertices: its material's, with the texture as it is at each of them."""
    if "material" not in primitive:
        return np.full((count, 3), 0.7)
    material = document.entry("materials", primitive["material"])
    surface = material.get("pbrMetallicRoughness")
    surface = surface if isinstance(surface, dict) else {}
    factor = document.numbers(surface, "baseColorFactor", (1.0, 1.0, 1.0, 1.0), "a material")[:3]
    texture = surface.get("baseColorTexture")
    places = attributes.get("TEXCOORD_0")
    if not isinstance(texture, dict) or places is None:
        return np.tile(factor, (count, 1))
    at = accessor_array(document, places, "VEC2")
    pixels = _pixels(document, document.entry("textures", texture.get("index")))
    if pixels is None or len(at) != count:
        return np.tile(factor, (count, 1))
    height, width = pixels.shape[:2]
    column = np.minimum((at[:, 0] % 1.0 * width).astype(np.int64), width - 1)
    row = np.minimum((at[:, 1] % 1.0 * height).astype(np.int64), height - 1)
    shown = pixels[row, column] / 255.0
    return np.asarray(np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4) * factor)


def _pixels(document: GltfDocument, texture: Object) -> Any:
    """A texture ``(height, width, 3)`` in [0, 255]; ``None`` when it cannot be read."""
    from PIL import Image

    image = document.entry("images", texture.get("source"))
    if "bufferView" in image:
        view = document.entry("bufferViews", image["bufferView"])
        first = document.whole(view, "byteOffset", 0, "an image")
        data = document.buffer(document.whole(view, "buffer", None, "an image"))
        content = data[first : first + document.whole(view, "byteLength", None, "an image")]
    else:
        content = document.resource(image.get("uri"), "an image")
    try:
        with Image.open(io.BytesIO(content)) as picture:
            return np.asarray(picture.convert("RGB").resize((512, 512)), dtype=np.float64)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
