"""Stills and the one door to them: valid files, whole or not there, the same bytes for the same input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from understudy import rotations as rot
from understudy.core import Motion, Skeleton
from understudy.errors import FormatError, MotionError, OptionError
from understudy.formats.props import Prop
from understudy.pictures.footprints import footprints
from understudy.pictures.palette import LEFT_HEX, RIGHT_HEX, srgb
from understudy.pictures.sheet import contact_sheet, moments
from understudy.pictures.show import show, still
from understudy.pictures.stage import prop_track, staged
from understudy.pictures.strobe import strobe
from understudy.pictures.strobe_props import strobe_props
from understudy.pictures.top_view import top_view


def close_to(image: Image.Image, hex_color: str, tolerance: int = 6) -> np.ndarray:
    """Rows and columns of pixels of a colour."""
    return np.argwhere(np.abs(np.asarray(image).astype(int) - srgb(hex_color)).max(axis=2) <= tolerance)


def stick() -> Skeleton:
    """A chain that is no humanoid."""
    return Skeleton(
        names=("a", "b", "c"), parents=np.array([-1, 0, 1]), offsets=np.array([[0, 1, 0], [0, 0.4, 0], [0.3, 0, 0]])
    )


@pytest.mark.parametrize("style", ["sheet", "strobe", "top"])
def test_png_is_whole_and_the_same_every_time(style, walk, box, tmp_path: Path) -> None:
    files = []
    for name in ("one.png", "two.png"):
        path = show(
            walk(frames=16), tmp_path / name, props=[box(at=(1.0, 0.5, 0.3))], style=style, poses=3, size_px=(200, 160)
        )
        files.append(path.read_bytes())
        with Image.open(path) as image:
            image.load()
            assert image.format == "PNG"
            assert image.mode == "RGB"
            if style == "strobe":
                assert image.size == (200, 160)
    assert files[0] == files[1]
    assert sorted(item.name for item in tmp_path.iterdir()) == ["one.png", "two.png"]


@pytest.mark.parametrize("style", ["sheet", "strobe", "top"])
def test_one_frame_and_strange_skeletons(style, walk) -> None:
    for motion in (walk(frames=1), replace(walk(frames=2), fps=1000.0)):
        assert still(staged(motion), style=style, poses=2, size_px=(180, 160)).width > 0
    skeleton = stick()
    bare = Motion(
        skeleton=skeleton, fps=10, root_positions=np.tile([0, 1.0, 0], (4, 1)), rotations=rot.identity((4, 3))
    )
    assert still(staged(bare), style=style, poses=2, size_px=(180, 160)).width > 0


@pytest.mark.parametrize("style", ["sheet", "strobe", "top"])
def test_props_alone_can_be_shown(style, box) -> None:
    assert still(staged([], props=[box()]), style=style, poses=2, size_px=(180, 160)).width > 0


def test_sheet_has_a_cell_per_moment(walk) -> None:
    stage = staged(walk(frames=31))
    narrow = contact_sheet(stage, poses=4, columns=1, cell_height_px=60)
    wide = contact_sheet(stage, poses=4, columns=4, cell_height_px=60)
    assert narrow.height > 2.5 * wide.height
    assert wide.width > 2.5 * narrow.width
    assert len(moments(stage, 12)) == 12
    assert np.allclose(moments(stage, 12) * 30, np.rint(moments(stage, 12) * 30))  # on frames
    assert moments(stage, 12)[[0, -1]] == pytest.approx([0.0, 1.0])
    assert len(moments(staged(walk(frames=3)), 12)) == 3


def test_strobe_leaves_later_poses_stronger(walk) -> None:
    """Walking to the right of the picture, the strongest colours are at its right end."""
    stage = staged(walk(frames=61, speed_mps=2.0))
    image = np.asarray(strobe(stage, poses=4, size_px=(480, 200), captions=False)).astype(float)
    strength = (image.max(axis=2) - image.min(axis=2)) * ((image.max(axis=2) - image.min(axis=2)) > 60)
    columns = np.nonzero(strength)[1]
    assert len(columns) > 100
    assert columns.mean() > 0.6 * 480


def test_strobe_shows_people_behind_what_stands(walk, box) -> None:
    high = box(at=(0.0, 4.0, 0.0), size=(30.0, 0.2, 30.0), color=(0.4, 0.4, 0.4))
    pictures = []
    for motions in (walk(frames=16), walk(frames=1)):
        stage = staged(motions, props=[high])
        pictures.append(np.asarray(strobe(stage, poses=3, size_px=(320, 200), view="top", captions=False)).astype(int))
    assert (np.ptp(pictures[0], axis=2) > 8).sum() > (np.ptp(pictures[1], axis=2) > 8).sum() > 0


def test_strobe_spreads_motion_on_the_spot(walk) -> None:
    still_walk = walk(frames=31, speed_mps=0.0)
    image = np.asarray(strobe(staged(still_walk), poses=5, size_px=(500, 160), captions=False)).astype(int)
    colored = np.ptp(image, axis=2).max(axis=0) > 25
    starts = np.flatnonzero(np.diff(colored.astype(int)) == 1)
    assert np.ptp(np.flatnonzero(colored)) > 300
    assert len(starts) >= 3


def test_plan_shows_footprints_on_their_sides(walk) -> None:
    """Standing still and facing up the page, the left foot's print lies left of the right one's."""
    motion = walk(frames=31, speed_mps=0.0)
    standing = replace(motion, rotations=np.tile(motion.rotations[:1], (31, 1, 1)))
    prints = footprints(staged(standing).actors[0])
    assert {print_.side for print_ in prints} == {"left", "right"}
    for print_ in prints:
        sign = 1 if print_.side == "left" else -1
        assert print_.heel == pytest.approx([sign * 0.09, 0.0], abs=1e-6)
        assert print_.toe == pytest.approx([sign * 0.09, 0.13], abs=1e-6)
    image = top_view(staged(standing), size_px=(400, 400)).crop((0, 70, 400, 400))
    left, right = close_to(image, LEFT_HEX), close_to(image, RIGHT_HEX)
    assert len(left) > 20
    assert len(right) > 20
    assert left[:, 1].max() < right[:, 1].min()


def test_plan_shows_obstacles_to_scale(walk, box) -> None:
    """A 2 m by 1 m box covers four times the pixels of a 1 m by 0.5 m one, wherever and however it is turned."""
    areas = []
    for size in ((2.0, 1.0, 1.0), (1.0, 1.0, 0.5)):
        props = [
            box(size=size, at=(0, 0.5, 0), yaw_rad=0.6, color=(0.9, 0.0, 0.0)),
            box("far", at=(4, 0.5, 4)),
            box("off", at=(-4, 0.5, -4)),
        ]
        image = np.asarray(top_view(staged([], props=props), size_px=(600, 668))).astype(int)
        areas.append(((image[..., 0] - image[..., 1]) > 60).sum())
    assert areas[0] / areas[1] == pytest.approx(4.0, rel=0.12)


def test_props_move_between_their_keys() -> None:
    prop = Prop(
        name="sled",
        vertices=np.eye(3),
        faces=np.array([[0, 1, 2]]),
        times_s=np.array([1.0, 2.0, 4.0]),
        positions=np.array([[0, 0, 0], [1, 0, 0], [1, 0, 4.0]]),
        rotations=rot.from_yaw(np.array([0.0, 1.0, 1.0])),
    )
    positions, rotations = prop_track(prop, [0.0, 1.0, 1.5, 2.0, 3.0, 9.0])
    assert positions[:, [0, 2]] == pytest.approx(np.array([[0, 0], [0, 0], [0.5, 0], [1, 0], [1, 2], [1, 4]]))
    assert rot.yaw(rotations) == pytest.approx([0, 0, 0.5, 1, 1, 1])


def test_bad_requests_are_named_and_leave_nothing(walk, tmp_path: Path) -> None:
    motion = walk(frames=3)
    with pytest.raises(OptionError, match=r"\.png, \.mp4, \.html"):
        show(motion, tmp_path / "a.gif")
    with pytest.raises(OptionError, match="strobe"):
        show(motion, tmp_path / "a.png", style="strob")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="poses"):
        show(motion, tmp_path / "a.png", poses=0)
    with pytest.raises(OptionError, match="view"):
        show(motion, tmp_path / "a.png", view="below")
    with pytest.raises(MotionError, match="nothing to show"):
        show([], tmp_path / "a.png")
    with pytest.raises(FormatError):
        show(motion, tmp_path / "absent" / "a.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["16_16", "85_05"])
def test_recorded_people_stand_on_the_floor(name, cmu_bvh) -> None:
    """Heads above feet at the start, soles within a few centimetres of the floor."""
    formats = pytest.importorskip("understudy.formats")
    stage = staged(formats.load_motion(cmu_bvh(name)))
    rows = stage.groups(0.0)[0].capsules
    body = stage.actors[0].body
    lowest = (np.minimum(rows[:, 1], rows[:, 4]) - rows[:, 6]).min()
    assert abs(lowest) < 0.08
    assert rows[body.capsule("head"), 1] > 1.2


def test_a_moving_prop_is_seen_along_the_strobe(walk, box) -> None:

    still, moving = box(), box()
    times = np.linspace(0.0, 1.0, 5)
    moving = replace(
        moving,
        times_s=times,
        positions=np.stack([np.linspace(0.0, 2.0, 5), np.ones(5), np.zeros(5)], axis=1),
        rotations=np.tile([1.0, 0, 0, 0], (5, 1)),
    )
    stage = staged(walk(frames=61), props=[still, moving])
    placed = strobe_props(stage, times, np.zeros((5, 3)), palest=0.7)
    assert len(placed.roots) == 1 + len(times)
    seen = placed.poses[placed.roots == placed.roots.max(), 9]
    assert np.allclose(np.sort(seen), np.linspace(0.0, 2.0, 5))
    pale = np.abs(placed.colors[placed.roots == placed.roots.max()] - np.array(moving.color)).sum(axis=1)
    assert (np.diff(pale) < 0).all()  # the earlier, the paler


def test_props_near_people_who_are_moved_aside_move_with_them(walk, box) -> None:

    stage = staged(walk(frames=61), props=[box()])
    shifts = np.array([[-1.0, 0, 0], [0, 0, 0], [1.0, 0, 0]])
    placed = strobe_props(stage, np.array([0.0, 0.5, 1.0]), shifts, palest=0.7)
    assert np.allclose(np.diff(placed.poses[:, 9]), 1.0)


@pytest.mark.parametrize("style", ["sheet", "strobe"])
def test_walls_do_not_hide_people(style, walk, box) -> None:
    walls = [
        box(size=(6.0, 2.5, 0.1) if k % 2 else (0.1, 2.5, 6.0), at=at)
        for k, at in enumerate([(3, 1.25, 0), (0, 1.25, 3), (-3, 1.25, 0), (0, 1.25, -3)])
    ]
    stage = staged(walk(frames=2), props=walls)
    picture = still(stage, style=style, poses=1, view="side", size_px=(400, 300)).crop((0, 60, 180, 300))
    pixels = np.asarray(picture).astype(int)
    blue_or_orange = np.abs(pixels[..., 0] - pixels[..., 2]) > 40
    assert blue_or_orange.sum() > 50
