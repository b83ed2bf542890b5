"""Written GLB files, as the Khronos validator, three.js and Understudy's own reader see them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

from formats.gltf_tools import assert_flawless, three_samples
from people import person, random_frames, wander, with_joint_frames, with_rest_pose, world_positions
from understudy import rotations as rot
from understudy.core import Body, Motion, Skeleton
from understudy.core.body_fit import fit_body
from understudy.core.skin.body_mesh import body_mesh
from understudy.core.skin.capsule_mesh import SkinMesh, capsule_mesh
from understudy.errors import FormatError
from understudy.formats import ReadOptions, WriteOptions, load_motion, load_motions, save_motion
from understudy.formats.creased_mesh import creased
from understudy.formats.props import Prop

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
_SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
CUBE_FACES = np.array([triangle for a, b, c, d in _SIDES for triangle in ([a, b, c], [a, c, d])])


def cubes() -> tuple[Prop, Prop]:
    still = Prop(name="table", vertices=CUBE, faces=CUBE_FACES, positions=np.array([[2.0, 0.0, 1.0]]))
    moving = Prop(
        name="ball",
        vertices=CUBE - 0.5,
        faces=CUBE_FACES,
        times_s=np.array([0.0, 0.5, 1.5]),
        positions=np.array([[0.0, 1.0, 0.0], [1.0, 2.0, 0.0], [1.0, 1.0, 3.0]]),
        rotations=rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.array([0.0, 1.0, 2.0])),
    )
    return still, moving


def chain(joints: int) -> Skeleton:
    return Skeleton(
        names=tuple(f"bone.{i:03d} é" for i in range(joints)),
        parents=np.arange(joints) - 1,
        offsets=np.tile([0.0, 0.1, 0.02], (joints, 1)),
    )


MOTIONS = {
    "t_pose": lambda: wander(person(), frames=31),
    "odd_frames": lambda: wander(with_joint_frames(person(), random_frames(person(), 3)), frames=17, fps=24.0),
    "arms_down": lambda: wander(
        with_rest_pose(person(1.1), {"leftUpperArm": rot.from_axis_angle(np.array([0, 0, 1.0]), -1.3)}), fps=120.00048
    ),
    "chain": lambda: wander(chain(12), frames=9, fps=12.5),
    "long_chain": lambda: wander(chain(300), frames=3),
    "one_frame": lambda: wander(person(), frames=2).frames(0, 1),
}


@pytest.fixture(params=MOTIONS)
def motion(request: pytest.FixtureRequest) -> Motion:
    return MOTIONS[request.param]()


class TestOneCharacter:
    def test_khronos_validator_finds_nothing(self, motion: Motion, tmp_path: Path) -> None:
        glb, gltf = save_motion(motion, tmp_path / "a.glb"), save_motion(motion, tmp_path / "a.gltf")
        assert_flawless(glb, gltf)

    def test_comes_back_to_float32(self, motion: Motion, tmp_path: Path) -> None:
        for suffix in ("glb", "gltf"):
            back = load_motion(save_motion(motion, tmp_path / f"a.{suffix}"))
            assert back.skeleton.names == motion.skeleton.names
            assert np.array_equal(back.skeleton.parents, motion.skeleton.parents)
            assert dict(back.skeleton.humanoid) == dict(motion.skeleton.humanoid)
            assert back.fps == motion.fps or len(motion) == 1
            assert back.name == motion.name
            np.testing.assert_array_equal(back.root_positions, motion.root_positions.astype(np.float32))
            np.testing.assert_array_equal(back.skeleton.offsets, motion.skeleton.offsets.astype(np.float32))
            np.testing.assert_array_equal(back.skeleton.tip_offsets, motion.skeleton.tip_offsets)
            assert rot.angle_between(back.rotations, motion.rotations).max() < 5e-7
            assert rot.angle_between(back.skeleton.rest_rotations, motion.skeleton.rest_rotations).max() < 5e-7
            assert back.origin.notes == () or len(motion) == 1

    def test_three_shows_the_same_joints(self, motion: Motion, tmp_path: Path) -> None:
        path = save_motion(motion, tmp_path / "a.glb")
        times = [0.0, 0.31 * motion.duration_s, motion.duration_s]
        shown = three_samples(path, times)
        assert [clip["name"] for clip in shown["clips"]] == ["understudy"]
        assert shown["clips"][0]["duration"] == pytest.approx(motion.duration_s, abs=1e-5)
        for time, sample in zip(times, shown["samples"], strict=True):
            wanted, _ = motion.pose_at(time).world()
            found = np.array([sample["nodes"][name] for name in motion.skeleton.names])
            np.testing.assert_allclose(found, wanted, atol=1e-4)

    def test_second_write_is_the_same_bytes(self, motion: Motion, tmp_path: Path) -> None:
        first = save_motion(motion, tmp_path / "a.glb").read_bytes()
        assert save_motion(motion, tmp_path / "b.glb").read_bytes() == first


def test_recorded_walker_stands_on_the_floor(cmu_bvh: Callable[[str], Path], tmp_path: Path) -> None:
    motion = load_motion(cmu_bvh("16_16")).frames(60, 300)
    path = save_motion(motion, tmp_path / "walk.glb")
    assert_flawless(path)
    shown = three_samples(path, [0.0, 0.7, 1.4])
    for sample in shown["samples"]:
        (low, high), *_ = sample["boxes"].values()
        assert -0.05 < low[1] < 0.06
        assert 1.5 < high[1] - low[1] < 1.9
        assert high[0] - low[0] < 1.2


class TestSeveral:
    def test_characters_and_props_play_together(self, tmp_path: Path) -> None:
        first, second = wander(person(), frames=31), wander(person(0.9), frames=46, seed=4).renamed("other")
        path = save_motion([first, second], tmp_path / "two.glb", options=WriteOptions(props=cubes()))
        assert_flawless(path)
        shown = three_samples(path, [0.5])
        assert [clip["name"] for clip in shown["clips"]] == ["understudy"]
        nodes, boxes = shown["samples"][0]["nodes"], shown["samples"][0]["boxes"]
        for motion in (first, second):
            wanted, _ = motion.pose_at(0.5).world()
            np.testing.assert_allclose(nodes[f"{motion.name}:head"], wanted[motion.skeleton.index("head")], atol=1e-4)
        np.testing.assert_allclose(boxes["table"], [[2.0, 0.0, 1.0], [3.0, 1.0, 2.0]], atol=1e-6)
        np.testing.assert_allclose(nodes["ball"], [1.0, 2.0, 0.0], atol=1e-6)
        assert boxes["ball"][1][0] - boxes["ball"][0][0] == pytest.approx(np.cos(1) + np.sin(1), abs=1e-5)

    def test_all_come_back(self, tmp_path: Path) -> None:
        motions = [wander(person(), seed=seed, frames=10 + seed).renamed(f"p{seed}") for seed in range(3)]
        found = load_motions(save_motion(motions, tmp_path / "three.glb", options=WriteOptions(props=cubes())))
        assert [motion.name for motion in found] == ["p0", "p1", "p2"]
        for back, motion in zip(found, motions, strict=True):
            assert back.skeleton.names == motion.skeleton.names
            np.testing.assert_allclose(world_positions(back), world_positions(motion), atol=1e-5)

    def test_names_without_clash_are_kept(self, tmp_path: Path) -> None:
        path = save_motion([wander(person()), wander(chain(3)).renamed("tail")], tmp_path / "a.glb")
        assert {"head", "bone.001 é"} <= set(three_samples(path, [0.0])["samples"][0]["nodes"])

    def test_same_names_are_still_told_apart(self, tmp_path: Path) -> None:
        path = save_motion([wander(person()), wander(person(), seed=2)], tmp_path / "twins.glb")
        assert_flawless(path)
        assert len(load_motions(path)) == 2

    def test_one_animation_each(self, tmp_path: Path) -> None:
        motions = [wander(person()), wander(person(), seed=5).renamed("other")]
        options = WriteOptions(props=cubes(), animations="each")
        path = save_motion(motions, tmp_path / "each.glb", options=options)
        assert_flawless(path)
        assert [clip["name"] for clip in three_samples(path, [])["clips"]] == ["wander", "other", "props"]
        found = load_motions(path, options=ReadOptions(take="other"))
        np.testing.assert_allclose(world_positions(found[1]), world_positions(motions[1]), atol=1e-5)
        assert len(found[0]) == 1
        assert any("nothing animates" in note for note in found[0].origin.notes)


class TestRefusals:
    def test_flat_prop_leaves_no_file(self, tmp_path: Path) -> None:
        flat = Prop(name="line", vertices=np.zeros((3, 3)), faces=np.array([[0, 1, 2]]))
        with pytest.raises(FormatError, match="line"):
            save_motion(wander(person()), tmp_path / "a.glb", options=WriteOptions(props=(flat,)))
        assert list(tmp_path.iterdir()) == []

    def test_prop_before_time_zero(self, tmp_path: Path) -> None:
        early = replace(cubes()[1], times_s=np.array([-1.0, 0.0, 1.0]))
        with pytest.raises(FormatError, match="ball"):
            save_motion(wander(person()), tmp_path / "a.glb", options=WriteOptions(props=(early,)))


def capsule_union_distance(body: Body, points: np.ndarray) -> np.ndarray:
    """Signed distance of points to the body's capsules in the rest pose, by brute force."""
    positions, rotations = body.skeleton.rest_world
    best = np.full(len(points), np.inf)
    for joint, start, end, radius in zip(
        body.capsule_joints, body.capsule_starts, body.capsule_ends, body.capsule_radii, strict=True
    ):
        along = positions[joint] + rot.rotate(
            rotations[joint], start + np.linspace(0.0, 1.0, 400)[:, None] * (end - start)
        )
        best = np.minimum(best, cKDTree(along).query(points)[0] - radius)
    return best


