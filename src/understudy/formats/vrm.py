"""What VRM adds to glTF: which node is which part of a person; and VRM animations (``.vrma``).

A VRM animation is a person's movement without a mesh: nodes in a T-pose, only those with a role, and one animation.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.core.humanoid import ROLES
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose
from understudy.errors import FormatError, SkeletonError
from understudy.formats.gltf_builder import GltfBuilder
from understudy.formats.gltf_document import GltfDocument, packed_glb
from understudy.kinematics.forward import motion_world
from understudy.typing import FloatArray

_EXTENSION = "VRMC_vrm_animation"
#: VRM 0 counts the bones of a thumb from the palm without its first; VRM 1 with it.
_OLD_THUMBS = {
    f"{side}Thumb{old}": f"{side}Thumb{new}"
    for side in ("left", "right")
    for old, new in (("Proximal", "Metacarpal"), ("Intermediate", "Proximal"))
}


def declared_bones(document: GltfDocument) -> dict[str, int]:
    """Role -> node, as a VRM 0, a VRM 1 or a VRM animation says; empty for other files."""
    found: dict[str, int] = {}
    count = len(document.entries("nodes"))
    for role, node in _listed(document):
        is_node = isinstance(node, int) and not isinstance(node, bool) and 0 <= node < count
        if isinstance(role, str) and role in ROLES and is_node and role not in found and node not in found.values():
            found[role] = node
    return found


def _listed(document: GltfDocument) -> list[tuple[Any, Any]]:
    """Role and node of every entry, as the file has them."""
    extensions = document.root.get("extensions")
    for name in ("VRMC_vrm", _EXTENSION, "VRM"):
        at: object = extensions
        for key in (name, "humanoid", "humanBones"):
            at = at.get(key) if isinstance(at, dict) else None
        if isinstance(at, dict):
            return [(role, entry["node"]) for role, entry in at.items() if isinstance(entry, dict) and "node" in entry]
        if isinstance(at, list):
            bones = [(one.get("bone"), one.get("node")) for one in at if isinstance(one, dict)]
            return [(_OLD_THUMBS.get(str(bone), bone), node) for bone, node in bones]
    return []


def vrma_bytes(motion: Motion, path: Path) -> bytes:
    """A VRM animation of a person's motion.

    Args:
        motion: Of a humanoid; joints without a role are left out, and what they turn goes into the next one.
        path: Named in errors.

    Raises:
        FormatError: The skeleton is no humanoid.
    """
    skeleton = motion.skeleton
    try:
        rest = t_pose(skeleton)
    except SkeletonError as error:
        raise FormatError(f"a VRM animation is of a person: {error}", path=path) from error
    joints = sorted(skeleton.humanoid.values())
    if skeleton.humanoid["hips"] != joints[0]:
        raise FormatError("a VRM animation begins at the hips, which are not the first joint with a role", path=path)
    above = [_nearest(skeleton.parents.tolist(), joint, set(joints)) for joint in joints]
    places, turns = skeleton.placed_joints(np.zeros(3), rest)
    places = places - [0.0, places[:, 1].min(), 0.0]
    world = motion_world(motion)
    moved, turned = world.positions, world.rotations
    made = GltfBuilder(path)
    made.roots = [0]
    times = made.key_times(motion.times_s, "the motion")
    made.animate(0, times, "translation", moved[:, joints[0]])
    for number, (joint, parent) in enumerate(zip(joints, above, strict=True)):
        at, local, keys = places[joint], turns[joint], turned[:, joint]
        if parent is not None:
            back = rot.conjugate(turns[parent])
            at, local = rot.rotate(back, at - places[parent]), rot.multiply(back, local)
            keys = rot.multiply(rot.conjugate(turned[:, parent]), keys)
            made.parts["nodes"][joints.index(parent)].setdefault("children", []).append(number)
        made.add("nodes", {"name": skeleton.names[joint], "translation": at.tolist(), "rotation": _xyzw(local)})
        made.animate(number, times, "rotation", rot.continuous(rot.normalize(keys)))
    made.end_animation(motion.name or "motion")
    bones = {role: {"node": joints.index(joint)} for role, joint in skeleton.humanoid.items()}
    root = {
        **made.root(),
        "extensionsUsed": [_EXTENSION],
        "extensions": {_EXTENSION: {"specVersion": "1.0", "humanoid": {"humanBones": bones}}},
    }
    return packed_glb(root, bytes(made.buffer.data))


def _nearest(parents: list[int], joint: int, wanted: set[int]) -> int | None:
    at = parents[joint]
    while at >= 0 and at not in wanted:
        at = parents[at]
    return at if at >= 0 else None


def _xyzw(turn: FloatArray) -> list[float]:
    return [float(value) for value in rot.normalize(turn)[[1, 2, 3, 0]]]
