"""What ``understudy correct`` and ``understudy reach`` share: saving, and reporting the changes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from understudy.cli.shell import Exit, Shell

if TYPE_CHECKING:
    from understudy.core import Result
    from understudy.limbs import Change, LimbTrace, Touch


def answered(shell: Shell, result: Result[LimbTrace], out: Path) -> int:
    """Save a solved motion, print what happened, and give the exit code."""
    if result.status:
        from understudy.api.saving import save

        save(result, out)
    shell.answer(document(result, out), lambda: text(result, out))
    if not result.status:
        shell.remark(f"no motion: {result.reason}")
    return Exit.DONE if result.status else Exit.NO_MOTION


def document(result: Result[LimbTrace], out: Path) -> dict[str, Any]:
    """The result as JSON keys."""
    trace, stats = result.trace, result.stats
    changes = () if trace is None else trace.changes
    reaches = trace is not None and math.isfinite(trace.error_m)
    turned = trace is not None and math.isfinite(trace.error_rad)
    return {
        "status": result.status.value,
        "reason": result.reason,
        "seconds": stats.seconds,
        "motion": str(out) if result.status else None,
        "stats": {"seconds": dict(stats.stage_seconds), **dict(stats.counts)},
        "changes": [_change(one) for one in changes],
        "left": [_touch(one) for one in (() if trace is None else trace.left)],
        "hand_error_mm": 1000.0 * trace.error_m if trace is not None and reaches else None,
        "hand_error_deg": math.degrees(trace.error_rad) if trace is not None and turned else None,
    }


def text(result: Result[LimbTrace], out: Path) -> str:
    """The result for people."""
    entry = document(result, out)
    rows = [("status", entry["status"])]
    if result.reason:
        rows.append(("reason", result.reason))
    for one in entry["changes"]:
        what = f"{one['limb']} from {one['start_s']:.2f} to {one['end_s']:.2f} s"
        because = "; ".join(_said(touch) for touch in one["because"])
        rows.append(("changed" if one["status"] == "solved" else "failed", f"{what}{': ' if because else ''}{because}"))
    if not entry["changes"] and result.status:
        rows.append(("changed", "nothing: no limb touches anything"))
    for touch in entry["left"]:
        rows.append(("left", _said(touch)))
    if entry["hand_error_mm"] is not None:
        turned = "" if entry["hand_error_deg"] is None else f", {entry['hand_error_deg']:.2f} deg"
        rows.append(("hand", f"{entry['hand_error_mm']:.3f} mm off{turned}"))
    rows.append(("seconds", ", ".join(f"{stage} {value:.3f}" for stage, value in entry["stats"]["seconds"].items())))
    return "\n".join([entry["motion"] or "nothing written", *(f"  {key:<8} {value}" for key, value in rows)])


def _change(one: Change) -> dict[str, Any]:
    return {
        "limb": one.limb,
        "start_s": one.start_s,
        "end_s": one.end_s,
        "status": one.status.value,
        "reason": one.reason,
        "because": [_touch(touch) for touch in one.because],
    }


def _touch(touch: Touch) -> dict[str, Any]:
    return {
        "limb": touch.limb,
        "start_s": touch.start_s,
        "end_s": touch.end_s,
        "pairs": [list(pair) for pair in touch.pairs],
    }


def _said(touch: dict[str, Any]) -> str:
    what = ", ".join(f"{a} in {b}" for a, b in touch["pairs"])
    return f"{what} from {touch['start_s']:.2f} to {touch['end_s']:.2f} s"
