from __future__ import annotations

import contextlib
import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import FormatError, UnderstudyError
from understudy.formats import ReadOptions, load_motion, load_motions, save_motion
from understudy.formats.smpl_skeleton import smpl_skeleton


def random_motion(frames: int = 5, joints: int = 4, seed: int = 0, name: str = "walk") -> Motion:
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(
        names=tuple(f"Bein, «{i}»" for i in range(joints)),
        parents=np.array([-1, *(rng.integers(0, i) for i in range(1, joints))]),
        offsets=rng.normal(size=(joints, 3)),
        rest_rotations=rot.exp(rng.normal(size=(joints, 3))),
        tip_joints=np.array([joints - 1]),
        tip_offsets=rng.normal(size=(1, 3)),
        humanoid={"hips": 0, "spine": 1} if joints > 1 else {},
    )
    return Motion(
        skeleton=skeleton,
        fps=float(rng.uniform(20, 240)),
        root_positions=rng.normal(size=(frames, 3)) * 10.0 ** rng.integers(-300, 4, size=(frames, 3)),
        rotations=rot.exp(rng.normal(size=(frames, joints, 3))),
        name=name,
    )


def assert_same_bits(one: Motion, two: Motion) -> None:
    for key in ("root_positions", "rotations"):
        assert getattr(one, key).tobytes() == getattr(two, key).tobytes()
    for key in ("parents", "offsets", "rest_rotations", "tip_joints", "tip_offsets"):
        assert getattr(one.skeleton, key).tobytes() == getattr(two.skeleton, key).tobytes()
    assert one.skeleton.names == two.skeleton.names
    assert dict(one.skeleton.humanoid) == dict(two.skeleton.humanoid)
    assert (one.fps, one.name) == (two.fps, two.name)


