"""One door to all pictures: the file's suffix chooses the kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from PIL import Image

from understudy.core.motion import Motion
from understudy.errors import OptionError, nearest_name
from understudy.formats.atomic import replacing
from understudy.formats.props import Prop
from understudy.pictures.player import player_page
from understudy.pictures.sheet import contact_sheet
from understudy.pictures.stage import Stage, staged
from understudy.pictures.strobe import strobe
from understudy.pictures.top_view import top_view
from understudy.pictures.video import Progress, write_video
from understudy.typing import PathLike

Style = Literal["sheet", "strobe", "top"]
STYLES: tuple[Style, ...] = ("sheet", "strobe", "top")
SUFFIXES = (".png", ".mp4", ".html")


def show(
    motions: Motion | Sequence[Motion],
    path: PathLike,
    *,
    props: Sequence[Prop] = (),
    style: Style = "sheet",
    poses: int | None = None,
    view: str | None = None,
    size_px: tuple[int, int] | None = None,
    title: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Make a picture, a video or a player of one or several characters.

    Args:
        motions: One motion, or one per character.
        path: ``.png`` for a still picture, ``.mp4`` for a video (extra ``video``), ``.html`` for a player.
        props: Meshes beside the characters.
        style: For ``.png``: ``"sheet"`` a grid of poses, ``"strobe"`` several poses in one picture, ``"top"`` a plan.
        poses: How many poses a sheet or strobe shows.
        view: Name in :data:`understudy.pictures.camera.VIEWS`.
        size_px: Width and height of a strobe, plan or video.
        title: Instead of the motions' names.
        progress: Told (done, total) while a video is made.

    Returns:
        The path written; it is either whole or untouched.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise OptionError(f'cannot show as "{target.name}": the suffix must be one of {", ".join(SUFFIXES)}')
    stage = staged(motions, props=props)
    if suffix == ".html":
        page = player_page(stage, title=title)
        with replacing(target) as temporary:
            temporary.write_text(page, encoding="utf-8", newline="\n")
    elif suffix == ".mp4":
        with replacing(target) as temporary:
            write_video(
                stage, temporary, size_px=size_px or (960, 540), view=view or "three-quarter", progress=progress
            )
    else:
        picture = still(stage, style=style, poses=poses, view=view, size_px=size_px, title=title)
        with replacing(target) as temporary:
            picture.save(temporary, format="PNG", optimize=False)
    return target


def still(
    stage: Stage,
    *,
    style: Style = "sheet",
    poses: int | None = None,
    view: str | None = None,
    size_px: tuple[int, int] | None = None,
    title: str | None = None,
) -> Image.Image:
    """A still picture of a stage in one of the :data:`STYLES`; see :func:`show`."""
    if style == "sheet":
        return contact_sheet(stage, poses=12 if poses is None else poses, view=view or "three-quarter", title=title)
    if style == "strobe":
        count = 7 if poses is None else poses
        return strobe(stage, poses=count, view=view, size_px=size_px or (1600, 720), title=title)
    if style == "top":
        return top_view(stage, size_px=size_px or (1000, 800), title=title)
    raise OptionError(f'unknown style "{style}"; {nearest_name(style, STYLES)}')
