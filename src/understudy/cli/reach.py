"""``understudy reach``: bring a hand to a place at a time."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from understudy.cli.limbs import answered
from understudy.cli.planned import Character, Out, PlacedMotion, SceneAround, needed
from understudy.cli.reading import Reading
from understudy.cli.shell import Shell
from understudy.errors import OptionError

EXAMPLE = "Example:  understudy reach walk.bvh kitchen.toml --hand right --target cup --at 2.4 -o reach.bvh"


def reach(
    shell: Shell,
    motion: PlacedMotion,
    scene: SceneAround,
    out: Out = None,
    hand: Annotated[str, typer.Option("--hand", metavar="left|right", help="Which hand.")] = "right",
    target: Annotated[
        str, typer.Option("--target", metavar="OBJECT|X,Y,Z", help="An object, OBJECT.HANDLE, PERSON.PART or a point.")
    ] = "",
    at: Annotated[float | None, typer.Option("--at", metavar="T", help="Time in the motion [s].")] = None,
    character: Character = None,
    *,
    reading: Reading,
) -> int:
    """Bring a palm to a target at a time. Exits with 3, and prints the reason, if that is not possible."""
    from understudy.api import reach as plan
    from understudy.formats import load_motion
    from understudy.limbs import LimbOptions
    from understudy.scene import load_scene

    out = needed(out)
    if at is None or not math.isfinite(at):
        raise OptionError("no time; say when the hand has to be there with --at T")
    options = LimbOptions(seed=shell.seed, deadline_s=shell.deadline_s)
    goal = target_of(target)
    source, stage = load_motion(motion, options=reading), load_scene(scene)
    result = plan(source, stage, hand=hand, target=goal, at=at, character=character, options=options)
    return answered(shell, result, out)


def target_of(text: str) -> str | tuple[float, float, float]:
    """A point out of ``1,1.2,3``, or a name.

    Raises:
        OptionError: The text is empty, or its numbers do not make a point.
    """
    if not text:
        raise OptionError("no target; give one with --target OBJECT or --target X,Y,Z")
    if "," not in text:
        return text
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != 3 or not all(math.isfinite(value) for value in values):
        raise OptionError(f'--target is "{text}"; a point is X,Y,Z in metres, such as 0.4,1.1,2')
    return values[0], values[1], values[2]
