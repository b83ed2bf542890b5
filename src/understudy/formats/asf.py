"""Acclaim skeleton files (.asf).

An Acclaim *bone* becomes the joint at its near end: the joint sits where the parent bone ends, and a bone without
children ends in an end point. A bone's rotation is written in its own axes ``C``, so in world-parallel rest frames
it is ``C M C^-1`` with ``M`` the product of its degrees of freedom, the first one applied first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.core.skeleton import parents_first
from understudy.errors import FormatError, SkeletonError, nearest_name
from understudy.formats.bvh_hierarchy import MAX_JOINTS
from understudy.formats.number_text import parse_number
from understudy.typing import FloatArray

_DEGREES_OF_FREEDOM = ("rx", "ry", "rz", "tx", "ty", "tz", "l")
_ORDER = re.compile(r"[XYZ]{1,3}")


@dataclass(kw_only=True)
class AsfBone:
    """One bone, lengths in file units.

    Attributes:
        name: As spelled.
        line: Where it begins.
        direction: Unit vector in the world of the rest pose.
        length: File units.
        axes: Its own axes in the world of the rest pose, a rotation.
        dof: Degrees of freedom in the order of AMC values, lower case.
    """

    name: str
    line: int = 0
    direction: FloatArray = field(default_factory=lambda: np.zeros(3))
    length: float = 0.0
    axes: FloatArray = field(default_factory=rot.identity)
    dof: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AsfSkeleton:
    """A whole skeleton: bones in parents-first order, ``bones[0]`` is the root.

    Attributes:
        bones: The root has its degrees of freedom in AMC order, translations included.
        parents: Parent of each bone.
        root_position: Added to the root's translation [file units].
        length_unit: The ``length`` of ``:units``; CMU files have 0.45, which makes a file unit 1 / 0.45 inch.
        degrees: Whether angles are degrees.
    """

    bones: tuple[AsfBone, ...]
    parents: tuple[int, ...]
    root_position: FloatArray
    length_unit: float
    degrees: bool

    def joint_offsets(self) -> FloatArray:
        """``(bones, 3)`` where each bone begins in its parent's frame [file units]."""
        offsets = np.zeros((len(self.bones), 3))
        offsets[0] = self.root_position
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                offsets[bone] = self.bones[parent].direction * self.bones[parent].length
        return offsets

    def tips(self) -> list[int]:
        """Bones without children."""
        with_children = set(self.parents)
        return [bone for bone in range(1, len(self.bones)) if bone not in with_children]


def parse_asf(text: str, *, path: Path) -> AsfSkeleton:
    """Read an ASF file.

    Raises:
        FormatError: The file is no ASF or is damaged; names file and line.
    """
    parser = _Parser(path)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        words = line.split("#", 1)[0].split()
        if words:
            parser.read(words, number)
    return parser.finished()


