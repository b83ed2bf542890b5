"""Batches killed at random moments: is a finished clip lost, or made twice? And does Ray write the same bytes?

    python -m benchmarks.suites.batch_kills [--kills 20] [-o batch_kills.json]

A dozen small tasks are run once to the end. The same batch is then killed again and again at random moments, half of
the time with all its workers and half of the time alone, and started again, until it is through; whole new folders are
begun until there have been enough kills. What finished must stay, byte for byte, and in the end everything must be as
it was without a kill. Last, Ray runs the same tasks, if it is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.machine import machine, versions

TASKS = {
    "job": [
        {
            "name": "styles",
            "do": "performer",
            "duration_s": 4,
            "grid": {"clip": ["walk", "turn_left"], "style": ["calm", "brisk", "tired"]},
            "seeds": 2,
        }
    ]
}


@dataclass
class Count:
    """What happened.

    Attributes:
        kills: How often a batch was killed.
        at_work: How often it had finished some tasks, but not all.
        lost: Finished files that were gone or changed afterwards.
        rounds: Folders that were brought to an end.
        different: Files that differ in the end from those of a batch that was left alone.
    """

    kills: int = 0
    at_work: int = 0
    lost: list[str] = field(default_factory=list)
    rounds: int = 0
    different: list[str] = field(default_factory=list)


def contents(folder: Path) -> dict[str, str]:
    """Digest of every clip, record and the index; what is being written has other names."""
    files = [*folder.glob("clips/*.bvh"), *folder.glob("records/*.json"), *folder.glob("index.json")]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}


def finished(folder: Path) -> dict[str, str]:
    """Digests of the records that are there and of the clips they stand for."""
    found = contents(folder)
    done = {Path(name).stem for name in found if name.startswith("records/")}
    return {name: digest for name, digest in found.items() if Path(name).stem in done}


def command(tasks: Path, out: Path, engine: str = "local") -> list[str]:
    return [sys.executable, "-m", "understudy", "batch", str(tasks), "-o", str(out), "--workers", "2", "-q"] + (
        ["--engine", engine] if engine != "local" else []
    )


def killed_once(tasks: Path, out: Path, chance: random.Random, longest_s: float, count: Count) -> bool:
    """Start a batch and kill it; whether it was through before."""
    had = finished(out) if out.exists() else {}
    process = subprocess.Popen(command(tasks, out), start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        return process.wait(chance.uniform(0.3, longest_s)) == 0
    except subprocess.TimeoutExpired:
        pass
    if chance.random() < 0.5:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
    count.kills += 1
    now = finished(out) if out.exists() else {}
    count.lost += [name for name, digest in had.items() if now.get(name) != digest]
    count.at_work += bool(now) and "index.json" not in now
    time.sleep(1.5)  # workers of a batch that was killed alone leave within a second
    return False


def killed(tasks: Path, scratch: Path, reference: dict[str, str], kills: int, whole_s: float) -> Count:
    """Kill batches so often, each folder until it is through."""
    count, chance = Count(), random.Random(12)
    while count.kills < kills:
        out = scratch / f"killed{count.rounds}"
        while count.kills < kills and not killed_once(tasks, out, chance, 0.8 * whole_s, count):
            print(f"{count.kills} kills, {len(finished(out)) if out.exists() else 0} files", flush=True)
        subprocess.run(command(tasks, out), check=True)
        count.rounds += 1
        now = contents(out)
        count.different += [name for name in {*now, *reference} if now.get(name) != reference.get(name)]
    return count


def measured(kills: int) -> list[dict[str, object]]:
    """Kills on this machine, and Ray beside it."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        tasks = scratch / "tasks.json"
        tasks.write_text(json.dumps(TASKS))
        start = time.perf_counter()
        subprocess.run(command(tasks, scratch / "whole"), check=True)
        whole_s = time.perf_counter() - start
        reference = contents(scratch / "whole")
        clips = sum(name.startswith("clips/") for name in reference)
        count = killed(tasks, scratch, reference, kills, whole_s)
        rows: list[dict[str, object]] = [
            {
                "case": f"{clips} tasks",
                "method": "local, killed",
                "total": count.kills,
                "at_work": count.at_work,
                "folders": count.rounds,
                "lost": len(count.lost),
                "different": len(count.different),
            }
        ]
        if importlib.util.find_spec("ray") is not None:
            subprocess.run(command(tasks, scratch / "ray", "ray"), check=True)
            now = contents(scratch / "ray")
            different = [name for name in {*now, *reference} if now.get(name) != reference.get(name)]
            rows.append({"case": f"{clips} tasks", "method": "Ray beside local", "different": len(different)})
    return rows


def bench(motion: Path | None, *, quick: bool) -> list[dict[str, object]]:
    """Every row."""
    return measured(4 if quick else 20)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.batch_kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    rows = measured(arguments.kills)
    print(json.dumps(rows, indent=2))
    if arguments.output:
        document = {"suite": "batch_kills", "machine": machine(), "versions": versions(), "rows": rows}
        arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
