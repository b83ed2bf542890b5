from __future__ import annotations

import contextlib
import json
import re
import struct
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.rigs import OUTLINES, rig
from understudy.core.humanoid import REQUIRED_ROLES, ROLES, role_ancestors
from understudy.core.recognition import humanoid_from_mapping, humanoid_of
from understudy.core.recognition.joint_tree import JointTree
from understudy.core.recognition.mapping_file import load_mapping
from understudy.errors import FormatError, SkeletonError, UnderstudyError
from understudy.formats import load_motion

MANY_RIGS = pytest.mark.parametrize("name", OUTLINES)


def assert_respects_tree(found: dict[str, int], parents: list[int]) -> None:
    tree = JointTree(parents)
    assert len(set(found.values())) == len(found)
    for role, joint in found.items():
        for above in role_ancestors(role):
            if above in found:
                assert tree.is_above(found[above], joint), (above, role)
        if role.startswith("left"):
            assert not any(
                tree.is_above(joint, other) or tree.is_above(other, joint)
                for twin, other in found.items()
                if twin.startswith("right")
            )


@MANY_RIGS
def test_every_role_of_a_known_rig_is_found_and_no_other(name: str) -> None:
    names, parents, expected = rig(name)
    assert humanoid_of(names, parents) == expected
    assert set(REQUIRED_ROLES) <= set(expected)


@MANY_RIGS
@pytest.mark.parametrize(
    "spell",
    [
        str.upper,
        str.lower,
        lambda name: "take_3:" + name,
        lambda name: "Armature|" + name,
        lambda name: "Hero_" + name,
        lambda name: "Hero_v2_" + name,
        lambda name: name.replace("_", "-"),
    ],
    ids=["upper", "lower", "namespace", "pipe", "prefix", "two-prefixes", "dashes"],
)
def test_case_namespace_and_prefix_do_not_matter(name: str, spell: Callable[[str], str]) -> None:
    names, parents, expected = rig(name)
    assert humanoid_of([spell(joint) for joint in names], parents) == expected


@pytest.mark.parametrize("prefix", ["mixamorig:", "mixamorig1:", "mixamorig", "mixamorig_", "mixamorig9_"])
def test_mixamo_prefixes(prefix: str) -> None:
    names, parents, expected = rig("mixamo")
    assert humanoid_of([prefix + joint for joint in names], parents) == expected
    below_armature = humanoid_of(["Armature", *(prefix + j for j in names)], [-1, *(p + 1 for p in parents)])
    assert below_armature == {role: joint + 1 for role, joint in expected.items()}


@MANY_RIGS
@given(data=st.data())
@settings(max_examples=8)
def test_joint_order_does_not_matter(name: str, data: st.DataObject) -> None:
    names, parents, expected = rig(name)
    order = data.draw(st.permutations(range(len(names))))
    place = {joint: i for i, joint in enumerate(order)}
    shuffled = [-1 if parents[joint] < 0 else place[parents[joint]] for joint in order]
    found = humanoid_of([names[joint] for joint in order], shuffled)
    assert {role: order[joint] for role, joint in found.items()} == expected


def test_a_role_whose_joint_hangs_in_the_wrong_place_is_left_out() -> None:
    names, parents, expected = rig("lafan1")
    # The left collar bone is moved out of the arm: the arm stays, the optional collar bone goes.
    parents[names.index("LeftArm")] = names.index("Spine2")
    expected.pop("leftShoulder")
    assert humanoid_of(names, parents) == expected


def test_a_body_without_hands_keeps_the_rest() -> None:
    names, parents, expected = rig("lafan1")
    names = [f"thing{i}" if name in ("LeftHand", "RightHand") else name for i, name in enumerate(names)]
    expected = {role: joint for role, joint in expected.items() if not role.endswith("Hand")}
    assert humanoid_of(names, parents) == expected


@pytest.mark.parametrize("segments, expected", [(1, "s"), (2, "sc"), (3, "scu"), (4, "s-cu"), (7, "s--c--u")])
def test_spines_of_any_length(segments: int, expected: str) -> None:
    names, parents, _ = rig("lafan1")
    first, last = names.index("Spine"), names.index("Spine2")
    kept = [joint for joint in range(len(names)) if not first <= joint <= last]
    chain = [f"vertebra{i}" for i in range(segments)]
    new_names = chain + [names[joint] for joint in kept]
    index = {joint: i + segments for i, joint in enumerate(kept)} | {last: segments - 1, -1: -1}
    new_parents = [index[names.index("Hips")], *range(segments - 1)] + [index[parents[joint]] for joint in kept]
    found = humanoid_of(new_names, new_parents)
    letters = {found.get("spine"): "s", found.get("chest"): "c", found.get("upperChest"): "u"}
    assert "".join(letters.get(i, "-") for i in range(segments)) == expected


