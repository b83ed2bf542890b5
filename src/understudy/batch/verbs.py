"""What a batch can do: one small model per verb, which checks a task's values and carries it out."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field

from understudy.batch.verb import BUILTIN, Outcome, Verb
from understudy.core.planning import Result, Status

if TYPE_CHECKING:
    from understudy.core.pose import Pose
    from understudy.library import Library
    from understudy.scene.scene import Scene

Numbers = Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(min_length=2, max_length=3)]


class Walk(Verb):
    """Walk to a goal."""

    FILES: ClassVar[tuple[str, ...]] = ("scene", "library")

    library: str = BUILTIN
    scene: str | None = None
    start: Numbers
    goal: Numbers
    via: list[Numbers] = Field(default_factory=list)
    method: str = "auto"
    clearance_m: float = 0.4
    labels: list[str] = Field(default_factory=list)
    style: str = ""
    stop: bool = False
    still: bool = False

    def run(self, folder: Path, seed: int) -> Outcome:
        """Do it."""
        import math

        from understudy.api.walking import walk
        from understudy.locomotion import Spot, WalkOptions

        library, scene = library_of(str(_placed(folder, self.library))), self.stage(folder)
        options = WalkOptions(
            method=self.method,  # type: ignore[arg-type]
            clearance_m=self.clearance_m,
            labels=tuple(self.labels),
            style=self.style,
            stop=self.stop,
            seed=seed,
            deadline_s=self.deadline_s,
        )
        heading = math.radians(self.start[2]) if len(self.start) == 3 else None
        begin = Spot(position=(self.start[0], self.start[1]), heading_rad=heading, still=self.still)
        result = walk(library, scene, start=begin, goal=self.goal, via=self.via, options=options)
        return _outcome(result, scene)


class Correct(Verb):
    """Repair the collisions of a motion's limbs."""

    FILES: ClassVar[tuple[str, ...]] = ("scene", "motion")

    motion: str
    scene: str
    limbs: list[str] | None = None
    character: str | None = None

    def run(self, folder: Path, seed: int) -> Outcome:
        """Do it."""
        from understudy.api import correct
        from understudy.formats import load_motion
        from understudy.limbs import LimbOptions

        source, scene = load_motion(folder / self.motion), self.stage(folder)
        options = LimbOptions(seed=seed, deadline_s=self.deadline_s)
        result = correct(source, scene, limbs=self.limbs, character=self.character, options=options)
        return _outcome(result, scene)


class Reach(Verb):
    """Bring a palm to a target at a time."""

    FILES: ClassVar[tuple[str, ...]] = ("scene", "motion")

    motion: str
    scene: str | None = None
    hand: str = "right"
    target: str | Annotated[list[float], Field(min_length=3, max_length=3)]
    at: float
    character: str | None = None

    def run(self, folder: Path, seed: int) -> Outcome:
        """Do it."""
        from understudy.api import reach
        from understudy.formats import load_motion
        from understudy.limbs import LimbOptions

        source, scene = load_motion(folder / self.motion), self.stage(folder)
        options = LimbOptions(seed=seed, deadline_s=self.deadline_s)
        result = reach(
            source,
            scene,
            hand=self.hand,
            target=self.target,
            at=self.at,
            character=self.character,
            options=options,
        )
        return _outcome(result, scene)


class Between(Verb):
    """Go from posture to posture."""

    FILES: ClassVar[tuple[str, ...]] = ("scene", "pose_files")

    postures: Annotated[list[str], Field(min_length=2)]
    scene: str | None = None
    pins: list[str] = Field(default_factory=list)
    falloff: int = 3
    fps: float = 120.0

    @property
    def pose_files(self) -> list[str]:
        """Those postures that are frames of files."""
        return [one.rpartition("@")[0] for one in self.postures if "@" in one]

    def run(self, folder: Path, seed: int) -> Outcome:
        """Do it."""
        from understudy.api.postures import between, key_poses
        from understudy.core.body_fit import fit_body
        from understudy.postures import BetweenOptions

        keys = [_key(folder, one) for one in self.postures]
        body, scene = fit_body(key_poses(keys)[0].skeleton), self.stage(folder)
        options = BetweenOptions(falloff=self.falloff, fps=self.fps, seed=seed, deadline_s=self.deadline_s)
        result = between(keys[0], keys[1], *keys[2:], scene=scene, pins=self.pins, body=body, options=options)
        return _outcome(result, scene)


