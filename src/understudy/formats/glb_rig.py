"""Writing a motion onto a person's own rigged GLB: their mesh, skin and materials stay, only the animation is ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import FormatError, SkeletonError
from understudy.formats.atomic import replacing
from understudy.formats.glb_write import ANIMATION_NAME
from understudy.formats.gltf_accessors import BufferBuilder
from understudy.formats.gltf_animation import Animation
from understudy.formats.gltf_builder import GltfBuilder
from understudy.formats.gltf_characters import find_characters
from understudy.formats.gltf_document import GltfDocument, Object, load_document, packed_glb
from understudy.formats.gltf_nodes import NodeTree, Similarity, load_nodes
from understudy.formats.gltf_skeleton import RiggedCharacter, rigged
from understudy.formats.options import ReadOptions
from understudy.typing import PathLike

#: What a rig is written as.
RIG_ENDINGS = (".glb", ".vrm")
#: [m] a bone offset this near the node's own needs no track.
_SAME_OFFSET_M = 1e-7


@dataclass(frozen=True, eq=False, kw_only=True)
class Rig:
    """A rigged character file that can be given motions.

    Attributes:
        document: The file as it was read.
        tree: Its nodes.
        parts: Its skeleton, and how that hangs on the nodes.
    """

    document: GltfDocument
    tree: NodeTree
    parts: RiggedCharacter

    @property
    def skeleton(self) -> Skeleton:
        """The rig's skeleton: metres, Y up, at rest in the bind pose."""
        return self.parts.skeleton


def has_skin(path: PathLike) -> bool:
    """Whether a ``.glb``, ``.gltf`` or ``.fbx`` holds a mesh bound to joints, so that it can be given motions.

    Raises:
        FormatError: The file is missing or malformed.
    """
    source = Path(path)
    try:
        return any("mesh" in node and "skin" in node for node in load_document(source).entries("nodes"))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=source) from error


def load_rig(path: PathLike, *, mapping: Mapping[str, str] | None = None) -> Rig:
    """Read a rigged ``.glb``, ``.gltf`` or ``.fbx``; of several characters, the one with most joints.

    Args:
        path: The file.
        mapping: Humanoid role -> joint name, instead of recognising names.

    Raises:
        FormatError: The file is missing or malformed, or has no skin.
    """
    source = Path(path)
    try:
        document = load_document(source)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=source) from error
    tree = load_nodes(document)
    if not document.entries("skins"):
        raise document.fault("has no skin; a rig needs a mesh bound to joints")
    character = max(find_characters(document, tree, Animation()), key=lambda found: len(found.nodes))
    return Rig(document=document, tree=tree, parts=rigged(document, tree, character, ReadOptions(mapping=mapping)))


def write_rig(rig: Rig, motion: Motion, path: PathLike, *, keep_animations: bool = False) -> Path:
    """Write the rig's own file with ``motion`` as its animation.

    Everything else in the file is kept: the binary data byte for byte, with the new keys after it. Buffers and images
    that lay beside a ``.gltf`` are moved into the written ``.glb``.

    Args:
        rig: From :func:`load_rig`.
        motion: Of a skeleton with the rig's joints.
        path: Where to write; must end in ``.glb``, or ``.vrm`` for a rig that is one.
        keep_animations: Keep the file's animations after the new one instead of dropping them.

    Raises:
        SkeletonError: The motion belongs to another skeleton.
        FormatError: The path cannot be written to.
    """
    target = Path(path)
    if target.suffix.lower() not in RIG_ENDINGS:
        raise FormatError(f'a rig is written as {" or ".join(RIG_ENDINGS)}, not "{target.suffix}"', path=target)
    if not motion.skeleton.same_joints(rig.skeleton):
        raise SkeletonError("the motion's joints are not the rig's; retarget it onto rig.skeleton first")
    root, binary = _embedded(rig.document)
    entries = root.get("animations", []) if keep_animations else []
    made = GltfBuilder(target)
    made.buffer = BufferBuilder(binary, root.setdefault("bufferViews", []), root.setdefault("accessors", []))
    _animate(rig, motion, made)
    root["animations"] = [*made.parts["animations"], *entries]
    for node in rig.parts.character.nodes:
        _use_separate_transform(root["nodes"][node], rig.tree.local(node))
    root["buffers"] = [{**_without_uri(root), "byteLength": len(binary)}]
    with replacing(target) as temporary:
        temporary.write_bytes(packed_glb(root, bytes(binary), rig.document.other_chunks))
    return target


