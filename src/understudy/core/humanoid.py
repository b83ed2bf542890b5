"""The humanoid vocabulary: VRM 1.0 bone names, their tree, and the limbs made of them.

Every room speaks of joints by these *roles*; ``formats`` maps a file's own joint names onto them.
"""

from __future__ import annotations

from types import MappingProxyType

#: Role -> parent role, in an order where parents come first (VRM 1.0 humanoid, without eyes and jaw).
ROLE_PARENTS: MappingProxyType[str, str | None]

_FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little")


def _finger_bones(finger: str) -> tuple[str, str, str]:
    if finger == "Thumb":
        return "Metacarpal", "Proximal", "Distal"
    return "Proximal", "Intermediate", "Distal"


def _role_parents() -> dict[str, str | None]:
    tree: dict[str, str | None] = {
        "hips": None,
        "spine": "hips",
        "chest": "spine",
        "upperChest": "chest",
        "neck": "upperChest",
        "head": "neck",
    }
    for side in ("left", "right"):
        chain = {
            "Shoulder": "upperChest",
            "UpperArm": f"{side}Shoulder",
            "LowerArm": f"{side}UpperArm",
            "Hand": f"{side}LowerArm",
            "UpperLeg": "hips",
            "LowerLeg": f"{side}UpperLeg",
            "Foot": f"{side}LowerLeg",
            "Toes": f"{side}Foot",
        }
        tree.update({f"{side}{bone}": parent for bone, parent in chain.items()})
        for finger in _FINGERS:
            parent = f"{side}Hand"
            for bone in _finger_bones(finger):
                tree[f"{side}{finger}{bone}"] = parent
                parent = f"{side}{finger}{bone}"
    return tree


ROLE_PARENTS = MappingProxyType(_role_parents())

#: Every role, parents first.
ROLES: tuple[str, ...] = tuple(ROLE_PARENTS)

#: The fifteen roles VRM demands of a humanoid.
REQUIRED_ROLES: tuple[str, ...] = (
    "hips",
    "spine",
    "head",
    *(
        f"{side}{bone}"
        for side in ("left", "right")
        for bone in ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")
    ),
)

#: Limb name -> roles from the base of the linkage to its end.
LIMB_ROLES: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "left_arm": ("leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand"),
        "right_arm": ("rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand"),
        "left_leg": ("leftUpperLeg", "leftLowerLeg", "leftFoot", "leftToes"),
        "right_leg": ("rightUpperLeg", "rightLowerLeg", "rightFoot", "rightToes"),
        "torso": ("hips", "spine", "chest", "upperChest", "neck", "head"),
    }
)

FINGER_ROLES: frozenset[str] = frozenset(
    f"{side}{finger}{bone}" for side in ("left", "right") for finger in _FINGERS for bone in _finger_bones(finger)
)


def mirrored_role(role: str) -> str:
    """The role on the other side of the body; the role itself on the midline."""
    if role.startswith("left"):
        return "right" + role[4:]
    if role.startswith("right"):
        return "left" + role[5:]
    return role


def role_ancestors(role: str) -> tuple[str, ...]:
    """The roles between ``role`` (excluded) and the hips (included), nearest first."""
    chain = []
    parent = ROLE_PARENTS[role]
    while parent is not None:
        chain.append(parent)
        parent = ROLE_PARENTS[parent]
    return tuple(chain)
