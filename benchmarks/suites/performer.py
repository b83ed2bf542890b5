"""The performer beside recorded walks, and its clips by the quality measures.

    python -m benchmarks.suites.performer ../shared/motion/cmu_bvh [--docs docs/results.md]

Every recorded clip's path and phase drive the performer on the recorded person's own skeleton; joint angles are
compared frame by frame. The clips took no part in fitting or in choosing the model's form; ``performer_left_out`` fits
anew for every clip instead.

Beside it stands how well the same person's other recordings foretell a clip without any model: every frame against the
mean of the frames of those recordings that are most alike in phase, speed and turning.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from tools.performer_fit.recorded_clip import FINAL, FIT, read_all

from benchmarks.suites.performer_beside import JOINTS, compare, real_floor
from benchmarks.suites.performer_clips import knee_speeds, made_rows, seconds_per_minute
from understudy.formats import load_motion
from understudy.inspection import clean
from understudy.performer.model import gait_model

#: Joints of the table and the bar each must stay below: ordinary walks, then fast turns and side steps [deg].
BARS = {"hip": (6.0, 10.0), "knee": (6.0, 10.0), "ankle": (8.0, 10.0), "shoulder": (6.0, 10.0)}
#: Fast quarter turns and side steps, by the recordings' catalogue.
HARD = {"16_27", "16_30", "69_56", "69_59", "69_62", "69_65"}
#: Clips whose knees jump from one frame to the next; they say nothing about how fast knees are.
POPPING = {"16_47"}
#: Clips looked at with ``--quick``.
QUICK = {"16_58", "69_31"}


def clip_rows(folder: Path, only: set[str] | None = None) -> list[dict[str, object]]:
    """Joint-angle RMS [deg], step length and pelvis motion of every recorded clip that was kept out of the fit."""
    others = read_all(folder, FIT)
    rows = []
    for gait, names in FINAL.items():
        for name in names.split():
            if only is None or name in only:
                model = gait_model()
                row = {"clip": name, "gait": gait, **compare(folder, name, model.of(name.split("_")[0]))}
                common = compare(folder, name, model)
                row |= {f"{joint}_common": common[joint] for joint in JOINTS}
                rows.append(row | real_floor(folder, name, others[gait]))
    return rows


def real_knee_limits(folder: Path) -> tuple[float, float]:
    """99.9th percentile of recorded knee speeds [deg/s]: in walks, and in all locomotion including jogs."""
    values: dict[str, list[np.ndarray]] = {"walk": [], "all": []}
    for gait, names in FIT.items():
        for name in names.split():
            if name in POPPING:
                continue
            motion = clean(load_motion(folder / f"{name}.bvh")).motion
            speeds = knee_speeds(motion)
            values["all"].append(speeds)
            if gait != "jog":
                values["walk"].append(speeds)
    return tuple(float(np.percentile(np.concatenate(values[key]), 99.9)) for key in ("walk", "all"))


def report(folder: Path) -> str:
    """Everything as Markdown."""
    rows = clip_rows(folder)
    lines = [
        "| clip | gait | speed m/s | hip | knee | ankle | shoulder | step length error |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        hard = row["clip"] in HARD
        marks = []
        for joint, bars in BARS.items():
            value = float(row[joint])
            floor = f" [{row[f'{joint}_floor']:.1f}]" if f"{joint}_floor" in row else ""
            value_common = f" ({row[f'{joint}_common']:.1f})"
            marks.append(f"{value:.1f}" + value_common + floor + ("" if value <= bars[int(hard)] else " over"))
        lines.append(
            f"| {row['clip']} | {row['gait']}, up to {row['turn']:.0f} deg/s | {row['speed']:.2f} | "
            + " | ".join(marks)
            + f" | {100 * row['step_error']:+.1f} % |"
        )
    lines += ["", "| clip | bob recorded mm | made | sway recorded mm | made |", "|---|---|---|---|---|"]
    for row in rows:
        if "bob" in row:
            cells = []
            for key in ("bob", "sway"):
                real, ours = float(row[f"{key}_real"]), float(row[key])
                cells.append(f"{real:.1f} | {ours:.1f} ({100 * (ours / real - 1):+.0f} %)")
            lines.append(f"| {row['clip']} | {' | '.join(cells)} |")
    walk, everything = real_knee_limits(folder)
    lines += [
        "",
        f"Recorded knee speed, 99.9th percentile: {walk:.0f} deg/s without jogs, {everything:.0f} deg/s with them.",
        "",
        "| built-in clip (worst of 3 seeds) | stance drift mm | GMD skate | fastest knee deg/s | feet apart cm |",
        "|---|---|---|---|---|",
    ]
    for row in made_rows():
        over = " (over)" if row["knee"] > (everything if "jog" in row["clip"] else walk) else ""
        apart = f"{100 * row['apart']:.0f}" if np.isfinite(row["apart"]) else "never both down"
        lines.append(f"| {row['clip']} | {row['drift']:.2f} | {row['skate']:.3f} | {row['knee']:.0f}{over} | {apart} |")
    lines += ["", f"One minute of walking at 60 fps takes {seconds_per_minute():.2f} s of one core."]
    return "\n".join(lines)


def bench(motion: Path | None, *, quick: bool) -> list[dict[str, object]]:
    """The clips made; beside recorded walks kept out of the fit where there are any."""
    made = [{"case": row["clip"], "method": "made", **row} for row in made_rows()]
    if motion is None:
        return made
    rows = clip_rows(motion, QUICK if quick else None)
    return made + [{"case": row["clip"], "method": "beside the recording", **row} for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--docs", type=Path, help="replace the part of this page between its measured marks")
    arguments = parser.parse_args()
    text = report(arguments.folder)
    print(text)
    if arguments.docs:
        page = arguments.docs.read_text(encoding="utf-8")
        start, end = "<!-- measured: begin -->", "<!-- measured: end -->"
        head, tail = page.split(start)[0], page.split(end)[1]
        arguments.docs.write_text(f"{head}{start}\n{text}\n{end}{tail}", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
