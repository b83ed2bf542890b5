"""From an empty cache to a result, and from a full one, in new processes: beside an idle and beside a busy machine.

Every row is one thing somebody waits for, with the bar it is held to: by the clock, and in processor time, which counts
on a machine that others use too. *idle* is the machine as it is found: nothing else should run on it. *loaded* is the
same beside four busy processes on every core. Commands are the best of three. Bytecode is written, as everywhere but
where that was turned off.
"""

from __future__ import annotations

import http.cookiejar
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.suites import Row

CHECKOUT = Path(__file__).resolve().parents[2]
_JOB = """
import json, sys
from understudy.api.warming import warm_up
from understudy.compiling import spent
warm_up(sys.argv[1])
print(json.dumps(spent.counts()))
"""
#: What the commands work on, written into a folder that is handed over.
_INPUT = """
import sys
from pathlib import Path
import understudy as us
from understudy.kinematics import motion_world
folder = Path(sys.argv[1])
table = '[[object]]\\nname = "table"\\nshape = { kind = "box", size = [1.2, 0.74, 0.8] }\\nat = [2.0, 0.37, 1.0]\\n'
(folder / "room.toml").write_text(table)
clip = us.builtin_clips("walk")[0]
us.save_motion(clip, folder / "clip.bvh")
x, y, z = motion_world(clip).positions[len(clip) // 2, clip.skeleton.index("rightHand")]
post = f'[[object]]\\nname = "post"\\nshape = {{ kind = "box", size = [0.05, 0.3, 0.05] }}\\nat = [{x}, {y}, {z}]\\n'
(folder / "post.toml").write_text(post)
at = len(clip) // 2 / clip.fps
(folder / "reach.txt").write_text(f"--target={x + 0.05},{y + 0.1},{z + 0.05} --at {at}")
"""
_WALK = ["walk", "builtin", "room.toml", "--start", "0,0", "--goal", "5,4"]
Seconds = dict[str, Any]


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """One row for everything that is waited for; with ``quick`` only what is quick, beside the machine as it is."""
    idle = _measured(quick=quick)
    with _busy(0 if quick else 4 * (os.cpu_count() or 1)):
        loaded = {} if quick else _measured(quick=False)
    return [
        {
            "case": name,
            "method": about["method"],
            "bar_s": about["bar_s"],
            "median_s": about["wall_s"],
            "cpu_s": about["cpu_s"],
            "loaded_s": loaded.get(name, {}).get("wall_s"),
            "loaded_cpu_s": loaded.get(name, {}).get("cpu_s"),
            "split_s": about.get("split_s", ""),
            "mb": about.get("mb"),
        }
        for name, about in idle.items()
    ]


def _measured(*, quick: bool) -> dict[str, Seconds]:
    found: dict[str, Seconds] = {}
    with tempfile.TemporaryDirectory(prefix="understudy-cold-") as name:
        folder = Path(name)
        empty = _environment(folder / "empty")
        found["studio, cold"] = {"bar_s": 5.0, "method": "to its page, empty cache", **_studio(empty, folder)}
        if not quick:
            found |= _demo(_environment(folder / "demo"), folder)
            compiled = _environment(folder / "compiled")
            found["all kernels"] = {"bar_s": 120.0, "method": "every job in turn", **_compiled(compiled, folder)}
            found |= _from_wheel(folder)
        warm = dict(os.environ) if quick else compiled
        warm.pop("PYTHONDONTWRITEBYTECODE", None)
        found |= _commands(warm, folder)
        _studio(warm, folder)
        found["studio, warm"] = {"bar_s": 2.0, "method": "to its page", **_studio(warm, folder)}
    return found


