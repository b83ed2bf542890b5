"""Which joint plays which humanoid role: by the names of known rigs, else by the shape of the skeleton.

Names are read in several ways (with and without a shared prefix), each reading is tried against every known
convention, and a joint only gets a role when the hierarchy agrees: a lower arm hangs below its upper arm, a
left limb never below a right one. The convention that explains most wins.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from understudy.core.humanoid import (
    FINGER_ROLES,
    REQUIRED_ROLES,
    ROLES,
    mirrored_role,
    role_ancestors,
)
from understudy.core.recognition.conventions import CONVENTIONS, GLUED_PREFIXES, IDLE_SUFFIXES
from understudy.core.recognition.joint_tree import JointTree
from understudy.core.recognition.shape import humanoid_by_shape, spine_roles
from understudy.core.recognition.wrists import with_wrists_that_bend
from understudy.errors import SkeletonError, nearest_name
from understudy.typing import FloatArray

#: A first word shared by this many joints may be a prefix; fewer cannot hold a body.
_PREFIX_MIN_JOINTS = 10
_PREFIX_MAX_WORDS = 4
_MAX_READINGS = 24

#: Fewer required roles than this are taken for chance, not for a humanoid.
_MIN_REQUIRED_FOUND = 10

_SEPARATOR = re.compile(r"[\W_]+")
_GLUED = re.compile("^(?:" + "|".join(GLUED_PREFIXES) + ")(?=.)")
#: Required roles first, since an optional one must give way to them; the spine follows from the others.
_TRIAL_ORDER = (
    *(role for role in REQUIRED_ROLES if role != "spine"),
    *(r for r in ROLES if r not in REQUIRED_ROLES),
)


def humanoid_of(names: Sequence[str], parents: Sequence[int], positions: FloatArray | None = None) -> dict[str, int]:
    """The humanoid roles of a skeleton's joints.

    Args:
        names: Joint names as the file spells them.
        parents: Parent of each joint, negative for roots.
        positions: ``(joints, 3)`` rest positions in the world, Y up, any unit. With them, rigs with unknown
            names can still be recognised by their shape.

    Returns:
        VRM role -> joint index, in the order of ``core.humanoid.ROLES``; empty when the joints cannot be
        recognised. Roles may be missing (a body without hands); ``Skeleton.is_humanoid`` tells.
    """
    if len(names) != len(parents) or not len(names):
        return {}
    try:
        tree = JointTree(parents)
    except ValueError:
        return {}
    by_name = _by_name(names, tree)
    if positions is not None:
        by_name = with_wrists_that_bend(by_name, tree, positions)
    if positions is not None and _required_count(by_name) < len(REQUIRED_ROLES):
        by_shape = humanoid_by_shape(names, tree, positions)
        if by_shape:
            return _ordered(with_wrists_that_bend(by_shape, tree, positions))
    return _ordered(by_name) if _required_count(by_name) >= _MIN_REQUIRED_FOUND else {}


def humanoid_from_mapping(mapping: Mapping[str, str], names: Sequence[str]) -> dict[str, int]:
    """The humanoid roles a person wrote down, as joint indices.

    Args:
        mapping: VRM role -> joint name.
        names: The skeleton's joint names.

    Raises:
        SkeletonError: An unknown role, an unknown joint, or one joint in two roles.
    """
    index = {name: joint for joint, name in enumerate(names)}
    taken: dict[str, str] = {}
    for role, name in mapping.items():
        if role not in ROLES:
            raise SkeletonError(f'the mapping names an unknown humanoid role "{role}"; {nearest_name(role, ROLES)}')
        if name not in index:
            hint = nearest_name(str(name), names)
            raise SkeletonError(f'the mapping gives role "{role}" to joint "{name}", which does not exist; {hint}')
        if name in taken:
            raise SkeletonError(f'the mapping gives joint "{name}" to both "{taken[name]}" and "{role}"')
        taken[name] = role
    return _ordered({role: index[name] for role, name in mapping.items()})


def _by_name(names: Sequence[str], tree: JointTree) -> dict[str, int]:
    """The best explanation of the names by one convention; empty when there is none."""
    best: dict[str, int] = {}
    for reading in _readings(names):
        joints: dict[str, int] = {}
        for joint in tree.order:
            known = joints.setdefault(reading[joint], joint)
            # Some exporters put a joint of the same name in front of one that does not begin where its parent ends.
            if known != joint and tree.parents[joint] == known:
                joints[reading[joint]] = joint
        joints.pop("", None)
        for spellings in CONVENTIONS:
            for hips in spellings["hips"]:
                if hips in joints:
                    found = _explained(joints, {**spellings, "hips": (hips,)}, tree)
                    if _merit(found, tree) > _merit(best, tree):
                        best = found
    return best


def _explained(joints: Mapping[str, int], spellings: Mapping[str, tuple[str, ...]], tree: JointTree) -> dict[str, int]:
    """Roles whose spellings occur and whose joints fit the hierarchy."""
    found: dict[str, int] = {}
    for role in _TRIAL_ORDER:
        for spelling in spellings.get(role, ()):
            joint = joints.get(spelling)
            if joint is not None and _fits(role, joint, found, tree):
                found[role] = joint
                break
    found = _without_mittens(found)
    found.update(spine_roles(found, tree))
    return found


def _fits(role: str, joint: int, found: Mapping[str, int], tree: JointTree) -> bool:
    """Whether giving ``role`` to ``joint`` agrees with the roles already given."""
    above = set(role_ancestors(role))
    sided = mirrored_role(role) != role
    for other, at in found.items():
        if at == joint:
            return False
        if other in above and not tree.is_above(at, joint):
            return False
        if role in role_ancestors(other) and not tree.is_above(joint, at):
            return False
        opposite = sided and mirrored_role(other) != other and other[0] != role[0]
        if opposite and (tree.is_above(at, joint) or tree.is_above(joint, at)):
            return False
    return True


def _without_mittens(found: Mapping[str, int]) -> dict[str, int]:
    """Drop a hand's fingers when only one is known: such a joint stands for all of them (CMU)."""
    kept = dict(found)
    for side in ("left", "right"):
        fingers = [role for role in found if role in FINGER_ROLES and role.startswith(side)]
        kinds = {
            finger for role in fingers for finger in ("Thumb", "Index", "Middle", "Ring", "Little") if finger in role
        }
        if len(kinds) == 1:
            for role in fingers:
                del kept[role]
    return kept


