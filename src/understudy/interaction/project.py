"""Projects: a TOML file that names clips, balls, what happens to them and the edits to make."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import radians
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from understudy.core.motion import Motion
from understudy.core.table_text import read_text
from understudy.errors import FormatError
from understudy.formats.npz_archive import opened
from understudy.interaction.actor import Actor, Blend, Implement
from understudy.interaction.blending import blend_of, matched_marks
from understudy.interaction.editing import EditOptions
from understudy.interaction.edits import Edit
from understudy.interaction.leg_files import leg_of
from understudy.interaction.mimes import bat_of, circling_hands, delayed, soccer_mime
from understudy.interaction.play import Ball, Play, Way
from understudy.interaction.project_models import (
    PROJECT_VERSION,
    ActorTable,
    BallTable,
    BlendTable,
    PerformerTable,
    ProjectTable,
)
from understudy.interaction.resuming import Saved, StateFile
from understudy.interaction.rhythm import cascade, thrown_as
from understudy.interaction.system import System
from understudy.performer.actions import Example, action_examples
from understudy.scene.characters import Character
from understudy.scene.scene import Scene
from understudy.scene.scene_file import load_scene
from understudy.typing import FloatArray, PathLike


@dataclass(frozen=True, eq=False, kw_only=True)
class Project:
    """A project read.

    Attributes:
        name: A label.
        play: Actors, balls and what happens.
        edits: To make, in order.
        options: How edits go.
        controls: Control points and blend weights saved with it; ``None`` for a fresh start.
        saved: The session it was saved from; ``None`` for a fresh start. See ``Session.resumed``.
    """

    name: str
    play: Play
    edits: tuple[Edit, ...]
    options: EditOptions
    controls: FloatArray | None = None
    saved: Saved | None = None


def load_project(path: PathLike, *, motion: PathLike | None = None) -> Project:
    """Read a project file.

    Args:
        path: The TOML file; clips are looked for beside it.
        motion: A folder in which, and in whose folders, clips are looked for that are not beside it.

    Raises:
        FormatError: The file or a clip is missing or malformed, naming the table and key.
        PlanningInputError: What it says contradicts itself.
    """
    file = Path(path)
    table = _table(file)
    examples: dict[str, Example] = {}
    clips = Clips(file, None if motion is None else Path(motion))
    actors = tuple(_actor(one, clips, examples) for one in table.actor)
    state = None if table.state is None else StateFile(file.parent / table.state)
    if state is not None:
        actors = tuple(state.with_blends(actor) for actor in actors)
    ways = [_way(one) for one in table.ball]
    for rhythm in table.rhythm:
        ways += cascade(rhythm, rhythm.hands, ball=_ball(rhythm.ball), actors=actors)
    for name in table.throws_of:
        if name not in examples:
            raise FormatError(f'throws_of: actor "{name}" has no performer clip', path=file)
        ways += thrown_as(examples[name], next(one for one in actors if one.name == name))
    scene = Scene() if table.scene is None else load_scene(file.parent / table.scene)
    play = Play(actors=actors, ways=tuple(ways), scene=scene)
    return Project(
        name=table.name or file.stem,
        play=play,
        edits=tuple(table.edit),
        options=EditOptions(time_factor=table.time_factor, drag_m=table.drag_m),
        controls=None if table.controls is None else _controls(file.parent / table.controls),
        saved=None if state is None else state.saved(play, System(play).size),
    )


def _table(file: Path) -> ProjectTable:
    text = read_text(file, "project")
    found = text.values
    version = found.get("version", PROJECT_VERSION)
    if version != PROJECT_VERSION:
        newer = "written by a newer Understudy; " if isinstance(version, int) and version > PROJECT_VERSION else ""
        reason = f"is of version {version!r} of project files: {newer}this one reads {PROJECT_VERSION}"
        raise FormatError(reason, path=file)
    try:
        return ProjectTable.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise FormatError(f"{where}: {first['msg']}{more}", path=file, line=text.line(first["loc"])) from None


def _controls(file: Path) -> FloatArray:
    try:
        with opened(file) as archive:
            return np.array(archive.array("controls", kinds="fi", shape=(None,)), dtype=np.float64)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=file) from error


def _example(table: PerformerTable, fps: float) -> Example:
    targets = None if table.target is None else np.array([table.target])
    count = 1 if targets is not None else table.number + 1
    return action_examples(table.action, count=count, seed=table.seed, fps=fps, targets=targets)[-1]


@dataclass(frozen=True)
class Clips:
    """Where a project's clips are: beside its file, or anywhere in a folder of motions."""

    file: Path
    folder: Path | None

    def path(self, name: str) -> Path:
        """The clip's file.

        Raises:
            FormatError: It is in neither place.
        """
        beside = self.file.parent / name
        if beside.is_file():
            return beside
        found = sorted(self.folder.rglob(Path(name).name)) if self.folder is not None else []
        if not found:
            where = "give the folder of your clips with --motion" if self.folder is None else f"nor in {self.folder}"
            raise FormatError(f'clip "{name}" is not beside the project; {where}', path=self.file)
        return found[0]

    def load(self, table: ActorTable | BlendTable) -> Motion:
        """The clip of a table that names a file."""
        from understudy.formats import ReadOptions, load_motions

        assert table.file is not None
        fps = table.recorded_fps if isinstance(table, ActorTable) else None
        cleaned = isinstance(table, ActorTable) and table.clean
        # Balls were measured with the heights in the file, unless its faults are to be mended.
        options = ReadOptions(fps=fps, ground="auto" if cleaned else "keep")
        motion = load_motions(self.path(table.file), options=options)[0]
        if cleaned:
            from understudy.inspection import clean

            return clean(motion).motion
        return motion


