"""Batches: everything done once, nothing lost by a kill, the same bytes whoever runs them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dying_worker
from understudy.batch import BatchOptions, load_tasks, run_batch
from understudy.batch.engines import local_engine
from understudy.batch.ledger import Ledger, sha256_of
from understudy.batch.worker import run_item
from understudy.errors import OptionError, UnderstudyError
from understudy.formats import load_motion
from understudy.verify import verify


def styles(folder: Path, *, seeds: int = 1) -> Path:
    path = folder / "tasks.json"
    job = {"name": "styles", "do": "performer", "clip": "walk", "duration_s": 4, "seeds": seeds}
    path.write_text(json.dumps({"job": [{**job, "grid": {"style": ["calm", "brisk", "tired"]}}]}))
    return path


def contents(out: Path) -> dict[str, str]:
    files = [*(out / "clips").iterdir(), *(out / "records").iterdir()]
    return {f"{file.parent.name}/{file.name}": sha256_of(file) for file in files if not file.name.startswith(".")}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A task file and the folder a batch of it was run into."""
    folder = tmp_path_factory.mktemp("batch")
    path = styles(folder, seeds=2)
    result = run_batch(path, folder / "out", options=BatchOptions(workers=2))
    assert (result.total, result.kept, result.counts) == (6, 0, {"solved": 6})
    return path, folder / "out"


def test_clips_are_verified_and_their_records_true(finished: tuple[Path, Path]) -> None:
    path, out = finished
    items = load_tasks(path)
    for item in items:
        record = json.loads((out / "records" / f"{item.name}.json").read_text())
        (clip,) = record["clips"]
        assert record["digest"] == item.digest
        assert record["task"]["seed"] == item.seed
        assert record["verified"]
        assert sha256_of(out / "clips" / clip["file"]) == clip["sha256"]
        motion = load_motion(out / "clips" / clip["file"])
        report = verify(motion, source=motion).to_json()
        assert record["figures"]["penetration_m"] == pytest.approx(report["penetration"]["max_depth_m"], abs=1e-4)
    assert len({record["sha256"] for record in map(_clip, items, [out] * 6)}) == 6, "no two tasks give the same clip"


def _clip(item: object, out: Path) -> dict[str, str]:
    return json.loads((out / "records" / f"{item.name}.json").read_text())["clips"][0]  # type: ignore[attr-defined]


def test_a_second_run_does_nothing(finished: tuple[Path, Path]) -> None:
    path, out = finished
    before, log = contents(out), (out / "log.jsonl").read_text()
    result = run_batch(path, out, options=BatchOptions(workers=2))
    assert result.kept == 6
    assert contents(out) == before
    assert (out / "log.jsonl").read_text() == log


def test_one_at_a_time_in_this_process_gives_the_same_bytes(finished: tuple[Path, Path], tmp_path: Path) -> None:
    path, out = finished
    Ledger(tmp_path).open()
    for item in load_tasks(path)[:2]:
        assert run_item(item, path.parent, tmp_path)["status"] == "solved"
    mine = contents(tmp_path)
    assert mine.items() <= contents(out).items()
    # Clips, their certificates and their records.
    assert len(mine) == 6


def test_a_spoilt_clip_is_made_again(finished: tuple[Path, Path], tmp_path: Path) -> None:
    import shutil

    path, out = finished
    copy = shutil.copytree(out, tmp_path / "out")
    victim = sorted((copy / "clips").iterdir())[0]
    victim.write_bytes(victim.read_bytes()[:1000])
    assert run_batch(path, copy, options=BatchOptions(workers=1)).kept == 5
    assert contents(copy) == contents(out)


def test_kills_lose_nothing_and_duplicate_nothing(finished: tuple[Path, Path], tmp_path: Path) -> None:
    path, out = finished
    mine = tmp_path / "out"
    command = [sys.executable, "-m", "understudy", "batch", str(path), "-o", str(mine), "--workers", "2", "-q"]
    chance, had = random.Random(5), dict[str, str]()
    for _ in range(3):
        process = subprocess.Popen(command, start_new_session=True)
        # Kill somewhere between the start and the middle of the work.
        time.sleep(chance.uniform(0.5, 6.0))
        os.killpg(process.pid, signal.SIGKILL) if chance.random() < 0.5 else process.kill()
        process.wait()
        now = contents(mine) if mine.exists() else {}
        records = {name for name in had if name.startswith("records/")}
        assert records <= now.keys(), "a finished task was lost"
        had = now
    for _ in range(20):
        # Orphaned workers leave within a second; until then they may hold nothing but their own task.
        if subprocess.run(command, check=False).returncode == 0:
            break
        time.sleep(0.5)
    assert contents(mine) == contents(out)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with Ledger(tmp_path).locked(), pytest.raises(UnderstudyError, match="another batch"):
        run_batch(styles(tmp_path), tmp_path)


def test_wrong_values_fail_alone_and_are_not_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    job = {"name": "a", "do": "performer", "duration_s": 4, "grid": {"clip": ["walk", "moonwalk"]}}
    path.write_text(json.dumps({"job": [job]}))
    result = run_batch(path, tmp_path / "out", options=BatchOptions(workers=1, retries=3))
    assert result.counts == {"failed": 1, "solved": 1}
    assert "moonwalk" in next(iter(result.failed.values()))
    lines = (tmp_path / "out" / "log.jsonl").read_text().splitlines()
    assert len(lines) == 2


def test_a_worker_that_dies_takes_nobody_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("understudy.batch.engines._work", dying_worker.work)
    answers = [
        (item.values.get("style", "calm"), answer)
        for item, answer in local_engine(2)(load_tasks(styles(tmp_path)), tmp_path, tmp_path)
    ]
    assert sorted(style for style, _ in answers) == ["brisk", "calm", "tired"]
    assert {style for style, answer in answers if answer["status"] == "failed"} == {"tired"}
    assert "died" in dict(answers)["tired"]["reason"]


def test_a_script_without_a_main_guard_is_run_once(finished: tuple[Path, Path], tmp_path: Path) -> None:
    path, out = finished
    script = tmp_path / "script.py"
    script.write_text(
        "import understudy as us\n"
        "print('began')\n"
        f"result = us.run_batch({str(path)!r}, {str(tmp_path / 'out')!r}, options=us.BatchOptions(workers=2))\n"
        "print(result.counts)\n"
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=900, check=False)
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == ["began", "{'solved': 6}"]
    assert contents(tmp_path / "out") == contents(out)


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match='did you mean "ray"'):
        BatchOptions(engine="rya")


def test_ray_writes_the_same_bytes(finished: tuple[Path, Path], tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (the batch extra)")
    path, out = finished
    run_batch(path, tmp_path / "out", options=BatchOptions(engine="ray", workers=2))
    assert contents(tmp_path / "out") == contents(out)
