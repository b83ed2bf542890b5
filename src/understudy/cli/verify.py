"""``understudy verify``: the judge's report on a motion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from understudy.cli.reading import parted
from understudy.cli.shell import Exit, Shell
from understudy.core import Motion
from understudy.errors import OptionError
from understudy.formats import ReadOptions, load_motion, load_motions

EXAMPLE = "Example:  understudy verify carry.bvh kitchen.toml --source walk.bvh --json"


def verify(
    shell: Shell,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="MOTION... [SCENE]", help="The motion, or one per --character, and a scene file."),
    ],
    source: Annotated[
        list[Path] | None, typer.Option("--source", help="Clip the motion was made from; may be given again.")
    ] = None,
    character: Annotated[
        list[str] | None, typer.Option("--character", help="Whose motion, in the order of the motions.")
    ] = None,
    planned: Annotated[
        list[str] | None, typer.Option("--planned", help="Limb or joint that was planned; its limits forgive nothing.")
    ] = None,
    floor: Annotated[
        bool | None, typer.Option("--floor/--no-floor", help="Whether y = 0 is solid ground; else as the scene says.")
    ] = None,
    *,
    reading: ReadOptions,
) -> int:
    """Judge a motion: penetration, foot skate, joint limits, smoothness. Exit code 1 when a bar is broken."""
    from understudy.verify.judge import verify as judge

    paths, scene = parted(files)
    motions = _motions(paths, character or [], reading)
    sources = load_motions(source, options=reading) if source else None
    report = judge(motions, scene, source=sources, planned=planned or (), floor=floor)
    shell.answer(report.to_json(), report.table)
    return Exit.DONE if report.ok else Exit.FAILED


def _motions(paths: list[Path], names: list[str], reading: ReadOptions) -> Motion | list[tuple[str, Motion]]:
    if not paths:
        raise OptionError("give a motion to judge")
    if len(paths) == 1 and not names:
        return load_motion(paths[0], options=reading)
    if len(paths) != len(names):
        raise OptionError(f"{len(paths)} motions need {len(paths)} times --character NAME; got {len(names)}")
    return [(name, load_motion(path, options=reading)) for name, path in zip(names, paths, strict=True)]
