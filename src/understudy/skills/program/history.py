"""What a program has come to: plays grow by what was planned in a snapshot, in everybody's own time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.motion import Motion
from understudy.limbs.handling import Mark, Play, Span
from understudy.locomotion.footsteps.footing import SIDES
from understudy.locomotion.footsteps.joining import joined
from understudy.scene.attachments import Attachment
from understudy.scene.contacts import ContactRule
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Hinge, Placement, Static, Track
from understudy.scene.scene import Scene
from understudy.skills.program.carrying import within_limits
from understudy.skills.program.snapshot import shifted_rule

#: [s] two keys this far apart stand for a jump nobody sees: the thing is in a hand.
_INSTANT_S = 1e-6
#: [s] after something was taken or put down that the next task may begin: the next leg brings the arm along.
LEFT_S = 1.1


@dataclass(frozen=True, eq=False, kw_only=True)
class Piece:
    """One task done in a snapshot.

    Attributes:
        play: The snapshot afterwards; the character's motion in it begins at time zero.
        base: What the character would have done without hands, as long as the motion.
        end_s: When the task is done and the body is at rest again; the rest is cut off [s].
    """

    play: Play
    base: Motion
    end_s: float


def grown(play: Play, name: str, piece: Piece, start_s: float) -> Play:
    """The play after a piece that somebody begins at a time [s], where its motion so far ends."""
    local, scene = piece.play, play.scene
    motion = _cut(local.motion(name), piece.end_s)
    base = _cut(piece.base, piece.end_s)
    person = scene.character(name)
    if person.motion is not None:
        begun = person.start_s
        both = any(one.object and one.start_s < 0.0 < one.end_s for one in local.spans)
        motion, base = joined(person.world_motion, motion, with_arms=not both), joined(play.sources[name], base)
        for hand in SIDES:
            motion = within_limits(motion, hand)
    else:
        begun = start_s
    changed = replace(scene, objects=tuple(_object(scene, local.scene, one, start_s) for one in scene.objects))
    changed = replace(changed, attachments=_attachments(scene, local.scene, start_s))
    known = play.planned.get(name, ())
    limbs = tuple(dict.fromkeys((*known, *local.planned.get(name, ()))))
    return replace(
        play,
        scene=changed.with_motion(name, motion.renamed(name), start_s=begun),
        sources={**play.sources, name: base},
        allow=(*_ended(play.allow, local.allow), *(shifted_rule(rule, start_s) for rule in local.allow)),
        marks=(*play.marks, *(_mark(mark, start_s) for mark in local.marks)),
        spans=(*_known(play.spans, local.spans), *(_span(span, start_s) for span in local.spans)),
        planned={**play.planned, name: limbs},
    )


def _ended(rules: Iterable[ContactRule], local: Iterable[ContactRule]) -> Iterator[ContactRule]:
    """Contacts but those that had no end yet and that the snapshot speaks of."""
    spoken = {(one.a, one.b) for one in local}
    return (one for one in rules if np.isfinite(one.end_s) or (one.a, one.b) not in spoken)


def _known(spans: Iterable[Span], local: Iterable[Span]) -> Iterator[Span]:
    """Stretches but those that the snapshot goes on with."""
    going = {(one.character, one.object) for one in local if one.start_s < 0.0}
    return (one for one in spans if np.isfinite(one.end_s) or (one.character, one.object) not in going)


def _cut(motion: Motion, end_s: float) -> Motion:
    return motion.frames(0, int(np.clip(round(end_s * motion.fps) + 1, 2, len(motion))))


def _mark(mark: Mark, by_s: float) -> Mark:
    return replace(mark, time_s=mark.time_s + by_s)


def _span(span: Span, by_s: float) -> Span:
    return replace(span, start_s=span.start_s + by_s, end_s=span.end_s + by_s)


def _attachments(scene: Scene, local: Scene, start_s: float) -> tuple[Attachment, ...]:
    """Holds so far, ended where they end in the snapshot, and the new ones."""
    out = []
    for one in scene.attachments:
        if not one.start_s <= start_s < one.end_s:
            out.append(one)
            continue
        now = [more for more in local.attachments if more.object == one.object and more.start_s < 0.0]
        ended = [more for more in now if np.isfinite(more.end_s)]
        still = any(more.object == one.object and more.start_s < 0.0 for more in local.attachments)
        out.append(replace(one, end_s=ended[0].end_s + start_s, release=ended[0].release) if ended and still else one)
    known = {(one.object, one.to, round(one.start_s, 6)) for one in out}
    for one in local.attachments:
        if one.start_s >= 0.0 and (one.object, one.to, round(one.start_s + start_s, 6)) not in known:
            out.append(replace(one, start_s=one.start_s + start_s, end_s=one.end_s + start_s))
    return tuple(out)


def _object(scene: Scene, local: Scene, thing: SceneObject, start_s: float) -> SceneObject:
    """An object whose placement has the snapshot's keys from the moment on."""
    own, new = thing.placement, local.object(thing.name).placement
    if isinstance(new, Static):
        return thing
    return replace(thing, placement=_continued(scene, thing.name, own, new, start_s))


def _continued(scene: Scene, name: str, own: Placement, new: Placement, start_s: float) -> Placement:
    if isinstance(own, Hinge) and isinstance(new, Hinge):
        before = [(t, a) for t, a in zip(own.times_s, own.angles_rad or (), strict=True) if t < start_s]
        now = [(t + start_s, a) for t, a in zip(new.times_s, new.angles_rad or (), strict=True) if t >= 0.0]
        if len(now) < 2:
            return own
        times, angles = zip(*[*before, *_held(before, now, own, start_s)], strict=True)
        return replace(own, times_s=times, angles_rad=angles)
    if isinstance(own, Hinge) or not isinstance(new, Track) or (isinstance(own, Track) and own.loop):
        return own
    later = new.times_s >= 0.0
    if not later.any() or (isinstance(own, Track) and own.times_s[-1] > start_s):
        return own
    first = float(new.times_s[later][0]) + start_s - _INSTANT_S
    known = own.times_s if isinstance(own, Track) else np.empty(0)
    at = np.concatenate([known, [first]])
    positions, rotations = own.poses(at)
    return Track(
        times_s=np.concatenate([at, new.times_s[later] + start_s]),
        positions=np.concatenate([positions, new.positions[later]]),
        rotations=np.concatenate([rotations, new.rotations[later]]),
    )


def _held(
    before: list[tuple[float, float]], now: list[tuple[float, float]], own: Hinge, start_s: float
) -> list[tuple[float, float]]:
    """The new angles, with the old one held until they begin."""
    if before and now[0][0] - before[-1][0] > 1e-3:
        return [(now[0][0] - 1e-3, float(own.angles([start_s])[0])), *now]
    return now
