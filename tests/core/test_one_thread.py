"""Linear algebra stays on one thread inside, and is as it was outside."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from understudy.core.body_fit import fit_body
from understudy.core.one_thread import one_thread
from understudy.kinematics import FreeJoints, PointTask, solve_tasks
from understudy.performer.postures import posture
from understudy.typing import FloatArray


def _threads() -> list[int]:
    return [entry["num_threads"] for entry in threadpool_info() if entry["user_api"] == "blas"]


def test_one_thread_inside_and_as_before_outside() -> None:
    np.linalg.solve(np.eye(3), np.ones(3))
    with one_thread():
        inside = _threads()
    before = _threads()
    with one_thread(), one_thread():
        assert set(_threads()) == {1}
    assert inside and set(inside) == {1}
    assert _threads() == before


def test_inverse_kinematics_solves_its_small_systems_on_one_thread() -> None:
    pose, seen = posture("relaxed"), set[int]()
    limits = fit_body(pose.skeleton).limits

    def limit(rotations: FloatArray) -> FloatArray:
        seen.update(_threads())
        return limits.clamped(rotations)

    hand = pose.skeleton.index("leftHand")
    free = FreeJoints(skeleton=pose.skeleton, joints=tuple(pose.skeleton.limb("left_arm")))
    with threadpool_limits(2, user_api="blas"):
        solve_tasks(pose, [PointTask(joint=hand, target=np.array([0.3, 1.2, 0.3]))], free=free, limit=limit)
        assert set(_threads()) == {2}
    assert seen == {1}


def test_commands_keep_to_one_thread_unless_told_otherwise() -> None:
    code = (
        "import os, understudy.cli, numpy, threadpoolctl\n"
        "print(threadpoolctl.threadpool_info()[0]['num_threads'], os.environ['OPENBLAS_NUM_THREADS'])"
    )
    bare = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for env, wanted in ((bare, ["1", "1"]), (bare | {"OPENBLAS_NUM_THREADS": "2"}, ["2"])):
        done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
        assert done.stdout.split()[-len(wanted) :] == wanted
