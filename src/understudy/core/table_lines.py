"""Finding the line of an entry in a TOML or JSON text that is known to be valid.

The standard readers keep no positions. This scanner reads no values, it only walks over them and notes on which
line every key, table and list element begins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

#: Keys and indices that lead to an entry: ``("object", 2, "shape", "size")``.
Place: TypeAlias = tuple[str | int, ...]


def line_of(lines: dict[Place, int], place: Place) -> int | None:
    """The line of an entry, or of the nearest entry around it that has one."""
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return None


def toml_lines(text: str) -> dict[Place, int]:
    """Place -> line, counted from 1, of everything in a valid TOML text."""
    return _Scanner(text).toml()


def json_lines(text: str) -> dict[Place, int]:
    """Place -> line, counted from 1, of everything in a valid JSON text."""
    return _Scanner(text).json()


def line_of_double(text: str) -> int | None:
    """The line of the first key that stands twice in a table of a JSON text."""
    scanner = _Scanner(text)
    scanner.json()
    return scanner.twice


class _Scanner:
    #: Line of the first key that its table had before.
    twice: int | None = None

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._lines: dict[Place, int] = {}
        self._lists: dict[Place, int] = {}

    def json(self) -> dict[Place, int]:
        self._blanks()
        self._value(())
        return self._lines

    def toml(self) -> dict[Place, int]:
        table: Place = ()
        self._blanks()
        while self._at < len(self._text):
            if self._peek() == "[":
                table = self._header()
            else:
                self._pair(table, "=")
            self._blanks()
        return self._lines

    def _header(self) -> Place:
        """``[table]`` or ``[[list]]``; gives the place its pairs belong to."""
        line = self._line
        is_list = self._text.startswith("[[", self._at)
        self._skip(2 if is_list else 1)
        keys = self._keys("]")
        self._skip(2 if is_list else 1)
        place = self._resolved(keys[:-1])
        place = (*place, keys[-1])
        if is_list:
            self._lines.setdefault(place, line)
            self._lists[place] = self._lists.get(place, -1) + 1
            place = (*place, self._lists[place])
        elif place in self._lists:
            place = (*place, self._lists[place])
        self._lines.setdefault(place, line)
        return place

    def _resolved(self, keys: list[str]) -> Place:
        """A path of table names with the index of the last element after every list among them."""
        place: Place = ()
        for key in keys:
            place = (*place, key)
            if place in self._lists:
                place = (*place, self._lists[place])
        return place

    def _pair(self, table: Place, sign: str) -> None:
        line = self._line
        place = table
        for key in self._keys(sign):
            place = (*place, key)
            if place in self._lines and self.twice is None:
                self.twice = line
            self._lines.setdefault(place, line)
        self._skip(1)
        self._blanks()
        self._value(place)

    def _keys(self, end: str) -> list[str]:
        """A key with its dots, up to ``end``."""
        keys: list[str] = []
        while self._peek() not in (end, ""):
            self._blanks()
            if self._peek() in "\"'":
                keys.append(self._quoted())
            else:
                keys.append(self._while(lambda sign: sign not in f"{end}. \t\r\n"))
            self._blanks()
            if self._peek() == ".":
                self._skip(1)
                self._blanks()
        return keys

    def _value(self, place: Place) -> None:
        if place:
            self._lines.setdefault(place, self._line)
        opening = self._peek()
        if opening in ('"', "'"):
            self._quoted()
        elif opening == "[":
            self._skip(1)
            self._blanks()
            index = 0
            while self._peek() not in ("]", ""):
                self._value((*place, index))
                self._separator()
                index += 1
            self._skip(1)
        elif opening == "{":
            self._skip(1)
            self._blanks()
            while self._peek() not in ("}", ""):
                self._pair(place, self._pair_sign())
                self._separator()
            self._skip(1)
        else:
            self._while(lambda sign: sign not in ",]}#\r\n")

    def _pair_sign(self) -> str:
        # Only JSON's keys are followed by a colon, and only they are always quoted in double quotes.
        if self._peek() != '"':
            return "="
        at, line = self._at, self._line
        self._quoted()
        self._blanks()
        sign = ":" if self._peek() == ":" else "="
        self._at, self._line = at, line
        return sign

    def _separator(self) -> None:
        self._blanks()
        if self._peek() == ",":
            self._skip(1)
            self._blanks()

    def _quoted(self) -> str:
        """Walk over a string of any kind; gives its content, escapes unread."""
        sign = self._peek()
        fence = sign * 3 if self._text.startswith(sign * 3, self._at) else sign
        start = self._at + len(fence)
        end = start
        while end < len(self._text) and not self._text.startswith(fence, end):
            end += 2 if sign == '"' and self._text[end] == "\\" else 1
        # A multi-line string may end in quotes of its own before the fence.
        while len(fence) == 3 and self._text.startswith(sign, end + 3):
            end += 1
        self._skip(end + len(fence) - self._at)
        content = self._text[start:end]
        return _unescaped(content) if sign == '"' else content

    def _blanks(self) -> None:
        """Walk over blanks, line ends and comments."""
        while self._at < len(self._text):
            sign = self._text[self._at]
            if sign == "#":
                self._while(lambda sign: sign != "\n")
            elif sign in " \t\r\n":
                self._skip(1)
            else:
                return

    def _while(self, keep: Callable[[str], bool]) -> str:
        end = self._at
        while end < len(self._text) and keep(self._text[end]):
            end += 1
        # Never stand still, whatever the text.
        end = max(end, self._at + 1) if self._at < len(self._text) and end == self._at else end
        found = self._text[self._at : end]
        self._skip(end - self._at)
        return found.strip()

    def _skip(self, count: int) -> None:
        self._line += self._text.count("\n", self._at, self._at + count)
        self._at += count

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]


def _unescaped(content: str) -> str:
    if "\\" not in content:
        return content
    import json

    try:
        return str(json.loads(f'"{content}"'))
    except ValueError:
        return content
