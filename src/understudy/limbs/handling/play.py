"""What has been done so far: everybody's motion, who holds what, what is fixed and what may touch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from understudy.core.motion import Motion
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.limbs.trace import Change
from understudy.scene.contacts import ContactRule
from understudy.scene.scene import Scene
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Mark:
    """A hand that has to be somewhere at a moment.

    Attributes:
        character: Whose hand.
        hand: ``"left"`` or ``"right"``.
        time_s: When, in the scene's time [s].
        position: ``(3,)`` [m] in the world.
        point: ``(3,)`` [m] of the hand joint's frame that has to be there.
        rotation: ``(4,)`` the hand joint's in the world; ``None`` where it was free.
    """

    character: str
    hand: str
    time_s: float
    position: FloatArray
    point: FloatArray
    rotation: FloatArray | None = None


@dataclass(frozen=True, kw_only=True)
class Span:
    """A stretch during which hands must stay as they are: they hold one object together, or stay in contact.

    Attributes:
        character: Whose hands.
        hands: Which.
        start_s: From when [s].
        end_s: Until when [s].
        object: What they hold together; empty where they only touch.
    """

    character: str
    hands: tuple[str, ...]
    start_s: float
    end_s: float
    object: str = ""


@dataclass(frozen=True, kw_only=True)
class Region:
    """A floor region reserved for somebody.

    Attributes:
        name: Who has it.
        x: Its middle [m].
        z: Its middle [m].
        radius_m: Its size.
        start_s: From when [s].
        end_s: Until when [s].
    """

    name: str
    x: float
    z: float
    radius_m: float
    start_s: float
    end_s: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Deed:
    """One task done in one way.

    Attributes:
        kind: ``"grab"``, ``"place"``, ...
        character: Who.
        hands: With which hands.
        object: What was handled; empty for a point.
        time_s: When the hand was there [s], in the scene's time.
        marks: Where hands had to be.
        limbs: Limbs that were planned.
        changes: Stretches that were planned.
        rules: Contacts that were meant.
        play: Everything after it.
        gaze: Whether the head follows.
        then: The next task with the same thing, where both were planned in one; the play is the one after it.
        regions: Floor regions that nobody else may be in meanwhile.
    """

    kind: str
    character: str
    hands: tuple[str, ...]
    object: str
    time_s: float
    marks: tuple[Mark, ...]
    limbs: tuple[str, ...]
    changes: tuple[Change, ...]
    rules: tuple[ContactRule, ...]
    play: Play
    gaze: bool = False
    then: Deed | None = None
    regions: tuple[Region, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Play:
    """A scene in which some tasks are done.

    Attributes:
        scene: Everybody's motion and every hold so far; its tasks are taken out, their contacts are in ``allow``.
        sources: What everybody did before.
        allow: Contacts that are meant.
        marks: Where hands have to be, and stay whatever is planned later.
        spans: Stretches that stay.
        planned: Character -> limbs that were planned, or ``"gaze"``.
    """

    scene: Scene
    sources: Mapping[str, Motion]
    allow: tuple[ContactRule, ...] = ()
    marks: tuple[Mark, ...] = ()
    spans: tuple[Span, ...] = ()
    planned: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def stage(self, character: str, rules: Iterable[ContactRule] = ()) -> Stage:
        """One character's motion as it is now; what is found out about it is kept with the play."""
        if character not in self._stages:
            person = self.scene.character(character)
            self._stages[character] = Stage(
                motion=person.world_motion,
                source=self.sources[character],
                scene=self.scene,
                character=character,
                allow=self.allow,
            )
        return self._stages[character].allowing(rules)

    @cached_property
    def _stages(self) -> dict[str, Stage]:
        return {}

    @cached_property
    def known(self) -> dict[tuple[object, ...], object]:
        """What has been found out about the play as it is now, for whoever asks again."""
        return {}

    def motion(self, character: str) -> Motion:
        """What somebody does now."""
        return self.scene.character(character).world_motion

    def frame_s(self, character: str, time_s: float) -> float:
        """The moment of the frame nearest to a time [s]: things change hands on frames."""
        person = self.scene.character(character)
        motion = person.world_motion
        frame = np.clip(round((time_s - person.start_s) * motion.fps), 0, len(motion) - 1)
        return float(person.start_s + frame / motion.fps)

    def bounds(self, stage: Stage, space: LimbSpace, time_s: float) -> tuple[int, int] | None:
        """First and last frame a plan about a moment may change without touching what is fixed; none if it is."""
        fps, start, moved = stage.motion.fps, stage.start_s, set(space.moved)
        times = list(stage.changes(space.moved))
        humanoid = stage.motion.skeleton.humanoid
        for mark in self.marks:
            if mark.character == stage.character and humanoid[f"{mark.hand}Hand"] in moved:
                times.append(mark.time_s)
        for span in self.spans:
            if span.character == stage.character and any(humanoid[f"{hand}Hand"] in moved for hand in span.hands):
                if span.start_s - 1e-6 < time_s < span.end_s - 1e-6:
                    return None
                times += [span.start_s, span.end_s]
        here = round((time_s - start) * fps)
        frames = [round((time - start) * fps) for time in times if np.isfinite(time)]
        low = max([0, *(frame for frame in frames if frame <= here)])
        high = min([len(stage.motion) - 1, *(frame for frame in frames if frame > here)])
        return low, high

    def done(self, deed_scene: Scene, *, limbs: Sequence[str], character: str, **more: tuple[object, ...]) -> Play:
        """The play after a deed: another scene, more limbs, and more of anything else."""
        known = self.planned.get(character, ())
        planned = {**self.planned, character: tuple(dict.fromkeys((*known, *limbs)))}
        grown = {name: (*getattr(self, name), *values) for name, values in more.items()}
        return replace(self, scene=deed_scene, planned=planned, **grown)  # type: ignore[arg-type]
