"""Building motion libraries: thesis Table 3.1, and how unrolled random walks hold their feet.

    python -m benchmarks.suites.library ../shared/motion/cmu_bvh [--quick] [-o library.json] [--pictures FOLDER]

Standard and feature graphs over 693-6,887 frames of CMU subjects 69 and 16 at 60 fps, beside a straightforward
implementation that compares frames pair by pair. That one is run on a sample of pairs and its whole time computed from
it (column ``extrapolated``), since the whole would take hours.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.machine import machine, versions
from understudy.core import Motion
from understudy.errors import UnderstudyError
from understudy.formats import load_motion
from understudy.inspection.intervals import runs
from understudy.kinematics import motion_world
from understudy.library import Library, LibraryOptions, build_library, save_library, unroll
from understudy.library.footage import foot_ends
from understudy.library.unroll import Unrolled, placed_footage

#: Frames of Table 3.1 and the seconds it gives for the standard and the feature graph.
TABLE_3_1 = {
    693: (208.1, 1.5),
    1009: (467.2, 5.9),
    1539: (1107.4, 7.0),
    1660: (1297.7, 6.3),
    2329: (2577.5, 6.5),
    3347: (4853.5, 6.6),
    6887: (22272.5, 27.0),
}
WALK_69 = ("69_24", "69_31", "69_28", "69_20", "69_25", "69_22", "69_30", "69_01", "69_03", "69_13")
WALK_16 = ("16_16", "16_11", "16_13", "16_18", "16_20", "16_32", "16_31", "16_12", "16_14", "16_19", "16_47", "16_58")
LATERAL = ("69_56", "69_59", "69_62", "69_65")
BACKWARD = ("69_51", "69_53")
STYLED = ("82_10", "82_12")
BALLET = ("05_02", "05_06", "05_07", "05_11")
BASKETBALL = ("06_10", "06_08", "06_14", "06_15")
FPS = 60.0


def clips(folder: Path, names: Sequence[str]) -> list[Motion]:
    return [load_motion(folder / f"{name}.bvh") for name in names]


def trimmed(motions: Sequence[Motion], frames: int) -> list[Motion]:
    """The first clips, the last one cut, so that there are exactly so many frames at 60 fps."""
    kept: list[Motion] = []
    left = frames
    for motion in motions:
        at_rate = motion.resampled(FPS)
        if left < 60:
            break
        kept.append(at_rate.frames(0, min(left, len(at_rate))))
        left -= len(kept[-1])
    return kept


def pairwise_seconds(motions: Sequence[Motion], *, half: int, pairs: int) -> tuple[float, float]:
    """Seconds one pair takes, and all pairs of these frames would, compared the straightforward way."""
    joints = sorted(motions[0].skeleton.humanoid.values())
    points = np.concatenate([motion_world(motion).positions[:, joints] for motion in motions])
    count = len(points)
    rng = np.random.default_rng(0)
    picked = rng.integers(half, count - half, size=(pairs, 2))
    start = process_time()
    for i, j in picked:
        window_distance(points[i - half : i + half + 1], points[j - half : j + half + 1])
    each = (process_time() - start) / pairs
    return each, each * count * count


def window_distance(a: np.ndarray, b: np.ndarray) -> float:
    """Root mean square distance of windows ``(frames, joints, 3)`` at the best planar alignment (thesis eq. 3.2)."""
    ax, ay, az = a.reshape(-1, 3).T
    bx, by, bz = b.reshape(-1, 3).T
    n = len(ax)
    turn = np.arctan2(
        (ax * bz - bx * az).sum() - (ax.sum() * bz.sum() - bx.sum() * az.sum()) / n,
        (ax * bx + az * bz).sum() - (ax.sum() * bx.sum() + az.sum() * bz.sum()) / n,
    )
    c, s = np.cos(turn), np.sin(turn)
    x0 = (ax.sum() - bx.sum() * c - bz.sum() * s) / n
    z0 = (az.sum() + bx.sum() * s - bz.sum() * c) / n
    gaps = (ax - (c * bx + s * bz + x0)) ** 2 + (ay - by) ** 2 + (az - (-s * bx + c * bz + z0)) ** 2
    return float(np.sqrt(gaps.mean()))


def construction_rows(folder: Path, *, quick: bool) -> list[dict[str, object]]:
    """Table 3.1."""
    everything = clips(folder, (*WALK_69, *WALK_16))
    build_library(trimmed(everything, 693), options=LibraryOptions(graph="hybrid"))  # compiles
    rows: list[dict[str, object]] = []
    for frames in list(TABLE_3_1)[:: 3 if quick else 1]:
        motions = trimmed(everything, frames)
        for graph in ("standard", "feature", "hybrid"):
            options = LibraryOptions(graph=graph, fps=FPS)  # type: ignore[arg-type]
            seconds, cpu, library = _timed(motions, options, repeat=2 if quick else 7)
            published = {"standard": TABLE_3_1[frames][0], "feature": TABLE_3_1[frames][1]}.get(graph)
            rows.append(
                {**_row(f"{frames} frames", graph, library, seconds, published), "cpu_s": float(np.median(cpu))}
            )
        half = LibraryOptions(graph="standard").half_window(FPS)
        each, whole = pairwise_seconds(motions, half=half, pairs=500 if quick else 3000)
        rows.append(
            {"case": f"{frames} frames", "method": "pair by pair (standard)", "median_s": whole, "extrapolated": True}
        )
        rows[-1]["us_a_pair"] = each * 1e6
    return rows


def _timed(
    motions: Sequence[Motion], options: LibraryOptions, *, repeat: int
) -> tuple[np.ndarray, np.ndarray, Library]:
    """Seconds by the clock and of all cores, and the library."""
    times, cpu = [], []
    library = None
    for _ in range(repeat):
        start, begun = perf_counter(), process_time()
        library = build_library(motions, options=options)
        times.append(perf_counter() - start)
        cpu.append(process_time() - begun)
    assert library is not None
    return np.array(times), np.array(cpu), library


def _row(case: str, method: str, library: Library, seconds: np.ndarray, published: float | None) -> dict[str, object]:
    return {
        "case": case,
        "method": method,
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.percentile(seconds, 95)),
        "max_s": float(seconds.max()),
        "published_s": published,
        "nodes": library.graph.nodes,
        "edges": library.graph.edges,
        "branching": library.branching,
        "thesis_branching": library.thesis_branching,
    }


def walk_rows(folder: Path, *, quick: bool) -> list[dict[str, object]]:
    """Random walks through several libraries, with and without foot hold: drift added to planted feet."""
    libraries = {
        "walk 69": (WALK_69, {}),
        "walk 69, mirrored": (WALK_69, {"mirror": True}),
        "walk 69 + 16": (WALK_69 + WALK_16, {}),
        "walk 69, hybrid": (WALK_69, {"graph": "hybrid"}),
        "walk 69, standard": (WALK_69, {"graph": "standard"}),
        "walk 69 + lateral, 8 cm": (WALK_69 + LATERAL, {"threshold_m": 0.08}),
        "walk 69 + backward, 12 cm": (WALK_69 + BACKWARD, {"threshold_m": 0.12}),
        "walk 69, bent": (WALK_69, {"bends_degps": (-24.0, -12.0, 12.0, 24.0)}),
        "styled 82, 12 cm": (STYLED, {"threshold_m": 0.12}),
        "ballet 05, hybrid, 12 cm": (BALLET, {"threshold_m": 0.12, "graph": "hybrid", "clean": True}),
        "basketball 06, hybrid, 12 cm": (BASKETBALL, {"threshold_m": 0.12, "graph": "hybrid"}),
    }
    rows = []
    for case, (names, options) in libraries.items():
        library = build_library(clips(folder, names), options=LibraryOptions(**options))  # type: ignore[arg-type]
        for turned in (False, True):
            for hold in (False, True):
                drift = [
                    added_drift_mm(library, random_walk(library, seed, turned=turned, hold=hold))
                    for seed in range(3 if quick else 10)
                ]
                method = f"{'turned' if turned else 'straight'}, {'feet held' if hold else 'not held'}"
                rows.append({"case": case, "method": method, **_drift_row(library, drift)})
    return rows


def _drift_row(library: Library, drift: Sequence[np.ndarray]) -> dict[str, object]:
    stances = np.concatenate(drift)
    return {
        "nodes": library.graph.nodes,
        "edges": library.graph.edges,
        "total": len(drift),
        "verified": sum(1 for one in drift if not len(one) or one.max() <= 5.0),
        "stances": len(stances),
        "added_median_mm": float(np.median(stances)),
        "added_p95_mm": float(np.percentile(stances, 95)),
        "added_max_mm": float(stances.max()),
    }


def random_walk(library: Library, seed: int, *, turned: bool, hold: bool, clips_: int = 30) -> Unrolled:
    rng = np.random.default_rng(seed)
    nodes = [int(rng.integers(len(library)))]
    turns = []
    for _ in range(clips_):
        nodes.append(int(rng.choice(library.graph.successors(nodes[-1]))))
        low, high = library.graph.ranges[library.graph.edge(nodes[-2], nodes[-1])]
        turns.append(float(rng.uniform(low, high)) if turned else 0.0)
    return unroll(library, nodes, turns_rad=turns, hold_feet=hold)


def added_drift_mm(library: Library, walk: Unrolled) -> np.ndarray:
    """How far a planted foot strays, in every stance of the walk, from how the recording moves it [mm].

    The recording is the earlier clip up to a seam and the later one from it on, with what jumps at the seam taken out.
    """
    time, skeleton = walk.timeline, library.skeleton
    ours, before, after = (
        foot_ends(skeleton, motion_world(motion).positions)
        for motion in (
            walk.motion,
            placed_footage(library.footage, time.earlier, time.earlier_at),
            placed_footage(library.footage, time.later, time.later_at),
        )
    )
    recorded = before.copy()
    for seam, half in zip(time.seams, time.after, strict=True):
        recorded[seam : seam + half + 1] = after[seam : seam + half + 1]
    steps = np.diff(recorded, axis=0)
    steps[time.seams - 1] = before[time.seams] - before[time.seams - 1]
    strayed = ours - np.concatenate([ours[:1], ours[:1] + np.cumsum(steps, axis=0)])
    out = []
    for side in range(2):
        # Stances of the recordings, not of the result: a foot that slides fast would not count as planted any more.
        for first, stop in runs(time.planted[:, side]):
            if stop - first > 0.1 * library.fps:
                lower = int(ours[first:stop, side, :, 1].mean(axis=0).argmin())
                out.append(1000.0 * _spread_m(strayed[first:stop, side, lower]))
    return np.array(out)


def _spread_m(points: np.ndarray) -> float:
    flat = points[:, [0, 2]]
    return float(np.linalg.norm(flat[:, None] - flat[None], axis=-1).max())


def pictures(folder: Path, out: Path) -> None:
    """Segmentations of five libraries, and one random walk from the side and from above."""
    from benchmarks.suites.library_pictures import segmentation_picture
    from understudy.pictures import show

    out.mkdir(parents=True, exist_ok=True)
    groups = {"walk": WALK_69, "styled": STYLED, "ballet": BALLET, "basketball": BASKETBALL, "lateral": LATERAL}
    for name, names in groups.items():
        segmentation_picture(clips(folder, names), out / f"segments_{name}.png", title=name, clean=name == "ballet")
    library = build_library(clips(folder, WALK_69))
    walk = random_walk(library, 3, turned=True, hold=True, clips_=14).motion
    show(walk, out / "walk_strobe.png", style="strobe", poses=12)
    show(walk, out / "walk_top.png", style="top")


def file_row(folder: Path, scratch: Path) -> dict[str, object]:
    """Saving and loading the library of subject 69."""
    from understudy.library import load_library

    library = build_library(clips(folder, WALK_69))
    path = save_library(library, scratch / "walk.usl")
    times = []
    for _ in range(7):
        start = perf_counter()
        load_library(path)
        times.append(perf_counter() - start)
    row = _row("walk 69", "load .usl", library, np.array(times), None)
    return {**row, "bytes": path.stat().st_size}


def rows(folder: Path, *, quick: bool) -> list[dict[str, object]]:
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        loading = file_row(folder, Path(scratch))
    return [*construction_rows(folder, quick=quick), loading, *walk_rows(folder, quick=quick)]


def bench(motion: Path | None, *, quick: bool) -> list[dict[str, object]]:
    """Every row."""
    if motion is None:
        raise UnderstudyError("the library suite repeats the thesis's tables and needs CMU's clips: --motion FOLDER")
    return rows(motion, quick=quick)


def _show(console: Console, table_rows: list[dict[str, object]]) -> None:
    columns = list(dict.fromkeys(key for row in table_rows for key in row))
    table = Table()
    for column in columns:
        table.add_column(column, justify="left" if column in ("case", "method") else "right")
    for row in table_rows:
        values = (row.get(column) for column in columns)
        table.add_row(*("" if v is None else f"{v:.4g}" if isinstance(v, float) else str(v) for v in values))
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.library", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of CMU clips as BVH")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--pictures", type=Path, help="draw segmentations and a walk into this folder")
    arguments = parser.parse_args()
    table = rows(arguments.folder, quick=arguments.quick)
    console = Console(width=200)
    console.print(f"{machine()}\n{versions()}", highlight=False)
    _show(console, [row for row in table if "median_s" in row])
    _show(console, [row for row in table if "stances" in row])
    if arguments.output:
        document = {"suite": "library", "machine": machine(), "versions": versions(), "rows": table}
        arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    if arguments.pictures:
        pictures(arguments.folder, arguments.pictures)


if __name__ == "__main__":
    main()
