"""From an empty cache to a result, and from a full one, in new processes: beside an idle and beside a busy machine.

    python -m benchmarks.suites.cold [--rows NAMES] [--beside idle|loaded] [--store FILE] [-o OUT]

Every row is one thing somebody waits for, with the bar it is held to: by the clock, and in processor time, which counts
on a machine that others use too. *idle* is the machine as it is found: nothing else should run on it. *loaded* is the
same beside four busy processes on every core. Commands are the best of three. Bytecode is written, as everywhere but
where that was turned off. With a store, a run that was stopped goes on with the next rows, and rows can be measured one
by one. ``UNDERSTUDY_BENCH_WHEEL`` names a wheel that ``tools/kernel_wheel.py`` built, so that none is built here.
"""

from __future__ import annotations

import argparse
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.machine import machine, versions
from benchmarks.suites import Row
from benchmarks.suites.many_cores import record, records

CHECKOUT = Path(__file__).resolve().parents[2]
#: All jobs in one process, then a problem of everything the package does; what compiling has cost after each.
_JOBS = """
import json
from benchmarks.suites.jobs import JOBS as PROBLEMS
from understudy.api.warming import JOBS, warm_up
from understudy.compiling import spent
for job in JOBS:
    warm_up(job)
    print(json.dumps({"job": job, **spent.counts()}), flush=True)
for problem in PROBLEMS.values():
    problem(0)
print(json.dumps({"job": "everything else", **spent.counts()}), flush=True)
"""
#: A desk with empty caches whose mode is used at once, while everything else is compiled beside it.
_MODE = """
import sys, threading, time
from understudy.studio import modes
from understudy.studio.desk import Desk
from understudy.studio.examples import open_example
from understudy.studio.shelf import Shelf
began, shelf = time.perf_counter(), Shelf()
threading.Thread(target=shelf.warm_up, daemon=True).start()
example, name, values = sys.argv[1:]
desk = Desk(open_example(example, shelf), shelf=shelf)
desk.do(name, eval(values))
assert desk.settled(timeout_s=7200.0)
assert desk.project.verdict.status == "verified", desk.project.verdict.text
print(time.perf_counter() - began)
desk.close()
shelf.kernels.close()
"""
#: An example, an edit and what it takes, for each mode.
_MODES = {
    "walk": ("room", "walk.aim", {"character": "anna", "start": [0, 0], "goal": [1.8, 4.2]}),
    "limbs": ("posts", "limbs.correct", {"character": "anna"}),
    "postures": ("eagle", "postures.keys", {"keys": ["relaxed", "eagle"]}),
    "tasks": ("errand", "tasks.run", {}),
}
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
#: Names a wheel with kernels, so that none is built.
WHEEL = "UNDERSTUDY_BENCH_WHEEL"
_WALK = ["walk", "builtin", "room.toml", "--start", "0,0", "--goal", "5,4"]
Seconds = dict[str, Any]


def bench(motion: Path | None, *, quick: bool, store: Path | None = None) -> list[Row]:
    """One row for everything that is waited for; with ``quick`` only what is quick, beside the machine as it is."""
    if quick:
        return rows_of(measured(["studio", "commands"], ["idle"], store))
    return rows_of(measured(list(PIECES), list(BESIDE), store))


def measured(pieces: Sequence[str], beside: Sequence[str], store: Path | None) -> list[Row]:
    """One record per row and load; pieces in ``store``, one JSON object a line, are not measured again."""
    done: list[Row] = records(store)
    for load in beside:
        with _busy(BESIDE[load] * _cores()):
            for piece in pieces:
                if any((one["piece"], one["beside"]) == (piece, load) for one in done):
                    continue
                with tempfile.TemporaryDirectory(prefix="understudy-cold-") as name:
                    found = PIECES[piece](Path(name))
                for case, about in found.items():
                    done.append({"piece": piece, "beside": load, "case": case, **about})
                    record(store, done[-1])
    return done


def rows_of(done: Sequence[Row]) -> list[Row]:
    """One row per case, the machine as it is found beside the busy one."""
    by_load = {load: {one["case"]: one for one in done if one["beside"] == load} for load in BESIDE}
    idle, loaded = by_load["idle"], by_load["loaded"]
    return [
        {
            "case": case,
            "method": {**loaded, **idle}[case]["method"],
            "bar_s": {**loaded, **idle}[case]["bar_s"],
            "median_s": idle.get(case, {}).get("wall_s"),
            "cpu_s": idle.get(case, {}).get("cpu_s"),
            "loaded_s": loaded.get(case, {}).get("wall_s"),
            "loaded_cpu_s": loaded.get(case, {}).get("cpu_s"),
            "split_s": {**loaded, **idle}[case].get("split_s", ""),
            "mb": {**loaded, **idle}[case].get("mb"),
        }
        for case in dict.fromkeys([*idle, *loaded])
    ]


