"""Pictures tell the truth: outlines, hiding, distances, shadows and sides."""

from __future__ import annotations

import numpy as np
import pytest

from rays import first_hits
from understudy.errors import OptionError
from understudy.pictures.camera import framing, looking_from, view_axes
from understudy.pictures.drawing import CapsuleGroup, assembled, ribbon
from understudy.pictures.palette import LEFT_HEX, RIGHT_HEX, linear, to_linear, to_srgb_bytes
from understudy.pictures.raycaster import Look, cast, cast_light
from understudy.pictures.shots import fixed_shot
from understudy.pictures.stage import Stage, staged

RED, BLUE = np.array([[0.9, 0.02, 0.02]]), np.array([[0.02, 0.02, 0.9]])


def ball(x: float, y: float, z: float, radius: float, color=RED) -> CapsuleGroup:
    return CapsuleGroup(np.array([[x, y, z, x, y, z, radius]]), color)


def pixel_centres(camera) -> np.ndarray:
    rows, columns = np.mgrid[0 : camera.height_px, 0 : camera.width_px]
    return np.stack([columns + 0.5, rows + 0.5], axis=-1).reshape(-1, 2)


def redness(image: np.ndarray) -> np.ndarray:
    return image[..., 0] - image[..., 2]


def test_a_sphere_from_afar_is_a_disc() -> None:
    """A parallel camera sees a capsule's outline as the set of points within its radius of the axis."""
    capsule = np.array([[-0.4, 1.0, 0.2, 0.5, 1.3, -0.3, 0.25]])
    camera = framing(np.array([[-1.0, 0.4, 0], [1.0, 1.9, 0]]), view_axes("front"), size_px=(160, 120), parallel=True)
    origins, ways = camera.rays(pixel_centres(camera))
    _, hits = first_hits(assembled([CapsuleGroup(capsule, RED)]), origins, ways)
    flat = np.stack([camera.right, camera.up])
    a, b, p = flat @ capsule[0, :3], flat @ capsule[0, 3:6], origins @ flat.T
    share = np.clip((p - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    gap = np.linalg.norm(p - a - share[:, None] * (b - a), axis=1) - 0.25
    sure = np.abs(gap) > 1e-9
    assert ((hits[:, 0] == 2) == (gap < 0))[sure].all()
    assert 500 < (hits[:, 0] == 2).sum() < 15_000


def test_a_sphere_in_perspective_is_a_cone() -> None:
    centre, radius = np.array([0.3, 1.2, 0.1]), 0.4
    camera = framing(np.array([[-1.0, 0.2, 0], [1.0, 2.2, 0]]), view_axes("three-quarter"), size_px=(150, 110))
    origins, ways = camera.rays(pixel_centres(camera))
    distances, hits = first_hits(assembled([ball(*centre, radius)]), origins, ways)
    toward = centre - camera.position
    angle = np.arccos(np.clip(ways @ toward / np.linalg.norm(toward), -1, 1))
    inside = angle < np.arcsin(radius / np.linalg.norm(toward))
    assert (inside == (hits[:, 0] == 2)).all()
    touched = origins[inside] + distances[inside, None] * ways[inside]
    assert np.allclose(np.linalg.norm(touched - centre, axis=1), radius)
    assert np.allclose(camera.pixels(touched), pixel_centres(camera)[inside], atol=1e-6)


def test_floor_lies_at_height_zero() -> None:
    camera = framing(np.array([[-2.0, 0, -2], [2.0, 1, 2]]), view_axes("three-quarter"), size_px=(80, 60))
    origins, ways = camera.rays(pixel_centres(camera))
    distances, hits = first_hits(assembled([]), origins, ways)
    floor = hits[:, 0] == 1
    assert (floor == (ways[:, 1] < 0)).all()
    assert floor.any()
    assert np.allclose((origins + distances[:, None] * ways)[floor, 1], 0, atol=1e-9)


def test_picture_shows_a_thing_at_the_pixel_the_camera_names() -> None:
    camera = framing(np.array([[-1.0, 0, -1], [1.0, 2, 1]]), view_axes("three-quarter"), size_px=(200, 150))
    for centre in ([0.6, 1.2, -0.4], [-0.5, 0.5, 0.7]):
        image = cast_light(assembled([ball(*centre, 0.06)]), camera)
        rows, columns = np.nonzero(redness(image) > 0.2)
        found = np.array([columns.mean() + 0.5, rows.mean() + 0.5])
        assert np.abs(found - camera.pixels(np.array(centre))).max() < 0.7


@pytest.mark.parametrize("swap", [False, True])
def test_the_nearer_hides_the_farther(swap: bool, box) -> None:
    camera = framing(np.array([[-1.0, 0.2, 0], [1.0, 1.8, 0]]), view_axes("front"), size_px=(120, 90))
    near, far = ball(0, 1, 1.0, 0.3, RED), ball(0, 1, -1.0, 0.3, BLUE)
    middle = camera.pixels(np.array([0.0, 1.0, 0.0])).astype(int)
    image = cast_light(assembled([far, near] if swap else [near, far]), camera)
    assert redness(image)[middle[1], middle[0]] > 0.15
    between = 0.4 * camera.position + 0.6 * np.array([0.0, 1.0, 0.0])
    stage = Stage((), (box(at=tuple(between), size=(0.4, 0.4, 0.1), color=(0.02, 0.02, 0.9)),))
    image = cast_light(assembled([near], stage.placed_props(0.0)), camera)
    assert redness(image)[middle[1], middle[0]] < -0.1


@pytest.mark.parametrize("kind", ["capsule", "box"])
@pytest.mark.parametrize("light", [(1.0, 1.0, 0.0), (-1.0, 1.0, 0.0), (0.0, 1.0, 1.0), (0.3, 1.0, -1.0)])
def test_shadow_falls_away_from_the_light(light, kind: str, box) -> None:
    """A thing at height h hides the light from the floor point below it, moved by -h * light_xz / light_y."""
    camera = framing(np.array([[-2.0, 0, -2], [2.0, 1, 2]]), view_axes("top"), size_px=(160, 160), parallel=True)
    if kind == "capsule":
        thing = assembled([ball(0, 1.0, 0, 0.15)])
    else:
        stage = Stage((), (box(at=(0.0, 1.0, 0.0), size=(0.25, 0.25, 0.25)),))
        thing = assembled([], stage.placed_props(0.0))
    look = Look(to_light=light, softness=0.03)
    change = cast_light(thing, camera, look=look).sum(axis=2) - cast_light(assembled([]), camera, look=look).sum(axis=2)
    shift = -np.array([light[0], 0.0, light[2]]) / light[1]
    own = camera.pixels(np.zeros(3))
    rows, columns = np.nonzero(change < -0.4)
    away = np.hypot(columns + 0.5 - own[0], rows + 0.5 - own[1]) > 12  # not the thing itself
    found = np.array([columns[away].mean() + 0.5, rows[away].mean() + 0.5])
    assert np.abs(found - camera.pixels(shift)).max() < 3.0


def test_open_floor_has_the_light_the_formula_gives() -> None:
    look = Look(to_light=(0.0, 1.0, 0.0), key=0.5, ambient=0.4, line_hex="#f3f1ed", tile_hexes=("#f3f1ed", "#f3f1ed"))
    camera = framing(np.array([[-1.0, 0, -1], [1.0, 0, 1]]), view_axes("top"), size_px=(40, 40), parallel=True)
    image = cast_light(assembled([]), camera, look=look)
    expected = linear("#f3f1ed") * (0.4 * np.array([0.93, 0.98, 1.06]) + 0.5 * np.array([1.0, 0.965, 0.9]))
    assert np.allclose(image, np.minimum(expected, 1), atol=1e-9)


def test_metre_lines_are_at_whole_metres() -> None:
    camera = framing(np.array([[-2.0, 0, -2], [2.0, 0, 2]]), view_axes("top"), size_px=(400, 400), parallel=True)
    image = cast_light(assembled([]), camera).sum(axis=2)
    for metre in (-1.0, 0.0, 1.0):
        on = camera.pixels(np.array([metre, 0.0, 0.4])).astype(int)
        off = camera.pixels(np.array([metre + 0.1, 0.0, 0.4])).astype(int)
        assert image[on[1], on[0]] < image[off[1], off[0]] - 0.1


def test_left_and_right_limbs_keep_their_tints(walk) -> None:
    """Seen from the front, warm pixels lie to the right of cool ones; from the back it is the other way round."""
    stage = staged(walk(frames=1))
    for view, sign in (("front", 1), ("back", -1)):
        image = cast_light(stage.drawing(0.0), fixed_shot(stage, view=view, size_px=(120, 160))(0.0))
        tints = {}
        for side, color in (("left", linear(LEFT_HEX)), ("right", linear(RIGHT_HEX))):
            unit = image / np.maximum(np.linalg.norm(image, axis=2, keepdims=True), 1e-9)
            columns = np.nonzero(unit @ (color / np.linalg.norm(color)) > 0.985)[1]
            assert len(columns) > 150
            tints[side] = columns.mean()
        assert sign * (tints["left"] - tints["right"]) > 10


def test_faded_groups_pale_and_cast_weaker_shadows() -> None:
    camera = framing(np.array([[-2.0, 0, -2], [2.0, 1, 2]]), view_axes("top"), size_px=(100, 100), parallel=True)
    look = Look(to_light=(1.0, 1.0, 0.0))
    base = ball(0, 1.0, 0, 0.3)
    images = [
        cast_light(assembled([CapsuleGroup(base.capsules, base.colors, casts=1 - f, fade=f)]), camera, look=look)
        for f in (0.0, 0.5, 0.9)
    ]
    own = camera.pixels(np.zeros(3)).astype(int)
    shade = camera.pixels(np.array([-1.0, 0.0, 0.0])).astype(int)
    red = [redness(image)[own[1], own[0]] for image in images]
    dark = [image[shade[1], shade[0]].sum() for image in images]
    assert red == sorted(red, reverse=True)
    assert dark == sorted(dark)
    assert red[0] > red[2] + 0.1
    assert dark[2] > dark[0] + 0.1


@pytest.mark.parametrize("eye", [(0.3, 0.05), (0.0, np.pi / 2), (1.0, -0.3)])
def test_no_picture_holds_nan(eye, walk, box) -> None:
    motion = walk(frames=3)
    stage = staged(motion, props=[box(at=(0.6, 0.5, 0.0)), box("flat", size=(1.0, 0.0, 1.0), at=(-0.8, 0.0, 0.0))])
    zero_length = ball(0.0, 0.0, 0.0, 1e-4)
    axes = looking_from(*eye) if eye[1] < 1.5 else view_axes("top")
    camera = framing(np.array([[-1.0, 0, -1], [1.0, 2, 1]]), axes, size_px=(64, 48))
    image = cast_light(stage.drawing(0.05, more=[zero_length]), camera)
    assert np.isfinite(image).all()
    assert image.min() >= 0
    assert image.max() <= 1
    assert image.std() > 0.01


def test_the_same_input_gives_the_same_picture(walk) -> None:
    stage = staged(walk(frames=5))
    camera = fixed_shot(stage, size_px=(64, 48))(0.0)
    first = cast(stage.drawing(0.1), camera)
    assert first.dtype == np.uint8
    assert first.shape == (48, 64, 3)
    assert np.array_equal(first, cast(staged(walk(frames=5)).drawing(0.1), camera))


def test_ribbon_follows_its_points() -> None:
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 2.0], [3, 0, 2.0]])
    groups = ribbon(points, radius_m=0.01, color=np.ones(3), chunk=2)
    rows = np.concatenate([group.capsules for group in groups])
    assert np.array_equal(rows[:, :3], points[:-1])
    assert np.array_equal(rows[:, 3:6], points[1:])
    assert all(group.casts == 0 for group in groups)
    assert ribbon(points[:1], radius_m=0.01, color=np.ones(3)) == []


def test_srgb_and_linear_are_inverse() -> None:
    every = np.arange(256, dtype=np.uint8)
    assert np.array_equal(to_srgb_bytes(to_linear(every / 255.0)), every)


def test_bad_lights_are_refused() -> None:
    with pytest.raises(OptionError, match="direction"):
        Look(to_light=(0.0, 0.0, 0.0))
    with pytest.raises(OptionError, match="softness"):
        Look(softness=0.0)
