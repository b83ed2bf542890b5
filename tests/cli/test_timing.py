"""``--timing``: every second is counted once, for what was going on."""

from __future__ import annotations

import builtins
import json
import sys
import time
from pathlib import Path

from typer.testing import CliRunner

import understudy as us
from understudy.cli.app import app
from understudy.performer import builtin_clips
from understudy.timing import STAGES, stage, timed, watched


def test_the_split_is_in_the_document_and_only_when_asked_for(tmp_path: Path) -> None:
    clip, out = tmp_path / "walk.bvh", tmp_path / "walk.npz"
    us.save_motion(builtin_clips("walk")[0], clip)
    before = builtins.__import__
    run = CliRunner().invoke(app, ["convert", str(clip), str(out), "--json", "--timing"])
    split = json.loads(run.stdout)["timing"]
    assert list(split) == [*STAGES, "total"]
    assert abs(sum(split[name] for name in STAGES) - split["total"]) < 1e-9
    assert min(split["import"], split["load"], split["write"]) > 0.0 == split["judge"]
    assert builtins.__import__ is before
    assert "timing" not in json.loads(CliRunner().invoke(app, ["convert", str(clip), str(out), "--json"]).stdout)


def test_people_get_a_line(tmp_path: Path) -> None:
    clip = tmp_path / "walk.bvh"
    us.save_motion(builtin_clips("walk")[0], clip)
    last = CliRunner().invoke(app, ["info", str(clip), "--timing"]).stdout.splitlines()[-1]
    assert last.startswith("timing   import ") and last.endswith(" s")
    assert "timing" not in CliRunner().invoke(app, ["info", str(clip)]).stdout


def test_judging_is_counted_as_such_wherever_it_happens() -> None:
    clip = builtin_clips("walk")[0]
    with watched() as watch:
        us.verify(clip)
        assert watch.seconds()["judge"] > 0.0


def test_what_is_innermost_counts(tmp_path: Path) -> None:
    @timed("judge")
    def judged() -> None:
        time.sleep(0.02)

    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.02)\n")
    sys.path.insert(0, str(tmp_path))
    with watched() as watch:
        first = watch.seconds()
        with stage("write"):
            judged()
            import slow_to_import  # type: ignore[import-not-found]  # noqa: F401
        found = watch.seconds()
    sys.path.remove(str(tmp_path))
    assert min(found[name] - first[name] for name in ("judge", "import")) >= 0.02
    before = watch.seconds()["judge"]
    judged()
    assert watch.seconds()["judge"] == before
