"""One way to name the parts of a body: as its capsules are called, whichever way a person writes them."""

from __future__ import annotations

from understudy.core.anthropometry import segments
from understudy.core.humanoid import ROLES, role_ancestors
from understudy.core.skeleton import Skeleton
from understudy.errors import SceneError, SkeletonError

#: Roles in words -> what bodies call the capsule there.
_BODY_WORDS = {
    "lower_arm": "forearm",
    "upper_leg": "thigh",
    "lower_leg": "shank",
    "hips": "pelvis",
    "spine": "abdomen",
    "upper_chest": "chest",
}
#: What bodies call a capsule -> the role that carries it.
_CARRIERS = {segment.name: segment.role for segment in segments()}


def _side_of(words: str) -> tuple[str, str]:
    for side in ("left_", "right_"):
        if words.startswith(side):
            return side, words.removeprefix(side)
    return "", words


def part_name(part: str) -> str:
    """A body part as bodies name it: ``rightHand`` is ``right_hand``, ``leftLowerArm`` is ``left_forearm``."""
    words = "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in part).lstrip("_")
    side, bare = _side_of(words)
    return side + _BODY_WORDS.get(bare, bare)


#: Every part a human body can have, for checking names before the skeleton is known.
PARTS: tuple[str, ...] = tuple(
    dict.fromkeys([*(segment.name for segment in segments()), *(part_name(role) for role in ROLES)])
)


def joint_index(skeleton: Skeleton, part: str) -> int:
    """The joint of a body part: a joint's name, a role, or either in words (``right_hand``, ``left_forearm``).

    Raises:
        SceneError: There is no such joint; the nearest is named.
    """
    words = part.split("_")
    role = _CARRIERS.get(part, words[0] + "".join(word.capitalize() for word in words[1:]))
    if part in _CARRIERS and role not in skeleton.humanoid:
        # Rigs with few joints carry a capsule one joint further down.
        role = next((above for above in role_ancestors(role) if above in skeleton.humanoid), role)
    known = part in skeleton.names or part in skeleton.humanoid or role not in skeleton.humanoid
    try:
        return skeleton.index(part if known else role)
    except SkeletonError as error:
        raise SceneError(str(error)) from error