@given(
    frames=st.integers(1, 40),
    joints=st.integers(1, 12),
    seed=st.integers(0, 1000),
    name=st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
@settings(max_examples=40)
def test_a_motion_comes_back_bit_for_bit(tmp_path_factory, frames: int, joints: int, seed: int, name: str) -> None:
    path = tmp_path_factory.getbasetemp() / "round.npz"
    motion = random_motion(frames, joints, seed, name.rstrip("\0"))
    save_motion(motion, path)
    assert_same_bits(motion, load_motion(path))


def test_large_arrays_are_mapped_aligned_and_read_only(tmp_path: Path) -> None:
    motion = random_motion(frames=3000, joints=9)
    save_motion(motion, tmp_path / "long.npz")
    back = load_motion(tmp_path / "long.npz")
    assert_same_bits(motion, back)
    assert not back.rotations.flags.owndata and not back.rotations.flags.writeable
    assert back.rotations.ctypes.data % 64 == 0
    base = back.rotations
    while isinstance(base.base, np.ndarray):
        base = base.base
    assert isinstance(base, np.memmap)


def test_a_mapped_motion_can_be_saved_over_its_own_file(tmp_path: Path) -> None:
    motion = random_motion(frames=3000, joints=9)
    path = save_motion(motion, tmp_path / "long.npz")
    save_motion(load_motion(path).frames(10, 2990), path)
    assert_same_bits(motion.frames(10, 2990), load_motion(path))


def test_plain_numpy_reads_the_file_too_and_bytes_do_not_depend_on_the_hour(tmp_path: Path) -> None:
    motion = random_motion(frames=700, joints=6)
    first, second = (save_motion(motion, tmp_path / f"{n}.npz").read_bytes() for n in "ab")
    assert first == second
    with np.load(io.BytesIO(first), allow_pickle=False) as arrays:
        assert arrays["understudy_motion"] == 1
        assert np.array_equal(arrays["m0_rotations"], motion.rotations)
        assert arrays["m0_names"].tolist() == list(motion.skeleton.names)
    assert zipfile.ZipFile(io.BytesIO(first)).testzip() is None


def test_several_motions_and_takes(tmp_path: Path) -> None:
    motions = [random_motion(frames=n + 1, joints=n + 1, seed=n, name=f"take {n}") for n in range(3)]
    path = save_motion(motions, tmp_path / "many.npz")
    for before, after in zip(motions, load_motions(path), strict=True):
        assert_same_bits(before, after)
    assert_same_bits(motions[2], load_motion(path, options=ReadOptions(take="take 2")))
    with pytest.raises(FormatError, match="holds no motion"):
        load_motion(path, options=ReadOptions(take="tak 2"))


def test_options_override_rate_and_roles(tmp_path: Path) -> None:
    path = save_motion(random_motion(), tmp_path / "a.npz")
    name = load_motion(path).skeleton.names[3]
    motion = load_motion(path, options=ReadOptions(fps=12.5, mapping={"hips": name}))
    assert motion.fps == 12.5 and dict(motion.skeleton.humanoid) == {"hips": 3}


def test_names_that_arrays_cannot_hold_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    for name in ("a\0", "\ud800"):
        with pytest.raises(FormatError, match="NUL"):
            save_motion(random_motion(name=name), tmp_path / "a.npz")
    assert list(tmp_path.iterdir()) == []


def rewritten(path: Path, **changes: np.ndarray | None) -> Path:
    """The same archive with arrays replaced, or left out where ``None``."""
    with np.load(path) as old:
        arrays = {key: old[key] for key in old.files}
    arrays.update(changes)
    np.savez(path, **{key: array for key, array in arrays.items() if array is not None})
    return path


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"understudy_motion": np.array(2)}, "version 2"),
        ({"understudy_motion": np.array("1")}, "type"),
        ({"motion_count": np.array(10**9)}, "holds 1000000000 motions, which cannot be"),
        ({"motion_count": np.array(2)}, '"m1_rotations" is missing'),
        ({"motion_count": np.array(0)}, "holds 0 motions, which cannot be"),
        ({"m0_rotations": None}, '"m0_rotations" is missing'),
        ({"m0_rotations": np.zeros((5, 4, 4))}, "zero quaternion"),
        ({"m0_rotations": np.full((5, 4, 4), np.nan)}, "not finite"),
        ({"m0_rotations": np.zeros((5, 4))}, "shape"),
        ({"m0_rotations": np.zeros((5, 4, 4), dtype=complex)}, "type complex128"),
        ({"m0_root_positions": np.zeros((6, 3))}, "shape"),
        ({"m0_fps": np.array(-1.0)}, "fps"),
        ({"m0_parents": np.array([-1, 0, 3, 1])}, "parent"),
        ({"m0_parents": np.array([-1, 0, 1])}, "shape"),
        ({"m0_names": np.array(["a", "a", "b", "c"])}, "unique"),
        ({"m0_names": np.array(["a", "b", "c", None], dtype=object)}, "pickled Python objects"),
        ({"m0_names": np.array([[0x110000], [1], [2], [3]], dtype="<u4").view("<U1")[:, 0]}, "do not exist"),
        ({"m0_roles": np.array([[0xD800], [1]], dtype=">u4").view(">U1")[:, 0]}, "do not exist"),
        ({"m0_roles": np.array(["hisp", "spine"])}, 'did you mean "hips"'),
        ({"m0_role_joints": np.array([0, 44])}, "joint 44"),
        ({"m0_tip_joints": np.array([9])}, "does not exist"),
    ],
)
def test_other_contents_are_refused_with_a_reason(tmp_path: Path, changes: dict, message: str) -> None:
    path = rewritten(save_motion(random_motion(), tmp_path / "a.npz"), **changes)
    with pytest.raises(FormatError, match=message) as caught:
        load_motion(path)
    assert caught.value.path == path


def test_float32_and_fortran_order_are_read(tmp_path: Path) -> None:
    motion = random_motion()
    path = save_motion(motion, tmp_path / "a.npz")
    rewritten(path, m0_rotations=np.asfortranarray(motion.rotations.astype(np.float32)))
    assert np.allclose(load_motion(path).rotations, motion.rotations, atol=1e-6)
    rewritten(path, m0_rotations=motion.rotations.astype(">f8"))
    assert np.allclose(load_motion(path).rotations, motion.rotations, atol=1e-15)


