"""A wheel with compiled kernels and the built-in library: ``python tools/kernel_wheel.py [FOLDER]``.

It is made for this Python, this system and a baseline of processors (``understudy.compiling.shipped``). Where it does
not fit, everything is compiled as usual.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
_LIBRARY = """
import sys
from pathlib import Path
from understudy.api.builtin_library import shipped_name
from understudy.library import build_library, save_library
from understudy.performer import builtin_clips
save_library(build_library(builtin_clips("walk")), Path(sys.argv[1]) / shipped_name())
"""


def build(target: Path) -> Path:
    """Compile all kernels, and build the wheel.

    Args:
        target: The folder it is written to.
    """
    with tempfile.TemporaryDirectory(prefix="understudy-kernels-") as folder:
        sources = os.pathsep.join([str(CHECKOUT / "src"), *sys.path])
        compiling = {**os.environ, "UNDERSTUDY_SHIP_KERNELS": folder, "UNDERSTUDY_CACHE": "", "PYTHONPATH": sources}
        subprocess.run([sys.executable, "-m", "understudy", "warm-up"], env=compiling, check=True, stdout=sys.stderr)
        subprocess.run([sys.executable, "-c", _LIBRARY, folder], env=compiling, check=True)
        building = {**os.environ, "UNDERSTUDY_KERNELS": folder}
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(target)]
        subprocess.run([*command, str(CHECKOUT)], env=building, check=True)
    return max(target.glob("understudy-*.whl"), key=lambda path: path.stat().st_mtime)


if __name__ == "__main__":
    made = build(Path(sys.argv[1] if len(sys.argv) > 1 else "dist"))
    sys.stdout.write(f"{made}  {made.stat().st_size / 1e6:.1f} MB\n")
