"""Taking things with what comes later in mind: whether a thing can be put down as it is held.

A cup that is gripped from below cannot be put on a table. Before a grip is chosen, postures are looked for that put the
thing down with it; the thing itself is left out of that, as it is at the same place whatever the grip.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from understudy import rotations as rot
from understudy.limbs.handling.play import Play
from understudy.limbs.ik import reachable_postures
from understudy.limbs.seeds import EndTarget
from understudy.limbs.stage import Stage
from understudy.limbs.window import Window, window_of
from understudy.scene.contacts import ContactRule
from understudy.scene.placements import Static
from understudy.scene.scene import Scene
from understudy.scene.transforms import Pose, compose, seen_from
from understudy.typing import FloatArray

#: [m] what a grip costs with which only arm and trunk together put the thing down, with which nothing was found to, at
#: a moment that may be another, and which is of no use; and share of what the posture costs that puts it down.
_TRUNK_M, _DOUBTFUL_M, USELESS_M, _SHARE = 0.4, 1.5, 1e3, 0.5
#: Poses in which the thing may rest that are looked at, spread over all of them, and how many postures are enough.
_MOST_RESTS, _MOST_LEANING, _ENOUGH = 16, 4, 3
#: [m] room that postures keep.
_CLEAR_M = 0.0015
#: [m] where a thing that is left out lies: below everything.
_AWAY = (0.0, -1e3, 0.0)
#: Grips that differ by less, in place [m] and in every part of their quaternion, are one.
_SAME = np.array([0.015] * 3 + [0.05] * 4)
#: Grips that are looked at: whatever comes after so many is not known to be any good.
_MOST_GRIPS = 150


@dataclass(eq=False)
class Foresight:
    """What grips of one thing cost by one hand for one place it is put down later.

    Attributes:
        play: Everything so far.
        character: Who.
        hand: Which hand.
        object: The thing.
        pose: Where it is when it is taken.
        place_s: When it is put down [s].
        resting: Poses it may have then, easy ones first.
        fixed: Whether it has to be put down just then.
    """

    play: Play
    character: str
    hand: str
    object: str
    pose: Pose
    place_s: float
    resting: list[Pose]
    fixed: bool
    _windows: dict[str, Window] = field(default_factory=dict)
    _known: list[tuple[FloatArray, float]] = field(default_factory=list)

    def cost_m(self, joint: Pose) -> float:
        """What it costs to put the thing down with a hand whose joint is at a pose when it takes it [m]."""
        at, turned = seen_from(*joint, *self.pose)
        grip = np.array([*at, *(turned if turned[0] >= 0.0 else -turned)])
        for known, cost_m in self._known:
            if (np.abs(known - grip) < _SAME).all():
                return cost_m
        nothing = USELESS_M if self.fixed else _DOUBTFUL_M
        found = self._least_m((at, turned), nothing) if len(self._known) < _MOST_GRIPS else _DOUBTFUL_M
        self._known.append((grip, found))
        return found

    def _least_m(self, grip: Pose, nothing_m: float) -> float:
        back = seen_from(*grip, np.zeros(3), rot.identity(()))
        point = self.play.scene.character(self.character).palm(f"{self.hand}_hand")
        arm = f"{self.hand}_arm"
        for limb, most, more_m in ((arm, _MOST_RESTS, 0.0), (f"{arm}_spine", _MOST_LEANING, _TRUNK_M)):
            window, costs = self._window(limb), list[float]()
            for rest in self.resting[:: max(len(self.resting) // most, 1)][:most]:
                at, turn = compose(*rest, *back)
                end = EndTarget(position=at + rot.rotate(turn, point), rotations=turn[None], point=point)
                found = reachable_postures(window, self.place_s, end, clear_m=_CLEAR_M).found
                costs += [min(one.cost_m for one in found)] if found else []
                if len(costs) == _ENOUGH:
                    break
            if costs:
                return more_m + _SHARE * min(costs)
        return nothing_m

    def _window(self, limb: str) -> Window:
        if limb not in self._windows:
            stage = self._stage()
            here = round((self.place_s - stage.start_s) * stage.motion.fps)
            first = min(max(here - 1, 0), len(stage.motion) - 3)
            self._windows[limb] = window_of(stage, stage.space(limb), first, first + 2)
        return self._windows[limb]

    def _stage(self) -> Stage:
        rule = ContactRule(a=f"{self.character}.{self.hand}_hand", b=self.object)
        empty = without(self.play.scene, self.object)
        return replace(self.play.stage(self.character, [rule]), scene=empty, _shared={})


def without(scene: Scene, name: str) -> Scene:
    """The scene in which an object is nowhere near."""
    others = tuple(one for one in scene.attachments if one.object != name)
    people = tuple(
        replace(person, carry=tuple(one for one in person.carry if one.object != name)) for person in scene.characters
    )
    return replace(scene, attachments=others, characters=people).placed(name, Static(position=_AWAY))
