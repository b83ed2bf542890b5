"""Doing one task of a batch: plan, write the clips, judge what was written, write the record."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

from understudy import __version__
from understudy.batch.item import Item
from understudy.batch.ledger import Ledger, sha256_of
from understudy.batch.verb import Outcome
from understudy.batch.verbs import VERBS
from understudy.core.motion import Motion
from understudy.errors import UnderstudyError
from understudy.formats import format_of, load_motion, save_motion
from understudy.verify.claim import reread
from understudy.verify.judge import verify
from understudy.verify.report import Report


def run_item(item: Item, folder: Path, out: Path) -> dict[str, Any]:
    """Do one task and write its files.

    Args:
        item: The task.
        folder: The task file's folder.
        out: The batch's output folder.

    Returns:
        ``name``, ``status``, ``reason``, ``seconds`` and ``retry``, small enough to send back from another machine. A
        task that raises ends as ``"failed"`` without a record; ``retry`` says whether another try may help.
    """
    started = time.perf_counter()
    ledger, retry = Ledger(out), False
    try:
        outcome = VERBS[item.do].model_validate(dict(item.values)).run(folder, item.seed)
        record = _written(item, outcome, ledger)
        ledger.write(item.name, record)
        status, reason = record["status"], record["reason"]
    except UnderstudyError as error:
        status, reason = "failed", str(error)
    except Exception as error:  # a fault of ours in one task must not end the other thousands
        status, reason, retry = "failed", f"{type(error).__name__}: {error}", True
    seconds = time.perf_counter() - started
    return {"name": item.name, "status": status, "reason": reason, "seconds": seconds, "retry": retry}


def _written(item: Item, outcome: Outcome, ledger: Ledger) -> dict[str, Any]:
    files = _saved(item, outcome, ledger) if outcome.status else {}
    status, reason, report = outcome.status.value, outcome.reason, None
    if files and outcome.claim is not None:
        report = verify(reread(outcome.claim, _read_back(files, ledger, outcome)))
        reason, status = report.reason, status if report.ok else "rejected"
    if status == "rejected":
        for file in files.values():
            (ledger.clips / file).unlink(missing_ok=True)
        files = {}
    return {
        "task": item.to_json(),
        "digest": item.digest,
        "understudy": __version__,
        "status": status,
        "reason": reason,
        "verified": status == "solved",
        "clips": [
            {
                "file": file,
                "characters": [name for name, other in files.items() if other == file and name],
                "bytes": (ledger.clips / file).stat().st_size,
                "sha256": sha256_of(ledger.clips / file),
            }
            for file in dict.fromkeys(files.values())
        ],
        "seconds_of_motion": max((motion.duration_s for motion in outcome.motions.values()), default=0.0),
        "figures": None if report is None else figures(report),
    }


def _saved(item: Item, outcome: Outcome, ledger: Ledger) -> dict[str, str]:
    """File names by character."""
    suffix = "." + str(item.values.get("format", "bvh")).lstrip(".").lower()
    together = format_of(f"x{suffix}").together
    if len(outcome.motions) == 1 or together:
        file = f"{item.name}{suffix}"
        scene = outcome.scene if together else None
        save_motion(list(outcome.motions.values()), ledger.clips / file, scene=scene)
        return dict.fromkeys(outcome.motions, file)
    files = {name: f"{item.name}.{name}{suffix}" for name in outcome.motions}
    for name, motion in outcome.motions.items():
        save_motion(motion, ledger.clips / files[name])
    return files


def _read_back(files: dict[str, str], ledger: Ledger, outcome: Outcome) -> dict[str, Motion]:
    """The motions as the files have them; formats for several characters rename joints, so those stay as they were."""
    if any(format_of(file).together for file in files.values()):
        return outcome.motions
    return {name: load_motion(ledger.clips / file) for name, file in files.items()}


def figures(report: Report) -> dict[str, Any]:
    """The judge's numbers that are worth comparing over many clips; ``None`` where there is none."""
    entry = report.to_json()
    feet, limits, smooth = entry["foot_skate"], entry["joint_limits"], entry["smoothness"]
    goals = entry["goals"]
    found = {
        "penetration_m": entry["penetration"]["max_depth_m"],
        "stance_drift_mm": feet.get("stance_drift_mm"),
        "added_slide_mm": feet.get("added_slide_mm"),
        "skate_gmd": feet.get("gmd"),
        "skate_kimodo": feet.get("kimodo"),
        "limit_excess_rad": limits["max_excess_rad"],
        "velocity_ratio": smooth["velocity_ratio"],
        "acceleration_ratio": smooth["acceleration_ratio"],
        "jerk_ratio": smooth["jerk_ratio"],
        "goal_error_m": max((one["position_m"] for one in goals), default=None),
        "goal_error_rad": max((one["angle_rad"] for one in goals if one["angle_rad"] is not None), default=None),
    }
    return {key: value if value is not None and math.isfinite(value) else None for key, value in found.items()}
