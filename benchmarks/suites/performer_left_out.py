"""Every recorded walk, turn and side step beside a model that was fitted without it, pooled by class.

    python -m benchmarks.suites.performer_left_out ../shared/motion/cmu_bvh [--among fit] [-o OUT] [--docs PAGE]

For every clip in turn the gait it belongs to is fitted anew to all the others, path and phase of the clip drive the
performer on the person's own skeleton, and joint angles are compared frame by frame. ``--among fit`` stays with the
clips that may be used to choose the model's form. With ``-o`` clips that are in the file already, measured with the
same sources, are not measured again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from tools.performer_fit.model_fit import fitted
from tools.performer_fit.recorded_clip import FINAL, FIT, read_all

from benchmarks.suites.performer import BARS, HARD
from benchmarks.suites.performer_beside import JOINTS, compare, real_floor
from understudy.performer.model import gait_model

ROOT = Path(__file__).resolve().parents[2]
#: Classes of clips, what is special about them, and which column of the bars is theirs; the last three have none of
#: their own and are marked by those of walks. Nobody but 69_13 turns on the spot.
CLASSES = {
    "straight and turning walks": 0,
    "fast quarter turns and side steps": 1,
    "turns on the spot, one take": 0,
    "backward walks, two takes": 0,
    "jogs": 0,
}
ON_THE_SPOT = {"69_13"}
#: Numbers of a joint: the person's own manner, the common walk, the same person's other clips.
KINDS = ("", "_common", "_floor")


def sources() -> str:
    """A number for the code a measurement depends on."""
    digest = hashlib.sha256()
    for folder in ("tools/performer_fit", "src/understudy/performer"):
        for path in sorted((ROOT / folder).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def left_out(folder: Path, among: str, output: Path | None) -> list[dict[str, object]]:
    """A row for every clip, each measured with a model that never saw it."""
    state, rows = sources(), []
    if output is not None and output.exists():
        rows = [row for row in json.loads(output.read_text(encoding="utf-8")) if row["sources"] == state]
    done = {row["clip"] for row in rows}
    names = {gait: FIT[gait] if among == "fit" else f"{FIT[gait]} {FINAL[gait]}" for gait in FIT}
    for gait, group in read_all(folder, names).items():
        for clip in group:
            if clip.name in done:
                continue
            rest = [other for other in group if other.name != clip.name]
            if not rest:
                continue
            model = fitted({gait: rest}, gait_model())
            row = {"clip": clip.name, "gait": gait, "kept": clip.name in FINAL[gait].split(), "sources": state}
            row |= compare(folder, clip.name, model.of(clip.subject))
            common = compare(folder, clip.name, model)
            row |= {f"{joint}_common": common[joint] for joint in JOINTS} | real_floor(folder, clip.name, rest)
            rows.append(row)
            if output is not None:
                output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return sorted(rows, key=lambda row: (list(CLASSES).index(class_of(row)), row["gait"], row["clip"]))


def class_of(row: dict[str, object]) -> str:
    """Which class a clip belongs to, by the recordings' catalogue."""
    walks, hard, spot, back, jogs = CLASSES
    if row["clip"] in HARD:
        return hard
    if row["clip"] in ON_THE_SPOT:
        return spot
    return {"back": back, "jog": jogs}.get(str(row["gait"]), walks)


def pooled(rows: list[dict[str, object]], key: str, *, by_frames: bool = True) -> float:
    """RMS over the frames of all rows, or with every clip counting alike [deg]."""
    known = [row for row in rows if key in row]
    weights = np.array([row["seconds"] if by_frames else 1.0 for row in known])
    return float(np.sqrt(np.average(np.square([row[key] for row in known]), weights=weights)))


def report(rows: list[dict[str, object]]) -> str:
    """Classes, then clips, as Markdown."""
    lines = ["| class | clips, seconds | hip | knee | ankle | shoulder |", "|---|---|---|---|---|---|"]
    for title, hard in CLASSES.items():
        group = [row for row in rows if class_of(row) == title]
        if not group:
            continue
        seconds = sum(float(row["seconds"]) for row in group)
        for by_frames, how in ((True, "over all frames"), (False, "every clip alike")):
            cells = [_cell([pooled(group, j + kind, by_frames=by_frames) for kind in KINDS], j, hard) for j in JOINTS]
            lines.append(f"| {title}, {how} | {len(group)}, {seconds:.0f} s | {' | '.join(cells)} |")
        over = [f"{sum(float(row[joint]) > BARS[joint][hard] for row in group)} of {len(group)}" for joint in JOINTS]
        lines.append(f"| clips over the bar | | {' | '.join(over)} |")
    lines += [
        "",
        "| clip | speed m/s | turns up to deg/s | hip | knee | ankle | shoulder |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        hard = int(row["clip"] in HARD)
        cells = [_cell([float(row.get(joint + kind, np.nan)) for kind in KINDS], joint, hard) for joint in JOINTS]
        name = f"{row['clip']}{' (kept out)' if row['kept'] else ''}"
        lines.append(f"| {name} | {row['speed']:.2f} | {row['turn']:.0f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(values: list[float], joint: str, hard: int) -> str:
    own, common, floor = values
    text = f"{own:.1f} ({common:.1f})" + (f" [{floor:.1f}]" if np.isfinite(floor) else "")
    return text if own <= BARS[joint][hard] else f"{text} over"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--among", choices=("fit", "all"), default="all")
    parser.add_argument("-o", "--output", type=Path, help="JSON file to write and to go on from")
    parser.add_argument("--docs", type=Path, help="replace the part of this page between its left-out marks")
    arguments = parser.parse_args()
    text = report(left_out(arguments.folder, arguments.among, arguments.output))
    print(text)
    if arguments.docs:
        page = arguments.docs.read_text(encoding="utf-8")
        start, end = "<!-- left out: begin -->", "<!-- left out: end -->"
        head, tail = page.split(start)[0], page.split(end)[1]
        arguments.docs.write_text(f"{head}{start}\n{text}\n{end}{tail}", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