class TestMeshes:
    @pytest.mark.parametrize("make", [capsule_mesh, body_mesh])
    @pytest.mark.parametrize("scale", [1.0, 0.6])
    def test_body_is_closed_and_faces_outward(self, make: Callable[[Body], SkinMesh], scale: float) -> None:
        body = fit_body(person(scale))
        mesh = make(body)
        edges = np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]])
        assert sorted(map(tuple, edges)) == sorted(map(tuple, edges[:, ::-1]))
        corners = mesh.vertices[mesh.faces]
        outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        agrees = np.einsum("ij,ij->i", outward, mesh.normals[mesh.faces].sum(axis=1)) > 0
        assert agrees.mean() > 0.999
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-9)
        np.testing.assert_allclose(mesh.weights.sum(axis=1), 1.0, atol=1e-9)
        assert (mesh.weights >= 0).all()
        assert (mesh.joints[mesh.weights == 0] == 0).all()
        volume = np.einsum("ij,ij->i", np.cross(corners[:, 0], corners[:, 1]), corners[:, 2]).sum() / 6
        assert 0.04 < volume / scale**3 < 0.12

    def test_skin_lies_on_the_capsules(self) -> None:
        """Outside by the filled creases only, inside by the taper of the limbs only; soles within millimetres."""
        body = fit_body(person())
        mesh = body_mesh(body)
        assert len(mesh.vertices) != len(capsule_mesh(body).vertices)
        distance = capsule_union_distance(body, mesh.vertices)
        assert distance.max() < 0.026
        assert distance.min() > -0.016
        lowest = capsule_mesh(body).vertices[:, 1].min()
        assert mesh.vertices[:, 1].min() == pytest.approx(lowest, abs=0.004)

    def test_skin_follows_the_nearest_bone(self) -> None:
        body = fit_body(person())
        mesh = body_mesh(body)
        positions, _ = body.skeleton.rest_world
        for role in ("leftLowerArm", "rightLowerLeg", "leftUpperLeg"):
            joint = body.skeleton.index(role)
            middle = 0.5 * (positions[joint] + positions[body.skeleton.children[joint][0]])
            near = np.linalg.norm(mesh.vertices - middle, axis=1) < 0.07
            assert near.any()
            assert (mesh.joints[near, 0] == joint).all()
            assert (mesh.weights[near, 0] > 0.95).all()
        # At the elbow both bones have a say.
        elbow = np.linalg.norm(mesh.vertices - positions[body.skeleton.index("leftLowerArm")], axis=1) < 0.05
        assert (np.sort(mesh.weights[elbow], axis=1)[:, -2] > 0.2).any()

    def test_limbs_that_touch_at_rest_stay_apart(self) -> None:
        hugging = with_rest_pose(
            person(), {"leftUpperArm": rot.from_axis_angle(np.array([0, 0, 1.0]), -np.pi / 2 - 0.3)}
        )
        body = fit_body(hugging)
        assert len(body_mesh(body).vertices) == len(capsule_mesh(body).vertices)

    def test_cube_has_sharp_edges(self) -> None:
        vertices, normals, faces = creased(CUBE, CUBE_FACES)
        assert (len(vertices), len(faces)) == (24, 12)
        corners = vertices[faces]
        flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        np.testing.assert_allclose(normals[faces], np.repeat(flat[:, None], 3, axis=1), atol=1e-12)

    def test_capsules_are_smooth(self) -> None:
        mesh = capsule_mesh(fit_body(person()))
        vertices, normals, faces = creased(mesh.vertices, mesh.faces)
        assert (len(vertices), len(faces)) == (len(mesh.vertices), len(mesh.faces))
        order, wanted = (np.lexsort(np.round(points, 6).T) for points in (vertices, mesh.vertices))
        assert (np.einsum("ij,ij->i", normals[order], mesh.normals[wanted]) > 0.97).mean() > 0.99