def test_all_recorded_clips_are_full_humanoids(shared_motion: Path) -> None:
    clips = sorted((shared_motion / "cmu_bvh").glob("*.bvh"))
    assert clips
    _, _, expected = rig("cmu")
    for clip in clips:
        names, parents = bvh_joints(clip.read_text())
        assert {role: names[joint] for role, joint in humanoid_of(names, parents).items()} == {
            role: rig("cmu")[0][joint] for role, joint in expected.items()
        }, clip.name


def test_recorded_people_are_recognised_without_their_names(cmu_bvh: Callable[[str], Path]) -> None:
    skeleton = load_motion(cmu_bvh("05_02")).skeleton
    points, _ = skeleton.rest_world
    nameless = humanoid_of([f"n{i}" for i in range(len(skeleton))], skeleton.parents.tolist(), points)
    assert nameless == skeleton.humanoid


def bvh_joints(text: str) -> tuple[list[str], list[int]]:
    names: list[str] = []
    parents: list[int] = []
    stack: list[int] = [-1]
    pending = -1
    for match in re.finditer(r"(?:ROOT|JOINT)\s+(\S+)|(End Site)|(\{)|(\})", text):
        if match[1]:
            parents.append(stack[-1])
            names.append(match[1])
            pending = len(names) - 1
        elif match[2]:
            pending = stack[-1]
        elif match[3]:
            stack.append(pending)
        else:
            stack.pop()
    return names, parents


# Shape -----------------------------------------------------------------------------------------------------


def figure(*, arm: int = 3, collar: bool = True, toes: bool = True, head: int = 2, spine: int = 2):
    """A T-posed figure of 1.7 m without telling names; returns names, parents, positions and its roles."""
    parents: list[int] = []
    points: list[tuple[float, float, float]] = []
    roles: dict[str, int] = {}

    def add(parent: int, point: tuple[float, float, float], role: str = "") -> int:
        parents.append(parent)
        points.append(point)
        if role:
            roles[role] = len(points) - 1
        return len(points) - 1

    hips = add(-1, (0, 0.95, 0), "hips")
    for side, x in (("right", -1), ("left", 1)):
        joint = add(hips, (x * 0.09, 0.9, 0), f"{side}UpperLeg")
        joint = add(joint, (x * 0.1, 0.48, 0.01), f"{side}LowerLeg")
        joint = add(joint, (x * 0.1, 0.08, 0), f"{side}Foot")
        if toes:
            add(joint, (x * 0.1, 0.02, 0.14), f"{side}Toes")
    joint = hips
    for step in range(spine):
        names = {1: ["spine"], 2: ["spine", "chest"], 3: ["spine", "chest", "upperChest"]}[spine]
        joint = add(joint, (0, 0.95 + 0.4 * (step + 1) / spine, 0), names[step])
    chest = joint
    for side, x in (("right", -1), ("left", 1)):
        joint = chest
        if collar:
            joint = add(joint, (x * 0.05, 1.4, 0), f"{side}Shoulder")
        joint = add(joint, (x * 0.18, 1.4, 0), f"{side}UpperArm")
        joint = add(joint, (x * 0.45, 1.4, -0.01), f"{side}LowerArm")
        joint = add(joint, (x * 0.7, 1.4, 0), f"{side}Hand")
        for finger in range(arm):
            tip = add(joint, (x * 0.78, 1.4, 0.03 * finger))
            add(tip, (x * 0.82, 1.4, 0.03 * finger))
    joint = chest
    for step in range(head):
        role = "head" if step == head - 1 else "neck" if step == 0 else ""
        joint = add(joint, (0, 1.45 + 0.25 * (step + 1) / head, 0), role)
    return [f"node{i}" for i in range(len(points))], parents, np.array(points), roles


