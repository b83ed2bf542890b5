"""Write the reference pages of the documentation from what the program itself knows.

    python tools/reference_pages.py docs

makes ``reference-scene-file.md`` from the JSON Schema of scene files and ``reference-cli.md`` from the command line's
own parameters. A test fails when the committed pages differ.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: What options without a name for their value take.
_VALUES: dict[Any, str] = {int: "N", float: "X", str: "TEXT", Path: "PATH"}
MADE = "<!-- Made by tools/reference_pages.py; do not edit by hand. -->"


def pages() -> dict[str, str]:
    """The pages' texts by file name."""
    return {"reference-scene-file.md": scene_page(), "reference-cli.md": cli_page()}


def scene_page() -> str:
    """Every table and key of a scene file."""
    from understudy.scene.schema import scene_schema

    schema = scene_schema()
    tables, tasks = [], []
    for name, entry in schema["$defs"].items():
        (tasks if name.endswith("Task") else tables).append((name, entry))
    lines = [
        MADE,
        "# Scene file reference",
        "",
        "A scene file is TOML, or JSON with the same keys. [Scenes](scenes.md) explains it with examples. A"
        " [JSON Schema](scene.schema.json) lets editors complete and check scene files.",
        "",
        "## The file",
        "",
        *_key_table(schema),
    ]
    for name, entry in sorted(tables, key=lambda one: _title(one[0])):
        lines += [f"## {_title(name)}", "", entry.get("description", ""), "", *_key_table(entry)]
    lines += ["## Tasks", "", "Each `[[task]]` says what to `do`.", ""]
    for _, entry in sorted(tasks, key=lambda one: str(one[1]["properties"]["do"]["const"])):
        verb = entry["properties"]["do"]["const"]
        lines += [f"### {verb}", "", entry.get("description", ""), "", *_key_table(entry)]
    return "\n".join(lines).rstrip() + "\n"


def _title(name: str) -> str:
    words = name.removesuffix("Entry").removesuffix("Shape")
    return f"{words} shape" if name.endswith("Shape") else words


def _key_table(entry: dict[str, Any]) -> Iterator[str]:
    required = set(entry.get("required", ()))
    yield "| key | value | default | |"
    yield "|---|---|---|---|"
    for key, value in entry.get("properties", {}).items():
        default = "**required**" if key in required else _shown(value)
        yield f"| `{key}` | {_kind(value)} | {default} | {_cell(value.get('description', ''))} |"
    yield ""


def _shown(value: dict[str, Any]) -> str:
    if value.get("default") in (None, ""):
        return ""
    return f"`{value['default']}`".replace("True", "true").replace("False", "false")


def _kind(value: dict[str, Any]) -> str:
    """What a value may be, in a few words."""
    if "$ref" in value:
        name = _title(value["$ref"].rsplit("/", 1)[1])
        return f"[{name}](#{name.lower().replace(' ', '-')})"
    if "const" in value:
        return f'`"{value["const"]}"`'
    if "enum" in value:
        return ", ".join(f'`"{one}"`' for one in value["enum"])
    if "discriminator" in value:
        kinds = value["discriminator"]["mapping"]
        if all(target.endswith("Task") for target in kinds.values()):
            return "[a task](#tasks)"
        return " or ".join(dict.fromkeys(_kind({"$ref": target}) for target in kinds.values()))
    for several in ("anyOf", "oneOf"):
        if several in value:
            return " or ".join(dict.fromkeys(_kind(one) for one in value[several] if one.get("type") != "null"))
    if value.get("type") == "array":
        return _list_kind(value)
    if value.get("type") in ("number", "integer"):
        return ("number" if value["type"] == "number" else "whole number") + _limits(value)
    return {"string": "text", "boolean": "true or false", "object": "table"}.get(value.get("type", ""), "anything")


def _list_kind(value: dict[str, Any]) -> str:
    if "prefixItems" in value:
        return f"list of {len(value['prefixItems'])}: {_kind(value['prefixItems'][0])} each"
    return f"list of {_kind(value['items'])}" if value.get("items") else "list"


def _limits(value: dict[str, Any]) -> str:
    words = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    told = [f"{sign} {value[key]:g}" for key, sign in words.items() if key in value]
    return f" {', '.join(told)}" if told else ""


def cli_page() -> str:
    """Every command with its arguments and options."""
    import typer

    from understudy.cli.app import app

    group = typer.main.get_command(app)
    lines = [
        MADE,
        "# Command line reference",
        "",
        "[Command line](cli.md) explains exit codes, JSON and the commands with examples.",
        "",
    ]
    for name, command in sorted(group.commands.items()):  # type: ignore[attr-defined]
        lines += [f"## {name}", "", *_paragraphs(command.help or ""), ""]
        if command.epilog:
            lines += ["```sh", command.epilog.removeprefix("Example:").strip(), "```", ""]
        lines += ["| | | default |", "|---|---|---|"]
        for parameter in command.params:
            lines.append(_parameter_row(parameter))
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _paragraphs(text: str) -> list[str]:
    return [line.strip() for line in text.replace("\b", "").strip().splitlines()]


def _parameter_row(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        spelled = f"`{parameter.metavar or parameter.name.upper()}`"
        if not parameter.required and not spelled.startswith("`["):
            spelled = f"`[{spelled.strip('`')}]`"
    else:
        value = (
            ""
            if parameter.is_flag
            else f" {parameter.metavar or _VALUES.get(parameter.type_descriptor.annotation, 'VALUE')}"
        )
        spelled = ", ".join(f"`{one}`" for one in parameter.opts[:-1])
        spelled = f"{spelled}{', ' if spelled else ''}`{parameter.opts[-1]}{value}`"
    default = parameter.default
    plain = default not in (None, "", False, (), []) and not callable(default)
    # A bar would end the table's cell; the HTML entity does not show in code, so other marks are used there.
    spelled = spelled.replace("|", "/")
    return f"| {spelled} | {_cell(getattr(parameter, 'help', '') or '')} | {f'`{default}`' if plain else ''} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("*", "\\*")


def main() -> None:
    folder = Path(sys.argv[1])
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