def _animate(rig: Rig, motion: Motion, made: GltfBuilder) -> None:
    nodes, parts = rig.parts.character.nodes, rig.parts
    times = made.key_times(motion.times_s, "the motion")
    back = parts.base.inverse()
    root = Similarity(translation=motion.root_positions, rotation=motion.rotations[:, 0]).after(back)
    rotations = motion.rotations.copy()
    rotations[:, 0] = root.rotation
    rotations = rot.continuous(rot.normalize(rotations))
    made.animate(nodes[0], times, "translation", root.translation)
    for joint, node in enumerate(nodes):
        made.animate(node, times, "rotation", rotations[:, joint])
    # Bones that are longer or shorter in the motion than in the file get one constant key.
    offsets = motion.skeleton.offsets
    changed = np.abs(offsets - rig.skeleton.offsets).max(axis=1) > _SAME_OFFSET_M
    once = made.key_times(np.zeros(1), "the motion") if changed[1:].any() else -1
    for joint in range(1, len(nodes)):
        if changed[joint]:
            made.animate(nodes[joint], once, "translation", offsets[joint][None] / parts.scales[joint])
    made.end_animation(motion.name or ANIMATION_NAME)


def _use_separate_transform(node: Object, local: Similarity) -> None:
    """Animated nodes may not have a matrix; say the same with translation, rotation and scale."""
    if node.pop("matrix", None) is None:
        return
    node["translation"] = [float(value) for value in local.translation]
    node["rotation"] = [float(value) for value in local.rotation[[1, 2, 3, 0]]]
    if abs(local.scale - 1.0) > 1e-9:
        node["scale"] = [local.scale] * 3


def _without_uri(root: Object) -> Object:
    buffers: list[Object] = root.get("buffers") or [{}]
    return {key: value for key, value in buffers[0].items() if key != "uri"}


def _embedded(document: GltfDocument) -> tuple[Object, bytearray]:
    """A copy of the JSON in which everything refers to one buffer, and that buffer."""
    try:
        root: dict[str, Any] = json.loads(json.dumps(document.root, allow_nan=False))
    except (ValueError, RecursionError) as error:
        raise document.fault(f"the glTF JSON cannot be written again: {error}") from error
    for kind in ("bufferViews", "accessors", "images", "animations"):
        document.entries(kind)
    binary, starts = bytearray(), []
    for index in range(len(document.entries("buffers"))):
        binary.extend(b"\0" * (-len(binary) % 4))
        starts.append(len(binary))
        binary.extend(document.buffer(index))
    for index, view in enumerate(root.get("bufferViews", [])):
        what = f"buffer view {index}"
        source = document.index(view.get("buffer"), len(starts), f"{what}: buffer")
        if starts[source]:
            view["byteOffset"] = document.whole(view, "byteOffset", 0, what) + starts[source]
        view["buffer"] = 0
    for index, image in enumerate(root.get("images", [])):
        uri = image.get("uri")
        if isinstance(uri, str):
            _embed_image(document, root, binary, image, f"image {index}")
    return root, binary


def _embed_image(document: GltfDocument, root: Object, binary: bytearray, image: Object, what: str) -> None:
    content = document.resource(image["uri"], what)
    kind = "image/png" if content[:4] == b"\x89PNG" else "image/jpeg" if content[:2] == b"\xff\xd8" else None
    if kind is None:
        raise document.fault(f"{what} is neither PNG nor JPEG and cannot be moved into a .glb")
    binary.extend(b"\0" * (-len(binary) % 4))
    view = {"buffer": 0, "byteOffset": len(binary), "byteLength": len(content)}
    binary.extend(content)
    root.setdefault("bufferViews", []).append(view)
    del image["uri"]
    image.update(bufferView=len(root["bufferViews"]) - 1, mimeType=kind)
