"""What a certificate says of a file's motion is known as soon as the file is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

import understudy as us
from understudy.verify.allowing import clip_entry
from understudy.verify.claim import made_claim


@pytest.fixture(scope="module")
def idle() -> us.Motion:
    return us.builtin_clips("idle")[0].frames(0, 60)


@pytest.mark.parametrize("ending", ["bvh", "glb", "npz"])
def test_a_made_motion_is_still_made_when_it_is_loaded(tmp_path: Path, idle: us.Motion, ending: str) -> None:
    claim = made_claim("", idle.made_from([idle]), evidence=[idle])
    us.save(claim, tmp_path / f"made.{ending}")
    found = us.load_motion(tmp_path / f"made.{ending}")
    assert found.origin.kind == "made"
    assert found.origin.evidence_sha256 == (clip_entry(idle).sha256,)
    report = us.verify(idle.made_from([idle]), source=found)
    assert "claim" in report.broken
    library = us.build_library([found])
    assert {take.kind for take in library.footage.takes} == {"made"}


def test_a_file_without_certificate_is_a_strangers_recording(tmp_path: Path, idle: us.Motion) -> None:
    us.save_motion(idle, tmp_path / "stranger.bvh")
    found = us.load_motion(tmp_path / "stranger.bvh")
    assert found.origin.kind == "recorded"
    assert "stranger's recording" in us.verify(found).notes[0]


def test_a_damaged_certificate_still_says_that_it_was_made(tmp_path: Path, idle: us.Motion) -> None:
    us.save_motion(idle, tmp_path / "made.bvh")
    (tmp_path / "made.bvh.claim.json").write_text("{")
    assert us.load_motion(tmp_path / "made.bvh").origin.kind == "made"
