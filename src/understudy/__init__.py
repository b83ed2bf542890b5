"""Understudy: recorded human motion and a scene in, new verified full-body motion out.

The flat public namespace. Names are imported on first use, so ``import understudy`` stays fast.
"""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from understudy.api import (
        HandlingTrace,
        PerformResult,
        Together,
        between,
        carry,
        correct,
        crowd,
        drop,
        grab,
        perform,
        place,
        reach,
        sample_walk,
        stream_walk,
        touch,
        walk,
        walk_together,
    )
    from understudy.api.cleaning import clean
    from understudy.api.interaction import Interaction, save_interaction
    from understudy.api.judging import FileVerdict, verify_file
    from understudy.api.libraries import TriedLibrary, library_from
    from understudy.api.retargeting import retarget
    from understudy.api.saving import Saved, save
    from understudy.api.skills import open_door
    from understudy.batch import BatchOptions, BatchResult, load_index, load_tasks, run_batch
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
    from understudy.interaction.project import load_project
    from understudy.interaction.saving import save_project
    from understudy.library import Library, LibraryOptions, build_library, load_library, save_library
    from understudy.limbs import LimbOptions, LimbTrace
    from understudy.limbs.handling import HandlingOptions, Orientation
    from understudy.locomotion import Spot, WalkOptions, WalkTrace
    from understudy.locomotion.crowd import Crowd, CrowdFrame
    from understudy.locomotion.published.sampling import Constraint, SampleOptions, SampleTrace
    from understudy.locomotion.stream_options import StreamOptions
    from understudy.locomotion.streaming import WalkStream
    from understudy.performer import builtin_clips
    from understudy.postures import BetweenOptions, BetweenTrace, Pin
    from understudy.retargeting import Retargeted, RetargetOptions
    from understudy.scene import Scene, load_scene, save_scene
    from understudy.skills.door.options import DoorOptions
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
    "understudy.locomotion.crowd": ("Crowd", "CrowdFrame"),
    "understudy.locomotion.stream_options": ("StreamOptions",),
    "understudy.locomotion.streaming": ("WalkStream",),
    "understudy.locomotion.published.sampling": ("Constraint", "SampleOptions", "SampleTrace"),
    "understudy.limbs": ("LimbOptions", "LimbTrace"),
    "understudy.limbs.handling": ("HandlingOptions", "Orientation"),
    "understudy.api": (
        "HandlingTrace",
        "PerformResult",
        "Together",
        "between",
        "carry",
        "correct",
        "crowd",
        "drop",
        "grab",
        "perform",
        "place",
        "reach",
        "sample_walk",
        "stream_walk",
        "touch",
        "walk",
        "walk_together",
    ),
    "understudy.api.cleaning": ("clean",),
    "understudy.api.libraries": ("TriedLibrary", "library_from"),
    "understudy.api.retargeting": ("retarget",),
    "understudy.api.interaction": ("Interaction", "save_interaction"),
    "understudy.api.judging": ("FileVerdict", "verify_file"),
    "understudy.api.saving": ("Saved", "save"),
    "understudy.api.skills": ("open_door",),
    "understudy.batch": ("BatchOptions", "BatchResult", "load_index", "load_tasks", "run_batch"),
    "understudy.skills.door.options": ("DoorOptions",),
    "understudy.interaction.project": ("load_project",),
    "understudy.interaction.saving": ("save_project",),
    "understudy.performer": ("builtin_clips",),
    "understudy.postures": ("BetweenOptions", "BetweenTrace", "Pin"),
    "understudy.retargeting": ("RetargetOptions", "Retargeted"),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "Bars",
    "BatchOptions",
    "BatchResult",
    "BetweenOptions",
    "BetweenTrace",
    "Body",
    "Constraint",
    "Crowd",
    "CrowdFrame",
    "DoorOptions",
    "FileVerdict",
    "HandlingOptions",
    "HandlingTrace",
    "Interaction",
    "Library",
    "LibraryOptions",
    "LimbOptions",
    "LimbTrace",
    "Motion",
    "Options",
    "Orientation",
    "Origin",
    "PerformResult",
    "Pin",
    "PlanarTransform",
    "Pose",
    "Prop",
    "ReadOptions",
    "Report",
    "Result",
    "RetargetOptions",
    "Retargeted",
    "SampleOptions",
    "SampleTrace",
    "Saved",
    "Scene",
    "Skeleton",
    "Spot",
    "Status",
    "StreamOptions",
    "Together",
    "TriedLibrary",
    "UnderstudyError",
    "WalkOptions",
    "WalkStream",
    "WalkTrace",
    "WriteOptions",
    "between",
    "blend",
    "build_library",
    "builtin_clips",
    "carry",
    "clean",
    "correct",
    "crowd",
    "drop",
    "fit_body",
    "grab",
    "library_from",
    "load_index",
    "load_library",
    "load_motion",
    "load_motions",
    "load_project",
    "load_scene",
    "load_skeleton",
    "load_tasks",
    "mirrored",
    "open_door",
    "perform",
    "place",
    "reach",
    "retarget",
    "run_batch",
    "sample_walk",
    "save",
    "save_interaction",
    "save_library",
    "save_motion",
    "save_project",
    "save_scene",
    "splice",
    "stream_walk",
    "touch",
    "verify",
    "verify_file",
    "walk",
    "walk_together",
]


def _show_in_notebooks() -> None:
    """Let motions and results show themselves with the studio's page, which is imported when the first one does."""
    from understudy.core.notebook_views import VIEWS

    for kind in ("motion", "result"):
        VIEWS.setdefault(kind, partial(_shown_in_notebook, kind))


def _shown_in_notebook(kind: str, one: Any) -> str:
    from understudy.studio import notebook

    return str(getattr(notebook, f"{kind}_html")(one))


def __getattr__(name: str) -> Any:
    if name in _HOME:
        _show_in_notebooks()
        value = getattr(importlib.import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'understudy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
