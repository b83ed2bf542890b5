"""What commands that plan a motion share: arguments, saving it, and saying what came of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from understudy.cli.shell import Exit, Shell
from understudy.core import Result
from understudy.errors import OptionError

if TYPE_CHECKING:
    from understudy.api.performing_result import PerformResult

Out: TypeAlias = Annotated[Path | None, typer.Option("--out", "-o", metavar="OUT", help="File to write the motion to.")]
PlacedMotion: TypeAlias = Annotated[
    Path, typer.Argument(metavar="MOTION", help="The motion, already placed in the scene.")
]
SceneAround: TypeAlias = Annotated[
    Path, typer.Argument(metavar="SCENE", help="A scene file with the objects around it.")
]
Character: TypeAlias = Annotated[
    str | None,
    typer.Option("--character", metavar="NAME", help="Whose motion it is, if the scene has several characters."),
]
#: Lines of an answer for people: a word and what it is about.
Rows: TypeAlias = list[tuple[str, str]]


def needed(out: Path | None) -> Path:
    """Where to write.

    Raises:
        OptionError: It was not said.
    """
    if out is None:
        raise OptionError("no output file; give one with -o OUT")
    return out


def answered(
    shell: Shell, result: Result[Any], out: Path, own: dict[str, Any], rows: Callable[[dict[str, Any]], Rows], *,
    what: str = "motion",
) -> int:  # fmt: skip
    """Save a solved motion, print what came of it, and give the exit code.

    Args:
        shell: Where to.
        result: What a planner returned.
        out: File to write.
        own: The command's own keys of the answer.
        rows: Its own lines for people, from the whole answer.
        what: What was asked for.
    """
    if result.status:
        from understudy.api.saving import save

        save(result, out)
    entry = {**basics(result), "motion": str(out) if result.status else None, **own}
    shell.answer(entry, lambda: _text(entry, rows(entry)))
    if not result.status:
        shell.remark(f"no {what}: {result.reason}")
    return Exit.DONE if result.status else Exit.NO_MOTION


def basics(result: Result[Any] | PerformResult) -> dict[str, Any]:
    """What every planner says."""
    stats = result.stats
    return {
        "status": result.status.value,
        "reason": result.reason,
        "seconds": stats.seconds,
        "stats": {"seconds": dict(stats.stage_seconds), **dict(stats.counts)},
    }


def _text(entry: dict[str, Any], own: Rows) -> str:
    reason = [("reason", entry["reason"])] if entry["reason"] else []
    spent = ", ".join(f"{stage} {value:.3f}" for stage, value in entry["stats"]["seconds"].items())
    rows = [("status", entry["status"]), *reason, *own, *([("seconds", spent)] if spent else [])]
    return "\n".join([entry["motion"] or "nothing written", *(f"  {key:<8} {value}" for key, value in rows)])
