"""``understudy convert``: any supported format to any writable one, resampled, trimmed, cleaned."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.cli.reading import Reading
from understudy.cli.shell import Exit, Shell, error_entry
from understudy.core import Motion
from understudy.errors import OptionError, UnderstudyError
from understudy.formats import ReadOptions, WriteOptions, format_of, load_motions, save_motion, unit_in_metres

if TYPE_CHECKING:
    from understudy.core import Result
    from understudy.inspection import CleanResult
    from understudy.verify.claim import Claim

EXAMPLE = "Example:  understudy convert walk.bvh walk.glb --fps 30 --trim 0.5:4 --clean"


@dataclass(frozen=True, kw_only=True)
class _Changes:
    """What to do to every motion between reading and writing."""

    fps: float | None
    trim: tuple[float, float | None] | None
    clean: bool


def convert(
    shell: Shell,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="IN... OUT", help="Input files and the output; a folder if there are several inputs."),
    ],
    to: Annotated[
        str | None, typer.Option("--to", metavar="ENDING", help="Ending of the files in an output folder, such as glb.")
    ] = None,
    fps: Annotated[float | None, typer.Option("--fps", help="Resample to this frame rate.")] = None,
    units: Annotated[str, typer.Option("--units", metavar="UNIT", help="Unit to write: m, cm, mm, inch, cmu.")] = "m",
    up: Annotated[str, typer.Option("--up", metavar="y|z", help="Up axis to write.")] = "y",
    trim: Annotated[str | None, typer.Option("--trim", metavar="START:END", help="Keep this part [s].")] = None,
    clean: Annotated[bool, typer.Option("--clean", help="Repair joint pops and dropped frames.")] = False,
    *,
    reading: Reading,
) -> int:
    """Convert motion files; input files are never changed."""
    if up not in ("y", "z"):
        raise OptionError(f'--up is "{up}"; allowed: y, z')
    writing = WriteOptions(unit_m=unit_in_metres(units), up=up)  # type: ignore[arg-type]
    changes = _Changes(fps=fps, trim=None if trim is None else _span(trim), clean=clean)
    pairs = _pairs(files, to)
    entries, failed = [], False
    for source, target in shell.tracked(pairs, label="converting", total=len(pairs)):
        try:
            entries.append(_convert_one(source, target, reading, writing, changes))
        except UnderstudyError as error:
            if len(pairs) == 1:
                raise
            failed = True
            entries.append({"path": str(source), "error": error_entry(error)})
    shell.answer({"files": entries}, lambda: "\n".join(_line(entry) for entry in entries))
    if failed:
        return Exit.UNUSABLE
    return Exit.FAILED if any(entry.get("reason") for entry in entries) else Exit.DONE


def _pairs(files: list[Path], to: str | None) -> list[tuple[Path, Path]]:
    if len(files) < 2:
        raise OptionError("convert needs an input and an output, such as: understudy convert walk.bvh walk.glb")
    *sources, target = files
    if len(sources) == 1 and not target.is_dir() and to is None:
        format_of(target)
        return [(sources[0], target)]
    if to is None:
        raise OptionError(f'several inputs go into the folder "{target}"; give their ending, such as --to glb')
    ending = "." + to.lstrip(".").lower()
    format_of(f"x{ending}")
    target.mkdir(parents=True, exist_ok=True)
    pairs = [(source, target / f"{source.stem}{ending}") for source in sources]
    if len({out for _, out in pairs}) != len(pairs):
        raise OptionError("two inputs have the same name and would overwrite each other's output")
    return pairs


def _convert_one(
    source: Path, target: Path, reading: ReadOptions, writing: WriteOptions, changes: _Changes
) -> dict[str, Any]:
    if target.exists() and source.exists() and target.samefile(source):
        raise OptionError(f'"{source}" is both input and output; input files are never changed')
    motions: list[Motion] = []
    repairs: list[str] = []
    notes: list[str] = []
    claims: list[Claim] = []
    refused = ""
    for motion in load_motions([source], options=reading):
        changed, mended = _changed(motion, changes)
        motions.append(changed)
        notes.extend(motion.origin.notes)
        if mended is not None and mended.trace is not None:
            repairs.extend(repair.message for repair in mended.trace.repairs)
            refused = refused or mended.reason
            claims.append(mended.claim)
    if len(claims) == len(motions) == 1 and motions[0] is claims[0].motions[0][1]:
        from understudy.api.saving import save

        save(claims[0], target, options=writing)
    else:
        save_motion(motions, target, options=writing)
    first = motions[0]
    return {
        "path": str(source),
        "motion": str(target),
        "frames": len(first),
        "fps": first.fps,
        "duration_s": first.duration_s,
        "notes": notes,
        "repairs": repairs,
        **({"status": "exhausted" if refused else "solved", "reason": refused} if changes.clean else {}),
    }


def _changed(motion: Motion, changes: _Changes) -> tuple[Motion, Result[CleanResult] | None]:
    repaired = None
    if changes.clean:
        from understudy.api.cleaning import clean

        repaired = clean(motion)
        assert repaired.motion is not None
        motion = repaired.motion
    if changes.trim is not None:
        start, end = changes.trim
        motion = motion.slice(start, motion.duration_s if end is None else min(end, motion.duration_s))
    if changes.fps is not None:
        motion = motion.resampled(changes.fps)
    return motion, repaired


def _span(text: str) -> tuple[float, float | None]:
    start, colon, end = text.partition(":")
    try:
        span = (float(start or 0.0), float(end) if end else None)
    except ValueError:
        span = (-1.0, None)
    if not colon or span[0] < 0 or (span[1] is not None and span[1] < span[0]):
        raise OptionError(f'--trim is "{text}"; give start and end in seconds, e.g. 0.5:4, 2: or :3')
    return span


def _line(entry: dict[str, Any]) -> str:
    if "error" in entry:
        return f"error: {entry['error']['message']}"
    head = f"{entry['path']} -> {entry['motion']}: {entry['frames']} frames at {entry['fps']:g} fps"
    refused = [f"  the judge refuses it: {entry['reason']}"] if entry.get("reason") else []
    return "\n".join(
        [head, *refused, *(f"  note: {note}" for note in entry["notes"]), *(f"  {text}" for text in entry["repairs"])]
    )
