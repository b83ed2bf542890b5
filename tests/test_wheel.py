"""The wheel holds everything a user needs, is small, and works where there is no checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
MOST_BYTES = 5_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(CHECKOUT)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=folder)
    if built.returncode and "hatchling" in built.stderr:
        pytest.skip("the build backend cannot be fetched here")
    assert built.returncode == 0, built.stderr
    (made,) = folder.glob("*.whl")
    return made


def test_it_is_small_and_whole(wheel: Path) -> None:
    assert wheel.stat().st_size <= MOST_BYTES
    names = zipfile.ZipFile(wheel).namelist()
    sources = {str(path.relative_to(CHECKOUT / "src")) for path in (CHECKOUT / "src" / "understudy").rglob("*.py")}
    assert sources <= set(names)
    assert "understudy/py.typed" in names
    assert "understudy/studio/page/index.html" in names
    assert "understudy/studio/scenes/limbs/kitchen.toml" in names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_it_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(home)
    environment = {**os.environ, "PYTHONPATH": str(home)}

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=tmp_path, env=environment)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    assert str(home) in run("-c", "import understudy; print(understudy.__file__)")
    assert "batch" in run("-m", "understudy", "--help")
    run("-m", "understudy", "performer", "walk", "-o", "walk.bvh", "--duration", "4")
    assert "joints" in run("-m", "understudy", "info", "walk.bvh", "--json")
    listed = run(
        "-c", "from understudy.studio.examples import example_list; print([e['name'] for e in example_list()])"
    )
    assert "limbs/kitchen" in listed


PROGRAM = """
import understudy as us
from understudy.scene import Box

library: us.Library = us.build_library(us.builtin_clips("walk"))
scene = us.Scene(name="room").with_object("table", Box(size_m=(1.2, 0.74, 0.8)), position=(0.6, 0.37, 2.0))
result = us.walk(library, scene, start=(0.0, 0.0), goal=(0.4, 4.5), options=us.WalkOptions(stop=True))
if result.status and result.motion is not None:
    report: us.Report = us.verify(result.motion, scene)
    print(report.ok, result.motion.duration_s + 1.0)
    us.save_motion(result.motion, "walk.glb", scene=scene)
us.walk(library, scene, begin=(0, 0))
"""


def test_programs_that_use_it_are_type_checked_strictly(wheel: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    home = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(home)
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "program.py"]
    ran = subprocess.run(
        command, capture_output=True, text=True, timeout=600, cwd=tmp_path, env={**os.environ, "MYPYPATH": str(home)}
    )
    wrong = len(PROGRAM.splitlines())
    complaints = [line for line in ran.stdout.splitlines() if ": error:" in line]
    assert complaints and all(line.startswith(f"program.py:{wrong}:") for line in complaints), ran.stdout


def test_importing_it_imports_little() -> None:
    heavy = ("numpy", "numba", "scipy", "trimesh", "shapely", "pydantic", "starlette")
    code = f"import sys, understudy; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert ran.stdout.strip() == "[]", ran.stdout + ran.stderr


def test_hints_name_the_packages_of_the_extras():
    import tomllib

    from understudy.errors import EXTRAS

    extras = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra, packages in EXTRAS.items():
        assert tuple(re.split(r"[<>=]", one)[0] for one in extras[extra]) == packages
