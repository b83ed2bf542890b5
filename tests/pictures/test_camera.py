"""Cameras: pixels and rays are inverse, framing shows everything and stands no farther than needed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.errors import OptionError
from understudy.pictures.camera import VIEWS, framing, view_axes
from understudy.pictures.shots import facing_rad, fixed_shot, following_shot, outline_points, sample_times
from understudy.pictures.stage import staged


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(VIEWS)), st.booleans())
def test_pixels_and_rays_are_inverse(seed: int, view: str, parallel: bool) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(20, 3)) * [3, 1, 3]
    axes = view_axes(view, facing_rad=rng.uniform(-4, 4))
    camera = framing(points, axes, size_px=(int(rng.integers(16, 900)), int(rng.integers(16, 900))), parallel=parallel)
    assert np.allclose(np.stack(axes) @ np.stack(axes).T, np.eye(3), atol=1e-12)
    assert np.allclose(np.cross(camera.right, camera.up), -camera.forward, atol=1e-12)  # not mirrored
    pixels = rng.uniform(0, 1, (30, 2)) * [camera.width_px, camera.height_px]
    origins, ways = camera.rays(pixels)
    assert np.allclose(np.linalg.norm(ways, axis=1), 1)
    reach = rng.uniform(0.5, 30, (30, 1))
    assert np.allclose(camera.pixels(origins + reach * ways), pixels, atol=1e-6)
    assert np.allclose(camera.depths(points) > 0, True)


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_framing_is_tight(seed: int, parallel: bool) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(3, 40), 3)) * [4, 1, 2]
    margin = rng.uniform(0, 0.3)
    camera = framing(points, view_axes("three-quarter"), size_px=(400, 300), margin=margin, parallel=parallel)
    share = camera.pixels(points) / [400, 300]
    assert share.min() >= margin - 1e-9
    assert share.max() <= 1 - margin + 1e-9
    # One direction is used up to the margin on both sides.
    spans = [(share[:, k].min() - margin, 1 - margin - share[:, k].max()) for k in (0, 1)]
    assert min(max(span) for span in spans) < 1e-6


def test_points_behind_the_eye_have_no_pixel() -> None:
    camera = framing(np.zeros((1, 3)), view_axes("front"), size_px=(100, 100))
    behind = camera.position - camera.forward
    assert np.isnan(camera.pixels(behind)).all()


def test_views_show_the_side_they_name(walk) -> None:
    """In the front view a character's left is on the picture's right; from behind it is on the left."""
    for heading in (0.0, 1.1, -2.5):
        stage = staged(walk(heading_rad=heading))
        assert facing_rad(stage) == pytest.approx(heading, abs=1e-9)
        left, right = stage.actors[0].joint_paths(["leftHand", "rightHand"], [0.5])[0]
        columns = {}
        for view in ("front", "back", "side"):
            camera = fixed_shot(stage, view=view)(0.5)
            columns[view] = camera.pixels(np.stack([left, right]))[:, 0]
            if view == "side":  # seen from the character's right
                depths = camera.depths(np.stack([left, right]))
                assert depths[0] > depths[1] + 0.1
        assert columns["front"][0] > columns["front"][1] + 10
        assert columns["back"][0] < columns["back"][1] - 10


def test_top_view_is_a_map(walk) -> None:
    camera = fixed_shot(staged(walk()), view="top")(0.0)
    here, ahead, leftwards = camera.pixels(np.array([[0, 0, 0], [0, 0, 1.0], [1.0, 0, 0]]))
    assert camera.parallel
    assert ahead[1] < here[1] - 5
    assert ahead[0] == pytest.approx(here[0])
    assert leftwards[0] < here[0] - 5


@pytest.mark.parametrize("shot", [fixed_shot, following_shot])
def test_everyone_stays_in_the_picture(walk, shot) -> None:
    stage = staged([walk(frames=61, heading_rad=0.4), walk(frames=61, heading_rad=-0.4)])
    camera_at = shot(stage, size_px=(640, 360))
    times = sample_times(stage)
    for time_s, points in zip(times, outline_points(stage, times), strict=True):
        pixels = camera_at(float(time_s)).pixels(points)
        assert (pixels >= 0).all()
        assert (pixels <= [640, 360]).all()


def test_following_camera_keeps_the_walker_in_place_and_size(walk) -> None:
    stage = staged(walk(frames=91))
    camera_at = following_shot(stage)
    seen = [camera_at(t).pixels(stage.actors[0].root_path(t)[0]) for t in (0.8, 1.4, 2.0)]
    assert np.ptp(np.array(seen), axis=0).max() < 1.0


def test_bad_options_are_named() -> None:
    with pytest.raises(OptionError, match="three-quarter"):
        view_axes("three-quarters")
    with pytest.raises(OptionError, match="16"):
        framing(np.zeros((1, 3)), view_axes("front"), size_px=(4, 100))
    with pytest.raises(OptionError, match="margin"):
        framing(np.zeros((1, 3)), view_axes("front"), size_px=(100, 100), margin=0.6)
