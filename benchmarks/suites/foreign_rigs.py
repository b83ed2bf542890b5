"""Clips of strangers, folder by folder: are they understood, upright in a mirror too, and does a library of them walk?

    python -m benchmarks.suites.foreign_rigs FOLDER... [--walks N] [-o OUT]

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
from understudy.core import Motion, fit_body
from understudy.errors import UnderstudyError
from understudy.kinematics import motion_world


def measured(folder: Path, walks: int) -> Row:
    """One row for a folder of clips."""
    clips = [us.load_motion(path) for path in sorted(folder.glob("*.bvh"))]
    people = [clip for clip in clips if clip.skeleton.is_humanoid and len(clip) > 3]
    excess = [float(np.degrees(fit_body(clip.skeleton).limits.excess(clip.rotations).max())) for clip in people]
    reports = [us.verify(clip) for clip in people]
    row: Row = {
        "case": folder.name,
        "method": "as read",
        "clips": len(clips),
        "people": len(people),
        "stature_m": float(np.median([fit_body(clip.skeleton).stature_m for clip in people])),
        "beyond_limits_deg": float(np.median(excess)),
        "worst_deg": max(excess),
        "mirror_upright": sum(_upright(us.mirrored(clip)) == _upright(clip) for clip in people),
        "verified": sum(report.ok for report in reports),
        "broken": dict(Counter(kind for report in reports for kind in report.broken)),
    }
    return row | _walked(people, walks)


def _upright(motion: Motion) -> bool:
    """Whether the head is above the hips most of the time."""
    places, roles = motion_world(motion).positions, motion.skeleton.humanoid
    return bool(np.mean(places[:, roles["head"], 1] > places[:, roles["hips"], 1]) > 0.5)


def _walked(clips: Sequence[Motion], walks: int) -> Row:
    """How many walks over an empty floor a library of the clips manages, from anywhere to a place 3 to 5 m away."""
    if not walks:
        return {}
    try:
        library = us.build_library(clips)
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
    titles = ("clips", "stature", "beyond limits, median / worst", "upright in a mirror", "verified as read", "walks")
    lines = ["| clips of | " + " | ".join(titles) + " |", "|---|" + "---:|" * len(titles)]
    for row in rows:
        people = row["people"]
        cells = [
            f"{people} of {row['clips']}",
            f"{row['stature_m']:.2f} m",
            f"{row['beyond_limits_deg']:.0f} / {row['worst_deg']:.0f} deg",
            f"{row['mirror_upright']} of {people}",
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
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    rows = [measured(folder, given.walks) for folder in given.folders]
    print(markdown(rows))
    for row in rows:
        print(row["case"], row["broken"], *row.get("reasons", ()), sep="\n  ")
    if given.output:
        given.output.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
