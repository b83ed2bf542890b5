"""The skeleton of a glTF character in Understudy's conventions, and what ties it to the file's nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.humanoid import ROLES
from understudy.core.recognition import humanoid_from_mapping, humanoid_of
from understudy.core.skeleton import Skeleton
from understudy.errors import MotionError, SkeletonError
from understudy.formats.gltf_characters import Character, rest_pose
from understudy.formats.gltf_document import GltfDocument
from understudy.formats.gltf_nodes import IDENTITY, NodeTree, Similarity
from understudy.formats.options import ReadOptions
from understudy.formats.vrm import declared_bones
from understudy.typing import FloatArray, IntArray

#: Numbers in notes beyond this are damage.
_LARGEST = 1e6


@dataclass(frozen=True, eq=False, kw_only=True)
class RiggedCharacter:
    """A character with its skeleton, and what ties the two together.

    Attributes:
        character: Nodes of the joints.
        skeleton: In metres, Y up, at rest in the bind pose.
        scales: ``(joints,)`` metres per unit of each node's own translation.
        base: Static world transform of the root's parent.
    """

    character: Character
    skeleton: Skeleton
    scales: FloatArray
    base: Similarity


def rigged(
    document: GltfDocument,
    tree: NodeTree,
    character: Character,
    options: ReadOptions,
    translations: Mapping[int, FloatArray] | None = None,
) -> RiggedCharacter:
    """The skeleton of a character.

    Args:
        document: The file.
        tree: Its nodes.
        character: Which of them.
        options: Unit, up axis, humanoid mapping.
        translations: Node -> translation to use for bone lengths instead of the node's own.
    """
    try:
        found = _skeleton(document, tree, character, options, translations or {})
        hips = found.skeleton.humanoid.get("hips", 0)
        if (
            hips
            and not character.notes
            and set(found.skeleton.humanoid.values()) <= set(found.skeleton.descendants(hips))
        ):
            # Control joints above the hips would hide the body's travel from everything that reads the root.
            return _skeleton(document, tree, character.rooted_at(hips), options, translations or {})
    except (SkeletonError, MotionError) as error:
        raise document.fault(str(error)) from error
    return found


def _skeleton(
    document: GltfDocument,
    tree: NodeTree,
    character: Character,
    options: ReadOptions,
    translations: Mapping[int, FloatArray],
) -> RiggedCharacter:
    world = conversion(options)
    parent = tree.parents[character.nodes[0]]
    base = (tree.world(parent) if parent >= 0 else IDENTITY).after(world)
    scales = np.empty(len(character.nodes))
    inner = np.empty(len(character.nodes))
    for joint, node in enumerate(character.nodes):
        above = character.parents[joint]
        scales[joint] = base.scale if above < 0 else inner[above]
        inner[joint] = scales[joint] * tree.local(node).scale
    root, rest = rest_pose(document, tree, character)
    offsets = np.stack([translations.get(node, tree.local(node).translation) for node in character.nodes])
    offsets = offsets * scales[:, None]
    offsets[0] = Similarity(translation=root, rotation=rot.identity()).after(world).translation
    rest[0] = rot.multiply(world.rotation, rest[0])
    prefix = character.notes.get("prefix")
    names = [tree.names[node] for node in character.nodes]
    if isinstance(prefix, str):
        names = [name.removeprefix(prefix) for name in names]
    tip_joints, tip_offsets = _tips(character)
    skeleton = Skeleton(
        names=tuple(names),
        parents=np.array(character.parents),
        offsets=offsets,
        rest_rotations=rest,
        tip_joints=tip_joints,
        tip_offsets=tip_offsets * metres_per_unit(options),
    )
    humanoid = _humanoid(document, character, skeleton, options)
    return RiggedCharacter(character=character, skeleton=skeleton.with_humanoid(humanoid), scales=scales, base=base)


def metres_per_unit(options: ReadOptions) -> float:
    """Metres per file unit; glTF's own unit is the metre."""
    return 1.0 if options.unit_m is None else options.unit_m


def conversion(options: ReadOptions) -> Similarity:
    """From the file's unit and up axis to metres with Y up."""
    upright = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -np.pi / 2) if options.up == "z" else rot.identity()
    return Similarity(translation=np.zeros(3), rotation=upright, scale=metres_per_unit(options))


def _tips(character: Character) -> tuple[IntArray, FloatArray]:
    """End points that Understudy noted in its own file."""
    listed = character.notes.get("tips")
    joints, offsets = [], []
    for entry in listed if isinstance(listed, list) else []:
        is_tip = isinstance(entry, list) and len(entry) == 4 and all(map(_is_plain, entry))
        if is_tip and isinstance(entry[0], int) and 0 <= entry[0] < len(character.nodes):
            joints.append(entry[0])
            offsets.append(entry[1:])
    return np.array(joints, dtype=np.int64), np.array(offsets, dtype=np.float64).reshape(-1, 3)


def _is_plain(value: object) -> bool:
    """Whether it is a number that an array can hold: not NaN, not a whole number of fifty digits."""
    return isinstance(value, int | float) and abs(value) <= _LARGEST


def _humanoid(
    document: GltfDocument, character: Character, skeleton: Skeleton, options: ReadOptions
) -> Mapping[str, int]:
    if options.mapping is not None:
        return humanoid_from_mapping(options.mapping, skeleton.names)
    noted = character.notes.get("humanoid")
    if isinstance(noted, dict):
        places = {name: joint for joint, name in enumerate(skeleton.names)}
        found = {
            role: places[name]
            for role, name in noted.items()
            if role in ROLES and isinstance(name, str) and name in places
        }
        if len(set(found.values())) == len(found):
            return found
    place = {node: joint for joint, node in enumerate(character.nodes)}
    declared = {role: place[node] for role, node in declared_bones(document).items() if node in place}
    if declared:
        return declared
    return humanoid_of(skeleton.names, skeleton.parents.tolist(), skeleton.rest_world[0])
