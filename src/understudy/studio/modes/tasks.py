"""Tasks mode: a list of what people are to do, run as a whole; the list says which part failed and why."""

from __future__ import annotations

from dataclasses import replace

from pydantic import Field

from understudy.api.performing import perform
from understudy.api.performing_result import PerformResult
from understudy.errors import OptionError
from understudy.limbs.handling import HandlingOptions
from understudy.scene.characters import Character
from understudy.scene.scene import Scene
from understudy.scene.tasks import KINDS, Task
from understudy.studio.edits import Arguments, Outcome, edit
from understudy.studio.jobs import Change, Job
from understudy.studio.judging import collision_marks, verdict_of
from understudy.studio.messages import KindOfTask
from understudy.studio.project import Mark, Project
from understudy.studio.shelf import Shelf
from understudy.verify.judge import verify

#: Parameters the page offers; a scene file may give more.
_OFFERED = ("goal", "object", "hand", "target", "limbs", "style")


class TaskArguments(Arguments):
    """One task; what it needs depends on ``do``."""

    character: str
    do: str
    name: str = Field(default="", max_length=80)
    at_s: float | None = None
    goal: tuple[float, float] | None = None
    object: str = ""
    hand: str | None = None
    target: tuple[float, float, float] | str | None = None
    limbs: list[str] = Field(default=[], max_length=12)
    style: str = ""


@edit("tasks.add", TaskArguments)
def add(project: Project, wanted: TaskArguments, shelf: Shelf) -> Outcome:
    """Put one more task at the end of the list."""
    values = {**wanted.model_dump(exclude_none=True), "limbs": tuple(wanted.limbs)}
    task = Task(**values)
    project = before_tasks(project)
    return _changed(project, (*project.scene.tasks, task), f"Add the task {task.do}")


class IndexArguments(Arguments):
    """Which task, and how many places to move it."""

    index: int = Field(ge=0)
    by: int = 0


@edit("tasks.remove", IndexArguments)
def remove(project: Project, wanted: IndexArguments, shelf: Shelf) -> Outcome:
    """Take a task off the list."""
    project = before_tasks(project)
    tasks = list(project.scene.tasks)
    task = tasks.pop(_checked(wanted.index, tasks))
    return _changed(project, tuple(tasks), f"Remove the task {task.do}")


@edit("tasks.move", IndexArguments)
def move(project: Project, wanted: IndexArguments, shelf: Shelf) -> Outcome:
    """Put a task earlier or later."""
    project = before_tasks(project)
    tasks = list(project.scene.tasks)
    task = tasks.pop(_checked(wanted.index, tasks))
    tasks.insert(min(max(wanted.index + wanted.by, 0), len(tasks)), task)
    return _changed(project, tuple(tasks), f"Move the task {task.do}")


class RunArguments(Arguments):
    """Seed of everything random."""

    seed: int = Field(default=0, ge=0)


@edit("tasks.run", RunArguments)
def run(project: Project, wanted: RunArguments, shelf: Shelf) -> Outcome:
    """Do everything on the list."""
    project = before_tasks(project)
    if not project.scene.tasks:
        raise OptionError("there are no tasks yet: add one")
    job = _job(project.scene, wanted.seed)
    project = project.with_verdict(status="planning", text=job.title)
    return Outcome(project=project, title="Perform the tasks", job=job)


def task_kinds() -> list[KindOfTask]:
    """Every kind of task and what the page has to ask for."""
    return [
        {
            "do": name,
            "about": kind.about,
            "takes": [one for one in kind.allowed if one in _OFFERED],
            "needs": [*kind.needs, *kind.one_of[:1]],
        }
        for name, kind in KINDS.items()
    ]


def before_tasks(project: Project) -> Project:
    """The project with the stage as it was before its tasks were performed."""
    if project.before is None:
        return project
    return replace(project, scene=project.before, before=None, marks=(), ghosts={}, lines=())


def _checked(index: int, tasks: list[Task]) -> int:
    if index >= len(tasks):
        raise OptionError(f"there is no task {index + 1}; there are {len(tasks)}")
    return index


def _changed(project: Project, tasks: tuple[Task, ...], title: str) -> Outcome:
    scene = replace(project.scene, tasks=tasks)
    setting = {key: value for key, value in project.setting("tasks").items() if key != "done"}
    project = replace(project, scene=scene).with_setting("tasks", setting)
    return Outcome(project=project.with_verdict(status="idle", text="press Run"), title=title)


def _job(scene: Scene, seed: int) -> Job:
    def work(job: Job) -> Change:
        options = HandlingOptions(seed=seed, cancel=job.cancel, progress=job.progress)
        # A character who only waits has no motion to keep: the performer makes one that is long enough.
        people = tuple(_waiting(one) for one in scene.characters)
        result = perform(replace(scene, characters=people), options=options)
        return _shown(scene, result)

    opens = any(task.do == "open_door" for task in scene.tasks)
    return Job(title="performing the tasks", work=work, kernels="doors" if opens else "perform")


def _waiting(person: Character) -> Character:
    if person.motion is None or len(person.motion) > 1:
        return person
    root = person.world_motion.root_positions[0]
    return replace(person, motion=None, motion_file="", body=None, start=(float(root[0]), float(root[2])))


def _shown(scene: Scene, result: PerformResult) -> Change:
    performed = replace(result.scene, tasks=scene.tasks)
    people = [(one.name, one.world_motion) for one in performed.characters if one.motion is not None]
    reason = "" if result.status else result.reason or result.status.value
    report = result.report or verify(people, result.scene)
    verdict = verdict_of(report, seconds=result.stats.seconds, reason=reason)
    done = [{"status": one.status.value, "reason": one.reason} for one in result.tasks]
    marks = [*collision_marks(report), *_task_marks(result)]

    def change(project: Project) -> Project:
        project = project.with_setting("tasks", {**project.setting("tasks"), "done": done})
        return replace(project, scene=performed, before=scene, verdict=verdict, marks=tuple(marks))

    return change


def _task_marks(result: PerformResult) -> list[Mark]:
    """When each task happens, on its character's track."""
    return [
        Mark(
            track=f"{one.task.character}.tasks",
            kind="task",
            start_s=one.deed.time_s,
            end_s=one.deed.time_s,
            text=f"{one.task.do} {one.task.object}".strip(),
        )
        for one in result.tasks
        if one.deed is not None
    ]
