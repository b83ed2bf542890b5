"""Kernels that come compiled with the package: where they lie, and the processor that they are made for.

A wheel may carry them (``tools/kernel_wheel.py``). They are made for a baseline of processors, and used where the
processor, Python and numba fit. A checkout has none: its kernels are compiled for the processor at hand.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

#: Names the folder that kernels are to be compiled into for shipping.
VARIABLE = "UNDERSTUDY_SHIP_KERNELS"
#: Machine -> LLVM's name of the baseline, and the features that a processor of it has at least.
BASELINES = {
    "x86_64": (
        "x86-64-v3",
        ("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2", "xsave"),
    ),
    "aarch64": ("generic", ("fp-armv8", "neon")),
}


def building() -> bool:
    """Whether this process compiles kernels for shipping."""
    return bool(os.environ.get(VARIABLE))


def folder() -> Path:
    """Where shipped kernels are, or are to be."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path(__file__).resolve().parent / "kernels"


def choose_processor() -> None:
    """Compile for the baseline where kernels are shipped for it, unless somebody has chosen a processor already."""
    from llvmlite import binding  # type: ignore[import-untyped]
    from numba.core import config

    settings: object = config
    baseline = BASELINES.get(platform.machine().lower().replace("amd64", "x86_64").replace("arm64", "aarch64"))
    if baseline is None or getattr(settings, "CPU_NAME", None) is not None or not (building() or folder().is_dir()):
        return
    name, needed = baseline
    has = binding.get_host_cpu_features()
    if all(has.get(feature, False) for feature in needed):
        settings.CPU_NAME = name  # type: ignore[attr-defined]
        settings.CPU_FEATURES = ",".join(f"+{feature}" for feature in needed)  # type: ignore[attr-defined]