class Perform(Verb):
    """Do all tasks of a scene."""

    scene: str

    def run(self, folder: Path, seed: int) -> Outcome:
        """Do it."""
        from understudy.api import perform
        from understudy.limbs.handling import HandlingOptions

        scene = self.stage(folder)
        assert scene is not None
        result = perform(scene, options=HandlingOptions(seed=seed, deadline_s=self.deadline_s))
        if not result.status:
            return Outcome(status=result.status, reason=result.reason)
        motions = {name: motion.renamed(name) for name, motion in result.motions.items()}
        return Outcome(status=result.status, motions=motions, scene=result.scene, claim=result.claim)


class Interact(Verb):
    """Drag a ball of a play of people and balls."""

    FILES: ClassVar[tuple[str, ...]] = ("project",)

    format: str = "glb"
    project: str
    ball: str
    time_s: float
    by: Annotated[list[float], Field(min_length=3, max_length=3)]

    def run(self, folder: Path, seed: int) -> Outcome:
        """Do it."""
        from understudy.api.interaction import Interaction
        from understudy.interaction.edits import Edit, done
        from understudy.interaction.project import load_project

        read = load_project(folder / self.project)
        session = Interaction.resumed(read)
        drag = Edit(do="drag", ball=self.ball, time_s=self.time_s, by=(self.by[0], self.by[1], self.by[2]))
        for edit in (*read.edits, drag):
            ended = done(session, edit)
            if ended is not None and not ended:
                return Outcome(status=Status.EXHAUSTED, reason=ended.reason or f"{edit} was not reached")
        if inside := session.clashes():
            return Outcome(status=Status.EXHAUSTED, reason=str(inside[0]))
        report = session.report()
        if not report.ok:
            return Outcome(status=Status.EXHAUSTED, reason=report.reason)
        motions = {name: motion.renamed(name) for name, motion in session.motions().items()}
        return Outcome(status=Status.SOLVED, motions=motions, scene=session.scene(), claim=session.claim())


class Performer(Verb):
    """A clip of the built-in performer."""

    clip: str
    style: str = "calm"
    speed_mps: float | None = None
    duration_s: float | None = None
    fps: float = 60.0
    stature_m: float = 1.72

    def run(self, folder: Path, seed: int) -> Outcome:
        """Do it."""
        from understudy.api.clips import clip_result
        from understudy.performer import Person, performance

        made = performance(
            self.clip,
            seed=seed,
            fps=self.fps,
            person=Person(stature_m=self.stature_m),
            style=self.style,
            speed_mps=self.speed_mps,
            duration_s=self.duration_s,
        )
        return _outcome(clip_result(made.motion), None)


VERBS: dict[str, type[Verb]] = {
    "walk": Walk,
    "correct": Correct,
    "reach": Reach,
    "between": Between,
    "perform": Perform,
    "interact": Interact,
    "performer": Performer,
}


def _outcome(result: Result[Any], scene: Scene | None) -> Outcome:
    if not result.status or result.motion is None:
        return Outcome(status=result.status, reason=result.reason)
    return Outcome(status=result.status, motions={"": result.motion}, scene=scene, claim=result.claim)


@lru_cache(maxsize=4)
def library_of(name: str) -> Library:
    """A library, memory-mapped once per process, so that all workers of a machine share its pages."""
    from understudy.api.builtin_library import builtin_library
    from understudy.library import load_library

    if name != BUILTIN:
        return load_library(Path(name))
    return builtin_library()


def _placed(folder: Path, name: str) -> Path | str:
    return name if name == BUILTIN else folder / name


def _key(folder: Path, text: str) -> Pose | str:
    from understudy.formats import load_motion

    name, at, frame = text.rpartition("@")
    return load_motion(folder / name).pose(int(frame)) if at else text