def _environment(folder: Path) -> dict[str, str]:
    """Empty caches."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kernels"), "UNDERSTUDY_CACHE": str(folder / "user")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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


def _commands(folder: Path) -> dict[str, Seconds]:
    """Commands with everything compiled: each is run once before it is timed."""
    env = dict(os.environ)
    env.pop("PYTHONDONTWRITEBYTECODE", None)
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


def _compiled(folder: Path) -> dict[str, Seconds]:
    """All jobs in turn in one process, from an empty cache, then what other problems compile beyond them."""
    env = {**_environment(folder / "compiled"), "PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path])}
    ran, told = _ran([sys.executable, "-c", _JOBS], env, folder)
    spent = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    before = [{"cpu_s": 0.0, "compiled": 0}, *spent]
    size = sum(path.stat().st_size for path in Path(env["NUMBA_CACHE_DIR"]).rglob("*.nbc"))
    jobs = (
        f"{now['job']} {now['cpu_s'] - was['cpu_s']:.0f} ({now['compiled'] - was['compiled']} kernels)"
        for was, now in zip(before, spent, strict=False)
    )
    about = {"bar_s": 120.0, "method": "every job and problem in turn, in one process", "split_s": ", ".join(jobs)}
    return {"all kernels": {**about, **ran, "cpu_s": spent[-1]["cpu_s"], "mb": size / 1e6}}


def _demo(folder: Path) -> dict[str, Seconds]:
    """The demo from empty caches: until its first judged motion, and until everything is there."""
    env = _environment(folder / "demo")
    command = [sys.executable, str(CHECKOUT / "examples" / "demo.py"), "--out", str(folder / "demo-out")]
    before, began = _children_cpu_s(), time.perf_counter()
    first_s = 0.0
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
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


def _studios(folder: Path) -> dict[str, Seconds]:
    """The studio from an empty cache, and with the kernels of an empty walk compiled."""
    cold, warm = _environment(folder / "empty"), dict(os.environ)
    warm.pop("PYTHONDONTWRITEBYTECODE", None)
    first = {"bar_s": 5.0, "method": "to its page, empty cache", **_studio(cold, folder)}
    _studio(warm, folder)
    second = {"bar_s": 2.0, "method": "to its page", **_studio(warm, folder)}
    return {"studio, cold": first, "studio, warm": second}


def _modes(folder: Path) -> dict[str, Seconds]:
    """Each mode of the studio from an empty cache, used at once: until its first verdict."""
    found: dict[str, Seconds] = {}
    for mode, (example, name, values) in _MODES.items():
        env = _environment(folder / mode)
        ran, told = _ran([sys.executable, "-c", _MODE, example, name, repr(values)], env, folder)
        ran["wall_s"] = float(told.splitlines()[-1])
        found[f"studio, {mode} mode"] = {"bar_s": None, "method": "first verdict, empty cache", **ran}
    return found


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
    """Build the wheel unless one is named, unpack it, and walk with empty caches."""
    from tools.kernel_wheel import build

    wheel = Path(os.environ[WHEEL]) if WHEEL in os.environ else build(folder / "dist")
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


def _clone(folder: Path) -> dict[str, Seconds]:
    """A fresh clone: installing, its demo, and from empty caches everything that ``.ci/run`` does."""
    checkout = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", str(CHECKOUT), str(checkout)], check=True)
    shared = os.environ.get("UNDERSTUDY_SHARED") or str(CHECKOUT.parent / "shared")
    env, apart = ({**_environment(folder / name), "UNDERSTUDY_SHARED": shared, "CI": "true"} for name in ("ci", "demo"))

    def made(target: str, env: Mapping[str, str] = env) -> Seconds:
        return _ran(["make", target], env, checkout)[0]

    install, demo = made(".venv/.installed"), made("demo", apart)
    steps = {name: made(name) for name in ("lint", "docs", "test", "test-long")}
    whole = {key: sum(float(one[key]) for one in (install, *steps.values())) for key in ("wall_s", "cpu_s")}
    told = ", ".join(f"{name} {one['wall_s']:.0f}" for name, one in {"install": install, **steps}.items())
    return {
        "clone, install": {"bar_s": None, "method": "make, fresh clone", **install},
        "clone, make demo": {"bar_s": 180.0, "method": "after installing, empty caches", **demo},
        "clone, make test": {"bar_s": 600.0, "method": "compiling included, empty caches", **steps["test"]},
        "clone, .ci/run": {"bar_s": 2400.0, "method": "all steps, installing included", **whole, "split_s": told},
    }


def _wall_s(seconds: Seconds) -> float:
    return float(seconds["wall_s"])


#: What is measured together, by name; each is handed an empty folder.
PIECES: Mapping[str, Callable[[Path], dict[str, Seconds]]] = {
    "studio": _studios,
    "modes": _modes,
    "commands": _commands,
    "demo": _demo,
    "kernels": _compiled,
    "wheel": _from_wheel,
    "clone": _clone,
}
#: Busy processes on every core meanwhile.
BESIDE = {"idle": 0, "loaded": 4}


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default=",".join(PIECES), help="what to measure, with commas between")
    parser.add_argument("--beside", default=",".join(BESIDE), help="idle, loaded, or both")
    parser.add_argument("--store", type=Path, help="one JSON object a line; what is there is not measured again")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    pieces, beside = given.rows.split(","), given.beside.split(",")
    if unknown := [*(set(pieces) - set(PIECES)), *(set(beside) - set(BESIDE))]:
        parser.error(f"unknown: {', '.join(unknown)}; rows: {', '.join(PIECES)}; beside: {', '.join(BESIDE)}")
    rows = rows_of(measured(pieces, beside, given.store))
    for row in rows:
        print(json.dumps(row))
    if given.output is not None:
        document = {"suite": "cold", "machine": machine(), "versions": versions(), "rows": rows}
        given.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
