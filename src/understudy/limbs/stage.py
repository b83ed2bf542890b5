"""A motion on its stage: whose it is, what surrounds it, what it carries and what may touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import TypeVar
from weakref import WeakKeyDictionary

from understudy.collision import World, world_of
from understudy.collision.covers import cover
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import PlanningInputError
from understudy.limbs.space import LimbSpace, limb_space
from understudy.scene.body_parts import joint_index
from understudy.scene.characters import Character
from understudy.scene.contacts import ContactRule, contact_rules
from understudy.scene.scene import Scene
from understudy.scene.shapes import Capsule, Sphere
from understudy.scene.timeline import Held
from understudy.scene.transforms import seen_from
from understudy.typing import FloatArray

Found = TypeVar("Found")

#: What is known of bodies, which never change.
_OF_BODY: WeakKeyDictionary[Body, dict[tuple[object, ...], object]] = WeakKeyDictionary()

#: What the only character of a scene without characters is called; the judge calls it so too.
NOBODY = "performer"


@dataclass(frozen=True, eq=False, kw_only=True)
class Load:
    """Something a limb carries, as capsules fixed to a joint.

    Attributes:
        name: The scene's object.
        joint: The joint that carries it.
        starts: ``(capsules, 3)`` [m] in that joint's frame.
        ends: ``(capsules, 3)`` [m].
        radii: ``(capsules,)`` [m].
        exact: Whether the capsules are the object's own shape, not only around it.
    """

    name: str
    joint: int
    starts: FloatArray
    ends: FloatArray
    radii: FloatArray
    exact: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Stage:
    """One character's motion in a scene; times are the scene's.

    Attributes:
        motion: What the character does now.
        source: The motion it started from: its own overlaps are allowed.
        scene: The scene with ``motion`` in it.
        character: Whose motion.
        allow: Contacts that are meant, beside the scene's own.
        ignored: Parts of the body that nothing else of it keeps away from: they will be moved out of the way.
    """

    motion: Motion
    source: Motion
    scene: Scene
    character: str
    allow: tuple[ContactRule, ...] = ()
    ignored: frozenset[str] = frozenset()
    _shared: dict[tuple[object, ...], object] = field(default_factory=dict, repr=False)

    @cached_property
    def body(self) -> Body:
        """The character's body."""
        given = self.scene.character(self.character).body
        return self.shared(("body",), lambda: _fitted(self.motion.skeleton) if given is None else given)

    @cached_property
    def start_s(self) -> float:
        """When the motion begins in the scene's time [s]."""
        return self.scene.character(self.character).start_s

    @property
    def end_s(self) -> float:
        """When it ends [s]."""
        return self.start_s + self.motion.duration_s

    def space(self, limb: str) -> LimbSpace:
        """The parameters of a limb."""
        return self.of_body(("space", limb), lambda: limb_space(self.body, limb))

    def of_body(self, key: tuple[object, ...], find: Callable[[], Found]) -> Found:
        """What holds for this character's body whatever it does and wherever, found once for every stage."""
        known = _OF_BODY.setdefault(self.body, {})
        if key not in known:
            known[key] = find()
        return known[key]  # type: ignore[return-value]

    def shared(self, key: tuple[object, ...], find: Callable[[], Found]) -> Found:
        """What holds for this character and its source whatever it does now, found once."""
        if key not in self._shared:
            self._shared[key] = find()
        return self._shared[key]  # type: ignore[return-value]

    @cached_property
    def _remembered(self) -> dict[tuple[object, ...], object]:
        return {}

    def remembered(self, key: tuple[object, ...], find: Callable[[], Found]) -> Found:
        """What holds for this motion only, found once."""
        if key not in self._remembered:
            self._remembered[key] = find()
        return self._remembered[key]  # type: ignore[return-value]

    def with_motion(self, motion: Motion) -> Stage:
        """The same stage with the character doing something else; what stands around is not built again."""
        scene = self.scene.with_motion(self.character, motion, start_s=self.start_s)
        # Worlds hold what the character carries elsewhere, which moves with it.
        moving = ("world", "depths") if self.held_ever else ()
        kept = {key: value for key, value in self._shared.items() if key[0] not in moving}
        return replace(self, motion=motion, scene=scene, _shared=kept)

    def allowing(self, rules: Iterable[ContactRule]) -> Stage:
        """The same stage with more contacts that are meant."""
        made = replace(self, allow=(*self.allow, *rules))
        made.__dict__["_remembered"] = self._remembered  # nothing of it is about contacts
        return made

    def ignoring(self, parts: Iterable[str]) -> Stage:
        """The same stage without regard to some parts of the body."""
        return replace(self, ignored=frozenset(parts))

    @cached_property
    def rules(self) -> tuple[ContactRule, ...]:
        """Every contact that is meant."""
        return (*contact_rules(self.scene), *self.allow)

    def world(self, without: Iterable[str] = ()) -> World:
        """Everything around the character but what it carries in the limb itself."""
        names = frozenset(without)
        return self.shared(
            ("world", names),
            lambda: world_of(
                self.scene, character=self.character, without=names, start_s=self.start_s, end_s=self.end_s
            ),
        )

    @cached_property
    def held_ever(self) -> tuple[str, ...]:
        """Objects that this character holds at any time, directly or through other objects."""
        return tuple(dict.fromkeys(name for name, _, _, _ in self._holds()))

    def changes(self, joints: Iterable[int]) -> list[float]:
        """Times [s] at which one of some joints takes or leaves something: there its pose has to stay."""
        moved = set(joints)
        times = [time for _, joint, start, end in self._holds() if joint in moved for time in (start, end)]
        return sorted({time for time in times if self.start_s < time < self.end_s})

    def loads(self, joints: Iterable[int], start_s: float, end_s: float) -> list[Load]:
        """What hangs from some joints during the whole of an interval."""
        moved, middle = set(joints), 0.5 * (start_s + end_s)
        found = []
        for name, joint, first, last in self._holds():
            if joint in moved and first <= start_s + 1e-6 and last >= end_s - 1e-6:
                # What is held does not move in the hand: any moment of the hold will do.
                key = ("load", name, joint, first, last)
                found.append(self.remembered(key, partial(self._load, name, joint, middle)))
        return found

    def _load(self, name: str, joint: int, time_s: float) -> Load:
        from understudy import rotations as rot

        at, turned = self._grip(name, joint, time_s)
        shape = self.scene.object(name).shape
        capsules = cover(shape)
        return Load(
            name=name,
            joint=joint,
            starts=at + rot.rotate(turned, capsules.starts),
            ends=at + rot.rotate(turned, capsules.ends),
            radii=capsules.radii,
            exact=isinstance(shape, Sphere | Capsule),
        )

    def _grip(self, name: str, joint: int, time_s: float) -> tuple[FloatArray, FloatArray]:
        """Where an object is at a time in the frame of the joint that carries it, and how it is turned there."""
        state = [one.state for one in self.scene.timeline.segments(name) if one.start_s <= time_s][-1]
        if isinstance(state, Held):
            owner, _, part = state.to.partition(".")
            if part and owner == self.character and joint_index(self.motion.skeleton, part) == joint:
                return state.grip
        holder = self.scene.character(self.character).joint(self.motion.skeleton.names[joint], [time_s])
        return seen_from(*holder, *self.scene.object_track(name, [time_s]))

    def _holds(self) -> list[tuple[str, int, float, float]]:
        """Objects, joints of this character and times, holds by held objects followed up to the joint."""
        found = []
        for hold in self.scene.holds:
            to, start, end = hold.to, hold.start_s, hold.end_s
            while "." not in to:
                above = [
                    one for one in self.scene.holds if one.object == to and one.start_s < end and one.end_s > start
                ]
                if not above:
                    break
                to, start, end = above[0].to, max(start, above[0].start_s), min(end, above[0].end_s)
            owner, _, part = to.partition(".")
            if owner == self.character and part:
                found.append((hold.object, joint_index(self.motion.skeleton, part), start, end))
        return found