def _clip(clips: Clips, name: str, table: ActorTable | BlendTable, fps: float, examples: dict[str, Example]) -> Motion:
    if table.performer is not None:
        example = _example(table.performer, fps)
        examples[name] = example
        return example.motion
    if table.file is not None:
        return clips.load(table)
    raise FormatError(f'"{name}" needs a clip: file or performer', path=clips.file)


def _actor(table: ActorTable, clips: Clips, examples: dict[str, Example]) -> Actor:
    fps = table.fps or 60.0
    if table.strikes:
        motion = soccer_mime(table.strikes, duration_s=table.duration_s or table.strikes[-1].time_s + 1.5, fps=fps)
    else:
        motion = _clip(clips, table.name, table, fps, examples)
    if table.slice_s is not None:
        motion = motion.slice(*table.slice_s)
    if table.fps is not None:
        motion = motion.resampled(table.fps)
    if table.circles is not None:
        circles = table.circles
        motion = circling_hands(motion, span_s=circles.span_s, period_s=circles.period_s, radius_m=circles.radius_m)
    if table.delay_s > 0.0:
        motion = delayed(motion, table.delay_s)
    if table.start is not None or table.heading_deg is not None:
        heading = None if table.heading_deg is None else radians(table.heading_deg)
        motion = Character(name=table.name, motion=motion, start=table.start, heading_rad=heading).world_motion
    implements = tuple(
        Implement(**{**one.model_dump(), "start": np.array(one.start), "end": np.array(one.end)})
        for one in table.implement
    )
    actor = Actor(
        name=table.name,
        motion=motion,
        groups=tuple(table.groups),
        scale=table.scale,
        spacing_s=table.spacing_s,
        cutoff_hz=table.cutoff_hz,
        implements=(*implements, *_bat(table, examples)),
        references=(*(_example(one, motion.fps).motion for one in table.references), *_references(table, clips)),
    )
    blends = [_blend(one, actor, clips) for one in table.blend]
    return actor.with_blends(blends) if blends else actor


def _references(table: ActorTable, clips: Clips) -> list[Motion]:
    """Clips after the first in an actor's own file."""
    if table.file is None or not table.references_in_file:
        return []
    from understudy.formats import ReadOptions, load_motions

    return list(load_motions(clips.path(table.file), options=ReadOptions(ground="keep")))[1:]


def _bat(table: ActorTable, examples: dict[str, Example]) -> tuple[Implement, ...]:
    """The bat of a performer who swings one."""
    if table.performer is None or table.performer.action != "bat_swing":
        return ()
    return (bat_of(examples[table.name]),)


def _blend(table: BlendTable, actor: Actor, clips: Clips) -> Blend:
    clip = _clip(clips, table.name, table, actor.motion.fps, {})
    marks = table.marks or matched_marks(actor, clip, span_s=table.span_s)
    return blend_of(actor, clip, marks, name=table.name, span_s=table.span_s, fade_s=table.fade_s, groups=table.groups)


def _ball(table: BallTable) -> Ball:
    return Ball(**{one.name: getattr(table, one.name) for one in fields(Ball)})


def _way(table: BallTable) -> Way:
    return Way(ball=_ball(table), legs=tuple(leg_of(one, table.name) for one in table.leg))
