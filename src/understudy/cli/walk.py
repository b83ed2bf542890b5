"""``understudy walk``: walk from a start to a goal through a scene."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.cli.planned import Out, Rows, answered, needed
from understudy.cli.shell import Group, Shell
from understudy.core.planning import Options
from understudy.errors import OptionError

if TYPE_CHECKING:
    from understudy.core import Result
    from understudy.library import Library
    from understudy.locomotion import Spot, WalkTrace
    from understudy.scene.scene import Scene

EXAMPLE = "Example:  understudy walk walks.usl kitchen.toml --start 0,0 --goal 4,3,90 -o walk.bvh"
BUILTIN = "builtin"


def walk_options(
    shell: Shell,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="auto|beam|steps|maps|channel|astar|tight|sample|decoupled",
            help="Search method. auto uses beam; if that finds no walk, steps made from the gait model, then tight.",
        ),
    ] = "auto",
    clearance: Annotated[
        float,
        typer.Option(
            "--clearance", metavar="M", help="Preferred distance from obstacles [m]; less where there is no room."
        ),
    ] = 0.4,
    label: Annotated[
        list[str] | None,
        typer.Option("--label", metavar="LABEL", help="Use only clips with this label; may be repeated."),
    ] = None,
    style: Annotated[
        str, typer.Option("--style", metavar="NAME", help="Use only takes with this name; * matches anything.")
    ] = "",
    speed: Annotated[
        str, typer.Option("--speed", metavar="LO,HI", help="Use only clips in this range of speeds [m/s].")
    ] = "",
    stop: Annotated[bool, typer.Option("--stop", help="End standing still.")] = False,
) -> Options:
    """How to walk, from command-line values."""
    from understudy.locomotion import WalkOptions

    return WalkOptions(
        method=method,  # type: ignore[arg-type]
        clearance_m=clearance,
        labels=tuple(label or ()),
        style=style,
        speed_mps=numbers(speed, "--speed", (2,), form="LO,HI") if speed else None,  # type: ignore[arg-type]
        stop=stop,
        seed=shell.seed,
        deadline_s=shell.deadline_s,
    )


def walk(
    shell: Shell,
    library: Annotated[str, typer.Argument(metavar="LIB", help='A .usl library, or the word "builtin".')],
    scene: Annotated[
        Path | None, typer.Argument(metavar="[SCENE]", help="A scene file; default: an empty floor.")
    ] = None,
    start: Annotated[
        str, typer.Option("--start", metavar="X,Z[,DEG]", help="Start: metres, and a heading in degrees.")
    ] = "",
    goal: Annotated[
        str, typer.Option("--goal", metavar="X,Z[,DEG]", help="Goal: metres, and a heading in degrees.")
    ] = "",
    out: Out = None,
    via: Annotated[
        list[str] | None, typer.Option("--via", metavar="X,Z", help="Point to pass on the way; may be repeated.")
    ] = None,
    still: Annotated[bool, typer.Option("--still", help="Begin standing still.")] = False,
    stream: Annotated[
        bool,
        typer.Option("--stream", help="Deliver the walk in chunks during the search; report when each is ready."),
    ] = False,
    *,
    options: Annotated[Any, Group(walk_options)],
) -> int:
    """Walk to a goal through a scene. Exits with 3 if no walk passes the judge."""
    from understudy.api import walk as plan
    from understudy.locomotion import Spot
    from understudy.scene import load_scene

    out = needed(out)
    first, last = numbers(start, "--start", (2, 3)), numbers(goal, "--goal", (2, 3))
    between = [numbers(one, "--via", (2,)) for one in via or ()]
    stage = None if scene is None else load_scene(scene)
    clips = _library(library)
    begin = Spot(
        position=(first[0], first[1]), heading_rad=math.radians(first[2]) if len(first) == 3 else None, still=still
    )
    if stream:
        if options.chooses or options.method != "auto":
            raise OptionError("--stream cannot be combined with --method, --label, --style, --speed or --stop")
        result = _streamed(shell, clips, stage, begin, last, between, options.clearance_m)
    else:
        result = plan(clips, stage, start=begin, goal=last, via=between, options=options)
    code = answered(shell, result, out, _entry(result), _rows, what="walk")
    looking_s = result.stats.stage_seconds.get("graph", 0.0)
    if clips.jumps is None and looking_s > 1.0:
        _keep_jumps(shell, library, clips, looking_s)
    return code


def _streamed(
    shell: Shell,
    clips: Library,
    stage: Scene | None,
    start: Spot,
    goal: tuple[float, ...],
    via: list[tuple[float, ...]],
    clearance: float,
) -> Result[WalkTrace]:
    """The walk, made chunk by chunk; a remark reports each chunk."""
    from understudy.api import stream_walk
    from understudy.core import Result, Status
    from understudy.locomotion.stream_options import StreamOptions

    options = StreamOptions(clearance_m=clearance, seed=shell.seed, deadline_s=shell.deadline_s)
    stream = stream_walk(clips, stage, start=start, goal=goal, via=via, options=options)
    for chunk in stream:
        shell.remark(
            f"chunk {len(stream.seconds)}: {len(chunk)} frames up to {stream.time_s:.2f} s, "
            f"made in {1000 * stream.seconds[-1]:.1f} ms"
        )
    return stream.result or Result(status=Status.EXHAUSTED, reason="the stream ended without a result")


def numbers(text: str, option: str, counts: tuple[int, ...], *, form: str = "") -> tuple[float, ...]:
    """Numbers out of ``1,2.5``.

    Raises:
        OptionError: They are not numbers, or too many or too few.
    """
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    if len(values) not in counts or not all(math.isfinite(value) for value in values):
        form = form or ("X,Z" if counts == (2,) else "X,Z or X,Z,DEG")
        raise OptionError(f'{option} is "{text}"; it must be {form}, such as 1.5,2')
    return values


def _library(name: str) -> Library:
    from understudy.library import load_library

    if name != BUILTIN:
        return load_library(Path(name))
    from understudy.api.builtin_library import builtin_library

    return builtin_library()


def _keep_jumps(shell: Shell, name: str, clips: Library, looking_s: float) -> None:
    """Store the jumps that were found, or say how to store them."""
    if name != BUILTIN:
        shell.remark(f"the search for jumps took {looking_s:.1f} s; a library built with --jumps stores them")
        return
    from understudy.api.builtin_library import keep_builtin
    from understudy.locomotion.published.sampling import with_jumps

    keep_builtin(with_jumps(clips))


def _entry(result: Result[WalkTrace]) -> dict[str, Any]:
    trace = result.trace
    synthesised_s = getattr(trace, "synthesised_s", 0.0)
    found = trace is not None and (len(trace.nodes) > 0 or synthesised_s > 0.0)
    error = None if trace is None or trace.goal_error_rad is None or not found else math.degrees(trace.goal_error_rad)
    return {
        "length_m": trace.length_m if trace is not None and found else None,
        "path_length_m": trace.path_length_m if trace is not None and trace.path is not None else None,
        "goal_error_m": trace.goal_error_m if trace is not None and found else None,
        "goal_error_deg": error,
        "synthesised_s": synthesised_s,
        "synthesised_share": synthesised_s / result.motion.duration_s if result.motion is not None else 0.0,
        "transitions": trace.transitions if trace is not None else 0,
        "nearest_free": None if trace is None or trace.nearest_free is None else list(trace.nearest_free),
        "obstacle": trace.obstacle if trace is not None else "",
    }


def _rows(entry: dict[str, Any]) -> Rows:
    rows = []
    if entry["length_m"] is not None:
        shortest = entry["path_length_m"]
        beside = "" if shortest is None else f", the shortest path is {shortest:.2f} m"
        rows.append(("length", f"{entry['length_m']:.2f} m{beside}"))
        heading = "" if entry["goal_error_deg"] is None else f", {entry['goal_error_deg']:.1f} deg"
        rows.append(("goal", f"missed by {1000 * entry['goal_error_m']:.1f} mm{heading}"))
        if entry["synthesised_s"] > 0.0:
            rows.append(("steps", f"{entry['synthesised_s']:.2f} s synthesised"))
        else:
            rows.append(("clips", f"{entry['transitions'] + 1}"))
    return rows