def _merit(found: Mapping[str, int], tree: JointTree) -> tuple[int, int, int]:
    # Of a "root" above a "pelvis" the lower one is the hips, as long as legs and trunk hang on it.
    depth = tree.depth(found["hips"]) if found else 0
    return _required_count(found), depth, len(found)


def _required_count(found: Mapping[str, int]) -> int:
    return sum(role in found for role in REQUIRED_ROLES)


def _ordered(found: Mapping[str, int]) -> dict[str, int]:
    return {role: int(found[role]) for role in ROLES if role in found}


def _readings(names: Sequence[str]) -> Iterator[list[str]]:
    """Folded names, as they are and without the prefixes they may share; distinct readings only."""
    words = [_words(name) for name in names]
    seen: set[tuple[str, ...]] = set()
    pending = [(words, 0)]
    while pending and len(seen) < _MAX_READINGS:
        current, depth = pending.pop(0)
        glued = ["".join(parts) for parts in current]
        for reading in (glued, [_GLUED.sub("", name) for name in glued]):
            key = tuple(reading)
            if key not in seen:
                seen.add(key)
                yield reading
        if depth < _PREFIX_MAX_WORDS:
            firsts = Counter(parts[0] for parts in current if len(parts) > 1)
            for word, count in firsts.items():
                if count >= _PREFIX_MIN_JOINTS:
                    stripped = [p[1:] if len(p) > 1 and p[0] == word else p for p in current]
                    pending.append((stripped, depth + 1))


def _words(name: str) -> list[str]:
    """A name's words without namespace and idle suffix, in one case."""
    own = re.split(r"[:|/]", unicodedata.normalize("NFKC", name))[-1]
    words = [word for word in _SEPARATOR.split(own.casefold()) if word]
    if len(words) > 1 and words[-1] in IDLE_SUFFIXES:
        words = words[:-1]
    return words
