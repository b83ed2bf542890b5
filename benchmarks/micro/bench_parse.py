"""Reading BVH: 5,000 frames of 31 joints, against pybvh (where it is installed), NumPy's text reader, plain Python."""

from __future__ import annotations

import importlib.util
import io
import tempfile
from importlib import metadata
from pathlib import Path

import numpy as np

from benchmarks.timing import measure
from understudy import rotations as rot
from understudy.core import Motion, Skeleton
from understudy.formats import ReadOptions, WriteOptions, load_motion, save_motion

FRAMES, JOINTS = 5000, 31


def _motion() -> Motion:
    rng = np.random.default_rng(0)
    skeleton = Skeleton(
        names=tuple(f"joint{index}" for index in range(JOINTS)),
        parents=np.array([-1, *(index - 1 if index % 6 else 0 for index in range(1, JOINTS))]),
        offsets=rng.uniform(-0.3, 0.3, (JOINTS, 3)),
    )
    times = np.linspace(0, 40, FRAMES)[:, None, None]
    vectors = 0.8 * np.sin(times * rng.uniform(0.5, 2.0, (JOINTS, 3)) + rng.uniform(0, 6, (JOINTS, 3)))
    positions = rng.uniform(-1, 1, 3) * times[:, 0]
    return Motion(skeleton=skeleton, fps=120, root_positions=positions, rotations=rot.exp(vectors))


def _rows_of(path: Path) -> str:
    return path.read_text().split("Frame Time:", 1)[1].split("\n", 1)[1]


def _shortened(path: Path) -> None:
    """Four decimals, as recordings have them."""
    text = path.read_text()
    rows = _rows_of(path)
    values = np.loadtxt(io.StringIO(rows))
    short = "\n".join(" ".join(f"{value:.4f}" for value in row) for row in values.tolist())
    path.write_text(text[: -len(rows)] + short + "\n")


def _peer(path: Path, repeat: int) -> dict[str, dict[str, float]]:
    """pybvh on the same file, if it is installed."""
    if importlib.util.find_spec("pybvh") is None:
        return {}
    import pybvh

    return {f"pybvh {metadata.version('pybvh')}": measure(lambda: pybvh.read_bvh_file(str(path)), repeat=repeat)}


def rows(quick: bool) -> list[dict[str, object]]:
    repeat = 3 if quick else 15
    case = f"{FRAMES} frames x {JOINTS} joints"
    result: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.bvh"
        motion = _motion()
        options = ReadOptions(unit_m=1.0, up="y")
        write = measure(lambda: save_motion(motion, path, options=WriteOptions()), repeat=repeat)
        long = measure(lambda: load_motion(path, options=options), repeat=repeat)
        _shortened(path)
        guessed = measure(lambda: load_motion(path), repeat=repeat)
        timings = {
            "load_motion": guessed,
            "load_motion (7 decimals)": long,
            "numbers only: numpy.loadtxt": measure(lambda: np.loadtxt(io.StringIO(_rows_of(path))), repeat=repeat),
            "numbers only: float per word": measure(
                lambda: np.array([[float(word) for word in row.split()] for row in _rows_of(path).splitlines()]),
                repeat=repeat,
            ),
            "save_motion": write,
            **_peer(path, repeat),
        }
    for method, timing in timings.items():
        result.append({"case": case, "method": method, "n": repeat, **timing})
    return result
