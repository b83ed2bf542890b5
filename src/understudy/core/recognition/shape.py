"""Recognising a humanoid by its shape: two legs to the floor, a trunk that splits into two arms and a head.

Used when the joint names say nothing. It needs a rest pose that stands upright with hands above the feet; it
refuses rather than guesses when there are more or fewer limbs than a person has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from understudy.core.humanoid import role_ancestors
from understudy.core.recognition.conventions import END_WORDS
from understudy.core.recognition.joint_tree import JointTree
from understudy.typing import FloatArray

#: Shares of the body's height. Leaves lower than this belong to feet; ankles are lower than the second.
_FOOT_LEAF_BELOW = 0.12
_ANKLE_BELOW = 0.17
#: [rad] where a leg turns by more, it is a foot.
_ANKLE_TURN = float(np.radians(30.0))
#: A hand rests higher than this above the floor, or the creature walks on four legs.
_HAND_ABOVE = 0.2
#: Hips rest higher than this above the floor.
_HIPS_ABOVE = 0.25
#: Joints nearer to each other than this are one point.
_SAME_POINT = 0.01
#: A first arm bone shorter than this share of the second is a collar bone.
_COLLAR_SHARE = 0.75
#: Share of the body's height: joints of an arm nearer than this to the trunk's middle belong to the collar bone.
_BESIDE_TRUNK = 0.06

_SIDE_WORDS = {"left": "left", "l": "left", "lft": "left", "right": "right", "r": "right", "rgt": "right"}


def spine_roles(found: Mapping[str, int], tree: JointTree) -> dict[str, int]:
    """Give out spine, chest and upper chest over the joints between the hips and where the arms branch off.

    Args:
        found: The other roles; ``hips`` and at least one of head and arms are needed.
        tree: The hierarchy.
    """
    above_chest = [joint for role, joint in found.items() if "spine" in role_ancestors(role)]
    hips = found.get("hips")
    if hips is None or not above_chest:
        return {}
    top = tree.common_ancestor(above_chest)
    if top is None or not tree.is_above(hips, top):
        return {}
    used = set(found.values())
    trunk: list[int] = []
    for joint in tree.path(hips, top)[1:]:
        # Some rigs hang the collar bones on the neck; the spine ends below it.
        if joint in used:
            break
        trunk.append(joint)
    return spread_spine(trunk)


def spread_spine(trunk: Sequence[int]) -> dict[str, int]:
    """One joint is the spine, two are spine and chest; of three or more the last is the upper chest."""
    if not trunk:
        return {}
    if len(trunk) < 3:
        return dict(zip(("spine", "chest"), trunk, strict=False))
    return {"spine": trunk[0], "chest": trunk[len(trunk) // 2], "upperChest": trunk[-1]}


def humanoid_by_shape(names: Sequence[str], tree: JointTree, positions: FloatArray) -> dict[str, int]:
    """The humanoid roles of a skeleton that stands like a person.

    Args:
        names: Joint names, looked at only for left and right.
        tree: The hierarchy.
        positions: ``(joints, 3)`` rest positions in the world, Y up, any unit.

    Returns:
        VRM role -> joint index with all required roles, or nothing.
    """
    points = np.asarray(positions, dtype=np.float64)
    if points.shape != (len(names), 3) or not np.isfinite(points).all():
        return {}
    low, high = float(points[:, 1].min()), float(points[:, 1].max())
    if not (np.isfinite(high - low) and high > low):
        return {}
    # Heights and distances from here on are shares of the body's height.
    figure = _Figure(names=names, tree=tree, points=(points - [0.0, low, 0.0]) / (high - low))
    return figure.roles()


@dataclass(frozen=True, kw_only=True)
class _Figure:
    """A skeleton scaled to height one, feet at zero."""

    names: Sequence[str]
    tree: JointTree
    points: FloatArray

    def roles(self) -> dict[str, int]:
        leaves = self.tree.leaves()
        legs = self._leg_tops(leaves)
        if legs is None:
            return {}
        fork = self.tree.parents[legs[0]]
        crown = max(leaves, key=lambda leaf: self.points[leaf, 1])
        hips = self.tree.common_ancestor([fork, crown])
        if hips is None or hips == crown or self.points[hips, 1] < _HIPS_ABOVE or self._below(legs, crown):
            return {}
        trunk = self.tree.path(hips, crown)
        arms = self._arm_tops(trunk, legs)
        if arms is None:
            return {}
        chest = trunk.index(self.tree.parents[arms[0]])
        found = {"hips": hips, **spread_spine(trunk[1 : chest + 1]), **self._head(trunk[chest + 1 :])}
        if "spine" not in found or "head" not in found:
            return {}
        return self._with_limbs(found, legs, arms)

    def _with_limbs(self, found: dict[str, int], legs: tuple[int, int], arms: tuple[int, int]) -> dict[str, int]:
        across = self.points[legs[0]] - self.points[legs[1]]
        for tops, roles_of in ((legs, self._leg), (arms, self._arm)):
            for side, top in zip(("left", "right"), self._left_first(tops, legs, across), strict=True):
                limb = roles_of(top)
                if limb is None:
                    return {}
                found.update({side + part: joint for part, joint in limb.items()})
        return found if len(set(found.values())) == len(found) else {}

    def _below(self, tops: tuple[int, int], joint: int) -> bool:
        return any(top == joint or self.tree.is_above(top, joint) for top in tops)

    def _leg_tops(self, leaves: Sequence[int]) -> tuple[int, int] | None:
        """The two branches that hold all leaves near the floor."""
        feet = [leaf for leaf in leaves if self.points[leaf, 1] < _FOOT_LEAF_BELOW]
        if len(feet) < 2:
            return None
        fork = self.tree.common_ancestor(feet)
        if fork is None or fork in feet:
            return None
        tops = [
            top
            for top in self.tree.children[fork]
            if any(foot == top or self.tree.is_above(top, foot) for foot in feet)
        ]
        return (tops[0], tops[1]) if len(tops) == 2 else None

    def _arm_tops(self, trunk: Sequence[int], legs: tuple[int, int]) -> tuple[int, int] | None:
        """The pair of branches off the trunk that reaches farthest to both sides."""
        across = (self.points[legs[0]] - self.points[legs[1]]) * [1.0, 0.0, 1.0]
        width = float(np.linalg.norm(across))
        if width < _SAME_POINT:
            across, width = np.array([1.0, 0.0, 0.0]), 1.0
        best, farthest = None, 0.0
        for joint, onward in pairwise(trunk[1:]):
            sides = [child for child in self.tree.children[joint] if child != onward]
            reach = [self._reach(child, joint, across / width) for child in sides]
            if len(sides) < 2:
                continue
            one, two = int(np.argmax(reach)), int(np.argmin(reach))
            if min(reach[one], -reach[two]) > max(farthest, _SAME_POINT):
                best, farthest = (sides[one], sides[two]), min(reach[one], -reach[two])
        return best

    def _reach(self, branch: int, origin: int, across: FloatArray) -> float:
        """Signed sideways distance of a branch's farthest joint, zero for branches too short to be arms."""
        joints = self.tree.subtree(branch)
        sideways = (self.points[joints] - self.points[origin]) @ across
        end = joints[int(np.argmax(np.abs(sideways)))]
        return 0.0 if len(self._chain(branch, end)) < 3 else float(sideways[np.argmax(np.abs(sideways))])

    def _chain(self, top: int, end: int) -> list[int]:
        """Joints from ``top`` to ``end``, leaving out those that lie on the joint before them."""
        chain: list[int] = []
        before = self.points[self.tree.parents[top]]
        for joint in self.tree.path(top, end):
            if np.linalg.norm(self.points[joint] - before) >= _SAME_POINT:
                chain.append(joint)
                before = self.points[joint]
        return chain

    def _leg(self, top: int) -> dict[str, int] | None:
        joints = self.tree.subtree(top)
        end = min((j for j in joints if not self.tree.children[j]), key=lambda leaf: self.points[leaf, 1])
        chain = self._chain(top, end)
        low = [i for i, joint in enumerate(chain) if i > 1 and self.points[joint, 1] < _ANKLE_BELOW]
        if not low:
            return None
        # Legs turn ahead at the ankle; shanks of several bones are straight.
        ankle = next((i for i in low[:-1] if self._turn(chain, i) > _ANKLE_TURN), low[0])
        roles = {"UpperLeg": chain[0], "LowerLeg": self._middle(chain[: ankle + 1]), "Foot": chain[ankle]}
        if ankle + 1 < len(chain) and not self._is_end(chain[ankle + 1]):
            roles["Toes"] = chain[ankle + 1]
        return roles

    def _arm(self, top: int) -> dict[str, int] | None:
        joints = self.tree.subtree(top)
        distances = np.linalg.norm(self.points[joints] - self.points[top], axis=1)
        chain = [j for j in self._chain(top, joints[int(np.argmax(distances))]) if not self._is_end(j)]
        palm = next((i for i, joint in enumerate(chain) if i > 1 and len(self.tree.children[joint]) > 2), None)
        chain = chain[: (palm if palm is not None else len(chain)) + 1]
        if len(chain) < 3:
            return None
        if palm is not None:
            return self._arm_to_palm(chain)
        collar = int(len(chain) > 3 and self._bone(chain, 0) < _COLLAR_SHARE * self._bone(chain, 1))
        hand = collar + 2
        if hand - collar < 2 or self.points[chain[hand], 1] < _HAND_ABOVE:
            return None
        roles = {"Shoulder": chain[0]} if collar else {}
        upper = chain[collar : hand + 1]
        return {**roles, "UpperArm": upper[0], "LowerArm": self._middle(upper), "Hand": upper[-1]}

    def _arm_to_palm(self, chain: Sequence[int]) -> dict[str, int] | None:
        """Roles of an arm whose hand is known: any number of bones may make collar, upper arm and forearm.

        Collar bones begin beside the trunk, and the elbow halves what lies outside it best.
        """
        trunk = self.points[self.tree.parents[chain[0]]]
        aside = np.linalg.norm((self.points[list(chain)] - trunk)[:, [0, 2]], axis=1)
        collar = int(np.argmax(aside > _BESIDE_TRUNK))
        arm = chain[collar:]
        if len(arm) < 3 or self.points[arm[-1], 1] < _HAND_ABOVE:
            return None
        roles = {"Shoulder": chain[collar - 1]} if collar else {}
        return {**roles, "UpperArm": arm[0], "LowerArm": self._middle(arm), "Hand": arm[-1]}

    def _middle(self, chain: Sequence[int]) -> int:
        """The inner joint that halves a chain best: a knee or an elbow among twist joints."""
        start, end = self.points[chain[0]], self.points[chain[-1]]
        halves = [
            min(np.linalg.norm(self.points[joint] - start), np.linalg.norm(end - self.points[joint]))
            for joint in chain[1:-1]
        ]
        return chain[1 + int(np.argmax(halves))]

    def _bone(self, chain: Sequence[int], place: int) -> float:
        return float(np.linalg.norm(self.points[chain[place + 1]] - self.points[chain[place]]))

    def _turn(self, chain: Sequence[int], place: int) -> float:
        """How far a chain turns at one of its inner joints [rad]."""
        before, after = np.diff(self.points[list(chain[place - 1 : place + 2])], axis=0)
        return float(np.arctan2(np.linalg.norm(np.cross(before, after)), before @ after))

    def _head(self, above_chest: Sequence[int]) -> dict[str, int]:
        """Neck and head among the joints over the arms."""
        joints = [joint for joint in above_chest if not self._is_end(joint)] or list(above_chest)
        # Eyes, jaw or hair branch off at the head.
        forked = [joint for joint in joints if len(self.tree.children[joint]) > 1]
        head = forked[0] if forked else joints[-1]
        return {"neck": joints[0], "head": head} if joints[0] != head else {"head": head}

    def _is_end(self, joint: int) -> bool:
        words = _words(self.names[joint])
        return not self.tree.children[joint] and bool(words) and words[-1] in END_WORDS

    def _left_first(self, tops: tuple[int, int], legs: tuple[int, int], across: FloatArray) -> tuple[int, int]:
        """Order a pair of limbs left, right: by their names where they tell, else by place (left is +X)."""
        said = tuple(self._side(top) for top in tops)
        if set(said) == {"left", "right"}:
            return tops if said[0] == "left" else tops[::-1]
        if tops != legs and {self._side(leg) for leg in legs} == {"left", "right"}:
            # Only the legs are named: the arm on the left leg's side is the left one.
            across = across if self._side(legs[0]) == "left" else -across
        else:
            across = np.array([1.0, 0.0, 0.0])
        difference = float((self._centre(tops[0]) - self._centre(tops[1])) @ across)
        return tops if difference >= 0 else tops[::-1]

    def _centre(self, top: int) -> FloatArray:
        return np.asarray(self.points[self.tree.subtree(top)].mean(axis=0))

    def _side(self, top: int) -> str:
        """The side that most joints of a limb name, or nothing."""
        words = [word for joint in self.tree.subtree(top) for word in _words(self.names[joint])]
        sides = [_SIDE_WORDS[word] for word in words if word in _SIDE_WORDS]
        left, right = sides.count("left"), sides.count("right")
        return "" if left == right else "left" if left > right else "right"


def _words(name: str) -> list[str]:
    """Lower-case words of a name, split at signs, digits and changes of case."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
