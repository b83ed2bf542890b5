"""A scene: everything on the stage, and where all of it is at any time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.errors import SceneError, nearest_name
from understudy.scene.attachments import Attachment
from understudy.scene.characters import Character
from understudy.scene.checks import Parts, faults_of
from understudy.scene.contacts import ContactRule
from understudy.scene.holds import Hold, all_holds
from understudy.scene.objects import SceneObject, named
from understudy.scene.placements import Placement, Static, Track, last_key_s, moves
from understudy.scene.shapes import Shape
from understudy.scene.state import HandlePose, SceneState
from understudy.scene.tasks import Task
from understudy.scene.timeline import Timeline
from understudy.scene.transforms import compose
from understudy.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.formats.props import Prop


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Objects, characters, what they hold and what they are to do; immutable, every change gives a new scene.

    Attributes:
        name: A short label.
        objects: Things, with unique names.
        characters: People, with unique names.
        tasks: What they have to do.
        attachments: What follows what, and when.
        allowed_contacts: Contacts that are meant, beside those that :func:`contact_rules` derives.
        floor: Whether the plane y = 0 is solid ground; it is called ``"floor"`` in rules and reports.
    """

    name: str = ""
    objects: tuple[SceneObject, ...] = ()
    characters: tuple[Character, ...] = ()
    tasks: tuple[Task, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    allowed_contacts: tuple[ContactRule, ...] = ()
    floor: bool = True

    def __post_init__(self) -> None:
        """Reject parts that do not fit together, naming every fault."""
        for key in ("objects", "characters", "tasks", "attachments", "allowed_contacts"):
            object.__setattr__(self, key, tuple(getattr(self, key)))
        parts = Parts(
            objects=self.objects,
            characters=self.characters,
            attachments=self.attachments,
            tasks=self.tasks,
            contacts=self.allowed_contacts,
            floor=self.floor,
        )
        faults = faults_of(parts)
        if faults:
            raise SceneError("the scene is inconsistent:", faults=[fault.message for fault in faults])

    def __repr__(self) -> str:
        """Name and counts in one line."""
        label = f"{self.name!r}, " if self.name else ""
        counts = f"{len(self.objects)} objects, {len(self.characters)} characters, {len(self.tasks)} tasks"
        return f"Scene({label}{counts})"

    # Looking things up.

    def object(self, name: str) -> SceneObject:
        """The object of a name; an unknown one is a :class:`SceneError` that names the nearest."""
        return named(self.objects, name)

    def character(self, name: str) -> Character:
        """The character of a name; an unknown one is a :class:`SceneError` that names the nearest."""
        for person in self.characters:
            if person.name == name:
                return person
        hint = nearest_name(name, [person.name for person in self.characters]) or "the scene has no characters"
        raise SceneError(f'no character "{name}"; {hint}')

    @cached_property
    def holds(self) -> tuple[Hold, ...]:
        """Who holds what and when, ordered by when it begins."""
        return all_holds(self.attachments, self.characters)

    @property
    def duration_s(self) -> float:
        """When the last motion, track or finite attachment has ended [s]."""
        ends = [person.end_s for person in self.characters if person.motion is not None]
        ends += [last_key_s(thing.placement) for thing in self.objects if moves(thing.placement)]
        ends += [time for hold in self.holds for time in (hold.start_s, hold.end_s) if np.isfinite(time)]
        return float(max([0.0, *ends]))

    # The world over time.

    @cached_property
    def timeline(self) -> Timeline:
        """Where every object is at any time."""
        return Timeline(self.objects, self.characters, self.holds)

    def at(self, time_s: float) -> SceneState:
        """The state of the whole world at a time."""
        positions, rotations = self.object_tracks([time_s])
        times = _times(time_s)
        joints = {}
        for person in self.characters:
            if person.motion is not None:
                places, turns = person.joints(times)
                joints[person.name] = (places[0], turns[0])
        return SceneState(
            time_s=float(time_s),
            names=tuple(thing.name for thing in self.objects),
            positions=positions[0],
            rotations=rotations[0],
            joints=joints,
        )

    def object_track(self, name: str, times_s: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Positions ``(n, 3)`` [m] and rotations ``(n, 4)`` of one object's frame at times ``(n,)``."""
        self.object(name)
        return self.timeline.poses(name, _times(times_s))

    def object_tracks(self, times_s: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Positions ``(n, objects, 3)`` [m] and rotations ``(n, objects, 4)`` of all objects at times ``(n,)``."""
        times = _times(times_s)
        still_positions, still_rotations = self._still
        positions = np.repeat(still_positions, len(times), axis=0)
        rotations = np.repeat(still_rotations, len(times), axis=0)
        for k in self._moving:
            positions[:, k], rotations[:, k] = self.timeline.poses(self.objects[k].name, times)
        return positions, rotations

    def moving_objects(self) -> IntArray:
        """Indices of the objects that are not in the same place at all times."""
        return np.array(self._moving, dtype=np.int64)

    @cached_property
    def _moving(self) -> tuple[int, ...]:
        held = self.timeline.is_ever_held
        return tuple(k for k, one in enumerate(self.objects) if moves(one.placement) or held(one.name))

    @cached_property
    def _still(self) -> tuple[FloatArray, FloatArray]:
        """Poses ``(1, objects, ...)`` at time 0, which for most objects are their poses at all times."""
        poses = [self.timeline.poses(one.name, np.zeros(1)) for one in self.objects]
        positions = [position for position, _ in poses] or [np.empty((0, 3))]
        rotations = [rotation for _, rotation in poses] or [np.empty((0, 4))]
        return np.concatenate(positions)[None], np.concatenate(rotations)[None]

    def handle_pose(self, object_name: str, handle: str, time_s: float) -> HandlePose:
        """Where a handle is at a time."""
        grip = self.object(object_name).handle(handle)
        positions, rotations = self.object_track(object_name, [time_s])
        position, rotation = compose(positions[0], rotations[0], np.array(grip.at), grip.frame)
        approach = rot.rotate(rotations[0], np.array(grip.approach))
        return HandlePose(position=position, rotation=rotation, approach=approach)

    def props(self, *, fps: float = 30.0, start_s: float = 0.0, end_s: float | None = None) -> tuple[Prop, ...]:
        """The objects as meshes with keyed motions, for pictures and animation files.

        Args:
            fps: Keys per second of objects that move.
            start_s: The scene's time that becomes time 0.
            end_s: The last time; the scene's duration unless given.
        """
        from understudy.scene.prop_export import scene_props

        return scene_props(self, fps=fps, start_s=start_s, end_s=end_s)

    # Building.

    def with_object(self, thing: SceneObject | str, shape: Shape | None = None, **fields: Any) -> Scene:
        """The scene with one more object, given whole or as name, shape and fields of :class:`SceneObject`.

        ``position`` and ``rotation`` may be given instead of a ``placement``.
        """
        if isinstance(thing, str):
            if shape is None:
                raise SceneError(f'object "{thing}": needs a shape')
            thing = SceneObject(name=thing, shape=shape, **_with_placement(thing, fields))
        return replace(self, objects=(*self.objects, thing))

    def with_character(self, person: Character | str, **fields: Any) -> Scene:
        """The scene with one more character, given whole or as name and fields of :class:`Character`."""
        if isinstance(person, str):
            person = Character(name=person, **fields)
        return replace(self, characters=(*self.characters, person))

    def with_attachment(self, attachment: Attachment | str, to: str = "", **fields: Any) -> Scene:
        """The scene with one more attachment, given whole or as object, holder and fields of :class:`Attachment`."""
        if isinstance(attachment, str):
            attachment = Attachment(object=attachment, to=to, **fields)
        return replace(self, attachments=(*self.attachments, attachment))

    def with_task(self, task: Task | str, do: str = "", **fields: Any) -> Scene:
        """The scene with one more task at the end, given whole or as character, kind and fields of :class:`Task`."""
        if isinstance(task, str):
            task = Task(character=task, do=do, **fields)
        return replace(self, tasks=(*self.tasks, task))

    def with_contact(self, rule: ContactRule | str, b: str = "", **fields: Any) -> Scene:
        """The scene with one more allowed contact, given whole or as two names and fields of :class:`ContactRule`."""
        if isinstance(rule, str):
            rule = ContactRule(a=rule, b=b, **fields)
        return replace(self, allowed_contacts=(*self.allowed_contacts, rule))

    def with_motion(self, character: str, motion: Motion, *, start_s: float = 0.0) -> Scene:
        """The scene in which a character does a motion that already stands where it belongs in the world."""
        self.character(character)
        people = (one.performing(motion, start_s=start_s) if one.name == character else one for one in self.characters)
        return replace(self, characters=tuple(people))

    def placed(self, name: str, placement: Placement) -> Scene:
        """The scene with one object standing, moving or swinging in another way."""
        self.object(name)
        things = (replace(one, placement=placement) if one.name == name else one for one in self.objects)
        return replace(self, objects=tuple(things))

    def moved(
        self, name: str, *, position: npt.ArrayLike | None = None, rotation: npt.ArrayLike | None = None
    ) -> Scene:
        """The scene with one object moved; values that are not given stay as they are at time 0."""
        thing = self.object(name)
        if isinstance(thing.placement, Track):
            raise SceneError(f'object "{name}" moves along a track; give it another with placed()')
        at, turn = thing.placement.poses(np.zeros(1))
        to = at[0] if position is None else np.asarray(position, dtype=np.float64)
        turned = turn[0] if rotation is None else np.asarray(rotation, dtype=np.float64)
        return self.placed(name, Static(position=tuple(to), rotation=tuple(turned)))

    def without(self, name: str) -> Scene:
        """The scene without an object or a character and everything said about it."""
        names = [*(thing.name for thing in self.objects), *(person.name for person in self.characters)]
        if name not in names:
            raise SceneError(f'nothing is called "{name}"; {nearest_name(name, names) or "the scene is empty"}')
        return _without(self, name)


def _without(scene: Scene, name: str) -> Scene:
    def is_about(*mentioned: object) -> bool:
        return any(isinstance(one, str) and (one == name or one.startswith(f"{name}.")) for one in mentioned)

    tasks = [one for one in scene.tasks if not is_about(one.character, one.object, one.target)]
    kept = {task.name for task in tasks}
    return replace(
        scene,
        objects=tuple(one for one in scene.objects if one.name != name),
        characters=tuple(
            replace(one, carry=tuple(carry for carry in one.carry if carry.object != name))
            for one in scene.characters
            if one.name != name
        ),
        tasks=tuple(replace(task, after=task.after if task.after in kept else "") for task in tasks),
        attachments=tuple(one for one in scene.attachments if not is_about(one.object, one.to)),
        allowed_contacts=tuple(one for one in scene.allowed_contacts if not is_about(one.a, one.b)),
    )


def _with_placement(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    where = {key: fields.pop(key) for key in ("position", "rotation") if key in fields}
    if where and "placement" in fields:
        raise SceneError(f'object "{name}": give a placement, or position and rotation')
    return {**fields, "placement": Static(**where)} if where else fields


def _times(times_s: npt.ArrayLike) -> FloatArray:
    try:
        times = np.atleast_1d(np.asarray(times_s, dtype=np.float64))
    except (TypeError, ValueError):
        raise SceneError("times must be numbers of seconds") from None
    if times.ndim != 1 or not np.isfinite(times).all():
        raise SceneError("times must be a flat list of finite numbers [s]")
    return times
