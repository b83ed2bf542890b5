"""What ``understudy correct`` and ``understudy reach`` share: saving, and reporting the changes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from understudy.cli import planned
from understudy.cli.shell import Shell

if TYPE_CHECKING:
    from understudy.core import Result
    from understudy.limbs import Change, LimbTrace, Touch


def answered(shell: Shell, result: Result[LimbTrace], out: Path) -> int:
    """Save a solved motion, print what happened, and give the exit code."""
    trace = result.trace
    reaches = trace is not None and math.isfinite(trace.error_m)
    turned = trace is not None and math.isfinite(trace.error_rad)
    own = {
        "changes": [_change(one) for one in (() if trace is None else trace.changes)],
        "left": [_touch(one) for one in (() if trace is None else trace.left)],
        "hand_error_mm": 1000.0 * trace.error_m if trace is not None and reaches else None,
        "hand_error_deg": math.degrees(trace.error_rad) if trace is not None and turned else None,
    }
    return planned.answered(shell, result, out, own, _rows)


def _rows(entry: dict[str, Any]) -> planned.Rows:
    rows = []
    for one in entry["changes"]:
        what = f"{one['limb']} from {one['start_s']:.2f} to {one['end_s']:.2f} s"
        because = "; ".join(_said(touch) for touch in one["because"])
        rows.append(("changed" if one["status"] == "solved" else "failed", f"{what}{': ' if because else ''}{because}"))
    if not entry["changes"] and entry["status"] == "solved":
        rows.append(("changed", "nothing: no limb touches anything"))
    for touch in entry["left"]:
        rows.append(("left", _said(touch)))
    if entry["hand_error_mm"] is not None:
        turned = "" if entry["hand_error_deg"] is None else f", {entry['hand_error_deg']:.2f} deg"
        rows.append(("hand", f"{entry['hand_error_mm']:.3f} mm off{turned}"))
    return rows


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
