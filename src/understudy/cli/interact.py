"""``understudy interact``: a play of people and balls, settled, edited by a script, judged and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.cli.shell import Exit, Shell
from understudy.errors import OptionError

if TYPE_CHECKING:
    from understudy.api.interaction import Interaction
    from understudy.interaction import Outcome
    from understudy.interaction.edits import Edit

EXAMPLE = 'Example:  understudy interact juggling.toml --edit "drag ball=ball1 time_s=2.6 by=0,0.3,0" -o juggling.glb'


def interact(
    shell: Shell,
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="A project file (TOML).")],
    edit: Annotated[
        list[str] | None,
        typer.Option(
            "--edit", metavar="EDIT", help='An edit, such as "drag ball=ball1 time_s=2.6 by=0,0.3,0"; may be repeated.'
        ),
    ] = None,
    out: Annotated[
        list[Path] | None, typer.Option("--out", "-o", metavar="OUT", help="GLB, USD or BVH; may be repeated.")
    ] = None,
    motion: Annotated[
        Path | None,
        typer.Option("--motion", metavar="FOLDER", help="Folder with clips that are not beside the project."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="PROJECT", help="Save the session as a project, to continue later.")
    ] = None,
    fps: Annotated[float | None, typer.Option("--fps", help="Frame rate to write; default: the clips' own.")] = None,
    unjudged: Annotated[
        bool, typer.Option("--unjudged", help="Write the result even if the judge rejects it.")
    ] = False,
) -> int:
    """Edit people and balls together. Exits with 3 if an edit fails or the judge rejects the result."""
    from understudy.api.interaction import Interaction, save_interaction
    from understudy.interaction.edits import done
    from understudy.interaction.project import load_project

    read = load_project(project, motion=motion)
    edits = [*read.edits, *(edit_of(text) for text in edit or ())]
    session = Interaction.resumed(read)
    told: list[tuple[Edit, Outcome | None]] = []
    for one in edits:
        outcome = done(session, one)
        told.append((one, outcome))
        shell.remark(_line(one, outcome))
    report = session.report()
    made = all(outcome is None or bool(outcome) for _, outcome in told)
    inside = session.clashes()
    good = made and report.ok and not inside
    written: list[str] = []
    if save is not None:
        from understudy.interaction.saving import save_project

        written += [str(path) for path in save_project(session, save, name=read.name)]
    if good or unjudged:
        written += [str(path) for target in out or () for path in save_interaction(session, target, fps=fps)]
    shell.answer(
        {
            "project": read.name,
            "status": "solved" if good else "exhausted",
            "edits": [_entry(one, outcome) for one, outcome in told],
            "miss_m": session.miss_m(),
            "weights": session.weights(),
            "broken": list(report.broken),
            "clashes": [str(clash) for clash in inside],
            "ballistic_mm": report.ballistics.max_residual_mm if report.ballistics else None,
            "files": written,
        },
        lambda: _text(session, str(report), written),
    )
    return Exit.DONE if good else Exit.NO_MOTION


def edit_of(text: str) -> Edit:
    """An edit out of ``do key=value ...``.

    Raises:
        OptionError: It is not written so, or a key or value is wrong.
    """
    from pydantic import TypeAdapter, ValidationError

    from understudy.interaction.edits import Edit

    words = text.split()
    if not words or any("=" not in word for word in words[1:]):
        raise OptionError(f'--edit is "{text}"; it must be a word and key=value pairs, such as: {EXAMPLE}')
    values: dict[str, Any] = {"do": words[0]}
    for word in words[1:]:
        key, _, value = word.partition("=")
        values[key] = value.split(",") if key in ("to", "by") else value
    try:
        return TypeAdapter(Edit).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise OptionError(f'--edit "{text}": {where}: {first["msg"]}') from None


def _line(edit: Edit, outcome: Outcome | None) -> str:
    if outcome is None:
        return str(edit)
    clash = f"; {outcome.clashes[0]}" if outcome.clashes else ""
    why = f"; {outcome.reason}" if outcome.reason else ""
    return f"{edit}: {outcome.status.value} in {outcome.steps} steps{clash}{why}"


def _entry(edit: Edit, outcome: Outcome | None) -> dict[str, Any]:
    if outcome is None:
        return {"edit": str(edit)}
    return {
        "edit": str(edit),
        "status": outcome.status.value,
        "steps": outcome.steps,
        "contacts_m": outcome.contacts_m,
        "left_m": outcome.left_m,
        "reason": outcome.reason,
        "clashes": [str(clash) for clash in outcome.clashes],
    }


def _text(session: Interaction, report: str, written: list[str]) -> str:
    lines = [report, f"largest miss of a contact: {1000 * session.miss_m():.6f} mm"]
    lines += [f"weight of {name}: {weight:.2f}" for name, weight in session.weights().items()]
    return "\n".join([*lines, *(f"wrote {path}" for path in written)])
