"""The room and the function share a name; both ways of using it work, in any order."""

from __future__ import annotations

import subprocess
import sys

import pytest

WAYS = [
    "import understudy as us; r = us.verify(m)",
    "import understudy.verify; import understudy; r = understudy.verify(m)",
    "import understudy as us; us.verify(m); import understudy.verify as v; from understudy.verify import Report; "
    "r = v(m); assert isinstance(r, Report) and v is us.verify",
    "from understudy.verify import verify, Bars; r = verify(m, bars=Bars())",
    "import understudy as us; us.Report; import understudy.verify; r = us.verify(m, None, goals=())",
]

SETUP = (
    "import numpy as np; from people import person; from understudy.core import Motion; s = person(); "
    "m = Motion(skeleton=s, fps=30.0, root_positions=np.tile(s.offsets[0], (20, 1)), "
    "rotations=np.tile(s.rest_rotations, (20, 1, 1)));"
)


@pytest.mark.parametrize("way", WAYS)
def test_room_can_be_called_and_imported(way: str, pytestconfig: pytest.Config) -> None:
    # A fresh interpreter each: what matters is the order of imports.
    code = f"{SETUP}{way}; assert r.ok, r.table()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=pytestconfig.rootpath / "tests", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr + done.stdout


def test_import_of_the_package_does_not_import_the_judge() -> None:
    code = "import sys, understudy; assert 'understudy.verify' not in sys.modules and 'scipy' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
