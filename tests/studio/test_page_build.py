"""The page that is shipped is the one its source builds to, and it is small and self-contained."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
WEB = CHECKOUT / "web"
PAGE = CHECKOUT / "src" / "understudy" / "studio" / "page"


def test_the_committed_build_is_what_the_source_gives(tmp_path):
    if shutil.which("node") is None or not (WEB / "node_modules" / "vite").is_dir():
        pytest.skip("needs node and the packages of web/ (cd web && npm ci)")
    command = [
        "node",
        "node_modules/vite/bin/vite.js",
        "build",
        "--outDir",
        str(tmp_path / "page"),
        "--logLevel",
        "error",
    ]
    built = subprocess.run(command, cwd=WEB, capture_output=True, text=True, timeout=900)
    assert built.returncode == 0, built.stderr
    made = {path.name: path.read_bytes() for path in (tmp_path / "page").iterdir()}
    kept = {path.name: path.read_bytes() for path in PAGE.iterdir()}
    assert sorted(made) == sorted(kept)
    stale = [name for name in made if made[name] != kept[name]]
    assert stale == [], "run 'npm run build' in web/ and commit the result"


def test_the_source_is_strictly_typed():
    if shutil.which("node") is None or not (WEB / "node_modules" / "typescript").is_dir():
        pytest.skip("needs node and the packages of web/ (cd web && npm ci)")
    checked = subprocess.run(
        ["npx", "--no-install", "tsc", "--noEmit"], cwd=WEB, capture_output=True, text=True, timeout=900
    )
    assert checked.returncode == 0, checked.stdout
    source = "\n".join(path.read_text() for path in (WEB / "src").rglob("*.ts"))
    assert not re.search(r"\bany\b\s*[;,)=\]>]|@ts-(ignore|expect-error|nocheck)", re.sub(r"//.*", "", source))


def test_the_bundle_is_small_and_names_no_other_machine():
    assert sum(path.stat().st_size for path in PAGE.iterdir()) <= 1_500_000
    for path in PAGE.iterdir():
        text = path.read_text(encoding="utf-8")
        # Names of XML vocabularies and links in messages of three.js are not fetched.
        fetched = re.findall(r"""(?:src|href|url|import|fetch|open)\s*[=(]\s*["'`(]\s*(?:https?:)?//[^"'`)]+""", text)
        assert fetched == [], path.name


def test_files_are_short():
    for path in [*(WEB / "src").rglob("*.ts"), *(WEB / "src").rglob("*.css")]:
        assert len(path.read_text().splitlines()) <= 300, path.name
