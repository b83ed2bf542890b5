"""``understudy.grab``, ``place``, ``drop``, ``carry`` and ``touch``: one thing done with a hand, judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict, Unpack

import numpy as np

from understudy import rotations as rot
from understudy.api.evidence import Evidence
from understudy.api.handling_judge import HandlingJudge
from understudy.api.performing import engine_of, opened
from understudy.api.performing_programs import libraries_of
from understudy.api.verdict import Verdict
from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.errors import PlanningInputError, SceneError, nearest_name
from understudy.limbs.handling import Deed, HandlingOptions, Mark, Orientation, Play
from understudy.limbs.handling.manners import MANNERS
from understudy.limbs.stage import stage_of
from understudy.scene.scene import Scene
from understudy.scene.tasks import Target, Task
from understudy.skills.on_motion import Hands
from understudy.verify.bars import Bars


@dataclass(frozen=True, eq=False, kw_only=True)
class HandlingTrace:
    """What a hand did.

    Attributes:
        scene: The scene afterwards: the motion in it, and who holds what. Hand it to the next call.
        deed: How it was done; nothing after a failure.
        error_m: How far the hand is off at its moment [m]; the farthest of several.
        error_rad: And turned [rad]; nothing where it was free.
        tried: How many ways were tried.
    """

    scene: Scene
    deed: Deed | None = None
    error_m: float = float("nan")
    error_rad: float | None = None
    tried: int = 0


class Asked(TypedDict, total=False):
    """What may be asked of a hand beside what it handles; :class:`understudy.scene.Task` has more on each.

    Attributes:
        at: When the hand is there, in the scene's time [s]; as soon as possible unless given.
        by: Not later than this [s].
        hand: ``"left"``, ``"right"`` or ``"both"``; the nearer one unless given.
        orientation: How the hand is turned; free unless given.
        heading_rad: How what is put down is turned.
        handle: Which handle is taken or touched.
        hold_s: How long the hand stays [s].
        style: A manner, such as ``"low_arm"``.
        character: Whose motion it is, where the scene leaves that open.
        bars: Bars to clear; the judge's own unless given.
        options: How to search.
    """

    at: float | None
    by: float | None
    hand: Literal["left", "right", "both"] | None
    orientation: Orientation | None
    heading_rad: float | None
    handle: str
    hold_s: float | None
    style: str
    character: str | None
    bars: Bars | None
    options: HandlingOptions | None


def grab(motion: Motion, scene: Scene, object: str, **asked: Unpack[Asked]) -> Result[HandlingTrace]:
    """Take hold of an object; :class:`Asked` has what else may be asked."""
    return handled(motion, scene, "grab", object, **asked)


def place(
    motion: Motion, scene: Scene, object: str, target: str | Sequence[float], **asked: Unpack[Asked]
) -> Result[HandlingTrace]:
    """Put a held object down on a point, an object or a part of somebody; see :class:`Asked`."""
    return handled(motion, scene, "place", object, _target(target), **asked)


def carry(
    motion: Motion, scene: Scene, object: str, target: str | Sequence[float], **asked: Unpack[Asked]
) -> Result[HandlingTrace]:
    """Bring a held object somewhere without letting go; see :class:`Asked`."""
    return handled(motion, scene, "carry", object, _target(target), **asked)


def drop(motion: Motion, scene: Scene, object: str = "", **asked: Unpack[Asked]) -> Result[HandlingTrace]:
    """Let go of what is held; it falls; see :class:`Asked`."""
    return handled(motion, scene, "drop", object, **asked)


def touch(motion: Motion, scene: Scene, target: str | Sequence[float], **asked: Unpack[Asked]) -> Result[HandlingTrace]:
    """Touch an object, a handle, a point or a part of somebody; see :class:`Asked`."""
    names = [one.name for one in scene.objects]
    owner, _, handle = target.partition(".") if isinstance(target, str) else ("", "", "")
    if owner in names:
        return handled(motion, scene, "touch", owner, **({"handle": handle} | asked))
    return handled(motion, scene, "touch", target=_target(target), **asked)


def handled(
    motion: Motion,
    scene: Scene,
    do: str,
    object: str = "",
    target: Target | None = None,
    **asked: Unpack[Asked],
) -> Result[HandlingTrace]:
    """Do one thing with a hand, or with both.

    Args:
        motion: Where it stands in the world.
        scene: What surrounds it, and who holds what: the ``trace.scene`` of the call before.
        do: ``"grab"``, ``"place"``, ``"carry"``, ``"drop"``, ``"touch"`` or ``"reach"``.
        object: What is handled.
        target: Where to.
        **asked: See :class:`Asked`.

    Returns:
        ``SOLVED`` only with a motion the judge has passed. Otherwise ``motion`` is the one handed in and ``reason``
        says why.

    Raises:
        PlanningInputError: What is asked for makes no sense: an unknown name, an object held already.
    """
    for name in asked.keys() - Asked.__annotations__.keys():
        raise PlanningInputError(f'a hand cannot be asked for "{name}"; {nearest_name(name, Asked.__annotations__)}')
    options, style = asked.get("options") or HandlingOptions(), asked.get("style", "")
    if style and style not in MANNERS:
        raise PlanningInputError(f'unknown style "{style}"; known: {", ".join(MANNERS)}')
    watch = options.watch()
    stage = stage_of(motion, scene, character=asked.get("character"))
    try:
        task = Task(
            character=stage.character,
            do=do,
            object=object,
            target=target,
            at_s=asked.get("at"),
            by_s=asked.get("by"),
            hand=asked.get("hand"),
            handle=asked.get("handle", ""),
            heading_rad=asked.get("heading_rad"),
            hold_s=asked.get("hold_s"),
            style=style,
        )
        wanted = replace(stage.scene, tasks=(task,))
    except SceneError as error:
        raise PlanningInputError(str(error)) from None
    play = opened(wanted, {})
    judge = HandlingJudge(Evidence(wanted, play.sources, libraries_of(wanted)), asked.get("bars"))
    hands = Hands(judge=judge, options=options, orientation=asked.get("orientation"))
    outcome = engine_of([task], play, lambda _: hands, options, watch).run()
    done = outcome.done[0]
    if done.deed is None:
        trace = HandlingTrace(scene=replace(stage.scene, tasks=()), tried=done.tried)
        return Result(status=done.status, motion=motion, trace=trace, reason=done.reason, stats=watch.stats())
    after = done.deed.play
    errors = [_off(after, mark) for mark in done.deed.marks]
    angles = [angle for _, angle in errors if angle is not None]
    trace = HandlingTrace(
        scene=replace(after.scene, allowed_contacts=(*after.scene.allowed_contacts, *after.allow)),
        deed=done.deed,
        error_m=max((away for away, _ in errors), default=0.0),
        error_rad=max(angles) if angles else None,
        tried=done.tried,
    )
    verdict = Verdict(lambda motion, _: judge.claim(after, stage.character))
    moved = after.motion(stage.character)
    return verdict.settled(Result(status=outcome.status, motion=moved, trace=trace, stats=watch.stats()))


def _off(play: Play, mark: Mark) -> tuple[float, float | None]:
    """How far a hand is off its mark [m], and turned [rad]."""
    places, turns = play.scene.character(mark.character).joint(f"{mark.hand}_hand", [mark.time_s])
    away = float(np.linalg.norm(places[0] + rot.rotate(turns[0], mark.point) - mark.position))
    angle = None if mark.rotation is None else float(rot.angle_between(turns[0], mark.rotation))
    return away, angle


def _target(target: str | Sequence[float]) -> Target:
    if isinstance(target, str):
        return target
    if len(target) != 3:
        raise PlanningInputError(f"a target has three coordinates; got {len(target)}")
    x, y, z = (float(value) for value in target)
    return x, y, z
