"""Who and what is on the stage: performers, their sources, things, and the floor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from understudy.core import Body, Motion, Skeleton, fit_body
from understudy.errors import OptionError
from understudy.scene.characters import Character
from understudy.scene.scene import Scene
from understudy.scene.shapes import HalfSpace, Shape
from understudy.typing import FloatArray
from understudy.verify.allowances import Allowances, OverlapLedger
from understudy.verify.claim import Claim
from understudy.verify.distances.solids import Solid
from understudy.verify.feet import Feet, feet_of
from understudy.verify.forward import Performer
from understudy.verify.source_facts import fact
from understudy.verify.things import Thing, object_frames
from understudy.verify.touching import EXACT_TOUCH_M, TOUCH_M

#: [m] how deep people lie in the ground their feet stand on: recorded bodies are no capsules.
SUNK_M = 0.05
#: Percentile of what happens seldom.
_SELDOM = 10.0
#: From which part one hangs that not every rig has, and [m] how thick it is where it is only thought.
_STEMS = {"shoulder": "chest", "toes": "{}_foot"}
_THIN_M = 1e-6


@dataclass(frozen=True, eq=False, kw_only=True)
class Judged:
    """One performer with the clips its motion was made from.

    Attributes:
        performer: Who is judged.
        sources: The same character doing the source clips; empty without any.
        aligned: Whether the only source has the same frames, on the same skeleton.
        recorded: Whether it is a stranger's recording.
        given: The name under which the claim speaks of it.
        allowances: What the sources allow, as numbers, where these are known instead of the clips.
        ledger: Where to write down what the sources allow; ``None`` for nowhere.
    """

    performer: Performer
    sources: tuple[Performer, ...]
    aligned: bool
    recorded: bool = False
    given: str = ""
    allowances: Allowances | None = None
    ledger: OverlapLedger | None = None

    @property
    def in_step(self) -> bool:
        """Whether the only source has the same frames, be it on another skeleton: so has what is retargeted."""
        if self.aligned or len(self.sources) != 1:
            return self.aligned
        one, two = self.performer, self.sources[0]
        alike = one.body.capsule_names == two.body.capsule_names
        return alike and len(one.motion) == len(two.motion) and abs(one.motion.fps - two.motion.fps) < 1e-9

    @property
    def beside(self) -> tuple[Feet, float | None] | None:
        """Feet of the only source where it is in step, and how many times as tall this is; no number if it is alike."""
        if self.allowances is not None and self.allowances.feet is not None:
            return self.allowances.feet, self.allowances.feet_scale
        if not (self.in_step and self.performer.motion.skeleton.is_humanoid):
            return None
        source = self.sources[0]
        tall = None if self.aligned else self.performer.body.stature_m / source.body.stature_m
        return fact(source, "feet", lambda one: feet_of(one.motion), of_body=False), tall

    @property
    def carry_m(self) -> float:
        """How near something has to be that carries the body [m]: recordings know heights less well than we do."""
        known = () if self.allowances is None else self.allowances.clips
        kinds = {one.motion.origin.kind for one in self.sources} | {one.kind for one in known}
        return TOUCH_M if self.recorded or "recorded" in kinds else EXACT_TOUCH_M


@dataclass(frozen=True, eq=False, kw_only=True)
class Cast:
    """Everyone and everything.

    Attributes:
        judged: The performers whose motions were handed in.
        others: Other characters of the scene that move, or stand at the end of their motions.
        scene: The scene with all motions in it; ``None`` without a scene.
    """

    judged: tuple[Judged, ...]
    others: tuple[Performer, ...]
    scene: Scene | None


def assembled(claim: Claim, *, listening: bool = False) -> Cast:
    """Put the motions of a claim into their scene; ``listening`` writes down what evidence allows."""
    scene = claim.scene
    only = len(claim.motions) == 1 and not claim.motions[0][0]
    # An only motion may come without a name; the scene says whose it is.
    names = [_character_for(motion, scene) if only and scene is not None else name for name, motion in claim.motions]
    starts = dict.fromkeys(names, 0.0)
    if scene is not None:
        for name, (_, motion) in zip(names, claim.motions, strict=True):
            if name not in {person.name for person in scene.characters}:
                scene = scene.with_character(Character(name=name, motion=motion))
            else:
                starts[name] = scene.character(name).start_s
                scene = scene.with_motion(name, motion, start_s=starts[name])
    judged = []
    for name, (given, motion) in zip(names, claim.motions, strict=True):
        body = _body(name, motion, scene, claim.bodies.get(given))
        performer = Performer(name=name, motion=motion, body=body, start_s=starts[name])
        clips = [_ordered_as(motion, clip) for clip in claim.evidence.get(given, claim.evidence.get(name, ()))]
        aligned = len(clips) == 1 and _same_frames(motion, clips[0])
        judged.append(
            Judged(
                performer=performer,
                sources=tuple(_as_source(performer, clip) for clip in clips),
                aligned=aligned,
                recorded=claim.recorded,
                given=given,
                allowances=claim.allowances.get(given),
                ledger=OverlapLedger() if listening else None,
            )
        )
    people = () if scene is None else scene.characters
    others = tuple(
        Performer(name=one.name, motion=one.world_motion, body=one.fitted_body, start_s=one.start_s)
        for one in people
        if one.name not in names and one.motion is not None
    )
    return Cast(judged=tuple(judged), others=others, scene=scene)


def _character_for(motion: Motion, scene: Scene) -> str:
    """Which character of a scene does a motion that was given without a name."""
    names = [person.name for person in scene.characters]
    if motion.name in names:
        return motion.name
    waiting = [person.name for person in scene.characters if person.motion is None]
    if len(names) == 1 or len(waiting) == 1:
        return names[0] if len(names) == 1 else waiting[0]
    if not names:
        return "performer"
    raise OptionError(f"the scene has the characters {', '.join(names)}; say whose motion this is: [(name, motion)]")


def _body(name: str, motion: Motion, scene: Scene | None, given: Body | None) -> Body:
    if given is None and scene is not None:
        given = scene.character(name).body
    if given is None:
        return _fitted(motion.skeleton)
    if not given.skeleton.same_joints(motion.skeleton):
        raise OptionError(f'the body given for "{name or motion.name}" sits on another skeleton than the motion')
    return given


@lru_cache(maxsize=32)
def _fitted(skeleton: Skeleton) -> Body:
    """A skeleton's body, fitted once: that takes longer than much of what is judged on it."""
    return fit_body(skeleton)


