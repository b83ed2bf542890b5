"""Records of an FBX text file ("ASCII")."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from understudy.formats.fbx.records import DEEPEST, MOST_RECORDS, MalformedError, Record

_TOKEN = re.compile(
    r'[\s,]+|;[^\n]*|"(?P<text>[^"]*)"|(?P<name>[A-Za-z_][\w|.-]*)[ \t]*:|(?P<brace>[{}])|\*(?P<count>\d+)'
    r"|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.#]))|(?P<word>[^\s,{}\";]+)"
)
_ARRAY = re.compile(r"\s*\{\s*a\s*:([^}]*)\}")
_VERSION = re.compile(r"FBXVersion:\s*(\d{1,9})")
_QUOTED = (("&quot;", '"'), ("&cr;", "\r"), ("&lf;", "\n"), ("&amp;", "&"))


def parse_text(data: bytes) -> tuple[int, Record]:
    """The file's version and a record that holds all others.

    Raises:
        MalformedError: It is no FBX text, is cut short, or nests too deeply.
    """
    text = data.decode("utf-8-sig", "replace")
    version = _VERSION.search(text)
    if version is None:
        raise MalformedError("is not an FBX file: neither its binary mark nor an FBXVersion was found")
    root = Record("")
    open_records, current = [root], root
    at = count = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise MalformedError(f'cannot be read at "{text[at : at + 20]!r}": a quote or brace has no partner')
        at = match.end()
        kind = match.lastgroup
        if kind == "name":
            count += 1
            current = Record(match["name"])
            open_records[-1].children.append(current)
        elif kind == "count":
            at = _array(text, at, current)
        elif match["brace"] == "{":
            if current is open_records[-1] or len(open_records) > DEEPEST or count > MOST_RECORDS:
                raise MalformedError(f"a brace without a record, more than {MOST_RECORDS}, or deeper than {DEEPEST}")
            open_records.append(current)
        elif match["brace"] == "}":
            if len(open_records) == 1:
                raise MalformedError('"}" closes nothing')
            current = open_records.pop()
        elif kind is not None:
            current.values.append(_value(kind, match[kind]))
    if len(open_records) > 1:
        raise MalformedError(f'cut short: "{open_records[-1].name}" is not closed')
    return int(version[1]), root


def _value(kind: str, text: str) -> Any:
    if kind == "number":
        return int(text) if text.lstrip("+-").isdigit() and len(text) < 20 else float(text)
    if kind == "text":
        for code, letter in _QUOTED:
            text = text.replace(code, letter)
        return text
    # The way some compilers print numbers that are none: 1.#INF, nan(ind)
    return float("nan") if "#" in text or text.lower().startswith(("nan", "inf", "-nan", "-inf")) else text


def _array(text: str, at: int, record: Record) -> int:
    """``*count { a: 1,2,3 }`` in one go; returns where to read on."""
    match = _ARRAY.match(text, at)
    if match is None:
        raise MalformedError(f'the array "{record.name}" is not complete')
    words = match[1].replace(",", " ").split()
    try:
        record.values = [np.array(words, dtype=np.int64 if all(map(_whole, words)) else np.float64)]
    except (ValueError, OverflowError):
        record.values = [np.array([_real(word) for word in words])]
    return match.end()


def _whole(word: str) -> bool:
    return word.lstrip("-").isdigit()


def _real(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return float("nan")
