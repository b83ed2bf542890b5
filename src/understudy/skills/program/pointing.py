"""Pointing at something far, and kicking a ball that lies before the feet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.errors import PlanningInputError
from understudy.kinematics import motion_world
from understudy.locomotion.footsteps.pathing import wrapped
from understudy.scene.contacts import ContactRule
from understudy.scene.placements import Track
from understudy.scene.scene import Scene
from understudy.scene.shapes import Sphere
from understudy.scene.tasks import Task
from understudy.skills.action import Blend, Family, inverse_blend, point_at
from understudy.skills.program.acting import Act, family_for, stands, unchanged
from understudy.skills.program.doing import Means
from understudy.skills.program.here import Here
from understudy.skills.program.spots import Spot, points_of
from understudy.typing import FloatArray

#: [rad] beside straight ahead that one points most easily.
_ASIDE_RAD = (0.35, 0.1, 0.7, -0.2)
#: [s] how long a foot may touch a ball before and after it strikes, how long it swings, and [Hz] how densely to look.
_STRIKE_S, _SWING_S, _LOOKS_HZ = 0.15, 0.4, 240.0
#: [m/s^2] how a ball that rolls slows down; [s] how long it is followed; share of the foot's speed it leaves with.
_ROLLING_MPS2, _ROLLS_S, _SPRING = 0.9, 3.0, 1.25
#: Share of a ball's radius before its middle that the instep meets.
_BEFORE = 0.75


def point(here: Here, task: Task, means: Means) -> tuple[Act, list[Spot], Spot | None] | str:
    """The act of pointing."""
    target = _target(here, task, "point")
    away = target[[0, 2]] - here.footing.place
    if float(np.hypot(*away)) < 0.8:
        return f"it is only {np.hypot(*away):.2f} m away, too near to point at"
    towards = float(np.arctan2(away[0], away[1]))
    side = str(task.hand) if task.hand in ("left", "right") else _side(wrapped(towards - here.footing.heading_rad))
    family = _by_direction(family_for(here, means, "point", side))
    role = f"{side}Hand"

    def blend(seen: FloatArray, higher_m: float) -> Blend | str:
        def misses(motion: Motion, events: dict[str, float]) -> FloatArray:
            shoulder, hand = _line(motion, side, role, events["point"])
            return np.asarray(_unit(seen - shoulder) - hand)

        shoulder, _ = _line(family.motions[0], side, role, family.events["point"])
        return inverse_blend(family, _unit(seen - shoulder), misses)

    act = Act(
        family=family,
        target=target,
        blend=blend,
        first_s=0.2,
        last_s=family.motions[0].duration_s,
        moment="point",
        after=unchanged,
    )
    sign = -1.0 if side == "left" else 1.0
    near = [
        Spot(
            place=here.footing.place,
            heading_rad=towards + sign * aside,
            hand=side,
            point=target,
            beyond_m=0.02 * rank,
        )
        for rank, aside in enumerate(_ASIDE_RAD)
    ]
    turn = wrapped(here.footing.heading_rad - towards) * sign
    stays = replace(near[0], heading_rad=here.footing.heading_rad) if 0.0 <= turn < 0.8 and here.before else None
    return act, near, stays


def _side(turn: float) -> str:
    return "left" if turn > 0.0 else "right"


def _unit(vector: FloatArray) -> FloatArray:
    return np.asarray(vector / np.linalg.norm(vector))


def _by_direction(family: Family) -> Family:
    """The family with directions from the shoulder as its targets: what is far is told by where it is."""
    role = f"{family.side}UpperArm"
    shoulders = [point_at(one, role, np.zeros(3), family.events["point"]) for one in family.motions]
    lines = [_unit(one.target - at) for one, at in zip(family.examples, shoulders, strict=True)]
    return replace(family, targets=np.array(lines))


def _line(motion: Motion, side: str, role: str, time_s: float) -> tuple[FloatArray, FloatArray]:
    """The shoulder ``(3,)`` and where wrist and fingers point ``(3,)``."""
    frame = round(time_s * motion.fps)
    world = motion_world(motion.frames(frame, frame + 1))
    skeleton = motion.skeleton
    shoulder = world.positions[0, skeleton.humanoid[f"{side}UpperArm"]]
    wrist = world.positions[0, skeleton.humanoid[role]]
    return shoulder, _unit(wrist - shoulder)


def kick(here: Here, task: Task, means: Means) -> tuple[Act, list[Spot], Spot | None] | str:
    """The act of kicking an object away.

    Raises:
        PlanningInputError: It is not said what to kick.
    """
    if not task.object:
        raise PlanningInputError(f'{task.label}: kick needs "object", what to kick')
    middle = _target(here, task, "kick")
    side = "left" if task.hand == "left" else "right"
    family = family_for(here, means, "kick", side)
    strike = family.examples[0].event("strike")
    shape = here.scene.object(task.object).shape
    radius = shape.radius_m if isinstance(shape, Sphere) else 0.1

    def blend(seen: FloatArray, higher_m: float) -> Blend | str:
        # The instep is a hand's breadth above the sole: a ball that lies is met above its middle.
        high = np.clip(seen[1], family.targets[:, 1].min() + 0.01, seen[1] + 0.8 * radius)
        met = np.array([seen[0], high, seen[2] - _BEFORE * radius])

        def misses(motion: Motion, events: dict[str, float]) -> FloatArray:
            return met - point_at(motion, strike.joint, strike.point, events["strike"])

        return inverse_blend(family, met, misses)

    def after(scene: Scene, begin: float) -> tuple[Scene, tuple[ContactRule, ...]]:
        parts = (f"{side}_foot", f"{side}_toes", f"{side}_shank")
        when, away = _struck(scene, here.name, task.object, parts, begin + family.events["strike"])
        rules = tuple(
            ContactRule(
                a=f"{here.name}.{part}", b=task.object, start_s=when - _STRIKE_S, end_s=when + _STRIKE_S, why="kicks it"
            )
            for part in parts
        )
        return _rolling(scene, here.name, task.object, (side, when, away)), rules

    act = Act(
        family=family,
        target=middle,
        blend=blend,
        first_s=0.2,
        last_s=family.motions[0].duration_s,
        moment="strike",
        after=after,
        kicks=True,
    )
    near = stands(middle, _ahead(family, _BEFORE * radius), here.skeleton.leg_length_m(), inner=5)
    wanted = None if task.target is None else _aimed(here, middle, task)
    if wanted is not None:
        near = [one for one in near if abs(wrapped(one.heading_rad - wanted)) < 0.3]
    return act, near, None


def _ahead(family: Family, by_m: float) -> Family:
    return replace(family, targets=family.targets + np.array([0.0, 0.0, by_m]))


def _aimed(here: Here, middle: FloatArray, task: Task) -> float:
    """Where a ball is to go [rad]."""
    to = points_of(here.scene, replace(task, do="touch", object="", handle=""))[0]
    return float(np.arctan2(to[0] - middle[0], to[2] - middle[2]))


def _struck(scene: Scene, name: str, ball: str, parts: Sequence[str], latest_s: float) -> tuple[float, FloatArray]:
    """When a foot first touches a ball that lies still, no later than a time [s], and which way it pushes (x, z)."""
    person, shape = scene.character(name), scene.object(ball).shape
    body, radius = person.fitted_body, shape.radius_m if isinstance(shape, Sphere) else 0.1
    times = np.arange(latest_s - _SWING_S, latest_s, 1.0 / _LOOKS_HZ)
    times = times[times >= person.start_s]
    middle = scene.object_track(ball, [latest_s])[0][0]
    starts, ends = body.capsule_segments(*person.joints(times))
    own = [body.capsule(part) for part in parts]
    along = ends[:, own] - starts[:, own]
    nearest = np.einsum("fpi,fpi->fp", middle - starts[:, own], along) / np.einsum("fpi,fpi->fp", along, along)
    away = middle - starts[:, own] - np.clip(nearest, 0.0, 1.0)[..., None] * along
    gaps = np.linalg.norm(away, axis=-1) - radius - body.capsule_radii[own]
    least = gaps.min(axis=1)
    touching = np.flatnonzero(least[1:] < 0.0)
    # A foot goes on by centimetres between two looks.
    frame = int(touching[0]) if len(touching) else len(times) - 2
    share = least[frame] / (least[frame] - least[frame + 1]) if len(touching) and least[frame] > 0.0 else 0.0
    push = away[frame, int(gaps[frame].argmin())][[0, 2]]
    return float(times[frame] + share / _LOOKS_HZ), np.asarray(push / max(float(np.hypot(*push)), 1e-9))


def _rolling(scene: Scene, name: str, ball: str, strike: tuple[str, float, FloatArray]) -> Scene:
    """The scene in which a ball is struck by a side's foot at a time, and rolls out the way it is pushed.

    It rolls faster than the foot that struck it follows.
    """
    side, when, away = strike
    at, turn = (part[0] for part in scene.object_track(ball, [when]))
    person = scene.character(name)
    swing = when + np.arange(0.0, 2.0 * _STRIKE_S, 1.0 / _LOOKS_HZ)
    # Toes are the fastest of a foot.
    tips = person.fitted_body.capsule_segments(*person.joints(np.minimum(swing, person.end_s)))[1]
    toes = tips[:, person.fitted_body.capsule(f"{side}_toes")][:, [0, 2]]
    pace = _SPRING * float((np.gradient(toes, 1.0 / _LOOKS_HZ, axis=0) @ away).max())
    times = np.linspace(0.0, min(_ROLLS_S, pace / _ROLLING_MPS2), 40)
    way = pace * times - 0.5 * _ROLLING_MPS2 * times**2
    direction = np.array([away[0], 0.0, away[1]])
    shape = scene.object(ball).shape
    radius = shape.radius_m if isinstance(shape, Sphere) else 0.1
    axis = np.cross([0.0, 1.0, 0.0], direction)
    rolled = rot.multiply(rot.from_axis_angle(axis, way / radius), turn)
    return scene.placed(
        ball,
        Track(times_s=when + times, positions=at + way[:, None] * direction, rotations=rolled),
    )


def _target(here: Here, task: Task, what: str) -> FloatArray:
    if what == "kick":
        return np.asarray(here.scene.object_track(task.object, [0.0])[0][0])
    asked = task if task.target is None else replace(task, do="touch", object="", handle="")
    if not task.object and task.target is None:
        raise PlanningInputError(f'{task.label}: {what} needs "object" or "target"')
    return np.asarray(points_of(here.scene, asked)[0])
