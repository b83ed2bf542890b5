"""Names that files can hold, with a way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def joint_names(names: Iterable[str]) -> dict[str, str]:
    """Bone name -> name in a BVH file: no blanks, braces or control characters, no name twice."""
    return _distinct(names, lambda letter: letter.isprintable() and not letter.isspace() and letter not in "{}")


def thing_names(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Object name -> name for scene files and command lines; no name twice or among ``taken``.

    Dots part an object from its handles, commas the numbers of a point, equals signs a character from its file.
    """
    return _distinct(names, lambda letter: letter.isprintable() and letter not in '.,="\\', taken)


def _distinct(names: Iterable[str], allowed: Callable[[str], bool], taken: Iterable[str] = ()) -> dict[str, str]:
    used = set(taken)
    found: dict[str, str] = {}
    for name in names:
        plain = "".join(letter if allowed(letter) else "_" for letter in name).strip() or "_"
        spelled, count = plain, 1
        while spelled in used:
            count += 1
            spelled = f"{plain}_{count}"
        used.add(spelled)
        found[name] = spelled
    return found
