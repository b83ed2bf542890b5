"""Videos: right length, size and encoding; a clear word when the extra is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from understudy.errors import MissingExtraError, OptionError
from understudy.pictures.raycaster import cast
from understudy.pictures.shots import following_shot
from understudy.pictures.show import show
from understudy.pictures.stage import staged
from understudy.pictures.video import write_video


def test_video_plays_in_real_time(walk, tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    told = []
    path = show(walk(frames=11, fps=20), tmp_path / "walk.mp4", size_px=(96, 64), progress=lambda *n: told.append(n))
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == (96, 64)
        assert float(stream.average_rate) == 30
        assert [round(float(frame.time) * 30) for frame in frames] == list(range(16))  # 0.5 s
        assert frames[0].to_ndarray(format="rgb24").std() > 10
    assert told == [(n, 16) for n in range(1, 17)]
    assert [item.name for item in tmp_path.iterdir()] == ["walk.mp4"]
    again = show(walk(frames=11, fps=20), tmp_path / "again.mp4", size_px=(96, 64))
    assert again.read_bytes() == path.read_bytes()


def test_video_shows_what_the_picture_shows(walk, tmp_path: Path) -> None:
    """Decoded colours are those of the still picture, up to compression."""
    av = pytest.importorskip("av")
    stage = staged(walk(frames=4))
    shot = following_shot(stage, size_px=(160, 120))
    write_video(stage, tmp_path / "walk.mp4", size_px=(160, 120), shot=shot)
    with av.open(str(tmp_path / "walk.mp4")) as container:
        frame = list(container.decode(video=0))[2]
        assert (frame.colorspace, frame.color_range) == (1, 1)
        shown = frame.to_ndarray(format="rgb24").astype(int)
    expected = cast(stage.drawing(2 / 30), shot(2 / 30)).astype(int)
    assert np.abs(shown - expected).mean() < 4
    colorful = np.ptp(expected, axis=2) > 60
    assert np.abs((shown - expected)[colorful].mean(axis=0)).max() < 8


def test_one_frame_is_a_video_too(walk, tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    path = show(walk(frames=1), tmp_path / "still.mp4", size_px=(64, 64))
    with av.open(str(path)) as container:
        assert len(list(container.decode(video=0))) == 1


def test_missing_extra_is_named(walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingExtraError, match="pip install av"):
        show(walk(frames=2), tmp_path / "walk.mp4")
    assert list(tmp_path.iterdir()) == []


def test_odd_sizes_and_rates_are_refused(walk, tmp_path: Path) -> None:
    pytest.importorskip("av")
    stage = staged(walk(frames=2))
    with pytest.raises(OptionError, match="even"):
        write_video(stage, tmp_path / "a.mp4", size_px=(65, 64))
    with pytest.raises(OptionError, match="fps"):
        write_video(stage, tmp_path / "a.mp4", fps=0)
