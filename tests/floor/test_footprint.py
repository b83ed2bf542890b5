"""Footprints: only what lies between step and head height is in the way."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations as rot
from understudy.errors import OptionError, SceneError
from understudy.floor import Obstacle, build_floor, floor_from_polygons, footprint
from understudy.floor.footprint import ROUND_M
from understudy.floor.mesh_shadow import MESH_M
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Shape, Sphere
from understudy.scene.tessellation import triangles_of

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
BAND = (0.1, 1.9)


def area_of(obstacle: Obstacle | None) -> shapely.Geometry:
    if obstacle is None:
        return shapely.Polygon()
    area = shapely.Polygon()
    for ring in obstacle.rings:
        area = area.symmetric_difference(shapely.Polygon(ring).buffer(0))
    return area


def samples(shape: Shape, rng: np.random.Generator, count: int = 4000) -> np.ndarray:
    """Points inside a convex shape, in its own frame."""
    match shape:
        case Sphere():
            p = rng.normal(size=(count, 3))
            return shape.radius_m * p / np.linalg.norm(p, axis=1, keepdims=True) * rng.random((count, 1)) ** 0.2
        case Capsule():
            p = rng.normal(size=(count, 3))
            p = shape.radius_m * p / np.linalg.norm(p, axis=1, keepdims=True)
            return p + [0.0, 1.0, 0.0] * rng.uniform(-0.5, 0.5, (count, 1)) * shape.length_m
        case Cylinder():
            turn = rng.uniform(0.0, 2.0 * np.pi, count)
            y = rng.uniform(-0.5, 0.5, count) * shape.height_m
            return np.stack([shape.radius_m * np.cos(turn), y, shape.radius_m * np.sin(turn)], axis=1)
        case _:
            vertices, _ = triangles_of(shape)
            weights = rng.dirichlet(np.full(len(vertices), 0.02), count)
            return weights @ vertices


SHAPES: list[Shape] = [
    Sphere(radius_m=0.6),
    Capsule(radius_m=0.2, length_m=1.2),
    Cylinder(radius_m=0.4, height_m=1.0),
    Box(size_m=(0.8, 1.5, 0.4)),
    ConvexHull(points=np.random.default_rng(0).normal(scale=0.5, size=(12, 3))),
]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.floats(-0.5, 2.5))
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_footprints_cover_the_band_and_little_more(shape: Shape, seed: int, height: float) -> None:
    rng = np.random.default_rng(seed)
    turn = rot.normalize(rng.normal(size=4))
    at = np.array([1.0, height, 2.0])
    points = at + rot.rotate(turn, samples(shape, rng))
    within = points[(points[:, 1] > BAND[0]) & (points[:, 1] < BAND[1])][:, [0, 2]]
    area = area_of(footprint("thing", shape, at, turn, heights_m=BAND))
    if len(within) == 0:
        assert area.area < 0.05
        return
    assert not area.is_empty or len(within) < 3
    assert shapely.distance(area, shapely.points(within)).max() < 1e-9
    assert area.convex_hull.area == pytest.approx(area.area, rel=1e-9)
    if len(within) > 2000:
        # Dense samples nearly fill it.
        assert shapely.MultiPoint(within).convex_hull.buffer(0.12).contains(area)


def test_round_footprints_stick_out_by_five_millimetres_at_most() -> None:
    area = area_of(footprint("pillar", Cylinder(radius_m=0.5, height_m=3.0), np.zeros(3), UPRIGHT, heights_m=BAND))
    circle = shapely.Point(0.0, 0.0).buffer(0.5, quad_segs=256)
    assert area.buffer(1e-9).contains(circle)
    assert circle.buffer(ROUND_M + 1e-4).contains(area)


@pytest.mark.parametrize(
    ("shape", "height"),
    [
        (Box(size_m=(1.0, 0.2, 1.0)), 2.1),
        (Box(size_m=(3.0, 0.1, 3.0)), 0.05),
        (Sphere(radius_m=0.3), 2.3),
        (Capsule(radius_m=0.2, length_m=0.5), -0.4),
        (HalfSpace(), 0.0),
    ],
)
def test_what_hangs_high_or_lies_low_is_not_in_the_way(shape: Shape, height: float) -> None:
    bounds = np.array([[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]])
    place = np.array([0.0, height, 0.0])
    assert footprint("thing", shape, place, UPRIGHT, heights_m=BAND, bounds=bounds) is None


def test_a_half_space_on_its_side_is_a_wall() -> None:
    turn = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), -0.5 * np.pi)
    bounds = np.array([[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]])
    area = area_of(footprint("wall", HalfSpace(), np.array([-3.0, 0.0, 0.0]), turn, heights_m=BAND, bounds=bounds))
    assert area.contains(shapely.Point(-3.1, 0.0))
    assert not area.contains(shapely.Point(-2.9, 0.0))


def doorway() -> Mesh:
    """A wall of 4 m with a door of 1 m x 2.05 m in the middle, as one closed mesh of three boxes."""
    vertices, faces = [], []
    for low, high in (
        ((-2, 0, -0.1), (-0.5, 2.5, 0.1)),
        ((0.5, 0, -0.1), (2, 2.5, 0.1)),
        ((-0.5, 2.05, -0.1), (0.5, 2.5, 0.1)),
    ):
        size = np.array(high) - np.array(low)
        v, f = triangles_of(Box(size_m=tuple(size)))
        faces.append(f + sum(len(one) for one in vertices))
        vertices.append(v + 0.5 * (np.array(low) + np.array(high)))
    return Mesh(vertices=np.concatenate(vertices), faces=np.concatenate(faces))


def test_a_mesh_keeps_its_doorway() -> None:
    wall = doorway()
    thing = footprint("wall", wall, np.zeros(3), UPRIGHT, heights_m=BAND)
    exact = shapely.union(shapely.box(-2, -0.1, -0.5, 0.1), shapely.box(0.5, -0.1, 2, 0.1))
    assert area_of(thing).buffer(1e-9).contains(exact)
    assert exact.buffer(1.6 * MESH_M).contains(area_of(thing))
    scene = Scene().with_object("wall", wall)
    bounds = (-2.0, -3.0, 2.0, 3.0)
    through = build_floor(scene, bounds=bounds).path((0.0, -2.0), (0.0, 2.0), 0.4)
    assert through.path is not None
    assert through.path.length_m == pytest.approx(4.0, abs=1e-6)
    tall = build_floor(scene, bounds=bounds, head_height_m=2.2)
    assert not tall.path((0.0, -2.0), (0.0, 2.0), 0.1)


def test_a_solid_mesh_is_solid_where_no_face_is() -> None:
    vertices, faces = triangles_of(Box(size_m=(2.0, 4.0, 2.0)))
    block = Mesh(vertices=vertices, faces=faces)
    assert area_of(footprint("block", block, np.zeros(3), UPRIGHT, heights_m=BAND)).contains(shapely.Point(0.0, 0.0))
    # Without its lid it is a surface: one may stand inside, though not get there.
    shell = Mesh(vertices=vertices, faces=faces[:-1])
    assert not area_of(footprint("shell", shell, np.zeros(3), UPRIGHT, heights_m=BAND)).contains(shapely.Point(0, 0))


def test_a_scene_at_a_time() -> None:
    from understudy.scene.placements import Track

    track = Track(times_s=np.array([0.0, 1.0]), positions=np.array([[0.0, 0.5, 0.0], [3.0, 0.5, 0.0]]))
    scene = Scene().with_object("cart", Box(size_m=(1.0, 1.0, 1.0)), placement=track)
    scene = scene.with_object("rug", Box(size_m=(2.0, 0.02, 2.0)), position=(0.0, 0.01, 0.0))
    early, late = build_floor(scene), build_floor(scene, time_s=1.0)
    assert [one.name for one in early.obstacles] == ["cart"]
    assert not early.free([[0.0, 0.0]])[0]
    assert late.free([[0.0, 0.0]])[0]
    assert build_floor(scene, ignore=["cart"]).obstacles == ()
    with pytest.raises(SceneError, match='no object "kart"; did you mean "cart"'):
        build_floor(scene, ignore=["kart"])
    with pytest.raises(OptionError, match=r"step_height_m is 2\.0 and head_height_m 1\.9"):
        build_floor(scene, step_height_m=2.0)


@pytest.mark.parametrize(
    ("polygons", "bounds", "message"),
    [
        ([[(0, 0)]], None, "n >= 2"),
        ([[(0, 0), (1, np.nan)]], None, "not finite"),
        ([[(0, 0), (0, 0)]], None, "all its points are the same"),
        ([[(0, 0), (1e9, 0)]], None, "beyond"),
        ([], (0.0, 0.0, 0.0, 1.0), "x_min < x_max"),
        ([], [(0, 0), (1, 1), (2, 2)], "no area"),
        ([], [(0, 0), (1, 1)], "n >= 3"),
        ([], "all", "bounds must be"),
        (["box"], None, "not a list of points"),
        ([[(0, 0), (1,)]], None, "not a list of points"),
    ],
)
def test_bad_outlines_are_refused(polygons: list, bounds: object, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        floor_from_polygons(polygons, bounds=bounds)  # type: ignore[arg-type]


def test_the_shadow_of_a_torus_has_its_hole() -> None:
    u, v = np.meshgrid(*(np.linspace(0.0, 2.0 * np.pi, n, endpoint=False) for n in (36, 16)), indexing="ij")
    out = 1.0 + 0.3 * np.cos(v)
    vertices = np.stack([out * np.cos(u), 1.8 + 0.3 * np.sin(v), out * np.sin(u)], axis=-1).reshape(-1, 3)
    here = np.arange(len(vertices)).reshape(u.shape)
    right, up = np.roll(here, -1, axis=0), np.roll(here, -1, axis=1)
    both = np.roll(right, -1, axis=1)
    faces = np.concatenate([np.stack(one, axis=-1).reshape(-1, 3) for one in ((here, up, both), (here, both, right))])
    ring = Mesh(vertices=vertices, faces=faces)
    assert ring.closed
    area = area_of(footprint("ring", ring, np.zeros(3), UPRIGHT, heights_m=BAND))
    assert not area.contains(shapely.Point(0.0, 0.0))
    weights = np.random.default_rng(0).dirichlet(np.ones(3), (len(faces), 8))
    points = np.einsum("fsk,fkd->fsd", weights, vertices[faces]).reshape(-1, 3)
    within = points[points[:, 1] < BAND[1]][:, [0, 2]]
    assert shapely.distance(area, shapely.points(within)).max() < 1e-9
    assert shapely.MultiPoint(within).buffer(0.12).contains(area)