class _Parser:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._section = ""
        self._line = 1
        self._root = AsfBone(name="root")
        self._root_position = np.zeros(3)
        self._root_axis = "XYZ"
        self._root_angles = np.zeros(3)
        self._bones: dict[str, AsfBone] = {}
        self._bone: AsfBone | None = None
        self._parent: dict[str, str] = {}
        self._length = 1.0
        self._degrees = True

    def read(self, words: list[str], number: int) -> None:
        self._line = number
        if words[0].startswith(":"):
            self._section = words[0].lower()
            return
        if not self._section:
            raise self._fault(f'is not an ASF file: expected a ":" section, found "{words[0][:40]}"')
        if self._section == ":units":
            self._unit(words)
        elif self._section == ":root":
            self._root_line(words)
        elif self._section == ":bonedata":
            self._bone_line(words)
        elif self._section == ":hierarchy":
            self._hierarchy_line(words)

    def _fault(self, message: str) -> FormatError:
        return FormatError(message, path=self._path, line=self._line)

    def _numbers(self, words: list[str], count: int) -> FloatArray:
        if len(words) < count:
            raise self._fault(f"expected {count} numbers, got {len(words)}")
        return np.array([parse_number(word, path=self._path, line=self._line) for word in words[:count]])

    def _unit(self, words: list[str]) -> None:
        key = words[0].lower()
        if key == "length":
            self._length = float(self._numbers(words[1:], 1)[0])
            if not self._length > 0:
                raise self._fault(f"length unit {self._length:g} must be positive")
        elif key == "angle" and len(words) > 1:
            self._degrees = not words[1].lower().startswith("rad")

    def _root_line(self, words: list[str]) -> None:
        key = words[0].lower()
        if key == "order":
            self._root.dof = self._dof(words[1:])
        elif key == "axis" and len(words) > 1:
            self._root_axis = words[1]
        elif key == "position":
            self._root_position = self._numbers(words[1:], 3)
        elif key == "orientation":
            self._root_angles = self._numbers(words[1:], 3)

    def _bone_line(self, words: list[str]) -> None:
        key = words[0].lower()
        if key == "begin":
            self._bone = AsfBone(name="", line=self._line)
            return
        if self._bone is None:
            raise self._fault(f'"{words[0][:40]}" outside begin ... end')
        if key == "end":
            self._close_bone()
        elif key == "name" and len(words) > 1:
            self._bone.name = " ".join(words[1:])
        elif key == "direction":
            direction = self._numbers(words[1:], 3)
            self._bone.direction = direction / max(float(np.linalg.norm(direction)), 1e-12)
        elif key == "length":
            self._bone.length = float(self._numbers(words[1:], 1)[0])
        elif key == "axis":
            angles = self._numbers(words[1:], 3)
            self._bone.axes = self._turn(angles, words[4] if len(words) > 4 else "XYZ")
        elif key == "dof":
            self._bone.dof = self._dof(words[1:])

    def _close_bone(self) -> None:
        bone = self._bone
        if bone is None or not bone.name:
            raise self._fault("a bone without a name")
        if bone.name in self._bones or bone.name == "root":
            raise self._fault(f'two bones are called "{bone.name}"')
        if len(self._bones) == MAX_JOINTS:
            raise self._fault(f"more than {MAX_JOINTS} bones")
        self._bones[bone.name] = bone
        self._bone = None

    def _dof(self, words: list[str]) -> tuple[str, ...]:
        dof = tuple(word.lower() for word in words)
        if len(set(dof)) != len(dof):
            raise self._fault("the same degree of freedom twice")
        for word in dof:
            if word not in _DEGREES_OF_FREEDOM:
                hint = nearest_name(word[:20], _DEGREES_OF_FREEDOM)
                raise self._fault(f'unknown degree of freedom "{word[:20]}"; {hint}')
        return dof

    def _turn(self, angles: FloatArray, order: str) -> FloatArray:
        if not _ORDER.fullmatch(order.upper()):
            raise self._fault(f'axis order "{order[:20]}" is not made of X, Y and Z')
        return turned(np.deg2rad(angles) if self._degrees else angles, order)

    def _hierarchy_line(self, words: list[str]) -> None:
        if words[0].lower() in ("begin", "end"):
            return
        for name in words:
            if name != "root" and name not in self._bones:
                raise self._fault(f'unknown bone "{name[:40]}"; {nearest_name(name[:40], self._bones)}')
        for child in words[1:]:
            if child in self._parent or child == "root":
                raise self._fault(f'bone "{child}" has two parents')
            self._parent[child] = words[0]

    def finished(self) -> AsfSkeleton:
        if not self._section:
            raise self._fault("is not an ASF file: it has no sections")
        if not self._parent:
            raise self._fault("the skeleton has no hierarchy; the file seems cut off")
        if self._bone is not None:
            raise self._fault(f'the file ends inside bone "{self._bone.name}"')
        lost = next((bone for name, bone in self._bones.items() if name not in self._parent), None)
        if lost is not None:
            raise FormatError(f'bone "{lost.name}" is not in the hierarchy', path=self._path, line=lost.line)
        self._root.axes = self._turn(self._root_angles, self._root_axis)
        every = [self._root, *self._bones.values()]
        place = {bone.name: index for index, bone in enumerate(every)}
        parents = [-1, *(place[self._parent[bone.name]] for bone in every[1:])]
        try:
            order = parents_first(parents)
        except SkeletonError as error:
            raise self._fault(str(error)) from error
        new = {old: index for index, old in enumerate(order)}
        return AsfSkeleton(
            bones=tuple(every[old] for old in order),
            parents=tuple(-1 if parents[old] < 0 else new[parents[old]] for old in order),
            root_position=self._root_position,
            length_unit=self._length,
            degrees=self._degrees,
        )


def turned(angles_rad: FloatArray, axes: str) -> FloatArray:
    """Rotation by angles ``(..., n)`` about fixed axes, the first one applied first."""
    return rot.from_turns(angles_rad[..., ::-1], axes.upper()[::-1])
