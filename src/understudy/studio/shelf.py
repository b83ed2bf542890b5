"""What the studio keeps at hand between edits: motion libraries, the people who use them, compiled kernels."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from understudy import rotations as rot
from understudy.api.builtin_library import builtin_library
from understudy.core.motion import Motion
from understudy.core.planar import PlanarTransform
from understudy.errors import UnderstudyError
from understudy.library import Library, load_library
from understudy.performer import posture
from understudy.studio.kernels import Kernels

if TYPE_CHECKING:
    from understudy.studio.playing import Playing

#: What people walk with unless their character names a library.
BUILTIN = ""


class Shelf:
    """Libraries by name, made when first asked for; safe to use from several threads.

    Attributes:
        folder: Where work is saved; ``None`` for nowhere.
        playing: The session of people and balls at hand, if any.
        kernels: Compiled kernels, by what they are for.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.playing: Playing | None = None
        self._libraries: dict[str, Library] = {}
        self._lock = threading.Lock()
        self.kernels = Kernels()

    def library(self, name: str = BUILTIN) -> Library:
        """A library: a ``.usl`` file, or the performer's for an empty name."""
        with self._lock:
            if name not in self._libraries:
                self._libraries[name] = load_library(Path(name)) if name else builtin_library()
            return self._libraries[name]

    @cached_property
    def standing(self) -> Motion:
        """A standing person from the performer: one frame, at the origin, facing +Z."""
        pose = posture("relaxed")
        return Motion(
            skeleton=pose.skeleton,
            fps=30.0,
            root_positions=pose.root_position[None],
            rotations=pose.rotations[None],
            name="standing",
        )

    def standing_at(self, x: float, z: float, heading_rad: float) -> Motion:
        """The same person elsewhere, facing elsewhere."""
        root = rot.rotate(rot.from_yaw(heading_rad), self.standing.root_positions[0])
        shift = PlanarTransform(x_m=x - float(root[0]), z_m=z - float(root[2]), yaw_rad=heading_rad)
        return self.standing.placed(shift)

    def warm_up(self) -> None:
        """Have kernels compiled, and do what the first edits need at hand; meant for a thread of its own."""
        self.kernels.start()
        self.kernels.wait("walk")
        from understudy.api.walking import walk

        with suppress(UnderstudyError):  # whoever asks for it next is told
            walk(self.library(), None, start=(0.0, 0.0), goal=(1.0, 3.0))