def test_a_strange_archive_says_what_it_holds(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", weights=np.zeros(3))
    with pytest.raises(FormatError, match=r"neither an Understudy archive.*it holds weights"):
        load_motion(tmp_path / "a.npz")
    (tmp_path / "b.npz").write_bytes(b"")
    (tmp_path / "c.npz").write_bytes(b"BVH this is not")
    with zipfile.ZipFile(tmp_path / "d.npz", "w") as archive:
        archive.writestr("readme.txt", "hello")
    for name, message in (("b", "damaged, or not an npz"), ("c", "damaged, or not an npz"), ("d", "holds nothing")):
        with pytest.raises(FormatError, match=message):
            load_motion(tmp_path / f"{name}.npz")
    with pytest.raises(FormatError, match="no such file"):
        load_motion(tmp_path / "none.npz")


def npy_claiming(shape: str, dtype: str = "<f8", payload: bytes = b"") -> bytes:
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + payload


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize(
    "member",
    [
        npy_claiming("(1000000000000, 1, 4)"),
        npy_claiming("(1000000000000, 1, 4)", payload=bytes(64)),
        npy_claiming("(10, 1, 4)", payload=bytes(319)),
        npy_claiming("(10, 1, 4)", payload=bytes(321)),
        npy_claiming("(-1, 1, 4)"),
        npy_claiming("(0, 1, 4)"),
        npy_claiming("(1000000000000, 1000000000000, 4)", "<U0"),
        npy_claiming("(2, 1, 4)", "(1000000000,)<f8"),
        npy_claiming("(" + "1," * 5000 + ")"),
        npy_claiming("(" * 60),
        npy_claiming("(2, True, 4)"),
    ],
    ids=range(11),
)
def test_claims_the_file_cannot_hold_are_refused(tmp_path: Path, packing: int, member: bytes) -> None:
    path = save_motion(random_motion(), tmp_path / "a.npz")
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in {**members, "m0_rotations.npy": member}.items():
            archive.writestr(name, data)
    with pytest.raises(FormatError):
        load_motion(path)


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """Four GiB of zeros shrink to 4 MiB; the reader must say no from the sizes alone."""
    path = save_motion(random_motion(), tmp_path / "a.npz")
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    small = npy_claiming("(2, 4, 4)", payload=bytes(256))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**members, "m0_rotations.npy": small}.items():
            archive.writestr(name, data)
    raw = bytearray(path.read_bytes())
    entry = raw.rindex(b"PK\x01\x02", 0, raw.rindex(b"m0_rotations.npy"))
    struct.pack_into("<I", raw, entry + 24, 0xFFFFFFF0)
    path.write_bytes(raw)
    with pytest.raises(FormatError):
        load_motion(path)


@pytest.mark.parametrize("frames", [5, 3000])
def test_a_flipped_bit_in_the_data_is_noticed(tmp_path: Path, frames: int) -> None:
    path = save_motion(random_motion(frames=frames), tmp_path / "a.npz")
    raw = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("m0_rotations.npy")
    raw[info.header_offset + 200 + info.file_size // 2] ^= 1
    path.write_bytes(raw)
    with pytest.raises(FormatError, match=r"CRC|checksum"):
        load_motion(path)


WHOLE: dict[str, bytes] = {}


def whole_file(kind: str, folder: Path) -> bytes:
    """Bytes of a good file of either kind, made once."""
    if kind not in WHOLE:
        path = folder / f"{kind}.npz"
        if kind == "own":
            save_motion(random_motion(frames=3, joints=3), path)
        else:
            packed = np.savez_compressed if kind == "packed amass" else np.savez
            packed(path, poses=np.zeros((3, 66)), trans=np.zeros((3, 3)), mocap_framerate=120.0, gender="male")
        WHOLE[kind] = path.read_bytes()
    return WHOLE[kind]


@pytest.mark.parametrize("kind", ["own", "amass", "packed amass"])
@given(data=st.data())
@settings(max_examples=250)
def test_mutated_files_load_or_are_refused(tmp_path_factory, kind: str, data: st.DataObject) -> None:
    folder = tmp_path_factory.getbasetemp()
    raw = bytearray(whole_file(kind, folder))
    for _ in range(data.draw(st.integers(0, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.none() | st.integers(0, len(raw)))
    path = folder / "mutated.npz"
    path.write_bytes(raw if cut is None else raw[:cut])
    with contextlib.suppress(UnderstudyError):
        load_motions(path)


@given(data=st.data())
@settings(max_examples=150)
def test_mutated_array_headers_load_or_are_refused(tmp_path_factory, data: st.DataObject) -> None:
    """Mutations inside members with the checksums put right, which random bytes in the file never reach."""
    folder = tmp_path_factory.getbasetemp()
    with zipfile.ZipFile(io.BytesIO(whole_file("own", folder))) as old:
        members = {name: bytearray(old.read(name)) for name in old.namelist()}
    for _ in range(data.draw(st.integers(1, 4))):
        raw = members[data.draw(st.sampled_from(sorted(members)))]
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = folder / "headers.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, bytes(content))
    with contextlib.suppress(UnderstudyError):
        load_motions(path)


def test_no_bytes_of_an_npz_are_ever_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("unpickled")

    skeleton = smpl_skeleton()
    arrays = {"poses": np.array([[0.0] * 66, None], dtype=object), "trans": np.zeros((2, 3))}
    np.savez(tmp_path / "a.npz", **arrays, mocap_framerate=np.array([skeleton.names], dtype=object))
    monkeypatch.setattr("pickle.load", refuse)
    monkeypatch.setattr("pickle.loads", refuse)
    with pytest.raises(FormatError, match="pickled Python objects"):
        load_motion(tmp_path / "a.npz")
