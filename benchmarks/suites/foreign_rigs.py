"""Clips of strangers, folder by folder: are they understood, upright in a mirror too, and does a library of them walk?

    python -m benchmarks.suites.foreign_rigs FOLDER... [--walks N] [--draw FOLDER] [-o OUT]

Every folder holds clips of one rig, or of one recorded person. Nothing of them is kept in this repository; the page on
results names the public sets they come from.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import understudy as us
from benchmarks.suites import Row
from benchmarks.suites.rig_properties import faults, sole_spread_m
from understudy.core import Motion, fit_body
from understudy.errors import UnderstudyError
from understudy.inspection.doubts import doubts

_SUFFIXES = (".bvh", ".glb", ".gltf", ".amc", ".npz")


def measured(folder: Path, walks: int) -> Row:
    """One row for a folder of clips."""
    clips = [us.load_motion(path) for path in sorted(folder.iterdir()) if path.suffix.lower() in _SUFFIXES]
    people = [clip for clip in clips if clip.skeleton.is_humanoid and len(clip) > 3]
    excess = [float(np.degrees(fit_body(clip.skeleton).limits.excess(clip.rotations).max())) for clip in people]
    reports = [us.verify(clip) for clip in people]
    row: Row = {
        "case": folder.name,
        "method": "as read",
        "clips": len(clips),
        "people": len(people),
        "stature_m": _median([fit_body(clip.skeleton).stature_m for clip in people]),
        "beyond_limits_deg": _median(excess),
        "worst_deg": max(excess, default=None),
        "nobody": [f"{clip.name}: {doubts(clip)[0]}" for clip in clips if not clip.skeleton.is_humanoid],
        "misunderstood": {clip.name: found for clip in people if (found := faults(clip))},
        "sole_spread_m": _median([spread for clip in people if (spread := sole_spread_m(clip)) is not None]),
        "verified": sum(report.ok for report in reports),
        "broken": dict(Counter(kind for report in reports for kind in report.broken)),
    }
    return row | _walked(people, walks)


def _median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if len(values) else None


def draw(folder: Path, out: Path, clips: int = 3) -> None:
    """Pictures of the first clips of a folder, to be looked at."""
    paths = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in _SUFFIXES]
    out.mkdir(parents=True, exist_ok=True)
    for path in paths[:clips]:
        us.show(us.load_motion(path), out / f"{folder.name}-{path.stem}.png")


def _walked(clips: Sequence[Motion], walks: int) -> Row:
    """How many walks over an empty floor a library of the clips manages, from anywhere to a place 3 to 5 m away."""
    if not walks:
        return {}
    try:
        library = us.library_from(clips, walks=0).library
    except UnderstudyError as error:
        return {"walks": walks, "walked": 0, "reasons": [str(error).partition("\n")[0]]}
    results = []
    for seed in range(walks):
        rng = np.random.default_rng([77, seed])
        angle, far = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(3.0, 5.0)
        goal = (float(far * np.sin(angle)), float(far * np.cos(angle)))
        results.append(us.walk(library, us.Scene(), start=(0.0, 0.0), goal=goal))
    reasons = Counter(one.reason[:120] for one in results if not one.status)
    return {"walks": walks, "walked": sum(bool(one.status) for one in results), "reasons": list(reasons)}


def markdown(rows: Sequence[Row]) -> str:
    """The table for the page."""
    titles = ("clips", "stature", "beyond limits, median / worst", "understood", "verified as read", "walks")
    lines = ["| clips of | " + " | ".join(titles) + " |", "|---|" + "---:|" * len(titles)]
    for row in rows:
        people = row["people"]
        cells = [
            f"{people} of {row['clips']}",
            f"{row['stature_m']:.2f} m" if people else "",
            f"{row['beyond_limits_deg']:.0f} / {row['worst_deg']:.0f} deg" if people else "",
            f"{people - len(row['misunderstood'])} of {people}",
            f"{row['verified']} of {people}",
            f"{row['walked']} of {row['walks']}" if "walks" in row else "",
        ]
        lines.append(f"| {row['case']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--walks", type=int, default=20, help="walks to try with a library of each folder; 0: none")
    parser.add_argument("--draw", type=Path, help="folder for pictures of the first clips of each folder")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    rows = [measured(folder, given.walks) for folder in given.folders]
    for folder in given.folders if given.draw else ():
        draw(folder, given.draw)
    print(markdown(rows))
    for row in rows:
        said = [f"{name}: {', '.join(found)}" for name, found in row["misunderstood"].items()]
        print(row["case"], row["broken"], *row["nobody"], *said, *row.get("reasons", ()), sep="\n  ")
    if given.output:
        given.output.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
