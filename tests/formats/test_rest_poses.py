"""Clips whose rest pose is no person get bodies, limits and mirror images as good as those of a T-pose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from people import random_frames, with_joint_frames
from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.core.body_fit import stature_m
from understudy.core.recognition import humanoid_of
from understudy.core.standing_pose import stands
from understudy.formats import load_motion, save_motion
from understudy.kinematics import motion_world
from understudy.performer import performance


def heaped(motion: Motion, seed: int) -> Motion:
    """The same motion on joints with random axes, whose rest pose, all angles zero, is a heap of bones."""
    skeleton = with_joint_frames(motion.skeleton, random_frames(motion.skeleton, seed))
    old, new = motion.skeleton.rest_world[1], skeleton.rest_world[1]
    world = motion_world(motion).rotations
    turned = rot.multiply(world, rot.multiply(rot.conjugate(old), new))
    local = turned.copy()
    local[:, 1:] = rot.multiply(rot.conjugate(turned[:, skeleton.parents[1:]]), turned[:, 1:])
    return replace(motion, skeleton=replace(skeleton, rest_rotations=rot.identity((len(skeleton),))), rotations=local)


@pytest.mark.parametrize("name", ["walk", "jog", "turn_left"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_heap_of_bones_becomes_the_person_of_its_clip(name: str, seed: int, tmp_path: Path) -> None:
    motion = performance(name, duration_s=4.0).motion
    loaded = load_motion(save_motion(heaped(motion, seed), tmp_path / "heap.bvh"))
    assert not stands(heaped(motion, seed).skeleton)
    assert stands(loaded.skeleton)
    assert any("rest pose" in note for note in loaded.origin.notes)
    loaded = loaded.in_order([loaded.skeleton.names.index(joint) for joint in motion.skeleton.names])
    assert np.abs(motion_world(loaded).positions - motion_world(motion).positions).max() < 1e-4
    body, known = fit_body(loaded.skeleton), fit_body(motion.skeleton)
    assert stature_m(loaded.skeleton) == pytest.approx(stature_m(motion.skeleton), rel=0.02)
    assert np.degrees(body.limits.excess(loaded.rotations).max()) < 1.0
    ours = body.capsule_segments(motion_world(loaded).positions, motion_world(loaded).rotations)
    theirs = known.capsule_segments(motion_world(motion).positions, motion_world(motion).rotations)
    assert body.capsule_names == known.capsule_names
    away = np.maximum(*(np.linalg.norm(a - b, axis=-1).max(axis=0) for a, b in zip(ours, theirs, strict=True)))
    assert away.max() < 0.05, dict(zip(body.capsule_names, away.round(3).tolist(), strict=True))


def test_its_mirror_image_stands_upright(tmp_path: Path) -> None:
    loaded = load_motion(save_motion(heaped(performance("walk", duration_s=4.0).motion, 3), tmp_path / "heap.bvh"))
    mirrored = us.mirrored(loaded)
    roles = loaded.skeleton.humanoid
    for motion in (loaded, mirrored):
        places = motion_world(motion).positions
        assert (places[:, roles["head"], 1] - places[:, roles["hips"], 1]).min() > 0.4
    assert np.abs(motion_world(us.mirrored(mirrored)).positions - motion_world(loaded).positions).max() < 1e-6


def test_a_connecting_joint_of_the_same_name_does_not_take_the_role() -> None:
    """MakeHuman puts ``__UpLeg_L`` between the hips and ``UpLeg_L``."""
    names = ["Root", "Spine1", "Spine2", "Neck", "Head"]
    parents = [-1, 0, 1, 2, 3]
    for side in "LR":
        for base, chain in (
            (2, ("__Clavicle", "Clavicle", "UpArm", "LoArm", "Hand")),
            (0, ("__UpLeg", "UpLeg", "LoLeg", "Foot")),
        ):
            above = base
            for bone in chain:
                names.append(f"{bone}_{side}")
                parents.append(above)
                above = len(names) - 1
    roles = humanoid_of(names, parents)
    assert names[roles["leftUpperLeg"]] == "UpLeg_L"
    assert names[roles["rightShoulder"]] == "Clavicle_R"


def test_joints_in_one_point_still_load(tmp_path: Path) -> None:
    motion = performance("walk", duration_s=4.0).motion
    flat = replace(motion, skeleton=replace(motion.skeleton, offsets=np.zeros_like(motion.skeleton.offsets)))
    assert len(load_motion(save_motion(flat, tmp_path / "point.npz"))) == len(motion)
    assert len(load_motion(save_motion(flat, tmp_path / "point.bvh"))) == len(motion)