@pytest.mark.parametrize("fingers", [0, 1, 3, 5])
@pytest.mark.parametrize("collar", [True, False])
@pytest.mark.parametrize("toes", [True, False])
@pytest.mark.parametrize("head", [1, 2, 3])
@pytest.mark.parametrize("spine", [1, 3])
def test_unnamed_figures_are_recognised_by_shape(fingers: int, collar: bool, toes: bool, head: int, spine: int) -> None:
    names, parents, points, expected = figure(arm=fingers, collar=collar, toes=toes, head=head, spine=spine)
    assert humanoid_of(names, parents) == {}
    found = humanoid_of(names, parents, points)
    assert found == {role: expected[role] for role in ROLES if role in expected}


@pytest.mark.parametrize("fingers", [3, 5])
@pytest.mark.parametrize("shares", [(0.5,), (0.33, 0.66), (0.1,)])
def test_limbs_of_several_bones_are_recognised_by_shape(fingers: int, shares: tuple[float, ...]) -> None:
    names, parents, points, expected = figure(arm=fingers)
    for side in ("left", "right"):
        for upper, lower in (
            ("UpperLeg", "LowerLeg"),
            ("LowerLeg", "Foot"),
            ("UpperArm", "LowerArm"),
            ("LowerArm", "Hand"),
        ):
            above, end = expected[side + upper], expected[side + lower]
            start = points[above].copy()
            for share in shares:
                points = np.vstack([points, start + share * (points[end] - start)])
                names, parents = [*names, f"node{len(names)}"], [*parents, above]
                above = len(names) - 1
            parents[end] = above
    found = humanoid_of(names, parents, points)
    assert found == {role: expected[role] for role in ROLES if role in expected}


def test_makehumans_old_rig_with_joints_in_front_of_limbs() -> None:
    rows = [("Root", ""), ("Spine1", "Root"), ("Spine2", "Spine1"), ("Spine3", "Spine2"), ("Neck", "Spine3")]
    rows += [("Head", "Neck"), ("Hips", "Root")]
    for side in ("_L", "_R"):
        for limb in ("Spine3 __Clavicle Clavicle UpArm LoArm Hand", "Hips __UpLeg UpLeg LoLeg Foot Toe"):
            first, *bones = limb.split()
            chain = [first, *(bone + side for bone in bones)]
            rows += [(bone, above) for above, bone in pairwise(chain)]
    names = [name for name, _ in rows]
    found = humanoid_of(names, [names.index(above) if above else -1 for _, above in rows])
    assert names[found["leftUpperLeg"]] == "UpLeg_L" and names[found["rightLowerLeg"]] == "LoLeg_R"
    assert names[found["leftUpperArm"]] == "UpArm_L" and names[found["leftShoulder"]] == "Clavicle_L"


@given(
    scale=st.floats(1e-3, 1e3),
    shift=st.tuples(*[st.floats(-50, 50)] * 3),
    yaw=st.floats(-1.4, 1.4),
)
@settings(max_examples=30)
def test_shape_does_not_depend_on_size_place_or_a_turn_short_of_sideways(scale, shift, yaw) -> None:
    names, parents, points, expected = figure()
    turn = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    found = humanoid_of(names, parents, points @ turn.T * scale + np.array(shift) * scale)
    assert found == {role: expected[role] for role in ROLES if role in expected}


def test_side_words_win_over_place() -> None:
    names, parents, points, expected = figure()
    # The figure faces -Z: what lies on +X is now its right side, and only names can tell.
    turned = points * np.array([-1.0, 1.0, -1.0])
    legs = {expected[f"{side}UpperLeg"]: f"limb_{side[0].upper()}" for side in ("left", "right")}
    said = [legs.get(i, name) for i, name in enumerate(names)]
    ordered = {role: expected[role] for role in ROLES if role in expected}
    assert humanoid_of(said, parents, turned) == ordered
    assert humanoid_of(names, parents, turned) != ordered


def test_khronos_figures(shared_assets: Path) -> None:
    for asset, prefix in (("CesiumMan", "Skeleton_"), ("RiggedFigure", "")):
        names, parents, points = glb_joints(shared_assets / "khronos" / asset / f"{asset}.glb")
        found = {role: names[joint] for role, joint in humanoid_of(names, parents, points).items()}
        assert found["hips"] == f"{prefix}torso_joint_1"
        assert found["spine"] == f"{prefix}torso_joint_2"
        assert found["chest"] == "torso_joint_3"
        assert (found["neck"], found["head"]) == (f"{prefix}neck_joint_1", f"{prefix}neck_joint_2")
        for side, letter in (("left", "L"), ("right", "R")):
            legs = [found[f"{side}{part}"] for part in ("UpperLeg", "LowerLeg", "Foot", "Toes")]
            assert legs == [f"leg_joint_{letter}_{number}" for number in (1, 2, 3, 5)]
            arms = [found[f"{side}{part}"] for part in ("UpperArm", "LowerArm", "Hand")]
            if asset == "RiggedFigure":
                assert arms == [f"arm_joint_{letter}_{number}" for number in (1, 2, 3)]
            else:
                ends = ("__4_", "__3_", "__2_") if letter == "L" else ("", "__2_", "__3_")
                assert arms == [f"Skeleton_arm_joint_{letter}{end}" for end in ends]
        assert_respects_tree(humanoid_of(names, parents, points), parents)


