"""Options of commands that read motion files, and telling motions from scenes among their arguments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from understudy.cli.shell import Group
from understudy.errors import OptionError
from understudy.formats import ReadOptions, unit_in_metres

if TYPE_CHECKING:
    from understudy.scene import Scene

#: Scene files among a command's arguments.
SCENE_SUFFIXES = (".toml", ".json")


def read_options(
    *,
    in_units: Annotated[
        str | None,
        typer.Option("--in-units", metavar="UNIT", help="Unit of the input: m, cm, mm, inch, cmu or metres."),
    ] = None,
    in_up: Annotated[str | None, typer.Option("--in-up", metavar="y|z", help="Up axis of the input.")] = None,
    in_fps: Annotated[float | None, typer.Option("--in-fps", help="True frame rate of the input.")] = None,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help='TOML or JSON file with lines such as  hips = "Bip01 Pelvis".')
    ] = None,
    tpose: Annotated[
        str, typer.Option("--tpose", metavar="auto|keep|drop", help="What to do with a leading T-pose frame.")
    ] = "auto",
    take: Annotated[str | None, typer.Option("--take", help="Name of the animation to read.")] = None,
    ground: Annotated[
        str, typer.Option("--ground", metavar="auto|keep", help="Whether recordings are put onto a level floor.")
    ] = "auto",
    bones: Annotated[
        str, typer.Option("--bones", metavar="auto|keep", help="Whether bones that a conversion lost are put back.")
    ] = "auto",
) -> ReadOptions:
    """Reading options from command-line values, checked."""
    if tpose not in ("auto", "keep", "drop"):
        raise OptionError(f'--tpose is "{tpose}"; allowed: auto, keep, drop')
    for name, value in (("ground", ground), ("bones", bones)):
        if value not in ("auto", "keep"):
            raise OptionError(f'--{name} is "{value}"; allowed: auto, keep')
    if in_up not in (None, "y", "z"):
        raise OptionError(f'--in-up is "{in_up}"; allowed: y, z')
    return ReadOptions(
        unit_m=None if in_units is None else unit_in_metres(in_units),
        up=in_up,  # type: ignore[arg-type]
        fps=in_fps,
        mapping=None if mapping is None else _mapping(mapping),
        tpose=tpose,  # type: ignore[arg-type]
        take=take,
        ground=ground,  # type: ignore[arg-type]
        bones=bones,  # type: ignore[arg-type]
    )


#: A parameter of this type stands for all options about reading motion files.
Reading: TypeAlias = Annotated[ReadOptions, Group(read_options)]


def parted(files: list[Path]) -> tuple[list[Path], Scene | None]:
    """The motion files among a command's arguments, and the scene in the one scene file, if any."""
    stages = [path for path in files if path.suffix.lower() in SCENE_SUFFIXES]
    if len(stages) > 1:
        raise OptionError(f"give one scene, not {len(stages)}")
    motions = [path for path in files if path not in stages]
    if not stages:
        return motions, None
    from understudy.scene import load_scene

    return motions, load_scene(stages[0])


def _mapping(path: Path) -> dict[str, str]:
    from understudy.core.recognition.mapping_file import load_mapping

    return load_mapping(path)