def _environment(folder: Path) -> dict[str, str]:
    """Empty caches."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kernels"), "UNDERSTUDY_CACHE": str(folder / "user")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


@contextmanager
def _busy(count: int) -> Iterator[None]:
    others = [multiprocessing.get_context("spawn").Process(target=_spin, daemon=True) for _ in range(count)]
    for one in others:
        one.start()
    try:
        yield
    finally:
        for one in others:
            one.terminate()
            one.join()


def _spin() -> None:
    while True:
        sum(range(10_000))


def _children_cpu_s() -> float:
    spent = os.times()
    return spent.children_user + spent.children_system


def _ran(command: list[str], env: Mapping[str, str], folder: Path) -> tuple[Seconds, str]:
    before, began = _children_cpu_s(), time.perf_counter()
    done = subprocess.run(command, env=env, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    return {"wall_s": time.perf_counter() - began, "cpu_s": _children_cpu_s() - before}, done.stdout


def _commands(env: Mapping[str, str], folder: Path) -> dict[str, Seconds]:
    subprocess.run([sys.executable, "-c", _INPUT, str(folder)], env=env, check=True)
    asked = {
        "walk": _WALK,
        "correct": ["correct", "clip.bvh", "post.toml"],
        "reach": ["reach", "clip.bvh", "room.toml", *(folder / "reach.txt").read_text().split()],
        "between": ["between", "relaxed", "eagle"],
    }
    found: dict[str, Seconds] = {}
    for name, words in asked.items():
        command = [sys.executable, "-m", "understudy", *words, "-o", f"{name}.bvh", "--json", "--timing"]
        _ran(command, env, folder)
        best, answer = min((_ran(command, env, folder) for _ in range(3)), key=lambda one: float(one[0]["wall_s"]))
        split = json.loads(answer)["timing"]
        told = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in split.items() if stage != "total")
        found[f"understudy {name}"] = {"bar_s": 1.5, "method": "everything compiled", **best, "split_s": told}
    return found


def _compiled(env: Mapping[str, str], folder: Path) -> Seconds:
    """All jobs in turn with one cache: what is compiled for one is loaded by the next."""
    from understudy.api.warming import JOBS

    spent = [json.loads(_ran([sys.executable, "-c", _JOB, job], env, folder)[1].splitlines()[-1]) for job in JOBS]
    size = sum(path.stat().st_size for path in Path(env["NUMBA_CACHE_DIR"]).rglob("*.nbc"))
    return {
        "wall_s": sum(one["wall_s"] for one in spent),
        "cpu_s": sum(one["cpu_s"] for one in spent),
        "split_s": ", ".join(f"{job} {one['cpu_s']:.0f}" for job, one in zip(JOBS, spent, strict=True)),
        "mb": size / 1e6,
    }


def _demo(env: Mapping[str, str], folder: Path) -> dict[str, Seconds]:
    """The demo from empty caches: until its first judged motion, and until everything is there."""
    command = [sys.executable, str(CHECKOUT / "examples" / "demo.py"), "--out", str(folder / "demo-out")]
    before, began = _children_cpu_s(), time.perf_counter()
    first_s = 0.0
    with subprocess.Popen(command, env=dict(env), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "first.png" in line:
                first_s = time.perf_counter() - began
    if process.returncode:
        raise RuntimeError("the demo failed")
    wall_s = time.perf_counter() - began
    return {
        "demo, first": {"bar_s": 60.0, "method": "judged motion, empty cache", "wall_s": first_s, "cpu_s": None},
        "demo": {
            "bar_s": 180.0,
            "method": "complete, empty cache",
            "wall_s": wall_s,
            "cpu_s": _children_cpu_s() - before,
        },
    }


def _studio(env: Mapping[str, str], folder: Path) -> Seconds:
    """From the command to the page that a browser gets."""
    command = [sys.executable, "-m", "understudy", "studio", "--no-browser", "--json", "--folder", "studio"]
    before, began = _children_cpu_s(), time.perf_counter()
    with subprocess.Popen(command, env=dict(env), cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        with urllib.request.build_opener(cookies).open(address, timeout=300) as page:
            page.read()
        wall_s = time.perf_counter() - began
        process.terminate()
    # Processor time holds what the studio compiled beside serving its page.
    return {"wall_s": wall_s, "cpu_s": _children_cpu_s() - before}


def _from_wheel(folder: Path) -> dict[str, Seconds]:
    """Build the wheel, unpack it, and walk with empty caches; then walk again."""
    from tools.kernel_wheel import build

    wheel = build(folder / "dist")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    # As pip does when it installs.
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(folder / "site")], check=True)
    env = {**_environment(folder / "wheel"), "PYTHONPATH": str(folder / "site")}
    subprocess.run([sys.executable, "-c", _INPUT, str(folder)], env=_environment(folder / "input"), check=True)
    command = [sys.executable, "-m", "understudy", *_WALK, "-o", "wheel.glb"]
    size = {"mb": wheel.stat().st_size / 1e6}
    first = _ran(command, env, folder)[0]
    compiled = len(list((folder / "wheel" / "kernels").rglob("*.nbc")))
    bare = min(_ran([sys.executable, "-c", "pass"], env, folder)[0]["wall_s"] for _ in range(3))
    whole = min((_ran([sys.executable, "-c", "import understudy"], env, folder)[0] for _ in range(3)), key=_wall_s)
    imported = {**whole, "wall_s": whole["wall_s"] - bare}
    return {
        "wheel, first walk": {"bar_s": 6.0, "method": f"empty cache, {compiled} compiled", **first, **size},
        "wheel, import": {"bar_s": 0.3, "method": "import understudy", **imported},
    }


def _wall_s(seconds: Seconds) -> float:
    return float(seconds["wall_s"])
