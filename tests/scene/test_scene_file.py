"""Scene files: what they mean, and that saving keeps it."""

from __future__ import annotations

import dataclasses
import json
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from people import person, wander
from scene.scene_texts import EXAMPLE, FULL, loaded
from understudy import rotations as rot
from understudy.core import Motion
from understudy.errors import FormatError, SceneError
from understudy.scene import (
    Attachment,
    Box,
    Capsule,
    Carry,
    Character,
    ContactRule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Handle,
    Hinge,
    Mesh,
    Scene,
    SceneObject,
    Sphere,
    Static,
    Task,
    Track,
    Transform,
    load_scene,
    save_scene,
)
from understudy.scene.tessellation import triangles_of


def test_the_products_example_means_what_it_says(folder: Path) -> None:
    scene = loaded(folder, EXAMPLE)
    assert scene.name == "door and shelf"
    assert [thing.name for thing in scene.objects] == ["table", "ring", "door", "umbrella"]
    # yaw turns +Z towards +X.
    _, turn = scene.at(0).pose("table")
    np.testing.assert_allclose(rot.rotate(turn, [0, 0, 1]), [0.5, 0, math.sqrt(0.75)], atol=1e-12)
    np.testing.assert_allclose(scene.object_track("ring", [1.0, 3.5])[0], [[0.5, 1.3, 2], [0.25, 1.3, 2]])
    assert scene.character("anna").heading_rad == pytest.approx(math.pi / 2)
    assert scene.tasks == (Task(character="anna", do="walk_to", goal=(5, 4)),)


def test_a_door_leaf_hangs_on_its_hinge(folder: Path) -> None:
    scene = loaded(folder, EXAMPLE)
    door = scene.object("door")
    # Closed, the leaf reaches from the axis along +X and stands on the floor.
    np.testing.assert_allclose(scene.at(0).pose("door")[0], [3.45, 1.0, 4.0])
    np.testing.assert_allclose(scene.handle_pose("door", "knob", 0).position, [3.8, 1.0, 4.06])
    opened = scene.placed("door", door.placement.turned(math.pi / 2))
    np.testing.assert_allclose(opened.handle_pose("door", "knob", 0).position, [3.06, 1.0, 3.2], atol=1e-12)
    np.testing.assert_allclose(opened.handle_pose("door", "knob", 0).approach, [1, 0, 0], atol=1e-12)


def test_a_hinged_lid_says_where_it_is_when_closed(folder: Path) -> None:
    lid = """
[[object]]
name = "lid"
shape = { kind = "box", size = [0.6, 0.02, 0.4] }
hinge = { axis_at = [0, 0.5, 0], axis = [1, 0, 0], range_deg = [-90, 0], angle_deg = -90 }
"""
    with pytest.raises(SceneError, match='give "at"'):
        loaded(folder, lid)
    scene = loaded(folder, lid.replace("hinge", "at = [0, 0.5, 0.2]\nhinge"))
    np.testing.assert_allclose(scene.at(0).positions, [[0, 0.7, 0]], atol=1e-12)


def test_everything_a_file_can_say_survives_saving(folder: Path) -> None:
    scene = loaded(folder, FULL)
    for name in ("again.toml", "again.json"):
        save_scene(scene, folder / name)
        assert load_scene(folder / name) == scene
    (folder / "deeper").mkdir()
    save_scene(scene, folder / "deeper" / "scene.toml")
    assert "../ring.glb" in (folder / "deeper" / "scene.toml").read_text("utf-8")
    assert load_scene(folder / "deeper" / "scene.toml") == scene
    assert not list(folder.glob(".*"))


def test_json_says_the_same_as_toml(folder: Path) -> None:
    assert loaded(folder, json.dumps(tomllib.loads(FULL)), "scene.json") == loaded(folder, FULL)


def test_motions_are_read_and_placed_in_time(folder: Path) -> None:
    bob = loaded(folder, FULL).character("bob")
    assert isinstance(bob.motion, Motion)
    assert bob.start_s == 1.5
    assert bob.end_s == pytest.approx(1.5 + 19 / 30)


