"""``tools/make_venv.sh`` chooses an interpreter that works and says what to do when there is none."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "tools" / "make_venv.sh"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="make_venv.sh needs a POSIX shell")


def fake_python(folder: Path, name: str, *, version: tuple[int, int], has_venv: bool = True) -> None:
    """An interpreter that claims a version, and notes in ``used`` that it was asked to make a venv."""
    script = folder / name
    script.write_text(
        f"#!/bin/sh\n"
        f'case "$*" in\n'
        f'  *"version_info <"*) exit {int(version < (3, 11))};;\n'
        f"  *ensurepip*) exit {int(not has_venv)};;\n"
        f'  *"print("*) echo {version[0]}.{version[1]};;\n'
        f"  --version) echo Python {version[0]}.{version[1]};;\n"
        f'  "-m venv"*) echo {name} > {folder}/used;;\n'
        f"esac\n"
    )
    script.chmod(0o755)


def make_venv(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(folder)}
    command = ["/bin/sh", str(SCRIPT), str(folder / "venv")]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)


def test_takes_the_newest_that_starts(tmp_path: Path) -> None:
    broken_shim = tmp_path / "python3.13"
    broken_shim.write_text("#!/bin/sh\nexit 127\n")
    broken_shim.chmod(0o755)
    fake_python(tmp_path, "python3.12", version=(3, 12))
    fake_python(tmp_path, "python3.11", version=(3, 11))
    assert make_venv(tmp_path).returncode == 0
    assert (tmp_path / "used").read_text().strip() == "python3.12"


def test_prefers_an_older_one_that_can_make_environments(tmp_path: Path) -> None:
    fake_python(tmp_path, "python3.12", version=(3, 12), has_venv=False)
    fake_python(tmp_path, "python3", version=(3, 11))
    assert make_venv(tmp_path).returncode == 0
    assert (tmp_path / "used").read_text().strip() == "python3"


def test_names_the_debian_package_when_venv_is_missing(tmp_path: Path) -> None:
    fake_python(tmp_path, "python3", version=(3, 11), has_venv=False)
    result = make_venv(tmp_path)
    assert result.returncode == 1
    assert "apt install python3.11-venv" in result.stderr


def test_refuses_an_old_python(tmp_path: Path) -> None:
    fake_python(tmp_path, "python3", version=(3, 9))
    result = make_venv(tmp_path)
    assert result.returncode == 1
    assert "Python 3.11 or newer is needed" in result.stderr
    assert not (tmp_path / "used").exists()


def test_keeps_an_environment_that_works(tmp_path: Path) -> None:
    """A working environment is left alone, also when no interpreter is on PATH."""
    bin_folder = tmp_path / "venv" / "bin"
    bin_folder.mkdir(parents=True)
    fake_python(bin_folder, "python", version=(3, 11))
    marker = tmp_path / "venv" / "marker"
    marker.touch()
    assert make_venv(tmp_path).returncode == 0
    assert marker.exists()
