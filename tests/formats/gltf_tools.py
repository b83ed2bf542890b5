"""Independent readers of written files, and surgery on glTF files for tests."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from understudy.formats.gltf_document import load_document, packed_glb

WEB = Path(__file__).resolve().parents[1] / "web"


def _node(script: str, *arguments: str) -> Any:
    node = shutil.which("node")
    if node is None or not (WEB / "node_modules" / "gltf-validator").is_dir():
        pytest.skip("needs node and `npm ci` in tests/web")
    done = subprocess.run([node, script, *arguments], cwd=WEB, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1])


def khronos_reports(*paths: Path) -> list[dict[str, Any]]:
    """What the Khronos validator finds in each file."""
    return _node("validate_glb.mjs", *map(str, paths))


def three_samples(path: Path, times_s: list[float]) -> dict[str, Any]:
    """Node positions and mesh boxes that three.js shows at each time."""
    return _node("sample_glb.mjs", str(path), *map(str, times_s))


def assert_flawless(*paths: Path) -> None:
    for path, report in zip(paths, khronos_reports(*paths), strict=True):
        assert (report["errors"], report["warnings"]) == (0, 0), (path, report["messages"])


def edited(path: Path, target: Path, change: Callable[[dict[str, Any], bytearray], None]) -> Path:
    """A copy of a ``.glb`` after ``change(json, binary)``."""
    document = load_document(path)
    root, binary = copy.deepcopy(document.root), bytearray(document.binary or b"")
    change(root, binary)
    if root.get("buffers") and "uri" not in root["buffers"][0]:
        root["buffers"][0]["byteLength"] = len(binary)
    target.write_bytes(packed_glb(root, bytes(binary)))
    return target


def append_accessor(
    root: dict[str, Any], binary: bytearray, values: np.ndarray, kind: str, component: int, **extra: Any
) -> int:
    """Add an accessor over new bytes; its index."""
    binary.extend(b"\0" * (-len(binary) % 4))
    raw = np.ascontiguousarray(values).tobytes()
    root["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(raw)})
    binary.extend(raw)
    entry = {"bufferView": len(root["bufferViews"]) - 1, "componentType": component, "count": len(values), "type": kind}
    root["accessors"].append({**entry, **extra})
    return len(root["accessors"]) - 1


def channel(root: dict[str, Any], node: int, path: str) -> dict[str, Any]:
    """The sampler that drives a node's property in the first animation."""
    animation = root["animations"][0]
    for entry in animation["channels"]:
        if entry["target"] == {"node": node, "path": path}:
            return animation["samplers"][entry["sampler"]]
    raise KeyError((node, path))
