"""The judge of tasks that hands do: everything a deed changed, against the motions it was made from.

What the sources themselves break, in parts nobody planned and with things nobody handled, is not blamed as long as it
is no worse; see ``api.limbs``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from understudy.api.limbs import most_excess, slower_than_usual, worse_than_before
from understudy.core.motion import Motion
from understudy.limbs.handling import Deed, Mark, Play
from understudy.limbs.speeds import judged_limbs
from understudy.scene.scene import Scene
from understudy.verify.bars import Bars
from understudy.verify.goals import HandGoal
from understudy.verify.judge import verify
from understudy.verify.report import Report
from understudy.verify.search import COUNTED_M

#: How much worse than its source a result may be where the source breaks a bar itself.
_ROUNDING = 1e-6


class HandlingJudge:
    """Says why a deed will not do; keeps what it found out about the sources.

    Args:
        first: Everything before any task.
        bars: Bars to clear; the judge's own unless given.
        changes_only: Whether to look only at what a deed changes, where its source was judged and everything is again.
    """

    def __init__(self, first: Play, bars: Bars | None = None, *, changes_only: bool = False) -> None:
        self.first, self.bars, self.changes_only = first, bars, changes_only
        self._before: dict[str, Report] = {}

    def __call__(self, play: Play, deed: Deed) -> str:
        """Why a deed will not do; empty when it will."""
        return self.of_character(deed.play, deed.character)

    def of_character(self, play: Play, name: str) -> str:
        """Why one character's motion will not do in the play as it is now."""
        for changes_only in (True,) if self.changes_only else (True, False):
            # Most of what fails is seen sooner in what was changed.
            faults = "; ".join(self._faults(self.report(play, name, changes_only=changes_only), play, name))
            if faults:
                return faults
        return ""

    def report(self, play: Play, name: str, *, changes_only: bool = False) -> Report:
        """The judge's report on one character's motion: on everything, or on what differs from its source."""
        goals = [hand_goal(mark, play.scene) for mark in play.marks if mark.character == name]
        return verify(
            [(name, play.motion(name))],
            play.scene,
            source={name: play.sources[name]},
            goals=goals,
            bars=self.bars,
            allow=play.allow,
            planned=_clean_joints(play, name),
            changes_only=changes_only,
        )

    def _own(self, name: str) -> Report:
        """What the judge says of the source itself."""
        if name not in self._before:
            source = self.first.sources[name]
            self._before[name] = verify(
                [(name, source)], self.first.scene, source={name: source}, bars=self.bars, allow=self.first.allow
            )
        return self._before[name]

    def _faults(self, report: Report, play: Play, name: str) -> Iterator[str]:
        broken = set(report.broken)
        if not broken:
            return
        before = self._own(name)
        if "penetration" in broken:
            yield from _overlaps(report, before, _touchy(play, self.first, name))
        yield from _speeds(report, before, play, name, broken)
        for bar in sorted(broken - {"penetration", "velocity", "acceleration", "jerk"}):
            if bar == "goals":
                yield from _missed(report)
            elif bar not in before.broken or worse_than_before(report, before, bar):
                yield f"{bar} broken"


def hand_goal(mark: Mark, scene: Scene) -> HandGoal:
    """Where a hand was to be, for the judge: times begin with the character's own motion."""
    turned = None if mark.rotation is None else tuple(float(value) for value in mark.rotation)
    return HandGoal(
        hand=mark.hand,  # type: ignore[arg-type]
        position=tuple(float(value) for value in mark.position),  # type: ignore[arg-type]
        time_s=mark.time_s - scene.character(mark.character).start_s,
        rotation=turned,  # type: ignore[arg-type]
        point=tuple(float(value) for value in mark.point),  # type: ignore[arg-type]
        character=mark.character,
    )


def _clean_joints(play: Play, name: str) -> list[str]:
    """Roles of planned joints that keep their limits in the source: for these nothing is forgiven."""
    stage, source, clean = play.stage(name), play.sources[name], set()
    roles = source.skeleton.roles
    for limb in play.planned.get(name, ()):
        if limb == "gaze":
            continue
        space = stage.space(limb)
        excess = most_excess(source, space)
        clean |= {joint for joint, most in zip(space.joints, excess, strict=True) if joint in roles and most <= 0.0}
    return [roles[joint] for joint in sorted(clean)]


def _touchy(play: Play, first: Play, name: str) -> set[str]:
    """Names of planned parts, and of things that are elsewhere than they were: their overlaps are all new."""
    stage, names = play.stage(name), set()
    for limb in play.planned.get(name, ()):
        if limb == "gaze":
            continue
        space = stage.space(limb)
        moved = set(space.moved if not limb.endswith("_spine") else space.joints)
        for part, joint in zip(stage.body.capsule_names, stage.body.capsule_joints.tolist(), strict=True):
            if joint in moved:
                names.add(f"{name}.{part}")
    names |= {hold.object for hold in play.scene.holds if hold not in first.scene.holds}
    return names


def _overlaps(report: Report, before: Report, touchy: set[str]) -> Iterator[str]:
    known = {frozenset((one.a, one.b)): one.depth_m for one in before.penetration.pairs}
    for one in report.penetration.pairs:
        if one.depth_m < COUNTED_M - _ROUNDING:
            continue
        if {one.a, one.b} & touchy or one.depth_m > known.get(frozenset((one.a, one.b)), 0.0) + _ROUNDING:
            yield f"{one.a} is {1000 * one.depth_m:.1f} mm in {one.b} at {one.time_s:.2f} s"


def _speeds(report: Report, before: Report, play: Play, name: str, broken: set[str]) -> Iterator[str]:
    """Limbs that turn too fast: more than the bar times what is usual for them, or than they did before."""
    now, then, bars = report.characters[0].smoothness, before.characters[0].smoothness, report.bars
    source = play.sources[name]
    groups = _groups(play, name, source)
    roughest = 1.0
    for limb, ratios in now.limbs.items():
        slower = slower_than_usual(source, groups[limb], reaching=True) if limb in groups else (1.0, 1.0)
        roughest = max(roughest, slower[1])
        for k, bar in enumerate(("velocity", "acceleration")):
            most = max(getattr(bars, f"{bar}_ratio") * slower[k], then.limbs[limb][k] + _ROUNDING)
            if bar in broken and ratios[k] > most:
                yield f"{limb}: {bar} {ratios[k]:.2f} times the source's, {most:.2f} allowed"
    if "jerk" in broken and now.jerk_ratio > max(bars.jerk_ratio * roughest, then.jerk_ratio + _ROUNDING):
        yield f"jerk {now.jerk_ratio:.2f} times the source's"


def _groups(play: Play, name: str, source: Motion) -> dict[str, tuple[int, ...]]:
    """Limbs as the judge groups them that were planned -> joints."""
    stage, groups = play.stage(name), {}
    for limb in play.planned.get(name, ()):
        if limb == "gaze":
            groups["torso"] = source.skeleton.limb("torso")
        else:
            groups |= judged_limbs(stage.space(limb))
    return groups


def _missed(report: Report) -> Iterator[str]:
    for one in report.goals:
        turned = one.angle_rad is not None and one.angle_rad > report.bars.hand_rotation_rad
        if one.position_m > report.bars.hand_position_m or turned:
            angle = "" if one.angle_rad is None else f" and {np.degrees(one.angle_rad):.2f} degrees"
            yield f"a hand is {1000 * one.position_m:.2f} mm{angle} off at {one.time_s:.2f} s"
