"""Acclaim files against their BVH twins, and damaged ones."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from acclaim_files import AMC, ASF
from understudy.core import Motion
from understudy.errors import FormatError
from understudy.formats import ReadOptions, load_motion

TWINS = ("11_01", "35_01", "49_20")
LOWER = {
    **{"root": "Hips", "lowerback": "LowerBack", "upperback": "Spine", "thorax": "Spine1"},
    **{
        "lhipjoint": "LHipJoint",
        "lfemur": "LeftUpLeg",
        "ltibia": "LeftLeg",
        "lfoot": "LeftFoot",
        "ltoes": "LeftToeBase",
    },
    **{"rhipjoint": "RHipJoint", "rfemur": "RightUpLeg", "rtibia": "RightLeg", "rfoot": "RightFoot"},
    **{"rtoes": "RightToeBase"},
}
UPPER = {
    **{"lowerneck": "Neck", "upperneck": "Neck1", "head": "Head"},
    **{"lclavicle": "LeftShoulder", "lhumerus": "LeftArm", "lradius": "LeftForeArm", "lwrist": "LeftHand"},
    **{"rclavicle": "RightShoulder", "rhumerus": "RightArm", "rradius": "RightForeArm", "rwrist": "RightHand"},
    **{"lhand": "LeftFingerBase", "lfingers": "LeftHandIndex1", "lthumb": "LThumb"},
    **{"rhand": "RightFingerBase", "rfingers": "RightHandIndex1", "rthumb": "RThumb"},
}


def farthest_mm(acclaim: Motion, bvh: Motion, pairs: dict[str, str]) -> float:
    assert len(acclaim) == len(bvh)
    ours = [acclaim.skeleton.index(name) for name in pairs]
    theirs = [bvh.skeleton.index(name) for name in pairs.values()]
    worst = 0.0
    for frame in range(0, len(bvh), 5):
        a = acclaim.skeleton.placed_joints(acclaim.root_positions[frame], acclaim.rotations[frame])[0][ours]
        b = bvh.skeleton.placed_joints(bvh.root_positions[frame], bvh.rotations[frame])[0][theirs]
        worst = max(worst, float(np.linalg.norm(a - b, axis=1).max()))
    return 1000 * worst


@pytest.mark.parametrize("name", TWINS)
def test_lower_body_agrees_with_the_bvh_twin(shared_motion: Path, cmu_bvh: Callable[[str], Path], name: str) -> None:
    acclaim = load_motion(shared_motion / "cmu_asfamc" / f"{name}.amc")
    assert farthest_mm(acclaim, load_motion(cmu_bvh(name)), LOWER) < 1.0
    assert acclaim.skeleton.is_humanoid and acclaim.fps == 120.0
    assert acclaim.origin.unit_m == pytest.approx(0.0254 / 0.45) and not acclaim.origin.unit_guessed


@pytest.mark.parametrize("name", TWINS)
def test_whole_body_agrees_with_bones_put_back_and_with_them_taken_out(
    shared_motion: Path, cmu_bvh: Callable[[str], Path], name: str, tmp_path: Path
) -> None:
    """The BVH conversion gave joints after a fork no offset: it lost the lengths of thorax and wrists."""
    folder = shared_motion / "cmu_asfamc"
    original = load_motion(folder / f"{name}.amc")
    # Hands turn with less than a millimetre at their ends because both are steadied alike.
    assert farthest_mm(original, load_motion(cmu_bvh(name)), LOWER | UPPER) < 6.0
    asf = folder / f"{name.split('_')[0]}.asf"
    text = asf.read_text()
    for bone in ("thorax", "lwrist", "rwrist"):
        text, count = re.subn(rf"(name {bone}\b.*?length )\S+", r"\g<1>0.0", text, count=1, flags=re.DOTALL)
        assert count == 1
    (tmp_path / asf.name).write_text(text)
    shutil.copy(folder / f"{name}.amc", tmp_path)
    as_it_is = ReadOptions(bones="keep")
    short = load_motion(tmp_path / f"{name}.amc", options=as_it_is)
    assert farthest_mm(short, load_motion(cmu_bvh(name), options=as_it_is), LOWER | UPPER) < 1.0
    both = {bone: bone for bone in (*LOWER, *UPPER)}
    assert farthest_mm(original, load_motion(tmp_path / f"{name}.amc"), both) < 6.0


def pair(folder: Path, asf: str = ASF, amc: str = AMC) -> Path:
    (folder / "07.asf").write_text(asf)
    path = folder / "07_02.amc"
    path.write_text(amc)
    return path


def test_a_bone_turns_about_its_own_axes(tmp_path: Path) -> None:
    """Matrices by hand: bone ``b`` starts at the end of ``a``, and ``a`` turns by C Rz Ry Rx C^-1."""
    motion = load_motion(pair(tmp_path), options=ReadOptions(unit_m=1.0, up="y"))

    def about(axis: int, degrees: float) -> np.ndarray:
        c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
        i, j = (axis + 1) % 3, (axis + 2) % 3
        matrix = np.eye(3)
        matrix[[i, j], [i, j]] = c
        matrix[i, j], matrix[j, i] = -s, s
        return matrix

    def fixed(x: float, y: float, z: float) -> np.ndarray:
        return about(2, z) @ about(1, y) @ about(0, x)

    root, own_a, own_b = fixed(4, 5, 6), fixed(0, 0, 20), fixed(10, 0, 20)
    world_a = root @ own_a @ fixed(1, 2, 3) @ own_a.T
    start_b = np.array([1, 2, 3]) + world_a @ [2, 0, 0]
    end_b = start_b + world_a @ own_b @ fixed(9, 0, 0) @ own_b.T @ [0, 3, 0]
    at, turns = motion.skeleton.placed_joints(motion.root_positions[0], motion.rotations[0])
    np.testing.assert_allclose(at, [[1, 2, 3], [1, 2, 3], start_b], atol=1e-12)
    np.testing.assert_allclose(motion.skeleton.tip_positions(at, turns), [end_b], atol=1e-12)


def test_radians(tmp_path: Path) -> None:
    numbers = re.compile(r"^(\w+) (.*)$")
    lines = []
    for line in AMC.replace(":DEGREES", ":RADIANS").split("\n"):
        match = numbers.match(line)
        if match:
            values = [float(word) for word in match[2].split()]
            start = 3 if match[1] == "root" else 0
            values[start:] = [float(np.deg2rad(value)) for value in values[start:]]
            line = f"{match[1]} " + " ".join(repr(value) for value in values)
        lines.append(line)
    degrees = load_motion(pair(tmp_path))
    radians = load_motion(pair(tmp_path, amc="\n".join(lines)))
    np.testing.assert_allclose(radians.rotations, degrees.rotations, atol=1e-12)


def test_finding_the_skeleton(tmp_path: Path) -> None:
    path = tmp_path / "12_03.amc"
    path.write_text(AMC)
    with pytest.raises(FormatError, match=r"no skeleton beside it; put 12_03\.asf or 12\.asf"):
        load_motion(path)
    (tmp_path / "any.asf").write_text(ASF)
    assert "skeleton from any.asf" in load_motion(path).origin.notes
    (tmp_path / "other.asf").write_text(ASF)
    with pytest.raises(FormatError, match="no skeleton"):
        load_motion(path)
    (tmp_path / "12.ASF").write_text(ASF)
    assert "skeleton from 12.ASF" in load_motion(path).origin.notes
    (tmp_path / "12_03.asf").write_text(ASF)
    assert "skeleton from 12_03.asf" in load_motion(path).origin.notes


@pytest.mark.parametrize(
    ("asf", "amc", "said"),
    [
        ("", AMC, "07.asf:1: the file is empty"),
        (ASF, "", "07_02.amc:1: the file is empty"),
        ("hello", AMC, "not an ASF file"),
        (ASF.split(":hierarchy")[0], AMC, "no hierarchy"),
        (ASF.replace("a b\n", "a c\n"), AMC, 'unknown bone "c"'),
        (ASF.replace("root a\n", "root a b\n"), AMC, "two parents"),
        (ASF.replace("root a\n    a b\n", "b a\n    a b\n"), AMC, "cycle"),
        (ASF.replace("root a\n", "root b\n").replace("    a b\n", ""), AMC, 'bone "a" is not in the hierarchy'),
        (ASF.replace("name b", "name a"), AMC, 'two bones are called "a"'),
        (ASF.replace("dof rx\n", "dof rw\n"), AMC, 'degree of freedom "rw"'),
        (ASF.replace("direction 0 1 0", "direction 0 1"), AMC, "expected 3 numbers, got 2"),
        (ASF.replace("length 0.45", "length 0"), AMC, "must be positive"),
        (ASF, AMC.replace("b 9", "b nan"), "07_02.amc:7:"),
        (ASF, AMC.replace("b 8", "b x"), "07_02.amc:11:"),
        (ASF, AMC.replace("b 9", "b 9 9"), "needs 1 values, got 2"),
        (ASF, AMC.replace("b 9", "c 9"), 'unknown bone "c"'),
        (ASF, AMC.replace("b 9", "a 1 2 3"), "twice"),
        (ASF, AMC.replace("b 9\n", ""), "has 9 of 10 values"),
        (ASF, AMC.split("\n1\n")[0], "no frames"),
        (ASF, AMC.replace("1\nroot", "root", 1), "before the first frame"),
    ],
)
def test_bad_files(tmp_path: Path, asf: str, amc: str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        load_motion(pair(tmp_path, asf, amc))
    assert said in str(caught.value) and "\n" not in str(caught.value)
