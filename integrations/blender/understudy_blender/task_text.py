"""Tasks a person writes in Blender's text editor."""

from __future__ import annotations

import re
import tomllib

from .errors import JobError

_TASK = re.compile(r"^\s*\[\[\s*task\s*\]\]\s*(#.*)?$")


def checked_tasks(text: str, character: str) -> str:
    """The text, with tasks that name nobody given to the armature.

    Raises:
        JobError: It is no TOML, or has no task.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise JobError(f"the task text is not valid TOML: {error}") from error
    tasks = values.get("task")
    if not isinstance(tasks, list) or not tasks:
        raise JobError("the task text has no [[task]]")
    # The text is added to a scene file: there a plain key would become part of whatever stands above it.
    plain = [key for key, value in values.items() if not isinstance(value, dict | list)]
    if plain or sum(bool(_TASK.match(line)) for line in text.splitlines()) != len(tasks):
        raise JobError(f"the task text must be made of [[task]] blocks{f', without {plain[0]} above' if plain else ''}")
    lines, found = [], 0
    for line in text.splitlines():
        lines.append(line)
        if _TASK.match(line):
            if "character" not in tasks[found]:
                lines.append(f'character = "{character}"')
            found += 1
    return "\n".join(lines) + "\n"
