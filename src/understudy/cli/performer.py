"""``understudy performer``: clips made by the built-in performer, with no recording at hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.cli.shell import Exit, Shell
from understudy.errors import OptionError, nearest_name

if TYPE_CHECKING:
    from understudy.core import Motion

EXAMPLE = "Example:  understudy performer walk -o walk.bvh --style brisk --seed 3"


def performer(
    shell: Shell,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A clip or a set of clips; see --list.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT", help="File to write; a folder for a set.")
    ] = None,
    style: Annotated[str, typer.Option("--style", help="calm, brisk or tired.")] = "calm",
    speed: Annotated[float | None, typer.Option("--speed", help="Speed [m/s]; default: the clip's own.")] = None,
    duration: Annotated[float | None, typer.Option("--duration", help="Length [s]; default: the clip's own.")] = None,
    fps: Annotated[float, typer.Option("--fps", help="Frames per second.")] = 60.0,
    stature: Annotated[float, typer.Option("--stature", help="Height of the person [m].")] = 1.72,
    to: Annotated[str, typer.Option("--to", metavar="ENDING", help="Ending of the files of a set.")] = "bvh",
    listing: Annotated[bool, typer.Option("--list", help="List clips, sets and styles.")] = False,
) -> int:
    """Make walking, turning, side-stepping, jogging and standing clips of a synthetic person.

    All clips are written. Exits with 1 if the judge refuses one of them.
    """
    if listing:
        _list(shell)
        return Exit.DONE
    if name is None or output is None:
        raise OptionError("performer needs a clip and an output, such as: understudy performer walk -o walk.bvh")
    if name in _action_names():
        entries = _make_actions(name, output, shell, fps=fps, stature=stature, ending=to)
        return _told(shell, entries)
    targets = _targets(name, output, to)
    entries = [
        _make(clip, path, shell, style=style, speed=speed, duration=duration, fps=fps, stature=stature)
        for clip, path in shell.tracked(targets, label="performing", total=len(targets))
    ]
    return _told(shell, entries)


def _told(shell: Shell, entries: list[dict[str, Any]]) -> int:
    shell.answer({"files": entries}, lambda: "\n".join(_line(entry) for entry in entries))
    return Exit.FAILED if any(entry["reason"] for entry in entries) else Exit.DONE


def _targets(name: str, output: Path, ending: str) -> list[tuple[str, Path]]:
    """Clips to make and where each goes. If a name is both a clip and a set, a folder as output means the set."""
    from understudy.formats import format_of
    from understudy.performer import CLIPS, SETS

    folder = output.suffix == "" or output.is_dir()
    if name in SETS and (folder or name not in CLIPS):
        if not folder:
            raise OptionError(f'"{name}" is a set of {len(SETS[name])} clips; -o must name a folder, not "{output}"')
        suffix = "." + ending.lstrip(".").lower()
        format_of(f"x{suffix}")
        return [(clip, output / f"{clip}{suffix}") for clip in SETS[name]]
    if name not in CLIPS:
        raise OptionError(f'unknown clip or set "{name}"; {nearest_name(name, (*SETS, *CLIPS))}')
    if folder:
        return [(name, output / f"{name}.{ending.lstrip('.').lower()}")]
    format_of(output)
    return [(name, output)]


def _make(
    clip: str,
    path: Path,
    shell: Shell,
    *,
    style: str,
    speed: float | None,
    duration: float | None,
    fps: float,
    stature: float,
) -> dict[str, Any]:
    from understudy.performer import Person, performance

    made = performance(
        clip,
        seed=shell.seed,
        fps=fps,
        person=Person(stature_m=stature),
        style=style,
        speed_mps=speed,
        duration_s=duration,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    return {
        **_saved(made.motion, path),
        "clip": clip,
        "style": style,
        "frames": len(made.motion),
        "fps": made.motion.fps,
        "duration_s": made.motion.duration_s,
        "path_length_m": made.motion.path_length_m(),
    }


def _action_names() -> tuple[str, ...]:
    from understudy.performer import action_names

    return action_names()


def _make_actions(
    action: str, folder: Path, shell: Shell, *, fps: float, stature: float, ending: str
) -> list[dict[str, Any]]:
    """A dozen examples of an action, each in its own file."""
    from understudy.formats import format_of
    from understudy.performer import Person, action_examples

    if folder.suffix and not folder.is_dir():
        raise OptionError(f'"{action}" is a set of examples; -o must name a folder, not "{folder}"')
    suffix = "." + ending.lstrip(".").lower()
    format_of(f"x{suffix}")
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for n, example in enumerate(action_examples(action, seed=shell.seed, fps=fps, person=Person(stature_m=stature))):
        path = folder / f"{action}_{n:02d}{suffix}"
        entries.append(
            {
                **_saved(example.motion, path, action=action),
                "action": action,
                "target": [float(value) for value in example.target],
                "events": [{"name": event.name, "time_s": event.time_s} for event in example.events],
                "frames": len(example.motion),
                "fps": fps,
                "duration_s": example.motion.duration_s,
                "path_length_m": example.motion.path_length_m(),
            }
        )
    return entries


def _saved(motion: Motion, path: Path, *, action: str = "") -> dict[str, Any]:
    """Write a clip with its certificate, and return the verdict."""
    from understudy.api.clips import clip_result
    from understudy.api.saving import save

    result = clip_result(motion, action=action)
    save(result, path)
    return {"path": str(path), "status": result.status.value, "reason": result.reason}


def _line(entry: dict[str, Any]) -> str:
    refused = f"; the judge refuses it: {entry['reason']}" if entry["reason"] else ""
    return f"{entry['path']}: {entry['duration_s']:.2f} s, {entry['path_length_m']:.2f} m{refused}"


def _list(shell: Shell) -> None:
    from understudy.performer import ACTIONS, CLIPS, SETS, STYLES, posture_about, posture_names

    document = {
        "clips": {name: kind.about for name, kind in CLIPS.items()},
        "sets": {name: list(clips) for name, clips in SETS.items()},
        "styles": list(STYLES),
        "actions": {name: family.about for name, family in ACTIONS.items()},
        "postures": {name: posture_about(name) for name in posture_names()},
    }
    rows = [f"  {name:<20} {kind.about}" for name, kind in CLIPS.items()]
    sets = [f"  {name:<20} {len(clips)} clips" for name, clips in SETS.items()]
    actions = [f"  {name:<20} {family.about}" for name, family in ACTIONS.items()]
    postures = [f"  {name:<20} {posture_about(name)}" for name in posture_names()]
    lines = ["clips", *rows, "sets", *sets, "styles", f"  {', '.join(STYLES)}", "actions", *actions]
    shell.answer(document, lambda: "\n".join([*lines, "postures (from Python)", *postures]))
