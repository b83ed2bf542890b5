"""MP4 video of a stage."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from understudy.errors import MissingExtraError, OptionError
from understudy.pictures.cutaway import cast_stage
from understudy.pictures.raycaster import Look
from understudy.pictures.shots import Shot, following_shot
from understudy.pictures.stage import Stage

#: Called with frames done and frames in all.
Progress = Callable[[int, int], None]

_RATES = (1, 120)
# Numbers of ITU-T H.273.
_BT709, _LIMITED_RANGE = 1, 1

# The same bytes on every machine: one thread, and none of the shortcuts x264 picks by processor and memory layout.
_ENCODER = {"crf": "19", "preset": "medium", "threads": "1", "x264-params": "cpu-independent=1"}


def write_video(
    stage: Stage,
    path: Path,
    *,
    size_px: tuple[int, int] = (960, 540),
    fps: int = 30,
    view: str = "three-quarter",
    shot: Shot | None = None,
    look: Look | None = None,
    progress: Progress | None = None,
) -> None:
    """Write an H.264 video in real time.

    Args:
        stage: What to show.
        path: Where to; written directly, see :func:`understudy.pictures.show.show` for a safe replacement.
        size_px: Width and height, both even.
        fps: Frames per second, 1..120.
        view: See :data:`understudy.pictures.camera.VIEWS`; the camera follows the characters.
        shot: A camera of your own instead.
        look: Light and colours.
        progress: Told after every frame.

    Raises:
        MissingExtraError: Without the extra ``video``.
    """
    try:
        import av
    except ImportError as error:
        raise MissingExtraError("writing MP4", "video") from error
    if not _RATES[0] <= fps <= _RATES[1] or int(fps) != fps:
        raise OptionError(f"fps is {fps}; it must be a whole number in {_RATES[0]}..{_RATES[1]}")
    if size_px[0] % 2 or size_px[1] % 2:
        raise OptionError(f"video size is {size_px[0]} x {size_px[1]}; both sides must be even")
    camera_at = shot or following_shot(stage, view=view, size_px=size_px)
    count = math.floor(stage.duration_s * fps + 1e-6) + 1
    with av.open(str(path), mode="w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=fps, options=_ENCODER)
        stream.width, stream.height = size_px
        stream.pix_fmt = "yuv420p"
        # Say which colours these are; players guess differently for small and large videos.
        stream.codec_context.colorspace = stream.codec_context.color_primaries = _BT709
        stream.codec_context.color_trc, stream.codec_context.color_range = _BT709, _LIMITED_RANGE
        stream.time_base = stream.codec_context.time_base = Fraction(1, int(fps))
        for n in range(count):
            picture = cast_stage(stage, n / fps, camera_at(n / fps), look=look)
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame = frame.reformat(format="yuv420p", dst_colorspace="ITU709", dst_color_range="MPEG")
            frame.pts = n
            container.mux(stream.encode(frame))
            if progress is not None:
                progress(n + 1, count)
        container.mux(stream.encode(None))
