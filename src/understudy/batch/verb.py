"""What every verb of a batch has in common, and what becomes of a task."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from understudy.core.planning import Status

if TYPE_CHECKING:
    from understudy.core.motion import Motion
    from understudy.scene.scene import Scene
    from understudy.verify.claim import Claim

#: The library of the built-in performer, where a file could be named.
BUILTIN = "builtin"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a task.

    Attributes:
        status: ``SOLVED`` only with motions that the judge has passed.
        reason: Why not.
        motions: By character; the only one's name is empty.
        scene: What belongs beside the motions in formats that hold it.
        claim: What the judge has passed; motions read back from their files are judged by it again.
    """

    status: Status
    reason: str = ""
    motions: dict[str, Motion] = field(default_factory=dict)
    scene: Scene | None = None
    claim: Claim | None = None


class Verb(BaseModel):
    """Values of a task. Files are named relative to the task file; ``scene.`` entries vary the scene."""

    model_config = ConfigDict(extra="forbid", strict=False, frozen=True)

    #: Names of the values that are files, and of those that are lists of files.
    FILES: ClassVar[tuple[str, ...]] = ("scene",)

    format: str = "bvh"
    deadline_s: float | None = Field(default=None, gt=0)
    vary: dict[str, Any] = Field(default_factory=dict)

    def files(self) -> list[str]:
        """Files the task reads."""
        named: list[str] = []
        for key in self.FILES:
            value = getattr(self, key, None)
            named += value if isinstance(value, list) else [value] if value else []
        return [one for one in named if one != BUILTIN]

    def run(self, folder: Path, seed: int) -> Outcome:
        """Do it."""
        raise NotImplementedError

    def stage(self, folder: Path) -> Scene | None:
        """The scene, with what this task varies in it."""
        from understudy.batch.variation import varied_scene

        named = getattr(self, "scene", None)
        return None if named is None else varied_scene(folder / named, self.vary)
