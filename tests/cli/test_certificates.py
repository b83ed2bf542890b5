"""What the command line writes can be judged again from the file alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from understudy.cli.app import app


def said(*words: object) -> tuple[int, str, str]:
    ran = CliRunner().invoke(app, [str(word) for word in words])
    return ran.exit_code, ran.stdout, ran.stderr


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("certified") / "walk.bvh"
    code, out, err = said("walk", "builtin", "--start", "0,0", "--goal", "3,0", "-o", path)
    assert code == 0, out + err
    return path


def test_verify_needs_nothing_but_the_file(walk: Path) -> None:
    code, out, _ = said("verify", walk)
    assert code == 0 and out.startswith("ok")
    assert "judged by the certificate in walk.bvh.claim.json" in out
    assert "stranger" not in out
    document = json.loads(said("verify", walk, "--json", "--explain")[1])
    assert document["ok"] and document["certificate"].endswith("walk.bvh.claim.json")
    assert {"contacts", "bars", "evidence", "planned"} <= set(document["explanation"])
    assert all(one["made_of"] for one in document["explanation"]["bars"])
    assert document["goals"], "the claim's goal is judged"


def test_explanations_name_evidence_and_bars(walk: Path) -> None:
    _, out, _ = said("verify", walk, "--explain")
    assert "sha256" in out and "recorded people (everyday)" in out and "planned joints" in out


def test_what_is_given_overrides_the_certificate(walk: Path) -> None:
    _, out, _ = said("verify", walk, "--no-floor")
    assert "certificate" not in out and "a planner made it, and there is no evidence" in out


def test_changed_and_damaged_certificates(walk: Path, tmp_path: Path) -> None:
    copy, claim = tmp_path / walk.name, tmp_path / "walk.bvh.claim.json"
    copy.write_bytes(walk.read_bytes())
    text = walk.with_name("walk.bvh.claim.json").read_text("utf-8")
    claim.write_text(text.replace('"everyday"', '"sport"'), encoding="utf-8")
    code, out, _ = said("verify", copy)
    assert code == 1 and "changed after it was written" in out
    claim.write_text(text[: len(text) // 2], encoding="utf-8")
    code, _, err = said("verify", copy)
    assert code == 2 and err.count("\n") == 1 and "cut short" in err
    claim.unlink()
    code, out, _ = said("verify", copy)
    assert "stranger's recording" in out


def test_bars_by_name(walk: Path) -> None:
    code, out, _ = said("verify", walk, "--bar", "goal_position_m=0.5")
    assert code == 0, out
    code, _, err = said("verify", walk, "--bar", "goal_positon_m=0.5")
    assert code == 2 and "goal_position_m" in err
