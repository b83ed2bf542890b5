"""The judge's figures over some two thousand outputs of all engines, the worst of them as pictures.

    python -m benchmarks.suites.quality [--quick] [--out out/quality] [--pictures docs/images] [-o results.json]

Runs a batch (resumable: stop it and start it again), then counts what became of the tasks and what the judge measured
in every clip that was handed out. Tasks are drawn at random, so some have no solution: a goal in a box, a target out
of reach.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import machine, versions
from benchmarks.suites import Row, recorded_clips
from benchmarks.suites.quality_tasks import write_tasks
from understudy.batch import BatchOptions, load_index, run_batch

#: What is shown of each clip: key, unit factor, name.
FIGURES = (
    ("penetration_m", 1000.0, "penetration mm"),
    ("stance_drift_mm", 1.0, "stance drift mm"),
    ("skate_gmd", 1.0, "skate (GMD)"),
    ("limit_excess_rad", float(np.degrees(1.0)), "limit excess deg"),
    ("velocity_ratio", 1.0, "velocity ratio"),
    ("acceleration_ratio", 1.0, "acceleration ratio"),
    ("goal_error_m", 1000.0, "goal error mm"),
)


def bench(motion: Path | None, *, quick: bool, store: Path | None = None, workers: int = 0) -> list[Row]:
    """Run what is not done yet in the store, a folder, and count."""
    out = store or Path("out/quality-quick" if quick else "out/quality")
    tasks = write_tasks(out / "tasks", motion, quick=quick)
    run_batch(tasks, out / "results", options=BatchOptions(workers=workers))
    return rows(records(out / "results"))


def records(results: Path) -> list[dict[str, Any]]:
    """The records of a batch's present tasks, in order; a task that failed has only its status."""
    index = load_index(results)
    found = []
    for task in index["tasks"]:
        path = results / "records" / f"{task['name']}.json"
        record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"figures": None, "clips": []}
        found.append({**record, "name": task["name"], "job": task["job"], "status": task["status"]})
    return found


def rows(found: Sequence[dict[str, Any]]) -> list[Row]:
    """One row per job and one for all."""
    jobs = list(dict.fromkeys(record["job"] for record in found))
    table = [_row(job, [record for record in found if record["job"] == job]) for job in jobs]
    return [*table, _row("all", found)]


def _row(name: str, found: Sequence[dict[str, Any]]) -> Row:
    statuses = [record["status"] for record in found]
    solved = [record["figures"] for record in found if record["status"] == "solved" and record["figures"]]
    row: Row = {
        "case": name,
        "method": "batch",
        "total": len(found),
        "solved": statuses.count("solved"),
        "no solution": sum(status in ("infeasible_start", "infeasible_goal", "exhausted") for status in statuses),
        "rejected": statuses.count("rejected"),
        "errors": statuses.count("failed") + statuses.count("timed_out"),
    }
    for key, factor, title in FIGURES:
        values = [factor * one[key] for one in solved if one[key] is not None]
        row[f"{title} median"] = float(np.median(values)) if values else None
        row[f"{title} worst"] = float(max(values)) if values else None
    return row


def worst(found: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """For each figure, the record of the clip that is worst in it."""
    solved = [record for record in found if record["status"] == "solved" and record["figures"]]
    return {
        title: max(solved, key=lambda record: record["figures"][key] or 0.0)
        for key, _, title in FIGURES
        if any(record["figures"][key] for record in solved)
    }


def pictures(found: Sequence[dict[str, Any]], results: Path, folder: Path) -> dict[str, Path]:
    """A contact sheet of the worst clip in each figure."""
    from understudy.batch.verbs import VERBS
    from understudy.formats import load_motions
    from understudy.pictures import contact_sheet, staged

    made = {}
    for title, record in worst(found).items():
        clip = results / "clips" / record["clips"][0]["file"]
        verb = VERBS[record["task"]["do"]].model_validate(record["task"]["values"])
        path = folder / f"worst-{title.split(' (')[0].replace(' ', '-')}.png"
        motions, scene = load_motions([clip]), verb.stage(results.parent / "tasks")
        props = () if scene is None else scene.props(end_s=max(motion.duration_s for motion in motions))
        contact_sheet(staged(motions, props=props), title=f"{title}: {record['name']}").save(path)
        made[title] = path
    return made


def markdown(table: Sequence[Row]) -> str:
    """Two tables for the page: what became of the tasks, and what the judge measured."""
    counts = ("total", "solved", "no solution", "rejected", "errors")
    lines = ["| | " + " | ".join(counts) + " |", "|---|" + "---|" * len(counts)]
    lines += [f"| {row['case']} | " + " | ".join(str(row[key]) for key in counts) + " |" for row in table]
    titles = [title for _, _, title in FIGURES]
    lines += ["", "| median / worst | " + " | ".join(titles) + " |", "|---|" + "---|" * len(titles)]
    for row in table:
        cells = [_cell(row[f"{title} median"], row[f"{title} worst"]) for title in titles]
        lines.append(f"| {row['case']} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(median: float | None, largest: float | None) -> str:
    return "" if median is None or largest is None else f"{median:.3g} / {largest:.3g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("out/quality"))
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    table = bench(recorded_clips(), quick=given.quick, store=given.out, workers=given.workers)
    print(markdown(table))
    if given.output is not None:
        document = {"suite": "quality", "machine": machine(), "versions": versions(), "rows": table}
        given.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    if given.pictures is not None:
        for title, path in pictures(records(given.out / "results"), given.out / "results", given.pictures).items():
            print(f"worst {title}: {path}")


if __name__ == "__main__":
    main()
