"""Small pictures of postures."""

from __future__ import annotations

import io
from functools import lru_cache

import numpy as np
from PIL import Image

from understudy.core.motion import Motion
from understudy.performer import posture
from understudy.pictures.raycaster import cast
from understudy.pictures.shots import following_shot
from understudy.pictures.stage import staged

#: Width and height [px]; drawn twice as large and scaled down.
SIZE_PX = 96


@lru_cache(maxsize=64)
def posture_picture(name: str) -> bytes:
    """A posture as a PNG file.

    Raises:
        OptionError: There is no such posture.
    """
    pose = posture(name)
    still = Motion(
        skeleton=pose.skeleton, fps=30.0, root_positions=pose.root_position[None], rotations=pose.rotations[None]
    )
    stage = staged(still)
    shot = following_shot(stage, view="three-quarter", size_px=(2 * SIZE_PX, 2 * SIZE_PX), margin=0.08)
    picture = Image.fromarray(np.asarray(cast(stage.drawing(0.0), shot(0.0))))
    block = io.BytesIO()
    picture.resize((SIZE_PX, SIZE_PX), Image.Resampling.LANCZOS).save(block, format="PNG")
    return block.getvalue()
