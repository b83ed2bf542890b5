"""``understudy perform``: do the task list of a scene file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.cli.planned import Out, basics, needed
from understudy.cli.reading import Reading
from understudy.cli.shell import Exit, Shell
from understudy.errors import OptionError
from understudy.formats import ReadOptions

if TYPE_CHECKING:
    from understudy.api.performing_result import PerformResult
    from understudy.core import Motion
    from understudy.scene import Scene
    from understudy.skills.engine import Done

EXAMPLE = "Example:  understudy perform examples/scenes/limbs/ring_idle.toml -o out/ring.glb"


def perform(
    shell: Shell,
    scene: Annotated[Path, typer.Argument(metavar="SCENE", help="A scene file with tasks.")],
    out: Out = None,
    motion: Annotated[
        list[str] | None,
        typer.Option(
            "--motion",
            metavar="[NAME=]FILE",
            help="Motion for a character, placed at the scene's start and heading; may be repeated.",
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            "--cache", metavar="FOLDER", help="Folder for solved tasks; unchanged tasks are not planned again."
        ),
    ] = None,
    *,
    reading: Reading,
) -> int:
    """Do all tasks of a scene. Exits with 3, and names the task and the reason, if one cannot be done.

    Stops after two minutes plus 30 s per task, unless --deadline is given.
    """
    from understudy.api.performing import perform as play
    from understudy.limbs.handling import HandlingOptions
    from understudy.scene import load_scene

    out = needed(out)
    stage = load_scene(scene)
    options = HandlingOptions(seed=shell.seed, deadline_s=shell.deadline_s, progress=_progress(shell, stage))
    result = play(stage, motions=_motions(motion or [], stage, reading), options=options, cache=cache)
    written = _written(result, out)
    entry = document(result, written)
    shell.answer(entry, lambda: text(entry))
    if not result.status:
        shell.remark(f"not done: {result.reason}")
    return Exit.DONE if result.status else Exit.NO_MOTION


def _progress(shell: Shell, scene: Scene) -> Any:
    """A line on stderr for every task that begins."""
    told: set[int] = set()

    def tell(share: float, stage: str) -> None:
        done = round(share * len(scene.tasks))
        if done not in told and done < len(scene.tasks):
            told.add(done)
            shell.remark(f"task {done + 1} of {len(scene.tasks)}: {scene.tasks[done].label}")

    return tell


def _motions(given: list[str], scene: Scene, reading: ReadOptions) -> dict[str, Motion]:
    from understudy.formats import load_motion

    found: dict[str, Motion] = {}
    for text_ in given:
        name, equals, file = text_.partition("=")
        if not equals:
            if len(scene.characters) != 1:
                names = ", ".join(person.name for person in scene.characters)
                raise OptionError(f'--motion "{text_}": say whose motion it is with NAME=FILE; the scene has {names}')
            name, file = scene.characters[0].name, text_
        found[name] = load_motion(Path(file), options=reading)
    return found


def _written(result: PerformResult, out: Path) -> dict[str, str]:
    """Write motions and the scene they belong to; what could be done is written beside ``out`` after a failure."""
    from dataclasses import replace

    from understudy.api.saving import save
    from understudy.formats import format_of, save_motion
    from understudy.scene import save_scene

    motions = {name: motion.renamed(name) for name, motion in result.motions.items()}
    if not result.status:
        if not any(task.status for task in result.tasks) or not motions:
            return {}
        out = out.with_name(f"{out.stem}.partial{out.suffix}")
    out.parent.mkdir(parents=True, exist_ok=True)
    files: dict[str, str] = {}
    together = format_of(out).together
    if result.status and result.claim is not None:
        files = {name: str(file) for name, file in save(result, out).files.items()}
    elif len(motions) == 1 or together:
        with_things = result.scene if together else None
        save_motion(list(motions.values()), out, scene=with_things)
        files = dict.fromkeys(motions, str(out))
    else:
        for name, one in motions.items():
            files[name] = str(save_motion(one, out.with_name(f"{out.stem}.{name}{out.suffix}")))
    if len(set(files.values())) == len(files) and not together:
        people = tuple(
            replace(one, motion_file=str(Path(files[one.name]).resolve())) for one in result.scene.characters
        )
        save_scene(replace(result.scene, characters=people), out.with_suffix(".scene.toml"))
        files[""] = str(out.with_suffix(".scene.toml"))
    return files


def document(result: PerformResult, written: dict[str, str]) -> dict[str, Any]:
    """The result as JSON keys."""
    files = {name: path for name, path in written.items() if name}
    first = next(iter(files.values()), None)
    return {
        **basics(result),
        "motion": first if result.status else None,
        "motions": files if result.status else {},
        "partial": None if result.status else first,
        "scene": written.get(""),
        "tasks": [_task(one) for one in result.tasks],
    }


def _task(one: Done) -> dict[str, Any]:
    deed = one.deed
    return {
        "name": one.task.name,
        "character": one.task.character,
        "do": one.task.do,
        "object": one.task.object,
        "status": one.status.value if deed is not None or one.reason != "not come to" else "not_tried",
        "reason": one.reason,
        "time_s": None if deed is None else deed.time_s,
        "hands": [] if deed is None else list(deed.hands),
        "limbs": [] if deed is None else list(deed.limbs),
        "gaze": deed is not None and deed.gaze,
        "segments": 0 if deed is None else 2 * len(deed.hands),
        "changed_s": 0.0 if deed is None else math.fsum(change.end_s - change.start_s for change in deed.changes),
        "tried": one.tried,
    }


def text(entry: dict[str, Any]) -> str:
    """The result for people."""
    lines = [entry["motion"] or (f"{entry['partial']} (what could be done)" if entry["partial"] else "nothing written")]
    lines.append(f"  status   {entry['status']}")
    if entry["reason"]:
        lines.append(f"  reason   {entry['reason']}")
    for one in entry["tasks"]:
        what = " ".join(part for part in (one["character"], one["do"], one["object"]) if part)
        when = f" at {one['time_s']:.2f} s" if one["time_s"] is not None else ""
        hands = f", {' and '.join(one['hands'])} hand{'s' * (len(one['hands']) > 1)}" if one["hands"] else ""
        trunk = ", with the trunk" if any(limb.endswith("_spine") for limb in one["limbs"]) else ""
        why = f": {one['reason']}" if one["reason"] else ""
        lines.append(f"  {one['status']:<8} {what}{when}{hands}{trunk}{why}")
    if entry["scene"]:
        lines.append(f"  scene    {entry['scene']}")
    lines.append(f"  seconds  {entry['seconds']:.2f}")
    return "\n".join(lines)