@lru_cache(maxsize=32)
def _fitted(skeleton: Skeleton) -> Body:
    """A body takes longer to fit than most plans do to make."""
    return fit_body(skeleton)


def stage_of(
    motion: Motion, scene: Scene | None = None, *, character: str | None = None, allow: Sequence[ContactRule] = ()
) -> Stage:
    """Put a motion on its stage.

    Args:
        motion: Where it stands in the world.
        scene: What surrounds it; ``None`` for nothing, not even a floor.
        character: Whose motion it is; needed when the scene has several that could do it.
        allow: Contacts that are meant, beside the scene's own.

    Raises:
        PlanningInputError: The scene does not say whose motion it is.
        SceneError: It has no character of that name.
    """
    motion.skeleton.require_humanoid()
    scene = Scene(floor=False) if scene is None else scene
    name = _whose(motion, scene) if character is None else character
    if name not in {person.name for person in scene.characters}:
        if character is not None:
            scene.character(name)
        scene = scene.with_character(Character(name=name, motion=motion))
    else:
        scene = scene.with_motion(name, motion, start_s=scene.character(name).start_s)
    return Stage(motion=motion, source=motion, scene=scene, character=name, allow=tuple(allow))


def _whose(motion: Motion, scene: Scene) -> str:
    names = [person.name for person in scene.characters]
    if motion.name in names:
        return motion.name
    waiting = [person.name for person in scene.characters if person.motion is None]
    if len(names) <= 1:
        return names[0] if names else NOBODY
    if len(waiting) == 1:
        return waiting[0]
    raise PlanningInputError(f"the scene has the characters {', '.join(names)}; say whose motion this is: character=")
