"""FBX files spelled by hand against what the format's rules say, with SciPy and plain matrices as the other opinion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import BPoly
from scipy.spatial.transform import Rotation

from formats.fbx_files import TICKS, FbxFile, big_endian, given, old_text
from people import person, world_positions
from understudy.core import Motion
from understudy.errors import FormatError
from understudy.formats import ReadOptions, load_motion, load_motions
from understudy.formats.fbx.binary import parse_binary
from understudy.formats.fbx.encode import record
from understudy.formats.glb_rig import has_skin, load_rig, write_rig
from understudy.formats.glb_skin import load_own_skin
from understudy.formats.gltf_document import load_document
from understudy.formats.gltf_nodes import load_nodes

FRAMES_S = np.arange(5) / 30.0


def moved(file: FbxFile, model: int, *, take: str = "one", degrees: float = 30.0) -> None:
    """A steady turn about z at 30 frames per second."""
    layer = file.layer(file.stack(take))
    file.keys(layer, model, "Lcl Rotation", "Z", FRAMES_S, degrees * FRAMES_S)


def chain(file: FbxFile, count: int = 3, **properties: object) -> list[int]:
    """Limbs, each 10 units above the last."""
    limbs: list[int] = []
    for number in range(count):
        height = (0.0, 10.0 if number else 0.0, 0.0)
        values = {"Lcl Translation": height, **(properties if number == 1 else {})}
        limbs.append(file.model(f"bone{number}", parent=limbs[-1] if limbs else 0, **values))
    return limbs


def last_joint(path: Path, **options: object) -> np.ndarray:
    return world_positions(load_motion(path, options=ReadOptions(**options)))[:, -1]  # type: ignore[arg-type]


def matrix(angles: tuple[float, ...], order: str = "xyz") -> np.ndarray:
    return Rotation.from_euler(order, [angles["xyz".index(letter)] for letter in order], degrees=True).as_matrix()


class TestTransforms:
    @pytest.mark.parametrize(("number", "order"), list(enumerate(["xyz", "xzy", "yzx", "yxz", "zxy", "zyx"])))
    def test_every_part_of_a_local_transform(self, tmp_path: Path, number: int, order: str) -> None:
        parts = {
            "RotationOrder": number,
            "PreRotation": (10.0, 20.0, 30.0),
            "PostRotation": (-15.0, 25.0, 5.0),
            "Lcl Rotation": (40.0, -50.0, 60.0),
            "RotationOffset": (1.0, 2.0, 3.0),
            "RotationPivot": (4.0, -5.0, 6.0),
            "ScalingOffset": (0.5, 0.25, -0.5),
            "ScalingPivot": (2.0, 1.0, -1.0),
            "Lcl Scaling": (2.0, 2.0, 2.0),
        }
        file = FbxFile()
        limbs = chain(file, RotationActive=1, **parts)
        moved(file, limbs[0], degrees=0.0)
        turn = matrix((10, 20, 30)) @ matrix((40, -50, 60), order) @ matrix((-15, 25, 5)).T
        pivot, scale_pivot = np.array([4.0, -5.0, 6.0]), np.array([2.0, 1.0, -1.0])
        point = np.array([0.0, 10.0, 0.0])  # of the last limb
        point = 2.0 * (point - scale_pivot) + scale_pivot + [0.5, 0.25, -0.5]
        wanted = turn @ (point - pivot) + pivot + [1.0, 2.0, 3.0] + [0.0, 10.0, 0.0]
        np.testing.assert_allclose(last_joint(file.write(tmp_path / "a.fbx"))[0], 0.01 * wanted, atol=1e-7)

    def test_inactive_rotation_space_is_left_out(self, tmp_path: Path) -> None:
        file = FbxFile()
        limbs = chain(file, RotationActive=0, PreRotation=(0.0, 0.0, 90.0))
        moved(file, limbs[0], degrees=0.0)
        np.testing.assert_allclose(last_joint(file.write(tmp_path / "a.fbx"))[0], [0.0, 0.2, 0.0], atol=1e-7)

    def test_a_scale_that_children_do_not_take_over(self, tmp_path: Path) -> None:
        file = FbxFile()
        root = file.model("root", **{"Lcl Scaling": (3.0, 3.0, 3.0)})
        middle = file.model("middle", parent=root, InheritType=2, **{"Lcl Translation": (0.0, 10.0, 0.0)})
        file.model("end", parent=middle, InheritType=1, **{"Lcl Translation": (0.0, 10.0, 0.0)})
        moved(file, root, degrees=0.0)
        # The middle's place is scaled, the end's is not.
        np.testing.assert_allclose(last_joint(file.write(tmp_path / "a.fbx"))[0], [0.0, 0.4, 0.0], atol=1e-7)

    @pytest.mark.parametrize("signs", [(-1.0, -1.0, -1.0), (-1.0, 1.0, 1.0), (1.0, -1.0, -1.0)])
    def test_mirrored_joints_stay_where_they_are(self, tmp_path: Path, signs: tuple[float, float, float]) -> None:
        file = FbxFile()
        limbs = chain(file, **{"Lcl Scaling": signs, "Lcl Rotation": (0.0, 30.0, 40.0)})
        file.model("tip", parent=limbs[-1], **{"Lcl Translation": (1.0, 2.0, 3.0)})
        moved(file, limbs[0], degrees=0.0)
        wanted = matrix((0, 30, 40)) @ (np.array(signs) * [1.0, 12.0, 3.0]) + np.array([0.0, 10.0, 0.0])
        np.testing.assert_allclose(last_joint(file.write(tmp_path / "a.fbx"))[0], 0.01 * wanted, atol=1e-7)

    def test_axes_and_unit(self, tmp_path: Path) -> None:
        settings = {"UpAxis": 2, "FrontAxis": 1, "FrontAxisSign": -1, "UnitScaleFactor": 2.54}
        file = FbxFile(**settings)
        root = file.model("root", **{"Lcl Translation": (1.0, 2.0, 3.0)})
        file.model("end", parent=root, **{"Lcl Translation": (0.0, 0.0, 1.0)})
        moved(file, root, degrees=0.0)
        path = file.write(tmp_path / "a.fbx")
        np.testing.assert_allclose(last_joint(path)[0], 0.0254 * np.array([1.0, 4.0, -2.0]), atol=1e-8)
        motion = load_motion(path)
        assert (motion.origin.unit_m, motion.origin.up, motion.origin.format) == (pytest.approx(0.0254), "z", "fbx")
        np.testing.assert_allclose(last_joint(path, unit_m=1.0, up="y")[0], [1.0, 2.0, 4.0], atol=1e-6)


class TestUnits:
    """A person written in metres by a program that says centimetres."""

    def person_in(self, path: Path, per_m: float) -> Path:
        written = FbxFile(UnitScaleFactor=1.0)
        skeleton, limbs = person(), []
        for joint, name in enumerate(skeleton.names):
            parent = int(skeleton.parents[joint])
            at = tuple(float(value) for value in skeleton.offsets[joint] * per_m)
            limbs.append(written.model(name, parent=limbs[parent] if parent >= 0 else 0, **{"Lcl Translation": at}))
        moved(written, limbs[0])
        return written.write(path)

    def assert_sized(self, motion: Motion, size: float) -> None:
        wanted = person()
        for joint, name in enumerate(wanted.names[1:], start=1):
            found = motion.skeleton.offsets[motion.skeleton.names.index(name)]
            np.testing.assert_allclose(found, size * wanted.offsets[joint], atol=1e-6 * size)

    def test_what_the_file_says_is_believed(self, tmp_path: Path) -> None:
        motion = load_motion(self.person_in(tmp_path / "a.fbx", 100.0))
        assert not motion.origin.unit_guessed
        self.assert_sized(motion, 1.0)

    def test_unless_nobody_is_that_small(self, tmp_path: Path) -> None:
        path = self.person_in(tmp_path / "a.fbx", 1.0)
        motion = load_motion(path)
        assert (motion.origin.unit_guessed, motion.origin.unit_m) == (True, 1.0)
        assert any("makes the body" in note for note in motion.origin.notes)
        self.assert_sized(motion, 1.0)
        kept = load_motion(path, options=ReadOptions(unit_m=0.01))
        self.assert_sized(kept, 0.01)

    def test_small_things_are_no_people(self, tmp_path: Path) -> None:
        file = FbxFile(UnitScaleFactor=0.1)
        moved(file, chain(file)[0])
        assert load_motion(file.write(tmp_path / "a.fbx")).origin.unit_m == pytest.approx(0.001)


class TestCurves:
    def values(self, file: FbxFile, path: Path, fps: float = 30.0) -> np.ndarray:
        return 100.0 * world_positions(load_motion(file.write(path), options=ReadOptions(fps=fps)))[:, 0, 0]

    def keyed(self, times_s: object, values: object, **more: object) -> FbxFile:
        file = FbxFile()
        limbs = chain(file)
        layer = file.layer(file.stack("one"))
        # A steady companion fixes the span to read.
        file.keys(layer, limbs[0], "Lcl Translation", "X", times_s, values, **more)
        file.keys(layer, limbs[1], "Lcl Rotation", "Y", [0.0, 2.0], [0.0, 0.0])
        return file

    def test_steps_and_lines(self, tmp_path: Path) -> None:
        line = self.values(self.keyed([0.0, 1.0, 2.0], [0.0, 3.0, 9.0]), tmp_path / "a.fbx")
        np.testing.assert_allclose(line, np.interp(np.arange(61) / 30, [0, 1, 2], [0, 3, 9]), atol=1e-4)
        step = self.values(self.keyed([0.0, 1.0, 2.0], [0.0, 3.0, 9.0], flags=0x2), tmp_path / "b.fbx")
        np.testing.assert_allclose(step, np.repeat([0.0, 3.0, 9.0], [30, 30, 1]), atol=1e-4)

    def test_cubic_keys_of_the_user(self, tmp_path: Path) -> None:
        file = self.keyed([0.0, 1.0, 2.0], [0.0, 3.0, 9.0], flags=0x8 | 0x400, data=(4.0, -2.0, 0.0, 0.0))
        hermite = BPoly.from_derivatives([0, 1, 2], [[0, 4], [3, -2], [9, -2]])
        late = BPoly.from_derivatives([1, 2], [[3, 4], [9, -2]])
        times = np.arange(61) / 30
        wanted = np.where(times < 1, hermite(times), late(times))
        np.testing.assert_allclose(self.values(file, tmp_path / "a.fbx"), wanted, atol=1e-4)

    def test_weighted_keys_reach_their_values_later(self, tmp_path: Path) -> None:
        packed = np.array([int(0.9 * 10_000) | int(0.1 * 10_000) << 16], dtype="<u4").view("<f4")[0]
        flags = 0x8 | 0x400 | 0x1000000 | 0x2000000
        file = self.keyed([0.0, 2.0], [0.0, 8.0], flags=flags, data=(0.0, 0.0, packed, 0.0))
        found = self.values(file, tmp_path / "a.fbx")
        u = np.linspace(0, 1, 20001)
        place = 2.0 * (3 * (1 - u) ** 2 * u * 0.9 + 3 * (1 - u) * u**2 * 0.9 + u**3)
        value = 8.0 * (3 * (1 - u) * u**2 + u**3)
        np.testing.assert_allclose(found, np.interp(np.arange(61) / 30, place, value), atol=1e-3)

    def test_automatic_keys_do_not_overshoot(self, tmp_path: Path) -> None:
        flags = 0x8 | 0x100 | 0x2000 | 0x4000
        found = self.values(self.keyed([0.0, 1.0, 2.0], [0.0, 9.0, 9.0], flags=flags), tmp_path / "a.fbx")
        assert found.min() >= -1e-4
        assert found.max() <= 9.0 + 1e-4
        assert (np.diff(found[:31]) > 0).all()

    def test_tension_continuity_and_bias_of_nothing_are_a_smooth_curve(self, tmp_path: Path) -> None:
        file = self.keyed([0.0, 1.0, 2.0], [0.0, 4.0, 0.0], flags=0x8 | 0x200)
        found = self.values(file, tmp_path / "a.fbx")
        assert found[30] == pytest.approx(4.0, abs=1e-5)
        assert abs(found[31] - found[29]) < 1e-4  # flat between equal neighbours

    @pytest.mark.parametrize(
        ("letter", "value"), [("C", 1.0), ("R", 14 / 15), ("A", 3 + 14 / 15), ("M", 1 / 15), ("K", 4 - 1 / 15)]
    )
    def test_beyond_the_last_key(self, tmp_path: Path, letter: str, value: float) -> None:
        beyond = [record("Post-Extrapolation", children=[record("Type", ord(letter))])]
        found = self.values(self.keyed([0.0, 0.5], [0.0, 1.0], children=beyond), tmp_path / "a.fbx")
        # One frame before 2 s, in the fourth half second.
        assert found[-2] == pytest.approx(value, abs=1e-4)

    def test_layers_are_added(self, tmp_path: Path) -> None:
        file = FbxFile()
        limbs = chain(file)
        stack = file.stack("one")
        base, over = file.layer(stack), file.layer(stack, Weight=50.0)
        file.keys(base, limbs[0], "Lcl Translation", "X", FRAMES_S, 1.0 + 0 * FRAMES_S)
        file.keys(over, limbs[0], "Lcl Translation", "X", FRAMES_S, 4.0 + 0 * FRAMES_S)
        file.keys(over, limbs[0], "Lcl Rotation", "Z", FRAMES_S, 60.0 + 0 * FRAMES_S)
        motion = load_motion(file.write(tmp_path / "a.fbx"))
        turn = Rotation.from_euler("z", 30.0, degrees=True)
        np.testing.assert_allclose(world_positions(motion)[:, 0, 0], 0.03, atol=1e-7)
        np.testing.assert_allclose(world_positions(motion)[0, 1] - [0.03, 0, 0], turn.apply([0, 0.1, 0]), atol=1e-7)


class TestTakes:
    def test_the_longest_comes_first_and_others_by_name(self, tmp_path: Path) -> None:
        file = FbxFile()
        limbs = chain(file)
        moved(file, limbs[0], take="short")
        layer = file.layer(file.stack("long"))
        file.keys(layer, limbs[0], "Lcl Rotation", "X", np.arange(31) / 30.0, np.arange(31.0))
        path = file.write(tmp_path / "a.fbx")
        motion = load_motion(path)
        assert (len(motion), motion.name) == (31, "long")
        assert any("short" in note for note in motion.origin.notes)
        assert len(load_motion(path, options=ReadOptions(take="short"))) == 5
        with pytest.raises(FormatError, match="short"):
            load_motion(path, options=ReadOptions(take="shor"))

    def test_frames_lie_on_keys_and_within_the_stated_span(self, tmp_path: Path) -> None:
        file = FbxFile(TimeMode=11)  # 24 per second, but keyed at 60
        limbs = chain(file)
        span = {"LocalStart": np.int64(TICKS), "LocalStop": np.int64(2 * TICKS)}
        layer = file.layer(file.stack("one", **span))
        file.keys(layer, limbs[0], "Lcl Rotation", "X", np.arange(181) / 60.0, np.arange(181.0))
        motion = load_motion(file.write(tmp_path / "a.fbx"))
        assert (len(motion), motion.fps) == (61, 60.0)
        turn = Rotation.from_euler("x", 60.0, degrees=True).apply([0.0, 0.1, 0.0])
        np.testing.assert_allclose(world_positions(motion)[0, 1], turn, atol=1e-6)

    def test_text_says_the_same_as_binary(self, tmp_path: Path) -> None:
        file = FbxFile()
        limbs = chain(file, PreRotation=(1.5, -2.5e-3, 1e2), RotationActive=1)
        layer = file.layer(file.stack('a "take"'))
        data = (4.0, -2.0, 0.0, 0.0)
        file.keys(layer, limbs[1], "Lcl Rotation", "Y", [0.0, 0.5, 1.0], [0.0, 7.5, -90.0], flags=0x408, data=data)
        binary, text = load_motion(file.write(tmp_path / "a.fbx")), load_motion(file.write_text(tmp_path / "b.fbx"))
        assert binary.name == text.name == 'a "take"'
        np.testing.assert_array_equal(world_positions(binary), world_positions(text))


def test_version_six_keys(tmp_path: Path) -> None:
    keys = f"0,0,L,{TICKS},10,U,s,0,0,n,{2 * TICKS},20,C,s,{3 * TICKS},30,U,a,n"
    take = f"""
        Model: "Model::root" {{ Channel: "Transform" {{ Channel: "T" {{
            Channel: "X" {{ Default: 0 KeyVer: 4005 KeyCount: 4
                Key: {keys} }}
            Channel: "Y" {{ Default: 5 }} Channel: "Z" {{ Default: 0 }} }} }} }}"""
    models = [("root", "Limb", "Scene", {}), ("end", "Limb", "root", {"Lcl Translation": "0,10,0"})]
    path = tmp_path / "old.fbx"
    path.write_text(old_text(models, take), encoding="utf-8")
    motion = load_motion(path)
    assert (motion.fps, len(motion), motion.skeleton.names) == (25.0, 76, ("root", "end"))
    places = 100.0 * motion.root_positions
    smooth = BPoly.from_derivatives([0, 1], [[10, 0], [20, 0]])(np.arange(25) / 25)
    np.testing.assert_allclose(places[:25, 0], 10 * np.arange(25) / 25, atol=1e-5)
    np.testing.assert_allclose(places[25:50, 0], smooth, atol=1e-5)
    np.testing.assert_allclose(places[50:75, 0], 20.0, atol=1e-5)
    np.testing.assert_allclose(places[:, 1], 5.0, atol=1e-5)


def test_big_endian_numbers(tmp_path: Path) -> None:
    _, root = parse_binary(big_endian(tmp_path / "a.fbx", "Thing", 2.5).read_bytes())
    assert root.child("Thing").values == [2.5]


def skinned(tmp_path: Path) -> Path:
    """A square of two faces between two limbs that were bound 10 apart, one of them turned since."""
    file = FbxFile()
    low = file.model("low")
    high = file.model("high", parent=low, **{"Lcl Translation": (0.0, 10.0, 0.0), "Lcl Rotation": (0.0, 0.0, 90.0)})
    mesh = file.model("body", "Mesh", GeometricTranslation=(0.0, 0.0, 1.0))
    points = np.array([[-1.0, 0, 0], [1, 0, 0], [1, 20, 0], [-1, 20, 0]])
    geometry = file.add(
        "Geometry",
        "body",
        "Mesh",
        [record("Vertices", points.reshape(-1)), record("PolygonVertexIndex", np.array([0, 1, 2, ~3], dtype="<i4"))],
    )
    file.link(geometry, mesh)
    material = file.add("Material", "red", "", [given({"DiffuseColor": (0.5, 0.25, 0.125)})])
    file.link(material, mesh)
    skin = file.add("Deformer", "skin", "Skin")
    file.link(skin, geometry)
    for limb, height, vertices in ((low, 0.0, [0, 1]), (high, 10.0, [2, 3])):
        link = np.eye(4)
        link[3, 1] = height  # rows are what we call columns
        children = [
            record("Indexes", np.array(vertices, dtype="<i4")),
            record("Weights", np.ones(2)),
            record("Transform", np.linalg.inv(link).reshape(-1)),
            record("TransformLink", link.reshape(-1)),
        ]
        cluster = file.add("Deformer", "part", "Cluster", children)
        file.link(cluster, skin)
        file.link(limb, cluster)
    moved(file, low, degrees=0.0)
    return file.write(tmp_path / "skinned.fbx")


class TestSkins:
    def test_the_bind_pose_is_the_rest_pose_and_the_mesh_is_bound_to_it(self, tmp_path: Path) -> None:
        path = skinned(tmp_path)
        motion = load_motion(path)
        np.testing.assert_allclose(motion.skeleton.rest_world[0], [[0, 0, 0], [0, 0.1, 0]], atol=1e-7)
        own = load_own_skin(path, motion.skeleton)
        assert own is not None
        wanted = 0.01 * np.array([[-1.0, 0, 1], [1, 0, 1], [1, 20, 1], [-1, 20, 1]])
        np.testing.assert_allclose(own.mesh.vertices, wanted, atol=1e-7)
        np.testing.assert_array_equal(own.mesh.joints[:, 0], [0, 0, 1, 1])
        np.testing.assert_allclose(own.colors[0], [0.5, 0.25, 0.125], atol=1e-6)

    def test_it_is_a_rig_that_goes_out_as_glb(self, tmp_path: Path) -> None:
        path = skinned(tmp_path)
        assert has_skin(path)
        rig, motion = load_rig(path), load_motion(path)
        out = write_rig(rig, motion, tmp_path / "out.glb")
        np.testing.assert_allclose(world_positions(load_motion(out)), world_positions(motion), atol=1e-6)
        document = load_document(out)
        assert sum("skin" in node for node in document.root["nodes"]) == 1

    def test_leaves_that_move_no_vertex_are_joints(self, tmp_path: Path) -> None:
        file = FbxFile()
        limbs = chain(file, 4)
        moved(file, limbs[0])
        assert len(load_motion(file.write(tmp_path / "a.fbx")).skeleton) == 4


def test_a_mesh_alone_is_no_character_but_a_document(tmp_path: Path) -> None:
    file = FbxFile()
    mesh = file.model("cup", "Mesh")
    points = record("Vertices", np.arange(9.0)), record("PolygonVertexIndex", np.array([0, 1, ~2], dtype="<i4"))
    file.link(file.add("Geometry", "cup", "Mesh", points), mesh)
    path = file.write(tmp_path / "cup.fbx")
    with pytest.raises(FormatError, match="no character"):
        load_motions(path)
    assert load_nodes(load_document(path)).names == ("RootNode", "cup")
