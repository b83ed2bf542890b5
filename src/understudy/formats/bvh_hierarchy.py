"""The HIERARCHY part of a BVH file: joints, offsets, channels, end points.

The reader goes word by word, so braces may stand anywhere; a joint's name is the rest of its line, so that names
may hold spaces. Nesting is kept on a list, never on Python's stack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from understudy.errors import FormatError, nearest_name
from understudy.formats.number_text import parse_number

#: More joints than any rig has; beyond it a file is an attack or an accident.
MAX_JOINTS = 20_000
_MAX_CHANNELS = 12

_CHANNEL = re.compile(r"([xyz])(position|translation|rotation|scale)", re.IGNORECASE)
_WORD = re.compile(r"[{}]|[^\s{}]+")
_CHANNEL_NAMES = tuple(f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ")


@dataclass(kw_only=True)
class BvhJoint:
    """One ROOT or JOINT block.

    Attributes:
        name: As spelled, surrounding white space removed.
        parent: Index of the joint around it, ``-1`` for a ROOT.
        line: Where it begins, from 1.
        offset: As written, in file units.
        channels: ``(kind, axis)`` in file order: kind ``"p"``, ``"r"`` or ``"s"`` (scale), axis 0..2.
        tips: Offsets of its End Sites.
    """

    name: str
    parent: int
    line: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: tuple[tuple[str, int], ...] = ()
    tips: list[tuple[float, float, float]] = field(default_factory=list)


def parse_hierarchy(text: str, *, path: Path) -> list[BvhJoint]:
    """Joints in file order, which is parents first.

    Args:
        text: The file up to its MOTION line.
        path: Named in errors.

    Raises:
        FormatError: Anything that is not a hierarchy, with its line.
    """
    parser = _Parser(path)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        parser.read_line(line, number)
    return parser.finished()


class _Parser:
    """Joints so far and the blocks that are open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._joints: list[BvhJoint] = []
        self._open: list[int] = []  # joint of each open block; an End Site repeats its joint
        self._site: bool = False  # whether the innermost open block is an End Site
        self._awaited: str | None = None  # what the next "{" opens
        self._begun = False
        self._line = 1

    def read_line(self, line: str, number: int) -> None:
        self._line = number
        at = 0
        while match := _WORD.search(line, at):
            at = self._word(match.group(), line, match.end())

    def finished(self) -> list[BvhJoint]:
        if not self._begun:
            raise self._fault("is not a BVH file: it does not begin with HIERARCHY", line=1)
        if self._open or self._awaited:
            last = self._joints[-1]
            raise self._fault(f'the file ends inside joint "{last.name}"; "}}" is missing', line=last.line)
        if not self._joints:
            raise self._fault("the hierarchy has no ROOT")
        return self._joints

    def _fault(self, message: str, *, line: int | None = None) -> FormatError:
        return FormatError(message, path=self._path, line=line or self._line)

    def _word(self, word: str, line: str, at: int) -> int:
        """Handle one keyword; returns where in the line to go on."""
        key = word.upper()
        if not self._begun:
            if key != "HIERARCHY":
                raise self._fault(f'is not a BVH file: expected HIERARCHY, found "{_shown(word)}"')
            self._begun = True
            return at
        if self._awaited and key != "{":
            raise self._fault(f'expected "{{" after {self._awaited}, found "{_shown(word)}"')
        if key == "{":
            self._enter()
        elif key == "}":
            self._leave()
        elif key in ("ROOT", "JOINT"):
            return self._joint(key, line, at)
        elif key in ("END", "ENDSITE"):
            return self._end_site(line, at)
        elif key == "OFFSET":
            return self._offset(line, at)
        elif key == "CHANNELS":
            return self._channels(line, at)
        else:
            hint = nearest_name(word[:40], ("ROOT", "JOINT", "End Site", "OFFSET", "CHANNELS", "MOTION"))
            raise self._fault(f'unknown word "{_shown(word)}" in the hierarchy; {hint}')
        return at

    def _enter(self) -> None:
        if not self._awaited:
            raise self._fault('"{" without a joint before it')
        self._site = self._awaited == "End Site"
        self._open.append(self._open[-1] if self._site else len(self._joints) - 1)
        self._awaited = None

    def _leave(self) -> None:
        if not self._open:
            raise self._fault('"}" closes nothing')
        self._open.pop()
        self._site = False

    def _joint(self, key: str, line: str, at: int) -> int:
        if (key == "ROOT") == bool(self._open):
            where = "inside another joint" if self._open else "outside any ROOT"
            raise self._fault(f"{key} {where}")
        if self._site:
            raise self._fault("a JOINT inside an End Site")
        brace = line.find("{", at)
        name = line[at : brace if brace >= 0 else len(line)].strip()
        if not name or "}" in name:
            raise self._fault(f"{key} without a name")
        if len(self._joints) == MAX_JOINTS:
            raise self._fault(f"more than {MAX_JOINTS} joints")
        parent = self._open[-1] if self._open else -1
        self._joints.append(BvhJoint(name=name, parent=parent, line=self._line))
        self._awaited = f'joint "{_shown(name)}"'
        return brace if brace >= 0 else len(line)

    def _end_site(self, line: str, at: int) -> int:
        if not self._open or self._site:
            raise self._fault("an End Site outside a joint")
        self._joints[self._open[-1]].tips.append((0.0, 0.0, 0.0))
        self._awaited = "End Site"
        # Some programs name their end sites; nothing else may stand on the line.
        brace = line.find("{", at)
        return brace if brace >= 0 else len(line)

    def _offset(self, line: str, at: int) -> int:
        joint = self._current("OFFSET")
        words, at = self._words(line, at, 3)
        if len(words) != 3:
            raise self._fault(f"expected 3 offsets, got {len(words)}")
        x, y, z = (parse_number(word.rstrip(","), path=self._path, line=self._line) for word in words)
        if self._site:
            joint.tips[-1] = (x, y, z)
        else:
            joint.offset = (x, y, z)
        return at

    def _channels(self, line: str, at: int) -> int:
        joint = self._current("CHANNELS")
        words, at = self._words(line, at, 1)
        count = int(words[0]) if words and words[0].isascii() and words[0].isdigit() and len(words[0]) < 9 else -1
        if not 0 <= count <= _MAX_CHANNELS:
            got = _shown(words[0]) if words else "nothing"
            raise self._fault(f"CHANNELS needs a count from 0 to {_MAX_CHANNELS}, got {got}")
        names, at = self._words(line, at, count)
        if len(names) != count:
            raise self._fault(f"{count} channels declared, {len(names)} named")
        if count and self._site:
            raise self._fault("an End Site cannot have channels")
        if joint.channels:
            raise self._fault(f'joint "{_shown(joint.name)}" has two CHANNELS lines')
        joint.channels = tuple(self._channel(name) for name in names)
        positions = [axis for kind, axis in joint.channels if kind == "p"]
        if len(set(positions)) != len(positions):
            raise self._fault(f'joint "{_shown(joint.name)}" has the same position channel twice')
        return at

    def _channel(self, name: str) -> tuple[str, int]:
        match = _CHANNEL.fullmatch(name)
        if not match:
            raise self._fault(f'unknown channel "{_shown(name)}"; {nearest_name(name[:40], _CHANNEL_NAMES)}')
        kind = match[2].lower()
        return ("p" if kind in ("position", "translation") else kind[0]), "xyz".index(match[1].lower())

    def _current(self, key: str) -> BvhJoint:
        if not self._open:
            raise self._fault(f"{key} outside a joint")
        return self._joints[self._open[-1]]

    @staticmethod
    def _words(line: str, at: int, count: int) -> tuple[list[str], int]:
        """Up to ``count`` words that are not braces."""
        words: list[str] = []
        while len(words) < count and (match := _WORD.search(line, at)) and match.group() not in "{}":
            words.append(match.group())
            at = match.end()
        return words, at


def _shown(word: str) -> str:
    clean = "".join(letter if letter.isprintable() else "?" for letter in word[:40])
    return clean + ("..." if len(word) > 40 else "")
