"""Solve the performer's posture recipes on the average adult and store the result.

Run after editing ``src/understudy/performer/posture_recipes.toml``::

    python tools/solve_postures.py [names ...]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import understudy.performer
from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.pose import Pose
from understudy.core.reference_pose import anatomical_rotations
from understudy.performer.person import Person
from understudy.performer.postures import LEAST_GAP_M, SOLVED_FILE, posture_names, solved_posture


def main(wanted: list[str]) -> int:
    """Solve, report and store; returns the number of postures that failed."""
    target = Path(understudy.performer.__file__).with_name(SOLVED_FILE)
    store = json.loads(target.read_text(encoding="utf-8")) if wanted and target.exists() else {}
    skeleton = Person().skeleton()
    limits, failed = fit_body(skeleton).limits, 0
    for name in wanted or posture_names():
        pose, gap = solved_posture(name, skeleton)
        excess = float(limits.excess(pose.rotations).max())
        good = gap >= LEAST_GAP_M and excess <= 1e-9
        failed += not good
        print(f"{name:20} gap {1e3 * gap:7.2f} mm   limit excess {excess:.1e} rad   {'' if good else 'FAILED'}")
        store[name] = packed(pose)
    rows = [f'  "{name}": {json.dumps(store[name])}' for name in posture_names() if name in store]
    target.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8", newline="\n")
    return failed


def packed(pose: Pose) -> dict[str, list[float]]:
    """Role -> anatomical rotation vector [rad], identities left out."""
    turns = rot.log(anatomical_rotations(pose.skeleton, pose.rotations))
    return {
        role: [round(float(value), 6) for value in turns[joint]]
        for role, joint in pose.skeleton.humanoid.items()
        if np.abs(turns[joint]).max() > 5e-7
    }


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