def random_scene(seed: int) -> Scene:
    """A scene made in Python with every kind of part."""
    rng = np.random.default_rng(seed)

    def point() -> tuple[float, float, float]:
        x, y, z = rng.normal(size=3).tolist()
        return x, y, z

    def turn() -> tuple[float, float, float, float]:
        w, x, y, z = rot.normalize(rng.normal(size=4)).tolist()
        return w, x, y, z

    vertices, faces = triangles_of(Box(size_m=(1, 2, 3)))
    shapes = [
        Sphere(radius_m=rng.uniform(0.1, 1)),
        Box(size_m=tuple(rng.uniform(0.1, 1, 3))),
        Capsule(radius_m=0.1, length_m=rng.uniform(0, 1)),
        Cylinder(radius_m=0.1, height_m=rng.uniform(0.1, 1)),
        HalfSpace(),
        ConvexHull(points=rng.normal(size=(8, 3))),
        Mesh(vertices=vertices + rng.normal(size=3), faces=faces),
    ]
    track = Track(
        times_s=np.sort(rng.uniform(0, 9, 4)),
        positions=rng.normal(size=(4, 3)),
        rotations=rot.normalize(rng.normal(size=(4, 4))),
        loop=bool(rng.integers(2)),
    )
    hinge = Hinge(
        axis_at=point(),
        axis=point(),
        range_rad=(math.radians(-20), math.radians(110)),
        closed_position=point(),
        closed_rotation=turn(),
        times_s=(0.0, 1.5),
        angles_rad=(0.0, math.radians(85)),
        self_closing=True,
    )
    placements = [Static(position=point(), rotation=turn()), track, hinge]
    objects = tuple(
        SceneObject(
            name=f'thing {k} \u00e9"',
            shape=shape,
            placement=placements[k % 3],
            handles=(Handle(name="h", at=point(), approach=point(), rotation=turn()),) if k % 2 else (),
            color=tuple(rng.uniform(0, 1, 3)),
        )
        for k, shape in enumerate(shapes)
    )
    names = [thing.name for thing in objects]
    grip = Transform(position=point(), rotation=turn())
    return Scene(
        name="made\nhere",
        objects=objects,
        characters=(
            Character(
                name="anna",
                start=(1.0, 2.0),
                heading_rad=math.radians(33),
                carry=(Carry(object=names[0], hand="left", until_s=3.0, grip=grip),),
            ),
            Character(name="bob", start_s=2.0),
        ),
        attachments=(
            Attachment(object=names[1], to=names[2], start_s=1.0, end_s=2.0, grip=grip, release="resume"),
            Attachment(object=names[0], to="bob.left_hand", start_s=4.0, grip="in_hand"),
        ),
        allowed_contacts=(ContactRule(a="anna", b=names[3], start_s=0.5, end_s=1.0, max_depth_m=0.02),),
        tasks=(
            Task(character="anna", do="walk_to", goal=(1.0, 2.0), via=((0.5, 0.5),), heading_rad=math.radians(7)),
            Task(character="anna", do="follow", path=((0.0, 0.0), (1.0, 1.0)), until_s=4.0),
            Task(character="bob", do="touch", target=point(), at_s=2.0, hold_s=0.5, name="t"),
            Task(character="bob", do="between", to_pose="crouch", pin=("leftFoot",), falloff_m=0.2, after="t"),
            Task(character="anna", do="correct", limbs=("left_arm", "right_arm")),
            Task(character="anna", do="action", style="wave", target=names[4]),
        ),
        floor=bool(rng.integers(2)),
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_a_scene_made_in_python_survives_saving(seed: int, suffix: str, tmp_path: Path) -> None:
    scene = random_scene(seed)
    save_scene(scene, tmp_path / f"scene{suffix}")
    assert load_scene(tmp_path / f"scene{suffix}") == scene


def with_numpy_scalars(value: object) -> object:
    """The same value with each of its numbers as one of numpy's scalars, in every part of a scene."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        own = [item for item in dataclasses.fields(value) if item.init]
        parts = {item.name: with_numpy_scalars(getattr(value, item.name)) for item in own}
        return dataclasses.replace(value, **parts)
    if isinstance(value, tuple):
        return tuple(with_numpy_scalars(one) for one in value)
    scalars = {bool: np.bool_, int: np.int64, float: np.float64}
    return scalars[type(value)](value) if type(value) in scalars else value


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_numbers_that_numpy_computed_are_written_as_plain_ones(seed: int, suffix: str, tmp_path: Path) -> None:
    scene = random_scene(seed)
    save_scene(scene, tmp_path / f"plain{suffix}")
    save_scene(with_numpy_scalars(scene), tmp_path / f"numpy{suffix}")
    assert (tmp_path / f"numpy{suffix}").read_text() == (tmp_path / f"plain{suffix}").read_text()
    assert load_scene(tmp_path / f"numpy{suffix}") == scene


@given(angle=st.floats(-720, 720).filter(lambda angle: abs(angle) > 1e-3))
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_angles_written_by_people_survive_saving(angle: float, tmp_path: Path) -> None:
    angle = round(angle, 3)
    text = f"""
[[object]]
name = "a"
shape = {{ kind = "sphere", radius = 1 }}
at = [0, 0, 0]
yaw_deg = {angle}
[[character]]
name = "anna"
heading_deg = {angle}
"""
    scene = loaded(tmp_path, text)
    save_scene(scene, tmp_path / "again.toml")
    assert load_scene(tmp_path / "again.toml") == scene
    assert f"heading_deg = {angle:g}".split(".")[0] in (tmp_path / "again.toml").read_text("utf-8")


def test_what_cannot_be_saved_leaves_nothing_behind(tmp_path: Path) -> None:
    scene = Scene().with_character("anna", motion=wander(person()))
    with pytest.raises(SceneError, match="not in a file"):
        save_scene(scene, tmp_path / "scene.toml")
    with pytest.raises(FormatError, match="end in"):
        save_scene(Scene(), tmp_path / "scene.txt")
    with pytest.raises(FormatError, match="cannot write"):
        save_scene(Scene(), tmp_path / "no" / "scene.toml")
    with pytest.raises(FormatError, match="cannot be written as text"):
        save_scene(Scene(name="\ud800"), tmp_path / "scene.toml")
    assert list(tmp_path.iterdir()) == []


def test_furniture_stands_in_a_scene(shared_assets: Path, tmp_path: Path) -> None:
    names = ["armchair", "bed_double_A", "couch"]
    text = "".join(
        f'[[object]]\nname = "{name}"\nshape = {{ kind = "mesh", file = "{shared_assets.as_posix()}/kaykit_furniture/'
        f'{name}.gltf", scale = 0.5 }}\nat = [{n}, 0, 0]\n'
        for n, name in enumerate(names)
    )
    scene = loaded(tmp_path, text)
    for prop in scene.props():
        assert prop.vertices[:, 1].min() > -0.05
        assert 0.02 < np.ptp(prop.vertices, axis=0).max() < 3.0
