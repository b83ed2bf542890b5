"""Ray kernels against plain NumPy: what a hit means, brute force over all triangles, averages of the floor's rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rays import first_hits
from understudy import rotations as rot
from understudy.formats.props import Prop
from understudy.pictures._floor_kernels import _checker, _line_share
from understudy.pictures._kernels import CAPSULE, FLOOR, SKY, TRIANGLE, ray_capsule, ray_triangle
from understudy.pictures._occlusion_kernels import lit_share, nearest_on_capsule, openness, ray_axis_gap
from understudy.pictures._render_kernels import TILE, capsules_in_tile
from understudy.pictures.camera import framing, view_axes
from understudy.pictures.drawing import CapsuleGroup, assembled
from understudy.pictures.stage import Stage


def axis_distance(points: np.ndarray, capsule: np.ndarray) -> np.ndarray:
    """Distance of points to a capsule's axis, by the definition."""
    start, along = capsule[:3], capsule[3:6] - capsule[:3]
    length2 = max(float(along @ along), 1e-300)
    share = np.clip((points - start) @ along / length2, 0.0, 1.0)
    return np.linalg.norm(points - start - share[..., None] * along, axis=-1)


def closest_approach(origin: np.ndarray, way: np.ndarray, capsule: np.ndarray, reach: float = 100.0):
    """Where on a ray its distance to the axis is least: ternary search, since that distance is convex."""
    low, high = 0.0, reach
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if axis_distance(origin + a * way, capsule) < axis_distance(origin + b * way, capsule):
            high = b
        else:
            low = a
    t = 0.5 * (low + high)
    return t, float(axis_distance(origin + t * way, capsule))


def random_case(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    start, along = rng.normal(size=3), rng.normal(size=3) * rng.choice([0.0, 0.01, 1.0, 3.0])
    capsule = np.array([*start, *(start + along), rng.uniform(0.01, 0.6)])
    origin = start + rng.normal(size=3) * 4.0
    aim = start + rng.uniform() * along + rng.normal(size=3) * rng.choice([0.0, 0.2, 1.0])
    if rng.uniform() < 0.15 and np.linalg.norm(along) > 0:
        aim = origin + along  # parallel to the axis
        origin = origin if rng.uniform() < 0.5 else start - 3.0 * along + 0.3 * capsule[6] * rng.normal(size=3)
        aim = origin + along
    way = (aim - origin) / np.linalg.norm(aim - origin)
    return origin, way, capsule


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1))
def test_capsule_hit_is_the_first_point_on_its_surface(seed: int) -> None:
    origin, way, capsule = random_case(seed)
    radius = capsule[6]
    if axis_distance(origin, capsule) <= radius * 1.001:
        return  # the kernel answers only from outside
    t = ray_capsule(*origin, *way, capsule[None], 0)
    deepest, gap = closest_approach(origin, way, capsule)
    if np.isinf(t):
        assert gap >= radius - 1e-7
    else:
        assert t > 0
        assert axis_distance(origin + t * way, capsule) == pytest.approx(radius, abs=1e-7)
        # The distance to a convex shape falls until the deepest point: a first touch lies before it.
        assert t <= deepest + 1e-6


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1))
def test_closest_approach_of_ray_and_axis(seed: int) -> None:
    origin, way, capsule = random_case(seed)
    t, gap = ray_axis_gap(*origin, *way, capsule[None], 0)
    _, expected = closest_approach(origin, way, capsule)
    assert gap == pytest.approx(expected, abs=1e-7)
    assert axis_distance(origin + t * way, capsule) == pytest.approx(gap, abs=1e-9)
    nearest = np.array(nearest_on_capsule(*origin, capsule[None], 0))
    assert np.linalg.norm(origin - nearest) == pytest.approx(float(axis_distance(origin, capsule)), abs=1e-12)


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1))
def test_triangle_hit_solves_the_plane_equation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = rng.normal(size=(3, 3))
    origin, aim = rng.normal(size=3) * 3, rng.dirichlet([1, 1, 1]) @ corners + rng.normal(size=3) * rng.choice([0, 0.5])
    way = (aim - origin) / np.linalg.norm(aim - origin)
    a, u, v = corners[0], corners[1] - corners[0], corners[2] - corners[0]
    b1, b2, t = np.linalg.solve(np.stack([u, v, -way], axis=1), origin - a)
    margin = min(b1, b2, 1 - b1 - b2, t)
    got = ray_triangle(*origin, *way, corners.reshape(1, 9), 0)
    if margin > 1e-9:
        assert got == pytest.approx(t, rel=1e-6)
    elif margin < -1e-9:
        assert np.isinf(got)


