"""The world as it is at a moment, with that moment as time zero: what a task is planned in.

What happened before is left out: things that were put down stand where they are, things that are held hang in their
hand. What other people do later stays. A task planned in a snapshot does not depend on when it is done.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.scene.attachments import Attachment
from understudy.scene.characters import Character
from understudy.scene.contacts import ContactRule
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Hinge, Placement, Static, Track
from understudy.scene.scene import Scene
from understudy.scene.transforms import Transform, seen_from
from understudy.typing import FloatArray

#: [s] before the moment: what is held is held already.
_BEFORE_S = 1e3


def snapshot(scene: Scene, time_s: float, *, people: Iterable[str] = ()) -> Scene:
    """The scene at a time, which becomes its time zero.

    Args:
        scene: Everybody's motion and every hold so far.
        time_s: The moment [s].
        people: Who is in it; everybody else is left out, with what they hold left where it is then.
    """
    kept = set(people)
    things, attachments = [], []
    for thing in scene.objects:
        at, turn = (part[0] for part in scene.object_track(thing.name, [time_s]))
        holder = _holder(scene, thing.name, time_s, kept)
        # What is in a hand has the pose it first stood in, for whoever puts it down upright.
        first = tuple(part[0] for part in thing.placement.poses(np.array([-_BEFORE_S])))
        things.append(replace(thing, placement=_placement(thing, time_s, first if holder else (at, turn))))
        if holder:
            attachments.append(_attached(scene, thing.name, holder, time_s, (at, turn)))
        later = [one for one in scene.attachments if one.object == thing.name and one.start_s > time_s]
        attachments += [_earlier(one, time_s) for one in later if _present(scene, one.to, kept)]
    characters = tuple(_person(one, time_s) for one in scene.characters if one.name in kept)
    rules = tuple(
        shifted_rule(rule, -time_s)
        for rule in scene.allowed_contacts
        if rule.end_s >= time_s and all(_speaks(scene, name, kept) for name in (rule.a, rule.b))
    )
    return replace(
        scene,
        objects=tuple(things),
        characters=characters,
        attachments=tuple(attachments),
        allowed_contacts=rules,
        tasks=(),
    )


def _holder(scene: Scene, name: str, time_s: float, kept: set[str]) -> str:
    """What an object follows at a time, as far as it is in the snapshot."""
    holds = [one for one in scene.holds if one.object == name and one.start_s <= time_s < one.end_s]
    return holds[-1].to if holds and _present(scene, holds[-1].to, kept) else ""


def _present(scene: Scene, to: str, kept: set[str]) -> bool:
    owner = to.partition(".")[0]
    if owner in [thing.name for thing in scene.objects]:
        return True
    return owner in kept and scene.character(owner).motion is not None


def _speaks(scene: Scene, name: str, kept: set[str]) -> bool:
    """Whether a rule's side is in the snapshot."""
    owner = name.partition(".")[0]
    return owner in kept or owner not in [person.name for person in scene.characters]


def _placement(thing: SceneObject, time_s: float, pose: tuple[FloatArray, ...]) -> Placement:
    own = thing.placement
    if isinstance(own, Hinge):
        now = float(own.angles([time_s])[0])
        later = [(t - time_s, a) for t, a in zip(own.times_s, own.angles_rad or (), strict=True) if t > time_s]
        times, angles = zip(*[(0.0, now), *later], strict=True)
        return replace(own, times_s=times, angles_rad=angles)
    if isinstance(own, Track) and (own.loop or own.times_s[-1] > time_s):
        # Somebody else will have put it there by then.
        return replace(own, times_s=own.times_s - time_s)
    at, turn = pose
    return Static(position=tuple(at.tolist()), rotation=tuple(rot.normalize(turn).tolist()))


def _attached(scene: Scene, name: str, to: str, time_s: float, pose: tuple[FloatArray, FloatArray]) -> Attachment:
    if "." in to:
        person, _, part = to.partition(".")
        places, turns = scene.character(person).joint(part, [time_s])
    else:
        places, turns = scene.object_track(to, [time_s])
    at, turn = seen_from(places[0], turns[0], *pose)
    grip = Transform(position=tuple(at.tolist()), rotation=tuple(rot.normalize(turn).tolist()))
    end = next(one.end_s for one in scene.holds if one.object == name and one.start_s <= time_s < one.end_s)
    return Attachment(object=name, to=to, start_s=-_BEFORE_S, end_s=end - time_s, grip=grip)


def _earlier(one: Attachment, time_s: float) -> Attachment:
    return replace(one, start_s=one.start_s - time_s, end_s=one.end_s - time_s)


def _person(person: Character, time_s: float) -> Character:
    """Somebody from a time on; who is done stands where it stands."""
    if person.motion is None:
        return replace(person, carry=())
    motion = person.world_motion
    first = int(np.clip(math.floor((time_s - person.start_s) * motion.fps + 1e-6), 0, len(motion) - 2))
    placed = person.performing(motion.frames(first, len(motion)), start_s=person.start_s + first / motion.fps - time_s)
    return replace(placed, carry=())


def shifted_rule(rule: ContactRule, by_s: float) -> ContactRule:
    """A contact that is meant some time later."""
    return replace(rule, start_s=rule.start_s + by_s, end_s=rule.end_s + by_s)
