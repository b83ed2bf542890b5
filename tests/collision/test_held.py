"""Carried boxes, cylinders and meshes: against the world, against their carrier, along a move."""

from __future__ import annotations

import numpy as np
import pytest

from collision.conftest import random_room
from collision.test_meshes import box_mesh
from understudy import rotations as rot
from understudy.collision import Carried, Checker, CollisionBody, Obstacle, ShapePose, World, shape_distance
from understudy.scene.shapes import Box, Cylinder

ARM = ("right_hand", "right_forearm")
SIZE = (0.4, 0.3, 0.02)


def tray(shape, position=(-0.25, 0.0, 0.0)) -> Carried:
    return Carried(name="tray", shape=shape, joint="rightHand", position=position, touches=ARM)


@pytest.mark.parametrize("shape", [Box(size_m=SIZE), box_mesh(SIZE), Cylinder(radius_m=0.15, height_m=0.3)])
def test_a_carried_solid_collides_as_the_plain_definition_says(body, poses, shape) -> None:
    world = World(random_room(seed=4, count=12))
    item = tray(shape)
    checker, bare = Checker(CollisionBody(body, (item,)), world), Checker(CollisionBody(body), world)
    local, roots = poses(150, seed=9, spread=0.12)
    answer, without = checker.collides_many(local, roots), bare.collides_many(local, roots)
    expected = without.copy()
    hand = body.skeleton.index("rightHand")
    for k in range(len(local)):
        positions, turns = body.skeleton.placed_joints(roots[k], local[k])
        pose = ShapePose(positions[hand] + rot.rotate(turns[hand], np.array(item.position)), turns[hand])
        for thing in world.obstacles:
            there = ShapePose(thing.position, thing.rotation)
            expected[k] |= shape_distance(shape, pose, thing.shape, there).distance_m <= 0
        starts, ends = body.capsule_segments(positions, turns)
        for c, name in enumerate(body.capsule_names):
            if name not in ARM:
                points = np.linspace(starts[c], ends[c], 200)
                inside = rot.rotate(rot.conjugate(turns[hand]), points - pose.position)
                if isinstance(shape, Cylinder):
                    over = np.maximum([np.hypot(inside[:, 0], inside[:, 2]) - 0.15, np.abs(inside[:, 1]) - 0.15], 0)
                    far = np.linalg.norm(over, axis=0)
                else:
                    far = np.linalg.norm(np.maximum(np.abs(inside) - 0.5 * np.array(SIZE), 0), axis=1)
                expected[k] |= far.min() < body.capsule_radii[c] - 1e-4
    assert (answer & ~without).any()
    assert np.array_equal(answer, expected)


def test_a_tray_does_not_pass_through_a_thin_wall(body, pose) -> None:
    rest = pose((0.0, 1.0, 0.0))
    end = pose((0.0, 1.0, 1.2))
    hand = rest.world()[0][body.skeleton.index("rightHand")]
    # A slat that only the tray meets, half way, between two free poses.
    slat = Obstacle(name="slat", shape=Box(size_m=(0.2, 0.3, 1e-4)), position=np.add(hand, (-0.5, 0.0, 0.6)))
    item = tray(Box(size_m=SIZE), position=(-0.3, 0.0, 0.0))
    world = World([slat])
    assert Checker(CollisionBody(body), world).segment_is_free(rest, end)
    checker = Checker(CollisionBody(body, (item,)), world)
    assert not checker.collides(rest.rotations, rest.root_position)
    assert not checker.collides(end.rotations, end.root_position)
    found = checker.segment_is_free(rest, end, find_first=True)
    assert not found
    assert found.pair == ("tray", "slat")
    assert found.contact == pytest.approx((0.6 - 0.01 - 5e-5) / 1.2, abs=1e-4)
    assert Checker(CollisionBody(body, (item,)), world, [("tray", "slat")]).segment_is_free(rest, end)
    # Swung by the arm alone, through a slat in its way.
    swung = rest.with_rotation("rightUpperArm", rot.exp(np.array([0.0, 1.2, 0.0])))
    assert checker.segment_is_free(rest, swung)


def test_a_limb_query_knows_what_the_hand_carries(body, pose) -> None:
    rest = pose((0.0, 1.0, 0.0))
    hand = rest.world()[0][body.skeleton.index("rightHand")]
    post = Obstacle(name="post", shape=Cylinder(radius_m=0.02, height_m=0.5), position=np.add(hand, (-0.4, 0.0, 0.0)))
    checker = Checker(CollisionBody(body, (tray(Box(size_m=SIZE)),)), World([post]))
    limb = checker.limb(rest, "right_arm")
    still = rest.rotations[list(limb.joints)]
    assert limb.collides(still)
    away = still.copy()
    away[0] = rot.exp(np.array([0.0, 0.8, 0.0]))
    assert not limb.collides(away)