def random_drawing(seed: int):
    """Capsules in groups and turned, moved blobs of triangles; also the same as plain lists."""
    rng = np.random.default_rng(seed)
    groups = []
    for _ in range(4):
        starts = rng.normal(size=(6, 3)) + rng.normal(size=3) * 2
        rows = np.concatenate([starts, starts + 0.5 * rng.normal(size=(6, 3)), rng.uniform(0.02, 0.3, (6, 1))], axis=1)
        groups.append(CapsuleGroup(rows, rng.uniform(size=(6, 3))))
    props = []
    for n in range(3):
        vertices = rng.normal(size=(60, 3))
        faces = np.array([rng.choice(60, 3, replace=False) for _ in range(90)])
        turn = rot.normalize(rng.normal(size=(1, 4)))
        props.append(
            Prop(name=f"blob {n}", vertices=vertices, faces=faces, positions=rng.normal(size=(1, 3)), rotations=turn)
        )
    stage = Stage((), tuple(props))
    world = [p.positions[0] + rot.rotate(p.rotations[0], p.vertices[p.faces]) for p in props]
    return assembled(groups, stage.placed_props(0.0)), np.concatenate([g.capsules for g in groups]), world


@pytest.mark.parametrize("seed", range(4))
def test_tree_and_culling_change_nothing(seed: int) -> None:
    drawing, capsules, world = random_drawing(seed)
    rng = np.random.default_rng(100 + seed)
    origins = rng.normal(size=(150, 3)) * 5
    ways = rng.normal(size=(150, 3)) - origins
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    ways[0] = [0.0, -1.0, 0.0]  # along an axis: the slabs' divisions by zero
    distances, hits = first_hits(drawing, origins, ways)
    triangles = np.concatenate(world).reshape(-1, 9)
    for origin, way, distance, hit in zip(origins, ways, distances, hits, strict=True):
        by_kind = {
            FLOOR: -origin[1] / way[1] if origin[1] > 0 > way[1] else np.inf,
            CAPSULE: min(ray_capsule(*origin, *way, capsules, i) for i in range(len(capsules))),
            TRIANGLE: min(ray_triangle(*origin, *way, triangles, i) for i in range(len(triangles))),
        }
        expected = min(by_kind.values())
        assert distance == pytest.approx(expected, abs=1e-9) if np.isfinite(expected) else np.isinf(distance)
        assert by_kind.get(int(hit[0]), np.inf) == pytest.approx(expected, abs=1e-9)
        assert (hit[0] == SKY) == np.isinf(expected)


def test_light_is_blocked_where_the_ray_enters_and_free_where_it_passes_wide() -> None:
    drawing, capsules, world = random_drawing(7)
    rng = np.random.default_rng(3)
    stack = np.empty(64, np.int64)
    seen = {0.0: 0, 1.0: 0}
    for point in rng.normal(size=(200, 3)) * 4:
        way = 2.0 * rng.normal(size=3) - point  # towards the things, so that many rays are blocked
        way /= np.linalg.norm(way)
        if min(axis_distance(point, c) - c[6] for c in capsules) <= 0:
            continue
        lit = lit_share(*point, *way, drawing, -1, 1e-6, stack)  # a point light
        blocked = np.isfinite(
            min(
                min(ray_capsule(*point, *way, capsules, i) for i in range(len(capsules))),
                min(ray_triangle(*point, *way, np.concatenate(world).reshape(-1, 9), i) for i in range(270)),
            )
        )
        assert lit == pytest.approx(0.0 if blocked else 1.0, abs=1e-6)
        seen[0.0 if blocked else 1.0] += 1
    assert min(seen.values()) > 20


