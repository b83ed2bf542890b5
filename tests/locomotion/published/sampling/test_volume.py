"""The distance volume against exact shape distances, and its counts against brute force."""

from __future__ import annotations

import numpy as np

from understudy.collision import ShapePose, shape_distance
from understudy.locomotion.published.sampling import Sampler
from understudy.locomotion.published.sampling._volume_kernels import distance_at, free_until, turned_inside
from understudy.locomotion.published.sampling.volume import LIMIT_M, volume_of
from understudy.scene import Box, Cylinder, Scene, Sphere


def furnished() -> Scene:
    stage = Scene(name="shapes")
    stage = stage.with_object(
        "box", Box(size_m=(0.6, 1.2, 0.3)), position=(0.2, 0.6, 0.1), rotation=(np.cos(0.3), 0.0, np.sin(0.3), 0.0)
    )
    stage = stage.with_object("post", Cylinder(radius_m=0.15, height_m=1.6), position=(-0.8, 0.8, 0.4))
    return stage.with_object("ball", Sphere(radius_m=0.25), position=(0.9, 1.3, -0.6))


def exact(scene: Scene, point: np.ndarray) -> float:
    probe, now = Sphere(radius_m=1e-6), scene.at(0.0)
    return min(
        shape_distance(probe, ShapePose(point), thing.shape, ShapePose(now.positions[k], now.rotations[k])).distance_m
        for k, thing in enumerate(scene.objects)
    )


def test_distances_agree_with_exact_ones() -> None:
    scene = furnished()
    volume = volume_of(scene, np.array([-2.0, -2.0]), np.array([2.0, 2.0]), height_m=1.7)
    rng = np.random.default_rng(0)
    errors = []
    for point in rng.uniform([-1.5, 0.0, -1.2], [1.5, 1.7, 1.2], size=(400, 3)):
        d = exact(scene, point)
        if -0.1 < d < LIMIT_M - 0.1:
            errors.append(distance_at(volume, *point) - d)
    assert len(errors) > 100
    assert np.abs(errors).max() < 0.025
    assert np.median(np.abs(errors)) < 0.003
    # Outside of its shadow nothing is free.
    assert distance_at(volume, 9.0, 1.0, 0.0) == -1.0
    # Above it goes on as at its top.
    assert distance_at(volume, 1.8, 9.0, 1.8) > 0.3


def test_the_floor_and_what_is_flat_do_not_count() -> None:
    rug = Scene(name="rug").with_object("rug", Box(size_m=(3.0, 0.001, 3.0)), position=(0.0, 0.0005, 0.0))
    volume = volume_of(rug, np.array([-2.0, -2.0]), np.array([2.0, 2.0]), height_m=1.7)
    assert np.isclose(volume.values.min(), LIMIT_M)


def test_counts_are_those_of_every_ball(sampler: Sampler) -> None:
    scene = furnished()
    volume = volume_of(scene, np.array([-3.0, -3.0]), np.array([3.0, 3.0]), height_m=sampler.height_m)
    body, rng, touched = sampler.body, np.random.default_rng(1), 0
    for _ in range(60):
        frame, yaw = int(rng.integers(len(body.discs))), float(rng.uniform(-3.0, 3.0))
        c, s = np.cos(yaw), np.sin(yaw)
        dx, dz = body.discs[frame, :2]
        x, z = rng.uniform(-0.8, 0.8, 2) - (c * dx + s * dz, c * dz - s * dx)
        points = body.balls[frame].astype(np.float64)
        placed = np.stack(
            [x + c * points[:, 0] + s * points[:, 2], points[:, 1], z - s * points[:, 0] + c * points[:, 2]]
        )
        gaps = np.array([distance_at(volume, *point) for point in placed.T]) - body.radii
        found = turned_inside(volume, body, frame, x, z, np.cos(yaw), np.sin(yaw), 0.03, 1000)
        # What is left out coarse to fine is farther than the margin; distances between corners may say a little less.
        assert (gaps < 0.01).sum() <= found <= (gaps < 0.03).sum()
        assert turned_inside(volume, body, frame, x, z, np.cos(yaw), np.sin(yaw), 0.03, 1) == min(found, 1)
        touched += found > 0
    assert 5 < touched < 60


def test_the_flat_bound_is_never_above_the_distance_and_reaches_beyond_the_limit() -> None:
    scene = furnished()
    volume = volume_of(scene, np.array([-4.0, -4.0]), np.array([4.0, 4.0]), height_m=1.7)
    rng, far = np.random.default_rng(2), 0
    for point in rng.uniform([-3.9, 0.0, -3.9], [3.9, 1.7, 3.9], size=(400, 3)):
        k = np.floor((point - volume.low) / volume.cell).astype(int)
        bound = float(volume.flat[k[2], k[0]]) - np.sqrt(2.0) * volume.cell
        edge = min(4.0 + 2.0 * volume.cell - np.abs(point[[0, 2]]).max(), 9.0)
        assert bound <= exact(scene, point) + 0.025
        assert bound <= max(edge, LIMIT_M)
        far += bound > 2.0 * LIMIT_M
    assert far > 50


def test_free_until_is_the_frame_before_the_first_touch(sampler: Sampler) -> None:
    scene = furnished()
    volume = volume_of(scene, np.array([-3.0, -3.0]), np.array([3.0, 3.0]), height_m=sampler.height_m)
    body, jumps, rng, stopped = sampler.body, sampler.graph.jumps, np.random.default_rng(3), 0
    for _ in range(40):
        first = int(rng.choice(np.flatnonzero(jumps.stops > np.arange(len(jumps.stops)) + 30)))
        last, (x, z, yaw) = first + 30, rng.uniform([-2.0, -2.0, -3.0], [2.0, 2.0, 3.0])
        touches = [
            turned_inside(volume, body, f, x, z, np.cos(yaw), np.sin(yaw), 0.02, 1) > 0 for f in range(first, last + 1)
        ]
        wanted = first + touches.index(True) - 1 if any(touches) else last
        assert free_until(volume, body, first, last, x, z, yaw, 0.02) == wanted
        stopped += any(touches)
    assert 0 < stopped < 40
