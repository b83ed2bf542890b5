"""Pictures without a display: contact sheets, motion strobes, floor plans, videos and a web player."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from understudy.pictures.camera import Camera, framing, view_axes
    from understudy.pictures.player import player_page
    from understudy.pictures.raycaster import Look, cast
    from understudy.pictures.sheet import contact_sheet
    from understudy.pictures.shots import fixed_shot, following_shot
    from understudy.pictures.show import show
    from understudy.pictures.stage import Stage, staged
    from understudy.pictures.strobe import strobe
    from understudy.pictures.top_view import top_view
    from understudy.pictures.video import write_video

# Imported on first use: Pillow and the kernels are not needed to know that this room exists.
_HOME = {
    "Camera": "camera",
    "Look": "raycaster",
    "Stage": "stage",
    "cast": "raycaster",
    "contact_sheet": "sheet",
    "fixed_shot": "shots",
    "following_shot": "shots",
    "framing": "camera",
    "player_page": "player",
    "show": "show",
    "staged": "stage",
    "strobe": "strobe",
    "top_view": "top_view",
    "view_axes": "camera",
    "write_video": "video",
}

__all__ = [
    "Camera",
    "Look",
    "Stage",
    "cast",
    "contact_sheet",
    "fixed_shot",
    "following_shot",
    "framing",
    "player_page",
    "show",
    "staged",
    "strobe",
    "top_view",
    "view_axes",
    "write_video",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"understudy.pictures.{_HOME[name]}"), name)
    raise AttributeError(f"module 'understudy.pictures' has no attribute {name!r}")