def test_openness_falls_towards_a_contact() -> None:
    ball = CapsuleGroup(np.array([[0.0, 0.3, 0.0, 0.0, 0.3, 0.0, 0.2]]), np.ones((1, 3)))
    drawing = assembled([ball])
    shares = [openness(x, 0.0, 0.0, 0.0, 1.0, 0.0, drawing, -1) for x in (0.0, 0.2, 0.5, 1.5)]
    assert shares == sorted(shares)
    assert shares[0] < 0.8
    assert shares[-1] == 1.0


@pytest.mark.parametrize("width", [0.001, 0.02, 0.3, 0.9, 3.0])
def test_floor_rules_keep_their_mean_at_any_footprint(width: float) -> None:
    at = np.arange(20_000) / 10_000 + 0.5e-4  # two periods
    lines = np.mean([_line_share(u, width, 0.02) for u in at])
    assert lines == pytest.approx(0.04, abs=0.004)
    assert np.mean([_checker(u, width) for u in at]) == pytest.approx(0.0, abs=1e-3)
    if width < 0.01:
        assert _checker(0.5, width) == pytest.approx(1.0)
        assert _checker(1.5, width) == pytest.approx(-1.0)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_tile_lists_every_capsule_its_rays_meet(parallel: bool) -> None:
    """All pixels of a picture: what the whole drawing shows there is on the list of the pixel's tile."""
    _, capsules, _ = random_drawing(11)
    capsules = capsules + 4.0 * np.array([0, 1, 0, 0, 1, 0, 0])  # clear of the floor
    drawing = assembled([CapsuleGroup(capsules, np.ones((len(capsules), 3)))])
    ends = np.concatenate([capsules[:, :3], capsules[:, 3:6]])
    camera = framing(ends, view_axes("three-quarter"), size_px=(70, 45), margin=0.02, parallel=parallel)
    rows, columns = np.mgrid[0:45, 0:70]
    origins, ways = camera.rays(np.stack([columns + 0.25, rows + 0.75], axis=-1).reshape(-1, 2))
    _, hits = first_hits(drawing, origins, ways)
    hits = hits.reshape(45, 70, 3)
    chosen, rays, listed = np.empty(len(capsules), np.int64), np.empty((5, 7)), []
    for top in range(0, 45, TILE):
        for left in range(0, 70, TILE):
            count = capsules_in_tile(camera.rows(), top, left, 45, 70, drawing, chosen, rays)
            seen = hits[top : top + TILE, left : left + TILE].reshape(-1, 3)
            assert set(seen[seen[:, 0] == CAPSULE, 1]) <= set(chosen[:count])
            listed.append(count)
    assert np.mean(listed) < 0.7 * len(capsules)  # and the list spares work
    assert (hits[..., 0] == CAPSULE).sum() > 200


@pytest.mark.parametrize("x", [-0.15, -0.05, 0.0, 0.05, 0.15])
def test_half_shadow_below_the_edge_of_a_plate(x: float) -> None:
    """A plate over x < 0 at 1 m height hides the share of a 0.2 m wide overhead light that lies beyond its edge."""
    corners = np.array([[-5.0, 1.0, -5.0], [0.0, 1.0, -5.0], [0.0, 1.0, 5.0], [-5.0, 1.0, 5.0]])
    plate = Prop(name="plate", vertices=corners, faces=np.array([[0, 1, 2], [0, 2, 3]]))
    drawing = assembled([], Stage((), (plate,)).placed_props(0.0))
    lit = lit_share(x, 0.0, 0.1, 0.0, 1.0, 0.0, drawing, -1, 0.1, np.empty(64, np.int64))
    assert lit == pytest.approx(np.clip((x + 0.1) / 0.2, 0.0, 1.0), abs=0.01)
