"""Feet that stand where they stood: leg IK after the edit, because trunk and root carry the legs along.

A foot is held where its source has it while that is down, and let go smoothly around it; legs that an edit uses to
strike a ball are free there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import raised, smoothstep
from understudy.core.limits import JointLimits
from understudy.core.motion import Motion
from understudy.inspection.contacts import foot_contacts
from understudy.kinematics import hold_end, motion_world
from understudy.typing import BoolArray, FloatArray

#: [m] a foot that is lower than this above where it stands moves over the floor as its source does.
_LOW_M = 0.05
#: [s] in which a foot is let go and taken back, and at least so, where there is less time until it strikes.
_EASE_S, _LEAST_S = 0.18, 0.06
#: How exactly an ankle is brought to its limit: to a thousandth of the way to its source.
_HALVINGS = 10


class Foot(NamedTuple):
    """One foot of a source: when it stands, and when it stands or is low, ``(frames,)``."""

    stands: BoolArray
    low: BoolArray


def stances(motion: Motion) -> dict[str, Foot]:
    """When both feet are down, by their side."""
    contacts, world = foot_contacts(motion), motion_world(motion)
    found = {}
    for side in ("left", "right"):
        toe = motion.skeleton.humanoid.get(f"{side}Toes", motion.skeleton.humanoid[f"{side}Foot"])
        stands = contacts.planted(side)
        found[side] = Foot(stands, stands | (world.positions[:, toe, 1] < contacts.ground_m + _LOW_M))
    return found


def nearly_down(foot: Foot, fps: float) -> FloatArray:
    """1 while a foot is down ``(frames,)``, falling smoothly to 0 within :data:`_EASE_S` before and after."""
    if not foot.low.any():
        return np.zeros(len(foot.low))
    times = np.arange(len(foot.low)) / fps
    away = np.abs(times[:, None] - times[foot.low]).min(axis=1)
    return np.asarray(smoothstep(1.0 - away / _EASE_S))


def held_share(foot: Foot, fps: float, struck_s: Sequence[float]) -> FloatArray:
    """How much a foot is held where its source has it ``(frames,)``.

    While it is down; a foot that strikes is let go until then at the latest, and taken back afterwards.
    """
    share, times = nearly_down(foot, fps), np.arange(len(foot.low)) / fps
    for time in struck_s:
        down = times[foot.stands | (foot.low & ~_run_at(foot.low, min(round(time * fps), len(foot.low) - 1)))]
        lift = min(max(down[down < time], default=-_EASE_S), time - _LEAST_S)
        land = max(min(down[down > time], default=times[-1] + _EASE_S), time + _LEAST_S)
        before = 1.0 - (times - lift) / min(_EASE_S, time - lift)
        after = 1.0 - (land - times) / min(_EASE_S, land - time)
        share = np.minimum(share, smoothstep(np.where(times < time, before, after)))
    return share


def _run_at(flags: BoolArray, frame: int) -> BoolArray:
    """The run of flags that a frame belongs to; empty where it belongs to none."""
    run = np.cumsum(np.diff(flags, prepend=flags[:1]))
    return np.asarray(flags & flags[frame] & (run == run[frame]))


def planted(
    motion: Motion,
    source: Motion,
    limits: JointLimits,
    feet: Mapping[str, Foot],
    strikes: Sequence[tuple[str, float]] = (),
) -> Motion:
    """The motion with feet where its source has them while they are down.

    Args:
        motion: The motion.
        source: Its source, with the same frames.
        limits: No ankle is farther beyond these than in the source at that moment.
        feet: When the source's feet are down.
        strikes: Side and time [s] of contacts with a leg.
    """
    world = motion_world(source)
    for side, foot in feet.items():
        struck = [time for which, time in strikes if which == side]
        share = held_share(foot, source.fps, struck)
        joints = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
        end = source.skeleton.humanoid[joints[2]]
        here = motion_world(motion)
        goal = here.positions[:, end] + share[:, None] * (world.positions[:, end] - here.positions[:, end])
        turn = rot.slerp(here.rotations[:, end], world.rotations[:, end], share)
        motion = _ankle_kept(hold_end(motion, joints, goal, turn).motion, source, limits, end)
    return motion


def _ankle_kept(motion: Motion, source: Motion, limits: JointLimits, ankle: int) -> Motion:
    """The motion with an ankle bent as in its source, as far and as long as its limits ask for that."""
    own, theirs = motion.rotations[:, ankle], source.rotations[:, ankle]
    rotations, allowed = motion.rotations.copy(), limits.excess(source.rotations)[:, ankle]

    def excess(share: FloatArray) -> FloatArray:
        rotations[:, ankle] = rot.slerp(own, theirs, share)
        return np.asarray(limits.excess(rotations)[:, ankle] - allowed)

    low, high = np.zeros(len(motion)), np.ones(len(motion))
    if excess(low).max() <= 0.0:
        return motion
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        over = excess(middle) > 0.0
        low, high = np.where(over, middle, low), np.where(over, high, middle)
    share = np.where(excess(np.zeros(len(motion))) > 0.0, high, 0.0)
    excess(np.minimum(raised(share, round(_EASE_S * motion.fps)), 1.0))
    return replace(motion, rotations=rotations)
