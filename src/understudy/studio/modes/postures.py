"""Postures mode: key postures in a row, joints that stay where they are, and the motion between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import Field

from understudy.api.postures import between, report_on
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.pose import Pose
from understudy.errors import OptionError, nearest_name
from understudy.kinematics.forward import pose_world
from understudy.kinematics.ik_tasks import OrientationTask, PointTask
from understudy.kinematics.jacobian import FreeJoints
from understudy.kinematics.least_squares_ik import LeastSquaresOptions, solve_tasks
from understudy.performer import posture, posture_about, posture_names
from understudy.postures import BetweenOptions
from understudy.studio.edits import Arguments, Outcome, edit
from understudy.studio.jobs import Change, Job
from understudy.studio.judging import collision_marks, verdict_of
from understudy.studio.messages import Posture
from understudy.studio.project import Mark, Project
from understudy.studio.shelf import Shelf

#: Joints the pose editor has handles for.
HANDLED = ("hips", "head", "leftHand", "rightHand", "leftFoot", "rightFoot")
#: Weight of parts that are not dragged: they stay in place if they can.
_STAY = 0.3


class KeysArguments(Arguments):
    """Key postures by name, or the user's own (``"own:1"``); pinned joints; fall-off of the repulsion."""

    keys: list[str] = Field(min_length=1, max_length=12)
    pins: list[str] = Field(default=[], max_length=6)
    falloff: int = Field(default=3, ge=2, le=5)
    spacetime: bool = False


@edit("postures.keys", KeysArguments)
def choose_keys(project: Project, wanted: KeysArguments, shelf: Shelf) -> Outcome:
    """Choose the postures; with two or more the motion between them is planned."""
    setting = {**project.setting("postures"), **wanted.model_dump()}
    for key in wanted.keys:
        _known(key, setting)
    project, name = _with_person(project.with_setting("postures", setting), shelf)
    if len(wanted.keys) == 1:
        scene = project.scene.with_motion(name, _still(_pose(wanted.keys[0], setting)))
        return Outcome(project=replace(project, scene=scene, marks=()), title="Choose a posture")
    job = _job(name, setting)
    return Outcome(project=project.with_verdict(status="planning", text=job.title), title="Choose postures", job=job)


class DragArguments(Arguments):
    """Which key posture, which joint, and where it should be."""

    key: int = Field(ge=0)
    joint: str
    at: tuple[float, float, float]


@edit("postures.drag", DragArguments)
def drag_joint(project: Project, wanted: DragArguments, shelf: Shelf) -> Outcome:
    """Bend a key posture by dragging one of its joints; the posture becomes one's own."""
    if wanted.joint not in HANDLED:
        raise OptionError(f'"{wanted.joint}" has no handle; {nearest_name(wanted.joint, HANDLED)}')
    setting = project.setting("postures")
    keys: list[str] = list(setting.get("keys", []))
    if wanted.key >= len(keys):
        raise OptionError(f"there is no posture {wanted.key + 1}; there are {len(keys)}")
    pose = _dragged(_pose(keys[wanted.key], setting), wanted.joint, np.array(wanted.at))
    own: dict[str, Any] = dict(setting.get("own", {}))
    name = keys[wanted.key] if keys[wanted.key].startswith("own:") else f"own:{len(own) + 1}"
    own[name] = {"root": pose.root_position.tolist(), "rotations": pose.rotations.tolist()}
    keys[wanted.key] = name
    setting = {**setting, "own": own, "keys": keys, "editing": wanted.key}
    project, person = _with_person(project.with_setting("postures", setting), shelf)
    scene = project.scene.with_motion(person, _still(pose))
    project = replace(project, scene=scene, marks=()).with_verdict(status="idle", text="press Plan for the motion")
    return Outcome(project=project, title=f"Bend posture {wanted.key + 1}")


class EditingArguments(Arguments):
    """Which key posture is on the stage."""

    key: int = Field(ge=0)


@edit("postures.show", EditingArguments)
def show_key(project: Project, wanted: EditingArguments, shelf: Shelf) -> Outcome:
    """Put one of the key postures on the stage, to look at or to bend."""
    setting = {**project.setting("postures"), "editing": wanted.key}
    keys = setting.get("keys", [])
    if wanted.key >= len(keys):
        raise OptionError(f"there is no posture {wanted.key + 1}; there are {len(keys)}")
    project, name = _with_person(project.with_setting("postures", setting), shelf)
    scene = project.scene.with_motion(name, _still(_pose(keys[wanted.key], setting)))
    return Outcome(project=replace(project, scene=scene, marks=()), title=f"Look at posture {wanted.key + 1}")


