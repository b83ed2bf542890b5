"""The wheel holds everything a user needs, is small, and works where there is no checkout."""

from __future__ import annotations

import os
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
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder)
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
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path, env=environment)
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


def test_importing_it_imports_little() -> None:
    heavy = ("numpy", "numba", "scipy", "trimesh", "shapely", "pydantic", "starlette")
    code = f"import sys, understudy; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.stdout.strip() == "[]", ran.stdout + ran.stderr
