"""``understudy verify``: the judge's report on a motion."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from understudy.cli.reading import Reading, parted
from understudy.cli.shell import Exit, Shell
from understudy.core import Motion
from understudy.errors import OptionError, nearest_name
from understudy.formats import ReadOptions, load_motion, load_motions

if TYPE_CHECKING:
    from understudy.verify.bars import Bars

EXAMPLE = "Example:  understudy verify carry.glb --explain"


def verify(
    shell: Shell,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="MOTION... [SCENE]", help="The motion, or one per --character, and a scene file."),
    ],
    source: Annotated[
        list[Path] | None, typer.Option("--source", help="Clip that the motion was made from; may be repeated.")
    ] = None,
    character: Annotated[
        list[str] | None,
        typer.Option("--character", help="Name of the character, in the order of the motions; may be repeated."),
    ] = None,
    planned: Annotated[
        list[str] | None,
        typer.Option("--planned", help="Limb or joint that was planned: its limits are absolute."),
    ] = None,
    floor: Annotated[
        bool | None,
        typer.Option("--floor/--no-floor", help="Whether y = 0 is solid ground; default: as the scene says."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain allowed contacts, the origin of each bar and what was planned.")
    ] = False,
    bar: Annotated[
        list[str] | None,
        typer.Option("--bar", metavar="NAME=VALUE", help="Replace one of the judge's bars; may be repeated."),
    ] = None,
    *,
    reading: Reading,
) -> int:
    """Judge a file by its certificate, or by the given scene and sources. Exits with 1 if a bar is broken.

    With a scene, --source, --character, --planned or --floor, the motion is judged by these, and a
    certificate is ignored.
    """
    from understudy.api.judging import FileVerdict, verify_file
    from understudy.verify.claim import claim_of
    from understudy.verify.explaining import explained, explanation
    from understudy.verify.judge import verify as judge

    paths, scene = parted(files)
    given = scene is not None or source or character or planned or floor is not None or len(paths) != 1
    bars = _bars(bar or [])
    if given or reading != ReadOptions():
        motions = _motions(paths, character or [], reading)
        sources = load_motions(source, options=reading) if source else None
        claim = claim_of(motions, scene, source=sources, planned=planned or (), floor=floor, bars=bars)
        found = FileVerdict(report=judge(claim), claim=claim)
    else:
        found = verify_file(paths[0], bars=bars)
    document = {**found.report.to_json(), "certificate": found.where or None}
    details = explanation(found.claim, found.report) if explain else None
    if details is not None:
        document["explanation"] = details
    words = [f"claim: {fault.detail or fault}" for fault in found.report.claimed]
    words += [] if details is None else [explained(details)]
    shell.answer(document, lambda: "\n".join([found.report.table(), *words]))
    return Exit.DONE if found.ok else Exit.FAILED


def _bars(given: list[str]) -> Bars | None:
    from understudy.verify.bars import Bars

    known, values = [item.name for item in fields(Bars)], {}
    for text in given:
        name, _, number = text.partition("=")
        if name not in known:
            raise OptionError(f'--bar "{text}": unknown bar; {nearest_name(name, known)}')
        try:
            values[name] = float(number)
        except ValueError:
            raise OptionError(f'--bar "{text}": write NAME=VALUE, such as stance_drift_mm=30') from None
    return Bars(**values) if values else None  # type: ignore[arg-type]


def _motions(paths: list[Path], names: list[str], reading: ReadOptions) -> Motion | list[tuple[str, Motion]]:
    if not paths:
        raise OptionError("no motion to judge; give a motion file")
    if len(paths) == 1 and not names:
        return load_motion(paths[0], options=reading)
    if len(paths) != len(names):
        raise OptionError(f"{len(paths)} motions need {len(paths)} times --character NAME; got {len(names)}")
    return [(name, load_motion(path, options=reading)) for name, path in zip(names, paths, strict=True)]
