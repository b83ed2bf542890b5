"""What became of a scene's tasks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from understudy.core.motion import Motion
from understudy.core.planning import Stats, Status
from understudy.limbs.handling import Done, Play
from understudy.scene.scene import Scene


@dataclass(frozen=True, eq=False, kw_only=True)
class PerformResult:
    """What became of a scene's tasks.

    Attributes:
        status: ``SOLVED`` only when every task is done and the judge has passed everybody.
        scene: The scene with everybody's motion and every hold; without tasks.
        tasks: One entry per task, in the scene's order.
        reason: Which task failed and why.
        stats: What it cost.
        play: Everything, for planners on top.
    """

    status: Status
    scene: Scene
    tasks: tuple[Done, ...]
    play: Play
    reason: str = ""
    stats: Stats = field(default_factory=Stats)

    @property
    def motions(self) -> dict[str, Motion]:
        """Everybody's motion; after a failure, with what could be done."""
        return {one.name: one.world_motion for one in self.scene.characters if one.motion is not None}


def kept(play: Play) -> Scene:
    """The scene with every contact that was meant written into it, so that anybody can judge it."""
    return replace(play.scene, allowed_contacts=(*play.scene.allowed_contacts, *play.allow))
