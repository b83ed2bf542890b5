"""What the numbers were measured on: processor and versions."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

PACKAGES = ("understudy", "numpy", "scipy", "numba", "pin", "coal", "ompl", "pybvh", "shapely", "torch", "ray")


def _cpu_model() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return platform.processor() or platform.machine()


def _usable_cores() -> int:
    """Cores this process may run on, which in a container can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine() -> dict[str, str | int]:
    """Processor, usable cores and operating system."""
    return {"cpu": _cpu_model(), "cores": _usable_cores(), "system": platform.platform()}


def versions() -> dict[str, str]:
    """Versions of Python and of the installed packages that matter for speed."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