def glb_joints(path: Path) -> tuple[list[str], list[int], np.ndarray]:
    """Joints of the first skin with rest positions in the world; a plain reading independent of formats.glb."""
    data = path.read_bytes()
    document = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    nodes = document["nodes"]
    parent_of = {child: i for i, node in enumerate(nodes) for child in node.get("children", ())}

    def local(node: dict) -> np.ndarray:
        if "matrix" in node:
            return np.array(node["matrix"]).reshape(4, 4).T
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        matrix = np.eye(4)
        matrix[:3, :3] = turn * np.array(node.get("scale", (1, 1, 1)))
        matrix[:3, 3] = node.get("translation", (0, 0, 0))
        return matrix

    def world(i: int) -> np.ndarray:
        return local(nodes[i]) if i not in parent_of else world(parent_of[i]) @ local(nodes[i])

    joints = document["skins"][0]["joints"]
    place = {joint: i for i, joint in enumerate(joints)}
    parents = [place.get(parent_of.get(joint, -1), -1) for joint in joints]
    return [nodes[j]["name"] for j in joints], parents, np.array([world(j)[:3, 3] for j in joints])


# What is no humanoid ---------------------------------------------------------------------------------------


def test_a_chain_a_spider_and_a_dog_are_no_humanoids() -> None:
    chain = [f"Bone.{i:03}" for i in range(20)]
    up = np.stack([np.zeros(20), np.arange(20.0), np.zeros(20)], axis=1)
    assert humanoid_of(chain, list(range(-1, 19)), up) == {}
    names, parents, points = ["body", "head"], [-1, 0], [(0, 1.0, 0), (0, 1.3, 0.5)]
    for leg in range(8):
        x, z = (1 if leg % 2 else -1), leg // 2 - 1.5
        for step, (out, y) in enumerate([(0.3, 1.0), (0.8, 1.5), (1.5, 0.7), (2.0, 0.0)]):
            parents.append(0 if step == 0 else len(names) - 1)
            names.append(f"leg{leg}_{step}")
            points.append((x * out, y, z))
    assert humanoid_of(names, parents, np.array(points)) == {}
    dog_names, dog_parents, dog_points, _ = figure(arm=0)
    dog_points[:, [1, 2]] = np.stack([dog_points[:, 1] * 0.2 + 0.5, dog_points[:, 1]], axis=1)
    for joint, name in enumerate(dog_names):
        if not any(parent == joint for parent in dog_parents) and name != dog_names[-1]:
            dog_points[joint, 1] = 0.0
    assert humanoid_of(dog_names, dog_parents, dog_points) == {}


NAME_PIECES = st.sampled_from(sorted({name for rig_name in OUTLINES for name in rig(rig_name)[0]}))


@given(data=st.data(), count=st.integers(0, 60))
@settings(max_examples=150)
def test_any_names_on_any_tree_never_raise_and_respect_it(data: st.DataObject, count: int) -> None:
    names = data.draw(st.lists(NAME_PIECES | st.text(max_size=8), min_size=count, max_size=count))
    parents = [data.draw(st.integers(-1 if i == 0 else 0, max(i - 1, -1))) if i else -1 for i in range(count)]
    seed = data.draw(st.integers(0, 1000))
    points = np.random.default_rng(seed).normal(size=(count, 3))
    for positions in (None, points):
        assert_respects_tree(humanoid_of(names, parents, positions), parents)


@MANY_RIGS
@given(seed=st.integers(0, 10_000), moves=st.integers(1, 6))
@settings(max_examples=10)
def test_broken_rigs_still_respect_the_tree(name: str, seed: int, moves: int) -> None:
    names, parents, _ = rig(name)
    rng = np.random.default_rng(seed)
    for joint in rng.integers(1, len(names), size=moves):
        parents[joint] = int(rng.integers(0, joint))
    points = rng.normal(size=(len(names), 3))
    assert_respects_tree(humanoid_of(names, parents), parents)
    assert_respects_tree(humanoid_of(names, parents, points), parents)


