"""``understudy correct``: find and repair collisions of limbs."""

from __future__ import annotations

from typing import Annotated

import typer

from understudy.cli.limbs import answered
from understudy.cli.planned import Character, Out, PlacedMotion, SceneAround, needed
from understudy.cli.reading import Reading
from understudy.cli.shell import Shell

EXAMPLE = "Example:  understudy correct walk.bvh kitchen.toml --limb right_arm -o clear.bvh"


def correct(
    shell: Shell,
    motion: PlacedMotion,
    scene: SceneAround,
    out: Out = None,
    limb: Annotated[
        list[str] | None,
        typer.Option("--limb", metavar="NAME", help="left_arm, right_arm, left_leg or right_leg; may be repeated."),
    ] = None,
    character: Character = None,
    *,
    reading: Reading,
) -> int:
    """Move limbs around the things they touch. Exits with 3, and names the rest, if not all could be repaired."""
    from understudy.api import correct as plan
    from understudy.formats import load_motion
    from understudy.limbs import LimbOptions
    from understudy.scene import load_scene

    out = needed(out)
    options = LimbOptions(seed=shell.seed, deadline_s=shell.deadline_s)
    source, stage = load_motion(motion, options=reading), load_scene(scene)
    return answered(shell, plan(source, stage, limbs=limb, character=character, options=options), out)
