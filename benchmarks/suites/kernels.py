"""Kernels beside their peers: kinematics and IK beside Pinocchio and SciPy, collision beside Pinocchio with Coal,
reading BVH beside pybvh, rotations beside SciPy. The same as ``make bench``, as rows of the report.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from benchmarks.suites import Row

PARTS = ("collision", "kinematics", "ik", "parse", "rotations")
_MICRO = 1e-6


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """Every row, in seconds a call."""
    rows: list[Row] = []
    for part in PARTS:
        for found in importlib.import_module(f"benchmarks.micro.bench_{part}").rows(quick):
            times = {name: _MICRO * float(found[f"{name[:-2]}_us"]) for name in ("median_s", "p95_s")}
            cpu = {} if found.get("cpu_us") is None else {"cpu_s": _MICRO * float(found["cpu_us"])}
            rows.append(
                {"case": f"{part}: {found['case']}", "method": found["method"], **times, **cpu, "n": found["n"]}
            )
    return rows
