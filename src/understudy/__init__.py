"""Understudy: recorded human motion and a scene in, new verified full-body motion out.

The flat public namespace. Names are imported on first use, so ``import understudy`` stays fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from understudy.api import between, correct, reach, sample_walk, walk
    from understudy.core import (
        Body,
        Motion,
        Options,
        Origin,
        PlanarTransform,
        Pose,
        Result,
        Skeleton,
        Status,
        blend,
        fit_body,
        mirrored,
        splice,
    )
    from understudy.errors import UnderstudyError
    from understudy.formats import (
        Prop,
        ReadOptions,
        WriteOptions,
        load_motion,
        load_motions,
        load_skeleton,
        save_motion,
    )
    from understudy.library import Library, LibraryOptions, build_library, load_library, save_library
    from understudy.limbs import LimbOptions, LimbTrace
    from understudy.locomotion import Spot, WalkOptions, WalkTrace
    from understudy.locomotion.sampling import Constraint, SampleOptions, SampleTrace
    from understudy.performer import builtin_clips
    from understudy.postures import BetweenOptions, BetweenTrace, Pin
    from understudy.retargeting import Retargeted, RetargetOptions, retarget
    from understudy.scene import Scene, load_scene, save_scene
    from understudy.verify import Bars, Report, verify

__version__ = "0.1.0.dev0"

_ROOMS: dict[str, tuple[str, ...]] = {
    "understudy.core": (
        "Body",
        "Motion",
        "Options",
        "Origin",
        "PlanarTransform",
        "Pose",
        "Result",
        "Skeleton",
        "Status",
        "blend",
        "fit_body",
        "mirrored",
        "splice",
    ),
    "understudy.errors": ("UnderstudyError",),
    "understudy.formats": (
        "Prop",
        "ReadOptions",
        "WriteOptions",
        "load_motion",
        "load_motions",
        "load_skeleton",
        "save_motion",
    ),
    "understudy.scene": ("Scene", "load_scene", "save_scene"),
    "understudy.verify": ("Bars", "Report", "verify"),
    "understudy.library": ("Library", "LibraryOptions", "build_library", "load_library", "save_library"),
    "understudy.locomotion": ("Spot", "WalkOptions", "WalkTrace"),
    "understudy.locomotion.sampling": ("Constraint", "SampleOptions", "SampleTrace"),
    "understudy.limbs": ("LimbOptions", "LimbTrace"),
    "understudy.api": ("between", "correct", "reach", "sample_walk", "walk"),
    "understudy.performer": ("builtin_clips",),
    "understudy.postures": ("BetweenOptions", "BetweenTrace", "Pin"),
    "understudy.retargeting": ("RetargetOptions", "Retargeted", "retarget"),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [  # noqa: RUF022 - grouped by room
    "Body",
    "Motion",
    "Options",
    "Origin",
    "PlanarTransform",
    "Pose",
    "Result",
    "Skeleton",
    "Status",
    "blend",
    "fit_body",
    "mirrored",
    "splice",
    "UnderstudyError",
    "Prop",
    "ReadOptions",
    "WriteOptions",
    "load_motion",
    "load_motions",
    "load_skeleton",
    "save_motion",
    "Library",
    "LibraryOptions",
    "build_library",
    "load_library",
    "save_library",
    "Spot",
    "WalkOptions",
    "WalkTrace",
    "walk",
    "Constraint",
    "SampleOptions",
    "SampleTrace",
    "sample_walk",
    "LimbOptions",
    "LimbTrace",
    "correct",
    "reach",
    "builtin_clips",
    "BetweenOptions",
    "BetweenTrace",
    "Pin",
    "between",
    "RetargetOptions",
    "Retargeted",
    "retarget",
    "Scene",
    "load_scene",
    "save_scene",
    "Bars",
    "Report",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'understudy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
