"""Options of commands that read motion files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from understudy.errors import OptionError
from understudy.formats import ReadOptions, unit_in_metres

InUnit = Annotated[
    str | None, typer.Option("--in-units", metavar="UNIT", help="Unit of the input: m, cm, mm, inch, cmu or metres.")
]
InUp = Annotated[str | None, typer.Option("--in-up", metavar="y|z", help="Up axis of the input.")]
InFps = Annotated[float | None, typer.Option("--in-fps", help="True frame rate of the input.")]
Mapping = Annotated[
    Path | None, typer.Option("--mapping", help='TOML or JSON file with lines like  hips = "Bip01 Pelvis".')
]
TPose = Annotated[str, typer.Option("--tpose", metavar="auto|keep|drop", help="A leading T-pose frame.")]
Take = Annotated[str | None, typer.Option("--take", help="Name of the animation to read.")]


def read_options(
    *,
    unit: str | None = None,
    up: str | None = None,
    fps: float | None = None,
    mapping: Path | None = None,
    tpose: str = "auto",
    take: str | None = None,
) -> ReadOptions:
    """Reading options from command-line values, checked."""
    if tpose not in ("auto", "keep", "drop"):
        raise OptionError(f'--tpose is "{tpose}"; allowed: auto, keep, drop')
    if up not in (None, "y", "z"):
        raise OptionError(f'--in-up is "{up}"; allowed: y, z')
    return ReadOptions(
        unit_m=None if unit is None else unit_in_metres(unit),
        up=up,  # type: ignore[arg-type]
        fps=fps,
        mapping=None if mapping is None else _mapping(mapping),
        tpose=tpose,  # type: ignore[arg-type]
        take=take,
    )


def _mapping(path: Path) -> dict[str, str]:
    from understudy.formats.naming import load_mapping

    return load_mapping(path)
