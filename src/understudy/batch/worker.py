"""Doing one task of a batch: plan, write the clips, judge the written clips, write the record."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

from understudy import __version__
from understudy.api.saving import save
from understudy.batch.item import Item
from understudy.batch.ledger import Ledger, sha256_of
from understudy.batch.verb import Outcome
from understudy.batch.verbs import VERBS
from understudy.errors import UnderstudyError
from understudy.formats import format_of, save_motion
from understudy.formats.certificates import beside
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
    files, report = _saved(item, outcome, ledger) if outcome.status else ({}, None)
    status, reason = outcome.status.value, outcome.reason
    if report is not None:
        reason, status = report.reason, status if report.ok else "rejected"
    if status == "rejected":
        for file in files.values():
            (ledger.clips / file).unlink(missing_ok=True)
            beside(ledger.clips / file).unlink(missing_ok=True)
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


def _saved(item: Item, outcome: Outcome, ledger: Ledger) -> tuple[dict[str, str], Report | None]:
    """File names by character, and the judge's report on what the files have."""
    suffix = "." + str(item.values.get("format", "bvh")).lstrip(".").lower()
    if outcome.claim is not None:
        saved = save(outcome.claim, ledger.clips / f"{item.name}{suffix}")
        one = len(set(saved.files.values())) == 1
        names = {name: saved.path if one else saved.files[name] for name in outcome.motions}
        return {name: path.name for name, path in names.items()}, saved.report
    return _uncertified(outcome, item.name, suffix, ledger), None


def _uncertified(outcome: Outcome, stem: str, suffix: str, ledger: Ledger) -> dict[str, str]:
    """File names by character of motions that claim nothing."""
    together = format_of(f"x{suffix}").together
    if len(outcome.motions) == 1 or together:
        file = f"{stem}{suffix}"
        scene = outcome.scene if together else None
        save_motion(list(outcome.motions.values()), ledger.clips / file, scene=scene)
        return dict.fromkeys(outcome.motions, file)
    files = {name: f"{stem}.{name}{suffix}" for name in outcome.motions}
    for name, motion in outcome.motions.items():
        save_motion(motion, ledger.clips / files[name])
    return files


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