def _as_source(performer: Performer, clip: Motion) -> Performer:
    """The source clip on the same body where the skeleton is the same, else on a body fitted alike."""
    if _same_skeleton(performer.motion, clip):
        return Performer(name=performer.name, motion=clip, body=performer.body)
    both = performer.motion.skeleton.is_humanoid and clip.skeleton.is_humanoid
    body = _fitted(clip.skeleton)
    return Performer(
        name=performer.name, motion=clip, body=_with_parts(body, performer.body.capsule_names) if both else body
    )


@lru_cache(maxsize=64)
def _with_parts(body: Body, names: tuple[str, ...]) -> Body:
    """A humanoid's body with parts as another one names them, so that both can be compared part by part.

    Not every rig has clavicles or toes. For a part that a body lacks stands the axis of the one it hangs from, so thin
    that it overlaps nothing.
    """
    if names == body.capsule_names:
        return body
    there = [name in body.capsule_names for name in names]
    own = [
        body.capsule(name if known else _STEMS[name.partition("_")[2]].format(name.partition("_")[0]))
        for name, known in zip(names, there, strict=True)
    ]
    return replace(
        body,
        capsule_names=names,
        capsule_joints=body.capsule_joints[own],
        capsule_starts=body.capsule_starts[own],
        capsule_ends=body.capsule_ends[own],
        capsule_radii=np.where(there, body.capsule_radii[own], _THIN_M),
        self_pairs=np.zeros((0, 2), dtype=np.int64),
    )


def _ordered_as(motion: Motion, clip: Motion) -> Motion:
    """A clip with its joints listed as a motion lists them: files keep their own order."""
    if clip.skeleton.names == motion.skeleton.names or _parents(clip) != _parents(motion):
        return clip
    return clip.in_order([clip.skeleton.names.index(name) for name in motion.skeleton.names])


def _parents(motion: Motion) -> dict[str, str]:
    """The name of each joint's parent; empty for the root."""
    names = motion.skeleton.names
    return {
        name: "" if parent < 0 else names[parent]
        for name, parent in zip(names, motion.skeleton.parents.tolist(), strict=True)
    }


def _same_skeleton(first: Motion, second: Motion) -> bool:
    one, two = first.skeleton, second.skeleton
    return one is two or (one.same_joints(two) and bool(np.allclose(one.offsets, two.offsets, atol=1e-6)))


def _same_frames(motion: Motion, source: Motion) -> bool:
    return len(motion) == len(source) and abs(motion.fps - source.fps) < 1e-9 and _same_skeleton(motion, source)


@lru_cache(maxsize=64)
def _solid(shape: Shape) -> Solid:
    """A shape ready to be measured, made once: trees of large meshes take a while."""
    return Solid(shape)


def things_of(scene: Scene) -> tuple[Thing, ...]:
    """The scene's objects, and its floor."""

    def thing(name: str, solid: Solid, still: bool) -> Thing:
        return Thing(name=name, solid=solid, at=lambda times_s: object_frames(scene, name, times_s), still=still)

    moving = set(scene.moving_objects().tolist())
    things = [thing(one.name, _solid(one.shape), k not in moving) for k, one in enumerate(scene.objects)]
    return tuple([*things, ground(0.0)] if scene.floor else things)


def ground(height_m: float, name: str = "floor") -> Thing:
    """A level floor."""

    def at(times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        count = len(times_s)
        return np.tile([0.0, height_m, 0.0], (count, 1)), np.tile(np.eye(3), (count, 1, 1))

    return Thing(name=name, solid=_solid(HalfSpace()), at=at, still=True)


def own_ground_m(performer: Performer) -> float:
    """Height of the ground that somebody without a scene is on [m].

    It is where feet rest, unless the body lies deeper than :data:`SUNK_M` below that, and not seldom: the feet of
    somebody who lies are on their heels, or in the air, and say nothing about the ground.
    """
    lowest = performer.capsules(performer.times_s)[..., 1].min(axis=2) - performer.body.capsule_radii
    return min(feet_of(performer.motion).sole_m, float(np.percentile(lowest.min(axis=1), _SELDOM)) + SUNK_M)