@pytest.mark.parametrize("parents", [[1, 0], [0], [5], [-1, 9], [-1]])
def test_no_tree_is_no_humanoid(parents: list[int]) -> None:
    assert humanoid_of(["Hips", "Spine"][: len(parents)], parents) == {}
    assert humanoid_of(["Hips"], [-1, 0]) == {}


def test_positions_that_are_no_numbers_are_no_shape() -> None:
    names, parents, points, _ = figure()
    assert humanoid_of(names, parents, np.full_like(points, np.nan)) == {}
    assert humanoid_of(names, parents, points[:-1]) == {}
    assert humanoid_of(names, parents, np.zeros_like(points)) == {}


# Mappings --------------------------------------------------------------------------------------------------


def test_a_mapping_gives_indices() -> None:
    assert humanoid_from_mapping({"head": "b", "hips": "a"}, ["a", "b", "c"]) == {"hips": 0, "head": 1}


@pytest.mark.parametrize(
    "mapping, message",
    [
        ({"hisp": "a"}, 'did you mean "hips"'),
        ({"hips": "Pelvsi"}, 'did you mean "Pelvis"'),
        ({"hips": "Pelvis", "spine": "Pelvis"}, 'both "hips" and "spine"'),
    ],
)
def test_a_wrong_mapping_names_the_nearest(mapping: dict[str, str], message: str) -> None:
    with pytest.raises(SkeletonError, match=message):
        humanoid_from_mapping(mapping, ["Pelvis", "Head"])


def test_mapping_files_in_both_languages(tmp_path: Path) -> None:
    toml, as_json = tmp_path / "m.toml", tmp_path / "m.json"
    toml.write_text('# my rig\nhips = "Bone.001"\nleftHand = \'Hånd "L"\'\n', encoding="utf-8")
    expected = {"hips": "Bone.001", "leftHand": 'Hånd "L"'}
    as_json.write_text(json.dumps(expected))
    assert load_mapping(toml) == load_mapping(str(as_json)) == expected


@pytest.mark.parametrize(
    "name, text, line, message",
    [
        ("a.toml", 'hips = "a"\nspine = \n', 2, "not valid TOML"),
        ("a.toml", 'hips = "a"\n\nhisp = "b"\n', 3, 'did you mean "hips"'),
        ("a.toml", 'hips = "a"\nspine = 4\n', 2, "joint name in quotes"),
        ("a.toml", 'hips = "a"\n[spine]\nx = 1\n', 2, "joint name in quotes"),
        ("a.toml", 'hips = "a"\nhips = "b"\n', 2, "not valid TOML"),
        ("a.json", '{\n"hips": "a",\n}', 3, "not valid JSON"),
        ("a.json", '{"hips": "a",\n"hips": "b"}', 2, "given twice"),
        ("a.json", '{"hips": "a",\n"spin": "b"}', 2, 'did you mean "spine"'),
        ("a.json", '["hips"]', 1, "is a table of keys"),
        ("a.json", "[" * 100_000, None, "nested too deeply"),
        ("a.toml", "hips = " + "[" * 5000 + "]" * 5000, None, "a.toml"),
        ("a.txt", "hips", None, "end in .toml or .json"),
        ("a.toml", "#" * (1 << 20) + "\n", None, "larger than 1 MiB"),
    ],
)
def test_faults_in_mapping_files_have_a_line(
    tmp_path: Path, name: str, text: str, line: int | None, message: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        load_mapping(path)
    assert caught.value.line == line


def test_unreadable_mapping_files(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such file"):
        load_mapping(tmp_path / "none.toml")
    with pytest.raises(FormatError):
        load_mapping(tmp_path.with_suffix(".toml"))
    (tmp_path / "b.toml").write_bytes(b'hips = "a"\nhead = "\xff"\n')
    with pytest.raises(FormatError, match="not UTF-8") as caught:
        load_mapping(tmp_path / "b.toml")
    assert caught.value.line == 2


@given(raw=st.binary(max_size=60) | st.text(max_size=60).map(str.encode), suffix=st.sampled_from(["toml", "json"]))
@settings(max_examples=100)
def test_any_mapping_file_loads_or_is_refused(tmp_path_factory, raw: bytes, suffix: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"fuzz.{suffix}"
    path.write_bytes(raw)
    with contextlib.suppress(UnderstudyError):
        load_mapping(path)