def posture_list() -> list[Posture]:
    """All built-in postures, for the page."""
    return [{"name": name, "about": posture_about(name)} for name in posture_names()]


def _job(name: str, setting: dict[str, Any]) -> Job:
    poses = [_pose(key, setting) for key in setting["keys"]]
    named = [key if not key.startswith("own:") else pose for key, pose in zip(setting["keys"], poses, strict=True)]

    def work(job: Job) -> Change:
        options = BetweenOptions(
            falloff=setting["falloff"], spacetime=setting["spacetime"], cancel=job.cancel, progress=job.progress
        )
        result = between(named[0], named[1], *named[2:], pins=setting["pins"], options=options)
        seconds = result.stats.seconds
        motion, trace = result.motion, result.trace
        reason = "" if result.status else result.reason or result.status.value
        if motion is None or trace is None:
            return lambda project: project.with_verdict(status="failed", text=reason, seconds=seconds)
        report = report_on(None, motion, trace)
        marks = [*collision_marks(report), *_key_marks(name, motion, setting["keys"])]
        verdict = verdict_of(report, seconds=seconds, reason=reason)
        return lambda project: replace(
            project, scene=project.scene.with_motion(name, motion), verdict=verdict, marks=tuple(marks)
        )

    return Job(title="planning between postures", work=work, kernels="between")


def _key_marks(name: str, motion: Motion, keys: list[str]) -> list[Mark]:
    """The first and the last posture; those between are passed when the planner finds best."""
    ends = ((0.0, keys[0]), (motion.duration_s, keys[-1]))
    return [Mark(track=name, kind="constraint", start_s=at, end_s=at, text=key) for at, key in ends]


def _with_person(project: Project, shelf: Shelf) -> tuple[Project, str]:
    """The project with at least one character, and the character who takes the postures."""
    people = project.scene.characters
    name = project.setting("postures").get("character", "")
    if any(one.name == name for one in people):
        return project, name
    if not people:
        scene = project.scene.with_character("person", motion=shelf.standing)
        project = replace(project, scene=scene)
    name = project.scene.characters[0].name
    return project.with_setting("postures", {**project.setting("postures"), "character": name}), name


def _known(key: str, setting: dict[str, Any]) -> None:
    names = [*posture_names(), *setting.get("own", {})]
    if key not in names:
        raise OptionError(f'no posture "{key}"; {nearest_name(key, names)}')


def _pose(key: str, setting: dict[str, Any]) -> Pose:
    _known(key, setting)
    if not key.startswith("own:"):
        return posture(key)
    values = setting["own"][key]
    return Pose(
        skeleton=posture("relaxed").skeleton,
        root_position=np.array(values["root"]),
        rotations=np.array(values["rotations"]),
    )


def _still(pose: Pose) -> Motion:
    return Motion(
        skeleton=pose.skeleton, fps=30.0, root_positions=pose.root_position[None], rotations=pose.rotations[None]
    )


def _dragged(pose: Pose, joint: str, at: np.ndarray) -> Pose:
    """The nearest pose with a joint elsewhere; the other handled joints stay where they can."""
    skeleton, limits = pose.skeleton, fit_body(pose.skeleton).limits
    world = pose_world(pose)
    tasks: list[PointTask | OrientationTask] = [PointTask(joint=skeleton.index(joint), target=at)]
    for other in HANDLED:
        index = skeleton.index(other)
        if other in (joint, "hips"):
            continue
        tasks.append(PointTask(joint=index, target=world.positions[index], weight=_STAY))
        if other.endswith("Foot"):
            tasks.append(OrientationTask(joint=index, target=world.rotations[index], weight=_STAY))
    free = FreeJoints.of(skeleton, range(len(skeleton)), root_translation=True)
    options = LeastSquaresOptions(max_iterations=40, tolerance_m=1e-4, tolerance_rad=1e-3)
    return solve_tasks(pose, tasks, free=free, limit=limits.clamped, options=options).pose
