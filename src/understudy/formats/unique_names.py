"""Names told apart by numbers."""

from __future__ import annotations

from collections.abc import Sequence


def unique_names(names: Sequence[str], divider: str = "_") -> tuple[str, ...]:
    """The same names, those that occur again with the least number from 2 on that no other name has."""
    taken, counts = set(names), dict.fromkeys(names, 0)
    result = []
    for name in names:
        counts[name] += 1
        new = name
        while counts[name] > 1 and (new := f"{name}{divider}{counts[name]}") in taken:
            counts[name] += 1
        taken.add(new)
        result.append(new)
    return tuple(result)
