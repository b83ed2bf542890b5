"""``understudy show``: a picture, a video or a web player of motions, without a display."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from understudy.cli.reading import Reading, parted
from understudy.cli.shell import Shell
from understudy.core import Motion
from understudy.errors import OptionError
from understudy.formats import Prop, ReadOptions, load_motion

EXAMPLE = "Example:  understudy show walk.bvh room.toml -o walk.png --style strobe"


def show(
    shell: Shell,
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="FILE... [SCENE]", help="Motions, one per character, and a scene (.toml, .json)."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="A .png, .mp4 or .html file.")],
    style: Annotated[
        str, typer.Option("--style", metavar="sheet|strobe|top", help="Kind of .png: grid, one picture, floor plan.")
    ] = "sheet",
    view: Annotated[
        str | None, typer.Option("--view", metavar="VIEW", help="three-quarter, front, side, back or top.")
    ] = None,
    poses: Annotated[int | None, typer.Option("--poses", help="Number of poses in a sheet or strobe.")] = None,
    size: Annotated[
        str | None,
        typer.Option("--size", metavar="WxH", help="Size of a strobe, plan or video in pixels, such as 960x540."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="Title; default: the file's name.")] = None,
    *,
    reading: Reading,
) -> None:
    """Show motions: contact sheet, motion strobe or floor plan (.png), video (.mp4), player page (.html)."""
    from understudy.pictures.show import show as make

    started = time.perf_counter()
    pixels = None if size is None else _size(size)
    motions, props = _cast(sources, reading)
    make(
        motions,
        out,
        props=props,
        style=style,  # type: ignore[arg-type]
        poses=poses,
        view=view,
        size_px=pixels,
        title=title,
        progress=_progress(shell),
    )
    seconds = time.perf_counter() - started
    document = {"status": "done", "seconds": seconds, "picture": str(out), "bytes": out.stat().st_size}
    shell.answer(document, lambda: f"{out} ({out.stat().st_size / 1024:.0f} kB, {seconds:.1f} s)")


def _cast(sources: list[Path], reading: ReadOptions) -> tuple[list[Motion], tuple[Prop, ...]]:
    """The motions given, or those of the scene's characters, and the objects of the scene.

    Certificates know where objects were moved to: such objects are drawn there, not where the scene file has them.
    """
    from understudy.api.judging import certified_scene

    files, scene = parted(sources)
    motions = [load_motion(path, options=reading) for path in files]
    if scene is not None and not motions:
        motions = [person.world_motion for person in scene.characters if person.motion is not None]
        if not motions:
            raise OptionError("no character of the scene has a motion; give a motion file too")
    end_s = max((motion.duration_s for motion in motions), default=0.0)
    scenes = [one for one in (scene, *map(certified_scene, files)) if one is not None]
    return motions, tuple({prop.name: prop for one in scenes for prop in one.props(end_s=end_s)}.values())


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise OptionError(f'--size is "{text}"; expected width x height in pixels, such as 960x540')
    return int(width), int(height)


def _progress(shell: Shell) -> Callable[[int, int], None] | None:
    """A line on stderr that counts frames, if stderr is a terminal."""
    if shell.quiet or not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        print(f"\rframe {done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True)

    return tell
