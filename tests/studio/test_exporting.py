"""What the studio exports holds its own certificate."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import understudy as us
from understudy.scene import Box
from understudy.studio.exporting import exported
from understudy.studio.project import Project


def written(project: Project, folder: Path) -> Path:
    name, content = exported(project, "glb")
    path = folder / name
    path.write_bytes(content)
    return path


def test_an_exported_walk_is_judged_from_its_file_alone(tmp_path: Path) -> None:
    library = us.build_library(us.builtin_clips("walk"))
    walk = us.walk(library, start=(0, 0), goal=(0, 3)).motion
    assert walk is not None
    scene = us.Scene(name="room").with_character("anna", motion=walk)
    path = written(Project(scene=scene), tmp_path)
    verdict = us.verify_file(path)
    assert verdict.certificate is not None and verdict.ok, verdict.report.reason
    assert us.load_motion(path).origin.kind == "made"
    blocked = scene.with_object("crate", Box(size_m=(0.5, 1.0, 0.5)), position=(0.0, 0.5, 1.5))
    assert "penetration" in us.verify_file(written(Project(scene=blocked), tmp_path)).report.broken


def test_an_exported_recording_is_still_one(tmp_path: Path) -> None:
    idle = us.builtin_clips("idle")[0].frames(0, 60)
    us.save_motion(idle, tmp_path / "idle.bvh")
    scene = us.Scene(name="room").with_character("anna", motion=us.load_motion(tmp_path / "idle.bvh"))
    path = written(Project(scene=scene), tmp_path)
    assert us.verify_file(path).certificate is not None
    assert us.load_motion(path).origin.kind == "recorded"


@pytest.mark.parametrize("kind", ["bvh", "npz"])
def test_formats_without_room_for_a_certificate_bring_it_along(tmp_path: Path, kind: str) -> None:
    library = us.build_library(us.builtin_clips("walk"))
    walked = us.walk_together(library, us.Scene(), {"ann": ((0, 0), (0, 3)), "bob": ((2, 0), (2, 3))})
    scene = us.Scene(name="room")
    for name, motion in walked.claim.motions:
        scene = scene.with_character(name, motion=motion)
    name, content = exported(Project(scene=scene), kind)
    assert name == f"room.{kind}.zip"
    (tmp_path / name).write_bytes(content)
    with zipfile.ZipFile(tmp_path / name) as archive:
        archive.extractall(tmp_path)
    for file in tmp_path.glob(f"*.{kind}"):
        verdict = us.verify_file(file)
        assert verdict.certificate is not None and verdict.ok, verdict.report.reason
    assert len(us.load_motions(sorted(tmp_path.glob(f"*.{kind}")))) == 2
