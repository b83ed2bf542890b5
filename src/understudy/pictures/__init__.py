"""Pictures without a display: contact sheets, motion strobes, floor plans, videos and a web player."""

from understudy.pictures.camera import Camera, framing, view_axes
from understudy.pictures.player import player_page
from understudy.pictures.raycaster import Look, cast
from understudy.pictures.sheet import contact_sheet
from understudy.pictures.shots import fixed_shot, following_shot
from understudy.pictures.show import show, still
from understudy.pictures.stage import Stage, staged
from understudy.pictures.strobe import strobe
from understudy.pictures.top_view import top_view
from understudy.pictures.video import write_video

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
    "still",
    "strobe",
    "top_view",
    "view_axes",
    "write_video",
]
