"""The walk of a crossing: the performer along its path, with the phase of the gait whose feet meet nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from understudy.core.body import Body
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.core.violations import Violation
from understudy.kinematics import motion_world
from understudy.locomotion.footsteps.footing import footing_of
from understudy.performer.actions.figure import Figure
from understudy.performer.gait import Performance, perform
from understudy.performer.legs_apart import LEGS, leg_overlap_m
from understudy.performer.model import gait_model
from understudy.performer.style import Style
from understudy.performer.track import track_along
from understudy.skills.door.layout import Door
from understudy.skills.door.stepping import Stop, stepped
from understudy.skills.door.timing import Timeline
from understudy.typing import FloatArray

#: Phases of the gait that are tried at the start: which foot is where when the door is reached.
_PHASES = 8
#: [m] fault of legs that is good enough.
_GOOD_M = 0.004
#: [m] distance from the goal that is near enough; [s] before the end over which the path is moved there.
_NEAR_M, _MOVED_S = 0.004, 1.6


def walks_through(
    figure: Figure,
    door: Door,
    when: Timeline,
    style: Style,
    *,
    goal: FloatArray,
    last: int,
    seed: int,
    standing: bool = False,
) -> Iterator[tuple[Performance, Timeline]]:
    """Walks along a timeline so that the root is over the goal in a frame; the timeline is moved along with them.

    One for each of some phases of the gait: those whose legs meet nothing as soon as they are made, others later.

    Args:
        figure: Who.
        door: What the feet must not meet.
        when: Path and times.
        style: The manner.
        goal: ``(2,)`` (x, z) [m].
        last: The frame of arrival.
        seed: Of the differences from step to step.
        standing: Whether it comes to rest there, and the feet have to be at the goal in the end, not the root.
    """
    ramp = smoothstep((np.arange(len(when.place)) - last) / (_MOVED_S * when.fps) + 1.0)

    def arrived(walked: Performance, phase: float) -> tuple[Performance, Timeline]:
        moved = when
        for _ in range(3):
            there = footing_of(walked.motion).place if standing else walked.motion.root_positions[last, [0, 2]]
            missing = goal - there
            if float(np.hypot(*missing)) < _NEAR_M:
                break
            moved = replace(moved, place=moved.place + ramp[:, None] * missing)
            walked = _gait(moved, figure.skeleton, style, phase, seed)
        return walked, moved

    others = list[tuple[float, float, Performance]]()
    for phase in np.arange(_PHASES) / _PHASES:
        walked = _gait(when, figure.skeleton, style, phase, seed)
        fault = _leg_fault(figure.body, door, when, walked.motion)
        if fault < _GOOD_M:
            yield arrived(walked, phase)
        else:
            others.append((fault, phase, walked))
    for _, phase, walked in sorted(others, key=lambda one: one[0]):
        yield arrived(walked, phase)


def of_legs(violations: Iterable[Violation]) -> bool:
    """Whether legs alone are to blame, which would be elsewhere in another phase of the gait."""
    return all(one.part.lower().endswith((*LEGS, "leg")) for one in violations)


def _gait(when: Timeline, skeleton: Skeleton, style: Style, phase: float, seed: int) -> Performance:
    if when.halt_s is not None and when.go_s is not None:
        stop = Stop(when.place, when.heading, when.fps, when.halt_s, when.go_s)
        return stepped(stop, skeleton, style, phase=phase, seed=seed)
    rng = np.random.default_rng([seed, 77])
    track = track_along(
        when.place,
        when.heading,
        fps=when.fps,
        leg_m=skeleton.leg_length_m(),
        model=gait_model(),
        style=style,
        start_phase=phase,
        rng=rng,
    )
    return perform(track, skeleton, model=gait_model(), style=style, rng=rng, name="door")


def _leg_fault(body: Body, door: Door, when: Timeline, motion: Motion) -> float:
    """How badly feet meet each other and the door [m]."""
    world = motion_world(motion)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    worst = max(leg_overlap_m(motion) - 0.01, 0.0)
    back = -when.opening
    for side in ("left", "right"):
        for part in ("foot", "toes", "shank"):
            k = body.capsule(f"{side}_{part}")
            for tip in (starts[:, k], ends[:, k]):
                flat = door.turned(tip[:, [0, 2]], back)
                worst = max(worst, float((body.capsule_radii[k] + 0.01 - outside_m(door.corners[0], flat)).max()))
    jumps = (
        np.abs(
            np.diff(
                world.positions[:, [motion.skeleton.humanoid[f"{side}Foot"] for side in ("left", "right")]], n=2, axis=0
            )
        ).max()
        * motion.fps
    )
    return worst + 0.02 * max(float(jumps) - 0.8, 0.0)


def outside_m(corners: FloatArray, points: FloatArray) -> FloatArray:
    """Signed distance of points ``(n, 2)`` from a rectangle [m]."""
    a, b = corners[1] - corners[0], corners[3] - corners[0]
    la, lb = np.linalg.norm(a), np.linalg.norm(b)
    u, v = (points - corners[0]) @ a / la, (points - corners[0]) @ b / lb
    du, dv = np.abs(u - 0.5 * la) - 0.5 * la, np.abs(v - 0.5 * lb) - 0.5 * lb
    return np.asarray(np.hypot(np.maximum(du, 0.0), np.maximum(dv, 0.0)) + np.minimum(np.maximum(du, dv), 0.0))
