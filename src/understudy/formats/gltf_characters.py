"""Which nodes of a glTF document form a character, and how they stand at rest.

The rest pose is the **bind pose**: where the joints stood when the mesh was attached, given by the inverse bind
matrices. The nodes' own transforms are often just one frame of an animation, so they say little about the body. Where
both agree, the nodes are used, being the more precise. Bone lengths always come from the nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from understudy import rotations as rot
from understudy.formats.gltf_accessors import accessor_array
from understudy.formats.gltf_animation import Animation
from understudy.formats.gltf_document import GltfDocument, Object
from understudy.formats.gltf_nodes import IDENTITY, NodeTree, Similarity, decomposed
from understudy.formats.vrm import declared_bones
from understudy.typing import FloatArray

_MOST_NODES = 65_536
_MOST_SKINS = 256

#: [m] and (unit quaternions) how far a bind pose may differ from the nodes and still count as the same.
_SAME_POSE = 1e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class Character:
    """Nodes that move as one skeleton.

    Attributes:
        name: The skin's name.
        nodes: Node of each joint, parents first, root first.
        parents: Parent joint of each joint, ``-1`` for the root.
        inverse_binds: Node -> 4x4 inverse bind matrix, for the joints that have one.
        bind_spaces: Spaces the bind matrices may be relative to, likeliest first.
        notes: What Understudy itself wrote about the character; empty for files of others.
    """

    name: str
    nodes: tuple[int, ...]
    parents: tuple[int, ...]
    inverse_binds: dict[int, FloatArray] = field(default_factory=dict)
    bind_spaces: tuple[Similarity, ...] = ()
    notes: Object = field(default_factory=dict)

    def rooted_at(self, joint: int) -> Character:
        """The part of the character from ``joint`` down."""
        inside = [False] * len(self.nodes)
        for index, parent in enumerate(self.parents):
            inside[index] = index == joint or (parent >= 0 and inside[parent])
        kept = [index for index, flag in enumerate(inside) if flag]
        place = {old: new for new, old in enumerate(kept)}
        return replace(
            self,
            nodes=tuple(self.nodes[index] for index in kept),
            parents=tuple(place.get(self.parents[index], -1) for index in kept),
        )


def holds_character(document: GltfDocument) -> bool:
    """Whether there is anybody in a file, not only things."""
    channels = [
        one for entry in document.entries("animations") for one in document.objects(entry, "channels", "a take")
    ]
    turned = any(isinstance(one.get("target"), dict) and one["target"].get("path") == "rotation" for one in channels)
    return bool(document.entries("skins")) or bool(declared_bones(document)) or turned


def find_characters(document: GltfDocument, tree: NodeTree, animation: Animation) -> list[Character]:
    """Every skinned character; skins that share joints are one. Without skins, who is declared, or every animated tree.

    Raises:
        FormatError: There is nothing to animate, or a skin is malformed.
    """
    skins = document.entries("skins")
    if len(tree.names) > _MOST_NODES or len(skins) > _MOST_SKINS:
        raise document.fault(f"{len(tree.names)} nodes, {len(skins)} skins; at most {_MOST_NODES} and {_MOST_SKINS}")
    declared = declared_bones(document)
    if declared and not skins:
        name = document.text(document.root["nodes"][declared.get("hips", min(declared.values()))], "name")
        return [_character(document, tree, sorted(declared.values()), name=name)]
    if skins:
        return [_from_skins(document, tree, group) for group in _sharing(document, tree)]
    turned = sorted({node for node, path in animation.tracks if path == "rotation"})
    if not turned:
        raise document.fault("holds no skin and no animated nodes, so there is no character in it")
    trees: dict[int, list[int]] = {}
    tops = _tops(tree)
    for node in turned:
        trees.setdefault(tops[node], []).append(node)
    return [_character(document, tree, nodes, name=tree.names[top]) for top, nodes in trees.items()]


def _tops(tree: NodeTree) -> list[int]:
    tops = list(range(len(tree.names)))
    for node in tree.order:
        if tree.parents[node] >= 0:
            tops[node] = tops[tree.parents[node]]
    return tops


def _joints(document: GltfDocument, skin: int) -> list[int]:
    entry = document.entry("skins", skin)
    joints = document.indices(entry, "joints", len(document.entries("nodes")), f"skin {skin}")
    if not joints or len(set(joints)) != len(joints):
        raise document.fault(f"skin {skin} has no joints, or lists one twice")
    return joints


def _sharing(document: GltfDocument, tree: NodeTree) -> list[list[int]]:
    """Skins grouped so that skins with a common joint, or nested trees, are together."""
    groups: list[tuple[set[int], list[int]]] = []
    for skin in range(len(document.entries("skins"))):
        nodes = set(_closure(document, tree, _joints(document, skin)))
        members = [skin]
        for group in [group for group in groups if not group[0].isdisjoint(nodes)]:
            nodes |= group[0]
            members = group[1] + members
            groups.remove(group)
        groups.append((nodes, members))
    return [sorted(members) for _, members in sorted(groups, key=lambda group: min(group[1]))]


def _closure(document: GltfDocument, tree: NodeTree, joints: Iterable[int]) -> list[int]:
    """The joints, everything between them, and the node above all of them; in tree order."""
    inside = np.zeros(len(tree.names), dtype=np.int64)
    inside[list(joints)] = 1
    total = int(inside.sum())
    for node in reversed(tree.order):
        if tree.parents[node] >= 0:
            inside[tree.parents[node]] += inside[node]
    whole = [node for node in tree.order if inside[node] == total]
    if not whole:
        raise document.fault("the joints of a skin do not share a root node")
    return [whole[-1], *(node for node in tree.order if 0 < inside[node] < total)]


def _from_skins(document: GltfDocument, tree: NodeTree, skins: list[int]) -> Character:
    joints: dict[int, None] = {}
    binds: dict[int, FloatArray] = {}
    for skin in skins:
        listed = _joints(document, skin)
        joints.update(dict.fromkeys(listed))
        for node, matrix in zip(listed, _inverse_binds(document, skin, len(listed)), strict=False):
            binds.setdefault(node, matrix)
    entry = document.entry("skins", skins[0])
    extras = entry.get("extras")
    notes = extras.get("understudy") if isinstance(extras, dict) else None
    made = _character(document, tree, list(joints), name=document.text(entry, "name"))
    return replace(
        made,
        inverse_binds=binds,
        bind_spaces=_bind_spaces(document, tree, skins[0], made.nodes[0]) if binds else (),
        notes=notes if isinstance(notes, dict) else {},
    )


def _character(document: GltfDocument, tree: NodeTree, joints: list[int], *, name: str) -> Character:
    nodes = _closure(document, tree, joints)
    if set(nodes) == set(joints):
        # Keep the file's own joint order where it already has parents first.
        place = {node: index for index, node in enumerate(joints)}
        if all(place.get(tree.parents[node], -1) < place[node] for node in joints):
            nodes = joints
    place = {node: index for index, node in enumerate(nodes)}
    parents = [-1, *(place[tree.parents[node]] for node in nodes[1:])]
    return Character(name=name, nodes=tuple(nodes), parents=tuple(parents))


def _inverse_binds(document: GltfDocument, skin: int, count: int) -> FloatArray:
    entry = document.entry("skins", skin)
    if "inverseBindMatrices" not in entry:
        return np.empty((0, 4, 4))
    values = accessor_array(document, entry["inverseBindMatrices"], "MAT4")
    if len(values) < count:
        raise document.fault(f"skin {skin} has {count} joints but {len(values)} inverse bind matrices")
    return values[:count].reshape(-1, 4, 4).transpose(0, 2, 1)


def _bind_spaces(document: GltfDocument, tree: NodeTree, skin: int, root: int) -> tuple[Similarity, ...]:
    """Bind matrices are relative to a space the file does not name; exporters use one of these."""
    meshes = [node for node, entry in enumerate(document.entries("nodes")) if entry.get("skin") == skin]
    spaces = [tree.world(node) for node in meshes[:1]]
    if tree.parents[root] >= 0:
        spaces.append(tree.world(tree.parents[root]))
    return (*spaces, IDENTITY)


def rest_pose(document: GltfDocument, tree: NodeTree, character: Character) -> tuple[FloatArray, FloatArray]:
    """Where a character stands when bound to its mesh.

    Returns:
        World position of the root ``(3,)`` in file units, and local rotations ``(joints, 4)``, where the root's is
        relative to the world.
    """
    posed = _node_poses(tree, character)
    bound = _bound_poses(document, character)
    if bound:
        space = _best_space(character, posed, bound)
        bound = {joint: pose.after(space) for joint, pose in bound.items()}
        if not all(_close(posed[joint], pose) for joint, pose in bound.items()):
            posed = _completed(tree, character, posed, bound)
    rotations = np.stack([pose.rotation for pose in posed])
    local = rotations.copy()
    for joint, parent in enumerate(character.parents):
        if parent >= 0:
            local[joint] = rot.multiply(rot.conjugate(rotations[parent]), rotations[joint])
    return posed[0].translation, rot.normalize(local)


def _node_poses(tree: NodeTree, character: Character) -> list[Similarity]:
    poses = [tree.world(character.nodes[0])]
    for joint in range(1, len(character.nodes)):
        poses.append(tree.local(character.nodes[joint]).after(poses[character.parents[joint]]))
    return poses


def _bound_poses(document: GltfDocument, character: Character) -> dict[int, Similarity]:
    bound = {}
    for joint, node in enumerate(character.nodes):
        if node in character.inverse_binds:
            matrix = character.inverse_binds[node]
            bound[joint] = decomposed(document, matrix, f"inverse bind matrix of node {node}")[0].inverse()
    return bound


def _best_space(character: Character, posed: list[Similarity], bound: dict[int, Similarity]) -> Similarity:
    """The space in which the bound joints lie nearest to the nodes; an exact match of the root comes last."""
    first = next(iter(bound))
    matching_root = posed[first].after(IDENTITY)
    spaces = [*character.bind_spaces, bound[first].inverse().after(matching_root)]
    wanted = np.stack([posed[joint].translation for joint in bound])
    misses = []
    for space in spaces:
        found = np.stack([pose.after(space).translation for pose in bound.values()])
        misses.append(float(np.sqrt(np.mean((found - wanted) ** 2))))
    size = float(np.abs(wanted - wanted.mean(axis=0)).max())
    return next(space for space, miss in zip(spaces, misses, strict=True) if miss <= min(misses) + 0.02 * size)


def _close(a: Similarity, b: Similarity) -> bool:
    return bool(
        np.abs(a.translation - b.translation).max() <= _SAME_POSE * max(1.0, np.abs(a.translation).max())
        and np.abs(a.rotation - rot.aligned(b.rotation, a.rotation)).max() <= _SAME_POSE
    )


def _completed(
    tree: NodeTree, character: Character, posed: list[Similarity], bound: dict[int, Similarity]
) -> list[Similarity]:
    """Bind poses for every joint; joints that are not bound follow their parents as their nodes say."""
    full: list[Similarity] = []
    for joint, parent in enumerate(character.parents):
        if joint in bound:
            full.append(bound[joint])
        elif parent < 0:
            full.append(posed[0])
        else:
            full.append(tree.local(character.nodes[joint]).after(full[parent]))
    return full
